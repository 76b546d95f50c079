/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models of a machine's harts: which instructions void what a TLB holds, of
 * whom, and who is fed.
 */
#include <pmu/counter.h>
#include <pmu/csr-number.h>
#include <pmu/model-events.h>
#include <pmu/observer.h>
#include <pmu/rule.h>

#include "core/machine-read.h"
#include "core/machine-uarch.h"
#include "core/plan.h"
#include "core/sampler.h"
#include "machine-script.h"
#include "view/inspect.h"

enum {
	DTLB_LOAD_MISSES = 0x10019, /* its selector: SBI's event_idx */
};

static const struct fake_op spin_ops[] = { NOP, JUMP(0) };

static void write_csr(uint16_t csr, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { csr, value } };

	PREPARING(ck_assert(machine_input(f.m, &in, NULL, NULL)));
}

/* Two harts in S-mode with page tables, hart 0 about to run. */
static void begin(const char *settings)
{
	SCRIPT(spin_ops);
	fixture_init(&f, &(struct fixture_config){ .harts = 2,
						   .settings = settings });
	fixture_start(&f);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
	PREPARING(ck_assert(
		machine_step(f.m, &(struct machine_step){ .insns = 1 }, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
	uarchs_reset(f.m); /* nobody has been shown anything */
	write_csr(PMU_CSR_SATP, UINT64_C(8) << 60 | 0x80200);
}

static void see_load(uint64_t vaddr)
{
	const struct pmu_uarch_insn load = {
		.code = { 0x1000, { 0x80001000, 0 }, 4 },
		.data = { vaddr, { 0x80005000, 0 }, 8 },
		.load = true,
	};

	uarch_executed(f.m, &load, true);
}

static uint64_t total(enum pmu_uarch_event event)
{
	return inspect_total(f.m, 0, pmu_event_of_model(event), PMU_MODE_S);
}

static bool fences(uint32_t funct7)
{
	switch (funct7) {
	case 0x09: /* sfence.vma */
	case 0x0b: /* sinval.vma */
	case 0x11: /* hfence.vvma */
	case 0x13: /* hinval.vvma */
	case 0x31: /* hfence.gvma */
	case 0x33: /* hinval.gvma */
		return true;
	default:
		return false;
	}
}

/* A page that was there is walked for again, or it is not. */
static void voids(uint32_t insn, bool want)
{
	const struct hart *h = hart_of(f.m, 0);

	ck_assert(uarch_enter(f.m, h));
	see_load(0x5000);
	see_load(0x5000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOADS), 2);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 1);
	uarch_retired(f.m, h, insn);
	see_load(0x5000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOADS), 3);
	ck_assert_msg(total(PMU_UA_DTLB_LOAD_MISSES) == 1u + want, "%#x", insn);
}

TEST_TIMES(translations_are_void_by_each_fence, 128)
{
	begin("uarch=small uarch-watch=on");
	/* of a5 and a6: which ones they name is not looked at */
	voids((uint32_t)_i << 25 | 16 << 20 | 15 << 15 | 0x73,
	      fences((uint32_t)_i));
}

static const struct other_row {
	const char *why;
	uint32_t insn;
	bool fence;
} other_rows[] = {
	{ "sfence.vma of all", 0x12000073, true },
	{ "sfence.vma of the last registers", 0x13ff8073, true },
	{ "rd", 0x120000f3, false },
	{ "the highest bit of rd", 0x12000873, false },
	{ "funct3", 0x12001073, false },
	{ "the highest bit of funct3", 0x12004073, false },
	{ "an add of the same funct7", 0x12000033, false },
	{ "a shorter one", 0x12000072, false },
};

TEST_ROWS(and_by_nothing_that_is_like_one, other_rows)
{
	begin("uarch=small uarch-watch=on");
	voids(other_rows[_i].insn, other_rows[_i].fence);
}

TEST(another_hart_asks_for_one_hart)
{
	begin("uarch=small uarch-watch=on");
	uarch_enter(f.m, hart_of(f.m, 0));
	see_load(0x5000);
	uarch_fence(f.m, 1);
	see_load(0x5000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 1);
	uarch_fence(f.m, 0);
	see_load(0x5000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 2);
}

TEST(without_models_nothing_is_asked_of_them)
{
	begin("");
	ck_assert(!uarch_enter(f.m, hart_of(f.m, 0)));
	uarch_retired(f.m, hart_of(f.m, 0), 0x12000073);
	uarch_fence(f.m, 1);
	uarchs_reset(f.m);
	uarchs_samplers_changed(f.m);
	ck_assert(!uarch_steps(f.m, 0));
}

/* A guest's first event of a model is of its own hart. */
TEST(a_hart_is_stepped_whose_models_are_fed_and_no_other)
{
	begin("uarch=small");
	ck_assert(!machine_steps(f.m, 0));
	ck_assert(!machine_steps(f.m, 1));
	write_csr(PMU_CSR_MHPMEVENT3, DTLB_LOAD_MISSES);
	ck_assert(machine_steps(f.m, 0));
	ck_assert(!machine_steps(f.m, 1));
}

