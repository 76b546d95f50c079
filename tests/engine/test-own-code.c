/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks that write over themselves and end early, without fence.i: what ran is
 * what was translated, and so is what did not run; memory has other words by
 * then. And code that is changed when what was decoded of it is forgotten.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "rig.h"

enum {
	CODE = 4, /* pages */
	DATA = 8,
	DEVICE = 20,
	NOWHERE = 21,
	COLLIDER = CODE + 32, /* in portable tables, in the place of CODE */
	ALIAS = 50,	      /* CODE's page of RAM */
	R_CODE = 5,	      /* where the block begins */
	R_WORD = 6,
	R_NOWHERE = 7,
	R_DATA = 8,
	R_DEVICE = 9,
	R_RESULT = 10,
	R_TWO = 11, /* a second word */
	R_TWICE = 12,
	MOST = 64,
};

#define C_NOPS PAIR(C_NOP, C_NOP)
/* of no address that is there */
#define FAULT  LW(0, R_NOWHERE, 4)

static const struct own_row {
	const char *why;
	uint32_t code[MOST];
	uint32_t word, two;
	unsigned at; /* in its page */
	uint8_t xlen;
	/* how often the first instruction is there, at 4 bytes more each */
	uint8_t repeat;
	/* what is right: of the block, before it ends at its last access */
	uint8_t insns, loads, stores;
	uint8_t ends; /* instruction that the exit is at */
	struct engine_exit exit;
	/* of the access to the device that ends it, if one does */
	bool device, written;
} own_rows[] = {
	{ .why = "half an instruction, at the end of a page",
	  .code = { SH(R_WORD, R_CODE, 10), FAULT, C_NOPS, EBREAK },
	  .word = 0x13,
	  .at = RIG_PAGE - 12,
	  .insns = 1,
	  .stores = 1,
	  .ends = 1,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "two for each that there was",
	  .code = { SD(R_TWICE, R_CODE, 17 * 4),
		    [16] = FAULT,
		    [17] = NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    NOP,
		    EBREAK },
	  .word = C_NOPS,
	  .xlen = 64,
	  .repeat = 16,
	  .insns = 16,
	  .stores = 16,
	  .ends = 16,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "one for two that there were",
	  .code = { SW(R_WORD, R_CODE, 8), FAULT, C_NOPS, C_NOPS, EBREAK },
	  .word = NOP,
	  .insns = 1,
	  .stores = 1,
	  .ends = 1,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "loads where there were none",
	  .code = { SW(R_WORD, R_CODE, 12), SW(R_WORD, R_CODE, 16), FAULT, NOP,
		    NOP, NOP, EBREAK },
	  .word = LW(0, R_DATA, 0),
	  .insns = 2,
	  .stores = 2,
	  .ends = 2,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "none where there were stores",
	  .code = { SW(R_WORD, R_CODE, 12), SW(R_WORD, R_CODE, 16), FAULT,
		    SW(0, R_DATA, 0), SW(0, R_DATA, 0), NOP, EBREAK },
	  .word = NOP,
	  .insns = 2,
	  .stores = 2,
	  .ends = 2,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "the end of the block, in its middle",
	  .code = { SW(R_WORD, R_CODE, 8), FAULT, NOP, NOP, NOP, EBREAK },
	  .word = JALR(0, 1, 0),
	  .insns = 1,
	  .stores = 1,
	  .ends = 1,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "all behind it is reserved",
	  .code = { SW(R_WORD, R_CODE, 8), FAULT, NOP, NOP, NOP, EBREAK },
	  .insns = 1,
	  .stores = 1,
	  .ends = 1,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "what has run already",
	  .code = { NOP, SW(R_WORD, R_CODE, 0), NOP, FAULT, NOP, EBREAK },
	  .word = C_NOPS,
	  .insns = 3,
	  .stores = 1,
	  .ends = 3,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "the address that faults",
	  .code = { SW(R_WORD, R_CODE, 4), FAULT, NOP, EBREAK },
	  .word = LW(0, R_NOWHERE, 64),
	  .insns = 1,
	  .stores = 1,
	  .ends = 1,
	  .exit = { .cause = PMU_CAUSE_LOAD_PAGE, .insn = FAULT, .tval = 4 } },
	{ .why = "what faults, by what does not",
	  .code = { SW(R_WORD, R_CODE, 4), SW(0, R_NOWHERE, 8), NOP, EBREAK },
	  .word = NOP,
	  .insns = 1,
	  .stores = 1,
	  .ends = 1,
	  .exit = { .cause = PMU_CAUSE_STORE_PAGE,
		    .insn = SW(0, R_NOWHERE, 8),
		    .tval = 8 } },
	{ .why = "what is misaligned",
	  .code = { SW(R_WORD, R_CODE, 8), ADDI(R_TWO, R_NOWHERE, 2),
		    AMOADD_W(0, R_TWO, 0), EBREAK },
	  .word = NOP,
	  .insns = 2,
	  .stores = 1,
	  .ends = 2,
	  .exit = { .cause = PMU_CAUSE_STORE_MISALIGNED,
		    .insn = AMOADD_W(0, R_TWO, 0),
		    .tval = 2 } },
	{ .why = "a device's load, by a store",
	  .code = { SW(R_WORD, R_CODE, 4), LB(R_RESULT, R_DEVICE, 7), NOP,
		    EBREAK },
	  .word = SB(R_TWO, R_DEVICE, 7),
	  .insns = 3,
	  .loads = 1,
	  .stores = 1,
	  .ends = 3,
	  .exit = { .insn = EBREAK },
	  .device = true },
	{ .why = "a device's store, by a load",
	  .code = { SW(R_WORD, R_CODE, 4), SB(R_TWO, R_DEVICE, 7), NOP,
		    EBREAK },
	  .word = LB(R_RESULT, R_DEVICE, 7),
	  .insns = 3,
	  .stores = 2,
	  .ends = 3,
	  .exit = { .insn = EBREAK },
	  .device = true,
	  .written = true },
	{ .why = "a device's load, by one of two bytes",
	  .code = { SH(R_WORD, R_CODE, 4), LB(R_RESULT, R_DEVICE, 7), NOP,
		    EBREAK },
	  .word = C_NOP,
	  .insns = 3,
	  .loads = 1,
	  .stores = 1,
	  .ends = 3,
	  .exit = { .insn = EBREAK },
	  .device = true },
};

