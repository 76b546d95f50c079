/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests about functions and source lines: of the machine's files, and of the
 * table that a kernel has of itself, which is looked for in the guest's memory
 * and as hostile as they are.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/page.h>

#include "control-inside.h"
#include "control-process.h"
#include "control-symbols.h"
#include "kallsyms.h"
#include "symbol-ranges.h"
#include "symbol-store.h"
#include "symbols.h"
#include "core/machine-read.h"

enum {
	ADDRESSES_MAX = 4096, /* of one request */
	NAME_BYTES = 4096,    /* of one that is told: pmuctl reads no longer */
	DESCRIBED_BYTES = 4 << 20,  /* of all names of one answer */
	KERNEL_PAGE = 4096,	    /* names of one answer */
	CANDIDATES_MAX = 4096,	    /* likewise, of those that are proposed */
	PROPOSED_BYTES = 1 << 20,   /* of all of them */
	LOOKED_AT_BYTES = 32 << 20, /* of names, for one answer */
	RANGES_MAX = 4096,	    /* of one answer: so many a filter takes */
	KERNEL_REACH = 1 << 30, /* of memory that a kernel is looked for in */
	CODE_BEFORE = 256, /* bytes of a function that are compared, at most */
	CODE_BYTES = 4,	   /* and the instruction's */
};

/* A name, as long as the file that it is of, may be told again and again. */
static bool is_told(const char *name)
{
	return name && strnlen(name, NAME_BYTES + 1) <= NAME_BYTES;
}

static Pmu__V1__Place *new_place(struct control *c, uint64_t address,
				 const struct symbol *s)
{
	Pmu__V1__Place *ret = control_message(c, &pmu__v1__place__descriptor);

	ret->address = address;
	if (is_told(s->function)) {
		ret->function = control_text(c, s->function);
		ret->offset = s->offset;
	}
	if (is_told(s->path) && s->line >= 0) {
		ret->file = control_text(c, s->path);
		ret->line = (uint32_t)s->line;
	}
	return ret;
}

Pmu__V1__Place *control_place(struct control *c, uint64_t address)
{
	struct symbol s = { 0 };

	for (const struct symbol_file *f = symbol_files_first(c->symbols);
	     f && !is_told(s.function); f = STAILQ_NEXT(f, next))
		symbols_find(f->symbols, address, &s);
	return new_place(c, address, &s);
}

/*
 * Is @f's function, which begins @offset before @address, that which the space
 * has there? From its beginning to the instruction: what is behind may be data,
 * and what is in the page before need not be in memory.
 */
static bool is_code_there(struct control *c, const struct symbol_file *f,
			  const struct machine_space *of, uint64_t address,
			  uint64_t offset)
{
	uint64_t in_page = address % PMU_PAGE;
	uint64_t before = offset < CODE_BEFORE ? offset : CODE_BEFORE;
	uint8_t there[CODE_BEFORE + CODE_BYTES];
	const uint8_t *code;
	size_t n;

	before = before < in_page ? before : in_page;
	n = before + CODE_BYTES;
	code = symbols_code(f->symbols, address - before, n);
	return code &&
	       machine_read_code(c->machine, of, address - before, there, n) &&
	       !memcmp(code, there, n);
}

Pmu__V1__Place *control_code_place(struct control *c,
				   const struct machine_space *of,
				   uint64_t address)
{
	static const struct symbol none;
	struct symbol found = none, s;

	for (const struct symbol_file *f = symbol_files_first(c->symbols); f;
	     f = STAILQ_NEXT(f, next)) {
		symbols_find(f->symbols, address, &s);
		if (!s.function || !is_code_there(c, f, of, address, s.offset))
			continue;
		if (found.function && strcmp(found.function, s.function) != 0)
			return new_place(c, address, &none);
		if (!found.function)
			found = s;
	}
	return new_place(c, address, &found);
}

Pmu__V1__Place *control_guests_place(struct control *c, unsigned hart,
				     uint64_t address)
{
	const struct machine_space now = { .hart = hart };

	if (control_is_virtual(c, hart))
		return control_code_place(c, &now, address);
	return new_place(c, address, &(struct symbol){ 0 });
}

