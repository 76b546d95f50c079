/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Explaining a counter: each reason why it does not count, each register that
 * keeps a mode from reading it, and who changed it last.
 */
#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>
#include <pmu/explain.h>
#include <pmu/rule.h>

#include "../../guests/common/csr-short.h"
#include "hart-state.h"
#include "unit.h"

static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };
static struct pmu_hart *h;

static void setup(void)
{
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_XPMUEBB;
	cfg.hpm_mask = 0xf8;
	cfg.hpm_width[4] = 12;
	cfg.hpm_events[5] = 1u << PMU_EV_CYCLES;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
}

static void teardown(void)
{
	pmu_hart_free(h);
}

static void poke(uint16_t num, uint64_t value)
{
	unsigned effects = 0;

	ck_assert_int_eq(pmu_csr_poke(h, num, 0, value, &effects), 0);
}

static uint64_t peek(uint16_t num)
{
	uint64_t value;

	ck_assert_int_eq(pmu_csr_peek(h, num, 0, &value), 0);
	return value;
}

#define INSNS UINT64_C(2)

static const struct count_row {
	const char *why, *rule;
	unsigned n;
	uint64_t event;
	uint32_t inhibit;
	enum pmu_mode mode;
	bool exists, known, can, counts, raises;
} count_rows[] = {
	{ "a counter that counts and will overflow", RULE("C107"), 3, INSNS, 0,
	  PMU_MODE_S, true, true, true, true, true },
	{ "cycle never raises", RULE("C127"), 0, 0, 0, PMU_MODE_S, true, true,
	  true, true, false },
	{ "a fixed counter that does not exist", RULE("C8"), 1, 0, 0,
	  PMU_MODE_S, false, false, false, false, false },
	{ "a counter that this hart lacks", RULE("C114"), 8, INSNS, 0,
	  PMU_MODE_S, false, false, false, false, false },
	{ "no counter at all", RULE("C114"), 32, 0, 0, PMU_MODE_S, false, false,
	  false, false, false },
	{ "inhibited", RULE("C177"), 3, INSNS, 8, PMU_MODE_S, true, true, true,
	  false, false },
	{ "filtered in this mode", RULE("C177"), 3, INSNS | PMU_EVENT_SINH, 0,
	  PMU_MODE_S, true, true, true, false, false },
	{ "filtered in another mode", RULE("C177"), 3, INSNS | PMU_EVENT_SINH,
	  0, PMU_MODE_U, true, true, true, true, true },
	{ "no event", RULE("C120"), 3, 0, 0, PMU_MODE_S, true, false, false,
	  false, false },
	{ "an event that nobody knows", RULE("C178"), 3, 0x1234, 0, PMU_MODE_S,
	  true, false, false, false, false },
	{ "an event of other counters", RULE("C178"), 5, INSNS, 0, PMU_MODE_S,
	  true, true, false, false, false },
	{ "OF is set already", RULE("C107"), 3, INSNS | PMU_EVENT_OF, 0,
	  PMU_MODE_S, true, true, true, true, false },
};

TEST_ROWS(why_a_counter_counts_or_not, count_rows)
{
	const struct count_row *row = &count_rows[_i];
	struct pmu_why why;

	shows(row->rule);
	pmu_counter_set_event(h, row->n, row->event);
	pmu_counter_set_inhibit(h, row->inhibit);
	pmu_hart_set_mode(h, row->mode);
	pmu_counter_explain(h, row->n, &why);
	ck_assert_msg(why.exists == row->exists, "%s: exists", row->why);
	ck_assert_msg(why.known == row->known, "%s: known", row->why);
	ck_assert_msg(why.can == row->can, "%s: can", row->why);
	ck_assert_msg(why.counts == row->counts, "%s: counts", row->why);
	ck_assert_msg(why.raises == row->raises, "%s: raises", row->why);
	ck_assert_msg(why.inhibited == ((uint64_t)row->inhibit >> row->n & 1),
		      "%s", row->why);
	ck_assert_msg(why.config == (row->exists ? row->event : 0),
		      "%s: config", row->why);
}

static const struct delivery_row {
	const char *why, *rule;
	uint64_t claimed;
	enum pmu_delivery delivery;
	bool raises;
} delivery_rows[] = {
	{ "nobody's", RULE("C107"), 0, PMU_DELIVER_LCOFI, true },
	{ "a user's, who claimed it", RULE("C159"), 8, PMU_DELIVER_LCOFI,
	  false },
	{ "a client's outside", RULE("C159"), 0, PMU_DELIVER_HELD, false },
	{ "an observer's", RULE("C159"), 0, PMU_DELIVER_OBSERVER, false },
};

