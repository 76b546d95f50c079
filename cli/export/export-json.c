/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples as lines of JSON, an object each, for whoever writes a reader of his
 * own. Fields are there or not by what is known, but for the function, which
 * says that it is unknown; docs/EXPORTS.md lists them.
 */
#include <inttypes.h>

#include "export-samples.h"
#include "export-text.h"
#include "export.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "trace/guest-files.h"

static void put_when(FILE *out, const struct export_item *item)
{
	const Pmu__V1__Record *r = item->record;

	fprintf(out, "\"record\":\"%" PRIu64 "\",", item->index);
	export_json_number(out, "insn", r->insn);
	fputc(',', out);
	export_json_number(out, "cycle", r->cycle);
	fputc(',', out);
	export_json_number(out, "ns", item->ns);
}

/* Where in which file of the guest it is. */
static void put_object(FILE *out, const struct export_samples *x,
		       const struct export_place *at)
{
	const struct guest_mapping *m;

	if (at->mapping == EXPORT_NONE)
		return;
	m = export_mapping(x, at->mapping);
	if (!*m->file)
		return;
	fputc(',', out);
	export_json_text(out, "object", m->file);
	fputc(',', out);
	export_json_address(out, "objectOffset", at->pc - m->start + m->offset);
}

static void put_where(FILE *out, const struct export_samples *x,
		      const struct export_item *item)
{
	const Pmu__V1__Record *r = item->record;
	const struct export_sample *s = &item->sample;

	export_json_text(out, "mode", name_privilege((int)r->privilege));
	if (r->satp) {
		fputc(',', out);
		export_json_address(out, "satp", r->satp);
	}
	if (r->process) {
		fprintf(out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",",
			r->process->pid, r->process->tid);
		export_json_text(out, "comm", r->process->comm);
	}
	fputc(',', out);
	export_json_address(out, "pc", s->at->pc);
	fputc(',', out);
	export_json_address(out, "nextPc", r->pc);
	put_object(out, x, s->at);
	fputc(',', out);
	export_json_text(out, "function", s->function->name);
	if (s->function->known)
		fprintf(out, ",\"offset\":%" PRIu64,
			s->at->pc - s->function->start);
	if (s->at->path) {
		fputc(',', out);
		export_json_text(out, "file", s->at->path);
		if (s->at->line)
			fprintf(out, ",\"line\":%d", s->at->line);
	}
}

/* Of counters and of observers not the same is known. */
static void put_source(FILE *out, const struct export_item *item)
{
	const Pmu__V1__Record *r = item->record;

	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW)
		fprintf(out, "\"counter\":%u,\"raised\":%s",
			r->overflow->counter,
			r->overflow->raised ? "true" : "false");
	else
		fprintf(out,
			"\"sampler\":%u,\"periods\":\"%" PRIu64
			"\",\"summed\":%s",
			r->sample->sampler, item->sample.weight,
			item->sample.summed ? "true" : "false");
}

int export_json(struct export_samples *x, FILE *out)
{
	struct export_item item;
	int n = 0;

	while (!ferror(out) && (n = export_next_sample(x, &item)) > 0) {
		fputc('{', out);
		export_json_text(out, "event",
				 export_event_recorded(x, item.sample.event));
		fputc(',', out);
		put_source(out, &item);
		fprintf(out, ",\"hart\":%u,", item.record->hart);
		put_when(out, &item);
		fputc(',', out);
		put_where(out, x, &item);
		fputs("}\n", out);
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}