static void prepare(struct rig *r, const struct own_row *row)
{
	uint32_t code[MOST];
	unsigned n = MOST;

	memcpy(code, row->code, sizeof(code));
	for (unsigned i = 1; i < row->repeat; i++)
		code[i] = SD(R_TWICE, R_CODE, 17 * 4 + (int)i * 8);
	if (row->at)
		n = (RIG_PAGE - row->at) / 4;
	memcpy(r->ram + CODE * RIG_PAGE + row->at, code, n * sizeof(*code));
	engine_ram_written(r->e, RIG_RAM + CODE * RIG_PAGE, RIG_PAGE);
	rig_set_x(r, R_CODE, RIG_AT(CODE) + row->at);
	rig_set_x(r, R_WORD, row->word);
	rig_set_x(r, R_TWICE, row->word * UINT64_C(0x100000001));
	rig_set_x(r, R_NOWHERE, RIG_AT(NOWHERE));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_DEVICE, RIG_AT(DEVICE));
	rig_set_x(r, R_RESULT, 0);
	rig_set_x(r, R_TWO, 0x55);
	r->page[NOWHERE].perms = 0;
	r->page[DEVICE].device = true;
	r->mmio_answer = 0x11;
	r->n_exits = r->n_mmio = 0;
	rig_open(r);
}

static void check_device(const struct rig *r, const struct own_row *row)
{
	ck_assert_msg(r->n_mmio == row->device, "%s, %s: %u accesses",
		      rig_name(r), row->why, r->n_mmio);
	if (row->device)
		ck_assert_msg(r->mmio[0].write == row->written &&
				      r->mmio[0].size == 1,
			      "%s, %s: the other access", rig_name(r),
			      row->why);
}

static void check_counts(const struct rig *r, const struct own_row *row)
{
	const uint64_t *done = r->budget.done.n;

	ck_assert_msg(done[PMU_EV_INSNS] == row->insns &&
			      done[PMU_EV_BRANCHES] == 0 &&
			      done[PMU_EV_LOADS] == row->loads &&
			      done[PMU_EV_STORES] == row->stores,
		      "%s, %s: %d instructions, %d branches, %d loads, "
		      "%d stores",
		      rig_name(r), row->why, (int)done[PMU_EV_INSNS],
		      (int)done[PMU_EV_BRANCHES], (int)done[PMU_EV_LOADS],
		      (int)done[PMU_EV_STORES]);
}

