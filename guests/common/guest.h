/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every bare guest needs: CSR access, SBI calls, a console behind stdio,
 * an end. Guests are programs on the bench's side of the glass: they use what
 * any S-mode software could use and nothing of the project's libraries.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stddef.h>
#include <stdint.h>

#define csr_read(csr)                                                          \
	({                                                                     \
		unsigned long v_;                                              \
		__asm__ volatile("csrr %0, " #csr : "=r"(v_)::"memory");       \
		v_;                                                            \
	})
#define csr_write(csr, v)                                                      \
	__asm__ volatile("csrw " #csr ", %0" ::"rK"((unsigned long)(v))        \
			 : "memory")
#define csr_set(csr, v)                                                        \
	__asm__ volatile("csrs " #csr ", %0" ::"rK"((unsigned long)(v))        \
			 : "memory")
#define csr_clear(csr, v)                                                      \
	__asm__ volatile("csrc " #csr ", %0" ::"rK"((unsigned long)(v))        \
			 : "memory")

struct sbi_ret {
	long error;
	unsigned long value;
};

enum {
	SBI_LEGACY_PUTCHAR = 1,
	SBI_BASE = 0x10,
	SBI_TIME = 0x54494d45,
	SBI_IPI = 0x735049,
	SBI_HSM = 0x48534d,
	SBI_RFENCE = 0x52464e43,
	SBI_SRST = 0x53525354,
	SBI_DBCN = 0x4442434e,
	SBI_PMU = 0x504d55,
};

/* One SBI call; missing arguments are the caller's zeros. */
static inline struct sbi_ret sbi_call(long eid, long fid, unsigned long arg0,
				      unsigned long arg1, unsigned long arg2,
				      unsigned long arg3, unsigned long arg4,
				      unsigned long arg5)
{
	register unsigned long a0 __asm__("a0") = arg0;
	register unsigned long a1 __asm__("a1") = arg1;
	register unsigned long a2 __asm__("a2") = arg2;
	register unsigned long a3 __asm__("a3") = arg3;
	register unsigned long a4 __asm__("a4") = arg4;
	register unsigned long a5 __asm__("a5") = arg5;
	register long a6 __asm__("a6") = fid;
	register long a7 __asm__("a7") = eid;

	__asm__ volatile("ecall"
			 : "+r"(a0), "+r"(a1)
			 : "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7)
			 : "memory");
	return (struct sbi_ret){ (long)a0, a1 };
}

/* Does not return: shutdown, reason "system failure" unless @failure is 0. */
void guest_exit(int failure) __attribute__((noreturn));

#endif
