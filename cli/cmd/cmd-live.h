/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of a machine that is there, for the verbs of `trace`. */
#ifndef CLI_CMD_CMD_LIVE_H
#define CLI_CMD_CMD_LIVE_H

#include "trace/record-filter.h"
#include "trace/record-text.h"

struct pmud;

/*
 * The header that its trace has now: it lacks what is loaded later. *@ret is to
 * be freed by answer_free(). Returns an exit code.
 */
int live_header(struct pmud *s, const struct args *args,
		Pmu__V1__StreamRecordsResponse **ret);
/* Prints the stored records that match. Returns an exit code. */
int live_show(struct pmud *s, const struct args *args,
	      struct record_filter *filter, struct record_style *style);
/* Prints records as they happen, until the machine ends. */
int live_follow(struct pmud *s, const struct args *args,
		struct record_filter *filter, struct record_style *style);
/* Writes a trace file, from what is stored to the end. */
int live_save(struct pmud *s, const struct args *args, const char *path);

#endif
