/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HSM: harts start, stop and suspend; what is left of their counters.
 */
#include "fw-fixture.h"

enum {
	HART_START,
	HART_STOP,
	HART_STATUS,
	HART_SUSPEND
};
enum {
	STARTED = 0,
	STOPPED_STATE = 1,
	SUSPENDED = 4
};
#define NON_RETENTIVE	 UINT64_C(0x80000000)
#define HSM(b, fid, ...) CALL(b, HSM_EID, fid, __VA_ARGS__)

static enum fw_outcome gone(struct bench *b, unsigned hart, const uint64_t a[4])
{
	uint64_t args[8] = { a[1], a[2], a[3], [6] = a[0], [7] = HSM_EID };
	struct sbi_ret ret;

	return fw_sbi_call(b->fw, hart, b->now, args, &ret);
}

static void stop(struct bench *b, unsigned hart)
{
	static const uint64_t args[4] = { HART_STOP };

	ck_assert_int_eq(gone(b, hart, args), FW_GONE);
}

static const struct start_row {
	const char *why;
	uint64_t hartid, pc;
	uint64_t without;
	bool stopped;
	int error;
} start_rows[] = {
	{ "stopped", 1, RAM_BASE + 0x100, 0, true, 0 },
	{ "started", 1, RAM_BASE + 0x100, 0, false, -6 },
	{ "self", 0, RAM_BASE + 0x100, 0, true, -6 },
	{ "absent", 2, RAM_BASE + 0x100, 0, true, -3 },
	{ "no RAM", 1, 0x1000, 0, true, -5 },
	{ "no RAM of a started hart", 1, 0x1000, 0, false, -5 },
	{ "end of RAM", 1, RAM_BASE + RAM_SIZE, 0, true, -5 },
	{ "last two bytes", 1, RAM_BASE + RAM_SIZE - 2, 0, true, 0 },
	{ "odd", 1, RAM_BASE + 1, 0, true, -5 },
	{ "half word without C", 1, RAM_BASE + 2, PMU_EXT_C, true, -5 },
};

TEST_ROWS(hart_start_is_checked, start_rows)
{
	const struct start_row *row = &start_rows[_i];
	struct opts o = { .n_harts = 2, .without = row->without };
	struct sbi_ret ret;
	struct bench b;

	bench_init(&b, &o);
	if (row->stopped)
		stop(&b, 1);
	ret = HSM(&b, HART_START, row->hartid, row->pc, 77);
	ck_assert_msg(ret.error == row->error && ret.value == 0, "%s",
		      row->why);
	ck_assert_uint_eq(b.starts, !row->error);
	if (!row->error) {
		ck_assert_uint_eq(b.hart, 1);
		ck_assert_uint_eq(b.pc, row->pc);
		ck_assert_uint_eq(b.opaque, 77);
		ck_assert_int_eq(pmu_hart_mode(b.harts[1]), PMU_MODE_S);
	}
	bench_fini(&b);
}

TEST(status_tells_the_state)
{
	static const uint64_t suspend[4] = { HART_SUSPEND };
	struct opts o = { .n_harts = 3 };
	struct bench b;

	bench_init(&b, &o);
	stop(&b, 1);
	ck_assert_int_eq(gone(&b, 2, suspend), FW_DONE);
	ck_assert_uint_eq(HSM(&b, HART_STATUS, 0).value, STARTED);
	ck_assert_uint_eq(HSM(&b, HART_STATUS, 1).value, STOPPED_STATE);
	ck_assert_uint_eq(HSM(&b, HART_STATUS, 2).value, SUSPENDED);
	ck_assert_int_eq(HSM(&b, HART_STATUS, 3).error, -3);
	ck_assert_int_eq(HSM(&b, HART_START, 2, RAM_BASE).error, -6);
	/* An instrument cannot put it to sleep twice. */
	ck_assert_int_eq(bench_call(&b, 2, HSM_EID, HART_SUSPEND,
				    (const uint64_t[6]){ 0 })
				 .error,
			 -1);
	fw_hart_resumed(b.fw, 2);
	fw_hart_resumed(b.fw, 1);
	fw_hart_resumed(b.fw, 3);
	ck_assert_uint_eq(HSM(&b, HART_STATUS, 2).value, STARTED);
	ck_assert_uint_eq(HSM(&b, HART_STATUS, 1).value, STOPPED_STATE);
	bench_fini(&b);
}

static const struct suspend_row {
	const char *why;
	uint64_t type, pc;
	int error;
	bool retentive;
} suspend_rows[] = {
	{ "retentive", 0, 0, 0, true },
	{ "non-retentive", NON_RETENTIVE, RAM_BASE + 8, 0, false },
	{ "non-retentive, sign-extended", UINT64_C(0xffffffff80000000),
	  RAM_BASE + 8, 0, false },
	{ "reserved", 1, 0, -3, true },
	{ "platform's", 0x10000000, 0, -3, true },
	{ "reserved, non-retentive", NON_RETENTIVE + 1, RAM_BASE, -3, true },
	{ "platform's, non-retentive", 0x90000000, RAM_BASE, -3, true },
	{ "nowhere to resume", NON_RETENTIVE, 0x1000, -5, true },
};

