/* SPDX-License-Identifier: BSD-2-Clause */
/* What a debugger's machine may have at most, and what it may lack. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "gdb-talk.h"
#include "gdb/gdb-listen.h"
#include "gdb/gdb-xml.h"
#include "text/exit-codes.h"
#include "unit.h"

#define OK	"$OK"
#define REFUSED "$E0e"

enum {
	FIRST = 0x1000 /* address of a breakpoint, the others behind it */
};

/* The packet of @letter, "Z0,ADDRESS,4", is answered @want. */
static void point(char letter, unsigned i, const char *want)
{
	char packet[32];

	snprintf(packet, sizeof(packet), "%c0,%x,4", letter, FIRST + i);
	talk_say(packet);
	ck_assert_str_eq(talk_sent(), want);
}

static unsigned pcs_sent(void)
{
	const char *at = strstr(canned_asked(), "'pcs':["), *end;
	unsigned n = 1;

	ck_assert_ptr_nonnull(at);
	end = strchr(at + 7, ']');
	while (++at < end)
		n += *at == ',';
	return n;
}

static const struct canned steps[] = {
	{ TALK_POINTS, "{}" },
	{ TALK_REGS, TALK_REGISTERS("0", "0") },
	{ TALK_STEP, "" },
	{ 0 },
};

TEST(symbols_are_moved_as_far_as_the_program)
{
	static const struct talk_row row = {
		"what a static PIE needs",
		{ { "qOffsets", "$Text=80200000;Data=80200000;Bss=80200000" },
		  { "qOffsets", "$" },
		  { "qOffsets", REFUSED } },
		{ { TALK_GET, "{'machine':{'image_bias':2149580800}}" },
		  { TALK_GET, "{'machine':{}}" },
		  { TALK_GET, NULL } },
		TALK_GET TALK_M1 TALK_GET TALK_M1 TALK_GET TALK_M1
	};

	talk_check(&row);
}

/* One that is set again takes no place. */
TEST(there_are_so_many_breakpoints_and_no_more)
{
	for (unsigned i = 0; i < GDB_MAX_POINTS; i++)
		point('Z', i, OK);
	point('Z', GDB_MAX_POINTS, REFUSED);
	point('Z', 7, OK);
	talk_stub.error_text = true;
	point('Z', GDB_MAX_POINTS, "$E.too many breakpoints or watchpoints");
	canned_begin(steps);
	talk_say("vCont;s:1");
	ck_assert_uint_eq(pcs_sent(), GDB_MAX_POINTS);
}

TEST(and_so_many_watchpoints)
{
	char packet[32];

	for (unsigned i = 0; i <= GDB_MAX_WATCHES; i++) {
		snprintf(packet, sizeof(packet), "Z2,%x,4", FIRST + 8 * i);
		talk_say(packet);
		ck_assert_str_eq(talk_sent(),
				 i < GDB_MAX_WATCHES ? OK : REFUSED);
	}
}

/* For the others they stay while one steps, as far as there is room. */
TEST(as_many_are_kept_that_were_taken_away)
{
	for (unsigned i = 0; i <= GDB_MAX_POINTS; i++) {
		point('Z', i, OK);
		point('z', i, OK);
	}
	ck_assert_uint_eq(talk_target.n_removed, GDB_MAX_POINTS);
	point('Z', GDB_MAX_POINTS + 1, OK);
	canned_begin(steps);
	talk_say("vCont;s:1");
	ck_assert_uint_eq(pcs_sent(), GDB_MAX_POINTS);
	ck_assert_ptr_nonnull(strstr(canned_asked(), "'5120'")); /* itself */
}

/* Attached to: the harts' ISA strings, and so wide are the registers. */
static const struct isa_row {
	const char *isas;
	unsigned xlen, flen;
} isas[] = {
	{ "{'isa':'rv64imafd_zicsr'}", 64, 64 },
	{ "{'isa':'rv64if'}", 64, 32 },
	{ "{'isa':'rv64id'},{'isa':'rv64if'}", 64, 64 },
	{ "{'isa':'rv64if'},{'isa':'rv64id'}", 64, 64 },
	{ "{'isa':'rv32ic_zfd'}", 32, 0 },
	{ "{'isa':'rv64i'},{'isa':'rv32i'}", 32, 0 },
	{ "{'isa':'rv64'}", 64, 0 },
	{ "{'isa':'dff'}", 64, 0 }, /* that is no string of an ISA */
	{ "{'isa':''}", 64, 0 },
};

