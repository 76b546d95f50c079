/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a debugger does with harts and memory, and how it lets them go. Whatever
 * a packet says, the answer is one packet.
 */
#include "gdb-stub.h"

#include <string.h>

enum {
	REGISTERS_OF_G = GDB_PC + 1,
	MEMORY_MAX = RSP_PACKET_MAX / 2, /* of one reply, two digits a byte */
};

static void reply_value(struct gdb_stub *s, uint64_t value, size_t len)
{
	char text[16];

	gdb_reply_bytes(s, text,
			(size_t)(rsp_put_value(text, value, len) - text));
}

static void reply_done(struct gdb_stub *s, bool good)
{
	if (good)
		gdb_reply(s, "OK");
	else
		gdb_reply_refused(s, NULL);
}

/* How it stands, to who asks. */
static void answer_why(struct gdb_stub *s, struct rsp_text *t)
{
	gdb_reply_status(s);
}

/* Hc says nothing that vCont does not. */
static void answer_h(struct gdb_stub *s, struct rsp_text *t)
{
	bool general = !rsp_done(t) && *t->at == 'g';
	unsigned hart;
	int64_t thread;

	if (!rsp_done(t))
		t->at++;
	if (!rsp_thread(t, &thread) || !gdb_stub_hart(s, thread, &hart)) {
		gdb_reply_malformed(s);
		return;
	}
	if (general)
		s->hart = hart;
	gdb_reply(s, "OK");
}

static void answer_alive(struct gdb_stub *s, struct rsp_text *t)
{
	unsigned hart;
	int64_t thread;

	if (rsp_thread(t, &thread) && gdb_stub_hart(s, thread, &hart))
		gdb_reply(s, "OK");
	else
		gdb_reply_malformed(s);
}

/* Registers */

/* One that cannot be read now is told as unavailable. */
static bool reply_register(struct gdb_stub *s, uint64_t n)
{
	size_t size = gdb_register_size(s->target, n);
	uint64_t value;

	if (!size)
		return false;
	if (gdb_register_read(s->target, s->hart, n, &value))
		reply_value(s, value, size);
	else
		gdb_reply(s, "%.*s", (int)(2 * size), "xxxxxxxxxxxxxxxx");
	return true;
}

static void answer_g(struct gdb_stub *s, struct rsp_text *t)
{
	for (unsigned i = 0; i < REGISTERS_OF_G; i++)
		reply_register(s, i);
}

static void answer_set_g(struct gdb_stub *s, struct rsp_text *t)
{
	size_t size = s->target->xlen / 8;
	uint64_t value[REGISTERS_OF_G];
	bool good = true;

	for (unsigned i = 0; i < REGISTERS_OF_G; i++) {
		if (!rsp_value(t, size, &value[i])) {
			gdb_reply_malformed(s);
			return;
		}
	}
	for (unsigned i = 1; i < REGISTERS_OF_G && good; i++)
		good = gdb_register_write(s->target, s->hart, i, value[i]);
	reply_done(s, good);
}

static void answer_p(struct gdb_stub *s, struct rsp_text *t)
{
	uint64_t n;

	if (!rsp_number(t, &n) || !reply_register(s, n))
		gdb_reply_malformed(s);
}

static void answer_set_p(struct gdb_stub *s, struct rsp_text *t)
{
	uint64_t n, value;

	if (!rsp_number(t, &n) || !rsp_word(t, "=") ||
	    !rsp_value(t, gdb_register_size(s->target, n), &value))
		gdb_reply_malformed(s);
	else if (n == GDB_PRIV)
		gdb_reply_refused(s, "the mode of a hart is not a register");
	else
		reply_done(s, n == 0 || gdb_register_write(s->target, s->hart,
							   n, value));
}

/* Memory */

static void answer_m(struct gdb_stub *s, struct rsp_text *t)
{
	uint8_t bytes[MEMORY_MAX];
	uint64_t address, len;
	size_t n;

	if (!rsp_pair(t, &address, &len)) {
		gdb_reply_malformed(s);
		return;
	}
	if (len > MEMORY_MAX)
		len = MEMORY_MAX;
	n = gdb_memory_read(s->target, s->hart, address, bytes, (size_t)len);
	if (n || !len)
		gdb_reply_hex(s, bytes, n);
	else
		gdb_reply_refused(s, NULL);
}

static void write_memory(struct gdb_stub *s, struct rsp_text *t, bool hex)
{
	uint8_t bytes[RSP_PACKET_MAX];
	uint64_t address, len;
	bool good = rsp_pair(t, &address, &len) && rsp_word(t, ":") &&
		    len <= sizeof(bytes);

	if (good && hex)
		good = rsp_bytes(t, bytes, (size_t)len);
	else if (good && (size_t)(t->end - t->at) == len)
		memcpy(bytes, t->at, (size_t)len);
	else
		good = false;
	if (good)
		reply_done(s, gdb_memory_write(s->target, s->hart, address,
					       bytes, (size_t)len));
	else
		gdb_reply_malformed(s);
}

