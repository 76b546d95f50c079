/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which records say whose they are, and of which kernel, and which say where a
 * user's code is from.
 */
#include <string.h>

#include "btf-image.h"
#include "mappings-image.h"
#include "tasks-image.h"
#include "unit.h"

static const struct record_at at = { .mode = PMU_MODE_S };

static void put_overflow(void)
{
	const struct pmu_overflow o = { .counter = 3 };

	record_overflow(&tasks.trace.recorder, &at,
			&(struct record_overflow){ .overflow = &o });
}

static void put_sample(uint32_t session, bool summed)
{
	tasks.trace.recorder.ops->sample(
		&tasks.trace, &at,
		&(struct record_sample){ .session = session,
					 .event = "cycles",
					 .period = 1,
					 .summed = summed });
}

/* The process of the last record, "" where nobody is known. */
static const char *recorded(void)
{
	static char text[80];
	Pmu__V1__Trace *t = fixture_trace(&tasks);
	const Pmu__V1__Process *p = t->records[t->n_records - 1]->process;

	text[0] = '\0';
	if (p)
		snprintf(text, sizeof(text), "%u/%u %s", p->pid, p->tid,
			 p->comm);
	fixture_free_trace(t);
	return text;
}

TEST(overflows_and_samples_say_it)
{
	tasks_begin(RV64);
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	put_overflow();
	ck_assert_str_eq(recorded(), "7/8 sh");
	tasks_run(PMU_MODE_S, tasks_isa->kernel + OTHER, 0);
	put_sample(0, false);
	ck_assert_str_eq(recorded(), "9/9 other");
	put_sample(1, false);
	ck_assert_str_eq(recorded(), "9/9 other");
	put_sample(0, true);
	ck_assert_str_eq(recorded(), ""); /* of all that ran there */
	tasks_run(PMU_MODE_S, 0, 0);
	put_overflow();
	ck_assert_str_eq(recorded(), "");
	tasks_end();
}

TEST(who_watches_does_not_change_what_is_stored)
{
	tasks_begin(RV64);
	memset(tasks_ram(BTF), 0, BTF_HEADER); /* no description */
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	put_sample(1, false);
	tasks_describe(BTF, 4, COMM);
	put_sample(0, false);
	ck_assert_str_eq(recorded(), "7/8 sh");
	tasks_end();
}

TEST(after_a_reset_there_may_be_another_kernel)
{
	for (uint32_t session = 0; session < 2; session++) {
		tasks_begin(RV64);
		tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
		put_sample(session, false);
		ck_assert_str_eq(recorded(), "7/8 sh");
		tasks_describe(BTF, 8, COMM);
		put_sample(session, false);
		ck_assert_str_eq(recorded(), "7/8 sh");
		record_reset(&tasks.trace.recorder, &at, REBOOT_COLD);
		put_sample(session, false);
		ck_assert_str_eq(recorded(), "");
		tasks_end();
	}
}

/* Where users' code is from */

static const uint64_t callers[] = { 1, MAPPED_OTHER_START };

static void put_overflow_of(enum pmu_mode mode)
{
	const struct pmu_overflow o = { .counter = 3, .mode = mode };

	record_overflow(&tasks.trace.recorder, &at,
			&(struct record_overflow){ .overflow = &o,
						   .last_pc = MAPPED_START });
}

static void put_user_sample(uint32_t session, bool summed)
{
	const struct record_at user = { .mode = PMU_MODE_U };

	tasks.trace.recorder.ops->sample(
		&tasks.trace, &user,
		&(struct record_sample){ .session = session,
					 .event = "cycles",
					 .last_pc = MAPPED_START,
					 .callers = callers,
					 .n_callers = ARRAY_SIZE(callers),
					 .summed = summed });
}

/* How many mappings the last record tells, the last of which goes to @ret. */
static size_t told(Pmu__V1__Mapping *ret, char file[MAPPING_FILE_MAX])
{
	Pmu__V1__Trace *t = fixture_trace(&tasks);
	const Pmu__V1__Process *p = t->records[t->n_records - 1]->process;
	size_t n = p ? p->n_mappings : 0;

	if (n) {
		*ret = *p->mappings[n - 1];
		strcpy(file, ret->file);
		ret->file = file;
	}
	fixture_free_trace(t);
	return n;
}

