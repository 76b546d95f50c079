/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What PMU calls do to counters: every operation in every state, what goes to
 * mhpmevent, what becomes of values. OF is test-ctr-overflow.c's.
 */
#include "fw-fixture.h"

enum {
	HPM = 3,
	CYCLE = 0,
	FIRMWARE = 32
};
#define OF PMU_EVENT_OF

enum state {
	FREE,
	STOPPED,
	RUNNING
};
enum op {
	CONFIG_SAME,
	CONFIG_OTHER,
	DO_START,
	DO_STOP,
	DO_RESET
};

static const uint32_t own_event[] = {
	[HPM] = 2, [CYCLE] = 1, [FIRMWARE] = FW_TIMER
};
static const uint32_t other_event[] = {
	[HPM] = 5, [CYCLE] = 2, [FIRMWARE] = FW_TIMER + 1
};

static const struct op_row {
	enum state state;
	enum op op;
	int error;
	enum state next;
} op_rows[] = {
	{ FREE, CONFIG_SAME, SBI_ERR_INVALID_PARAM, FREE },
	{ FREE, CONFIG_OTHER, SBI_ERR_INVALID_PARAM, FREE },
	{ FREE, DO_START, SBI_ERR_INVALID_PARAM, FREE },
	{ FREE, DO_STOP, SBI_ERR_INVALID_PARAM, FREE },
	{ FREE, DO_RESET, SBI_ERR_INVALID_PARAM, FREE },
	{ STOPPED, CONFIG_SAME, 0, STOPPED },
	{ STOPPED, CONFIG_OTHER, 0, STOPPED },
	{ STOPPED, DO_START, 0, RUNNING },
	{ STOPPED, DO_STOP, SBI_ERR_ALREADY_STOPPED, STOPPED },
	{ STOPPED, DO_RESET, SBI_ERR_ALREADY_STOPPED, FREE },
	{ RUNNING, CONFIG_SAME, 0, RUNNING },
	{ RUNNING, CONFIG_OTHER, SBI_ERR_NOT_SUPPORTED, RUNNING },
	{ RUNNING, DO_START, SBI_ERR_ALREADY_STARTED, RUNNING },
	{ RUNNING, DO_STOP, 0, STOPPED },
	{ RUNNING, DO_RESET, 0, FREE },
};

static int apply(struct bench *b, unsigned n, enum op op)
{
	switch (op) {
	case CONFIG_SAME:
		return PMU_ERR(b, CFG, n, 1, SKIP, own_event[n]);
	case CONFIG_OTHER:
		return PMU_ERR(b, CFG, n, 1, SKIP, other_event[n]);
	case DO_START:
		return PMU_ERR(b, START, n, 1);
	case DO_STOP:
		return PMU_ERR(b, STOP, n, 1);
	case DO_RESET:
		return PMU_ERR(b, STOP, n, 1, RESET);
	}
	return 1;
}

static void bring_to(struct bench *b, unsigned n, enum state state)
{
	if (state != FREE)
		ck_assert_int_eq(PMU_ERR(b, CFG, n, 1, 0, own_event[n]), 0);
	if (state == RUNNING)
		ck_assert_int_eq(PMU_ERR(b, START, n, 1, INIT, 1000), 0);
}

static enum state state_of(const struct bench *b, unsigned n)
{
	struct fw_counter c;

	ck_assert(fw_counter_state(b->fw, 0, n, &c) && c.exists);
	return !c.mapped ? FREE : c.started ? RUNNING : STOPPED;
}

struct view {
	struct fw_counter ctr;
	uint64_t event;
};

static struct view view(const struct bench *b, unsigned n)
{
	struct view v;

	memset(&v, 0, sizeof(v));
	fw_counter_state(b->fw, 0, n, &v.ctr);
	v.event = n < 32 ? pmu_counter_event(b->harts[0], n) : 0;
	return v;
}

static void check_same(const struct view *a, const struct view *b)
{
	ck_assert(a->ctr.mapped == b->ctr.mapped &&
		  a->ctr.started == b->ctr.started &&
		  a->ctr.event_idx == b->ctr.event_idx &&
		  a->ctr.value == b->ctr.value &&
		  a->ctr.flags == b->ctr.flags && a->event == b->event);
}

