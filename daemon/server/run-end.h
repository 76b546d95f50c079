/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a machine's run, in what is said of the machine. */
#ifndef SERVER_RUN_END_H
#define SERVER_RUN_END_H

#include <stdbool.h>

#include "pmu/v1/machines.pb-c.h"

/* The guest ended it, a limit did, or it crashed: nothing will follow. */
bool run_is_over(const Pmu__V1__MachineInfo *said);
/*
 * Its process is gone, and @why is for people. What a run that is over has said
 * of its end stays. @said borrows @why.
 */
void run_lost(Pmu__V1__MachineInfo *said, const char *why);

#endif
