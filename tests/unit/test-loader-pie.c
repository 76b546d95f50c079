/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader's position-independent files: where one goes, which of its words
 * are moved with it, and what is said of those that want more.
 */
#include <elf.h>

#include "loader-host.h"
#include "pie-image.h"

#define LINK 0x10000ull

static int load_pie(const struct pie_image *img, struct loader_image *ret)
{
	size_t size;
	uint8_t *bytes = pie_image_make(img, &size);
	int err;

	l.xlen = img->xlen ? (uint8_t)img->xlen : 64;
	err = loader_elf(&l, bytes, size, ret);
	free(bytes);
	return err;
}

static const struct place_row {
	const char *why;
	uint64_t link, align, pie, want;
} place_rows[] = {
	{ "linked at 0", 0, 0x1000, BASE, BASE },
	{ "linked elsewhere", LINK, 0x1000, BASE + 0x2000, BASE + 0x2000 },
	{ "linked where it goes", BASE, 0x1000, BASE, BASE },
	{ "linked behind its place", BASE + 0x9000, 0x1000, BASE, BASE },
	{ "linked at the end", 0xfffffffffffff000, 0x1000, BASE, BASE },
	{ "within a page", 0x10, 0x1000, BASE, BASE + 0x10 },
	{ "within a page, before its place", 0xff0, 0x1000, BASE + 0x800,
	  BASE + 0xff0 },
	{ "a multiple of more than pages", 0, 0x8000, BASE + 0x1000,
	  BASE + 0x8000 },
	{ "of nothing", 0x10, 0, BASE + 4, BASE + 4 },
	{ "of one", 0x10, 1, BASE + 6, BASE + 6 },
};

TEST_ROWS(it_is_moved_by_a_multiple_of_its_alignment, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	const struct pie_image img = { .link = row->link, .align = row->align };
	struct loader_image got;

	l.pie = row->pie;
	ck_assert_msg(load_pie(&img, &got) == 0, "%s: %s", row->why,
		      loader_error(&l));
	ck_assert_msg(got.entry == row->want, "%s: 0x%llx", row->why,
		      (unsigned long long)got.entry);
	ck_assert_uint_eq(l.bias, row->want - row->link);
	ck_assert_uint_eq(l.ranges[0].start, row->want);
	ck_assert_uint_eq(byte_at(row->want), 1);
}

/* Of physical addresses it has none: code knows the distances of the others. */
TEST(its_parts_keep_the_distances_of_virtual_addresses)
{
	const struct elf_image img = {
		.xlen = 64,
		.entry = 4,
		.n_segments = 2,
		.segments = { { 0, 0x100, 8, 8 },
			      { 0x1000, 0x9000, 8, 8, true } },
	};
	const uint16_t type = ET_DYN;
	struct loader_image got;
	size_t size;
	uint8_t *bytes = elf_image_make(&img, &size);

	memcpy(bytes + offsetof(Elf64_Ehdr, e_type), &type, sizeof(type));
	l.pie = BASE;
	ck_assert_int_eq(loader_elf(&l, bytes, size, &got), 0);
	ck_assert_uint_eq(got.entry, BASE + 4);
	ck_assert_uint_eq(l.ranges[0].start, BASE);
	ck_assert_uint_eq(l.ranges[1].start, BASE + 0x1000);
	free(bytes);
}

static const struct htif_row {
	bool absolute;
	uint64_t link, tohost, fromhost;
} htif_rows[] = {
	{ false, 0, BASE + 0x1000 + PIE_TOHOST, BASE + 0x1000 + PIE_FROMHOST },
	{ false, LINK, BASE + 0x1000 + PIE_TOHOST,
	  BASE + 0x1000 + PIE_FROMHOST },
	/* where it was linked is RAM, and it has gone elsewhere */
	{ true, BASE, BASE + PIE_TOHOST, BASE + PIE_FROMHOST },
	{ true, 0, 0, 0 },
};

TEST_ROWS(its_words_of_htif_are_moved_unless_they_are_numbers, htif_rows)
{
	const struct htif_row *row = &htif_rows[_i];
	const struct pie_image img = { .link = row->link,
				       .absolute = row->absolute };
	struct loader_image got;

	l.pie = BASE + 0x1000;
	ck_assert_int_eq(load_pie(&img, &got), 0);
	ck_assert_uint_eq(got.tohost, row->tohost);
	ck_assert_uint_eq(got.fromhost, row->fromhost);
}

/* Words */

#define MOVED (BASE - LINK) /* with the link address of all rows */

