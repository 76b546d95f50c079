/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sse/ remembers of a machine; nobody else sees it.
 *
 * The event of counter overflows has no request of its own. While it is enabled
 * or runs the firmware has LCOFI (mideleg.13 is 0), and LCOFIP is its request.
 * With the reference the firmware has LCOFI from its registration on, and what
 * waits is the event's own (@signalled) when a stop of counters clears LCOFIP.
 */
#ifndef FIRMWARE_SSE_SSE_HART_H
#define FIRMWARE_SSE_SSE_HART_H

#include "sse-event.h"

/* By their numbers in STATUS. */
enum sse_state {
	SSE_UNUSED,
	SSE_REGISTERED,
	SSE_ENABLED,
	SSE_RUNNING,
	SSE_N_STATES
};

enum {
	SSE_CONFIG_ONESHOT = 1
};

struct sse_event {
	enum sse_state state;
	bool signalled; /* the pending bit; of overflows see above */
	unsigned hart;	/* that runs it */
	uint64_t attr[SSE_N_ATTRS]; /* STATUS is computed instead */
};

struct sse_hart {
	bool unmasked;
	bool owns_lcofi; /* the state does not say it behind a stop */
	struct sse_event event[SSE_N_LOCAL];
};

struct sse {
	struct sse_event global[SSE_N_GLOBAL];
	struct sse_hart hart[];
};

struct sse_event *sse_at(struct fw *fw, unsigned hart, enum sse_index i);
/* The attribute STATUS. */
uint64_t sse_status(const struct fw *fw, unsigned hart, enum sse_index i);

#endif
