/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Firmware events that traps raise, from every mode, and those of our own.
 */
#include "fw-fixture.h"

enum {
	MIS_LOAD,
	MIS_STORE,
	ACC_LOAD,
	ACC_STORE,
	ILLEGAL,
	TIMER,
	SBI_CALL = FW_N_STANDARD,
	CSR_EMULATED,
	REDIRECTED,
	TIMER_EXPIRED,
	LCOFI_TAKEN
};

#define EV(e)	(1u << (e))
#define SENT_ON EV(REDIRECTED)

static const struct trap_row {
	const char *rule;
	uint8_t cause;
	bool interrupt;
	uint32_t events; /* bits: those that count it, once each */
} trap_rows[] = {
	{ RULE("C96"), PMU_CAUSE_LOAD_MISALIGNED, false,
	  EV(MIS_LOAD) | SENT_ON },
	{ RULE("C96"), PMU_CAUSE_STORE_MISALIGNED, false,
	  EV(MIS_STORE) | SENT_ON },
	{ RULE("C96"), PMU_CAUSE_LOAD_ACCESS, false, EV(ACC_LOAD) | SENT_ON },
	{ RULE("C96"), PMU_CAUSE_STORE_ACCESS, false, EV(ACC_STORE) | SENT_ON },
	{ RULE("C96"), PMU_CAUSE_ILLEGAL, false, EV(ILLEGAL) | SENT_ON },
	{ RULE("C96"), PMU_CAUSE_FETCH_ACCESS, false, SENT_ON },
	{ RULE("C96"), PMU_CAUSE_STORE_PAGE, false, SENT_ON },
	{ RULE("C98"), PMU_CAUSE_ECALL_S, false, EV(SBI_CALL) },
	{ RULE("C98"), PMU_IRQ_MTI, true, 0 },
};

static const struct from_row {
	const char *rule;
	enum pmu_mode mode;
	uint64_t with;
} from_rows[] = {
	{ RULE("C96"), PMU_MODE_S, 0 },
	{ RULE("C96"), PMU_MODE_U, 0 },
	{ RULE("C96"), PMU_MODE_S, PMU_EXT_H },
	{ RULE("C97"), PMU_MODE_VS, PMU_EXT_H },
	{ RULE("C97"), PMU_MODE_VU, PMU_EXT_H },
};
enum {
	N_TRAP_TESTS = 2 * ARRAY_SIZE(trap_rows) * ARRAY_SIZE(from_rows)
};

/* Once per trap, also when it goes on to S-mode. */
TEST_TIMES(traps_count_at_their_entry, N_TRAP_TESTS)
{
	const struct from_row *from = &from_rows[_i / 2 % 5];
	const struct trap_row *row = &trap_rows[_i / 10];
	struct bench_trap t = { .trap = { .cause = row->cause,
					  .interrupt = row->interrupt },
				.x = { [17] = BASE_EID } };
	struct opts o = { .profile = _i & 1, .with = from->with };
	struct fw_regs regs;
	struct bench b;

	shows(from->rule);
	shows(row->rule);
	bench_init(&b, &o);
	pmu_hart_set_mode(b.harts[0], from->mode);
	bench_trap(&b, 0, &t, &regs);
	for (unsigned e = 0; e < FW_N_EVENTS; e++)
		ck_assert_msg(
			fw_event_total(b.fw, 0, e) == (row->events >> e & 1),
			"cause %u from %s: %s", row->cause,
			pmu_mode_name(from->mode), fw_event_desc(e)->name);
	bench_fini(&b);
}

/* A counter of the hart has no filter: it sees the traps of all modes. */
TEST_TIMES(counters_see_the_traps_of_guests, 2)
{
	struct bench_trap t = { .trap = { .cause = PMU_CAUSE_LOAD_ACCESS } };
	struct opts o = { .profile = _i, .with = PMU_EXT_H };
	struct fw_regs regs;
	struct bench b;

	shows(RULE("C97"));
	bench_init(&b, &o);
	PMU(&b, CFG, 32, 1, AUTO | VUINH | VSINH, 0xf0000 + ACC_LOAD);
	for (unsigned i = 0; i < ARRAY_SIZE(from_rows); i++) {
		pmu_hart_set_mode(b.harts[0], from_rows[i].mode);
		bench_trap(&b, 0, &t, &regs);
	}
	ck_assert_uint_eq(bench_value(&b, 32), ARRAY_SIZE(from_rows));
	bench_fini(&b);
}

