/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader's ELF files: where segments, entries and HTIF words go, and every
 * refusal with the text that names it. A refused image leaves RAM and list
 * untouched.
 */
#include <elf.h>

#include "loader-host.h"

TEST(bytes_go_to_physical_addresses_and_bss_is_zero)
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
	{ "an entry that is the first physical byte",
	  { 64,
	    BASE + 0x1000,
	    1,
	    { { 0xc0000000, BASE + 0x1000, 8, 8 } },
	    0,
	    { { 0 } } },
	  BASE + 0x1000,
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
	{ "HTIF words of no segment",
	  { 64,
	    BASE,
	    1,
	    { { BASE, BASE, 8, 8 } },
	    2,
	    { { "tohost", BASE + 0xfff8 }, { "fromhost", BASE + 0x1000 } } },
	  BASE,
	  BASE + 0xfff8,
	  BASE + 0x1000 },
	{ "no fromhost without tohost",
	  { 64,
	    BASE,
	    1,
	    { { BASE, BASE, 8, 0x2000 } },
	    1,
	    { { "fromhost", BASE + 0x1000 } } },
	  BASE,
	  0,
	  0 },
	{ "data where nothing is marked as code",
	  { 64, BASE, 1, { { BASE, BASE, 8, 8, true } }, 0, { { 0 } } },
	  BASE,
	  0,
	  0 },
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

TEST_ROWS(good_files_load, good_rows)
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
	{ "entry 0x80001000 is in segment 1 of image 1 (0x8 bytes at "
	  "0x80001000), which is not executable",
	  -LOADER_EFORMAT,
	  { 64,
	    BASE + 0x1000,
	    2,
	    { { BASE, BASE, 8, 8 },
	      { BASE + 0x1000, BASE + 0x1000, 8, 8, true } },
	    0,
	    { { 0 } } } },
};

TEST_ROWS(a_refusal_says_what_and_leaves_no_trace, bad_rows)
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

static const struct note_row {
	const char *note;
	uint64_t tohost, fromhost, want_tohost, want_fromhost;
} note_rows[] = {
	{ "", BASE + 0x10, BASE + 0x18, BASE + 0x10, BASE + 0x18 },
	{ "symbol tohost (0x80000014) is no aligned 8-byte word of RAM, so "
	  "there is no HTIF",
	  BASE + 0x14, BASE + 0x18, 0, 0 },
	{ "symbol tohost (0x80010000) is no aligned 8-byte word of RAM, so "
	  "there is no HTIF",
	  BASE + SIZE, BASE + 0x18, 0, 0 },
	{ "symbol fromhost (0x1000) is no aligned 8-byte word of RAM, so HTIF "
	  "answers nothing",
	  BASE + 0x10, 0x1000, BASE + 0x10, 0 },
};

TEST_ROWS(words_that_cannot_be_are_left_out_with_a_note, note_rows)
{
	const struct note_row *row = &note_rows[_i];
	const struct elf_image img = {
		.xlen = 64,
		.entry = BASE,
		.n_segments = 1,
		.segments = { { BASE, BASE, 8, 0x20 } },
		.n_symbols = 2,
		.symbols = { { "tohost", row->tohost },
			     { "fromhost", row->fromhost } },
	};
	struct loader_image got;
	uint8_t byte = 0;

	shows(RULE("C207"));
	ck_assert_int_eq(load(&img, &got), 0);
	ck_assert_str_eq(l.note, row->note);
	ck_assert_uint_eq(got.tohost, row->want_tohost);
	ck_assert_uint_eq(got.fromhost, row->want_fromhost);
	ck_assert_int_eq(loader_flat(&l, &byte, 1, BASE + 0x20, &got), 0);
	ck_assert_str_eq(l.note, "");
}

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
	{ "bad ELF program headers: invalid data",
	  offsetof(Elf64_Ehdr, e_phoff), 8, 1ull << 40 },
	{ "program headers are cut off", offsetof(Elf64_Ehdr, e_phnum), 2,
	  1000 },
	{ "cut off", sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_offset), 8,
	  UINT64_MAX },
	{ "bad ELF header", EI_CLASS, 1, 3 },
	{ "program headers have 3 bytes", offsetof(Elf64_Ehdr, e_phentsize), 2,
	  3 },
};

TEST_ROWS(a_bad_header_is_named, header_rows)
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

