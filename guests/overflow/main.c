/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bundled guest: finds the counters over SBI, samples a workload by the
 * overflow interrupts of two events, and prints what it saw. Every sample is
 * printed, so that whoever watches from outside can compare them one by one.
 */
#include <stdbool.h>
#include <stdio.h>

#include "../common/guest.h"
#include "work.h"

enum {
	LCOFI = 13,
	PMU_NUM_COUNTERS = 0,
	PMU_GET_INFO = 1,
	PMU_CONFIG_MATCHING = 2,
	PMU_START = 3,
	PMU_STOP = 4,
	PMU_FW_READ = 5,
	START_SET_INIT_VALUE = 1,
	EVENT_CYCLES = 1,
	EVENT_INSTRUCTIONS = 2,
	EVENT_FW_SET_TIMER = 0xf0005,
	MAX_SAMPLES = 64,
};

struct phase {
	const char *event;
	unsigned long event_idx;
	unsigned long period;
};

static const struct phase phases[] = {
	{ "instructions", EVENT_INSTRUCTIONS, 10007 },
	{ "cycles", EVENT_CYCLES, 12007 },
};

static struct {
	unsigned long hardware; /* usable counters, by logical index */
	unsigned long firmware; /* the same from index first_fw on */
	unsigned long first_fw;
	unsigned long counter; /* that samples */
	unsigned long period;
	unsigned n;	 /* samples, all of them */
	unsigned strays; /* interrupts with no overflow to show */
	unsigned long pc[MAX_SAMPLES];
} pmu;

static struct sbi_ret pmu_call(long fid, unsigned long a, unsigned long b,
			       unsigned long c, unsigned long d)
{
	return sbi_call(SBI_PMU, fid, a, b, c, d, 0, 0);
}

