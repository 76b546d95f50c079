/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Feeding: each instruction is told once, when it is over, with the addresses
 * that it used; the host can end the run behind any of them, or bring the end
 * nearer.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/engine-feed.h"
#include "rig.h"
#include "rows.h"

enum {
	R_RA = 1,
	R_DATA = 5,
	R_VALUE = 6,
	R_RESULT = 7,
	NEXT = 1, /* pages: the second of the code */
	DATA = 2, /* it and the next are elsewhere in RAM */
	DATA_TOO = 3,
	ELSE = 9,
	ELSE_TOO = 7,
	MISSING = 5,
	DEVICE = 6,
};

#define AT(page, off)  (RIG_AT(page) + (off))
#define RAM(page, off) (RIG_RAM + (page) * (uint64_t)RIG_PAGE + (off))
#define CODE(off)                                                              \
	{                                                                      \
		AT(0, off), { RAM(0, off), 0 }, 4                              \
	}
#define ALL (PMU_LOOK_FETCH | PMU_LOOK_DATA | PMU_LOOK_FLOW)
#define SHORT(off)                                                             \
	{                                                                      \
		AT(0, off), { RAM(0, off), 0 }, 2                              \
	}
#define ON_DATA(off, size)                                                     \
	{                                                                      \
		AT(DATA, off), { RAM(ELSE, off), 0 }, (size)                   \
	}

static struct rig *fed(unsigned n)
{
	struct rig *r = rig_pick(n);

	r->page[DATA].to = ELSE;
	r->page[DATA_TOO].to = ELSE_TOO;
	r->page[MISSING].perms = 0;
	r->page[DEVICE].device = true;
	ck_assert_int_eq(engine_feed(r->e, ALL), 0);
	return r;
}

static const struct told_row {
	const char *why;
	uint32_t insn; /* the second one */
	uint64_t at;   /* in R_DATA */
	struct pmu_uarch_insn want;
	uint8_t xlen;
} told_rows[] = {
	{ "nothing but a fetch", ADDI(7, 7, 1), 0, { .code = CODE(4) } },
	{ "a load",
	  LW(R_RESULT, R_DATA, 8),
	  AT(DATA, 0),
	  { .code = CODE(4), .data = ON_DATA(8, 4), .load = true } },
	{ "below its register",
	  LHU(R_RESULT, R_DATA, 0xff8),
	  AT(DATA, 16),
	  { .code = CODE(4), .data = ON_DATA(8, 2), .load = true } },
	{ "of the register that it loads",
	  LB(R_DATA, R_DATA, 1),
	  AT(DATA, 0),
	  { .code = CODE(4), .data = ON_DATA(1, 1), .load = true } },
	{ "a store over two pages",
	  SW(R_VALUE, R_DATA, 0),
	  AT(DATA, 0xffe),
	  { .code = CODE(4),
	    .data = { AT(DATA, 0xffe),
		      { RAM(ELSE, 0xffe), RAM(ELSE_TOO, 0) },
		      4 },
	    .store = true } },
	{ "a double",
	  SD(R_VALUE, R_DATA, 0),
	  AT(DATA, 8),
	  { .code = CODE(4), .data = ON_DATA(8, 8), .store = true },
	  64 },
	{ "an atomic one is both",
	  AMOADD_W(R_RESULT, R_DATA, R_VALUE),
	  AT(DATA, 4),
	  { .code = CODE(4),
	    .data = ON_DATA(4, 4),
	    .load = true,
	    .store = true } },
	{ "a reservation is a load",
	  LR_W(R_RESULT, R_DATA),
	  AT(DATA, 4),
	  { .code = CODE(4), .data = ON_DATA(4, 4), .load = true } },
	{ "what has none stores nothing",
	  SC_W(R_RESULT, R_DATA, R_VALUE),
	  AT(DATA, 4),
	  { .code = CODE(4), .data = ON_DATA(4, 4) } },
	{ "a device",
	  LW(R_RESULT, R_DATA, 0),
	  AT(DEVICE, 4),
	  { .code = CODE(4),
	    .data = { AT(DEVICE, 4), { RIG_DEVICE + 4, 0 }, 4 },
	    .load = true,
	    .device = true } },
	{ "a branch",
	  BEQ(0, 0, 4),
	  0,
	  { .code = CODE(4), .flow = PMU_FLOW_BRANCH, .next = AT(0, 8) } },
	{ "one that would go back",
	  BNE(0, 0, -4),
	  0,
	  { .code = CODE(4),
	    .flow = PMU_FLOW_BRANCH,
	    .backward = true,
	    .next = AT(0, 8) } },
	{ "a call",
	  JAL(R_RA, 4),
	  0,
	  { .code = CODE(4),
	    .flow = PMU_FLOW_JUMP,
	    .rd = R_RA,
	    .next = AT(0, 8) } },
	{ "a short jump",
	  PAIR(C_J4, 0xffff),
	  0,
	  { .code = SHORT(4), .flow = PMU_FLOW_JUMP, .next = AT(0, 8) } },
	{ "a short jump by a register",
	  PAIR(C_JR(R_DATA), 0xffff),
	  AT(0, 8),
	  { .code = SHORT(4),
	    .flow = PMU_FLOW_INDIRECT,
	    .rs1 = R_DATA,
	    .next = AT(0, 8) } },
	{ "a short branch that is taken",
	  PAIR(C_BEQZ4(0), 0xffff),
	  0,
	  { .code = SHORT(4), .flow = PMU_FLOW_BRANCH, .next = AT(0, 8) } },
	{ "a jump by a register",
	  JALR(0, R_DATA, 0),
	  AT(0, 8),
	  { .code = CODE(4),
	    .flow = PMU_FLOW_INDIRECT,
	    .rs1 = R_DATA,
	    .next = AT(0, 8) } },
};

