/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader's kernels: what the header of an Image may say, where kernel,
 * initrd and device tree go, and what is said of those that cannot be.
 */
#include "loader-host.h"

#define MIB UINT64_C(0x100000)

enum {
	FILE_SIZE = 0x400,
	PE_AT = 0x40,
};

/* An Image as Linux 6.12 has it; what is 0 in a row is as there. */
struct image_row {
	uint64_t text_offset, image_size, flags, memory;
	const char *magic, *magic_2; /* "": none */
	size_t size;		     /* of the file */
	uint16_t pe_machine;	     /* 0: no EFI program */
	uint32_t raw_end;	     /* of its last section */
	uint8_t xlen;
	uint8_t more_sections; /* before that, each with nothing in the file */
};

static uint8_t *file;

static void put(size_t offset, uint64_t value, size_t n)
{
	memcpy(file + offset, &value, n);
}

static void make_pe(const struct image_row *row)
{
	size_t last = PE_AT + 32 + 40u * row->more_sections;

	memcpy(file, "MZ", 2);
	put(60, PE_AT, 4);
	memcpy(file + PE_AT, "PE\0", 4);
	put(PE_AT + 4, row->pe_machine, 2);
	put(PE_AT + 6, 1u + row->more_sections, 2);
	put(PE_AT + 20, 8, 2); /* the optional header, of which nothing is */
	put(last + 16, (row->raw_end ? row->raw_end : FILE_SIZE) - 0x100, 4);
	put(last + 20, 0x100, 4);
}

static void make(const struct image_row *row)
{
	file = calloc(1, FILE_SIZE);
	ck_assert_ptr_nonnull(file);
	put(8, row->text_offset ? row->text_offset : 2 * MIB, 8);
	put(16,
	    row->image_size == 1 ? 0
	    : row->image_size	 ? row->image_size
				 : 3 * MIB,
	    8);
	put(24, row->flags, 8);
	put(32, 2, 4);
	strncpy((char *)file + 48, row->magic ? row->magic : "RISCV", 8);
	memcpy(file + 56, row->magic_2 ? row->magic_2 : "RSC\5", 4);
	file[FILE_SIZE - 1] = 0x77;
	if (row->pe_machine)
		make_pe(row);
}

static void memory(uint64_t size)
{
	bus_fini(&bus);
	ck_assert_int_eq(bus_init(&bus, BASE, size), 0);
}

static int load_kernel(const struct image_row *row, struct loader_image *ret)
{
	size_t size = row->size ? row->size : FILE_SIZE;
	void *exact;

	memory(row->memory ? row->memory : 16 * MIB);
	l.xlen = row->xlen ? row->xlen : 64;
	make(row);
	/* so that a sanitizer sees who reads behind the end */
	exact = realloc(file, size);
	ck_assert_ptr_nonnull(exact);
	file = exact;
	return loader_kernel(&l, file, size, ret);
}

static void drop(void)
{
	free(file);
	file = NULL;
	teardown();
}

static const struct placed_row {
	struct image_row image;
	uint64_t at, taken;
} placed_rows[] = {
	{ { 0 }, BASE + 2 * MIB, 3 * MIB },
	{ { .text_offset = 4 * MIB }, BASE + 4 * MIB, 3 * MIB },
	{ { .text_offset = 4 * MIB, .xlen = 32 }, BASE + 4 * MIB, 3 * MIB },
	{ { .image_size = 0x401 }, BASE + 2 * MIB, 0x401 },
	/* more bytes than it says */
	{ { .image_size = 0x100 }, BASE + 2 * MIB, FILE_SIZE },
	/* the last byte of memory, and other flags */
	{ { .image_size = 14 * MIB }, BASE + 2 * MIB, 14 * MIB },
	{ { .flags = ~UINT64_C(1) }, BASE + 2 * MIB, 3 * MIB },
	/* before version 0.2, and a kernel whose old magic is gone */
	{ { .magic_2 = "\0\0\0" }, BASE + 2 * MIB, 3 * MIB },
	{ { .magic = "" }, BASE + 2 * MIB, 3 * MIB },
	/* just the header */
	{ { .size = 64 }, BASE + 2 * MIB, 3 * MIB },
	{ { .pe_machine = 0x5064 }, BASE + 2 * MIB, 3 * MIB },
	{ { .pe_machine = 0x5064, .more_sections = 3 },
	  BASE + 2 * MIB,
	  3 * MIB },
	{ { .text_offset = 4 * MIB, .pe_machine = 0x5032, .xlen = 32 },
	  BASE + 4 * MIB,
	  3 * MIB },
};

