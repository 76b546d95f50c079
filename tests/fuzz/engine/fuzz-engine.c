/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guests by dice in every mode of the engine, instruction by instruction, held
 * and moved on the way: the same trace, with every overflow at its pc and
 * cycle, the same counters, registers, totals and memory at the end.
 */
#include <inttypes.h>
#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>

#include "unit/unit.h"
#include "core/machine-read.h"
#include "engine-guest.h"
#include "machine-fixture.h"
#include "fuzz/seeds.h"
#include "view/inspect.h"

enum {
	N_SEEDS = 24,
	SLICE = 1000000,
};

enum how {
	RUN,
	HOLD,  /* steps, runs until, breakpoints, pauses */
	MOVE,  /* to another machine, now and then */
	ALONE, /* without anybody looking on */
};

static const struct variant {
	const char *settings;
	uint64_t slice;
	enum how how;
} always[] = {
	{ "engine=portable", SLICE, RUN }, /* what others are compared with */
	{ "engine=auto", SLICE, RUN },
	{ "engine=check", 997, RUN },
	{ "step-only=on", SLICE, RUN },
}, in_turn[] = {
	/* one of them for each seed */
	{ "engine=auto", 5003, HOLD },
	{ "engine=check engines=2", 10007, RUN },
	{ "engine=auto", 2003, MOVE },
	{ "engine=portable engines=1", 331, RUN },
	{ "engine=auto", SLICE, ALONE },
};

static struct engine_guest guest;
static struct fixture want, got;
static uint64_t held; /* dice of those who hold machines */
static bool is_fast;  /* there are pieces of the engine to be checked */
static bool recorded; /* CSR accesses are, so none of them is quiet */

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&want);
	fixture_fini(&got);
	engine_guest_free(&guest);
}

static uint64_t below(uint64_t n)
{
	return (fuzz_random(&held) >> 11) % n;
}

/* Any way to go on from where it stands. */
static void go_on(struct fixture *f)
{
	struct machine_step step = { .hart = STEP_NEXT_HART };
	struct machine_until until = { .kind = UNTIL_CYCLE };
	struct machine_status s = fixture_status(f);

	switch (below(6)) {
	case 0:
		step.insns = 1 + below(300);
		step.trap_ends = below(2);
		machine_step(f->m, &step, NULL);
		break;
	case 1:
		step.hart = (int)below(guest.harts);
		machine_step(f->m, &step, NULL);
		break;
	case 2:
		until.value = s.cycle + below(500);
		machine_run_until(f->m, &until, NULL);
		break;
	case 3:
		until.kind = UNTIL_INSN;
		until.value = s.insn + below(500);
		machine_run_until(f->m, &until, NULL);
		break;
	case 4:
		until.kind = UNTIL_PC;
		until.value = guest.pcs[below(ARRAY_SIZE(guest.pcs))];
		machine_run_until(f->m, &until, NULL);
		break;
	default:
		machine_resume(f->m, NULL);
		break;
	}
}

static void single_steps(struct fixture *f)
{
	struct machine_step step = { .hart = STEP_NEXT_HART };

	for (unsigned n = 0; n < 100; n++) {
		if (!machine_step(f->m, &step, NULL))
			return;
		fixture_run(f, SLICE, UINT32_MAX);
	}
}

static void hold(struct fixture *f)
{
	uint64_t pcs[3];

	if (fixture_state(f) == MACHINE_RUNNING && below(2))
		machine_pause(f->m, NULL);
	if (below(4) == 0) {
		for (unsigned i = 0; i < ARRAY_SIZE(pcs); i++)
			pcs[i] = machine_register(f->m, 0, ENGINE_PC) +
				 2 * below(20);
		machine_set_breakpoints(f->m, pcs, below(4), NULL);
	}
	if (fixture_state(f) != MACHINE_PAUSED)
		return;
	if (below(8) == 0)
		single_steps(f);
	go_on(f);
}

