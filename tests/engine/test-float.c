/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Floating-point registers as the specification has them: a single has a box,
 * what has none is a NaN, and fmin and fmax take the number where there is one.
 * Wherever a block is cut, and however registers were written before.
 */
#include "asm.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"
#include "rows.h"

enum {
	R_SP = 2,
	R_DATA = 5,
	R_NOWHERE = 6,
	R_SHORT = 8, /* what some of 16 bits call 0 */
	DATA = 8,
	NOWHERE = 9,
	NV = 0x10, /* of fflags */
	MAX_CODE = 4,
	CUTS = 4,  /* 0: as a whole */
	FEW = 100, /* instructions of a loop, each round of two or three */
	MANY = 3000,
};

#define BOX	 UINT64_C(0xffffffff00000000)
#define ONE	 (BOX | 0x3f800000)
#define TWO	 (BOX | 0x40000000)
#define FOUR	 (BOX | 0x40800000)
#define NAN_S	 (BOX | 0x7fc00000)
#define SIGNAL	 (BOX | 0x7f800001)
#define INF	 (BOX | 0x7f800000)
#define ONE_D	 UINT64_C(0x3ff0000000000000)
#define TWO_D	 UINT64_C(0x4000000000000000)
#define FOUR_D	 UINT64_C(0x4010000000000000)
#define INF_D	 UINT64_C(0x7ff0000000000000)
#define NAN_D	 UINT64_C(0x7ff8000000000000)
#define SIGNAL_D UINT64_C(0x7ff0000000000001)

#define FSGNJ_S(rd, rs1, rs2) ASM_R(0x53, 0x10 << 3, rd, rs1, rs2)
#define FMIN_S(rd, rs1, rs2)  ASM_R(0x53, 0x14 << 3, rd, rs1, rs2)
#define FMIN_D(rd, rs1, rs2)  ASM_R(0x53, 0x15 << 3, rd, rs1, rs2)
#define FMAX_D(rd, rs1, rs2)  ASM_R(0x53, 0x15 << 3 | 1, rd, rs1, rs2)
#define FMADD_S(rd, rs1, rs2, rs3)                                             \
	(ASM_R(0x43, 0, rd, rs1, rs2) | (uint32_t)(rs3) << 27)
#define ON JAL(0, 4) /* to another block */

/* Registers at the start; 1 to 3 are for results. */
enum {
	F_ONE = 10,
	F_BARE, /* a single without a box */
	F_ONE_D,
	F_SIGNAL,
	F_TWO,
	F_SIGNAL_D,
	F_TWO_D,
	F_NAN,
	F_NAN_D,
	F_BARE_1,
	F_BARE_2,
	F_INF,
	F_INF_D,
};

static const uint64_t start[32] = {
	[0] = ONE,
	[F_ONE] = ONE,
	[F_BARE] = (uint32_t)ONE,
	[F_ONE_D] = ONE_D,
	[F_SIGNAL] = SIGNAL,
	[F_TWO] = TWO,
	[F_SIGNAL_D] = SIGNAL_D,
	[F_TWO_D] = TWO_D,
	[F_NAN] = NAN_S,
	[F_NAN_D] = NAN_D,
	[F_BARE_1] = (uint32_t)TWO,
	[F_BARE_2] = (uint32_t)FOUR,
	[F_INF] = INF,
	[F_INF_D] = INF_D,
	[31] = ONE,
};

