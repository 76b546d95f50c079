/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is seen of a machine: harts, CSRs, memory through translations, counters
 * and totals, and in which words it is said that there is nothing to see.
 */
#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/event.h>
#include <pmu/model-events.h>

#include "core/machine-read.h"
#include "machine-script.h"
#include "view/inspect.h"

static struct error error;

/* Counters, of the hart and of the firmware */

#define SBI_PMU 0x504d55
#define CONFIG(n, flags, idx)                                                  \
	LI(17, SBI_PMU), LI(16, 2), LI(10, n), LI(11, 1), LI(12, flags),       \
		LI(13, idx), LI(14, 0), INSN(FAKE_ECALL)
enum {
	CLEAR = 1 << 1,
	AUTO_START = 1 << 2,
	SET_TIMER = 5, /* event of the firmware */
	INSNS = 2,
	STEPS = 64,
};

/* Two timers set, when 33 counts them. */
static const struct fake_op sbi_ops[] = {
	CONFIG(3, CLEAR | AUTO_START, INSNS),
	CONFIG(33, CLEAR | AUTO_START, 0xf0000 + SET_TIMER),
	CONFIG(34, CLEAR, 0xf0000 + SET_TIMER),
	LI(17, 0),
	LI(10, UINT64_MAX),
	INSN(FAKE_ECALL),
	INSN(FAKE_ECALL),
	NOP,
	JUMP(28),
};

static const struct fake_op m_ops[] = {
	LI(1, 1 << 3),
	LI(2, 1),
	LI(3, 77),
	CSRW(MCOUNTINHIBIT, 1),
	CSRW(MHPMEVENT3, 2),
	CSRW(MHPMCOUNTER3, 3),
	LOAD,
	JUMP(6),
};

static void begin(bool s_mode, const char *settings)
{
	const struct machine_step steps = { .insns = STEPS,
					    .hart = STEP_NEXT_HART };

	if (s_mode)
		SCRIPT(sbi_ops);
	else
		SCRIPT(m_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = !s_mode,
						   .settings = settings });
	fixture_start(&f);
	PREPARING(ck_assert(machine_pause(f.m, NULL)));
	PREPARING(ck_assert(machine_step(f.m, &steps, NULL)));
	fixture_run(&f, 1000, UINT32_MAX);
}

static void write_csr(uint16_t csr, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { csr, value } };

	PREPARING(ck_assert_msg(machine_input(f.m, &in, NULL, &error), "%s",
				error.text));
}

#define OF (UINT64_C(1) << 63)

static const struct counter_row {
	bool s_mode;
	unsigned index;
	struct inspect_counter want;
} counter_rows[] = {
	{ false,
	  0,
	  { .exists = true, .width = 64, .value = STEPS, .event = "cycles" } },
	{ false, 1, { .exists = false } },
	{ false,
	  2,
	  { .exists = true,
	    .width = 64,
	    .value = STEPS,
	    .event = "instructions" } },
	{ false,
	  3,
	  { .exists = true,
	    .inhibited = true,
	    .overflow = true,
	    .width = 40,
	    .value = 77,
	    .config = OF | 1,
	    .event = "cycles" } },
	{ false, 4, { .exists = true, .width = 40 } },
	{ false, 5, { .exists = true, .width = 40, .config = 0x77 } },
	{ false, 9, { .exists = false } },
	{ false, 32, { .exists = false } },
	{ true,
	  3,
	  { .exists = true,
	    .mapped = true,
	    .started = true,
	    .event_idx = INSNS,
	    .width = 64,
	    .value = 57,
	    .config = UINT64_C(1) << 62 | 2,
	    .event = "instructions" } },
	{ true,
	  4,
	  { .exists = true,
	    .inhibited = true,
	    .width = 64,
	    .config = UINT64_C(1) << 62 } },
	{ true,
	  32,
	  { .exists = true,
	    .firmware = true,
	    .inhibited = true,
	    .width = 64 } },
	{ true,
	  33,
	  { .exists = true,
	    .firmware = true,
	    .mapped = true,
	    .started = true,
	    .event_idx = 0xf0000 + SET_TIMER,
	    .width = 64,
	    .value = 2,
	    .event = "fw_set_timer" } },
	{ true,
	  34,
	  { .exists = true,
	    .firmware = true,
	    .inhibited = true,
	    .mapped = true,
	    .event_idx = 0xf0000 + SET_TIMER,
	    .width = 64,
	    .event = "fw_set_timer" } },
};

