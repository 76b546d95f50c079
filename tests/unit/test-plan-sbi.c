/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cases of the SBI test plan, by the answer of a call and by what can be
 * seen at the harts. Two harts, profile spec. Interrupts are looked at where
 * the hart would take them.
 */
#include "fw-fixture.h"

#define ANY	 UINT64_MAX /* a value that the case says nothing about */
#define NOWHERE	 UINT64_C(0x1000)
#define FWFT_EID 0x46574654
#define SUSP_EID 0x53555350
#define SSE_EID	 0x535345

enum { /* functions */
	VERSION = 0,
	PROBE = 3,
	SEND_IPI = 0,
	FENCE_I = 0,
	SFENCE = 1,
	SFENCE_ASID = 2,
	HART_START = 0,
	HART_STOP = 1,
	HART_STATUS = 2,
	HART_SUSPEND = 3,
	WRITE = 0,
	READ_BYTES = 1,
	WRITE_BYTE = 2,
	FWFT_SET = 0,
	FWFT_GET = 1,
	SSE_READ_ATTRS = 0,
	SSE_REGISTER = 2,
	SSE_ENABLE = 4,
	SSE_DISABLE = 5,
	SSE_INJECT = 7,
};
enum { /* of FWFT */
	MISALIGNED = 0,
	DOUBLE_TRAP = 3,
	LOCK = 1
};
#define SSE_SOFTWARE UINT32_C(0xffff0000)

struct call {
	uint32_t eid, fid;
	uint64_t a[6];
};

