/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a machine's ring into its stores. Records are checked one by one and
 * stored a piece at a time, with one write for each store; a piece is in all
 * stores or in none, so that what could not be stored can be offered again.
 */
#ifndef SERVER_RECORD_INTAKE_H
#define SERVER_RECORD_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hosted;
struct intake; /* what is at hand for all machines, one at a time */

/* Returns 0 or -ENOMEM. */
int intake_new(struct intake **ret);
void intake_free(struct intake *rs); /* NULL is fine */

/*
 * Stores the whole records at the beginning of @bytes. Returns how many bytes
 * they are. *@ret_full: there is no room now, as the machine was told by
 * hosted_hold() unless only a reader is slow. Else a negated errno: -EPROTO:
 * this is no trace; another one: it cannot be stored.
 */
ssize_t intake_take(struct hosted *m, const uint8_t *bytes, size_t len,
		    bool *ret_full);

#endif
