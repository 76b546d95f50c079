/* SPDX-License-Identifier: BSD-2-Clause */
/* `monitor' commands of a debugger, and where it connects. */
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "gdb-talk.h"
#include "gdb/gdb-listen.h"
#include "text/exit-codes.h"
#include "unit.h"

#define TOTALS	 "EventService/ReadTotals"
#define COUNTERS "EventService/ListCounters"
#define EXPLAIN	 "EventService/ExplainCounter"
#define RECORDS	 "TraceService/QueryRecords"
#define OK	 "$OK"
#define FAILED	 "$E0e"
#define HEADING	 "       CYCLE HART PRIV PC                 WHAT\n"
#define OVERFLOW(cycle)                                                        \
	"{'cycle':" cycle ",'privilege':2,'pc':4096,'overflow':{'counter':3,"  \
	"'event':'loads','last_pc':4092}}"
#define LINE(cycle)                                                            \
	"           " cycle                                                    \
	"    0    S 0x0000000000001000 overflow counter 3 "                    \
	"loads last 0xffc\n"
#define ASKS_RECORDS                                                           \
	RECORDS " {'machine':'m1','filter':{'overflows':true,'traps':false,"   \
		"'sbiCalls':false,'console':false,'inputs':false,"             \
		"'hartChanges':false,'stops':false,'harts':[],'counters':[],"  \
		"'resets':false,'absences':false,'ebbDeliveries':false,"       \
		"'ebbSession':0,'samples':false,'addresses':[],'deliveries':"  \
		"false,'csrAccesses':"                                         \
		"false},"                                                      \
		"'firstCycle':'0','lastCycle':'0','limit':'0',"                \
		"'firstRecord':'0'}\n"

static const struct {
	const char *command;
	struct canned calls[CANNED_MAX];
	const char *printed, *reply, *asked;
} commands[] = {
	{ "help",
	  { { 0 } },
	  "help                    These commands\n"
	  "state                   Why the machine stands, its clock\n"
	  "stat                    Events per hart and privilege, the guest's "
	  "counters\n"
	  "overflows [N]           The last overflows of counters (20)\n"
	  "explain   HART:COUNTER  Why the counter counts or not\n"
	  "physical  [on|off]      Memory by physical addresses\n"
	  "on-detach [run|pause]   What the machine does then\n"
	  "input     [TEXT]        A line for the guest's console\n"
	  "eof                     No more input will follow\n",
	  OK,
	  "" },
	{ "halp",
	  { { 0 } },
	  "there is no command 'halp'; try `monitor help'\n",
	  FAILED,
	  "" },
	{ "",
	  { { 0 } },
	  "there is no command ''; try `monitor help'\n",
	  FAILED,
	  "" },
	{ "state",
	  { { TALK_GET, "{'machine':{'id':'m1','state':3,'cause':11,"
			"'cycle':500,'insn':400,'hart':1}}" } },
	  "machine m1: paused, breakpoint\n"
	  "cycle 500, 400 instructions of all harts, hart 1 is next\n",
	  OK,
	  TALK_GET TALK_M1 },
	{ "state",
	  { { TALK_GET, "{'machine':{'id':'m\xc2\x9b[2J','state':3,'cause':"
			"11,'cycle':500,'insn':400,'hart':1}}" } },
	  "machine m??[2J: paused, breakpoint\n"
	  "cycle 500, 400 instructions of all harts, hart 1 is next\n",
	  OK,
	  NULL },
	{ "st\33[2J",
	  { { 0 } },
	  "there is no command 'st?[2J'; try `monitor help'\n",
	  FAILED,
	  "" },
	{ "state", { { TALK_GET, NULL } }, "refused\n", FAILED, NULL },
	{ "stat",
	  { { TOTALS, "{'cycle':7}" }, { COUNTERS, "{}" } },
	  "cycle 7, time 0\n\n\n",
	  OK,
	  TOTALS TALK_M1 COUNTERS TALK_M1 },
	{ "stat", { { TOTALS, NULL } }, "", FAILED, NULL },
	/* counters */
	{ "explain 1:3",
	  { { EXPLAIN, "{'summary':'it counts'}" } },
	  "it counts\n\n",
	  OK,
	  EXPLAIN " {'machine':'m1','hart':1,'index':3}\n" },
	{ "explain 1:3", { { EXPLAIN, NULL } }, "", FAILED, NULL },
	{ "explain",
	  { { 0 } },
	  "explain needs HART:COUNTER, as in 0:3\n",
	  FAILED,
	  "" },
	{ "explain x",
	  { { 0 } },
	  "explain needs HART:COUNTER, as in 0:3\n",
	  FAILED,
	  "" },
	/* overflows: the last of them */
	{ "overflows",
	  { { RECORDS, "{'records':[" OVERFLOW("1") "," OVERFLOW("2") "]}" },
	    { RECORDS, "{'records':[" OVERFLOW("3") "]}" } },
	  HEADING LINE("1") LINE("2") LINE("3"),
	  OK,
	  ASKS_RECORDS },
	{ "overflows 2",
	  { { RECORDS, "{'records':[" OVERFLOW("1") "," OVERFLOW("2") "]}" },
	    { RECORDS, "{'records':[" OVERFLOW("3") "]}" } },
	  HEADING LINE("2") LINE("3") "1 came before these\n",
	  OK,
	  ASKS_RECORDS },
	{ "overflows 1000", { { RECORDS, "{}" } }, HEADING, OK, NULL },
	{ "overflows 1", { { RECORDS, NULL } }, "refused\n", FAILED, NULL },
	{ "overflows 1",
	  { { "open " RECORDS, NULL } },
	  "refused\n",
	  FAILED,
	  NULL },
	{ "overflows 0",
	  { { 0 } },
	  "overflows: '0' is not 1 to 1000\n",
	  FAILED,
	  "" },
	{ "overflows 1001",
	  { { 0 } },
	  "overflows: '1001' is not 1 to 1000\n",
	  FAILED,
	  "" },
	{ "overflows few",
	  { { 0 } },
	  "overflows: 'few' is not 1 to 1000\n",
	  FAILED,
	  "" },
	/* what is chosen */
	{ "physical", { { 0 } }, "off\n", OK, "" },
	{ "physical on", { { 0 } }, "", OK, "" },
	{ "physical yes", { { 0 } }, "'yes' is not off or on\n", FAILED, "" },
	{ "on-detach", { { 0 } }, "run\n", OK, "" },
	{ "on-detach pause", { { 0 } }, "", OK, "" },
	{ "on-detach run", { { 0 } }, "", OK, "" },
	{ "on-detach stop",
	  { { 0 } },
	  "'stop' is not run or pause\n",
	  FAILED,
	  "" },
	/* for the guest */
	{ "input ls -l",
	  { { TALK_INPUT, "{}" } },
	  "",
	  OK,
	  TALK_INPUT " {'machine':'m1','data':'bHMgLWwK','eof':false}\n" },
	{ "input",
	  { { TALK_INPUT, "{}" } },
	  "",
	  OK,
	  TALK_INPUT " {'machine':'m1','data':'Cg==','eof':false}\n" },
	{ "input x", { { TALK_INPUT, NULL } }, "refused\n", FAILED, NULL },
	{ "eof",
	  { { TALK_INPUT, "{}" } },
	  "",
	  OK,
	  TALK_INPUT " {'machine':'m1','data':'','eof':true}\n" },
	{ "eof", { { TALK_INPUT, NULL } }, "refused\n", FAILED, NULL },
};

