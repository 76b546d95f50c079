/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes, in the order in which there was reason for them. */
#include "machine-note.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	MAX = PMU_MAX_HARTS + 1, /* a trap loop of each, and snapshots */
};

struct notes {
	unsigned n;
	bool snapshot_mistake;
	char text[MAX][256];
};

struct notes *notes_new(void)
{
	return calloc(1, sizeof(struct notes));
}

void notes_free(struct notes *all)
{
	free(all);
}

const char *notes_add(struct notes *all, const char *format, ...)
{
	char *text = all->text[all->n++];
	va_list args;

	assert(all->n <= MAX);
	va_start(args, format);
	vsnprintf(text, sizeof(all->text[0]), format, args);
	va_end(args);
	return text;
}

void notes_snapshot_mistake(struct notes *all, unsigned hart)
{
	if (all->snapshot_mistake)
		return;
	all->snapshot_mistake = true;
	notes_add(
		all,
		"hart %u starts counters from the base 4096 after it gave "
		"memory for snapshots, as Linux does by mistake: none of them "
		"counts again after its first overflow (C77); snapshot=off "
		"helps",
		hart);
}

unsigned notes_count(const struct notes *all)
{
	return all->n;
}

const char *machine_note(const struct machine *m, unsigned i)
{
	return m->notes->text[i];
}

void notes_give(const struct notes *all, struct state *to)
{
	state_put(to, "notes", all, sizeof(*all));
}

void notes_take(struct notes *all, struct state *from)
{
	state_get(from, "notes", all, sizeof(*all));
}
