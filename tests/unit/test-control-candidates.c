/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: how many names are proposed
 * for one that no file has, how long they are, and how far names are looked at
 * (docs/LIMITS.md). In a hostile image many symbols share one name.
 */
#include <stdlib.h>

#include "control-peer.h"
#include "elf-head.h"

enum {
	LEN = 4096,	  /* of a name, at most */
	LOOKED_AT = 8192, /* names so long are 32 MiB */
	GROUPS = 3
};

enum kind {
	WITH,
	WITHOUT,
	NO_COMPILERS
};

/* @n symbols whose name is one string. */
struct group {
	size_t len;
	size_t n;
	enum kind kind;
};

struct beginning {
	struct elf_head head;
	uint8_t code[ELF_CODE_BYTES];
};

/* Its code is at @at, its names are behind its symbols. */
static struct beginning begin_at(uint64_t at, size_t n_symbols,
				 size_t name_bytes)
{
	const struct elf_parts parts = {
		.code = offsetof(struct beginning, code),
		.symbols = sizeof(struct beginning),
		.n_symbols = n_symbols,
		.names = sizeof(struct beginning) +
			 n_symbols * sizeof(Elf64_Sym),
		.name_bytes = name_bytes,
	};

	return (struct beginning){ .head = elf_head_of(at, &parts) };
}

/* "_Zaaa" and so on; the part "bar" is its end. */
static void write_name(char *ret, const struct group *g)
{
	memset(ret, 'a', g->len);
	memcpy(ret, g->kind == NO_COMPILERS ? "_Y" : "_Z", 2);
	if (g->kind != WITHOUT)
		memcpy(ret + g->len - 3, "bar", 3);
}

/* The i-th symbol of all is at address i, counted from 1 on. */
static void load(uint64_t code_at, const struct group groups[GROUPS])
{
	size_t n = 1, name_bytes = 1, size, k = 1, at = 1;
	Elf64_Sym *symbols;
	uint8_t *file;
	char *names;

	for (size_t i = 0; i < GROUPS; i++) {
		n += groups[i].n;
		name_bytes += groups[i].len + 1;
	}
	size = sizeof(struct beginning) + n * sizeof(*symbols) + name_bytes;
	file = calloc(1, size);
	PREPARING(ck_assert_ptr_nonnull(file));
	*(struct beginning *)file = begin_at(code_at, n, name_bytes);
	symbols = (Elf64_Sym *)(file + sizeof(struct beginning));
	names = (char *)(symbols + n);
	for (size_t i = 0; i < GROUPS && groups[i].n; i++) {
		write_name(names + at, &groups[i]);
		for (size_t m = 0; m < groups[i].n; m++, k++)
			symbols[k] = (Elf64_Sym){ .st_name = (Elf64_Word)at,
						  .st_info = ELF64_ST_INFO(
							  STB_GLOBAL, STT_FUNC),
						  .st_shndx = SHN_ABS,
						  .st_value = k };
		at += groups[i].len + 1;
	}
	ck_assert_msg(peer_load(&p, file, size, 0) == OK, "%s", p.last.text);
	free(file);
}

static unsigned propose(void)
{
	Pmu__V1__FindSymbolRequest q = PMU__V1__FIND_SYMBOL_REQUEST__INIT;

	q.name = "none";
	q.part = "bar";
	return peer_call(&p, CALL(FindSymbol), &q.base)->code;
}

static const struct candidates_row {
	const char *why;
	struct group groups[GROUPS];
	size_t n;    /* that are proposed; 0: there is no such symbol */
	size_t last; /* the address of the last of them */
} candidates_rows[] = {
	{ "as long as it may be", { { LEN, 1, WITH } }, 1, 1 },
	{ "a byte longer is left out",
	  { { LEN + 1, 1, WITH }, { 9, 1, WITH } },
	  1,
	  2 },
	{ "a long string of many symbols",
	  { { 1 << 20, 64, WITH }, { 9, 1, WITH } },
	  1,
	  65 },
	{ "1 MiB, to the last byte", { { LEN, 257, WITH } }, 256, 256 },
	{ "up to where the longest might not fit",
	  { { LEN - 1, 1, WITH }, { LEN, 255, WITH }, { 9, 1, WITH } },
	  256,
	  256 },
	{ "there is room for the longest",
	  { { LEN, 255, WITH }, { LEN - 1, 2, WITH } },
	  256,
	  256 },
	{ "above 4 MiB in all", { { 1100, 4096, WITH } }, 950, 950 },
	{ "below 32 MiB are looked at",
	  { { LEN, LOOKED_AT - 1, WITHOUT }, { 9, 2, WITH } },
	  2,
	  LOOKED_AT + 1 },
	{ "up to 32 MiB",
	  { { LEN, LOOKED_AT, WITHOUT }, { 9, 1, WITH } },
	  0,
	  0 },
	{ "a long one is looked at no further",
	  { { 1 << 20, LOOKED_AT - 2, WITH }, { 9, 1, WITH } },
	  1,
	  LOOKED_AT - 1 },
	{ "but so far",
	  { { 1 << 20, LOOKED_AT - 1, WITH }, { 9, 1, WITH } },
	  0,
	  0 },
	{ "no compiler's costs nothing",
	  { { LEN, LOOKED_AT, NO_COMPILERS }, { 9, 1, WITH } },
	  1,
	  LOOKED_AT + 1 },
};

TEST_ROWS(names_are_proposed_up_to_a_limit, candidates_rows)
{
	const struct candidates_row *row = &candidates_rows[_i];
	const Pmu__V1__FindSymbolResponse *r;
	unsigned code;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	load(BASE, row->groups);
	code = propose();
	ck_assert_msg(code == (row->n ? OK : NOT_FOUND), "%s: %u, %s", row->why,
		      code, p.last.text);
	if (!row->n)
		return;
	r = p.last.answer;
	ck_assert_msg(r->n_candidates == row->n, "%s: %zu", row->why,
		      r->n_candidates);
	ck_assert_msg(r->candidates[row->n - 1]->address == row->last,
		      "%s: %ju", row->why,
		      (uintmax_t)r->candidates[row->n - 1]->address);
}

/* It is that of an answer, however many files it is of. */
TEST(the_limit_is_of_all_files)
{
	static const struct group some[GROUPS] = { { LEN, 200, WITH } };
	const Pmu__V1__FindSymbolResponse *r;

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	load(BASE, some);
	load(BASE + 8, some);
	ck_assert_uint_eq(propose(), OK);
	r = p.last.answer;
	ck_assert_uint_eq(r->n_candidates, 256);
	ck_assert_uint_eq(r->candidates[199]->address, 200);
	ck_assert_uint_eq(r->candidates[255]->address, 56);
}

SUITE("control-candidates", .timeout = 60, .teardown = teardown);
