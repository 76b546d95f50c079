/* SPDX-License-Identifier: BSD-2-Clause */
/* Machines, what they counted and what is recorded, as people read it. */
#include <stdio.h>
#include <string.h>

#include "text/exit-codes.h"
#include "text/machine-text.h"
#include "unit.h"

static char text[8192];

static FILE *text_open(void)
{
	memset(text, 0, sizeof(text));
	return fmemopen(text, sizeof(text), "w");
}

/* The @n-th line of the text with single blanks, from 0 on. */
static const char *line_at(unsigned n)
{
	static char line[512];
	const char *p = text;
	size_t len = 0;

	while (n-- && (p = strchr(p, '\n')))
		p++;
	for (; p && *p && *p != '\n' && len < sizeof(line) - 1; p++) {
		if (*p != ' ' || (len && line[len - 1] != ' '))
			line[len++] = *p;
	}
	while (len && line[len - 1] == ' ')
		len--;
	line[len] = '\0';
	return line;
}

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name
#define CAUSE(name) PMU__V1__STOP_CAUSE__STOP_CAUSE_##name

static const struct machine_row {
	Pmu__V1__MachineState state;
	Pmu__V1__StopCause cause;
	int exit_code;
	unsigned harts; /* 0: its configuration does not say */
	bool detached;
	const char *held, *detail, *note, *want;
} machine_rows[] = {
	{ STATE(NEW), 0, 0, 0, false, "", "", NULL,
	  "m7 new - 0 D 12 34 connection" },
	{ STATE(RUNNING), 0, 0, 64, true, "", "", NULL,
	  "m7 running - 0 64 12 34 detached" },
	{ STATE(ENDED), CAUSE(MAX_INSNS), 124, 2, true, "", "", NULL,
	  "m7 ended max-insns 124 2 12 34 detached" },
	{ STATE(ENDED), CAUSE(SHUTDOWN), -1, 2, true, "", "a detail", "a note",
	  "m7 ended shutdown -1 2 12 34 detached a detail" },
	{ STATE(RUNNING), 0, 0, 2, true, "", "", "a note",
	  "m7 running - 0 2 12 34 detached a note" },
	{ STATE(RUNNING), 0, 0, 2, true, "no room", "a detail", "a note",
	  "m7 running - 0 2 12 34 detached no room" },
	/* no byte of it is the terminal's */
	{ STATE(RUNNING), 0, 0, 2, true, "", "a\33[2J\xc2\x9b\177\r", NULL,
	  "m7 running - 0 2 12 34 detached a\\x1b[2J\\xc2\\x9b\\x7f\\x0d" },
};

TEST_ROWS(a_machine_is_a_row, machine_rows)
{
	const struct machine_row *row = &machine_rows[_i];
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT, *list[] = { &m };
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	char *notes[] = { (char *)row->note };
	FILE *out = text_open();

	m.id = (char *)"m7";
	m.state = row->state;
	m.cause = row->cause;
	m.exit_code = row->exit_code;
	m.insn = 12;
	m.cycle = 34;
	m.detached = row->detached;
	m.held = (char *)row->held;
	m.detail = (char *)row->detail;
	m.notes = notes;
	m.n_notes = row->note != NULL;
	config.harts = row->harts;
	m.config = _i % 2 || row->harts ? &config : NULL;
	ck_assert_int_eq(machine_text_list(list, 1, "D", out), EXIT_OK);
	fclose(out);
	ck_assert_str_eq(line_at(0),
			 "MACHINE STATE CAUSE CODE HARTS INSNS CYCLE LEASE "
			 "DETAIL");
	ck_assert_str_eq(line_at(1), row->want);
	ck_assert_str_eq(line_at(2), "");
}

