/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records out of a machine's ring, a piece at a time. A piece is copied out
 * first and looked at then; what its owner does not take stays in the ring,
 * where the machine waits for the room.
 */
#include "child-inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "wire/record.h"

_Static_assert((int)CHILD_PIECE_MAX >= (int)RECORD_MAX,
	       "the greatest record must fit");

static enum drained bad(struct child *c, int err)
{
	const char *ended = c->over ? "ended; " : "was ended: ";

	c->ring_bad = true;
	if (c->state != CHILD_ALIVE)
		return DRAIN_BAD; /* it was ended for another reason */
	if (err == -EPROTO)
		snprintf(c->wrong, sizeof(c->wrong),
			 "%sits trace records are malformed", ended);
	else if (err == -ERANGE)
		snprintf(c->wrong, sizeof(c->wrong),
			 "%sits trace ring is corrupt", ended);
	else
		snprintf(c->wrong, sizeof(c->wrong),
			 "%sits trace cannot be stored (%s)", ended,
			 strerror(-err));
	return DRAIN_BAD;
}

/* Hands on what a look at @bytes of the ring shows. */
static ssize_t offer(struct child *c, size_t bytes, bool *ret_full,
		     size_t *ret_seen)
{
	uint8_t *piece = c->all->piece;
	int64_t n = ring_peek(&c->ring, piece, bytes);
	ssize_t used;

	*ret_full = false;
	*ret_seen = n > 0 ? (size_t)n : 0;
	if (n <= 0)
		return n < 0 ? -ERANGE : 0;
	used = c->ops->records(c->owner, piece, (size_t)n, ret_full);
	return used > n ? -EPROTO : used;
}

static enum drained drain(struct child *c, size_t bytes)
{
	size_t seen;
	bool full;
	ssize_t used;

	if (bytes > CHILD_PIECE_MAX)
		bytes = CHILD_PIECE_MAX;
	used = offer(c, bytes, &full, &seen);
	/* not one whole record: it is a long one, or none */
	if (!used && !full && seen == bytes) {
		bytes = RECORD_MAX;
		used = offer(c, bytes, &full, &seen);
	}
	if (!used && !full && seen >= RECORD_MAX)
		used = -EPROTO;
	if (used < 0)
		return bad(c, (int)used);
	ring_skip(&c->ring, (size_t)used);
	if (ring_must_wake_producer(&c->ring))
		(void)eventfd_write(c->proc.space, 1);
	if (full)
		return DRAIN_HELD;
	if (seen < bytes && ring_wait_data(&c->ring, seen - (size_t)used))
		return DRAIN_EMPTY;
	return DRAIN_MORE;
}

enum drained child_drain(struct child *c, size_t bytes)
{
	enum drained how;

	if (c->ring_bad)
		return DRAIN_BAD;
	how = drain(c, bytes);
	c->ring_held = how == DRAIN_HELD;
	return how;
}

void child_progress(const struct child *c, uint64_t *ret_insn,
		    uint64_t *ret_cycle)
{
	*ret_insn = *ret_cycle = 0;
	if (c->ring.shared)
		ring_told(&c->ring, ret_insn, ret_cycle);
}
