/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Floating-point registers as the specification has them, beside those that
 * Unicorn has; see float.c.
 */
#ifndef UNICORN_FLOAT_H
#define UNICORN_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/insn.h>

struct slot;

/*
 * A bit for each register. Low half: it is boxed, though Unicorn's is not. High
 * half: it may be boxed or not.
 */
struct float_state {
	uint64_t now, before; /* before the block that was entered last */
};

/* What a block does: of which bits it wants none, which it sets and clears. */
struct float_use {
	uint64_t none, set, clear;
};

/* Registers that hold something else while an instruction is stepped over. */
struct float_held {
	unsigned n;
	uint64_t pc;
	uint32_t writes;
	uint8_t reg[3];
	uint64_t value[3];
};

/* May it run without a look at the registers? */
static inline bool float_runs_as_is(const struct float_state *f,
				    const struct float_use *use)
{
	return !(use->none & f->now);
}

/* It runs. */
static inline void float_enter(struct float_state *f,
			       const struct float_use *use)
{
	f->before = f->now;
	f->now = (f->now & ~use->clear) | use->set;
}

static inline struct float_use float_use(const struct pmu_insn_fp *fp)
{
	return (struct float_use){
		.none = fp->reads_double | (uint64_t)fp->reads_single << 32,
		.set = fp->writes_single | (uint64_t)fp->writes_double << 32,
		.clear = fp->writes_double | (uint64_t)fp->writes_single << 32,
	};
}

/* Of what was entered last, only @done was done. */
void float_leave_early(struct float_state *f, const struct pmu_insn_fp *done);
/* Register @n, which Unicorn has as @raw. */
uint64_t float_value(const struct float_state *f, unsigned n, uint64_t raw);
/* Register @n was written by the adapter, not by code. */
void float_written(struct float_state *f, unsigned n);
/* Adds @insn to @block; false: what it reads is only known in between. */
bool float_decode(const struct pmu_insn_fp *insn, struct pmu_insn_fp *block);
/* May it run, after a look at the registers? */
bool float_admits(struct slot *s, const struct float_use *use);
/* The step slot runs @word at @pc next: puts its operands in place; then back.
 */
void float_prepare(struct slot *s, uint64_t pc, uint32_t word);
void float_end(struct slot *s, uint64_t pc);

#endif
