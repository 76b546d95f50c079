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
#include "fake-engine.h"
#include "machine-fixture.h"
#include "unit.h"

/* Where things are in the memory, of which all is mapped at KERNEL, too. */
enum {
	ROOT = 0x1000,	 /* page tables */
	MIDDLE = 0x2000, /* of the pages at PAGES */
	LOWEST = 0x3000,
	TASK = 0x10004, /* its words need not be aligned to more */
	OTHER = 0x12000,
	LEADER = 0x14000, /* of TASK */
	BTF = 0x20000,

	TGID_AT = 8,
	PID_AT = 12,
	LEADER_AT = 16,
	COMM_AT = 100,
	COMM = 16
};

/* Of RV64 and RV32 each. */
static const struct isa {
	unsigned xlen, entry, root_shift;
	const char *settings;
	uint64_t kernel, satp;
} isas[] = {
	{ 64, 8, 30, "isa=rv64gch_svade_svadu", UINT64_C(0xffffffc000000000),
	  UINT64_C(8) << 60 | (0x80000000 + ROOT) >> 12 },
	{ 32, 4, 22, "xlen=32", 0xc0000000,
	  UINT64_C(1) << 31 | (0x80000000 + ROOT) >> 12 },
};
#define RV64 (&isas[0])

static const struct isa *isa;
static struct fixture f;

static uint8_t *ram(size_t at)
{
	size_t size;

	return (uint8_t *)machine_ram(f.m, &size) + at;
}

static void set_csr(uint16_t number, uint64_t value)
{
	unsigned effects;

	PREPARING(ck_assert_int_eq(
		pmu_csr_poke(hart_of(f.m, 0)->pmu, number, 0, value, &effects),
		0));
}

static void set_hart(enum pmu_mode mode, uint64_t tp, uint64_t sscratch)
{
	/* an engine may extend it either way */
	if (isa->xlen == 32)
		tp = (uint64_t)(int32_t)tp;
	pmu_hart_set_mode(hart_of(f.m, 0)->pmu, mode);
	engine_set(f.m->engine, hart_of(f.m, 0)->ctx, ENGINE_X0 + 4, tp);
	set_csr(PMU_CSR_SSCRATCH, sscratch);
}

static void put_leader(size_t at, uint64_t leader)
{
	memcpy(ram(at + LEADER_AT), &leader, isa->xlen / 8);
}

static void put_task(size_t at, uint32_t tgid, uint32_t pid, const char *comm)
{
	btf_put(ram(at + TGID_AT), tgid);
	btf_put(ram(at + PID_AT), pid);
	put_leader(at, isa->kernel + (tgid == pid ? at : LEADER));
	memset(ram(at + COMM_AT), 0, COMM);
	memcpy(ram(at + COMM_AT), comm, strlen(comm));
}

/* A description at @at, of a command of @comm bytes and a tgid of @tgid. */
static size_t describe(size_t at, uint32_t tgid, uint32_t comm)
{
	btf_begin();
	btf_number("int", 4);
	btf_number("char", 1);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(2, 1, comm);
	btf_number("number", tgid);
	btf_type("", BTF_PTR, 0, 6); /* 5 */
	btf_type("task_struct", BTF_STRUCT, 4, 128);
	btf_member("tgid", 4, 8 * TGID_AT);
	btf_member("pid", 1, 8 * PID_AT);
	btf_member("comm", 3, 8 * COMM_AT);
	btf_member("group_leader", 5, 8 * LEADER_AT);
	return btf_finish(ram(at));
}

