/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bare guests on the real engine, without a daemon: each counts what it
 * says it does, and its trace is the same bytes with one engine, two engines,
 * the step engine alone and other host slices. Arguments: the guests' ELF
 * files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include <pmu/counter.h>
#include <pmu/event.h>
#include <pmu/rule.h>
#include <pmu/trap.h>

#include "../unit/unit.h"
#include "core/machine-read.h"
#include "guest-image.h"
#include "view/inspect.h"
#include "machine-fixture.h"

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture f;

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&f);
	guest_free(&guest);
}

/* What the guest says under @name, or the default. */
static uint64_t expected(const char *name, uint64_t otherwise)
{
	guest_expects(&guest, name, &otherwise);
	return otherwise;
}

enum {
	ISAS = 2 /* RV64 and RV32 */
};
static const char *float_paths[ISAS], *jit_paths[ISAS];
static int n_float, n_jit;
static const char *events_path;

static void play(struct fixture *ret, const char *more, uint64_t soft)
{
	char settings[128], text[GUEST_SETTINGS];
	struct fixture_config cfg;

	snprintf(settings, sizeof(settings),
		 "max-cycles=%" PRIu64 " uarch-watch=on %s",
		 expected("max_cycles", 50000000), more);
	guest_configure(&guest, settings, text, &cfg);
	fixture_init(ret, &cfg);
	if (expected("reads", 0))
		guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
	fixture_run(ret, soft, UINT32_MAX);
}

static void check_end(void)
{
	struct machine_status s = fixture_status(&f);
	int want = (int)expected("exit", 0);

	ck_assert_msg(s.state == MACHINE_ENDED && s.exit_code == want,
		      "%s: state %d, cause %d, exit code %d: %s", guest.name,
		      s.state, s.cause, s.exit_code, s.detail);
}

static void check_total(enum pmu_mode mode, enum pmu_event event)
{
	uint64_t want, got = inspect_total(f.m, 0, event, mode);
	char name[64];

	snprintf(name, sizeof(name), "%s.%s", pmu_mode_name(mode),
		 pmu_event_desc(event)->name);
	if (guest_expects(&guest, name, &want))
		ck_assert_msg(got == want,
			      "%s: %s %" PRIu64 ", expected %" PRIu64,
			      guest.name, name, got, want);
}

static void check_totals(void)
{
	for (int mode = 0; mode < PMU_N_MODES; mode++)
		for (int event = 0; event < PMU_N_EVENTS; event++)
			check_total((enum pmu_mode)mode, (enum pmu_event)event);
}

/*
 * Where each cycle of hart 0 comes from: one for an instruction or a trap, the
 * others waited.
 */
static void check_cycles(void)
{
	uint64_t work = 0, cycles = 0;

	for (int i = 0; i < PMU_N_MODES; i++) {
		enum pmu_mode mode = (enum pmu_mode)i;

		work += inspect_total(f.m, 0, PMU_EV_INSNS, mode) +
			inspect_total(f.m, 0, PMU_EV_EXCEPTIONS, mode) +
			inspect_total(f.m, 0, PMU_EV_INTERRUPTS, mode) +
			inspect_total(f.m, 0, PMU_EV_STALLED_FRONTEND, mode) +
			inspect_total(f.m, 0, PMU_EV_STALLED_BACKEND, mode);
		cycles += inspect_total(f.m, 0, PMU_EV_CYCLES, mode);
	}
	ck_assert_msg(expected("waits", 0) ? cycles > work : cycles == work,
		      "%s: %" PRIu64 " cycles for %" PRIu64 " of work",
		      guest.name, cycles, work);
}

