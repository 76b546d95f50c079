/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linked as a static PIE, for address 0, with no code that moves its words: it
 * prints where it is, and by tables of pointers, which the loader must have
 * moved. It spends most of its instructions in one function, for profiles.
 */
#include <stdint.h>

#define UART	 ((volatile uint8_t *)0x10000000)
#define FINISHER ((volatile uint32_t *)0x00100000)

__asm__("	.section .text.start, \"ax\"\n"
	"	.globl _start\n"
	"	.type _start, @function\n"
	"_start: lla	sp, stack_end\n"
	"	call	moved\n"
	"	j	.\n"
	"	.size	_start, . - _start\n"
	"	.bss\n"
	"	.balign 16\n"
	"	.zero	4096\n"
	"stack_end:\n"
	"	.text\n");
extern const char _start[];

static void put(const char *text)
{
	while (*text)
		UART[0] = (uint8_t)*text++;
}

static void put_hex(unsigned long n)
{
	put("0x");
	for (int i = 8 * (int)sizeof(n) - 4; i >= 0; i -= 4)
		UART[0] = (uint8_t) "0123456789abcdef"[n >> i & 15];
}

static unsigned long double_it(unsigned long n)
{
	return 2 * n;
}

static unsigned long add_one(unsigned long n)
{
	return n + 1;
}

/* not static: the compiler is not to see what is in them */
unsigned long (*steps[])(unsigned long) = { double_it, add_one, double_it };
const char *const names[] = { "double", "add", "double" };
unsigned long *inside = &(unsigned long[]){ 4, 5, 6 }[1];
unsigned long spun;

__attribute__((noinline)) void spin(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		__asm__ volatile("" : "+r"(i));
	spun += n;
}

void moved(void)
{
	unsigned long n = *inside;

	put("at ");
	put_hex((unsigned long)_start);
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		put(" ");
		put(names[i]);
		n = steps[i](n);
	}
	put(" ");
	put_hex(n);
	put("\n");
	spin(200000);
	*FINISHER = n == 22 ? 0x5555 : 0x13333;
	for (;;)
		;
}