/* A refused operation changes nothing, RESET excepted. */
static void check_op(const struct op_row *row, unsigned n, uint64_t without)
{
	struct opts o = { .without = without };
	struct view before, after;
	struct bench b;
	int error;

	bench_init(&b, &o);
	bring_to(&b, n, row->state);
	before = view(&b, n);
	error = apply(&b, n, row->op);
	after = view(&b, n);
	ck_assert_msg(error == row->error, "counter %u state %d op %d: %d", n,
		      row->state, row->op, error);
	ck_assert_int_eq(state_of(&b, n), row->next);
	if (row->error && row->op != DO_RESET)
		check_same(&before, &after);
	bench_fini(&b);
}

TEST_ROWS(every_operation_in_every_state, op_rows)
{
	shows(RULE("C30 C51 C61 C62 C63"));
	check_op(&op_rows[_i], HPM, 0);
	check_op(&op_rows[_i], HPM, PMU_EXT_SSCOFPMF);
	check_op(&op_rows[_i], FIRMWARE, 0);
}

/* cycle is always mapped; FREE, it has no owner and runs. */
static const struct op_row cycle_rows[] = {
	{ FREE, CONFIG_SAME, 0, STOPPED },
	{ FREE, CONFIG_OTHER, SBI_ERR_NOT_SUPPORTED, FREE },
	{ FREE, DO_START, SBI_ERR_ALREADY_STARTED, FREE },
	{ FREE, DO_STOP, 0, FREE },
	{ FREE, DO_RESET, 0, FREE },
	{ STOPPED, CONFIG_SAME, 0, STOPPED },
	{ STOPPED, CONFIG_OTHER, SBI_ERR_NOT_SUPPORTED, STOPPED },
	{ STOPPED, DO_START, 0, RUNNING },
	{ STOPPED, DO_STOP, SBI_ERR_ALREADY_STOPPED, STOPPED },
	{ STOPPED, DO_RESET, SBI_ERR_ALREADY_STOPPED, FREE },
	{ RUNNING, CONFIG_SAME, 0, RUNNING },
	{ RUNNING, CONFIG_OTHER, SBI_ERR_NOT_SUPPORTED, RUNNING },
	{ RUNNING, DO_START, SBI_ERR_ALREADY_STARTED, RUNNING },
	{ RUNNING, DO_STOP, 0, STOPPED },
	{ RUNNING, DO_RESET, 0, FREE },
};

TEST_ROWS(cycle_is_mapped_for_good, cycle_rows)
{
	shows(RULE("C26 C58"));
	check_op(&cycle_rows[_i], CYCLE, 0);
	check_op(&cycle_rows[_i], CYCLE, PMU_EXT_SMCNTRPMF);
}

#define S_U (PMU_EVENT_SINH | PMU_EVENT_UINH)
#define M   PMU_EVENT_MINH

static const struct event_row {
	const char *rule, *why;
	uint64_t without;
	uint64_t flags, idx, data;
	uint64_t configured; /* mhpmevent3 after config, spec */
	uint64_t started;
	uint64_t with;
} event_rows[] = {
	{ RULE("C37"), "M-mode never counts", 0, 0, 2, 0, M | 2, M | 2 },
	{ RULE("C37"), "filters", 0, UINH | SINH, 2, 0, M | S_U | 2,
	  M | S_U | 2 },
	{ RULE("C106"), "no H, no filter", 0, VUINH | VSINH, 2, 0, M | 2,
	  M | 2 },
	{ RULE("C38"), "with H, a filter", 0, VUINH | VSINH, 2, 0,
	  M | PMU_EVENT_VSINH | PMU_EVENT_VUINH | 2,
	  M | PMU_EVENT_VSINH | PMU_EVENT_VUINH | 2, PMU_EXT_H },
	{ RULE("C39"), "no Sscofpmf", PMU_EXT_SSCOFPMF, 0xf8, 5, 0, 5, 5 },
	{ RULE("C40"), "raw sets no OF", 0, 0, 0x20000,
	  UINT64_C(0xffff000000000005), M | 5, M | 5 },
	{ RULE("C40"), "raw v2 sets no OF", 0, 0, 0x30000,
	  UINT64_C(0xff00000000000005), M | 5, M | 5 },
	{ RULE("C40"), "nor without Sscofpmf", PMU_EXT_SSCOFPMF, 0, 0x30000,
	  UINT64_C(0xff00000000000005), 5, 5 },
};