TEST_ROWS(a_counter_raises_for_nobody_else, delivery_rows)
{
	const struct delivery_row *row = &delivery_rows[_i];
	struct pmu_overflow o[PMU_N_COUNTERS];
	struct pmu_progress one = { .n[PMU_EV_INSNS] = 1 };
	struct pmu_why why;

	shows(row->rule);
	poke(PMU_CSR_MEBBEN, 8);
	poke(PMU_CSR_SEBBOWN, row->claimed);
	ck_assert_int_eq(pmu_counter_set_delivery(h, 3, row->delivery), 0);
	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_counter_explain(h, 3, &why);
	ck_assert_msg(why.raises == row->raises, "%s", row->why);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, o), 1);
	ck_assert_msg(o[0].raised == row->raises, "%s: then", row->why);
}

static const struct freeze_row {
	const char *why, *rule;
	uint64_t claimed;
	uint16_t csr; /* that has @value */
	uint64_t value;
	const char *by, *field;
} freeze_rows[] = {
	{ "claimed alone", RULE("ebb_freeze"), 8, PMU_CSR_EBBCTL, 0, NULL,
	  NULL },
	{ "an alert froze", RULE("ebb_freeze"), 8, PMU_CSR_EBBCTL,
	  PMU_EBBCTL_FC, "ebbctl", "FC" },
	{ "the kernel did", RULE("ebb_freeze"), 8, PMU_CSR_SEBBCS,
	  PMU_SEBBCS_FZ, "sebbcs", "FZ" },
	{ "the user did", RULE("ebb_user_freeze"), 8, PMU_CSR_EBBFRZ, 8,
	  "ebbfrz", NULL },
	{ "the user froze another", RULE("ebb_user_freeze"), 0x18,
	  PMU_CSR_EBBFRZ, 0x10, NULL, NULL },
	{ "not claimed, all others are frozen", RULE("ebb_freeze"), 0x10,
	  PMU_CSR_SEBBCS, PMU_SEBBCS_FZ, NULL, NULL },
};

/* What is said is what the counter then does. */
TEST_ROWS(what_freezes_a_claimed_counter, freeze_rows)
{
	const struct freeze_row *row = &freeze_rows[_i];
	struct pmu_progress one = { .n[PMU_EV_INSNS] = 1 };
	struct pmu_why why;

	shows(row->rule);
	poke(PMU_CSR_MEBBEN, 0x18);
	poke(PMU_CSR_SEBBOWN, row->claimed);
	pmu_counter_set_event(h, 3, INSNS);
	poke(row->csr, row->value);
	pmu_counter_explain(h, 3, &why);
	ck_assert_msg(why.claimed == (row->claimed >> 3 & 1), "%s", row->why);
	ck_assert_msg(!row->by == !why.frozen_by &&
			      (!row->by || !strcmp(row->by, why.frozen_by)),
		      "%s: by %s", row->why, why.frozen_by);
	ck_assert_msg(
		!row->field == !why.frozen_field &&
			(!row->field || !strcmp(row->field, why.frozen_field)),
		"%s: %s", row->why, why.frozen_field);
	ck_assert_msg(why.counts == !row->by, "%s", row->why);
	pmu_hart_advance(h, &one);
	ck_assert_msg(pmu_counter_get(h, 3) == !row->by, "%s", row->why);
}

/* The counter is about to wrap. */
TEST_ROWS(it_raises_where_it_says, count_rows)
{
	const struct count_row *row = &count_rows[_i];
	struct pmu_overflow o[PMU_N_COUNTERS];
	struct pmu_progress one = { .n[PMU_EV_INSNS] = 1 };
	struct pmu_why why;

	pmu_counter_set_event(h, row->n, row->event);
	pmu_counter_set_inhibit(h, row->inhibit);
	pmu_counter_set(h, row->n, UINT64_MAX);
	for (int m = PMU_MODE_M; m <= PMU_MODE_U; m++) {
		bool raised;

		pmu_hart_set_mode(h, (enum pmu_mode)m);
		poke(MIP, 0);
		pmu_counter_explain(h, row->n, &why);
		pmu_hart_advance(h, &one);
		raised = pmu_hart_take_overflows(h, o) && o[0].raised;
		ck_assert_msg(why.raises == raised, "%s: mode %d", row->why, m);
		/* and once more */
		pmu_counter_set_event(h, row->n, row->event);
		pmu_counter_set(h, row->n, UINT64_MAX);
	}
}

