/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches for programs in U-mode (docs/EBB.md): open counters,
 * give a handler in C, enable. The kernel is asked once, for the counters; all
 * else is done by CSRs. A handler must not use floating point.
 */
#ifndef EBB_LIB_H
#define EBB_LIB_H

#include <stdbool.h>

#include "../common/guest.h"

/* CSRs by number: no assembler knows their names. */
#define sebbcs		     0x5c0
#define sebbown		     0x5c1
#define sebbclaim	     0x5c2
#define hebben		     0x6c0
#define mebben		     0x7c0
#define ebbhr		     0x800
#define ebbrr		     0x801
#define ebbcs		     0x802
#define ebbctl		     0x803
#define ebbovf		     0x804
#define ebbfrz		     0x805
#define ebbown		     0x806
#define ebbctr3		     0x823
#define ebbctr4		     0x824
#define ebbctr3h	     0x8a3
#define ebbctr4h	     0x8a4
#define EBB_CSR_(op, csr, v) EBB_CSR(op, csr, v)
#define EBB_CSR(op, csr, v)                                                    \
	__asm__ volatile(op " " #csr ", %0" ::"rK"((unsigned long)(v))         \
			 : "memory")
#define ebb_read(csr)	  ebb_read_(csr)
#define ebb_write(csr, v) EBB_CSR_("csrw", csr, v)
#define ebb_set(csr, v)	  EBB_CSR_("csrs", csr, v)
#define ebb_clear(csr, v) EBB_CSR_("csrc", csr, v)
#define ebb_read_(csr)                                                         \
	({                                                                     \
		unsigned long v_;                                              \
		__asm__ volatile("csrr %0, " #csr : "=r"(v_)::"memory");       \
		v_;                                                            \
	})

enum {
	EBB_GE = 1, /* ebbcs */
	EBB_PE = 2,
	EBB_EO = 4,
	EBB_AE = 1, /* ebbctl */
	EBB_AO = 2,
	EBB_FA = 4,
	EBB_FC = 8,
};

/* Called for the counters in @overflown; it reloads them. */
typedef void ebb_handler_fn(unsigned long overflown);

/*
 * Claims counters, all of @mask or none (pinned, exclusive). 0, or the error of
 * the kernel's. They stand (ebbfrz) until ebb_start().
 */
long ebb_open(unsigned long mask);
long ebb_close(unsigned long mask);
/* Who is called, with what in ebbctl from then on: EBB_AE, EBB_FA. */
void ebb_handler(ebb_handler_fn *fn, unsigned long control);
/* Counter 3 or 4 overflows after @period events. */
void ebb_load(unsigned n, unsigned long period);
unsigned long ebb_value(unsigned n);
void ebb_enable(void);
void ebb_disable(void);

#endif
