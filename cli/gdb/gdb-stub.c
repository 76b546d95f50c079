/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which packet it is that came, and the acks around it. One that is not known
 * gets an empty answer, as the protocol has it.
 */
#include "gdb-stub.h"

#include <stdlib.h>

bool gdb_stub_init(struct gdb_stub *s)
{
	rsp_reader_init(&s->reader);
	s->frame = malloc(RSP_FRAME_MAX);
	return s->frame;
}

void gdb_stub_fini(struct gdb_stub *s)
{
	free(s->frame);
	buf_free(&s->out);
	free(s->description);
	free(s->threads);
}

static const struct gdb_packet *find(const struct gdb_packet *row,
				     struct rsp_text *t)
{
	while (row->name && !rsp_word(t, row->name))
		row++;
	return row->name ? row : NULL;
}

/* These have no answer of their own, or get it later. */
static bool answers_nothing(const struct gdb_stub *s)
{
	return gdb_run_is_under_way(s->run) ||
	       (!s->n_reply && (s->end == GDB_KILLED || s->end == GDB_OVER));
}

static void answer_packet(struct gdb_stub *s)
{
	struct rsp_text t = rsp_text(s->reader.payload, s->reader.len);
	const struct gdb_packet *row = find(gdb_packets, &t);

	if (!row)
		row = find(gdb_queries, &t);
	if (gdb_run_is_under_way(s->run)) {
		gdb_reply_refused(s, "the machine is running");
		gdb_reply_send(s);
		return;
	}
	if (row)
		row->answer(s, &t);
	if (!answers_nothing(s))
		gdb_reply_send(s);
}

static void take_event(struct gdb_stub *s, enum rsp_event event)
{
	switch (event) {
	case RSP_NOTHING:
	case RSP_ACK:
		break;
	case RSP_NACK:
		if (!s->no_acks)
			gdb_out_put(s, s->frame, s->n_frame);
		break;
	case RSP_INTERRUPT:
		gdb_run_pause(s->run);
		break;
	case RSP_BROKEN:
		if (!s->no_acks) {
			gdb_out_put(s, "-", 1);
			break;
		}
		gdb_reply_malformed(s);
		gdb_reply_send(s);
		break;
	case RSP_TOO_LONG:
		if (!s->no_acks)
			gdb_out_put(s, "+", 1);
		gdb_reply_refused(s, "the packet is too long");
		gdb_reply_send(s);
		break;
	case RSP_PACKET:
		if (!s->no_acks)
			gdb_out_put(s, "+", 1);
		answer_packet(s);
		break;
	}
}

void gdb_stub_take(struct gdb_stub *s, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len && s->end == GDB_GOES_ON; i++)
		take_event(s, rsp_take(&s->reader, bytes[i]));
}
