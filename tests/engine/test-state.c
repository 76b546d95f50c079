/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hart's state: what moves between slots and contexts, reservations,
 * floating point on and off.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "rig.h"

enum {
	DATA = 8,
	R_DATA = 5
};

static uint64_t wide(const struct rig *r, uint64_t value)
{
	return r->xlen == 32 ? (uint32_t)value : value;
}

static void make_state(const struct rig *r, struct hart_state *s)
{
	*s = (struct hart_state){ .pc = RIG_BASE, .fcsr = 0xb5, .fp_on = true };
	for (unsigned i = 1; i < 32; i++)
		s->x[i] = wide(r, UINT64_C(0x8123456789abcd00) + i);
	for (unsigned i = 0; i < 32; i++)
		s->f[i] = UINT64_C(0x9123456789abcd00) + i;
}

TEST_TIMES(what_is_loaded_is_saved, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);
	struct hart_state want, got;

	for (unsigned on = 0; on < 2; on++) {
		make_state(r, &want);
		want.fp_on = on;
		engine_ctx_load(r->e, r->ctx[1], &want);
		memset(&got, 0, sizeof(got));
		engine_ctx_save(r->e, r->ctx[1], &got);
		ck_assert_mem_eq(&want, &got, sizeof(got));
		ck_assert_uint_eq(engine_get(r->e, r->ctx[1], ENGINE_FCSR),
				  0xb5);
	}
}

/* All of it survives changes of slot, of context, and stepping. */
TEST_TIMES(state_survives_moving, RIG_KINDS)
{
	static const uint32_t code[] = { ADDI(3, 3, 1), ADDI(3, 3, 1),
					 ADDI(3, 3, 1), JAL(0, -12) };
	struct rig *r = rig_pick((unsigned)_i);
	struct hart_state want[RIG_CTXS], got;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (unsigned i = 0; i < RIG_CTXS; i++) {
		make_state(r, &want[i]);
		want[i].fcsr = 0x11 + i;
		want[i].f[3] += i;
		engine_ctx_load(r->e, r->ctx[i], &want[i]);
	}
	for (unsigned i = 0; i < 64; i++) {
		r->cur = i % 3 % 2;
		r->regime = i & 4 ? ENGINE_USER : ENGINE_KERNEL;
		rig_open(r);
		r->budget.limit.n[PMU_EV_INSNS] = i % 7 + 1;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
		want[r->cur].x[3] += (i % 7 + 1) - (i % 7 + 1) / 4;
	}
	for (unsigned i = 0; i < RIG_CTXS; i++) {
		engine_ctx_save(r->e, r->ctx[i], &got);
		want[i].pc = got.pc;
		want[i].x[3] = wide(r, want[i].x[3]);
		ck_assert_mem_eq(&want[i], &got, sizeof(got));
	}
}

/* 1 / 3 is inexact: the flag belongs to the hart that divided. */
TEST_TIMES(floating_point_flags_stay_with_their_hart, RIG_KINDS)
{
	static const uint32_t code[] = { FDIV_S(3, 1, 2), ADDI(0, 0, 0), ECALL,
					 CSRRS(10, PMU_CSR_FFLAGS, 0), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 1, 0xffffffff3f800000);
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 2, 0xffffffff40400000);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	/* the other hart, in the other regime */
	r->cur = 1;
	r->regime = ENGINE_USER;
	ck_assert_int_eq(rig_run(r, RIG_BASE + 12), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 0);
	r->cur = 0;
	ck_assert_int_eq(rig_run(r, RIG_BASE + 12), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_FCSR), 1);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[1], ENGINE_FCSR), 0);
}

static enum engine_next switch_fp(struct rig *r, const struct engine_exit *exit)
{
	struct engine_ctx *ctx = r->ctx[r->cur];

	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	if (exit->insn == ECALL) {
		engine_set_fp(r->e, ctx, false);
		rig_retire(r, exit, 0);
	} else {
		/* the first use while off: on again, the same instruction */
		engine_set_fp(r->e, ctx, true);
	}
	return ENGINE_RESUME;
}

