/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sets the opensbi profile apart in software events.
 */
#include "quirk-rows.h"

static int64_t lcofip(void)
{
	return pmu_irq_pending(quirk_bench.harts[0], 0) >> PMU_IRQ_LCOFI & 1;
}

static int64_t lcofip_after_disable(void)
{
	bench_overflow(&quirk_bench, 3);
	CALL(&quirk_bench, SSE_EID, DISABLE, OVERFLOW);
	return lcofip();
}

static int64_t lcofi_is_s_modes(void)
{
	return bench_csr(&quirk_bench, 0, PMU_CSR_MIDELEG) >> PMU_IRQ_LCOFI & 1;
}

static int64_t lcofip_after_stop(void)
{
	bench_overflow(&quirk_bench, 3);
	CALL(&quirk_bench, PMU_EID, STOP, 3, 1);
	return lcofip();
}

/* Into the handler of the overflow of counter 3. */
static void handle_overflow(struct cpu *c)
{
	cpu_init(c, &quirk_bench, 0);
	c->pc = RAM_BASE;
	SSE(c, UNMASK, 0);
	ck_assert_int_eq(PMU_ERR(&quirk_bench, START, 3, 1, INIT, UINT64_MAX),
			 0);
	cpu_run(c, 2);
	ck_assert_uint_eq(c->pc, RAM_BASE + 0x4000);
}

static int64_t lcofip_in_handler(void)
{
	struct cpu c;

	handle_overflow(&c);
	return lcofip();
}

static int64_t event_in_handler(void)
{
	struct cpu c;

	handle_overflow(&c);
	pmu_irq_soft(quirk_bench.harts[0], PMU_IRQ_LCOFI, true);
	return !!(cpu_attr(&c, OVERFLOW, STATUS) & PENDING);
}

static int64_t set_attr(uint64_t event, unsigned attr, uint64_t value)
{
	bench_store(&quirk_bench, 0, value, 8);
	return CALL(&quirk_bench, SSE_EID, WRITE_ATTRS, event, attr, 1,
		    RAM_BASE)
		.error;
}

/* An attribute as @hart has it. */
static int64_t attr_of(unsigned hart, uint64_t event, unsigned attr)
{
	const uint64_t args[6] = { event, attr, 1, RAM_BASE };

	bench_call(&quirk_bench, hart, SSE_EID, READ_ATTRS, args);
	return (int64_t)bench_load(&quirk_bench, 0, 8);
}

static int64_t own_hart_of_enabled(void)
{
	return set_attr(LOCAL, PREFERRED_HART, 0);
}

static int64_t bad_flags_of_idle(void)
{
	return set_attr(LOCAL, I_FLAGS, 0x40);
}

static int64_t prefer_wide(void)
{
	return set_attr(GLOBAL, PREFERRED_HART, UINT64_C(1) << 32);
}

static int64_t what_is_preferred(void)
{
	prefer_wide();
	return attr_of(0, GLOBAL, PREFERRED_HART);
}

static int64_t prefer_hart_1(void)
{
	return set_attr(GLOBAL, PREFERRED_HART, 1);
}

static int64_t prefer_stopped(void)
{
	quirk_stop_hart_1();
	return prefer_hart_1();
}

static int64_t inject_elsewhere(void)
{
	CALL(&quirk_bench, SSE_EID, REGISTER, GLOBAL, RAM_BASE);
	CALL(&quirk_bench, SSE_EID, ENABLE, GLOBAL);
	return CALL(&quirk_bench, SSE_EID, INJECT, GLOBAL, 99).error;
}

static int64_t inject_for_stopped(void)
{
	ck_assert_int_eq(prefer_hart_1(), 0);
	CALL(&quirk_bench, SSE_EID, REGISTER, GLOBAL, RAM_BASE);
	CALL(&quirk_bench, SSE_EID, ENABLE, GLOBAL);
	CALL(&quirk_bench, SSE_EID, UNMASK, 0);
	quirk_stop_hart_1();
	return CALL(&quirk_bench, SSE_EID, INJECT, GLOBAL).error;
}

static int64_t inject_on_stopped(void)
{
	quirk_stop_hart_1();
	return CALL(&quirk_bench, SSE_EID, INJECT, LOCAL, 1).error;
}

static int64_t inject_ras_on_stopped(void)
{
	quirk_stop_hart_1();
	return CALL(&quirk_bench, SSE_EID, INJECT, RAS, 1).error;
}

/* The state of hart 1's event after a stop and a start. */
static int64_t registered_before_stop(void)
{
	const uint64_t args[6] = { LOCAL, RAM_BASE };

	bench_call(&quirk_bench, 1, SSE_EID, REGISTER, args);
	quirk_stop_hart_1();
	CALL(&quirk_bench, HSM_EID, 0, 1, RAM_BASE);
	return attr_of(1, LOCAL, STATUS) & 3;
}

static void suspend_hart_1(void)
{
	bench_call(&quirk_bench, 1, HSM_EID, 3, (const uint64_t[6]){ 0 });
}

static int64_t hart_1_woken(void)
{
	return fw_hart_woken(quirk_bench.fw, 1);
}

static int64_t unused_wakes(void)
{
	suspend_hart_1();
	CALL(&quirk_bench, SSE_EID, INJECT, LOCAL, 1);
	return hart_1_woken();
}

