/* SPDX-License-Identifier: BSD-2-Clause */
/* Annotated functions for people, with their source, and as JSON. */
#ifndef CLI_TRACE_ANNOTATE_TEXT_H
#define CLI_TRACE_ANNOTATE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "symbols.h"

struct annotate_out;

struct annotate_function {
	const char *event, *function, *path; /* the last two may be NULL */
	uint64_t samples, of;		     /* of the event */
};

struct annotate_line {
	uint64_t address;
	const char *text;     /* empty: not known */
	uint64_t samples, of; /* of the function */
	struct symbol at;
};

struct annotate_out *annotate_out_new(FILE *out, bool json); /* or NULL */
void annotate_out_function(struct annotate_out *o,
			   const struct annotate_function *f);
void annotate_out_line(struct annotate_out *o, const struct annotate_line *l);
void annotate_out_end(struct annotate_out *o); /* of the function */
/* Returns @code, or that of an error in writing. */
int annotate_out_free(struct annotate_out *o, int code);

#endif
