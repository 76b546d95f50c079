/* SPDX-License-Identifier: BSD-2-Clause */
/* What a debugger asks beside registers and memory: the q and Q packets. */
#include "gdb-stub.h"
#include "gdb-xml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session/pmud.h"

static void answer_supported(struct gdb_stub *s, struct rsp_text *t)
{
	rsp_word(t, ":");
	while (!rsp_done(t)) {
		struct rsp_text feature = rsp_until(t, ';');

		if (rsp_word(&feature, "error-message+"))
			s->error_text = true;
	}
	gdb_reply(s,
		  "PacketSize=%x;QStartNoAckMode+;vContSupported+;swbreak+;"
		  "hwbreak+;qXfer:features:read+;qXfer:threads:read+",
		  RSP_PACKET_MAX);
}

static void answer_no_acks(struct gdb_stub *s, struct rsp_text *t)
{
	gdb_reply(s, "OK");
	s->no_acks = true;
}

static void answer_attached(struct gdb_stub *s, struct rsp_text *t)
{
	gdb_reply(s, "%d", s->attached);
}

/* Threads */

static void answer_current(struct gdb_stub *s, struct rsp_text *t)
{
	if (rsp_done(t)) /* else it is another packet, which is not known */
		gdb_reply(s, "QC%x", s->hart + 1);
}

static void answer_first_threads(struct gdb_stub *s, struct rsp_text *t)
{
	for (unsigned i = 0; i < s->target->harts; i++)
		gdb_reply(s, "%c%x", i ? ',' : 'm', i + 1);
}

static void answer_more_threads(struct gdb_stub *s, struct rsp_text *t)
{
	gdb_reply(s, "l");
}

static void answer_thread_info(struct gdb_stub *s, struct rsp_text *t)
{
	Pmu__V1__ListHartsRequest req = PMU__V1__LIST_HARTS_REQUEST__INIT;
	Pmu__V1__ListHartsResponse *r;
	char text[32];
	unsigned hart;
	int64_t thread;

	if (!rsp_thread(t, &thread) || !gdb_stub_hart(s, thread, &hart)) {
		gdb_reply_malformed(s);
		return;
	}
	req.machine = (char *)s->target->machine;
	if (!GDB_CALL(s->target, ListHarts, &req, &r)) {
		gdb_reply_refused(s, NULL);
		return;
	}
	if (hart < r->n_harts) {
		gdb_thread_text(r->harts[hart], text, sizeof(text));
		gdb_reply_hex(s, text, strlen(text));
	}
	answer_free(r);
}

/* Transfers */

/* The part "OFFSET,LENGTH" of @text, 'l' before the last. */
static void reply_part(struct gdb_stub *s, struct rsp_text *t, const char *text)
{
	uint64_t offset, len;
	size_t whole = text ? strlen(text) : 0;

	if (!rsp_pair(t, &offset, &len)) {
		gdb_reply_malformed(s);
		return;
	}
	if (!text) {
		gdb_reply_refused(s, NULL);
		return;
	}
	if (offset > whole)
		offset = whole;
	if (len > RSP_PACKET_MAX - 1)
		len = RSP_PACKET_MAX - 1;
	if (len > whole - offset)
		len = whole - offset;
	gdb_reply(s, "%c", offset + len == whole ? 'l' : 'm');
	gdb_reply_bytes(s, text + offset, (size_t)len);
}

static void answer_features(struct gdb_stub *s, struct rsp_text *t)
{
	if (!s->description)
		s->description = gdb_xml_target(s->target);
	reply_part(s, t, s->description);
}

/* A new list for each that begins at its front. */
static void answer_threads(struct gdb_stub *s, struct rsp_text *t)
{
	if (!s->threads || (!rsp_done(t) && t->at[0] == '0')) {
		free(s->threads);
		s->threads = gdb_xml_threads(s->target);
	}
	reply_part(s, t, s->threads);
}

/* Others */

static void answer_symbol(struct gdb_stub *s, struct rsp_text *t)
{
	gdb_reply(s, "OK"); /* none is wanted */
}

/* How far the guest's program was moved: its symbols are to be, too. */
static void answer_offsets(struct gdb_stub *s, struct rsp_text *t)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	Pmu__V1__GetMachineResponse *r;
	uint64_t bias;

	req.machine = (char *)s->target->machine;
	if (!GDB_CALL(s->target, GetMachine, &req, &r)) {
		gdb_reply_refused(s, NULL);
		return;
	}
	bias = r->machine->image_bias;
	if (bias)
		gdb_reply(s, "Text=%" PRIx64 ";Data=%" PRIx64 ";Bss=%" PRIx64,
			  bias, bias, bias);
	answer_free(r);
}

static void answer_physical(struct gdb_stub *s, struct rsp_text *t)
{
	gdb_reply(s, "%d", s->target->physical);
}

static void answer_set_physical(struct gdb_stub *s, struct rsp_text *t)
{
	uint64_t on;

	if (!rsp_number(t, &on) || on > 1 || !rsp_done(t)) {
		gdb_reply_malformed(s);
		return;
	}
	s->target->physical = on;
	gdb_reply(s, "OK");
}

static void answer_command(struct gdb_stub *s, struct rsp_text *t)
{
	size_t len = (size_t)(t->end - t->at) / 2;
	char line[GDB_MONITOR_LINE];

	if (len >= sizeof(line)) {
		gdb_reply_refused(s, "the command is too long");
		return;
	}
	if (!rsp_bytes(t, line, len) || !rsp_done(t) ||
	    memchr(line, '\0', len)) {
		gdb_reply_malformed(s);
		return;
	}
	line[len] = '\0';
	if (s->monitor(s, line))
		gdb_reply(s, "OK");
	else
		gdb_reply_refused(s, "the command has failed");
}

const struct gdb_packet gdb_queries[] = {
	{ "qSupported", answer_supported },
	{ "QStartNoAckMode", answer_no_acks },
	{ "qAttached", answer_attached },
	{ "qfThreadInfo", answer_first_threads },
	{ "qsThreadInfo", answer_more_threads },
	{ "qThreadExtraInfo,", answer_thread_info },
	{ "qXfer:features:read:target.xml:", answer_features },
	{ "qXfer:threads:read::", answer_threads },
	{ "qOffsets", answer_offsets },
	{ "qSymbol:", answer_symbol },
	{ "qRcmd,", answer_command },
	{ "qqemu.PhyMemMode", answer_physical },
	{ "Qqemu.PhyMemMode:", answer_set_physical },
	{ "qC", answer_current },
	{ NULL, NULL },
};
