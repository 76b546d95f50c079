/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One connection: the socket, the HTTP/2 session on it, who the peer is, and
 * when the connection ends. What arrives is handed to the call of its stream;
 * what calls want to say is collected here and written a block at a time.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc/farewell.h"
#include "rpc/internal.h"

#define WRITE_BLOCK ((size_t)64 * 1024)	  /* bytes per send() */
#define WRITE_TURN  ((size_t)1024 * 1024) /* bytes per turn of the loop */
#define READ_BLOCK  ((size_t)64 * 1024)

static struct rpc_call *call_of(nghttp2_session *session, int32_t sid)
{
	return nghttp2_session_get_stream_user_data(session, sid);
}

static int on_begin_headers(nghttp2_session *session,
			    const nghttp2_frame *frame, void *user)
{
	struct rpc_conn *conn = user;
	int32_t sid = frame->hd.stream_id;
	struct rpc_call *call;

	if (frame->hd.type != NGHTTP2_HEADERS ||
	    frame->headers.cat != NGHTTP2_HCAT_REQUEST)
		return 0;
	call = call_new(conn, sid);
	if (!call)
		return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
	nghttp2_session_set_stream_user_data(session, sid, call);
	return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame,
		     nghttp2_rcbuf *name, nghttp2_rcbuf *value, uint8_t flags,
		     void *user)
{
	struct rpc_call *call = call_of(session, frame->hd.stream_id);
	nghttp2_vec n = nghttp2_rcbuf_get_buf(name);
	nghttp2_vec v = nghttp2_rcbuf_get_buf(value);

	if (call)
		call_header(call,
			    &(nghttp2_nv){ n.base, v.base, n.len, v.len, 0 });
	return 0;
}

/* From now on only idleness ends the connection. */
static void greet(struct rpc_conn *conn)
{
	if (conn->greeted)
		return;
	conn->greeted = true;
	conn->idle.repeat = conn->srv->limits.idle_seconds;
	ev_timer_again(conn->srv->loop, &conn->idle);
}

static int on_frame_recv(nghttp2_session *session, const nghttp2_frame *frame,
			 void *user)
{
	struct rpc_conn *conn = user;
	struct rpc_call *call;

	if (frame->hd.type == NGHTTP2_SETTINGS)
		greet(conn);
	if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA)
		return 0;
	call = call_of(session, frame->hd.stream_id);
	if (!call)
		return 0;
	if (frame->hd.type == NGHTTP2_HEADERS &&
	    frame->headers.cat == NGHTTP2_HCAT_REQUEST)
		call_headers_done(call);
	if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
		call_half_close(call);
	return 0;
}

static int on_data_chunk(nghttp2_session *session, uint8_t flags, int32_t sid,
			 const uint8_t *data, size_t len, void *user)
{
	struct rpc_call *call = call_of(session, sid);

	nghttp2_session_consume_connection(session, len);
	if (call)
		call_input(call, data, len);
	else
		nghttp2_session_consume_stream(session, sid, len);
	/* answered already: the rest of the upload is not wanted */
	if (call && call->answered && !(flags & NGHTTP2_FLAG_END_STREAM))
		nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, sid,
					  NGHTTP2_NO_ERROR);
	return 0;
}

static int on_stream_close(nghttp2_session *session, int32_t sid,
			   uint32_t error, void *user)
{
	struct rpc_call *call = call_of(session, sid);

	if (!call)
		return 0;
	call_cancel(call);
	call_free(call);
	return 0;
}

/*
 * The answer is out. A client that goes on sending is then told to stop, but
 * not before: some take a reset for the end of everything.
 */
static int on_frame_send(nghttp2_session *session, const nghttp2_frame *frame,
			 void *user)
{
	struct rpc_call *call;

	if (frame->hd.type != NGHTTP2_HEADERS ||
	    !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM))
		return 0;
	call = call_of(session, frame->hd.stream_id);
	if (call)
		call->answered = true;
	return 0;
}

static int session_options(nghttp2_session_callbacks *cbs, nghttp2_option *opt,
			   struct rpc_conn *conn)
{
	nghttp2_session_callbacks_set_on_begin_headers_callback(
		cbs, on_begin_headers);
	nghttp2_session_callbacks_set_on_header_callback2(cbs, on_header);
	nghttp2_session_callbacks_set_on_frame_recv_callback(cbs,
							     on_frame_recv);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
		cbs, on_data_chunk);
	nghttp2_session_callbacks_set_on_stream_close_callback(cbs,
							       on_stream_close);
	nghttp2_session_callbacks_set_on_frame_send_callback(cbs,
							     on_frame_send);
	/* windows are given back when a call has taken its bytes */
	nghttp2_option_set_no_auto_window_update(opt, 1);
	nghttp2_option_set_no_closed_streams(opt, 1);
	return nghttp2_session_server_new2(&conn->session, cbs, conn, opt);
}

