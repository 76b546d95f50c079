/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The byte queue: one block that is compacted when its head has moved far
 * enough, so that appending and consuming cost a copy per byte at most twice.
 */
#include "buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BUF_FIRST 1024u	 /* smallest block */
#define BUF_KEEP  65536u /* an empty queue keeps no more than this */

static void compact(struct buf *b)
{
	size_t n = buf_len(b);

	if (n)
		memmove(b->data, b->data + b->head, n);
	b->head = 0;
	b->tail = n;
}

static int grow(struct buf *b, size_t n)
{
	size_t used = buf_len(b), cap = b->cap ? b->cap : BUF_FIRST;
	uint8_t *data;

	if (n > SIZE_MAX / 4 - used)
		return -1;
	while (cap < used + n)
		cap *= 2;
	data = malloc(cap);
	if (!data)
		return -1;
	if (b->data)
		memcpy(data, b->data + b->head, used);
	free(b->data);
	*b = (struct buf){ .data = data, .tail = used, .cap = cap };
	return 0;
}

uint8_t *buf_reserve(struct buf *b, size_t n)
{
	if (b->cap - b->tail >= n && b->data)
		return b->data + b->tail;
	if (b->data && b->head >= b->cap / 2 && b->cap - buf_len(b) >= n)
		compact(b);
	else if (grow(b, n))
		return NULL;
	return b->data + b->tail;
}

void buf_commit(struct buf *b, size_t n)
{
	assert(n <= b->cap - b->tail);
	b->tail += n;
}

int buf_append(struct buf *b, const void *bytes, size_t n)
{
	uint8_t *to;

	if (!n)
		return 0;
	to = buf_reserve(b, n);
	if (!to)
		return -1;
	memcpy(to, bytes, n);
	buf_commit(b, n);
	return 0;
}

void buf_consume(struct buf *b, size_t n)
{
	assert(n <= buf_len(b));
	b->head += n;
	if (b->head != b->tail)
		return;
	b->head = b->tail = 0;
	if (b->cap > BUF_KEEP)
		buf_free(b);
}

void buf_clear(struct buf *b)
{
	b->head = b->tail = 0;
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}
