/* SPDX-License-Identifier: BSD-2-Clause */
/* From options to a machine's configuration; what cannot be is told so. */
#include <string.h>

#include "captured.h"
#include "cmd/args.h"
#include "cmd/explain-counter.h"
#include "cmd/machine-options.h"
#include "session/address.h"
#include "text/parse.h"
#include "trace/record-filter.h"

static struct machine_options options;
static struct args args;

static void setup(void)
{
	args_init(&args);
}

static void teardown(void)
{
	machine_options_free(&options);
}

/* "a=1 b=2" of the configuration, in its order. */
static const char *settings_text(void)
{
	static char text[256];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < options.config.n_settings; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s%s=%s", len ? " " : "",
					options.list[i]->key,
					options.list[i]->value);
	return text;
}

TEST(what_is_not_said_is_left_to_pmud)
{
	ck_assert(machine_options_init(&options, &args, NULL));
	ck_assert_uint_eq(options.config.harts, 0);
	ck_assert_uint_eq(options.config.memory_bytes, 0);
	ck_assert_int_eq(options.config.start_mode,
			 PMU__V1__START_MODE__START_MODE_UNSPECIFIED);
	ck_assert_uint_eq(options.config.n_settings, 0);
	ck_assert(!options.config.recorded);
	ck_assert(!options.recording.traps && !options.recording.sbi_calls);
	ck_assert_int_eq(options.recording.when_full, 1);
	ck_assert_uint_eq(options.recording.trace_bytes, 0);
}

TEST(what_is_said_is_what_pmud_gets)
{
	args.harts = 3;
	args.memory = 1 << 20;
	args.mode = "m";
	args.set[args.n_set++] = (char *)"quantum=5";
	args.set[args.n_set++] = (char *)"isa=a=b";
	args.max_insns = 7;
	args.max_cycles = UINT64_MAX - 1;
	args.stop_on_trap_loop = true;
	ck_assert(machine_options_init(&options, &args, NULL));
	ck_assert_uint_eq(options.config.harts, 3);
	ck_assert_uint_eq(options.config.memory_bytes, 1 << 20);
	ck_assert_int_eq(options.config.start_mode,
			 PMU__V1__START_MODE__START_MODE_M);
	ck_assert_str_eq(settings_text(),
			 "quantum=5 isa=a=b max-insns=7 "
			 "max-cycles=18446744073709551614 trap-loop=stop");
}

TEST(so_many_harts_that_pmud_says_no)
{
	args.harts = UINT64_C(1) << 32;
	ck_assert(machine_options_init(&options, &args, NULL));
	ck_assert_uint_eq(options.config.harts, UINT32_MAX);
}

TEST(a_key_that_comes_again_acts_later)
{
	args.set[args.n_set++] = (char *)"a=1";
	args.set[args.n_set++] = (char *)"b=2";
	args.set[args.n_set++] = (char *)"c=3";
	args.set[args.n_set++] = (char *)"a=4";
	ck_assert(machine_options_init(&options, &args, NULL));
	ck_assert_str_eq(settings_text(), "b=2 c=3 a=4");
}

TEST_TIMES(an_image_of_32_bits_makes_its_machine, 2)
{
	const struct machine_base base = { .rv32 = _i };

	args.set[args.n_set++] = (char *)"sv=bare";
	ck_assert(machine_options_init(&options, &args, &base));
	ck_assert_str_eq(settings_text(), _i ? "xlen=32 sv=bare" : "sv=bare");
}

/* Where somebody types; what --set says stands. */
TEST_TIMES(a_live_run_is_paced_unless_told_otherwise, 2)
{
	const struct machine_base base = { .live = true };

	args.set[args.n_set++] = (char *)"quantum=5";
	if (_i)
		args.set[args.n_set++] = (char *)"pace=none";
	ck_assert(machine_options_init(&options, &args, &base));
	ck_assert_str_eq(settings_text(),
			 _i ? "quantum=5 pace=none" : "pace=real quantum=5");
}

/* What a trace's header has, and what its replay is made of: pmud knows the
 * rest. */
