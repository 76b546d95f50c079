/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The public calls: addresses, deadlines, errors, messages. Everything waits
 * here and nowhere else; session.c moves bytes.
 */
#include <pmuclient/pmuclient.h>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "answer-parts.h"
#include "session.h"

#define SYSTEM_SOCKET "/run/pmud/pmud.sock"

/* Milliseconds of a clock that only goes forward. */
static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What is left of @timeout_ms since @start; -1 stays no limit. */
static int left_ms(int64_t start, int timeout_ms)
{
	int64_t left = timeout_ms - (now_ms() - start);

	if (timeout_ms < 0)
		return -1;
	return left > 0 ? (int)left : 0;
}

static int check(struct pmuclient *c)
{
	if (c->pid != getpid())
		return session_fail(c, PMUCLIENT_ESTATE,
				    "this connection belongs to the parent");
	return 0;
}

static int connect_unix(struct pmuclient *c, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (!*path || strlen(path) >= sizeof(addr.sun_path))
		return session_fail(c, PMUCLIENT_EINVAL,
				    "'%s' is no path of a socket", path);
	strcpy(addr.sun_path, path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&addr, sizeof(addr)))
		return session_fail(c, PMUCLIENT_ECONNECT,
				    "cannot reach pmud at %s: %s", path,
				    strerror(errno));
	return 0;
}

/* "127.0.0.1:PORT": pmud listens nowhere else. */
static int connect_tcp(struct pmuclient *c, const char *where)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	static const char host[] = "127.0.0.1:";
	const char *number = where + strlen(host);
	unsigned long port = 0;
	char *end = NULL;

	if (!strncmp(where, host, strlen(host)) && isdigit((uint8_t)*number))
		port = strtoul(number, &end, 10);
	if (!end || *end || port > 65535)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "'%s' is not 127.0.0.1:PORT", where);
	addr.sin_port = htons((uint16_t)port);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&addr, sizeof(addr)))
		return session_fail(c, PMUCLIENT_ECONNECT,
				    "cannot reach pmud at %s: %s", where,
				    strerror(errno));
	return 0;
}

static int connect_address(struct pmuclient *c, const char *address)
{
	if (!strncmp(address, "unix://", 7))
		return connect_unix(c, address + 7);
	if (address[0] == '/')
		return connect_unix(c, address);
	if (!strncmp(address, "tcp://", 6))
		return connect_tcp(c, address + 6);
	return session_fail(c, PMUCLIENT_EINVAL,
			    "'%s' is neither unix:///PATH nor /PATH nor "
			    "tcp://127.0.0.1:PORT",
			    address);
}

/* No address given: the environment's, the user's own, the system's. */
static int connect_default(struct pmuclient *c)
{
	const char *address = getenv("PMUD_ADDRESS");
	const char *dir = getenv("XDG_RUNTIME_DIR");
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];

	if (address && *address)
		return connect_address(c, address);
	if (dir && *dir &&
	    snprintf(path, sizeof(path), "%s/pmud.sock", dir) <
		    (int)sizeof(path) &&
	    access(path, F_OK) == 0)
		return connect_unix(c, path);
	return connect_unix(c, SYSTEM_SOCKET);
}

static struct pmuclient *new_client(void)
{
	struct pmuclient *c = calloc(1, sizeof(*c));

	if (c) {
		c->fd = -1;
		c->pid = getpid();
		c->timeout_ms = -1;
	}
	return c;
}

/* The socket is there: make it speak. */
static int begin(struct pmuclient *c)
{
	if (fcntl(c->fd, F_SETFL, O_NONBLOCK) ||
	    fcntl(c->fd, F_SETFD, FD_CLOEXEC))
		return session_fail(c, PMUCLIENT_EINVAL, "descriptor %d: %s",
				    c->fd, strerror(errno));
	if (!forks_add(&c->forked, &c->fd))
		return session_no_memory(c, "connection to pmud");
	return session_init(c);
}

int pmuclient_connect(struct pmuclient **ret, const char *address)
{
	struct pmuclient *c = new_client();
	int err;

	*ret = c;
	if (!c)
		return -PMUCLIENT_ENOMEM;
	err = address ? connect_address(c, address) : connect_default(c);
	if (!err)
		err = begin(c);
	c->lost = err != 0;
	return err;
}

