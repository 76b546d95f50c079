/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter of a trace, held as the protocol's message so that a file and a
 * machine are filtered by the same rules. Expressions go beyond these: of them
 * a daemon is told what follows for harts and kinds, so that what cannot be
 * meant does not come.
 */
#include "record-filter.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function-name.h"
#include "machine-ranges.h"
#include "number.h"
#include "record-expr.h"
#include "record-text.h"
#include "symbol-ranges.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/parse.h"
#include "text/report.h"
#include "wire/record-kinds.h"

static const struct filter_kind {
	const char *name;
	size_t offset;
	unsigned number;
} kinds[RECORD_N_KINDS] = {
#define X(kind, flag, name)                                                    \
	{ name, offsetof(Pmu__V1__RecordFilter, flag),                         \
	  PMU__V1__RECORD__KIND_##kind },
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

/* Of any kind, also those that this pmuctl does not know. */
static bool has_hart(const struct record_expr *e, uint32_t hart)
{
	for (unsigned kind = 0; kind < 32; kind++)
		if (record_expr_can_match(e, kind, hart))
			return true;
	return false;
}

/* The harts that the expression can mean: none is all. */
static void take_harts(struct record_filter *f)
{
	size_t n = 0;

	for (uint32_t hart = 0; hart < WANTED_HARTS_MAX; hart++)
		if (has_hart(f->expr, hart))
			f->harts[n++] = hart;
	if (n == WANTED_HARTS_MAX)
		return;
	f->message.harts = f->harts;
	f->message.n_harts = n;
}

/* The kind on any of the harts that it means. */
static bool has_kind(const struct record_filter *f, unsigned kind)
{
	for (uint32_t hart = 0; hart < WANTED_HARTS_MAX; hart++)
		if (record_expr_can_match(f->expr, kind, hart))
			return true;
	return false;
}

bool record_filter_narrow(struct record_filter *f)
{
	Pmu__V1__RecordFilter narrow = f->message;
	bool any = false;

#define X(kind, flag, name)                                                    \
	narrow.flag &= has_kind(f, PMU__V1__RECORD__KIND_##kind);              \
	any |= narrow.flag;
	RECORD_KINDS(X)
#undef X
	if (any) /* none would be all */
		f->message = narrow;
	return any;
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
			report_error("--counter: must be one of 3 to 31, which "
				     "can overflow, not %" PRIu64,
				     args->counter);
			return false;
		}
		f->counter = (uint32_t)args->counter;
		f->message.n_counters = 1;
		f->message.counters = &f->counter;
	}
	if (args_has(args, OPTION_HART)) {
		if (!parse_hart(args, &f->harts[0]))
			return false;
		f->message.n_harts = 1;
		f->message.harts = f->harts;
	}
	f->first_cycle = args->first_cycle;
	f->last_cycle = args->last_cycle;
	f->limit = args->limit;
	f->first_record = args->first_record;
	if (record_expr_open(&f->expr, args))
		return false;
	if (!args_has(args, OPTION_HART))
		take_harts(f);
	return true;
}

/*
 * Room for the addresses of all options, how much of it is used, and who knows
 * them: files, or without any a machine.
 */
struct range_room {
	struct symbols_range at[WANTED_RANGES_MAX];
	unsigned char modes[WANTED_RANGES_MAX];
	size_t n, before; /* the text that is taken now */
	const struct args *args;
	struct symbols *symbols, *guests;
	struct pmud *pmud;
};

/* Whose addresses: names are those of the modes that the file is for. */
enum modes {
	MODES_ALL,
	MODES_GUESTS, /* VS and VU */
	MODES_OTHERS,
};

/* What is free of it, for a machine to fill. */
static struct machine_ranges rest_of(struct range_room *p)
{
	return (struct machine_ranges){
		.at = p->at + p->n,
		.max = WANTED_RANGES_MAX - p->n,
	};
}

/* The file, or the machine; of two files the first. */
static const char *where(const struct range_room *p)
{
	if (p->symbols)
		return p->args->symbols;
	return p->guests ? p->args->guest_symbols : p->args->machine;
}

/* Of all but the guests' file: what a machine has may be its guests', too. */
static enum modes other_modes(const struct range_room *p)
{
	return p->symbols ? MODES_OTHERS : MODES_ALL;
}

/* @n more were found of a text. Returns an exit code. */
static int took(struct range_room *p, size_t n, enum modes modes,
		const char *option, const char *text)
{
	if (!n && p->n == p->before) {
		report_error("%s: '%s' is nowhere in %s%s%s", option, text,
			     where(p), p->symbols && p->guests ? " or " : "",
			     p->symbols && p->guests ? p->args->guest_symbols
						     : "");
		return EXIT_NOT_FOUND;
	}
	for (size_t i = p->n; i < p->n + n && i < WANTED_RANGES_MAX; i++)
		p->modes[i] = (unsigned char)modes;
	p->n += n;
	if (p->n <= WANTED_RANGES_MAX)
		return EXIT_OK;
	report_error("%s: more than %d ranges of addresses", option,
		     WANTED_RANGES_MAX);
	return EXIT_USAGE;
}

static int take_function(struct range_room *p, const char *name)
{
	struct machine_ranges to = rest_of(p);
	int code = EXIT_OK;

	if (p->guests) {
		to.n = function_name_ranges(p->guests, name, to.at, to.max);
		if (to.n)
			code = took(p, to.n, MODES_GUESTS, "--function", name);
		if (code)
			return code;
		to = rest_of(p);
	}
	if (p->symbols)
		to.n = function_name_ranges(p->symbols, name, to.at, to.max);
	else if (!p->guests)
		code = machine_ranges_function(p->pmud, p->args->machine, name,
					       &to);
	return code ? code : took(p, to.n, other_modes(p), "--function", name);
}

/* Of a file that is there, or of a machine. Returns an exit code. */
static int lines_of(struct range_room *p, struct symbols *symbols,
		    const char *file, uint64_t line, struct machine_ranges *to)
{
	if (!symbols)
		return machine_ranges_line(p->pmud, p->args->machine, file,
					   (uint32_t)line, to);
	to->n = symbols_of_line(symbols, file, (int)line, to->at, to->max);
	return EXIT_OK;
}

static int take_lines(struct range_room *p, const char *file, uint64_t line,
		      const char *text)
{
	struct machine_ranges to = rest_of(p);
	int code = EXIT_OK;

	if (p->guests) {
		code = lines_of(p, p->guests, file, line, &to);
		if (!code && to.n)
			code = took(p, to.n, MODES_GUESTS, "--line", text);
		if (code)
			return code;
		to = rest_of(p);
	}
	if (p->symbols || !p->guests)
		code = lines_of(p, p->symbols, file, line, &to);
	return code ? code : took(p, to.n, other_modes(p), "--line", text);
}

static int take_line(struct range_room *p, const char *text)
{
	const char *colon = strrchr(text, ':');
	uint64_t line = 0;
	char *file;
	int code;

	if (!colon || colon == text || !number_parse(colon + 1, &line) ||
	    !line || line > INT_MAX) {
		report_error("--line: '%s' is not FILE:LINE", text);
		return EXIT_USAGE;
	}
	file = strndup(text, (size_t)(colon - text));
	if (!file)
		return report_no_memory("--line");
	code = take_lines(p, file, line, text);
	free(file);
	return code;
}

/* "ADDRESS" or "ADDRESS-ADDRESS" */
static int take_range(struct range_room *p, const char *text)
{
	const char *dash = strchr(text, '-');
	char *first =
		strndup(text, dash ? (size_t)(dash - text) : strlen(text));
	struct symbols_range r = { 0 };
	bool good;

	if (!first)
		return report_no_memory("--range");
	good = number_parse(first, &r.first);
	r.last = r.first;
	if (dash)
		good = good && number_parse(dash + 1, &r.last);
	free(first);
	if (!good || r.last < r.first) {
		report_error("--range: '%s' is not ADDRESS or ADDRESS-ADDRESS",
			     text);
		return EXIT_USAGE;
	}
	if (p->n < WANTED_RANGES_MAX)
		p->at[p->n] = r;
	return took(p, 1, MODES_ALL, "--range", text);
}

static int take_all(struct range_room *p)
{
	const struct args *args = p->args;
	const struct option {
		const char *name;
		const struct args_list *list;
		int (*take)(struct range_room *p, const char *text);
		bool needs_symbols;
	} options[] = {
		{ "--function", &args->function, take_function, true },
		{ "--line", &args->line, take_line, true },
		{ "--range", &args->range, take_range, false },
	};
	int code = EXIT_OK;

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct option *o = &options[i];

		if (o->list->n && o->needs_symbols && !p->symbols &&
		    !p->guests && !p->pmud) {
			report_error("%s needs --symbols or --guest-symbols",
				     o->name);
			return EXIT_USAGE;
		}
		for (size_t k = 0; k < o->list->n && !code; k++) {
			p->before = p->n;
			code = o->take(p, o->list->item[k]);
		}
	}
	return code;
}

