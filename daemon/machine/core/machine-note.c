/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes, in the order in which there was reason for them. */
#include "machine-note.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "board/board.h"
#include "machine-hart.h"

enum {
	/* a trap loop of each, snapshots, and devices that are not there */
	MAX = PMU_MAX_HARTS + 1 + VACANT_MAX,
};

struct notes {
	unsigned n;
	bool snapshot_mistake;
	uint64_t vacant; /* bit i: range i, to be said */
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

void notes_vacant(struct notes *all, unsigned index)
{
	all->vacant |= UINT64_C(1) << index;
}

static void say_vacant(struct machine *m, const struct vacant_range *range)
{
	const struct hart *h = hart_present(m);
	struct record_at at = hart_at(m, h, hart_pc(m, h));

	notes_add(m->notes,
		  "hart %u looked for %s, of the device tree, at 0x%" PRIx64
		  ": the board has no such device, it reads as all ones",
		  h->index, range->node, range->base);
	m->recorder->ops->absent(m->recorder->keeper, &at, range);
}

void notes_flush(struct machine *m)
{
	for (unsigned i = 0; m->notes->vacant; i++) {
		if (m->notes->vacant >> i & 1)
			say_vacant(m, board_vacant(m->board, i));
		m->notes->vacant &= ~(UINT64_C(1) << i);
	}
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
