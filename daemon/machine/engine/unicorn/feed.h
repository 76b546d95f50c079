/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Telling the host what was executed, see engine-feed.h. An instruction is
 * noted when it begins, with its addresses, and told of once it is over: one
 * that traps was fetched and no more.
 */
#ifndef UNICORN_FEED_H
#define UNICORN_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct block;
struct feed;
struct slot;

/* All of these do nothing unless engine.feed is there. */

/* @b, one instruction of the step slot, runs next. */
void feed_begin(struct slot *s, const struct block *b);
/* The one that began, if any, has completed: execution is at @pc. */
void feed_end(struct slot *s, uint64_t pc);
/* It has not, and will begin again or be an exit. */
void feed_drop(struct slot *s);
/* The instruction at @exit is the host's to execute, or to trap at. */
void feed_exit(struct slot *s, const struct engine_exit *exit);
/* The access of the instruction at @pc was made for it; @device: outside RAM.
 */
void feed_made(struct slot *s, uint64_t pc, const struct engine_mmio *access,
	       bool device);

#endif
