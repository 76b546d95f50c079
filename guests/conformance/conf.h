/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the chapters of the S-mode conformance guest share: the machine as
 * discovered, and the operations that their tables name. Arguments of an
 * operation are its a[]; what an SBI function takes in a pair of registers on
 * RV32 is one argument here.
 */
#ifndef CONF_H
#define CONF_H

#include "../common/code.h"
#include "../common/guest.h"
#include "../common/tap.h"

enum {
	UNSUPPORTED = -2,
	PARAM = -3,
	ADDRESS = -5,
	AVAILABLE = -6,
	STARTED = -7,
	STOPPED = -8,
	NO_SHMEM = -9,
};
enum {
	SKIP_MATCH = 1,
	CLEAR = 2,
	AUTO = 4,
	UINH = 0x20,
	SINH = 0x40,
	SET_INIT = 1,
	INIT_SNAP = 2,
	RESET = 1,
	TAKE_SNAP = 2,
};
enum {
	CYCLES = 1,
	INSNS = 2,
	FW_ILLEGAL = 0xf0004,
	FW_SET_TIMER = 0xf0005,
	FW_IPI_SENT = 0xf0006,
	FW_IPI_RECEIVED = 0xf0007,
	FW_FENCE_I_SENT = 0xf0008,
	FW_FENCE_I_RECEIVED = 0xf0009,
	FW_SFENCE_SENT = 0xf000a,
	FW_SFENCE_RECEIVED = 0xf000b,
	FW_SFENCE_ASID_SENT = 0xf000c,
	FW_SFENCE_ASID_RECEIVED = 0xf000d,
};
enum {
	LCOFI = 13,
	MAX_HARTS = 8
};

struct machine {
	unsigned n;	/* num_counters */
	uint64_t valid; /* ids that get_info knows */
	uint64_t programmable;
	unsigned hw, hw2; /* the first two of them */
	unsigned fw, n_fw;
	uint64_t fw_set; /* relative to id fw */
	unsigned harts;	 /* with ids 0 .. harts-1 */
	unsigned hart;	 /* the one that does the chapters */
	bool sscofpmf, smcntrpmf;
	bool bench; /* nothing here kills a hart */
};
extern struct machine mach;

#define RV64 (__riscv_xlen == 64)
#define ALL  (~0ul)

/* Numbers that only the machine knows; main.c says what they are. */
#define NAMED(i)     (0x5eed000000000000ull + (i))
#define N	     NAMED(0) /* num_counters */
#define LAST	     NAMED(1) /* the last id */
#define HW1	     NAMED(2) /* the first programmable counter */
#define HW2	     NAMED(3) /* the second */
#define HW3	     NAMED(4) /* the third: nobody configures it */
#define FW1	     NAMED(5) /* the first firmware counter */
#define FW_SET	     NAMED(6) /* all of them, from FW1 on */
#define N_FW	     NAMED(7)
#define PROGRAMMABLE NAMED(8)  /* the set of these */
#define HW_SET	     NAMED(9)  /* with cycle and instret */
#define HW_SET_HOLE  NAMED(10) /* with id 1 besides */
#define BOTH_HW	     NAMED(11) /* HW1 and HW2 */
#define HW1_AND_HOLE NAMED(12)
#define HW1_AND_HW3  NAMED(13)
#define N_NAMED	     14

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
op_fn work;  /* about a[0] instructions */

/* Everything as after the boot: nothing mapped, cycle and instret run. */
op_fn fresh;
#define FRESH DO(fresh)

/* Does @fn(@a) on another hart, cause -1 if that hart does not answer. */
struct answer on_hart(unsigned hart, op_fn *fn, const uint64_t *a);

/* The exceptions so far, and the last one; what interrupts do. */
struct traps {
	unsigned n;
	unsigned long cause, pc;
	unsigned n_timer, n_soft, n_lcofi;
	unsigned long lcofi_pc;
	uint64_t lcofi_overflown;
};
extern volatile struct traps traps;

/* The chapters, in the order they run. */
void chapter_boot(void);
void chapter_base(void);
void chapter_info(void);
void chapter_config(void);
void chapter_skip(void);
void chapter_start(void);
void chapter_stop(void);
void chapter_snapshot(void);
void chapter_firmware(void);
void chapter_event_info(void);
void chapter_counters(void);
void chapter_overflow(void);
void chapter_harts(void);
void chapter_crashers(void);

#endif
