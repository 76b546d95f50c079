/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of a machine that is there, for the verbs of `trace`. */
#ifndef CLI_CMD_CMD_LIVE_H
#define CLI_CMD_CMD_LIVE_H

#include <stdio.h>

#include "trace/record-filter.h"
#include "trace/record-style.h"
#include "wire/cleanup.h"

struct pmud;

/* Records of a machine that are printed: which, how and where to. */
struct live_view {
	const struct args *args; /* with its machine */
	FILE *out;		 /* the caller's */
	bool stands; /* it does not run now, which is said as it begins */
	struct record_filter filter;
	struct record_style style;
};

/*
 * Opens @v, of which args and out are set, and stands may be; all else
 * is zero. Returns an exit code; to be closed in any case.
 */
int live_view_open(struct live_view *v, struct pmud *s);
void live_view_close(struct live_view *v);
CLEANUP_VALUE(live_view, struct live_view, live_view_close)
/*
 * Prints what a message of a stream has of it, and how many records were lost.
 * Returns an exit code; what is wrong with stdout and stderr shows itself.
 */
int live_view_take(struct live_view *v,
		   const Pmu__V1__StreamRecordsResponse *r);

/* Prints the stored records that match. Returns an exit code. */
int live_show(struct pmud *s, struct live_view *v);
/*
 * Prints records as they happen, until the machine ends or a signal asks to
 * end, whose exit code it returns.
 */
int live_follow(struct pmud *s, struct live_view *v);
/* Writes a trace file, from what is stored to the end. */
int live_save(struct pmud *s, const struct args *args, const char *path);

#endif
