/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call may access as much memory as there is, so that only so many accesses
 * and bytes are kept; of the rest it is known how many there were. All of the
 * firmware's accesses come by two functions of struct fw_host_ops, which tell
 * what was accessed here: there is no other place for it.
 */
#include "call-memory.h"

#include <stdlib.h>
#include <string.h>

struct call_memory {
	bool open; /* a call is under way */
	struct record_memory told;
	struct record_access access[CALL_MEMORY_ACCESSES];
	size_t n_bytes; /* of all accesses, one behind the other */
	uint8_t bytes[CALL_MEMORY_BYTES];
};

struct call_memory *call_memory_new(void)
{
	return calloc(1, sizeof(struct call_memory));
}

void call_memory_free(struct call_memory *c)
{
	free(c);
}

void call_memory_begin(struct call_memory *c)
{
	c->open = true;
	c->told = (struct record_memory){ .access = c->access };
	c->n_bytes = 0;
}

const struct record_memory *call_memory_end(struct call_memory *c)
{
	c->open = false;
	return &c->told;
}

/* The access that goes on at @paddr, or a new one; NULL: there is no room. */
static struct record_access *access_at(struct call_memory *c, uint64_t paddr,
				       bool written)
{
	struct record_access *a = c->access + c->told.n;

	if (c->told.more)
		return NULL;
	if (c->told.n && a[-1].written == written &&
	    a[-1].paddr + a[-1].len == paddr)
		return a - 1;
	if (c->told.n == CALL_MEMORY_ACCESSES)
		return NULL;
	c->told.n++;
	*a = (struct record_access){ .paddr = paddr,
				     .bytes = c->bytes + c->n_bytes,
				     .written = written };
	return a;
}

/*
 * As many of them as there is room for. There is no more of it behind one that
 * was left out, so that those that are kept have no gap.
 */
static void keep(struct call_memory *c, struct record_access *a,
		 const void *bytes, size_t len)
{
	size_t room = CALL_MEMORY_BYTES - c->n_bytes;

	if (room > CALL_MEMORY_OF_ONE - a->n_bytes)
		room = CALL_MEMORY_OF_ONE - a->n_bytes;
	if (len > room)
		len = room;
	memcpy(c->bytes + c->n_bytes, bytes, len);
	c->n_bytes += len;
	a->n_bytes += len;
}

static void note(struct call_memory *c, uint64_t paddr, const void *bytes,
		 size_t len, bool written)
{
	struct record_access *a;

	if (!c->open || !len)
		return;
	a = access_at(c, paddr, written);
	if (!a) {
		c->told.more++;
		*(written ? &c->told.more_written : &c->told.more_read) += len;
		return;
	}
	keep(c, a, bytes, len);
	a->len += len;
}

void call_memory_read(struct call_memory *c, uint64_t paddr, const void *bytes,
		      size_t len)
{
	note(c, paddr, bytes, len, false);
}

void call_memory_written(struct call_memory *c, uint64_t paddr,
			 const void *bytes, size_t len)
{
	note(c, paddr, bytes, len, true);
}
