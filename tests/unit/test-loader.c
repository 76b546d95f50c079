/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader: where segments, entries and HTIF words go, and every refusal
 * with the text that names it. A refused image leaves RAM and list untouched.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bus.h"
#include "elf-image.h"
#include "loader.h"
#include "unit.h"

#define BASE 0x80000000ull
#define SIZE 0x10000ull

static struct bus bus;
static struct loader l;

static void setup(void)
{
	ck_assert_int_eq(bus_init(&bus, BASE, SIZE), 0);
	memset(&l, 0, sizeof(l));
	l.bus = &bus;
	l.xlen = 64;
}

static void teardown(void)
{
	bus_fini(&bus);
}

static uint8_t byte_at(uint64_t paddr)
{
	uint8_t byte = 0xee;

	ck_assert(bus_read(&bus, paddr, &byte, 1));
	return byte;
}

static int load(const struct elf_image *img, struct loader_image *ret)
{
	size_t size;
	uint8_t *bytes = elf_image_make(img, &size);
	int err = loader_elf(&l, bytes, size, ret);

	free(bytes);
	return err;
}

static const struct elf_image plain = {
	.xlen = 64,
	.entry = BASE + 0x10,
	.n_segments = 1,
	.segments = { { BASE, BASE, 0x20, 0x40 } },
};

START_TEST(bytes_go_to_physical_addresses_and_bss_is_zero)
{
	struct loader_image got;
	uint8_t dirt[0x100];

	memset(dirt, 0xff, sizeof(dirt));
	bus_write(&bus, BASE, dirt, sizeof(dirt));
	ck_assert_int_eq(load(&plain, &got), 0);
	ck_assert_uint_eq(got.entry, BASE + 0x10);
	ck_assert_uint_eq(got.tohost | got.fromhost, 0);
	ck_assert_uint_eq(byte_at(BASE), 1);
	ck_assert_uint_eq(byte_at(BASE + 0x1f), 0x20);
	ck_assert_uint_eq(byte_at(BASE + 0x20), 0);
	ck_assert_uint_eq(byte_at(BASE + 0x3f), 0);
	ck_assert_uint_eq(byte_at(BASE + 0x40), 0xff);
}
END_TEST

static const struct good_row {
	const char *why;
	struct elf_image img;
	uint64_t entry, tohost, fromhost;
} good_rows[] = {
	{ "RV32",
	  { 32, BASE, 1, { { BASE, BASE, 8, 8 } }, 0, { { 0 } } },
	  BASE,
	  0,
	  0 },
	{ "a virtual entry becomes physical",
	  { 64,
	    0xffffffff80000102,
	    2,
	    { { 0xffffffff80000000, BASE + 0x1000, 8, 0x1000 },
	      { 0xffffffff90000000, BASE + 0x4000, 8, 8 } },
	    0,
	    { { 0 } } },
	  BASE + 0x1102,
	  0,
	  0 },
	{ "an entry that is physical already",
	  { 64,
	    BASE + 0x1004,
	    1,
	    { { 0xc0000000, BASE + 0x1000, 8, 8 } },
	    0,
	    { { 0 } } },
	  BASE + 0x1004,
	  0,
	  0 },
	{ "the last byte of RAM",
	  { 64,
	    BASE + 0xff00,
	    1,
	    { { BASE + 0xff00, BASE + 0xff00, 0x100, 0x100 } },
	    0,
	    { { 0 } } },
	  BASE + 0xff00,
	  0,
	  0 },
	{ "an empty segment may be anywhere",
	  { 64,
	    BASE,
	    2,
	    { { BASE, BASE, 8, 8 }, { 0, 0, 0, 0 } },
	    0,
	    { { 0 } } },
	  BASE,
	  0,
	  0 },
	{ "segments that touch",
	  { 64,
	    BASE,
	    2,
	    { { BASE, BASE, 8, 8 }, { BASE + 8, BASE + 8, 8, 8 } },
	    0,
	    { { 0 } } },
	  BASE,
	  0,
	  0 },
	{ "HTIF words",
	  { 64,
	    BASE,
	    1,
	    { { BASE, BASE, 8, 0x2000 } },
	    3,
	    { { "tohost", BASE + 0x1000 },
	      { "tohosts", BASE + 1 },
	      { "fromhost", BASE + 0x1040 } } },
	  BASE,
	  BASE + 0x1000,
	  BASE + 0x1040 },
	{ "HTIF words of RV32, virtual",
	  { 32,
	    0xc0000000,
	    1,
	    { { 0xc0000000, BASE, 8, 0x2000 } },
	    1,
	    { { "tohost", 0xc0001000 } } },
	  BASE,
	  BASE + 0x1000,
	  0 },
};

