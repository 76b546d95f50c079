/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader's flat images: what may lie beside what, where execution may
 * begin, and the place of the device tree.
 */
#include "board/loader-inside.h"
#include "loader-host.h"

TEST(images_may_not_overlap)
{
	struct loader_image got;
	uint8_t bytes[16] = { 9 };

	ck_assert_int_eq(load(&plain, &got), 0);
	ck_assert_int_eq(loader_flat(&l, bytes, 16, BASE + 0x3f, &got),
			 -LOADER_EOVERLAP);
	ck_assert(strstr(loader_error(&l),
			 "image 2 (0x10 bytes at 0x8000003f) overlaps segment "
			 "0 of image 1"));
	ck_assert_int_eq(loader_flat(&l, bytes, 16, BASE + 0x40, &got), 0);
	ck_assert_uint_eq(got.entry, BASE + 0x40);
	ck_assert_uint_eq(byte_at(BASE + 0x40), 9);
	ck_assert_int_eq(load(&plain, &got), -LOADER_EOVERLAP);
	ck_assert_uint_eq(l.n_images, 2);
	ck_assert_uint_eq(l.n_ranges, 2);
}

TEST(an_image_without_bytes_is_named)
{
	struct loader_image got;
	uint8_t bytes[16] = { 9 };

	ck_assert_int_eq(loader_flat(&l, bytes, 0, BASE, &got),
			 -LOADER_EFORMAT);
	ck_assert_str_eq(loader_error(&l), "image 1 is empty");
	ck_assert_int_eq(loader_flat(&l, bytes, 16, BASE, &got), 0);
	ck_assert_int_eq(loader_flat(&l, bytes, 0, BASE, &got),
			 -LOADER_EFORMAT);
	ck_assert_str_eq(loader_error(&l), "image 2 is empty");
}

/* More than there are addresses below RAM's end. */
TEST(what_is_longer_than_all_before_it_has_no_high_place)
{
	uint64_t at;

	ck_assert_int_eq(loader_find_high(&l, BASE + SIZE, 16, &at),
			 -LOADER_ERANGE);
	ck_assert_int_eq(loader_find_high(&l, UINT64_C(5) << 30, 16, &at),
			 -LOADER_ERANGE);
	ck_assert_int_eq(loader_find_high(&l, UINT64_MAX, 16, &at),
			 -LOADER_ERANGE);
}

/* A flat image beside 0x100 bytes at BASE + 0x1000, from below to above. */
static const struct beside_row {
	uint64_t start, size;
	int want;
} beside_rows[] = {
	{ BASE + 0xf00, 0x100, 0 },
	{ BASE + 0xf00, 0x101, -LOADER_EOVERLAP },
	{ BASE + 0xf00, 0x1000, -LOADER_EOVERLAP },
	{ BASE + 0xfff, 1, 0 },
	{ BASE + 0x1000, 1, -LOADER_EOVERLAP },
	{ BASE + 0x10ff, 1, -LOADER_EOVERLAP },
	{ BASE + 0x1100, 1, 0 },
};

TEST_ROWS(an_image_may_touch_another_on_either_side, beside_rows)
{
	const struct beside_row *row = &beside_rows[_i];
	static const uint8_t bytes[0x1000];
	struct loader_image got;

	ck_assert_int_eq(loader_flat(&l, bytes, 0x100, BASE + 0x1000, &got), 0);
	ck_assert_msg(loader_flat(&l, bytes, row->size, row->start, &got) ==
			      row->want,
		      "0x%llx bytes at 0x%llx", (unsigned long long)row->size,
		      (unsigned long long)row->start);
}

/* Image 1 is code and data, image 2 flat at BASE + 0x2000. */
static const struct entry_row {
	uint64_t entry;
	const char *error; /* NULL: taken */
} entry_rows[] = {
	{ BASE + 0x2000, NULL },
	{ BASE + 0x200e, NULL },
	{ BASE + 4, NULL },
	{ BASE + 0x2001, "entry 0x80002001 is odd" },
	{ BASE + 0x1004,
	  "entry 0x80001004 is in segment 1 of image 1 (0x10 bytes at "
	  "0x80001000), which is not executable" },
	{ BASE + 0x2010,
	  "entry 0x80002010 is in nothing that is loaded: segment 0 of image 1 "
	  "at 0x80000000-0x8000000f, segment 1 of image 1 at "
	  "0x80001000-0x8000100f, image 2 at 0x80002000-0x8000200f" },
};

