/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expressions that choose records, as --filter has them:
 *
 *	or    = and { "||" and }
 *	and   = not { "&&" not }
 *	not   = "!" not | "(" or ")" | FIELD OP VALUE
 *	OP    = "==" | "!=" | "<" | "<=" | ">" | ">="
 *	VALUE = a word, or anything in "double quotes"
 *
 * A record that lacks the field (a sample has no cause, an unknown function no
 * name) makes "!=" true and every other comparison false.
 */
#ifndef CLI_TRACE_RECORD_EXPR_H
#define CLI_TRACE_RECORD_EXPR_H

#include <stdbool.h>

#include "pmu/v1/traces.pb-c.h"
#include "record-text.h"

struct args;
struct record_expr;

/*
 * What @text says. False, after an error was said with the place in it; NULL
 * is everything, as is the expression then.
 */
bool record_expr_parse(struct record_expr **ret, const char *text);
void record_expr_free(struct record_expr *e); /* NULL is fine */
/* Does it ask for names of functions? */
bool record_expr_needs_names(const struct record_expr *e);
/* @style names functions; @e NULL: always. */
bool record_expr_match(const struct record_expr *e,
		       const struct record_style *style,
		       const Pmu__V1__Record *r);

#endif