static const struct word_row {
	const char *why;
	struct pie_image img; /* linked at LINK, gone to BASE */
	struct {
		uint64_t at, value;
	} want[3]; /* value 0: none */
	bool itself;
} word_rows[] = {
	{ "no relocations", { .dynamic = { { DT_RELACOUNT, 3 } } }, { { 0 } } },
	{ "one, of the first word",
	  { .dynamic = { PIE_HAS_RELA(1) },
	    .rela = { { 0, R_RISCV_RELATIVE, LINK + 4 } } },
	  { { 0, BASE + 4 } } },
	{ "backwards, in no order, across no boundary",
	  { .dynamic = { PIE_HAS_RELA(3) },
	    .rela = { { 0x10, R_RISCV_RELATIVE, LINK },
		      { 2, R_RISCV_RELATIVE, LINK - 8 },
		      { 0x20, R_RISCV_RELATIVE, -1 } } },
	  { { 0x10, BASE }, { 2, BASE - 8 }, { 0x20, MOVED - 1 } } },
	{ "those that say nothing",
	  { .dynamic = { PIE_HAS_RELA(2) },
	    .rela = { { UINT64_MAX - LINK, R_RISCV_NONE, LINK },
		      { 8, R_RISCV_RELATIVE, LINK } } },
	  { { 8, BASE } } },
	{ "where the file has no bytes, and the last word",
	  { .dynamic = { PIE_HAS_RELA(2) },
	    .rela = { { PIE_BYTES, R_RISCV_RELATIVE, LINK },
		      { PIE_MEMORY - 8, R_RISCV_RELATIVE, LINK } } },
	  { { PIE_BYTES, BASE }, { PIE_MEMORY - 8, BASE } } },
	{ "of a table of functions",
	  { .dynamic = { { DT_JMPREL, PIE_RELA }, { DT_PLTRELSZ, 24 } },
	    .rela = { { 8, R_RISCV_RELATIVE, LINK } } },
	  { { 8, BASE } } },
	{ "32 bits",
	  { .xlen = 32,
	    .dynamic = { PIE_HAS_RELA_32(2) },
	    .rela = { { 4, R_RISCV_RELATIVE, LINK + 8 },
		      { PIE_MEMORY - 4, R_RISCV_RELATIVE, LINK } } },
	  { { 4, BASE + 8 }, { PIE_MEMORY - 4, BASE } } },
	{ "firmware moves itself",
	  { .dynamic = { PIE_HAS_RELA(2) },
	    .rela = { { 0, R_RISCV_RELATIVE, LINK }, { 8, R_RISCV_64, 0 } },
	    .interpreter = "x" },
	  { { 0 } },
	  true },
	{ "packed: an address",
	  { .dynamic = { PIE_HAS_RELR(1) }, .relr = { 8 } },
	  { { 8, 0x100f0e0d0c0b0a09 + MOVED } } },
	{ "packed: an address and bits behind it",
	  { .dynamic = { PIE_HAS_RELR(2) }, .relr = { 0, 2 | 8 | 1 } },
	  { { 0, 0x0807060504030201 + MOVED },
	    { 8, 0x100f0e0d0c0b0a09 + MOVED },
	    { 0x18, 0x201f1e1d1c1b1a19 + MOVED } } },
	{ "packed: two addresses",
	  { .dynamic = { PIE_HAS_RELR(2) }, .relr = { 0x10, 2 } },
	  { { 0x10, 0x1817161514131211 + MOVED },
	    { 2, 0x0a09080706050403 + MOVED } } },
	{ "packed, no bits",
	  { .dynamic = { PIE_HAS_RELR(2) }, .relr = { 0x10, 1 } },
	  { { 0x10, 0x1817161514131211 + MOVED } } },
	{ "packed, 32 bits",
	  { .xlen = 32,
	    .dynamic = { PIE_HAS_RELR_32(2) },
	    .relr = { 4, 4 | 1 } },
	  { { 4, (uint32_t)(0x08070605 + MOVED) },
	    { 12, (uint32_t)(0x100f0e0d + MOVED) } } },
	{ "both",
	  { .dynamic = { PIE_HAS_RELR(1), PIE_HAS_RELA(1) },
	    .relr = { 8 },
	    .rela = { { 0, R_RISCV_RELATIVE, LINK } } },
	  { { 8, 0x100f0e0d0c0b0a09 + MOVED }, { 0, BASE } } },
};

/* Of the bytes before PIE_RELR and behind the file's: these count from 1. */
static void wanted(const struct word_row *row, uint8_t ret[PIE_MEMORY])
{
	for (unsigned i = 0; i < PIE_MEMORY; i++)
		ret[i] = (uint8_t)(i < PIE_BYTES ? i + 1 : 0);
	for (unsigned i = 0; i < ARRAY_SIZE(row->want); i++)
		if (row->want[i].value)
			memcpy(ret + row->want[i].at, &row->want[i].value,
			       row->img.xlen == 32 ? 4 : 8);
}

