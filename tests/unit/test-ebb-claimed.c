/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a guest sees of a counter that a session has: its own writes, by CSR and
 * by delegation, what the firmware gives it, what was set when it was claimed;
 * and that a reset of its hart takes everything from everybody.
 */
#include <pmu/csr-number.h>
#include <pmu/ebb-unit.h>

#include "ebb-script.h"

#define RESET LI(31, 0x7777), WRITE(31, 4, BOARD_FINISHER_BASE)
#define BIT3  (1 << 3)
#define CDE   (UINT64_C(1) << 60)

enum {
	PMU_EID = 0x504d55,
	CONFIG_MATCHING = 2,
	NOT_SUPPORTED = -2,
	DENIED = -4,
	EBB_EID = 0x08454242,
	HSM_EID = 0x48534d,
	HART_START = 0,
	HART_STOP = 1,
	A0 = 10,
	A1,
	A6 = 16,
	A7,
	FIRST_COUNTER = 0x40 /* siselect */
};

static void begin_with(const struct fake_op *ops, size_t n,
		       const char *settings)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = settings,
		.traps = true,
	};

	script(ops, n);
	fake.block = 3;
	fixture_init(&f, &cfg);
	fixture_start(&f);
}

#define WRITES(csr, value)                                                     \
	{                                                                      \
		LI(5, value), CSRW(csr, 5), NOP, JUMP(2)                       \
	}
#define BY_DELEGATION(value)                                                   \
	{                                                                      \
		LI(5, CDE), CSRW(PMU_CSR_MENVCFG, 5), LI(5, BIT3),             \
			CSRW(PMU_CSR_MCOUNTEREN, 5), LI(5, FIRST_COUNTER + 3), \
			CSRW(PMU_CSR_SISELECT, 5), LI(5, value),               \
			CSRW(SIREG, 5), NOP, JUMP(8)                           \
	}

static const struct fake_op writes_counter[] = WRITES(MHPMCOUNTER3, -10),
			    writes_event[] = WRITES(MHPMEVENT3, 0),
			    inhibits[] = WRITES(MCOUNTINHIBIT, BIT3),
			    writes_late[] = BY_DELEGATION(-10);

/* A period of 100 in session 1; the cycle of what it is told first. */
static const struct write_row {
	const char *why;
	const struct fake_op *ops;
	size_t n;
	const char *settings;
	uint64_t told; /* 0: nothing */
} write_rows[] = {
	{ "the counter: it overflows from there", writes_counter,
	  ARRAY_SIZE(writes_counter), "", 2 + 10 },
	{ "no event: nothing is counted", writes_event,
	  ARRAY_SIZE(writes_event), "", 0 },
	{ "inhibited: it stands", inhibits, ARRAY_SIZE(inhibits), "", 0 },
	{ "by siselect: as the counter", writes_late, ARRAY_SIZE(writes_late),
	  "sscsrind=on smcsrind=on smcdeleg=on ssccfg=on", 8 + 10 },
};

TEST_ROWS(a_guest_writes_a_claimed_counter_as_ever, write_rows)
{
	const struct write_row *row = &write_rows[_i];
	const Pmu__V1__Record *d;
	Pmu__V1__Trace *t;

	shows(RULE("C155"));
	begin_with(row->ops, row->n, row->settings);
	open_one(1, 0, 100);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert_msg(told() == (row->told != 0), "%s", row->why);
	t = fixture_trace(&f);
	d = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, 0);
	if (d)
		ck_assert_uint_eq(d->cycle, row->told);
	fixture_free_trace(t);
	simply(EBB_CLOSE, 1);
	ck_assert_uint_eq(csr(MHPMEVENT3), 0);
}

TEST(a_session_that_arms_again_counts_what_it_asked_for)
{
	shows(RULE("C152"));
	begin_with(writes_event, ARRAY_SIZE(writes_event), "");
	open_one(1, 0, 100);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert_uint_eq(csr(MHPMEVENT3), 0);
	rearm(1, 3, 50);
	ck_assert_uint_eq(csr(MHPMEVENT3), INSNS);
	run(SLICES);
	ck_assert_uint_eq(told(), 1);
}

/* It counts no event and is no other session's for that. */
TEST(a_session_keeps_a_counter_that_the_guest_has_stopped)
{
	shows(RULE("C155"));
	begin_with(writes_event, ARRAY_SIZE(writes_event), "");
	open_one(1, 0, 100);
	run(SLICES);
	ck_assert_uint_eq(csr(MHPMEVENT3), 0);
	open_one(2, 0, 50);
	ck_assert(!machine_ebb_session(f.m, 2)->scheduled);
	simply(EBB_CLOSE, 1);
	simply(EBB_ENABLE, 2);
	ck_assert(machine_ebb_session(f.m, 2)->scheduled);
}

