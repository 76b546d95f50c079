/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine refuses: how it is put together, images, inputs and samplers
 * that cannot be, each in its own words, and what is just possible.
 */
#include <string.h>

#include <pmu/model-events.h>
#include <pmu/observer.h>

#include "core/ebb-session.h"
#include "core/machine-load.h"
#include "machine-script.h"

static const struct fake_op loop_ops[] = { NOP, NOP, NOP, JUMP(0) };

static struct error error;

/* NULL: it is done. */
static void judge(const char *why, bool done, const char *text)
{
	if (!text)
		ck_assert_msg(done, "%s: %s", why, error.text);
	else
		ck_assert_msg(!done && strcmp(error.text, text) == 0,
			      "%s: %s '%s'", why, done ? "done" : "refused",
			      error.text);
}

/* How it is put together */

#define MEMORY_RANGE "memory: must be a multiple of 4096 bytes up to "

static const struct config_row {
	const char *why, *settings;
	unsigned harts;
	uint64_t memory;
	bool s_mode;
	const char *text;
} config_rows[] = {
	{ "as many harts as can be", "", 64, 4096, false, NULL },
	{ "one more", "", 65, 4096, false,
	  "harts: must be from 1 to 64, not 65" },
	{ "no page", "", 1, 2048, false, MEMORY_RANGE "17179869184, not 2048" },
	{ "a page and a half", "", 1, 4096 + 2048, false,
	  MEMORY_RANGE "17179869184, not 6144" },
	{ "beyond 4 GiB of RV32", "xlen=32", 1, 0x80001000, false,
	  MEMORY_RANGE "2147483648, not 2147487744" },
	{ "more than there may be", "", 1, 17179869184 + 4096, false,
	  MEMORY_RANGE "17179869184, not 17179873280" },
	{ "no S-mode, in M-mode",
	  "hart1.s=off hart1.svadu=off hart1.svade=off hart1.sv=bare", 2, 4096,
	  false, NULL },
	{ "no S-mode to start in",
	  "hart1.s=off hart1.svadu=off hart1.svade=off hart1.sv=bare", 2,
	  1 << 20, true,
	  "setting s: hart 1 has no S-mode, which a start in S-mode needs" },
	{ "settings that do not fit", "smcsrind=on", 1, 4096, false,
	  "setting smcsrind: needs sscsrind, which is off" },
};

TEST_ROWS(a_machine_is_made_of_what_can_be, config_rows)
{
	const struct config_row *row = &config_rows[_i];
	struct machine_config cfg = { .harts = row->harts,
				      .memory = row->memory,
				      .m_mode = !row->s_mode };
	struct recorder recorder = { 0 };
	struct machine *m = NULL;

	fixture_settings(&cfg.settings, row->settings);
	judge(row->why, machine_new(&m, &cfg, &recorder, &error), row->text);
	ck_assert(!m == !!row->text);
	machine_free(m);
}

/* Images */

static void make(bool s_mode, const char *settings)
{
	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = !s_mode,
						   .harts = 2,
						   .settings = settings });
}

#define IMAGE(...)                                                             \
	{                                                                      \
		.bytes = (const uint8_t *)"\1\2\3\4", .size = 4, __VA_ARGS__   \
	}