int pmuclient_adopt(struct pmuclient **ret, int fd)
{
	struct pmuclient *c = new_client();
	int err;

	*ret = c;
	if (!c)
		return -PMUCLIENT_ENOMEM;
	c->fd = fd;
	err = begin(c);
	c->lost = err != 0;
	return err;
}

void pmuclient_free(struct pmuclient *c)
{
	if (!c)
		return;
	session_fini(c);
	forks_remove(&c->forked);
	if (c->fd >= 0)
		close(c->fd);
	free(c);
}

const char *pmuclient_error(const struct pmuclient *c)
{
	return c->error;
}

unsigned pmuclient_status(const struct pmuclient *c)
{
	return c->status;
}

const char *pmuclient_error_field(const struct pmuclient *c)
{
	return *c->details.field ? c->details.field : NULL;
}

const char *pmuclient_error_reason(const struct pmuclient *c)
{
	return *c->details.reason ? c->details.reason : NULL;
}

const char *pmuclient_status_name(unsigned status)
{
	return grpc_status_name(status);
}

void pmuclient_set_timeout(struct pmuclient *c, int ms)
{
	c->timeout_ms = ms;
}

int pmuclient_fd(const struct pmuclient *c)
{
	return c->fd;
}

short pmuclient_events(const struct pmuclient *c)
{
	bool waits = buf_len(&c->out) ||
		     (c->session && nghttp2_session_want_write(c->session));

	return (short)(waits && !c->lost ? POLLIN | POLLOUT : POLLIN);
}

int pmuclient_pump(struct pmuclient *c, int timeout_ms)
{
	int err = check(c);

	return err ? err : session_pump(c, timeout_ms);
}

void pmuclient_free_message(ProtobufCMessage *msg)
{
	if (msg)
		protobuf_c_message_free_unpacked(msg, NULL);
}

/* The stream is over: 0 for a good end, else what the daemon said. */
static int stream_result(struct pmuclient_stream *s)
{
	struct pmuclient *c = s->client;

	if (s->status == GRPC_OK)
		return 0;
	if (s->status < 0 && c->leaving)
		return session_left(c);
	/* a call that was cut short by the end of pmud, not of a machine */
	if (s->status == GRPC_UNAVAILABLE && c->leaving)
		return session_fail(c, PMUCLIENT_ELOST, "pmud is leaving: %s",
				    s->text);
	if (s->status < 0)
		return session_fail(c, PMUCLIENT_EPROTO,
				    "no answer of a gRPC server%s%s",
				    *s->text ? ": " : "", s->text);
	session_fail(c, PMUCLIENT_ERPC, "%s",
		     *s->text ? s->text
			      : grpc_status_name((unsigned)s->status));
	c->status = (unsigned)s->status;
	c->details = s->details;
	return -PMUCLIENT_ERPC;
}

/* Is it an answer of pmud? Else it is freed. */
static int check_parts(struct pmuclient *c, ProtobufCMessage *msg)
{
	struct answer_fault fault;

	if (answer_is_whole(msg, &fault))
		return 0;
	pmuclient_free_message(msg);
	if (!fault.wanted)
		return session_fail(c, PMUCLIENT_EPROTO,
				    "pmud sent a %s without %s", fault.message,
				    fault.part);
	return session_fail(c, PMUCLIENT_EPROTO,
			    "pmud sent a %s with %zu of %s, not %zu",
			    fault.message, fault.n, fault.part, fault.wanted);
}

/* Unpacks the waiting message, if there is one: 1, 0 or an error. */
static int take_message(struct pmuclient_stream *s, ProtobufCMessage **ret)
{
	ProtobufCMessage *msg;
	const uint8_t *bytes;
	uint32_t len;
	int n = session_peek(s, &bytes, &len), err;

	if (n != 1)
		return n;
	msg = protobuf_c_message_unpack(s->response, NULL, len, bytes);
	session_consume(s, len);
	if (!msg)
		return session_fail(s->client, PMUCLIENT_EPROTO,
				    "pmud sent a malformed %s",
				    s->response->short_name);
	err = check_parts(s->client, msg);
	if (err)
		return err;
	*ret = msg;
	return 1;
}

int pmuclient_take(struct pmuclient_stream *s, ProtobufCMessage **ret)
{
	int n = check(s->client);

	if (n)
		return n;
	n = take_message(s, ret);
	if (n)
		return n;
	return s->closed ? stream_result(s)
			 : session_fail(s->client, PMUCLIENT_ETIMEOUT,
					"nothing came in time");
}

