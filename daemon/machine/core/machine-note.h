/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What people should know of a run: that a guest does what will not get it
 * anywhere. No guest sees it, and no trace has it.
 */
#ifndef CORE_MACHINE_NOTE_H
#define CORE_MACHINE_NOTE_H

#include "owners.h"
#include "state-bytes.h"

struct notes *notes_new(void); /* NULL without memory */
void notes_free(struct notes *all);
/*
 * Adds one, cut at 255 bytes, at most PMU_MAX_HARTS in all. Returns its text.
 */
const char *notes_add(struct notes *all, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Said once, of the first hart that makes it (C77). */
void notes_snapshot_mistake(struct notes *all, unsigned hart);
unsigned notes_count(const struct notes *all);

/* All of it (state-bytes.h). */
void notes_give(const struct notes *all, struct state *to);
void notes_take(struct notes *all, struct state *from);

#endif
