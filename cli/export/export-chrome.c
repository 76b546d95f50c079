/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chrome's Trace Event format: a row for each hart, on which all that the trace
 * has is a mark, and a counter goes up at each sample. What lasts is a bar.
 */
#include <inttypes.h>

#include <pmu/csr-name.h>

#include "export-chrome-bars.h"
#include "export-samples.h"
#include "export-text.h"
#include "export.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "trace/record-text.h"

struct chrome {
	struct export_samples *x;
	FILE *out;
	struct export_index harts; /* that were named */
	struct export_chrome_bars bars;
	bool more; /* something was written */
};

/* What all events begin with. @phase is a letter of the format. */
static void begin(struct chrome *c, char phase, const struct export_item *item)
{
	export_chrome_begin(c->out, &c->more, phase,
			    (struct export_chrome_at){
				    EXPORT_CHROME_HARTS,
				    item->record->hart,
				    item->ns,
			    });
}

/* False: out of memory. */
static bool name_hart(struct chrome *c, const struct export_item *item)
{
	size_t n = c->harts.n;
	struct export_key key = { { item->record->hart } };
	size_t i = export_index_add(&c->harts, key, 0);

	if (i != n)
		return i != EXPORT_NONE;
	begin(c, 'M', item);
	fprintf(c->out,
		"\"name\":\"thread_name\",\"args\":{\"name\":\"hart %u\"}}",
		item->record->hart);
	return true;
}

static void put_sample(struct chrome *c, const struct export_item *item)
{
	const struct export_sample *s = &item->sample;
	const char *event = export_event_recorded(c->x, s->event);
	const Pmu__V1__Process *p = item->record->process;
	bool overflow =
		item->record->kind_case == PMU__V1__RECORD__KIND_OVERFLOW;

	export_json_text(c->out, "name", event);
	fputs(",\"args\":{", c->out);
	if (overflow)
		fprintf(c->out, "\"counter\":%u,",
			item->record->overflow->counter);
	else
		fprintf(c->out, "\"periods\":\"%" PRIu64 "\",", s->weight);
	export_json_text(c->out, "space", s->space->name);
	fputc(',', c->out);
	if (p) {
		fprintf(c->out, "\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",",
			p->pid, p->tid);
		export_json_text(c->out, "comm", p->comm);
		fputc(',', c->out);
	}
	export_json_address(c->out, "pc", s->at->pc);
	fputc(',', c->out);
	export_json_text(c->out, "function", s->function->name);
	if (s->at->path) {
		fputc(',', c->out);
		export_json_text(c->out, "file", s->at->path);
		if (s->at->line)
			fprintf(c->out, ",\"line\":%d", s->at->line);
	}
	fputs("}}", c->out);
	begin(c, 'C', item);
	/* a row for each kind: the other one may have the event, too */
	fprintf(c->out, "\"id\":\"%s\",", record_kind(item->record));
	export_json_text(c->out, "name", event);
	fprintf(c->out, ",\"args\":{\"%s\":%" PRIu64 "}}",
		overflow ? "overflows" : "samples",
		export_event_samples(c->x, s->event));
}

/* "ecall from S", "PMU.counter_start", "waiting", or the kind itself. */
static const char *name_of(const Pmu__V1__Record *r, char buf[NAME_MAX_LEN])
{
	const char *name = NULL;

	if (r->kind_case == PMU__V1__RECORD__KIND_TRAP)
		name = name_cause(r->trap->interrupt, r->trap->cause);
	else if (r->kind_case == PMU__V1__RECORD__KIND_SBI_CALL)
		name = name_sbi_call(r->sbi_call->eid, r->sbi_call->fid, buf);
	else if (r->kind_case == PMU__V1__RECORD__KIND_CSR_ACCESS)
		name = pmu_csr_number_name(r->csr_access->csr);
	else if (r->kind_case == PMU__V1__RECORD__KIND_HART_CHANGE)
		name = name_enum(&pmu__v1__hart_change__what__descriptor,
				 (int)r->hart_change->what, buf);
	return name ? name : record_kind(r);
}

static void put_mark(struct chrome *c, const struct export_item *item)
{
	const Pmu__V1__Record *r = item->record;
	char buf[NAME_MAX_LEN];

	begin(c, 'i', item);
	fprintf(c->out, "\"s\":\"t\",\"cat\":\"%s\",", record_kind(r));
	if (item->is_sample) {
		put_sample(c, item);
		return;
	}
	export_json_text(c->out, "name", name_of(r, buf));
	fputs(",\"args\":{", c->out);
	export_json_text(c->out, "mode", name_privilege((int)r->privilege));
	fputc(',', c->out);
	export_json_address(c->out, "pc", r->pc);
	fputs("}}", c->out);
}

int export_chrome(struct export_samples *x, FILE *out)
{
	struct chrome c = { .x = x, .out = out };
	struct export_item item;
	int n = 0, code = EXIT_OK;

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
	c.bars = (struct export_chrome_bars){ x, out, &c.more };
	while (!code && !ferror(out) && (n = export_next(x, &item)) > 0) {
		if (!name_hart(&c, &item)) {
			code = export_no_memory(x);
			break;
		}
		put_mark(&c, &item);
		if (!export_chrome_bar(&c.bars, &item))
			code = export_no_memory(x);
	}
	export_chrome_bars_end(&c.bars);
	fputs("\n]}\n", out);
	export_index_fini(&c.harts);
	return n < 0 ? EXIT_FAILED : code;
}