static bool tell_places(struct record_filter *f, const struct range_room *p)
{
	f->ranges = calloc(p->n, sizeof(*f->ranges));
	f->list = calloc(p->n, sizeof(*f->list));
	f->modes = malloc(p->n);
	if (!f->ranges || !f->list || !f->modes)
		return false;
	memcpy(f->modes, p->modes, p->n);
	for (size_t i = 0; i < p->n; i++) {
		pmu__v1__address_range__init(&f->ranges[i]);
		f->ranges[i].first = p->at[i].first;
		f->ranges[i].last = p->at[i].last;
		f->list[i] = &f->ranges[i];
	}
	f->message.addresses = f->list;
	f->message.n_addresses = p->n;
	return true;
}

int record_filter_places(struct record_filter *f, struct pmud *s,
			 const struct args *args,
			 const struct record_style *style)
{
	struct range_room *p = calloc(1, sizeof(*p));
	int code = EXIT_FAILED;

	f->style = style;
	if (p) {
		p->args = args;
		p->symbols = style->symbols;
		p->guests = style->guests;
		p->pmud = s;
		code = take_all(p);
	}
	if (!p || (!code && p->n && !tell_places(f, p)) ||
	    (!code && wanted_init(&f->wanted, &f->message))) {
		code = report_no_memory("filter");
	}
	free(p);
	f->wanted.first_cycle = f->first_cycle;
	if (f->last_cycle)
		f->wanted.last_cycle = f->last_cycle;
	return code;
}

