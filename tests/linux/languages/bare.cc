// SPDX-License-Identifier: BSD-2-Clause

// C++ without an operating system: a static PIE with virtual functions, whose
// tables somebody has to move. It prints and ends by HTIF.
typedef unsigned long u64;

__asm__("	.section .text.start, \"ax\"\n"
	"	.globl _start\n"
	"_start: lla	sp, stack_end\n"
	"	call	begin\n"
	"	j	.\n"
	"	.bss\n"
	"	.balign 16\n"
	"	.zero	4096\n"
	"stack_end:\n"
	"	.text\n");

extern "C" {
volatile u64 tohost __attribute__((aligned(64))) = 0;
volatile u64 fromhost __attribute__((aligned(64))) = 0;
}

namespace work
{
struct step {
	virtual u64 apply(u64 n) const = 0;
};
struct twice : step {
	u64 apply(u64 n) const override { return 2 * n; }
};
struct add : step {
	u64 apply(u64 n) const override { return n + 1; }
};

static const twice first, last;
static const add middle;
const step *steps[] = { &first, &middle, &last };

__attribute__((noinline)) u64 rounds(u64 rounds)
{
	u64 n = 5;

	while (rounds--) {
		for (const step *s : steps)
			n = s->apply(n);
		n &= 0xffff;
	}
	return n;
}
} // namespace work

static void send(u64 word)
{
	tohost = word;
	while (fromhost == 0 && tohost)
		;
	fromhost = 0;
}

static void put(const char *text)
{
	while (*text)
		send(0x0101UL << 48 | (unsigned char)*text++);
}

static void put(u64 n)
{
	char text[24], *at = text + sizeof(text);

	*--at = 0;
	do {
		*--at = '0' + n % 10;
		n /= 10;
	} while (n);
	put(at);
}

extern "C" void begin()
{
	put("once ");
	put(work::rounds(1));
	put(" often ");
	put(work::rounds(50000));
	put("\n");
	tohost = 1;
	for (;;)
		;
}
