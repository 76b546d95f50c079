/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is said of a call that is refused. That every refusal says something is
 * checked by each call that any test of the firmware makes (bench_call).
 */
#include "fw-fixture.h"

#define SKIP_MATCH 1
#define ODD	   (RAM_BASE + 1)
#define ROW(text, eid, fid, ...)                                               \
	{                                                                      \
		text, eid, fid,                                                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/*
 * After counter 3 was configured for instructions and started, and counter 0
 * for cycles.
 */
static const struct refusal_row {
	const char *text;
	uint32_t eid, fid;
	uint64_t args[6];
} refusal_rows[] = {
	ROW("counter 1 (time) cannot be configured, started or stopped",
	    PMU_EID, CFG, 1, 1, 0, 2),
	ROW("no counter of the set can count event 0x3", PMU_EID, CFG, 0, 0x18,
	    0, 3),
	ROW("every counter of the set that can count event 0x5 is taken",
	    PMU_EID, CFG, 3, 1, 0, 5),
	ROW("every counter of the set that can count event 0x1 is taken",
	    PMU_EID, CFG, 0, 1, 0, 1),
	ROW("no counter of the set can count event 0x20000 of data 0x77",
	    PMU_EID, CFG, 0, 0x18, 0, 0x20000, 0x77),
	ROW("there is no event 0x1234", PMU_EID, CFG, 0, 0x18, 0, 0x1234),
	ROW("event 0 is no event", PMU_EID, CFG, 0, 0x18, 0, 0),
	ROW("event 0x5 has no event_data, here 0x7", PMU_EID, CFG, 0, 0x18, 0,
	    5, 7),
	ROW("event 0x100005 has bits above its twenty", PMU_EID, CFG, 0, 0x18,
	    0, 0x100005),
	ROW("flags 0x100: only 0xff are defined", PMU_EID, CFG, 0, 0x18, 0x100,
	    5),
	ROW("the set is empty", PMU_EID, CFG, 0, 0, 0, 5),
	ROW("the set from 40 on goes beyond counter 47", PMU_EID, CFG, 40,
	    0x100, 0, 5),
	ROW("SKIP_MATCH: counter 4 has no event", PMU_EID, CFG, 4, 1,
	    SKIP_MATCH, 5),
	ROW("counter 3 is the hardware's, event 0xf0005 the firmware's",
	    PMU_EID, CFG, 3, 1, SKIP_MATCH, FW_TIMER),
	ROW("counter 3 runs with another event or filter", PMU_EID, CFG, 3, 1,
	    SKIP_MATCH, 5),
	ROW("counter 3 cannot count event 0x3", PMU_EID, CFG, 3, 1, SKIP_MATCH,
	    3),
	ROW("counter 3 runs already", PMU_EID, START, 3, 1),
	ROW("no counter of the set has an event", PMU_EID, START, 4, 1),
	ROW("there is no snapshot memory", PMU_EID, START, 3, 1, INIT_SNAP),
	ROW("counter 0 is stopped already", PMU_EID, STOP, 0, 9),
	ROW("3 is no firmware counter", PMU_EID, READ, 3),
	ROW("counter 32 has no event", PMU_EID, READ, 32),
	ROW("there is no counter 48", PMU_EID, INFO, 48),
	ROW("snapshot memory cannot be at 0x80000001, which begins no page",
	    PMU_EID, SHMEM, ODD),
	ROW("a list of 0 events at 0x80000000: none, or not a multiple of 16",
	    PMU_EID, EVENTS, RAM_BASE),
	ROW("function 9 of extension 0x504d55 is not offered here", PMU_EID, 9,
	    0),
	ROW("there is no extension 0x123456", 0x123456, 0, 0),
	ROW("there is no hart 7", HSM_EID, 0, 7, RAM_BASE),
	ROW("hart 0 cannot begin at 0x80000001: no RAM, or not aligned",
	    HSM_EID, 0, 0, ODD),
	ROW("hart 0 is not stopped", HSM_EID, 0, 0, RAM_BASE),
	ROW("there is no suspend type 0x5", HSM_EID, 3, 5),
	ROW("no hart can resume at 0x80000001: no RAM, or not aligned",
	    SUSP_EID, 0, 0, ODD),
	ROW("hart 66 is not there, or stopped", IPI_EID, 0, 4, 64),
	ROW("this hart has no H extension", RFENCE_EID, 3, 1),
	ROW("0x10000 has more than the 16 bits of an ASID or VMID", RFENCE_EID,
	    2, 1, 0, 0, 0, 0x10000),
	ROW("there is no reset type 0x9 for reason 0x0", SRST_EID, 0, 9),
	ROW("a buffer of 4 bytes at 0x1000 is not all in RAM", DBCN_EID, 0, 4,
	    0x1000),
	ROW("there is no sleep type 0x3", SUSP_EID, 0, 3),
	ROW("feature 0x1000 is nobody's", FWFT_EID, 1, 0x1000),
	ROW("this hart has no feature 2", FWFT_EID, 1, 2),
	ROW("feature 0 is 0 or 1, not 0x2", FWFT_EID, 0, 0, 2),
	ROW("there is no software event 0x77", SSE_EID, 4, 0x77),
	ROW("software event 0xffff0000 is not registered", SSE_EID, 4,
	    0xffff0000),
	ROW("the hart's events are masked already", SSE_EID, 9, 0),
	ROW("attribute 0 cannot be written", SSE_EID, 1, 0xffff0000, 0, 1,
	    RAM_BASE),
	ROW("11 attributes from 0 on are not there", SSE_EID, 0, 0xffff0000, 0,
	    11, RAM_BASE),
};

static void refused(struct bench *b, char text[160])
{
	fw_refusal_text(fw_refusal(b->fw), text, 160);
}

TEST_ROWS(a_refusal_says_why, refusal_rows)
{
	const struct refusal_row *row = &refusal_rows[_i];
	struct opts o = { 0 };
	char text[160];
	struct bench b;

	bench_init(&b, &o);
	PMU(&b, CFG, 0, 1, 0, 1);
	PMU(&b, CFG, 3, 1, AUTO, 2);
	refused(&b, text);
	ck_assert_str_eq(text, "");
	ck_assert_int_lt(bench_call(&b, 0, row->eid, row->fid, row->args).error,
			 0);
	refused(&b, text);
	ck_assert_str_eq(text, row->text);
	bench_fini(&b);
}

/* What a setting takes away says which it is. */
TEST(an_extension_that_is_switched_off_says_so)
{
	struct opts o = { .no_sse = true };
	char text[160];
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(CALL(&b, SSE_EID, 0, 0).error, -2);
	refused(&b, text);
	ck_assert_str_eq(text, "extension 0x535345 is not offered here");
	bench_fini(&b);
}

/* The last counter's answer is the call's there. */
TEST(what_was_not_refused_in_the_end_has_no_reason)
{
	struct opts o = { .profile = FW_PROFILE_OPENSBI };
	char text[160];
	struct bench b;

	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, AUTO, 2);
	PMU(&b, CFG, 4, 1, 0, 2);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 3), 0);
	refused(&b, text);
	ck_assert_str_eq(text, "");
	bench_fini(&b);
}

/* A legacy call may leave any number in a0, which is no refusal. */
TEST(a_legacy_answer_has_no_reason)
{
	struct opts o = { 0 };
	char text[160];
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, INFO, 1), -3);
	ck_assert_int_eq(CALL(&b, 2, 0, 0).error, -1);
	refused(&b, text);
	ck_assert_str_eq(text, "");
	bench_fini(&b);
}

TEST(a_reason_is_cut_to_its_room)
{
	const struct fw_refusal refusal = { "counter %d, %x", 31, 255 };
	const struct fw_refusal none = { 0 };
	char text[16];

	fw_refusal_text(&refusal, text, sizeof(text));
	ck_assert_str_eq(text, "counter 31, 0xf");
	fw_refusal_text(&refusal, text, 1);
	ck_assert_str_eq(text, "");
	fw_refusal_text(&none, text, sizeof(text));
	ck_assert_str_eq(text, "");
}

SUITE("sbi-refusals");
