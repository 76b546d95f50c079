/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operations that the tables name. Their arguments are a[]; what an SBI
 * function takes in a pair of registers on RV32 is one argument here.
 */
#ifndef OPS_H
#define OPS_H

#include "../common/tap.h"

/* PMU functions */
op_fn num_counters, get_info, config, start, stop, fw_read, fw_read_hi;
op_fn set_shmem, event_info;
op_fn base_call;   /* fid, arg */
op_fn any_call;	   /* eid, fid, a0, a1, a2 */
op_fn set_timer;   /* 64-bit value */
op_fn send_ipi;	   /* hart mask, base */
op_fn rfence;	   /* fid, hart mask, base, asid */
op_fn hart_start;  /* hart, address, opaque */
op_fn hart_status; /* hart */

/* What software sees without asking; error is the cause of a trap. */
op_fn read_counter; /* n: CSR 0xc00 + n, RV32 with its upper half */
op_fn read_csr;	    /* number */
op_fn write_csr;    /* number, value */
op_fn scountovf;    /* mask: the bits that are looked at */
op_fn clear_lcofi;
op_fn lcofi; /* sip.LCOFIP: 0 or 1 */
uint64_t time_now(void);
void nap(void);		       /* for a while, other harts run */
unsigned long code_page(void); /* where run_code() runs */
op_fn work;		       /* about a[0] instructions */

/* The page of shared memory, in words of 64 bits. */
op_fn page_fill; /* value */
op_fn page_set;	 /* index, value */
op_fn page_word; /* index */
/* How many words are not as filled, beside a[0] and a[1]. */
op_fn page_changed;
extern uint64_t shared_page[512];

/* Everything as after the boot: nothing mapped, cycle and instret run. */
op_fn fresh;
#define FRESH DO(fresh)

/* Does @fn(@a) on another hart, cause -1 if that hart does not answer. */
struct answer on_hart(unsigned hart, op_fn *fn, const uint64_t *a);

/* The operation of this name, done on the machine's other hart, as there_OP. */
#define THERE(op)                                                              \
	static struct answer there_##op(const uint64_t *a)                     \
	{                                                                      \
		return on_hart(mach.other, op, a);                             \
	}

/* Lets it do @fn without waiting; NULL: takes back what it has not begun. */
void mail_to(unsigned hart, op_fn *fn);

#endif
