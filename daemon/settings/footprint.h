/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much memory one machine may come to use. pmud counts it for the user
 * before the machine is made, pmud-machine has the kernel bound its addresses.
 */
#ifndef SETTINGS_FOOTPRINT_H
#define SETTINGS_FOOTPRINT_H

#include <stdint.h>

#include "settings.h"

#define FOOTPRINT_DEFAULT_MIB	 128 /* a guest's memory, unsaid */
#define FOOTPRINT_DEFAULT_MEMORY ((uint64_t)FOOTPRINT_DEFAULT_MIB << 20)
#define FOOTPRINT_MIN_MEMORY	 (UINT64_C(4) << 10)
#define FOOTPRINT_MAX_MEMORY	 (UINT64_C(16) << 30)
/* Of images, where a machine keeps them for a reboot, in whole pages. */
#define FOOTPRINT_MAX_KEPT	 (UINT64_C(128) << 20)

/* Of one miss that is kept, with setting uarch-explain. */
#define FOOTPRINT_MISS	      96
#define FOOTPRINT_MISSES_SEEN (1u << 17) /* lines besides (pmu/miss.h) */

/*
 * Bytes that can become resident for a guest of @memory bytes and @harts (0: as
 * unsaid): its memory, images that it keeps, the engines' code, the models of
 * its harts' cores, and what the process itself has.
 */
uint64_t footprint(uint64_t memory, unsigned harts, const struct settings *s);
/*
 * Bytes of addresses for the same: also an image of the memory's size while it
 * is loaded, code buffers never touched, libraries.
 */
uint64_t footprint_addresses(uint64_t memory, unsigned harts,
			     const struct settings *s);

#endif
