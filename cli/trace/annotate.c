/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses are counted in a tree of the C library, then walked in the order of
 * events, files and functions. The files stay open until the end: names are
 * theirs.
 */
#include "annotate.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "annotate-text.h"
#include "array.h"
#include "cmd/args.h"
#include "demangle.h"
#include "disasm.h"
#include "function-name.h"
#include "guest-files.h"
#include "record-style.h"
#include "record-symbols.h"
#include "sample-filter.h"
#include "symbol-ranges.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"
#include "trace-file.h"
#include "user-symbols.h"

enum {
	MAX_RANGES = 64, /* functions of one name */
};

/* Samples at an address of a file, of the event. */
struct hit {
	const char *event;
	const char *path;	 /* NULL: of no file */
	struct symbols *symbols; /* of it */
	const char *function;	 /* NULL: of none */
	uint64_t start;		 /* of the function */
	uint64_t address;	 /* in the file */
	uint64_t n;
};

struct annotate {
	struct record_style style;
	struct sample_filter filter;
	void *tree, *events; /* of hits, and of their names */
	struct hit **hits;
	size_t n, room;
};

struct annotate *annotate_new(void)
{
	return calloc(1, sizeof(struct annotate));
}

static void keep(void *node)
{
}

void annotate_free(struct annotate *a)
{
	if (!a)
		return;
	tdestroy(a->tree, keep);
	tdestroy(a->events, free);
	for (size_t i = 0; i < a->n; i++)
		free(a->hits[i]);
	free(a->hits);
	record_style_close(&a->style);
	sample_filter_close(&a->filter);
	free(a);
}

/* Counting */

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Those of one function follow each other. */
static int compare_functions(const struct hit *x, const struct hit *y)
{
	int c = strcmp(x->event, y->event);

	if (!c)
		c = !x->path - !y->path;
	if (!c && x->path)
		c = strcmp(x->path, y->path);
	if (!c)
		c = !x->function - !y->function;
	return c ? c : order(x->start, y->start);
}