/* Each of ours, as the guest counts it. */
static void one_of_ours(struct bench *b, unsigned event)
{
	static const struct pmu_trap lcofi = { .interrupt = true,
					       .cause = PMU_IRQ_LCOFI };
	static const struct pmu_trap timer = { .interrupt = true,
					       .cause = PMU_IRQ_STI };
	struct bench_trap t = { .trap = { .cause = PMU_CAUSE_ILLEGAL } };
	struct fw_regs regs;

	switch (event) {
	case SBI_CALL:
		CALL(b, BASE_EID, 99, 0);
		break;
	case CSR_EMULATED:
	case REDIRECTED:
		t.insn = event == CSR_EMULATED ? 0xc0102573 : 0; /* rdtime a0 */
		bench_trap(b, 0, &t, &regs);
		break;
	case TIMER_EXPIRED:
		fw_timer_run(b->fw, 99);
		fw_timer_run(b->fw, 100);
		break;
	default:
		fw_interrupt_taken(b->fw, 0, &lcofi);
		fw_interrupt_taken(b->fw, 0, &timer);
		fw_interrupt_taken(b->fw, 1, &lcofi);
	}
}

TEST_TIMES(events_of_our_own_count, FW_N_EVENTS - FW_N_STANDARD)
{
	unsigned event = FW_N_STANDARD + (unsigned)_i;
	struct opts o = { .without = PMU_EXT_ZICNTR };
	struct bench b;

	shows(RULE("C98"));
	bench_init(&b, &o);
	CALL(&b, TIME_EID, 0, 10); /* due at cycle 100 */
	ck_assert_int_eq(PMU_ERR(&b, CFG, 32, 1, AUTO,
				 0xf0000 + fw_event_desc(event)->code),
			 0);
	one_of_ours(&b, event);
	/* The reading call is a call, too. */
	ck_assert_uint_eq(PMU(&b, READ, 32).value, event == SBI_CALL ? 2 : 1);
	bench_fini(&b);
}

/* One table: names and codes are found both ways, and none twice. */
TEST(events_are_described)
{
	for (unsigned e = 0; e < FW_N_EVENTS; e++) {
		const struct fw_event_desc *d = fw_event_desc(e);

		ck_assert_ptr_eq(fw_event_by_code(d->code), d);
		ck_assert_uint_eq(d->code,
				  e < FW_N_STANDARD ? e : e - 22 + 256);
		ck_assert(d->counts && d->rule);
		for (unsigned k = 0; k < e; k++)
			ck_assert_str_ne(d->name, fw_event_desc(k)->name);
	}
	ck_assert_str_eq(fw_event_desc(TIMER)->name, "fw_set_timer");
	ck_assert_str_eq(fw_event_desc(21)->name,
			 "fw_hfence_vvma_asid_received");
	ck_assert_ptr_null(fw_event_desc(FW_N_EVENTS));
	ck_assert_ptr_null(fw_event_by_code(22));
	ck_assert_ptr_null(fw_event_by_code(0xffff));
}

/* The page for users has our events as the table has them. */
TEST_TIMES(events_of_our_own_are_documented, FW_N_EVENTS - FW_N_STANDARD)
{
	const struct fw_event_desc *d =
		fw_event_desc(FW_N_STANDARD + (unsigned)_i);
	char line[256], want[256];
	bool found = false;
	FILE *page = fopen(SBI_PMU_PAGE, "r");

	shows(RULE("C98"));
	ck_assert_ptr_nonnull(page);
	snprintf(want, sizeof(want), "| %u | `%s` | %s |\n", d->code, d->name,
		 d->counts);
	while (fgets(line, sizeof(line), page))
		found = found || !strcmp(line, want);
	fclose(page);
	ck_assert_msg(found, "%s", want);
}

SUITE("fw-events-trap");
