/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What people should know of a run: that a guest does what will not get it
 * anywhere, or looks for what is not there. No guest sees it, and no trace has
 * it, but of devices that are not there, which are recorded, too.
 */
#ifndef CORE_MACHINE_NOTE_H
#define CORE_MACHINE_NOTE_H

#include "owners.h"
#include "state-bytes.h"

struct notes *notes_new(void); /* NULL without memory */
void notes_free(struct notes *all);
/*
 * Adds one, cut at 255 bytes: of each hart one, beside those below. Returns its
 * text.
 */
const char *notes_add(struct notes *all, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Said once, of the first hart that makes it (C77). */
void notes_snapshot_mistake(struct notes *all, unsigned hart);
/*
 * A guest has accessed this range of the board's (board_vacant()), for the
 * first time; it is said and recorded at the next flush, when the hart stands
 * behind the instruction.
 */
void notes_vacant(struct notes *all, unsigned index);
void notes_flush(struct machine *m);
unsigned notes_count(const struct notes *all);

/* All of it (state-bytes.h). */
void notes_give(const struct notes *all, struct state *to);
void notes_take(struct notes *all, struct state *from);

#endif