TEST(a_users_say_where_its_code_is_from)
{
	char file[MAPPING_FILE_MAX];
	Pmu__V1__Mapping m;

	tasks_begin(RV64);
	mapped_begin();
	/* it is in the kernel by now, which serves it */
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	put_overflow_of(PMU_MODE_S);
	ck_assert_uint_eq(told(&m, file), 0);
	put_overflow_of(PMU_MODE_U);
	ck_assert_uint_eq(told(&m, file), 1);
	ck_assert_uint_eq(m.start, MAPPED_START);
	ck_assert_uint_eq(m.end, MAPPED_END);
	ck_assert_uint_eq(m.offset, 0x3000);
	ck_assert_str_eq(m.file, "/usr/bin/prog");
	ck_assert_uint_eq(m.file_bytes, 0x12345);
	put_user_sample(0, true);
	ck_assert_uint_eq(told(&m, file), 0); /* of no one moment */
	put_user_sample(0, false);
	ck_assert_uint_eq(told(&m, file), 1); /* the caller's */
	ck_assert_uint_eq(m.start, MAPPED_OTHER_START);
	ck_assert_str_eq(m.file, "");
	tasks_end();
}

/* Of OTHER_START's mapping, which the sample's own instruction is not in. */
static void put_stack_sample(uint64_t next, uint64_t ra, uint64_t word,
			     size_t n_stack)
{
	const struct record_at user = { .mode = PMU_MODE_U, .pc = next };
	const uint64_t registers[32] = { [1] = ra };

	tasks.trace.recorder.ops->sample(
		&tasks.trace, &user,
		&(struct record_sample){ .event = "cycles",
					 .last_pc = MAPPED_START,
					 .registers = registers,
					 .n_registers = ARRAY_SIZE(registers),
					 .stack = (const uint8_t *)&word,
					 .n_stack = n_stack });
}

static const struct unwound_row {
	const char *why;
	uint64_t next, ra, word;
	size_t n_stack, want;
} unwound_rows[] = {
	{ "what comes", MAPPED_OTHER_START, 0, 0, 8, 2 },
	{ "ra", 0, MAPPED_OTHER_START, 0, 8, 2 },
	{ "the stack", 0, 0, MAPPED_OTHER_START, 8, 2 },
	{ "nothing elsewhere", MAPPED_START, MAPPED_START, MAPPED_START, 8, 1 },
	{ "no stack, so nobody unwinds", MAPPED_OTHER_START, MAPPED_OTHER_START,
	  MAPPED_OTHER_START, 0, 1 },
};

TEST_ROWS(where_an_unwinder_may_come_to_is_told, unwound_rows)
{
	const struct unwound_row *row = &unwound_rows[_i];
	char file[MAPPING_FILE_MAX];
	Pmu__V1__Mapping m = { .start = 0 };

	tasks_begin(RV64);
	mapped_begin();
	tasks_run(PMU_MODE_U, 0, tasks_isa->kernel + TASK);
	put_stack_sample(row->next, row->ra, row->word, row->n_stack);
	ck_assert_msg(told(&m, file) == row->want, "%s", row->why);
	ck_assert_uint_eq(m.start,
			  row->want == 2 ? MAPPED_OTHER_START : MAPPED_START);
	tasks_end();
}

TEST(each_session_is_told_and_the_trace_is)
{
	char file[MAPPING_FILE_MAX];
	Pmu__V1__Mapping m;

	tasks_begin(RV64);
	mapped_begin();
	tasks_run(PMU_MODE_U, 0, tasks_isa->kernel + TASK);
	for (uint32_t session = 3; session-- > 0;) {
		put_user_sample(session, false);
		ck_assert_uint_eq(told(&m, file), 2);
		put_user_sample(session, false);
		ck_assert_uint_eq(told(&m, file), 0);
	}
	tasks_end();
}

TEST(after_a_reset_all_is_told_again)
{
	char file[MAPPING_FILE_MAX];
	Pmu__V1__Mapping m;

	for (uint32_t session = 0; session < 2; session++) {
		tasks_begin(RV64);
		mapped_begin();
		tasks_run(PMU_MODE_U, 0, tasks_isa->kernel + TASK);
		put_user_sample(session, false);
		record_reset(&tasks.trace.recorder, &at, REBOOT_COLD);
		put_user_sample(session, false);
		ck_assert_uint_eq(told(&m, file), 2);
		tasks_end();
	}
}

SUITE("processes-recorded");