TEST(clearing_of_does_not_take_an_alert_back)
{
	struct input in = { .kind = INPUT_CSR_WRITE,
			    .csr_write = { MHPMEVENT3, INSNS } };

	shows(RULE("C150"));
	begin("", NULL);
	run(1);
	open_one(1, 0, 100);
	run(SLICES);
	ck_assert(has_of(3));
	ck_assert(machine_pause(f.m, &error));
	ck_assert(machine_input(f.m, &in, NULL, &error));
	ck_assert(!has_of(3));
	ck_assert_uint_eq(told(), 0);
	simply(EBB_UNMASK, 1);
	ck_assert_uint_eq(told(), 1);
}

TEST(of_and_lcofi_from_before_are_none_of_the_sessions)
{
	const uint64_t before = INSNS | PMU_EVENT_OF;
	struct input in = { .kind = INPUT_CSR_WRITE };

	shows(RULE("C149 C150"));
	begin("", NULL);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	in.csr_write.csr = MCOUNTINHIBIT;
	in.csr_write.value = BIT3;
	ck_assert(machine_input(f.m, &in, NULL, &error));
	in.csr_write.csr = MHPMEVENT3;
	in.csr_write.value = before;
	ck_assert(machine_input(f.m, &in, NULL, &error));
	in.csr_write.csr = MIP;
	in.csr_write.value = LCOFIP;
	ck_assert(machine_input(f.m, &in, NULL, &error));
	ck_assert(machine_resume(f.m, &error));
	open_one(1, 0, 100);
	simply(EBB_UNMASK, 1);
	ck_assert_uint_eq(told(), 0);
	ck_assert(!has_of(3));
	ck_assert_uint_eq(csr(MIP) & LCOFIP, LCOFIP);
	run(SLICES);
	ck_assert_uint_eq(told(), 1);
	simply(EBB_CLOSE, 1);
	ck_assert_uint_eq(csr(MHPMEVENT3), before);
	ck_assert_uint_eq(csr(MIP) & LCOFIP, LCOFIP);
}

/* Two hundred turns of a loop, and from the beginning. */
static const struct fake_op reboots[] = { LI(5, 200), NOP, LOOP(5, 1), RESET };

TEST(a_reboot_takes_the_counters_and_they_can_be_had_again)
{
	unsigned before;

	shows(RULE("C157"));
	begin_with(reboots, ARRAY_SIZE(reboots), "reboot=on");
	open_one(1, RELOADS, 50);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	before = told();
	ck_assert_uint_eq(before, 400 / 50);
	ck_assert(!machine_ebb_session(f.m, 1)->scheduled);
	ck_assert_uint_eq(csr(MHPMEVENT3), 0);
	ck_assert(!input((struct ebb_act){
		.what = EBB_REARM, .session = 1, .counter = 3, .period = 5 }));
	ck_assert_str_eq(error.reason, "NOT_SCHEDULED");
	simply(EBB_ENABLE, 1);
	ck_assert(machine_ebb_session(f.m, 1)->scheduled);
	rearm(1, 3, 1); /* wherever in the loop it is */
	run(SLICES);
	ck_assert_uint_eq(told(), before + 1);
}

/* counter_config_matching of counter 3 alone, for instructions. */
static int64_t config_matching(void)
{
	struct input in = { .kind = INPUT_SBI_CALL };
	struct record_sbi answer = { 0 };

	in.sbi_call.n_args = INPUT_SBI_ARGS;
	in.sbi_call.args[0] = 3;
	in.sbi_call.args[1] = 1;
	in.sbi_call.args[3] = INSNS;
	in.sbi_call.args[6] = CONFIG_MATCHING;
	in.sbi_call.args[7] = PMU_EID;
	ck_assert(machine_input(f.m, &in, &answer, &error));
	return (int64_t)answer.error;
}

/* Whoever comes first. */
static const struct first_row {
	bool guest;
} first_rows[] = { { true }, { false } };

TEST_ROWS(a_counter_is_the_guests_or_a_sessions, first_rows)
{
	const bool guest = first_rows[_i].guest;
	const struct fixture_config cfg = { .traps = true };

	shows(RULE("C155"));
	SCRIPT(loop_ops);
	fixture_init(&f, &cfg);
	fixture_start(&f);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	if (guest)
		ck_assert_int_eq(config_matching(), 0);
	open_one(1, 0, 100);
	ck_assert(machine_ebb_session(f.m, 1)->scheduled == !guest);
	if (!guest)
		ck_assert_int_eq(config_matching(), NOT_SUPPORTED);
	simply(EBB_CLOSE, 1);
	if (!guest)
		ck_assert_int_eq(config_matching(), 0);
}