TEST_TIMES(config_programs_the_event, 2 * ARRAY_SIZE(event_rows))
{
	const struct event_row *row = &event_rows[_i / 2];
	struct opts o = { .profile = _i & 1,
			  .with = row->with,
			  .without = row->without };
	uint64_t off = _i & 1 && !row->without ? OF : 0;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	ck_assert_int_eq(
		PMU_ERR(&b, CFG, 3, 1, row->flags, row->idx, row->data), 0);
	ck_assert_msg(pmu_counter_event(b.harts[0], 3) ==
			      (row->configured | off),
		      "%s", row->why);
	PMU(&b, START, 3, 1);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3), row->started);
	/* They hold after a stop, too. */
	shows(RULE("C38"));
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3), row->started);
	shows(RULE("C63"));
	PMU(&b, STOP, 3, 1, RESET);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3),
			  _i & 1 || row->without ? 0 : M);
	bench_fini(&b);
}

/* With H a filter of its modes is a wish that cycle cannot fulfil. */
TEST_TIMES(cycle_has_no_filters_for_guests, 4)
{
	struct opts o = { .profile = _i & 1,
			  .with = _i & 2 ? PMU_EXT_H : 0,
			  .without = PMU_EXT_SMCNTRPMF };
	struct bench b;

	shows(RULE("C24"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 0, 1, VUINH, 1), _i ? -2 : 0);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 2, 1, VSINH, 2), _i ? -2 : 0);
	bench_fini(&b);
}

/* The filters of cycle go with its owner, opensbi leaves them. */
TEST_TIMES(reset_clears_the_filters_of_cycle, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C26 C58"));
	bench_init(&b, &o);
	PMU(&b, CFG, 0, 1, UINH, 1);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 0), M | PMU_EVENT_UINH);
	PMU(&b, STOP, 0, 1, RESET);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 0),
			  _i ? M | PMU_EVENT_UINH : 0);
	bench_fini(&b);
}

/* OF, value and request of a running counter stay as they are. */
TEST_TIMES(a_redundant_start_changes_nothing, 4)
{
	struct opts o = { .profile = _i & 1 };
	struct view before, after;
	struct bench b;

	shows(RULE("C52 C53 C206"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, START, 4, 1, INIT, 100);
	if (_i & 2)
		bench_overflow(&b, 3);
	before = view(&b, 4);
	ck_assert_int_eq(PMU_ERR(&b, START, 4, 1, INIT, 7), -7);
	after = view(&b, 4);
	/* The reference has its interrupt off by then. */
	if (_i & 1)
		before.event |= PMU_EVENT_OF;
	check_same(&before, &after);
	bench_run(&b, 0, 5);
	ck_assert_uint_eq(bench_value(&b, 4), before.ctr.value + 5);
	bench_fini(&b);
}

/* No more than that: not its filters, not what has none, nor AUTO_START. */
TEST_TIMES(a_redundant_start_leaves_the_rest, 2)
{
	struct opts o = { .profile = FW_PROFILE_OPENSBI,
			  .without = _i ? PMU_EXT_SSCOFPMF : 0 };
	const uint64_t filter = _i ? 0 : M | PMU_EVENT_UINH;
	struct bench b;

	shows(RULE("C36 C206"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, UINH | AUTO, 5);
	PMU(&b, CFG, 3, 1, SKIP | UINH | AUTO, 5);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3), filter | 5);
	ck_assert_int_eq(PMU_ERR(&b, START, 0, 0xd, 0, 0), -7);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3),
			  filter | 5 | (_i ? 0 : PMU_EVENT_OF));
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 0), 0);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 2), 0);
	bench_fini(&b);
}

/* NO_EVENT of a SKIP_MATCH: what the counter has is kept (C206). */
TEST_TIMES(skipping_to_no_event_keeps_the_old, 6)
{
	static const uint64_t events[] = { 0, 0x100002, 0x500005 };
	struct opts o = { .profile = _i & 1 };
	struct fw_counter c;
	struct bench b;

	shows(RULE("C20 C22 C206"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 5);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP | CLEAR, events[_i / 2]),
			 _i & 1 ? 0 : -2);
	ck_assert(fw_counter_state(b.fw, 0, 3, &c));
	ck_assert_uint_eq(c.event_idx, 5);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3) & 0xff, 5);
	/* But such a number must be an event's. */
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 0x1234),
			 _i & 1 ? -3 : -2);
	bench_fini(&b);
}