TEST_ROWS(a_counter_is_seen_as_it_is, counter_rows)
{
	const struct counter_row *row = &counter_rows[_i];
	const struct inspect_counter *want = &row->want;
	struct inspect_counter got;

	begin(row->s_mode,
	      row->s_mode ? NULL : "hpm-counters=0x38 hpm-width=40");
	if (!row->s_mode) {
		write_csr(MHPMEVENT3, OF | 1);
		write_csr(MHPMEVENT3 + 2, 0x77);
	}
	inspect_counter(f.m, 0, row->index, &got);
	ck_assert(got.exists == want->exists);
	ck_assert(got.firmware == want->firmware);
	ck_assert(got.inhibited == want->inhibited);
	ck_assert(got.overflow == want->overflow);
	ck_assert(got.mapped == want->mapped);
	ck_assert(got.started == want->started);
	ck_assert_uint_eq(got.event_idx, want->event_idx);
	ck_assert_uint_eq(got.event_data, want->event_data);
	ck_assert_uint_eq(got.value, want->value);
	ck_assert_uint_eq(got.config, want->config);
	ck_assert_uint_eq(got.width, want->width);
	ck_assert_pstr_eq(got.event, want->event);
}

TEST_TIMES(counters_are_as_many_as_there_are, 2)
{
	struct inspect_counter none;

	begin(_i, NULL);
	ck_assert_uint_eq(inspect_counters(f.m, 0), _i ? 56 : 32);
	memset(&none, 0xff, sizeof(none));
	inspect_counter(f.m, 1, 0, &none);
	ck_assert(!none.exists);
	ck_assert_ptr_null(none.event);
}

TEST(totals_are_of_an_event_and_a_mode)
{
	const enum pmu_event reads = pmu_event_of_model(PMU_UA_L1D_LOADS);

	begin(true, NULL);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_INSNS, PMU_MODE_S),
			  STEPS);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_INSNS, PMU_MODE_M), 0);
	ck_assert_uint_eq(inspect_total(f.m, 1, PMU_EV_INSNS, PMU_MODE_S), 0);
	ck_assert_uint_eq(inspect_fw_total(f.m, 0, SET_TIMER), 2);
	ck_assert_uint_eq(inspect_fw_total(f.m, 0, SET_TIMER + 1), 0);
	ck_assert(inspect_has_total(f.m, PMU_EV_INSNS));
	ck_assert(!inspect_has_total(f.m, reads));
	fixture_fini(&f);
	begin(false, "uarch=small uarch-watch=on");
	ck_assert_uint_eq(inspect_fw_total(f.m, 0, SET_TIMER), 0);
	ck_assert(inspect_has_total(f.m, reads));
	ck_assert_uint_eq(inspect_total(f.m, 0, reads, PMU_MODE_M), 0);
}

/* Harts and CSRs */

TEST(a_hart_is_seen_as_it_is)
{
	struct inspect_hart h;

	begin(false, NULL);
	ck_assert(inspect_hart(f.m, 0, &h, NULL));
	ck_assert_int_eq(h.status, HART_RUNNING);
	ck_assert_int_eq(h.mode, PMU_MODE_M);
	ck_assert_uint_eq(h.pc, PC(6));
	ck_assert_uint_eq(h.cycle, STEPS);
	ck_assert_uint_eq(h.insn, STEPS);
	ck_assert(strncmp(h.isa, "rv64ima", 7) == 0);
	ck_assert_uint_eq(inspect_time(f.m), machine_time(f.m));
	ck_assert(!inspect_hart(f.m, 1, &h, &error));
	ck_assert_int_eq(error.kind, ERROR_INVALID);
	ck_assert_str_eq(error.text, "hart: there is no hart 1, the last is 0");
}