TEST_ROWS(an_entry_lies_in_code_that_is_loaded, entry_rows)
{
	static const struct elf_image img = {
		.xlen = 64,
		.entry = BASE,
		.n_segments = 2,
		.segments = { { BASE, BASE, 16, 16 },
			      { BASE + 0x1000, BASE + 0x1000, 16, 16, true } },
	};
	const struct entry_row *row = &entry_rows[_i];
	struct loader_image got;
	uint8_t bytes[16] = { 9 };
	int rc;

	ck_assert_int_eq(load(&img, &got), 0);
	l.entry = row->entry;
	rc = loader_flat(&l, bytes, 16, BASE + 0x2000, &got);
	if (!row->error) {
		ck_assert_int_eq(rc, 0);
		ck_assert_uint_eq(got.entry, row->entry);
		return;
	}
	ck_assert_int_lt(rc, 0);
	ck_assert_str_eq(loader_error(&l), row->error);
	ck_assert_uint_eq(l.n_images, 1);
	ck_assert_uint_eq(l.n_ranges, 2);
	ck_assert_uint_eq(byte_at(BASE + 0x2000), 0);
}

TEST(a_list_that_is_too_long_is_cut)
{
	struct loader_image got;
	uint8_t bytes[16] = { 9 };
	const char *text;

	for (unsigned i = 0; i < 9; i++)
		ck_assert_int_eq(
			loader_flat(&l, bytes, 16, BASE + 32 * i, &got), 0);
	l.entry = BASE + 0x1000;
	ck_assert_int_eq(loader_flat(&l, bytes, 16, BASE + 0x2000, &got),
			 -LOADER_ERANGE);
	text = loader_error(&l);
	ck_assert_ptr_nonnull(strstr(text, "image 3 at 0x80000040-0x8000004f"));
	ck_assert_str_eq(text + strlen(text) - 5, ", ...");
}

/*
 * The list has half of LOADER_TEXT, with its end; two that lie there fill it
 * but for a number of bytes, and a third one follows.
 */
static const struct cut_row {
	unsigned left; /* behind the first two, their end not counted */
	bool third;
} cut_rows[] = {
	{ 0, false }, { 0, true }, { 1, true }, { 2, true },  { 3, true },
	{ 4, true },  { 5, true }, { 6, true }, { 27, true }, { 28, true },
};

TEST_ROWS(a_list_is_cut_where_its_mark_fits, cut_rows)
{
	const struct cut_row *row = &cut_rows[_i];
	size_t room = LOADER_TEXT / 2 - 1;
	char want[LOADER_TEXT], *end;

	for (unsigned i = 0; i < 2; i++) {
		struct loader_range *r = &l.ranges[l.n_ranges++];
		/* " at 0x80000000-0x8000000f", ", " between them */
		size_t len = i ? room - row->left - 50 - 25 - 2 : 25;

		*r = (struct loader_range){ BASE + 32 * i, 16 };
		memset(r->what, 'a' + (int)i, len);
	}
	snprintf(want, sizeof(want),
		 "%s at 0x80000000-0x8000000f, %s at 0x80000020-0x8000002f",
		 l.ranges[0].what, l.ranges[1].what);
	ck_assert_uint_eq(strlen(want), room - row->left);
	end = want + strlen(want);
	if (row->third)
		l.ranges[l.n_ranges++] = (struct loader_range){
			.start = BASE + 64, .size = 16, .what = "c"
		};
	if (row->third && row->left >= 28)
		strcpy(end, ", c at 0x80000040-0x8000004f");
	else if (row->third)
		strcpy(end > want + room - 5 ? want + room - 5 : end, ", ...");
	ck_assert_int_eq(loader_check_entry(&l, BASE + 0x100), -LOADER_ERANGE);
	ck_assert_str_eq(strstr(loader_error(&l), "aaaa"), want);
}