static void begin(const struct isa *which)
{
	isa = which;
	fixture_init(&f, &(struct fixture_config){ .settings = isa->settings });
	fixture_start(&f);
	/* one large page: V, R, W, A, D */
	btf_put(ram(ROOT +
		    (isa->kernel >> isa->root_shift & (4096 / isa->entry - 1)) *
			    isa->entry),
		0x80000 << 10 | 0xc7);
	set_csr(PMU_CSR_SATP, isa->satp);
	put_task(TASK, 7, 8, "sh");
	put_task(LEADER, 7, 7, "first");
	put_task(OTHER, 9, 9, "other");
	describe(BTF, 4, COMM);
	trace_processes(&f.trace, f.m);
}

static void end(void)
{
	fixture_fini(&f);
}

static const struct record_at at = { .mode = PMU_MODE_S };

/* "tgid/pid comm", or "" where nobody is known. */
static const char *found(void)
{
	static char text[80];
	struct process got;

	text[0] = '\0';
	if (processes_find(&f.trace.processes, &at, &got))
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
	return v & K ? isa->kernel + (v & ~(uint64_t)K) : v;
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

	for (unsigned i = 0; i < ARRAY_SIZE(isas); i++) {
		begin(&isas[i]);
		set_hart(row->mode, value_of(row->tp), value_of(row->sscratch));
		ck_assert_msg(strcmp(found(), row->want) == 0, "%s: %s",
			      row->why, found());
		end();
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

	for (unsigned i = 0; i < ARRAY_SIZE(isas); i++) {
		begin(&isas[i]);
		put_leader(TASK, value_of(row->leader));
		set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
		ck_assert_msg(strcmp(found(), row->want) == 0, "%s: %s",
			      row->why, found());
		end();
	}
}

static const enum pmu_mode guest_modes[] = { PMU_MODE_VS, PMU_MODE_VU };

TEST_ROWS(who_runs_in_a_guest_of_the_kernel_is_not_known, guest_modes)
{
	begin(RV64);
	set_hart(guest_modes[_i], isa->kernel + TASK, isa->kernel + TASK);
	ck_assert_str_eq(found(), "");
	end();
}

TEST(nobody_is_known_without_page_tables)
{
	for (unsigned i = 0; i < ARRAY_SIZE(isas); i++) {
		begin(&isas[i]);
		/* where it lies, which on RV32 looks like the kernel's */
		set_hart(PMU_MODE_S, 0x80000000 + TASK, 0);
		set_csr(PMU_CSR_SATP, 0);
		ck_assert_str_eq(found(), "");
		end();
	}
}

TEST(nobody_is_known_who_was_not_asked_for)
{
	struct process got;

	begin(RV64);
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	ck_assert(!processes_find(&(struct processes){ 0 }, &at, &got));
	end();
}

/* Memory */

#define PAGES UINT64_C(0xffffffd000000000)

/* Two pages at PAGES: one with most of a task, and one of @second, an entry. */
static void split_task(uint64_t second)
{
	btf_put(ram(ROOT + (PAGES >> 30 & 511) * 8),
		(0x80000000 + MIDDLE) >> 2 | 1);
	btf_put(ram(MIDDLE), (0x80000000 + LOWEST) >> 2 | 1);
	btf_put(ram(LOWEST), 0x80010 << 10 | 0xc7);
	btf_put(ram(LOWEST + 8), (uint32_t)second);
	put_task(0x11000 - COMM_AT - 2, 5, 5, "ab");
	memcpy(ram(0x13000), "cd", 3);
	set_hart(PMU_MODE_S, PAGES + 0x1000 - COMM_AT - 2, 0);
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
	begin(RV64);
	split_task(page_rows[_i].entry);
	ck_assert_msg(strcmp(found(), page_rows[_i].want) == 0, "%s: %s",
		      page_rows[_i].why, found());
	end();
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

	begin(RV64);
	h = hart_of(f.m, 0)->pmu;
	memory = machine_ram(f.m, &size);
	before = malloc(size);
	set_csr(PMU_CSR_MENVCFG, UINT64_C(1) << 61);
	split_task(0x80013 << 10 | 0x87);
	memcpy(before, memory, size);
	pmu_hart_give(h, state);
	ck_assert_str_eq(found(), "5/5 abcd");
	pmu_hart_give(h, after);
	ck_assert(!memcmp(before, memory, size));
	ck_assert(!memcmp(state, after, pmu_hart_state_size()));
	end();
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

	begin(RV64);
	describe(BTF, row->tgid, row->bytes);
	memset(ram(TASK + COMM_AT), 0, COMM);
	memcpy(ram(TASK + COMM_AT), row->comm, strlen(row->comm));
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	ck_assert_msg(strcmp(found(), row->want) == 0, "%s: %s", row->why,
		      found());
	end();
}

TEST(a_leader_that_is_no_pointer_is_none)
{
	begin(RV64);
	/* the type of the last member: a number */
	btf_put(ram(BTF + BTF_HEADER + btf.n_types - 8), 1);
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	ck_assert_str_eq(found(), "");
	end();
}

/* In place of the description, nothing. */
static void hide(void)
{
	memset(ram(BTF), 0, BTF_HEADER);
}

TEST(a_kernel_is_looked_for_once)
{
	begin(RV64);
	hide();
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	ck_assert_str_eq(found(), "");
	describe(BTF, 4, COMM);
	ck_assert_str_eq(found(), "");
	end();
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

	begin(RV64);
	hide();
	set_csr(PMU_CSR_SATP, row->satp ? isa->satp : 0);
	set_hart(row->mode, value_of(row->tp), 0);
	ck_assert_str_eq(found(), "");
	describe(BTF, 4, COMM);
	set_csr(PMU_CSR_SATP, isa->satp);
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	ck_assert_msg(strcmp(found(), "7/8 sh") == 0, "%s", row->why);
	end();
}

/* Records */

static void put_overflow(void)
{
	const struct pmu_overflow o = { .counter = 3 };

	record_overflow(&f.trace.recorder, &at,
			&(struct record_overflow){ .overflow = &o });
}

static void put_sample(uint32_t session, bool summed)
{
	f.trace.recorder.ops->sample(
		&f.trace, &at,
		&(struct record_sample){ .session = session,
					 .event = "cycles",
					 .period = 1,
					 .summed = summed });
}

/* The process of the last record, as found() has it. */
static const char *recorded(void)
{
	static char text[80];
	Pmu__V1__Trace *t = fixture_trace(&f);
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
	begin(RV64);
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	put_overflow();
	ck_assert_str_eq(recorded(), "7/8 sh");
	set_hart(PMU_MODE_S, isa->kernel + OTHER, 0);
	put_sample(0, false);
	ck_assert_str_eq(recorded(), "9/9 other");
	put_sample(1, false);
	ck_assert_str_eq(recorded(), "9/9 other");
	put_sample(0, true);
	ck_assert_str_eq(recorded(), ""); /* of all that ran there */
	set_hart(PMU_MODE_S, 0, 0);
	put_overflow();
	ck_assert_str_eq(recorded(), "");
	end();
}

TEST(who_watches_does_not_change_what_is_stored)
{
	begin(RV64);
	hide();
	set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
	put_sample(1, false);
	describe(BTF, 4, COMM);
	put_sample(0, false);
	ck_assert_str_eq(recorded(), "7/8 sh");
	end();
}

TEST(after_a_reset_there_may_be_another_kernel)
{
	for (uint32_t session = 0; session < 2; session++) {
		begin(RV64);
		set_hart(PMU_MODE_S, isa->kernel + TASK, 0);
		put_sample(session, false);
		ck_assert_str_eq(recorded(), "7/8 sh");
		describe(BTF, 8, COMM);
		put_sample(session, false);
		ck_assert_str_eq(recorded(), "7/8 sh");
		record_reset(&f.trace.recorder, &at, REBOOT_COLD);
		put_sample(session, false);
		ck_assert_str_eq(recorded(), "");
		end();
	}
}

SUITE("processes");