/* Hart 0 starts hart 1, makes 200 turns of a loop, and stops. */
static const struct fake_op stops[] = {
	LI(A0, 1),
	LI(A1, PC(11)),
	LI(A6, HART_START),
	LI(A7, HSM_EID),
	INSN(FAKE_ECALL),
	LI(5, 200),
	NOP,
	LOOP(5, 6),
	LI(A6, HART_STOP),
	LI(A7, HSM_EID),
	INSN(FAKE_ECALL),
	NOP, /* 11 */
	NOP,
	JUMP(11),
};

static void begin_stops(const char *settings, const Pmu__V1__Trace *replay)
{
	const struct fixture_config cfg = {
		.harts = 2,
		.settings = settings,
		.traps = true,
		.replay = replay,
	};

	SCRIPT(stops);
	fake.block = 3;
	fixture_init(&f, &cfg);
	fixture_start(&f);
}

/* Hart 1 starts hart 0, whose second life is a loop for ever. */
static int64_t start_again(void)
{
	struct input in = { .kind = INPUT_SBI_CALL, .hart = 1 };
	struct record_sbi answer = { 0 };

	ck_assert(machine_pause(f.m, &error));
	in.sbi_call.n_args = INPUT_SBI_ARGS;
	in.sbi_call.args[1] = PC(11);
	in.sbi_call.args[6] = HART_START;
	in.sbi_call.args[7] = HSM_EID;
	ck_assert_msg(machine_input(f.m, &in, &answer, &error), "%s",
		      error.text);
	ck_assert(machine_resume(f.m, &error));
	return (int64_t)answer.error;
}

/* Enabled while its hart runs for the first time. */
static const struct life_row {
	const char *why;
	unsigned how;
	bool early, late; /* it may be told before the stop, behind it */
	unsigned told;	  /* in all */
} life_rows[] = {
	{ "armed again each time", RELOADS, true, false, 400 / 50 },
	{ "its handler runs", 0, true, false, 1 },
	{ "masked: one is held", 0, false, false, 0 },
	{ "it holds the machine", FREEZES, false, true, 1 },
};

TEST_ROWS(a_start_of_its_hart_takes_the_counters_of_a_session, life_rows)
{
	const struct life_row *row = &life_rows[_i];
	const struct ebb_session *s;

	shows(RULE("C157 C197"));
	begin_stops("", NULL);
	fixture_run(&f, 30, 1);
	open_one(1, row->how, 50);
	if (row->early)
		simply(EBB_UNMASK, 1);
	run(SLICES);
	/* A stop leaves it what it has. */
	s = machine_ebb_session(f.m, 1);
	ck_assert(s->scheduled);
	ck_assert_uint_eq(csr(MHPMEVENT3) & PMU_EVENT_SELECTOR, INSNS);
	if (row->late)
		simply(EBB_UNMASK, 1);
	ck_assert(machine_frozen(f.m) == row->late);
	ck_assert_int_eq(start_again(), 0);
	ck_assert(!machine_frozen(f.m));
	ck_assert(!s->scheduled);
	ck_assert(!input((struct ebb_act){ .what = EBB_RETURN, .session = 1 }));
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert_msg(told() == row->told, "%s: %u", row->why, told());
}

/* By one hart's life nobody else loses anything; the guest may have it. */
TEST(what_was_taken_is_the_guests_and_others_keep_theirs)
{
	struct input other = { .kind = INPUT_EBB, .hart = 1 };

	shows(RULE("C155 C157"));
	begin_stops("", NULL);
	fixture_run(&f, 30, 1);
	open_one(1, RELOADS, 50);
	other.ebb = (struct ebb_act){ .what = EBB_OPEN, .session = 2 };
	ck_assert(machine_input(f.m, &other, NULL, &error));
	add(2, 3, 50);
	simply(EBB_ENABLE, 2);
	ck_assert(machine_ebb_session(f.m, 2)->scheduled);
	run(SLICES);
	/* Its first start is one, too. */
	ck_assert(!machine_ebb_session(f.m, 2)->scheduled);
	simply(EBB_ENABLE, 2);
	ck_assert_int_eq(start_again(), 0);
	ck_assert(!machine_ebb_session(f.m, 1)->scheduled);
	ck_assert(machine_ebb_session(f.m, 2)->scheduled);
	ck_assert(machine_pause(f.m, &error));
	ck_assert_int_eq(config_matching(), 0);
	simply(EBB_ENABLE, 1);
	ck_assert(!machine_ebb_session(f.m, 1)->scheduled);
	simply(EBB_CLOSE, 1);
	ck_assert_uint_eq(csr(MHPMEVENT3) & PMU_EVENT_SELECTOR, INSNS);
}

