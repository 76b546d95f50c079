/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software events (SSE) as operations of the tables. One handler serves all
 * events: it notes that it was called, and does what it was asked to.
 */
#ifndef SSE_OPS_H
#define SSE_OPS_H

#include "conf.h"

enum {
	SBI_SSE = 0x535345
};
enum {
	DENIED = -4,
	STATE = -10,
	RANGE = -11,
};
enum {
	READ_ATTRS,
	WRITE_ATTRS,
	REGISTER,
	UNREGISTER,
	ENABLE,
	DISABLE,
	COMPLETE,
	INJECT,
	UNMASK,
	MASK,
};
enum {
	STATUS,
	PRIORITY,
	CONFIG,
	PREFERRED_HART,
	ENTRY_PC,
	ENTRY_ARG,
	OLD_SEPC,
	OLD_FLAGS,
	OLD_A6,
	OLD_A7,
	N_ATTRS
};
/* The argument of the handler that does as one of overflows: it stops HW1. */
enum {
	OVERFLOWS = 5
};
#define LOCAL  0xffff0000
#define GLOBAL 0xffff8000
#define PMU    0x00010000
#define RAS    0x00000000

op_fn sse;	/* fid and its arguments */
op_fn attr;	/* event, attribute: its value */
op_fn set_attr; /* event, attribute, value */
op_fn set_two;	/* event, attribute, its value and the next one's */
op_fn reg;	/* event, argument of the handler */
op_fn arm;	/* event, argument: registered and enabled */
op_fn disarm;	/* event: unused again, its attributes as at first */
op_fn calls;	/* of the handler since the last time: how many */
op_fn order;	/* ... with which arguments, four bits each */
op_fn entered;	/* what a6 was at the last */

/* Does @fn(@a) in the handler of LOCAL, cause -1 if that is not called. */
struct answer within(op_fn *fn, const uint64_t *a);
void sse_states(void); /* one hart */
void sse_harts(void);  /* two */

#endif
