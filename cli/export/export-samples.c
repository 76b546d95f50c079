/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each place is looked up in the symbols once. A function is known by where it
 * begins, since several may have one name, and by the mapping that it is in,
 * since where one file was another may come.
 */
#include "export-samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cmd/args.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"
#include "trace/guest-files.h"
#include "trace/record-filter.h"
#include "trace/record-style.h"
#include "trace/record-symbols.h"
#include "trace/record-text.h"
#include "trace/trace-file.h"
#include "trace/user-symbols.h"
#include "wire/cleanup.h"

CLEANUP_POINTER(samples, struct export_samples, export_samples_close)

__extension__ typedef unsigned __int128 u128;

/* Of counters that overflow, or of observers: never added up. */
struct export_event {
	char *name;  /* as records have it */
	char *other; /* for samples, where overflows have the name */
	Pmu__V1__Record__KindCase kind;
	uint64_t samples;
};

struct export_samples {
	const struct args *args;
	struct trace_reader *reader;
	struct record_filter filter;
	struct record_style style;
	uint64_t taken, hz;
	struct export_event *events;
	size_t n_events, events_room;
	struct export_space_table spaces;
	struct export_index function_index, place_index;
	struct export_function *functions;
	struct export_place *places;
	size_t functions_room, places_room;
};

int export_no_memory(const struct export_samples *x)
{
	return report_no_memory(x->args->arg[0]);
}

int export_changed(const struct export_samples *x)
{
	report_error("%s: it was changed while it was read", x->args->arg[0]);
	return EXIT_FAILED;
}

/* Which file it is, at which of its records, and what is wrong. */
static int refuse(const struct export_samples *x, uint64_t index,
		  const char *why)
{
	report_error("%s: record %" PRIu64 ": %s", x->args->arg[0], index, why);
	return -1;
}

static int open_symbols(struct export_samples *x)
{
	const Pmu__V1__Header *h = trace_header(x->reader);
	int code;

	x->hz = h->clock_hz ? h->clock_hz : EXPORT_HZ;
	code = record_style_open(&x->style, NULL, x->args, h);
	return code ? code
		    : record_filter_places(&x->filter, NULL, x->args,
					   &x->style);
}

static void free_event(struct export_event *e)
{
	free(e->name);
	free(e->other);
}

int export_samples_open(struct export_samples **ret, const struct args *args)
{
	struct export_samples *x CLEANUP(samples) = calloc(1, sizeof(*x));
	int code;

	if (!x)
		return report_no_memory(args->arg[0]);
	x->args = args;
	x->spaces.no_processes = args->no_processes;
	if (!record_filter_init(&x->filter, args))
		return EXIT_USAGE;
	code = trace_open(&x->reader, args->arg[0]);
	if (!code)
		code = open_symbols(x);
	if (code)
		return code;
	*ret = pointer_take(&x);
	return EXIT_OK;
}

void export_samples_close(struct export_samples *x)
{
	if (!x)
		return;
	trace_close(x->reader);
	record_filter_fini(&x->filter);
	record_style_close(&x->style);
	for (size_t i = 0; i < x->n_events; i++)
		free_event(&x->events[i]);
	free(x->events);
	export_space_table_fini(&x->spaces);
	export_index_fini(&x->function_index);
	export_index_fini(&x->place_index);
	free(x->functions);
	free(x->places);
	free(x);
}

static const char *event_name(const Pmu__V1__Record *r)
{
	const char *name = r->kind_case == PMU__V1__RECORD__KIND_SAMPLE
				   ? r->sample->event
				   : r->overflow->event;

	return *name ? name : EXPORT_UNKNOWN;
}

static bool add_event(struct export_samples *x, const Pmu__V1__Record *r)
{
	struct export_event e = { .kind = r->kind_case };

	e.name = strdup(event_name(r));
	if (asprintf(&e.other, "%s (%s)", event_name(r), record_kind(r)) < 0)
		e.other = NULL;
	if (!e.name || !e.other ||
	    !ARRAY_ROOM(x->events, &x->events_room, x->n_events)) {
		free_event(&e);
		return false;
	}
	x->events[x->n_events++] = e;
	return true;
}

