/* SPDX-License-Identifier: BSD-2-Clause */
/* Open addressing, at most half full; what is in it never goes. */
#include "export-index.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

enum {
	SLOTS_FIRST = 128
};

static size_t hash(const struct export_key *key)
{
	uint64_t h = 0;

	for (size_t i = 0; i < 4; i++) {
		h = (h ^ key->part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return (size_t)h;
}

/* The slot that @key has, or would have. */
static size_t *slot_of(const struct export_index *x,
		       const struct export_key *key)
{
	size_t at = hash(key) & (x->slots - 1);

	while (x->slot[at] &&
	       memcmp(&x->key[x->slot[at] - 1], key, sizeof(*key)) != 0)
		at = (at + 1) & (x->slots - 1);
	return &x->slot[at];
}

static int grow_slots(struct export_index *x)
{
	size_t slots = x->slots ? 2 * x->slots : SLOTS_FIRST;
	size_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return -1;
	free(x->slot);
	x->slot = slot;
	x->slots = slots;
	for (size_t i = 0; i < x->n; i++)
		*slot_of(x, &x->key[i]) = i + 1;
	return 0;
}

static int grow(struct export_index *x)
{
	size_t room = x->room;

	if (2 * (x->n + 1) > x->slots && grow_slots(x))
		return -1;
	if (!ARRAY_ROOM(x->key, &room, x->n) ||
	    !ARRAY_ROOM(x->count, &x->room, x->n))
		return -1;
	return 0;
}

size_t export_index_add(struct export_index *x, struct export_key key,
			uint64_t count)
{
	size_t *slot = x->slots ? slot_of(x, &key) : NULL;

	if (slot && *slot) {
		x->count[*slot - 1] += count;
		return *slot - 1;
	}
	if (grow(x))
		return EXPORT_NONE;
	x->key[x->n] = key;
	x->count[x->n] = count;
	*slot_of(x, &key) = ++x->n;
	return x->n - 1;
}

void export_index_fini(struct export_index *x)
{
	free(x->key);
	free(x->count);
	free(x->slot);
	*x = (struct export_index){ 0 };
}
