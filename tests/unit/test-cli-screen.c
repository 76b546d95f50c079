/* SPDX-License-Identifier: BSD-2-Clause */
/* What is only there on a terminal: the line of progress, pages, raw keys. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "canned-answers.h"
#include "cmd/args.h"
#include "session/pmud.h"
#include "session/progress.h"
#include "text/pager.h"
#include "text/report.h"
#include "text/terminal.h"
#include "text/tty.h"
#include "unit.h"

static struct args args;
static struct pmud *pmud;
static int screen, keys; /* the two sides of a terminal */
static int before[2];	 /* standard output and error */
static uint64_t now;	 /* ms */

/* Of the calls that make a pager, the one that fails, and with what. */
enum pager_call {
	NONE,
	PIPE,
	ACTIONS,
	ATTRIBUTES,
	DUP
};

static enum pager_call failing;
static int pager_error;

int __real_pipe2(int fds[2], int flags);
int __wrap_pipe2(int fds[2], int flags);
int __real_dup2(int from, int to);
int __wrap_dup2(int from, int to);
int __real_posix_spawn_file_actions_init(posix_spawn_file_actions_t *ret);
int __wrap_posix_spawn_file_actions_init(posix_spawn_file_actions_t *ret);
int __real_posix_spawnattr_init(posix_spawnattr_t *ret);
int __wrap_posix_spawnattr_init(posix_spawnattr_t *ret);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret);

static bool fails(enum pager_call call)
{
	if (failing != call)
		return false;
	errno = pager_error;
	return true;
}

int __wrap_pipe2(int fds[2], int flags)
{
	return fails(PIPE) ? -1 : __real_pipe2(fds, flags);
}

int __wrap_dup2(int from, int to)
{
	return fails(DUP) ? -1 : __real_dup2(from, to);
}

int __wrap_posix_spawn_file_actions_init(posix_spawn_file_actions_t *ret)
{
	return fails(ACTIONS) ? pager_error
			      : __real_posix_spawn_file_actions_init(ret);
}

int __wrap_posix_spawnattr_init(posix_spawnattr_t *ret)
{
	return fails(ATTRIBUTES) ? pager_error
				 : __real_posix_spawnattr_init(ret);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
	ret->tv_sec = (time_t)(now / 1000);
	ret->tv_nsec = (long)(now % 1000 * 1000000);
	return 0;
}

static void setup(void)
{
	struct winsize size = { .ws_row = 10, .ws_col = 80 };

	screen = posix_openpt(O_RDWR | O_NOCTTY);
	PREPARING(ck_assert(screen >= 0 && !grantpt(screen) &&
			    !unlockpt(screen)));
	keys = open(ptsname(screen), O_RDWR | O_NOCTTY);
	PREPARING(ck_assert(keys >= 0 && !ioctl(keys, TIOCSWINSZ, &size)));
	args_init(&args);
	PREPARING(ck_assert_int_eq(pmud_open(&pmud, &args, false), 0));
	now = 5000;
}

static void teardown(void)
{
	pmud_close(pmud);
	close(keys);
	close(screen);
}

/* Standard error, and if @both output, too, on the terminal. */
static void enter(bool both)
{
	fflush(stdout);
	before[0] = dup(STDOUT_FILENO);
	before[1] = dup(STDERR_FILENO);
	dup2(keys, STDERR_FILENO);
	if (both)
		dup2(keys, STDOUT_FILENO);
	tty_setup(&args);
}

/* Back again; returns what is on the terminal since the last time. */
static const char *leave(void)
{
	static char text[4096];
	size_t len = 0;

	fflush(stdout);
	dup2(before[0], STDOUT_FILENO);
	dup2(before[1], STDERR_FILENO);
	close(before[0]);
	close(before[1]);
	/* what was written arrives later, in its order: up to a mark */
	PREPARING(ck_assert_int_eq(write(keys, "\032", 1), 1));
	while (len < sizeof(text) && read(screen, text + len, 1) == 1 &&
	       text[len] != '\032')
		len++;
	text[len < sizeof(text) ? len : 0] = '\0';
	return text;
}

#define LIST	 "MachineService/ListMachines"
#define SETTINGS "MachineService/ListSettings"
#define GONE	 "\r\033[K"

static const struct progress_row {
	struct canned calls[3];
	const char *shown;
} progress_rows[] = {
	{ { { LIST, "{'machines':[{'id':'m2','insn':9},{'id':'m1','insn':"
		    "3000000,'cycle':2000000,'config':{'settings':"
		    "[{'key':'clock-hz','value':'1000000'}]}}]}" } },
	  "\r3000000 instructions, 3.0 MIPS, 2.000 s of guest "
	  "time\033[K" GONE },
	/* the clock is the default's */
	{ { { LIST, "{'machines':[{'id':'m1','insn':500000,'cycle':1}]}" },
	    { SETTINGS, "{'settings':[{'key':'cpi','default_value':'7'},"
			"{'key':'clock-hz','default_value':'10'}]}" } },
	  "\r500000 instructions, 0.5 MIPS, 0.100 s of guest time\033[K" GONE },
	/* or is not known */
	{ { { LIST, "{'machines':[{'id':'m1'}]}" }, { SETTINGS, NULL, 5 } },
	  "\r0 instructions, 0.0 MIPS\033[K" GONE },
	{ { { LIST, "{'machines':[{'id':'m2'}]}" } }, "" },
	{ { { LIST, NULL, 5 } }, "" },
};