/* The explanation is what a hart then does. */
TEST_ROWS(it_counts_in_the_modes_that_it_says, count_rows)
{
	const struct count_row *row = &count_rows[_i];
	struct pmu_progress one = { .n[PMU_EV_INSNS] = 1 };
	struct pmu_why before, after;

	pmu_counter_set_event(h, row->n, row->event);
	pmu_counter_set_inhibit(h, row->inhibit);
	for (int m = PMU_MODE_M; m <= PMU_MODE_U; m++) {
		pmu_hart_set_mode(h, (enum pmu_mode)m);
		pmu_counter_explain(h, row->n, &before);
		pmu_hart_advance(h, &one);
		pmu_counter_explain(h, row->n, &after);
		ck_assert_msg((after.value != before.value) ==
				      before.mode[m].counts,
			      "%s: mode %d", row->why, m);
		ck_assert_msg(!before.known ||
				      after.mode[m].happened ==
					      before.mode[m].happened + 1,
			      "%s: mode %d", row->why, m);
	}
}

static const struct read_row {
	const char *why, *rule;
	uint32_t mcounteren, scounteren;
	const char *s, *u; /* who denies; NULL: allowed */
} read_rows[] = {
	{ "all open", RULE("C115"), 8, 8, NULL, NULL },
	{ "scounteren closes U", RULE("C115"), 8, 0, NULL, "scounteren" },
	{ "mcounteren closes both", RULE("C115"), 0, 8, "mcounteren",
	  "mcounteren" },
};

static void assert_denied(const struct pmu_why_mode *m, const char *want,
			  const char *why)
{
	ck_assert_msg((m->reads == PMU_CSR_OK) == !want, "%s", why);
	if (want)
		ck_assert_msg(m->denied_by && !strcmp(m->denied_by, want),
			      "%s: %s", why, m->denied_by);
	else
		ck_assert_ptr_null(m->denied_by);
}

TEST_ROWS(who_denies_a_read, read_rows)
{
	const struct read_row *row = &read_rows[_i];
	struct pmu_why why;

	shows(row->rule);
	poke(MCOUNTEREN, row->mcounteren);
	poke(SCOUNTEREN, row->scounteren);
	pmu_counter_explain(h, 3, &why);
	assert_denied(&why.mode[PMU_MODE_M], NULL, row->why);
	assert_denied(&why.mode[PMU_MODE_S], row->s, row->why);
	assert_denied(&why.mode[PMU_MODE_U], row->u, row->why);
	ck_assert(!why.mode[PMU_MODE_VS].exists);
}

TEST(the_room_to_the_overflow_is_exact)
{
	struct pmu_why why;

	pmu_counter_set_event(h, 4, INSNS);
	pmu_counter_set(h, 4, 0xff0);
	pmu_counter_explain(h, 4, &why);
	ck_assert_uint_eq(why.width, 12);
	ck_assert_uint_eq(why.to_overflow, 16);
	ck_assert(!why.of);
	pmu_hart_advance(h, &(struct pmu_progress){ .n[PMU_EV_INSNS] = 16 });
	pmu_counter_explain(h, 4, &why);
	ck_assert(why.of && why.hw_of);
	ck_assert_uint_eq(why.value, 0);
}