static const struct plan_row {
	const char *rule, *why;
	struct call pre[2], last;
	int error;
	uint64_t value;
} rows[] = {
	{ RULE("ENC-01"), "an extension that is none", .last = { 0x7fffffff },
	  .error = -2 },
	{ RULE("ENC-02"), "a function that is none", .last = { BASE_EID, 99 },
	  .error = -2 },
	{ RULE("ENC-04"), "error and value", .last = { BASE_EID, VERSION },
	  .value = 0x03000000 },
	{ RULE("ENC-05"), "an error has no value", .last = { PMU_EID, 99 },
	  .error = -2, .value = ANY },
	{ RULE("HMASK-02"), "a hart that is none",
	  .last = { IPI_EID, SEND_IPI, { 4, 0 } }, .error = -3 },
	{ RULE("SHMEM-01"), "memory that is none (the console has -3 for it)",
	  .last = { PMU_EID, SHMEM, { NOWHERE & ~0xfffull, 0, 0 } },
	  .error = -5 },
	{ RULE("SHMEM-02"), "memory",
	  .last = { DBCN_EID, WRITE, { 5, RAM_BASE } }, .value = 5 },
	{ RULE("BASE-01 BASE-02"), "3.0, the rest is zero",
	  .last = { BASE_EID, VERSION }, .value = 0x03000000 },
	{ RULE("BASE-03"), "an implementation of our own",
	  .last = { BASE_EID, 1 }, .value = 0x504d5544 },
	{ RULE("BASE-04"), "its version", .last = { BASE_EID, 2 },
	  .value = 0x100 },
	{ RULE("BASE-05"), "what is there",
	  .last = { BASE_EID, PROBE, { BASE_EID } }, .value = 1 },
	{ RULE("BASE-06"), "what is not there",
	  .last = { BASE_EID, PROBE, { 0x7fffffff } } },
	{ RULE("BASE-07"), "mvendorid", .last = { BASE_EID, 4 },
	  .value = 0x123 },
	{ RULE("BASE-08"), "marchid", .last = { BASE_EID, 5 }, .value = 0x456 },
	{ RULE("BASE-09"), "mimpid", .last = { BASE_EID, 6 }, .value = 0x789 },
	{ RULE("TIME-01"), "later", .last = { TIME_EID, 0, { 1000000 } } },
	{ RULE("IPI-04"), "a hart that is none",
	  .last = { IPI_EID, SEND_IPI, { 4, 0 } }, .error = -3 },
	{ RULE("RFNC-01"), "FENCE.I of itself",
	  .last = { RFENCE_EID, FENCE_I, { 1, 0 } } },
	{ RULE("RFNC-02"), "FENCE.I of a hart that is none",
	  .last = { RFENCE_EID, FENCE_I, { 4, 0 } }, .error = -3 },
	{ RULE("RFNC-03"), "all addresses",
	  .last = { RFENCE_EID, SFENCE, { 1, 0, 0, 0 } } },
	{ RULE("RFNC-04"), "a page",
	  .last = { RFENCE_EID, SFENCE, { 1, 0, 0x4000, 4096 } } },
	{ RULE("RFNC-05"), "all addresses, whatever the start",
	  .last = { RFENCE_EID, SFENCE, { 1, 0, 0x4000, UINT64_MAX } } },
	{ RULE("RFNC-06"), "an address space",
	  .last = { RFENCE_EID, SFENCE_ASID, { 1, 0, 0, 0, 5 } } },
	{ RULE("RFNC-07"), "an address space that cannot be",
	  .last = { RFENCE_EID, SFENCE_ASID, { 1, 0, 0, 0, 0x10000 } },
	  .error = -3 },
	{ RULE("RFNC-08"), "a range beyond the last address",
	  .last = { RFENCE_EID, SFENCE, { 1, 0, UINT64_MAX, 4096 } },
	  .error = -5 },
	{ RULE("HSM-01"), "it is started",
	  .last = { HSM_EID, HART_STATUS, { 0 } } },
	{ RULE("HSM-02"), "a hart that is none",
	  .last = { HSM_EID, HART_STATUS, { 9 } }, .error = -3 },
	{ RULE("HSM-03"), "started already",
	  .last = { HSM_EID, HART_START, { 0, RAM_BASE } }, .error = -6 },
	{ RULE("HSM-04"), "a hart that is none",
	  .last = { HSM_EID, HART_START, { 9, RAM_BASE } }, .error = -3 },
	{ RULE("HSM-05"), "no RAM",
	  .last = { HSM_EID, HART_START, { 1, NOWHERE } }, .error = -5 },
	{ RULE("HSM-08"), "a reserved type",
	  .last = { HSM_EID, HART_SUSPEND, { 2 } }, .error = -3 },
	{ RULE("SRST-01"), "a reserved type", .last = { SRST_EID, 0, { 3 } },
	  .error = -3 },
	{ RULE("SRST-02"), "a reserved reason",
	  .last = { SRST_EID, 0, { 0, 2 } }, .error = -3 },
	{ RULE("DBCN-01"), "a byte",
	  .last = { DBCN_EID, WRITE_BYTE, { 'A' } } },
	{ RULE("DBCN-02"), "bytes",
	  .last = { DBCN_EID, WRITE, { 9, RAM_BASE } }, .value = 9 },
	{ RULE("DBCN-03"), "bytes from nowhere",
	  .last = { DBCN_EID, WRITE, { 9, NOWHERE } }, .error = -3 },
	{ RULE("DBCN-04"), "nothing to read",
	  .last = { DBCN_EID, READ_BYTES, { 9, RAM_BASE } } },
	{ RULE("DBCN-05"), "bytes to nowhere",
	  .last = { DBCN_EID, READ_BYTES, { 9, NOWHERE } }, .error = -3 },
	{ RULE("DBCN-06"), "no bytes",
	  .last = { DBCN_EID, WRITE, { 0, RAM_BASE } } },
	{ RULE("SUSP-01"), "a reserved type", .last = { SUSP_EID, 0, { 1 } },
	  .error = -3 },
	{ RULE("SUSP-03"), "another hart runs",
	  .last = { SUSP_EID, 0, { 0, RAM_BASE } }, .error = -4 },
	{ RULE("PMU-01"), "31, one and 16 of the firmware",
	  .last = { PMU_EID, NUM }, .value = 48 },
	{ RULE("PMU-02"), "cycle", .last = { PMU_EID, INFO, { 0 } },
	  .value = 0x3fc00 },
	{ RULE("PMU-03"), "beyond the last", .last = { PMU_EID, INFO, { 48 } },
	  .error = -3 },
	{ RULE("PMU-04"), "cycles",
	  .last = { PMU_EID, CFG, { 0, 0x1ff9, 0, 1 } }, .value = 3 },
	{ RULE("PMU-05"), "an event that is none",
	  .last = { PMU_EID, CFG, { 0, 0x1ff9, 0, 0x4000 } }, .error = -2 },
	{ RULE("PMU-06"), "a reserved flag",
	  .last = { PMU_EID, CFG, { 0, 0x1ff9, 0x100, 1 } }, .error = -3 },
	{ RULE("PMU-07"), "started",
	  .pre = { { PMU_EID, CFG, { 3, 1, 0, 2 } } },
	  .last = { PMU_EID, START, { 3, 1, 0 } } },
	{ RULE("PMU-08"), "started again",
	  .pre = { { PMU_EID, CFG, { 3, 1, 0, 2 } },
		   { PMU_EID, START, { 3, 1, 0 } } },
	  .last = { PMU_EID, START, { 3, 1, 0 } }, .error = -7 },
	{ RULE("PMU-09"), "stopped",
	  .pre = { { PMU_EID, CFG, { 3, 1, AUTO, 2 } } },
	  .last = { PMU_EID, STOP, { 3, 1, 0 } } },
	{ RULE("PMU-10"), "stopped again",
	  .pre = { { PMU_EID, CFG, { 3, 1, 0, 2 } } },
	  .last = { PMU_EID, STOP, { 3, 1, 0 } }, .error = -8 },
	{ RULE("PMU-11 PMU-13"), "a firmware counter from a value",
	  .pre = { { PMU_EID, CFG, { 32, 1, 0, FW_TIMER } },
		   { PMU_EID, START, { 32, 1, INIT, 100 } } },
	  .last = { PMU_EID, READ, { 32 } }, .value = 100 },
	{ RULE("PMU-12"), "a hardware counter",
	  .last = { PMU_EID, READ, { 3 } }, .error = -3 },
	{ RULE("PMU-14"), "after a reset there is nothing to start",
	  .pre = { { PMU_EID, CFG, { 3, 1, AUTO, 2 } },
		   { PMU_EID, STOP, { 3, 1, RESET } } },
	  .last = { PMU_EID, START, { 3, 1, 0 } }, .error = -3 },
	{ RULE("FWFT-01"), "misaligned exceptions are M's",
	  .last = { FWFT_EID, FWFT_GET, { MISALIGNED } } },
	{ RULE("FWFT-02"), "a reserved feature",
	  .last = { FWFT_EID, FWFT_GET, { 6 } }, .error = -4 },
	{ RULE("FWFT-03"), "a feature that is there",
	  .pre = { { FWFT_EID, FWFT_SET, { MISALIGNED, 1, 0 } } },
	  .last = { FWFT_EID, FWFT_GET, { MISALIGNED } }, .value = 1 },
	{ RULE("FWFT-04"), "a value that is none",
	  .last = { FWFT_EID, FWFT_SET, { MISALIGNED, 2, 0 } }, .error = -3 },
	{ RULE("FWFT-05"), "a reserved flag",
	  .last = { FWFT_EID, FWFT_SET, { MISALIGNED, 1, 2 } }, .error = -3 },
	{ RULE("FWFT-06"), "a locked feature",
	  .pre = { { FWFT_EID, FWFT_SET, { MISALIGNED, 1, LOCK } } },
	  .last = { FWFT_EID, FWFT_SET, { MISALIGNED, 0, 0 } }, .error = -14 },
	{ RULE("FWFT-07"), "a locked feature is told",
	  .pre = { { FWFT_EID, FWFT_SET, { MISALIGNED, 1, LOCK } } },
	  .last = { FWFT_EID, FWFT_GET, { MISALIGNED } }, .value = 1 },
	{ RULE("FWFT-08"), "a feature that this hart lacks",
	  .last = { FWFT_EID, FWFT_SET, { DOUBLE_TRAP, 1, 0 } }, .error = -2 },
	{ RULE("SSE-01"), "an event",
	  .last = { SSE_EID, SSE_REGISTER, { SSE_SOFTWARE, RAM_BASE } } },
	{ RULE("SSE-02"), "an event that is none",
	  .last = { SSE_EID, SSE_REGISTER, { 0x00003fff, RAM_BASE } },
	  .error = -3 },
	{ RULE("SSE-03"), "nothing is registered",
	  .last = { SSE_EID, SSE_ENABLE, { SSE_SOFTWARE } }, .error = -10 },
	{ RULE("SSE-04"), "registered",
	  .pre = { { SSE_EID, SSE_REGISTER, { SSE_SOFTWARE, RAM_BASE } } },
	  .last = { SSE_EID, SSE_ENABLE, { SSE_SOFTWARE } } },
	{ RULE("SSE-05"), "enabled",
	  .pre = { { SSE_EID, SSE_REGISTER, { SSE_SOFTWARE, RAM_BASE } },
		   { SSE_EID, SSE_ENABLE, { SSE_SOFTWARE } } },
	  .last = { SSE_EID, SSE_DISABLE, { SSE_SOFTWARE } } },
	{ RULE("SSE-06"), "attributes",
	  .pre = { { SSE_EID, SSE_REGISTER, { SSE_SOFTWARE, RAM_BASE } } },
	  .last = { SSE_EID,
		    SSE_READ_ATTRS,
		    { SSE_SOFTWARE, 0, 1, RAM_BASE } } },
	{ RULE("SSE-07"), "an injection",
	  .pre = { { SSE_EID, SSE_REGISTER, { SSE_SOFTWARE, RAM_BASE } },
		   { SSE_EID, SSE_ENABLE, { SSE_SOFTWARE } } },
	  .last = { SSE_EID, SSE_INJECT, { SSE_SOFTWARE, 0 } } },
	{ RULE("LEG-01"), "legacy set_timer", .last = { 0, 0, { 1000 } },
	  .value = ANY },
	{ RULE("LEG-02"), "legacy putchar", .last = { 1, 0, { 'A' } },
	  .value = ANY },
	{ RULE("LEG-03"), "legacy getchar", .last = { 2 }, .error = -1,
	  .value = ANY },
	{ RULE("LEG-04"), "legacy send_ipi", .last = { 4, 0, { RAM_BASE } },
	  .value = ANY },
	{ RULE("LEG-05"), "legacy FENCE.I", .last = { 5, 0, { RAM_BASE } },
	  .value = ANY },
	{ RULE("LEG-06"), "legacy SFENCE.VMA", .last = { 6, 0, { RAM_BASE } },
	  .value = ANY },
};

