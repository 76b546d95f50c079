/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses to watched RAM: each is told, exactly as far as it went, after it
 * has happened and before it is counted.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "rig.h"
#include "rows.h"

enum {
	R_DATA = 5,
	R_VALUE = 6,
	R_RESULT = 7,
	FREE = 1, /* pages: the watched ones are between others */
	SEEN = 2,
	SEEN_TOO = 3,
	FREE_TOO = 4,
	MISSING = 5,
};

#define AT(page, off)  (RIG_AT(page) + (off))
#define RAM(page, off) (RIG_RAM + (page) * (uint64_t)RIG_PAGE + (off))
#define VALUE	       UINT64_C(0x8877665544332211)

static struct rig *watched(unsigned n)
{
	struct rig *r = rig_pick(n);

	r->page[SEEN].watched = r->page[SEEN_TOO].watched = PMU_PERM_W;
	r->page[MISSING].perms = 0;
	rig_set_x(r, R_VALUE, VALUE);
	return r;
}

static const struct store_row {
	const char *why;
	uint32_t insn;
	uint64_t at;
	struct rig_stored told[2]; /* in any order; size 0: none */
	uint32_t word;		   /* what is there afterwards */
	uint8_t xlen;
} store_rows[] = {
	{ "outside", AMOADD_W(R_RESULT, R_DATA, R_VALUE), AT(FREE, 0xffc),
	  .word = 0x44332211 },
	{ "a misaligned word outside, next to it", SW(R_VALUE, R_DATA, 0),
	  AT(FREE, 0xff9), .word = 0x44332211 },
	{ "an atomic one",
	  AMOADD_W(R_RESULT, R_DATA, R_VALUE),
	  AT(SEEN, 0),
	  { { RAM(SEEN, 0), 4, 1 } },
	  0x44332211 },
	{ "an atomic one at the end",
	  AMOADD_W(R_RESULT, R_DATA, R_VALUE),
	  AT(SEEN, 0xffc),
	  { { RAM(SEEN, 0xffc), 4, 1 } },
	  0x44332211 },
	{ "a misaligned word",
	  SW(R_VALUE, R_DATA, 0),
	  AT(SEEN, 0x11),
	  { { RAM(SEEN, 0x11), 4, 1 } },
	  0x44332211 },
	{ "with an offset",
	  SW(R_VALUE, R_DATA, -3),
	  AT(SEEN, 0x14),
	  { { RAM(SEEN, 0x11), 4, 1 } },
	  0x44 },
	{ "a misaligned word that ends with the page",
	  SW(R_VALUE, R_DATA, 0),
	  AT(SEEN_TOO, 0xffb),
	  { { RAM(SEEN_TOO, 0xffb), 4, 1 } },
	  0x44332211 },
	{ "a misaligned half",
	  SH(R_VALUE, R_DATA, 0),
	  AT(SEEN, 0x11),
	  { { RAM(SEEN, 0x11), 2, 1 } },
	  0x2211 },
	{ "a misaligned double",
	  SD(R_VALUE, R_DATA, 0),
	  AT(SEEN, 0x11),
	  { { RAM(SEEN, 0x11), 8, 1 } },
	  0x44332211,
	  64 },
	{ "one byte into it",
	  SW(R_VALUE, R_DATA, 0),
	  AT(FREE, 0xffd),
	  { { RAM(SEEN, 0), 1, 1 } },
	  0x44332211 },
	{ "three bytes into it",
	  SW(R_VALUE, R_DATA, 0),
	  AT(FREE, 0xfff),
	  { { RAM(SEEN, 0), 3, 1 } },
	  0x44332211 },
	{ "one byte out of it",
	  SW(R_VALUE, R_DATA, 0),
	  AT(SEEN_TOO, 0xffd),
	  { { RAM(SEEN_TOO, 0xffd), 3, 1 } },
	  0x44332211 },
	{ "over two",
	  SH(R_VALUE, R_DATA, 0),
	  AT(SEEN, 0xfff),
	  { { RAM(SEEN, 0xfff), 1, 1 }, { RAM(SEEN_TOO, 0), 1, 1 } },
	  0x2211 },
	{ "a double over two",
	  SD(R_VALUE, R_DATA, 0),
	  AT(SEEN, 0xffa),
	  { { RAM(SEEN, 0xffa), 6, 1 }, { RAM(SEEN_TOO, 0), 2, 1 } },
	  0x44332211,
	  64 },
	{ "a conditional one that has no reservation",
	  SC_W(R_RESULT, R_DATA, R_VALUE), AT(SEEN, 8), .word = 0 },
	{ "a reservation", LR_W(R_RESULT, R_DATA), AT(SEEN, 8), .word = 0 },
};