/* Behind a flat one at the start of RAM. */
static const struct image_row {
	const char *why;
	struct machine_image first, image; /* the first one is taken */
	bool s_mode;
	const char *text;
} image_rows[] = {
	{ .why = "no ELF file, and no address",
	  .image = IMAGE(.kind = IMAGE_ANY),
	  .text = "image: not an ELF file; a flat one needs an address" },
	{ .why = "an entry and another",
	  .first = IMAGE(.kind = IMAGE_FLAT, .address = BASE + 64,
			 .entry = BASE + 64),
	  .image = IMAGE(.kind = IMAGE_FLAT, .address = BASE + 128,
			 .entry = BASE + 128),
	  .text = "entry: 0x80000080, but an earlier image came with "
		  "0x80000040" },
	{ .why = "an entry behind one of an image's own",
	  .first = IMAGE(.kind = IMAGE_FLAT, .address = BASE + 64),
	  .image = IMAGE(.kind = IMAGE_FLAT, .address = BASE + 128,
			 .entry = BASE + 128) },
	{ .why = "firmware with an entry behind one",
	  .first = IMAGE(.kind = IMAGE_FLAT, .address = BASE + 64,
			 .entry = BASE + 64),
	  .image = IMAGE(.kind = IMAGE_FLAT, .address = BASE + 128) },
	{ .why = "an initrd with an entry",
	  .image = IMAGE(.kind = IMAGE_INITRD, .entry = 5),
	  .text = "entry: 0x5, but nothing begins in an initrd" },
	{ .why = "an initrd", .image = IMAGE(.kind = IMAGE_INITRD) },
	{ .why = "two of them",
	  .first = IMAGE(.kind = IMAGE_INITRD),
	  .image = IMAGE(.kind = IMAGE_INITRD),
	  .text = "image: there is an initrd already" },
	{ .why = "firmware under the firmware model",
	  .image = IMAGE(.kind = IMAGE_FIRMWARE),
	  .s_mode = true,
	  .text = "image: the machine starts in S-mode on the firmware model; "
		  "other firmware needs a start in M-mode" },
	{ .why = "outside of RAM",
	  .image = IMAGE(.kind = IMAGE_FLAT, .address = 0x1000),
	  .text = "image: image 2 (0x4 bytes at 0x1000) is outside RAM, which "
		  "is "
		  "0x80000000-0x803fffff" },
	{ .why = "no device tree",
	  .image = IMAGE(.kind = IMAGE_DTB),
	  .text = "device tree: the device tree is too short for a header" },
};

TEST_ROWS(an_image_is_refused_in_its_own_words, image_rows)
{
	const struct image_row *row = &image_rows[_i];
	uint64_t entry = 1;

	make(row->s_mode, NULL);
	if (row->first.size)
		ck_assert_msg(machine_load(f.m, &row->first, &entry, &error),
			      "%s", error.text);
	entry = 1;
	judge(row->why, machine_load(f.m, &row->image, &entry, &error),
	      row->text);
	ck_assert(row->text ? entry == 1 : entry != 1);
}

TEST(a_machine_that_has_started_takes_nothing_more)
{
	const struct machine_image image =
		IMAGE(.kind = IMAGE_FLAT, .address = BASE);
	const struct input in = { .kind = INPUT_CONSOLE,
				  .console = { (const uint8_t *)"a", 1 } };
	uint64_t entry;

	make(false, NULL);
	fixture_start(&f);
	judge("an image", machine_load(f.m, &image, &entry, &error),
	      "image: the machine has started");
	judge("a start", machine_start(f.m, false, &error),
	      "start: the machine has started");
	judge("an input for later", machine_queue(f.m, &in, &error),
	      "inputs: the machine has started");
}

TEST(without_an_image_there_is_no_start)
{
	struct machine_config cfg = { .harts = 1, .m_mode = true };
	struct recorder recorder = { 0 };
	struct machine *m;

	settings_init(&cfg.settings);
	ck_assert(machine_new(&m, &cfg, &recorder, &error));
	judge("none", machine_start(m, false, &error),
	      "start: no image is loaded");
	machine_free(m);
}

/* Inputs */

static const uint8_t bytes[INPUT_MAX_MEMORY + 1];

#define CSR(number, v) .kind = INPUT_CSR_WRITE, .csr_write = { number, v }
#define REG(n, v)      .kind = INPUT_REGISTER_WRITE, .register_write = { n, v }
#define MEMORY(address, n)                                                     \
	.kind = INPUT_MEMORY_WRITE, .memory_write = { address, bytes, n, false }
#define CONSOLE(n)	 .kind = INPUT_CONSOLE, .console = { bytes, n }
#define INJECT(event, n) .kind = INPUT_INJECT, .inject = { event, n, 0 }
#define SBI(n)		 .kind = INPUT_SBI_CALL, .sbi_call = { { 0 }, n }
#define EBB(...)	 .kind = INPUT_EBB, .ebb = { __VA_ARGS__ }
#define END		 (BASE + (4 << 20))

