/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the chapters of the S-mode conformance guest share: the numbers of
 * their tables, and the machine as it was discovered.
 */
#ifndef CONF_H
#define CONF_H

#include "../common/code.h"
#include "../common/csr-short.h"
#include "../common/guest.h"
#include "../common/tap.h"
#include "ops.h"

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
	unsigned absent;  /* an id below fw, 0: there is none */
	unsigned fw, n_fw;
	uint64_t mask;	 /* the bits of counter hw */
	uint64_t fw_set; /* relative to id fw */
	unsigned harts;	 /* with ids 0 .. harts-1 */
	unsigned hart;	 /* the one that does the chapters */
	unsigned other;	 /* one of the others */
	bool all;	 /* also calls that the reference does not survive */
};
extern struct machine mach;

#define RV64 (__riscv_xlen == 64)
#define ALL  (~0ul)

/* Numbers that only the machine knows; main.c says what they are. */
#define NAMED(i)      (0x5eed000000000000ull + (i))
#define N	      NAMED(0) /* num_counters */
#define LAST	      NAMED(1) /* the last id */
#define HW1	      NAMED(2) /* the first programmable counter */
#define HW2	      NAMED(3) /* the second */
#define HW3	      NAMED(4) /* the third: nobody configures it */
#define FW1	      NAMED(5) /* the first firmware counter */
#define FW_SET	      NAMED(6) /* all of them, from FW1 on */
#define N_FW	      NAMED(7)
#define PROGRAMMABLE  NAMED(8)	/* the set of these */
#define HW_SET	      NAMED(9)	/* with cycle and instret */
#define HW_SET_HOLE   NAMED(10) /* with id 1 besides */
#define BOTH_HW	      NAMED(11) /* HW1 and HW2 */
#define HW1_AND_HOLE  NAMED(12)
#define HW1_AND_HW3   NAMED(13)
#define PAGE	      NAMED(14) /* the address of shared memory */
#define PAGE_8	      NAMED(15) /* and 8 bytes on */
#define HW1_BIT	      NAMED(16)
#define HW2_BIT	      NAMED(17)
#define OTHER	      NAMED(18) /* another hart */
#define OTHER_BIT     NAMED(19)
#define SELF_BIT      NAMED(20)
#define FW2	      NAMED(21)
#define SELF	      NAMED(22)
#define WIDE_READ     NAMED(23) /* WIDE in a counter of HW1's width */
#define ABSENT	      NAMED(24) /* a hardware counter that is not there */
#define HW_SET_ABSENT NAMED(25)
#define FW1_OF_HW1    NAMED(26) /* its bit of a set that begins at HW1 */
#define N_NAMED	      27
#define WIDE	      0x123456789abull
#define XLEN_OF(v)    ((uint64_t)(v) & (~0ull >> (64 - __riscv_xlen)))

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
void chapter_events(void);
void chapter_counters(void);
void chapter_overflow(void);
void chapter_harts(void);
void chapter_sse(void);
void chapter_crashers(void);

#endif