/* Enabled, that is, while the hart is masked. */
static int64_t masked_wakes(void)
{
	bench_call(&quirk_bench, 1, SSE_EID, REGISTER,
		   (const uint64_t[6]){ LOCAL, RAM_BASE });
	bench_call(&quirk_bench, 1, SSE_EID, ENABLE,
		   (const uint64_t[6]){ LOCAL });
	return unused_wakes();
}

static int64_t global_wakes(void)
{
	prefer_hart_1();
	suspend_hart_1();
	CALL(&quirk_bench, SSE_EID, INJECT, GLOBAL);
	return hart_1_woken();
}

static int64_t enabling_pending_wakes(void)
{
	prefer_hart_1();
	CALL(&quirk_bench, SSE_EID, REGISTER, GLOBAL, RAM_BASE);
	CALL(&quirk_bench, SSE_EID, ENABLE, GLOBAL);
	CALL(&quirk_bench, SSE_EID, INJECT, GLOBAL);
	CALL(&quirk_bench, SSE_EID, DISABLE, GLOBAL);
	suspend_hart_1();
	CALL(&quirk_bench, SSE_EID, ENABLE, GLOBAL);
	return hart_1_woken();
}

static int64_t injection_sent(void)
{
	CALL(&quirk_bench, SSE_EID, INJECT, LOCAL, 1);
	return (int64_t)fw_event_total(quirk_bench.fw, 0, 6);
}

static int64_t injection_received(void)
{
	CALL(&quirk_bench, SSE_EID, INJECT, LOCAL, 1);
	return (int64_t)fw_event_total(quirk_bench.fw, 1, 7);
}

const struct quirk_row quirk_rows_sse[N_QUIRK_ROWS_SSE] = {
	{ "sse_event_last", "",
	  .last = DO(SSE, READ_ATTRS, 0, N_ATTRS, 1, RAM_BASE), .off = -2,
	  .on = -11 },
	{ "sse_handler_first", "", .last = DO(SSE, REGISTER, RAS, RAM_BASE + 1),
	  .off = -2, .on = -3 },
	{ "sse_attr_order", "a local event's hart",
	  .pre = { DO(SSE, REGISTER, LOCAL, RAM_BASE), DO(SSE, ENABLE, LOCAL) },
	  .look = own_hart_of_enabled, .off = -4, .on = -10 },
	{ "sse_attr_order", "flags", .look = bad_flags_of_idle, .off = -10,
	  .on = -3 },
	{ "hart_id_32_bits", "preferred", .look = prefer_wide, .off = -3,
	  .on = 0 },
	{ "hart_id_32_bits", "kept", .look = what_is_preferred, .off = 0,
	  .on = INT64_C(1) << 32 },
	{ "sse_started_only", "", .opts = { .n_harts = 2 },
	  .look = prefer_stopped, .off = 0, .on = -3 },
	{ "sse_signals_enabled", "", .last = DO(SSE, INJECT, LOCAL), .off = 0,
	  .on = -10 },
	{ "sse_injects_overflow", "", .pre = { OVERFLOW_EVENT },
	  .last = DO(SSE, INJECT, OVERFLOW), .off = -1, .on = 0 },
	{ "sse_looks_at_hart", "", .look = inject_elsewhere, .off = 0,
	  .on = -3 },
	{ "sse_preferred_only", "", .opts = { .n_harts = 2 },
	  .look = inject_for_stopped, .off = 0, .on = -1 },
	{ "sse_stopped_failed", "", .opts = { .n_harts = 2 },
	  .look = inject_on_stopped, .off = -3, .on = -1 },
	{ "sse_stopped_failed", "RAS", .opts = { .n_harts = 2 },
	  .look = inject_ras_on_stopped, .off = -3, .on = -2 },
	{ "sse_by_ipi", "unused", .opts = { .n_harts = 2 },
	  .look = unused_wakes, .off = 0, .on = 1 },
	{ "sse_by_ipi", "masked", .opts = { .n_harts = 2 },
	  .look = masked_wakes, .off = 0, .on = 1 },
	{ "sse_by_ipi", "global", .opts = { .n_harts = 2 },
	  .look = global_wakes, .off = 0, .on = 1 },
	{ "sse_by_ipi", "pending, enabled", .opts = { .n_harts = 2 },
	  .look = enabling_pending_wakes, .off = 0, .on = 1 },
	{ "sse_by_ipi", "sent", .opts = { .n_harts = 2 },
	  .look = injection_sent, .off = 0, .on = 1 },
	{ "sse_by_ipi", "received", .opts = { .n_harts = 2 },
	  .look = injection_received, .off = 0, .on = 1 },
	{ "sse_survives_stop", "", .opts = { .n_harts = 2 },
	  .look = registered_before_stop, .off = 0, .on = 1 },
	{ "sse_owns_registered", "",
	  .pre = { DO(SSE, REGISTER, OVERFLOW, RAM_BASE) },
	  .look = lcofi_is_s_modes, .off = 1, .on = 0 },
	{ "sse_disable_clears", "", .pre = { OVERFLOW_EVENT, ON3 },
	  .look = lcofip_after_disable, .off = 1, .on = 0 },
	{ "sse_until_stop", "the request", .pre = { OVERFLOW_EVENT, ON3 },
	  .look = lcofip_in_handler, .off = 0, .on = 1 },
	{ "sse_until_stop", "the event", .pre = { OVERFLOW_EVENT, ON3 },
	  .look = event_in_handler, .off = 1, .on = 0 },
	{ "sse_stop_always", "", .pre = { OVERFLOW_EVENT, ON3 },
	  .look = lcofip_after_stop, .off = 1, .on = 0 },
};
