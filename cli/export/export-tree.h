/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples as a tree: below an event its address spaces, below a space the
 * outermost callers, below each whom it called, down to where the samples are.
 * A frame is a function, or a place where the format tells these apart. Memory
 * grows with the chains that are met, not with how often they are.
 */
#ifndef CLI_EXPORT_EXPORT_TREE_H
#define CLI_EXPORT_EXPORT_TREE_H

#include "export-samples.h"

enum export_tree_kind {
	EXPORT_TREE_EVENT,
	EXPORT_TREE_SPACE,
	EXPORT_TREE_FUNCTION,
	EXPORT_TREE_PLACE
};

struct export_tree_node {
	enum export_tree_kind kind;
	size_t parent;	/* EXPORT_NONE: of an event */
	size_t what;	/* its number in the table of its kind */
	uint64_t count; /* of its own samples, without those below */
};

/* Zeroed at first; export_tree_fini() at the end. */
struct export_tree {
	struct export_index nodes; /* a parent before its children */
	/* Of each node, once export_tree_link() made them. */
	uint64_t *total;      /* with those below */
	size_t *child, *next; /* EXPORT_NONE: there is none */
	size_t first;	      /* of the events */
};

/*
 * Adds @item, which is a sample, and all above it; frames are of the kind
 * @frames. Returns its node; EXPORT_NONE: out of memory.
 */
size_t export_tree_add(struct export_tree *t, struct export_samples *x,
		       struct export_item *item, enum export_tree_kind frames);
struct export_tree_node export_tree_node(const struct export_tree *t, size_t i);
/* The event, the space or the function, as it is told. */
const char *export_tree_name(const struct export_tree *t,
			     const struct export_samples *x, size_t i);
/*
 * When all were added: the links, siblings with the most samples first.
 * Returns -1 without memory.
 */
int export_tree_link(struct export_tree *t);
void export_tree_fini(struct export_tree *t);

#endif