/* In the context, moved to another one, stored to a device or to memory. */
TEST_TIMES(a_single_result_is_boxed_wherever_it_is_seen, RIG_KINDS)
{
	static const uint32_t code[] = { FADD_S(1, 2, 2), FADD_S(3, 2, 2),
					 JAL(0, 4), FSD(1, R_DATA, 0), ECALL };
	const uint64_t one = UINT64_C(0xffffffff3f800000);
	const uint64_t two = UINT64_C(0xffffffff40000000);
	struct rig *r = rig_pick((unsigned)_i);
	struct hart_state state;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[DATA].device = true;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 2, one);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_mmio, 1);
	ck_assert_uint_eq(r->mmio[0].value, two);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 1), two);
	engine_ctx_save(r->e, r->ctx[0], &state);
	ck_assert_uint_eq(state.f[1], two);
	ck_assert_uint_eq(state.f[3], two);
	ck_assert_uint_eq(state.f[2], one);
	/* what is written is what is read, boxed or not */
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 3, 7);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 3), 7);
}

/* From the host and from a device, of a register that had its box before. */
TEST_TIMES(what_comes_without_a_box_is_no_single, RIG_KINDS)
{
	static const uint32_t code[] = { FADD_S(1, 2, 2), FADD_S(3, 4, 4),
					 FLD(4, R_DATA, 0), FADD_S(5, 4, 4),
					 ECALL };
	const uint64_t one = UINT64_C(0xffffffff3f800000);
	const uint64_t two = UINT64_C(0xffffffff40000000);
	const uint64_t nan = UINT64_C(0xffffffff7fc00000);
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[DATA].device = true;
	r->mmio_answer = one & UINT32_MAX;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 2, one);
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 4, one);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 1),
				  i ? nan : two);
		ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 3),
				  two);
		ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 5),
				  nan);
		engine_set(r->e, r->ctx[0], ENGINE_F0 + 2, one & UINT32_MAX);
		engine_set(r->e, r->ctx[0], ENGINE_F0 + 4, one);
	}
}

TEST_TIMES(a_fault_leaves_what_was_not_written_unboxed, RIG_KINDS)
{
	static const uint32_t code[] = { FADD_S(1, 2, 2), LW(6, R_DATA, 0),
					 FADD_S(3, 2, 2), ECALL };
	const uint64_t raw = UINT64_C(0x4008000000000000);
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[DATA].perms = 0;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 2, UINT64_MAX << 32);
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 3, raw);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->exit[0].kind, ENGINE_EXIT_FAULT);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 1),
			  UINT64_MAX << 32);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_F0 + 3), raw);
}

TEST_TIMES(floating_point_is_switched_in_exits, RIG_KINDS)
{
	static const uint32_t code[] = { FADD_S(1, 1, 2), ECALL,
					 FADD_S(1, 1, 2), ADDI(6, 6, -1),
					 BNE(6, 0, -16),  EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 1, 0xffffffff00000000);
	engine_set(r->e, r->ctx[0], ENGINE_F0 + 2, 0xffffffff3f800000);
	engine_set(r->e, r->ctx[0], ENGINE_FCSR, 0x10);
	rig_set_x(r, 6, 10);
	r->script = switch_fp;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	/* 20.0; Unicorn leaves the upper half as it likes */
	ck_assert_uint_eq((uint32_t)engine_get(r->e, r->ctx[0], ENGINE_F0 + 1),
			  0x41a00000);
	ck_assert_uint_eq(engine_get(r->e, r->ctx[0], ENGINE_FCSR), 0x10);
	ck_assert_uint_eq(r->n_exits, 21);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 50);
}

/* What happens between LR and SC, and whether SC may then succeed. */
enum between {
	NOTHING,
	DROP,
	OTHER_HART,
	OTHER_REGIME,
	LIMIT,
	LOAD,
	TAKEN,
	TAKEN_AND_CHANGED,
};

static const struct lrsc_row {
	const char *why;
	enum between between;
	unsigned fails;
} lrsc_rows[] = {
	{ "nothing between", NOTHING, 0 },
	{ "a trap", DROP, 1 },
	{ "another hart ran", OTHER_HART, 1 },
	{ "the regime changed", OTHER_REGIME, 0 },
	{ "a limit", LIMIT, 0 },
	{ "the state was loaded", LOAD, 1 },
	{ "the state was loaded, and the reservation taken", TAKEN, 0 },
	{ "the same, but memory is not what LR read", TAKEN_AND_CHANGED, 1 },
};

