/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A node is known by its parent and what it is. A caller's address is the one
 * where it goes on: what called stands before that, perhaps as the last of its
 * function, so it is the address before that is looked up.
 */
#include "export-tree.h"

#include <assert.h>
#include <stdlib.h>

#include "wire/cleanup.h"

static size_t add(struct export_tree *t, size_t parent,
		  enum export_tree_kind kind, size_t what, uint64_t count)
{
	struct export_key key = { { parent + 1, kind, what } };

	return export_index_add(&t->nodes, key, count);
}

static size_t frame(const struct export_samples *x, size_t place,
		    enum export_tree_kind kind)
{
	return kind == EXPORT_TREE_PLACE ? place
					 : export_place(x, place)->function;
}

/* The outermost first. Returns the innermost, or @node if there is none. */
static size_t add_callers(struct export_tree *t, struct export_samples *x,
			  const Pmu__V1__Record *r, size_t node,
			  enum export_tree_kind kind)
{
	size_t n = r->kind_case == PMU__V1__RECORD__KIND_SAMPLE
			   ? r->sample->n_callers
			   : 0;

	while (n-- && node != EXPORT_NONE) {
		size_t place = export_place_at(x, r, r->sample->callers[n] - 1);

		if (place == EXPORT_NONE)
			return EXPORT_NONE;
		node = add(t, node, kind, frame(x, place, kind), 0);
	}
	return node;
}

size_t export_tree_add(struct export_tree *t, struct export_samples *x,
		       struct export_item *item, enum export_tree_kind frames)
{
	struct export_sample *s = &item->sample;
	size_t node = add(t, EXPORT_NONE, EXPORT_TREE_EVENT, s->event, 0);

	if (node != EXPORT_NONE)
		node = add(t, node, EXPORT_TREE_SPACE, s->function->space, 0);
	if (node != EXPORT_NONE)
		node = add_callers(t, x, item->record, node, frames);
	/* callers are places, too, and their table may have moved */
	export_point(x, s);
	if (node == EXPORT_NONE)
		return EXPORT_NONE;
	return add(t, node, frames, frame(x, s->place, frames), s->weight);
}

struct export_tree_node export_tree_node(const struct export_tree *t, size_t i)
{
	const uint64_t *part = t->nodes.key[i].part;

	return (struct export_tree_node){
		.kind = (enum export_tree_kind)part[1],
		.parent = (size_t)part[0] - 1,
		.what = (size_t)part[2],
		.count = t->nodes.count[i],
	};
}

const char *export_tree_name(const struct export_tree *t,
			     const struct export_samples *x, size_t i)
{
	struct export_tree_node n = export_tree_node(t, i);

	assert(n.kind != EXPORT_TREE_PLACE);
	if (n.kind == EXPORT_TREE_EVENT)
		return export_event_name(x, n.what);
	if (n.kind == EXPORT_TREE_SPACE)
		return export_space(x, n.what)->name;
	return export_function(x, n.what)->name;
}

/* The least first, and of equals the last that came. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct export_tree *t = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;

	if (t->total[i] != t->total[j])
		return t->total[i] < t->total[j] ? -1 : 1;
	return (i < j) - (i > j);
}

/* Each in front of those that its parent has by then. */
static void link_all(struct export_tree *t, size_t *order)
{
	qsort_r(order, t->nodes.n, sizeof(*order), compare, t);
	for (size_t k = 0; k < t->nodes.n; k++) {
		size_t i = order[k], parent = export_tree_node(t, i).parent;
		size_t *at =
			parent == EXPORT_NONE ? &t->first : &t->child[parent];

		t->next[i] = *at;
		*at = i;
	}
}

int export_tree_link(struct export_tree *t)
{
	size_t n = t->nodes.n;
	size_t *order CLEANUP(free) = calloc(n + 1, sizeof(*order));

	t->total = calloc(n + 1, sizeof(*t->total));
	t->child = calloc(n + 1, sizeof(*t->child));
	t->next = calloc(n + 1, sizeof(*t->next));
	t->first = EXPORT_NONE;
	if (!order || !t->total || !t->child || !t->next)
		return -1;
	for (size_t i = n; i-- > 0;) {
		struct export_tree_node node = export_tree_node(t, i);

		order[i] = i;
		t->child[i] = EXPORT_NONE;
		t->total[i] += node.count;
		if (node.parent != EXPORT_NONE)
			t->total[node.parent] += t->total[i];
	}
	link_all(t, order);
	return 0;
}

void export_tree_fini(struct export_tree *t)
{
	export_index_fini(&t->nodes);
	free(t->total);
	free(t->child);
	free(t->next);
	*t = (struct export_tree){ 0 };
}