static const struct recording_row {
	bool said, traps, sbi, end;
	const char *want;
	Pmu__V1__WhenFull full;
	bool processes, csr, deliveries, memory;
} recording_rows[] = {
	{ true, true, true, true,
	  "\nrecords: overflow, console, input, hart, stop, trap, sbi\n"
	  "not recorded: csr, delivery\n"
	  "when records cannot be stored: the oldest go but for inputs\n",
	  PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE },
	{ true, true, true, false,
	  "\nrecords: overflow, console, input, hart, stop, trap, sbi\n"
	  "not recorded: csr, delivery\n"
	  "when records cannot be stored: it is ended\n",
	  PMU__V1__WHEN_FULL__WHEN_FULL_END },
	{ false, false, false, false,
	  "\nrecords: overflow, console, input, hart, stop\n"
	  "not recorded: trap, sbi, csr, delivery\n" },
	{ true, false, false, false,
	  "\nrecords: overflow, console, input, hart, stop\n"
	  "not recorded: trap, sbi, csr, delivery\n" },
	{ true, true, false, false,
	  "\nrecords: overflow, console, input, hart, stop, trap\n"
	  "not recorded: sbi, csr, delivery\n" },
	{ true, false, true, false,
	  "\nrecords: overflow, console, input, hart, stop, sbi\n"
	  "not recorded: trap, csr, delivery\n" },
	{ true, true, true, true,
	  "\nrecords: overflow, console, input, hart, stop, trap, sbi\n"
	  "not recorded: csr, delivery\n"
	  "when records cannot be stored: it is ended\n" },
	{ true, true, true, false,
	  "\nrecords: overflow, console, input, hart, stop, trap, sbi\n"
	  "not recorded: csr, delivery\n"
	  "overflows and samples: with the process of Linux\n",
	  .processes = true },
	{ true, false, true, false,
	  "\nrecords: overflow, console, input, hart, stop, sbi\n"
	  "not recorded: trap, csr, delivery\n"
	  "SBI calls: with the guest memory that they read and wrote\n",
	  .memory = true },
	{ true, true, true, false,
	  "\nrecords: overflow, console, input, hart, stop, trap, sbi, csr\n"
	  "not recorded: delivery\n",
	  .csr = true },
	{ true, true, false, false,
	  "\nrecords: overflow, console, input, hart, stop, trap, delivery\n"
	  "not recorded: sbi, csr\n",
	  .deliveries = true },
	{ true, false, false, false,
	  "\nrecords: overflow, console, input, hart, stop, csr\n"
	  "not recorded: trap, sbi, delivery\n",
	  .csr = true },
};

TEST_ROWS(what_is_recorded_is_a_sentence, recording_rows)
{
	const struct recording_row *row = &recording_rows[_i];
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;
	Pmu__V1__Recording r = PMU__V1__RECORDING__INIT;
	FILE *out = text_open();

	r.traps = row->traps;
	r.sbi_calls = row->sbi;
	r.end_when_full = row->end;
	r.when_full = row->full;
	r.processes = row->processes;
	r.csr_accesses = row->csr;
	r.deliveries = row->deliveries;
	r.sbi_memory = row->memory;
	m.recording = row->said ? &r : NULL;
	ck_assert_int_eq(machine_text_recording(&m, out), EXIT_OK);
	fclose(out);
	ck_assert_str_eq(text, row->want);
}

static const struct piece_row {
	const char *name, *unit, *why_off;
	uint64_t taken, all;
	const char *want;
	uint64_t emptied;
} piece_rows[] = {
	{ "blocks", "instructions", NULL, 0, 0,
	  "\nengine: blocks: on, no instructions yet\n" },
	{ "blocks", "instructions", NULL, 0, 0,
	  "\nengine: blocks: on, no instructions yet\n"
	  "engine: translated code: emptied 1 time\n",
	  .emptied = 1 },
	{ "blocks", "instructions", NULL, 0, 0,
	  "\nengine: blocks: on, no instructions yet\n"
	  "engine: translated code: emptied 2 times\n",
	  .emptied = 2 },
	{ "blocks", "instructions", NULL, 998765, 1000000,
	  "\nengine: blocks: on, 99.88% of 1000000 instructions\n" },
	{ "exits", "exits", "not here", 0, 1000000,
	  "\nengine: exits: off: not here\n" },
	{ "a\33[2J", "b", "c\xc2\x9b", 0, 1, "\nengine: a?[2J: off: c??\n" },
	{ "a\x9d", "b\r", NULL, 0, 0, "\nengine: a\x9d: on, no b? yet\n" },
	{ "a\n", "b\a", NULL, 1, 2, "\nengine: a?: on, 50.00% of 2 b?\n" },
};

