/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The symbols with a size are cut into pieces that do not overlap, in one walk
 * by address over a stack of those that reach over it.
 */
#include "symbol-index.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * A piece, from @start up to the next one: number 0, nothing reaches there. Or
 * a symbol without a size.
 */
struct index_place {
	uint64_t start;
	uint64_t section_end; /* without a size */
	uint32_t number;
};

struct symbol_index {
	struct index_place *pieces, *marks; /* by address */
	size_t n_pieces, n_marks;
};

static int order(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/* Of those that begin together the best is the last, with and without a size.
 */
static int compare(const void *a, const void *b)
{
	const struct symbol_extent *x = a, *y = b;
	int ret = order(x->start, y->start);

	if (!ret)
		ret = order(x->size != 0, y->size != 0);
	if (!ret && !x->size)
		ret = order(x->section_end, y->section_end);
	if (!ret)
		ret = order(x->rank, y->rank);
	if (!ret)
		ret = order(y->size, x->size);
	if (!ret)
		ret = symbol_alias_compare(y->key, y->name, x->key, x->name);
	return ret ? ret : order(y->number, x->number);
}

static uint64_t end_of(const struct symbol_extent *e)
{
	return e->size > UINT64_MAX - e->start ? UINT64_MAX
					       : e->start + e->size;
}

/* Those that reach over the address where the walk is, the best on top. */
struct stack {
	const struct symbol_extent **at;
	size_t n;
};

static const struct symbol_extent *top(const struct stack *s)
{
	return s->n ? s->at[s->n - 1] : NULL;
}

static void cut(struct symbol_index *x, uint64_t start, uint32_t number)
{
	if (x->n_pieces && x->pieces[x->n_pieces - 1].start == start)
		x->n_pieces--;
	x->pieces[x->n_pieces++] = (struct index_place){
		.start = start,
		.number = number,
	};
}

/* Up to @until, where another begins. */
static void walk(struct symbol_index *x, struct stack *s, uint64_t until)
{
	while (s->n && end_of(top(s)) <= until) {
		uint64_t end = end_of(top(s));

		while (s->n && end_of(top(s)) <= end)
			s->n--;
		cut(x, end, s->n ? top(s)->number : 0);
	}
}

static void take(struct symbol_index *x, struct stack *s,
		 const struct symbol_extent *e)
{
	if (!e->size) {
		x->marks[x->n_marks++] = (struct index_place){
			e->start,
			e->section_end,
			e->number,
		};
		return;
	}
	walk(x, s, e->start);
	s->at[s->n++] = e;
	cut(x, e->start, e->number);
}

struct symbol_index *symbol_index_new(struct symbol_extent *all, size_t n)
{
	struct symbol_index *x = calloc(1, sizeof(*x));
	struct stack stack = { calloc(n + 1, sizeof(*stack.at)), 0 };
	size_t marks = 0;

	for (size_t i = 0; i < n; i++)
		marks += !all[i].size;
	if (x) {
		/* where each begins and where it ends */
		x->pieces = calloc(2 * (n - marks) + 1, sizeof(*x->pieces));
		x->marks = calloc(marks + 1, sizeof(*x->marks));
	}
	if (!x || !stack.at || !x->pieces || !x->marks) {
		symbol_index_free(x);
		free(stack.at);
		return NULL;
	}
	if (n)
		qsort(all, n, sizeof(*all), compare);
	for (size_t i = 0; i < n; i++)
		take(x, &stack, &all[i]);
	walk(x, &stack, UINT64_MAX);
	free(stack.at);
	return x;
}

void symbol_index_free(struct symbol_index *x)
{
	if (!x)
		return;
	free(x->pieces);
	free(x->marks);
	free(x);
}

/* The last of @n that begins at or before @address. NULL: there is none. */
static const struct index_place *last_before(const struct index_place *all,
					     size_t n, uint64_t address)
{
	size_t low = 0;

	for (size_t high = n; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &all[low - 1] : NULL;
}

uint32_t symbol_index_find(const struct symbol_index *x, uint64_t address)
{
	const struct index_place *p =
		last_before(x->pieces, x->n_pieces, address);
	const struct index_place *m;

	if (p && p->number)
		return p->number;
	m = last_before(x->marks, x->n_marks, address);
	/* p: where the last with a size ends */
	return m && (!p || m->start >= p->start) && address < m->section_end
		       ? m->number
		       : 0;
}
