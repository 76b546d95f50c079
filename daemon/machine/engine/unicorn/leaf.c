/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of leaves. It decides when a leaf is found, kept and forgotten:
 * found by page, space and kind of access; kept once an access that executes
 * was walked; forgotten by a fence of its page, when SUM is cleared if it holds
 * by that, or with all others, by a fence or when there are LEAF_MAX. All of
 * that follows from the guest's own accesses and from nothing else.
 *
 * A fence has an address and no space, so the low bits that keys have had are
 * kept (tags). Of a superpage, of whatever size, a leaf is kept as well that
 * nobody finds: all pages of it have one key. Which sizes there were is kept.
 */
#include "leaf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE_BITS = 12,
	FETCH_BIT = 1 << 8,
	SUPER_BIT = 1 << 9, /* of a superpage; the bits below are its size */
	TAG_MASK = (1 << PAGE_BITS) - 1,
	GROUP_BITS = 4, /* neighbours lie together */
	GROUPS_BITS = 12,
};

_Static_assert(1 << (GROUP_BITS + GROUPS_BITS) == LEAF_ENTRIES,
	       "a group for each hash");

bool leaves_init(struct leaves *l)
{
	l->entries = calloc(LEAF_ENTRIES, sizeof(*l->entries));
	l->by_sum = calloc(LEAF_ENTRIES, sizeof(*l->by_sum));
	l->epoch = 1;
	return l->entries != NULL && l->by_sum != NULL;
}

void leaves_fini(struct leaves *l)
{
	free(l->entries);
	free(l->by_sum);
}

void leaves_drop(struct leaves *l)
{
	l->n = 0;
	l->n_by_sum = 0;
	l->n_tags = 0;
	l->more_tags = false;
	l->sizes = 0;
	if (++l->epoch != 0)
		return;
	memset(l->entries, 0, LEAF_ENTRIES * sizeof(*l->entries));
	l->epoch = 1;
}

bool leaves_are_full(const struct leaves *l)
{
	return l->n >= LEAF_MAX;
}

uint16_t leaf_space(uint8_t fetch, uint8_t data)
{
	assert(fetch < LEAF_SPACES && data < LEAF_SPACES);
	return (uint16_t)(fetch | data * LEAF_SPACES);
}

/* Where fetches and data have spaces of their own, leaves of their own. */
static uint64_t key_of(const struct leaves *l, uint64_t vaddr,
		       enum pmu_access access)
{
	bool split = l->space % LEAF_SPACES != l->space / LEAF_SPACES;
	uint64_t page = vaddr >> PAGE_BITS << PAGE_BITS;

	if (split && access == PMU_ACCESS_FETCH)
		page |= FETCH_BIT;
	return page | l->space;
}

/* The place of @key: its leaf, or the first that is free. */
static struct leaf *place_of(const struct leaves *l, uint64_t key)
{
	const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t page = key >> PAGE_BITS;
	uint64_t group = page >> GROUP_BITS | key << (64 - PAGE_BITS);
	uint64_t at = group * golden >> (64 - GROUPS_BITS) << GROUP_BITS;

	at += page % (1 << GROUP_BITS);
	for (;; at++) {
		struct leaf *leaf = &l->entries[at % LEAF_ENTRIES];

		if (leaf->epoch != l->epoch || leaf->key == key)
			return leaf;
	}
}

const struct leaf *leaf_find(const struct leaves *l, uint64_t vaddr,
			     enum pmu_access access)
{
	static const uint8_t needed[] = {
		[PMU_ACCESS_FETCH] = PMU_PERM_X,
		[PMU_ACCESS_LOAD] = PMU_PERM_R,
		[PMU_ACCESS_STORE] = PMU_PERM_W,
	};
	const struct leaf *leaf = place_of(l, key_of(l, vaddr, access));

	if (leaf->epoch != l->epoch || !(leaf->perms & needed[access]))
		return NULL;
	return leaf;
}

/* Of the superpage of 2^@bits bytes that @vaddr lies in. */
static uint64_t super_key(uint64_t vaddr, unsigned bits)
{
	return vaddr >> bits << bits | SUPER_BIT | bits;
}

