/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which counters a session of event-based branches gets, what it cannot have,
 * and in which order several are told.
 */
#include <inttypes.h>

#include "ebb-script.h"
#include "view/explain-sentences.h"

TEST(the_first_has_the_counter_until_it_gives_it_back)
{
	shows(RULE("C155"));
	begin("", NULL);
	run(1);
	act((struct ebb_act){ .what = EBB_OPEN });
	add(1, 3, 1000000);
	add(1, 5, 1000000);
	act((struct ebb_act){ .what = EBB_OPEN });
	add(2, 5, 100);
	add(2, 6, 100);
	simply(EBB_UNMASK, 2);
	simply(EBB_ENABLE, 1);
	simply(EBB_ENABLE, 2); /* all or none */
	ck_assert_uint_eq(csr(MHPMEVENT3 + 2), INSNS);
	ck_assert_uint_eq(csr(MHPMEVENT3 + 3), 0);
	run(SLICES);
	ck_assert_uint_eq(told(), 0);
	simply(EBB_DISABLE, 1);
	ck_assert_uint_eq(csr(MHPMEVENT3 + 2), 0);
	simply(EBB_ENABLE, 2);
	run(SLICES);
	ck_assert_uint_eq(told(), 1); /* both in one */
}

TEST(a_session_without_counters_gets_none)
{
	shows(RULE("C155"));
	begin("", NULL);
	run(1);
	act((struct ebb_act){ .what = EBB_OPEN });
	simply(EBB_ENABLE, 1);
	add(1, 3, 100); /* as it is not enabled */
	ck_assert_uint_eq(csr(MHPMEVENT3), 0);
	simply(EBB_UNMASK, 1);
	simply(EBB_ENABLE, 1);
	ck_assert_uint_eq(csr(MHPMEVENT3), INSNS);
	run(SLICES);
	ck_assert_uint_eq(told(), 1);
}

/* The sixth and the seventh together. */
TEST(six_counters_and_more_of_one_session_are_told_apart)
{
	const Pmu__V1__Record *d;
	Pmu__V1__Trace *t;
	uint64_t first;

	shows(RULE("C149 C155"));
	begin("", NULL);
	run(1);
	act((struct ebb_act){ .what = EBB_OPEN, .freezes = true });
	for (uint32_t i = 0; i < 6; i++)
		add(1, 3 + i, 500 * (i + 1));
	add(1, 31, 3000);
	simply(EBB_ENABLE, 1);
	simply(EBB_UNMASK, 1);
	first = now();
	for (unsigned i = 0; i < 6; i++) {
		run(SLICES);
		ck_assert_uint_eq(told(), i + 1);
		simply(EBB_RETURN, 1);
	}
	t = fixture_trace(&f);
	for (unsigned i = 0; i < 6; i++) {
		const uint32_t last = i == 5 ? UINT32_C(1) << 31 : 0;

		d = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, i);
		ck_assert_uint_eq(d->ebb_delivery->counters, last | 8u << i);
		ck_assert_uint_eq(d->ebb_delivery->cycle,
				  first + 500 * (i + 1));
	}
	fixture_free_trace(t);
}

/* What is in use is not taken. */
static const struct use_row {
	const char *why;
	uint64_t event, inhibit;
	bool free;
} use_rows[] = {
	{ "no event", 0, 0, true },
	{ "counts", INSNS, 0, false },
	{ "stands", INSNS, 8, true },
};

TEST_ROWS(a_counter_that_counts_for_the_guest_is_not_taken, use_rows)
{
	const struct use_row *row = &use_rows[_i];
	const uint64_t of = PMU_EVENT_OF;
	struct input in = { .kind = INPUT_CSR_WRITE };

	shows(RULE("C155"));
	begin("", NULL);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	in.csr_write.csr = MHPMEVENT3;
	in.csr_write.value = row->event | of;
	ck_assert(machine_input(f.m, &in, NULL, &error));
	in.csr_write.csr = MCOUNTINHIBIT;
	in.csr_write.value = row->inhibit;
	ck_assert(machine_input(f.m, &in, NULL, &error));
	in.csr_write.csr = MHPMCOUNTER3;
	in.csr_write.value = 77;
	ck_assert(machine_input(f.m, &in, NULL, &error));
	open_one(1, 0, 100);
	ck_assert_msg(csr(MHPMCOUNTER3) == (row->free ? -UINT64_C(100) : 77),
		      "%s", row->why);
	ck_assert(has_of(3) == !row->free);
	simply(EBB_CLOSE, 1);
	ck_assert_uint_eq(csr(MHPMCOUNTER3), 77);
	ck_assert_uint_eq(csr(MHPMEVENT3), row->event | of);
	ck_assert_uint_eq(csr(MCOUNTINHIBIT), row->inhibit);
}

