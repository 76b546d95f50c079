/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Injections that wait for their instruction. Where one is due it becomes an
 * input like any other, so a replay knows nothing of them.
 */
#ifndef CORE_INJECTIONS_H
#define CORE_INJECTIONS_H

#include "inject.h"
#include "input.h"
#include "machine-hart.h"

struct injections;

struct injections *injections_new(void); /* NULL without memory */
void injections_free(struct injections *all);

bool injections_any(const struct injections *all);
bool injections_full(const struct injections *all);
/* @due: when its hart has retired so many; 0: not known yet. Its number. */
uint32_t injections_add(struct injections *all,
			const struct machine_injection *what, uint64_t due);
/* False: none has this number. */
bool injections_cancel(struct injections *all, uint32_t number);
/* The one of @number, or the next behind it; NULL: none. */
const struct machine_injection *injections_find(const struct injections *all,
						uint32_t number);

/* The next of @h that is due, as an input that acts now. False: none is. */
bool injections_take(struct injections *all, const struct hart *h,
		     struct input *ret);
/* @h may retire so many, ever, until one is due. */
uint64_t injections_next(const struct injections *all, const struct hart *h);

/* How many wait for a pc, and up to @room of these. */
size_t injections_at_pc(const struct injections *all);
size_t injections_pcs(const struct injections *all, uint64_t *ret, size_t room);
/* A number that changes with these pcs. */
uint32_t injections_version(const struct injections *all);
/*
 * @h is about to execute at @pc. True: one of these. Those of @h that wait for
 * it are due when the instruction has retired. *@ret_fresh: one of them is so
 * from now on.
 */
bool injections_meet(struct injections *all, const struct hart *h, uint64_t pc,
		     bool *ret_fresh);
/* @h goes on elsewhere: what it was about to execute does not retire. */
void injections_moved(struct injections *all, const struct hart *h);
/* All harts do: they begin again. */
void injections_reset(struct injections *all);

/* All of them (state-bytes.h). */
void injections_give(const struct injections *all, struct state *to);
void injections_take_all(struct injections *all, struct state *from);

#endif