static bool is_over(struct fixture *f)
{
	enum machine_state state = fixture_state(f);

	return state == MACHINE_ENDED || state == MACHINE_CRASHED;
}

static bool finds_fast(const struct fixture *f)
{
	struct engine_piece piece;

	for (unsigned n = 0; n < ENGINE_PIECES; n++) {
		machine_engine_piece(f->m, n, &piece);
		if (piece.off)
			return false;
	}
	return true;
}

static void run(struct fixture *f, const struct variant *v)
{
	static const char check[] = "engine=check";
	char settings[512];
	struct fixture_config cfg = {
		.harts = guest.harts,
		.m_mode = guest.m_mode,
		.settings = settings,
		.image = guest.image,
		.image_size = ENGINE_GUEST_SIZE,
		.address = guest.base,
		.traps = true,
		.sbi_calls = true,
		.csr_accesses = recorded,
		.deliveries = true,
		.sbi_memory = true,
	};
	struct error e;

	snprintf(settings, sizeof(settings), "%s %s", guest.settings,
		 is_fast || strncmp(v->settings, check, strlen(check)) != 0
			 ? v->settings
			 : v->settings + strlen(check));
	fixture_init(f, &cfg);
	fixture_start(f);
	machine_console_eof(f->m);
	if (v == &always[1])
		is_fast = finds_fast(f);
	if (v->how != ALONE)
		ck_assert_msg(machine_set_samplers(f->m, guest.samplers,
						   guest.n_samplers, &e),
			      "%s", e.text);
	while (!is_over(f)) {
		fixture_run(f, v->slice, v->how == RUN ? UINT32_MAX : 1);
		if (is_over(f))
			break;
		if (v->how == HOLD)
			hold(f);
		else if (v->how == MOVE && below(3) == 0)
			fixture_move(f);
	}
}

/* What differs first, in words. */

static void say_record(const char *who, const Pmu__V1__Record *r)
{
	if (r)
		printf("# %s: kind %d hart %u cycle %" PRIu64 " pc %#" PRIx64
		       "\n",
		       who, r->kind_case, r->hart, r->cycle, r->pc);
	else
		printf("# %s: no more records\n", who);
}

static void say_difference(void)
{
	Pmu__V1__Trace *a = fixture_trace(&want), *b = fixture_trace(&got);
	static uint8_t x[1 << 20], y[1 << 20];
	size_t i = 0;

	for (; i < a->n_records && i < b->n_records; i++) {
		size_t n = pmu__v1__record__pack(a->records[i], x);

		if (n != pmu__v1__record__pack(b->records[i], y) ||
		    memcmp(x, y, n) != 0)
			break;
	}
	printf("# record %zu of %zu and %zu\n", i, a->n_records, b->n_records);
	if (i)
		say_record("before", a->records[i - 1]);
	say_record("want", i < a->n_records ? a->records[i] : NULL);
	say_record("got", i < b->n_records ? b->records[i] : NULL);
}

static void check_registers(unsigned hart, const char *why)
{
	struct hart_state a, b;

	machine_registers(want.m, hart, &a);
	machine_registers(got.m, hart, &b);
	ck_assert_msg(a.pc == b.pc, "%s: hart %u: pc %#" PRIx64 ", %#" PRIx64,
		      why, hart, a.pc, b.pc);
	for (unsigned i = 0; i < 32; i++)
		ck_assert_msg(a.x[i] == b.x[i] && a.f[i] == b.f[i],
			      "%s: hart %u: x%u %#" PRIx64 ", %#" PRIx64
			      "; f%u %#" PRIx64 ", %#" PRIx64,
			      why, hart, i, a.x[i], b.x[i], i, a.f[i], b.f[i]);
	ck_assert_msg(a.fcsr == b.fcsr && a.fp_on == b.fp_on,
		      "%s: hart %u: fcsr %#x, %#x", why, hart, a.fcsr, b.fcsr);
}