TEST(after_a_reset_all_is_cold)
{
	begin("uarch=small uarch-watch=on");
	uarch_enter(f.m, hart_of(f.m, 0));
	see_load(0x5000);
	uarchs_reset(f.m);
	see_load(0x5000); /* nobody looks */
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOADS), 1);
	uarch_enter(f.m, hart_of(f.m, 0));
	see_load(0x5000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOADS), 2);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 2);
}

/* The totals' instance is cold where a guest's began, or the same one. */
TEST_TIMES(what_is_remembered_moves_with_the_machine, 2)
{
	begin(_i ? "uarch=small uarch-watch=on timing=inorder"
		 : "uarch=small uarch-watch=on");
	uarch_enter(f.m, hart_of(f.m, 0));
	see_load(0x5000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 1);
	fixture_move(&f);
	uarch_enter(f.m, hart_of(f.m, 0));
	see_load(0x5000);
	see_load(0x6000);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOADS), 3);
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 2);
}

/* How many samples there were of misses of two loads of one page. */
static uint64_t sampled(void)
{
	const struct machine_sampler misses = {
		.name = "dTLB-load-misses",
		.event = pmu_event_of_model(PMU_UA_DTLB_LOAD_MISSES),
		.modes = 1u << PMU_MODE_S,
		.period = 1,
	};
	struct pmu_sample found[PMU_MAX_OBSERVERS];
	unsigned n;

	ck_assert(machine_start_sampling(f.m, 1, &misses, 1, NULL));
	uarch_enter(f.m, hart_of(f.m, 0));
	see_load(0x5000);
	see_load(0x5000);
	n = pmu_hart_take_samples(hart_of(f.m, 0)->pmu, UINT32_MAX, found);
	(void)machine_stop_sampling(f.m, 1);
	return n ? found[0].periods : 0;
}

TEST(samplers_that_come_are_cold_and_nobody_else_is)
{
	begin("uarch=small uarch-watch=on");
	ck_assert_uint_eq(sampled(), 1);
	ck_assert_uint_eq(sampled(), 1); /* nothing ran in between */
	ck_assert_uint_eq(total(PMU_UA_DTLB_LOAD_MISSES), 1);
}

static uint64_t counted(void)
{
	return pmu_counter_get(hart_of(f.m, 0)->pmu, 3);
}

/*
 * A guest that begins to count before anything ran shares the instance of the
 * samplers, which were there first. When they go it has its own, as warm.
 */
TEST(who_shares_an_instance_keeps_what_it_knows)
{
	const struct machine_sampler misses = {
		.name = "dTLB-load-misses",
		.event = pmu_event_of_model(PMU_UA_DTLB_LOAD_MISSES),
		.modes = 1u << PMU_MODE_S,
		.period = 1,
	};
	const struct hart *h;

	begin("uarch=small");
	h = hart_of(f.m, 0);
	ck_assert(machine_start_sampling(f.m, 1, &misses, 1, NULL));
	ck_assert(uarch_enter(f.m, h));
	write_csr(PMU_CSR_MCOUNTINHIBIT, 0);
	write_csr(PMU_CSR_MHPMEVENT3, DTLB_LOAD_MISSES);
	ck_assert(uarch_enter(f.m, h));
	see_load(0x5000);
	ck_assert_uint_eq(counted(), 1);
	(void)machine_stop_sampling(f.m, 1);
	/* those that come now are cold, and nobody else is */
	ck_assert_uint_eq(sampled(), 1);
	ck_assert_uint_eq(counted(), 1);
	see_load(0x6000);
	ck_assert_uint_eq(counted(), 2);
}

/* For what it executes, which no cache has, and then for what that loads. */
TEST(cycles_that_a_hart_waits_are_all_of_them)
{
	const struct engine_budget *budget;
	uint64_t before, front, back;

	begin("uarch=small timing=inorder");
	ck_assert(uarch_enter(f.m, hart_of(f.m, 0)));
	budget = plan_budget(f.m->plan);
	before = budget->done.stalled;
	front = inspect_total(f.m, 0, PMU_EV_STALLED_FRONTEND, PMU_MODE_S);
	back = inspect_total(f.m, 0, PMU_EV_STALLED_BACKEND, PMU_MODE_S);
	see_load(0x5000);
	front = inspect_total(f.m, 0, PMU_EV_STALLED_FRONTEND, PMU_MODE_S) -
		front;
	back = inspect_total(f.m, 0, PMU_EV_STALLED_BACKEND, PMU_MODE_S) - back;
	ck_assert_uint_gt(front, 0);
	ck_assert_uint_gt(back, 0);
	ck_assert_uint_eq(budget->done.stalled - before, front + back);
}

SUITE("machine-uarch", .teardown = teardown);
