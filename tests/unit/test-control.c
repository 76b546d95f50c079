/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol from pmud's side, over the scripted engine: every
 * request in its right and in its wrong state, and a full ring.
 */
#include <fw/logical-counter.h>

#include "control-peer.h"
#include "core/input.h"
#include "core/machine.h"
#include "method-places.h"

static const struct fake_op pass_ops[] = {
	{ FAKE_LI, 1, 0, 0, 0x5555 },
	{ FAKE_WRITE, 1, 4, 0, BOARD_FINISHER_BASE },
};
static const struct fake_op trap_ops[] = {
	{ FAKE_LI, 1, 0, 0, PC(2) },
	{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, 0x305, 1) },
	{ FAKE_FAULT, 0, 0, 4, 0 },
};

TEST_RANGE(nothing_is_possible_before_configure, 0, N_METHODS)
{
	enum method_id method = (enum method_id)_i;
	unsigned want = method_places[method] == PLACE_PMUD ? UNIMPLEMENTED
			: method == METHOD_Configure	    ? OK
							    : PRECONDITION;

	peer_start(&p, NULL);
	ck_assert_msg(peer_simple(&p, method) == want, "%s",
		      method_descriptor(method)->name);
}

TEST(a_bad_setting_is_named_and_another_try_is_possible)
{
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, "quantum=0"), INVALID);
	ck_assert_ptr_nonnull(strstr(p.last.text, "quantum"));
	ck_assert_uint_eq(peer_configure(&p, 65, true, ""), INVALID);
	ck_assert_ptr_nonnull(strstr(p.last.text, "harts"));
	ck_assert_uint_eq(peer_configure(&p, 1, true, "hpm-events=cykles"),
			  INVALID);
	ck_assert_ptr_nonnull(strstr(p.last.text, "cykles"));
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), PRECONDITION);
}

/* 64 bytes of the value are quoted: they end inside a character. */
TEST(an_error_that_cuts_a_character_is_still_text)
{
	char setting[96] = "quantum=x";

	for (int i = 0; i < 40; i++)
		strcat(setting, "\xc3\xa9");
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, setting), INVALID);
	ck_assert_ptr_nonnull(strstr(p.last.text, "\xc3\xa9?'"));
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
}

static const enum method_id needs_start[] = {
	CALL(PauseMachine),   CALL(ResumeMachine), CALL(StepMachine),
	CALL(ListHarts),      CALL(ListCsrs),	   CALL(ReadRegisters),
	CALL(ReadMemory),     CALL(WriteMemory),   CALL(WriteRegister),
	CALL(CallSbi),	      CALL(ReadTotals),	   CALL(ListCounters),
	CALL(ExplainCounter),
};

TEST_ROWS(a_machine_that_has_not_started_says_so, needs_start)
{
	unsigned code;

	loaded("");
	code = peer_simple(&p, needs_start[_i]);
	ck_assert_msg(code == PRECONDITION || code == INVALID, "%u: %s", code,
		      p.last.text);
}

TEST(a_run_ends_with_its_records_and_a_notice)
{
	const Pmu__V1__MachineInfo *info;
	Pmu__V1__Trace *t;

	SCRIPT(pass_ops);
	loaded("");
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
	info = peer_wait_state(&p, STATE(ENDED));
	ck_assert_int_eq(info->cause, CAUSE(FINISHER_PASS));
	ck_assert_int_eq(info->exit_code, 0);
	ck_assert_ptr_null(info->watched);
	ck_assert_uint_eq(info->code_emptied, 7);
	peer_drain(&p);
	t = pmu__v1__trace__unpack(NULL, buf_len(&p.trace), buf_head(&p.trace));
	ck_assert_ptr_nonnull(t);
	ck_assert_uint_eq(t->n_records, 3);
	ck_assert_int_eq(t->records[2]->kind_case, PMU__V1__RECORD__KIND_STOP);
	pmu__v1__trace__free_unpacked(t, NULL);
	ck_assert_uint_eq(peer_simple(&p, CALL(GetMachine)), OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(ReadTotals)), OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), PRECONDITION);
}