TEST_TIMES(what_ran_is_what_was_translated, ARRAY_SIZE(own_rows) * RIG_KINDS)
{
	const struct own_row *row = &own_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);
	const struct engine_exit *want = &row->exit, *got = &r->exit[0];
	uint64_t tval = want->cause ? RIG_AT(NOWHERE) + want->tval : 0;

	for (unsigned i = 0; i < 3; i++) {
		prepare(r, row);
		ck_assert_uint_eq(r->n_exits, 0);
		if (row->xlen && row->xlen != r->xlen)
			break;
		ck_assert_int_eq(rig_run(r, RIG_AT(CODE) + row->at),
				 ENGINE_STOP_HOST);
		check_counts(r, row);
		check_device(r, row);
		ck_assert_uint_eq(r->n_exits, 1);
		ck_assert_msg(got->pc == RIG_AT(CODE) + row->at + row->ends * 4,
			      "%s, %s: at %#llx", rig_name(r), row->why,
			      (unsigned long long)got->pc);
		ck_assert_msg(
			got->cause == want->cause && got->insn == want->insn &&
				got->tval == tval,
			"%s, %s: cause %u, 0x%x, %#llx", rig_name(r), row->why,
			got->cause, got->insn, (unsigned long long)got->tval);
	}
}

/* A single that is a double by the time of the fault keeps its box. */
TEST_TIMES(what_floating_point_ran_is_what_was_translated, RIG_KINDS)
{
	static const struct own_row row = {
		.code = { FLW(1, R_DATA, 0), SW(R_WORD, R_CODE, 0), FAULT,
			  FADD_D(2, 2, 2), EBREAK },
		.word = FLD(1, R_DATA, 0),
	};
	struct rig *r = rig_pick((unsigned)_i);
	struct hart_state s;

	for (unsigned i = 0; i < 3; i++) {
		prepare(r, &row);
		memset(r->ram + DATA * RIG_PAGE, 0x3f, 8);
		ck_assert_int_eq(rig_run(r, RIG_AT(CODE)), ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2);
		engine_ctx_save(r->e, r->ctx[0], &s);
		ck_assert_uint_eq(s.f[1], UINT64_C(0xffffffff3f3f3f3f));
	}
}

/* It is told as what it was, of RAM that is watched. */
TEST_TIMES(a_watched_access_is_the_one_that_was_made, RIG_KINDS)
{
	static const struct own_row row = {
		.code = { SW(R_WORD, R_CODE, 4), AMOADD_W(0, R_DATA, R_TWO),
			  EBREAK },
		.word = NOP,
	};
	struct rig *r = rig_pick((unsigned)_i);

	for (unsigned i = 0; i < 3; i++) {
		prepare(r, &row);
		r->page[DATA].watched = PMU_PERM_W;
		r->n_stored = 0;
		ck_assert_int_eq(rig_run(r, RIG_AT(CODE)), ENGINE_STOP_HOST);
		/* it runs alone, translated anew: the old one or the new */
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2);
		ck_assert_uint_eq(r->n_stored,
				  r->budget.done.n[PMU_EV_STORES] - 1);
		ck_assert_uint_eq(rig_word(r, DATA, 0), 0x55 * r->n_stored);
		memset(r->ram + DATA * RIG_PAGE, 0, 8);
	}
}

/*
 * What was decoded of a block is driven out by another, and the block changes
 * through another address, again and again: any form may run, but it is counted
 * as it is, to its end or to the fault in it.
 */
static const struct form {
	uint32_t word;
	unsigned insns, adds; /* to x10 */
	bool faults;
} forms[] = {
	{ ADDI(R_RESULT, R_RESULT, 1), 1, 1, false },
	{ PAIR(C_ADDI(R_RESULT, 4), C_ADDI(R_RESULT, 4)), 2, 8, false },
	{ FAULT, 0, 0, true },
	{ PAIR(C_NOP, C_ADDI(R_RESULT, 3)), 2, 3, false },
};

enum {
	R_ALIAS = 13,
	R_OTHER = 14
};

