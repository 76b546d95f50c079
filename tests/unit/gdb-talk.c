/* SPDX-License-Identifier: BSD-2-Clause */
/* A debugger without a debugger: frames packets, and takes frames apart. */
#include "gdb-talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/gdb-monitor.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "unit.h"

struct gdb_target talk_target;
struct gdb_run talk_run;
struct gdb_stub talk_stub;
static struct pmud *pmud;

/* Names that are no CSR's, or too long, and parts of fcsr are left out. */
static const struct canned usual[] = {
	{ TALK_GET, "{'machine':{'state':3}}" },
	{ TALK_HARTS, TALK_TWO_HARTS },
	{ TALK_CSRS, "{'csrs':[{'number':2816,'name':'mcycle'},"
		     "{'number':3,'name':'fcsr'},"
		     "{'number':4096,'name':'none'},"
		     "{'number':1,'name':'fflags'}]}" },
	{ TALK_CSRS, "{'csrs':[{'number':2816,'name':'mcycle'},"
		     "{'number':4095,'name':'a-name-of-21-bytes---'},"
		     "{'number':768,'name':'mstatus'},"
		     "{'number':769,'name':'a-name-of-22-bytes----'}]}" },
	{ 0 },
};

int talk_attach(const struct canned *calls)
{
	struct args args;
	int code;

	args_init(&args);
	PREPARING(ck_assert_int_eq(pmud_open(&pmud, &args, false), EXIT_OK));
	canned_begin(calls ? calls : usual);
	code = gdb_run_attach(&talk_run, &talk_target, pmud, "m1");
	talk_stub = (struct gdb_stub){
		.target = &talk_target,
		.run = &talk_run,
		.attached = true,
		.monitor = gdb_monitor,
	};
	PREPARING(ck_assert(gdb_stub_init(&talk_stub)));
	return code;
}

void talk_setup(void)
{
	PREPARING(ck_assert_int_eq(talk_attach(NULL), EXIT_OK));
	talk_stub.no_acks = true;
}

void talk_teardown(void)
{
	gdb_stub_fini(&talk_stub);
	gdb_run_drop(&talk_run);
	gdb_target_fini(&talk_target);
	pmud_close(pmud);
}

static void take(const char *bytes, size_t len)
{
	gdb_stub_take(&talk_stub, (const uint8_t *)bytes, len);
}

static void send(const char *packet, size_t len)
{
	uint8_t sum = 0;
	char end[4];

	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + (uint8_t)packet[i]);
	take("$", 1);
	take(packet, len);
	snprintf(end, sizeof(end), "#%02x", sum);
	take(end, 3);
}

/* One frame, whose '$' is at @at; how long it is. */
static size_t unframe(const char *at, char *ret)
{
	size_t i = 1, n = strlen(ret);
	uint8_t sum = 0;
	char told[3];

	ret[n++] = '$';
	for (; at[i] != '#'; i++) {
		sum = (uint8_t)(sum + (uint8_t)at[i]);
		if (at[i] != '*') {
			ret[n++] = at[i];
			continue;
		}
		sum = (uint8_t)(sum + (uint8_t)at[++i]);
		for (int more = at[i] - 29; more; more--, n++)
			ret[n] = ret[n - 1];
	}
	ret[n] = '\0';
	snprintf(told, sizeof(told), "%02x", sum);
	ck_assert(!memcmp(told, at + i + 1, 2));
	return i + 3;
}

const char *talk_sent(void)
{
	static char text[2 * RSP_PACKET_MAX];
	struct buf *out = &talk_stub.out;
	size_t len;

	text[0] = '\0';
	gdb_out_put(&talk_stub, "", 1);
	for (const char *at = (const char *)buf_head(out); *at; at += len) {
		len = 1;
		if (*at == '$')
			len = unframe(at, text);
		else
			strncat(text, at, 1);
	}
	buf_clear(out);
	return text;
}

void talk_say(const char *in)
{
	struct gdb_stop stop;

	if (*in == '!')
		take(in + 1, strlen(in + 1));
	else if (strcmp(in, ".") != 0)
		send(in, strlen(in));
	else if (gdb_run_poll(&talk_run, &stop))
		gdb_stub_stopped(&talk_stub, &stop);
}

void talk_check(const struct talk_row *row)
{
	canned_begin(row->calls);
	for (size_t i = 0; i < TALK_MAX && row->talk[i].in; i++) {
		const char *out;

		talk_say(row->talk[i].in);
		out = talk_sent();
		ck_assert_msg(!strcmp(out, row->talk[i].out),
			      "%s: %s is answered %s, not %s", row->why,
			      row->talk[i].in, out, row->talk[i].out);
	}
	if (row->asked)
		ck_assert_str_eq(canned_asked(), row->asked);
}