/* What a guest finds right before it passes. */
static const struct guest_rule {
	const char *guest, *rules;
} guest_rules[] = {
	{ "counters", RULE("C115 C117 C118 C119 C160 C177 C179") },
	{ "htif-edge", RULE("C207") },
	{ "htif-outside", RULE("C207") },
	{ "htif-page", RULE("C207") },
	{ "hyp-counts", RULE("C126 C137") },
	{ "hyp-mprv", RULE("mstatus_mprv_hypervisor mstatus_gva_op") },
	{ "hyp-overflow-hs", RULE("C111 C176") },
	{ "hyp-overflow-vs", RULE("C175 C176") },
	{ "hyp-paging", RULE("H_guest_page_fault H_straddle") },
	{ "hyp-paging", RULE("H_trap_xtinst_guestpage hstatus_gva_op") },
	{ "hyp-paging", RULE("hlsv_op hlsv_priv hlsv_u_op hlsv_virtinst") },
	{ "hyp-paging", RULE("hlvx-wu_valid32 hstatus_hu_op") },
	{ "hyp-switch", RULE("H_vm_twostage") },
	{ "idle", RULE("C165 C166") },
	{ "modes", RULE("C119 C126") },
	{ "nested", RULE("C119 C126 C179 mhpmevent_inh_op") },
	{ "overflow-branches", RULE("C107 C109 C176") },
	{ "overflow-cycles", RULE("C107 C109 C176") },
	{ "overflow-dtlb", RULE("C107 C109 C176") },
	{ "overflow-htif", RULE("C107 C176 C207") },
	{ "overflow-instructions", RULE("C107 C109 C176") },
	{ "overflow-itlb", RULE("C107 C109 C176") },
	{ "overflow-jumps", RULE("C107 C109 C176") },
	{ "overflow-l1d", RULE("C107 C109 C176") },
	{ "overflow-l1i", RULE("C107 C109 C176") },
	{ "overflow-llc", RULE("C107 C109 C176") },
	{ "overflow-loads", RULE("C107 C109 C176") },
	{ "overflow-mispredicts", RULE("C107 C109 C176") },
	{ "overflow-node", RULE("C107 C109 C176") },
	{ "overflow-prefetch", RULE("C107 C109 C176") },
	{ "overflow-stlb", RULE("C107 C109 C176") },
	{ "overflow-stores", RULE("C107 C109 C176") },
	{ "overflow-targets", RULE("C107 C109 C176") },
	{ "ticks", RULE("C166 C193") },
	{ "overflow-user", RULE("C107 C111 C176") },
	{ "own-fetch", RULE("C117 C160 C161 C162") },
	{ "sbi-hyp", RULE("C97 C137") },
	{ "timer", RULE("mtime_intr_pending mtime_intr_mtip_visibility") },
	{ "timer-wrap", RULE("C164") },
	{ "traps", RULE("C119 ecall_ebreak_no_minstret_inc") },
};

static void show_rules(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(guest_rules); i++)
		if (guest_is(&guest, guest_rules[i].guest))
			shows(guest_rules[i].rules);
}

TEST_TIMES(a_guest_counts_what_it_says, n_paths)
{
	guest_read(&guest, paths[_i]);
	show_rules();
	play(&f, "", 1000000);
	check_end();
	check_totals();
	check_cycles();
}

enum {
	GENERAL = 10,
	CACHE_TYPE = 0x10000,
	CACHES = 7,
	CACHE_EVENTS = CACHES * 6 /* three operations, two results */
};

/* The SBI's number of its event @i: the general ones, then those of caches. */
static uint64_t event_idx(unsigned i)
{
	if (i < GENERAL)
		return i + 1;
	i -= GENERAL;
	return CACHE_TYPE | i / 6 << 3 | i % 6;
}

/* By a core with all models, or by none. */
TEST_TIMES(an_event_counts_or_cannot_be_chosen, (GENERAL + CACHE_EVENTS))
{
	uint64_t idx = event_idx((unsigned)_i), want;
	const struct pmu_event_desc *d = pmu_event_by_selector(idx);
	const struct pmu_hart *h;
	char name[64] = "";

	if (d)
		snprintf(name, sizeof(name), "S.%s", d->name);
	ck_assert_ptr_nonnull(events_path);
	guest_read(&guest, events_path);
	play(&f, "", 1000000);
	check_end();
	h = machine_pmu(f.m, 0);
	if (!guest_expects(&guest, name, &want)) {
		ck_assert_msg(!d || !pmu_counter_can(h, 3, d->event),
			      "%#" PRIx64 " is offered, but not counted", idx);
		return;
	}
	ck_assert_msg(d && pmu_counter_can(h, 3, d->event), "%s", name);
	ck_assert_uint_gt(want, 0);
	check_total(PMU_MODE_S, d->event);
}