TEST(the_time_is_that_of_the_clock)
{
	begin(false, "clock-hz=2M time-hz=1M");
	ck_assert_uint_eq(inspect_time(f.m), STEPS / 2);
}

static const struct csr_row {
	uint32_t number;
	const char *name, *error; /* one of them */
	uint64_t value;
} csr_rows[] = {
	{ PMU_CSR_FFLAGS, "fflags", NULL, 0x15 },
	{ PMU_CSR_FRM, "frm", NULL, 6 },
	{ PMU_CSR_FCSR, "fcsr", NULL, 0xd5 },
	{ MHPMCOUNTER3, "mhpmcounter3", NULL, 77 },
	{ 0x350, "miselect", NULL, 0 },
	{ 0x351, NULL, "CSR mireg: nothing is behind it now", 0 },
	{ 0, NULL, "CSR 0x0: hart 0 has none there", 0 },
	{ 4, NULL, "CSR 0x4: hart 0 has none there", 0 },
	{ 0xfff, NULL, "CSR 0xfff: hart 0 has none there", 0 },
	{ 0x1000, NULL, "CSR 0x1000: hart 0 has none there", 0 },
	{ 0x10000 + MHPMCOUNTER3, NULL, "CSR 0x10b03: hart 0 has none there",
	  0 },
};

TEST_ROWS(a_csr_is_seen_as_it_is, csr_rows)
{
	const struct csr_row *row = &csr_rows[_i];
	struct inspect_csr csr = { .number = 0 };
	uint32_t number = 9;

	begin(false, "smcsrind=on sscsrind=on");
	write_csr(PMU_CSR_FCSR, 0xd5);
	ck_assert(inspect_csr(f.m, 0, row->number, &csr, &error) ==
		  !row->error);
	if (row->error) {
		ck_assert_str_eq(error.text, row->error);
		ck_assert_int_eq(error.part, PART_CSR);
		return;
	}
	ck_assert_uint_eq(csr.number, row->number);
	ck_assert_str_eq(csr.name, row->name);
	ck_assert_uint_eq(csr.value, row->value);
	ck_assert(inspect_csr_number(f.m, 0, row->name, &number, &error));
	ck_assert_uint_eq(number, row->number);
}

TEST(a_csr_has_a_name_and_a_hart)
{
	struct inspect_csr csr;
	uint32_t number = 9;

	begin(false, NULL);
	ck_assert(inspect_csr_number(f.m, 0, NULL, &number, &error));
	ck_assert_uint_eq(number, 9);
	ck_assert(!inspect_csr_number(f.m, 0, "mfoo", &number, &error));
	ck_assert_str_eq(error.text,
			 "CSR 'mfoo': hart 0 has none of this name");
	ck_assert_int_eq(error.kind, ERROR_NOT_FOUND);
	ck_assert(!inspect_csr_number(f.m, 1, "mcycle", &number, &error));
	ck_assert_str_eq(error.reason, "NO_SUCH_HART");
	ck_assert_uint_eq(number, 9);
	ck_assert(!inspect_csr(f.m, 1, MSTATUS, &csr, &error));
	ck_assert_str_eq(error.reason, "NO_SUCH_HART");
}

TEST(nothing_is_seen_before_the_start)
{
	const struct inspect_range range = { .address = BASE, .size = 1 };
	struct inspect_counter counter;
	struct hart_state state;
	uint8_t byte;

	SCRIPT(m_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(!inspect_registers(f.m, 0, &state, &error));
	ck_assert_str_eq(error.text, "the machine has not started");
	ck_assert_int_eq(error.kind, ERROR_NOT_NOW);
	ck_assert(!inspect_memory(f.m, &range, &byte, &error));
	inspect_counter(f.m, 0, 0, &counter);
	ck_assert(!counter.exists);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_INSNS, PMU_MODE_M), 0);
}

/* Memory */