int pmuclient_next(struct pmuclient_stream *s, int timeout_ms,
		   ProtobufCMessage **ret)
{
	int64_t start = now_ms();
	bool waited = false;
	int n, err;

	for (;;) {
		n = pmuclient_take(s, ret);
		if (n != -PMUCLIENT_ETIMEOUT ||
		    (waited && !left_ms(start, timeout_ms)))
			return n;
		err = session_pump(s->client, left_ms(start, timeout_ms));
		if (err)
			return err;
		waited = true;
	}
}

void pmuclient_close(struct pmuclient_stream *s)
{
	if (s)
		session_close(s);
}

static int open_call(struct pmuclient *c, const char *method,
		     const ProtobufCMessageDescriptor *response, int timeout_ms,
		     struct pmuclient_stream **ret)
{
	char path[128];
	int err = check(c);

	if (err)
		return err;
	if (snprintf(path, sizeof(path), "/pmu.v1.%s", method) >=
	    (int)sizeof(path))
		return session_fail(c, PMUCLIENT_EINVAL, "no method '%s'",
				    method);
	err = session_open(c, path, timeout_ms, ret);
	if (!err)
		(*ret)->response = response;
	return err;
}

int pmuclient_open(struct pmuclient *c, const char *method,
		   const ProtobufCMessage *request,
		   const ProtobufCMessageDescriptor *response,
		   struct pmuclient_stream **ret)
{
	struct pmuclient_stream *s = NULL;
	int err = open_call(c, method, response, -1, &s);

	if (err)
		return err;
	assert(s);
	err = session_put(s, request, false);
	if (!err)
		err = session_pump(c, 0);
	if (err)
		session_close(s);
	else
		*ret = s;
	return err;
}

int pmuclient_begin(struct pmuclient *c, const char *method,
		    const ProtobufCMessageDescriptor *response,
		    struct pmuclient_stream **ret)
{
	return open_call(c, method, response, c->timeout_ms, ret);
}

int pmuclient_send(struct pmuclient_stream *s, const ProtobufCMessage *msg)
{
	int64_t start = now_ms();
	int err = check(s->client), left;

	if (!err)
		err = session_put(s, msg, true);
	if (!err)
		err = session_pump(s->client, 0);
	/* an answer before the end of the request is an error to be told */
	while (!err && buf_len(&s->out) && !s->closed) {
		left = left_ms(start, s->client->timeout_ms);
		if (!left)
			return session_fail(s->client, PMUCLIENT_ETIMEOUT,
					    "pmud takes no more");
		err = session_pump(s->client, left);
	}
	if (!err && s->closed)
		err = stream_result(s);
	return err;
}

/* The one answer of @s, then its end. */
static int finish(struct pmuclient_stream *s, int timeout_ms,
		  ProtobufCMessage **ret)
{
	int64_t start = now_ms();
	ProtobufCMessage *msg = NULL, *extra = NULL;
	int n = pmuclient_next(s, timeout_ms, &msg);
	int err = n < 0 ? n : 0;

	if (n == 1) {
		n = pmuclient_next(s, left_ms(start, timeout_ms), &extra);
		err = n < 0 ? n : 0;
		pmuclient_free_message(extra);
	}
	if (!err && (!msg || n == 1))
		err = session_fail(s->client, PMUCLIENT_EPROTO,
				   "pmud sent %s answer than one",
				   msg ? "more" : "fewer");
	session_close(s);
	if (err || !ret)
		pmuclient_free_message(msg);
	else
		*ret = msg;
	return err;
}

int pmuclient_finish(struct pmuclient_stream *s, ProtobufCMessage **ret)
{
	session_end(s);
	return finish(s, s->client->timeout_ms, ret);
}

int pmuclient_call(struct pmuclient *c, const char *method,
		   const ProtobufCMessage *request,
		   const ProtobufCMessageDescriptor *response,
		   ProtobufCMessage **ret)
{
	struct pmuclient_stream *s = NULL;
	int err = open_call(c, method, response, c->timeout_ms, &s);

	if (err)
		return err;
	assert(s);
	err = session_put(s, request, false);
	if (!err)
		return finish(s, c->timeout_ms, ret);
	session_close(s);
	return err;
}
