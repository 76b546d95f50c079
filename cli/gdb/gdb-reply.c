/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Replies: built piece by piece, each bounded by the packet's size, then framed
 * and queued. Here is also how a stop is told, since every packet that lets the
 * machine go may be answered by one.
 */
#include "gdb-stub.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/plain-text.h"

enum {
	/* signals, as GDB numbers them */
	SIGNAL_INT = 2,
	SIGNAL_TRAP = 5,
	SIGNAL_ABRT = 6,
	/* what stands for an error where no text may be sent */
	ERROR_FAULT = 14,
	ERROR_INVALID = 22,
	PRINT_MAX = RSP_PACKET_MAX / 2 - 1, /* behind an 'O' */
};

void gdb_out_put(struct gdb_stub *s, const char *bytes, size_t len)
{
	if (buf_append(&s->out, bytes, len) < 0)
		s->out_failed = true;
}

void gdb_reply_send(struct gdb_stub *s)
{
	s->n_frame = rsp_frame(s->reply, s->n_reply, s->frame);
	gdb_out_put(s, s->frame, s->n_frame);
	s->n_reply = 0;
}

void gdb_reply(struct gdb_stub *s, const char *format, ...)
{
	size_t room = sizeof(s->reply) - s->n_reply;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(s->reply + s->n_reply, room, format, args);
	va_end(args);
	if (n > 0)
		s->n_reply += (size_t)n < room ? (size_t)n : room - 1;
}

void gdb_reply_bytes(struct gdb_stub *s, const void *bytes, size_t len)
{
	assert(len <= sizeof(s->reply) - s->n_reply);
	memcpy(s->reply + s->n_reply, bytes, len);
	s->n_reply += len;
}

void gdb_reply_hex(struct gdb_stub *s, const void *bytes, size_t len)
{
	assert(len <= (sizeof(s->reply) - s->n_reply) / 2);
	rsp_put_bytes(s->reply + s->n_reply, bytes, len);
	s->n_reply += 2 * len;
}

static void reply_error(struct gdb_stub *s, int number, const char *why)
{
	if (s->error_text)
		gdb_reply(s, "E.%.200s", why);
	else
		gdb_reply(s, "E%02x", number);
	/* a daemon's text, and GDB hands it to its terminal */
	for (char *p = s->reply; *p; p++)
		for (size_t n = plain_control(p); n; n--)
			p[n - 1] = '?';
}

void gdb_reply_malformed(struct gdb_stub *s)
{
	reply_error(s, ERROR_INVALID, "the packet is malformed");
}

void gdb_reply_refused(struct gdb_stub *s, const char *why)
{
	reply_error(s, ERROR_FAULT, why ? why : gdb_target_error(s->target));
}

void gdb_stub_print(struct gdb_stub *s, const char *text, size_t len)
{
	size_t n;

	for (; len; text += n, len -= n) {
		n = len < PRINT_MAX ? len : PRINT_MAX;
		gdb_reply(s, "O");
		gdb_reply_hex(s, text, n);
		gdb_reply_send(s);
	}
}

/* Stops */

static void reply_stop(struct gdb_stub *s, const struct gdb_stop *stop)
{
	static const char *const kinds[GDB_N_KINDS] = {
		[GDB_SOFTWARE] = "swbreak", [GDB_HARDWARE] = "hwbreak",
		[GDB_WRITE] = "watch",	    [GDB_READ] = "rwatch",
		[GDB_ACCESS] = "awatch",
	};

	switch (stop->why) {
	case GDB_ENDED:
		gdb_reply(s, "W%02x", stop->code & 0xff);
		return;
	case GDB_CRASHED:
	case GDB_VANISHED:
		gdb_reply(s, "X%02x", SIGNAL_ABRT);
		return;
	case GDB_STOPPED:
	case GDB_PAUSED:
	case GDB_BREAK:
	case GDB_WATCH:
		break;
	}
	s->hart = stop->hart;
	gdb_reply(s, "T%02x",
		  stop->why == GDB_PAUSED ? SIGNAL_INT : SIGNAL_TRAP);
	if (stop->why == GDB_BREAK)
		gdb_reply(s, "%s:;", kinds[stop->point.kind]);
	if (stop->why == GDB_WATCH)
		gdb_reply(s, "%s:%" PRIx64 ";", kinds[stop->point.kind],
			  stop->point.address);
	gdb_reply(s, "thread:%x;", stop->hart + 1);
}

void gdb_stub_stopped(struct gdb_stub *s, const struct gdb_stop *stop)
{
	if (stop->why >= GDB_ENDED)
		s->end = GDB_OVER;
	reply_stop(s, stop);
	gdb_reply_send(s);
}

void gdb_reply_status(struct gdb_stub *s)
{
	struct gdb_stop stop;

	gdb_run_status(s->run, &stop);
	if (stop.why == GDB_ENDED) /* it can still be looked at */
		stop.why = GDB_STOPPED;
	reply_stop(s, &stop);
}

bool gdb_stub_hart(const struct gdb_stub *s, int64_t thread, unsigned *ret)
{
	if (thread > (int64_t)s->target->harts)
		return false;
	*ret = thread > 0 ? (unsigned)(thread - 1) : s->hart;
	return true;
}
