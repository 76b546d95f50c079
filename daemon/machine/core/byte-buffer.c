/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing block: twice as large each time, so that a byte is moved twice. */
#include "byte-buffer.h"

#include <stdlib.h>

bool byte_buffer_grow(struct byte_buffer *b, size_t more)
{
	size_t cap = 2 * b->cap + more;
	uint8_t *grown;

	if (b->cap - b->n >= more)
		return true;
	grown = realloc(b->bytes, cap);
	if (!grown)
		return false;
	b->bytes = grown;
	b->cap = cap;
	return true;
}

void byte_buffer_free(struct byte_buffer *b)
{
	free(b->bytes);
	*b = (struct byte_buffer){ 0 };
}