/* Names of events are few. EXPORT_NONE: there is none. */
static size_t find_event(const struct export_samples *x, const char *name,
			 Pmu__V1__Record__KindCase kind)
{
	for (size_t i = 0; i < x->n_events; i++) {
		if (x->events[i].kind == kind &&
		    !strcmp(x->events[i].name, name))
			return i;
	}
	return EXPORT_NONE;
}

/* EXPORT_NONE after an error was said. */
static size_t event_of(struct export_samples *x, const struct trace_item *item)
{
	size_t i = find_event(x, event_name(item->record),
			      item->record->kind_case);

	if (i != EXPORT_NONE)
		return i;
	i = x->n_events;
	if (i == EXPORT_EVENTS_MAX) {
		refuse(x, item->index, "more names of events than there are");
		return EXPORT_NONE;
	}
	if (!add_event(x, item->record)) {
		export_no_memory(x);
		return EXPORT_NONE;
	}
	return i;
}

/*
 * That of the place @at, which @s is said of. Its source is that of its first
 * instruction: others may be inlined.
 */
static size_t function_of(struct export_samples *x, size_t space,
			  const Pmu__V1__Record *r,
			  const struct export_place *at, const struct symbol *s)
{
	bool known = s->function != NULL;
	uint64_t start = known ? at->pc - s->offset : 0;
	struct export_key key = { { space, known, start,
				    known ? at->mapping : 0 } };
	struct symbol first = { 0 };
	size_t n = x->function_index.n;
	size_t i = export_index_add(&x->function_index, key, 1);

	if (i != n || i == EXPORT_NONE)
		return i;
	if (!ARRAY_ROOM(x->functions, &x->functions_room, i))
		return EXPORT_NONE;
	if (known)
		record_find(&x->style, r, start, &first);
	x->functions[i] = (struct export_function){
		.name = known ? s->function : EXPORT_UNKNOWN,
		.path = first.path,
		.line = first.line,
		.start = start,
		.space = space,
		.known = known,
	};
	return i;
}

/* The symbols are asked for a place that is new. */
size_t export_place_at(struct export_samples *x, const Pmu__V1__Record *r,
		       uint64_t pc)
{
	size_t space = export_space_of(&x->spaces, r, x->style.xlen);
	size_t n = x->place_index.n, i;
	struct export_place at = {
		.pc = pc, .mapping = guest_files_find(x->style.files, r, pc)
	};
	struct symbol s;

	if (space == EXPORT_NONE)
		return EXPORT_NONE;
	i = export_index_add(&x->place_index,
			     (struct export_key){ { space, pc, at.mapping } },
			     1);
	if (i != n || i == EXPORT_NONE)
		return i;
	if (!ARRAY_ROOM(x->places, &x->places_room, i))
		return EXPORT_NONE;
	record_find(&x->style, r, pc, &s);
	at.function = function_of(x, space, r, &at, &s);
	if (at.function == EXPORT_NONE)
		return EXPORT_NONE;
	at.path = s.path;
	at.line = s.line;
	x->places[i] = at;
	return i;
}

static bool is_sample(const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW ||
	       r->kind_case == PMU__V1__RECORD__KIND_SAMPLE;
}

/* What an observer says of how it counts. */
static void describe(const Pmu__V1__Record *r, struct export_sample *ret)
{
	bool observed = r->kind_case == PMU__V1__RECORD__KIND_SAMPLE;

	ret->weight = observed ? r->sample->periods : 1;
	ret->summed = observed && r->sample->summed;
	ret->exact = observed && r->sample->period == 1;
}

void export_point(const struct export_samples *x, struct export_sample *s)
{
	s->at = &x->places[s->place];
	s->function = &x->functions[s->at->function];
	s->space = &x->spaces.space[s->function->space];
}

static int make_sample(struct export_samples *x, const struct trace_item *item,
		       struct export_sample *ret)
{
	size_t event = event_of(x, item), place;

	if (event == EXPORT_NONE)
		return -1;
	place = export_place_at(x, item->record, record_pc(item->record));
	if (place == EXPORT_NONE) {
		export_no_memory(x);
		return -1;
	}
	describe(item->record, ret);
	x->events[event].samples += ret->weight;
	ret->event = event;
	ret->place = place;
	export_point(x, ret);
	return 0;
}

