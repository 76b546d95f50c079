/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which process of Linux runs: by registers as the kernel leaves them, by page
 * tables and by the kernel's description of itself, all of which are made here.
 */
#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>

#include "btf-image.h"
#include "control/processes.h"
#include "core/machine-hart.h"
#include "core/machine-read.h"
#include "tasks-image.h"
#include "unit.h"

static const struct record_at at = { .mode = PMU_MODE_S };

/* "tgid/pid comm", or "" where nobody is known. */
static const char *found(void)
{
	static char text[80];
	struct guest_process got;

	text[0] = '\0';
	if (processes_find(&tasks.trace.processes, &at, &got))
		snprintf(text, sizeof(text), "%u/%u %s", got.pid, got.tid,
			 got.comm);
	return text;
}

/* Registers: what is above KERNEL is an address in it. */

enum {
	K = 1 << 30,
	USER = 0x5550
};

static uint64_t value_of(uint64_t v)
{
	return v & K ? tasks_isa->kernel + (v & ~(uint64_t)K) : v;
}

static const struct who_row {
	const char *why;
	enum pmu_mode mode;
	uint64_t tp, sscratch;
	const char *want;
} who_rows[] = {
	{ "a user runs", PMU_MODE_U, USER, K | TASK, "7/8 sh" },
	{ "a user has another task's address in tp", PMU_MODE_U, K | OTHER,
	  K | TASK, "7/8 sh" },
	{ "a user, and no task", PMU_MODE_U, K | OTHER, 0, "" },
	{ "the kernel runs", PMU_MODE_S, K | TASK, 0, "7/8 sh" },
	{ "entered from a user", PMU_MODE_S, USER, K | TASK, "7/8 sh" },
	{ "entered from a user with any number there", PMU_MODE_S, 1ull << 62,
	  K | TASK, "7/8 sh" },
	{ "entered, both exchanged", PMU_MODE_S, K | TASK, USER, "7/8 sh" },
	{ "entered from the kernel", PMU_MODE_S, 0, K | TASK, "7/8 sh" },
	{ "on the way out", PMU_MODE_S, K | TASK, K | TASK, "7/8 sh" },
	{ "which of both is the user's cannot be seen", PMU_MODE_S, K | TASK,
	  K | OTHER, "" },
	{ "no task", PMU_MODE_S, USER, 0, "" },
	{ "the firmware", PMU_MODE_M, K | TASK, 0, "" },
	{ "a task beyond the memory", PMU_MODE_S, K | 0x3ffff0, 0, "" },
};

TEST_ROWS(registers_say_which_task_runs, who_rows)
{
	const struct who_row *row = &who_rows[_i];

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		tasks_begin(&tasks_isas[i]);
		tasks_run(row->mode, value_of(row->tp),
			  value_of(row->sscratch));
		ck_assert_msg(strcmp(found(), row->want) == 0, "%s: %s",
			      row->why, found());
		tasks_end();
	}
}

/* Instead of TASK's leader. */
static const struct leader_row {
	const char *why, *want;
	uint64_t leader;
} leader_rows[] = {
	{ "the leader has the number", "7/8 sh", K | LEADER },
	{ "no leader: nothing but zeros", "", 0 },
	{ "it is not the kernel's", "", USER },
	{ "it is in no memory", "", K | 0x3fffff00 },
	{ "it has another number", "", K | OTHER },
	{ "it leads itself, of another number", "", K | TASK },
};

TEST_ROWS(a_task_has_a_leader_of_its_number, leader_rows)
{
	const struct leader_row *row = &leader_rows[_i];

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		tasks_begin(&tasks_isas[i]);
		tasks_leader(TASK, value_of(row->leader));
		tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
		ck_assert_msg(strcmp(found(), row->want) == 0, "%s: %s",
			      row->why, found());
		tasks_end();
	}
}

static const enum pmu_mode guest_modes[] = { PMU_MODE_VS, PMU_MODE_VU };

TEST_ROWS(who_runs_in_a_guest_of_the_kernel_is_not_known, guest_modes)
{
	tasks_begin(RV64);
	tasks_run(guest_modes[_i], tasks_isa->kernel + TASK,
		  tasks_isa->kernel + TASK);
	ck_assert_str_eq(found(), "");
	tasks_end();
}

TEST(nobody_is_known_without_page_tables)
{
	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		tasks_begin(&tasks_isas[i]);
		/* where it lies, which on RV32 looks like the kernel's */
		tasks_run(PMU_MODE_S, 0x80000000 + TASK, 0);
		tasks_csr(PMU_CSR_SATP, 0);
		ck_assert_str_eq(found(), "");
		tasks_end();
	}
}

TEST(nobody_is_known_who_was_not_asked_for)
{
	struct guest_process got;

	tasks_begin(RV64);
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	ck_assert(!processes_find(&(struct processes){ 0 }, &at, &got));
	tasks_end();
}

/* Memory */

#define PAGES UINT64_C(0xffffffd000000000)

/* Two pages at PAGES: one with most of a task, and one of @second, an entry. */
static void split_task(uint64_t second)
{
	btf_put(tasks_ram(ROOT + (PAGES >> 30 & 511) * 8),
		(0x80000000 + MIDDLE) >> 2 | 1);
	btf_put(tasks_ram(MIDDLE), (0x80000000 + LOWEST) >> 2 | 1);
	btf_put(tasks_ram(LOWEST), 0x80010 << 10 | 0xc7);
	btf_put(tasks_ram(LOWEST + 8), (uint32_t)second);
	tasks_put(0x11000 - COMM_AT - 2, 5, 5, "ab");
	memcpy(tasks_ram(0x13000), "cd", 3);
	tasks_run(PMU_MODE_S, PAGES + 0x1000 - COMM_AT - 2, 0);
}