/* Enabled again it counts in the new life, and a replay does the same. */
TEST(a_session_of_two_lives_repeats_from_its_trace)
{
	static const char settings[] = "max-insns=20000 quantum=97";
	struct fixture first;
	Pmu__V1__Trace *t;

	shows(RULE("C157"));
	begin_stops(settings, NULL);
	fixture_run(&f, 30, 1);
	open_one(1, RELOADS, 50);
	simply(EBB_UNMASK, 1);
	fixture_run(&f, 30, SLICES);
	ck_assert_int_eq(start_again(), 0);
	fixture_run(&f, 30, SLICES);
	ck_assert_uint_eq(told(), 400 / 50);
	simply(EBB_ENABLE, 1);
	fixture_run(&f, 123, FOREVER);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_gt(told(), 2 * 400 / 50);
	t = fixture_trace(&f);
	first = f;
	begin_stops(settings, t);
	fixture_run(&f, 123, FOREVER);
	ck_assert(fixture_same(&first, &f));
	fixture_free_trace(t);
	fixture_fini(&first);
}

static void write_csr(uint16_t number, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { number, value } };

	ck_assert_msg(machine_input(f.m, &in, NULL, &error), "%s", error.text);
}

/* What its own users may claim is the guest's, claimed at present or not. */
TEST_ROWS(a_counter_of_the_guests_own_branches_is_no_sessions, first_rows)
{
	const bool guest = first_rows[_i].guest;

	shows(RULE("C155 C159 ebb_permit"));
	begin("xpmuebb=on", NULL);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	if (guest)
		write_csr(PMU_CSR_MEBBEN, BIT3);
	open_one(1, 0, 100);
	ck_assert(machine_ebb_session(f.m, 1)->scheduled == !guest);
	write_csr(PMU_CSR_MEBBEN, BIT3 | 1 << 4);
	ck_assert_uint_eq(csr(PMU_CSR_MEBBEN), guest ? BIT3 | 1 << 4 : 1 << 4);
	write_csr(PMU_CSR_SEBBCLAIM, BIT3);
	ck_assert_uint_eq(csr(PMU_CSR_SEBBCLAIM), guest ? BIT3 : 0);
	simply(EBB_CLOSE, 1);
	write_csr(PMU_CSR_MEBBEN, BIT3);
	ck_assert_uint_eq(csr(PMU_CSR_MEBBEN), BIT3);
}

/* A driver stops whatever it may before it asks: by Smcdeleg, or so. */
TEST(the_firmware_does_not_give_what_the_guest_has_only_inhibited)
{
	const struct fixture_config cfg = { .traps = true };

	shows(RULE("C23 C155"));
	SCRIPT(loop_ops);
	fixture_init(&f, &cfg);
	fixture_start(&f);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	open_one(1, 0, 100);
	write_csr(MCOUNTINHIBIT, UINT32_MAX);
	ck_assert_int_eq(config_matching(), NOT_SUPPORTED);
	simply(EBB_CLOSE, 1);
	ck_assert_int_eq(config_matching(), 0);
}

/* The firmware's call for it. */
static int64_t claim_by_call(void)
{
	struct input in = { .kind = INPUT_SBI_CALL };
	struct record_sbi answer = { 0 };

	in.sbi_call.n_args = INPUT_SBI_ARGS;
	in.sbi_call.args[0] = 3;
	in.sbi_call.args[1] = 1;
	in.sbi_call.args[7] = EBB_EID;
	ck_assert(machine_input(f.m, &in, &answer, &error));
	return (int64_t)answer.error;
}

TEST_ROWS(the_firmware_denies_a_counter_that_a_session_has, first_rows)
{
	const bool guest = first_rows[_i].guest;
	const struct fixture_config cfg = { .traps = true,
					    .settings = "xpmuebb=on" };

	shows(RULE("C155 ebb_claim"));
	SCRIPT(loop_ops);
	fixture_init(&f, &cfg);
	fixture_start(&f);
	run(1);
	ck_assert(machine_pause(f.m, &error));
	if (guest)
		ck_assert_int_eq(claim_by_call(), 0);
	open_one(1, 0, 100);
	ck_assert(machine_ebb_session(f.m, 1)->scheduled == !guest);
	ck_assert_int_eq(claim_by_call(), DENIED);
	simply(EBB_CLOSE, 1);
	ck_assert_int_eq(claim_by_call(), guest ? DENIED : 0);
}

SUITE("ebb-claimed", .teardown = teardown);