TEST_ROWS(a_kernel_goes_where_its_header_says, placed_rows)
{
	const struct placed_row *row = &placed_rows[_i];
	struct loader_image got;

	ck_assert_msg(load_kernel(&row->image, &got) == 0, "%s",
		      loader_error(&l));
	ck_assert_uint_eq(got.entry, row->at);
	ck_assert_uint_eq(l.n_ranges, 1);
	ck_assert_uint_eq(l.ranges[0].start, row->at);
	ck_assert_uint_eq(l.ranges[0].size, row->taken);
	ck_assert_str_eq(l.ranges[0].what, "kernel");
	if (!row->image.size)
		ck_assert_uint_eq(byte_at(row->at + FILE_SIZE - 1), 0x77);
}

static const struct bad_row {
	struct image_row image;
	int err;
	const char *why;
} bad_rows[] = {
	{ { .size = 63 },
	  -LOADER_EFORMAT,
	  "the kernel has 0x3f bytes, the header of an Image 0x40" },
	{ { .size = 1 },
	  -LOADER_EFORMAT,
	  "the kernel has 0x1 bytes, the header of an Image 0x40" },
	{ { .magic = "", .magic_2 = "\0\0\0" },
	  -LOADER_EFORMAT,
	  "the kernel is neither an ELF file nor an Image: there is no "
	  "\"RSC\\5\" at 0x38" },
	{ { .magic = "RISCVx", .magic_2 = "RSC\4" },
	  -LOADER_EFORMAT,
	  "the kernel is neither" },
	{ { .magic = "", .magic_2 = "ARM\x64" },
	  -LOADER_EFORMAT,
	  "the kernel is an Image for arm64" },
	{ { .flags = 1 },
	  -LOADER_EFORMAT,
	  "the kernel is big-endian, harts are little-endian" },
	{ { .image_size = 1 },
	  -LOADER_EFORMAT,
	  "the kernel's image_size is 0, so how much memory it uses is not "
	  "known" },
	{ { .pe_machine = 0x5032 },
	  -LOADER_EFORMAT,
	  "the kernel is for RV32, the machine's harts are RV64" },
	{ { .pe_machine = 0x5064, .xlen = 32 },
	  -LOADER_EFORMAT,
	  "the kernel is for RV64, the machine's harts are RV32" },
	{ { .pe_machine = 0xaa64 },
	  -LOADER_EFORMAT,
	  "the kernel's PE header is for machine 0xaa64, not RISC-V" },
	{ { .pe_machine = 0x5064, .raw_end = FILE_SIZE + 1 },
	  -LOADER_EFORMAT,
	  "the kernel is cut off: it has 0x400 bytes of at least 0x401" },
	{ { .pe_machine = 0x5064,
	    .raw_end = FILE_SIZE + 1,
	    .more_sections = 3 },
	  -LOADER_EFORMAT,
	  "the kernel is cut off: it has 0x400 bytes of at least 0x401" },
	{ { .pe_machine = 0x5064, .size = 0x70 },
	  -LOADER_EFORMAT,
	  "the kernel is cut off in its PE header" },
	{ { .xlen = 32 },
	  -LOADER_EFORMAT,
	  "the kernel's text_offset 0x200000 is no multiple of 4 MiB, as a "
	  "kernel for RV32 has it" },
	{ { .text_offset = 2 * MIB + 0x1000 },
	  -LOADER_EFORMAT,
	  "the kernel's text_offset 0x201000 is no multiple of 2 MiB" },
	{ { .image_size = 14 * MIB + 1 },
	  -LOADER_ERANGE,
	  "the kernel (0xe00001 bytes, 0x200000 behind the base of RAM) needs "
	  "more than 16 MiB of memory, the machine has 16 MiB" },
	{ { .memory = 2 * MIB },
	  -LOADER_ERANGE,
	  "needs more than 4 MiB of memory, the machine has 2 MiB" },
	{ { .text_offset = 64 * MIB },
	  -LOADER_ERANGE,
	  "needs more than 66 MiB of memory" },
	{ { .image_size = UINT64_MAX },
	  -LOADER_ERANGE,
	  "the kernel (0xffffffffffffffff bytes, 0x200000 behind the base of "
	  "RAM) fits in no memory" },
	{ { .image_size = UINT64_C(1) << 56 },
	  -LOADER_ERANGE,
	  "needs more than 68719476737 MiB of memory" },
	{ { .image_size = UINT64_MAX - 2 * MIB },
	  -LOADER_ERANGE,
	  "needs more than 17592186044415 MiB of memory" },
};