static bool was_told(const struct rig *r, const struct rig_stored *want)
{
	for (unsigned i = 0; i < r->n_stored; i++)
		if (r->stored[i].paddr == want->paddr &&
		    r->stored[i].size == want->size &&
		    r->stored[i].insns == want->insns)
			return true;
	return false;
}

TEST_RIGS(a_store_is_told_as_far_as_it_went, store_rows)
{
	const struct store_row *row = &store_rows[_i / RIG_KINDS];
	const uint32_t code[] = { NOP, row->insn, NOP, EBREAK };
	struct rig *r = watched((unsigned)_i);
	unsigned n = 0;
	uint32_t word;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, row->at);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_msg(r->n_exits == 1 && r->exit[0].insn == EBREAK,
		      "%s, %s: another exit", rig_name(r), row->why);
	for (; n < 2 && row->told[n].size; n++)
		ck_assert_msg(was_told(r, &row->told[n]), "%s, %s: not told",
			      rig_name(r), row->why);
	ck_assert_msg(r->n_stored == n, "%s, %s: told %u times", rig_name(r),
		      row->why, r->n_stored);
	for (unsigned i = 0; i < n; i++)
		ck_assert_msg(!r->stored[i].loads && !r->stored[i].stores,
			      "%s, %s: counted before", rig_name(r), row->why);
	memcpy(&word, r->ram + (row->at - RIG_BASE), sizeof(word));
	ck_assert_msg(word == row->word, "%s, %s: 0x%x", rig_name(r), row->why,
		      word);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 3);
	ck_assert_uint_eq(r->n_mmio, 0);
}

/* It goes to mmio(), which has to write; loads are as anywhere. */
TEST_TIMES(a_plain_store_is_the_hosts, RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_VALUE, R_DATA, 8),
					 LW(R_RESULT, R_DATA, 8), EBREAK };
	struct rig *r = watched((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, AT(SEEN, 0));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_mmio, 1);
	ck_assert_uint_eq(r->n_stored, 0);
	ck_assert(r->mmio[0].write);
	ck_assert_uint_eq(r->mmio[0].paddr, RAM(SEEN, 8));
	ck_assert_uint_eq(r->mmio[0].size, 4);
	ck_assert_uint_eq(r->mmio[0].value, 0x44332211);
	ck_assert_uint_eq(rig_x(r, R_RESULT), 0); /* the host stored nothing */
}

/* Also where they are more than one access can have. */
TEST_TIMES(every_page_is_seen_each_time, RIG_KINDS)
{
	static const uint32_t code[] = {
		LR_W(R_RESULT, R_DATA),
		SC_W(8, R_DATA, R_VALUE),
		AMOADD_W(R_RESULT, 10, R_VALUE),
		AMOADD_W(R_RESULT, 11, R_VALUE),
		AMOADD_W(R_RESULT, 12, R_VALUE),
		SW(R_VALUE, 10, 1),
		AMOADD_W(R_RESULT, 11, R_VALUE),
		EBREAK,
	};
	static const struct rig_stored want[] = {
		{ RAM(SEEN, 0x40), 4, 1, AT(SEEN, 0x40), 1, 0 },
		{ RAM(SEEN, 0x80), 4, 2, AT(SEEN, 0x80), 1, 1 },
		{ RAM(SEEN_TOO, 0), 4, 3, AT(SEEN_TOO, 0), 2, 2 },
		{ RAM(FREE_TOO, 0), 4, 4, AT(FREE_TOO, 0), 3, 3 },
		{ RAM(SEEN, 0x81), 4, 5, AT(SEEN, 0x81), 4, 4 },
		{ RAM(SEEN_TOO, 0), 4, 6, AT(SEEN_TOO, 0), 4, 5 },
	};
	struct rig *r = watched((unsigned)_i);

	r->page[FREE_TOO].watched = PMU_PERM_W;
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, AT(SEEN, 0x40));
	rig_set_x(r, 10, AT(SEEN, 0x80));
	rig_set_x(r, 11, AT(SEEN_TOO, 0));
	rig_set_x(r, 12, AT(FREE_TOO, 0));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 8), 0);
	ck_assert_uint_eq(r->n_stored, ARRAY_SIZE(want));
	ck_assert_mem_eq(r->stored, want, sizeof(want));
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 7);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_STORES], 6);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], 5);
}