static const struct float_row {
	const char *why;
	uint32_t code[MAX_CODE];
	struct {
		uint8_t reg; /* 0: none */
		uint64_t value;
	} want[3]; /* the others are as they were */
	uint8_t flags, xlen;
} float_rows[] = {
	{ "f0 is a register", { FADD_S(1, 0, 0) }, { { 1, TWO } } },
	{ "f31 is one", { FADD_S(31, 31, 31) }, { { 31, TWO } } },
	{ "the first has no box",
	  { FADD_S(1, F_BARE, F_ONE) },
	  { { 1, NAN_S } } },
	{ "the second has none",
	  { FADD_S(1, F_ONE, F_BARE) },
	  { { 1, NAN_S } } },
	{ "the third has none",
	  { FMADD_S(1, F_ONE, F_ONE, F_BARE) },
	  { { 1, NAN_S } } },
	{ "none of three has one",
	  { FMADD_S(1, F_BARE, F_BARE_1, F_BARE_2) },
	  { { 1, NAN_S } } },
	{ "all of three have one",
	  { FMADD_S(1, F_ONE, F_ONE, F_ONE) },
	  { { 1, TWO } } },
	{ "the result is where there was none",
	  { FADD_S(F_BARE, F_BARE, F_ONE) },
	  { { F_BARE, NAN_S } } },
	{ "a double is no single",
	  { FADD_D(1, F_ONE_D, F_ONE_D), FADD_S(2, 1, 1) },
	  { { 1, TWO_D }, { 2, NAN_S } } },
	{ "nor from another block",
	  { FADD_D(1, F_ONE_D, F_ONE_D), ON, FADD_S(2, 1, 1) },
	  { { 1, TWO_D }, { 2, NAN_S } } },
	{ "f0 may have no box, too",
	  { FADD_D(0, F_ONE_D, F_ONE_D), ON, FADD_S(1, 0, 0),
	    FSGNJ_S(0, F_ONE, F_ONE) },
	  { { 1, NAN_S } } },
	{ "a single is no double",
	  { FADD_S(1, F_ONE, F_ONE), FADD_D(2, 1, F_ONE_D) },
	  { { 1, TWO }, { 2, NAN_D } } },
	{ "nor from another block",
	  { FADD_S(1, F_ONE, F_ONE), ON, FADD_D(2, 1, F_ONE_D) },
	  { { 1, TWO }, { 2, NAN_D } } },
	{ "nor in f31",
	  { FADD_S(31, F_ONE, F_ONE), ON, FADD_D(2, 31, F_ONE_D) },
	  { { 31, TWO }, { 2, NAN_D } } },
	{ "a double over a single",
	  { FADD_S(1, F_ONE, F_ONE), FADD_D(1, F_ONE_D, F_ONE_D),
	    FADD_D(2, 1, 1) },
	  { { 1, TWO_D }, { 2, FOUR_D } } },
	{ "a single over a double",
	  { FADD_D(1, F_ONE_D, F_ONE_D), FADD_S(1, F_ONE, F_ONE),
	    FADD_S(2, 1, 1) },
	  { { 1, TWO }, { 2, FOUR } } },
	{ "a single over a double, as a double",
	  { FADD_D(1, F_ONE_D, F_ONE_D), FADD_S(1, F_ONE, F_ONE),
	    FADD_D(2, 1, 1) },
	  { { 1, TWO }, { 2, NAN_D } } },
	{ "a double over a single, as a single",
	  { FADD_S(1, F_ONE, F_ONE), FADD_D(1, F_ONE_D, F_ONE_D),
	    FADD_S(2, 1, 1) },
	  { { 1, TWO_D }, { 2, NAN_S } } },
	{ "a single in memory has its box",
	  { FADD_S(1, F_ONE, F_ONE), ON, FSD(1, R_DATA, 0), FLD(2, R_DATA, 0) },
	  { { 1, TWO }, { 2, TWO } } },
	{ "in the same block, too",
	  { FADD_S(1, F_ONE, F_ONE), FSD(1, R_DATA, 0), FLD(2, R_DATA, 0) },
	  { { 1, TWO }, { 2, TWO } } },
	{ "a single that is loaded",
	  { FSW(F_TWO, R_DATA, 0), FLW(1, R_DATA, 0), FADD_D(2, 1, F_ONE_D) },
	  { { 1, TWO }, { 2, NAN_D } } },
	{ "a bare one that is stored and loaded",
	  { FSD(F_BARE, R_DATA, 0), FLD(1, R_DATA, 0), FADD_S(2, 1, F_ONE) },
	  { { 1, (uint32_t)ONE }, { 2, NAN_S } } },
	{ "a fault between single and double",
	  { FADD_S(1, F_ONE, F_ONE), LW(0, R_NOWHERE, 0),
	    FADD_D(2, 1, F_ONE_D) },
	  { { 1, TWO }, { 2, NAN_D } } },
	{ "a fault between double and single",
	  { FADD_D(1, F_ONE_D, F_ONE_D), LW(0, R_NOWHERE, 0),
	    FADD_S(1, F_ONE, F_ONE), FADD_D(2, 1, 1) },
	  { { 1, TWO }, { 2, NAN_D } } },
	{ "a fault behind a store that looks at no box",
	  { FADD_S(1, F_ONE, F_ONE), ON, PAIR(C_FSWSP(1), C_FSW(1, 0)),
	    LW(0, R_NOWHERE, 0) },
	  { { 1, TWO } },
	  0,
	  32 },
	{ "fmin of a signal and a number",
	  { FMIN_S(1, F_SIGNAL, F_TWO) },
	  { { 1, TWO } },
	  NV },
	{ "fmin of a number and a signal",
	  { FMIN_S(1, F_TWO, F_SIGNAL) },
	  { { 1, TWO } },
	  NV },
	{ "fmax of a signal and a number",
	  { FMAX_S(1, F_SIGNAL, F_TWO) },
	  { { 1, TWO } },
	  NV },
	{ "fmin of two signals",
	  { FMIN_S(1, F_SIGNAL, F_SIGNAL) },
	  { { 1, NAN_S } },
	  NV },
	{ "fmin of a NaN and a number",
	  { FMIN_S(1, F_NAN, F_TWO) },
	  { { 1, TWO } } },
	{ "fmin of a signal and a NaN",
	  { FMIN_S(1, F_SIGNAL, F_NAN) },
	  { { 1, NAN_S } },
	  NV },
	{ "fmin of no single and a number",
	  { FMIN_S(1, F_BARE, F_TWO) },
	  { { 1, TWO } } },
	{ "fmin of numbers", { FMIN_S(1, F_ONE, F_TWO) }, { { 1, ONE } } },
	{ "fmax of numbers", { FMAX_S(1, F_ONE, F_TWO) }, { { 1, TWO } } },
	{ "fmax of infinity and a number",
	  { FMAX_S(1, F_INF, F_TWO) },
	  { { 1, INF } } },
	{ "fmin of a signal and infinity",
	  { FMIN_S(1, F_SIGNAL, F_INF) },
	  { { 1, INF } },
	  NV },
	{ "fmin over its signal",
	  { FMIN_S(F_SIGNAL, F_SIGNAL, F_TWO) },
	  { { F_SIGNAL, TWO } },
	  NV },
	{ "fmin over its number",
	  { FMIN_S(F_ONE, F_SIGNAL, F_ONE) },
	  { { F_ONE, ONE } },
	  NV },
	{ "fmin of a single from another block",
	  { FADD_S(1, F_ONE, F_ONE), ON, FMIN_S(2, 1, F_SIGNAL) },
	  { { 1, TWO }, { 2, TWO } },
	  NV },
	{ "fmin.d of a signal and a number",
	  { FMIN_D(1, F_SIGNAL_D, F_TWO_D) },
	  { { 1, TWO_D } },
	  NV },
	{ "fmax.d of a number and a signal",
	  { FMAX_D(1, F_TWO_D, F_SIGNAL_D) },
	  { { 1, TWO_D } },
	  NV },
	{ "fmin.d of a NaN and a number",
	  { FMIN_D(1, F_NAN_D, F_TWO_D) },
	  { { 1, TWO_D } } },
	{ "fmin.d of numbers",
	  { FMIN_D(1, F_ONE_D, F_TWO_D) },
	  { { 1, ONE_D } } },
	{ "fmax.d of infinity and a number",
	  { FMAX_D(1, F_INF_D, F_TWO_D) },
	  { { 1, INF_D } } },
	{ "fmin.d of a signal and infinity",
	  { FMIN_D(1, F_SIGNAL_D, F_INF_D) },
	  { { 1, INF_D } },
	  NV },
	{ "fmin.d of a box, a quiet NaN",
	  { FMIN_D(1, F_TWO, F_TWO_D) },
	  { { 1, TWO_D } } },
};

