/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Explaining counters over the internal protocol: the sentences say what was
 * set, whether it counts, and who did it.
 */
#include <pmu/ebb-unit.h>
#include <pmu/rule.h>

#include "../../guests/common/csr-short.h"
#include "control-peer.h"

static void write_csr(uint32_t number, uint64_t value)
{
	Pmu__V1__WriteCsrRequest q = PMU__V1__WRITE_CSR_REQUEST__INIT;

	q.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	q.number = number;
	q.value = value;
	ck_assert_uint_eq(peer_call(&p, CALL(WriteCsr), &q.base)->code, OK);
}

static const struct peer_reply *explain(uint32_t hart, uint32_t index)
{
	Pmu__V1__ExplainCounterRequest q =
		PMU__V1__EXPLAIN_COUNTER_REQUEST__INIT;

	q.hart = hart;
	q.index = index;
	return peer_call(&p, CALL(ExplainCounter), &q.base);
}

static const Pmu__V1__Fact *find(const Pmu__V1__ExplainCounterResponse *r,
				 const char *text)
{
	for (size_t i = 0; i < r->n_facts; i++)
		if (strstr(r->facts[i]->text, text))
			return r->facts[i];
	return NULL;
}

#define MIE_BIT UINT64_C(8) /* of mstatus */
#define CDE	(UINT64_C(1) << 60)
#define MINH	(UINT64_C(1) << 62)
#define OF	(UINT64_C(1) << 63)

static const struct fact_row {
	const char *why, *rule;
	uint32_t index;
	uint32_t csr;
	uint64_t value;
	bool counts;
	const char *fact; /* one of them says this */
	const char *summary;
	bool hinders;	      /* that fact */
	uint64_t also;	      /* in menvcfg, before */
	const char *settings; /* besides those of all */
} fact_rows[] = {
	{ "a counter that counts", RULE("C107"), 3, MHPMEVENT + 3, 2, true,
	  "selects 0x2 (instructions)", "counter 3 of hart 0 counts now",
	  false },
	{ "no event", RULE("C120"), 3, MHPMEVENT + 3, 0, false, "no event",
	  "mhpmevent3 selects 0", true },
	{ "an unknown event", RULE("C178"), 3, MHPMEVENT + 3, 0x77, false,
	  "no event here", "selects 0x77", true },
	{ "an event that it cannot count", RULE("C178"), 4, MHPMEVENT + 4, 5,
	  false, "hpm-events", "cannot count", true },
	{ "an inhibited counter", RULE("C177"), 0, MCOUNTINHIBIT, 1, false,
	  "mcountinhibit[0] = 1", "it is stopped", true },
	{ "a filtered counter", RULE("C125"), 0, MCYCLECFG, MINH, false,
	  "M (now): MINH = 1, not counted", "MINH = 1", true },
	{ "OF by software", RULE("C107"), 3, MHPMEVENT + 3, OF | 2, true,
	  "OF = 1, set by software", "counts now", false },
	{ "the room to an overflow", RULE("C107"), 3, MHPMCOUNTER + 3,
	  UINT64_C(0) - 9, false, "overflows after 9 more", "no event", false },
	{ "who may read", RULE("C115"), 3, MCOUNTEREN, 0, false,
	  "a read from S is an illegal-instruction exception: mcounteren[3]",
	  "no event", false },
	{ "who may read, too", RULE("C115"), 3, MCOUNTEREN, UINT32_MAX, false,
	  "S may read it", "no event", false },
	{ "who wrote it", RULE("C178"), 3, MHPMEVENT + 3, 2, true,
	  "by a client through mhpmevent3", "counts now", false },
	{ "who may configure it", RULE("C128"), 3, MENVCFG, CDE, false,
	  "S-mode may configure it: siselect 0x43", "no event", false },
	{ "who may not", RULE("C128"), 3, MENVCFG, 0, false,
	  "may not configure it: menvcfg.CDE = 0", "no event", false },
	{ "who may not, by mcounteren", RULE("C128"), 3, MCOUNTEREN, 0, false,
	  "may not configure it: mcounteren[3] = 0", "no event", false,
	  .also = CDE },
	{ "who may not, by mstateen0", RULE("C171"), 3, MENVCFG, CDE, false,
	  "may not configure it: mstateen0.CSRIND = 0", "no event", false,
	  .settings = "smstateen=on" },
	{ "cycle", RULE("C127"), 0, MCOUNTEREN, 0, true, "fixed to cycles",
	  "counter 0 of hart 0 counts now", false },
	{ "time is no counter", RULE("C8"), 1, MCOUNTEREN, 0, false,
	  "the place of time", "does not count now", true },
	{ "a counter that is not there", RULE("C114"), 9, MCOUNTEREN, 0, false,
	  "has no counter 9", "does not count now", true },
};