/* There is a leaf of @key now. */
static void note_key(struct leaves *l, uint64_t key)
{
	uint16_t tag = key & TAG_MASK;

	if (tag & SUPER_BIT) {
		l->sizes |= UINT64_C(1) << (tag & 63);
		return;
	}
	for (unsigned i = 0; i < l->n_tags; i++)
		if (l->tags[i] == tag)
			return;
	if (l->n_tags == LEAF_TAGS)
		l->more_tags = true;
	else
		l->tags[l->n_tags++] = tag;
}

void leaf_put(struct leaves *l, const struct leaf *leaf)
{
	struct leaf *place = place_of(l, leaf->key);
	bool known = place->epoch == l->epoch;
	bool listed = known && place->listed;

	l->n += !known;
	*place = *leaf;
	place->epoch = l->epoch;
	place->listed = listed || leaf->by_sum;
	if (leaf->by_sum && !listed)
		l->by_sum[l->n_by_sum++] = (uint16_t)(place - l->entries);
	note_key(l, leaf->key);
}

bool leaves_pop_by_sum(struct leaves *l, uint64_t *ret)
{
	while (l->n_by_sum != 0) {
		struct leaf *leaf = &l->entries[l->by_sum[--l->n_by_sum]];

		leaf->listed = false;
		if (!leaf->by_sum || leaf->perms == 0)
			continue;
		leaf->perms = 0;
		*ret = leaf->key >> PAGE_BITS << PAGE_BITS;
		return true;
	}
	return false;
}

static bool in_superpage(const struct leaves *l, uint64_t vaddr)
{
	for (unsigned bits = PAGE_BITS + 1; l->sizes >> bits; bits++)
		if (l->sizes >> bits & 1 &&
		    place_of(l, super_key(vaddr, bits))->epoch == l->epoch)
			return true;
	return false;
}

enum leaf_fence leaves_fence(struct leaves *l, uint64_t vaddr)
{
	uint64_t page = vaddr >> PAGE_BITS << PAGE_BITS;
	uint8_t known = 0;

	if (l->more_tags || in_superpage(l, vaddr)) {
		leaves_drop(l);
		return LEAF_FENCE_ALL;
	}
	for (unsigned i = 0; i < l->n_tags; i++) {
		struct leaf *leaf = place_of(l, page | l->tags[i]);

		if (leaf->epoch != l->epoch || leaf->perms == 0)
			continue;
		known |= leaf->perms;
		leaf->perms = 0;
	}
	if (known == 0)
		return LEAF_FENCE_NONE;
	return known & PMU_PERM_X ? LEAF_FENCE_CODE : LEAF_FENCE_DATA;
}

bool leaf_keep(struct leaves *l, const struct engine_walk *walk)
{
	uint64_t key = key_of(l, walk->vaddr, walk->access);
	struct leaf *leaf = place_of(l, key);
	const struct leaf old = *leaf;
	const struct leaf super = { .key = super_key(walk->vaddr,
						     walk->leaf_bits) };

	/* S-mode runs no user's code, so no block goes with SUM */
	assert(!walk->by_sum || !(walk->perms & PMU_PERM_X));
	leaf_put(l, &(struct leaf){
			    .key = key,
			    .paddr = walk->paddr,
			    .perms = walk->perms,
			    .watched = walk->watched,
			    .device = walk->device,
			    .by_sum = walk->by_sum,
		    });
	if (walk->leaf_bits > PAGE_BITS)
		leaf_put(l, &super);
	if (old.epoch != l->epoch || old.perms == 0)
		return true;
	return old.paddr == leaf->paddr && old.device == leaf->device &&
	       !(old.perms & ~leaf->perms);
}

const struct leaf *leaf_next(const struct leaves *l, size_t *at)
{
	while (*at < LEAF_ENTRIES) {
		const struct leaf *leaf = &l->entries[(*at)++];

		if (leaf->epoch == l->epoch)
			return leaf;
	}
	return NULL;
}