static const struct input_row {
	const char *why;
	struct input in;
	const char *settings;
	const char *text;
} input_rows[] = {
	{ "no kind",
	  { .kind = INPUT_UNKNOWN },
	  NULL,
	  "input: must be one of console, csr_write, register_write, "
	  "memory_write, sbi_call, ebb and inject, none is there" },
	{ "the last hart", { CSR(0x340, 1), .hart = 1 }, NULL, NULL },
	{ "no hart",
	  { CSR(0x340, 1), .hart = 2 },
	  NULL,
	  "input: hart: must be from 0 to 1, not 2" },
	{ "the last CSR",
	  { CSR(0xfff, 1) },
	  NULL,
	  "CSR 0xfff: hart 0 has none there" },
	{ "beyond CSRs",
	  { CSR(0x1000, 1) },
	  NULL,
	  "input: CSR: must be from 0 to 4095, not 4096" },
	{ "a CSR that is read",
	  { CSR(0xf14, 1) },
	  NULL,
	  "CSR mhartid: read-only" },
	{ "a CSR with nothing behind it",
	  { CSR(0x351, 1) },
	  "smcsrind=on sscsrind=on",
	  "CSR mireg: nothing is behind it now" },
	{ "fflags", { CSR(1, 1) }, NULL, NULL },
	{ "fcsr", { CSR(3, 1) }, NULL, NULL },
	{ "x0", { REG(0, 1) }, NULL, "register x0: always zero" },
	{ "x1", { REG(1, 1) }, NULL, NULL },
	{ "f31", { REG(64, 1) }, NULL, NULL },
	{ "pc", { REG(32, BASE + 2) }, NULL, NULL },
	{ "an odd pc",
	  { REG(32, BASE + 1) },
	  NULL,
	  "register pc: 0x80000001 is odd" },
	{ "no byte of memory",
	  { MEMORY(BASE, 0) },
	  NULL,
	  "input: memory write: must be from 1 to 131072 bytes, not 0" },
	{ "many bytes", { MEMORY(BASE, INPUT_MAX_MEMORY) }, NULL, NULL },
	{ "too many",
	  { MEMORY(BASE, INPUT_MAX_MEMORY + 1) },
	  NULL,
	  "input: memory write: must be from 1 to 131072 bytes, not 131073" },
	{ "the end of RAM", { MEMORY(END - 8, 8) }, NULL, NULL },
	{ "beyond it",
	  { MEMORY(END - 8, 9) },
	  NULL,
	  "memory: 9 bytes at 0x803ffff8 are not all RAM" },
	{ "no byte of input",
	  { CONSOLE(0) },
	  NULL,
	  "input: console: must be from 1 to 65536 bytes, not 0" },
	{ "as much as is taken", { CONSOLE(BOARD_CONSOLE_QUEUE) }, NULL, NULL },
	{ "more than that",
	  { CONSOLE(BOARD_CONSOLE_QUEUE + 1) },
	  NULL,
	  "input: console: must be from 1 to 65536 bytes, not 65537" },
	{ "no event",
	  { INJECT(PMU_N_EVENTS, 1) },
	  NULL,
	  "event: must be the name of an event of harts" },
	{ "none of an event",
	  { INJECT(PMU_EV_INSNS, 0) },
	  NULL,
	  "count: must be at least 1" },
	{ "an SBI call",
	  { SBI(INPUT_SBI_ARGS) },
	  NULL,
	  "SBI call: this machine has no firmware" },
	{ "half an SBI call",
	  { SBI(7) },
	  NULL,
	  "input: SBI call: must have 8 registers, not 7" },
	{ "no act",
	  { EBB(EBB_UNKNOWN) },
	  NULL,
	  "input: ebb: must be a known act of a session" },
	{ "no act, either",
	  { EBB(EBB_N_WHATS) },
	  NULL,
	  "input: ebb: must be a known act of a session" },
	{ "a session", { EBB(EBB_OPEN) }, NULL, NULL },
	{ "one that has another number",
	  { EBB(EBB_OPEN, .session = 9) },
	  NULL,
	  "EBB session 9: there is none" },
	{ "without overflows",
	  { EBB(EBB_OPEN) },
	  "sscofpmf=off",
	  "hart 0: counters that overflow need the extension sscofpmf" },
	{ "no session",
	  { EBB(EBB_ENABLE, .session = 2) },
	  NULL,
	  "EBB session 2: there is none" },
	{ "a counter", { EBB(EBB_ADD, 1, 4, 2, 100) }, NULL, NULL },
	{ "one that does not overflow",
	  { EBB(EBB_ADD, 1, 2, 2, 100) },
	  NULL,
	  "EBB: hart 0 has no counter 2 that overflows" },
	{ "one that is not there",
	  { EBB(EBB_ADD, 1, 9, 2, 100) },
	  "hpm-counters=0x18",
	  "EBB: hart 0 has no counter 9 that overflows" },
	{ "one that it has",
	  { EBB(EBB_ADD, 1, 3, 2, 100) },
	  NULL,
	  "EBB session 1 has counter 3 already" },
	{ "no event for it",
	  { EBB(EBB_ADD, 1, 4, 0x77, 100) },
	  NULL,
	  "EBB: counter 4 cannot count event 0x77" },
	{ "one with OF",
	  { EBB(EBB_ADD, 1, 4, 2 | UINT64_C(1) << 63, 100) },
	  NULL,
	  "EBB: counter 4 cannot count event 0x8000000000000002" },
	{ "no period",
	  { EBB(EBB_ADD, 1, 4, 2, 0) },
	  "hpm-width=40",
	  "EBB: period: must be from 1 to 1099511627775, not 0" },
	{ "the shortest", { EBB(EBB_ADD, 1, 4, 2, 1) }, "hpm-width=40", NULL },
	{ "the longest",
	  { EBB(EBB_ADD, 1, 4, 2, 1099511627775) },
	  "hpm-width=40",
	  NULL },
	{ "a longer one",
	  { EBB(EBB_ADD, 1, 4, 2, 1099511627776) },
	  "hpm-width=40",
	  "EBB: period: must be from 1 to 1099511627775, not 1099511627776" },
	{ "to arm what is not on",
	  { EBB(EBB_REARM, 1, 3, 0, 100) },
	  NULL,
	  "EBB session 1 does not have counter 3" },
	{ "to return from nowhere",
	  { EBB(EBB_RETURN, 1) },
	  NULL,
	  "EBB session 1: no handler runs" },
};

