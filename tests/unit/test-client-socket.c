/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * client/session.c and its socket: what send() and recv() may say of it, in
 * pieces of every size, and what is said of a connection that breaks.
 */
#include "unit.h"

#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <pmuclient/machine.h>

#include "client-script.h"
#include "no-memory.h"

enum {
	PIPED = 4, /* outcomes that a row may have */
	ALL = 1 << 20
};

/* What a call of the client's says: at most so many bytes, and this errno. */
struct outcome {
	ssize_t n;
	int err;
};

/* The next ones; behind them it is as the system says. */
static struct outcomes {
	const struct outcome *next;
	size_t left;
	size_t most; /* of all the others, where it is not 0 */
} sends, recvs;

static struct script script;
static struct pmuclient *client;
static int send_error; /* nghttp2's */
static unsigned idle;  /* polls for pmud to say something, and nothing else */

ssize_t __real_send(int fd, const void *bytes, size_t len, int flags);
ssize_t __wrap_send(int fd, const void *bytes, size_t len, int flags);
ssize_t __real_recv(int fd, void *bytes, size_t len, int flags);
ssize_t __wrap_recv(int fd, void *bytes, size_t len, int flags);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
ssize_t __real_nghttp2_session_mem_send(nghttp2_session *session,
					const uint8_t **ret);
ssize_t __wrap_nghttp2_session_mem_send(nghttp2_session *session,
					const uint8_t **ret);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

ssize_t __wrap_nghttp2_session_mem_send(nghttp2_session *session,
					const uint8_t **ret)
{
	return send_error ? send_error
			  : __real_nghttp2_session_mem_send(session, ret);
}

static struct outcome next_of(struct outcomes *all)
{
	if (!all->left)
		return (struct outcome){ all->most ? (ssize_t)all->most : ALL,
					 0 };
	all->left--;
	return *all->next++;
}

static size_t less(size_t len, struct outcome o)
{
	return len < (size_t)o.n ? len : (size_t)o.n;
}

ssize_t __wrap_send(int fd, const void *bytes, size_t len, int flags)
{
	struct outcome o = { ALL, 0 };
	ssize_t n;

	if (client && fd == pmuclient_fd(client))
		o = next_of(&sends);
	n = o.n <= 0 ? o.n : __real_send(fd, bytes, less(len, o), flags);
	if (o.err)
		errno = o.err;
	return n;
}

ssize_t __wrap_recv(int fd, void *bytes, size_t len, int flags)
{
	struct outcome o = { ALL, 0 };
	ssize_t n;

	if (client && fd == pmuclient_fd(client))
		o = next_of(&recvs);
	n = o.n <= 0 ? o.n : __real_recv(fd, bytes, less(len, o), flags);
	if (o.err)
		errno = o.err;
	return n;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	if (!client || fds->fd != pmuclient_fd(client) || !timeout)
		return __real_poll(fds, n, timeout);
	idle += fds->events == POLLIN;
	return __real_poll(fds, n, 0);
}

static void setup(void)
{
	idle = 0;
	sends = recvs = (struct outcomes){ 0 };
	send_error = 0;
	script_open(&script, &client);
}

static void teardown(void)
{
	pmuclient_free(client);
	client = NULL;
	script_close(&script);
}

static int watch(struct pmuclient_stream **ret)
{
	Pmu__V1__WatchMachineRequest req = PMU__V1__WATCH_MACHINE_REQUEST__INIT;

	req.machine = (char *)"m1";
	return pmuclient_open(client, "MachineService/WatchMachine", &req.base,
			      &pmu__v1__watch_machine_response__descriptor,
			      ret);
}

/* A message for who watches. */
static void put_news(void)
{
	Pmu__V1__WatchMachineResponse msg =
		PMU__V1__WATCH_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo machine = PMU__V1__MACHINE_INFO__INIT;

	msg.machine = &machine;
	script_answer(&script, FIRST_CALL);
	script_message(&script, FIRST_CALL, &msg.base);
}

