/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session that has rings: its handler, what it wishes, and a thread for it.
 * client/ebb-dispatch.c, ebb-acts.c and ebb-thread.c.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ebb-inside.h"
#include "open-fds.h"
#include "ring-sides.h"
#include "session.h"
#include "unit.h"

static struct {
	struct pmuclient_ebb e;
	int far_end;
	unsigned calls;
	struct pmuclient_ebb_call last;
} s;

static void handle(void *data, struct pmuclient_ebb *e,
		   const struct pmuclient_ebb_call *call)
{
	ck_assert_ptr_eq(data, &s);
	s.calls++;
	s.last = *call;
	pmuclient_ebb_rearm(e, 3, 100 * s.calls);
	if (s.calls == 2)
		pmuclient_ebb_mask(e, true);
}

static void open_session(void)
{
	int fds[2];

	memset(&s, 0, sizeof(s));
	PREPARING(ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds)));
	s.far_end = fds[1];
	PREPARING(ck_assert(!pmuclient_adopt(&s.e.client, fds[0])));
	s.e.direct = t.d;
	s.e.session = 4;
	pmuclient_ebb_set_callback(&s.e, handle, &s);
}

static void close_session(void)
{
	t.d = s.e.direct;
	pmuclient_free(s.e.client);
	close(s.far_end);
}

/* All wishes are as its handler said, the last of a call is its return. */
static void check_wishes(unsigned calls)
{
	for (unsigned i = 1; i <= calls; i++) {
		struct ebb_wish got[2];

		ck_assert_int_eq(ring_peek(&t.wishes, got, sizeof(got)),
				 sizeof(got));
		ring_skip(&t.wishes, sizeof(got));
		ck_assert_uint_eq(got[0].what,
				  PMU__V1__EBB_INPUT__WHAT__WHAT_REARM);
		ck_assert_uint_eq(got[0].counter, 3);
		ck_assert_uint_eq(got[0].period, 100 * i);
		ck_assert_uint_eq(got[0].more, 1);
		ck_assert_uint_eq(got[1].what,
				  PMU__V1__EBB_INPUT__WHAT__WHAT_RETURN);
		ck_assert_uint_eq(got[1].masked, i >= 2);
		ck_assert_uint_eq(got[1].more, 0);
	}
	ck_assert_int_eq(ring_waiting(&t.wishes), 0);
}

static const struct dispatch_row {
	const char *why;
	unsigned says[4];
	int got, then;
	unsigned calls;
	const char *error;
} dispatch_rows[] = {
	{ "nothing", { 0 }, 0, 0, 0, "" },
	{ "one", { EBB_SAID_TOLD }, 1, 0, 1, "" },
	{ "all that there are",
	  { EBB_SAID_TOLD, EBB_SAID_TOLD, EBB_SAID_TOLD },
	  3,
	  0,
	  3,
	  "" },
	{ "what only a newer machine says is nothing",
	  { 77, EBB_SAID_TOLD },
	  1,
	  0,
	  1,
	  "" },
	{ "the end, from then on",
	  { EBB_SAID_OVER, EBB_SAID_TOLD },
	  -PMUCLIENT_ELOST,
	  -PMUCLIENT_ELOST,
	  0,
	  "the session is over" },
	{ "the end behind what came before",
	  { EBB_SAID_TOLD, EBB_SAID_OVER },
	  1,
	  -PMUCLIENT_ELOST,
	  1,
	  "the session is over" },
	{ "what is refused",
	  { EBB_SAID_REFUSED, EBB_SAID_TOLD },
	  -PMUCLIENT_ERPC,
	  1,
	  1,
	  "no such counter" },
	{ "what is refused comes at once",
	  { EBB_SAID_TOLD, EBB_SAID_REFUSED },
	  -PMUCLIENT_ERPC,
	  0,
	  1,
	  "no such counter" },
};

TEST_ROWS(a_session_is_told_by_its_ring, dispatch_rows)
{
	const struct dispatch_row *row = &dispatch_rows[_i];

	open_session();
	for (unsigned i = 0; row->says[i]; i++)
		say((enum ebb_said_kind)row->says[i], 2);
	ck_assert_msg(pmuclient_ebb_dispatch(&s.e, 0) == row->got, "%s",
		      row->why);
	ck_assert_msg(pmuclient_ebb_dispatch(&s.e, 0) == row->then, "%s: then",
		      row->why);
	ck_assert_str_eq(pmuclient_error(s.e.client), row->error);
	if (row->got == -PMUCLIENT_ERPC)
		ck_assert_uint_eq(s.e.client->status, 9);
	ck_assert_uint_eq(s.calls, row->calls);
	check_wishes(s.calls);
	if (s.calls) {
		ck_assert_uint_eq(s.last.size, sizeof(s.last));
		ck_assert_uint_eq(s.last.hart, 2);
		ck_assert_uint_eq(s.last.counters, 8);
		ck_assert_uint_eq(s.last.pc, 0x80200000);
		ck_assert_uint_eq(s.last.insn, 5);
		ck_assert_uint_eq(s.last.cycle, 6);
		ck_assert_uint_eq(s.last.since, 4);
	}
	close_session();
}

