/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflows as a supervisor meets them (conformance C55, K): OF, LCOFIP, the
 * interrupt and the instruction it is taken at.
 */
#include "conf.h"

enum {
	SSTATUS_SIE = 1 << 1,
	TIMER = 1 << 5,	    /* in sip and sie */
	PATIENCE = 50000000 /* ticks of time until an overflow is late */
};

static struct answer below(const uint64_t *a)
{
	struct answer got = read_counter(a);

	return (struct answer){ got.error, got.value < a[1] };
}

unsigned long start_and_count(unsigned long counter, unsigned long value,
			      unsigned long high);
extern const char after_start[];
__asm__(".text\n"
	"	.option push\n"
	"	.option norvc\n"
	"	.globl start_and_count\n"
	"	.globl after_start\n"
	"start_and_count:\n" /* a SET_INIT of one counter, then 60 nops */
	"	mv	a3, a1\n"
	"	mv	a4, a2\n"
	"	li	a1, 1\n"
	"	li	a2, 1\n"
	"	li	a5, 0\n"
	"	li	a6, 3\n"
	"	li	a7, 0x504d55\n"
	"	ecall\n"
	"after_start:\n"
	"	.rept	60\n"
	"	nop\n"
	"	.endr\n"
	"	ret\n"
	"	.option pop\n");

/*
 * Overflow interrupts are on; counter a[0] overflows by the a[1]-th
 * instruction after its start. The answer is where the interrupt came: how
 * many instructions after the start; an error where there was not one.
 */
static struct answer interrupted_at(const uint64_t *a)
{
	unsigned before = traps.n_lcofi;

	csr_set(sie, 1ul << LCOFI);
	csr_set(sstatus, SSTATUS_SIE);
	start_and_count((unsigned long)a[0], -(unsigned long)a[1], ALL);
	csr_clear(sstatus, SSTATUS_SIE);
	csr_clear(sie, 1ul << LCOFI);
	if (traps.n_lcofi != before + 1)
		return (struct answer){ -1, traps.n_lcofi - before };
	return (struct answer){
		0, (traps.lcofi_pc - (unsigned long)after_start) / 4
	};
}

/* What scountovf said in the last interrupt. */
static struct answer seen(const uint64_t *a)
{
	return (struct answer){ 0, traps.lcofi_overflown & a[0] };
}

/* With LCOFIP pending and SIE off: where the interrupt comes after SIE on. */
static struct answer enabled_at(const uint64_t *a)
{
	const struct code c = { 3,
				{ CSRRSI(0, SSTATUS, SSTATUS_SIE), NOP, NOP } };
	unsigned before = traps.n_lcofi;
	unsigned long pc;

	(void)a;
	csr_set(sie, 1ul << LCOFI);
	run_code(&c, 0);
	csr_clear(sstatus, SSTATUS_SIE);
	csr_clear(sie, 1ul << LCOFI);
	pc = traps.lcofi_pc - code_page();
	if (traps.n_lcofi != before + 1)
		return (struct answer){ -1, traps.n_lcofi - before };
	return (struct answer){ 0, pc / 4 };
}

/* WFI with LCOFIE: does LCOFIP end it, or only the timer, much later? */
static struct answer waits(const uint64_t *a)
{
	uint64_t now, pending;

	now = time_now() + PATIENCE;
	set_timer(&now);
	csr_write(sie, 1ul << LCOFI | TIMER);
	__asm__ volatile("wfi" ::: "memory");
	pending = csr_read(sip);
	csr_write(sie, 0);
	now = ~0ull;
	set_timer(&now);
	(void)a;
	return (struct answer){ 0,
				(pending >> LCOFI & 1) && !(pending & TIMER) };
}