static bool same_span(const struct pmu_span *a, const struct pmu_span *b)
{
	return a->size == b->size && (!a->size || (a->vaddr == b->vaddr &&
						   a->paddr[0] == b->paddr[0] &&
						   a->paddr[1] == b->paddr[1]));
}

static bool same(const struct pmu_uarch_insn *got,
		 const struct pmu_uarch_insn *want)
{
	if (!same_span(&got->code, &want->code) || got->load != want->load ||
	    got->store != want->store || got->flow != want->flow)
		return false;
	if ((want->load || want->store) &&
	    (!same_span(&got->data, &want->data) ||
	     got->device != want->device))
		return false;
	if (want->flow == PMU_FLOW_JUMP || want->flow == PMU_FLOW_INDIRECT)
		return got->rd == want->rd && got->next == want->next &&
		       (want->flow == PMU_FLOW_JUMP || got->rs1 == want->rs1);
	return want->flow == PMU_FLOW_NEXT ||
	       (got->backward == want->backward && got->next == want->next);
}

TEST_RIGS(an_instruction_is_told_with_its_addresses, told_rows)
{
	const struct told_row *row = &told_rows[_i / RIG_KINDS];
	const uint32_t code[] = { NOP, row->insn, EBREAK };
	struct rig *r = fed((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, row->at);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	/* the exit's, too */
	ck_assert_msg(r->n_told == 3, "%s, %s: told of %u", rig_name(r),
		      row->why, r->n_told);
	ck_assert_msg(same(&r->told[1], &row->want), "%s, %s", rig_name(r),
		      row->why);
	ck_assert_uint_eq(r->told[2].code.vaddr, AT(0, 8));
	ck_assert_uint_eq(r->told[2].flow, PMU_FLOW_NEXT);
	ck_assert(r->told_over[1] && !r->told_over[2]);
}

/* It is fetched, and accesses nothing. */
TEST_TIMES(what_traps_is_told_as_a_fetch, RIG_KINDS)
{
	const uint32_t code[] = { SW(R_VALUE, R_DATA, 0) };
	struct rig *r = fed((unsigned)_i);

	rig_code(r, 0, code, 1);
	rig_set_x(r, R_DATA, AT(MISSING, 0));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_told, 1);
	ck_assert(!r->told_over[0]);
	ck_assert(
		same(&r->told[0], &(struct pmu_uarch_insn){ .code = CODE(0) }));
	/* and one that cannot be fetched is not told of */
	ck_assert_int_eq(rig_run(r, AT(MISSING, 0)), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_told, 1);
}

/* Executed, done for it by the host, or left to the host. */
static const struct two_row {
	const char *why;
	uint32_t insn;
	bool device, exits;
	uint8_t xlen;
} two_rows[] = {
	{ "a load", LW(R_RESULT, R_DATA, 0), false, false },
	{ "a load from a device", LW(R_RESULT, R_DATA, 0), true, false },
	{ "what is the host's", CSRRS(R_RESULT, PMU_CSR_MSTATUS, 0), false,
	  true },
};