TEST_ROWS(progress_is_a_line, progress_rows)
{
	struct progress *p;
	const char *shown;
	int first, second;

	canned_begin(progress_rows[_i].calls);
	enter(false);
	p = progress_new(pmud, "m1");
	first = progress_timeout(p);
	progress_show(p);
	now += 1000;
	second = progress_timeout(p);
	progress_show(p);
	progress_free(p);
	shown = leave();
	ck_assert_int_eq(first, 1000);
	ck_assert_int_eq(second, 0);
	ck_assert_str_eq(shown, progress_rows[_i].shown);
}

/* Each line's MIPS are those since the last one. */
TEST(progress_tells_how_fast_it_is_now)
{
	static const struct canned calls[] = {
		{ LIST, "{'machines':[{'id':'m1','insn':3000000,'config':{"
			"'settings':[{'key':'clock-hz','value':'10'}]}}]}" },
		{ LIST, "{'machines':[{'id':'m1','insn':4000000,'cycle':5}]}" },
		{ LIST, "{'machines':[{'id':'m1','insn':4000000}]}" },
		{ 0 },
	};
	struct progress *p;

	canned_begin(calls);
	enter(false);
	p = progress_new(pmud, "m1");
	for (unsigned i = 1; i <= 3; i++) {
		now += 1000 * i;
		progress_show(p);
	}
	progress_free(p);
	ck_assert_str_eq(leave(),
			 "\r3000000 instructions, 3.0 MIPS, 0.000 s of guest "
			 "time\033[K"
			 "\r4000000 instructions, 0.5 MIPS, 0.500 s of guest "
			 "time\033[K"
			 "\r4000000 instructions, 0.0 MIPS, 0.000 s of guest "
			 "time\033[K" GONE);
}

/* The guest is in the middle of a line on the same terminal. */
TEST(progress_waits_for_the_end_of_a_line)
{
	struct progress *p;
	int timeouts[4];

	canned_begin(progress_rows[2].calls);
	enter(true);
	p = progress_new(pmud, "m1");
	progress_output(p, (const uint8_t *)"a", 1);
	timeouts[0] = progress_timeout(p);
	now += 1500;
	progress_show(p);
	progress_output(p, (const uint8_t *)"", 0);
	timeouts[1] = progress_timeout(p);
	progress_output(p, (const uint8_t *)"b\n", 2);
	timeouts[2] = progress_timeout(p);
	progress_show(p);
	now += 400;
	timeouts[3] = progress_timeout(p);
	progress_free(p);
	ck_assert_str_eq(leave(), progress_rows[2].shown);
	ck_assert_int_eq(timeouts[0], -1);
	ck_assert_int_eq(timeouts[1], -1);
	ck_assert_int_eq(timeouts[2], 0);
	ck_assert_int_eq(timeouts[3], 600);
}

TEST(nobody_sees_progress_without_a_terminal_or_quietly)
{
	struct progress *quiet;

	canned_capture();
	tty_setup(&args);
	ck_assert_ptr_null(progress_new(pmud, "m1"));
	canned_release();
	enter(true);
	report_notes(false);
	quiet = progress_new(pmud, "m1");
	report_notes(true);
	leave();
	ck_assert_ptr_null(quiet);
	ck_assert_int_eq(progress_timeout(NULL), -1);
	progress_output(NULL, (const uint8_t *)"a", 1);
	progress_show(NULL);
}

#define READER "sed s/^/page:/"

static const struct pager_row {
	const char *pager;
	size_t lines;
	bool refused, terminal;
	const char *shown;
} pager_rows[] = {
	{ READER, SIZE_MAX, false, true, "page:one\r\npage:two\r\n" },
	{ READER, 10, false, true, "page:one\r\npage:two\r\n" },
	{ READER, 9, false, true, "one\r\ntwo\r\n" },
	{ READER, SIZE_MAX, true, true, "one\r\ntwo\r\n" },
	{ READER, SIZE_MAX, false, false, "" },
	{ "", SIZE_MAX, false, true, "one\r\ntwo\r\n" },
	{ "cat", SIZE_MAX, false, true, "one\r\ntwo\r\n" },
	/* who reads no further has read enough */
	{ "exit 1", SIZE_MAX, false, true, "" },
};

TEST_ROWS(long_output_is_paged, pager_rows)
{
	const struct pager_row *row = &pager_rows[_i];
	const char *shown;
	bool ended;

	setenv("PAGER", row->pager, 1);
	pager_allow(!row->refused);
	canned_capture();
	enter(row->terminal);
	pager_begin(row->lines);
	pager_begin(row->lines);
	puts("one\ntwo");
	ended = pager_end();
	shown = leave();
	canned_release();
	ck_assert_str_eq(shown, row->shown);
	ck_assert_str_eq(canned_out(), row->terminal ? "" : "one\ntwo\n");
	ck_assert(ended);
}

