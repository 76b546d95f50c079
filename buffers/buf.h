/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A queue of bytes: written at the tail, consumed at the head. It decides how
 * memory is kept and given back; how much may be queued is the caller's rule.
 */
#ifndef BUFFERS_BUF_H
#define BUFFERS_BUF_H

#include <stddef.h>
#include <stdint.h>

struct buf {
	uint8_t *data;
	size_t head; /* first byte not yet consumed */
	size_t tail; /* one past the last byte written */
	size_t cap;
};

/* Bytes that wait in @b. */
static inline size_t buf_len(const struct buf *b)
{
	return b->tail - b->head;
}

/* The waiting bytes; valid until @b is next reserved, consumed or freed. */
static inline const uint8_t *buf_head(const struct buf *b)
{
	return b->data ? b->data + b->head : NULL;
}

/*
 * Room for @n more bytes, to be filled and then counted by buf_commit().
 * NULL: no memory (@b is unchanged).
 */
uint8_t *buf_reserve(struct buf *b, size_t n);

/* Counts @n bytes, written at the pointer that buf_reserve() returned. */
void buf_commit(struct buf *b, size_t n);

/* Appends a copy. 0, or -1 if there is no memory. */
int buf_append(struct buf *b, const void *bytes, size_t n);

/* Forgets the first @n bytes; an emptied large queue gives its memory back. */
void buf_consume(struct buf *b, size_t n);

/* Forgets all bytes, and keeps the memory for those that soon come. */
void buf_clear(struct buf *b);

/* Empties @b and frees its memory; @b may be used again. */
void buf_free(struct buf *b);

#endif
