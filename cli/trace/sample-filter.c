/* SPDX-License-Identifier: BSD-2-Clause */
/* --filter: which samples of a trace are meant. */
#include "sample-filter.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/args.h"
#include "record-expr.h"
#include "record-style.h"
#include "text/exit-codes.h"
#include "text/report.h"

int sample_filter_open(struct sample_filter *f, const struct args *args)
{
	memset(f, 0, sizeof(*f));
	f->args = args;
	return record_expr_open(&f->expr, args);
}

int sample_filter_begin(struct sample_filter *f, const Pmu__V1__Header *header)
{
	if (!f->expr)
		return EXIT_OK;
	return record_style_open(&f->style, f->pmud, f->args, header);
}

void sample_filter_close(struct sample_filter *f)
{
	record_style_close(&f->style);
	record_expr_free(f->expr);
	f->expr = NULL;
}

bool sample_filter_keeps(const struct sample_filter *f,
			 const Pmu__V1__Record *r)
{
	return !f || !f->expr || r->kind_case != PMU__V1__RECORD__KIND_SAMPLE ||
	       record_expr_match(f->expr, &f->style, r);
}

bool sample_filter_takes(struct sample_filter *f,
			 const struct record_style *style,
			 const Pmu__V1__Record *r)
{
	bool taken;

	if (r->kind_case != PMU__V1__RECORD__KIND_SAMPLE)
		return false;
	taken = record_expr_match(f->expr, style, r);
	f->seen++;
	f->taken += taken;
	return taken;
}

void sample_filter_end(const struct sample_filter *f, const char *path)
{
	if (!f->seen)
		report_note("%s has no samples", path);
	else if (!f->taken)
		report_note("--filter: it holds for none of the %" PRIu64
			    " samples of %s",
			    f->seen, path);
}
