/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guard of the code buffers: Unicorn misbehaves when one is full, so it is
 * emptied in time. Unicorn tells neither size nor fill level of what it
 * generates; what each instruction may take at most, measured on x86-64, is
 * added up instead.
 */
#include "adapter.h"

enum {
	/* descriptor, entry, hook, two exits */
	BLOCK_BYTES = 448,
	/* any instruction behind a code hook */
	STEP_BYTES = 336,
	ATOMIC_BYTES = 288,
	/* a memory access with its slow path, a division */
	LONG_BYTES = 112,
	SHORT_BYTES = 48,
};

static bool divides(uint32_t word)
{
	return (word & 0xfe004077) == 0x02004033;
}

uint32_t guard_insn_bytes(const struct pmu_insn *insn, uint32_t word)
{
	if (insn->flags & (PMU_INSN_AMO | PMU_INSN_SC))
		return ATOMIC_BYTES;
	return insn->size != 0 || divides(word) ? LONG_BYTES : SHORT_BYTES;
}

void guard_translated(struct slot *s, const uc_tb *tb)
{
	if (s->is_step) {
		s->tb_bytes += BLOCK_BYTES + (uint64_t)tb->icount * STEP_BYTES;
		return;
	}
	/* the slow path knows the instructions of the block that follows */
	s->translated = true;
	slot_force(s);
}

void guard_count(struct slot *s, const struct block *b)
{
	if (s->translated)
		s->tb_bytes += BLOCK_BYTES + b->bytes_max;
	s->translated = false;
}

void guard_run(struct slot *s)
{
	if (s->tb_bytes <= s->tb_limit)
		return;
	uc_ctl_flush_tb(s->uc);
	fast_forget(s->fast);
	s->tb_bytes = 0;
	s->emptied++;
}
