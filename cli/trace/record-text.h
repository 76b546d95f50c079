/* SPDX-License-Identifier: BSD-2-Clause */
/* Trace records for people, a line each, and as JSON, an object each. */
#ifndef CLI_TRACE_RECORD_TEXT_H
#define CLI_TRACE_RECORD_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"
#include "symbols.h"

struct guest_files;
struct user_symbols;

struct record_style {
	struct symbols *symbols;    /* NULL: no names */
	struct symbols *guests;	    /* the same of VS and VU */
	struct user_symbols *users; /* of programs of users, asked first */
	struct guest_files *files;  /* of them, by the records; or NULL */
	unsigned xlen;		    /* how wide an address is */
	bool color;		    /* of overflows */
};

/* The names of record_line()'s columns. */
void record_heading(FILE *out, const struct record_style *style);
/*
 * Cycle, hart, privilege, pc, function and line of record_pc() if known, what
 * happened. The pc of an overflow is the next one; its function and line stand
 * at the end where the function is another.
 */
void record_line(FILE *out, const struct record_style *style,
		 const Pmu__V1__Record *r);
/* Only what happened, without a newline. */
void record_what(FILE *out, const struct record_style *style,
		 const Pmu__V1__Record *r);
/*
 * One line: the message; with symbols also function, offset, file and line of
 * record_pc(), and those of the next instruction where its function is another.
 * Returns an exit code, as json_put().
 */
int record_json(FILE *out, const struct record_style *style,
		const Pmu__V1__Record *r);
/* Where it happened; of an overflow, the instruction that overflowed. */
uint64_t record_pc(const Pmu__V1__Record *r);
/* "overflow", "trap" and so on; "-" for a kind that this pmuctl cannot know. */
const char *record_kind(const Pmu__V1__Record *r);

#endif
