/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SSE, the calls: which events there are, every function in every state, errors
 * in their order. Attributes are test-sse-attr.c's, what delivery does is
 * test-sse-run.c's. Names of tables are SBI 3.0's.
 */
#include "fw-cpu.h"

enum {
	NO = SBI_ERR_NOT_SUPPORTED,
	BAD = SBI_ERR_INVALID_PARAM,
	STATE = SBI_ERR_INVALID_STATE,
	FAILED = SBI_ERR_FAILED,
	N_HARTS = 2,
};

static struct bench b;
static struct cpu c;

static void begin(const struct opts *o)
{
	struct opts two = *o;

	two.n_harts = N_HARTS;
	bench_init(&b, &two);
	cpu_init(&c, &b, 0);
}

/* SSE Event ID Space. */
static const struct id_row {
	const char *rule, *why;
	uint64_t id;
	int error;
} id_rows[] = {
	{ NULL, "overflow", OVERFLOW, 0 },
	{ NULL, "local software", LOCAL, 0 },
	{ NULL, "global software", GLOBAL, 0 },
	{ NULL, "32 bits of it", LOCAL | UINT64_C(0xabcd) << 32, 0 },
	{ NULL, "local RAS, high", 0, NO },
	{ NULL, "double trap", 1, NO },
	{ NULL, "global RAS, high", 0x8000, NO },
	{ NULL, "local RAS, low", 0x100000, NO },
	{ NULL, "global RAS, low", 0x108000, NO },
	{ RULE("SSE-02"), "local, reserved", 2, BAD },
	{ RULE("SSE-02"), "local, reserved, last", 0x3fff, BAD },
	{ NULL, "local, the platform's", 0x4000, BAD },
	{ RULE("SSE-02"), "global, reserved", 0x8001, BAD },
	{ NULL, "global, the platform's", 0xc000, BAD },
	{ RULE("SSE-02"), "behind the overflow", 0x10001, BAD },
	{ NULL, "platform's, second range", 0x14000, BAD },
	{ RULE("SSE-02"), "another range", 0x20000, BAD },
	{ RULE("SSE-02"), "behind local software", 0xffff0001, BAD },
	{ NULL, "the platform's last", 0xffffffff, BAD },
};

TEST_TIMES(events_are_those_that_something_signals, 2 * ARRAY_SIZE(id_rows))
{
	const struct id_row *row = &id_rows[_i / 2];
	int refused = row->error ? row->error : STATE;
	struct opts o = { .profile = _i & 1 };

	shows(row->rule);
	begin(&o);
	ck_assert_msg(TRY(&c, UNREGISTER, row->id) == refused, "%s", row->why);
	ck_assert_int_eq(TRY(&c, ENABLE, row->id), refused);
	ck_assert_int_eq(TRY(&c, DISABLE, row->id), refused);
	ck_assert_int_eq(TRY(&c, READ_ATTRS, row->id, 0, 1, RAM_BASE),
			 row->error);
	ck_assert_int_eq(
		TRY(&c, WRITE_ATTRS, row->id, CONFIG, 1, RAM_BASE + 0x100),
		row->error);
	ck_assert_int_eq(TRY(&c, REGISTER, row->id, RAM_BASE, 0), row->error);
	if (row->error)
		ck_assert_int_eq(TRY(&c, INJECT, row->id, 0), row->error);
	/* Of a global event the hart is ignored, supported or not; the
	 * reference looks at it all the same. */
	if (row->error && row->id >> 15 & 1)
		ck_assert_int_eq(TRY(&c, INJECT, row->id, 77),
				 _i & 1 ? BAD : row->error);
	bench_fini(&b);
}

TEST(no_sscofpmf_no_overflow_event)
{
	struct opts o = { .without = PMU_EXT_SSCOFPMF };

	begin(&o);
	ck_assert_int_eq(TRY(&c, REGISTER, OVERFLOW, RAM_BASE, 0), NO);
	ck_assert_int_eq(TRY(&c, READ_ATTRS, OVERFLOW, 0, 1, RAM_BASE), NO);
	ck_assert_int_eq(TRY(&c, REGISTER, LOCAL, RAM_BASE, 0), 0);
	bench_fini(&b);
}

static const struct offer_row {
	uint32_t version;
	bool off, there;
} offer_rows[] = {
	{ 0x03000000, false, true },
	{ 0x03000000, true, false },
	{ 0x02000000, false, false },
};

TEST_ROWS(it_is_offered_from_3_0_on, offer_rows)
{
	const struct offer_row *row = &offer_rows[_i];
	struct opts o = { .version = row->version, .no_sse = row->off };

	shows(RULE("C199"));
	begin(&o);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 3, SSE_EID).value, row->there);
	for (uint32_t fid = READ_ATTRS; fid <= MASK; fid++)
		ck_assert(row->there || TRY(&c, fid, LOCAL) == NO);
	ck_assert_int_eq(TRY(&c, MASK + 1, LOCAL), NO);
	bench_fini(&b);
}

