/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of an engine that are used where they check out, and stand in for a
 * slower way with the same results: whether they are on, and how much they did;
 * and how often code was more than is kept of it.
 */
#ifndef ENGINE_ENGINE_PIECES_H
#define ENGINE_ENGINE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

struct engine;

/* How blocks are counted, and which pieces are used: no count depends on it. */
enum engine_mode {
	ENGINE_AUTO,	 /* in generated code where that checks out */
	ENGINE_PORTABLE, /* by a hook */
	ENGINE_FAST,	 /* in generated code, or there is no engine */
	ENGINE_CHECK,	 /* the same, and each run looks at that code */
};

enum {
	ENGINE_PIECES = 6
};

struct engine_piece {
	const char *name; /* one word */
	const char *of;	  /* what @all is the number of */
	const char *off;  /* why it is; NULL: it is on */
	uint64_t taken, all;
	bool of_blocks; /* instructions that are stepped have no part in it */
};

/* @n < ENGINE_PIECES; between runs. */
void engine_get_piece(const struct engine *e, unsigned n,
		      struct engine_piece *ret);
/* How often a buffer of translated code was full, and emptied. */
uint64_t engine_code_emptied(const struct engine *e);

#endif
