/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine is made of the options that make one and run it. */
#ifndef CLI_CMD_MACHINE_CREATE_H
#define CLI_CMD_MACHINE_CREATE_H

#include "machine-options.h"
#include "session/pmud.h"

/* What is run, or NULL. */
const char *args_image(const struct args *args);
/*
 * Has the machine made. Returns an exit code, after an error was said and what
 * may have been meant by a setting.
 */
int machine_create(struct machine_options *o, const struct args *args,
		   struct pmud *pmud, Pmu__V1__CreateMachineResponse **ret);

#endif