uint64_t export_ns(const struct export_samples *x, uint64_t cycle)
{
	return (uint64_t)((u128)cycle * 1000000000 / x->hz);
}

/* Of the records that are wanted, or with @samples of the samples alone. */
static int next_of(struct export_samples *x, bool samples,
		   struct export_item *ret)
{
	struct trace_item item;
	int n;

	if (x->filter.limit && x->taken == x->filter.limit)
		return 0;
	do {
		n = trace_next(x->reader, &item);
		if (n <= 0)
			return n;
		if (!record_style_learn(&x->style, item.record))
			return -1;
	} while (!record_filter_match(&x->filter, item.record, item.index) ||
		 (samples && !is_sample(item.record)));
	x->taken++;
	ret->record = item.record;
	ret->index = item.index;
	ret->ns = export_ns(x, item.record->cycle);
	ret->is_sample = is_sample(item.record);
	if (ret->is_sample && make_sample(x, &item, &ret->sample))
		return -1;
	return 1;
}

int export_next(struct export_samples *x, struct export_item *ret)
{
	return next_of(x, false, ret);
}

int export_next_sample(struct export_samples *x, struct export_item *ret)
{
	return next_of(x, true, ret);
}

void export_note_missing(struct export_samples *x)
{
	/* else there may be more */
	if (!x->filter.limit || x->taken < x->filter.limit)
		record_filter_note_missing(&x->filter, trace_header(x->reader),
					   x->args->arg[0]);
}

int export_again(struct export_samples *x)
{
	x->taken = 0;
	guest_files_again(x->style.files);
	for (size_t i = 0; i < x->n_events; i++)
		x->events[i].samples = 0;
	return trace_again(x->reader);
}

size_t export_events(const struct export_samples *x)
{
	return x->n_events;
}

const char *export_event_recorded(const struct export_samples *x, size_t i)
{
	return x->events[i].name;
}

const char *export_event_name(const struct export_samples *x, size_t i)
{
	const struct export_event *e = &x->events[i];
	bool shared = e->kind == PMU__V1__RECORD__KIND_SAMPLE &&
		      find_event(x, e->name, PMU__V1__RECORD__KIND_OVERFLOW) !=
			      EXPORT_NONE;

	return shared ? e->other : e->name;
}

uint64_t export_event_samples(const struct export_samples *x, size_t i)
{
	return x->events[i].samples;
}

size_t export_spaces(const struct export_samples *x)
{
	return x->spaces.index.n;
}

const struct export_space *export_space(const struct export_samples *x,
					size_t i)
{
	return &x->spaces.space[i];
}

size_t export_functions(const struct export_samples *x)
{
	return x->function_index.n;
}

const struct export_function *export_function(const struct export_samples *x,
					      size_t i)
{
	return &x->functions[i];
}

size_t export_places(const struct export_samples *x)
{
	return x->place_index.n;
}

const struct export_place *export_place(const struct export_samples *x,
					size_t i)
{
	return &x->places[i];
}

uint64_t export_hz(const struct export_samples *x)
{
	return x->hz;
}

unsigned export_xlen(const struct export_samples *x)
{
	return x->style.xlen;
}

bool export_file(const struct export_samples *x, const struct export_space *s,
		 size_t i, struct symbols_at *ret)
{
	if (export_space_is_user(s) && x->style.users)
		return user_symbols_file(x->style.users, i, s->satp, ret);
	if (export_space_is_guest(s))
		*ret = (struct symbols_at){ x->args->guest_symbols,
					    x->style.guests, 0 };
	else
		*ret = (struct symbols_at){ x->args->symbols, x->style.symbols,
					    0 };
	return i == 0 && ret->symbols;
}

size_t export_mappings(const struct export_samples *x)
{
	return guest_files_count(x->style.files);
}

const struct guest_mapping *export_mapping(const struct export_samples *x,
					   size_t i)
{
	return guest_files_get(x->style.files, i);
}

const char *export_mapping_path(const struct export_samples *x, size_t i)
{
	return guest_files_path(x->style.files, i);
}

bool export_address(const struct export_samples *x, const char *name,
		    uint64_t *ret)
{
	return symbols_address(x->style.symbols, name, ret);
}