TEST(flat_images_have_limits)
{
	struct loader_image got;
	uint8_t bytes[16] = { 9 };

	ck_assert_int_eq(loader_flat(&l, bytes, 0, BASE, &got),
			 -LOADER_EFORMAT);
	ck_assert_int_eq(loader_flat(&l, bytes, 16, BASE + SIZE - 15, &got),
			 -LOADER_ERANGE);
	ck_assert_int_eq(loader_flat(&l, bytes, 16, UINT64_MAX - 7, &got),
			 -LOADER_ERANGE);
	for (unsigned i = 0; i < LOADER_MAX_RANGES; i++)
		ck_assert_int_eq(
			loader_flat(&l, bytes, 16, BASE + 16 * i, &got), 0);
	ck_assert_int_eq(loader_flat(&l, bytes, 16, BASE + SIZE - 16, &got),
			 -LOADER_ELIMIT);
}

TEST(a_linux_image_claims_what_its_header_says)
{
	struct loader_image got;
	uint8_t bytes[64] = { 0 };
	uint64_t need = 0x2000;

	memcpy(bytes + 16, &need, 8);
	memcpy(bytes + 56, "RSC\x05", 4);
	ck_assert_int_eq(loader_flat(&l, bytes, 64, BASE, &got), 0);
	ck_assert_uint_eq(l.ranges[0].size, 0x2000);
	ck_assert_int_eq(loader_flat(&l, bytes, 64, BASE + 0x1fff, &got),
			 -LOADER_EOVERLAP);
	ck_assert_int_eq(loader_flat(&l, bytes, 64, BASE + SIZE - 64, &got),
			 -LOADER_ERANGE);
}

static const struct high_row {
	const char *why;
	struct {
		uint64_t start, size;
	} taken[2];
	size_t size;
	uint64_t align, want; /* 0: no room */
} high_rows[] = {
	{ "the top", { { 0 } }, 0x100, 8, BASE + 0xff00 },
	{ "aligned down", { { 0 } }, 0xf9, 8, BASE + 0xff00 },
	{ "page aligned", { { 0 } }, 0x100, 0x1000, BASE + 0xf000 },
	{ "below what is there",
	  { { BASE + 0xff00, 0x100 } },
	  0x100,
	  8,
	  BASE + 0xfe00 },
	{ "in a hole that fits",
	  { { BASE + 0xf000, 0x1000 }, { BASE, 0xe000 } },
	  0x1000,
	  8,
	  BASE + 0xe000 },
	{ "below a hole that does not",
	  { { BASE + 0xf000, 0x1000 }, { BASE + 0xe000, 0x800 } },
	  0x1000,
	  8,
	  BASE + 0xd000 },
	{ "all of RAM", { { 0 } }, 0x10000, 8, BASE },
	{ "no multiple of the alignment in RAM", { { 0 } }, 8, 1ull << 32, 0 },
	{ "more than RAM", { { 0 } }, 0x10001, 8, 0 },
	{ "no hole", { { BASE + 1, 0xffff } }, 8, 8, 0 },
	{ "no aligned place", { { BASE + 0x800, 0xf800 } }, 0x801, 0x1000, 0 },
};

TEST_ROWS(the_device_tree_goes_high, high_rows)
{
	static const uint8_t bytes[0x10001] = { 0x55 };
	const struct high_row *row = &high_rows[_i];
	struct loader_image got;
	uint64_t addr = 0;
	int err;

	for (unsigned i = 0; i < 2 && row->taken[i].size; i++)
		ck_assert_int_eq(loader_flat(&l, bytes + 1, row->taken[i].size,
					     row->taken[i].start, &got),
				 0);
	err = loader_high(&l, bytes, row->size, row->align, &addr);
	ck_assert_msg(addr == row->want, "%s: 0x%llx", row->why,
		      (unsigned long long)addr);
	ck_assert_int_eq(err, row->want ? 0 : -LOADER_ERANGE);
	if (row->want)
		ck_assert_uint_eq(byte_at(addr), 0x55);
	else
		ck_assert(strstr(loader_error(&l), "no room"));
}

TEST(the_device_tree_stays_below_4_gib)
{
	uint64_t addr;

	bus_fini(&bus);
	ck_assert_int_eq(bus_init(&bus, BASE, 4ull << 30), 0);
	ck_assert_int_eq(loader_high(&l, "dtb", 4, 4096, &addr), 0);
	ck_assert_uint_eq(addr, 0xfffff000);
}

SUITE("loader-flat", .setup = setup, .teardown = teardown);