void record_filter_fini(struct record_filter *f)
{
	wanted_fini(&f->wanted);
	free(f->ranges);
	free(f->list);
	free(f->modes);
	record_expr_free(f->expr);
	f->expr = NULL;
	f->ranges = NULL;
	f->list = NULL;
	f->modes = NULL;
}

bool record_filter_match(struct record_filter *f, const Pmu__V1__Record *r,
			 uint64_t number)
{
	f->met |= 1u << r->kind_case;
	return number >= f->first_record && wanted_match(&f->wanted, r) &&
	       record_filter_holds(f, r);
}

/*
 * Is the name that its address has one of its mode? No daemon knows, for which
 * they are addresses alone.
 */
static bool is_named(const struct record_filter *f, const Pmu__V1__Record *r)
{
	const enum modes mine = privilege_is_guest((int)r->privilege)
					? MODES_GUESTS
					: MODES_OTHERS;
	const uint64_t pc = record_pc(r);

	for (size_t i = 0; i < f->message.n_addresses; i++)
		if (pc >= f->ranges[i].first && pc <= f->ranges[i].last &&
		    (f->modes[i] == MODES_ALL || f->modes[i] == mine))
			return true;
	return !f->message.n_addresses;
}

bool record_filter_holds(const struct record_filter *f,
			 const Pmu__V1__Record *r)
{
	return is_named(f, r) && record_expr_match(f->expr, f->style, r);
}

uint64_t record_filter_daemon_limit(const struct record_filter *f)
{
	bool all = !f->expr;

	for (size_t i = 0; i < f->message.n_addresses; i++)
		all = all && f->modes[i] == MODES_ALL;
	return all ? f->limit : 0;
}

/* Those that are stored only if --record asks for them, by the same name. */
#define OPTIONAL                                                               \
	(1u << PMU__V1__RECORD__KIND_TRAP |                                    \
	 1u << PMU__V1__RECORD__KIND_SBI_CALL |                                \
	 1u << PMU__V1__RECORD__KIND_CSR_ACCESS |                              \
	 1u << PMU__V1__RECORD__KIND_DELIVERY)

void record_filter_note_missing(struct record_filter *f,
				const Pmu__V1__Header *h, const char *path)
{
	uint32_t doubtful = h->samples_only
				    ? ~(1u << PMU__V1__RECORD__KIND_SAMPLE)
				    : OPTIONAL;
	char names[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < RECORD_N_KINDS; i++)
		if (*flag_of(&f->message, i) &&
		    (doubtful & ~f->met) >> kinds[i].number & 1)
			len += (size_t)snprintf(names + len,
						sizeof(names) - len, "%s%s",
						len ? "," : "", kinds[i].name);
	if (len && h->samples_only)
		report_note("%s has samples alone, and so no records of kind "
			    "%s",
			    path, names);
	else if (len)
		report_note("%s has no records of kind %s, which are stored "
			    "where --record %s was given",
			    path, names, names);
}