/* The command as a packet, in hexadecimal digits. */
static void say_command(const char *command)
{
	char packet[1024] = "qRcmd,";

	for (size_t n = strlen(packet); *command; command++, n += 2)
		snprintf(packet + n, sizeof(packet) - n, "%02x",
			 (uint8_t)*command);
	talk_say(packet);
}

/* What is printed of what was sent; the last packet is the reply. */
static const char *take_apart(const char *sent, char *printed)
{
	const char *next;
	unsigned byte;

	for (; (next = strchr(sent + 1, '$')); sent = next) {
		ck_assert_int_eq(sent[1], 'O');
		for (const char *at = sent + 2; at < next; at += 2) {
			ck_assert_int_eq(sscanf(at, "%2x", &byte), 1);
			*printed++ = (char)byte;
		}
	}
	*printed = '\0';
	return sent;
}

TEST_ROWS(a_command_is_carried_out, commands)
{
	char printed[4096];
	const char *reply;

	canned_begin(commands[_i].calls);
	canned_capture();
	say_command(commands[_i].command);
	canned_release();
	reply = take_apart(talk_sent(), printed);
	ck_assert_str_eq(printed, commands[_i].printed);
	ck_assert_str_eq(reply, commands[_i].reply);
	if (commands[_i].asked)
		ck_assert_str_eq(canned_asked(), commands[_i].asked);
}

TEST(what_is_chosen_is_kept)
{
	say_command("physical on");
	ck_assert(talk_target.physical);
	say_command("physical off");
	ck_assert(!talk_target.physical);
	say_command("on-detach pause");
	ck_assert(talk_stub.stays_paused);
	say_command("on-detach run");
	ck_assert(!talk_stub.stays_paused);
}

static const struct talk_row broken[] = {
	{ "half a byte", { { "qRcmd,7", "$E16" } }, { { 0 } }, "" },
	{ "no digits", { { "qRcmd,zz", "$E16" } }, { { 0 } }, "" },
	{ "a byte that ends it",
	  { { "qRcmd,68006c", "$E16" } },
	  { { 0 } },
	  "" },
};

TEST_ROWS(what_is_no_command_is_malformed, broken)
{
	talk_check(&broken[_i]);
}

TEST_TIMES(a_command_has_255_bytes_at_most, 2)
{
	char command[258] = "";

	memset(command, 'x', 255 + (size_t)_i);
	talk_stub.error_text = true;
	say_command(command);
	ck_assert_ptr_nonnull(
		strstr(talk_sent(), _i ? "$E.the command is too long"
				       : "$E.the command has failed"));
}