/* A session is open that has counter 3, on a machine that stands. */
TEST_ROWS(an_input_is_refused_in_its_own_words, input_rows)
{
	const struct input_row *row = &input_rows[_i];
	const struct input open = { EBB(EBB_OPEN) };
	const struct input add = { EBB(EBB_ADD, 1, 3, 2, 100) };

	make(false, row->settings);
	ck_assert(machine_start(f.m, true, &error));
	if (row->in.kind == INPUT_EBB && row->in.ebb.what != EBB_OPEN) {
		ck_assert(machine_input(f.m, &open, NULL, &error));
		ck_assert(machine_input(f.m, &add, NULL, &error));
	}
	judge(row->why, machine_input(f.m, &row->in, NULL, &error), row->text);
}

TEST(a_stopped_hart_takes_no_calls_and_no_events)
{
	const struct input call = { SBI(INPUT_SBI_ARGS), .hart = 1 };
	const struct input event = { INJECT(PMU_EV_INSNS, 1), .hart = 1 };

	make(true, NULL);
	ck_assert(machine_start(f.m, true, &error));
	judge("a call", machine_input(f.m, &call, NULL, &error),
	      "SBI call: hart 1 is stopped or suspended");
	judge("an event", machine_input(f.m, &event, NULL, &error),
	      "inject: hart 1 is stopped");
}

TEST(a_console_that_is_not_read_is_full)
{
	const struct input most = { CONSOLE(BOARD_CONSOLE_QUEUE - 1) };
	const struct input two = { CONSOLE(2) }, one = { CONSOLE(1) };

	make(false, NULL);
	ck_assert(machine_start(f.m, true, &error));
	judge("most", machine_input(f.m, &most, NULL, &error), NULL);
	judge("too many", machine_input(f.m, &two, NULL, &error),
	      "console: the guest has not yet read 65535 bytes");
	judge("the last one", machine_input(f.m, &one, NULL, &error), NULL);
	judge("one more", machine_input(f.m, &one, NULL, &error),
	      "console: the guest has not yet read 65536 bytes");
}

TEST(sessions_have_a_limit)
{
	const struct input open = { EBB(EBB_OPEN) };

	make(false, NULL);
	ck_assert(machine_start(f.m, true, &error));
	for (unsigned i = 0; i < EBB_MAX_SESSIONS; i++)
		judge("a session", machine_input(f.m, &open, NULL, &error),
		      NULL);
	judge("one more", machine_input(f.m, &open, NULL, &error),
	      "EBB: a machine has at most 32 sessions");
}

