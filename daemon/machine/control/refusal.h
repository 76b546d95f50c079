/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an error is on the wire: a status of gRPC's, and the path of the field
 * of the request that is at fault.
 */
#ifndef CONTROL_REFUSAL_H
#define CONTROL_REFUSAL_H

#include <stddef.h>
#include <stdint.h>

#include "core/machine-error.h"

/* Parts of requests that the core never sees. */
enum refusal_part {
	PART_BOOTARGS = N_ERROR_PARTS,
	PART_SETTING_KEY,
	PART_SETTING_VALUE,
	PART_IMAGE_PART, /* start or chunk */
	PART_IMAGE_SIZE,
	PART_CONDITION,
	PART_ADDRESSES,
	PART_SYMBOL,
	PART_RANGES_OF,
	PART_FUNCTION,
	PART_SOURCE_LINE,
	PART_FIRST,
	PART_EBB_ACTS,
	N_REFUSAL_PARTS,
};

enum {
	REFUSAL_FIELD = 96
};

uint32_t refusal_status(enum error_kind kind);
/* "" where no field is at fault. */
void refusal_field(const struct error *e, char ret[REFUSAL_FIELD]);

#endif
