/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An address space is its root page table: satp without the ASID. A program
 * that was moved when it was loaded is asked about where it was linked.
 */
#include "user-symbols.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/csr-field.h>

#include "cmd/args.h"
#include "number.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/regular-file.h"
#include "text/report.h"

/* What an option says. */
struct spec {
	char *path;    /* to be freed */
	bool any;      /* in every address space */
	uint64_t satp; /* unless any */
	uint64_t base; /* where the file's address 0 is */
};

struct user_file {
	struct spec spec;
	struct symbols *symbols;
};

struct user_symbols {
	unsigned xlen;
	size_t n;
	struct user_file of[ARGS_LIST];
};

/* "SATP" or "any", and ":BASE" behind either. */
static bool parse_place(const char *text, struct spec *ret)
{
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : strlen(text);
	char *satp = strndup(text, len);
	bool good = satp && (!colon || number_parse(colon + 1, &ret->base));

	ret->any = good && !strcmp(satp, "any");
	good = good && (ret->any || number_parse(satp, &ret->satp));
	free(satp);
	return good;
}

/* False: there is no memory, or behind the "@" is no place. */
static bool parse_spec(const char *text, struct spec *ret)
{
	const char *at = strrchr(text, '@');

	*ret = (struct spec){ .any = !at };
	if (at && !parse_place(at + 1, ret))
		return false;
	ret->path = at ? strndup(text, (size_t)(at - text)) : strdup(text);
	return ret->path != NULL;
}

bool user_space_is(uint64_t satp, uint64_t other, unsigned xlen)
{
	return !((satp ^ other) & ~pmu_satp_asid(xlen));
}

static int open_file(struct user_file *f, const char *text)
{
	const char *why;

	if (!parse_spec(text, &f->spec)) {
		report_error("--user-symbols: '%s' is not FILE, FILE@SATP or "
			     "FILE@SATP:BASE, SATP a number or any",
			     text);
		return EXIT_USAGE;
	}
	f->symbols = symbols_open(
		&(struct symbols_file){
			.path = f->spec.path,
			.open = regular_file_find,
		},
		&why);
	if (f->symbols)
		return EXIT_OK;
	report_error("%s: %s", f->spec.path, why);
	return EXIT_FAILED;
}

int user_symbols_open(struct user_symbols **ret, const struct args_list *list,
		      unsigned xlen)
{
	struct user_symbols *u;
	int code = EXIT_OK;

	*ret = NULL;
	if (!list->n)
		return EXIT_OK;
	u = calloc(1, sizeof(*u));
	if (!u)
		return report_no_memory("--user-symbols");
	u->xlen = xlen;
	while (!code && u->n < list->n) {
		code = open_file(&u->of[u->n], list->item[u->n]);
		u->n++;
	}
	if (code) {
		user_symbols_close(u);
		return code;
	}
	*ret = u;
	return EXIT_OK;
}

void user_symbols_close(struct user_symbols *u)
{
	for (size_t i = 0; u && i < u->n; i++) {
		symbols_close(u->of[i].symbols);
		free(u->of[i].spec.path);
	}
	free(u);
}

static bool is_of(const struct spec *spec, uint64_t satp, unsigned xlen)
{
	return spec->any || user_space_is(spec->satp, satp, xlen);
}

bool user_symbols_file(const struct user_symbols *u, size_t i, uint64_t satp,
		       struct symbols_at *ret)
{
	*ret = (struct symbols_at){ 0 };
	if (i >= u->n)
		return false;
	if (is_of(&u->of[i].spec, satp, u->xlen))
		*ret = (struct symbols_at){ u->of[i].spec.path,
					    u->of[i].symbols,
					    u->of[i].spec.base };
	return true;
}

bool user_symbols_find(struct user_symbols *u, const Pmu__V1__Record *r,
		       uint64_t pc, struct symbol *ret)
{
	if (!u || !privilege_is_user(r->privilege))
		return false;
	for (size_t i = 0; i < u->n; i++) {
		const struct spec *spec = &u->of[i].spec;

		if (!is_of(spec, r->satp, u->xlen))
			continue;
		symbols_find(u->of[i].symbols, pc - spec->base, ret);
		if (ret->function)
			return true;
	}
	return false;
}