/* Software events that no trap brought, as many as the guest says. */
TEST_TIMES(a_trace_tells_of_software_events, n_paths)
{
	uint64_t want, n = 0;
	Pmu__V1__Trace *t;

	guest_read(&guest, paths[_i]);
	play(&f, "", 1000000);
	t = fixture_trace(&f);
	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		n += r->kind_case == PMU__V1__RECORD__KIND_HART_CHANGE &&
		     r->hart_change->what ==
			     PMU__V1__HART_CHANGE__WHAT__WHAT_SOFTWARE_EVENT;
	}
	if (guest_expects(&guest, "software_events", &want))
		ck_assert_uint_eq(n, want);
	fixture_free_trace(t);
}

/* What of @t is one overflow that @d names with its @i-th cycle? */
static unsigned named(const Pmu__V1__Trace *t, const Pmu__V1__Record *d,
		      unsigned counter, size_t i)
{
	unsigned n = 0;

	for (size_t k = 0; k < t->n_records; k++) {
		const Pmu__V1__Record *r = t->records[k];

		n += r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW &&
		     r->hart == d->hart && r->overflow->counter == counter &&
		     r->cycle == d->delivery->cycles[i];
	}
	return n;
}

static void check_names(const Pmu__V1__Trace *t, const Pmu__V1__Record *r)
{
	uint32_t left = r->delivery->counters;

	for (size_t i = 0; i < r->delivery->n_cycles; i++, left &= left - 1)
		if (r->delivery->cycles[i])
			ck_assert_uint_eq(
				named(t, r, (unsigned)__builtin_ctz(left), i),
				1);
	ck_assert_uint_eq(left, 0);
}

/* The record of the delivery is the one behind @t's @i-th, and of its moment.
 */
static void check_told(const Pmu__V1__Trace *t, size_t i,
		       Pmu__V1__Delivery__Way way)
{
	const Pmu__V1__Record *r = t->records[i];
	const Pmu__V1__Record *d = t->records[i + 1];

	ck_assert_int_eq(d->kind_case, PMU__V1__RECORD__KIND_DELIVERY);
	ck_assert_int_eq(d->delivery->way, way);
	ck_assert_uint_eq(d->pc, r->pc);
	ck_assert_uint_eq(d->cycle, r->cycle);
	ck_assert_uint_eq(d->insn, r->insn);
	ck_assert_int_eq(d->privilege, r->privilege);
}

static void check_record(const Pmu__V1__Trace *t, size_t i)
{
	const Pmu__V1__Record *r = t->records[i];

	if (r->kind_case == PMU__V1__RECORD__KIND_DELIVERY)
		check_names(t, r);
	if (r->kind_case == PMU__V1__RECORD__KIND_TRAP && r->trap->interrupt &&
	    r->trap->cause == PMU_IRQ_LCOFI && r->trap->target)
		check_told(t, i, PMU__V1__DELIVERY__WAY__WAY_LCOFI);
	if (r->kind_case != PMU__V1__RECORD__KIND_HART_CHANGE)
		return;
	if (r->hart_change->what ==
	    PMU__V1__HART_CHANGE__WHAT__WHAT_EVENT_BRANCH)
		check_told(t, i, PMU__V1__DELIVERY__WAY__WAY_EBB);
	if (r->hart_change->what ==
	    PMU__V1__HART_CHANGE__WHAT__WHAT_SOFTWARE_EVENT)
		check_told(t, i, PMU__V1__DELIVERY__WAY__WAY_SSE);
}

/* Each LCOFI, branch and software event, and no other overflow than there was.
 */
TEST_TIMES(a_trace_tells_of_deliveries, n_paths)
{
	Pmu__V1__Trace *t;

	guest_read(&guest, paths[_i]);
	play(&f, "", 1000000);
	t = fixture_trace(&f);
	for (size_t i = 0; i < t->n_records; i++)
		check_record(t, i);
	fixture_free_trace(t);
}

/*
 * Unicorn sizes its TLBs by the host's time, which it asks for here: between
 * two looks at this clock there are @host_leap seconds.
 */
static time_t host_leap;

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	static time_t now = 1000000000;

	now += host_leap;
	*tv = (struct timeval){ .tv_sec = now };
	return 0;
}

static const struct variant_row {
	const char *settings;
	uint64_t soft;
	time_t leap;
} variant_rows[] = {
	{ "", 997, 0 },
	{ "", 100003, 1 },
	{ "engines=2", 1000000, 0 },
	{ "engines=2", 10007, 1 },
	{ "engine=portable", 1000000, 1 },
	{ "step-only=on", 1000000, 0 },
	{ "code-buffer=128MiB", 50000, 0 },
	{ "engine=check", 1000000, 0 },
};