static void answer_set_m(struct gdb_stub *s, struct rsp_text *t)
{
	write_memory(s, t, true);
}

static void answer_x(struct gdb_stub *s, struct rsp_text *t)
{
	write_memory(s, t, false);
}

/* Breakpoints */

/* False: answered already. */
static bool parse_point(struct gdb_stub *s, struct rsp_text *t,
			struct gdb_point *ret)
{
	uint64_t kind, length;

	if (!rsp_number(t, &kind) || !rsp_word(t, ",") ||
	    !rsp_pair(t, &ret->address, &length)) {
		gdb_reply_malformed(s);
		return false;
	}
	if (kind >= GDB_N_KINDS) /* not known: an empty answer */
		return false;
	ret->kind = (enum gdb_kind)kind;
	ret->bytes = kind >= GDB_WRITE ? length : 0;
	if (kind < GDB_WRITE ||
	    (length && ret->address + length - 1 >= ret->address))
		return true;
	gdb_reply_malformed(s);
	return false;
}

static void answer_insert(struct gdb_stub *s, struct rsp_text *t)
{
	struct gdb_point p;

	if (!parse_point(s, t, &p))
		return;
	if (gdb_point_insert(s->target, &p))
		gdb_reply(s, "OK");
	else
		gdb_reply_refused(s, "too many breakpoints or watchpoints");
}

static void answer_remove(struct gdb_stub *s, struct rsp_text *t)
{
	struct gdb_point p;

	if (!parse_point(s, t, &p))
		return;
	gdb_point_remove(s->target, &p);
	gdb_reply(s, "OK");
}

/* Going on: the answer comes when the machine stands again */

static void resume(struct gdb_stub *s, const struct rsp_resume *how)
{
	struct gdb_stop stop;

	if (how->stop) {
		gdb_reply_status(s);
	} else if (!gdb_run_resume(s->run, how)) {
		gdb_run_status(s->run, &stop);
		if (stop.why >= GDB_ENDED)
			gdb_stub_stopped(s, &stop);
		else
			gdb_reply_refused(s, NULL);
	}
}

static void answer_vcont(struct gdb_stub *s, struct rsp_text *t)
{
	struct rsp_resume how;
	unsigned hart;

	if (rsp_word(t, "?") && rsp_done(t))
		gdb_reply(s, "vCont;c;C;s;S;t;r");
	else if (rsp_resume(t, s->target->harts, &how) &&
		 gdb_stub_hart(s, how.step, &hart))
		resume(s, &how);
	else
		gdb_reply_malformed(s);
}

/* The old forms, of the hart that is present; at another place: refused. */
static void old_resume(struct gdb_stub *s, struct rsp_text *t, bool step,
		       bool has_signal)
{
	struct rsp_resume how = { .others = true };
	uint64_t signal;

	if ((has_signal && !rsp_number(t, &signal)) || !rsp_done(t)) {
		gdb_reply_malformed(s);
		return;
	}
	if (step)
		how.step = s->hart + 1;
	resume(s, &how);
}

static void answer_c(struct gdb_stub *s, struct rsp_text *t)
{
	old_resume(s, t, false, false);
}

static void answer_c_signal(struct gdb_stub *s, struct rsp_text *t)
{
	old_resume(s, t, false, true);
}

static void answer_s(struct gdb_stub *s, struct rsp_text *t)
{
	old_resume(s, t, true, false);
}

static void answer_s_signal(struct gdb_stub *s, struct rsp_text *t)
{
	old_resume(s, t, true, true);
}

/* The end */

static void answer_detach(struct gdb_stub *s, struct rsp_text *t)
{
	s->end = GDB_DETACHED;
	gdb_reply(s, "OK");
}

static void answer_kill(struct gdb_stub *s, struct rsp_text *t)
{
	s->end = GDB_KILLED;
}

static void answer_vkill(struct gdb_stub *s, struct rsp_text *t)
{
	s->end = GDB_KILLED;
	gdb_reply(s, "OK");
}

const struct gdb_packet gdb_packets[] = {
	{ "?", answer_why },
	{ "g", answer_g },
	{ "G", answer_set_g },
	{ "p", answer_p },
	{ "P", answer_set_p },
	{ "m", answer_m },
	{ "M", answer_set_m },
	{ "X", answer_x },
	{ "H", answer_h },
	{ "T", answer_alive },
	{ "Z", answer_insert },
	{ "z", answer_remove },
	{ "vCont", answer_vcont },
	{ "vKill;", answer_vkill },
	{ "c", answer_c },
	{ "C", answer_c_signal },
	{ "s", answer_s },
	{ "S", answer_s_signal },
	{ "D", answer_detach },
	{ "k", answer_kill },
	{ NULL, NULL },
};
