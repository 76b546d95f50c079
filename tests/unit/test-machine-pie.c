/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a machine puts static PIEs, by its mode and by what is there, and how
 * far it says that the guest's program was moved.
 */
#include <elf.h>

#include "core/machine-load.h"
#include "machine-script.h"
#include "pie-image.h"

#define LINK 0x10000
#define M    BOARD_M_ENTRY
#define S    BOARD_S_ENTRY

enum {
	MOST = 3
};

/* Of each image: what it is, where it begins, what is to be said then. */
static const struct place_row {
	const char *why;
	bool m_mode;
	struct {
		enum image_kind kind;
		bool flat; /* at BASE + 0x300000, or, of firmware, at BASE */
		uint64_t at, bias;
	} image[MOST];
} place_rows[] = {
	{ "in M-mode", true, { { IMAGE_ANY, false, M, M - LINK } } },
	{ "on the firmware model",
	  false,
	  { { IMAGE_ELF, false, S, S - LINK } } },
	{ "on firmware, of which it is told once there is no other",
	  true,
	  { { IMAGE_FIRMWARE, false, M, M - LINK },
	    { IMAGE_ANY, false, S, S - LINK } } },
	{ "on flat firmware",
	  true,
	  { { IMAGE_FIRMWARE, true, M, 0 },
	    { IMAGE_ANY, false, S, S - LINK } } },
	{ "a program that was not moved, on firmware that was",
	  true,
	  { { IMAGE_FIRMWARE, false, M, M - LINK }, { IMAGE_FLAT, true } } },
	{ "beside one that was not",
	  false,
	  { { IMAGE_FLAT, true }, { IMAGE_ANY, false, S, S - LINK } } },
	{ "in front of one that was not",
	  false,
	  { { IMAGE_ANY, false, S, S - LINK },
	    { IMAGE_FLAT, true, .bias = S - LINK } } },
};

static bool load_one(struct machine *m, enum image_kind kind, bool flat,
		     struct error *e)
{
	static const uint8_t bytes[16] = { 1 };
	const struct pie_image img = { .link = LINK, .align = 0x1000 };
	struct machine_image image = { .kind = kind,
				       .address = BASE + 0x300000,
				       .bytes = bytes,
				       .size = sizeof(bytes) };
	uint8_t *made = flat ? NULL : pie_image_make(&img, &image.size);
	uint64_t entry;
	bool good;

	if (made)
		image.bytes = made;
	good = machine_load(m, &image, &entry, e);
	free(made);
	return good;
}

/* One with nothing in it, as the fixture's is but for its mode. */
static struct machine *make(bool m_mode)
{
	struct machine_config mc;
	struct machine *m = NULL;
	struct error e;

	fixture_init(&f, &(struct fixture_config){ .m_mode = m_mode });
	mc = *machine_config(f.m);
	PREPARING(ck_assert_msg(machine_new(&m, &mc, &f.trace.recorder, &e),
				"%s", e.text));
	return m;
}

TEST_ROWS(a_static_pie_goes_where_programs_begin, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	struct machine *m = make(row->m_mode);

	for (unsigned i = 0; i < MOST; i++) {
		struct error e;
		unsigned n = machine_loaded(m)->n_ranges;
		uint64_t at;

		if (i && !row->image[i].at && !row->image[i].flat)
			break;
		ck_assert_msg(
			load_one(m, row->image[i].kind, row->image[i].flat, &e),
			"%s: %s", row->why, e.text);
		at = machine_loaded(m)->ranges[n].start;
		ck_assert_msg(!row->image[i].at || at == row->image[i].at,
			      "%s: 0x%llx", row->why, (unsigned long long)at);
		ck_assert_msg(machine_loaded(m)->bias ==
				      (row->image[i].flat ? 0 : at - LINK),
			      "%s", row->why);
		ck_assert_msg(machine_image_bias(m) == row->image[i].bias,
			      "%s: moved by 0x%llx", row->why,
			      (unsigned long long)machine_image_bias(m));
	}
	machine_free(m);
}

/* Its addresses are virtual ones, which are nowhere. */
TEST(a_kernel_is_not_moved)
{
	struct machine *m = make(false);
	struct error e;

	ck_assert(!load_one(m, IMAGE_KERNEL, false, &e));
	ck_assert_str_eq(e.text,
			 "image: the ELF file is position independent; link "
			 "it at a fixed address (-static -no-pie)");
	machine_free(m);
}

SUITE("machine-pie", .teardown = teardown);
