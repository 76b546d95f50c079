/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads and stores to devices, and plain ones to watched RAM. Their fill
 * fails, so the access has not begun: it is decoded, handed to the host,
 * finished and counted here. A device takes aligned accesses of 1, 2, 4 or 8
 * bytes and nothing atomic; anything else is an access fault (it has no PMA for
 * misaligned accesses, AMO or LR/SC), to watched RAM it is left to watch.c.
 */
#include "adapter.h"

struct access {
	struct pmu_insn insn;
	uint32_t word;
	unsigned fpr; /* floating-point register, if it is one */
	bool is_signed;
};

/* What struct pmu_insn leaves open: extension and floating-point register. */
static void refine(struct access *a)
{
	uint32_t w = a->word;
	bool sp = (w & 3) == 2; /* c.lwsp and its family */

	if (a->insn.len == 4) {
		a->is_signed = !(w >> 14 & 1);
		a->fpr = (a->insn.flags & PMU_INSN_STORE ? w >> 20 : w >> 7) &
			 31;
		return;
	}
	a->is_signed = true;
	if (!sp)
		a->fpr = (w >> 2 & 7) + 8;
	else
		a->fpr =
			(a->insn.flags & PMU_INSN_STORE ? w >> 2 : w >> 7) & 31;
}

static uint64_t size_mask(unsigned size)
{
	return size == 8 ? UINT64_MAX : (UINT64_C(1) << size * 8) - 1;
}

static void finish_load(struct slot *s, const struct access *a, uint64_t value)
{
	uint64_t mask = size_mask(a->insn.size);
	uint64_t sign = mask ^ mask >> 1;

	value &= mask;
	if (a->insn.flags & PMU_INSN_FP) {
		regs_set_f(s, a->fpr, value | ~mask);
		float_written(&s->e->live->fp, a->fpr);
		return;
	}
	if (a->is_signed && value & sign)
		value |= ~mask;
	regs_set_x(s, a->insn.rd, value);
}

static uint64_t store_value(struct slot *s, const struct access *a)
{
	uint64_t value;

	if (a->insn.flags & PMU_INSN_FP)
		value = float_value(&s->e->live->fp, a->fpr, regs_f(s, a->fpr));
	else
		value = regs_x(s, a->insn.rs2);
	return value & size_mask(a->insn.size);
}

static void count(struct engine *e, const struct access *a)
{
	uint64_t *done = e->budget->done.n;

	done[PMU_EV_INSNS]++;
	done[PMU_EV_LOADS] += (a->insn.flags & PMU_INSN_LOAD) != 0;
	done[PMU_EV_STORES] += (a->insn.flags & PMU_INSN_STORE) != 0;
	e->progressed = true;
	e->live->passing = false;
}

/* Is it an access that devices take, wholly in the page that was filled? */
static bool plain(const struct engine *e, const struct access *a, uint64_t addr)
{
	const unsigned atomic = PMU_INSN_AMO | PMU_INSN_LR | PMU_INSN_SC;

	if (a->insn.size == 0 || a->insn.flags & atomic)
		return false;
	return addr % a->insn.size == 0 && PAGE_OF(addr) == e->fault.vaddr;
}

bool mmio_run(struct slot *s, struct engine_exit *exit)
{
	struct engine *e = s->e;
	struct access a = { .word = 0 };
	struct engine_mmio mmio = { .value = 0 };
	uint64_t addr;

	if (fetch_insn(s, exit->pc, &a.word) == 0)
		return false;
	pmu_insn_decode(a.word, e->cfg.xlen, &a.insn);
	refine(&a);
	addr = regs_x(s, a.insn.rs1) + (uint64_t)(int64_t)a.insn.imm;
	addr &= engine_mask(e);
	if (!plain(e, &a, addr))
		return false;
	mmio.vaddr = addr;
	mmio.paddr = e->fault.paddr | (addr & (PAGE_SIZE - 1));
	mmio.size = a.insn.size;
	mmio.write = a.insn.flags & PMU_INSN_STORE;
	if (mmio.write)
		mmio.value = store_value(s, &a);
	if (!e->ops->mmio(e->host, &mmio))
		return false;
	if (!mmio.write)
		finish_load(s, &a, mmio.value);
	count(e, &a);
	feed_made(s, exit->pc, &mmio, !e->fault.watched);
	e->budget->last_pc = exit->pc;
	e->live->pc = (exit->pc + a.insn.len) & engine_mask(e);
	return true;
}
