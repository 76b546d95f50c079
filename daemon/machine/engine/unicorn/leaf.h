/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The leaves: what the host's walks have answered since translations were
 * dropped last, page by page. All slots fill from them, so that none of what
 * their TLBs hold or have lost can be seen by a guest.
 */
#ifndef UNICORN_LEAF_H
#define UNICORN_LEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine-host.h"

enum {
	LEAF_ENTRIES = 1 << 16, /* 24 bytes each */
	LEAF_MAX = LEAF_ENTRIES / 2,
	LEAF_SPACES = 16, /* engine_set_space() */
	LEAF_TAGS = 8,	  /* kinds of keys, for leaves_fence() */
};

struct leaf {
	uint64_t key; /* of key_of() or super_key() of leaf.c */
	uint64_t paddr;
	uint32_t epoch;	 /* another than that of its leaves: free */
	uint8_t perms;	 /* 0: fenced, nothing is known */
	uint8_t watched; /* what the walk said, as are @device and @by_sum */
	bool device : 1, by_sum : 1;
	bool listed : 1; /* in leaves.by_sum */
	uint8_t unused;
};

struct leaves {
	struct leaf *entries;
	uint32_t epoch, n;
	uint16_t space; /* of leaf_space() */
	/* what keys there are, see leaf.c */
	uint16_t tags[LEAF_TAGS];
	uint8_t n_tags;
	bool more_tags;
	uint64_t sizes;
	uint16_t *by_sum; /* places of leaves that hold by SUM, or have */
	uint32_t n_by_sum;
};

bool leaves_init(struct leaves *l);
void leaves_fini(struct leaves *l);
void leaves_drop(struct leaves *l);
/* What a fence has forgotten. */
enum leaf_fence {
	LEAF_FENCE_NONE, /* nothing was known of the page */
	LEAF_FENCE_DATA, /* its leaves, and none that may be executed */
	LEAF_FENCE_CODE, /* its leaves */
	LEAF_FENCE_ALL,	 /* all leaves: it is part of a superpage */
};

/* Forgets what is known of the page at @vaddr in all spaces. */
enum leaf_fence leaves_fence(struct leaves *l, uint64_t vaddr);
/* Forgets a leaf that holds by SUM, of the page at *@ret. False: none does. */
bool leaves_pop_by_sum(struct leaves *l, uint64_t *ret);
bool leaves_are_full(const struct leaves *l);

uint16_t leaf_space(uint8_t fetch, uint8_t data);
/* The leaf that allows @access at @vaddr; NULL: none, a walk is due. */
const struct leaf *leaf_find(const struct leaves *l, uint64_t vaddr,
			     enum pmu_access access);
/*
 * Keeps what a walk has answered, in place of what was known of the page. Not
 * called when full. False: others may go by what was known, and must not.
 */
bool leaf_keep(struct leaves *l, const struct engine_walk *walk);

/* The leaf at or behind place *@at, which is moved behind it, or NULL. */
const struct leaf *leaf_next(const struct leaves *l, size_t *at);
/* Puts one back that another table gave. */
void leaf_put(struct leaves *l, const struct leaf *leaf);

#endif