START_TEST(good_files_load)
{
	const struct good_row *row = &good_rows[_i];
	struct loader_image got;

	l.xlen = (uint8_t)row->img.xlen;
	ck_assert_msg(load(&row->img, &got) == 0, "%s: %s", row->why,
		      loader_error(&l));
	ck_assert_msg(got.entry == row->entry, "%s: 0x%llx", row->why,
		      (unsigned long long)got.entry);
	ck_assert_msg(got.tohost == row->tohost, "%s", row->why);
	ck_assert_msg(got.fromhost == row->fromhost, "%s", row->why);
}
END_TEST

static const struct bad_row {
	const char *text;
	int want;
	struct elf_image img;
} bad_rows[] = {
	{ "segment 1 of image 1 (0x8 bytes at 0x1000) is outside RAM, which "
	  "is 0x80000000-0x8000ffff",
	  -LOADER_ERANGE,
	  { 64,
	    BASE,
	    2,
	    { { BASE, BASE, 8, 8 }, { BASE, 0x1000, 8, 8 } },
	    0,
	    { { 0 } } } },
	{ "segment 0 of image 1 (0x10001 bytes at 0x80000000) is outside RAM",
	  -LOADER_ERANGE,
	  { 64, BASE, 1, { { BASE, BASE, 8, SIZE + 1 } }, 0, { { 0 } } } },
	{ "is outside RAM",
	  -LOADER_ERANGE,
	  { 64,
	    BASE,
	    1,
	    { { BASE, BASE + 8, 8, UINT64_MAX } },
	    0,
	    { { 0 } } } },
	{ "overlaps segment 0 of image 1 (0x8 bytes at 0x80000000)",
	  -LOADER_EOVERLAP,
	  { 64,
	    BASE,
	    2,
	    { { BASE, BASE, 8, 8 }, { BASE + 7, BASE + 7, 8, 8 } },
	    0,
	    { { 0 } } } },
	{ "more bytes in the file (0x10) than in memory (0x8)",
	  -LOADER_EFORMAT,
	  { 64, BASE, 1, { { BASE, BASE, 16, 8 } }, 0, { { 0 } } } },
	{ "segment 0 (0x8000 bytes at offset 0x200) is cut off",
	  -LOADER_EFORMAT,
	  { 64, BASE, 1, { { BASE, BASE, 0x8000, 0x8000 } }, 0, { { 0 } } } },
	{ "nothing to load",
	  -LOADER_EFORMAT,
	  { 64, BASE, 0, { { 0 } }, 0, { { 0 } } } },
	{ "nothing to load",
	  -LOADER_EFORMAT,
	  { 64, BASE, 1, { { BASE, BASE, 0, 0 } }, 0, { { 0 } } } },
	{ "entry 0x80000008 is in none of its segments",
	  -LOADER_EFORMAT,
	  { 64, BASE + 8, 1, { { BASE, BASE, 8, 8 } }, 0, { { 0 } } } },
	{ "entry 0x80000001 is odd",
	  -LOADER_EFORMAT,
	  { 64, BASE + 1, 1, { { BASE, BASE, 8, 8 } }, 0, { { 0 } } } },
	{ "is for RV32, the machine's harts are RV64",
	  -LOADER_EFORMAT,
	  { 32, BASE, 1, { { BASE, BASE, 8, 8 } }, 0, { { 0 } } } },
	{ "symbol tohost (0x80000004) is no aligned 8-byte word",
	  -LOADER_EFORMAT,
	  { 64,
	    BASE,
	    1,
	    { { BASE, BASE, 8, 0x20 } },
	    1,
	    { { "tohost", BASE + 4 } } } },
	{ "symbol fromhost (0x1000) is no aligned 8-byte word",
	  -LOADER_EFORMAT,
	  { 64,
	    BASE,
	    1,
	    { { BASE, BASE, 8, 8 } },
	    1,
	    { { "fromhost", 0x1000 } } } },
};

