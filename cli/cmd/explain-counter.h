/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a counter has its value, asked of a machine and printed. */
#ifndef CLI_CMD_EXPLAIN_COUNTER_H
#define CLI_CMD_EXPLAIN_COUNTER_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "pmu/v1/events.pb-c.h"

struct guest_files;
struct pmud;

/*
 * "H:N", or N alone for hart 0, into @ret's hart and index. False after an
 * error was said.
 */
bool explain_counter_parse(const char *text,
			   Pmu__V1__ExplainCounterRequest *ret);
/* Returns an exit code; @ret is to be freed by answer_free(). */
int explain_counter_ask(struct pmud *s,
			const Pmu__V1__ExplainCounterRequest *req,
			Pmu__V1__ExplainCounterResponse **ret);
/*
 * As text: the summary, the value, a table of facts. Code of Linux's users is
 * named by @files, which may be NULL, before what the machine says of it.
 * Returns an exit code.
 */
int explain_counter_print(FILE *out, const Pmu__V1__ExplainCounterResponse *r,
			  struct guest_files *files);
/* The same as JSON: a new reference, NULL without memory. */
json_t *explain_counter_json(const Pmu__V1__ExplainCounterResponse *r,
			     struct guest_files *files);

#endif
