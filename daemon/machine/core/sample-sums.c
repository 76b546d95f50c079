/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table by hash of the instruction, open, at most half full. The sums stand
 * apart from it in the order in which they came, so that it can be made again
 * of them.
 */
#include "sample-sums.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "state-bytes.h"

enum {
	SLOTS = 2 * SUMS_MAX
};

struct sample_sums {
	size_t n;
	struct sample_sum sum[SUMS_MAX];
	uint32_t slot[SLOTS]; /* number of a sum + 1; 0: free */
};

struct sample_sums *sums_new(void)
{
	return calloc(1, sizeof(struct sample_sums));
}

void sums_free(struct sample_sums *all)
{
	free(all);
}

bool sums_are_full(const struct sample_sums *all)
{
	return all->n == SUMS_MAX;
}

static uint64_t who(const struct sample_sum *s)
{
	return (uint64_t)s->sampler << 48 | (uint64_t)s->hart << 32 | s->mode;
}

static size_t hash(const struct sample_sum *s)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t h = ((s->pc >> 1) * odd ^ s->satp) * odd ^ who(s);

	return (h * odd) >> 32 & (SLOTS - 1);
}

static bool same(const struct sample_sum *a, const struct sample_sum *b)
{
	return a->pc == b->pc && a->satp == b->satp && who(a) == who(b);
}

/* The slot of @s, or the free one where it belongs. */
static uint32_t *find(struct sample_sums *all, const struct sample_sum *s)
{
	size_t i = hash(s);

	while (all->slot[i] && !same(&all->sum[all->slot[i] - 1], s))
		i = (i + 1) & (SLOTS - 1);
	return &all->slot[i];
}

void sums_add(struct sample_sums *all, const struct sample_sum *s)
{
	uint32_t *slot = find(all, s);

	if (*slot) {
		all->sum[*slot - 1].periods += s->periods;
		return;
	}
	assert(!sums_are_full(all));
	all->sum[all->n++] = *s;
	*slot = (uint32_t)all->n;
}

static int order_by(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *x, const void *y)
{
	const struct sample_sum *a = x, *b = y;
	int by = order_by(who(a), who(b));

	if (!by)
		by = order_by(a->satp, b->satp);
	return by ? by : order_by(a->pc, b->pc);
}

static void number(struct sample_sums *all)
{
	memset(all->slot, 0, sizeof(all->slot));
	for (size_t i = 0; i < all->n; i++)
		*find(all, &all->sum[i]) = (uint32_t)i + 1;
}

size_t sums_sorted(struct sample_sums *all, const struct sample_sum **ret)
{
	if (all->n) {
		qsort(all->sum, all->n, sizeof(*all->sum), compare);
		number(all);
	}
	*ret = all->sum;
	return all->n;
}

void sums_clear(struct sample_sums *all)
{
	if (all->n) /* most machines have none, and no memory for them */
		memset(all->slot, 0, sizeof(all->slot));
	all->n = 0;
}

void sums_give(const struct sample_sums *all, struct state *to)
{
	state_put(to, "sums", &all->n, sizeof(all->n));
	state_put(to, "sums listed", all->sum, all->n * sizeof(*all->sum));
}

void sums_take(struct sample_sums *all, struct state *from)
{
	size_t n = 0;

	state_get(from, "sums", &n, sizeof(n));
	if (n > SUMS_MAX)
		from->failed = "sums";
	if (from->failed)
		return;
	state_get(from, "sums listed", all->sum, n * sizeof(*all->sum));
	all->n = n;
	number(all);
}