TEST_ROWS(a_piece_of_the_engine_has_its_share_or_a_reason, piece_rows)
{
	const struct piece_row *row = &piece_rows[_i];
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;
	Pmu__V1__EnginePiece p = PMU__V1__ENGINE_PIECE__INIT, *pieces = &p;
	FILE *out = text_open();

	p.name = (char *)row->name;
	p.unit = (char *)row->unit;
	p.on = row->why_off == NULL;
	p.why_off = (char *)(row->why_off ? row->why_off : "");
	p.taken = row->taken;
	p.all = row->all;
	m.engine = &pieces;
	m.n_engine = 1;
	m.code_emptied = row->emptied;
	ck_assert_int_eq(machine_text_engine(&m, out), EXIT_OK);
	fclose(out);
	ck_assert_str_eq(text, row->want);
}

static const struct stepped_row {
	const char *why;
	uint32_t harts; /* of the configuration; 0: it does not say */
	size_t n;
	uint32_t stepped[2];
	const char *want;
} stepped_rows[] = {
	{ "none", 4, 0, { 0 }, "" },
	{ "one of several",
	  4,
	  1,
	  { 2 },
	  "engine: hart 2: instructions are stepped, as models are fed\n" },
	{ "two",
	  4,
	  2,
	  { 1, 3 },
	  "engine: harts 1, 3: instructions are stepped, as models are fed\n" },
	{ "all: the pieces say so", 2, 2, { 0, 1 }, "" },
	{ "the only one", 0, 1, { 0 }, "" },
};

TEST_ROWS(harts_that_are_stepped_are_named_where_others_are_not, stepped_rows)
{
	const struct stepped_row *row = &stepped_rows[_i];
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;
	uint32_t stepped[2] = { row->stepped[0], row->stepped[1] };
	FILE *out = text_open();

	config.harts = row->harts;
	m.config = &config;
	m.stepped_harts = stepped;
	m.n_stepped_harts = row->n;
	ck_assert_int_eq(machine_text_engine(&m, out), EXIT_OK);
	fclose(out);
	ck_assert_msg(strcmp(text, row->want) == 0, "%s: '%s'", row->why, text);
}

TEST(a_full_disk_is_a_failure)
{
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;
	FILE *out = fopen("/dev/full", "w");

	ck_assert_ptr_nonnull(out);
	setvbuf(out, NULL, _IONBF, 0);
	ck_assert_int_eq(machine_text_recording(&m, out), EXIT_FAILED);
	fclose(out);
}

#define PRIV(name) PMU__V1__PRIVILEGE__PRIVILEGE_##name

enum {
	MAX_TOTALS = 16,
	MAX_COUNTERS = 8
};

static Pmu__V1__Total totals[MAX_TOTALS], *total_list[MAX_TOTALS];
static Pmu__V1__ReadTotalsResponse totals_answer;
static Pmu__V1__Counter counters[MAX_COUNTERS], *counter_list[MAX_COUNTERS];
static Pmu__V1__ListCountersResponse counters_answer;

static void add_total(uint32_t hart, const char *event,
		      Pmu__V1__Privilege privilege, uint64_t value)
{
	size_t i = totals_answer.n_totals++;

	pmu__v1__total__init(&totals[i]);
	totals[i].hart = hart;
	totals[i].event = (char *)event;
	totals[i].privilege = privilege;
	totals[i].value = value;
	total_list[i] = &totals[i];
}

static Pmu__V1__Counter *add_counter(uint32_t index, const char *event,
				     uint64_t value)
{
	size_t i = counters_answer.n_counters++;

	pmu__v1__counter__init(&counters[i]);
	counters[i].index = index;
	counters[i].event = (char *)event;
	counters[i].value = value;
	counter_list[i] = &counters[i];
	return &counters[i];
}

static void setup(void)
{
	pmu__v1__read_totals_response__init(&totals_answer);
	pmu__v1__list_counters_response__init(&counters_answer);
	totals_answer.totals = total_list;
	totals_answer.cycle = 1000;
	totals_answer.time = 10;
	counters_answer.counters = counter_list;
}

