/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses to watched RAM that are more than a plain one: atomic, misaligned,
 * over a page's end, stores into code. No TLB lets code go there, so the fill
 * of such an access fails. It then runs alone in the step slot, to which the
 * page is lent for this one instruction, and the host is told of what it did.
 */
#include "adapter.h"

enum outcome watch_lend(struct slot *s, uint64_t pc)
{
	struct engine *e = s->e;

	e->watch = (struct watch){ .on = true, .pc = pc };
	e->step_lo = pc;
	e->step_hi = pc + 2;
	/* it has begun before: neither a breakpoint nor the host's turn is due
	 */
	e->live->passing = true;
	e->live->pass_pc = pc;
	e->progressed = false;
	return OUT_STEP;
}

void watch_begin(struct slot *s, const struct block *b)
{
	struct watch *w = &s->e->watch;

	pmu_insn_decode(b->last_word, s->e->cfg.xlen, &w->insn);
	w->addr = regs_x(s, w->insn.rs1) + (uint64_t)(int64_t)w->insn.imm;
}

bool watch_admits(struct engine *e, const struct engine_walk *walk)
{
	struct watch *w = &e->watch;

	if (!w->on || e->running != e->step)
		return false;
	for (unsigned i = 0; i < w->n_pages; i++)
		if (w->page[i].vaddr == PAGE_OF(walk->vaddr))
			return true;
	if (w->n_pages == sizeof(w->page) / sizeof(w->page[0]))
		return false;
	w->page[w->n_pages++] = (struct watch_page){ PAGE_OF(walk->vaddr),
						     PAGE_OF(walk->paddr) };
	return true;
}

/* What of the access lies in @page; 0 bytes: nothing. */
static uint64_t part(const struct engine *e, const struct watch_page *page,
		     uint64_t *ret_size)
{
	const struct watch *w = &e->watch;
	uint64_t into = (w->addr - page->vaddr) & engine_mask(e);
	uint64_t room = PAGE_SIZE - (w->addr & (PAGE_SIZE - 1));

	*ret_size = w->insn.size;
	if (into < PAGE_SIZE) {
		if (*ret_size > room)
			*ret_size = room;
		return page->paddr + into;
	}
	*ret_size = *ret_size > room ? *ret_size - room : 0;
	return page->paddr;
}

static void count(struct engine *e, unsigned flags, uint64_t by)
{
	uint64_t *done = e->budget->done.n;

	done[PMU_EV_INSNS] += by;
	done[PMU_EV_LOADS] += flags & PMU_INSN_LOAD ? by : 0;
	done[PMU_EV_STORES] += flags & PMU_INSN_STORE ? by : 0;
}

/* All but an SC that failed. */
static bool has_accessed(struct slot *s)
{
	const struct pmu_insn *insn = &s->e->watch.insn;

	return !(insn->flags & PMU_INSN_SC) || regs_x(s, insn->rd) == 0;
}

static void tell(struct engine *e)
{
	const struct watch *w = &e->watch;
	struct engine_access a = {
		.load = w->insn.flags & PMU_INSN_LOAD,
		.store = w->insn.flags & PMU_INSN_STORE,
	};

	/* as with a device: counts as they were before the instruction */
	count(e, w->insn.flags, UINT64_MAX);
	for (unsigned i = 0; i < w->n_pages; i++) {
		uint64_t size;

		a.paddr = part(e, &w->page[i], &size);
		a.vaddr = w->page[i].vaddr | (a.paddr & (PAGE_SIZE - 1));
		a.size = (uint8_t)size;
		if (size)
			e->ops->accessed(e->host, &a);
	}
	count(e, w->insn.flags, 1);
}

bool watch_end(struct slot *s, uint64_t pc)
{
	struct engine *e = s->e;
	struct watch *w = &e->watch;

	if (!w->on || !s->is_step || s->current == 0)
		return false;
	w->on = false;
	s->stale = true;
	e->step_lo = e->step_hi = 0;
	if (pc == w->pc) /* it faults */
		return false;
	slot_sync(s);
	if (has_accessed(s))
		tell(e);
	return true;
}
