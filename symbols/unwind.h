/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a function to its caller, by the unwind tables of an ELF file
 * (.eh_frame, else .debug_frame) and what a hart had in its registers and on
 * its stack.
 */
#ifndef SYMBOLS_UNWIND_H
#define SYMBOLS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

enum {
	UNWIND_REGISTERS = 32,
};

/* Memory that was kept. */
struct unwind_stack {
	uint64_t first; /* its address */
	const uint8_t *bytes;
	size_t n;
	unsigned word; /* bytes of a register: 4 or 8 */
};

struct unwind_frame {
	uint64_t pc;
	uint64_t reg[UNWIND_REGISTERS]; /* x0-x31 */
	uint32_t known;			/* bit r: reg[r] is */
};

enum unwind_end {
	UNWIND_GOES_ON,	  /* the frame is its caller's */
	UNWIND_BOTTOM,	  /* it has none */
	UNWIND_NO_TABLE,  /* there is none for its pc */
	UNWIND_STACK_END, /* what is wanted lies outside of the stack */
	UNWIND_BAD_RULE,  /* the table cannot be meant so */
};

/*
 * One step. The pc is that of an instruction to come, or with @returns a return
 * address, which may be behind its function's end. Unless it goes on, @f is
 * untouched. @s may be NULL: no table.
 */
enum unwind_end unwind_step(struct symbols *s, const struct unwind_stack *stack,
			    bool returns, struct unwind_frame *f);

#endif
