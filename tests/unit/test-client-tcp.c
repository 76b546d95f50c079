/* SPDX-License-Identifier: BSD-2-Clause */
/* libpmuclient over TCP, to the real RPC server; and names of methods. */
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuclient/machine.h>

#include "pmu/v1/events.pb-c.h"
#include "grpc/rpc.h"

static pid_t pid;
static uint16_t port;
static struct pmuclient *client;

static void list_events(struct rpc_call *call, const ProtobufCMessage *msg)
{
	Pmu__V1__ListEventsResponse answer =
		PMU__V1__LIST_EVENTS_RESPONSE__INIT;

	rpc_reply(call, &answer.base);
}

static void serve(int tell)
{
	static const struct rpc_method methods[] = {
		{ "/pmu.v1.EventService/ListEvents",
		  &pmu__v1__list_events_request__descriptor,
		  &pmu__v1__list_events_response__descriptor, RPC_UNARY, true,
		  list_events, NULL },
		{ "/pmu.v1.EventService/ListCounters",
		  &pmu__v1__list_events_request__descriptor,
		  &pmu__v1__list_events_response__descriptor, RPC_UNARY, false,
		  list_events, NULL },
	};
	const struct rpc_table table = { methods, ARRAY_SIZE(methods) };
	struct rpc_config cfg = { .loop = ev_loop_new(0),
				  .tables = &table,
				  .n_tables = 1 };
	struct rpc_server *server;
	uint16_t bound = 0;

	if (rpc_server_new(&server, &cfg) ||
	    rpc_listen_tcp(server, 0, &bound) ||
	    write(tell, &bound, sizeof(bound)) != sizeof(bound))
		_exit(1);
	close(tell);
	ev_run(cfg.loop, 0);
}

static void setup(void)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	if (pid == 0)
		serve(fds[1]);
	close(fds[1]);
	ck_assert_int_eq(read(fds[0], &port, sizeof(port)), sizeof(port));
	close(fds[0]);
}

static void teardown(void)
{
	pmuclient_free(client);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int list(const char *method)
{
	Pmu__V1__ListEventsRequest req = PMU__V1__LIST_EVENTS_REQUEST__INIT;
	ProtobufCMessage *answer = NULL;
	int err = pmuclient_call(client, method, &req.base,
				 &pmu__v1__list_events_response__descriptor,
				 &answer);

	pmuclient_free_message(answer);
	return err;
}

static const struct row {
	const char *name, *format; /* with the port */
	int err;
} rows[] = {
	{ "as pmud says it", "tcp://127.0.0.1:%u", 0 },
	{ "another host", "tcp://127.0.0.2:%u", -PMUCLIENT_EINVAL },
	{ "a name", "tcp://localhost:%u", -PMUCLIENT_EINVAL },
	{ "a word behind it", "tcp://127.0.0.1:%u/", -PMUCLIENT_EINVAL },
	{ "a sign", "tcp://127.0.0.1:+%u", -PMUCLIENT_EINVAL },
	{ "nobody there", "tcp://127.0.0.1:1", -PMUCLIENT_ECONNECT },
	{ "no port", "tcp://127.0.0.1:", -PMUCLIENT_EINVAL },
	{ "a port that is none", "tcp://127.0.0.1:65536", -PMUCLIENT_EINVAL },
};

TEST_ROWS(an_address_of_tcp_is_connected_to_or_refused, rows)
{
	char address[64];

	snprintf(address, sizeof(address), rows[_i].format, (unsigned)port);
	ck_assert_msg(pmuclient_connect(&client, address) == rows[_i].err,
		      "%s: %s", rows[_i].name, pmuclient_error(client));
	if (!rows[_i].err)
		ck_assert_int_eq(list("EventService/ListEvents"), 0);
}

TEST(callers_over_tcp_have_no_identity)
{
	char address[64];

	snprintf(address, sizeof(address), "tcp://127.0.0.1:%u",
		 (unsigned)port);
	ck_assert_int_eq(pmuclient_connect(&client, address), 0);
	ck_assert_int_eq(list("EventService/ListCounters"), -PMUCLIENT_ERPC);
	ck_assert_uint_eq(pmuclient_status(client), GRPC_UNAUTHENTICATED);
	ck_assert_int_eq(list("EventService/ListEvents"), 0);
}

/* 127 bytes with "/pmu.v1." before it are the most that a method may have. */
TEST(a_method_whose_name_is_too_long_is_not_asked_for)
{
	char address[64], method[121];

	snprintf(address, sizeof(address), "tcp://127.0.0.1:%u",
		 (unsigned)port);
	ck_assert_int_eq(pmuclient_connect(&client, address), 0);
	memset(method, 'x', sizeof(method));
	method[120] = '\0';
	ck_assert_int_eq(list(method), -PMUCLIENT_EINVAL);
	method[119] = '\0';
	ck_assert_int_eq(list(method), -PMUCLIENT_ERPC);
	ck_assert_uint_eq(pmuclient_status(client), GRPC_UNIMPLEMENTED);
}

SUITE("client-tcp", .setup = setup, .teardown = teardown);