static const struct header_row {
	const char *key, *value, *want;
} header_rows[] = {
	{ "cpi", "2", "cpi=2" },
	{ "board", "virt", "board=virt" },
};

TEST_ROWS(a_replay_says_that_its_config_is_of_a_header, header_rows)
{
	const struct header_row *row = &header_rows[_i];
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT, *list = &setting;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	const struct machine_base base = { .replay = &header };

	setting.key = (char *)row->key;
	setting.value = (char *)row->value;
	config.settings = &list;
	config.n_settings = 1;
	header.config = &config;
	ck_assert(machine_options_init(&options, &args, &base));
	ck_assert_str_eq(settings_text(), row->want);
	ck_assert(options.config.recorded);
}

static const struct record_row {
	const char *record;
	bool trace, traps, sbi, processes, kernel, samples, csr, deliveries;
	bool memory;
} record_rows[] = {
	{ NULL, false, false, false },
	{ NULL, true, true, true, true },
	{ NULL, true, false, false, false, .samples = true },
	{ NULL, false, false, false, true, .kernel = true },
	{ NULL, true, true, true, true, .kernel = true },
	{ NULL, true, false, false, true, .kernel = true, .samples = true },
	{ "none", true, false, false },
	{ "none", true, false, false, false, .kernel = true, .samples = true },
	{ "trap", true, true, false, false, .kernel = true },
	{ "all", false, true, true, true, .csr = true, .deliveries = true,
	  .memory = true },
	/* calls without it, and not without calls */
	{ "sbi-memory", true, .sbi = true, .memory = true },
	{ "sbi,sbi-memory", false, .sbi = true, .memory = true },
	{ "trap,sbi-memory", true, true, true, .memory = true },
	{ "csr", true, false, false, .csr = true },
	{ "sbi,csr", false, false, true, .csr = true },
	{ "trap", false, true, false },
	{ "sbi", true, false, true },
	{ "trap,sbi", false, true, true },
	{ "sbi,trap", false, true, true },
	{ "none,sbi", false, false, true },
	{ "process", true, false, false, true },
	{ "process,sbi", true, false, true, true },
	{ "delivery", true, .deliveries = true },
	{ "delivery,trap", true, true, .deliveries = true },
};

TEST_ROWS(records_are_chosen_by_kind, record_rows)
{
	const struct record_row *row = &record_rows[_i];

	args.record = row->record;
	args.trace = row->trace ? "file" : NULL;
	args.kernel = row->kernel ? "Image" : NULL;
	args.samples = row->samples;
	ck_assert(machine_options_init(&options, &args, NULL));
	ck_assert_int_eq(options.recording.traps, row->traps);
	ck_assert_int_eq(options.recording.sbi_calls, row->sbi);
	ck_assert_int_eq(options.recording.processes, row->processes);
	ck_assert_int_eq(options.recording.csr_accesses, row->csr);
	ck_assert_int_eq(options.recording.deliveries, row->deliveries);
	ck_assert_int_eq(options.recording.sbi_memory, row->memory);
}

#define FULL(name) PMU__V1__WHEN_FULL__WHEN_FULL_##name

static const struct full_row {
	const char *word;
	bool passes; /* nobody can look at it afterwards */
	Pmu__V1__WhenFull want;
} full_rows[] = {
	{ NULL, false, FULL(HOLD) },	   { NULL, true, FULL(ROTATE) },
	{ "hold", true, FULL(HOLD) },	   { "end", true, FULL(END) },
	{ "rotate", false, FULL(ROTATE) },
};

TEST_ROWS(what_happens_where_nothing_can_be_stored_is_chosen, full_rows)
{
	const struct full_row *row = &full_rows[_i];
	const struct machine_base base = { .passes = row->passes };

	args.when_full = row->word;
	args.trace_bytes = _i ? 3 : ARGS_UNSET;
	ck_assert(machine_options_init(&options, &args, &base));
	ck_assert_int_eq(options.recording.when_full, row->want);
	ck_assert_uint_eq(options.recording.trace_bytes, _i ? 3 : 0);
}

static void no_harts(void)
{
	args.harts = 0;
}

