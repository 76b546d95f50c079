/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol of a machine with firmware: SBI calls from outside, and
 * what is told of the counters that they configure.
 */
#include <pmu/rule.h>

#include "../../guests/common/csr-short.h"
#include "control-peer.h"
#include "core/machine.h"
#include "settings/settings.h"

enum {
	PMU_EID = 0x504d55,
	MATCHING = 2,
	START = 3,
	STOP = 4,
	BRANCHES = 5,	    /* an SBI event, general */
	FW_ACCESS_LOAD = 2, /* the same of type 15 */
	FW_TYPE = 0xf0000,
	FIRMWARE_INDEX = 32, /* the first of the firmware's counters */
	HINDERS = 1,
};

#define OF (UINT64_C(1) << 63)

static void begin(const char *settings)
{
	static const uint8_t image[8];

	SCRIPT(spin_ops);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 2, false, settings), OK);
	ck_assert_uint_eq(peer_load(&p, image, sizeof(image), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
}

static const Pmu__V1__CallSbiResponse *sbi(uint64_t fid, const uint64_t *args,
					   size_t n)
{
	Pmu__V1__CallSbiRequest q = PMU__V1__CALL_SBI_REQUEST__INIT;

	q.eid = PMU_EID;
	q.fid = fid;
	q.args = (uint64_t *)args;
	q.n_args = n;
	ck_assert_uint_eq(peer_call(&p, CALL(CallSbi), &q.base)->code, OK);
	return p.last.answer;
}

#define SBI(fid, ...)                                                          \
	sbi(fid, (const uint64_t[]){ __VA_ARGS__ },                            \
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static const Pmu__V1__ExplainCounterResponse *explain(uint32_t index)
{
	Pmu__V1__ExplainCounterRequest q =
		PMU__V1__EXPLAIN_COUNTER_REQUEST__INIT;

	q.index = index;
	ck_assert_uint_eq(peer_call(&p, CALL(ExplainCounter), &q.base)->code,
			  OK);
	return p.last.answer;
}

static const Pmu__V1__Fact *fact(const Pmu__V1__ExplainCounterResponse *r,
				 const char *text)
{
	for (size_t i = 0; i < r->n_facts; i++)
		if (strstr(r->facts[i]->text, text))
			return r->facts[i];
	ck_abort_msg("'%s' is not said", text);
}

/* Its first fact of a topic. */
static const Pmu__V1__Fact *of_topic(const Pmu__V1__ExplainCounterResponse *r,
				     const char *topic)
{
	for (size_t i = 0; i < r->n_facts; i++)
		if (strcmp(r->facts[i]->topic, topic) == 0)
			return r->facts[i];
	return NULL;
}

static unsigned count_of(const Pmu__V1__ExplainCounterResponse *r,
			 const char *topic)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n_facts; i++)
		n += strcmp(r->facts[i]->topic, topic) == 0;
	return n;
}

TEST(a_counter_says_which_call_configured_it)
{
	const Pmu__V1__ExplainCounterResponse *r;

	begin("");
	r = explain(3);
	ck_assert_str_eq(of_topic(r, "SBI")->text,
			 "no SBI call has configured it");
	ck_assert_str_eq(of_topic(r, "SBI")->rule, "C54");
	ck_assert_ptr_null(of_topic(r, "map"));
	ck_assert_int_eq(SBI(MATCHING, 0, 8, 0, BRANCHES)->error, 0);
	r = explain(3);
	ck_assert_str_eq(of_topic(r, "SBI")->text,
			 "configured for event_idx 0x5 (event_data 0x0, flags "
			 "0x0), stopped");
	ck_assert_str_eq(of_topic(r, "SBI")->rule, "C26");
	ck_assert(!r->counts);
	ck_assert_int_eq(SBI(START, 3, 1, 1, 77)->error, 0);
	r = explain(3);
	ck_assert_ptr_nonnull(fact(r, "flags 0x0), started"));
	ck_assert_ptr_nonnull(fact(r, "value: set by the firmware's "));
	ck_assert_ptr_nonnull(
		fact(r, "event and filters: set by the firmware's "));
	ck_assert_ptr_nonnull(fact(r, "mcountinhibit: set by the firmware's "));
	ck_assert_uint_eq(count_of(r, "origin"), 3); /* one of each */
}

/* Which row of the tree gave it the event. */
TEST(a_counter_says_which_row_it_has_its_event_from)
{
	const Pmu__V1__Fact *f;

	begin("");
	ck_assert_int_eq(SBI(MATCHING, 0, 8, 0, BRANCHES)->error, 0);
	f = of_topic(explain(3), "map");
	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->rule, "C101");
	ck_assert_msg(strstr(f->text, "of riscv,event-to-mhpmcounters in /pmu "
				      "of the device tree gives it the event"),
		      "%s", f->text);
	ck_assert(!strncmp(f->text, "row ", 4));
}

