/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scripts for a hart: a row of a test is a list of small steps (write this CSR,
 * retire so many instructions, expect that value). Which rule a script shows
 * is said by its row.
 */
#ifndef TESTS_HART_SCRIPT_H
#define TESTS_HART_SCRIPT_H

#include <stdint.h>

#include <pmu/counter.h>
#include <pmu/csr.h>
#include <pmu/ebb-unit.h>
#include <pmu/exec.h>
#include <pmu/hart.h>
#include <pmu/rule.h>
#include <pmu/trap.h>

#include "../../guests/common/csr-short.h"

enum step_op {
	STEP_END,
	STEP_POKE, /* write as M-mode, no instruction */
	STEP_PEEK, /* expect, read as M-mode */
	STEP_CSRW, /* these three retire as an instruction */
	STEP_CSRS,
	STEP_CSRC,
	STEP_CSRR,	/* expect; retires */
	STEP_ILLEGAL_R, /* expect an illegal read; nothing retires */
	STEP_ILLEGAL_W, /* the same for csrrs from a register that holds 0 */
	STEP_VIRTUAL_R, /* expect a virtual instruction; nothing retires */
	STEP_VIRTUAL_W,
	STEP_EFFECTS, /* expect these effects, and no others, of the last op */
	STEP_MODE,
	STEP_RUN,      /* v instructions retire */
	STEP_COUNT,    /* event num happens v times, without instructions */
	STEP_FETCHED,  /* what happens next is of an instruction's fetch */
	STEP_EMULATED, /* firmware emulates one instruction */
	STEP_IDLE,     /* v cycles pass in WFI */
	STEP_HALT,     /* v pass there while its clock stands */
	STEP_NOW,      /* the clock is v from here on */
	STEP_LIMIT,    /* expect limit v for engine event num */
	STEP_IDLE_LIMIT,
	STEP_HALT_LIMIT,
	STEP_OVERFLOWED, /* expect pmu_counter_overflowed(num) == v */
	STEP_TAKE,	 /* expect overflows of these counters, and take them */
	STEP_LINE,	 /* a device drives interrupt num to v */
	STEP_SOFT,	 /* firmware sets software's interrupt num to v */
	STEP_GUEST_LINE, /* the same for guest external interrupt num */
	STEP_TIMER,	 /* expect pmu_timer_next() == v */
	STEP_TOTAL,	 /* expect total v of event num in the current mode */
	STEP_EXEC,	 /* instruction v, which must retire */
	STEP_NEXT,	 /* expect interrupt v next, 0: none */
	STEP_ENTER,	 /* the next interrupt is taken; expect its cause */
	STEP_FAULT,	 /* an exception of cause v is taken */
	STEP_WAKES,	 /* expect pmu_hart_wakes() == v */
	STEP_IN,	 /* expect this mode */
	STEP_BRANCHES,	 /* expect pmu_hart_branches() == v */
	STEP_BRANCH,	 /* it branches, at pc 0x1000; expect handler v */
	STEP_BACK,	 /* instruction num (0, 1) of ebbret goes on at v */
	STEP_RESET,
};

struct step {
	enum step_op op;
	uint16_t num;
	uint64_t v;
};

/* clang-format off */
#define POKE(num, v) { STEP_POKE, num, v }
#define PEEK(num, v) { STEP_PEEK, num, v }
#define CSRW(num, v) { STEP_CSRW, num, v }
#define CSRS(num, v) { STEP_CSRS, num, v }
#define CSRC(num, v) { STEP_CSRC, num, v }
#define CSRR(num, v) { STEP_CSRR, num, v }
#define ILLEGAL_R(num) { STEP_ILLEGAL_R, num, 0 }
#define ILLEGAL_W(num) { STEP_ILLEGAL_W, num, 0 }
#define VIRTUAL_R(num) { STEP_VIRTUAL_R, num, 0 }
#define VIRTUAL_W(num) { STEP_VIRTUAL_W, num, 0 }
#define EFFECTS(v) { STEP_EFFECTS, 0, v }
#define MODE(m) { STEP_MODE, 0, PMU_MODE_##m }
#define RUN(n) { STEP_RUN, 0, n }
#define COUNT(event, n) { STEP_COUNT, PMU_EV_##event, n }
#define FETCHED() { STEP_FETCHED, 0, 0 }
#define EMULATED() { STEP_EMULATED, 0, 0 }
#define IDLE(n) { STEP_IDLE, 0, n }
#define HALT(n) { STEP_HALT, 0, n }
#define NOW(n) { STEP_NOW, 0, n }
#define LIMIT(event, n) { STEP_LIMIT, PMU_EV_##event, n }
#define IDLE_LIMIT(n) { STEP_IDLE_LIMIT, 0, n }
#define HALT_LIMIT(n) { STEP_HALT_LIMIT, 0, n }
#define OVERFLOWED(num, v) { STEP_OVERFLOWED, num, v }
#define LINE(irq, v) { STEP_LINE, PMU_IRQ_##irq, v }
#define SOFT(irq, v) { STEP_SOFT, PMU_IRQ_##irq, v }
#define GUEST_LINE(n, v) { STEP_GUEST_LINE, n, v }
#define TIMER(cycle) { STEP_TIMER, 0, cycle }
#define TAKE(mask) { STEP_TAKE, 0, mask }
#define TOTAL(event, n) { STEP_TOTAL, PMU_EV_##event, n }
#define EXEC(insn) { STEP_EXEC, 0, insn }
#define NEXT(irq) { STEP_NEXT, 0, PMU_IRQ_##irq }
#define NO_NEXT() { STEP_NEXT, 0, 0 }
#define ENTER(irq) { STEP_ENTER, 0, PMU_IRQ_##irq }
#define FAULT(cause) { STEP_FAULT, 0, cause }
#define WAKES(v) { STEP_WAKES, 0, v }
#define EBB_DUE(v) { STEP_BRANCHES, 0, v }
#define EBB_TAKE(handler) { STEP_BRANCH, 0, handler }
#define EBB_BACK(on, to) { STEP_BACK, on, to }
#define RESET() { STEP_RESET, 0, 0 }
#define IN(m) { STEP_IN, 0, PMU_MODE_##m }
/* clang-format on */

enum {
	SCRIPT_STEPS = 32
};

struct script {
	const char *why, *rule;
	unsigned xlen;	   /* 0: both */
	uint32_t add, del; /* extensions added to and taken from default */
	struct step steps[SCRIPT_STEPS];
	unsigned width;	   /* of all hpm counters, 0: 64 */
	uint32_t cpi;	   /* 0: 1 */
	uint32_t hpm_mask; /* 0: all */
	unsigned guest_irqs;
	unsigned pmp_entries;	 /* 0, 16, 64 */
	uint64_t ref_hz, bus_hz; /* of 1 GHz */
};

/*
 * A hart of @xlen with the default extensions and what @script says, ready to
 * use. H brings Shcounterenw.
 */
struct pmu_hart *script_hart(const struct script *script, unsigned xlen);
/* Runs the script on RV32 or RV64 or both; fails the test at a wrong step. */
void script_run(const struct script *script);

#endif