TEST_ROWS(words_are_moved_as_it_says_and_no_others, word_rows)
{
	const struct word_row *row = &word_rows[_i];
	struct pie_image img = row->img;
	uint8_t want[PIE_MEMORY];
	struct loader_image got;

	img.link = LINK;
	wanted(row, want);
	l.pie = BASE;
	l.moves_itself = row->itself;
	ck_assert_msg(load_pie(&img, &got) == 0, "%s: %s", row->why,
		      loader_error(&l));
	for (unsigned i = 0; i < PIE_MEMORY; i++)
		if (i < PIE_RELR || i >= PIE_BYTES)
			ck_assert_msg(byte_at(BASE + i) == want[i],
				      "%s: at 0x%x: 0x%x, not 0x%x", row->why,
				      i, byte_at(BASE + i), want[i]);
}

TEST(what_may_not_be_moved_twice_is_noted)
{
	const struct pie_image img = { .link = LINK,
				       .dynamic = { PIE_HAS_RELR(2) },
				       .relr = { 0, 2 | 8 | 1 } };
	const struct pie_image other = { .link = LINK,
					 .dynamic = { PIE_HAS_RELA(1) } };
	struct loader_image got;

	l.pie = BASE;
	ck_assert_int_eq(load_pie(&img, &got), 0);
	ck_assert_str_eq(l.note, "3 words were moved by 0x7fff0000, as DT_RELR "
				 "says: it must not do so itself");
	l.pie = BASE + 0x1000;
	ck_assert_int_eq(load_pie(&other, &got), 0);
	ck_assert_str_eq(l.note, "");
}

/* Refusals */

#define RELA(offset, type)                                                     \
	{                                                                      \
		.dynamic = { PIE_HAS_RELA(1) }, .rela = {                      \
			{ offset, type, 0 }                                    \
		}                                                              \
	}
#define TABLE(tag, at, size_tag, size, entry_tag, entry)                       \
	{                                                                      \
		.dynamic = { { tag, at },                                      \
			     { size_tag, size },                               \
			     { entry_tag, entry } },                           \
		.rela = {                                                      \
			{ 0, R_RISCV_RELATIVE, 0 }                             \
		}                                                              \
	}

