/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a machine that stands still stands: pc, function, line, instruction. */
#ifndef CLI_SESSION_PLACE_H
#define CLI_SESSION_PLACE_H

#include <stdio.h>

#include "pmu/v1/common.pb-c.h"
#include "pmu/v1/symbols.pb-c.h"

struct pmud;

enum {
	PLACE_TEXT = 512 /* bytes, the end included */
};

/* "work+0x4 guest.c:12", as far as it is known, to @buf; "": not at all. */
const char *place_name(const Pmu__V1__Place *p, char buf[PLACE_TEXT]);
/*
 * A line about the hart that runs next, if @m is paused; nothing of what
 * cannot be known is an error.
 */
void place_print(struct pmud *s, const Pmu__V1__MachineInfo *m, FILE *out);

#endif