/* It loops in its traps, runs on, and its state stays what it is. */
TEST(a_note_is_told_while_it_runs)
{
	const Pmu__V1__MachineInfo *info;

	script(NULL, 0);
	loaded("trap-cycles=1");
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
	do {
		peer_simple(&p, CALL(GetMachine));
		info = peer_wait_state(&p, STATE(RUNNING));
	} while (!info->n_notes);
	ck_assert_ptr_nonnull(strstr(info->notes[0], "again and again"));
	ck_assert_uint_eq(peer_simple(&p, CALL(PauseMachine)), OK);
}

/* As often as it changes, whatever is asked in between. */
TEST(a_state_is_told_once)
{
	unsigned n = 1;

	SCRIPT(spin_ops);
	loaded("");
	ck_assert_uint_eq(peer_simple(&p, CALL(GetMachine)), OK);
	ck_assert_uint_eq(p.n_notices, 0); /* a new one is nothing new */
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	peer_wait_state(&p, STATE(PAUSED));
	for (unsigned i = 1; i <= 3; i++) {
		for (unsigned k = 0; k < 5; k++)
			ck_assert_uint_eq(peer_simple(&p, CALL(GetMachine)),
					  OK);
		ck_assert_uint_eq(p.n_notices, n);
		ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), OK);
		peer_wait_state(&p, STATE(RUNNING));
		ck_assert_uint_eq(peer_simple(&p, CALL(PauseMachine)), OK);
		peer_wait_state(&p, STATE(PAUSED));
		n += 2;
	}
}

TEST(totals_have_the_modes_of_guests_where_there_are_guests)
{
	const Pmu__V1__ReadTotalsResponse *r;
	unsigned of_guests[2] = { 0 };

	SCRIPT(spin_ops);
	loaded("hart1.h=on");
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(ReadTotals)), OK);
	r = p.last.answer;
	for (size_t i = 0; i < r->n_totals; i++)
		of_guests[r->totals[i]->hart] +=
			r->totals[i]->privilege >=
			PMU__V1__PRIVILEGE__PRIVILEGE_VS;
	ck_assert_uint_eq(of_guests[0], 0);
	ck_assert_int_eq(of_guests[1],
			 2 * __builtin_popcountll(pmu_event_set(NULL)));
}

/* Of pmud's firmware, which a guest that has M-mode for itself is without. */
TEST_TIMES(totals_of_the_firmware_are_where_it_is, 2)
{
	const Pmu__V1__ReadTotalsResponse *r;
	unsigned n = 0;

	SCRIPT(spin_ops);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 2, _i, ""), OK);
	ck_assert_uint_eq(peer_load(&p, (const uint8_t[8]){ 0 }, 8, BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(ReadTotals)), OK);
	r = p.last.answer;
	for (size_t i = 0; i < r->n_totals; i++)
		for (unsigned e = 0; e < FW_N_EVENTS; e++)
			n += !strcmp(r->totals[i]->event,
				     fw_event_desc(e)->name);
	ck_assert_uint_eq(n, _i ? 0 : 2 * FW_N_EVENTS);
}

/* As many as there may be. */
TEST(settings_are_as_many_as_they_are)
{
	static Pmu__V1__Setting *list[SETTINGS_MOST];
	Pmu__V1__Setting cpi = PMU__V1__SETTING__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__Internal__ConfigureRequest configure =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;

	cpi.key = "cpi";
	cpi.value = "1";
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		list[i] = &cpi;
	cfg.settings = list;
	cfg.n_settings = ARRAY_SIZE(list);
	cfg.harts = 1;
	cfg.memory_bytes = 4 << 20;
	configure.config = &cfg;
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_call(&p, CALL(Configure), &configure.base)->code,
			  OK);
}

TEST(a_running_machine_pauses_and_goes_on)
{
	SCRIPT(spin_ops);
	loaded("");
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(PauseMachine)), OK);
	ck_assert_int_eq(peer_machine(&p)->state, STATE(PAUSED));
	ck_assert_int_eq(peer_machine(&p)->cause, CAUSE(PAUSE));
	ck_assert_uint_eq(peer_simple(&p, CALL(PauseMachine)), PRECONDITION);
	ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), OK);
	ck_assert_int_eq(peer_machine(&p)->state, STATE(RUNNING));
	ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), PRECONDITION);
}