/* What the firmware counts has no CSR, and nothing of one is said. */
TEST(a_counter_of_the_firmware_is_explained)
{
	const Pmu__V1__ExplainCounterResponse *r;

	begin("");
	r = explain(FIRMWARE_INDEX);
	ck_assert(!r->counts);
	ck_assert_str_eq(r->summary, "counter 32 of hart 0 does not count now: "
				     "no SBI call has configured it");
	ck_assert_str_eq(r->facts[0]->text,
			 "32 is a firmware counter of hart 0: read by SBI "
			 "calls, no CSR");
	ck_assert(!r->facts[0]->hinders && r->facts[HINDERS]->hinders);
	ck_assert_ptr_null(of_topic(r, "event"));
	ck_assert_int_eq(
		SBI(MATCHING, FIRMWARE_INDEX, 1, 0, FW_TYPE | FW_ACCESS_LOAD)
			->error,
		0);
	r = explain(FIRMWARE_INDEX);
	ck_assert(!r->counts && r->facts[HINDERS]->hinders);
	ck_assert_ptr_nonnull(fact(r, "flags 0x0), stopped"));
	ck_assert(strstr(of_topic(r, "event")->text, "while it is started: "));
	ck_assert_int_eq(SBI(START, FIRMWARE_INDEX, 1, 0)->error, 0);
	r = explain(FIRMWARE_INDEX);
	ck_assert(r->counts);
	ck_assert_str_eq(r->summary, "counter 32 of hart 0 counts now");
	ck_assert(!r->facts[HINDERS]->hinders);
	ck_assert_ptr_nonnull(fact(r, "it wraps after 2^64"));
	ck_assert_str_eq(of_topic(r, "overflow")->rule, "C82");
	ck_assert_int_eq(SBI(STOP, FIRMWARE_INDEX, 1, 0)->error, 0);
	ck_assert(!explain(FIRMWARE_INDEX)->counts);
}

/* All of the reasons, the first one, too. */
TEST(the_summary_has_what_hinders)
{
	begin("");
	ck_assert_str_eq(explain(1)->summary,
			 "counter 1 of hart 0 does not count now: 1 is the "
			 "place of time, which is no counter");
}

static const Pmu__V1__Counter *counter(uint32_t hart, uint32_t index)
{
	const Pmu__V1__ListCountersResponse *r;

	ck_assert_uint_eq(peer_simple(&p, CALL(ListCounters)), OK);
	r = p.last.answer;
	for (size_t i = 0; i < r->n_counters; i++)
		if (r->counters[i]->hart == hart &&
		    r->counters[i]->index == index)
			return r->counters[i];
	ck_abort_msg("no counter %u", index);
}

TEST(a_counter_is_listed_with_what_it_counts)
{
	Pmu__V1__WriteCsrRequest q = PMU__V1__WRITE_CSR_REQUEST__INIT;
	const Pmu__V1__Counter *n;

	begin("");
	ck_assert_str_eq(counter(0, 0)->event, "cycles");
	ck_assert_str_eq(counter(0, 2)->event, "instructions");
	ck_assert_str_eq(counter(0, 3)->event, "");
	ck_assert_int_eq(SBI(MATCHING, 0, 8, 0, BRANCHES)->error, 0);
	n = counter(0, 3);
	ck_assert_str_eq(n->event, "branches");
	ck_assert(n->mapped && !n->started && n->inhibited && !n->overflow);
	ck_assert_uint_eq(n->event_idx, BRANCHES);
	ck_assert_str_eq(counter(1, 3)->event, "");
	q.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	q.number = MHPMEVENT3;
	q.value = counter(0, 3)->config | OF;
	ck_assert_uint_eq(peer_call(&p, CALL(WriteCsr), &q.base)->code, OK);
	ck_assert(counter(0, 3)->overflow);
	ck_assert(!counter(0, 2)->overflow);
	n = counter(0, FIRMWARE_INDEX);
	ck_assert(n->firmware && !n->mapped);
	ck_assert_str_eq(n->event, "");
	ck_assert_int_eq(
		SBI(MATCHING, FIRMWARE_INDEX, 1, 0, FW_TYPE | FW_ACCESS_LOAD)
			->error,
		0);
	ck_assert_str_eq(counter(0, FIRMWARE_INDEX)->event, "fw_access_load");
	ck_assert(!counter(0, 3)->firmware);
}

TEST(totals_are_of_what_was_done)
{
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	const Pmu__V1__ReadTotalsResponse *r;
	uint64_t of_s = 0, of_others = 0;

	begin("");
	step.insns = 6;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &step.base)->code,
			  OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(ReadTotals)), OK);
	r = p.last.answer;
	for (size_t i = 0; i < r->n_totals; i++) {
		if (strcmp(r->totals[i]->event, "instructions") != 0)
			continue;
		if (r->totals[i]->hart == 0 &&
		    r->totals[i]->privilege == PMU__V1__PRIVILEGE__PRIVILEGE_S)
			of_s += r->totals[i]->value;
		else
			of_others += r->totals[i]->value;
	}
	ck_assert_uint_eq(of_s, 6);
	ck_assert_uint_eq(of_others, 0);
}

/* What is refused */

