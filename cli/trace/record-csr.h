/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a record of an access to a CSR reads.
 */
#ifndef CLI_TRACE_RECORD_CSR_H
#define CLI_TRACE_RECORD_CSR_H

#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"

/* "csr mie 0 -> 0x222" */
void record_csr(FILE *out, const Pmu__V1__CsrAccess *a);

#endif
