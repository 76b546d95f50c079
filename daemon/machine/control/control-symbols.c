/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests about functions and source lines. The ELF files that were loaded or
 * sent for this are kept as far as there is room; elfutils reads them here, in
 * the machine's own process, when they are first asked. They are hostile: what
 * elfutils makes of them harms this machine alone.
 */
#include <stdlib.h>
#include <string.h>

#include "control-inside.h"
#include "symbols.h"

enum {
	SYMBOLS_MAX_FILES = 32,
	ADDRESSES_MAX = 4096 /* of one request */
};

struct symbol_file {
	struct symbol_file *next;
	uint8_t *bytes;
	size_t size;
	struct symbols *symbols;
};

bool control_symbols_add(struct control *c, uint8_t *bytes, size_t size,
			 struct error *e)
{
	struct symbol_files *files = &c->symbols;
	struct symbol_file *f, **end = &files->first;
	const char *why;

	if (files->n == SYMBOLS_MAX_FILES ||
	    size > SYMBOLS_MAX_BYTES - files->bytes)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT(NULL, "SYMBOLS_LIMIT"),
				 "symbols: a machine keeps at most %d files of "
				 "%d MiB in all",
				 SYMBOLS_MAX_FILES, SYMBOLS_MAX_BYTES >> 20);
	f = calloc(1, sizeof(*f));
	if (!f)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT(NULL, "OUT_OF_MEMORY"), "out of memory");
	f->symbols = symbols_open_memory(bytes, size, &why);
	if (!f->symbols) {
		free(f);
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("chunk", "BAD_IMAGE"), "symbols: %s", why);
	}
	f->bytes = bytes;
	f->size = size;
	while (*end)
		end = &(*end)->next;
	*end = f;
	files->n++;
	files->bytes += size;
	return true;
}

void control_symbols_free(struct control *c)
{
	while (c->symbols.first) {
		struct symbol_file *f = c->symbols.first;

		c->symbols.first = f->next;
		symbols_close(f->symbols);
		free(f->bytes);
		free(f);
	}
	c->symbols = (struct symbol_files){ 0 };
}

/* By the first file that knows a function there. */
static Pmu__V1__Place *describe(struct control *c, uint64_t address)
{
	Pmu__V1__Place *ret = control_message(c, &pmu__v1__place__descriptor);
	struct symbol s = { 0 };

	for (struct symbol_file *f = c->symbols.first; f && !s.function;
	     f = f->next)
		symbols_find(f->symbols, address, &s);
	ret->address = address;
	if (s.function) {
		ret->function = control_text(c, s.function);
		ret->offset = s.offset;
	}
	if (s.path && s.line > 0) {
		ret->file = control_text(c, s.path);
		ret->line = (uint32_t)s.line;
	}
	return ret;
}

enum handled control_describe_addresses(
	struct control *c, const Pmu__V1__DescribeAddressesRequest *q,
	Pmu__V1__DescribeAddressesResponse *answer, struct error *e)
{
	if (q->n_addresses > ADDRESSES_MAX) {
		error_set(e, STATUS_INVALID_ARGUMENT,
			  AT("addresses", "TOO_MANY"),
			  "addresses: %zu, at most %d are accepted",
			  q->n_addresses, ADDRESSES_MAX);
		return HANDLED_FAILED;
	}
	answer->files = c->symbols.n;
	answer->places =
		control_alloc(c, q->n_addresses * sizeof(*answer->places));
	for (size_t i = 0; i < q->n_addresses; i++)
		answer->places[answer->n_places++] =
			describe(c, q->addresses[i]);
	return HANDLED_DONE;
}

enum handled control_find_symbol(struct control *c,
				 const Pmu__V1__FindSymbolRequest *q,
				 Pmu__V1__FindSymbolResponse *answer,
				 struct error *e)
{
	const char *name = q->name;
	bool found = false;

	for (struct symbol_file *f = c->symbols.first; f && !found; f = f->next)
		found = symbols_address(f->symbols, name, &answer->address);
	if (!found) {
		error_set(e, STATUS_NOT_FOUND, AT("name", "NO_SUCH_SYMBOL"),
			  c->symbols.n
				  ? "no file of the machine has the "
				    "symbol '%.128s'"
				  : "the machine has no ELF file that could "
				    "have the symbol '%.128s'",
			  name);
		return HANDLED_FAILED;
	}
	return HANDLED_DONE;
}
