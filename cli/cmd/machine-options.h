/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine is to be made of: the options, over a trace's header. */
#ifndef CLI_CMD_MACHINE_OPTIONS_H
#define CLI_CMD_MACHINE_OPTIONS_H

#include <stdbool.h>

#include "args.h"
#include "pmu/v1/traces.pb-c.h"
#include "wire/cleanup.h"

struct machine_options {
	Pmu__V1__MachineConfig config;	    /* points to what follows */
	Pmu__V1__Setting *settings, **list; /* owned, room for @n_settings */
	size_t n_settings;
	Pmu__V1__Recording recording;
	char limits[3][24];
	char *keys[ARGS_MAX]; /* owned */
	char *bootargs;	      /* owned */
};

/* What the options go over: a trace's header, or an image of 32 bits. */
struct machine_base {
	const Pmu__V1__Header *replay; /* or NULL; must live as long */
	bool rv32;
	bool live;   /* somebody types: idle time passes as theirs does */
	bool passes; /* nobody can read what is stored of it afterwards */
};

/*
 * Fills @o. @base may be NULL. False after an error was said. The result may be
 * freed in either case.
 */
bool machine_options_init(struct machine_options *o, const struct args *args,
			  const struct machine_base *base);
void machine_options_free(struct machine_options *o);
/* The words of --record and --when-full; NULL behind the last. */
const char *machine_stored_at(size_t i);
const char *machine_when_full_at(size_t i);
CLEANUP_VALUE(machine_options, struct machine_options, machine_options_free)

#endif