static int compare(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int c = compare_functions(x, y);

	return c ? c : order(x->address, y->address);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* @name for as long as @a lives; NULL without memory. */
static const char *event_name(struct annotate *a, const char *name)
{
	char **found = tfind(name, &a->events, compare_names);
	char *copy;

	if (found)
		return *found;
	copy = strdup(name);
	if (copy && tsearch(copy, &a->events, compare_names))
		return copy;
	free(copy);
	return NULL;
}

static bool look_in(struct hit *h, const char *path, struct symbols *symbols,
		    uint64_t address)
{
	struct symbol s;

	symbols_find(symbols, address, &s);
	if (!s.function)
		return false;
	h->path = path;
	h->symbols = symbols;
	h->function = s.function;
	h->address = address;
	h->start = address - s.offset;
	return true;
}

/* Whose it is: a user's program first, as names are looked for everywhere. */
static void find_function(const struct annotate *a, const struct args *args,
			  const Pmu__V1__Record *r, struct hit *h)
{
	uint64_t pc = record_pc(r);
	struct symbols_at at;
	size_t i;

	h->address = pc;
	for (i = 0; privilege_is_user(r->privilege) && a->style.users &&
		    user_symbols_file(a->style.users, i, r->satp, &at);
	     i++)
		if (at.path && look_in(h, at.path, at.symbols, pc - at.base))
			return;
	i = guest_files_find(a->style.files, r, pc);
	if (i != GUEST_FILES_NONE &&
	    guest_files_symbols(a->style.files, i, pc, &at) &&
	    look_in(h, at.path, at.symbols, pc - at.base))
		return;
	(void)look_in(h,
		      privilege_is_guest((int)r->privilege)
			      ? args->guest_symbols
			      : args->symbols,
		      record_symbols(&a->style, r), pc);
}

static bool add(struct annotate *a, const struct args *args,
		const Pmu__V1__Record *r)
{
	struct hit key = { .event = event_name(a, r->sample->event) }, *h;
	struct hit **found;

	if (!key.event)
		return false;
	find_function(a, args, r, &key);
	found = tfind(&key, &a->tree, compare);
	if (found) {
		(*found)->n += r->sample->periods;
		return true;
	}
	if (!ARRAY_ROOM(a->hits, &a->room, a->n))
		return false;
	h = malloc(sizeof(*h));
	if (!h)
		return false;
	*h = key;
	h->n = r->sample->periods;
	if (!tsearch(h, &a->tree, compare)) {
		free(h);
		return false;
	}
	a->hits[a->n++] = h;
	return true;
}

static int read_samples(struct annotate *a, const struct args *args,
			struct trace_reader *r)
{
	struct trace_item item;
	int n;

	while ((n = trace_next(r, &item)) > 0) {
		if (!record_style_learn(&a->style, item.record))
			return EXIT_FAILED;
		if (!sample_filter_takes(&a->filter, &a->style, item.record))
			continue;
		if (!add(a, args, item.record))
			return report_no_memory(args->arg[0]);
	}
	return n < 0 ? EXIT_FAILED : EXIT_OK;
}

static void note_list(const struct symbols *s, const char *path)
{
	if (s && symbols_are_listed(s))
		report_note("%s is a list of symbols: it has no instructions "
			    "and no source, as the ELF file has",
			    path);
}

int annotate_read(struct annotate *a, const char *path, const struct args *args)
{
	struct trace_reader *r = NULL;
	int code = sample_filter_open(&a->filter, args);

	if (!code)
		code = trace_open(&r, path);
	if (!code)
		code = record_style_open(&a->style, NULL, args,
					 trace_header(r));
	if (!code)
		note_list(a->style.symbols, args->symbols);
	if (!code)
		note_list(a->style.guests, args->guest_symbols);
	if (!code)
		code = read_samples(a, args, r);
	if (!code)
		sample_filter_end(&a->filter, path);
	trace_close(r);
	return code;
}

/* Functions */

/* Hits that follow each other. */
struct function {
	struct hit *const *hits;
	size_t n;
	uint64_t samples;
};

static int compare_hits(const void *a, const void *b)
{
	return compare(*(struct hit *const *)a, *(struct hit *const *)b);
}

/* Of an event the one with most samples first. */
static int compare_printed(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int c = strcmp(x->hits[0]->event, y->hits[0]->event);

	if (!c)
		c = order(y->samples, x->samples);
	if (!c && x->hits[0]->function && y->hits[0]->function)
		c = strcmp(x->hits[0]->function, y->hits[0]->function);
	return c ? c : compare(x->hits[0], y->hits[0]);
}

static bool is_wanted(const struct args *args, const struct hit *h)
{
	for (size_t i = 0; i < args->function.n; i++)
		if (h->function &&
		    function_name_is(h->function, args->function.item[i]))
			return true;
	return !args->function.n;
}

/* All of them into @ret, which has room for as many as hits. */
static size_t group(const struct annotate *a, struct function *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		struct hit *h = a->hits[i];

		if (!i || compare_functions(a->hits[i - 1], h) != 0)
			ret[n++] = (struct function){ .hits = &a->hits[i] };
		ret[n - 1].n++;
		ret[n - 1].samples += h->n;
	}
	qsort(ret, n, sizeof(*ret), compare_printed);
	return n;
}

/* What it is made of is in an ELF file, in no list. */
static bool has_code(const struct hit *h)
{
	return h->function && !symbols_are_listed(h->symbols);
}

/* The addresses of @h's function. False: nothing knows its end. */
static bool range_of(const struct hit *h, struct symbols_range *ret)
{
	struct symbols_range all[MAX_RANGES];
	size_t n = has_code(h) ? symbols_of_function(h->symbols, h->function,
						     all, MAX_RANGES)
			       : 0;

	for (size_t i = 0; i < n && i < MAX_RANGES; i++) {
		if (h->address < all[i].first || h->address > all[i].last)
			continue;
		/* its first instruction may be known by another name */
		*ret = all[i];
		ret->first = h->start;
		return true;
	}
	return false;
}

