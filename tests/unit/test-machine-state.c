/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * State that is given and taken: what no guest of the other tests of it keeps
 * (test-moves.c, test-session.c, test-replay.c), and who may not take it.
 */
#include <stdlib.h>
#include <string.h>

#include "board/bus.h"
#include "core/machine-load.h"
#include "core/machine-read.h"
#include "core/machine-state.h"
#include "machine-script.h"
#include "view/inspect.h"

#define MTIME (BOARD_CLINT_BASE + 0xbff8)

static const struct fake_op loop_ops[] = { NOP, NOP, NOP, JUMP(0) };

static uint64_t x(unsigned n)
{
	struct hart_state s;

	ck_assert(inspect_registers(f.m, 0, &s, NULL));
	return s.x[n];
}

static const struct fake_op mtime_ops[] = {
	LI(1, 1000000),
	WRITE(1, 8, MTIME),
	NOP,
	NOP,
	NOP,
	NOP,
	READ(2, 8, MTIME),
	PASS,
};

TEST(time_that_a_guest_has_moved_stays_so)
{
	SCRIPT(mtime_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1, 3);
	fixture_move(&f);
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_ge(x(2), 1000000);
}

TEST_RANGE(all_leaves_that_a_hart_goes_by_move, 0, 4)
{
	SCRIPT(loop_ops);
	fake.leaves = (unsigned)_i;
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1, 3);
	ck_assert_uint_eq(fake.taken, 0);
	fixture_move(&f);
	ck_assert_uint_eq(fake.taken, (1u << _i) - 1);
}

TEST(breakpoints_and_their_stop_stay)
{
	const uint64_t pc = PC(2);
	struct inspect_hart h;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(machine_set_breakpoints(f.m, &pc, 1, NULL));
	fixture_start(&f);
	for (unsigned i = 0; i < 4; i++) {
		fixture_run(&f, 1, UINT32_MAX);
		fixture_move(&f);
		ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
		ck_assert_uint_eq(fixture_status(&f).insn, 2 + 4 * i);
		ck_assert(inspect_hart(f.m, 0, &h, NULL));
		ck_assert_uint_eq(h.pc, pc);
		ck_assert(machine_resume(f.m, NULL));
		fixture_move(&f);
	}
}

TEST(a_step_under_way_ends_where_it_would)
{
	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_pause(f.m, NULL));
	ck_assert(machine_step(
		f.m,
		&(struct machine_step){ .insns = 10, .hart = STEP_NEXT_HART },
		NULL));
	fixture_run(&f, 1, 4);
	fixture_move(&f);
	fixture_run(&f, 1, UINT32_MAX);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_STEP);
	ck_assert_uint_eq(fixture_status(&f).insn, 10);
}

static const struct fake_op trap_ops[] = { INSN(0), NOP };

TEST(the_note_of_a_trap_loop_stays)
{
	char note[256];

	SCRIPT(trap_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 500, 1000);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
	strcpy(note, machine_note(f.m, 0));
	fixture_move(&f);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
	ck_assert_str_eq(machine_note(f.m, 0), note);
}

/* Where time jumps to, and what a guest has configured by its firmware. */
static const struct fake_op timer_ops[] = {
	LI(1, PC(9)),  CSRW(MTVEC, 1), LI(1, 500), WRITE(1, 8, MTIMECMP(0)),
	LI(1, 1 << 7), CSRW(MIE, 1),   WFI,	   NOP,
	PASS,
};

static const struct fake_op pmu_ops[] = {
	LI(17, 0x504d55), LI(16, 2),
	LI(10, 0),	  LI(11, 4),
	LI(13, 2),	  NOP,
	INSN(FAKE_ECALL), LI(10, 0),
	LI(11, 4),	  LI(12, 1),
	LI(13, 100),	  LI(16, 3),
	INSN(FAKE_ECALL), LI(16, 4),
	LI(10, 0),	  LI(11, 4),
	LI(12, 0),	  INSN(FAKE_ECALL),
	LI(10, 0),	  LI(11, 4),
	INSN(FAKE_ECALL), PASS,
};

