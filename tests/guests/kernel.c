/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Looks like a Linux kernel from outside: the header of an Image in front of a
 * program, which prints where it is, what /chosen says and whether all is as at
 * power-on, then makes sure that it is not, and does what it is told, by a word
 * then=X of its command line or a byte of input: c, w and f reboot (cold, warm,
 * by the finisher), q powers off.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UART	 ((volatile uint8_t *)0x10000000)
#define FINISHER ((volatile uint32_t *)0x00100000)
#define SCR	 7
#define LSR	 5

/* Documentation/arch/riscv/boot-image-header.rst */
__asm__("	.section .text.start, \"ax\"\n"
	"	.option push\n"
	"	.option norvc\n"
	"	.globl image\n"
	"image:	j	entry\n"
	"	nop\n"
	"	.word	" TEXT_OFFSET ", 0\n"
	"	.word	__stacks + 0x10000 - image, 0\n"
	"	.word	0, 0\n" /* flags */
	"	.word	2\n"	/* version 0.2 */
	"	.zero	12\n"
	"	.ascii	\"RISCV\\0\\0\\0RSC\\5\"\n"
	"	.word	0\n"
	"	.option pop\n"
	"entry:	la	sp, __stacks + 0x4000\n"
	"	call	boot\n"
	"	j	.\n"
	"	.globl	second\n"
	"second: wfi\n"
	"	j	second\n");
extern const char image[], second[], __stacks[];

static int bss;
static int data = 7;

static void put(const char *text)
{
	while (*text)
		UART[0] = (uint8_t)*text++;
}

static void put_hex(unsigned long n)
{
	put("0x");
	for (int i = 4 * (int)sizeof(n) * 2 - 4; i >= 0; i -= 4)
		UART[0] = (uint8_t) "0123456789abcdef"[n >> i & 15];
}

static void say(const char *name, unsigned long value)
{
	put(name);
	put(" ");
	put_hex(value);
	put("\n");
}

static unsigned long sbi(unsigned long eid, unsigned long fid, unsigned long x,
			 unsigned long y)
{
	register unsigned long a0 __asm__("a0") = x;
	register unsigned long a1 __asm__("a1") = y;
	register unsigned long a2 __asm__("a2") = 0;
	register unsigned long a6 __asm__("a6") = fid;
	register unsigned long a7 __asm__("a7") = eid;

	__asm__ volatile("ecall"
			 : "+r"(a0), "+r"(a1)
			 : "r"(a2), "r"(a6), "r"(a7)
			 : "memory");
	return a0 ? a0 : a1;
}

/* The device tree */

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* A property of the node @node below the root; NULL: there is none. */
static const uint8_t *property(const uint8_t *dtb, const char *node,
			       const char *name)
{
	const uint8_t *p = dtb + be32(dtb + 8);
	const char *names = (const char *)dtb + be32(dtb + 12);
	int depth = 0;
	bool here = false;

	for (;;) {
		uint32_t token = be32(p), len;

		p += 4;
		if (token == 1) { /* a node begins */
			if (++depth == 2)
				here = same((const char *)p, node);
			while (*p++)
				;
			p = (const uint8_t *)(((uintptr_t)p + 3) & ~3ul);
		} else if (token == 2) { /* it ends */
			depth--;
		} else if (token == 3) {
			len = be32(p);
			if (here && depth == 2 &&
			    same(names + be32(p + 4), name))
				return p + 8;
			p += 8 + ((len + 3) & ~3u);
		} else if (token == 9) {
			return NULL;
		}
	}
}

static unsigned long address(const uint8_t *p)
{
	return p ? be32(p + 4) : 0;
}

/* What the device tree says */
static void tell_chosen(const uint8_t *dtb)
{
	const uint8_t *args = property(dtb, "chosen", "bootargs");
	unsigned long from =
		address(property(dtb, "chosen", "linux,initrd-start"));
	unsigned long to = address(property(dtb, "chosen", "linux,initrd-end"));

	put("bootargs [");
	put(args ? (const char *)args : "");
	put("]\n");
	say("initrd", from);
	say("to", to);
	put("initrd [");
	for (unsigned long at = from; at < to && at < from + 4; at++)
		UART[0] = *(const uint8_t *)at;
	put("]\n");
}

/* Is all as it is behind a reset? Then it is made to be otherwise. */
static void tell_state(unsigned long far)
{
	volatile unsigned long *word = (volatile unsigned long *)far;
	unsigned long sip, satp;

	__asm__ volatile("csrr %0, sip" : "=r"(sip));
	__asm__ volatile("csrr %0, satp" : "=r"(satp));
	say("bss", (unsigned long)bss++);
	say("data", (unsigned long)data++);
	say("memory", *word);
	say("scratch", UART[SCR]);
	say("sip", sip | satp);
	say("hart 1", sbi(0x48534d, 2, 1, 0)); /* HSM.hart_get_status */
	*word = 0x1234;
	UART[SCR] = 0x5a;
	sbi(0x54494d45, 0, 0, 0); /* TIME.set_timer: due */
	sbi(0x48534d, 0, 1, (unsigned long)second);
	__asm__ volatile("csrw sscratch, %0" : : "r"(far));
}

static int wanted(const uint8_t *args)
{
	for (; args && *args; args++)
		if (args[0] == 't' && args[1] == 'h' && args[2] == 'e' &&
		    args[3] == 'n' && args[4] == '=')
			return args[5];
	while (!(UART[LSR] & 1))
		;
	return UART[0];
}

void boot(unsigned long hart, const uint8_t *dtb)
{
	int what;

	say("kernel", (unsigned long)image);
	say("hart", hart);
	say("device tree", (unsigned long)dtb & 0xfff);
	tell_chosen(dtb);
	tell_state((unsigned long)__stacks + 0x300000);
	what = wanted(property(dtb, "chosen", "bootargs"));
	if (what == 'f')
		*FINISHER = 0x7777;
	else /* SRST.system_reset */
		sbi(0x53525354, 0, what == 'c' ? 1 : what == 'w' ? 2 : 0, 0);
	put("still there\n");
}