TEST_ROWS(a_fact_is_a_sentence, fact_rows)
{
	const struct fact_row *row = &fact_rows[_i];
	const Pmu__V1__ExplainCounterResponse *r;
	const Pmu__V1__Fact *f;
	char settings[160];

	shows(row->rule);
	snprintf(settings, sizeof(settings),
		 "hpm-counters=0x18 hpm-events=instructions,cycles smcsrind=on "
		 "sscsrind=on smcdeleg=on ssccfg=on %s",
		 row->settings ? row->settings : "");
	paused(settings);
	write_csr(MCOUNTEREN, UINT32_MAX);
	write_csr(MENVCFG, row->also);
	write_csr(row->csr, row->value);
	ck_assert_uint_eq(explain(0, row->index)->code, OK);
	r = p.last.answer;
	ck_assert_msg(r->counts == row->counts, "%s: %s", row->why, r->summary);
	ck_assert_msg(strstr(r->summary, row->summary) != NULL, "%s: %s",
		      row->why, r->summary);
	f = find(r, row->fact);
	ck_assert_msg(f != NULL, "%s: '%s' is not said", row->why, row->fact);
	ck_assert_msg(f->hinders == row->hinders, "%s", row->why);
}

/* A claim takes the interrupt away, and explain says who has it instead. */
TEST(a_claimed_counter_alerts_its_user)
{
	const Pmu__V1__Fact *f;

	shows(RULE("C159"));
	paused("xpmuebb=on");
	write_csr(PMU_CSR_MEBBEN, 8);
	write_csr(PMU_CSR_SEBBOWN, 8);
	write_csr(MHPMEVENT + 3, 2);
	write_csr(MHPMCOUNTER + 3, UINT64_C(0) - 9);
	ck_assert_uint_eq(explain(0, 3)->code, OK);
	f = find(p.last.answer, "which sets OF and alerts nobody, for "
				"ebbctl.AE = 0");
	ck_assert_ptr_nonnull(f);
	write_csr(PMU_CSR_EBBCTL, 1);
	ck_assert_uint_eq(explain(0, 3)->code, OK);
	f = find(p.last.answer, "overflows after 9 more counts, which sets OF "
				"and alerts the user who claimed it");
	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->rule, "C159");
	ck_assert_ptr_null(find(p.last.answer, "raises LCOFI"));
}

/* What differs between fixed counters and others has rules of its own. */
TEST(a_fact_names_its_rule)
{
	static const struct {
		uint32_t index;
		const char *topic, *rule;
	} rows[] = {
		{ 0, "inhibit", "C177" },   { 3, "inhibit", "C177" },
		{ 0, "mode", "C125" },	    { 2, "mode", "C125" },
		{ 3, "mode", "C106" },	    { 31, "mode", "C106" },
		{ 2, "overflow", "C127" },  { 3, "overflow", "C107" },
		{ 3, "interrupt", "C111" },
	};

	paused("");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const Pmu__V1__ExplainCounterResponse *r;
		unsigned n = 0;

		ck_assert_uint_eq(explain(0, rows[i].index)->code, OK);
		r = p.last.answer;
		for (size_t k = 0; k < r->n_facts; k++) {
			if (strcmp(r->facts[k]->topic, rows[i].topic) != 0)
				continue;
			ck_assert_str_eq(r->facts[k]->rule, rows[i].rule);
			n++;
		}
		ck_assert_uint_gt(n, 0);
	}
}

