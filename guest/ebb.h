/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches for programs in U-mode (docs/EBB.md of pmud): have
 * counters, give a handler in C, enable. What a kernel has to do is to claim
 * the counters, once; all else is done here by CSRs, of any of the counters 3
 * to 31. Compile guest/ebb.c and guest/ebb-entry.S with the program, for RV64
 * or RV32; they need no library.
 */
#ifndef GUEST_EBB_H
#define GUEST_EBB_H

#include <stdint.h>

/* CSRs: of users, */
#define EBB_CSR_HR	0x800 /* the handler */
#define EBB_CSR_RR	0x801 /* where it returns to */
#define EBB_CSR_CS	0x802
#define EBB_CSR_CTL	0x803
#define EBB_CSR_OVF	0x804 /* claimed counters that have overflowed */
#define EBB_CSR_FRZ	0x805 /* those that the user has frozen */
#define EBB_CSR_OWN	0x806 /* those that it has */
#define EBB_CSR_CTR(n)	(0x820 + (n)) /* the value of counter 3 to 31 */
#define EBB_CSR_CTRH(n) (0x8a0 + (n)) /* RV32: its upper half */
/* of their kernel, of a hypervisor, of M-mode. */
#define EBB_CSR_SCS	0x5c0
#define EBB_CSR_SOWN	0x5c1
#define EBB_CSR_SCLAIM	0x5c2
#define EBB_CSR_HEN	0x6c0
#define EBB_CSR_MEN	0x7c0

enum {
	EBB_GE = 1, /* cs: branches are enabled, */
	EBB_PE = 2, /* those of counters are; */
	EBB_EO = 4, /* one was taken */
	EBB_AE = 1, /* ctl: the next overflow is an alert, */
	EBB_AO = 2, /* one has occurred; */
	EBB_FA = 4, /* it freezes all counters that the user has, */
	EBB_FC = 8, /* they are frozen */
	EBB_UE = 1, /* scs: users have the extension, */
	EBB_FZ = 2, /* their counters stand */
	/*
	 * What counters that an alert has frozen count of each branch: so many
	 * instructions from where they go on to the return, of them loads.
	 */
	EBB_TAIL = 20,
	EBB_TAIL_LOADS = 16,
};

/* @csr is a constant; to set and to clear bits is one instruction. */
#define EBB_READ(csr)                                                          \
	({                                                                     \
		unsigned long ebb_value_;                                      \
		__asm__ volatile("csrr %0, %1"                                 \
				 : "=r"(ebb_value_)                            \
				 : "i"(csr)                                    \
				 : "memory");                                  \
		ebb_value_;                                                    \
	})
#define EBB_DO(op, csr, v)                                                     \
	__asm__ volatile(op " %0, %1" ::"i"(csr), "rK"((unsigned long)(v))     \
			 : "memory")
#define EBB_WRITE(csr, v) EBB_DO("csrw", csr, v)
#define EBB_SET(csr, v)	  EBB_DO("csrs", csr, v)
#define EBB_CLEAR(csr, v) EBB_DO("csrc", csr, v)

/*
 * Called for the counters in @overflown, of whose bits it clears none itself;
 * it reloads them. It is on the program's stack, and must not use floating
 * point.
 */
typedef void ebb_handler_fn(unsigned long overflown);

/* What is kept of a program; all 0 at first. */
struct ebb {
	ebb_handler_fn *handler;
	unsigned long control;	/* of ctl, when the handler returns */
	unsigned long branches; /* taken */
};

/*
 * The caller's, also from within a branch. Weak: a program has one; who has
 * several threads or harts defines another, for instance by tp.
 */
struct ebb *ebb_self(void);

/*
 * To have all counters of @mask, or none: 0 or less than 0. Weak: who asks no
 * kernel has what that has claimed for it before.
 */
long ebb_open(unsigned long mask);
/* And to have them no more. Weak: they are frozen, and stay the caller's. */
long ebb_close(unsigned long mask);

/* Who is called, with what in ctl from then on: EBB_AE, EBB_FA. */
void ebb_handler(ebb_handler_fn *fn, unsigned long control);
/* Counter @n, which the caller has, overflows after @period events. */
void ebb_load(unsigned n, uint64_t period);
/* For any other @n nothing is written, and 0 is read. */
void ebb_set_value(unsigned n, uint64_t value);
uint64_t ebb_value(unsigned n);
/* Branches come, or are held, from the next instruction on. */
void ebb_enable(void);
void ebb_disable(void);

#endif
