/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The HTTP/2 session of a connection: what arrives is handed to the call of its
 * stream. It decides what each frame costs, and when a peer asks for so much
 * that the session ends: whatever nghttp2 queues for a peer (resets, ACKs) has
 * a bound. The socket below is conn.c's.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

static struct rpc_call *call_of(nghttp2_session *session, int32_t sid)
{
	return nghttp2_session_get_stream_user_data(session, sid);
}

/* Ends a stream whose peer wants too much; a gRPC client knows the code. */
static int calm(nghttp2_session *session, int32_t sid)
{
	nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, sid,
				  NGHTTP2_ENHANCE_YOUR_CALM);
	return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

/*
 * Whatever a frame makes nghttp2 queue, without a bound of its own: resets of
 * streams above the limit, ACKs. Who reads its answers has no such queue.
 */
static int on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *hd,
			  void *user)
{
	struct rpc_conn *conn = user;

	rpc_share_work(conn, RPC_WORK_FRAME);
	if (nghttp2_session_get_outbound_queue_size(session) <
	    conn->srv->limits.max_outbound)
		return 0;
	conn->flooded = true;
	rpc_h2_terminate(conn, NGHTTP2_ENHANCE_YOUR_CALM);
	rpc_conn_cut_soon(conn);
	return NGHTTP2_ERR_CALLBACK_FAILURE;
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
	call = rpc_call_new(conn, sid);
	if (!call)
		return calm(session, sid);
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

	if (call && !rpc_request_header(call, &(nghttp2_nv){ n.base, v.base,
							     n.len, v.len, 0 }))
		return calm(session, frame->hd.stream_id);
	return 0;
}

static int on_frame_recv(nghttp2_session *session, const nghttp2_frame *frame,
			 void *user)
{
	struct rpc_conn *conn = user;
	struct rpc_call *call;

	if (frame->hd.type == NGHTTP2_SETTINGS)
		rpc_conn_greet(conn);
	if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA)
		return 0;
	call = call_of(session, frame->hd.stream_id);
	if (!call)
		return 0;
	if (frame->hd.type == NGHTTP2_HEADERS &&
	    frame->headers.cat == NGHTTP2_HCAT_REQUEST)
		rpc_request_headers_done(call);
	if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
		rpc_request_half_close(call);
	return 0;
}

static int on_data_chunk(nghttp2_session *session, uint8_t flags, int32_t sid,
			 const uint8_t *data, size_t len, void *user)
{
	struct rpc_call *call = call_of(session, sid);

	nghttp2_session_consume_connection(session, len);
	if (call)
		rpc_request_input(call, data, len);
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
	rpc_call_cancel(call);
	rpc_call_free(call);
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
	nghttp2_session_callbacks_set_on_begin_frame_callback(cbs,
							      on_begin_frame);
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

int rpc_h2_start(struct rpc_conn *conn)
{
	const struct rpc_limits *l = &conn->srv->limits;
	const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, l->max_streams },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, RPC_STREAM_WINDOW },
		{ NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
		  (uint32_t)l->max_headers },
		/* a tree that peers can rebuild with every frame */
		{ NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1 },
	};

	if (session_create(conn) ||
	    nghttp2_submit_settings(conn->session, NGHTTP2_FLAG_NONE, settings,
				    sizeof(settings) / sizeof(settings[0])) ||
	    nghttp2_session_set_local_window_size(
		    conn->session, NGHTTP2_FLAG_NONE, 0, RPC_CONN_WINDOW))
		return -ENOMEM;
	return 0;
}

void rpc_h2_feed(struct rpc_conn *conn, const uint8_t *bytes, size_t len)
{
	ssize_t n;

	rpc_share_work(conn, len);
	n = nghttp2_session_mem_recv(conn->session, bytes, len);
	/* after protocol errors the session still wants to say GOAWAY */
	if (n < 0 && !conn->flooded)
		conn->dead = true;
}

void rpc_h2_goaway(struct rpc_conn *conn)
{
	nghttp2_session *s = conn->session;

	nghttp2_submit_goaway(s, NGHTTP2_FLAG_NONE,
			      nghttp2_session_get_last_proc_stream_id(s),
			      NGHTTP2_NO_ERROR, NULL, 0);
	rpc_share_touch(conn);
}

void rpc_h2_terminate(struct rpc_conn *conn, uint32_t error)
{
	nghttp2_session_terminate_session(conn->session, error);
	rpc_share_touch(conn);
}