TEST(who_takes_the_interrupt_is_said)
{
	static const struct {
		uint32_t csr;
		const char *goes_to;
	} steps[] = {
		{ 0, "mideleg[13] = 0: it goes to M" },
		{ MIDELEG, "mideleg[13] = 1: it goes to S" },
		{ HIDELEG, "hideleg[13] = 1: it goes to VS" },
	};

	paused("h=on shlcofideleg=on");
	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
		if (steps[i].csr)
			write_csr(steps[i].csr, 1u << 13);
		ck_assert_uint_eq(explain(0, 3)->code, OK);
		ck_assert_msg(find(p.last.answer, steps[i].goes_to) != NULL,
			      "'%s' is not said", steps[i].goes_to);
	}
}

/* The hart spins in M-mode. */
static const struct irq_row {
	const char *why, *rule;
	uint32_t mideleg, mie, mip;
	uint64_t mstatus;
	const char *fact;
} irq_rows[] = {
	{ "nothing pending, all open", RULE("C111"), 0, 1, 0, MIE_BIT,
	  "is not pending; mideleg[13] = 0: it goes to M; nothing would keep" },
	{ "pending, mie clear", RULE("C111"), 0, 0, 1, MIE_BIT,
	  "is pending; mideleg[13] = 0: it goes to M; mie.LCOFIE = 0 keeps" },
	{ "pending, MIE clear", RULE("C111"), 0, 1, 1, 0,
	  "mstatus.MIE = 0 keeps it back" },
	{ "both clear", RULE("C111"), 0, 0, 1, 0,
	  "mie.LCOFIE = 0 and mstatus.MIE = 0 keeps it back" },
	{ "delegated, in M", RULE("C111"), 1, 1, 1, MIE_BIT,
	  "it goes to S; the hart being in M keeps it back" },
	{ "delegated and sie clear, in M", RULE("C111"), 1, 0, 0, MIE_BIT,
	  "sie.LCOFIE = 0 and the hart being in M would keep it back" },
};

TEST_ROWS(what_keeps_the_interrupt_back_is_named, irq_rows)
{
	const struct irq_row *row = &irq_rows[_i];

	shows(row->rule);
	paused("");
	write_csr(MIDELEG, row->mideleg << 13);
	write_csr(MIE, row->mie << 13);
	write_csr(MIP, row->mip << 13);
	write_csr(MSTATUS, row->mstatus);
	ck_assert_uint_eq(explain(0, 3)->code, OK);
	ck_assert_msg(find(p.last.answer, row->fact) != NULL,
		      "%s: '%s' is not said", row->why, row->fact);
}

TEST(without_sscofpmf_there_is_no_overflow)
{
	const Pmu__V1__ExplainCounterResponse *r;

	shows(RULE("C110"));
	paused("sscofpmf=off");
	ck_assert_uint_eq(explain(0, 3)->code, OK);
	r = p.last.answer;
	ck_assert_ptr_nonnull(find(r, "without Sscofpmf there is no OF"));
	ck_assert_ptr_null(find(r, "OF = 0"));
	ck_assert_ptr_null(find(r, "LCOFI"));
	ck_assert_ptr_nonnull(find(r, "no filter"));
}

TEST(what_is_not_there_is_said)
{
	paused("");
	ck_assert_uint_eq(explain(2, 3)->code, INVALID);
	ck_assert_uint_eq(explain(0, 32)->code, NOT_FOUND);
	ck_assert_uint_eq(explain(0, UINT32_MAX)->code, NOT_FOUND);
	ck_assert_uint_eq(explain(1, 31)->code, OK);
}

TEST(before_the_start_there_is_nothing)
{
	SCRIPT(spin_ops);
	loaded("");
	ck_assert_uint_eq(explain(0, 3)->code, PRECONDITION);
}

SUITE("control-explain", .test_case = "explain", .teardown = teardown);