static int session_create(struct rpc_conn *conn)
{
	nghttp2_session_callbacks *cbs = NULL;
	nghttp2_option *opt = NULL;
	int rc = -1;

	if (!nghttp2_session_callbacks_new(&cbs) && !nghttp2_option_new(&opt))
		rc = session_options(cbs, opt, conn);
	nghttp2_option_del(opt);
	nghttp2_session_callbacks_del(cbs);
	return rc ? -ENOMEM : 0;
}

static int session_start(struct rpc_conn *conn)
{
	const struct rpc_limits *l = &conn->srv->limits;
	const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, l->max_streams },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, RPC_STREAM_WINDOW },
		{ NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
		  (uint32_t)l->max_headers },
	};

	if (session_create(conn) ||
	    nghttp2_submit_settings(conn->session, NGHTTP2_FLAG_NONE, settings,
				    sizeof(settings) / sizeof(settings[0])) ||
	    nghttp2_session_set_local_window_size(
		    conn->session, NGHTTP2_FLAG_NONE, 0, RPC_CONN_WINDOW))
		return -ENOMEM;
	return 0;
}

static void feed(struct rpc_conn *conn, const uint8_t *bytes, size_t len)
{
	ssize_t n = nghttp2_session_mem_recv(conn->session, bytes, len);

	/* after protocol errors the session still wants to say GOAWAY */
	if (n < 0)
		conn->dead = true;
}