static unsigned step(uint64_t n)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.insns = n;
	return peer_call(&p, CALL(StepMachine), &q.base)->code;
}

TEST(a_step_is_answered_when_it_is_done)
{
	paused("quantum=1000");
	ck_assert_uint_eq(step(0), OK);
	ck_assert_uint_eq(peer_machine(&p)->insn, 1);
	ck_assert_int_eq(peer_machine(&p)->cause, CAUSE(STEP));
	ck_assert_uint_eq(step(98), OK);
	ck_assert_uint_eq(peer_machine(&p)->insn, 99);
	/* 1500 more of hart 0: hart 1 has its turn in between */
	ck_assert_uint_eq(step(1500), OK);
	ck_assert_uint_eq(peer_machine(&p)->insn, 99 + 1500 + 1000);
	ck_assert_uint_eq(peer_machine(&p)->hart, 0);
	ck_assert_uint_eq(step(UINT64_MAX), INVALID);
}

TEST(each_step_that_a_pause_cuts_short_is_answered)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	Pmu__V1__PauseMachineRequest pause =
		PMU__V1__PAUSE_MACHINE_REQUEST__INIT;
	uint64_t ids[3];

	paused("");
	q.insns = UINT64_MAX / 2;
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++) {
		ids[i] = peer_send(&p, CALL(StepMachine), &q.base);
		peer_send(&p, CALL(PauseMachine), &pause.base);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++) {
		ck_assert_uint_eq(peer_wait(&p, ids[i])->code, OK);
		ck_assert_int_eq(peer_machine(&p)->cause, CAUSE(PAUSE));
	}
}

/* Before it goes on again, in whatever way. */
TEST_TIMES(a_step_that_was_cut_short_is_answered_first, 2)
{
	static const enum method_id on[] = { CALL(ResumeMachine),
					     CALL(RunUntil) };
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	Pmu__V1__PauseMachineRequest pause =
		PMU__V1__PAUSE_MACHINE_REQUEST__INIT;
	Pmu__V1__ResumeMachineRequest resume =
		PMU__V1__RESUME_MACHINE_REQUEST__INIT;
	Pmu__V1__RunUntilRequest until = PMU__V1__RUN_UNTIL_REQUEST__INIT;
	uint64_t id;

	paused("max-insns=100000");
	step.insns = UINT64_MAX / 2;
	until.condition_case = PMU__V1__RUN_UNTIL_REQUEST__CONDITION_INSN;
	until.insn = 50000;
	p.gathers = true;
	id = peer_send(&p, CALL(StepMachine), &step.base);
	peer_send(&p, CALL(PauseMachine), &pause.base);
	p.gathers = false;
	peer_send(&p, on[_i], _i ? &until.base : &resume.base);
	ck_assert_uint_eq(peer_wait(&p, id)->code, OK);
	ck_assert_int_eq(peer_machine(&p)->state, STATE(PAUSED));
	ck_assert_int_eq(peer_machine(&p)->cause, CAUSE(PAUSE));
}

TEST(answers_that_nobody_reads_hold_back_requests)
{
	enum {
		ASKED = 64
	};
	Pmu__V1__ReadMemoryRequest q = PMU__V1__READ_MEMORY_REQUEST__INIT;
	uint64_t ids[ASKED];

	paused("");
	q.address = BASE;
	q.size = MACHINE_MAX_PEEK;
	for (unsigned i = 0; i < ASKED; i++)
		ids[i] = peer_send(&p, CALL(ReadMemory), &q.base);
	for (unsigned i = 0; i < ASKED; i++)
		ck_assert_uint_eq(peer_wait(&p, ids[i])->code, OK);
}

