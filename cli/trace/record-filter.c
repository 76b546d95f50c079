/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter of a trace, held as the protocol's message so that a file and a
 * machine are filtered by the same rules.
 */
#include "record-filter.h"

#include <stddef.h>
#include <string.h>

#include "record-text.h"
#include "text/report.h"

static const struct kind {
	const char *name;
	size_t offset;
} kinds[] = {
	{ "overflow", offsetof(Pmu__V1__RecordFilter, overflows) },
	{ "sample", offsetof(Pmu__V1__RecordFilter, samples) },
	{ "trap", offsetof(Pmu__V1__RecordFilter, traps) },
	{ "sbi", offsetof(Pmu__V1__RecordFilter, sbi_calls) },
	{ "console", offsetof(Pmu__V1__RecordFilter, console) },
	{ "input", offsetof(Pmu__V1__RecordFilter, inputs) },
	{ "hart", offsetof(Pmu__V1__RecordFilter, hart_changes) },
	{ "ebb", offsetof(Pmu__V1__RecordFilter, ebb_deliveries) },
	{ "reset", offsetof(Pmu__V1__RecordFilter, resets) },
	{ "absent", offsetof(Pmu__V1__RecordFilter, absences) },
	{ "stop", offsetof(Pmu__V1__RecordFilter, stops) },
};

enum {
	N_KINDS = sizeof(kinds) / sizeof(*kinds)
};

static protobuf_c_boolean *flag_of(Pmu__V1__RecordFilter *m, size_t kind)
{
	return (protobuf_c_boolean *)((char *)m + kinds[kind].offset);
}

static bool select_kind(Pmu__V1__RecordFilter *m, const char *name, size_t len)
{
	for (size_t i = 0; i < N_KINDS; i++) {
		if (strlen(kinds[i].name) == len &&
		    strncmp(kinds[i].name, name, len) == 0) {
			*flag_of(m, i) = true;
			return true;
		}
	}
	report_error(
		"--kind: there is no kind '%.*s', but overflow, sample, "
		"trap, sbi, console, input, hart, ebb, reset, absent and stop",
		(int)len, name);
	return false;
}

const char *record_kind_at(size_t i)
{
	return i < N_KINDS ? kinds[i].name : NULL;
}

bool record_filter_init(struct record_filter *f, const struct args *args)
{
	const char *kind = args->kind;

	memset(f, 0, sizeof(*f));
	pmu__v1__record_filter__init(&f->message);
	while (kind) {
		size_t len = strcspn(kind, ",");

		if (!select_kind(&f->message, kind, len))
			return false;
		kind = kind[len] ? kind + len + 1 : NULL;
	}
	if (args->counter != ARGS_UNSET) {
		if (args->counter < 3 || args->counter > 31) {
			report_error("--counter: must be one that can "
				     "overflow, 3 to "
				     "31");
			return false;
		}
		f->counter = (uint32_t)args->counter;
		f->message.n_counters = 1;
		f->message.counters = &f->counter;
	}
	f->first_cycle = args->first_cycle;
	f->last_cycle = args->last_cycle;
	f->limit = args->limit;
	return true;
}

bool record_filter_match(const struct record_filter *f,
			 const Pmu__V1__Record *r)
{
	Pmu__V1__RecordFilter m = f->message;
	bool any = false, hit = false;

	for (size_t i = 0; i < N_KINDS; i++) {
		any |= *flag_of(&m, i);
		hit |= *flag_of(&m, i) &&
		       strcmp(kinds[i].name, record_kind(r)) == 0;
	}
	if (any && !hit)
		return false;
	if (m.n_counters && r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW &&
	    r->overflow->counter != f->counter)
		return false;
	return r->cycle >= f->first_cycle &&
	       (!f->last_cycle || r->cycle <= f->last_cycle);
}
