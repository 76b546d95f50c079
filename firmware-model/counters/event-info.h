/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU function 8.
 */
#ifndef FIRMWARE_COUNTERS_EVENT_INFO_H
#define FIRMWARE_COUNTERS_EVENT_INFO_H

#include "sbi/sbi-call.h"

sbi_fn event_get_info;

#endif
