/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why something cannot be done: of what kind that is, which part of what was
 * asked for is at fault, a reason for programs and a text for people. One type
 * from the machine's modules up to control, which says what it is on the wire
 * (control/refusal.c). Texts quote what others sent and are cut, so what was
 * UTF-8 need not be any more.
 */
#ifndef CORE_MACHINE_ERROR_H
#define CORE_MACHINE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_kind {
	ERROR_NONE,
	ERROR_INVALID,	 /* this cannot be, whatever the machine does */
	ERROR_NOT_FOUND, /* there is no such thing */
	ERROR_NO_ROOM,	 /* a limit, or memory */
	ERROR_NOT_NOW,	 /* not in the machine's present state */
	ERROR_OUT_OF_RANGE,
	ERROR_UNKNOWN, /* nobody answers that */
	ERROR_HOST,    /* the host failed */
};

/* Of what a machine is made of and asked for. */
enum error_part {
	PART_NONE,
	PART_MACHINE, /* as it is put together */
	PART_HARTS,
	PART_MEMORY,
	PART_START_MODE,
	PART_SETTINGS,
	PART_IMAGE, /* its bytes */
	PART_IMAGE_KIND,
	PART_IMAGE_ADDRESS,
	PART_IMAGE_ENTRY,
	PART_HART,
	PART_CSR,
	PART_REGISTER,
	PART_VALUE,
	PART_ADDRESS,
	PART_SIZE,
	PART_BYTES,
	PART_CONSOLE,
	PART_SBI_ARGS,
	PART_INPUT_KIND,
	PART_CYCLE,
	PART_INSNS,
	PART_BREAKPOINTS,
	PART_WATCHPOINTS,
	PART_COUNTER,
	PART_EBB_SESSION,
	PART_EBB_COUNTER,
	PART_EBB_EVENT,
	PART_EBB_PERIOD,
	PART_SAMPLERS,
	PART_EVENT,
	PART_COUNT,
	PART_INSN, /* behind which */
	PART_PC,
	PART_INJECTION,
	PART_ASKED_HARTS, /* of which something is asked */
	PART_PRIVILEGES,
	PART_LIMIT,
	N_ERROR_PARTS, /* control goes on with its own: refusal.h */
};

enum {
	ERROR_ALONE = -1
};

struct error {
	enum error_kind kind;
	const char *reason; /* a constant; as "NO_SUCH_HART" */
	unsigned part;	    /* enum error_part */
	int index;	    /* which of several; ERROR_ALONE: of no list */
	char text[512];
};

struct error_at {
	unsigned part;
	const char *reason;
};

#define AT(part_, reason_)                                                     \
	((struct error_at){ .part = (part_), .reason = (reason_) })

/* Fills @e (may be NULL) and returns false, for `return error_set(...)`. */
bool error_set(struct error *e, enum error_kind kind, struct error_at at,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* There was no memory for what was asked, or for @what. Returns false. */
bool error_no_memory(struct error *e);
bool error_no_memory_for(struct error *e, const char *what);
/* It was the @index-th of several that were asked for. Returns false. */
bool error_within(struct error *e, size_t index);

#endif
