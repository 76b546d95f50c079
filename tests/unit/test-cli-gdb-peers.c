/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debuggers that come to a socket one after the other, and what else the loop
 * wakes for. Each time it would wait (--wrap=poll) one of these acts comes
 * first, so that nothing depends on timing.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define GET	"MachineService/GetMachine"
#define POINTS	"MachineService/SetBreakpoints"
#define RESUME	"MachineService/ResumeMachine"
#define PAUSE	"MachineService/PauseMachine"
#define WATCH	"MachineService/WatchMachine"
#define CONSOLE "MachineService/ReadConsole"
#define READ	"HartService/ReadMemory"
#define DELETE	"MachineService/DeleteMachine"
#define STANDS	"{'machine':{'id':'m1','state':3,'cause':10}}"
#define ENDED	"{'machine':{'id':'m1','state':5,'cause':3,'exit_code':7}}"
/* How attaching is answered: a machine that is made, one that is there. */
#define HART                                                                   \
	{ "HartService/ListHarts", "{'harts':[{'isa':'rv64i'}]}" },            \
	{                                                                      \
		"HartService/ListCsrs", "{}"                                   \
	}
#define OURS                                                                   \
	{ "MachineService/CreateMachine", "{'machine':{'id':'m1'}}" },         \
		{ "load", "{}" }, { GET, "{'machine':{'state':1}}" },          \
		{ "MachineService/StartMachine", "{}" }, HART
#define THERE { GET, STANDS }, HART
#define ALONE                                                                  \
	{ POINTS, "{}" },                                                      \
	{                                                                      \
		RESUME, STANDS                                                 \
	}
#define M1	    " {'machine':'m1'}\n"
#define ASKS_POINTS POINTS " {'machine':'m1','pcs':[],'watchpoints':[]}\n"

enum {
	ENDED_CODE = 7,
	ACTS_MAX = 10,
	MANY = 300, /* packets, whose answers fill every buffer */
};

/* The linker sends these calls of the commands here (--wrap). */
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
int __real_getsockopt(int fd, int level, int name, void *ret, socklen_t *len);
int __wrap_getsockopt(int fd, int level, int name, void *ret, socklen_t *len);
int __wrap_signalfd(int fd, const sigset_t *mask, int flags);
int __real_signalfd(int fd, const sigset_t *mask, int flags);

/*
 * "connect"; "stranger": another user does; "second": without the first having
 * gone, "first": now it goes; "close"; "hasty": asked something before; "ask":
 * for much, and hear nothing; "hear": until all of that was answered; "full":
 * nothing can be printed; "broken": poll() fails; "lies": poll() says that all
 * can be read; "int", "term", "hup": signals; "": nothing; else a packet that
 * is sent.
 */
static struct {
	const char *const *next;
	int fd, first;
	bool deaf, strange, no_signals;
	unsigned answers;
	char heard[2048]; /* '|': one comes, or the first goes */
} peer;

static void send_packets(const char *payload, unsigned times)
{
	char *frames = NULL;
	size_t len;
	FILE *out = open_memstream(&frames, &len);
	uint8_t sum = 0;

	for (const char *p = payload; *p; p++)
		sum = (uint8_t)(sum + (uint8_t)*p);
	while (times--)
		fprintf(out, "$%s#%02x", payload, sum);
	fclose(out);
	ck_assert_int_eq(send(peer.fd, frames, len, 0), (ssize_t)len);
	free(frames);
}