static void check_forgotten(struct rig *r, unsigned at, const uint32_t *code,
			    size_t n)
{
	static const uint32_t caller[] = { SW(R_WORD, R_ALIAS, 0),
					   JALR(1, R_OTHER, 0),
					   JALR(1, R_CODE, 0), EBREAK };
	static const uint32_t called[] = { NOP, NOP, JALR(0, 1, 0) };
	const uint64_t *done = r->budget.done.n;
	unsigned form, seen = 0;

	rig_code(r, 0, caller, ARRAY_SIZE(caller));
	memcpy(r->ram + CODE * RIG_PAGE + at, code, n * sizeof(*code));
	memcpy(r->ram + COLLIDER * RIG_PAGE + at, called, sizeof(called));
	r->page[ALIAS].to = CODE;
	r->page[NOWHERE].perms = 0;
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
	rig_set_x(r, R_CODE, RIG_AT(CODE) + at);
	rig_set_x(r, R_ALIAS, RIG_AT(ALIAS) + at);
	rig_set_x(r, R_OTHER, RIG_AT(COLLIDER) + at);
	rig_set_x(r, R_NOWHERE, RIG_AT(NOWHERE));
	for (unsigned i = 0; i < 120; i++) {
		const struct form *f = &forms[i * 5 / 3 % ARRAY_SIZE(forms)];

		rig_open(r);
		r->n_exits = 0;
		rig_set_x(r, R_RESULT, 0);
		rig_set_x(r, R_WORD, f->word);
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		for (form = 0; forms[form].adds != rig_x(r, R_RESULT);)
			ck_assert_uint_lt(++form, ARRAY_SIZE(forms));
		f = &forms[form];
		seen |= 1u << form;
		ck_assert_uint_eq(r->exit[0].kind == ENGINE_EXIT_FAULT,
				  f->faults);
		ck_assert_msg(done[PMU_EV_INSNS] ==
				      6 + f->insns + (f->faults ? 0 : n - 1),
			      "%s, round %u: form %u, %d instructions",
			      rig_name(r), i, form, (int)done[PMU_EV_INSNS]);
	}
	ck_assert_uint_gt(seen & (seen - 1), 0); /* more than one form */
}

TEST_TIMES(code_whose_decode_is_forgotten_is_counted_as_it_runs, RIG_KINDS)
{
	static const uint32_t code[] = { NOP, LW(0, R_DATA, 0), JALR(0, 1, 0) };
	struct rig *r = rig_pick((unsigned)_i);

	rig_set_x(r, R_DATA, RIG_AT(DATA));
	check_forgotten(r, 0x80, code, ARRAY_SIZE(code));
}

/* The same where the last half of a page changes: as half an instruction. */
TEST_TIMES(half_an_instruction_is_none, RIG_KINDS)
{
	static const uint32_t caller[] = { SH(R_WORD, R_ALIAS, 2),
					   JALR(1, R_OTHER, 0),
					   JALR(1, R_CODE, 0), EBREAK };
	static const uint32_t block[] = { LR_W(0, R_DATA), C_NOPS };
	static const uint32_t next[] = { PAIR(C_JR(1), C_JR(1)) };
	static const uint32_t called[] = { NOP, PAIR(C_JR(1), C_NOP) };
	static const uint16_t halves[] = { C_NOP, 0x13, C_NOP, 0x113 };
	struct rig *r = rig_pick((unsigned)_i);
	const unsigned at = RIG_PAGE - 8;

	rig_code(r, 0, caller, ARRAY_SIZE(caller));
	rig_code(r, CODE + 1, next, 1);
	memcpy(r->ram + CODE * RIG_PAGE + at, block, sizeof(block));
	memcpy(r->ram + COLLIDER * RIG_PAGE + at, called, sizeof(called));
	r->page[ALIAS].to = CODE;
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_CODE, RIG_AT(CODE) + at);
	rig_set_x(r, R_ALIAS, RIG_AT(ALIAS) + RIG_PAGE - 4);
	rig_set_x(r, R_OTHER, RIG_AT(COLLIDER) + at);
	for (unsigned i = 0; i < 40; i++) {
		rig_open(r);
		rig_set_x(r, R_WORD, halves[i * 5 / 3 % ARRAY_SIZE(halves)]);
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 3 + 2 + 4);
	}
}

SUITE("engine-own-code", .test_case = "own code", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
