/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of --user-symbols: programs of users, each for one address space or
 * for all of them. Kernels' modes are not asked about.
 */
#ifndef CLI_TRACE_USER_SYMBOLS_H
#define CLI_TRACE_USER_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/v1/traces.pb-c.h"
#include "symbols.h"

struct args_list;
struct user_symbols;

/* Are these one address space? ASIDs, which Linux gives anew, do not count. */
bool user_space_is(uint64_t satp, uint64_t other, unsigned xlen);

/*
 * Opens those of @list, "FILE", "FILE@SATP" or "FILE@SATP:BASE" each; *@ret is
 * NULL if it is empty.
 * @xlen is the trace's.
 * Returns an exit code after an error was said.
 */
int user_symbols_open(struct user_symbols **ret, const struct args_list *list,
		      unsigned xlen);
void user_symbols_close(struct user_symbols *u); /* NULL is fine */
/* A file of symbols, and where its address 0 is. */
struct symbols_at {
	const char *path;	 /* NULL: it is not of the space asked about */
	struct symbols *symbols; /* whose owner is another */
	uint64_t base;
};

/* The @i-th file, for the address space @satp. False: there are no more. */
bool user_symbols_file(const struct user_symbols *u, size_t i, uint64_t satp,
		       struct symbols_at *ret);
/*
 * What the first file with a function there says of @pc, in the address space
 * of @r. False: no file, or the record is no user's. @u may be NULL.
 */
bool user_symbols_find(struct user_symbols *u, const Pmu__V1__Record *r,
		       uint64_t pc, struct symbol *ret);

#endif
