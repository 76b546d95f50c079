/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What breaks while a run, records or a sampling are followed: the connection,
 * the files that are written, the wait itself. What came before that is kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define CONSOLE "MachineService/ReadConsole"
#define WATCH	"MachineService/WatchMachine"
#define RECORDS "TraceService/StreamRecords"
#define SAMPLE	"TraceService/SampleEvents"
#define ENDED	"{'machine':{'id':'m1','state':5,'cause':1}}"
#define MUCH                                                                   \
	"{'batch':{'records':[{'console_output':{'data':'@much'}},{'"          \
	"console_output':{'data':'@much'}}]}}"
#define RUN                                                                    \
	{ "MachineService/CreateMachine", "{'machine':{'id':'m1'}}" },         \
		{ "load", "{}" }, { "MachineService/StartMachine", "{}" },     \
	{                                                                      \
		"MachineService/WriteConsole", "{}"                            \
	}
#define RECORD                                                                 \
	{ "EventService/ListEvents",                                           \
	  "{'events':[{'name':'cycles','selector':1,'kind':1}]}" },            \
		{ "MachineService/GetMachine", "{'machine':{'state':2}}" },    \
	{                                                                      \
		SAMPLE, "{'begun':{'session':4,'header':{'version':1,"         \
			"'samples_only':true}}}"                               \
	}
#define HEADERS                                                                \
	{ RECORDS, "{'header':{'xlen':32}}" },                                 \
	{                                                                      \
		RECORDS, "{'header':{'xlen':32}}"                              \
	}
#define MONITOR                                                                \
	{                                                                      \
		"MachineService/GetMachine", "{'machine':{'state':2}}"         \
	}
#define RESUME                                                                 \
	{                                                                      \
		"MachineService/ResumeMachine", "{'machine':{}}"               \
	}
#define TRAP "{'batch':{'records':[{'cycle':7,'privilege':2,'trap':{}}]}}"
#define SAYS_TRAP                                                              \
	"           7    0    S 0x00000000 trap 0 (instruction address "       \
	"misaligned) "                                                         \
	"to the firmware\n"
#define LOST                                                                   \
	{                                                                      \
		"pump", NULL, CANNED_LOST                                      \
	}

/* The linker sends these calls of the commands here (--wrap). */
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
int __real_signalfd(int fd, const sigset_t *mask, int flags);
int __wrap_signalfd(int fd, const sigset_t *mask, int flags);

/*
 * For each poll(): '.' that it is, 'e' that it fails, and what it leaves means
 * nothing, 't' SIGTERM comes.
 */
static const char *polls;
static bool no_signals;
static int full = -1; /* what stdout is then, else -1 */

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	ck_assert_msg(*polls, "it waits for more: %s", canned_asked());
	if (*polls == 't')
		kill(getpid(), SIGTERM);
	if (*polls++ != 'e')
		return __real_poll(fds, n, timeout);
	for (nfds_t i = 0; i < n; i++)
		fds[i].revents = POLLIN;
	errno = EINTR;
	return -1;
}

int __wrap_signalfd(int fd, const sigset_t *mask, int flags)
{
	if (full >= 0)
		dup2(full, STDOUT_FILENO);
	if (!no_signals)
		return __real_signalfd(fd, mask, flags);
	errno = EMFILE;
	return -1;
}