/* All that there are, counters among them. */
static void check_csrs(unsigned hart, const char *why)
{
	const struct pmu_hart *a = machine_pmu(want.m, hart);
	const struct pmu_hart *b = machine_pmu(got.m, hart);
	uint64_t now = machine_clock(want.m);

	for (unsigned num = 0; num < 0x1000; num++) {
		uint64_t x = 0, y = 0;

		pmu_csr_peek(a, (uint16_t)num, now, &x);
		pmu_csr_peek(b, (uint16_t)num, now, &y);
		ck_assert_msg(x == y, "%s: hart %u: %s %#" PRIx64 ", %#" PRIx64,
			      why, hart, pmu_csr_name(a, (uint16_t)num), x, y);
	}
}

static void check_totals(unsigned hart, const char *why)
{
	for (int mode = 0; mode < PMU_N_MODES; mode++)
		for (int event = 0; event <= PMU_EV_INTERRUPTS; event++) {
			uint64_t a = inspect_total(want.m, hart,
						   (enum pmu_event)event,
						   (enum pmu_mode)mode);
			uint64_t b = inspect_total(got.m, hart,
						   (enum pmu_event)event,
						   (enum pmu_mode)mode);

			ck_assert_msg(
				a == b,
				"%s: hart %u: %s in %s %" PRIu64 ", %" PRIu64,
				why, hart,
				pmu_event_desc((enum pmu_event)event)->name,
				pmu_mode_name((enum pmu_mode)mode), a, b);
		}
}

static void check_memory(const char *why)
{
	size_t size;
	const uint8_t *a = machine_ram(want.m, &size);
	const uint8_t *b = machine_ram(got.m, &size);

	for (size_t i = 0; memcmp(a, b, size) != 0 && i < size; i++)
		ck_assert_msg(a[i] == b[i], "%s: RAM at %#zx: %#x, %#x", why, i,
			      a[i], b[i]);
}

static void compare(const struct variant *v, int seed)
{
	struct machine_status a = fixture_status(&want);
	struct machine_status b = fixture_status(&got);
	char why[400];

	snprintf(why, sizeof(why), "seed %d (%s), %s%s", seed, guest.settings,
		 v->settings,
		 (const char *const[]){ "", ", held", ", moved",
					", alone" }[v->how]);
	if (v->how != ALONE && !fixture_same(&want, &got)) {
		say_difference();
		ck_abort_msg("%s: another trace", why);
	}
	ck_assert_msg(a.cause == b.cause && a.exit_code == b.exit_code,
		      "%s: ends by %d, %d: %s, %s", why, a.cause, b.cause,
		      a.detail, b.detail);
	ck_assert_msg(a.cycle == b.cycle && a.insn == b.insn,
		      "%s: cycle %" PRIu64 ", %" PRIu64 ", instruction %" PRIu64
		      ", %" PRIu64,
		      why, a.cycle, b.cycle, a.insn, b.insn);
	for (unsigned hart = 0; hart < guest.harts; hart++) {
		check_totals(hart, why);
		check_csrs(hart, why);
		check_registers(hart, why);
	}
	check_memory(why);
}

static void check(const struct variant *v, int seed)
{
	run(&got, v);
	compare(v, seed);
	fixture_fini(&got);
}

TEST_RANGE(a_guest_is_the_same_however_it_is_executed, fuzz_first(),
	   fuzz_end(N_SEEDS))
{
	held = fuzz_seed((unsigned)_i);
	recorded = _i % 4 == 0;
	engine_guest_make(&guest, (unsigned)_i);
	run(&want, &always[0]);
	for (size_t i = 1; i < ARRAY_SIZE(always); i++)
		check(&always[i], _i);
	check(&in_turn[(unsigned)_i % ARRAY_SIZE(in_turn)], _i);
}

SUITE("fuzz-engine", .timeout = 60, .setup = setup, .teardown = teardown);
