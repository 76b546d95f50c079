/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/kept-*.c: what of a run is in its folder, and what a later pmud
 * makes of it, whole or not.
 */
#include "kept-fixture.h"

#include "captured.h"
#include "server/daemon-limits.h"

TEST(a_run_is_kept_from_its_start_on)
{
	struct stat st;

	notice(STATE(NEW));
	ck_assert_uint_eq(child->n_asked, 1); /* Configure */
	child->busy = true;
	notice(STATE(PAUSED));
	ck_assert_uint_eq(child->refused, 1);
	child->busy = false; /* then it is asked again */
	notice(STATE(PAUSED));
	ck_assert_int_eq(child->asked, METHOD_SetRecording);
	ck_assert_int_eq(size_of("m1"), -1);
	header();
	ck_assert_int_eq(lstat(path("m1"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
	ck_assert_int_eq(lstat(path("m1/about"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(size_of("m1/about.part"), -1);
	record(false);
	ck_assert_int_eq(size_of("m1/console"), 5);
	ck_assert_int_gt(size_of("m1/trace"), 5);
	ck_assert_int_eq(size_of("m1/inputs"), -1);
	ck_assert_int_eq(size_of("m1/serial"), -1);
	notice(STATE(RUNNING));
	ck_assert_uint_eq(child->n_asked, 2); /* once */
}

/* @ends: it has, before its pmud did. */
TEST_TIMES(a_later_pmud_has_what_is_known_of_it, 2)
{
	bool ends = _i;

	run();
	record(false);
	record(false);
	if (ends) {
		notice(STATE(ENDED));
		fixture_die(child, "ended");
	}
	another_pmud();
	ck_assert_ptr_nonnull(m);
	ck_assert_ptr_null(SLIST_NEXT(m, next));
	ck_assert_str_eq(m->id, "m1");
	ck_assert_uint_eq(m->owner, alice.peer.uid);
	ck_assert_uint_eq(m->header->xlen, 32);
	ck_assert_int_eq(m->info->state, ends ? STATE(ENDED) : STATE(CRASHED));
	ck_assert_str_eq(m->info->detail,
			 ends ? "as it said" : "pmud ended while it ran");
	ck_assert_int_eq(m->info->exit_code, ends ? 7 : EXIT_MACHINE_CRASHED);
	ck_assert_int_eq(m->info->cause,
			 ends ? PMU__V1__STOP_CAUSE__STOP_CAUSE_UNSPECIFIED
			      : PMU__V1__STOP_CAUSE__STOP_CAUSE_CRASH);
	ck_assert_uint_eq(m->info->insn, 123);
	ck_assert_uint_eq(store_items(m->trace), 2);
	ck_assert_uint_eq(store_items(m->console), 10);
	ck_assert(store_ended(m->trace) && store_ended(m->console));
	ck_assert_ptr_null(m->inputs);
	ck_assert_ptr_null(m->serial);
	ck_assert(!child_alive(m->child));
	ck_assert_uint_eq(pmud.last_id, 1);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_MACHINES, m->owner), 1);
	ck_assert_uint_gt(quota_held(pmud.quota, QUOTA_STORE, m->owner), 0);
	another_pmud(); /* and the next one */
	ck_assert_str_eq(m->id, "m1");
	ck_assert_uint_eq(store_items(m->trace), 2);
}

/* Its pmud was killed in the middle of it. */
TEST(a_record_that_is_not_whole_is_cut_off)
{
	run();
	record(false);
	another_pmud();
	append("m1/trace", "\x12\x7f half of a record");
	another_pmud();
	ck_assert_uint_eq(store_items(m->trace), 1);
	ck_assert_int_eq(m->info->state, STATE(CRASHED));
}

/* Behind its end, however, is nothing of it. */
TEST(what_has_ended_ends_there)
{
	run();
	record(false);
	notice(STATE(ENDED));
	fixture_die(child, "ended");
	append("m1/trace", "\x12");
	another_pmud();
	ck_assert_uint_eq(store_items(m->trace), 1);
}

TEST(a_rotated_trace_and_a_second_port_have_their_files)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting serial = PMU__V1__SETTING__INIT, *list[] = { &serial };

	serial.key = (char *)"serial";
	serial.value = (char *)"on";
	cfg.n_settings = 1;
	cfg.settings = list;
	recording.when_full = PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE;
	req.recording = &recording;
	req.config = &cfg;
	req.detach = true;
	serve_create_machine(fixture_call(&alice, METHOD_CreateMachine), &req);
	fixture_state(STATE(NEW));
	m = SLIST_FIRST(&pmud.machines);
	run();
	record(true);
	record(false);
	ck_assert_int_gt(size_of("m2/inputs"), 0);
	ck_assert_int_eq(size_of("m2/serial"), 0);
	another_pmud();
	ck_assert_str_eq(m->id, "m2"); /* m1 had not started */
	ck_assert_ptr_null(SLIST_NEXT(m, next));
	ck_assert_uint_eq(store_items(m->trace), 2);
	ck_assert_uint_eq(store_items(m->inputs), 1);
	ck_assert_ptr_nonnull(m->serial);
	ck_assert_int_eq(m->records.when_full,
			 PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE);
}

/* Who asks for the state of a machine that has ended is answered with it. */
TEST(what_is_known_is_written_when_it_has_changed)
{
	run();
	notice(STATE(ENDED));
	ck_assert_int_eq(unlink(path("m1/about")), 0);
	notice(STATE(ENDED));
	ck_assert_int_eq(size_of("m1/about"), -1);
	notice(STATE(CRASHED));
	ck_assert_int_gt(size_of("m1/about"), 0);
	ck_assert_int_eq(unlink(path("m1/about")), 0);
	fixture_die(child, "ended"); /* where its trace ends, too */
	ck_assert_int_gt(size_of("m1/about"), 0);
}

TEST_TIMES(a_machine_that_is_deleted_leaves_nothing, 2)
{
	int held;

	run();
	if (_i)
		another_pmud();
	held = m->kept;
	hosted_delete(m, NULL);
	ck_assert_int_eq(fcntl(held, F_GETFD), -1);
	ck_assert_int_eq(size_of("m1"), -1);
	another_pmud();
	ck_assert_ptr_null(m);
	ck_assert_uint_eq(pmud.last_id, 0);
}

TEST(what_was_deleted_before_its_header_came_is_not_kept)
{
	notice(STATE(RUNNING));
	hosted_delete(m, NULL);
	header();
	ck_assert_int_eq(size_of("m1"), -1);
}

/* It goes on all the same, and nothing of another's is touched. */
TEST(what_cannot_be_kept_is_not)
{
	ck_assert_int_eq(mkdir(path("m1"), 0700), 0);
	append("m1/about", "of another");
	run();
	ck_assert_int_eq(m->kept, -1);
	ck_assert_int_eq(size_of("m1/about"), 10);
	ck_assert_int_eq(size_of("m1/trace"), -1);
	record(false);
	notice(STATE(ENDED));
	ck_assert_int_eq(size_of("m1/about"), 10);
	ck_assert_uint_eq(store_items(m->trace), 1);
}

TEST(one_pmud_keeps_runs_in_a_folder)
{
	struct daemon other = { .config = &config };

	ck_assert_int_eq(kept_lock(&other), -EWOULDBLOCK);
	ck_assert_int_eq(other.runs, -1);
	config.state_dir = "/nonexistent";
	ck_assert_int_eq(kept_lock(&other), -ENOENT);
	config.state_dir = folder;
}

static const struct name_row {
	const char *name;
	uint64_t last; /* that no machine is to be called again */
} name_rows[] = {
	{ "m7", 7 },  { "m18446744073709551615", UINT64_MAX },
	{ "m07", 0 }, { "m0", 0 },
	{ "m", 0 },   { "m7x", 0 },
	{ "x7", 0 },  { "M7", 0 },
	{ "m 7", 0 }, { "m+7", 0 },
	{ "m-7", 0 }, { "m99999999999999999999", 0 },
	{ "mm7", 0 },
};

/* Nobody's, as there is nothing in it, and nobody else is called so. */
TEST_ROWS(a_folder_is_a_runs_by_its_name, name_rows)
{
	ck_assert_int_eq(mkdir(path(name_rows[_i].name), 0700), 0);
	another_pmud();
	ck_assert_ptr_null(m);
	ck_assert_uint_eq(pmud.last_id, name_rows[_i].last);
	ck_assert_int_ge(size_of(name_rows[_i].name), 0);
}

/* More than there may be machines: whichever are found last. */
TEST(more_runs_than_machines_wait)
{
	enum {
		MORE = 3
	};
	static char said[1 << 16];
	unsigned wait = 0;

	for (unsigned i = 2; i <= MAX_MACHINES + MORE; i++) {
		char name[16];

		snprintf(name, sizeof(name), "m%u", i);
		ck_assert_int_eq(mkdir(path(name), 0700), 0);
	}
	capture();
	another_pmud();
	(void)capture_end();
	ck_assert_int_gt(pread(captured_fd, said, sizeof(said) - 1, 0), 0);
	for (const char *at = said;
	     (at = strstr(at, "pmud: more than 256 runs: m")); at++)
		wait++;
	ck_assert_uint_eq(wait, MORE - 1); /* the test's own was never begun */
	ck_assert_uint_eq(pmud.last_id, MAX_MACHINES + MORE);
}

/* What is known of a run */

static void no_machine(Pmu__Internal__KeptRun *run)
{
	run->machine = NULL;
}

static void no_config(Pmu__Internal__KeptRun *run)
{
	run->machine->config = NULL;
}

static void no_recording(Pmu__Internal__KeptRun *run)
{
	run->machine->recording = NULL;
}

static void no_begin(Pmu__Internal__KeptRun *run)
{
	run->begin = NULL;
}

static void no_header(Pmu__Internal__KeptRun *run)
{
	run->header = NULL;
}

static const struct part_row {
	void (*change)(Pmu__Internal__KeptRun *run);
	bool good;
} part_rows[] = {
	{ no_machine }, { no_config },	     { no_recording },
	{ no_begin },	{ no_header, true },
};

TEST_ROWS(what_must_be_known_of_a_run_is_there, part_rows)
{
	static const char missing[] = "not all is there that is known of it";
	const struct part_row *row = &part_rows[_i];
	Pmu__Internal__KeptRun *run_, changed;
	Pmu__V1__MachineInfo info;
	const char *why;
	int dir;

	run();
	dir = m->kept;
	run_ = kept_read(dir, &why);
	ck_assert_ptr_nonnull(run_);
	changed = *run_;
	info = *run_->machine;
	changed.machine = &info;
	row->change(&changed);
	ck_assert(kept_write(dir, &changed));
	wire_unpack_free(&run_->base);
	run_ = kept_read(dir, &why);
	ck_assert((run_ != NULL) == row->good);
	if (!row->good)
		ck_assert_str_eq(why, missing);
	wire_unpack_free(run_ ? &run_->base : NULL);
	another_pmud();
	ck_assert((m != NULL) == row->good);
	ck_assert_uint_eq(pmud.last_id, 1);
	ck_assert_int_gt(size_of("m1/about"), 0); /* left alone */
}

static const struct spoiled_row {
	const char *file, *bytes; /* NULL: it is taken away */
} spoiled_rows[] = {
	{ "m1/about", "\x08\x02" }, /* of the next version, perhaps */
	{ "m1/about", "nonsense" }, { "m1/about", NULL },
	{ "m1/trace", NULL },	    { "m1/console", NULL },
};

TEST_ROWS(a_run_that_cannot_be_read_is_left_alone, spoiled_rows)
{
	const struct spoiled_row *row = &spoiled_rows[_i];

	run();
	record(false);
	another_pmud();
	ck_assert_int_eq(unlink(path(row->file)), 0);
	if (row->bytes)
		append(row->file, row->bytes);
	another_pmud();
	ck_assert_ptr_null(m);
	ck_assert_uint_eq(pmud.last_id, 1);
	ck_assert_uint_eq(
		quota_held(pmud.quota, QUOTA_MACHINES, alice.peer.uid), 0);
	ck_assert_uint_eq(quota_held(pmud.quota, QUOTA_STORE, alice.peer.uid),
			  0);
	ck_assert_int_ge(size_of("m1"), 0);
}

SUITE("kept", .timeout = 60, .setup = setup, .teardown = teardown);
