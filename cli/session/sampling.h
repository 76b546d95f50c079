/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of a machine that is there, as they come, until the user, the guest's
 * time or the machine ends it. All that were taken up to then are told.
 */
#ifndef CLI_SESSION_SAMPLING_H
#define CLI_SESSION_SAMPLING_H

#include <stdint.h>

#include "pmu/v1/traces.pb-c.h"

struct guest_time;
struct pmud;

struct sampling_config {
	struct pmud *pmud;
	const char *machine;
	Pmu__V1__Sampler **samplers;
	size_t n_samplers;
	const struct guest_time *time; /* how long; NULL: no bound */
	/* What came; 0 goes on, else an exit code. The message is the callee's
	 * until it returns. */
	int (*take)(void *arg, Pmu__V1__SampleEventsResponse *msg);
	/* Has something to do in so many ms, -1: nothing; and does it. */
	int (*timeout)(void *arg);
	int (*work)(void *arg);
	void *arg;
};

/* take() ends it in order by this; it is none that is said. */
#define SAMPLING_ENOUGH (-1)

/*
 * Returns an exit code, after an error was said, as of a machine that has
 * ended. A note says where samples begin, and that it stands. Where the user
 * ends it by a signal, that is an end like any other.
 */
int sampling_run(const struct sampling_config *cfg);

#endif
