/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The workload that the guest samples: four functions of different character,
 * each in a section of its own so that a pc can be named from inside.
 */
#ifndef OVERFLOW_WORK_H
#define OVERFLOW_WORK_H

#include <stdint.h>

enum {
	N_WORKS = 4
};

struct work {
	const char *name;
	uint32_t (*run)(void);	 /* returns a checksum */
	const char *begin, *end; /* its code */
};

extern const struct work works[N_WORKS];

#endif