static void no_memory(void)
{
	args.memory = 0;
}

static void no_insns(void)
{
	args.max_insns = 0;
}

static void no_cycles(void)
{
	args.max_cycles = 0;
}

static void mode_of_users(void)
{
	args.mode = "u";
}

static void kind_unknown(void)
{
	args.record = "trap,traps,sbi";
}

static void kind_empty(void)
{
	args.record = "trap,";
}

static void full_unknown(void)
{
	args.when_full = "wait";
}

static void trace_of_nothing(void)
{
	args.trace_bytes = 0;
}

static const struct bad_row {
	void (*make)(void);
	const char *want;
} bad_rows[] = {
	{ no_harts, "--harts: must be at least 1" },
	{ no_memory, "--memory: must be more than 0 bytes" },
	{ no_insns, "--max-insns: must be at least 1" },
	{ no_cycles, "--max-cycles: must be at least 1" },
	{ mode_of_users, "--mode: 'u' is not s or m" },
	{ kind_unknown,
	  "--record: 'traps' is not trap, sbi, sbi-memory, csr, delivery, "
	  "process, all or none; the other kinds are always recorded" },
	{ kind_empty, "--record: '' is not trap, sbi, sbi-memory, csr, "
		      "delivery, process, all or none; the other kinds are "
		      "always recorded" },
	{ full_unknown, "--when-full: 'wait' is not hold, rotate or end" },
	{ trace_of_nothing, "--trace-bytes: must be more than 0 bytes" },
};

TEST_ROWS(what_cannot_be_is_told, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	char want[200];

	row->make();
	snprintf(want, sizeof(want), "pmuctl: %s\n", row->want);
	capture();
	ck_assert(!machine_options_init(&options, &args, NULL));
	ck_assert_str_eq(capture_end(), want);
}

/* As many as a header has in which each hart has each setting for itself. */
TEST(settings_have_no_end_of_their_own)
{
	enum {
		MANY = 100 * 64
	};
	static Pmu__V1__Setting settings[MANY], *list[MANY];
	static char keys[MANY][16];
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	const struct machine_base base = { .replay = &header };

	for (unsigned i = 0; i < MANY; i++) {
		pmu__v1__setting__init(&settings[i]);
		snprintf(keys[i], sizeof(keys[i]), "k%u", i);
		settings[i].key = keys[i];
		settings[i].value = (char *)"v";
		list[i] = &settings[i];
	}
	config.settings = list;
	config.n_settings = MANY;
	header.config = &config;
	/* one that is there only moves */
	args.set[args.n_set++] = (char *)"k0=w";
	args.set[args.n_set++] = (char *)"more=w";
	args.stop_on_trap_loop = true;
	args.max_insns = args.max_cycles = 1;
	ck_assert(machine_options_init(&options, &args, &base));
	ck_assert_uint_eq(options.config.n_settings, MANY + 4);
	ck_assert_str_eq(options.list[MANY - 1]->key, "k0");
	ck_assert_str_eq(options.list[MANY + 3]->key, "trap-loop");
	machine_options_free(&options);
}

static const struct address_row {
	const char *text, *name; /* NULL: neither */
	uint64_t offset;
} address_rows[] = {
	{ "main", "main", 0 },
	{ "main+8", "main", 8 },
	{ "main+0x10", "main", 16 },
	{ "a+b+1", "a+b", 1 },
	/* of C++, whose "+" begins no offset */
	{ "operator+", "operator+", 0 },
	{ "operator++", "operator++", 0 },
	{ "a::operator+=", "a::operator+=", 0 },
	{ "a::operator++8", "a::operator+", 8 },
	{ "a::operator+++8", "a::operator++", 8 },
	{ "operato+", NULL, 0 },
	{ "xperator+", NULL, 0 },
	{ "operator+x", NULL, 0 },
	{ "operator-+", NULL, 0 },
	{ "main+", NULL, 0 },
	{ "main+=", NULL, 0 },
	{ "++", NULL, 0 },
	{ "main+x", NULL, 0 },
	{ "main+-1", NULL, 0 },
	{ "+8", NULL, 0 },
	{ "", NULL, 0 },
	{ "-main", NULL, 0 },
	{ "1main", NULL, 0 },
	{ ".text", ".text", 0 },
};