/* Brings @event to @state. */
static void reach(uint64_t event, unsigned state)
{
	if (state >= REGISTERED)
		ck_assert_int_eq(SSE(&c, REGISTER, event, handler_of(event), 7),
				 0);
	if (state >= ENABLED)
		ck_assert_int_eq(SSE(&c, ENABLE, event), 0);
	if (state < RUNNING)
		return;
	ck_assert_int_eq(SSE(&c, UNMASK, 0), 0);
	if (event == OVERFLOW)
		pmu_irq_soft(b.harts[0], PMU_IRQ_LCOFI, true);
	else
		SSE(&c, INJECT, event, 0);
	cpu_boundary(&c);
	ck_assert_uint_eq(c.pc, handler_of(event));
}

static unsigned state_of(uint64_t event)
{
	return cpu_attr(&c, event, STATUS) & STATE_MASK;
}

static const uint64_t events[] = { OVERFLOW, LOCAL, GLOBAL };

/* Figure SSE State Machine: what is not in it is refused. */
static const struct edge_row {
	const char *rule;
	unsigned state;
	uint32_t fid;
	int error;
	unsigned next;
} edge_rows[] = {
	{ NULL, UNUSED, REGISTER, 0, REGISTERED },
	{ NULL, UNUSED, UNREGISTER, STATE, UNUSED },
	{ RULE("SSE-03"), UNUSED, ENABLE, STATE, UNUSED },
	{ NULL, UNUSED, DISABLE, STATE, UNUSED },
	{ NULL, REGISTERED, REGISTER, STATE, REGISTERED },
	{ NULL, REGISTERED, UNREGISTER, 0, UNUSED },
	{ RULE("SSE-04"), REGISTERED, ENABLE, 0, ENABLED },
	{ NULL, REGISTERED, DISABLE, STATE, REGISTERED },
	{ NULL, ENABLED, REGISTER, STATE, ENABLED },
	{ NULL, ENABLED, UNREGISTER, STATE, ENABLED },
	{ NULL, ENABLED, ENABLE, STATE, ENABLED },
	{ RULE("SSE-05"), ENABLED, DISABLE, 0, REGISTERED },
	{ NULL, RUNNING, REGISTER, STATE, RUNNING },
	{ NULL, RUNNING, UNREGISTER, STATE, RUNNING },
	{ NULL, RUNNING, ENABLE, STATE, RUNNING },
	{ NULL, RUNNING, DISABLE, STATE, RUNNING },
};

TEST_TIMES(a_state_allows_what_leads_on, 6 * ARRAY_SIZE(edge_rows))
{
	const struct edge_row *row = &edge_rows[_i / 6];
	uint64_t event = events[_i / 2 % 3];
	struct opts o = { .profile = _i & 1 };

	shows(row->rule);
	begin(&o);
	reach(event, row->state);
	ck_assert_uint_eq(state_of(event), row->state);
	ck_assert_int_eq(TRY(&c, row->fid, event, RAM_BASE + 0x10, 9),
			 row->error);
	ck_assert_uint_eq(state_of(event), row->next);
	/* A refused registration leaves the handler. */
	if (row->fid == REGISTER)
		ck_assert_uint_eq(cpu_attr(&c, event, ENTRY_ARG),
				  row->error ? 7 : 9);
	bench_fini(&b);
}

/* Local events have a state on each hart, global ones one for all. */
TEST_ROWS(states_are_of_harts_or_of_all, events)
{
	uint64_t event = events[_i];
	struct opts o = { 0 };
	struct cpu other;

	begin(&o);
	cpu_init(&other, &b, 1);
	reach(event, ENABLED);
	ck_assert_uint_eq(cpu_attr(&other, event, STATUS) & STATE_MASK,
			  event == GLOBAL ? ENABLED : UNUSED);
	ck_assert_uint_eq(cpu_attr(&other, event, PREFERRED_HART),
			  event != GLOBAL);
	bench_fini(&b);
}

static const struct register_row {
	const char *why;
	uint64_t id, pc;
	int error;
} register_rows[] = {
	{ "half words", LOCAL, RAM_BASE + 2, 0 },
	{ "odd", LOCAL, RAM_BASE + 1, BAD },
	{ "no RAM: the address is virtual", LOCAL, 0x40000000, 0 },
	{ "odd, of an event not supported", 0, 1, NO },
};

TEST_ROWS(a_handler_is_an_even_address, register_rows)
{
	const struct register_row *row = &register_rows[_i];
	struct opts o = { 0 };

	begin(&o);
	ck_assert_msg(TRY(&c, REGISTER, row->id, row->pc) == row->error, "%s",
		      row->why);
	bench_fini(&b);
}

