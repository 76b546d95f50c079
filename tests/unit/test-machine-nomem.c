/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine for which memory runs out at the n-th request, whatever is being
 * made: that is said, nothing is left of it, and the same can be done later.
 * Whoever is freed has given back all that was had for it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/machine-load.h"
#include "core/machine-reset.h"
#include "core/machine-state.h"
#include "live-memory.h"
#include "machine-script.h"

/* A start has records: they are another's to keep. */
static void pass_over(void *keeper, const struct record_at *at,
		      enum hart_change what, uint32_t counters)
{
}

static void pass_over_reset(void *keeper, const struct record_at *at,
			    enum reboot_kind kind)
{
}

static const struct recorder_ops ops = { .hart = pass_over,
					 .reset = pass_over_reset };
static struct recorder recorder = { .ops = &ops };
static struct machine_config config;
static struct machine *machine;
static struct state state;
static void *tree;
static size_t tree_size;

static bool load(enum image_kind kind, const void *bytes, size_t size,
		 struct error *e)
{
	const struct machine_image image = {
		.kind = kind, .address = BASE, .bytes = bytes, .size = size
	};
	uint64_t entry;

	return machine_load(machine, &image, &entry, e);
}

static bool make(struct error *e)
{
	machine = NULL;
	return machine_new(&machine, &config, &recorder, e);
}

static void made(void)
{
	PREPARING(ck_assert(make(NULL)));
}

static void loaded(void)
{
	made();
	PREPARING(ck_assert(load(IMAGE_FLAT, "\1\2\3", 4, NULL)));
}

/* Its own tree is the user's, and there is something to add to it. */
static void with_tree(void)
{
	strcpy(config.bootargs, "quiet");
	made();
	free(tree);
	tree = NULL;
	PREPARING(ck_assert(
		machine_device_tree(machine, false, &tree, &tree_size, NULL)));
}

static void with_loaded_tree(void)
{
	with_tree();
	PREPARING(ck_assert(load(IMAGE_DTB, tree, tree_size, NULL)));
	PREPARING(ck_assert(load(IMAGE_FLAT, "\1\2\3", 4, NULL)));
}

static void with_firmware(void)
{
	made();
	PREPARING(ck_assert(load(IMAGE_FIRMWARE, "\1\2\3", 4, NULL)));
}

static void started(void)
{
	loaded();
	PREPARING(ck_assert(machine_start(machine, false, NULL)));
}

static void given(void)
{
	with_loaded_tree();
	PREPARING(ck_assert(machine_start(machine, false, NULL)));
	PREPARING(ck_assert(machine_give(machine, &state, NULL)));
	machine_free(machine);
	made();
}

static bool load_tree(struct error *e)
{
	return load(IMAGE_DTB, tree, tree_size, e);
}

static bool show_tree(struct error *e)
{
	size_t size;
	void *dtb;

	if (!machine_device_tree(machine, true, &dtb, &size, e))
		return false;
	free(dtb);
	return true;
}

static bool start(struct error *e)
{
	return machine_start(machine, false, e);
}

static bool reboot(struct error *e)
{
	return machine_reset(machine, REBOOT_COLD, e);
}

static bool queue(struct error *e)
{
	const struct input in = { .kind = INPUT_CONSOLE,
				  .cycle = 5,
				  .console = { (const uint8_t *)"ab", 2 } };

	return machine_queue(machine, &in, e);
}

static bool give(struct error *e)
{
	bool done;

	state_free(&state);
	done = machine_give(machine, &state, e);
	state_free(&state);
	return done;
}

static bool take(struct error *e)
{
	state.at = 0;
	state.failed = NULL;
	return machine_take(machine, &state, e);
}