static const Pmu__V1__MachineInfo *
run_until(Pmu__V1__RunUntilRequest__ConditionCase kind, uint64_t value)
{
	Pmu__V1__RunUntilRequest q = PMU__V1__RUN_UNTIL_REQUEST__INIT;

	q.condition_case = kind;
	q.insn = value;
	ck_assert_uint_eq(peer_call(&p, CALL(RunUntil), &q.base)->code, OK);
	ck_assert_int_eq(peer_machine(&p)->state, STATE(RUNNING));
	peer_wait_state(&p, STATE(RUNNING));
	peer_wait_state(&p, STATE(PAUSED));
	ck_assert_int_eq(p.notice->notice->cause, CAUSE(UNTIL));
	return p.notice->notice;
}

TEST(run_until_stops_exactly)
{
	paused("");
	ck_assert_uint_eq(
		run_until(PMU__V1__RUN_UNTIL_REQUEST__CONDITION_INSN, 777)
			->insn,
		777);
	peer_simple(&p, CALL(GetMachine));
	ck_assert_uint_eq(step(1), OK);
	ck_assert_uint_eq(
		run_until(PMU__V1__RUN_UNTIL_REQUEST__CONDITION_CYCLE, 12345)
			->cycle,
		12345);
	ck_assert_uint_eq(peer_simple(&p, CALL(RunUntil)), INVALID);
}

static uint64_t pc_of(unsigned hart)
{
	Pmu__V1__ReadRegistersRequest q = PMU__V1__READ_REGISTERS_REQUEST__INIT;

	q.hart = hart;
	ck_assert_uint_eq(peer_call(&p, CALL(ReadRegisters), &q.base)->code,
			  OK);
	return ((const Pmu__V1__ReadRegistersResponse *)p.last.answer)->pc;
}

TEST(breakpoints_stop_before_their_instruction_each_time)
{
	Pmu__V1__SetBreakpointsRequest q =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	uint64_t pcs[] = { PC(1) };
	const Pmu__V1__MachineInfo *info;

	paused("");
	q.pcs = pcs;
	q.n_pcs = 1;
	ck_assert_uint_eq(peer_call(&p, CALL(SetBreakpoints), &q.base)->code,
			  OK);
	for (unsigned i = 0; i < 5; i++) {
		ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), OK);
		peer_wait_state(&p, STATE(RUNNING));
		info = peer_wait_state(&p, STATE(PAUSED));
		ck_assert_int_eq(info->cause, CAUSE(BREAKPOINT));
		ck_assert_uint_eq(info->insn, 1 + 3 * i);
		ck_assert_uint_eq(pc_of(0), PC(1));
	}
}

TEST(the_limit_of_breakpoints_leaves_room_for_run_until)
{
	static uint64_t pcs[MACHINE_MAX_BREAKPOINTS];
	Pmu__V1__SetBreakpointsRequest q =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	Pmu__V1__RunUntilRequest until = PMU__V1__RUN_UNTIL_REQUEST__INIT;

	paused("");
	for (unsigned i = 0; i < MACHINE_MAX_BREAKPOINTS; i++)
		pcs[i] = PC(1000 + i);
	q.pcs = pcs;
	q.n_pcs = MACHINE_MAX_BREAKPOINTS;
	ck_assert_uint_eq(peer_call(&p, CALL(SetBreakpoints), &q.base)->code,
			  EXHAUSTED);
	ck_assert_str_eq(p.last.text,
			 "breakpoints: must be at most 1023, not 1024");
	q.n_pcs = MACHINE_MAX_BREAKPOINTS - 1;
	ck_assert_uint_eq(peer_call(&p, CALL(SetBreakpoints), &q.base)->code,
			  OK);
	until.condition_case = PMU__V1__RUN_UNTIL_REQUEST__CONDITION_PC;
	until.pc = PC(2);
	ck_assert_uint_eq(peer_call(&p, CALL(RunUntil), &until.base)->code, OK);
	peer_wait_state(&p, STATE(RUNNING));
	ck_assert_int_eq(peer_wait_state(&p, STATE(PAUSED))->cause,
			 CAUSE(UNTIL));
	ck_assert_uint_eq(pc_of(0), PC(2));
}

/* The ring */

