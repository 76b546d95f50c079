/* SPDX-License-Identifier: BSD-2-Clause */
/* How the delivery of overflows to a guest's software reads. */
#ifndef CLI_TRACE_DELIVERY_TEXT_H
#define CLI_TRACE_DELIVERY_TEXT_H

#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"

/* What @r, which is one, says behind its place. */
void delivery_text(FILE *out, const Pmu__V1__Record *r);

/* That a program outside was told, of @r, whose kind is EbbDelivery. */
void ebb_delivery_text(FILE *out, const Pmu__V1__Record *r);

#endif