static const struct fake_op harts_ops[] = {
	CSRR(1, MHARTID), LI(2, 20), NOP, LOOP(2, 2), PASS,
};

static const struct moved_row {
	const char *why;
	const struct fake_op *ops;
	size_t n;
	struct fixture_config cfg;
} moved_rows[] = {
	{ "a timer of the board",
	  timer_ops,
	  ARRAY_SIZE(timer_ops),
	  { .m_mode = true, .settings = "clock-hz=10M time-hz=1M" } },
	{ "counters of the firmware",
	  pmu_ops,
	  ARRAY_SIZE(pmu_ops),
	  { .sbi_calls = true } },
	{ "whose turn it is",
	  harts_ops,
	  ARRAY_SIZE(harts_ops),
	  { .m_mode = true, .harts = 3, .settings = "quantum=7" } },
	{ "whose turn it is, where all run",
	  loop_ops,
	  ARRAY_SIZE(loop_ops),
	  { .m_mode = true,
	    .harts = 3,
	    .settings = "quantum=7 max-insns=99" } },
};

TEST_ROWS(a_machine_that_moves_at_every_step_is_the_same, moved_rows)
{
	const struct moved_row *row = &moved_rows[_i];
	struct fixture still;
	unsigned moves = 0;

	script(row->ops, row->n);
	fixture_play(&still, &row->cfg, 1);
	ck_assert_int_eq(fixture_state(&still), MACHINE_ENDED);
	fixture_init(&f, &row->cfg);
	fixture_move(&f);
	fixture_start(&f);
	for (; fixture_state(&f) == MACHINE_RUNNING; moves++) {
		fixture_run(&f, 1, 1);
		fixture_move(&f);
	}
	ck_assert_uint_gt(moves, 3);
	ck_assert_msg(fixture_same(&f, &still), "%s", row->why);
	fixture_fini(&still);
}

TEST(the_firmware_knows_what_was_configured)
{
	Pmu__V1__Trace *t;

	SCRIPT(pmu_ops);
	fixture_play(&f, &moved_rows[1].cfg, 1);
	t = fixture_trace(&f);
	for (unsigned i = 0; i < 4; i++) {
		const Pmu__V1__Record *r =
			fixture_record(t, PMU__V1__RECORD__KIND_SBI_CALL, i);

		/* the counter is started, stopped, and stopped already */
		ck_assert_int_eq(r->sbi_call->error, i == 3 ? -8 : 0);
	}
	fixture_free_trace(t);
}

/* The first page of RAM, the last one, and one whose last byte is not zero. */
TEST(ram_goes_along)
{
	static uint8_t image[3 * BUS_PAGE], got[4 << 20];
	const struct machine_image last = { .kind = IMAGE_FLAT,
					    .address = BASE + sizeof(got) - 8,
					    .bytes = (const uint8_t *)"the end",
					    .size = 8 };
	struct state state = { 0 };
	uint64_t entry;

	memset(image, 0xa5, BUS_PAGE);
	image[sizeof(image) - 1] = 1;
	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .image = image,
						   .image_size = sizeof(image),
						   .address = BASE });
	ck_assert(machine_load(f.m, &last, &entry, NULL));
	ck_assert(machine_give(f.m, &state, NULL));
	/* not the pages that are zero */
	ck_assert_uint_lt(state.all.tail, sizeof(got) / 4);
	state_free(&state);
	fixture_move(&f);
	ck_assert(machine_read_memory(f.m, BASE, got, sizeof(got)));
	ck_assert_mem_eq(got, image, sizeof(image));
	ck_assert_str_eq((char *)got + sizeof(got) - 8, "the end");
	for (size_t i = sizeof(image); i < sizeof(got) - 8; i++)
		if (got[i])
			ck_abort_msg("byte %zu is %u", i, got[i]);
}

