/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine over the scripted engine: how it ends, and how time passes while
 * nobody runs.
 */
#include <pmu/rule.h>

#include "core/machine-load.h"
#include "engine/engine.h"
#include "view/inspect.h"
#include "machine-script.h"

static const struct fake_op pass_ops[] = { NOP, NOP, NOP, PASS, NOP };

TEST(the_finisher_ends_after_its_own_instruction)
{
	SCRIPT(pass_ops);
	play("");
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_eq(fixture_status(&f).insn, 5);
	ck_assert_uint_eq(fixture_status(&f).cycle, 5);
}

TEST(so_many_images_are_loaded_and_no_more)
{
	struct machine_image image = { .kind = IMAGE_FLAT,
				       .bytes = (const uint8_t *)"code",
				       .size = 4 };
	uint64_t entry;
	struct error e;

	SCRIPT(pass_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	for (unsigned i = 1; i < MACHINE_MAX_IMAGES; i++) {
		image.address = BASE + 4096 * i;
		ck_assert(machine_load(f.m, &image, &entry, &e));
		ck_assert_uint_eq(entry, BASE);
	}
	image.address += 4096;
	ck_assert(!machine_load(f.m, &image, &entry, &e));
	ck_assert_int_eq(e.kind, ERROR_NO_ROOM);
	ck_assert_str_eq(e.reason, "IMAGES_LIMIT");
	ck_assert_str_eq(e.text, "image: a machine takes at most 16 images");
	fixture_start(&f);
	ck_assert(!machine_load(f.m, &image, &entry, &e));
	ck_assert_str_eq(e.reason, "ALREADY_STARTED");
}

static const struct fake_op fail_ops[] = { LI(1, 0x3333 | 7 << 16),
					   WRITE(1, 4, BOARD_FINISHER_BASE) };

TEST(the_guest_code_is_the_exit_code)
{
	SCRIPT(fail_ops);
	play("");
	ended(CAUSE_FINISHER_FAIL, 7);
}

static const struct fake_op loop_ops[] = { LOAD, NOP, STORE, JUMP(0) };

TEST_RANGE(max_insns_is_exact, 1, 20)
{
	char text[64];

	SCRIPT(loop_ops);
	fake.block = 3;
	snprintf(text, sizeof(text), "max-insns=%d cpi=3", _i);
	play(text);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).insn, (uint64_t)_i);
	ck_assert_uint_eq(fixture_status(&f).cycle, 3 * (uint64_t)_i);
}

TEST_RANGE(max_cycles_is_met_at_the_first_boundary_behind_it, 1, 20)
{
	char text[64];

	SCRIPT(loop_ops);
	snprintf(text, sizeof(text), "max-cycles=%d cpi=3", _i);
	play(text);
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).cycle, ((uint64_t)_i + 2) / 3 * 3);
}

TEST(a_trap_storm_ends_at_max_cycles)
{
	script(NULL, 0);
	play("max-cycles=5000 trap-cycles=1");
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).insn, 0);
	ck_assert_uint_eq(fixture_status(&f).cycle, 5000);
}

TEST(a_trap_storm_can_be_paused)
{
	struct error e;

	script(NULL, 0);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1000, 3);
	ck_assert_int_eq(fixture_state(&f), MACHINE_RUNNING);
	ck_assert_uint_gt(fixture_status(&f).cycle, 0);
	ck_assert(machine_pause(f.m, &e));
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_PAUSE);
}

/* Idle */

static const struct fake_op timer_ops[] = {
	LI(1, PC(9)),  CSRW(MTVEC, 1), LI(1, 500), WRITE(1, 8, MTIMECMP(0)),
	LI(1, 1 << 7), CSRW(MIE, 1),   WFI, /* 6; time 500 is cycle 5000 at a
					       tenth of the clock */
	NOP,	       PASS,
};

static const struct idle_row {
	const char *settings;
	uint64_t cycles, ref, bus;
} idle_rows[] = {
	/* 6 instructions, then WFI from 6 to 5000, WFI itself, 3 more */
	{ "clock-hz=10M time-hz=1M ref-hz=1M bus-hz=2M", 5004, 500, 1000 },
	{ "clock-hz=10M time-hz=1M ref-hz=1M bus-hz=2M wfi-cycles=stop", 10, 1,
	  1000 },
};