TEST_ROWS(suspend_is_checked, suspend_rows)
{
	const struct suspend_row *row = &suspend_rows[_i];
	struct opts o = { 0 };
	uint64_t args[8] = { row->type, row->pc,
			     55, [6] = HART_SUSPEND, [7] = HSM_EID };
	struct sbi_ret ret = { .error = 99 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(fw_sbi_call(b.fw, 0, 0, args, &ret),
			 row->retentive ? FW_DONE : FW_GONE);
	ck_assert_msg(ret.error == (row->retentive ? row->error : 99), "%s",
		      row->why);
	ck_assert_uint_eq(b.suspends, !row->error);
	if (!row->error) {
		ck_assert(b.retentive == row->retentive);
		ck_assert_uint_eq(b.pc, row->pc);
		ck_assert_uint_eq(b.opaque, 55);
	}
	bench_fini(&b);
}

/* A non-retentive suspend takes satp and SIE, and nothing else of sstatus. */
TEST_TIMES(a_suspend_forgets_what_it_says, 2)
{
	const uint64_t sie = 1 << 1, spie = 1 << 5, sum = 1 << 18;
	uint64_t args[8] = { _i ? 0 : NON_RETENTIVE,
			     RAM_BASE, [6] = HART_SUSPEND, [7] = HSM_EID };
	uint64_t satp = UINT64_C(8) << 60 | 0x80000;
	struct opts o = { 0 };
	struct sbi_ret ret;
	struct bench b;

	bench_init(&b, &o);
	bench_poke(&b, 0, 0x100, sie | spie | sum);
	bench_poke(&b, 0, 0x180, satp);
	fw_sbi_call(b.fw, 0, 0, args, &ret);
	fw_hart_resumed(b.fw, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x100) & (sie | spie | sum),
			  _i ? sie | spie | sum : spie | sum);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x180), _i ? satp : 0);
	bench_fini(&b);
}

/* What reaches a suspended hart, by hart 0, to hart 1 alone. */
static const struct wake_row {
	const char *why;
	uint32_t eid, fid;
	bool legacy; /* the mask is in memory */
	bool wakes;
} wake_rows[] = {
	{ "an IPI", IPI_EID, 0, false, true },
	{ "a legacy IPI", 4, 0, true, true },
	{ "a remote fence.i", RFENCE_EID, 0, false, true },
	{ "a remote sfence.vma", RFENCE_EID, 1, false, true },
	{ "one with an ASID", RFENCE_EID, 2, false, true },
	{ "a remote hfence.gvma", RFENCE_EID, 4, false, true },
	{ "a legacy fence.i", 5, 0, true, true },
	{ "a question", HSM_EID, HART_STATUS, false, false },
	{ "a timer of the other", TIME_EID, 0, false, false },
};

static void suspend_1(struct bench *b, bool retentive)
{
	const uint64_t args[4] = { HART_SUSPEND, retentive ? 0 : NON_RETENTIVE,
				   RAM_BASE };

	ck_assert_int_eq(gone(b, 1, args), retentive ? FW_DONE : FW_GONE);
}

/* Whatever sie is: here it is 0, so that what pends wakes nobody. */
TEST_TIMES(an_interrupt_of_the_firmware_wakes_once, 4 * ARRAY_SIZE(wake_rows))
{
	const struct wake_row *row = &wake_rows[_i / 4];
	const bool retentive = _i & 2;
	struct opts o = { .n_harts = 3, .with = PMU_EXT_H, .profile = _i & 1 };
	struct bench b;

	shows(RULE("C203"));
	bench_init(&b, &o);
	bench_store(&b, 0x100, 2, 8);
	for (unsigned n = 0; n < 2; n++) {
		suspend_1(&b, retentive);
		ck_assert_msg(!fw_hart_woken(b.fw, 1), "%s", row->why);
		CALL(&b, row->eid, row->fid,
		     row->legacy ? RAM_BASE + 0x100 : 2);
		ck_assert_msg(fw_hart_woken(b.fw, 1) == row->wakes, "%s",
			      row->why);
		ck_assert(!fw_hart_woken(b.fw, 0) && !fw_hart_woken(b.fw, 2));
		ck_assert(!pmu_hart_wakes(b.harts[1], b.now));
		ck_assert_uint_eq(HSM(&b, HART_STATUS, 1).value, SUSPENDED);
		fw_hart_resumed(b.fw, 1);
		ck_assert(!fw_hart_woken(b.fw, 1));
		/* To a hart that runs it is nothing to wake by. */
		CALL(&b, row->eid, row->fid,
		     row->legacy ? RAM_BASE + 0x100 : 2);
		ck_assert(!fw_hart_woken(b.fw, 1));
	}
	ck_assert(!fw_hart_woken(b.fw, 3));
	bench_fini(&b);
}

