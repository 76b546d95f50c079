/* SPDX-License-Identifier: BSD-2-Clause */
/* What --event, --period and their kin ask to sample, as the daemon wants it.
 */
#ifndef CLI_CMD_SAMPLER_LIST_H
#define CLI_CMD_SAMPLER_LIST_H

#include "event-list.h"
#include "pmu/v1/common.pb-c.h"

enum {
	SAMPLER_LIST_MAX = 16, /* that a machine accepts */
	SAMPLER_MODES = 5
};

struct sampler_list {
	struct event_list events;
	Pmu__V1__Sampler sampler[SAMPLER_LIST_MAX], *list[SAMPLER_LIST_MAX];
	Pmu__V1__Privilege modes[SAMPLER_LIST_MAX][SAMPLER_MODES];
	size_t n;
};

/*
 * Points into itself: it stays where it is. Returns an exit code, after an
 * error was said; to be freed in any case.
 */
int sampler_list_init(struct sampler_list *l, struct pmud *s,
		      const struct args *args);
void sampler_list_free(struct sampler_list *l);

#endif
