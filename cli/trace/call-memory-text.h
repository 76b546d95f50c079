/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the memory that was accessed for an SBI call reads.
 */
#ifndef CLI_TRACE_CALL_MEMORY_TEXT_H
#define CLI_TRACE_CALL_MEMORY_TEXT_H

#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"

/* "; read 16 bytes at 0x80001000: 06000000..."; nothing if there is none. */
void call_memory_text(FILE *out, const Pmu__V1__SbiCall *c);

#endif
