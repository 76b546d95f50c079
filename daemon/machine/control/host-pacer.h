/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pacer by the host's clock: each idle stretch lasts as many nanoseconds of
 * the host as of the machine, from its own start. Cycles and nanoseconds are
 * converted without overflow for every clock.
 */
#ifndef CONTROL_HOST_PACER_H
#define CONTROL_HOST_PACER_H

#include <stdint.h>

#include "core/pacer.h"

/* The host's clock: nanoseconds from wherever; it never goes back. */
uint64_t host_now(void);

struct host_pacer {
	struct pacer pacer;
	uint64_t clock_hz;	 /* of the machine */
	uint64_t (*now)(void);	 /* host_now(), or a test's */
	uint64_t start, started; /* the stretch: its cycle, its ns */
};

void host_pacer_init(struct host_pacer *h, uint64_t clock_hz,
		     uint64_t (*now)(void));
/* Nanoseconds until the stretch is at @cycle, 0: it is. */
uint64_t host_pacer_left(const struct host_pacer *h, uint64_t cycle);

#endif
