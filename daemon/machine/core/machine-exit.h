/* SPDX-License-Identifier: BSD-2-Clause */
/* Running the present hart, and what leaves the engine while it does. */
#ifndef CORE_MACHINE_EXIT_H
#define CORE_MACHINE_EXIT_H

#include <stdbool.h>

#include "engine/engine-host.h"
#include "machine-hart.h"

struct runner *runner_new(void); /* NULL without memory */
void runner_free(struct runner *x);
/* Runs @h as far as the budget goes; returns what engine_run() does. */
int runner_run(struct machine *m, const struct hart *h);
/* For engine_host_ops: goes through libpmu, and through the firmware. */
enum engine_next runner_on_exit(void *host, const struct engine_exit *exit);
bool runner_quiet(void *host, struct pmu_csr_req *req, uint64_t *ret_old);
/* Takes an interrupt or software event of @h if there is one. */
bool runner_take_interrupt(struct machine *m, const struct hart *h);

#endif