/* A machine that is not yet running is one, too. */
TEST(images_and_inputs_wait_in_the_other_machine)
{
	struct input in = { .kind = INPUT_CONSOLE,
			    .cycle = 5,
			    .console = { (const uint8_t *)"ab", 2 } };

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = "max-insns=9" });
	ck_assert(machine_queue(f.m, &in, NULL));
	fixture_move(&f);
	ck_assert_uint_eq(machine_queued(f.m), 1);
	fixture_start(&f);
	fixture_run(&f, 100, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(machine_queued(f.m), 0);
}

/* Who may not take it */

static const struct other_row {
	const char *why;
	unsigned harts;
	uint64_t memory;
	bool m_mode;
	const char *key, *value;
	const char *what; /* does not fit; NULL: it does */
} other_rows[] = {
	{ "the same", 2, 4 << 20, true, "xlen", "64", NULL },
	{ "other harts", 3, 4 << 20, true, "xlen", "64", "config" },
	{ "other memory", 2, 8 << 20, true, "xlen", "64", "config" },
	{ "another start", 2, 4 << 20, false, "xlen", "64", "config" },
	{ "another XLEN", 2, 4 << 20, true, "xlen", "32", "config" },
	{ "another quantum", 2, 4 << 20, true, "quantum", "99", "config" },
	{ "an extension more", 2, 4 << 20, true, "hart1.sstc", "on", "hart" },
	{ "another host's slice", 2, 4 << 20, true, "engines", "1", NULL },
};

static void configure(struct machine_config *ret, const struct other_row *row)
{
	char why[SETTINGS_ERROR];

	*ret = (struct machine_config){ .harts = row->harts,
					.memory = row->memory,
					.m_mode = row->m_mode };
	settings_init(&ret->settings);
	ck_assert(settings_set(&ret->settings, row->key, row->value, why));
}

TEST_ROWS(state_is_for_a_machine_of_the_same_configuration, other_rows)
{
	const struct other_row *row = &other_rows[_i];
	struct recorder recorder = { 0 };
	struct state state = { 0 };
	struct machine_config cfg;
	struct machine *m;
	struct error e;
	bool taken;

	SCRIPT(loop_ops);
	fixture_init(&f,
		     &(struct fixture_config){ .m_mode = true, .harts = 2 });
	fixture_start(&f);
	ck_assert(machine_give(f.m, &state, &e));
	configure(&cfg, row);
	ck_assert(machine_new(&m, &cfg, &recorder, &e));
	taken = machine_take(m, &state, &e);
	ck_assert_msg(taken == !row->what, "%s", row->why);
	if (!taken) {
		ck_assert_int_eq(e.kind, ERROR_INVALID);
		ck_assert_str_eq(e.reason, "BAD_STATE");
		ck_assert_msg(strstr(e.text, row->what), "%s: %s", row->why,
			      e.text);
	}
	machine_free(m);
	state_free(&state);
}

/* Wherever it is cut off. */
TEST(half_a_state_is_refused)
{
	struct recorder recorder = { 0 };
	struct state state = { 0 };
	struct machine *m;
	struct error e;
	size_t n;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_give(f.m, &state, &e));
	n = state.all.tail;
	for (unsigned i = 0; i < 40; i++) {
		state.all.tail = n * i / 40;
		state.at = 0;
		state.failed = NULL;
		ck_assert(machine_new(&m, machine_config(f.m), &recorder, &e));
		ck_assert(!machine_take(m, &state, &e));
		machine_free(m);
	}
	state_free(&state);
}

/* Each piece: its name, its length, and that many bytes. */
struct piece {
	char name[16];
	uint64_t len;
};

