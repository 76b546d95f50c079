/* SPDX-License-Identifier: BSD-2-Clause */
/* client/session.c: what a request begins with, and what ends it early. */
#include "unit.h"

#include <fcntl.h>
#include <nghttp2/nghttp2.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pmuclient/machine.h>
#include <pmuclient/overflows.h>

#include "client-server.h"

#define NO_MEMORY_TO_DELETE                                                    \
	"/pmu.v1.MachineService/DeleteMachine: out of memory"

static struct client_server server;
static struct pmuclient *client;

/* The deadline that the last request has named; "" when it has named none. */
static char deadline[32];
static unsigned requests;
static bool no_memory, no_copies;
static int submit_error; /* nghttp2's, of requests and of settings */

int32_t __wrap_nghttp2_submit_request(nghttp2_session *session,
				      const nghttp2_priority_spec *priority,
				      const nghttp2_nv *nv, size_t n,
				      const nghttp2_data_provider *body,
				      void *data);
int32_t __real_nghttp2_submit_request(nghttp2_session *session,
				      const nghttp2_priority_spec *priority,
				      const nghttp2_nv *nv, size_t n,
				      const nghttp2_data_provider *body,
				      void *data);
int __wrap_nghttp2_submit_settings(nghttp2_session *session, uint8_t flags,
				   const nghttp2_settings_entry *entries,
				   size_t n);
int __real_nghttp2_submit_settings(nghttp2_session *session, uint8_t flags,
				   const nghttp2_settings_entry *entries,
				   size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__real_calloc(size_t n, size_t size);
char *__wrap_strdup(const char *text);
char *__real_strdup(const char *text);

int32_t __wrap_nghttp2_submit_request(nghttp2_session *session,
				      const nghttp2_priority_spec *priority,
				      const nghttp2_nv *nv, size_t n,
				      const nghttp2_data_provider *body,
				      void *data)
{
	if (submit_error)
		return submit_error;
	deadline[0] = '\0';
	requests++;
	for (size_t i = 0; i < n; i++) {
		if (!strcmp((const char *)nv[i].name, "grpc-timeout")) {
			memcpy(deadline, nv[i].value, nv[i].valuelen);
			deadline[nv[i].valuelen] = '\0';
		}
	}
	return __real_nghttp2_submit_request(session, priority, nv, n, body,
					     data);
}

int __wrap_nghttp2_submit_settings(nghttp2_session *session, uint8_t flags,
				   const nghttp2_settings_entry *entries,
				   size_t n)
{
	return submit_error ? submit_error
			    : __real_nghttp2_submit_settings(session, flags,
							     entries, n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return no_memory ? NULL : __real_calloc(n, size);
}

char *__wrap_strdup(const char *text)
{
	return no_copies ? NULL : __real_strdup(text);
}

static void setup(void)
{
	requests = 0;
	no_memory = false;
	submit_error = 0;
	client_server_start(&server);
	PREPARING(ck_assert_int_eq(pmuclient_adopt(&client, server.fd), 0));
}

static void teardown(void)
{
	pmuclient_free(client);
	client_server_stop(&server);
}

static const struct timeout_row {
	const char *name;
	int ms;
	const char *deadline;
} timeout_rows[] = {
	{ "none", -1, "" },
	{ "no time at all is a deadline too", 0, "0n" },
	{ "a long one", 100000, "100000m" },
};

TEST_ROWS(the_daemon_is_told_how_long_a_call_may_take, timeout_rows)
{
	const struct timeout_row *row = &timeout_rows[_i];

	pmuclient_set_timeout(client, row->ms);
	/* refused or too late, here or there: whatever comes first */
	ck_assert_int_lt(pmuclient_delete(client, "gone"), 0);
	ck_assert_uint_eq(requests, 1);
	ck_assert_msg(!strcmp(deadline, row->deadline), "%s: %s", row->name,
		      deadline);
}

TEST(a_call_without_memory_is_not_made)
{
	int err;

	no_memory = true;
	err = pmuclient_delete(client, "m1");
	no_memory = false;
	ck_assert_int_eq(err, -PMUCLIENT_ENOMEM);
	ck_assert_str_eq(pmuclient_error(client), NO_MEMORY_TO_DELETE);
	ck_assert_uint_eq(requests, 0);
	/* and costs no connection */
	ck_assert_int_eq(pmuclient_delete(client, "m1"), 0);
}

TEST(a_setting_without_memory_is_named)
{
	const char *const settings[] = { "cpi=2", NULL };
	const struct pmuclient_config cfg = { .size = sizeof(cfg),
					      .settings = settings };
	char id[PMUCLIENT_ID];
	int err;

	no_copies = true;
	err = pmuclient_create(client, &cfg, id);
	no_copies = false;
	ck_assert_int_eq(err, -PMUCLIENT_ENOMEM);
	ck_assert_str_eq(pmuclient_error(client),
			 "setting 'cpi=2': out of memory");
	ck_assert_uint_eq(requests, 0);
}

TEST(callbacks_without_memory_are_none)
{
	struct pmuclient_overflows *none = NULL;
	int err;

	no_memory = true;
	err = pmuclient_overflows_open(client, "m1", 0, 3, &none);
	no_memory = false;
	ck_assert_int_eq(err, -PMUCLIENT_ENOMEM);
	ck_assert_str_eq(pmuclient_error(client),
			 "callbacks of overflows: out of memory");
	ck_assert_ptr_null(none);
}

TEST(a_client_without_memory_is_none)
{
	struct pmuclient *none;
	int adopted, connected;

	no_memory = true;
	adopted = pmuclient_adopt(&none, server.fd);
	connected = pmuclient_connect(&none, "/nowhere");
	no_memory = false;
	ck_assert_int_eq(adopted, -PMUCLIENT_ENOMEM);
	ck_assert_int_eq(connected, -PMUCLIENT_ENOMEM);
	ck_assert_ptr_null(none);
	pmuclient_free(none);
}

TEST(a_session_without_memory_is_none)
{
	struct pmuclient *none;
	int fds[2];

	PREPARING(ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds)));
	submit_error = NGHTTP2_ERR_NOMEM;
	ck_assert_int_eq(pmuclient_adopt(&none, fds[0]), -PMUCLIENT_ENOMEM);
	ck_assert_str_eq(pmuclient_error(none),
			 "connection to pmud: out of memory");
	submit_error = 0;
	ck_assert_int_eq(pmuclient_delete(none, "m1"), -PMUCLIENT_ELOST);
	pmuclient_free(none);
	close(fds[1]);
}

