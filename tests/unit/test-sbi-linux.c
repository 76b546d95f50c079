/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls of an unmodified Linux perf driver, in its order and with its
 * arguments, on a machine as Linux gets it: no snapshot (C77), both profiles.
 */
#include "fw-fixture.h"

enum {
	N_IDS = 56,
	FIRST_FW = 32,
	GUEST = VUINH | VSINH,
	N_EVENTS = 52
};
enum {
	LIST = 0x1000,
};

#define MAX_PERIOD UINT64_C(0x8000000000000001)
#define CMASK	   ((UINT64_C(1) << N_IDS) - 1 - 2)
#define LCOFI	   (1u << PMU_IRQ_LCOFI)

/* Up to the point where perf events can be opened. */
static void boot(struct bench *b, bool opensbi)
{
	struct opts o = { .profile = opensbi,
			  .no_snapshot = true,
			  .fw_counters = 24 };
	uint64_t mask = 0;

	shows(RULE("C13 C142"));
	bench_init(b, &o);
	ck_assert_uint_eq(CALL(b, BASE_EID, 3, PMU_EID).value, 1);
	ck_assert_uint_eq(PMU(b, NUM, 0).value, N_IDS);
	for (unsigned i = 0; i < N_IDS; i++) {
		struct sbi_ret info = PMU(b, INFO, i);

		if (info.error)
			continue;
		ck_assert_uint_ne(info.value, 0);
		mask |= UINT64_C(1) << i;
	}
	ck_assert_uint_eq(mask, CMASK);
	ck_assert_int_eq(PMU_ERR(b, SHMEM, RAM_BASE, 0, 0), -2);
	bench_poke(b, 0, 0x106, 2);
	PMU(b, STOP, 0, CMASK, RESET);
	bench_poke(b, 0, PMU_CSR_SIP, bench_csr(b, 0, PMU_CSR_SIP) & ~LCOFI);
}

/* The 10 general and 42 cache events, as the driver numbers them. */
static uint32_t event_idx(unsigned i)
{
	if (i < 10)
		return 1 + i;
	i -= 10;
	return 0x10000 + (i / 6 << 3) + i % 6;
}

static bool countable(uint32_t idx)
{
	return idx == 1 || idx == 2 || idx == 5;
}

/* Each event is tried, and freed although it never ran. */
TEST_TIMES(events_are_probed_one_by_one, 2)
{
	struct bench b;

	shows(RULE("C143"));
	boot(&b, _i);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < N_EVENTS; i++) {
			uint32_t idx = event_idx(i);
			struct sbi_ret ret = PMU(&b, CFG, 0, CMASK, 0, idx);

			ck_assert_int_eq(ret.error, countable(idx) ? 0 : -2);
			if (!ret.error)
				ck_assert_int_eq(
					PMU_ERR(&b, STOP, ret.value, 1, RESET),
					-8);
		}
	}
	bench_fini(&b);
}

/* With SBI 3.0: one call for all of them. */
TEST_TIMES(events_are_probed_at_once, 2)
{
	struct bench b;

	shows(RULE("C143"));
	boot(&b, _i);
	for (unsigned i = 0; i < N_EVENTS; i++)
		bench_store(&b, LIST + 16 * i, event_idx(i), 4);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, N_EVENTS, 0),
			 0);
	for (unsigned i = 0; i < N_EVENTS; i++)
		ck_assert_uint_eq(bench_load(&b, LIST + 16 * i + 4, 4),
				  countable(event_idx(i)));
	bench_fini(&b);
}

static unsigned open_event(struct bench *b, uint32_t idx, uint64_t data,
			   uint64_t value)
{
	struct sbi_ret ret = PMU(b, CFG, 0, CMASK, GUEST, idx, data);

	ck_assert_int_eq(ret.error, 0);
	ck_assert_int_eq(PMU_ERR(b, START, ret.value, 1, INIT, value), 0);
	return (unsigned)ret.value;
}

/* Switched in and out, hardware by CSR and firmware by call. */
TEST_TIMES(counting_survives_context_switches, 2)
{
	uint64_t insns = MAX_PERIOD, timers = MAX_PERIOD;
	struct bench b;

	shows(RULE("C144"));
	boot(&b, _i);
	for (unsigned round = 0; round < 3; round++) {
		unsigned hw = open_event(&b, 2, 0, insns);
		unsigned fw = open_event(&b, FW_TIMER, 0, timers);

		ck_assert_uint_lt(hw, FIRST_FW);
		ck_assert_uint_ge(fw, FIRST_FW);
		bench_run(&b, 0, 1000);
		CALL(&b, TIME_EID, 0, UINT64_MAX);
		ck_assert_int_eq(PMU_ERR(&b, STOP, hw, 1, 0), 0);
		insns = bench_csr(&b, 0, (uint16_t)(0xc00 + hw));
		ck_assert_int_eq(PMU_ERR(&b, STOP, hw, 1, RESET), -8);
		timers = PMU(&b, READ, fw).value;
		ck_assert_int_eq(PMU_ERR(&b, STOP, fw, 1, RESET), 0);
	}
	ck_assert_uint_eq(insns, MAX_PERIOD + 3000);
	ck_assert_uint_eq(timers, MAX_PERIOD + 3);
	bench_fini(&b);
}