TEST_ROWS(registers_are_as_wide_as_harts_have_them, isas)
{
	char harts[128];
	const struct canned calls[] = {
		{ TALK_GET, "{'machine':{'state':3}}" },
		{ TALK_HARTS, harts },
		{ TALK_CSRS, "{}" },
		{ 0 },
	};

	snprintf(harts, sizeof(harts), "{'harts':[%s]}", isas[_i].isas);
	talk_teardown();
	ck_assert_int_eq(talk_attach(calls), EXIT_OK);
	ck_assert_uint_eq(talk_target.xlen, isas[_i].xlen);
	ck_assert_uint_eq(talk_target.flen, isas[_i].flen);
}

/* A description with more than a packet has room for, and its parts. */
TEST(a_long_description_comes_in_parts)
{
	static char csrs[CANNED_TEXT] = "{'csrs':[", got[4 * RSP_PACKET_MAX];
	const struct canned calls[] = {
		{ TALK_GET, "{'machine':{'state':3}}" },
		{ TALK_HARTS, "{'harts':[{'isa':'rv64i'}]}" },
		{ TALK_CSRS, csrs },
		{ 0 },
	};
	char ask[64], *want;
	const char *part;
	size_t n = 0;

	for (unsigned i = 0; i < 300; i++)
		sprintf(csrs + strlen(csrs), "%s{'number':%u,'name':'csr-%u'}",
			i ? "," : "", 256 + i, i);
	strcat(csrs, "]}");
	talk_teardown();
	ck_assert_int_eq(talk_attach(calls), EXIT_OK);
	talk_stub.no_acks = true;
	want = gdb_xml_target(&talk_target);
	do {
		snprintf(ask, sizeof(ask),
			 "qXfer:features:read:target.xml:%zx,ffffffff", n);
		talk_say(ask);
		part = talk_sent();
		if (part[1] == 'm')
			ck_assert_uint_eq(strlen(part), 1 + RSP_PACKET_MAX);
		n += strlen(strcpy(got + n, part + 2));
	} while (part[1] == 'm');
	ck_assert_int_eq(part[1], 'l');
	ck_assert_uint_gt(n, RSP_PACKET_MAX);
	ck_assert_str_eq(got, want);
	free(want);
}

/* Where something listens already, and without a descriptor that is left. */
TEST(a_port_can_be_taken)
{
	struct gdb_listener first, second;
	const char *port;
	char want[80];

	ck_assert_int_eq(gdb_listen(&first, "0"), EXIT_OK);
	port = strchr(first.place, ':') + 1;
	canned_capture();
	ck_assert_int_eq(gdb_listen(&second, port), EXIT_FAILED);
	canned_release();
	snprintf(want, sizeof(want),
		 "pmuctl: cannot listen at %s: Address already in use\n", port);
	ck_assert_str_eq(canned_err(), want);
	ck_assert_int_eq(second.fd, -1);
	gdb_listen_end(&first);
}

TEST_TIMES(there_may_be_no_descriptor, 2)
{
	const char *where = _i ? "/tmp/nothing" : "0";
	struct gdb_listener l;
	struct rlimit was, none;
	char want[80];

	PREPARING(ck_assert(!getrlimit(RLIMIT_NOFILE, &was)));
	none = was;
	none.rlim_cur = 0;
	canned_capture();
	setrlimit(RLIMIT_NOFILE, &none);
	ck_assert_int_eq(gdb_listen(&l, where), EXIT_FAILED);
	setrlimit(RLIMIT_NOFILE, &was);
	canned_release();
	snprintf(want, sizeof(want),
		 "pmuctl: cannot listen at %s: Too many open files\n", where);
	ck_assert_str_eq(canned_err(), want);
	ck_assert_int_eq(l.fd, -1);
}

SUITE("cli-gdb-limits", .setup = talk_setup, .teardown = talk_teardown);
