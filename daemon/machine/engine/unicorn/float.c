/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What Unicorn's floating point does otherwise than the specification, made
 * good around it. It leaves anything above a single-precision result, and takes
 * operands whatever is above them: so it is kept which registers are boxed
 * though Unicorn's are not, and which may not be boxed. A block whose operands
 * are as they must be runs as it is. Where one is not, the step slot puts what
 * the instruction is to read in its place, for this instruction.
 *
 * Its fmin and fmax give a NaN where just one operand is a signalling NaN: that
 * operand is replaced by the other one, and the flag is raised here.
 */
#include "adapter.h"

#include <pmu/insn-field.h>

static const uint64_t BOX = UINT64_C(0xffffffff) << 32;
static const uint64_t CANONICAL = UINT64_C(0xffffffff7fc00000);

enum {
	FLAG_NV = 0x10
};

static uint32_t bit(unsigned n)
{
	return UINT32_C(1) << n;
}

uint64_t float_value(const struct float_state *f, unsigned n, uint64_t raw)
{
	return f->now & bit(n) ? raw | BOX : raw;
}

void float_written(struct float_state *f, unsigned n)
{
	f->now &= ~(uint64_t)bit(n);
	f->now |= (uint64_t)bit(n) << 32;
}

bool float_decode(const struct pmu_insn_fp *insn, struct pmu_insn_fp *block)
{
	bool clear = !(insn->reads_single & block->writes_double) &&
		     !(insn->reads_double & block->writes_single);

	block->reads_single |= insn->reads_single & ~block->writes_single;
	block->reads_double |= insn->reads_double & ~block->writes_double;
	block->writes_single &= ~insn->writes_double;
	block->writes_double &= ~insn->writes_single;
	block->writes_single |= insn->writes_single;
	block->writes_double |= insn->writes_double;
	return clear;
}

void float_leave_early(struct float_state *f, const struct pmu_insn_fp *done)
{
	const struct float_use use = float_use(done);

	f->now = f->before;
	float_enter(f, &use);
}

/* Registers that are read whole get their box. */
static void box(struct slot *s, uint32_t regs)
{
	for (unsigned n = 0; n < 32 && regs >> n != 0; n++)
		if (regs & bit(n))
			regs_set_f(s, n, regs_f(s, n) | BOX);
	s->e->live->fp.now &= ~(uint64_t)regs;
}

/* Which of the registers are not boxed. */
static uint32_t unboxed(struct slot *s, uint32_t regs)
{
	uint32_t bad = 0;

	for (unsigned n = 0; n < 32 && regs >> n != 0; n++)
		if (regs & bit(n) && regs_f(s, n) >> 32 != UINT32_MAX)
			bad |= bit(n);
	s->e->live->fp.now &= ~((uint64_t)(regs & ~bad) << 32);
	return bad;
}

/* Returns which of the registers are not boxed and have to be. */
static uint32_t look(struct slot *s, const struct float_use *use)
{
	uint64_t open = use->none & s->e->live->fp.now;

	box(s, (uint32_t)open);
	return unboxed(s, (uint32_t)(open >> 32));
}

bool float_admits(struct slot *s, const struct float_use *use)
{
	return look(s, use) == 0;
}

/* In the step slot */

static void hold(struct slot *s, unsigned n, uint64_t instead)
{
	struct float_held *h = &s->e->held;

	h->reg[h->n] = (uint8_t)n;
	h->value[h->n] = regs_f(s, n);
	h->n++;
	regs_set_f(s, n, instead);
}

static bool is_nan(uint64_t value, bool single)
{
	return single ? (value & 0x7fffffff) > 0x7f800000
		      : (value & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static bool is_signalling(uint64_t value, bool single)
{
	return is_nan(value, single) && !(value >> (single ? 22 : 51) & 1);
}

static void raise_invalid(struct slot *s)
{
	uint64_t fcsr = 0;

	uc_reg_read(s->uc, UC_RISCV_REG_FCSR, &fcsr);
	fcsr |= FLAG_NV;
	uc_reg_write(s->uc, UC_RISCV_REG_FCSR, &fcsr);
}

/* As fmin and fmax read it. */
static uint64_t operand(struct slot *s, unsigned n, bool single)
{
	uint64_t value = float_value(&s->e->live->fp, n, regs_f(s, n));

	return single && value >> 32 != UINT32_MAX ? CANONICAL : value;
}

/* The operand of @word to be replaced by the other one: 1, 2, or 0: none. */
static unsigned odd_one(struct slot *s, uint32_t word)
{
	bool single = !pmu_insn_format(word);
	uint64_t a = operand(s, pmu_insn_rs1(word), single);
	uint64_t b = operand(s, pmu_insn_rs2(word), single);

	if (is_nan(a, single) == is_nan(b, single))
		return 0;
	return is_signalling(a, single) ? 1 : is_signalling(b, single) ? 2 : 0;
}

void float_prepare(struct slot *s, uint64_t pc, uint32_t word)
{
	struct engine *e = s->e;
	unsigned rs1 = pmu_insn_rs1(word), rs2 = pmu_insn_rs2(word);
	unsigned odd = 0;
	struct float_use use;
	struct pmu_insn insn;
	struct pmu_insn_fp fp;
	uint32_t bad;

	pmu_insn_decode(word, e->cfg.xlen, &insn);
	pmu_insn_decode_fp(word, &insn, &fp);
	use = float_use(&fp);
	bad = look(s, &use);
	e->held = (struct float_held){
		.pc = pc,
		.writes = fp.writes_single | fp.writes_double,
	};
	/* native: not here either, or results would depend on where it is cut
	 */
	if (fp.minmax && !e->cfg.native_minmax && e->live->fp_on)
		odd = odd_one(s, word);
	if (odd) {
		raise_invalid(s);
		hold(s, odd == 1 ? rs1 : rs2, regs_f(s, odd == 1 ? rs2 : rs1));
		return;
	}
	for (unsigned n = 0; n < 32 && bad >> n != 0; n++)
		if (bad & bit(n))
			hold(s, n, CANONICAL);
}

void float_end(struct slot *s, uint64_t pc)
{
	struct float_held *h = &s->e->held;

	for (unsigned i = 0; i < h->n; i++)
		if (pc == h->pc || !(h->writes & bit(h->reg[i])))
			regs_set_f(s, h->reg[i], h->value[i]);
	h->n = 0;
}