static struct sbi_ret do_call(struct bench *b, const struct call *c)
{
	return bench_call(b, 0, c->eid, c->fid, c->a);
}

TEST_ROWS(a_call_answers_as_the_plan_says, rows)
{
	const struct plan_row *row = &rows[_i];
	struct opts o = { .n_harts = 2 };
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	for (unsigned i = 0; i < 2; i++)
		if (row->pre[i].eid)
			do_call(&b, &row->pre[i]);
	ret = do_call(&b, &row->last);
	ck_assert_msg(ret.error == row->error, "%s: %d", row->why,
		      (int)ret.error);
	ck_assert_msg(row->value == ANY || ret.value == row->value, "%s: %#llx",
		      row->why, (unsigned long long)ret.value);
	bench_fini(&b);
}

static bool pends(const struct bench *b, unsigned hart, enum pmu_irq irq)
{
	return pmu_irq_pending(b->harts[hart], b->now) >> irq & 1;
}

/* S-mode of hart 0 lets the interrupt come, as a kernel would. */
static void allow(struct bench *b, enum pmu_irq irq)
{
	bench_poke(b, 0, 0x104, UINT64_C(1) << irq); /* sie */
	bench_poke(b, 0, 0x100, 2);		     /* sstatus.SIE */
}

TEST(ipis_arrive_as_the_plan_says)
{
	struct opts o = { .n_harts = 2 };
	struct pmu_trap trap;
	struct bench b;

	bench_init(&b, &o);
	shows(RULE("HMASK-03 IPI-01 IPI-02"));
	ck_assert_int_eq(CALL(&b, IPI_EID, SEND_IPI, 1, 0).error, 0);
	ck_assert(bench_csr(&b, 0, 0x144) & 2); /* sip */
	ck_assert(!pends(&b, 1, PMU_IRQ_SSI));
	shows(RULE("IPI-03"));
	allow(&b, PMU_IRQ_SSI);
	ck_assert(pmu_interrupt_next(b.harts[0], b.now, &trap));
	ck_assert_int_eq(trap.cause, PMU_IRQ_SSI);
	shows(RULE("HMASK-01"));
	ck_assert_int_eq(CALL(&b, IPI_EID, SEND_IPI, 0, UINT64_MAX).error, 0);
	ck_assert(pends(&b, 0, PMU_IRQ_SSI) && pends(&b, 1, PMU_IRQ_SSI));
	bench_fini(&b);
}