TEST(sessions_of_one_overflow_are_told_one_after_the_other)
{
	const Pmu__V1__Record *a, *b;
	Pmu__V1__Trace *t;

	begin("", NULL);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	for (uint32_t i = 1; i <= 2; i++) {
		act((struct ebb_act){ .what = EBB_OPEN, .freezes = true });
		add(i, i == 1 ? 9 : 4, 50); /* not by counters */
		simply(EBB_ENABLE, i);
		simply(EBB_UNMASK, i);
	}
	ck_assert(machine_resume(f.m, &error));
	run(SLICES);
	ck_assert_uint_eq(told(), 1);
	ck_assert_uint_eq(fixture_status(&f).ebb->number, 1);
	simply(EBB_RETURN, 1);
	ck_assert_uint_eq(told(), 2);
	ck_assert_uint_eq(fixture_status(&f).ebb->number, 2);
	t = fixture_trace(&f);
	a = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, 0);
	b = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, 1);
	ck_assert_uint_eq(a->ebb_delivery->session, 1);
	ck_assert_uint_eq(b->ebb_delivery->session, 2);
	ck_assert_uint_eq(a->cycle, b->cycle);
	fixture_free_trace(t);
}

/* After session 1 with counter 3 of 64 bits; nothing of it is enabled. */
static const struct refusal_row {
	const char *why;
	struct ebb_act act;
	const char *reason;
} refusals[] = {
	{ "no such session",
	  { .what = EBB_ENABLE, .session = 2 },
	  "NO_SUCH_SESSION" },
	{ "session 0", { .what = EBB_CLOSE }, "NO_SUCH_SESSION" },
	{ "another number",
	  { .what = EBB_OPEN, .session = 7 },
	  "NO_SUCH_SESSION" },
	{ "no act", { .what = EBB_UNKNOWN, .session = 1 }, "UNKNOWN_VALUE" },
	{ "cycle",
	  { .what = EBB_ADD,
	    .session = 1,
	    .counter = 0,
	    .event = INSNS,
	    .period = 1 },
	  "NO_SUCH_COUNTER" },
	{ "no counter",
	  { .what = EBB_ADD,
	    .session = 1,
	    .counter = 32,
	    .event = INSNS,
	    .period = 1 },
	  "NO_SUCH_COUNTER" },
	{ "twice",
	  { .what = EBB_ADD,
	    .session = 1,
	    .counter = 3,
	    .event = INSNS,
	    .period = 1 },
	  "BAD_VALUE" },
	{ "no event",
	  { .what = EBB_ADD,
	    .session = 1,
	    .counter = 4,
	    .event = 0,
	    .period = 1 },
	  "EVENT_NOT_COUNTED" },
	{ "with OF",
	  { .what = EBB_ADD,
	    .session = 1,
	    .counter = 4,
	    .event = INSNS | PMU_EVENT_OF,
	    .period = 1 },
	  "EVENT_NOT_COUNTED" },
	{ "no period",
	  { .what = EBB_ADD, .session = 1, .counter = 4, .event = INSNS },
	  "BAD_VALUE" },
	{ "not scheduled",
	  { .what = EBB_REARM, .session = 1, .counter = 3, .period = 1 },
	  "NOT_SCHEDULED" },
	{ "no handler runs",
	  { .what = EBB_RETURN, .session = 1 },
	  "WRONG_STATE" },
};

TEST_ROWS(what_cannot_be_done_is_refused_and_leaves_no_record, refusals)
{
	const struct refusal_row *row = &refusals[_i];
	size_t before;

	shows(RULE("C156"));
	begin("", NULL);
	run(1);
	act((struct ebb_act){ .what = EBB_OPEN });
	add(1, 3, 100);
	fixture_free_trace(fixture_trace(&f));
	before = buf_len(&f.bytes);
	ck_assert_msg(!input(row->act), "%s", row->why);
	ck_assert_str_eq(error.reason, row->reason);
	fixture_free_trace(fixture_trace(&f));
	ck_assert_uint_eq(buf_len(&f.bytes), before);
}