/* What faults is left out. */
static enum engine_next leave_out(struct rig *r, const struct engine_exit *exit)
{
	if (exit->kind == ENGINE_EXIT_INSN)
		return ENGINE_STOP;
	rig_skip(r, exit);
	return ENGINE_RESUME;
}

static uint64_t wanted(const struct float_row *row, unsigned reg)
{
	for (unsigned i = 0; i < ARRAY_SIZE(row->want) && row->want[i].reg; i++)
		if (row->want[i].reg == reg)
			return row->want[i].value;
	return start[reg];
}

static void begin(struct rig *r, const struct float_row *row)
{
	uint32_t code[MAX_CODE + 1];
	unsigned n = 0;

	for (; n < MAX_CODE && row->code[n]; n++)
		code[n] = row->code[n];
	code[n++] = EBREAK;
	rig_code(r, 0, code, n);
	r->page[NOWHERE].perms = 0;
	r->script = leave_out;
	rig_set_x(r, R_SP, RIG_AT(DATA));
	rig_set_x(r, R_SHORT, RIG_AT(DATA));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_NOWHERE, RIG_AT(NOWHERE));
	for (unsigned i = 0; i < 32; i++)
		engine_set(r->e, r->ctx[0], ENGINE_F0 + i, start[i]);
}