TEST(a_ring_may_break)
{
	open_session();
	ring_put(&t.said, "half", 5);
	ck_assert_int_eq(pmuclient_ebb_dispatch(&s.e, 0), -PMUCLIENT_EPROTO);
	ck_assert_str_eq(pmuclient_error(s.e.client),
			 "the session's ring is corrupt");
	machine_goes();
	close_session();
}

TEST(a_machine_may_go)
{
	open_session();
	machine_goes();
	ck_assert_int_eq(pmuclient_ebb_dispatch(&s.e, -1), -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(s.e.client), "the machine is gone");
	ck_assert_int_eq(pmuclient_ebb_fd(&s.e), t.d.wake);
	close_session();
}

/* A thread for the handler */

static const int thread_errors[] = { EAGAIN, EPERM };

TEST_ROWS(a_thread_may_not_be_had, thread_errors)
{
	int before;
	char says[100];

	open_session();
	before = open_fds();
	t.no_thread = thread_errors[_i];
	snprintf(says, sizeof(says), "no thread: %s", strerror(t.no_thread));
	ck_assert_int_eq(pmuclient_ebb_start(&s.e), -PMUCLIENT_ENOMEM);
	ck_assert_str_eq(pmuclient_error(s.e.client), says);
	ck_assert_int_eq(open_fds(), before);
	ck_assert_int_eq(s.e.direct.stop, -1);
	ck_assert(!s.e.threaded);
	/* the program may still dispatch by itself */
	ck_assert_int_eq(pmuclient_ebb_dispatch(&s.e, 0), 0);
	ck_assert_int_eq(pmuclient_ebb_stop(&s.e), 0);
	close_session();
	t.no_thread = 0;
}

/* What ends it needs a descriptor. */
TEST(a_thread_needs_a_descriptor)
{
	struct rlimit limit, none;
	int err;

	open_session();
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	err = pmuclient_ebb_start(&s.e);
	setrlimit(RLIMIT_NOFILE, &limit);
	ck_assert_int_eq(err, -PMUCLIENT_ENOMEM);
	ck_assert_str_eq(pmuclient_error(s.e.client),
			 "no thread: Too many open files");
	ck_assert_int_eq(s.e.direct.stop, -1);
	ck_assert(!s.e.threaded);
	close_session();
}

TEST(a_thread_needs_a_ring)
{
	open_session();
	s.e.direct.wake = -1;
	ck_assert_int_eq(pmuclient_ebb_start(&s.e), -PMUCLIENT_ESTATE);
	ck_assert_str_eq(pmuclient_error(s.e.client),
			 "a thread needs a ring, and there is none");
	s.e.direct.wake = t.d.wake;
	close_session();
}

static void says_one_and_the_end(void)
{
	say(EBB_SAID_TOLD, 2);
	say(EBB_SAID_OVER, 0);
}

/* Run to the end by a thread, with what is said while it polls. */
static void run_thread(void)
{
	t.sleeps = false;
	t.polls = 0;
	t.meanwhile = says_one_and_the_end;
	ck_assert_int_eq(pmuclient_ebb_start(&s.e), 0);
	pthread_join(s.e.thread, NULL);
	ck_assert_int_eq(s.e.thread_err, -ESHUTDOWN);
	close(s.e.direct.stop);
	s.e.direct.stop = -1;
}

/* It sleeps until something comes, however long, and may be had again. */
TEST(a_thread_dispatches)
{
	int before;

	open_session();
	before = open_fds();
	t.sleeps = true;
	ck_assert_int_eq(pmuclient_ebb_start(&s.e), 0);
	ck_assert_int_eq(pmuclient_ebb_start(&s.e), -PMUCLIENT_ESTATE);
	ck_assert_str_eq(pmuclient_error(s.e.client),
			 "a thread dispatches already");
	ck_assert_int_eq(pmuclient_ebb_dispatch(&s.e, 0), -PMUCLIENT_ESTATE);
	ck_assert_str_eq(pmuclient_error(s.e.client), "a thread dispatches");
	ck_assert_int_eq(pmuclient_ebb_stop(&s.e), 0);
	ck_assert_int_eq(pmuclient_ebb_stop(&s.e), 0);
	ck_assert_uint_eq(s.calls, 0);
	ck_assert_int_eq(open_fds(), before);
	run_thread();
	ck_assert_uint_eq(t.polls, 1);
	ck_assert_int_eq(t.timeout, -1);
	ck_assert_uint_eq(s.calls, 1);
	check_wishes(1);
	close_session();
}