/* Until the clock stands still, as nobody reads the ring. */
static void wait_until_held(void)
{
	uint64_t cycle = 0, again = 1;

	while (cycle != again) {
		again = cycle;
		ck_assert_uint_eq(peer_simple(&p, CALL(GetMachine)), OK);
		cycle = peer_machine(&p)->cycle;
		usleep(cycle ? 0 : 1000);
		if (!cycle)
			again = 1;
	}
}

/* Runs to its end with a record of each trap; p has the trace. */
static void play_traps(bool held)
{
	Pmu__Internal__SetRecordingRequest set =
		PMU__INTERNAL__SET_RECORDING_REQUEST__INIT;

	SCRIPT(trap_ops);
	loaded("max-cycles=200000 quantum=10000");
	set.traps = true;
	ck_assert_uint_eq(peer_call(&p, CALL(SetRecording), &set.base)->code,
			  OK);
	p.hold = held;
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
	if (held)
		wait_until_held();
	p.hold = false;
	peer_wait_state(&p, STATE(ENDED));
	peer_drain(&p);
}

TEST(a_full_ring_stops_the_machine_but_not_its_answers)
{
	Pmu__V1__Trace *t;
	uint8_t *trace;
	size_t n;

	play_traps(true);
	t = pmu__v1__trace__unpack(NULL, buf_len(&p.trace), buf_head(&p.trace));
	ck_assert_ptr_nonnull(t);
	/* every cycle but 2 * 2 is a trap of one of the harts */
	ck_assert_uint_eq(t->n_records, 2 + 200000 - 4 + 1);
	pmu__v1__trace__free_unpacked(t, NULL);
	n = buf_len(&p.trace);
	trace = malloc(n);
	ck_assert_ptr_nonnull(trace);
	memcpy(trace, buf_head(&p.trace), n);

	/* and the trace is that of a machine that was never held */
	teardown();
	play_traps(false);
	ck_assert_uint_eq(buf_len(&p.trace), n);
	ck_assert_mem_eq(buf_head(&p.trace), trace, n);
	free(trace);
}

TEST(inputs_whose_records_nobody_reads_come_to_an_end)
{
	enum {
		PIECE = 32 << 10,
		MOST = 4096 /* far above what the limit lets through */
	};
	static uint8_t bytes[PIECE];
	Pmu__V1__WriteMemoryRequest q = PMU__V1__WRITE_MEMORY_REQUEST__INIT;
	unsigned n = 0, code = OK;

	paused("");
	p.hold = true;
	q.address = 0x80000000;
	q.data = (ProtobufCBinaryData){ PIECE, bytes };
	for (; code == OK && n < MOST; n++)
		code = peer_call(&p, CALL(WriteMemory), &q.base)->code;
	ck_assert_uint_eq(code, 8); /* RESOURCE_EXHAUSTED */
	ck_assert_uint_gt(n, 16);
	ck_assert_uint_eq(peer_simple(&p, CALL(GetMachine)), OK);
}

/* More than an input may have goes as several. */
TEST(what_is_written_is_written_to_its_end)
{
	static uint8_t bytes[INPUT_MAX_MEMORY + 8];
	Pmu__V1__WriteMemoryRequest q = PMU__V1__WRITE_MEMORY_REQUEST__INIT;
	Pmu__V1__ReadMemoryRequest r = PMU__V1__READ_MEMORY_REQUEST__INIT;
	const Pmu__V1__ReadMemoryResponse *got;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i % 251);
	paused("");
	q.address = r.address = 0x80100000;
	q.data = (ProtobufCBinaryData){ sizeof(bytes), bytes };
	ck_assert_uint_eq(peer_call(&p, CALL(WriteMemory), &q.base)->code, OK);
	r.size = sizeof(bytes);
	got = peer_call(&p, CALL(ReadMemory), &r.base)->answer;
	ck_assert_uint_eq(got->data.len, sizeof(bytes));
	ck_assert_mem_eq(got->data.data, bytes, sizeof(bytes));
}

SUITE("control", .timeout = 60, .teardown = teardown);
