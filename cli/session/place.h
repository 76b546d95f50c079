/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a machine that stands still stands: pc, function, line, instruction. */
#ifndef CLI_SESSION_PLACE_H
#define CLI_SESSION_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pmu/v1/common.pb-c.h"
#include "pmu/v1/symbols.pb-c.h"

struct guest_files;
struct pmud;

enum {
	PLACE_TEXT = 1024 /* bytes, the end included */
};

/*
 * What --sysroot, by @files, which may be NULL, says of the user's @pc, which
 * is of @p; it lives as long as they do. False: nothing.
 */
bool place_below(struct guest_files *files, Pmu__V1__Process *p, uint64_t pc,
		 Pmu__V1__Place *ret);
/* "work+0x4 work.c:12", as far as it is known, to @buf; "": not at all. */
const char *place_name(const Pmu__V1__Place *p, char buf[PLACE_TEXT]);
/* " in /bin/sh of sh 12/12" of @p's @pc, likewise: whose code it is. */
const char *place_whose(const Pmu__V1__Process *p, uint64_t pc,
			char buf[PLACE_TEXT]);
/*
 * A line about the hart that runs next, if @m is paused; nothing of what
 * cannot be known is an error. @files, which may be NULL, names functions of
 * users of Linux.
 */
void place_print(struct pmud *s, const Pmu__V1__MachineInfo *m,
		 struct guest_files *files, FILE *out);

#endif