static void totals_are(const struct idle_row *row)
{
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_CYCLES, PMU_MODE_M),
			  row->cycles);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_REF_CYCLES, PMU_MODE_M),
			  row->ref);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_BUS_CYCLES, PMU_MODE_M),
			  row->bus);
}

TEST_ROWS(idle_time_jumps_to_the_timer, idle_rows)
{
	const struct idle_row *row = &idle_rows[_i];
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	SCRIPT(timer_ops);
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .settings = row->settings },
		     1000);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_eq(fixture_status(&f).cycle, 5004);
	ck_assert_uint_eq(fixture_status(&f).insn, 10);
	totals_are(row);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_HART_CHANGE, 1);
	ck_assert_int_eq(r->hart_change->what,
			 PMU__V1__HART_CHANGE__WHAT__WHAT_WAITING);
	ck_assert_uint_eq(r->cycle, 6);
	r = fixture_record(t, PMU__V1__RECORD__KIND_HART_CHANGE, 2);
	ck_assert_int_eq(r->hart_change->what,
			 PMU__V1__HART_CHANGE__WHAT__WHAT_WOKEN);
	ck_assert_uint_eq(r->cycle, 5000);
	fixture_free_trace(t);
}

static const struct fake_op wfi_ops[] = { NOP, WFI, NOP, PASS };

TEST(waiting_for_nothing_ends_once_no_input_can_come)
{
	SCRIPT(wfi_ops);
	play("max-cycles=1000");
	ck_assert_int_eq(fixture_state(&f), MACHINE_WAITING);
	ck_assert_uint_eq(fixture_status(&f).cycle, 1);
	machine_console_eof(f.m);
	fixture_run(&f, 1000, 10);
	ended(CAUSE_DEADLOCK, EXIT_DEADLOCK);
	ck_assert_uint_eq(fixture_status(&f).cycle, 1);
}

/* Taken out of its WFI, however far the machine had got with waiting. */
TEST_TIMES(a_waiting_hart_that_is_moved_runs_on_the_clock, 2)
{
	const struct input in = {
		.kind = INPUT_REGISTER_WRITE,
		.register_write = { ENGINE_PC, PC(2) },
	};
	struct inspect_hart hart = { 0 };
	struct error e;

	SCRIPT(wfi_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	while (hart.status != HART_WAITING) {
		fixture_run(&f, _i ? 1000 : 1, 1);
		ck_assert(inspect_hart(f.m, 0, &hart, &e));
	}
	ck_assert_int_eq(fixture_state(&f),
			 _i ? MACHINE_WAITING : MACHINE_RUNNING);
	ck_assert(machine_pause(f.m, &e));
	ck_assert(machine_input(f.m, &in, NULL, &e));
	ck_assert(machine_resume(f.m, &e));
	fixture_run(&f, 1000, 10);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_eq(fixture_status(&f).insn, 4);
	ck_assert_uint_eq(fixture_status(&f).cycle, 4);
}

/* Each state in which a register cannot be written is told by its own name. */
TEST(an_input_is_refused_for_the_state_that_is)
{
	const struct input in = {
		.kind = INPUT_REGISTER_WRITE,
		.register_write = { ENGINE_PC, PC(2) },
	};
	struct error e;

	SCRIPT(wfi_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(!machine_input(f.m, &in, NULL, &e));
	ck_assert_str_eq(e.text, "input: the machine has not started");
	fixture_start(&f);
	ck_assert(!machine_input(f.m, &in, NULL, &e));
	ck_assert_str_eq(e.text, "input: the machine is not paused");
	ck_assert(machine_pause(f.m, &e));
	ck_assert(machine_input(f.m, &in, NULL, &e));
	ck_assert(machine_resume(f.m, &e));
	fixture_run(&f, 1000, 10);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert(!machine_input(f.m, &in, NULL, &e));
	ck_assert_str_eq(e.text, "input: the machine has ended");
}

/* Stamps that no machine wrote: they act, late, and nothing hangs. */
TEST_TIMES(an_input_for_a_moment_that_never_is_acts_behind_its_cycle, 2)
{
	Pmu__V1__Trace t = PMU__V1__TRACE__INIT;
	Pmu__V1__Record record = PMU__V1__RECORD__INIT, *records = &record;
	Pmu__V1__Input in = PMU__V1__INPUT__INIT;
	uint8_t byte = 'x';

	in.cycle = _i ? 500 : 1;
	in.moment = 77;
	in.kind_case = PMU__V1__INPUT__KIND_CONSOLE;
	in.console = (ProtobufCBinaryData){ 1, &byte };
	record.kind_case = PMU__V1__RECORD__KIND_INPUT;
	record.input = &in;
	t.records = &records;
	t.n_records = 1;
	SCRIPT(wfi_ops);
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true, .replay = &t },
		     1000);
	ck_assert_int_eq(fixture_state(&f), MACHINE_WAITING);
	ck_assert_uint_eq(fixture_status(&f).cycle, in.cycle + 1);
}