/* Only the file that the process has there can know. */
Pmu__V1__Place *control_users_place(struct control *c,
				    const Pmu__V1__Process *p, uint64_t address)
{
	const Pmu__V1__Mapping *m = control_mapping(p, address);
	struct symbol s = { 0 };
	uint64_t at;

	for (const struct symbol_file *f = symbol_files_first(c->symbols);
	     m && *m->file && f && !s.function; f = STAILQ_NEXT(f, next))
		if (f->size == m->file_bytes &&
		    symbols_at_offset(f->symbols,
				      address - m->start + m->offset, &at))
			symbols_find(f->symbols, at, &s);
	return new_place(c, address, &s);
}

/* False: their names are too long, together. */
static bool describe(struct control *c,
		     const Pmu__V1__DescribeAddressesRequest *q,
		     Pmu__V1__DescribeAddressesResponse *answer,
		     struct error *e)
{
	const Pmu__V1__Process *p = answer->process;
	const bool of_hart =
		q->of_case == PMU__V1__DESCRIBE_ADDRESSES_REQUEST__OF_HART;
	const bool virtual = of_hart && control_is_virtual(c, q->hart);
	size_t bytes = 0;

	answer->places =
		control_alloc(c, q->n_addresses * sizeof(*answer->places));
	for (size_t i = 0; i < q->n_addresses; i++) {
		uint64_t address = q->addresses[i];
		Pmu__V1__Place *at;

		if (virtual)
			at = control_guests_place(c, q->hart, address);
		else if (p && control_is_users(c, address))
			at = control_users_place(c, p, address);
		else
			at = control_place(c, address);
		answer->places[answer->n_places++] = at;
		bytes += strlen(at->function) + strlen(at->file);
		if (bytes > DESCRIBED_BYTES)
			return error_set(
				e, ERROR_NO_ROOM,
				AT(PART_ADDRESSES, "ANSWER_TOO_LONG"),
				"addresses: the names at the first %zu of them "
				"are longer than %d MiB: ask for fewer",
				i + 1, DESCRIBED_BYTES >> 20);
	}
	return true;
}

enum handled control_describe_addresses(
	struct control *c, const Pmu__V1__DescribeAddressesRequest *q,
	Pmu__V1__DescribeAddressesResponse *answer, struct error *e)
{
	const struct control_addresses at = { q->addresses, q->n_addresses };
	Pmu__V1__Process *p = NULL;

	if (q->n_addresses > ADDRESSES_MAX) {
		error_set(e, ERROR_INVALID, AT(PART_ADDRESSES, "TOO_MANY"),
			  "addresses: must be at most %d, not %zu",
			  ADDRESSES_MAX, q->n_addresses);
		return HANDLED_FAILED;
	}
	if (q->of_case == PMU__V1__DESCRIBE_ADDRESSES_REQUEST__OF_HART &&
	    !control_find_process(c, q->hart, &at, &p, e))
		return HANDLED_FAILED;
	answer->process = p;
	answer->satp = p ? control_satp(c, q->hart) : 0;
	answer->files = symbol_files_count(c->symbols);
	return control_good(describe(c, q, answer, e));
}

/* Names with @part, and what was spent on them. */
struct proposal {
	const char *part;
	size_t part_len;
	size_t names, bytes; /* that have it */
	size_t looked_at;    /* bytes, of those without it too */
};

/* Is there room for one that is as long as it may be? */
static bool may_go_on(const struct proposal *p)
{
	return p->names < CANDIDATES_MAX &&
	       p->bytes <= PROPOSED_BYTES - NAME_BYTES &&
	       p->looked_at < LOOKED_AT_BYTES;
}

/*
 * Is it a compiler's, with the part? All symbols of a file may have the same
 * name, and that may be nearly all of the file.
 */
static bool has_part(void *arg, const char *name)
{
	struct proposal *p = arg;
	size_t len;

	if (!may_go_on(p) || name[0] != '_' ||
	    (name[1] != 'Z' && name[1] != 'R'))
		return false;
	len = strnlen(name, NAME_BYTES + 1);
	p->looked_at += len;
	if (len > NAME_BYTES || !memmem(name, len, p->part, p->part_len))
		return false;
	p->names++;
	p->bytes += len;
	return true;
}