TEST_TIMES(a_trace_is_the_same_however_it_is_executed, n_paths)
{
	struct fixture other;

	guest_read(&guest, paths[_i]);
	play(&f, "", 1000000);
	for (size_t i = 0; i < ARRAY_SIZE(variant_rows); i++) {
		const struct variant_row *row = &variant_rows[i];

		host_leap = row->leap;
		play(&other, row->settings, row->soft);
		host_leap = 0;
		ck_assert_msg(fixture_same(&f, &other),
			      "%s: '%s' in slices of %" PRIu64, guest.name,
			      row->settings, row->soft);
		fixture_fini(&other);
	}
}

/* A hart that waits for what it misses, which few of the guests know. */
TEST_TIMES(waiting_is_the_same_however_it_is_executed, n_paths)
{
	static const char inorder[] = "uarch=tiny timing=inorder";
	struct fixture other;

	guest_read(&guest, paths[_i]);
	play(&f, inorder, 1000000);
	for (size_t i = 0; i < ARRAY_SIZE(variant_rows); i += 2) {
		const struct variant_row *row = &variant_rows[i];
		char text[80];

		snprintf(text, sizeof(text), "%s %s", inorder, row->settings);
		play(&other, text, row->soft);
		ck_assert_msg(fixture_same(&f, &other),
			      "%s: '%s' in slices of %" PRIu64, guest.name,
			      text, row->soft);
		fixture_fini(&other);
	}
}

/*
 * A setting that the guest can see: its first row with a signalling NaN fails,
 * at the same place in every variant, also where a limit cuts the block.
 */
TEST_TIMES(native_fmin_is_the_engines_however_it_is_executed, n_float)
{
	struct fixture other;
	struct machine_status want, got;

	guest_read(&guest, float_paths[_i]);
	play(&f, "fp-minmax=native", 1000000);
	want = fixture_status(&f);
	ck_assert_int_eq(want.state, MACHINE_ENDED);
	ck_assert_int_gt(want.exit_code, 0);
	for (size_t i = 0; i < ARRAY_SIZE(variant_rows); i++) {
		char text[80];

		snprintf(text, sizeof(text), "fp-minmax=native %s",
			 variant_rows[i].settings);
		play(&other, text, variant_rows[i].soft);
		got = fixture_status(&other);
		ck_assert_int_eq(got.exit_code, want.exit_code);
		ck_assert_msg(fixture_same(&f, &other), "%s", text);
		fixture_fini(&other);
	}
}

static const struct emptied_row {
	const char *settings;
	bool is_roomy; /* all of the code fits */
} emptied_rows[] = {
	{ "engine=auto" },     { "engine=check" }, { "engines=2" },
	{ "engine=portable" }, { "step-only=on" }, { "code-buffer=1GiB", true },
};

/* Without models, which have the engine step. */
TEST_TIMES(no_count_depends_on_how_much_code_is_kept, n_jit)
{
	uint64_t n;

	guest_read(&guest, jit_paths[_i]);
	for (size_t i = 0; i < ARRAY_SIZE(emptied_rows); i++) {
		const struct emptied_row *row = &emptied_rows[i];
		char text[80];

		snprintf(text, sizeof(text), "uarch-watch=off %s",
			 row->settings);
		play(&f, text, 1000000);
		check_end();
		check_totals();
		n = machine_code_emptied(f.m);
		ck_assert_msg(row->is_roomy ? n == 0
					    : n >= expected("emptied", 1),
			      "%s: '%s': emptied %" PRIu64 " times", guest.name,
			      row->settings, n);
		fixture_fini(&f);
	}
}

static int find_paths(int argc, char **argv, const char *name, const char **ret)
{
	int n = 0;

	for (int i = 1; i < argc && n < ISAS; i++)
		if (strstr(argv[i], name))
			ret[n++] = argv[i];
	return n;
}

static void begin(int argc, char **argv)
{
	n_float = find_paths(argc, argv, "/float-box-", float_paths);
	n_jit = find_paths(argc, argv, "/jit-", jit_paths);
	for (int i = 1; i < argc; i++)
		if (strstr(argv[i], "/events-"))
			events_path = argv[i];
	n_paths = guest_paths(argc, argv, &paths);
}

SUITE("guests", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
