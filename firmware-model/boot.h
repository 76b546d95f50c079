/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hart's firmware state is made of before the first boot.
 */
#ifndef FIRMWARE_BOOT_H
#define FIRMWARE_BOOT_H

#include "state.h"

/* Counts the logical counters of @h, which stays STOPPED. */
void boot_init(const struct fw *fw, struct fw_hart *h, struct pmu_hart *pmu);

#endif
