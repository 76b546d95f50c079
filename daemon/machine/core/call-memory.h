/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guest memory that the firmware accesses for one SBI call, for its record.
 * Accesses that go on where the one before ended are one.
 */
#ifndef CORE_CALL_MEMORY_H
#define CORE_CALL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "record-said.h"

enum { /* of one call; beyond it lengths alone are told (docs/LIMITS.md) */
	CALL_MEMORY_ACCESSES = 256,
	CALL_MEMORY_BYTES = 16384,
	CALL_MEMORY_OF_ONE = 4096, /* bytes of an access */
};

struct call_memory;

struct call_memory *call_memory_new(void); /* NULL: no memory */
void call_memory_free(struct call_memory *c);

/* From here on accesses are those of a call. */
void call_memory_begin(struct call_memory *c);
/* What they were, until the next call begins; there are no more of it. */
const struct record_memory *call_memory_end(struct call_memory *c);

/* One that was made. Where no call has begun it is nobody's. */
void call_memory_read(struct call_memory *c, uint64_t paddr, const void *bytes,
		      size_t len);
void call_memory_written(struct call_memory *c, uint64_t paddr,
			 const void *bytes, size_t len);

#endif