/* All that have @part, those of the first file first. */
static void propose(struct control *c, const char *part,
		    Pmu__V1__FindSymbolResponse *answer)
{
	struct proposal p = { .part = part, .part_len = strlen(part) };
	const size_t most = CANDIDATES_MAX; /* has_part() takes no more */
	struct symbols_named *named = control_alloc(c, most * sizeof(*named));

	answer->candidates =
		control_alloc(c, most * sizeof(*answer->candidates));
	for (const struct symbol_file *f = symbol_files_first(c->symbols); f;
	     f = STAILQ_NEXT(f, next)) {
		size_t n = symbols_named(f->symbols, has_part, &p, named, most);

		for (size_t i = 0; i < n; i++) {
			Pmu__V1__Place *one =
				control_message(c, &pmu__v1__place__descriptor);

			one->address = named[i].address;
			one->function = control_text(c, named[i].name);
			answer->candidates[answer->n_candidates++] = one;
		}
	}
}

enum handled control_find_symbol(struct control *c,
				 const Pmu__V1__FindSymbolRequest *q,
				 Pmu__V1__FindSymbolResponse *answer,
				 struct error *e)
{
	const char *name = q->name;
	bool found = false;

	for (const struct symbol_file *f = symbol_files_first(c->symbols);
	     f && !found; f = STAILQ_NEXT(f, next))
		found = symbols_extent(f->symbols, name, &answer->address,
				       &answer->size);
	if (!found && *q->part)
		propose(c, q->part, answer);
	if (!found && !answer->n_candidates) {
		error_set(e, ERROR_NOT_FOUND, AT(PART_SYMBOL, "NO_SUCH_SYMBOL"),
			  symbol_files_count(c->symbols)
				  ? "no file of the machine has the "
				    "symbol '%.128s'"
				  : "the machine has no ELF file that could "
				    "have the symbol '%.128s'",
			  name);
		return HANDLED_FAILED;
	}
	return HANDLED_DONE;
}

/* Ranges of addresses */

/* Is it a question at all? */
static bool asks_for_ranges(const Pmu__V1__FindRangesRequest *q,
			    struct error *e)
{
	switch (q->of_case) {
	case PMU__V1__FIND_RANGES_REQUEST__OF_FUNCTION:
		return true;
	case PMU__V1__FIND_RANGES_REQUEST__OF_LINE:
		return (q->line->line >= 1 && q->line->line <= INT_MAX) ||
		       error_set(e, ERROR_INVALID,
				 AT(PART_SOURCE_LINE, "BAD_VALUE"),
				 "line: %" PRIu32 ", lines are from 1 to %d",
				 q->line->line, INT_MAX);
	case PMU__V1__FIND_RANGES_REQUEST__OF__NOT_SET:
	case _PMU__V1__FIND_RANGES_REQUEST__OF__CASE_IS_INT_SIZE:
		break;
	}
	return error_set(e, ERROR_INVALID, AT(PART_RANGES_OF, "FIELD_MISSING"),
			 "of: neither a function nor a line is named");
}

static bool no_ranges(const Pmu__V1__FindRangesRequest *q, struct error *e)
{
	if (q->of_case == PMU__V1__FIND_RANGES_REQUEST__OF_FUNCTION)
		return error_set(e, ERROR_NOT_FOUND,
				 AT(PART_FUNCTION, "NO_SUCH_SYMBOL"),
				 "no file of the machine has the function "
				 "'%.128s'",
				 q->function);
	return error_set(
		e, ERROR_NOT_FOUND, AT(PART_SOURCE_LINE, "NO_SUCH_LINE"),
		"no file of the machine has code of '%.128s:%" PRIu32 "'",
		q->line->file, q->line->line);
}

/* Of all files; how many there are, of which RANGES_MAX are in @ret at most. */
static size_t all_ranges(const struct control *c,
			 const Pmu__V1__FindRangesRequest *q,
			 struct symbols_range *ret)
{
	const bool line = q->of_case == PMU__V1__FIND_RANGES_REQUEST__OF_LINE;
	size_t n = 0;

