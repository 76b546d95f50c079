/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranges of physical addresses that a device tree describes. */
#ifndef BOARD_DT_RANGES_H
#define BOARD_DT_RANGES_H

#include <libfdt.h>
#include <stddef.h>
#include <stdint.h>

#include "dev-vacant.h"

/* The number that @n cells at @p are: of the last two, all that 64 bits hold.
 */
uint64_t dt_number(const fdt32_t *p, int n);
/*
 * Those of all nodes, by reg, and the windows of buses, by ranges, in the
 * order of the tree, without memory. Returns how many there are; @ret has the
 * first VACANT_MAX of them. @dtb is one that dt_check() took.
 */
size_t dt_ranges(const void *dtb, struct vacant_range *ret);

#endif
