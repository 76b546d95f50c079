/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Logical counters: their states, and what moves them. Whether a hardware
 * counter runs is what mcountinhibit says, whoever wrote it (C136).
 */
#ifndef FIRMWARE_COUNTERS_CTR_H
#define FIRMWARE_COUNTERS_CTR_H

#include "fw-counters.h"
#include "ctr-map.h"

enum ctr_state {
	CTR_FREE,
	CTR_STOPPED,
	CTR_RUNNING,
	CTR_N_STATES
};
enum ctr_op {
	CTR_CONFIG,
	CTR_START,
	CTR_STOP,
	CTR_RESET,
	CTR_N_OPS
};

struct ctr_edge {
	enum ctr_state next;
	int8_t error; /* with one, nothing changes */
};

const struct ctr_edge *ctr_edge(enum ctr_state state, enum ctr_op op);

/* cycle and instret are mapped for good: never FREE (C26, C58). */
enum ctr_state ctr_state(const struct fw_hart *h, unsigned n);
bool ctr_runs(const struct fw_hart *h, unsigned n);
/* Is it to be had: no owner and, a programmable one, inhibited (C23)? */
bool ctr_is_free(const struct fw_hart *h, unsigned n);
void ctr_set(struct fw_hart *h, unsigned n, uint64_t value);
/* Has hardware overflowed it: OF set, but not as interrupt disable (C71)? */
bool ctr_overflown(const struct fw_hart *h, unsigned n);

/* A programmed event: what config_matching decided for counter @n. */
struct ctr_config {
	unsigned n;
	const struct ctr_want *want;
	uint64_t select; /* hardware: for mhpmevent */
};
/*
 * Does counter @cfg->n count just that, by its mapping and by what its event
 * register holds now, which others may have changed (C136)?
 */
bool ctr_is_configured(const struct fw_hart *h, const struct ctr_config *cfg);
/* Maps, leaves it stopped (opensbi: cycle and instret as they were). */
void ctr_configure(const struct fw *fw, struct fw_hart *h,
		   const struct ctr_config *cfg);

#endif