TEST_ROWS(an_address_is_a_name_and_an_offset, address_rows)
{
	const struct address_row *row = &address_rows[_i];
	char *name = NULL;
	uint64_t offset = 77;
	bool found = address_split(row->text, &name, &offset);

	ck_assert_msg(found == (row->name != NULL), "'%s'", row->text);
	if (found) {
		ck_assert_str_eq(name, row->name);
		ck_assert_uint_eq(offset, row->offset);
	}
	free(name);
}

static const struct counter_row {
	const char *text;
	bool good;
	uint32_t hart, counter;
} counter_rows[] = {
	{ "0:3", true, 0, 3 },
	{ "63:31", true, 63, 31 },
	{ "3", true, 0, 3 },
	{ "0x10:010", true, 16, 10 },
	{ "4294967295:4294967295", true, UINT32_MAX, UINT32_MAX },
	{ "4294967296:3", false, 0, 0 },
	{ "0:4294967296", false, 0, 0 },
	{ ":3", false, 0, 0 },
	{ "0:", false, 0, 0 },
	{ "", false, 0, 0 },
	{ "0:3:1", false, 0, 0 },
	{ "-1:3", false, 0, 0 },
	{ "00000000000000000000001:3", true, 1, 3 },
	{ "000000000000000000000001:3", false, 0, 0 },
};

TEST_ROWS(a_counter_is_named_with_its_hart, counter_rows)
{
	const struct counter_row *row = &counter_rows[_i];
	Pmu__V1__ExplainCounterRequest req =
		PMU__V1__EXPLAIN_COUNTER_REQUEST__INIT;
	char want[100] = "";
	bool good;

	capture();
	good = explain_counter_parse(row->text, &req);
	if (!row->good)
		snprintf(want, sizeof(want),
			 "pmuctl: '%s' is not HART:COUNTER, as in 0:3\n",
			 row->text);
	ck_assert_str_eq(capture_end(), want);
	ck_assert_int_eq(good, row->good);
	ck_assert_uint_eq(req.hart, row->hart);
	ck_assert_uint_eq(req.index, row->counter);
}

TEST(arguments_that_are_numbers_are_read_or_told)
{
	uint64_t n = 5;
	uint32_t hart = 5;

	capture();
	ck_assert(parse_value("VALUE", "010", &n) && n == 10);
	ck_assert(parse_value("VALUE", "-2", &n) && n == UINT64_MAX - 1);
	args.hart = UINT32_MAX;
	ck_assert(parse_hart(&args, &hart) && hart == UINT32_MAX);
	ck_assert_str_eq(capture_end(), "");
	args.hart++;
	capture();
	ck_assert(!parse_value("VALUE", "x", &n));
	ck_assert(!parse_hart(&args, &hart));
	ck_assert_str_eq(capture_end(), "pmuctl: VALUE: 'x' is not a number\n"
					"pmuctl: --hart: there is no hart "
					"4294967296\n");
	ck_assert_uint_eq(n, UINT64_MAX - 1);
	ck_assert_uint_eq(hart, UINT32_MAX);
}

static const struct overflow_row {
	uint64_t counter;
	const char *says;
} overflow_rows[] = {
	{ 2, "pmuctl: --counter: must be one of 3 to 31, which can overflow, "
	     "not 2\n" },
	{ 3, "" },
	{ 31, "" },
	{ 32, "pmuctl: --counter: must be one of 3 to 31, which can overflow, "
	      "not 32\n" },
};

TEST_ROWS(counters_that_can_overflow_can_be_asked_for, overflow_rows)
{
	struct record_filter f;

	args.counter = overflow_rows[_i].counter;
	capture();
	ck_assert_int_eq(record_filter_init(&f, &args),
			 !*overflow_rows[_i].says);
	ck_assert_str_eq(capture_end(), overflow_rows[_i].says);
}

SUITE("machine-options", .setup = setup, .teardown = teardown);
