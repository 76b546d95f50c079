/* SPDX-License-Identifier: BSD-2-Clause */
/* libpmuclient over the real RPC server: calls, streams, errors, callbacks. */
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuclient/overflows.h>
#include <pmuclient/machine.h>

#include "client-server.h"

static struct client_server server;
static struct pmuclient *client;

static void setup(void)
{
	client_server_start(&server);
	ck_assert_int_eq(pmuclient_adopt(&client, server.fd), 0);
}

static void teardown(void)
{
	pmuclient_free(client);
	client_server_stop(&server);
}

/* What the callback saw. */
static unsigned seen;
static struct pmuclient_overflows *ebb;
static unsigned disable_at;

static void on_overflow(void *data, const struct pmuclient_overflow *o)
{
	ck_assert_uint_ge(o->size,
			  offsetof(struct pmuclient_overflow, pending) +
				  sizeof(o->pending));
	ck_assert_uint_eq(o->insn, seen); /* in order, none lost */
	ck_assert_uint_eq(o->counter, 3);
	ck_assert_uint_eq(o->pc, 0x80000004);
	ck_assert_uint_eq(o->last_pc, 0x80000000);
	ck_assert_int_eq(o->privilege, 'S');
	ck_assert_str_eq(o->event, "cycles");
	ck_assert_int_eq(pmuclient_overflows_dispatch(ebb, 0),
			 -PMUCLIENT_ESTATE);
	ck_assert_int_eq(pmuclient_overflows_close(ebb), -PMUCLIENT_ESTATE);
	if (++seen == disable_at)
		pmuclient_overflows_disable(ebb);
}

static void open_ebb_of(const char *machine)
{
	seen = 0;
	disable_at = 0;
	ck_assert_int_eq(pmuclient_overflows_open(client, machine, 0, 3, &ebb),
			 0);
	pmuclient_overflows_set_callback(ebb, on_overflow, NULL);
}

static void open_ebb(void)
{
	open_ebb_of("m1");
}

TEST(a_call_is_answered)
{
	Pmu__V1__GetMachineResponse *answer;

	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(pmuclient_info(client, "m1", &answer), 0);
		ck_assert_str_eq(answer->machine->id, "m1");
		pmuclient_free_message(&answer->base);
	}
}

TEST(an_answer_may_be_larger_than_the_window)
{
	Pmu__V1__GetMachineResponse *answer;

	ck_assert_int_eq(pmuclient_info(client, "big", &answer), 0);
	ck_assert_uint_eq(strlen(answer->machine->detail), (3 << 20) - 1);
	pmuclient_free_message(&answer->base);
}

TEST(a_refusal_has_status_and_text)
{
	Pmu__V1__GetMachineResponse *answer;

	ck_assert_int_eq(pmuclient_info(client, "gone", &answer),
			 -PMUCLIENT_ERPC);
	ck_assert_uint_eq(pmuclient_status(client), 5);
	ck_assert_str_eq(pmuclient_status_name(5), "NOT_FOUND");
	ck_assert_str_eq(pmuclient_error(client),
			 "no machine 'gone': 100% \xc3\xa4");
	ck_assert_str_eq(pmuclient_error_field(client), "machine");
	ck_assert_str_eq(pmuclient_error_reason(client), "NO_SUCH_MACHINE");
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer), 0);
	pmuclient_free_message(&answer->base);
}

TEST(a_failure_that_is_no_refusal_has_no_details)
{
	static const char *const settings[] = { "wrong", NULL };
	struct pmuclient_config cfg = { .size = sizeof(cfg),
					.settings = settings };
	Pmu__V1__GetMachineResponse *answer;
	char id[PMUCLIENT_ID];

	ck_assert_int_eq(pmuclient_info(client, "gone", &answer),
			 -PMUCLIENT_ERPC);
	ck_assert_int_eq(pmuclient_create(client, &cfg, id), -PMUCLIENT_EINVAL);
	ck_assert_ptr_null(pmuclient_error_field(client));
	ck_assert_ptr_null(pmuclient_error_reason(client));
}

TEST(a_method_that_is_not_there_is_unimplemented)
{
	Pmu__V1__PauseMachineRequest req = PMU__V1__PAUSE_MACHINE_REQUEST__INIT;

	ck_assert_int_eq(
		pmuclient_call(client, "MachineService/Nothing", &req.base,
			       &pmu__v1__pause_machine_response__descriptor,
			       NULL),
		-PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_status_name(pmuclient_status(client)),
			 "UNIMPLEMENTED");
}