static void hear(void)
{
	static char bytes[1 << 16];
	ssize_t n;

	while (peer.fd >= 0 && !peer.deaf &&
	       (n = recv(peer.fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		for (ssize_t i = 0; i < n; i++) {
			size_t len = strlen(peer.heard);

			peer.answers += bytes[i] == '#';
			if (len < sizeof(peer.heard) - 1)
				peer.heard[len] = bytes[i];
		}
}

static void hang_up(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void come(void)
{
	struct sockaddr_un a = { AF_UNIX, "socket" };

	strcat(peer.heard, "|");
	peer.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert(!connect(peer.fd, (struct sockaddr *)&a, sizeof(a)));
}

static void fill_output(void)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(full, 0);
	dup2(full, STDOUT_FILENO);
	close(full);
}

static void ask_for_much(void)
{
	peer.deaf = true;
	send_packets("qXfer:features:read:target.xml:0,3000", MANY);
}

static void connects(void)
{
	peer.strange = false;
	hang_up(&peer.fd);
	come();
}

static void strangers(void)
{
	connects();
	peer.strange = true;
	send_packets("qC", 1);
}

static void second(void)
{
	peer.first = peer.fd;
	come();
}

static void first(void)
{
	strcat(peer.heard, "|");
	hang_up(&peer.first);
}

static void closes(void)
{
	hang_up(&peer.fd);
}

static void hasty(void)
{
	send_packets("qC", 1);
	hang_up(&peer.fd);
}

static void hears(void)
{
	ck_assert_ptr_null(strstr(canned_asked(), READ));
	peer.deaf = false;
	hear();
}

static const struct act_row {
	const char *name;
	void (*act)(void); /* NULL: a signal, or 0: nothing */
	int number;
} act_rows[] = {
	{ "connect", connects, 0 }, { "stranger", strangers, 0 },
	{ "second", second, 0 },    { "first", first, 0 },
	{ "close", closes, 0 },	    { "hasty", hasty, 0 },
	{ "ask", ask_for_much, 0 }, { "hear", hears, 0 },
	{ "full", fill_output, 0 }, { "broken", NULL, 0 },
	{ "lies", NULL, 0 },	    { "", NULL, 0 },
	{ "int", NULL, SIGINT },    { "term", NULL, SIGTERM },
	{ "hup", NULL, SIGHUP },
};

static void act(const char *what)
{
	const struct act_row *row = act_rows;

	while (row < act_rows + ARRAY_SIZE(act_rows) &&
	       strcmp(row->name, what) != 0)
		row++;
	if (row == act_rows + ARRAY_SIZE(act_rows))
		send_packets(what, 1);
	else if (row->act)
		row->act();
	else
		kill(getpid(), row->number);
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	const char *what = *peer.next;

	ck_assert_msg(what, "it waits for more; heard: %s", peer.heard);
	hear();
	if (strcmp(what, "hear") || peer.answers >= MANY)
		peer.next++;
	act(what);
	if (!strcmp(what, "broken")) {
		errno = EINTR;
		return -1;
	}
	if (!strcmp(what, "hear")) /* what it can write alone wakes it */
		fds[0].fd = -1;
	if (strcmp(what, "lies") != 0)
		return __real_poll(fds, n, timeout);
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].fd >= 0)
			fds[i].revents = fds[i].events & POLLIN;
	return (int)n;
}

int __wrap_getsockopt(int fd, int level, int name, void *ret, socklen_t *len)
{
	int err = __real_getsockopt(fd, level, name, ret, len);

	if (peer.strange && name == SO_PEERCRED)
		((struct ucred *)ret)->uid = getuid() + 1;
	return err;
}

int __wrap_signalfd(int fd, const sigset_t *mask, int flags)
{
	if (!peer.no_signals)
		return __real_signalfd(fd, mask, flags);
	errno = EMFILE;
	return -1;
}

static const struct peers_row {
	const char *why, *line;
	struct canned calls[CANNED_MAX];
	const char *acts[ACTS_MAX];
	int code;
	const char *heard, *asked; /* behind what all ask */
	const char *out, *err;	   /* NULL: nothing */
} rows[] = {
	{ "it goes on when its debugger leaves, and the next one stops it",
	  "image",
	  { OURS, ALONE, { WATCH, "" }, { PAUSE, STANDS }, { DELETE, "{}" } },
	  { "connect", "D", "connect", "qC", "k" },
	  EXIT_OK,
	  "|+$OK#9a|+$QC1#c5+",
	  ASKS_POINTS RESUME M1 WATCH M1 PAUSE M1 DELETE M1 },
	{ "alone it ends as the machine does, with all that it says",
	  "image",
	  { OURS,
	    ALONE,
	    { CONSOLE, "{'data':'by'}" },
	    { CONSOLE, "" },
	    { CONSOLE, "{'data':'e'}" },
	    { WATCH, ENDED },
	    { GET, ENDED } },
	  { "connect", "D", "" },
	  ENDED_CODE,
	  "|+$OK#9a",
	  ASKS_POINTS RESUME M1 WATCH M1 GET M1,
	  "bye" },
	{ "what it says last comes before its end",
	  "image",
	  { OURS,
	    ALONE,
	    { CONSOLE, "" },
	    { CONSOLE, "" },
	    { CONSOLE, "" },
	    { CONSOLE, "" },
	    { CONSOLE, "{'data':'bye'}" },
	    { WATCH, ENDED } },
	  { "connect", "vCont;c", "" },
	  EXIT_OK,
	  "|+$W07#be",
	  ASKS_POINTS RESUME M1 WATCH M1 GET M1,
	  "bye" },
	{ "alone it does not go on",
	  "image",
	  { OURS, { POINTS, NULL, 9 } },
	  { "connect", "D" },
	  EXIT_OK,
	  "|+$OK#9a",
	  ASKS_POINTS },
	{ "it has ended when it is to go on",
	  "image",
	  { OURS, { POINTS, "{}" }, { RESUME, NULL, 9 } },
	  { "connect", "D" },
	  EXIT_OK,
	  "|+$OK#9a",
	  ASKS_POINTS RESUME M1 },
	{ "it stands when its debugger wants that",
	  "image",
	  { OURS, { POINTS, "{}" }, { DELETE, "{}" } },
	  { "connect", "qRcmd,6f6e2d646574616368207061757365", "D", "connect",
	    "k" },
	  EXIT_OK,
	  "|+$OK#9a+$OK#9a|+",
	  ASKS_POINTS DELETE M1 },
	{ "how it ended cannot be asked",
	  "image",
	  { OURS, ALONE, { WATCH, ENDED }, { GET, NULL, 5 } },
	  { "connect", "vCont;c" },
	  EXIT_NOT_FOUND,
	  "|+$W07#be",
	  ASKS_POINTS RESUME M1 WATCH M1 GET M1,
	  "",
	  "pmuctl: refused\n" },
	{ "a signal ends it",
	  "image",
	  { OURS },
	  { "term" },
	  EXIT_SIGNAL + SIGTERM,
	  "",
	  "" },
	{ "its console has nowhere to go",
	  "image",
	  { OURS, { CONSOLE, "" }, { CONSOLE, "{'data':'x'}" } },
	  { "full" },
	  EXIT_FAILED,
	  "",
	  "",
	  "",
	  "pmuctl: cannot write to standard output\n" },
	{ "its console breaks",
	  "image",
	  { OURS, { CONSOLE, NULL, CANNED_LOST } },
	  { NULL },
	  EXIT_UNREACHABLE,
	  "",
	  "",
	  "",
	  "pmuctl: refused\n" },
	/* one that is there: it goes on */
	{ "a debugger that hangs up while it runs leaves it standing",
	  "-m m1",
	  { THERE, ALONE, { WATCH, "" }, { WATCH, ENDED }, { PAUSE, STANDS } },
	  { "connect", "vCont;c", "close", "", "connect", "qC", "D" },
	  EXIT_OK,
	  "|+|+$QC1#c5+$OK#9a",
	  ASKS_POINTS RESUME M1 WATCH M1 PAUSE M1 RESUME M1 },
	{ "one that hangs up before it is answered, too",
	  "-m m1",
	  { THERE, ALONE },
	  { "connect", "hasty", "connect", "D" },
	  EXIT_OK,
	  "||+$OK#9a",
	  ASKS_POINTS RESUME M1 },
	{ "a signal lets it go on",
	  "-m m1",
	  { THERE, ALONE },
	  { "connect", "int" },
	  EXIT_SIGNAL + SIGINT,
	  "|",
	  ASKS_POINTS RESUME M1 },
	{ "or stand, if that was said",
	  "-m m1 --paused",
	  { THERE, { POINTS, "{}" } },
	  { "connect", "hup" },
	  EXIT_SIGNAL + SIGHUP,
	  "|",
	  ASKS_POINTS },
	{ "another user is turned away",
	  "-m m1 --paused",
	  { THERE, { POINTS, "{}" } },
	  { "stranger", "", "connect", "D" },
	  EXIT_OK,
	  "||+$OK#9a",
	  ASKS_POINTS },
	{ "one debugger at a time: the next one waits",
	  "-m m1 --paused",
	  { THERE, { POINTS, "{}" } },
	  { "connect", "second", "qC", "", "first", "", "", "D" },
	  EXIT_OK,
	  "|||+$QC1#c5+$OK#9a",
	  ASKS_POINTS },
	/* what wakes it for nothing */
	{ "a wait that fails, or has nothing, changes nothing",
	  "-m m1 --paused",
	  { THERE, { POINTS, "{}" } },
	  { "broken", "lies", "connect", "broken", "lies", "D" },
	  EXIT_OK,
	  "|+$OK#9a",
	  ASKS_POINTS },
	{ "the daemon goes while nothing is asked of it",
	  "-m m1",
	  { THERE, { "pump", NULL, CANNED_LOST } },
	  { "connect" },
	  EXIT_GONE,
	  "|",
	  "",
	  "",
	  "pmuctl: refused\n" },
};

static int run(const char *const *acts, const struct canned *calls,
	       const char *words)
{
	char line[64];
	int code;

	peer.next = acts;
	canned_begin(calls);
	snprintf(line, sizeof(line), "gdb --listen socket %s", words);
	code = canned_run(line);
	__fpurge(stdout); /* of what could not be printed */
	hear();
	hang_up(&peer.fd);
	hang_up(&peer.first);
	return code;
}

static const char *behind(const char *text, const char *what)
{
	const char *at = text;

	for (const char *p = text; (p = strstr(p, what)); p++)
		at = p + strlen(what);
	return at;
}

TEST_ROWS(debuggers_come_and_go, rows)
{
	const struct peers_row *row = &rows[_i];
	int code = run(row->acts, row->calls, row->line);

	ck_assert_ptr_null(*peer.next);
	ck_assert_str_eq(behind(canned_err(), "target remote socket\n"),
			 row->err ? row->err : "");
	ck_assert_str_eq(peer.heard, row->heard);
	ck_assert_str_eq(canned_out(), row->out ? row->out : "");
	ck_assert_str_eq(behind(canned_asked(), "'hart':0}\n"), row->asked);
	ck_assert_int_eq(code, row->code);
	ck_assert_int_eq(access("socket", F_OK), -1);
}

/* Nothing more is asked of one that does not take its answers. */
TEST(a_debugger_takes_its_time)
{
	static const struct canned calls[] = {
		THERE, { READ, NULL, 9 }, { DELETE, NULL, 9 }, { 0 }
	};
	static const char *const acts[] = { "connect", "ask",  "m0,4", "k",
					    "",	       "hear", NULL };

	ck_assert_int_eq(run(acts, calls, "-m m1"), EXIT_FAILED);
	ck_assert_uint_eq(peer.answers, MANY + 1);
	ck_assert_str_eq(behind(canned_asked(), "'virtual':true}\n"),
			 DELETE M1);
}

TEST(signals_cannot_be_waited_for)
{
	static const struct canned calls[] = { { 0 } };
	static const char *const acts[] = { NULL };

	peer.no_signals = true;
	ck_assert_int_eq(run(acts, calls, "-m m1"), EXIT_FAILED);
	ck_assert_str_eq(canned_err(), "pmuctl: cannot wait for signals: Too "
				       "many open files\n");
	ck_assert_str_eq(canned_asked(), "");
}

static void setup(void)
{
	memset(&peer, 0, sizeof(peer));
	peer.fd = peer.first = -1;
	canned_samples_begin();
}

SUITE("cli-gdb-peers", .fork = true, .setup = setup,
      .teardown = canned_samples_end);