START_TEST(a_refusal_says_what_and_leaves_no_trace)
{
	const struct bad_row *row = &bad_rows[_i];
	struct loader_image got = { .entry = 7 };

	ck_assert_msg(load(&row->img, &got) == row->want, "%s: %s", row->text,
		      loader_error(&l));
	ck_assert_msg(strstr(loader_error(&l), row->text), "%s: %s", row->text,
		      loader_error(&l));
	ck_assert_uint_eq(got.entry, 7);
	ck_assert_uint_eq(l.n_ranges + l.n_images, 0);
	ck_assert_uint_eq(byte_at(BASE), 0);
}
END_TEST

static const struct header_row {
	const char *text;
	size_t offset, size;
	uint64_t value;
} header_rows[] = {
	{ "not an ELF file", 0, 1, 'X' },
	{ "machine 62, not RISC-V", offsetof(Elf64_Ehdr, e_machine), 2,
	  EM_X86_64 },
	{ "position independent", offsetof(Elf64_Ehdr, e_type), 2, ET_DYN },
	{ "not an executable (type 1)", offsetof(Elf64_Ehdr, e_type), 2,
	  ET_REL },
	{ "not an executable (type 4)", offsetof(Elf64_Ehdr, e_type), 2,
	  ET_CORE },
	{ "bad ELF", offsetof(Elf64_Ehdr, e_phoff), 8, 1ull << 40 },
	{ "program headers are cut off", offsetof(Elf64_Ehdr, e_phnum), 2,
	  1000 },
	{ "cut off", sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_offset), 8,
	  UINT64_MAX },
	{ "bad ELF header", EI_CLASS, 1, 3 },
	{ "program headers have 3 bytes", offsetof(Elf64_Ehdr, e_phentsize), 2,
	  3 },
};

START_TEST(a_bad_header_is_named)
{
	const struct header_row *row = &header_rows[_i];
	struct loader_image got;
	size_t size;
	uint8_t *bytes = elf_image_make(&plain, &size);

	memcpy(bytes + row->offset, &row->value, row->size);
	ck_assert_msg(loader_elf(&l, bytes, size, &got) == -LOADER_EFORMAT,
		      "%s", row->text);
	ck_assert_msg(strstr(loader_error(&l), row->text), "%s: %s", row->text,
		      loader_error(&l));
	free(bytes);
}
END_TEST

START_TEST(big_endian_is_refused)
{
	struct loader_image got;
	size_t size;
	uint8_t *bytes = elf_image_make(&plain, &size);

	/* As a big-endian file has it: otherwise the machine is unknown. */
	bytes[EI_DATA] = ELFDATA2MSB;
	memcpy(bytes + offsetof(Elf64_Ehdr, e_machine), "\0\xf3", 2);
	memset(bytes + offsetof(Elf64_Ehdr, e_phnum), 0, 8);
	ck_assert_int_eq(loader_elf(&l, bytes, size, &got), -LOADER_EFORMAT);
	ck_assert_msg(strstr(loader_error(&l), "big-endian"), "%s",
		      loader_error(&l));
	free(bytes);
}
END_TEST

START_TEST(images_may_not_overlap)
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
END_TEST

START_TEST(flat_images_have_limits)
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
END_TEST

START_TEST(a_linux_image_claims_what_its_header_says)
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
END_TEST

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

START_TEST(the_device_tree_goes_high)
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
END_TEST

START_TEST(the_device_tree_stays_below_4_gib)
{
	uint64_t addr;

	bus_fini(&bus);
	ck_assert_int_eq(bus_init(&bus, BASE, 4ull << 30), 0);
	ck_assert_int_eq(loader_high(&l, "dtb", 4, 4096, &addr), 0);
	ck_assert_uint_eq(addr, 0xfffff000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("loader");
	TCase *tc = tcase_create("loader");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, bytes_go_to_physical_addresses_and_bss_is_zero);
	tcase_add_loop_test(tc, good_files_load, 0, ARRAY_SIZE(good_rows));
	tcase_add_loop_test(tc, a_refusal_says_what_and_leaves_no_trace, 0,
			    ARRAY_SIZE(bad_rows));
	tcase_add_loop_test(tc, a_bad_header_is_named, 0,
			    ARRAY_SIZE(header_rows));
	tcase_add_test(tc, big_endian_is_refused);
	tcase_add_test(tc, images_may_not_overlap);
	tcase_add_test(tc, flat_images_have_limits);
	tcase_add_test(tc, a_linux_image_claims_what_its_header_says);
	tcase_add_loop_test(tc, the_device_tree_goes_high, 0,
			    ARRAY_SIZE(high_rows));
	tcase_add_test(tc, the_device_tree_stays_below_4_gib);
	suite_add_tcase(s, tc);
	return unit_main(s);
}
