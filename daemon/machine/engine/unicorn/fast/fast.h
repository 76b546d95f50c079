/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks that count by themselves, see docs/ENGINE.md: the call of the block
 * hook in Unicorn's generated code is replaced by the counting itself. All that
 * the rest of the adapter knows of it is here; where anything is not exactly as
 * expected nothing is replaced, and the hook counts.
 */
#ifndef UNICORN_FAST_FAST_H
#define UNICORN_FAST_FAST_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct page;
struct slot;
struct fast;

/* slot.current has the number of a site, else 1 + an index, else 0. */
#define FAST_SITE (1u << 31)

/*
 * Block @current is at the end of the window: looks what is due; false: stop
 * before it.
 */
typedef bool fast_look_fn(struct slot *s, const struct block *b,
			  uint32_t current);

/*
 * Of a slot that executes blocks, and not steps. NULL when there is no memory,
 * or nothing for this host.
 */
struct fast *fast_new(struct slot *s, fast_look_fn *look);
void fast_free(struct fast *f);
/* The block of site @n. */
const struct block *fast_block(const struct fast *f, uint32_t n);
/*
 * Makes the block whose hook was called from @ret, and which is @b of @size
 * bytes, count by itself; false: it does not.
 */
bool fast_take(struct slot *s, const struct block *b, uint32_t size,
	       uint8_t *ret);
/* Gives all of them back to the hook. Not from inside a run. */
void fast_undo(struct fast *f);
/* Only those of @page, whose code goes. */
void fast_undo_page(struct fast *f, const struct page *page);
/* The code buffer was emptied: there are none. */
void fast_forget(struct fast *f);
/* Are all of them as they were written? */
bool fast_intact(const struct fast *f);
/* How many there are. */
uint32_t fast_sites(const struct fast *f);

/*
 * For tests: what is expected becomes wrong.
 */
enum fast_spoil {
	FAST_AS_IT_IS,
	FAST_SPOIL_ARGS,  /* another value of an argument */
	FAST_SPOIL_CHECK, /* other bytes behind the call */
	FAST_SPOIL_REACH, /* the word of counts is too far away */
	FAST_SPOIL_FULL,  /* there is no site left */
	FAST_SPOIL_LATER, /* a byte changes, after the self test */
	/* of the exits: */
	FAST_SPOIL_X,	   /* another value of a register */
	FAST_SPOIL_PC,	   /* another pc */
	FAST_SPOIL_WORDS,  /* other words than those of a saved context */
	FAST_SPOIL_SOURCE, /* another value of what an access writes */
	FAST_SPOIL_OUT,	   /* the way out of a block is another one */
	/* of the TLBs: */
	FAST_SPOIL_PAGE,  /* another page is emptied */
	FAST_SPOIL_CLEAN, /* code that is written is not looked for */
	FAST_SPOIL_SPACE, /* another word is taken for the privilege */
};

#endif