/* Samplers */

#define SAMPLER(modes_, period_, ...)                                          \
	{                                                                      \
		.name = "instructions", .event = PMU_EV_INSNS,                 \
		.modes = modes_, .period = period_, __VA_ARGS__                \
	}

static const struct sampler_row {
	const char *why;
	struct machine_sampler s;
	uint32_t session;
	const char *text;
} sampler_rows[] = {
	{ "one", SAMPLER(1, 100, .callers = true, .registers = true), 1, NULL },
	{ "no period", SAMPLER(1, 0, .stack = 0), 0,
	  "samplers: a period must be at least 1" },
	{ "a period of 1", SAMPLER(1, 1, .stack = 0), 0, NULL },
	{ "in no mode", SAMPLER(0, 100, .stack = 0), 0,
	  "samplers: one has no privilege" },
	{ "a sum", SAMPLER(1, 100, .summed = true), 0, NULL },
	{ "a sum with callers",
	  SAMPLER(1, 100, .summed = true, .callers = true), 0,
	  "samplers: one that is summed has neither callers nor registers" },
	{ "a sum with registers",
	  SAMPLER(1, 100, .summed = true, .registers = true), 0,
	  "samplers: one that is summed has neither callers nor registers" },
	{ "a sum with a stack", SAMPLER(1, 100, .summed = true, .stack = 8), 0,
	  "samplers: one that is summed has neither callers nor registers" },
	{ "a client's sum", SAMPLER(1, 100, .summed = true), 1,
	  "samplers: only the machine's own samplers can be summed" },
	{ "much of the stack", SAMPLER(1, 100, .stack = 65536), 0, NULL },
	{ "more of it", SAMPLER(1, 100, .stack = 65537), 0,
	  "samplers: a stack must be at most 65536 bytes, not 65537" },
	{ "what nobody has",
	  { .event = (enum pmu_event)(PMU_EV_UARCH + PMU_UA_BRANCH_MISSES),
	    .modes = 1,
	    .period = 1 },
	  0,
	  "samplers: this machine does not count 'branch-misses' (settings "
	  "uarch)" },
	{ "what nobody waits for",
	  { .event = PMU_EV_STALLED_BACKEND, .modes = 1, .period = 1 },
	  0,
	  "samplers: this machine does not count 'stalled-cycles-backend' "
	  "(settings timing=inorder)" },
	{ "what nobody has a frequency of",
	  { .event = PMU_EV_REF_CYCLES, .modes = 1, .period = 1 },
	  0,
	  "samplers: this machine does not count 'ref-cycles' (settings "
	  "ref-hz)" },
	{ "nor of the bus",
	  { .event = PMU_EV_BUS_CYCLES, .modes = 1, .period = 1 },
	  0,
	  "samplers: this machine does not count 'bus-cycles' (settings "
	  "bus-hz)" },
};

TEST_ROWS(a_sampler_is_refused_in_its_own_words, sampler_rows)
{
	const struct sampler_row *row = &sampler_rows[_i];

	make(false, NULL);
	judge(row->why,
	      machine_start_sampling(f.m, row->session, &row->s, 1, &error),
	      row->text);
}

TEST(samplers_have_a_limit_together)
{
	static struct machine_sampler list[PMU_MAX_OBSERVERS + 1];

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		list[i] = (struct machine_sampler)SAMPLER(1, 100,
							  .callers = false);
	make(false, NULL);
	judge("three", machine_set_samplers(f.m, list, 3, &error), NULL);
	judge("too many",
	      machine_start_sampling(f.m, 1, list, PMU_MAX_OBSERVERS - 2,
				     &error),
	      "samplers: 14, but there is room for 13 of 16");
	judge("all the others",
	      machine_start_sampling(f.m, 1, list, PMU_MAX_OBSERVERS - 3,
				     &error),
	      NULL);
	judge("one of the machine's own instead of three",
	      machine_set_samplers(f.m, list, 1, &error), NULL);
	judge("and four", machine_set_samplers(f.m, list, 4, &error),
	      "samplers: 4, but there is room for 3 of 16");
}

SUITE("machine-refused", .teardown = teardown);