/* csrw mhpmevent4, x1 = 0x32409073 */
TEST(the_last_author_is_remembered)
{
	const struct pmu_exec_in in = {
		.pc = 0x80000040, .insn = 0x32409073, .rs1 = 2, .now = 77
	};
	const struct pmu_origin sbi = {
		.by = PMU_BY_FIRMWARE, .eid = 0x504d55, .fid = 3, .cycle = 99
	};
	struct pmu_exec_out out;
	struct pmu_origin by = pmu_counter_origin(h, 4, PMU_CHANGE_EVENT);

	ck_assert_int_eq(by.by, PMU_BY_RESET);
	pmu_exec(h, &in, &out);
	by = pmu_counter_origin(h, 4, PMU_CHANGE_EVENT);
	ck_assert_int_eq(by.by, PMU_BY_GUEST);
	ck_assert_int_eq(by.mode, PMU_MODE_M);
	ck_assert_uint_eq(by.csr, 0x324);
	ck_assert_uint_eq(by.pc, 0x80000040);
	ck_assert_uint_eq(by.cycle, 77);
	pmu_hart_author(h, &sbi);
	pmu_counter_set(h, 4, 5);
	pmu_counter_set_inhibit(h, 0x10);
	by = pmu_counter_origin(h, 4, PMU_CHANGE_VALUE);
	ck_assert_int_eq(by.by, PMU_BY_FIRMWARE);
	ck_assert_uint_eq(by.fid, 3);
	by = pmu_counter_origin(h, 4, PMU_CHANGE_INHIBIT);
	ck_assert_uint_eq(by.cycle, 99);
	by = pmu_counter_origin(h, 3, PMU_CHANGE_INHIBIT);
	ck_assert_int_eq(by.by, PMU_BY_RESET);
	by = pmu_counter_origin(h, 4, PMU_CHANGE_EVENT);
	ck_assert_int_eq(by.by, PMU_BY_GUEST);
	by = pmu_counter_origin(h, 99, PMU_CHANGE_EVENT);
	ck_assert_int_eq(by.by, PMU_BY_RESET);
}

static const struct space_row {
	const char *why;
	enum pmu_mode mode;
	uint64_t satp, sscratch;
} space_rows[] = {
	{ "a user", PMU_MODE_U, UINT64_C(8) << 60 | 0x123, 0x1000 },
	{ "a user of a guest", PMU_MODE_VU, UINT64_C(8) << 60 | 0x456, 0x2000 },
	{ "a kernel", PMU_MODE_S, 0, 0 },
	{ "a guest's kernel", PMU_MODE_VS, 0, 0 },
	{ "M-mode", PMU_MODE_M, 0, 0 },
};

/* csrw ebbctr3, x1 = 0x82309073; a user was there before. */
TEST_ROWS(an_author_has_its_address_space, space_rows)
{
	const struct space_row *row = &space_rows[_i];
	const struct pmu_exec_in in = { .insn = 0x82309073, .rs1 = 2 };
	struct pmu_exec_out out;
	struct pmu_hart_config cfg;
	struct pmu_origin by;

	pmu_hart_free(h);
	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_XPMUEBB | PMU_EXT_H;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	poke(PMU_CSR_MEBBEN, 8);
	poke(PMU_CSR_HEBBEN, 8);
	poke(PMU_CSR_SEBBOWN, 8);
	poke(PMU_CSR_SEBBCS, PMU_SEBBCS_UE);
	poke(PMU_CSR_SATP, UINT64_C(8) << 60 | 0x123);
	poke(PMU_CSR_SSCRATCH, 0x1000);
	poke(PMU_CSR_VSATP, UINT64_C(8) << 60 | 0x456);
	poke(PMU_CSR_VSSCRATCH, 0x2000);
	pmu_hart_set_mode(h, PMU_MODE_U);
	pmu_exec(h, &in, &out);
	pmu_hart_set_mode(h, row->mode);
	pmu_exec(h, &in, &out);
	/* what comes then is no matter */
	poke(PMU_CSR_SATP, UINT64_C(8) << 60 | 0x789);
	by = pmu_counter_origin(h, 3, PMU_CHANGE_VALUE);
	ck_assert_int_eq(by.by, PMU_BY_GUEST);
	ck_assert_int_eq(by.mode, row->mode);
	ck_assert_msg(by.satp == row->satp && by.sscratch == row->sscratch,
		      "%s", row->why);
}

/* Every state of what decides about the interrupt of overflows. */
enum {
	PENDING = 1,
	ENABLED = 2,
	DELEGATED = 4,
	TO_GUEST = 8,
	M_OPEN = 16,
	S_OPEN = 32,
	VS_OPEN = 64,
	IRQ_STATES = 128,
};
#define LCOFI (UINT64_C(1) << 13)

static void set_irq(unsigned bits, enum pmu_mode mode)
{
	pmu_hart_set_mode(h, mode);
	poke(MIDELEG, bits & DELEGATED ? LCOFI : 0);
	poke(HIDELEG, bits & TO_GUEST ? LCOFI : 0);
	poke(MIE, bits & ENABLED ? LCOFI : 0);
	poke(MIP, bits & PENDING ? LCOFI : 0);
	poke(MSTATUS, (bits & M_OPEN ? 8 : 0) | (bits & S_OPEN ? 2 : 0));
	poke(VSSTATUS, bits & VS_OPEN ? 2 : 0);
}