/* A store that takes a page fault behind the watched page is none. */
TEST_TIMES(a_store_that_faults_is_not_told, RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_VALUE, R_DATA, 0), EBREAK };
	struct rig *r = watched((unsigned)_i);

	r->page[FREE_TOO].watched = PMU_PERM_W;
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, AT(FREE_TOO, 0xffd));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_int_eq(r->exit[0].kind, ENGINE_EXIT_FAULT);
	ck_assert_uint_eq(r->exit[0].cause, PMU_CAUSE_STORE_PAGE);
	ck_assert_uint_eq(r->exit[0].pc, RIG_BASE);
	ck_assert_uint_eq(r->n_stored, 0);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 0);
}

static const struct load_row {
	const char *why;
	uint32_t insn;
	uint64_t at;
	uint8_t watched;
	unsigned loaded, stored, mmio;
	uint64_t result; /* in R_RESULT: of 0xa1a2a3a4 at each word of SEEN */
	uint8_t xlen;
} load_rows[] = {
	{ "a plain load is the host's", LW(R_RESULT, R_DATA, 0), AT(SEEN, 0),
	  PMU_PERM_R, 0, 0, 1, 0 },
	{ "a misaligned one", LH(R_RESULT, R_DATA, 0), AT(SEEN, 0x11),
	  PMU_PERM_R, 1, 0, 0, 0xffffffffffffa2a3 },
	{ "one out of the page", LH(R_RESULT, R_DATA, 0), AT(SEEN, 0xfff),
	  PMU_PERM_R, 1, 0, 0, 0xa1 },
	{ "one into the page", LH(R_RESULT, R_DATA, 0), AT(FREE, 0xfff),
	  PMU_PERM_R, 1, 0, 0, 0xffffffffffffa400 },
	{ "a reservation", LR_W(R_RESULT, R_DATA), AT(SEEN, 8), PMU_PERM_R, 1,
	  0, 0, 0xffffffffa1a2a3a4 },
	{ "an atomic one, as a load", AMOADD_W(R_RESULT, R_DATA, R_VALUE),
	  AT(SEEN, 8), PMU_PERM_R, 0, 1, 0, 0xffffffffa1a2a3a4 },
	{ "an atomic one, as a load and a store",
	  AMOADD_W(R_RESULT, R_DATA, R_VALUE), AT(SEEN, 8),
	  PMU_PERM_R | PMU_PERM_W, 0, 1, 0, 0xffffffffa1a2a3a4 },
	{ "a load where stores are watched", LW(R_RESULT, R_DATA, 0),
	  AT(SEEN, 0), PMU_PERM_W, 0, 0, 0, 0xffffffffa1a2a3a4 },
	{ "a store where loads are watched", SW(R_VALUE, R_DATA, 0),
	  AT(SEEN, 0), PMU_PERM_R, 0, 0, 0, 0 },
	{ "a store into code is the engine's", SW(R_VALUE, R_DATA, 0),
	  AT(0, 0x800), PMU_PERM_W, 0, 1, 0, 0 },
	{ "a load from code is the host's", LW(R_RESULT, R_DATA, 0),
	  AT(0, 0x800), PMU_PERM_R, 0, 0, 1, 0 },
};

