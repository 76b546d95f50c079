/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of a file of --symbols, or --guest-symbols, that was moved, as the
 * trace's header tells. Arguments: symbol-places.elf.
 */
#include <string.h>
#include <sys/mman.h>

#include <nettle/sha2.h>

#include "captured.h"
#include "cmd/args.h"
#include "places-file.h"
#include "text/exit-codes.h"
#include "trace/symbol-file.h"

enum {
	MOST = 3,
	ELF = PMU__V1__IMAGE_KIND__IMAGE_KIND_ELF,
	FLAT = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT,
	DTB = PMU__V1__IMAGE_KIND__IMAGE_KIND_DTB,
	INITRD = PMU__V1__IMAGE_KIND__IMAGE_KIND_INITRD,
	KERNEL = PMU__V1__IMAGE_KIND__IMAGE_KIND_KERNEL,
	FIRMWARE = PMU__V1__IMAGE_KIND__IMAGE_KIND_FIRMWARE,
};

static const struct moved_row {
	const char *why;
	bool fixed; /* the file is linked for where it lies */
	struct {
		int kind; /* 0: no more */
		uint64_t bias;
		bool is_it;
	} image[MOST];
	uint64_t bias;
	uint64_t guests; /* as a file of --guest-symbols */
} moved_rows[] = {
	{ "as far as it was",
	  false,
	  { { ELF, 0x100000, true } },
	  0x100000,
	  0x100000 },
	{ "not at all", false, { { ELF, 0, true } }, 0 },
	{ "as far as it was, not another",
	  false,
	  { { ELF, 0x100000 }, { ELF, 0x200000, true } },
	  0x200000,
	  0x200000 },
	{ "firmware as far as that",
	  false,
	  { { FIRMWARE, 0x300000, true }, { ELF, 0x200000 } },
	  0x300000,
	  0x300000 },
	{ "one that was stripped, as the program",
	  false,
	  { { FIRMWARE, 0x300000 }, { ELF, 0x100000 }, { ELF, 0x200000 } },
	  0x100000 },
	{ "the program that was moved",
	  false,
	  { { FLAT, 0 }, { ELF, 0x200000 } },
	  0x200000 },
	{ "not as far as firmware below a kernel",
	  false,
	  { { FIRMWARE, 0x300000 }, { KERNEL, 0 } },
	  0 },
	{ "firmware with nothing but a tree and an initrd",
	  false,
	  { { FIRMWARE, 0x300000 }, { DTB, 0 }, { INITRD, 0 } },
	  0x300000 },
	{ "one that cannot be moved", true, { { ELF, 0x100000 } }, 0 },
};

struct moved_file {
	char path[40]; /* of a descriptor that stays open */
	char sum[2 * SHA256_DIGEST_SIZE + 1];
};

static void add_sum(const uint8_t *bytes, size_t size, struct moved_file *to)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;

	sha256_init(&sha);
	sha256_update(&sha, size, bytes);
	sha256_digest(&sha, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		sprintf(to->sum + 2 * i, "%02x", digest[i]);
}

static void make_file(bool fixed, struct moved_file *ret)
{
	int fd = memfd_create("elf", 0);

	if (!fixed)
		places_file_header()->e_type = ET_DYN;
	PREPARING(
		ck_assert(write(fd, elf.bytes, elf.size) == (ssize_t)elf.size));
	add_sum(elf.bytes, elf.size, ret);
	snprintf(ret->path, sizeof(ret->path), "/proc/self/fd/%d", fd);
}

/* A hypervisor's guest may be any file: it is moved if it is known to be. */
TEST_TIMES(names_are_moved_as_far_as_their_file, 2 * ARRAY_SIZE(moved_rows))
{
	const struct moved_row *row = &moved_rows[_i / 2];
	bool guests = _i % 2;
	Pmu__V1__ImageInfo info[MOST], *images[MOST];
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	struct symbols *s = NULL;
	struct args args;
	uint64_t at = 0;
	struct moved_file file;

	make_file(row->fixed, &file);
	args_init(&args);
	args.symbols = guests ? NULL : file.path;
	args.guest_symbols = guests ? file.path : NULL;
	args.force = true;
	header.images = images;
	for (unsigned i = 0; i < MOST && row->image[i].kind; i++) {
		pmu__v1__image_info__init(&info[i]);
		info[i].kind = (Pmu__V1__ImageKind)row->image[i].kind;
		info[i].bias = row->image[i].bias;
		if (row->image[i].is_it)
			info[i].sha256 = file.sum;
		images[header.n_images++] = &info[i];
	}
	capture();
	ck_assert_int_eq(guests ? symbol_file_open_guests(&s, &args, &header)
				: symbol_file_open(&s, &args, &header),
			 EXIT_OK);
	capture_end();
	ck_assert(symbols_address(s, "start", &at));
	ck_assert_msg(at == FIRST + (guests ? row->guests : row->bias),
		      "%s: 0x%llx", row->why, (unsigned long long)at);
	symbols_close(s);
}

SUITE("symbol-moved", .setup = places_file_setup,
      .teardown = places_file_teardown, .begin = places_file_arguments);