static const struct send_row {
	const char *why;
	struct outcome outcomes[PIPED];
	size_t n;
	unsigned arrived; /* requests */
	const char *lost;
} send_rows[] = {
	{ "in pieces", { { 1, 0 }, { 1, 0 }, { 20, 0 } }, 3, 1, NULL },
	/* errno says nothing of a call that succeeds */
	{ "an old EAGAIN", { { 30, EAGAIN }, { 1, EIO } }, 2, 1, NULL },
	{ "interrupted", { { -1, EINTR }, { -1, EINTR } }, 2, 1, NULL },
	{ "nothing taken", { { 0, EIO }, { 0, EIO } }, 2, 1, NULL },
	{ "and an old EAGAIN", { { 0, EAGAIN }, { 0, EAGAIN } }, 2, 1, NULL },
	{ "no room for now", { { 5, 0 }, { -1, EAGAIN } }, 2, 1, NULL },
	{ "no room", { { 5, 0 }, { -1, EAGAIN }, { -1, EAGAIN } }, 3, 0, NULL },
	{ "it breaks",
	  { { 5, 0 }, { -1, ECONNRESET } },
	  2,
	  0,
	  "connection to pmud lost: Connection reset by peer" },
};

TEST_ROWS(what_the_socket_does_not_take_is_sent_again, send_rows)
{
	const struct send_row *row = &send_rows[_i];
	int want = row->lost ? -PMUCLIENT_ELOST : 0;
	short waits = row->arrived || row->lost ? 0 : POLLOUT;
	struct pmuclient_stream *s = NULL;

	sends = (struct outcomes){ row->outcomes, row->n, 0 };
	ck_assert_msg(watch(&s) == want, "%s: %s", row->why,
		      pmuclient_error(client));
	ck_assert_msg(sends.left == 0, "%s", row->why);
	ck_assert_msg(script_heard(&script, FRAME_DATA, FIRST_CALL, NULL) ==
			      row->arrived,
		      "%s", row->why);
	ck_assert_str_eq(pmuclient_error(client), row->lost ? row->lost : "");
	ck_assert_int_eq(pmuclient_events(client), POLLIN | waits);
	ck_assert_int_eq(pmuclient_pump(client, 0), want);
	ck_assert_uint_eq(script_heard(&script, FRAME_DATA, FIRST_CALL, NULL),
			  !row->lost);
	pmuclient_close(s);
}

static const struct receive_row {
	const char *why;
	struct outcome outcomes[PIPED];
	size_t n;
	const char *lost;
} receive_rows[] = {
	{ "a byte", { { 1, EAGAIN } }, 1, NULL },
	{ "nothing, after all", { { -1, EAGAIN } }, 1, NULL },
	{ "interrupted", { { -1, EINTR } }, 1, NULL },
	{ "its end",
	  { { 0, EAGAIN } },
	  1,
	  "connection to pmud lost: pmud closed it" },
	{ "it breaks",
	  { { -1, ECONNRESET } },
	  1,
	  "connection to pmud lost: Connection reset by peer" },
};

TEST_ROWS(what_did_not_come_yet_is_received_later, receive_rows)
{
	const struct receive_row *row = &receive_rows[_i];
	struct pmuclient_stream *s = NULL;
	ProtobufCMessage *msg;

	ck_assert_int_eq(watch(&s), 0);
	put_news();
	script_say(&script, client);
	recvs = (struct outcomes){ row->outcomes, row->n, 0 };
	ck_assert_msg(pmuclient_pump(client, 0) ==
			      (row->lost ? -PMUCLIENT_ELOST : 0),
		      "%s", row->why);
	ck_assert_msg(recvs.left == 0, "%s", row->why);
	ck_assert_str_eq(pmuclient_error(client), row->lost ? row->lost : "");
	if (!row->lost) {
		ck_assert_int_eq(pmuclient_pump(client, 0), 0);
		ck_assert_int_eq(pmuclient_take(s, &msg), 1);
		pmuclient_free_message(msg);
	}
	pmuclient_close(s);
}

/* A daemon that refuses says why, and is gone before anything is asked. */
static const struct words_row {
	const char *why;
	size_t most;   /* bytes of each recv() */
	bool hangs_up; /* else there is no more now */
} words_rows[] = {
	{ "at once, and then no more", 0, false },
	{ "at once, and then its end", 0, true },
	{ "byte by byte, and then no more", 1, false },
	{ "byte by byte, and then its end", 1, true },
};

TEST_ROWS(the_last_words_are_read_where_nothing_can_be_sent, words_rows)
{
	static const struct outcome gone = { -1, EPIPE };
	const struct words_row *row = &words_rows[_i];
	struct pmuclient_stream *s;

	script_goaway(&script, "too many");
	script_say(&script, client);
	if (row->hangs_up)
		shutdown(script.fd, SHUT_WR);
	sends = (struct outcomes){ &gone, 1, 0 };
	recvs.most = row->most;
	ck_assert_int_eq(watch(&s), -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(client),
			 "pmud refuses the connection: too many");
}