/* It may be a daemon's. */
TEST(what_is_refused_says_nothing_to_the_terminal)
{
	talk_stub.error_text = true;
	gdb_reply_refused(&talk_stub, "no\33[2J\xc2\x9b");
	gdb_reply_send(&talk_stub);
	ck_assert_ptr_nonnull(strstr(talk_sent(), "$E.no?[2J??"));
}

/* Much is printed in packets that are full. */
TEST(what_is_printed_is_cut_into_packets)
{
	static char text[8191 + 100];
	const char *out;

	memset(text, 'a', sizeof(text));
	gdb_stub_print(&talk_stub, text, sizeof(text));
	out = talk_sent();
	ck_assert_uint_eq(strlen(out), 2 + 2 * 8191 + 2 + 2 * 100);
	ck_assert_uint_eq(strcspn(out + 1, "$"), 1 + 2 * 8191);
}

/* Places */

static char dir[sizeof("/tmp/listen-XXXXXX")];

static const struct {
	const char *why, *where, *place;
	int code;
	const char *err;
} places[] = {
	{ "a path", "socket", "socket", EXIT_OK, "" },
	{ "a port of this host alone", "0", "127.0.0.1:", EXIT_OK, "" },
	{ "its own path", NULL, "/pmuctl-gdb-", EXIT_OK, "" },
	{ "no path", "", "", EXIT_USAGE,
	  "pmuctl: --listen: a path has 1 to 107 bytes\n" },
	{ "no port", "65536", "", EXIT_USAGE,
	  "pmuctl: --listen: there is no port 65536\n" },
	{ "no folder", "none/socket", "", EXIT_FAILED,
	  "pmuctl: cannot listen at none/socket: No such file or directory\n" },
};

/* Somebody can connect there, if it is a path: this user alone. */
static void check_place(struct gdb_listener *l, const char *place)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct stat st;
	int in, fd;

	ck_assert_ptr_nonnull(strstr(l->place, place));
	ck_assert_int_eq(gdb_accept(l), -1); /* nobody yet; it never waits */
	if (l->is_path) {
		ck_assert(!stat(l->place, &st));
		ck_assert_uint_eq(st.st_mode & 0777, 0600);
		strcpy(a.sun_path, l->place);
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		ck_assert(!connect(fd, (struct sockaddr *)&a, sizeof(a)));
		in = gdb_accept(l);
		ck_assert_int_ge(in, 0);
		close(in);
		close(fd);
	}
	gdb_listen_end(l);
	gdb_listen_end(l);
	if (place[0] != '1')
		ck_assert(stat(l->place, &st));
}

TEST_ROWS(a_debugger_finds_its_place, places)
{
	struct gdb_listener l;
	int code;

	strcpy(dir, "/tmp/listen-XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	PREPARING(ck_assert(!chdir(dir)));
	setenv("XDG_RUNTIME_DIR", dir, 1);
	canned_capture();
	code = gdb_listen(&l, places[_i].where);
	canned_release();
	ck_assert_str_eq(canned_err(), places[_i].err);
	ck_assert_int_eq(code, places[_i].code);
	if (code)
		ck_assert_int_eq(l.fd, -1);
	else
		check_place(&l, places[_i].place);
	PREPARING(ck_assert(!chdir("/")));
	rmdir(dir);
}

/* 107 bytes are a path, 108 are not. */
TEST_TIMES(a_path_has_its_limit, 2)
{
	char path[110] = "/tmp/";
	struct gdb_listener l;
	int code;

	memset(path + 5, 'x', 102 + (size_t)_i);
	canned_capture();
	code = gdb_listen(&l, path);
	canned_release();
	ck_assert_int_eq(code, _i ? EXIT_USAGE : EXIT_OK);
	gdb_listen_end(&l);
}

/* Whoever comes by a port is not waited for either. */
TEST(a_debugger_comes_by_a_port)
{
	struct gdb_listener l;
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);
	int fd, in;

	ck_assert_int_eq(gdb_listen(&l, "0"), EXIT_OK);
	ck_assert(!l.is_path);
	ck_assert(!getsockname(l.fd, (struct sockaddr *)&a, &len));
	fd = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert(!connect(fd, (struct sockaddr *)&a, len));
	in = gdb_accept(&l);
	ck_assert_int_ge(in, 0);
	ck_assert_int_eq(recv(in, dir, 1, 0), -1);
	close(in);
	close(fd);
	gdb_listen_end(&l);
	ck_assert_int_eq(l.fd, -1);
}

/* Nothing stays open of a place that is none, nor of one that is left. */
TEST_TIMES(a_place_leaves_no_descriptor, 3)
{
	static const char *const where[] = { "/nowhere/socket", ".", "0" };
	struct gdb_listener l;
	int code;

	canned_capture();
	close(STDIN_FILENO); /* whatever its number is */
	code = gdb_listen(&l, where[_i]);
	canned_release();
	ck_assert_int_eq(code, _i < 2 ? EXIT_FAILED : EXIT_OK);
	ck_assert_int_eq(l.fd, code ? -1 : 0);
	gdb_listen_end(&l);
	ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
}

SUITE("cli-gdb-monitor", .setup = talk_setup, .teardown = talk_teardown,
      .fork = true);