/* Ten cycles are a tick. */
TEST(timers_rise_as_the_plan_says)
{
	struct opts o = { 0 };
	struct pmu_trap trap;
	struct bench b;

	bench_init(&b, &o);
	allow(&b, PMU_IRQ_STI);
	shows(RULE("TIME-03"));
	CALL(&b, TIME_EID, 0, 8);
	ck_assert(!pmu_interrupt_next(b.harts[0], b.now, &trap));
	b.now = 80;
	fw_timer_run(b.fw, b.now);
	ck_assert(pmu_interrupt_next(b.harts[0], b.now, &trap));
	ck_assert_int_eq(trap.cause, PMU_IRQ_STI);
	shows(RULE("TIME-02"));
	CALL(&b, TIME_EID, 0, 1000);
	ck_assert(!pends(&b, 0, PMU_IRQ_STI));
	shows(RULE("TIME-04 TIME-05"));
	bench_poke(&b, 0, 0x104, 0);
	CALL(&b, TIME_EID, 0, 0);
	ck_assert(pends(&b, 0, PMU_IRQ_STI));
	CALL(&b, TIME_EID, 0, UINT64_MAX);
	ck_assert(!pends(&b, 0, PMU_IRQ_STI));
	ck_assert_uint_eq(fw_timer_next(b.fw, 0), UINT64_MAX);
	bench_fini(&b);
}

