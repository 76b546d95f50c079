/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine has come to, and the exit code that it means. */
#ifndef CLI_SESSION_WAIT_H
#define CLI_SESSION_WAIT_H

#include <stdbool.h>

#include "pmu/v1/machines.pb-c.h"

struct pmud;

/*
 * Waits until it is paused, ended or crashed. Returns an exit code; @ret is to
 * be freed by answer_free().
 */
int wait_for_stop(struct pmud *s, const char *machine,
		  Pmu__V1__WatchMachineResponse **ret);
/*
 * Is there anything yet to come of it? Returns an exit code; where it has ended
 * that was said. *@ret_stands: it does not run now.
 */
int wait_look(struct pmud *s, const char *machine, bool *ret_stands);
/* What a failure's exit code is while a guest runs: pmud itself may go. */
int wait_failed(int code);
/* That of `pmuctl run`; says of what it crashed, notes what cut it short. */
int wait_exit_code(const Pmu__V1__MachineInfo *m);

#endif
