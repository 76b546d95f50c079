/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter of a trace, held as the protocol's message so that a file and a
 * machine are filtered by the same rules.
 */
#include "record-filter.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "text/report.h"
#include "wire/record-kinds.h"

static const struct kind {
	Pmu__V1__Record__KindCase kind;
	const char *name;
	size_t offset;
} kinds[RECORD_N_KINDS] = {
#define X(kind, flag, name)                                                    \
	{ PMU__V1__RECORD__KIND_##kind, name,                                  \
	  offsetof(Pmu__V1__RecordFilter, flag) },
	RECORD_KINDS(X)
#undef X
};

static protobuf_c_boolean *flag_of(Pmu__V1__RecordFilter *m, size_t kind)
{
	return (protobuf_c_boolean *)((char *)m + kinds[kind].offset);
}

/* "overflow, sample and stop" */
static void list_kinds(char *ret, size_t size)
{
	size_t len = 0;

	*ret = '\0';
	for (size_t i = 0; i < RECORD_N_KINDS && len < size; i++)
		len += (size_t)snprintf(ret + len, size - len, "%s%s",
					!i			  ? ""
					: i < RECORD_N_KINDS - 1U ? ", "
								  : " and ",
					kinds[i].name);
}

static bool select_kind(Pmu__V1__RecordFilter *m, const char *name, size_t len)
{
	char all[256];

	for (size_t i = 0; i < RECORD_N_KINDS; i++) {
		if (strlen(kinds[i].name) == len &&
		    strncmp(kinds[i].name, name, len) == 0) {
			*flag_of(m, i) = true;
			return true;
		}
	}
	list_kinds(all, sizeof(all));
	report_error("--kind: there is no kind '%.*s', but %s", (int)len, name,
		     all);
	return false;
}

const char *record_kind_at(size_t i)
{
	return i < RECORD_N_KINDS ? kinds[i].name : NULL;
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

	for (size_t i = 0; i < RECORD_N_KINDS; i++) {
		any |= *flag_of(&m, i);
		hit |= *flag_of(&m, i) && kinds[i].kind == r->kind_case;
	}
	if (any && !hit)
		return false;
	if (m.n_counters && r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW &&
	    r->overflow->counter != f->counter)
		return false;
	return r->cycle >= f->first_cycle &&
	       (!f->last_cycle || r->cycle <= f->last_cycle);
}