/* At the end of the address space, and of a word that is negative. */
static const struct wide_row {
	const char *why;
	uint64_t addr, value; /* what is wrong with what is taken */
	bool fails;
} wide_rows[] = {
	{ "as it was", 0, 0, false },
	{ "another address", 4, 0, true },
	{ "another address, by its upper half", UINT64_C(1) << 40, 0, true },
	{ "another value", 0, 1, true },
	{ "another value, by its upper half", 0, UINT64_C(1) << 63, true },
};

TEST_TIMES(a_reservation_is_taken_in_its_whole_width,
	   ARRAY_SIZE(wide_rows) * RIG_KINDS)
{
	static const uint32_t code[] = { ADDI(R_DATA, 0, -16), LR_W(10, R_DATA),
					 ECALL, SC_W(12, R_DATA, 0), EBREAK };
	const struct wide_row *row = &wide_rows[_i / RIG_KINDS];
	static const uint32_t word = 0x80000001;
	struct rig *r = rig_pick((unsigned)_i);
	struct engine_reservation held;
	struct hart_state state;

	r->edges = true;
	memcpy(r->ram + RIG_LAST * RIG_PAGE + 0xff0, &word, sizeof(word));
	rig_code(r, 0, code, ARRAY_SIZE(code));
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert(engine_give_reservation(r->e, r->ctx[0], &held));
	ck_assert_uint_eq(held.addr, wide(r, UINT64_MAX - 15));
	ck_assert_uint_eq(held.value, wide(r, UINT64_C(0xffffffff80000001)));
	engine_ctx_save(r->e, r->ctx[0], &state);
	engine_ctx_load(r->e, r->ctx[0], &state);
	held.addr ^= row->addr;
	held.value ^= row->value;
	engine_take_reservation(r->e, r->ctx[0], &held);
	ck_assert_int_eq(rig_run(r, RIG_BASE + 12), ENGINE_STOP_HOST);
	ck_assert_msg(rig_x(r, 12) == (wide(r, row->addr) || wide(r, row->value)
					       ? row->fails
					       : 0),
		      "%s, %s", row->why, rig_name(r));
}

static void intervene(struct rig *r, enum between between);

/* As by a context that goes on where another one has run since. */
static void give_and_take(struct rig *r, uint64_t change)
{
	struct engine_reservation held, none;
	struct hart_state state;

	ck_assert(engine_give_reservation(r->e, r->ctx[0], &held));
	ck_assert_uint_eq(held.addr, RIG_AT(DATA));
	engine_ctx_save(r->e, r->ctx[0], &state);
	intervene(r, OTHER_HART);
	ck_assert(!engine_give_reservation(r->e, r->ctx[0], &none));
	ck_assert(!engine_give_reservation(r->e, r->ctx[1], &none));
	engine_ctx_load(r->e, r->ctx[0], &state);
	held.value ^= change;
	engine_take_reservation(r->e, r->ctx[0], &held);
}

static void intervene(struct rig *r, enum between between)
{
	struct hart_state state;

	switch (between) {
	case NOTHING:
		break;
	case DROP:
		engine_drop_reservation(r->e, r->ctx[0]);
		engine_ctx_save(r->e, r->ctx[0], &state);
		ck_assert(!state.reserved);
		break;
	case OTHER_HART:
		r->cur = 1;
		rig_run(r, RIG_BASE + 16);
		r->cur = 0;
		break;
	case OTHER_REGIME:
		r->regime = ENGINE_USER;
		break;
	case LIMIT:
		r->budget.limit.n[PMU_EV_INSNS] = 2;
		rig_run(r, RIG_BASE + 8);
		ck_assert_uint_eq(rig_pc(r), RIG_BASE + 12);
		rig_open(r);
		break;
	case LOAD:
		engine_ctx_save(r->e, r->ctx[0], &state);
		ck_assert(state.reserved);
		engine_ctx_load(r->e, r->ctx[0], &state);
		break;
	case TAKEN:
		give_and_take(r, 0);
		break;
	case TAKEN_AND_CHANGED:
		give_and_take(r, 1);
		break;
	}
}

