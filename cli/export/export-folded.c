/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folded stacks: a line for each stack, its frames from the root on with ';'
 * between them, a blank, how many samples. The event is the root, so that no
 * two events are added up; then the mode and address space, then the callers
 * from the outermost on, then the function.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export-samples.h"
#include "export-text.h"
#include "export-tree.h"
#include "export.h"
#include "text/exit-codes.h"

static int count(struct export_samples *x, struct export_tree *stacks)
{
	struct export_item item;
	int n;

	while ((n = export_next_sample(x, &item)) > 0) {
		if (export_tree_add(stacks, x, &item, EXPORT_TREE_FUNCTION) ==
		    EXPORT_NONE)
			return export_no_memory(x);
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

/* @path has room for all nodes. */
static void print_stack(FILE *out, const struct export_samples *x,
			const struct export_tree *stacks, size_t node,
			size_t *path)
{
	uint64_t n_samples = export_tree_node(stacks, node).count;
	size_t n = 0;

	while (node != EXPORT_NONE) {
		path[n++] = node;
		node = export_tree_node(stacks, node).parent;
	}
	while (n--) {
		export_plain(out, export_tree_name(stacks, x, path[n]), ";");
		if (n)
			fputc(';', out);
	}
	fprintf(out, " %" PRIu64 "\n", n_samples);
}

static int print(FILE *out, const struct export_samples *x,
		 const struct export_tree *stacks)
{
	size_t *path = calloc(stacks->nodes.n + 1, sizeof(*path));

	if (!path)
		return export_no_memory(x);
	for (size_t i = 0; i < stacks->nodes.n; i++) {
		if (export_tree_node(stacks, i).count)
			print_stack(out, x, stacks, i, path);
	}
	free(path);
	return EXIT_OK;
}

int export_folded(struct export_samples *x, FILE *out)
{
	struct export_tree stacks = { 0 };
	int code = count(x, &stacks);

	if (!code)
		code = print(out, x, &stacks);
	export_tree_fini(&stacks);
	return code;
}