/* An interrupt that is pending already does not let WFI wait. */
static const struct fake_op awake_ops[] = { LI(1, 1 << 3), CSRW(MIE, 1),
					    LI(1, 1),	   WRITE(1, 4, MSIP(0)),
					    WFI,	   PASS };

TEST(wfi_with_something_pending_only_retires)
{
	shows(RULE("C165"));
	SCRIPT(awake_ops);
	play("");
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_eq(fixture_status(&f).insn, 7);
	ck_assert_uint_eq(fixture_status(&f).cycle, 7);
}

/* A counter that overflows in the wait ends it. */
static struct fake_op wait_overflow_ops[] = {
	LI(1, 0), /* the event's selector */
	CSRW(MHPMEVENT3, 1),
	LI(1, -1000ull),
	CSRW(MHPMCOUNTER3, 1),
	LI(1, 1 << 13),
	CSRW(MIE, 1),
	WFI,
	PASS,
};

static const struct wait_row {
	const char *rule, *settings;
	uint64_t selector, cycle;
} wait_rows[] = {
	/* written by the fourth instruction, at 0 from cycle 4 + 1000 on */
	{ RULE("C166"), "", 1, 1004 },
	/* after 4 cycles there were 2 ticks, of which the next is the sixth */
	{ RULE("C193"), "ref-hz=500M", 0xa, 2004 },
	{ RULE("C193"), "bus-hz=500M", 7, 2004 },
	{ RULE("C193"), "bus-hz=500M wfi-cycles=stop", 7, 2004 },
	/* after 4 cycles there were 3; the 1003rd is in cycle 1114.4 */
	{ RULE("C193"), "ref-hz=900M", 0xa, 1115 },
};

TEST_ROWS(an_overflow_while_waiting_wakes_at_its_cycle, wait_rows)
{
	const struct wait_row *row = &wait_rows[_i];
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	shows(row->rule);
	wait_overflow_ops[0].value = row->selector;
	SCRIPT(wait_overflow_ops);
	play(row->settings);
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	r = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 0);
	ck_assert_uint_eq(r->cycle, row->cycle);
	ck_assert_uint_eq(r->overflow->value, 0);
	ck_assert_uint_eq(r->overflow->last_pc, PC(6));
	ck_assert_uint_eq(r->pc, PC(7));
	ck_assert(r->overflow->raised);
	ck_assert_uint_eq(r->overflow->pending, 1 << 3);
	fixture_free_trace(t);
}

static const struct fake_op spin_ops[] = { JUMP(0) };

TEST(an_engine_that_fails_is_a_crash_of_this_machine)
{
	SCRIPT(spin_ops);
	fake.fail = true;
	play("");
	ck_assert_int_eq(fixture_state(&f), MACHINE_CRASHED);
	ck_assert_int_eq(fixture_status(&f).exit_code, EXIT_CRASH);
	ck_assert_str_eq(fixture_status(&f).detail, "the script says so");
}

/* A mask at an address without memory, taken up at 8 by the guest itself. */
static const struct fake_op sbi_ops[] = {
	LI(1, PC(8)),	  CSRW(0x105, 1), LI(11, 77),	    LI(17, 3),
	INSN(FAKE_ECALL), LI(17, 4),	  LI(10, 1),	    INSN(FAKE_ECALL),
	LI(17, 0x10),	  LI(16, 0),	  INSN(FAKE_ECALL), PASS,
};