static const struct memory_row {
	const char *why;
	bool m_mode;
	const char *settings;
	void (*prepare)(void);
	bool (*act)(struct error *e);
	bool once;	 /* a machine that failed in it is of no use */
	unsigned least;	 /* requests */
	unsigned spared; /* of them, for what is only a warning */
	const char *texts[6];
} rows[] = {
	{ "a machine",
	  true,
	  "uarch=small",
	  NULL,
	  make,
	  true,
	  25,
	  0,
	  { "out of memory", "memory: the host cannot give 4194304 bytes",
	    "engine: cannot be opened", "harts: out of memory" } },
	{ "a machine that explains its misses",
	  true,
	  "l1d=64:64:1 uarch-watch=on uarch-explain=2",
	  NULL,
	  make,
	  true,
	  30,
	  0,
	  { "out of memory", "memory: the host cannot give 4194304 bytes",
	    "engine: cannot be opened", "harts: out of memory" } },
	{ "a device tree",
	  true,
	  "serial=on",
	  with_tree,
	  load_tree,
	  false,
	  2,
	  1,
	  { "out of memory" } },
	{ "what of it is shown",
	  false,
	  "serial=on",
	  with_loaded_tree,
	  show_tree,
	  false,
	  2,
	  0,
	  { "out of memory", "device tree: riscv,pmu cannot be fixed up" } },
	{ "its own one",
	  false,
	  "serial=on",
	  loaded,
	  show_tree,
	  false,
	  1,
	  0,
	  { "out of memory", "device tree: cannot be built",
	    "device tree: riscv,pmu cannot be fixed up" } },
	{ "a start in S-mode",
	  false,
	  "reboot=on",
	  loaded,
	  start,
	  false,
	  9,
	  0,
	  { "out of memory", "device tree: cannot be built",
	    "device tree: riscv,pmu cannot be fixed up",
	    "firmware: out of memory" } },
	{ "a start in S-mode with a tree",
	  false,
	  "reboot=on",
	  with_loaded_tree,
	  start,
	  false,
	  9,
	  0,
	  { "out of memory", "device tree: riscv,pmu cannot be fixed up",
	    "firmware: out of memory" } },
	{ "a start of other firmware",
	  true,
	  "reboot=on",
	  with_firmware,
	  start,
	  false,
	  5,
	  0,
	  { "out of memory", "device tree: cannot be built" } },
	{ "a reboot",
	  false,
	  "reboot=on",
	  started,
	  reboot,
	  false,
	  4,
	  0,
	  { "firmware: out of memory" } },
	{ "an input",
	  true,
	  "reboot=on",
	  loaded,
	  queue,
	  false,
	  1,
	  0,
	  { "inputs: out of memory" } },
	{ "state that is given",
	  false,
	  "reboot=on",
	  started,
	  give,
	  false,
	  3,
	  0,
	  { "state: out of memory" } },
	{ "state that is taken",
	  false,
	  "reboot=on",
	  given,
	  take,
	  true,
	  4,
	  0,
	  { "state: its device tree does not fit this machine",
	    "state: its kept does not fit this machine",
	    "firmware: out of memory" } },
};

static void is_said(const struct memory_row *row, const struct error *e)
{
	bool found = false;

	for (unsigned i = 0; i < ARRAY_SIZE(row->texts) && row->texts[i]; i++)
		found |= !strcmp(row->texts[i], e->text);
	ck_assert_msg(found, "%s: '%s'", row->why, e->text);
	if (!strstr(e->text, "out of memory"))
		return;
	ck_assert_msg(e->kind == ERROR_NO_ROOM, "%s: '%s'", row->why, e->text);
	ck_assert_str_eq(e->reason, "OUT_OF_MEMORY");
}

/* False: there is memory enough where the @n-th request fails. */
static bool runs_out_at(const struct memory_row *row, unsigned n,
			unsigned *spared)
{
	struct error e = { .text = "not a word" };
	bool done;

	if (row->prepare)
		row->prepare();
	ran_out = false;
	left = n;
	done = row->act(&e);
	left = UINT32_MAX;
	*spared += done && ran_out;
	if (!done)
		is_said(row, &e);
	if (!done && !row->once)
		ck_assert_msg(row->act(&e), "%s: later, '%s'", row->why,
			      e.text);
	machine_free(machine);
	machine = NULL;
	state_free(&state);
	return ran_out;
}

TEST_ROWS(where_memory_runs_out_that_is_said_and_nothing_is_done, rows)
{
	const struct memory_row *row = &rows[_i];
	unsigned n = 0, spared = 0, before = live.n;

	config = (struct machine_config){ .harts = 2,
					  .memory = 4 << 20,
					  .m_mode = row->m_mode };
	fixture_settings(&config.settings, row->settings);
	while (runs_out_at(row, n, &spared))
		n++;
	ck_assert_uint_ge(n, row->least);
	ck_assert_uint_eq(spared, row->spared);
	free(tree);
	tree = NULL;
	ck_assert_uint_eq(live.n, before);
}

/* Of all harts, started and reset, with whatever the models are fed. */
static const char *const whole_rows[] = {
	"",
	"uarch=small uarch-watch=on",
	"uarch=small timing=inorder uarch-watch=on serial=on reboot=on",
};

TEST_TIMES(a_machine_gives_back_all_that_it_had, 2 * ARRAY_SIZE(whole_rows))
{
	unsigned before = live.n;

	config = (struct machine_config){ .harts = PMU_MAX_HARTS,
					  .memory = 4 << 20,
					  .m_mode = _i & 1 };
	fixture_settings(&config.settings, whole_rows[_i / 2]);
	started();
	ck_assert_uint_gt(live.n, before + PMU_MAX_HARTS);
	if (config.settings.reboot)
		ck_assert(reboot(NULL));
	machine_free(machine);
	machine = NULL;
	ck_assert_uint_eq(live.n, before);
}

SUITE("machine-nomem");