	for (const struct symbol_file *f = symbol_files_first(c->symbols);
	     f && n <= RANGES_MAX; f = STAILQ_NEXT(f, next))
		n += line ? symbols_of_line(f->symbols, q->line->file,
					    (int)q->line->line, ret + n,
					    RANGES_MAX - n)
			  : symbols_of_function(f->symbols, q->function,
						ret + n, RANGES_MAX - n);
	return n;
}

static bool find_ranges(struct control *c, const Pmu__V1__FindRangesRequest *q,
			Pmu__V1__FindRangesResponse *answer, struct error *e)
{
	struct symbols_range *found;
	size_t n;

	if (!asks_for_ranges(q, e))
		return false;
	found = control_alloc(c, RANGES_MAX * sizeof(*found));
	n = all_ranges(c, q, found);
	if (!n)
		return no_ranges(q, e);
	if (n > RANGES_MAX)
		return error_set(
			e, ERROR_NO_ROOM, AT(PART_RANGES_OF, "TOO_MANY"),
			"of: more than %d ranges of addresses", RANGES_MAX);
	answer->ranges = control_alloc(c, n * sizeof(*answer->ranges));
	for (size_t i = 0; i < n; i++) {
		Pmu__V1__AddressRange *one =
			control_message(c, &pmu__v1__address_range__descriptor);

		one->first = found[i].first;
		one->last = found[i].last;
		answer->ranges[answer->n_ranges++] = one;
	}
	return true;
}

enum handled control_find_ranges(struct control *c,
				 const Pmu__V1__FindRangesRequest *q,
				 Pmu__V1__FindRangesResponse *answer,
				 struct error *e)
{
	return control_good(find_ranges(c, q, answer, e));
}

/* The kernel's own */

/* Searches the memory; what was found before is forgotten. */
static bool search_kernel(struct control *c, struct error *e)
{
	struct symbol_map *map;
	const char *why;
	size_t size;
	const uint8_t *ram = machine_ram(c->machine, &size);

	symbol_files_forget_kernel(c->symbols);
	map = kallsyms_find(ram, size < KERNEL_REACH ? size : KERNEL_REACH,
			    (unsigned)machine_config(c->machine)->settings.xlen,
			    &why);
	if (!map)
		return error_set(e, ERROR_NOT_FOUND,
				 AT(PART_NONE, "NO_KERNEL_SYMBOLS"), "%s", why);
	if (symbol_files_add_kernel(c->symbols, map, e))
		return true;
	symbol_map_free(map);
	return false;
}

static void tell_kernel(struct control *c, const struct symbol_map *map,
			size_t first, Pmu__V1__ReadKernelSymbolsResponse *ret)
{
	size_t n = symbol_map_count(map);

	ret->total = (uint32_t)n;
	n = first < n ? n - first : 0;
	n = n < KERNEL_PAGE ? n : KERNEL_PAGE;
	ret->symbols = control_alloc(c, n * sizeof(*ret->symbols));
	for (size_t i = 0; i < n; i++) {
		Pmu__V1__KernelSymbol *one =
			control_message(c, &pmu__v1__kernel_symbol__descriptor);
		struct map_symbol s;

		symbol_map_get(map, first + i, &s);
		one->address = s.address;
		one->type = control_text(c, (char[]){ s.type, 0 });
		one->name = control_text(c, s.name);
		ret->symbols[ret->n_symbols++] = one;
	}
}

enum handled control_read_kernel_symbols(
	struct control *c, const Pmu__V1__ReadKernelSymbolsRequest *q,
	Pmu__V1__ReadKernelSymbolsResponse *answer, struct error *e)
{
	const struct symbol_map *kernel;

	if (!q->first && !search_kernel(c, e))
		return HANDLED_FAILED;
	kernel = symbol_files_kernel(c->symbols);
	if (!kernel) {
		error_set(e, ERROR_NOT_NOW, AT(PART_FIRST, "WRONG_ORDER"),
			  "first: %u, but nothing was found before", q->first);
		return HANDLED_FAILED;
	}
	tell_kernel(c, kernel, q->first, answer);
	return HANDLED_DONE;
}
