/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a slot's TLB is spared, see docs/ENGINE.md: that all of it is emptied
 * for one page, and that all of it is searched for each block that is
 * translated. Unicorn has functions for both, which its public interface does
 * not give; where it is linked statically, one is called and one has ours in
 * front.
 */
#ifndef UNICORN_FAST_TLB_H
#define UNICORN_FAST_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include <unicorn/unicorn.h>

struct slot;

/* One of the two. */
struct fast_spared {
	const char *off; /* why it is; NULL: it is on */
	uint64_t taken, all;
};

/*
 * How many pages may go alone, of one TLB. Unicorn counts the entries of a TLB,
 * and counts one down where a page goes that another one has driven out of its
 * place, which was counted down then; below 0 it would take the TLB for
 * overfull when it is emptied next, and double it. So no more pages go alone
 * than places must have been filled: those of pages whose lowest bits differ,
 * as no TLB of Unicorn's has fewer places than these have values.
 */
enum {
	FAST_CLASSES = 64
};
struct fast_filled {
	uint64_t classes; /* of pages filled since the TLB was emptied */
	unsigned gone;	  /* alone, since then */
};

void fast_filled(struct fast_filled *f, uint64_t vaddr);

/* Are Unicorn's functions there, and ours in front of them? */
bool fast_tlb_linked(void);
/* The CPU of @uc, whose TLB is emptied to meet it; NULL: it was not met. */
void *fast_cpu(uc_engine *uc);
/*
 * Empties what @s, whose CPU is known, has of the page at @vaddr. False: it may
 * not go alone.
 */
bool fast_flush_page(struct slot *s, uint64_t vaddr);

#endif