TEST_TIMES(a_call_has_so_many_arguments, 2)
{
	uint64_t args[7] = { 0 };
	Pmu__V1__CallSbiRequest q = PMU__V1__CALL_SBI_REQUEST__INIT;

	begin("");
	q.eid = 0x10;
	q.args = args;
	q.n_args = 6 + (size_t)_i;
	ck_assert_uint_eq(peer_call(&p, CALL(CallSbi), &q.base)->code,
			  _i ? INVALID : OK);
	if (_i) {
		ck_assert_str_eq(p.last.text, "args: must be at most 6, not 7");
		ck_assert_str_eq(p.last.field, "args");
		ck_assert_str_eq(p.last.reason, "TOO_MANY");
	}
}

/* Neither is set where one of both is refused. */
TEST(a_bad_watchpoint_leaves_the_breakpoints)
{
	uint64_t pc = BASE + 4, far = BASE + 4000;
	Pmu__V1__SetBreakpointsRequest q =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	Pmu__V1__Watchpoint bad = PMU__V1__WATCHPOINT__INIT, *list = &bad;

	begin("");
	q.pcs = &pc;
	q.n_pcs = 1;
	ck_assert_uint_eq(peer_call(&p, CALL(SetBreakpoints), &q.base)->code,
			  OK);
	bad.address = 0x1000;
	bad.bytes = 8;
	q.watchpoints = &list;
	q.n_watchpoints = 1;
	q.pcs = &far;
	ck_assert_uint_eq(peer_call(&p, CALL(SetBreakpoints), &q.base)->code,
			  INVALID);
	ck_assert_str_eq(p.last.text,
			 "watchpoints: neither loads nor stores at 0x1000");
	ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), OK);
	peer_wait_state(&p, STATE(RUNNING));
	ck_assert_int_eq(peer_wait_state(&p, STATE(PAUSED))->cause,
			 CAUSE(BREAKPOINT));
}

TEST(each_watchpoint_is_looked_at)
{
	Pmu__V1__SetBreakpointsRequest q =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	Pmu__V1__Watchpoint good = PMU__V1__WATCHPOINT__INIT, bad = good;
	Pmu__V1__Watchpoint *list[3] = { &good, &good, &bad };

	begin("");
	good.address = 0x1000;
	bad.address = 0x2000;
	good.bytes = bad.bytes = 8;
	good.loads = true;
	q.watchpoints = list;
	for (q.n_watchpoints = 1; q.n_watchpoints < 3; q.n_watchpoints++)
		ck_assert_uint_eq(
			peer_call(&p, CALL(SetBreakpoints), &q.base)->code, OK);
	ck_assert_uint_eq(peer_call(&p, CALL(SetBreakpoints), &q.base)->code,
			  INVALID);
	ck_assert_str_eq(p.last.text,
			 "watchpoints: neither loads nor stores at 0x2000");
}

static unsigned configure(const char *key, const char *value,
			  const char *bootargs)
{
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT, *list = &setting;
	Pmu__Internal__ConfigureRequest q =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;

	setting.key = (char *)key;
	setting.value = (char *)value;
	cfg.settings = &list;
	cfg.n_settings = 1;
	cfg.harts = 1;
	cfg.memory_bytes = 4 << 20;
	cfg.bootargs = (char *)bootargs;
	q.config = &cfg;
	peer_start(&p, NULL);
	return peer_call(&p, CALL(Configure), &q.base)->code;
}

TEST_TIMES(bootargs_have_a_limit, 2)
{
	static char text[8192];
	const size_t most = sizeof(((struct machine_config *)0)->bootargs) - 1;
	char why[96];

	ck_assert_uint_lt(most, sizeof(text) - 1);
	memset(text, 'x', most + (size_t)_i);
	ck_assert_uint_eq(configure("cpi", "1", text), _i ? INVALID : OK);
	if (!_i)
		return;
	snprintf(why, sizeof(why),
		 "bootargs: must be at most %zu bytes, not %zu", most,
		 most + 1);
	ck_assert_str_eq(p.last.text, why);
	ck_assert_str_eq(p.last.reason, "BAD_SIZE");
}

static const char *seed_of(const Pmu__V1__Header *h)
{
	for (size_t i = 0; i < h->config->n_settings; i++)
		if (strcmp(h->config->settings[i]->key, "rng-seed") == 0)
			return h->config->settings[i]->value;
	return "";
}

/* From then on it is a setting, and another one each time. */
TEST(a_random_seed_is_drawn_once)
{
	char first[1024];

	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(configure("rng-seed", "random", ""), OK);
		ck_assert_uint_eq(peer_simple(&p, CALL(SetRecording)), OK);
		ck_assert_uint_eq(strlen(seed_of(peer_header(&p))),
				  2 * SETTINGS_SEED_DRAWN);
		if (i)
			ck_assert_str_ne(seed_of(peer_header(&p)), first);
		else
			strcpy(first, seed_of(peer_header(&p)));
		if (!i)
			peer_end(&p);
	}
}

SUITE("control-sbi", .timeout = 60, .teardown = teardown);