static const struct no_pager_row {
	enum pager_call failing;
	int error;
} no_pager_rows[] = {
	{ PIPE, EMFILE },
	{ ACTIONS, ENOMEM },
	{ ATTRIBUTES, ENOMEM },
	{ DUP, EBUSY },
};

static bool is_plain(int number)
{
	struct sigaction act;

	return sigaction(number, NULL, &act) == 0 && act.sa_handler == SIG_DFL;
}

/* It is not asked for again, and Ctrl-C ends the command as ever. */
TEST_ROWS(without_a_pager_output_is_as_it_would_be, no_pager_rows)
{
	const struct no_pager_row *row = &no_pager_rows[_i];
	bool plain, ended, goes_on;
	char want[100];
	int open_fds = dup(STDIN_FILENO), then;

	close(open_fds);
	setenv("PAGER", READER, 1);
	pager_allow(true);
	clearerr(stdout); /* of who has read no further */
	canned_capture();
	enter(true);
	failing = row->failing;
	pager_error = row->error;
	pager_begin(SIZE_MAX);
	failing = NONE;
	plain = is_plain(SIGPIPE) && is_plain(SIGINT) && is_plain(SIGQUIT);
	pager_begin(SIZE_MAX);
	puts("one\ntwo");
	ended = pager_end();
	goes_on = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
	snprintf(want, sizeof(want), "pmuctl: no pager: %s\r\none\r\ntwo\r\n",
		 strerror(row->error));
	ck_assert_str_eq(leave(), want);
	canned_release();
	then = dup(STDIN_FILENO);
	close(then);
	ck_assert_int_eq(then, open_fds);
	ck_assert(plain && ended && goes_on);
	pager_allow(true);
}

TEST(a_full_disk_is_seen)
{
	int full = open("/dev/full", O_WRONLY);
	bool ended;

	canned_capture();
	dup2(full, STDOUT_FILENO);
	close(full);
	puts("one");
	ended = pager_end();
	clearerr(stdout);
	canned_release();
	ck_assert(!ended);
}

static tcflag_t modes(void)
{
	struct termios t;

	PREPARING(ck_assert(!tcgetattr(keys, &t)));
	return t.c_lflag & (ICANON | ECHO | ISIG);
}

TEST(a_terminal_is_raw_until_it_is_restored)
{
	struct termios cooked, raw, again;
	int file = open("/dev/null", O_RDONLY), in = dup(STDIN_FILENO);

	PREPARING(ck_assert(!tcgetattr(keys, &cooked)));
	terminal_restore();
	terminal_raw(file);
	close(file);
	ck_assert_uint_eq(modes(), ICANON | ECHO | ISIG);
	dup2(keys, STDIN_FILENO); /* as commands have it */
	terminal_raw(STDIN_FILENO);
	tcgetattr(keys, &raw);
	ck_assert_uint_eq(modes(), 0);
	ck_assert_uint_eq(raw.c_oflag, cooked.c_oflag);
	terminal_restore();
	tcgetattr(keys, &again);
	ck_assert_uint_eq(modes(), ICANON | ECHO | ISIG);
	ck_assert_uint_eq(again.c_iflag, cooked.c_iflag);
	/* SIGCONT: it goes on as it was wanted */
	raise(SIGCONT);
	ck_assert_uint_eq(modes(), 0);
	terminal_restore();
	ck_assert_uint_eq(modes(), ICANON | ECHO | ISIG);
	dup2(in, STDIN_FILENO);
	close(in);
}

static const int fatal[] = { SIGQUIT, SIGABRT, SIGPIPE };

/* A child that dies of the signal leaves the terminal as it was. */
TEST_ROWS(a_signal_restores_the_terminal, fatal)
{
	static const struct rlimit no_core;
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		/* whoever started the test may ignore it, and it stays so */
		signal(fatal[_i], SIG_DFL);
		terminal_raw(keys);
		raise(fatal[_i]);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), fatal[_i]);
	ck_assert_uint_eq(modes(), ICANON | ECHO | ISIG);
}

/* What a stop is to this test: it sees the terminal, and goes on. */
static unsigned stops;
static struct termios in_stop;

static void stands(int number)
{
	stops++;
	tcgetattr(keys, &in_stop);
	raise(SIGCONT);
}

/* Raw is what it was, and will be again, each time. */
TEST(a_stop_restores_the_terminal_until_it_goes_on)
{
	signal(SIGTSTP, stands);
	terminal_raw(keys);
	for (unsigned i = 1; i <= 2; i++) {
		in_stop.c_lflag = 0;
		raise(SIGTSTP);
		ck_assert_uint_eq(stops, i);
		ck_assert_uint_eq(in_stop.c_lflag & (ICANON | ECHO | ISIG),
				  ICANON | ECHO | ISIG);
		ck_assert_uint_eq(modes(), 0);
	}
	terminal_restore();
	signal(SIGTSTP, SIG_DFL);
}

SUITE("cli-screen", .setup = setup, .teardown = teardown);
