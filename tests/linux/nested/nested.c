/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest of KVM without Linux: what KVM answers to calls of its PMU, and what
 * its counters count, with no kernel in between that may err as well. It prints
 * a line for each, and ends the guest.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PMU = 0x504d55,
	NUM_COUNTERS = 0,
	GET_INFO = 1,
	CONFIG_MATCHING = 2,
	START = 3,
	STOP = 4,
	SET_SHMEM = 7,
	DBCN = 0x4442434e,
	SRST = 0x53525354,

	SET_INIT_VALUE = 1, /* flags of START */
	FROM_SNAPSHOT = 2,
	RESET = 1,	  /* a flag of STOP */
	INSTRUCTIONS = 2, /* an event */

	ILLEGAL = 2, /* causes */
	LCOFI = 13,
	FS = 13, /* a field of sstatus */
	FS_INITIAL = 1,
	ROUNDS = 100000,
	PERIOD = 100000,
	SAMPLES = 50,
	SHOWN = 4,	     /* counters to ask for */
	LINUX_BASE = 64 * 64 /* what Linux starts after an overflow (C77) */
};

struct sbi_ret {
	long error;
	uint64_t value;
};

struct calls {
	uint64_t eid, fid, args[5];
};

static struct {
	uint64_t counter, samples;
} sampled;

static uint64_t float_traps;

static uint8_t shmem[4096] __attribute__((aligned(4096)));

void work(uint64_t rounds);
uint64_t float_off(uint64_t value);
void nested(void);
void trapped(uint64_t cause, uint64_t pc);

static struct sbi_ret call(const struct calls *c)
{
	register uint64_t a0 __asm__("a0") = c->args[0];
	register uint64_t a1 __asm__("a1") = c->args[1];
	register uint64_t a2 __asm__("a2") = c->args[2];
	register uint64_t a3 __asm__("a3") = c->args[3];
	register uint64_t a4 __asm__("a4") = c->args[4];
	register uint64_t a6 __asm__("a6") = c->fid;
	register uint64_t a7 __asm__("a7") = c->eid;

	__asm__ volatile("ecall"
			 : "+r"(a0), "+r"(a1)
			 : "r"(a2), "r"(a3), "r"(a4), "r"(a6), "r"(a7)
			 : "memory");
	return (struct sbi_ret){ (long)a0, a1 };
}

#define CALL(eid, fid, ...) call(&(struct calls){ eid, fid, { __VA_ARGS__ } })

static void put(const char *text)
{
	size_t n = 0;

	while (text[n] != '\0')
		n++;
	CALL(DBCN, 0, n, (uintptr_t)text, 0);
}

static void number(int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char text[24], *at = text + sizeof text;

	*--at = '\0';
	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (value < 0)
		*--at = '-';
	put(at);
}

/* A line: a name, and numbers; in what order is said with each. */
static void line(const char *name, int n, ...)
{
	va_list args;

	put(name);
	va_start(args, n);
	while (n-- > 0) {
		put(" ");
		number(va_arg(args, int64_t));
	}
	va_end(args);
	put("\n");
}

static uint64_t read_counter(uint64_t counter)
{
	uint64_t value = 0;

	/* logical counters are the CSRs of their numbers in KVM */
	switch (counter) {
	case 0:
		__asm__ volatile("csrr %0, cycle" : "=r"(value));
		break;
	case 2:
		__asm__ volatile("csrr %0, instret" : "=r"(value));
		break;
	case 3:
		__asm__ volatile("csrr %0, hpmcounter3" : "=r"(value));
		break;
	default:
		break;
	}
	return value;
}

static struct sbi_ret match(uint64_t mask)
{
	return CALL(PMU, CONFIG_MATCHING, 0, mask, 0, INSTRUCTIONS, 0);
}

static void start(uint64_t counter, uint64_t from)
{
	CALL(PMU, START, counter, 1, SET_INIT_VALUE, from);
}

/* A trap of floating point that is off, the first: on it goes. */
static int float_trapped(uint64_t cause)
{
	if (cause != ILLEGAL || float_traps++)
		return 0;
	__asm__ volatile("csrs sstatus, %0" ::"r"(FS_INITIAL << FS));
	return 1;
}

void trapped(uint64_t cause, uint64_t pc)
{
	if (float_trapped(cause))
		return;
	if (cause << 1 >> 1 != LCOFI || cause >> 63 == 0) {
		line("trap", 2, (int64_t)cause, (int64_t)pc);
		CALL(SRST, 0, 0, 1);
	}
	CALL(PMU, STOP, sampled.counter, 1, 0);
	__asm__ volatile("csrc sip, %0" ::"r"(1ul << LCOFI));
	sampled.samples++;
	start(sampled.counter, -(uint64_t)PERIOD);
}

/* "growth": what twice the work counts more. */
static void counts(uint64_t counter)
{
	uint64_t value[2];

	for (uint64_t i = 0; i < 2; i++) {
		start(counter, 0);
		work(ROUNDS * (i + 1));
		CALL(PMU, STOP, counter, 1, 0);
		value[i] = read_counter(counter);
	}
	line("growth", 1, (int64_t)(value[1] - value[0]));
}

static void samples(uint64_t counter)
{
	sampled.counter = counter;
	__asm__ volatile("csrs sie, %0" ::"r"(1ul << LCOFI));
	__asm__ volatile("csrsi sstatus, 2");
	start(counter, -(uint64_t)PERIOD);
	work((uint64_t)SAMPLES * PERIOD / 2 + ROUNDS / 10);
	CALL(PMU, STOP, counter, 1, 0);
	__asm__ volatile("csrci sstatus, 2");
	line("samples", 1, (int64_t)sampled.samples);
}

/* "float": a value that came through, and how many traps. */
static void floats(void)
{
	uint64_t value = float_off(ROUNDS);

	line("float", 2, (int64_t)value, (int64_t)float_traps);
}

/*
 * "info" counter error value; "match" error counter, of a first and a second
 * event; "snapshot" error, "start-4096" error, "start-0" error.
 */
void nested(void)
{
	struct sbi_ret n = CALL(PMU, NUM_COUNTERS), first, second;
	uint64_t all = (1ull << (n.value < 63 ? n.value : 63)) - 1;

	line("counters", 2, (int64_t)n.error, (int64_t)n.value);
	for (int64_t i = 0; i < SHOWN; i++) {
		struct sbi_ret info = CALL(PMU, GET_INFO, (uint64_t)i);

		line("info", 3, i, (int64_t)info.error, (int64_t)info.value);
	}
	first = match(all);
	second = match(all);
	line("match", 2, (int64_t)first.error, (int64_t)first.value);
	line("match", 2, (int64_t)second.error, (int64_t)second.value);
	counts(first.value);
	samples(first.value);
	floats();
	line("snapshot", 1,
	     (int64_t)CALL(PMU, SET_SHMEM, (uintptr_t)shmem, 0, 0).error);
	line("start-4096", 1,
	     (int64_t)CALL(PMU, START, LINUX_BASE, 1, FROM_SNAPSHOT).error);
	line("start-0", 1,
	     (int64_t)CALL(PMU, START, first.value, 1, FROM_SNAPSHOT).error);
	CALL(PMU, STOP, first.value, 1, RESET);
	put("end\n");
	CALL(SRST, 0, 0, 0);
}