TEST(a_call_without_an_answer_times_out)
{
	Pmu__V1__GetMachineResponse *answer;

	pmuclient_set_timeout(client, 30);
	/* whoever is first, the daemon's own deadline or ours */
	ck_assert_int_lt(pmuclient_info(client, "hang", &answer), 0);
	pmuclient_set_timeout(client, -1);
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer), 0);
	pmuclient_free_message(&answer->base);
}

TEST(a_daemon_that_dies_is_a_lost_connection)
{
	Pmu__V1__GetMachineResponse *answer;

	ck_assert_int_eq(pmuclient_info(client, "die", &answer),
			 -PMUCLIENT_ELOST);
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer),
			 -PMUCLIENT_ELOST);
}

TEST(a_daemon_that_leaves_ends_calls_but_takes_no_more)
{
	Pmu__V1__GetMachineResponse *answer;

	open_ebb(); /* keeps the connection open */
	ck_assert_int_eq(pmuclient_info(client, "leave", &answer), 0);
	pmuclient_free_message(&answer->base);
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer),
			 -PMUCLIENT_ELOST);
	ck_assert_ptr_nonnull(strstr(pmuclient_error(client), "leaving"));
	pmuclient_overflows_close(ebb);
}

/* What pmud writes to a connection that it does not take. */
static const struct refusal_row {
	const char *reason, *error;
	bool hangs_up; /* before anything is asked */
} refusal_rows[] = {
	{ "you have 64 connections",
	  "pmud refuses the connection: you have 64 connections", false },
	{ "you have 64 connections",
	  "pmud refuses the connection: you have 64 connections", true },
	{ "caf\xc3\xa9\x1b[1m", "pmud refuses the connection: caf???[1m",
	  false },
	{ "", "pmud is leaving", false },
};

TEST_ROWS(why_a_connection_is_refused_is_told, refusal_rows)
{
	const struct refusal_row *row = &refusal_rows[_i];
	uint8_t bytes[128] = { [3] = 4, [12] = 7, [25] = 11 };
	Pmu__V1__GetMachineResponse *answer;
	size_t len = strlen(row->reason);
	struct pmuclient *refused;
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	bytes[11] = (uint8_t)(8 + len);
	memcpy(bytes + 26, row->reason, len);
	ck_assert_int_gt(write(pair[1], bytes, 26 + len), 0);
	if (row->hangs_up)
		close(pair[1]);
	ck_assert_int_eq(pmuclient_adopt(&refused, pair[0]), 0);
	ck_assert_int_eq(pmuclient_info(refused, "m1", &answer),
			 -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(refused), row->error);
	ck_assert_int_eq(pmuclient_info(refused, "m1", &answer),
			 -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(refused), row->error);
	pmuclient_free(refused);
	if (!row->hangs_up)
		close(pair[1]);
}

TEST(a_daemon_that_stands_still_is_waited_for_so_long)
{
	struct pmuclient_image image = { .size = sizeof(image),
					 .len = 16 << 20 };
	Pmu__V1__GetMachineResponse *answer;
	void *bytes = calloc(1, image.len);

	image.bytes = bytes;
	pmuclient_set_timeout(client, 20);
	ck_assert_int_eq(pmuclient_info(client, "stop", &answer),
			 -PMUCLIENT_ETIMEOUT);
	ck_assert_int_eq(pmuclient_load(client, "m1", &image, NULL),
			 -PMUCLIENT_ETIMEOUT);
	/* even when the socket itself is full */
	pmuclient_set_timeout(client, 0);
	for (int i = 0; i < 4000 && !(pmuclient_events(client) & POLLOUT); i++)
		ck_assert_int_lt(pmuclient_info(client, "m1", &answer), 0);
	ck_assert_int_eq(pmuclient_load(client, "m1", &image, NULL),
			 -PMUCLIENT_ETIMEOUT);
	free(bytes);
}

static const size_t upload_sizes[] = { 0, 1, 1 << 20, (1 << 20) + 1, 9 << 20 };

TEST_ROWS(an_upload_arrives_whole, upload_sizes)
{
	struct pmuclient_image image = { .size = sizeof(image),
					 .len = upload_sizes[_i] };
	Pmu__V1__LoadImageResponse *answer;
	void *bytes = calloc(1, image.len + 1);

	image.bytes = bytes;
	ck_assert_int_eq(pmuclient_load(client, "m1", &image, &answer), 0);
	ck_assert_uint_eq(answer->entry, image.len);
	pmuclient_free_message(&answer->base);
	free(bytes);
}