#define ONE(n)                                                                 \
	case n:                                                                \
		return csr_read(hpmcounter##n)

/* A CSR number is part of the instruction: one case for each counter. */
static unsigned long read_counter(unsigned long n)
{
	switch (n) {
		ONE(3);
		ONE(4);
		ONE(5);
		ONE(6);
		ONE(7);
		ONE(8);
		ONE(9);
		ONE(10);
		ONE(11);
		ONE(12);
		ONE(13);
		ONE(14);
		ONE(15);
		ONE(16);
		ONE(17);
		ONE(18);
		ONE(19);
		ONE(20);
		ONE(21);
		ONE(22);
		ONE(23);
		ONE(24);
		ONE(25);
		ONE(26);
		ONE(27);
		ONE(28);
		ONE(29);
		ONE(30);
		ONE(31);
	}
	return 0;
}

static void start(unsigned long counter, unsigned long period)
{
	unsigned long lo = -period;
	unsigned long hi = sizeof(long) == 4 ? ~0ul : 0;

	sbi_call(SBI_PMU, PMU_START, counter, 1, START_SET_INIT_VALUE, lo, hi,
		 0);
}

/* What an overflow interrupt means to PMU software, in the order it matters. */
static void on_overflow(unsigned long pc)
{
	unsigned long overflown;

	pmu_call(PMU_STOP, pmu.counter, 1, 0, 0);
	overflown = csr_read(scountovf);
	csr_clear(sip, 1ul << LCOFI);
	if (!(overflown >> pmu.counter & 1)) {
		pmu.strays++;
	} else {
		if (pmu.n < MAX_SAMPLES)
			pmu.pc[pmu.n] = pc;
		pmu.n++;
	}
	start(pmu.counter, pmu.period);
}

void trap(void *frame)
{
	unsigned long cause = csr_read(scause);

	(void)frame;
	if (cause == (1ul << (__riscv_xlen - 1) | LCOFI)) {
		on_overflow(csr_read(sepc));
		return;
	}
	printf("unexpected trap: scause %#lx sepc %#lx stval %#lx\n", cause,
	       csr_read(sepc), csr_read(stval));
	guest_exit(1);
}

static void discover(void)
{
	struct sbi_ret n = pmu_call(PMU_NUM_COUNTERS, 0, 0, 0, 0);
	unsigned hardware = 0, firmware = 0, width = 0;

	for (unsigned long i = 0; i < n.value; i++) {
		struct sbi_ret info = pmu_call(PMU_GET_INFO, i, 0, 0, 0);

		if (info.error)
			continue; /* 1 is `time`, no counter */
		if (info.value >> (__riscv_xlen - 1)) {
			if (!firmware++)
				pmu.first_fw = i;
			pmu.firmware |= 1ul << (i - pmu.first_fw);
		} else {
			hardware++;
			width = (info.value >> 12 & 0x3f) + 1;
			pmu.hardware |= 1ul << i;
		}
	}
	printf("counters: %u hardware (the last %u bits wide), %u firmware\n",
	       hardware, width, firmware);
}

static const char *function_of(unsigned long pc)
{
	for (unsigned i = 0; i < N_WORKS; i++) {
		if (pc >= (unsigned long)works[i].begin &&
		    pc < (unsigned long)works[i].end)
			return works[i].name;
	}
	return "other";
}

static void report(const struct phase *phase)
{
	unsigned hits[N_WORKS] = { 0 };
	unsigned other = 0;
	unsigned shown = pmu.n < MAX_SAMPLES ? pmu.n : MAX_SAMPLES;

	for (unsigned i = 0; i < shown; i++) {
		const char *name = function_of(pmu.pc[i]);
		unsigned w;

		for (w = 0; w < N_WORKS && works[w].name != name; w++)
			;
		if (w < N_WORKS)
			hits[w]++;
		else
			other++;
		printf("sample %s counter %lu pc %#lx %s\n", phase->event,
		       pmu.counter, pmu.pc[i], name);
	}
	printf("%s: %u samples on counter %lu, one every %lu:", phase->event,
	       pmu.n, pmu.counter, phase->period);
	for (unsigned w = 0; w < N_WORKS; w++)
		printf(" %s %u", works[w].name, hits[w]);
	printf(" other %u strays %u\n", other, pmu.strays);
	printf("counter %lu stopped at %#lx\n", pmu.counter,
	       read_counter(pmu.counter));
}

/* Samples one event over the workload. Returns false when it cannot. */
static bool run_phase(const struct phase *phase)
{
	unsigned long mask = pmu.hardware & ~7ul; /* the programmable ones */
	struct sbi_ret got =
		pmu_call(PMU_CONFIG_MATCHING, 0, mask, 0, phase->event_idx);

	if (got.error) {
		printf("%s: config_matching says %ld\n", phase->event,
		       got.error);
		return false;
	}
	pmu.counter = got.value;
	pmu.period = phase->period;
	pmu.n = pmu.strays = 0;
	start(pmu.counter, pmu.period);
	csr_set(sstatus, 2);
	for (unsigned i = 0; i < N_WORKS; i++)
		works[i].run();
	csr_clear(sstatus, 2);
	pmu_call(PMU_STOP, pmu.counter, 1, 0, 0);
	report(phase);
	return pmu.n && pmu.n <= MAX_SAMPLES && !pmu.strays;
}

/* A firmware event: calls of set_timer, counted by the firmware itself. */
static bool firmware_event(void)
{
	struct sbi_ret got =
		sbi_call(SBI_PMU, PMU_CONFIG_MATCHING, pmu.first_fw,
			 pmu.firmware, 6, EVENT_FW_SET_TIMER, 0, 0);
	struct sbi_ret seen;

	if (got.error) {
		printf("fw_set_timer: config_matching says %ld\n", got.error);
		return false;
	}
	for (unsigned i = 0; i < 3; i++)
		sbi_call(SBI_TIME, 0, -1ul, -1ul, 0, 0, 0, 0);
	seen = pmu_call(PMU_FW_READ, got.value, 0, 0, 0);
	printf("fw_set_timer: %lu of 3 calls counted\n", seen.value);
	return !seen.error && seen.value == 3;
}

int main(unsigned long hartid)
{
	struct sbi_ret version = sbi_call(SBI_BASE, 0, 0, 0, 0, 0, 0, 0);
	bool ok = true;

	printf("hart %lu: SBI %lu.%lu\n", hartid, version.value >> 24 & 0x7f,
	       version.value & 0xffffff);
	discover();
	csr_set(sie, 1ul << LCOFI);
	for (unsigned i = 0; i < sizeof(phases) / sizeof(*phases); i++)
		ok &= run_phase(&phases[i]);
	ok &= firmware_event();
	puts(ok ? "done" : "FAILED");
	return !ok;
}