static const struct page_row {
	const char *why, *want;
	uint32_t entry;
} page_rows[] = {
	{ "it goes on where that page is", "5/5 abcd", 0x80013 << 10 | 0xc7 },
	{ "it goes on nowhere", "", 0 },
	{ "it goes on in a user's page", "", 0x80013 << 10 | 0xd7 },
	{ "it goes on where no memory is", "", 0x10000 << 10 | 0xc7 },
	{ "nobody has read there: a fault", "", 0x80013 << 10 | 0x87 },
};

TEST_ROWS(a_task_is_read_through_page_tables, page_rows)
{
	tasks_begin(RV64);
	split_task(page_rows[_i].entry);
	ck_assert_msg(strcmp(found(), page_rows[_i].want) == 0, "%s: %s",
		      page_rows[_i].why, found());
	tasks_end();
}

/* Also not the A bit that hardware would set. */
TEST(looking_changes_nothing)
{
	size_t size;
	const uint8_t *memory;
	uint8_t *before;
	const struct pmu_hart *h;
	void *state = malloc(pmu_hart_state_size());
	void *after = malloc(pmu_hart_state_size());

	tasks_begin(RV64);
	h = hart_of(tasks.m, 0)->pmu;
	memory = machine_ram(tasks.m, &size);
	before = malloc(size);
	tasks_csr(PMU_CSR_MENVCFG, UINT64_C(1) << 61);
	split_task(0x80013 << 10 | 0x87);
	memcpy(before, memory, size);
	pmu_hart_give(h, state);
	ck_assert_str_eq(found(), "5/5 abcd");
	pmu_hart_give(h, after);
	ck_assert(!memcmp(before, memory, size));
	ck_assert(!memcmp(state, after, pmu_hart_state_size()));
	tasks_end();
	free(before);
	free(state);
	free(after);
}

/* The kernel's description */

static const struct comm_row {
	const char *why, *comm, *want;
	uint32_t tgid, bytes;
} comm_rows[] = {
	{ "a command fills its place", "0123456789abcdef",
	  "7/8 0123456789abcdef", 4, 16 },
	{ "it is as long as can be told", "0123456789abcdef0123456789abcdef_",
	  "7/8 0123456789abcdef0123456789abcde", 4, 32 },
	{ "it has more room than can be told", "sh", "", 4, 33 },
	{ "it has none", "sh", "", 4, 0 },
	{ "the first and last that are printed", " ~", "7/8  ~", 4, 16 },
	{ "what cannot be printed", "a\x1f\n\x7f\x80\xff", "7/8 a?????", 4,
	  16 },
	{ "it has no command", "", "7/8 ", 4, 16 },
	{ "a number is too large", "sh", "", 8, 16 },
	{ "a number is too small", "sh", "", 2, 16 },
};

TEST_ROWS(a_task_is_as_the_kernel_says, comm_rows)
{
	const struct comm_row *row = &comm_rows[_i];

	tasks_begin(RV64);
	tasks_describe(BTF, row->tgid, row->bytes);
	memset(tasks_ram(TASK + COMM_AT), 0, COMM);
	memcpy(tasks_ram(TASK + COMM_AT), row->comm, strlen(row->comm));
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	ck_assert_msg(strcmp(found(), row->want) == 0, "%s: %s", row->why,
		      found());
	tasks_end();
}

TEST(a_leader_that_is_no_pointer_is_none)
{
	tasks_begin(RV64);
	/* the type of the last member: a number */
	btf_put(tasks_ram(BTF + BTF_HEADER + btf.n_types - 8), 1);
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	ck_assert_str_eq(found(), "");
	tasks_end();
}

/* In place of the description, nothing. */
static void hide(void)
{
	memset(tasks_ram(BTF), 0, BTF_HEADER);
}

TEST(a_kernel_is_looked_for_once)
{
	tasks_begin(RV64);
	hide();
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	ck_assert_str_eq(found(), "");
	tasks_describe(BTF, 4, COMM);
	ck_assert_str_eq(found(), "");
	tasks_end();
}

static const struct early_row {
	const char *why;
	enum pmu_mode mode;
	uint64_t tp, satp;
} early_rows[] = {
	{ "no page tables", PMU_MODE_S, K | TASK, 0 },
	{ "no task", PMU_MODE_S, USER, 1 },
	{ "a task that is nowhere", PMU_MODE_S, K | 0x3fffff00, 1 },
	{ "the firmware", PMU_MODE_M, K | TASK, 1 },
};

TEST_ROWS(it_is_not_looked_for_before_there_is_a_task, early_rows)
{
	const struct early_row *row = &early_rows[_i];

	tasks_begin(RV64);
	hide();
	tasks_csr(PMU_CSR_SATP, row->satp ? tasks_isa->satp : 0);
	tasks_run(row->mode, value_of(row->tp), 0);
	ck_assert_str_eq(found(), "");
	tasks_describe(BTF, 4, COMM);
	tasks_csr(PMU_CSR_SATP, tasks_isa->satp);
	tasks_run(PMU_MODE_S, tasks_isa->kernel + TASK, 0);
	ck_assert_msg(strcmp(found(), "7/8 sh") == 0, "%s", row->why);
	tasks_end();
}

SUITE("processes");