TEST_RIGS(an_instruction_in_two_pages_is_in_two_places, two_rows)
{
	const struct two_row *row = &two_rows[_i / RIG_KINDS];
	struct rig *r = fed((unsigned)_i);

	r->page[NEXT].to = ELSE;
	r->page[4].device = row->device;
	memcpy(r->ram + 0xffe, &row->insn, 2);
	memcpy(r->ram + ELSE * RIG_PAGE, (const char *)&row->insn + 2, 2);
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
	rig_set_x(r, R_DATA, AT(4, 0));
	r->budget.limit.n[PMU_EV_INSNS] = 1;
	ck_assert_int_eq(rig_run(r, AT(0, 0xffe)),
			 row->exits ? ENGINE_STOP_HOST : ENGINE_STOP_LIMIT);
	ck_assert_msg(r->n_told == 1, "%s: told of %u", row->why, r->n_told);
	ck_assert_uint_eq(r->told[0].code.vaddr, AT(0, 0xffe));
	ck_assert_uint_eq(r->told[0].code.size, 4);
	ck_assert_uint_eq(r->told[0].code.paddr[0], RAM(0, 0xffe));
	ck_assert_msg(r->told[0].code.paddr[1] == RAM(ELSE, 0), "%s", row->why);
}

TEST_TIMES(an_address_that_wraps_is_told_as_it_is, RIG_KINDS)
{
	static const uint32_t code[] = { LW(3, 0, -16), ADDI(4, 0, -8),
					 SW(3, 4, 16), EBREAK };
	struct rig *r = fed((unsigned)_i);
	uint64_t end = r->xlen == 32 ? UINT32_MAX : UINT64_MAX;

	r->edges = true;
	rig_code(r, 0, code, ARRAY_SIZE(code));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_told, 4);
	ck_assert_uint_eq(r->told[0].data.vaddr, end - 15);
	ck_assert_uint_eq(r->told[0].data.paddr[0], RAM(RIG_LAST, 0xff0));
	ck_assert_uint_eq(r->told[2].data.vaddr, 8);
	ck_assert_uint_eq(r->told[2].data.paddr[0], RAM(RIG_FIRST, 8));
}

/* The second of NOP, @insn, EBREAK: the others are fetched and no more. */
static const struct looks_row {
	const char *why;
	uint32_t insn;
	unsigned has;
	uint64_t at; /* in R_DATA; 0: data */
	uint8_t xlen;
} looks_rows[] = {
	{ "nothing but a fetch", ADDI(7, 7, 1), PMU_LOOK_FETCH },
	{ "a load", LW(R_RESULT, R_DATA, 8), PMU_LOOK_FETCH | PMU_LOOK_DATA },
	{ "a store", SW(R_VALUE, R_DATA, 0), PMU_LOOK_FETCH | PMU_LOOK_DATA },
	{ "an atomic", AMOADD_W(R_RESULT, R_DATA, R_VALUE),
	  PMU_LOOK_FETCH | PMU_LOOK_DATA },
	{ "a branch", BEQ(0, 0, 4), PMU_LOOK_FETCH | PMU_LOOK_FLOW },
	{ "a jump", JAL(R_RA, 4), PMU_LOOK_FETCH | PMU_LOOK_FLOW },
	{ "a jump by a register", JALR(0, R_DATA, 0),
	  PMU_LOOK_FETCH | PMU_LOOK_FLOW, AT(0, 8) },
	{ "a short branch", PAIR(C_BEQZ4(0), 0xffff),
	  PMU_LOOK_FETCH | PMU_LOOK_FLOW },
	{ "a short jump by a register", PAIR(C_JR(R_DATA), 0xffff),
	  PMU_LOOK_FETCH | PMU_LOOK_FLOW, AT(0, 8) },
	{ "a load of a single", FLW(1, R_DATA, 0),
	  PMU_LOOK_FETCH | PMU_LOOK_DATA },
	{ "a store of a double", FSD(1, R_DATA, 0),
	  PMU_LOOK_FETCH | PMU_LOOK_DATA },
	{ "a load from a device", LW(R_RESULT, R_DATA, 0),
	  PMU_LOOK_FETCH | PMU_LOOK_DATA, AT(DEVICE, 0) },
	{ "a store to a device", SW(R_VALUE, R_DATA, 0),
	  PMU_LOOK_FETCH | PMU_LOOK_DATA, AT(DEVICE, 0) },
	{ "a single from a device", FLW(1, R_DATA, 0),
	  PMU_LOOK_FETCH | PMU_LOOK_DATA, AT(DEVICE, 0) },
};

