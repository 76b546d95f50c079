/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The events of a command line: "cycles:u,{instructions,loads}:k". A name is
 * looked up in the daemon's catalogue, so that there is one table of them.
 */
#ifndef CLI_CMD_EVENT_LIST_H
#define CLI_CMD_EVENT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/v1/events.pb-c.h"

struct args;
struct pmud;

enum {
	EVENT_NAME_MAX = 80,	/* bytes with modifiers, the end included */
	EVENT_ALL_MODES = 0x3e, /* a bit of each Privilege, M to VU */
};

struct event_choice {
	char name[EVENT_NAME_MAX];   /* canonical, with the modifiers given */
	const Pmu__V1__Event *event; /* of the list's catalogue */
	unsigned modes;		     /* 1 << Privilege; 0: it has none */
	unsigned group;		     /* from 1; 0: in none */
};

struct event_list {
	Pmu__V1__ListEventsResponse *catalogue;
	struct event_choice *item; /* as many as were asked for */
	size_t n, room;
	unsigned groups;
};

/*
 * Those of all --event of @args; with none, every event that harts count.
 * Returns an exit code, after an error was said. To be freed in any case.
 */
int event_list_init(struct event_list *list, struct pmud *s,
		    const struct args *args);
void event_list_free(struct event_list *list);

#endif