static void can_read(struct ev_loop *loop, ev_io *w, int revents)
{
	struct rpc_conn *conn = w->data;
	uint8_t block[READ_BLOCK];
	ssize_t n = recv(conn->fd, block, sizeof(block), 0);

	if (n > 0)
		feed(conn, block, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		conn->dead = true;
	server_touch(conn);
}

static void can_write(struct ev_loop *loop, ev_io *w, int revents)
{
	struct rpc_conn *conn = w->data;

	ev_io_stop(loop, w);
	server_touch(conn);
}

/* Collects frames until a block is full. False: the session is broken. */
static bool fill(struct rpc_conn *conn)
{
	const uint8_t *bytes;
	ssize_t n;

	while (buf_len(&conn->out) < WRITE_BLOCK) {
		n = nghttp2_session_mem_send(conn->session, &bytes);
		if (n < 0)
			return false;
		if (n == 0)
			return true;
		if (buf_append(&conn->out, bytes, (size_t)n))
			return false;
	}
	return true;
}

/* Writes what there is, up to a turn's share. False: broken or at its end. */
static bool flush(struct rpc_conn *conn)
{
	size_t sent = 0;
	ssize_t n;

	while (sent < WRITE_TURN) {
		if (!fill(conn))
			return false;
		if (!buf_len(&conn->out))
			return nghttp2_session_want_read(conn->session) ||
			       nghttp2_session_want_write(conn->session);
		n = send(conn->fd, buf_head(&conn->out), buf_len(&conn->out),
			 MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			ev_io_start(conn->srv->loop, &conn->wio);
			return true;
		}
		if (n < 0)
			return false;
		buf_consume(&conn->out, (size_t)n);
		sent += (size_t)n;
	}
	server_touch(conn);
	return true;
}

bool conn_serve(struct rpc_conn *conn)
{
	struct rpc_call *call;

	if (conn->dead)
		return false;
	if (!ev_is_active(&conn->wio) && !flush(conn))
		return false;
	if (!conn->kicked)
		return true;
	conn->kicked = false;
	/* no call is freed here: that happens only inside the session */
	LIST_FOREACH(call, &conn->calls, link)
	call_kick(call);
	return true;
}

/* Closes connections that never say hello, or have nothing to do. */
static void idle_check(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct rpc_conn *conn = w->data;
	const struct rpc_limits *l = &conn->srv->limits;
	ev_tstamp left = conn->last_call + l->idle_seconds - ev_now(loop);

	if (!conn->greeted || conn->leaving) {
		conn->dead = true;
		server_touch(conn);
		return;
	}
	if (conn->n_calls || conn->holds)
		left = l->idle_seconds;
	if (left <= 0) {
		conn_terminate(conn);
		left = l->hello_seconds; /* then cut a peer that is stuck */
		conn->leaving = true;
	}
	w->repeat = left;
	ev_timer_again(loop, w);
}

static void learn_peer(struct rpc_conn *conn)
{
	struct ucred cred;
	socklen_t len = sizeof(cred), dlen = sizeof(int);
	int domain = 0, one = 1;

	conn->peer = (struct rpc_peer){ false, (uid_t)-1, (gid_t)-1, -1 };
	getsockopt(conn->fd, SOL_SOCKET, SO_DOMAIN, &domain, &dlen);
	if (domain != AF_UNIX) {
		setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &one,
			   sizeof(one));
		return;
	}
	if (getsockopt(conn->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return;
	conn->peer = (struct rpc_peer){ true, cred.uid, cred.gid, cred.pid };
}

/* Finds or makes the account of the peer's user. */
static int join_user(struct rpc_conn *conn)
{
	struct rpc_server *srv = conn->srv;
	struct rpc_user *u;

	LIST_FOREACH(u, &srv->users, link)
	if (u->uid == conn->peer.uid)
		break;
	if (srv->n_conns >= srv->limits.max_conns ||
	    (u && u->conns >= srv->limits.max_conns_per_uid))
		return -EUSERS;
	if (!u) {
		u = calloc(1, sizeof(*u));
		if (!u)
			return -ENOMEM;
		u->uid = conn->peer.uid;
		LIST_INSERT_HEAD(&srv->users, u, link);
	}
	u->conns++;
	conn->user = u;
	return 0;
}

static void leave_user(struct rpc_conn *conn)
{
	if (!conn->user || --conn->user->conns)
		return;
	LIST_REMOVE(conn->user, link);
	free(conn->user);
}

static void start_watchers(struct rpc_conn *conn)
{
	struct ev_loop *loop = conn->srv->loop;

	ev_io_init(&conn->rio, can_read, conn->fd, EV_READ);
	ev_io_init(&conn->wio, can_write, conn->fd, EV_WRITE);
	ev_timer_init(&conn->idle, idle_check, 0.0,
		      conn->srv->limits.hello_seconds);
	conn->rio.data = conn->wio.data = conn->idle.data = conn;
	conn->last_call = ev_now(loop);
	ev_io_start(loop, &conn->rio);
	ev_timer_again(loop, &conn->idle);
}

/* Is the peer welcome? -EUSERS: no, @ret_why says why. */
static int ask_admission(struct rpc_conn *conn, char ret_why[RPC_WHY])
{
	const struct rpc_config *cfg = &conn->srv->cfg;

	if (!cfg->conn_admit ||
	    cfg->conn_admit(conn->srv, &conn->peer, ret_why))
		return 0;
	return -EUSERS;
}

int conn_new(struct rpc_server *srv, int fd)
{
	struct rpc_conn *conn = calloc(1, sizeof(*conn));
	char why[RPC_WHY] = "too many connections";
	int rc;

	if (!conn) {
		close(fd);
		return -ENOMEM;
	}
	conn->srv = srv;
	conn->fd = fd;
	LIST_INIT(&conn->calls);
	learn_peer(conn);
	rc = join_user(conn);
	if (!rc)
		rc = session_start(conn);
	if (!rc)
		rc = ask_admission(conn, why);
	if (rc) {
		nghttp2_session_del(conn->session);
		leave_user(conn);
		farewell(srv, fd, rc == -EUSERS ? why : "out of memory");
		free(conn);
		return rc;
	}
	LIST_INSERT_HEAD(&srv->conns, conn, link);
	srv->n_conns++;
	start_watchers(conn);
	server_touch(conn);
	if (srv->cfg.conn_opened)
		srv->cfg.conn_opened(conn);
	return 0;
}

void conn_free(struct rpc_conn *conn)
{
	struct rpc_server *srv = conn->srv;
	struct rpc_call *call;

	conn->dead = true;
	LIST_FOREACH(call, &conn->calls, link)
	call_cancel(call);
	if (srv->cfg.conn_closed)
		srv->cfg.conn_closed(conn);
	while ((call = LIST_FIRST(&conn->calls)))
		call_free(call);
	if (conn->dirty)
		TAILQ_REMOVE(&srv->dirty, conn, dirty_link);
	ev_io_stop(srv->loop, &conn->rio);
	ev_io_stop(srv->loop, &conn->wio);
	ev_timer_stop(srv->loop, &conn->idle);
	LIST_REMOVE(conn, link);
	srv->n_conns--;
	nghttp2_session_del(conn->session);
	buf_free(&conn->out);
	leave_user(conn);
	close(conn->fd);
	free(conn);
}

void conn_goaway(struct rpc_conn *conn)
{
	nghttp2_session *s = conn->session;

	nghttp2_submit_goaway(s, NGHTTP2_FLAG_NONE,
			      nghttp2_session_get_last_proc_stream_id(s),
			      NGHTTP2_NO_ERROR, NULL, 0);
	server_touch(conn);
}

void conn_terminate(struct rpc_conn *conn)
{
	nghttp2_session_terminate_session(conn->session, NGHTTP2_NO_ERROR);
	server_touch(conn);
}
