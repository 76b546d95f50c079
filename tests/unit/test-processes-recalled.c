/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which process of Linux it was that ran: by satp and sscratch as they were
 * then, and by what the kernel has of that task and of its address space now.
 */
#include <string.h>

#include "btf-image.h"
#include "control/processes.h"
#include "mappings-image.h"
#include "tasks-image.h"
#include "unit.h"

enum {
	USER = 0x5550,
	NUMBER = 5, /* of the address space */
};

enum change {
	NOTHING,
	EXITED,	     /* the thread, which has no memory any more */
	OTHER_SPACE, /* the task has another page table */
	OTHER_PAGE,  /* which is not where its address says */
	NUMBER_OF_ANOTHER,
	NUMBERS_ANEW, /* the same, of a later generation */
	LED_BY_NOBODY,
	NO_TASKS, /* the kernel's description lacks them all */
	NO_TABLES,
	NO_NUMBERS,
	IN_A_GUEST,
	NOT_TRANSLATED,
};

static const struct recalled_row {
	const char *why;
	enum change change;
	uint64_t task; /* in the kernel's half, or USER */
	enum process_recalled want;
} rows[] = {
	{ "it is there", NOTHING, TASK, PROCESS_THERE },
	{ "its thread has ended", EXITED, TASK, PROCESS_GONE },
	{ "its task is another's", OTHER_SPACE, TASK, PROCESS_GONE },
	{ "its table cannot be found", OTHER_PAGE, TASK, PROCESS_GONE },
	{ "its table is another's", NUMBER_OF_ANOTHER, TASK, PROCESS_GONE },
	{ "it has its number still", NUMBERS_ANEW, TASK, PROCESS_THERE },
	{ "what is no task", LED_BY_NOBODY, TASK, PROCESS_GONE },
	{ "another task, of no memory", NOTHING, OTHER, PROCESS_GONE },
	{ "an address without memory", NOTHING, 0x3ffff0, PROCESS_GONE },
	{ "a kernel that is not described", NO_TASKS, TASK, PROCESS_NO_LINUX },
	{ "one that keeps its tables otherwise", NO_TABLES, TASK,
	  PROCESS_GONE },
	{ "one that has no numbers", NO_NUMBERS, TASK, PROCESS_GONE },
	{ "a user of a guest, whose kernel is another", IN_A_GUEST, TASK,
	  PROCESS_GONE },
	{ "code of no kernel's user", NOTHING, USER, PROCESS_NO_LINUX },
	{ "code without an address space", NOT_TRANSLATED, TASK,
	  PROCESS_NO_LINUX },
};

static unsigned number_at(void)
{
	return tasks_isa->xlen == 32 ? 22 : 44;
}

static unsigned number_bits(void)
{
	return tasks_isa->xlen == 32 ? 9 : 16;
}

static void change(enum change what)
{
	switch (what) {
	case EXITED:
		mapped_put(TASK, AT_MM, 0);
		return;
	case OTHER_SPACE:
		mapped_point(MAPPED_MM, AT_TABLE, MIDDLE);
		return;
	case OTHER_PAGE:
		mapped_put(MAPPED_MM, AT_TABLE, USER);
		return;
	case NUMBER_OF_ANOTHER:
		mapped_put(MAPPED_MM, AT_NUMBER, NUMBER + 1);
		return;
	case NUMBERS_ANEW:
		mapped_put(MAPPED_MM, AT_NUMBER,
			   NUMBER + (UINT64_C(3) << number_bits()));
		return;
	case LED_BY_NOBODY:
		tasks_leader(TASK, tasks_isa->kernel + OTHER);
		return;
	case NO_TASKS:
		memset(tasks_ram(BTF), 0, BTF_HEADER);
		return;
	case NO_TABLES:
		mapped_describe("pgd");
		return;
	case NO_NUMBERS:
		mapped_describe("counter");
		return;
	case NOTHING:
	case IN_A_GUEST:
	case NOT_TRANSLATED:
		return;
	}
}

static enum process_recalled recall(const struct recalled_row *row,
				    struct guest_process *ret)
{
	struct process_note note = {
		.mode = row->change == IN_A_GUEST ? PMU_MODE_VU : PMU_MODE_U,
		.satp = tasks_isa->satp | (uint64_t)NUMBER << number_at(),
		.sscratch = row->task,
	};

	if (row->task != USER)
		note.sscratch += tasks_isa->kernel;
	if (row->change == NOT_TRANSLATED)
		note.satp = 0;
	/* whoever runs now has nothing to do with it */
	tasks_run(PMU_MODE_U, USER, tasks_isa->kernel + OTHER);
	return processes_recall(&tasks.trace.processes, &note, ret);
}

TEST_ROWS(who_ran_is_known_by_its_address_space, rows)
{
	const struct recalled_row *row = &rows[_i];
	struct guest_process found = { 0 };

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		tasks_begin(&tasks_isas[i]);
		mapped_begin();
		mapped_put(MAPPED_MM, AT_NUMBER, NUMBER);
		change(row->change);
		ck_assert_msg(recall(row, &found) == row->want, "%s, RV%u",
			      row->why, tasks_isa->xlen);
		tasks_end();
		if (row->want != PROCESS_THERE)
			continue;
		ck_assert_uint_eq(found.pid, 7);
		ck_assert_uint_eq(found.tid, 8);
		ck_assert_str_eq(found.comm, "sh");
		ck_assert_uint_eq(found.task, tasks_isa->kernel + TASK);
	}
}

/* What was found of one kernel does not stand for the next. */
TEST(another_kernel_may_keep_them_otherwise)
{
	struct guest_process found;

	tasks_begin(RV64);
	mapped_begin();
	mapped_put(MAPPED_MM, AT_NUMBER, NUMBER);
	ck_assert_int_eq(recall(&rows[0], &found), PROCESS_THERE);
	mapped_describe("pgd");
	ck_assert_int_eq(recall(&rows[0], &found), PROCESS_THERE);
	processes_forget(&tasks.trace.processes);
	ck_assert_int_eq(recall(&rows[0], &found), PROCESS_GONE);
	tasks_end();
}

SUITE("processes-recalled");
