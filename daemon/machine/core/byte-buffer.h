/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes one behind the other, in a block that grows. It decides how that gets
 * larger; what is in it, and how much that may be, is its owner's.
 */
#ifndef CORE_BYTE_BUFFER_H
#define CORE_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero it. */
struct byte_buffer {
	uint8_t *bytes;
	size_t n, cap;
};

/* Has it room for @more, to be put behind b->n and counted? False: no memory.
 */
bool byte_buffer_grow(struct byte_buffer *b, size_t more);
/* Empty, and may be used again. */
void byte_buffer_free(struct byte_buffer *b);

#endif