/* Who takes it where nothing keeps it from anybody. */
static enum pmu_mode taker(void)
{
	enum pmu_mode mode = pmu_hart_mode(h), ret;
	uint64_t mie = peek(MIE), mip = peek(MIP);
	struct pmu_trap trap;

	pmu_hart_set_mode(h, PMU_MODE_VU);
	poke(MIE, LCOFI);
	poke(MIP, LCOFI);
	ck_assert(pmu_interrupt_next(h, 0, &trap));
	ck_assert_uint_eq(trap.cause, PMU_IRQ_LCOFI);
	ret = pmu_trap_target(h, &trap);
	pmu_hart_set_mode(h, mode);
	poke(MIE, mie);
	poke(MIP, mip);
	return ret;
}

/* The explanation is what the hart then does; at last with hvictl.VTI. */
TEST_TIMES(the_interrupt_is_taken_as_it_says, 2 * PMU_N_MODES)
{
	enum pmu_mode mode = (enum pmu_mode)(_i % PMU_N_MODES);
	bool vti = _i >= PMU_N_MODES;
	struct pmu_hart_config cfg;
	struct pmu_why_lcofi why;
	struct pmu_trap trap;

	shows(RULE("C111"));
	pmu_hart_free(h);
	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHLCOFIDELEG;
	if (vti)
		cfg.ext |= PMU_EXT_SMAIA | PMU_EXT_SSAIA;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	if (vti)
		poke(HVICTL, HVICTL_VTI | 9 << 16);
	for (unsigned bits = 0; bits < IRQ_STATES; bits++) {
		bool next;

		set_irq(bits, mode);
		next = pmu_interrupt_next(h, 0, &trap);
		pmu_lcofi_explain(h, &why);
		ck_assert_msg(why.taken == next, "mode %d, state %#x", _i,
			      bits);
		ck_assert_msg(!next || pmu_trap_target(h, &trap) == why.target,
			      "mode %d, state %#x", _i, bits);
		/* with VTI, hvictl stands for what VS-mode would take */
		ck_assert_msg((vti && why.hideleg) || taker() == why.target,
			      "mode %d, state %#x", _i, bits);
		ck_assert(why.vti == vti);
		ck_assert(why.pending == !!(bits & PENDING));
		ck_assert(why.enabled == !!(bits & ENABLED));
		ck_assert(why.hideleg ==
			  ((bits & DELEGATED) && (bits & TO_GUEST)));
	}
}

/* And whose it is: VS-mode's where hideleg passes it on. */
TEST_TIMES(an_interrupt_of_software_is_told_apart, 2)
{
	struct pmu_hart_config cfg;
	struct pmu_why_lcofi why;

	shows(RULE("C174"));
	pmu_hart_free(h);
	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_SMAIA | PMU_EXT_SSAIA | PMU_EXT_H |
		   PMU_EXT_SHLCOFIDELEG;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	poke(MVIEN, LCOFI);
	poke(MVIP, LCOFI);
	poke(SIE, LCOFI);
	poke(PMU_CSR_HIDELEG, _i ? LCOFI : 0);
	pmu_lcofi_explain(h, &why);
	ck_assert(why.exists && !why.pending && !why.enabled);
	ck_assert(why.given_s == !_i && why.passed == _i && !why.given_vs);
}

/* To clear OF is not to say what a counter counts. */
TEST(who_clears_of_by_ebbovf_has_not_written_the_event)
{
	const struct pmu_origin event = { .by = PMU_BY_GUEST, .csr = 0x323 },
				cleared = { .by = PMU_BY_GUEST,
					    .csr = PMU_CSR_EBBOVF };

	shows(RULE("ebb_claim"));
	poke(PMU_CSR_MEBBEN, 8);
	poke(PMU_CSR_SEBBOWN, 8);
	pmu_hart_author(h, &event);
	pmu_counter_set_event(h, 3, PMU_EVENT_OF | 2);
	pmu_hart_author(h, &cleared);
	poke(PMU_CSR_EBBOVF, 0);
	ck_assert_uint_eq(pmu_counter_event(h, 3), 2);
	ck_assert_uint_eq(pmu_counter_origin(h, 3, PMU_CHANGE_EVENT).csr,
			  event.csr);
}

SUITE("explain", .setup = setup, .teardown = teardown);