/* The instructions of a function on their way out. */
struct insn_listing {
	const struct function *f;
	struct annotate_out *out;
	size_t next; /* hit that has not been told */
};

static void tell(struct insn_listing *l, uint64_t address, const char *text,
		 uint64_t n)
{
	const struct hit *h = l->f->hits[0];
	struct annotate_line line = {
		.address = address,
		.text = text,
		.samples = n,
		.of = l->f->samples,
	};

	if (h->symbols)
		symbols_find(h->symbols, address, &line.at);
	annotate_out_line(l->out, &line);
}

/* Hits before @address, at which objdump has no instruction. */
static void tell_before(struct insn_listing *l, uint64_t address)
{
	while (l->next < l->f->n && l->f->hits[l->next]->address < address) {
		const struct hit *h = l->f->hits[l->next++];

		tell(l, h->address, "", h->n);
	}
}

static bool take_insn(void *arg, uint64_t pc, const char *text)
{
	struct insn_listing *l = arg;
	uint64_t n = 0;

	tell_before(l, pc);
	if (l->next < l->f->n && l->f->hits[l->next]->address == pc)
		n = l->f->hits[l->next++]->n;
	tell(l, pc, text, n);
	return true;
}

static int print(struct annotate_out *out, const struct function *f,
		 uint64_t all)
{
	const struct hit *h = f->hits[0];
	struct insn_listing l = { .f = f, .out = out };
	struct symbols_range range;

	annotate_out_function(out, &(struct annotate_function){
					   .event = h->event,
					   .function = demangle(h->function),
					   .path = h->path,
					   .samples = f->samples,
					   .of = all,
				   });
	if (range_of(h, &range) &&
	    !disasm_file(h->path, range.first, range.last, take_insn, &l)) {
		report_error("no objdump for RISC-V reads %s", h->path);
		return EXIT_FAILED;
	}
	tell_before(&l, UINT64_MAX);
	annotate_out_end(out);
	return EXIT_OK;
}

static uint64_t all_of(const struct function *list, size_t n, const char *event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].hits[0]->event, event))
			sum += list[i].samples;
	return sum;
}

static int print_all(const struct function *list, size_t n,
		     const struct args *args, struct annotate_out *out)
{
	const char *event = "";
	int code = EXIT_OK;
	uint64_t all = 0;

	for (size_t i = 0; i < n && !code; i++) {
		const struct hit *h = list[i].hits[0];

		if (!i || strcmp(event, h->event) != 0) {
			event = h->event;
			all = all_of(list, n, event);
		}
		if (!is_wanted(args, h))
			continue;
		code = print(out, &list[i], all);
	}
	return code;
}

/* Each --function that has no sample is named. */
static int check_functions(const struct function *list, size_t n,
			   const struct args *args)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < args->function.n; i++) {
		const char *wanted = args->function.item[i];
		bool found = false;

		for (size_t j = 0; j < n && !found; j++) {
			const char *name = list[j].hits[0]->function;

			found = name && function_name_is(name, wanted);
		}
		if (found)
			continue;
		report_error("--function: no sample is in '%s'", wanted);
		code = EXIT_NOT_FOUND;
	}
	return code;
}

int annotate_print(struct annotate *a, const struct args *args, FILE *file)
{
	struct function *list = calloc(a->n + 1, sizeof(*list));
	struct annotate_out *out = annotate_out_new(file, args->json);
	int code = EXIT_FAILED;
	size_t n = 0;

	if (a->n)
		qsort(a->hits, a->n, sizeof(*a->hits), compare_hits);
	if (list && out) {
		n = group(a, list);
		code = print_all(list, n, args, out);
	} else {
		report_no_memory("annotated functions");
	}
	code = annotate_out_free(out, code);
	if (!code)
		code = check_functions(list, n, args);
	free(list);
	return code;
}