static const struct bad_row {
	const char *text;
	struct pie_image img; /* linked at LINK */
} bad_rows[] = {
	{ "the ELF file needs a dynamic loader (/lib/ld-linux.so.1), which a "
	  "bare machine has not; link it with -static-pie "
	  "-Wl,--no-dynamic-linker",
	  { .interpreter = "/lib/ld-linux.so.1" } },
	{ "needs a dynamic loader (a?b)", { .interpreter = "a\nb" } },
	{ "needs a dynamic loader "
	  "(012345678901234567890123456789012345678901234567890123456789012)",
	  { .interpreter = "01234567890123456789012345678901234567890123456789"
			   "0123456789012345678901234567890" } },
	{ "needs a shared library (DT_NEEDED)",
	  { .dynamic = { PIE_HAS_RELA(1), { DT_NEEDED, 1 } } } },
	{ "relocations without addends (DT_REL)",
	  { .dynamic = { { DT_REL, PIE_RELA }, { DT_RELSZ, 16 } } } },
	{ "relocation at 0x10008 is of type 1 (R_RISCV_32): without a dynamic "
	  "loader there is R_RISCV_RELATIVE only",
	  RELA(8, R_RISCV_32) },
	{ "of type 2 (R_RISCV_64)", RELA(8, R_RISCV_64) },
	{ "of type 4 (R_RISCV_COPY)", RELA(8, R_RISCV_COPY) },
	{ "of type 5 (R_RISCV_JUMP_SLOT)",
	  { .dynamic = { { DT_JMPREL, PIE_RELA }, { DT_PLTRELSZ, 24 } },
	    .rela = { { 8, R_RISCV_JUMP_SLOT, 0 } } } },
	{ "of type 11 (R_RISCV_TLS_TPREL64)", RELA(8, R_RISCV_TLS_TPREL64) },
	{ "of type 12 (R_RISCV_TLSDESC)", RELA(8, 12) },
	{ "of type 58 (R_RISCV_IRELATIVE)", RELA(8, R_RISCV_IRELATIVE) },
	{ "of type 13 (unknown here)", RELA(8, 13) },
	{ "of type 59 (unknown here)", RELA(8, 59) },
	{ "of type 4294967295 (unknown here)", RELA(8, UINT32_MAX) },
	{ "the ELF file's relocation at 0x101f9 is in none of its segments",
	  RELA(PIE_MEMORY - 7, R_RISCV_RELATIVE) },
	{ "relocation at 0x10200 is in none",
	  RELA(PIE_MEMORY, R_RISCV_RELATIVE) },
	{ "relocation at 0xffff is in none",
	  RELA(UINT64_MAX, R_RISCV_RELATIVE) },
	{ "relocation at 0xffffffffffffffff is in none",
	  RELA(UINT64_MAX - LINK, R_RISCV_RELATIVE) },
	{ "relocation at 0x10200 is in none",
	  { .dynamic = { PIE_HAS_RELR(1) }, .relr = { PIE_MEMORY } } },
	{ "relocation at 0x101fc is in none",
	  { .dynamic = { PIE_HAS_RELR(1) }, .relr = { PIE_MEMORY - 4 } } },
	{ "relocation at 0x10200 is in none",
	  { .dynamic = { PIE_HAS_RELR(2) }, .relr = { PIE_MEMORY - 8, 3 } } },
	{ "relocation at 0x0 is in none",
	  { .dynamic = { PIE_HAS_RELR(1) }, .relr = { 3 } } },
	{ "an entry of DT_RELA has 12 bytes, in an ELF file for RV64 24",
	  TABLE(DT_RELA, PIE_RELA, DT_RELASZ, 24, DT_RELAENT, 12) },
	{ "an entry of DT_RELA has 0 bytes",
	  TABLE(DT_RELA, PIE_RELA, DT_RELASZ, 24, DT_NULL, 0) },
	{ "an entry of DT_RELR has 4 bytes, in an ELF file for RV64 8",
	  TABLE(DT_RELR, PIE_RELR, DT_RELRSZ, 8, DT_RELRENT, 4) },
	{ "an entry of DT_RELA has 24 bytes, in an ELF file for RV32 12",
	  { .xlen = 32, .dynamic = { PIE_HAS_RELA(1) } } },
	{ "DT_RELA has 0x19 bytes, which are no entries of 24",
	  TABLE(DT_RELA, PIE_RELA, DT_RELASZ, 25, DT_RELAENT, 24) },
	{ "DT_RELA has 0xc00000000 bytes, which are no entries of 24",
	  TABLE(DT_RELA, PIE_RELA, DT_RELASZ, 0xc00000000, DT_RELAENT, 24) },
	{ "DT_RELR has 0x9 bytes, which are no entries of 8",
	  TABLE(DT_RELR, PIE_RELR, DT_RELRSZ, 9, DT_RELRENT, 8) },
	{ "DT_JMPREL has 0x19 bytes, which are no entries of 24",
	  TABLE(DT_JMPREL, PIE_RELA, DT_PLTRELSZ, 25, DT_NULL, 0) },
	{ "DT_RELA (0x18 bytes at 0x100f0) is in none of the segments",
	  TABLE(DT_RELA, PIE_BYTES - 16, DT_RELASZ, 24, DT_RELAENT, 24) },
	{ "DT_RELA (0x18 bytes at 0xffff) is in none of the segments",
	  TABLE(DT_RELA, UINT64_MAX, DT_RELASZ, 24, DT_RELAENT, 24) },
	{ "DT_RELR (0x8 bytes at 0x10100) is in none of the segments",
	  TABLE(DT_RELR, PIE_BYTES, DT_RELRSZ, 8, DT_RELRENT, 8) },
	{ "the dynamic section (0x70 bytes at offset 0x10000000) is cut off",
	  { .dynamic_at = 0x10000000 } },
	{ "the dynamic section (0x70 bytes at offset 0xfffffffffffffff0) is "
	  "cut off",
	  { .dynamic_at = UINT64_MAX - 15 } },
	{ "segment 0's alignment 0x3 is no power of two", { .align = 3 } },
	{ "is outside RAM", { .align = UINT64_C(1) << 63 } },
};

TEST_ROWS(what_wants_more_is_refused_and_leaves_no_trace, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	struct loader_image got = { .entry = 7 };
	struct pie_image img = row->img;

	img.link = LINK;
	l.pie = BASE;
	ck_assert_msg(load_pie(&img, &got) < 0, "%s", row->text);
	ck_assert_msg(strstr(loader_error(&l), row->text), "%s: %s", row->text,
		      loader_error(&l));
	ck_assert_uint_eq(got.entry, 7);
	ck_assert_uint_eq(l.n_ranges + l.n_images, 0);
	for (unsigned i = 0; i < PIE_MEMORY; i++)
		ck_assert_uint_eq(byte_at(BASE + i), 0);
}

SUITE("loader-pie", .setup = setup, .teardown = teardown);