enum {
	PAGE = 4096,
	TABLES = 0x300000, /* behind RAM's base: three of them */
	FIRST = 0x310000,
	SECOND = 0x308000,
	POINTER = 0x01,
	LEAF = 0xc7, /* D A W R V */
	RAM = 4 << 20,
};

static void put(unsigned at, uint64_t value)
{
	const struct input in = {
		.kind = INPUT_MEMORY_WRITE,
		.memory_write = { BASE + at, (const uint8_t *)&value, 8,
				  false },
	};

	PREPARING(ck_assert(machine_input(f.m, &in, NULL, NULL)));
}

#define PTE(to, flags) ((uint64_t)(BASE + (to)) >> 12 << 10 | (flags))

/* The first two pages of addresses lie apart, and in another order. */
static void map(void)
{
	begin(true, NULL);
	put(TABLES, PTE(TABLES + PAGE, POINTER));
	put(TABLES + PAGE, PTE(TABLES + 2 * PAGE, POINTER));
	put(TABLES + 2 * PAGE, PTE(FIRST, LEAF));
	put(TABLES + 2 * PAGE + 8, PTE(SECOND, LEAF));
	put(FIRST, 0x11);
	put(FIRST + PAGE - 8, 0x2200000000000000);
	put(SECOND, 0x33);
	put(SECOND + PAGE - 8, 0x4400000000000000);
	write_csr(PMU_CSR_SATP, UINT64_C(8) << 60 | (BASE + TABLES) >> 12);
}

static const struct memory_row {
	const char *why;
	uint64_t address;
	size_t size;
	bool virtual;
	uint8_t first, last;
	const char *error;
} memory_rows[] = {
	{ "a byte", BASE + FIRST, 1, false, 0x11, 0x11, NULL },
	{ "a page", BASE + FIRST, PAGE, false, 0x11, 0x22, NULL },
	{ "all of RAM that is left", BASE + FIRST, RAM - FIRST, false, 0x11, 0,
	  NULL },
	{ "a byte of another", PAGE, 1, true, 0x33, 0x33, NULL },
	{ "over the end of a page", PAGE - 1, 2, true, 0x22, 0x33, NULL },
	{ "two pages", 0, 2 * PAGE, true, 0x11, 0x44, NULL },
	{ "most of two", 1, 2 * PAGE - 1, true, 0, 0x44, NULL },
	{ "nothing", BASE, 0, false, 0, 0,
	  "memory: must be from 1 to 1048576 bytes, not 0" },
	{ "the most", BASE, MACHINE_MAX_PEEK, false, 0, 0, NULL },
	{ "too much", BASE, MACHINE_MAX_PEEK + 1, false, 0, 0,
	  "memory: must be from 1 to 1048576 bytes, not 1048577" },
	{ "into a third page", PAGE, PAGE + 1, true, 0, 0,
	  "memory: nothing to read at 0x2000" },
	{ "beyond RAM", BASE + RAM - 4, 5, false, 0, 0,
	  "memory: nothing to read at 0x80400000" },
	{ "beyond RAM, unaligned", BASE + RAM - PAGE + 1, PAGE, false, 0, 0,
	  "memory: nothing to read at 0x80400000" },
};

TEST_ROWS(memory_is_seen_page_by_page, memory_rows)
{
	const struct memory_row *row = &memory_rows[_i];
	static uint8_t got[MACHINE_MAX_PEEK + 1];
	const struct inspect_range range = { 0, row->address, row->size,
					     row->virtual };

	map();
	memset(got, 0xee, sizeof(got));
	ck_assert_msg(inspect_memory(f.m, &range, got, &error) == !row->error,
		      "%s: %s", row->why, error.text);
	if (row->error) {
		ck_assert_str_eq(error.text, row->error);
		return;
	}
	ck_assert_uint_eq(got[0], row->first);
	ck_assert_uint_eq(got[row->size - 1], row->last);
	ck_assert_uint_eq(got[row->size], 0xee);
}

SUITE("inspect", .teardown = teardown);
