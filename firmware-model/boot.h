/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hart's firmware state is made of before the first boot.
 */
#ifndef FIRMWARE_BOOT_H
#define FIRMWARE_BOOT_H

#include "firmware.h"

/* Counts the logical counters of all harts, which stay STOPPED. */
void boot_init(struct fw *fw, struct pmu_hart *const *harts);

#endif