TEST(sessions_are_limited)
{
	begin("", NULL);
	run(1);
	for (uint32_t i = 1; i <= EBB_MAX_SESSIONS; i++)
		simply(EBB_OPEN, i);
	ck_assert(!input((struct ebb_act){ .what = EBB_OPEN }));
	ck_assert_str_eq(error.reason, "SESSIONS_LIMIT");
	simply(EBB_CLOSE, 5);
	simply(EBB_OPEN, EBB_MAX_SESSIONS + 1);
	simply(EBB_CLOSE, 6);
	simply(EBB_CLOSE, EBB_MAX_SESSIONS + 1);
	ck_assert(!input((struct ebb_act){ .what = EBB_CLOSE, .session = 6 }));
}

TEST(a_session_needs_counters_that_overflow)
{
	begin("sscofpmf=off", NULL);
	run(1);
	ck_assert(!input((struct ebb_act){ .what = EBB_OPEN }));
	ck_assert_str_eq(error.reason, "NO_OVERFLOW");
}

TEST(a_machine_that_has_not_started_has_no_sessions)
{
	const struct fixture_config cfg = { .m_mode = true };

	SCRIPT(loop_ops);
	fixture_init(&f, &cfg);
	ck_assert(!input((struct ebb_act){ .what = EBB_OPEN }));
	ck_assert_str_eq(error.reason, "WRONG_STATE");
}

/* What explain says who was last at each part of counter 3. */
static void says(const char *value, const char *event, const char *inhibit)
{
	const char *const want[] = { value, event, inhibit };
	struct explain x;
	unsigned n = 0;

	ck_assert(explain_counter(f.m, HART, 3, &x, &error));
	for (unsigned i = 0; i < x.n; i++) {
		if (strcmp(x.fact[i].topic, "origin") != 0)
			continue;
		ck_assert_uint_lt(n, ARRAY_SIZE(want));
		ck_assert_str_eq(x.fact[i].text, want[n++]);
	}
	ck_assert_uint_eq(n, ARRAY_SIZE(want));
}

/* What the session did at @cycle to @what. */
static const char *set(const char *what, uint64_t cycle)
{
	static char text[8][80];
	static unsigned n;
	char *ret = text[n++ % ARRAY_SIZE(text)];

	snprintf(ret, sizeof(text[0]),
		 "%s: set for EBB session 1, cycle %" PRIu64, what, cycle);
	return ret;
}

TEST(a_session_is_named_for_what_it_does_to_a_counter)
{
	const struct input inhibit = { .kind = INPUT_CSR_WRITE,
				       .csr_write = { MCOUNTINHIBIT, 1 << 3 } };
	const struct input write = { .kind = INPUT_CSR_WRITE,
				     .csr_write = { MHPMEVENT3 + 1, 0 } };
	uint64_t claimed, armed;

	shows(RULE("C152 C155"));
	begin("", NULL);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	ck_assert(machine_input(f.m, &inhibit, NULL, &error));
	ck_assert(machine_resume(f.m, &error));
	run(1);
	claimed = now();
	open_one(1, RELOADS, 1000000);
	says(set("value", claimed), set("event and filters", claimed),
	     set("mcountinhibit", claimed));
	run(1);
	ck_assert(machine_pause(f.m, &error));
	ck_assert(machine_input(f.m, &write, NULL, &error));
	armed = now();
	rearm(1, 3, 1000);
	ck_assert_uint_gt(armed, claimed);
	says(set("value", armed), set("event and filters", armed),
	     set("mcountinhibit", claimed));
	simply(EBB_UNMASK, 1);
	ck_assert(machine_input(f.m, &write, NULL, &error));
	ck_assert(machine_resume(f.m, &error));
	while (told() == 0)
		run(1);
	armed += 1000;
	says(set("value", armed), set("event and filters", armed),
	     set("mcountinhibit", claimed));
	simply(EBB_CLOSE, 1);
	says(set("value", now()), set("event and filters", now()),
	     set("mcountinhibit", now()));
}

SUITE("ebb-claims", .teardown = teardown);