/* What cannot be kept is not looked at any further, and why is why. */
TEST(last_words_without_memory_are_none)
{
	static const struct outcome gone = { -1, EPIPE };
	struct pmuclient_stream *s, *other;

	ck_assert_int_eq(watch(&s), 0);
	recvs.most = 1;
	put_news();
	script_goaway(&script, "too many");
	script_say(&script, client);
	sends = (struct outcomes){ &gone, 1, 0 };
	left = 1; /* the request's is there */
	ck_assert_int_eq(watch(&other), -PMUCLIENT_ELOST);
	ck_assert(ran_out);
	ck_assert_str_eq(pmuclient_error(client),
			 "connection to pmud lost: Broken pipe");
	pmuclient_close(s);
}

TEST(an_answer_without_memory_loses_the_connection)
{
	struct pmuclient_stream *s;

	ck_assert_int_eq(watch(&s), 0);
	put_news();
	script_say(&script, client);
	left = 0;
	ck_assert_int_eq(pmuclient_pump(client, 0), -PMUCLIENT_ELOST);
	ck_assert(ran_out);
	ck_assert_str_eq(pmuclient_error(client),
			 "connection to pmud lost: The user callback function "
			 "failed");
	pmuclient_close(s);
}

TEST(frames_that_cannot_be_made_lose_the_connection)
{
	struct pmuclient_stream *s;

	send_error = NGHTTP2_ERR_NOMEM;
	ck_assert_int_eq(watch(&s), -PMUCLIENT_ELOST);
	send_error = 0;
	ck_assert_str_eq(pmuclient_error(client),
			 "connection to pmud lost: Out of memory");
	ck_assert_uint_eq(
		script_heard(&script, FRAME_HEADERS, FIRST_CALL, NULL), 0);
}

/* More than the room that is kept for what waits. */
TEST(frames_without_room_lose_the_connection)
{
	static uint8_t chunk[8000];
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	struct pmuclient_stream *s;

	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	req.chunk = (ProtobufCBinaryData){ sizeof(chunk), chunk };
	ck_assert_int_eq(
		pmuclient_begin(client, "MachineService/LoadImage",
				&pmu__v1__load_image_response__descriptor, &s),
		0);
	left = 1; /* the message itself has its room */
	ck_assert_int_eq(pmuclient_send(s, &req.base), -PMUCLIENT_ELOST);
	ck_assert(ran_out);
	ck_assert_str_eq(pmuclient_error(client),
			 "connection to pmud lost: out of memory");
	pmuclient_close(s);
}

/* More bytes of a request than HTTP/2 begins with may be sent. */
static void open_windows(void)
{
	static const uint8_t stream[6] = { 0, 4, 0, 0x0f, 0xff, 0xff };
	static const uint8_t all[4] = { 0, 0x0f, 0xff, 0xff };

	script_frame(&script, (struct script_head){ FRAME_SETTINGS, 0, 0 },
		     stream, sizeof(stream));
	script_frame(&script, (struct script_head){ FRAME_WINDOW_UPDATE, 0, 0 },
		     all, sizeof(all));
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_pump(client, 0), 0);
}

/*
 * The socket has room again between two looks: what waited goes before poll(),
 * and pmud, which waits for the rest of the request, says nothing.
 */
TEST(who_has_sent_all_waits_for_no_answer)
{
	static const struct outcome full[] = { { -1, EAGAIN }, { -1, EAGAIN } };
	static uint8_t chunk[100000]; /* does not go at once */
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	struct pmuclient_stream *s;

	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	req.chunk = (ProtobufCBinaryData){ sizeof(chunk), chunk };
	open_windows();
	ck_assert_int_eq(
		pmuclient_begin(client, "MachineService/LoadImage",
				&pmu__v1__load_image_response__descriptor, &s),
		0);
	sends = (struct outcomes){ full, 2, 0 };
	ck_assert_int_eq(pmuclient_send(s, &req.base), 0);
	ck_assert_uint_eq(sends.left, 0);
	ck_assert_uint_eq(idle, 0);
	pmuclient_close(s);
}

SUITE("client-socket", .setup = setup, .teardown = teardown);