TEST(an_upload_that_is_refused_half_way_says_why)
{
	struct pmuclient_image image = { .size = sizeof(image),
					 .len = 64 << 20 };
	void *bytes = calloc(1, image.len);

	image.bytes = bytes;
	ck_assert_int_eq(pmuclient_load(client, "gone", &image, NULL),
			 -PMUCLIENT_ERPC);
	ck_assert_str_eq(pmuclient_error(client), "no machine 'gone'");
	free(bytes);
}

TEST(a_setting_without_a_value_is_refused_here)
{
	const char *const settings[] = { "quantum", NULL };
	const struct pmuclient_config cfg = { .size = sizeof(cfg),
					      .settings = settings };
	char id[PMUCLIENT_ID];

	ck_assert_int_eq(pmuclient_create(client, &cfg, id), -PMUCLIENT_EINVAL);
	ck_assert_str_eq(pmuclient_error(client),
			 "setting 'quantum' is not KEY=VALUE");
}

static const struct address_row {
	const char *address;
	int err;
} address_rows[] = {
	{ "unix:///nowhere/at/all.sock", -PMUCLIENT_ECONNECT },
	{ "unix://", -PMUCLIENT_EINVAL },
	{ "http://127.0.0.1:80", -PMUCLIENT_EINVAL },
	{ "tcp://127.0.0.1:port", -PMUCLIENT_EINVAL },
	{ "tcp://127.0.0.1:70000", -PMUCLIENT_EINVAL },
	{ "", -PMUCLIENT_EINVAL },
};

TEST_ROWS(an_address_that_leads_nowhere_is_named, address_rows)
{
	const struct address_row *row = &address_rows[_i];
	struct pmuclient *c;

	ck_assert_int_eq(pmuclient_connect(&c, row->address), row->err);
	ck_assert_uint_gt(strlen(pmuclient_error(c)), 0);
	pmuclient_free(c);
}

TEST(overflows_are_held_until_enabled_and_then_all_come)
{
	open_ebb();
	ck_assert_int_eq(pmuclient_overflows_dispatch(ebb, 0), 0);
	ck_assert_uint_eq(seen, 0);
	pmuclient_overflows_enable(ebb);
	while (seen < SERVER_OVERFLOWS)
		ck_assert_int_gt(pmuclient_overflows_dispatch(ebb, -1), 0);
	ck_assert_int_eq(pmuclient_overflows_dispatch(ebb, -1),
			 -PMUCLIENT_ELOST);
	pmuclient_overflows_close(ebb);
}

TEST(a_callback_that_disables_holds_the_rest)
{
	open_ebb();
	disable_at = 17;
	pmuclient_overflows_enable(ebb);
	while (seen < 17)
		ck_assert_int_gt(pmuclient_overflows_dispatch(ebb, -1), 0);
	ck_assert_int_eq(pmuclient_overflows_dispatch(ebb, 0), 0);
	ck_assert_uint_eq(seen, 17);
	pmuclient_overflows_enable(ebb);
	while (seen < SERVER_OVERFLOWS)
		ck_assert_int_gt(pmuclient_overflows_dispatch(ebb, -1), 0);
	pmuclient_overflows_close(ebb);
}

/* What is no batch of overflows is no overflow and no end. */
TEST_TIMES(the_end_of_a_machine_comes_after_its_last_overflow, 2)
{
	open_ebb_of(_i ? "lossy" : "m1");
	pmuclient_overflows_enable(ebb);
	while (seen < SERVER_OVERFLOWS)
		ck_assert_int_ge(pmuclient_overflows_dispatch(ebb, -1), 0);
	ck_assert_int_eq(pmuclient_overflows_dispatch(ebb, -1),
			 -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(client), "the machine is gone");
	pmuclient_overflows_close(ebb);
}

TEST(why_it_was_lost_is_told_after_the_stream_is_closed)
{
	Pmu__V1__GetMachineResponse *answer;
	char why[256];

	open_ebb();
	ck_assert_int_eq(pmuclient_info(client, "die", &answer),
			 -PMUCLIENT_ELOST);
	snprintf(why, sizeof(why), "%s", pmuclient_error(client));
	pmuclient_overflows_close(ebb);
	ck_assert_str_eq(pmuclient_error(client), why);
}