static const struct submit_row {
	int error, err;
	const char *text;
} submit_rows[] = {
	{ NGHTTP2_ERR_NOMEM, -PMUCLIENT_ENOMEM, NO_MEMORY_TO_DELETE },
	{ NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE, -PMUCLIENT_ELOST,
	  "connection to pmud lost: No more Stream ID available" },
};

TEST_ROWS(a_request_may_not_be_had, submit_rows)
{
	const struct submit_row *row = &submit_rows[_i];

	submit_error = row->error;
	ck_assert_int_eq(pmuclient_delete(client, "m1"), row->err);
	ck_assert_str_eq(pmuclient_error(client), row->text);
	submit_error = 0;
	/* who has no numbers left for streams can say nothing more */
	ck_assert_int_eq(pmuclient_delete(client, "m1"),
			 row->err == -PMUCLIENT_ENOMEM ? 0 : row->err);
}

/* A program whose standard input is closed gets such a socket. */
TEST(a_connection_may_be_descriptor_0)
{
	int stdin_before = dup(STDIN_FILENO), closed;
	struct client_server other;
	struct pmuclient *zero;

	client_server_start(&other);
	ck_assert_int_eq(dup2(other.fd, STDIN_FILENO), STDIN_FILENO);
	close(other.fd);
	ck_assert_int_eq(pmuclient_adopt(&zero, STDIN_FILENO), 0);
	ck_assert_int_eq(pmuclient_delete(zero, "m1"), 0);
	pmuclient_free(zero);
	closed = fcntl(STDIN_FILENO, F_GETFD);
	client_server_stop(&other);
	if (stdin_before >= 0)
		dup2(stdin_before, STDIN_FILENO);
	close(stdin_before);
	ck_assert_int_eq(closed, -1);
}

/* No pushes, a MiB for each stream and four for all of them. */
TEST(a_connection_begins_with_its_settings)
{
	static const uint8_t want[] = {
		/* length, type, flags and stream of each frame */
		0, 0,	 12, 4,	   0, 0, 0, 0, 0, /* SETTINGS */
		0, 2,	 0,  0,	   0, 0,	  /* ENABLE_PUSH */
		0, 4,	 0,  0x10, 0, 0,	  /* INITIAL_WINDOW_SIZE */
		0, 0,	 4,  8,	   0, 0, 0, 0, 0, /* WINDOW_UPDATE */
		0, 0x3f, 0,  1, /* 4 MiB less the 65535 that there are */
	};
	uint8_t got[24 + sizeof(want)];
	struct pmuclient *c;
	int fds[2];

	PREPARING(ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds)));
	ck_assert_int_eq(pmuclient_adopt(&c, fds[0]), 0);
	ck_assert_int_ge(pmuclient_pump(c, 0), 0);
	ck_assert_int_eq(recv(fds[1], got, sizeof(got), MSG_DONTWAIT),
			 sizeof(got));
	ck_assert_mem_eq(got, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
	ck_assert_mem_eq(got + 24, want, sizeof(want));
	ck_assert_int_eq(recv(fds[1], got, 1, MSG_DONTWAIT), -1);
	pmuclient_free(c);
	close(fds[1]);
}

SUITE("client-session", .setup = setup, .teardown = teardown);
