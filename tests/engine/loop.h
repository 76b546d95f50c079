/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A loop that has something of everything, and where limits stop in it: each
 * way of running has to stop where instruction by instruction does.
 */
#ifndef TESTS_ENGINE_LOOP_H
#define TESTS_ENGINE_LOOP_H

#include <string.h>

#include "asm.h"
#include "rig.h"
#include "rows.h"

/* Jumped over. */
#define NEVER ADDI(14, 14, 100)

/* A loop of 24 instructions that has something of everything. */
static const uint32_t loop[] = {
	ADDI(10, 10, 1),
	SW(10, 5, 0),
	LW(11, 5, 0),
	PAIR(C_INC(12), C_INC(12)),
	AMOADD_W(13, 5, 10),
	ADD(12, 12, 11),
	BEQ(10, 0, 8),
	ADDI(14, 14, 1),
	BNE(10, 0, 8),
	NEVER,
	PAIR(C_SW(1, 6), C_LW(3, 6)),
	LR_W(15, 5),
	SC_W(16, 5, 12),
	FLW(1, 5, 0),
	FSW(1, 5, 4),
	MUL(17, 17, 12),
	FADD_S(2, 2, 1),
	CSRRS(18, PMU_CSR_FFLAGS, 0),
	ADDI(19, 19, 3),
	SH(19, 5, 8),
	LBU(20, 5, 9),
	JAL(1, 8),
	NEVER,
	JAL(0, -4 * 23),
};
/* Its registers; each time the same, as is the memory it works on. */
static inline void begin_loop(struct rig *r)
{
	static const struct hart_state zero = { .pc = RIG_BASE, .fp_on = true };

	rig_open(r);
	memset(r->ram + 8 * RIG_PAGE, 0, RIG_PAGE);
	engine_ctx_load(r->e, r->ctx[0], &zero);
	rig_set_x(r, 5, RIG_AT(8));
	/* x8 + 6 */
	rig_set_x(r, 14, RIG_AT(8) + 16);
	rig_set_x(r, 17, 3);
}

static inline void load_loop(struct rig *r)
{
	rig_code(r, 0, loop, ARRAY_SIZE(loop));
	begin_loop(r);
}

struct stop {
	struct hart_state state;
	struct engine_budget budget;
};

/* Where a limit of @far on @event stops, from where it is. */
static inline void go_on(struct rig *r, int event, uint64_t far,
			 struct stop *ret)
{
	r->budget.limit.n[event] = far;
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(r->budget.done.n[event], far);
	engine_ctx_save(r->e, r->ctx[0], &ret->state);
	ret->budget = r->budget;
}

static inline void check_stop(const struct rig *r, const struct stop *got,
			      const struct stop *want)
{
	ck_assert_msg(memcmp(&want->state, &got->state, sizeof(got->state)) ==
			      0,
		      "%s: at %llx, not %llx", rig_name(r),
		      (unsigned long long)got->state.pc,
		      (unsigned long long)want->state.pc);
	ck_assert_mem_eq(&got->budget.done, &want->budget.done,
			 sizeof(got->budget.done));
	ck_assert_uint_eq(got->budget.last_pc, want->budget.last_pc);
}

/* Each from the start, as instruction by instruction from one to the next. */
static inline void check_distances(int i, const uint64_t *far, size_t n)
{
	unsigned first = (unsigned)i / PMU_N_ENGINE_EVENTS * RIG_MODES;
	int event = i % PMU_N_ENGINE_EVENTS;
	struct rig *r[RIG_MODES], *step;
	struct stop want, got;

	for (unsigned m = 0; m < RIG_MODES; m++) {
		r[m] = rig_pick(first + m);
		load_loop(r[m]);
	}
	step = r[RIG_MODES - 1];
	for (size_t at = 0; at < n; at++) {
		go_on(step, event, far[at], &want);
		for (unsigned m = 0; m < RIG_MODES - 1; m++) {
			begin_loop(r[m]);
			go_on(r[m], event, far[at], &got);
			check_stop(r[m], &got, &want);
		}
	}
}

#endif
