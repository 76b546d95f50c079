/* SPDX-License-Identifier: BSD-2-Clause */
/* Which records say whose they are, and of which kernel. */
#include <string.h>

#include "btf-image.h"
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

SUITE("processes-recorded");
