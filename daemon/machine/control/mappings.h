/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a process of Linux has mapped where its code runs: part of which file,
 * by what the kernel keeps of it. A mapping is told once and then again and
 * again, after thousands of questions: whoever begins to read meanwhile, or has
 * lost what was before, knows it soon. It is also told again where more are in
 * use than are remembered.
 */
#ifndef CONTROL_MAPPINGS_H
#define CONTROL_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapped-area.h"

enum {
	MAPPINGS_TOLD = 512,  /* that are known to have been told */
	MAPPINGS_WAYS = 4,    /* places of one among them */
	MAPPINGS_ANEW = 8192, /* questions, then all are told again */
	MAPPINGS_AT_ONCE = 8,
	MAPPINGS_SOUGHT = 32, /* places looked up for a question's words */
};

/* Zeroed at first: nothing is known. */
struct mappings {
	const struct machine *machine; /* NULL: nobody asks */
	bool searched, described;      /* how the kernel keeps them */
	struct mapped_kernel kernel;
	uint64_t asked; /* since all were told anew */
	struct mapping_key told[MAPPINGS_TOLD];
};

/*
 * Whose, and where: @n addresses of code of the user's, and words that may be
 * such, of registers and of a copied stack.
 */
struct mapping_question {
	unsigned hart;
	uint32_t session; /* each is told on its own */
	uint32_t pid;
	uint64_t task; /* the address of its task_struct */
	const uint64_t *pc, *word;
	size_t n, n_words;
	const uint8_t *stack; /* from where it begins */
	size_t n_stack;	      /* bytes */
};

/* From here on those of @m are found. */
void mappings_begin(struct mappings *k, const struct machine *m);
/* There may be another kernel from here on, and nothing was told of it. */
void mappings_forget(struct mappings *k);
/*
 * The mappings in which the addresses of @q lie, as far as they were not told:
 * so many are in @ret, whose room is for MAPPINGS_AT_ONCE; what is beyond is
 * told when it is asked for again. Of words it is the executable ones, among
 * the first MAPPINGS_SOUGHT places of the memory that they lead to, mapped or
 * free. Reads the machine and changes nothing.
 */
size_t mappings_find(struct mappings *k, const struct mapping_question *q,
		     struct mapping *ret);

#endif