/* Linked at 0, as OpenSBI's; or anywhere. Segments keep their distances. */
static const struct pie_row {
	const char *why;
	uint64_t link, pie, entry; /* 0: refused */
} pie_rows[] = {
	{ "linked at 0", 0, BASE, BASE + 4 },
	{ "linked at 64 KiB", 0x10000, BASE + 0x1000, BASE + 0x1004 },
	{ "linked behind its place", BASE + 0x2000, BASE, BASE + 4 },
	{ "no place for such files", 0, 0, 0 },
};

TEST_ROWS(a_position_independent_file_has_a_place_or_none, pie_rows)
{
	const struct pie_row *row = &pie_rows[_i];
	const struct elf_image img = {
		.xlen = 64,
		.entry = row->link + 4,
		.n_segments = 2,
		.segments = { { row->link, row->link, 8, 8 },
			      { row->link + 0x40, row->link + 0x40, 8, 0x10,
				true } },
	};
	const uint16_t type = ET_DYN;
	struct loader_image got;
	uint8_t there[2] = { 0 };
	size_t size;
	uint8_t *bytes = elf_image_make(&img, &size);
	int err;

	memcpy(bytes + offsetof(Elf64_Ehdr, e_type), &type, sizeof(type));
	l.pie = row->pie;
	err = loader_elf(&l, bytes, size, &got);
	free(bytes);
	ck_assert_msg(err == (row->entry ? 0 : -LOADER_EFORMAT), "%s: %s",
		      row->why, loader_error(&l));
	if (!row->entry)
		return;
	ck_assert_uint_eq(got.entry, row->entry);
	ck_assert(bus_read(l.bus, row->pie, &there[0], 1));
	ck_assert(bus_read(l.bus, row->pie + 0x40, &there[1], 1));
	ck_assert_uint_eq(there[0], 1);
	ck_assert_uint_eq(there[1], 1);
}

/* Wherever the file ends inside the segment. */
TEST_RANGE(a_segment_behind_the_end_of_its_file_is_cut_off, 1, 9)
{
	struct loader_image got;
	size_t size;
	uint8_t *bytes = elf_image_make(&plain, &size);
	Elf64_Phdr ph;

	memcpy(&ph, bytes + sizeof(Elf64_Ehdr), sizeof(ph));
	ck_assert_uint_gt(size, 2 * ph.p_filesz);
	ph.p_offset = size - ph.p_filesz + (unsigned)_i;
	memcpy(bytes + sizeof(Elf64_Ehdr), &ph, sizeof(ph));
	ck_assert_int_eq(loader_elf(&l, bytes, size, &got), -LOADER_EFORMAT);
	ck_assert_msg(strstr(loader_error(&l), "is cut off: the file has"),
		      "%s", loader_error(&l));
	ph.p_offset = size - ph.p_filesz;
	memcpy(bytes + sizeof(Elf64_Ehdr), &ph, sizeof(ph));
	ck_assert_int_eq(loader_elf(&l, bytes, size, &got), 0);
	free(bytes);
}

/* A linker puts them into the page before the first section. */
TEST(headers_before_ram_are_named)
{
	struct loader_image got;
	size_t size;
	uint8_t *bytes = elf_image_make(&plain, &size);
	Elf64_Ehdr h;
	Elf64_Phdr ph;

	memcpy(&h, bytes, sizeof(h));
	memcpy(&ph, bytes + h.e_phoff, sizeof(ph));
	ph.p_paddr = BASE - 0x1000;
	for (int headers = 0; headers < 2; headers++) {
		if (headers)
			ph.p_offset = 0;
		memcpy(bytes + h.e_phoff, &ph, sizeof(ph));
		ck_assert_int_eq(loader_elf(&l, bytes, size, &got),
				 -LOADER_ERANGE);
		ck_assert_msg(!strstr(loader_error(&l), "option -n") ==
				      !headers,
			      "%s", loader_error(&l));
	}
	free(bytes);
}

/* Instead of the file's own, whatever that is. */
static const struct start_row {
	uint64_t start;
	int want;
} start_rows[] = {
	{ BASE + 0x3e, 0 },
	{ BASE + 0x3f, -LOADER_EFORMAT },
	{ BASE + 0x40, -LOADER_ERANGE },
};

TEST_ROWS(an_entry_may_be_given, start_rows)
{
	const struct start_row *row = &start_rows[_i];
	struct loader_image got = { .entry = 7 };
	struct elf_image img = plain;

	img.entry = 3;
	l.entry = row->start;
	ck_assert_msg(load(&img, &got) == row->want, "%s", loader_error(&l));
	ck_assert_uint_eq(got.entry, row->want ? 7 : row->start);
}

TEST(big_endian_is_refused)
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

SUITE("loader", .setup = setup, .teardown = teardown);