/* As a whole, and cut behind each instruction. */
TEST_RIGS(a_register_holds_what_the_specification_says, float_rows)
{
	const struct float_row *row = &float_rows[_i / RIG_KINDS];

	for (unsigned cut = 0; cut < CUTS; cut++) {
		struct rig *r = rig_pick((unsigned)_i);
		uint64_t pc = RIG_BASE;

		begin(r, row);
		if (cut) {
			r->budget.limit.n[PMU_EV_INSNS] = cut;
			rig_run(r, pc);
			rig_open(r);
			pc = UINT64_MAX;
		}
		if (!r->n_exits || r->exit[r->n_exits - 1].insn != EBREAK)
			ck_assert_int_eq(rig_run(r, pc), ENGINE_STOP_HOST);
		for (unsigned f = 0; f < 32; f++) {
			uint64_t got =
				engine_get(r->e, r->ctx[0], ENGINE_F0 + f);

			ck_assert_msg(got == wanted(row, f),
				      "%s, %s, cut at %u: f%u is %llx",
				      row->why, rig_name(r), cut, f,
				      (unsigned long long)got);
		}
		ck_assert_msg(
			engine_get(r->e, r->ctx[0], ENGINE_FCSR) == row->flags,
			"%s, %s, cut at %u: flags", row->why, rig_name(r), cut);
	}
}

/* How often what was counted is looked at, which the slow path begins with. */
static unsigned n_looks;

void __real_slot_sync(struct slot *s);
void __wrap_slot_sync(struct slot *s);

void __wrap_slot_sync(struct slot *s)
{
	n_looks++;
	__real_slot_sync(s);
}

static const struct path_row {
	const char *why;
	uint32_t insns; /* of a loop */
	uint8_t xlen;
} path_rows[] = {
	{ "a store of a single", FSW(F_ONE, R_DATA, 0) },
	{ "a store of a double", FSD(F_ONE_D, R_DATA, 0) },
	{ "a load", FLD(1, R_DATA, 0) },
	{ "arithmetic", FADD_S(1, F_ONE, F_TWO) },
	{ "short stores of singles, at sp",
	  PAIR(C_FSWSP(F_ONE), C_FSWSP(F_TWO)), 32 },
	{ "short stores of singles", PAIR(C_FSW(F_ONE - 8, 0), C_FSW(1, 0)),
	  32 },
	{ "a short store and a load of a single",
	  PAIR(C_FSWSP(F_ONE), C_FLWSP(1)), 32 },
	{ "short stores of doubles", PAIR(C_FSDSP(F_ONE_D), C_FSDSP(1)) },
	{ "short loads of doubles", PAIR(C_FLDSP(1), C_FLDSP(2)) },
};

static bool steps(unsigned rig)
{
	return rig_modes[rig % RIG_MODES].step_only;
}

/* Once its block is known and its registers are as it needs them. */
TEST_WHERE(a_loop_of_floating_point_goes_on_by_itself, 0,
	   ARRAY_SIZE(path_rows) * RIG_KINDS,
	   !steps((unsigned)_i) && rig_has((unsigned)_i % RIG_KINDS,
					   path_rows[_i / RIG_KINDS].xlen))
{
	const struct path_row *row = &path_rows[_i / RIG_KINDS];
	const struct float_row loop = { .code = { row->insns, JAL(0, -4) } };
	struct rig *r = rig_pick((unsigned)_i);

	begin(r, &loop);
	r->budget.limit.n[PMU_EV_INSNS] = FEW;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	n_looks = 0;
	r->budget.limit.n[PMU_EV_INSNS] = MANY;
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_LIMIT);
	ck_assert_msg(n_looks < FEW, "%s, %s: looked %u times", row->why,
		      rig_name(r), n_looks);
}

static enum engine_next set_fcsr_while_off(struct rig *r,
					   const struct engine_exit *exit)
{
	struct engine_ctx *ctx = r->ctx[r->cur];

	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	engine_set_fp(r->e, ctx, false);
	engine_set(r->e, ctx, ENGINE_FCSR, 0x21);
	engine_set_fp(r->e, ctx, true);
	rig_retire(r, exit, 0);
	return ENGINE_RESUME;
}

TEST_TIMES(fcsr_that_is_set_while_off_is_there_when_on, RIG_KINDS)
{
	static const uint32_t code[] = { ECALL, CSRRS(10, PMU_CSR_FCSR, 0),
					 EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->script = set_fcsr_while_off;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 0x21);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_FCSR), 0x21);
}

SUITE("engine-float", .test_case = "float", .timeout = 30,
      .setup_all = rigs_open, .teardown_all = rigs_close);
