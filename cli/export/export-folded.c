/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folded stacks: a line for each stack, its frames from the root on with ';'
 * between them, a blank, how many samples. The event is the root, so that no
 * two events are added up; then the mode and address space, then the function.
 */
#include <inttypes.h>

#include "export-samples.h"
#include "export-text.h"
#include "export.h"
#include "text/exit-codes.h"

static int count(struct export_samples *x, struct export_index *stacks)
{
	struct export_item item;
	int n;

	while ((n = export_next_sample(x, &item)) > 0) {
		struct export_key key = { { item.sample.event,
					    item.sample.at->function } };

		if (export_index_add(stacks, key, item.sample.weight) ==
		    EXPORT_NONE)
			return export_no_memory(x);
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static void print(FILE *out, const struct export_samples *x,
		  const struct export_index *stacks)
{
	for (size_t i = 0; i < stacks->n; i++) {
		const uint64_t *part = stacks->key[i].part;
		const struct export_function *f = export_function(x, part[1]);

		export_plain(out, export_event(x, part[0]), ";");
		fprintf(out, ";%s;", export_space(x, f->space)->name);
		export_plain(out, f->name, ";");
		fprintf(out, " %" PRIu64 "\n", stacks->count[i]);
	}
}

int export_folded(struct export_samples *x, FILE *out)
{
	struct export_index stacks = { 0 };
	int code = count(x, &stacks);

	if (!code)
		print(out, x, &stacks);
	export_index_fini(&stacks);
	return code;
}
