/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of a machine on its way to another one: plain structs one behind
 * the other, none with a pointer, each with the name of who gave it. Whoever
 * takes them asks by name and size, in the same order.
 *
 * The first thing that goes wrong is kept and all that follows does nothing, so
 * that only the end need be looked at.
 */
#ifndef CORE_STATE_BYTES_H
#define CORE_STATE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/* Zero it; state_free() at the end. */
struct state {
	struct buf all;
	size_t at;	    /* what is before has been taken */
	const char *failed; /* at which piece, or NULL */
};

void state_free(struct state *s);

/* Room for a piece, to be filled before the next one; NULL: no memory. */
void *state_room(struct state *to, const char *name, size_t len);
void state_put(struct state *to, const char *name, const void *piece,
	       size_t len);
/* Is @name the next to be taken? */
bool state_is_next(const struct state *from, const char *name);
/* Takes it; NULL: the next is another, or not so long. */
const void *state_take(struct state *from, const char *name, size_t len);
/* Leaves @ret alone where state_take() has none. */
void state_get(struct state *from, const char *name, void *ret, size_t len);

#endif