/* The others of the set are started, the started ones go on. */
TEST_TIMES(a_set_is_started_in_spite_of_one, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C51"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 7, 0, 2);
	PMU(&b, CFG, 3, 7, AUTO, 2);
	PMU(&b, CFG, 3, 7, 0, 2);
	bench_run(&b, 0, 5);
	PMU(&b, START, 3, 7);
	bench_run(&b, 0, 2);
	ck_assert_uint_eq(bench_value(&b, 3), 2);
	ck_assert_uint_eq(bench_value(&b, 4), 7);
	ck_assert_uint_eq(bench_value(&b, 5), 2);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 4, 1), 0);
	PMU(&b, STOP, 3, 7);
	bench_run(&b, 0, 2);
	for (unsigned n = 3; n < 6; n++)
		ck_assert_uint_eq(bench_value(&b, n), n == 4 ? 7 : 2);
	bench_fini(&b);
}

TEST(opensbi_gives_a_value_to_all)
{
	struct opts o = { .profile = FW_PROFILE_OPENSBI };
	struct bench b;

	shows(RULE("C50"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, START, 3, 3, INIT, 77);
	ck_assert_uint_eq(bench_value(&b, 3), 77);
	ck_assert_uint_eq(bench_value(&b, 4), 77);
	bench_fini(&b);
}

static const unsigned value_counters[] = { 0, 3, 32 };

/* Who changes a value, and who does not. */
TEST_ROWS(values_change_by_flag_only, value_counters)
{
	unsigned n = value_counters[_i];
	uint32_t event = own_event[n];
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C33 C35 C49 C79"));
	bench_init(&b, &o);
	PMU(&b, CFG, n, 1, 0, event);
	PMU(&b, START, n, 1, INIT, 500);
	ck_assert_int_eq(PMU_ERR(&b, START, n, 1, INIT, 600), -7);
	PMU(&b, STOP, n, 1);
	PMU(&b, START, n, 1, 0, 700);
	ck_assert_uint_eq(bench_value(&b, n), 500);
	PMU(&b, STOP, n, 1, RESET);
	PMU(&b, CFG, n, 1, AUTO, event);
	ck_assert_uint_eq(bench_value(&b, n), 500);
	ck_assert_uint_eq(PMU(&b, CFG, n, 1, SKIP | CLEAR, event).error, 0);
	ck_assert_uint_eq(bench_value(&b, n), 0);
	ck_assert_int_eq(PMU_ERR(&b, STOP, n, 1), 0);
	bench_fini(&b);
}

/* Whoever writes mcountinhibit, the next call sees it. */
TEST_TIMES(hardware_state_is_not_cached, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C136"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, AUTO, 2);
	bench_poke(&b, 0, PMU_CSR_MCOUNTINHIBIT, ~0u);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1), -8);
	bench_poke(&b, 0, PMU_CSR_MCOUNTINHIBIT, 0);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1), -7);
	shows(RULE("C23"));
	ck_assert_int_eq(PMU_ERR(&b, CFG, 5, 1, 0, 5), -2);
	bench_fini(&b);
}

/* Nor is the event; what runs with another one is not the same. */
TEST_TIMES(an_event_that_others_changed_is_seen, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C136 C30"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, AUTO, 2);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 2), 0);
	bench_poke(&b, 0, 0x323, M | 5);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 2), _i ? 0 : -2);
	bench_poke(&b, 0, 0x323, M | PMU_EVENT_UINH | 2);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 2), _i ? 0 : -2);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3),
			  M | PMU_EVENT_UINH | 2);
	/* A start takes it as it is; configured anew it is as asked. */
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3),
			  M | PMU_EVENT_UINH | 2);
	PMU(&b, STOP, 3, 1);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 2), 0);
	if (!_i)
		ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3), M | 2);
	bench_fini(&b);
}

TEST(states_out_of_range_are_refused)
{
	struct opts o = { 0 };
	struct fw_counter c;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(fw_num_counters(b.fw, 0), 48);
	ck_assert_uint_eq(fw_num_counters(b.fw, 1), 0);
	ck_assert(!fw_counter_state(b.fw, 0, 48, &c));
	ck_assert(!fw_counter_state(b.fw, 1, 0, &c));
	ck_assert(fw_counter_state(b.fw, 0, 1, &c));
	ck_assert(!c.exists);
	bench_fini(&b);
}

SUITE("ctr");
