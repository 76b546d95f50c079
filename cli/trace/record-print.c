/* SPDX-License-Identifier: BSD-2-Clause */
/* Line by line: a trace has no end that could be waited for. */
#include "record-print.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "text/exit-codes.h"
#include "text/report.h"
#include "text/tty.h"

static void put(FILE *out, const struct record_style *style,
		const Pmu__V1__Record *r)
{
	if (r)
		record_line(out, style, r);
	else
		record_heading(out, style);
}

/* The heading, without @r. */
static void put_cut(FILE *to, const struct record_style *style,
		    const Pmu__V1__Record *r)
{
	size_t size, width = tty_width(to);
	char *text = NULL;
	FILE *out = width ? open_memstream(&text, &size) : NULL;

	put(out ? out : to, style, r);
	if (out && fclose(out) == 0)
		tty_write(to, text, width);
	free(text);
}

void record_print_heading(FILE *out, const struct args *args,
			  const struct record_style *style)
{
	if (!args->json && !args->no_headings)
		put_cut(out, style, NULL);
}

int record_print(FILE *out, const struct args *args,
		 const struct record_style *style, const Pmu__V1__Record *r)
{
	if (args->json)
		return record_json(out, style, r);
	put_cut(out, style, r);
	return EXIT_OK;
}

void record_print_end(const struct args *args, uint64_t shown)
{
	bool chosen = args->first_cycle || args->last_cycle ||
		      args->first_record || args->counter != ARGS_UNSET ||
		      args->function.n || args->line.n || args->range.n ||
		      args->filter;

	if (!shown && args->kind && !strcmp(args->kind, "sample"))
		report_note("%s has no %ssamples",
			    args->n_arg ? args->arg[0] : args->machine,
			    chosen ? "such " : "");
}
