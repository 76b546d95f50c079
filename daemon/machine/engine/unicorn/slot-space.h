/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spaces: whose translations code runs with. Unicorn has a TLB for each of its
 * privileges, so that one slot can serve several, see docs/ENGINE.md.
 */
#ifndef UNICORN_SLOT_SPACE_H
#define UNICORN_SLOT_SPACE_H

#include <stdint.h>

struct slot;

enum {
	SLOT_SPACES = 4, /* TLBs of Unicorn, one for each privilege */
	SPACE_AT = 28,	 /* which of them is used, in slot.epoch */
	SPACE_NONE = UINT16_MAX,
};

/* Whose translations (leaf.h) the TLBs of a slot hold. */
struct slot_spaces {
	uint16_t of[SLOT_SPACES];
	uint8_t n;    /* TLBs that are used: 1 or all */
	uint8_t at;   /* the one that code runs with */
	uint8_t next; /* to be given another space */
};

/* Code runs with the translations of @space from now on. */
void slot_enter_space(struct slot *s, uint16_t space);
/* Unicorn's CPU uses the TLB that it should; its registers are new. */
void slot_use_space(struct slot *s);

#endif