TEST_TIMES(a_reservation_is_dropped_where_it_must,
	   ARRAY_SIZE(lrsc_rows) * RIG_KINDS)
{
	static const uint32_t code[] = { LR_W(10, R_DATA), ECALL,
					 ADDI(11, 10, 1), SC_W(12, R_DATA, 11),
					 EBREAK };
	const struct lrsc_row *row = &lrsc_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);
	struct hart_state state;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, 12, 99);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	engine_ctx_save(r->e, r->ctx[0], &state);
	ck_assert(state.reserved);
	intervene(r, row->between);
	ck_assert_int_eq(
		rig_run(r, row->between == LIMIT ? UINT64_MAX : RIG_BASE + 8),
		ENGINE_STOP_HOST);
	ck_assert_msg(rig_x(r, 12) == row->fails, "%s, %s: %llu", row->why,
		      rig_name(r), (unsigned long long)rig_x(r, 12));
	ck_assert_uint_eq(rig_word(r, DATA, 0), !row->fails);
	engine_ctx_save(r->e, r->ctx[0], &state);
	ck_assert(!state.reserved);
}

/* From inside an exit the host reaches the registers of any hart. */
static enum engine_next start_other(struct rig *r,
				    const struct engine_exit *exit)
{
	static const struct hart_state zero = { .fp_on = false };

	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	engine_ctx_load(r->e, r->ctx[1], &zero);
	engine_set(r->e, r->ctx[1], 10, 77);
	engine_set(r->e, r->ctx[1], ENGINE_PC, RIG_BASE + 4);
	rig_retire(r, exit, engine_get(r->e, r->ctx[1], 10) + 1);
	return ENGINE_RESUME;
}

TEST_TIMES(an_exit_reaches_other_harts, RIG_KINDS)
{
	static const uint32_t code[] = { CSRRS(11, PMU_CSR_MSTATUS, 0),
					 ADDI(10, 10, 1), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->script = start_other;
	rig_set_x(r, 10, 5);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 6);
	ck_assert_uint_eq(rig_x(r, 11), 78);
	r->cur = 1;
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 78);
}

/* The hart that runs is loaded anew in its own exit. */
static enum engine_next restart(struct rig *r, const struct engine_exit *exit)
{
	static const struct hart_state again = { .pc = RIG_BASE + 4,
						 .x[10] = 40 };

	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	engine_ctx_load(r->e, r->ctx[0], &again);
	return ENGINE_RESUME;
}

TEST_TIMES(an_exit_loads_its_own_hart, RIG_KINDS)
{
	static const uint32_t code[] = { CSRRS(11, PMU_CSR_MSTATUS, 0),
					 ADDI(10, 10, 2), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->script = restart;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 42);
	ck_assert_uint_eq(r->exit[1].pc, RIG_BASE + 8);
}

/* Where counter reads cannot be made to trap, they are stopped at. */
static enum engine_next answer(struct rig *r, const struct engine_exit *exit)
{
	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	if (exit->insn == CSRRW(3, PMU_CSR_INSTRET, 3))
		rig_skip(r, exit);
	else
		rig_retire(r, exit, r->budget.done.n[PMU_EV_INSNS]);
	return ENGINE_RESUME;
}

TEST_TIMES(counters_are_exact_where_they_do_not_trap, 2)
{
	static const uint32_t code[] = { NOP,
					 NOP,
					 CSRRS(10, PMU_CSR_CYCLE, 0),
					 CSRRS(11, PMU_CSR_INSTRET, 0),
					 CSRRW(3, PMU_CSR_INSTRET, 3),
					 NOP,
					 CSRRS(12, 0xc80, 0),
					 CSRRS(13, 0xc1f, 0),
					 CSRRS(14, 0xc9f, 0),
					 EBREAK };
	const struct engine_config cfg = {
		.xlen = 32,
		.engines = 2,
		.step_only = _i,
		.stop_at_counters = true,
	};
	struct rig *r = rig_new_config(&cfg);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, 3, 1234);
	r->script = answer;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 2);
	ck_assert_uint_eq(rig_x(r, 11), 3);
	ck_assert_uint_eq(rig_x(r, 3), 1234);
	ck_assert_uint_eq(rig_x(r, 12), 5);
	ck_assert_uint_eq(rig_x(r, 13), 6);
	ck_assert_uint_eq(rig_x(r, 14), 7);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 8);
	rig_free(r);
}

SUITE("engine-state", .test_case = "state", .timeout = 30,
      .setup_all = rigs_open, .teardown_all = rigs_close);
