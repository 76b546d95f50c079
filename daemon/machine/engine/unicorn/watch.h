/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses to watched RAM that are more than a plain one; see watch.c.
 */
#ifndef UNICORN_WATCH_H
#define UNICORN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/insn.h>

#include "engine/engine-host.h"
#include "slot.h"

/* One access that runs in the step slot. */
struct watch {
	bool on;
	uint64_t pc, addr;
	struct pmu_insn insn;
	unsigned n_pages;
	struct watch_page {
		uint64_t vaddr, paddr;
	} page[2];
};

/*
 * The access at @pc runs next, its pages lent to it. It is translated apart, so
 * what it is then may be something else.
 */
enum outcome watch_lend(struct slot *s, uint64_t pc);
/* The step slot runs @b, one instruction, while watch.on. */
void watch_begin(struct slot *s, const struct block *b);
/* A fill of watched RAM: may it be accessed now? */
bool watch_admits(struct engine *e, const struct engine_walk *walk);
/* Execution is at @pc: if the access is over, tells of it and ends the loan. */
bool watch_end(struct slot *s, uint64_t pc);

#endif