static const struct step flags[] = {
	FRESH,
	DO(config, HW1, 1, SINH | CLEAR, INSNS),
	DO(start, HW1, 1, SET_INIT, ~0ull),
	CLAIM("writing the highest value is no overflow", RULE("C57 C108"),
	      BOTH(VAL(0)), scountovf, HW1_BIT),
	DO(stop, HW1, 1, RESET),
	DO(config, HW1, 1, CLEAR, INSNS),
	DO(start, HW1, 1, SET_INIT, -100ull),
	DO(work, 2000),
	CLAIM("an overflow shows in scountovf", RULE("C57 C107 C112"),
	      BOTH(VAL(HW1_BIT)), scountovf, HW1_BIT),
	CLAIM("and pends the interrupt", RULE("C109 C110"), BOTH(VAL(1)), lcofi,
	      0),
	CLAIM("the counter counts on", RULE("C107"), BOTH(VAL(1)), below, HW1,
	      100000000),
	DO(stop, HW1, 1),
	CLAIM("stop leaves OF", RULE("C64"), BOTH(VAL(HW1_BIT)), scountovf,
	      HW1_BIT),
	CLAIM("stop leaves LCOFIP", RULE("C66"), BOTH(VAL(1)), lcofi, 0),
	DO(start, HW1, 1),
	CLAIM("start keeps OF while the request pends", RULE("C55"),
	      BOTH(VAL(HW1_BIT)), scountovf, HW1_BIT),
	DO(stop, HW1, 1),
	DO(start, HW1, 1),
	CLAIM("as often as it is started", RULE("C55 C145"), BOTH(VAL(HW1_BIT)),
	      scountovf, HW1_BIT),
	DO(stop, HW1, 1),
	DO(clear_lcofi),
	CLAIM("clearing LCOFIP", RULE("C110"), BOTH(VAL(0)), lcofi, 0),
	DO(start, HW1, 1, SET_INIT, 0),
	CLAIM("start clears OF after that", RULE("C55"), BOTH(VAL(0)),
	      scountovf, HW1_BIT),
	CLAIM("a redundant start", RULE("C52"), BOTH(ERR(STARTED)), start, HW1,
	      1),
	CLAIM("sets no OF, or disables by it", RULE("C52 C206"),
	      DIFF(VAL(0), VAL(HW1_BIT)), scountovf, HW1_BIT),
	DO(stop, HW1, 1),
	DO(start, HW1, 1),
	CLAIM("the next start clears it", RULE("C55"), BOTH(VAL(0)), scountovf,
	      HW1_BIT),
	DO(config, HW1, 1, SKIP_MATCH | AUTO, INSNS),
	CLAIM("AUTO_START of a running counter sets no OF", RULE("C35 C206"),
	      BOTH(VAL(0)), scountovf, HW1_BIT),
	DO(stop, HW1, 1),
	DO(start, HW1, 1, SET_INIT, -100ull),
	DO(work, 2000),
	DO(clear_lcofi),
	CLAIM("clearing LCOFIP leaves OF", RULE("C110"), BOTH(VAL(HW1_BIT)),
	      scountovf, HW1_BIT),
	DO(stop, HW1, 1),
	DO(config, HW1, 1, SKIP_MATCH, INSNS),
	CLAIM("configuring anew clears OF, or disables by it", RULE("C37 C64"),
	      DIFF(VAL(0), VAL(HW1_BIT)), scountovf, HW1_BIT),
	DO(stop, HW1, 1, RESET),
	CLAIM("RESET clears OF", RULE("C63"), BOTH(VAL(0)), scountovf, HW1_BIT),
	DO(config, HW1, 1, CLEAR, INSNS),
	DO(start, HW1, 1, SET_INIT, -100ull),
	DO(work, 2000),
	DO(stop, HW1, 1, RESET),
	CLAIM("and takes back what it has asked for; the reference does not",
	      RULE("C66 C145"), DIFF(VAL(0), VAL(1)), lcofi, 0),
	DO(clear_lcofi),
};

static const struct step interrupts[] = {
	FRESH,
	DO(config, HW1, 1, 0, INSNS),
	CLAIM("instructions: taken at the next one", RULE("C109 C176"),
	      BOTH(VAL(20)), interrupted_at, HW1, 20),
	CLAIM("the handler saw its bit", RULE("C112 C145"), BOTH(VAL(HW1_BIT)),
	      seen, HW1_BIT),
	DO(stop, HW1, 1),
	CLAIM("by the first instruction after the start", RULE("C57 C176"),
	      BOTH(VAL(1)), interrupted_at, HW1, 1),
	DO(stop, HW1, 1),
	CLAIM("every time", RULE("C55 C176"), BOTH(VAL(33)), interrupted_at,
	      HW1, 33),
	DO(stop, HW1, 1, RESET),
	DO(config, HW1, 1, 0, CYCLES),
	CLAIM("cycles: taken at the next instruction", RULE("C109 C176"),
	      BOTH(VAL(20)), interrupted_at, HW1, 20),
	FRESH,
	DO(write_csr, SIP, 1 << LCOFI),
	CLAIM("pending, it is taken behind the csrsi that enables it",
	      RULE("C163 C176"), BOTH(VAL(1)), enabled_at),
	DO(write_csr, SIP, 1 << LCOFI),
	CLAIM("pending, it ends WFI without SIE", RULE("C165"), BOTH(VAL(1)),
	      waits),
	FRESH,
	DO(config, HW1, 1, CLEAR, CYCLES),
	DO(start, HW1, 1, SET_INIT, -100000ull),
	CLAIM("cycles overflow in WFI, and end it", RULE("C165 C166"),
	      BOTH(VAL(1)), waits),
	FRESH,
};

void chapter_overflow(void)
{
	TAP_STEPS("overflow", flags);
	TAP_STEPS("overflow", interrupts);
}