TEST_RIGS(a_load_is_told_once, load_rows)
{
	const struct load_row *row = &load_rows[_i / RIG_KINDS];
	const uint32_t code[] = { NOP, row->insn, NOP, EBREAK };
	static const uint32_t word = 0xa1a2a3a4;
	struct rig *r = watched((unsigned)_i);
	uint64_t mask = r->xlen == 32 ? UINT32_MAX : UINT64_MAX;

	r->page[SEEN].watched = r->page[0].watched = row->watched;
	r->page[SEEN_TOO].watched = 0;
	for (unsigned i = 0; i < RIG_PAGE; i += 4)
		memcpy(r->ram + SEEN * RIG_PAGE + i, &word, sizeof(word));
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, row->at);
	rig_set_x(r, R_RESULT, 0);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_msg(r->n_exits == 1 && r->exit[0].insn == EBREAK,
		      "%s, %s: another exit", rig_name(r), row->why);
	ck_assert_msg(
		r->n_loaded == row->loaded && r->n_stored == row->stored &&
			r->n_mmio == row->mmio,
		"%s, %s: told %u loads, %u stores, %u to the host", rig_name(r),
		row->why, r->n_loaded, r->n_stored, r->n_mmio);
	ck_assert_msg(rig_x(r, R_RESULT) == (row->result & mask),
		      "%s, %s: %#llx", rig_name(r), row->why,
		      (unsigned long long)rig_x(r, R_RESULT));
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 3);
}

/* It is told by the address that the instruction has. */
TEST_TIMES(an_access_has_its_virtual_address, RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_VALUE, R_DATA, 8), EBREAK };
	struct rig *r = watched((unsigned)_i);

	r->page[SEEN].to = SEEN_TOO;
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, AT(SEEN, 0));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_mmio, 1);
	ck_assert_uint_eq(r->mmio[0].vaddr, AT(SEEN, 8));
	ck_assert_uint_eq(r->mmio[0].paddr, RAM(SEEN_TOO, 8));
}

/* Where addresses wrap, over both ends, and told of each page as it is. */
static const struct edge_row {
	const char *why;
	uint32_t insn;
	uint8_t from_end;	       /* R_DATA is so far below 0 */
	struct rig_stored last, first; /* by offsets; size 0: none */
} edge_rows[] = {
	{ "an atomic one below 0",
	  AMOADD_W(R_RESULT, R_DATA, R_VALUE),
	  16,
	  { 0xff0, 4, 1 },
	  { 0 } },
	{ "a misaligned one beyond the end",
	  SW(R_VALUE, R_DATA, 9),
	  4,
	  { 0 },
	  { 5, 4, 1 } },
};

TEST_TIMES(a_watched_address_wraps, ARRAY_SIZE(edge_rows) * RIG_KINDS)
{
	const struct edge_row *row = &edge_rows[_i / RIG_KINDS];
	const uint32_t code[] = { ADDI(R_DATA, 0, -row->from_end), row->insn,
				  EBREAK };
	struct rig *r = watched((unsigned)_i);
	const struct rig_stored *want =
		row->last.size ? &row->last : &row->first;
	unsigned page = row->last.size ? RIG_LAST : RIG_FIRST;
	uint64_t mask = r->xlen == 32 ? UINT32_MAX : UINT64_MAX;

	r->edges = true;
	r->page[RIG_FIRST].watched = r->page[RIG_LAST].watched = PMU_PERM_W;
	rig_code(r, 0, code, ARRAY_SIZE(code));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].insn, EBREAK);
	ck_assert_msg(r->n_stored == 1, "%s: %u", row->why, r->n_stored);
	ck_assert_uint_eq(r->stored[0].paddr, RAM(page, want->paddr));
	ck_assert_uint_eq(r->stored[0].vaddr,
			  row->last.size ? (mask & ~UINT64_C(4095)) + 0xff0
					 : want->paddr);
	ck_assert_uint_eq(r->stored[0].size, want->size);
	ck_assert_uint_eq(r->stored[0].insns, want->insns);
	ck_assert_uint_eq(rig_word(r, page, (unsigned)want->paddr), 0x44332211);
}

SUITE("engine-watch", .test_case = "watch", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