TEST_ROWS(a_kernel_that_cannot_be_is_told_why, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	struct loader_image got = { .entry = 5 };

	ck_assert_int_eq(load_kernel(&row->image, &got), row->err);
	ck_assert_msg(strstr(loader_error(&l), row->why), "%s",
		      loader_error(&l));
	ck_assert_uint_eq(l.n_ranges, 0);
	ck_assert_uint_eq(l.n_images, 0);
	ck_assert_uint_eq(l.kernel_end, 0);
	ck_assert_uint_eq(got.entry, 5);
}

static const struct stranger_row {
	size_t offset;
	const char *bytes;
	size_t n;
	const char *what;
} stranger_rows[] = {
	{ 0, "\x1f\x8b\x08", 3, "compressed with gzip; decompress it" },
	{ 0, "\x28\xb5\x2f\xfd", 4, "compressed with zstd" },
	{ 0,
	  "\xfd"
	  "7zXZ\0",
	  6, "compressed with xz" },
	{ 0, "MZ\0\0zimg", 8, "CONFIG_EFI_ZBOOT" },
	{ 0x202, "HdrS", 4, "a bzImage for x86" },
	{ 0, "\xd0\x0d\xfe\xed", 4, "a device tree" },
};

TEST_ROWS(what_is_no_kernel_is_named, stranger_rows)
{
	const struct stranger_row *row = &stranger_rows[_i];
	struct loader_image got;

	file = calloc(1, FILE_SIZE);
	memcpy(file + row->offset, row->bytes, row->n);
	ck_assert_int_eq(loader_kernel(&l, file, FILE_SIZE, &got),
			 -LOADER_EFORMAT);
	ck_assert_msg(strstr(loader_error(&l), row->what), "%s",
		      loader_error(&l));
	/* too short to hold more than that */
	ck_assert_int_eq(loader_kernel(&l, file, row->offset + row->n, &got),
			 -LOADER_EFORMAT);
	ck_assert_ptr_nonnull(strstr(loader_error(&l), row->what));
}

TEST(a_kernel_may_be_an_elf_file)
{
	struct loader_image got;
	size_t size;

	file = elf_image_make(&plain, &size);
	ck_assert_int_eq(loader_kernel(&l, file, size, &got), 0);
	ck_assert_uint_eq(got.entry, BASE + 0x10);
	ck_assert_uint_eq(l.kernel_end, BASE + 0x40);
}

/* Linux links it at 0, or at a virtual address. */
TEST(vmlinux_is_told_what_to_become)
{
	static const struct elf_image vmlinux = {
		.xlen = 64,
		.entry = 0xffffffff80000000,
		.n_segments = 1,
		.segments = { { 0xffffffff80000000, 0, 0x20, 0x40 } },
	};
	struct loader_image got;
	size_t size;

	file = elf_image_make(&vmlinux, &size);
	ck_assert_int_eq(loader_kernel(&l, file, size, &got), -LOADER_ERANGE);
	ck_assert_ptr_nonnull(strstr(loader_error(&l),
				     "outside RAM, which is "
				     "0x80000000-0x8000ffff"));
	ck_assert_ptr_nonnull(strstr(loader_error(&l), "objcopy -O binary"));
	ck_assert_uint_eq(l.kernel_end, 0);
}

TEST(the_note_tells_an_offset_of_rv32_on_rv64)
{
	static const struct image_row row = { .text_offset = 4 * MIB };
	struct loader_image got;

	ck_assert_int_eq(load_kernel(&row, &got), 0);
	ck_assert_ptr_nonnull(strstr(l.note, "kernels for RV32"));
}