static const struct follow_row {
	const char *line;
	struct canned calls[CANNED_MAX];
	const char *polls;
	int code;
	const char *out, *err;
} rows[] = {
	{ "run --batch image",
	  { RUN, { CONSOLE, "{'data':'so far'}" }, { WATCH, "" }, LOST },
	  ".",
	  EXIT_GONE,
	  "so far",
	  "pmuctl: refused\n" },
	{ "run --batch image",
	  { RUN, { WATCH, "" }, { WATCH, ENDED }, LOST },
	  "e",
	  EXIT_OK,
	  "",
	  "" },
	{ "run --batch image",
	  { RUN, { WATCH, "" } },
	  "t",
	  EXIT_SIGNAL + SIGTERM,
	  "",
	  "" },
	{ "run --batch image",
	  { RUN, { CONSOLE, "{'data':'hello'}" }, { WATCH, ENDED } },
	  "",
	  EXIT_OK,
	  "hello",
	  "" },
	/* the machine's files */
	{ "run --batch --serial /dev/full image",
	  { RUN,
	    { CONSOLE, "" },
	    { CONSOLE, "{'data':'hello'}" },
	    { WATCH, ENDED } },
	  "",
	  EXIT_FAILED,
	  "",
	  "pmuctl: /dev/full: No space left on device\n" },
	{ "run --batch --trace /dev/full image",
	  { RUN, { RECORDS, "{'header':{}}" }, { RECORDS, MUCH } },
	  "",
	  EXIT_FAILED,
	  "",
	  "pmuctl: /dev/full: No space left on device\n" },
	{ "run --batch --trace out image",
	  { RUN, { RECORDS, "{'lost':2}" } },
	  "",
	  EXIT_FAILED,
	  "",
	  "pmuctl: out: 2 records are lost\n" },
	/* records that are looked at */
	{ "trace follow --no-headings -m m1",
	  { HEADERS, { RECORDS, "" }, { RECORDS, TRAP } },
	  "t",
	  EXIT_SIGNAL + SIGTERM,
	  SAYS_TRAP,
	  "" },
	{ "trace follow --no-headings -m m1",
	  { HEADERS, { RECORDS, "" }, { RECORDS, TRAP }, LOST },
	  ".",
	  EXIT_UNREACHABLE,
	  SAYS_TRAP,
	  "pmuctl: refused\n" },
	{ "monitor --no-headings -m m1",
	  { MONITOR, HEADERS, { RECORDS, TRAP }, { RECORDS, "" }, LOST },
	  "e",
	  EXIT_OK,
	  SAYS_TRAP,
	  "" },
	/* a file is whole then */
	{ "monitor -m m1 -o out",
	  { MONITOR, HEADERS, { RECORDS, "" }, { RECORDS, TRAP } },
	  "t",
	  EXIT_SIGNAL + SIGTERM,
	  "",
	  "" },
	{ "monitor -m m1 -o out",
	  { MONITOR, HEADERS, { RECORDS, "" }, LOST },
	  ".",
	  EXIT_UNREACHABLE,
	  "",
	  "pmuctl: refused\n"
	  "pmuctl: out is not complete\n" },
	{ "monitor --no-headings -- run --batch image",
	  { RUN,
	    RESUME,
	    HEADERS,
	    { RECORDS, "" },
	    { RECORDS, TRAP },
	    { WATCH, "" } },
	  "t",
	  EXIT_SIGNAL + SIGTERM,
	  "",
	  SAYS_TRAP },
	{ "monitor --no-headings -- run --batch image",
	  { RUN,
	    RESUME,
	    HEADERS,
	    { RECORDS, "" },
	    { RECORDS, TRAP },
	    { WATCH, "" },
	    LOST },
	  ".",
	  EXIT_GONE,
	  "",
	  "pmuctl: refused\n" SAYS_TRAP },
	/* samplings */
	{ "record -m m1 -e cycles -c 100 -o out",
	  { RECORD, { SAMPLE, "" }, LOST },
	  ".",
	  EXIT_UNREACHABLE,
	  "",
	  "pmuctl: sampling from cycle 0 on; Ctrl-C ends it\n"
	  "pmuctl: refused\n"
	  "pmuctl: out is not complete\n" },
	{ "record -m m1 -e cycles -c 100 -o out",
	  { RECORD, { SAMPLE, "" }, { SAMPLE, "{}" }, LOST },
	  "e",
	  EXIT_OK,
	  "",
	  "pmuctl: sampling from cycle 0 on; Ctrl-C ends it\n" },
};

static void put_much(void)
{
	FILE *out = fopen("much", "w");

	PREPARING(ck_assert_ptr_nonnull(out));
	fprintf(out, "%9000s", "");
	fclose(out);
}

TEST_ROWS(what_is_followed_may_break, rows)
{
	const struct follow_row *row = &rows[_i];
	int code;

	put_much();
	polls = row->polls;
	canned_begin(row->calls);
	code = canned_run(row->line);
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_str_eq(canned_out(), row->out);
	ck_assert_int_eq(code, row->code);
	ck_assert_str_eq(polls, "");
}

/* The trace has what came in the call that broke it. */
TEST(records_that_came_are_kept)
{
	static const struct canned calls[] = {
		RUN,
		{ RECORDS, "{'header':{'version':1}}" },
		{ RECORDS, "" },
		{ RECORDS, "{'batch':{'records':[{'cycle':7,'trap':{}}]}}" },
		{ WATCH, "" },
		LOST,
		{ 0 }
	};

	polls = ".";
	canned_begin(calls);
	ck_assert_int_eq(canned_run("run --batch --trace out image"),
			 EXIT_GONE);
	ck_assert_int_eq(canned_run("trace show out"), EXIT_OK);
	ck_assert_ptr_nonnull(strstr(canned_out(), "trap"));
}

/* Said once, though two see it. */
TEST(a_full_stdout_ends_a_run)
{
	static const struct canned calls[] = {
		RUN, { CONSOLE, "{'data':'hello'}" }, { WATCH, "" }, { 0 }
	};

	full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	PREPARING(ck_assert_int_ge(full, 0));
	polls = "";
	canned_begin(calls);
	ck_assert_int_eq(canned_run("run --batch image"), EXIT_FAILED);
	__fpurge(stdout);
	clearerr(stdout);
	close(full);
	full = -1;
	ck_assert_str_eq(canned_err(),
			 "pmuctl: cannot write to standard output\n");
}

TEST_TIMES(signals_cannot_be_waited_for, 3)
{
	static const struct canned calls[][5] = { { RUN, { 0 } },
						  { RECORD, { 0 } },
						  { HEADERS, { 0 } } };
	static const char *const lines[] = {
		"run --batch image", "record -m m1 -e cycles -c 100 -o out",
		"trace follow --no-headings -m m1"
	};

	no_signals = true;
	polls = "";
	canned_begin(calls[_i]);
	ck_assert_int_eq(canned_run(lines[_i]), EXIT_FAILED);
	ck_assert_str_eq(canned_err(), "pmuctl: cannot wait for signals: Too "
				       "many open files\n");
	no_signals = false;
}

SUITE("cli-follow", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