/* An odd address is refused before the state is looked at. */
TEST(an_odd_handler_comes_before_the_state)
{
	struct opts o = { 0 };

	begin(&o);
	reach(LOCAL, ENABLED);
	ck_assert_int_eq(TRY(&c, REGISTER, LOCAL, 1), BAD);
	bench_fini(&b);
}

/* SSE Event Inject Errors; what the event shows afterwards. */
static const struct inject_row {
	const char *rule, *why;
	uint64_t event, hart;
	unsigned state;
	int spec, opensbi;
	bool pends[2];
} inject_rows[] = {
	{ RULE("SSE-07"), "local", LOCAL, 0, ENABLED, 0, 0, { true, true } },
	{ NULL,
	  "global, hart ignored",
	  GLOBAL,
	  77,
	  ENABLED,
	  0,
	  BAD,
	  { true, false } },
	{ NULL, "no such hart", LOCAL, 77, ENABLED, BAD, BAD, { 0 } },
	{ NULL,
	  "hart of 64 bits",
	  LOCAL,
	  UINT64_C(1) << 32,
	  ENABLED,
	  BAD,
	  0,
	  { false, true } },
	{ NULL,
	  "not injectable",
	  OVERFLOW,
	  0,
	  ENABLED,
	  FAILED,
	  0,
	  { false, true } },
	{ NULL,
	  "not enabled",
	  LOCAL,
	  0,
	  REGISTERED,
	  0,
	  STATE,
	  { true, false } },
	{ NULL, "not registered", LOCAL, 0, UNUSED, 0, STATE, { true, false } },
	{ NULL,
	  "global, not enabled",
	  GLOBAL,
	  0,
	  UNUSED,
	  0,
	  STATE,
	  { true, false } },
	{ NULL, "while it runs", LOCAL, 0, RUNNING, 0, 0, { true, true } },
};

TEST_TIMES(injections_are_checked, 2 * ARRAY_SIZE(inject_rows))
{
	const struct inject_row *row = &inject_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };
	uint64_t status;

	shows(row->rule);
	begin(&o);
	reach(row->event, row->state);
	ck_assert_msg(TRY(&c, INJECT, row->event, row->hart) ==
			      (_i & 1 ? row->opensbi : row->spec),
		      "%s", row->why);
	status = cpu_attr(&c, row->event, STATUS);
	ck_assert_msg(!!(status & PENDING) == row->pends[_i & 1], "%s",
		      row->why);
	ck_assert_uint_eq(status & STATE_MASK, row->state);
	ck_assert_uint_eq(!!(status & INJECTABLE),
			  row->event != OVERFLOW || _i & 1);
	bench_fini(&b);
}

/* Of another hart, that has it or not, and of one that is stopped. */
TEST_TIMES(injections_reach_other_harts, 2)
{
	const uint64_t stop[8] = { [6] = 1, [7] = HSM_EID };
	struct opts o = { .profile = _i };
	struct sbi_ret ret;
	struct cpu other;

	begin(&o);
	cpu_init(&other, &b, 1);
	ck_assert_int_eq(TRY(&c, INJECT, LOCAL, 1), 0);
	ck_assert_uint_eq(!!(cpu_attr(&other, LOCAL, STATUS) & PENDING), !_i);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, STATUS) & PENDING, 0);
	cpu_want(&other, LOCAL);
	ck_assert_int_eq(TRY(&c, INJECT, LOCAL, 1), 0);
	ck_assert(cpu_attr(&other, LOCAL, STATUS) & PENDING);
	fw_sbi_call(b.fw, 1, 0, stop, &ret);
	ck_assert_int_eq(TRY(&c, INJECT, LOCAL, 1), _i ? SBI_ERR_FAILED : BAD);
	ck_assert_int_eq(TRY(&c, INJECT, LOCAL, 2), BAD);
	bench_fini(&b);
}

/* SSE Hart Unmask and Mask Errors. */
TEST_TIMES(harts_begin_masked, 2)
{
	struct opts o = { .profile = _i };

	begin(&o);
	ck_assert_int_eq(TRY(&c, MASK, 0), SBI_ERR_ALREADY_STOPPED);
	ck_assert_int_eq(TRY(&c, UNMASK, 0), 0);
	ck_assert_int_eq(TRY(&c, UNMASK, 0), SBI_ERR_ALREADY_STARTED);
	ck_assert_int_eq(TRY(&c, MASK, 0), 0);
	ck_assert_int_eq(TRY(&c, MASK, 0), SBI_ERR_ALREADY_STOPPED);
	bench_fini(&b);
}

SUITE("sbi-sse");