/* Of a program without standard input. */
TEST(a_session_may_wait_at_descriptor_0)
{
	int in = dup(STDIN_FILENO);

	open_session();
	close(STDIN_FILENO);
	s.e.direct.wake = dup(t.d.wake);
	ck_assert_int_eq(s.e.direct.wake, STDIN_FILENO);
	ck_assert_int_eq(pmuclient_ebb_fd(&s.e), STDIN_FILENO);
	say(EBB_SAID_TOLD, 2);
	ck_assert_int_eq(pmuclient_ebb_dispatch(&s.e, 0), 1);
	ck_assert_uint_eq(s.calls, 1);
	run_thread();
	ck_assert_uint_eq(s.calls, 2);
	s.e.direct.wake = t.d.wake;
	dup2(in, STDIN_FILENO);
	close(in);
	close_session();
}

/* What a handler of a thread may not, and what it does at once. */
static int in_handler[5];

static void handle_alone(void *data, struct pmuclient_ebb *e,
			 const struct pmuclient_ebb_call *call)
{
	in_handler[0] = pmuclient_ebb_stop(e);
	in_handler[1] = pmuclient_ebb_start(e);
	in_handler[2] = pmuclient_ebb_close(e);
	in_handler[3] = pmuclient_ebb_rearm(e, 5, 77);
	in_handler[4] = pmuclient_ebb_mask(e, true);
}

TEST(what_a_machine_reloads_is_wished_at_once_by_a_thread)
{
	struct ebb_wish got;

	open_session();
	s.e.reloads_alone = true;
	pmuclient_ebb_set_callback(&s.e, handle_alone, &s);
	run_thread();
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(in_handler[i], -PMUCLIENT_ESTATE);
	ck_assert_int_eq(in_handler[3], 0);
	ck_assert_int_eq(in_handler[4], 0);
	ck_assert_int_eq(ring_peek(&t.wishes, &got, sizeof(got)), sizeof(got));
	ring_skip(&t.wishes, sizeof(got));
	ck_assert_uint_eq(got.what, PMU__V1__EBB_INPUT__WHAT__WHAT_REARM);
	ck_assert_uint_eq(got.counter, 5);
	ck_assert_uint_eq(got.period, 77);
	ck_assert_uint_eq(got.more, 0);
	ck_assert_int_eq(ring_peek(&t.wishes, &got, sizeof(got)), sizeof(got));
	ring_skip(&t.wishes, sizeof(got));
	ck_assert_uint_eq(got.what, PMU__V1__EBB_INPUT__WHAT__WHAT_MASK);
	ck_assert_uint_eq(got.masked, 0);
	ck_assert_uint_eq(got.more, 0);
	/* and there is no return */
	ck_assert_int_eq(ring_waiting(&t.wishes), 0);
	close_session();
}

static unsigned armed;

static void arms_often(void *data, struct pmuclient_ebb *e,
		       const struct pmuclient_ebb_call *call)
{
	for (armed = 0; pmuclient_ebb_rearm(e, 3, armed + 1) == 0; armed++)
		;
	in_handler[0] = pmuclient_ebb_rearm(e, 3, 1);
}

/* Its text would be read by another thread meanwhile. */
TEST(a_thread_is_told_without_words_that_it_arms_too_often)
{
	struct ebb_wish got[EBB_MAX_ACTS];

	open_session();
	pmuclient_ebb_set_callback(&s.e, arms_often, &s);
	run_thread();
	ck_assert_int_eq(in_handler[0], -PMUCLIENT_EINVAL);
	ck_assert_str_eq(pmuclient_error(s.e.client), "");
	ck_assert_uint_eq(armed, EBB_MAX_ACTS - 1);
	ck_assert_int_eq(ring_peek(&t.wishes, got, sizeof(got)), sizeof(got));
	ring_skip(&t.wishes, sizeof(got));
	for (unsigned i = 0; i < armed; i++)
		ck_assert_uint_eq(got[i].period, i + 1);
	ck_assert_uint_eq(got[armed].what,
			  PMU__V1__EBB_INPUT__WHAT__WHAT_RETURN);
	close_session();
}

/* A child of fork() has neither the session nor its thread. */
TEST(a_child_has_no_thread)
{
	int status;
	pid_t pid;

	open_session();
	pid = fork();
	if (pid == 0) {
		int ok = pmuclient_ebb_start(&s.e) == -PMUCLIENT_ESTATE &&
			 pmuclient_ebb_stop(&s.e) == -PMUCLIENT_ESTATE &&
			 !s.e.threaded && pmuclient_fd(s.e.client) == -1;

		_exit(ok ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	close_session();
}

SUITE("client-ebb-told", .setup = ring_sides_setup,
      .teardown = ring_sides_teardown);