static void print_stat(void)
{
	FILE *out = text_open();

	ck_assert_int_eq(
		machine_text_stat(&totals_answer, &counters_answer, false, out),
		EXIT_OK);
	fclose(out);
}

TEST(totals_are_added_up_by_hart_and_event)
{
	add_total(0, "cycles", PRIV(S), 300);
	add_total(0, "cycles", PRIV(U), 100);
	add_total(0, "instructions", PRIV(M), 1);
	add_total(0, "instructions", PRIV(S), 149);
	add_total(0, "instructions", PRIV(U), 50);
	add_total(0, "loads", PRIV(U), 25);
	add_total(0, "fw_set_timer", PRIV(UNSPECIFIED), 3);
	add_total(0, "fw_ipi_sent", PRIV(UNSPECIFIED), 0);
	add_total(1, "cycles", PRIV(S), 0);
	add_total(1, "instructions", PRIV(S), 0);
	add_total(1, "loads", PRIV(S), 7);
	print_stat();
	ck_assert_str_eq(line_at(0), "cycle 1000, time 10");
	ck_assert_str_eq(line_at(2), "HART EVENT TOTAL M S U");
	ck_assert_str_eq(line_at(3), "0 cycles 400 0 300 100");
	ck_assert_str_eq(line_at(4),
			 "0 instructions 200 1 149 50 0.500 per cycle");
	ck_assert_str_eq(line_at(5),
			 "0 loads 25 0 0 25 12.500% of instructions");
	ck_assert_str_eq(line_at(6), "0 fw_set_timer 3");
	ck_assert_str_eq(line_at(7), "1 cycles 0 0 0 0");
	ck_assert_str_eq(line_at(8), "1 instructions 0 0 0 0");
	ck_assert_str_eq(line_at(9), "1 loads 7 0 7 0");
}

TEST_TIMES(guests_have_columns_once_they_counted, 2)
{
	add_total(0, "cycles", PRIV(S), 5);
	add_total(0, "cycles", PRIV(VS), _i ? 2 : 0);
	add_total(0, "cycles", PRIV(VU), 0);
	print_stat();
	ck_assert_str_eq(line_at(2), _i ? "HART EVENT TOTAL M S U VS VU"
					: "HART EVENT TOTAL M S U");
	ck_assert_str_eq(line_at(3),
			 _i ? "0 cycles 7 0 5 0 2 0" : "0 cycles 5 0 5 0");
}

TEST(counters_that_never_counted_are_left_out)
{
	add_counter(0, "", 0);
	add_counter(2, "", 17);
	add_counter(3, "loads", 0)->inhibited = true;
	add_counter(4, "", 0)->mapped = true;
	add_counter(5, "stores", 255)->mapped = true;
	counters[4].started = true;
	counters[4].overflow = true;
	counters[4].config = 0x10;
	print_stat();
	ck_assert_str_eq(line_at(3),
			 "HART COUNTER VALUE EVENT STATE OF CONFIG");
	ck_assert_str_eq(line_at(4), "0 2 0x11 - counting - 0");
	ck_assert_str_eq(line_at(5), "0 3 0 loads inhibited - 0");
	ck_assert_str_eq(line_at(6), "0 4 0 - stopped - 0");
	ck_assert_str_eq(line_at(7), "0 5 0xff stores started OF 0x10");
	ck_assert_str_eq(line_at(8), "");
}

TEST(json_has_both_and_all)
{
	FILE *out = text_open();

	add_total(0, "cycles", PRIV(S), 5);
	add_counter(0, "", 0);
	ck_assert_int_eq(
		machine_text_stat(&totals_answer, &counters_answer, true, out),
		EXIT_OK);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "\"cycle\": \"1000\""));
	ck_assert_ptr_nonnull(strstr(text, "\"value\": \"5\""));
	ck_assert_ptr_nonnull(strstr(text, "\"counters\": ["));
	ck_assert_ptr_nonnull(strstr(text, "\"inhibited\": false"));
}

SUITE("machine-text", .setup = setup);
