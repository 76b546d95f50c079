/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that --symbols and its like, and --sysroot, give to a trace's
 * addresses.
 */
#ifndef CLI_TRACE_RECORD_STYLE_H
#define CLI_TRACE_RECORD_STYLE_H

#include "record-text.h"
#include "wire/cleanup.h"

struct args;
struct pmud;

/*
 * For the trace of @header; with @s, which may be NULL, of a machine there,
 * whose kernel can be asked. Returns an exit code after an error was said; to
 * be closed in any case, if it was zero before.
 */
int record_style_open(struct record_style *ret, struct pmud *s,
		      const struct args *args, const Pmu__V1__Header *header);
/*
 * Takes from @r, which is the next record of the trace, what later ones are
 * told by. False after an error was said.
 */
bool record_style_learn(const struct record_style *style,
			const Pmu__V1__Record *r);
void record_style_close(struct record_style *style);
CLEANUP_VALUE(record_style, struct record_style, record_style_close)

#endif