/* With every set of what is looked at, from 1 on; 0 is nobody. */
TEST_RIGS(what_nobody_looks_at_is_not_told, looks_rows)
{
	const struct looks_row *row = &looks_rows[_i / RIG_KINDS];
	const uint32_t code[] = { NOP, row->insn, EBREAK };
	struct rig *r = fed((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (unsigned looks = 1; looks <= ALL; looks++) {
		unsigned others = looks & PMU_LOOK_FETCH ? 2 : 0;

		ck_assert_int_eq(engine_feed(r->e, looks), 0);
		rig_open(r);
		rig_set_x(r, R_DATA, row->at ? row->at : AT(DATA, 0));
		r->n_told = 0;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_msg(r->n_told == others + !!(looks & row->has),
			      "%s, %s, looks %u: told of %u", rig_name(r),
			      row->why, looks, r->n_told);
		if (looks & row->has)
			ck_assert_uint_eq(r->told[others / 2].code.vaddr,
					  AT(0, 4));
	}
}

/* Nobody promises which form runs where a store changes what follows. */
TEST_TIMES(what_changes_without_a_fence_is_told_as_it_runs, RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_VALUE, R_DATA, 12),
					 ADDI(R_RESULT, 0, 0),
					 NOP,
					 NOP,
					 EBREAK,
					 77 };
	const uint32_t forms[] = { LW(R_RESULT, R_DATA, 20), NOP };
	static const uint32_t first[] = { JAL(0, 4), EBREAK };
	struct rig *r = fed((unsigned)_i);
	unsigned loads = 0;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, NEXT, first, ARRAY_SIZE(first)); /* see translated.c */
	ck_assert_int_eq(rig_run(r, RIG_AT(NEXT)), ENGINE_STOP_HOST);
	rig_set_x(r, R_DATA, RIG_BASE);
	for (unsigned i = 0; i < 20; i++) {
		bool loaded;

		rig_set_x(r, R_VALUE, forms[i / 3 % 2]);
		r->n_told = 0;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->n_told, 5);
		loaded = rig_x(r, R_RESULT) == 77;
		loads += loaded;
		ck_assert_msg(r->told[3].load == loaded, "%s: %u", rig_name(r),
			      i);
		if (loaded)
			ck_assert_uint_eq(r->told[3].data.vaddr, AT(0, 20));
	}
	ck_assert(loads && loads < 20);
}

/* A row of NOPs, each known from a first run. */
enum {
	ROW = 40,
	FIRST = 10
};

static struct rig *known_row(unsigned n)
{
	uint32_t code[ROW + 1];
	struct rig *r = fed(n);

	for (unsigned i = 0; i < ROW; i++)
		code[i] = NOP;
	code[ROW] = EBREAK;
	rig_code(r, 0, code, ROW + 1);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_told, ROW + 1);
	r->n_told = 0;
	rig_open(r);
	return r;
}

static bool stop_at_first(struct rig *r)
{
	return r->n_told == FIRST;
}

TEST_TIMES(a_run_ends_behind_what_the_host_says, RIG_KINDS)
{
	struct rig *r = known_row((unsigned)_i);

	r->on_told = stop_at_first;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], FIRST);
	ck_assert_uint_eq(rig_pc(r), AT(0, 4 * FIRST));
	/* once */
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], ROW);
}

static uint64_t nearer;

static bool come_nearer(struct rig *r)
{
	if (r->n_told == FIRST)
		r->budget.limit.n[PMU_EV_INSNS] = nearer;
	return false;
}

static const struct nearer_row {
	uint64_t limit, want;
	uint8_t xlen;
} nearer_rows[] = {
	{ FIRST + 15, FIRST + 15 },
	{ FIRST + 1, FIRST + 1 },
	{ FIRST, FIRST },
	{ FIRST - 5, FIRST }, /* what is over cannot be undone */
	{ 0, FIRST },
};

TEST_RIGS(a_limit_can_come_nearer_inside_a_run, nearer_rows)
{
	const struct nearer_row *row = &nearer_rows[_i / RIG_KINDS];
	struct rig *r = known_row((unsigned)_i);

	nearer = row->limit;
	r->on_told = come_nearer;
	r->budget.limit.n[PMU_EV_INSNS] = ROW - 2;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], row->want);
	ck_assert_uint_eq(rig_pc(r), AT(0, 4 * row->want));
	ck_assert_uint_eq(r->budget.last_pc, AT(0, 4 * row->want - 4));
}

TEST_TIMES(nobody_is_told_without_feeding, RIG_KINDS)
{
	struct rig *r = known_row((unsigned)_i);

	ck_assert_int_eq(engine_feed(r->e, 0), 0);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_told, 0);
}

SUITE("engine-feed", .test_case = "feed", .timeout = 60, .setup_all = rigs_open,
      .teardown_all = rigs_close);