/* What the interrupt handler does. Returns the overflown set. */
static uint64_t handle(struct bench *b, uint64_t used, uint64_t period)
{
	uint64_t ovf;

	ck_assert_int_eq(PMU_ERR(b, STOP, 0, used, 0), 0);
	ovf = bench_csr(b, 0, PMU_CSR_SCOUNTOVF) & used;
	bench_poke(b, 0, PMU_CSR_SIP, bench_csr(b, 0, PMU_CSR_SIP) & ~LCOFI);
	ck_assert_int_eq(PMU_ERR(b, START, 0, used & ~ovf, 0),
			 used & ~ovf ? 0 : -3);
	for (uint64_t o = ovf; o; o &= o - 1)
		ck_assert_int_eq(PMU_ERR(b, START, (unsigned)__builtin_ctzll(o),
					 1, INIT, -period),
				 0);
	return ovf;
}

TEST_TIMES(sampling_takes_every_period, 2)
{
	enum {
		PERIOD = 100,
		SAMPLES = 50
	};
	unsigned samples = 0, hw, other;
	struct bench b;

	shows(RULE("C55 C145"));
	boot(&b, _i);
	/* perf opens a counting event first, then samples. */
	PMU(&b, STOP, open_event(&b, 2, 0, MAX_PERIOD), 1, RESET);
	other = open_event(&b, 5, 0, MAX_PERIOD);
	hw = open_event(&b, 2, 0, -(uint64_t)PERIOD);
	for (unsigned i = 0; i < PERIOD * SAMPLES; i++) {
		bench_run(&b, 0, 1);
		if (!(bench_csr(&b, 0, PMU_CSR_SIP) & LCOFI))
			continue;
		samples++;
		ck_assert_uint_eq(i % PERIOD, PERIOD - 1);
		ck_assert_uint_eq(
			handle(&b, UINT64_C(1) << hw | UINT64_C(1) << other,
			       PERIOD),
			UINT64_C(1) << hw);
	}
	ck_assert_uint_eq(samples, SAMPLES);
	bench_fini(&b);
}

/* All used counters overflowed, nothing is left to restart. */
TEST_TIMES(sampling_with_one_counter, 2)
{
	unsigned hw;
	struct bench b;

	shows(RULE("C59"));
	boot(&b, _i);
	hw = open_event(&b, 2, 0, UINT64_MAX);
	for (unsigned i = 0; i < 3; i++) {
		bench_run(&b, 0, 1);
		ck_assert_uint_eq(handle(&b, UINT64_C(1) << hw, 1),
				  UINT64_C(1) << hw);
	}
	bench_fini(&b);
}

/* Raw and firmware events from perf's config. */
TEST_TIMES(raw_and_firmware_events_open, 2)
{
	struct bench b;

	shows(RULE("C146"));
	boot(&b, _i);
	ck_assert_uint_lt(open_event(&b, 0x20000, 1, 0), FIRST_FW);
	ck_assert_uint_lt(open_event(&b, 0x30000, 5, 0), FIRST_FW);
	for (uint32_t code = 0; code < FW_N_STANDARD; code++)
		ck_assert_uint_eq(open_event(&b, 0xf0000 + code, 0, 0),
				  FIRST_FW + code);
	bench_fini(&b);
}

/* Without Sscofpmf: no exclusion, no interrupt, but it counts. */
TEST_TIMES(counting_needs_no_sscofpmf, 2)
{
	struct opts o = { .profile = _i,
			  .no_snapshot = true,
			  .fw_counters = 24,
			  .without = PMU_EXT_SSCOFPMF };
	struct sbi_ret ret;
	struct bench b;

	shows(RULE("C39 C148"));
	bench_init(&b, &o);
	/* cycles:u, which then counts all modes; opensbi has 0 only. */
	ret = PMU(&b, CFG, 0, CMASK, GUEST | SINH, 1);
	ck_assert_int_eq(ret.error, 0);
	ck_assert_uint_eq(ret.value, _i ? 0 : 3);
	PMU(&b, START, ret.value, 1, INIT, UINT64_MAX - 9);
	bench_run(&b, 0, 10);
	pmu_hart_set_mode(b.harts[0], PMU_MODE_U);
	bench_run(&b, 0, 10);
	ck_assert_uint_eq(bench_csr(&b, 0, (uint16_t)(0xc00 + ret.value)), 10);
	ck_assert_uint_eq(pmu_irq_pending(b.harts[0], b.now), 0);
	bench_fini(&b);
}

SUITE("sbi-linux");
