/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watchpoints: which accesses a machine stops behind, and the one that it has
 * stopped behind. As breakpoints they are nothing that a guest can see.
 */
#ifndef CORE_MACHINE_WATCH_H
#define CORE_MACHINE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine-host.h"
#include "owners.h"

struct state;

struct watches *watches_new(void); /* NULL without memory */
void watches_free(struct watches *w);

/* What accesses of the page at @vaddr are watched: PMU_PERM_R, PMU_PERM_W. */
uint8_t watches_page(const struct machine *m, uint64_t vaddr);
/*
 * The hart whose turn it is makes this access, at this moment. If it is
 * watched, the hart runs no further than the instruction under way.
 */
void watches_see(struct machine *m, const struct engine_access *access);
/* Has one been seen since the machine went on? */
bool watches_due(const struct machine *m);
/* It goes on. */
void watches_forget(struct machine *m);
/* The one; size 0: there was none. */
const struct machine_access *watches_seen(const struct machine *m);
void watches_give(const struct watches *w, struct state *to);
/* Of a machine that has not run: its engine holds no page yet. */
void watches_take(struct watches *w, struct state *from);

#endif