TEST(calls_go_on_beside_a_stream)
{
	Pmu__V1__GetMachineResponse *answer;

	open_ebb();
	ck_assert_int_eq(pmuclient_info(client, "m1", &answer), 0);
	pmuclient_free_message(&answer->base);
	pmuclient_overflows_enable(ebb);
	ck_assert_int_gt(pmuclient_overflows_dispatch(ebb, -1), 0);
	ck_assert_int_eq(pmuclient_info(client, "big", &answer), 0);
	pmuclient_free_message(&answer->base);
	pmuclient_overflows_close(ebb);
}

static const unsigned bad_counters[] = { 0, 1, 2, 32 };

TEST_ROWS(a_counter_that_cannot_overflow_is_refused, bad_counters)
{
	ck_assert_int_eq(pmuclient_overflows_open(client, "m1", 0,
						  bad_counters[_i], &ebb),
			 -PMUCLIENT_EINVAL);
}

/* Where gcov sees the call it loses what runs in the child before its end. */
static pid_t (*volatile make_child)(void) = fork;

TEST(nothing_survives_fork)
{
	Pmu__V1__GetMachineResponse *answer;
	int status, fd = pmuclient_fd(client);
	pid_t pid;

	open_ebb();
	pmuclient_overflows_enable(ebb);
	pid = make_child();
	if (pid == 0) {
		int ok = fcntl(fd, F_GETFD) == -1 &&
			 pmuclient_fd(client) == -1 &&
			 pmuclient_info(client, "m1", &answer) ==
				 -PMUCLIENT_ESTATE &&
			 pmuclient_overflows_dispatch(ebb, 0) ==
				 -PMUCLIENT_ESTATE;

		pmuclient_overflows_close(ebb);
		pmuclient_free(client);
		_exit(ok ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	while (seen < SERVER_OVERFLOWS) /* the parent's goes on unharmed */
		ck_assert_int_gt(pmuclient_overflows_dispatch(ebb, -1), 0);
	pmuclient_overflows_close(ebb);
}

/* All that has come to the peer @fd; how many bytes. */
static size_t drain(int fd)
{
	char bytes[1024];
	size_t all = 0;
	ssize_t n;

	while ((n = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		all += (size_t)n;
	ck_assert_int_lt(n, 0);
	return all;
}

/*
 * _Fork() tells no library: the child has a copy of the connection, and what it
 * says there would be said in the parent's name.
 */
TEST(a_child_that_nobody_was_told_of_is_silent)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	Pmu__V1__GetMachineResponse *answer;
	struct pmuclient_stream *stream;
	struct pmuclient *c;
	int pair[2], status;
	pid_t pid;

	req.machine = "m1";
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(pmuclient_adopt(&c, pair[0]), 0);
	ck_assert_int_eq(
		pmuclient_open(c, "MachineService/GetMachine", &req.base,
			       &pmu__v1__get_machine_response__descriptor,
			       &stream),
		0);
	ck_assert_int_eq(pmuclient_pump(c, 0), 0);
	ck_assert_uint_gt(drain(pair[1]), 0);
	pid = _Fork();
	if (pid == 0) {
		int ok = pmuclient_info(c, "m1", &answer) == -PMUCLIENT_ESTATE;

		pmuclient_close(stream);
		pmuclient_free(c);
		_exit(ok ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(drain(pair[1]), 0);
	pmuclient_close(stream); /* the parent does say so */
	ck_assert_uint_gt(drain(pair[1]), 0);
	pmuclient_free(c);
	close(pair[1]);
}

/* What a peer that is no daemon sends. */
static const char noise[][45] = {
	"HTTP/1.1 400 Bad Request\r\n\r\n",
	"\0\0\0\0\0\0\0\0\0",
	"garbage that is no frame at all, of any kind",
};

TEST_ROWS(a_peer_that_is_no_daemon_is_an_error, noise)
{
	Pmu__V1__GetMachineResponse *answer;
	struct pmuclient *c;
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(write(pair[1], noise[_i], 26), 26);
	ck_assert_int_eq(shutdown(pair[1], SHUT_WR), 0);
	ck_assert_int_eq(pmuclient_adopt(&c, pair[0]), 0);
	ck_assert_int_lt(pmuclient_info(c, "m1", &answer), 0);
	pmuclient_free(c);
	close(pair[1]);
}

SUITE("client", .setup = setup, .teardown = teardown);