static const struct sbi_row {
	const char *why;
	bool returned;
	int64_t error;
	uint64_t value;
} sbi_rows[] = {
	{ "a legacy call answers in a0 alone, a1 is not its value", true, 0,
	  0 },
	{ "a legacy call whose mask faults has no answer", false, 0, 0 },
	{ "what S-mode called after its fault", true, 0, 0x3000000 },
};

TEST_ROWS(a_call_is_recorded_with_what_it_answered, sbi_rows)
{
	const struct sbi_row *row = &sbi_rows[_i];
	const Pmu__V1__SbiCall *call;
	Pmu__V1__Trace *t;

	SCRIPT(sbi_ops);
	fixture_play(&f, &(struct fixture_config){ .sbi_calls = true }, 1000);
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	call = fixture_record(t, PMU__V1__RECORD__KIND_SBI_CALL, (unsigned)_i)
		       ->sbi_call;
	ck_assert_msg(call->returned == row->returned, "%s", row->why);
	ck_assert_msg(call->error == row->error, "%s", row->why);
	ck_assert_msg(call->value == row->value, "%s", row->why);
	fixture_free_trace(t);
}

static const struct fake_op print_ops[] = { LI(1, 'a'),
					    WRITE(1, 1, BOARD_UART_BASE),
					    JUMP(0) };

/* Each hart prints twice in its turn. */
TEST(output_is_the_harts_that_prints)
{
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;
	unsigned n = 0;

	SCRIPT(print_ops);
	fixture_play(&f,
		     &(struct fixture_config){
			     .harts = 2,
			     .m_mode = true,
			     .settings = "quantum=6 max-insns=60" },
		     1000);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	t = fixture_trace(&f);
	while ((r = fixture_record(t, PMU__V1__RECORD__KIND_CONSOLE_OUTPUT,
				   n))) {
		ck_assert_uint_eq(r->hart, n / 2 % 2);
		n++;
	}
	ck_assert_uint_eq(n, 20);
	fixture_free_trace(t);
}

/* fflags and frm are swapped, fcsr is read. */
static const struct fake_op float_ops[] = {
	LI(1, 0x6000), CSRW(MSTATUS, 1),	  LI(1, 0xb5),
	CSRW(3, 1),    INSN(FAKE_CSRRW(5, 1, 0)), CSRR(6, 3),
	LI(1, 2),      INSN(FAKE_CSRRW(7, 2, 1)), CSRR(8, 3),
	LI(1, 9),      INSN(FAKE_CSRRS(9, 1, 1)), CSRR(10, 3),
	PASS,
};

TEST(parts_of_fcsr_are_swapped)
{
	static const uint64_t want[] = { 0x15, 0xa0, 5, 0x40, 0, 0x49 };
	struct hart_state state;
	struct error e;

	SCRIPT(float_ops);
	play("");
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert(inspect_registers(f.m, 0, &state, &e));
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		ck_assert_msg(state.x[5 + i] == want[i], "x%u is 0x%llx", 5 + i,
			      (unsigned long long)state.x[5 + i]);
}

/* RAM is full, so that the tree made for the guest finds no place. */
TEST(a_start_that_fails_leaves_no_device_tree)
{
	static const uint8_t full[4 << 20], no_tree[64];
	const struct fixture_config cfg = { .image = full,
					    .image_size = sizeof(full),
					    .address = BOARD_RAM_BASE };
	const struct machine_image tree = { .kind = IMAGE_DTB,
					    .bytes = no_tree,
					    .size = sizeof(no_tree) };
	struct error e;
	uint64_t entry;

	fixture_init(&f, &cfg);
	for (int i = 0; i < 2; i++) {
		ck_assert(!machine_start(f.m, false, &e));
		ck_assert_str_eq(e.reason, "BAD_DEVICE_TREE");
		ck_assert(!machine_load(f.m, &tree, &entry, &e));
		ck_assert_uint_eq(e.part, PART_IMAGE);
		ck_assert_str_eq(e.reason, "BAD_DEVICE_TREE");
	}
}

SUITE("machine", .teardown = teardown);
