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
 * name) makes "!=" true and every other comparison false; so "!(cause == 8)" is
 * true of it, too, as "cause != 8" is.
 */
#ifndef CLI_TRACE_RECORD_EXPR_H
#define CLI_TRACE_RECORD_EXPR_H

#include <stdbool.h>

#include "pmu/v1/traces.pb-c.h"
#include "record-text.h"

struct args;
struct record_expr;

/*
 * That of --filter; NULL where it was not given, which is everything. Returns
 * an exit code, after an error was said with its place: what is wrong is no
 * expression, or wants names of functions, which no option gives.
 */
int record_expr_open(struct record_expr **ret, const struct args *args);
void record_expr_free(struct record_expr *e); /* NULL is fine */
/* @style names functions; @e NULL: always. */
bool record_expr_match(const struct record_expr *e,
		       const struct record_style *style,
		       const Pmu__V1__Record *r);
/*
 * Can it hold for a record of which no more is known than its kind, a KIND_...,
 * and its hart? False: it holds for none.
 */
bool record_expr_can_match(const struct record_expr *e, unsigned kind,
			   uint32_t hart);

#endif