/* set_timer's time; with Sstc it is S-mode's own interrupt, which sie masks. */
TEST_TIMES(a_timer_wakes_at_its_time, 2)
{
	const bool sstc = _i & 1;
	struct opts o = { .n_harts = 2, .with = sstc ? PMU_EXT_SSTC : 0 };
	struct bench b;

	shows(RULE("C203"));
	bench_init(&b, &o);
	bench_call(&b, 1, TIME_EID, 0, (const uint64_t[6]){ 8 });
	suspend_1(&b, true);
	fw_timer_run(b.fw, 79);
	ck_assert(!fw_hart_woken(b.fw, 1));
	fw_timer_run(b.fw, 80);
	ck_assert(fw_hart_woken(b.fw, 1) == !sstc);
	ck_assert(!pmu_hart_wakes(b.harts[1], 80));
	fw_hart_resumed(b.fw, 1);
	suspend_1(&b, true);
	fw_timer_run(b.fw, 1000);
	ck_assert(!fw_hart_woken(b.fw, 1));
	bench_fini(&b);
}

/* It waits as in M, its counters stay. */
TEST_TIMES(a_suspend_keeps_the_counters, 2)
{
	const uint64_t suspend[4] = { HART_SUSPEND, _i ? NON_RETENTIVE : 0,
				      RAM_BASE };
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C193 C197"));
	bench_init(&b, &o);
	PMU(&b, SHMEM, RAM_BASE);
	PMU(&b, CFG, 3, 1, UINH, 2);
	PMU(&b, START, 3, 1, INIT, 10);
	bench_poke(&b, 0, PMU_CSR_SSTATUS, 2);
	bench_poke(&b, 0, PMU_CSR_SATP, UINT64_C(8) << 60 | 1);
	gone(&b, 0, suspend);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), PMU_MODE_M);
	pmu_hart_idle(b.harts[0], 100);
	fw_hart_resumed(b.fw, 0);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), PMU_MODE_S);
	bench_run(&b, 0, 5);
	ck_assert_uint_eq(bench_value(&b, 3), 15);
	ck_assert_uint_eq(pmu_hart_total(b.harts[0], PMU_EV_CYCLES, PMU_MODE_M),
			  100);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, SNAP), 0);
	ck_assert_uint_eq(bench_load(&b, 8, 8), 15);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SSTATUS) & 2, _i ? 0 : 2);
	ck_assert((bench_csr(&b, 0, PMU_CSR_SATP) == 0) == _i);
	bench_fini(&b);
}

/* A start is as the boot. */
TEST(a_start_forgets_everything)
{
	struct opts o = { .n_harts = 2 };
	const uint64_t *none = (const uint64_t[6]){ 0 };
	struct fw_counter c;
	struct bench b;

	shows(RULE("C197"));
	bench_init(&b, &o);
	bench_call(&b, 1, PMU_EID, SHMEM, (const uint64_t[6]){ RAM_BASE });
	bench_call(&b, 1, PMU_EID, CFG, (const uint64_t[6]){ 3, 1, AUTO, 2 });
	bench_call(&b, 1, PMU_EID, CFG,
		   (const uint64_t[6]){ 32, 1, AUTO, FW_TIMER });
	bench_call(&b, 1, TIME_EID, 0, (const uint64_t[6]){ 500 });
	bench_run(&b, 1, 9);
	stop(&b, 1);
	ck_assert_uint_eq(fw_timer_next(b.fw, 1), UINT64_MAX);
	HSM(&b, HART_START, 1, RAM_BASE);
	for (unsigned n = 0; n < 48; n++) {
		fw_counter_state(b.fw, 1, n, &c);
		ck_assert(!c.mapped);
		ck_assert_uint_eq(c.value, 0);
		ck_assert_int_eq(c.started, n == 0 || n == 2);
	}
	ck_assert_uint_eq(bench_csr(&b, 1, PMU_CSR_MCOUNTINHIBIT), 0xfffffff8);
	ck_assert_int_eq(bench_call(&b, 1, PMU_EID, STOP,
				    (const uint64_t[6]){ 0, 1, SNAP })
				 .error,
			 -9);
	/* But what the instruments count goes on. */
	ck_assert_uint_eq(fw_event_total(b.fw, 1, 5), 1);
	ck_assert_uint_eq(pmu_hart_total(b.harts[1], PMU_EV_INSNS, PMU_MODE_S),
			  9);
	ck_assert_uint_eq(bench_call(&b, 1, PMU_EID, NUM, none).value, 48);
	bench_fini(&b);
}

SUITE("sbi-hsm");