/* As an ecall: which registers the firmware writes is what it returns. */
TEST(registers_are_kept_as_the_plan_says)
{
	struct opts o = { 0 };
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ECALL_S, .pc = RAM_BASE },
		.x = { [16] = VERSION, [17] = BASE_EID },
	};
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	shows(RULE("ENC-03"));
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(regs.n, 2);
	ck_assert(regs.reg[0].x == 10 && regs.reg[1].x == 11);
	shows(RULE("LEG-07"));
	t.x[10] = 'A';
	t.x[17] = 1;
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(regs.n, 1);
	ck_assert_uint_eq(regs.reg[0].x, 10);
	shows(RULE("LEG-08"));
	t.x[10] = NOWHERE;
	t.x[17] = 4;
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x142), PMU_CAUSE_LOAD_ACCESS);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x141), RAM_BASE); /* sepc */
	bench_fini(&b);
}

/* A call that does not return: what the host was asked for. */
static enum fw_outcome leave(struct bench *b, unsigned hart,
			     const struct call *c)
{
	uint64_t args[8] = { c->a[0], c->a[1],
			     c->a[2], [6] = c->fid, [7] = c->eid };
	struct sbi_ret ret;

	return fw_sbi_call(b->fw, hart, b->now, args, &ret);
}

TEST(harts_come_and_go_as_the_plan_says)
{
	static const struct call stop = { HSM_EID, HART_STOP },
				 suspend = { HSM_EID, HART_SUSPEND },
				 nowhere = { SUSP_EID, 0, { 0, NOWHERE } },
				 off = { SRST_EID };
	struct opts o = { .n_harts = 2 };
	struct bench b;

	bench_init(&b, &o);
	shows(RULE("HSM-06"));
	ck_assert_int_eq(leave(&b, 1, &stop), FW_GONE);
	bench_poke(&b, 1, 0x180, UINT64_C(8) << 60); /* satp */
	bench_poke(&b, 1, 0x100, 2);		     /* sstatus.SIE */
	ck_assert_int_eq(CALL(&b, HSM_EID, HART_START, 1, RAM_BASE, 77).error,
			 0);
	ck_assert(b.hart == 1 && b.pc == RAM_BASE && b.opaque == 77);
	ck_assert_uint_eq(bench_csr(&b, 1, 0x180), 0);
	ck_assert_uint_eq(bench_csr(&b, 1, 0x100) & 2, 0);
	shows(RULE("SUSP-02"));
	ck_assert_int_eq(leave(&b, 1, &stop), FW_GONE);
	ck_assert_int_eq(do_call(&b, &nowhere).error, -5);
	shows(RULE("HSM-07"));
	ck_assert_int_eq(leave(&b, 0, &suspend), FW_DONE);
	ck_assert(b.retentive);
	fw_hart_resumed(b.fw, 0);
	shows(RULE("SRST-03"));
	ck_assert_int_eq(leave(&b, 0, &off), FW_GONE);
	ck_assert_uint_eq(b.resets, 1);
	bench_fini(&b);
}

SUITE("plan-sbi");