static bool takes(struct state *state, struct error *e)
{
	struct recorder recorder = { 0 };
	struct machine *m;
	bool taken;

	state->at = 0;
	state->failed = NULL;
	PREPARING(
		ck_assert(machine_new(&m, machine_config(f.m), &recorder, e)));
	taken = machine_take(m, state, e);
	machine_free(m);
	return taken;
}

static void give_all(struct state *ret)
{
	struct error e;

	SCRIPT(pmu_ops);
	fixture_init(&f, &(struct fixture_config){ .harts = 2 });
	fixture_start(&f);
	ck_assert(machine_give(f.m, ret, &e));
	ck_assert(takes(ret, &e));
}

/* Whichever it is. */
TEST(a_state_without_one_of_its_pieces_is_refused)
{
	struct state state = { 0 };
	struct piece p, other;
	struct error e;
	unsigned n = 0;

	give_all(&state);
	for (size_t at = 0; at < state.all.tail; at += sizeof(p) + p.len, n++) {
		memcpy(&p, state.all.data + at, sizeof(p));
		other = p;
		strcpy(other.name, "other");
		memcpy(state.all.data + at, &other, sizeof(other));
		ck_assert_msg(!takes(&state, &e), "%s", p.name);
		ck_assert_str_eq(e.reason, "BAD_STATE");
		memcpy(state.all.data + at, &p, sizeof(p));
	}
	ck_assert_uint_gt(n, 15);
	ck_assert(takes(&state, &e));
	state_free(&state);
}

/* Its first piece of that name; what follows it. */
static uint8_t *find_piece(struct state *state, const char *name)
{
	struct piece p;

	for (size_t at = 0; at < state->all.tail; at += sizeof(p) + p.len) {
		memcpy(&p, state->all.data + at, sizeof(p));
		if (strcmp(p.name, name) == 0)
			return state->all.data + at + sizeof(p);
	}
	ck_abort_msg("no piece %s", name);
}

/* By its first word: where a page lies, what a firmware is for. */
static const char *const spoilt[] = { "page", "firmware" };

TEST_ROWS(a_piece_that_does_not_fit_is_named, spoilt)
{
	struct state state = { 0 };
	char text[64];
	struct error e;

	give_all(&state);
	find_piece(&state, spoilt[_i])[0] ^= 1;
	ck_assert(!takes(&state, &e));
	snprintf(text, sizeof(text), "state: its %s does not fit this machine",
		 spoilt[_i]);
	ck_assert_str_eq(e.text, text);
	state_free(&state);
}

/* What was loaded before is gone: RAM, and its device tree (not leaked). */
TEST(what_is_loaded_makes_room_for_a_state)
{
	const struct machine_image other = { .kind = IMAGE_FLAT,
					     .address = BASE + BUS_PAGE,
					     .bytes = (const uint8_t *)"old",
					     .size = 4 };
	struct machine_image tree = { .kind = IMAGE_DTB };
	struct state state = { 0 };
	uint32_t got = 1;
	uint64_t entry;
	void *dtb;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(machine_give(f.m, &state, NULL));
	ck_assert(machine_device_tree(f.m, false, &dtb, &tree.size, NULL));
	tree.bytes = dtb;
	ck_assert(machine_load(f.m, &tree, &entry, NULL));
	ck_assert(machine_load(f.m, &other, &entry, NULL));
	ck_assert(machine_take(f.m, &state, NULL));
	ck_assert(machine_read_memory(f.m, other.address, &got, sizeof(got)));
	ck_assert_uint_eq(got, 0);
	/* there is room for another */
	ck_assert(machine_load(f.m, &tree, &entry, NULL));
	free(dtb);
	state_free(&state);
}

TEST(a_machine_that_has_started_takes_none)
{
	struct state state = { 0 };
	struct error e;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_give(f.m, &state, &e));
	ck_assert(!machine_take(f.m, &state, &e));
	ck_assert_str_eq(e.reason, "ALREADY_STARTED");
	state_free(&state);
}

SUITE("machine-state", .teardown = teardown);
