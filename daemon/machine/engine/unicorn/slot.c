/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is asked of a slot from outside its hooks, and how one of them ends the
 * run. Where its registers come from is regs.c's.
 */
#include "adapter.h"

#include <string.h>
#include <sys/mman.h>

void slot_forget(struct slot *s)
{
	/* as the kernel gives them, unless somebody has locked them */
	if (madvise(s->blocks, slot_table_size(s), MADV_DONTNEED))
		memset(s->blocks, 0, slot_table_size(s));
}

void slot_flush(struct slot *s)
{
	uc_ctl_flush_tlb(s->uc);
	memset(s->filled, 0, sizeof(s->filled));
	s->stale = false;
	s->poisoned = false;
	s->epoch += UINT64_C(1) << 32;
	if (s->epoch >> 32 == 0) {
		slot_forget(s);
		s->epoch += UINT64_C(1) << 32;
	}
}

uint64_t slot_pc(const struct slot *s)
{
	uint64_t pc = 0;

	uc_reg_read(s->uc, UC_RISCV_REG_PC, &pc);
	return pc;
}

void slot_stop(struct slot *s, uint64_t pc, enum outcome out)
{
	s->e->out = out;
	s->e->live->pc = pc;
	uc_emu_stop(s->uc);
}
