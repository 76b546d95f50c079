/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of a table: one for the random numbers, one per set for the tree,
 * then the entries of each set. LRU keeps a set's entries in the order of their
 * use; with the others an entry stays where it was put. An entry's first word
 * is its number and one, so that 0 is none.
 */
#include "assoc.h"

#include <assert.h>

#include <pmu/uarch.h>

enum {
	ENTRY_WORDS = 2
};

size_t assoc_words(const struct assoc *a)
{
	if (a->sets == 0)
		return 0;
	return 1 + a->sets + (size_t)a->sets * a->ways * ENTRY_WORDS;
}

uint32_t assoc_set(const struct assoc *a, struct assoc_key key)
{
	return (uint32_t)key.number & (a->sets - 1);
}

static uint64_t *entries_of(const struct assoc *a, uint32_t set)
{
	return a->words + 1 + a->sets + (size_t)set * a->ways * ENTRY_WORDS;
}

static uint64_t *tree_of(const struct assoc *a, uint32_t set)
{
	return &a->words[1 + set];
}

static bool holds(const uint64_t *entry, struct assoc_key key)
{
	return entry[0] == key.number + 1 && entry[1] == key.space;
}

static void write(uint64_t *entry, struct assoc_key key)
{
	entry[0] = key.number + 1;
	entry[1] = key.space;
}

/* @key to the front; those before entry @way move back by one. */
static void to_front(uint64_t *entries, uint32_t way, struct assoc_key key)
{
	for (uint32_t i = way * ENTRY_WORDS; i; i--)
		entries[i + ENTRY_WORDS - 1] = entries[i - 1];
	write(entries, key);
}

/*
 * The tree: node 1 is the root, the children of node i are 2i and 2i + 1, the
 * leaves are the ways. A node's bit says which half was used less recently.
 */
static void tree_use(uint64_t *tree, uint32_t ways, uint32_t way)
{
	for (uint32_t node = ways + way; node > 1; node /= 2) {
		uint64_t bit = UINT64_C(1) << node / 2;

		*tree = node & 1 ? *tree & ~bit : *tree | bit;
	}
}

static uint32_t tree_oldest(uint64_t tree, uint32_t ways)
{
	uint32_t node = 1;

	while (node < ways)
		node = 2 * node + (tree >> node & 1);
	return node - ways;
}

/* xorshift, of a state that begins with 0. */
static uint32_t random_below(uint64_t *state, uint32_t n)
{
	uint64_t x = *state ^ UINT64_C(0x9e3779b97f4a7c15);

	assert(n);
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x ^ UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(x >> 32) % n;
}

static uint32_t victim(struct assoc *a, uint32_t set)
{
	const uint64_t *entries = entries_of(a, set);

	for (uint32_t way = 0; way < a->ways; way++)
		if (entries[way * ENTRY_WORDS] == 0)
			return way;
	if (a->replacement == PMU_REPLACE_RANDOM)
		return random_below(&a->words[0], a->ways);
	return tree_oldest(*tree_of(a, set), a->ways);
}

bool assoc_find(struct assoc *a, struct assoc_key key)
{
	uint32_t set = assoc_set(a, key), way = 0;
	uint64_t *entries = entries_of(a, set);

	while (way < a->ways && !holds(&entries[way * ENTRY_WORDS], key))
		way++;
	if (way == a->ways)
		return false;
	if (a->replacement == PMU_REPLACE_PLRU)
		tree_use(tree_of(a, set), a->ways, way);
	else if (a->replacement == PMU_REPLACE_LRU && way)
		to_front(entries, way, key);
	return true;
}

static uint32_t place_for(struct assoc *a, uint32_t set)
{
	/* those that are free are behind all others */
	return a->replacement == PMU_REPLACE_LRU ? a->ways - 1 : victim(a, set);
}

/* In the place of entry @way. */
static void put(struct assoc *a, uint32_t set, uint32_t way,
		struct assoc_key key)
{
	uint64_t *entries = entries_of(a, set);

	if (a->replacement == PMU_REPLACE_LRU) {
		to_front(entries, way, key);
		return;
	}
	write(&entries[way * ENTRY_WORDS], key);
	if (a->replacement == PMU_REPLACE_PLRU)
		tree_use(tree_of(a, set), a->ways, way);
}

void assoc_put(struct assoc *a, struct assoc_key key, struct assoc_victim *ret)
{
	uint32_t set = assoc_set(a, key), way = place_for(a, set);
	const uint64_t *out = &entries_of(a, set)[way * ENTRY_WORDS];

	*ret = (struct assoc_victim){ { out[0] - 1, out[1] }, out[0] != 0 };
	put(a, set, way, key);
}

bool assoc_touch(struct assoc *a, struct assoc_key key)
{
	uint32_t set;

	if (assoc_find(a, key))
		return true;
	set = assoc_set(a, key);
	put(a, set, place_for(a, set), key);
	return false;
}