/* Beside a kernel that takes RAM from 2 to 5 MiB, of 16 MiB. */
static const struct initrd_row {
	const char *what;
	uint64_t image_size;
	struct {
		uint64_t start, size;
	} taken;
	size_t size;
	uint64_t want; /* 0: refused */
	const char *why;
} initrd_rows[] = {
	{ "behind its BSS", 3 * MIB, { 0 }, 0x1001, BASE + 6 * MIB },
	{ "at once", 4 * MIB, { 0 }, 1, BASE + 6 * MIB },
	{ "up to the end", 3 * MIB, { 0 }, 10 * MIB, BASE + 6 * MIB },
	{ "no further",
	  3 * MIB,
	  { 0 },
	  10 * MIB + 1,
	  0,
	  "the initrd (0xa00001 bytes, 0x600000 behind the base of RAM) needs "
	  "more than 16 MiB of memory, the machine has 16 MiB" },
	{ "behind what is there",
	  3 * MIB,
	  { BASE + 7 * MIB, 1 },
	  2 * MIB,
	  BASE + 8 * MIB },
	{ "in a hole that fits",
	  3 * MIB,
	  { BASE + 7 * MIB, 1 },
	  MIB,
	  BASE + 6 * MIB },
	{ "behind the last",
	  14 * MIB,
	  { 0 },
	  1,
	  0,
	  "the initrd (0x1 bytes, 0x1000000 behind the base of RAM) needs more "
	  "than 16 MiB" },
	{ "empty", 3 * MIB, { 0 }, 0, 0, "the initrd is empty" },
};

TEST_ROWS(the_initrd_goes_behind_the_kernel, initrd_rows)
{
	const struct initrd_row *row = &initrd_rows[_i];
	struct image_row image = { .image_size = row->image_size };
	struct loader_image got;
	uint8_t *bytes = calloc(1, row->size + row->taken.size + 1);
	uint64_t at = 0;
	int err;

	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(load_kernel(&image, &got), 0);
	if (row->taken.size)
		ck_assert_int_eq(loader_flat(&l, bytes, row->taken.size,
					     row->taken.start, &got),
				 0);
	if (row->size)
		bytes[row->size - 1] = 0x44;
	err = loader_initrd(&l, bytes, row->size, &at);
	ck_assert_msg(at == row->want, "%s: 0x%llx %s", row->what,
		      (unsigned long long)at, loader_error(&l));
	ck_assert_int_eq(err == 0, row->want != 0);
	if (row->want)
		ck_assert_uint_eq(byte_at(at + row->size - 1), 0x44);
	else
		ck_assert_msg(strstr(loader_error(&l), row->why), "%s",
			      loader_error(&l));
	free(bytes);
}

TEST(an_initrd_without_kernel_goes_high)
{
	static const struct image_row row = { 0 };
	struct loader_image got;
	uint64_t at;

	memory(16 * MIB);
	ck_assert_int_eq(loader_initrd(&l, "rd", 3, &at), 0);
	ck_assert_uint_eq(at, BASE + 14 * MIB);
	make(&row);
	ck_assert_int_eq(loader_kernel(&l, file, FILE_SIZE, &got), 0);
	ck_assert_uint_eq(got.entry, BASE + 2 * MIB);
}

/* Which may use what lies behind the kernel for itself. */
TEST(an_initrd_goes_high_with_firmware)
{
	static const struct image_row row = { 0 };
	struct loader_image got;
	uint64_t at;

	memory(16 * MIB);
	make(&row);
	l.firmware = true;
	ck_assert_int_eq(loader_kernel(&l, file, FILE_SIZE, &got), 0);
	ck_assert_int_eq(loader_initrd(&l, "rd", 3, &at), 0);
	ck_assert_uint_eq(at, BASE + 14 * MIB);
}

TEST(the_device_tree_is_in_nobodys_way)
{
	static const struct image_row row = { .image_size = 8 * MIB };
	struct loader_image got;
	uint64_t initrd, dtb;

	ck_assert_int_eq(load_kernel(&row, &got), 0);
	ck_assert_int_eq(loader_initrd(&l, "initrd", 7, &initrd), 0);
	ck_assert_int_eq(loader_high(&l, "dtb", 4, 4096, &dtb), 0);
	ck_assert_uint_eq(initrd, BASE + 10 * MIB);
	ck_assert_uint_eq(dtb, BASE + 16 * MIB - 4096);
}

TEST(an_entry_of_the_users_own_is_checked)
{
	static const struct image_row row = { 0 };
	struct loader_image got;

	l.entry = BASE + 2 * MIB + 2;
	ck_assert_int_eq(load_kernel(&row, &got), 0);
	ck_assert_uint_eq(got.entry, BASE + 2 * MIB + 2);
	teardown();
	free(file);
	setup();
	l.entry = BASE + 2;
	ck_assert_int_eq(load_kernel(&row, &got), -LOADER_ERANGE);
	ck_assert_uint_eq(l.kernel_end, 0);
}

SUITE("loader-linux", .setup = setup, .teardown = drop);
