/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmuctl makes of a daemon's answers, of those too that a daemon seldom
 * gives: it has no room for input now, or a trace has no header.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd-live.h"
#include "cmd/command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "fake-daemon.h"
#include "session/follow.h"
#include "pmu/v1/traces.pb-c.h"
#include "unit.h"
#include "session/private.h"
#include "session/wait.h"

/* From main(). */
const char *argp_program_version = "test";

static struct fake_daemon *shared;
static pid_t pid;
static int client_fd;
static struct args args;
static const char *peer; /* NULL: the fake one, whatever is asked for */
static bool no_memory;	 /* for a client */

int __wrap_pmuclient_adopt(struct pmuclient **ret, int fd);
int __real_pmuclient_adopt(struct pmuclient **ret, int fd);
int __wrap_pmuclient_connect(struct pmuclient **ret, const char *address);
int __real_pmuclient_connect(struct pmuclient **ret, const char *address);

int __wrap_pmuclient_adopt(struct pmuclient **ret, int fd)
{
	*ret = NULL;
	return no_memory ? -PMUCLIENT_ENOMEM : __real_pmuclient_adopt(ret, fd);
}

int __wrap_pmuclient_connect(struct pmuclient **ret, const char *address)
{
	return peer ? __real_pmuclient_connect(ret, peer)
		    : __wrap_pmuclient_adopt(ret, client_fd);
}

/* The fake one is the private one, too, or there is none. */
static int private_err;

int __wrap_private_start(struct private_daemon *p, bool traced, int *ret_fd);

int __wrap_private_start(struct private_daemon *p, bool traced, int *ret_fd)
{
	*ret_fd = private_err ? -1 : client_fd;
	return private_err == -EBADF ? 0 : private_err;
}

static void run_daemon(int fd, int memory)
{
	char program[] = FAKE_DAEMON;
	char *argv[] = { program, NULL };

	if (dup2(fd, FAKE_SOCKET) == FAKE_SOCKET &&
	    dup2(memory, FAKE_MEMORY) == FAKE_MEMORY)
		execv(program, argv);
	_exit(127);
}

static void setup(void)
{
	int memory = memfd_create("shared", 0), pair[2];

	PREPARING(ck_assert(!ftruncate(memory, sizeof(*shared))));
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      memory, 0);
	PREPARING(ck_assert_ptr_ne(shared, MAP_FAILED));
	PREPARING(ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair)));
	/* above the numbers that the daemon wants them at */
	PREPARING(ck_assert_int_eq(dup2(pair[1], 20), 20));
	PREPARING(ck_assert_int_eq(dup2(memory, 21), 21));
	PREPARING(ck_assert_int_eq(dup2(pair[0], 22), 22));
	close(pair[0]);
	close(pair[1]);
	close(memory);
	client_fd = 22;
	fcntl(client_fd, F_SETFD, FD_CLOEXEC);
	pid = fork();
	if (pid == 0)
		run_daemon(20, 21);
	close(20);
	close(21);
	args_init(&args);
}

static void teardown(void)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	munmap(shared, sizeof(*shared));
}

static struct pmud *open_conn(void)
{
	struct pmud *s = NULL;

	PREPARING(ck_assert_int_eq(pmud_open(&s, &args, false), EXIT_OK));
	return s;
}

/* From now on @text, and no more, is what comes on standard input. */
static void type(const char *text)
{
	int fds[2];

	PREPARING(ck_assert(!pipe(fds)));
	PREPARING(ck_assert_int_eq(write(fds[1], text, strlen(text)),
				   (ssize_t)strlen(text)));
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
}

/* What has been said on standard error since the last time. */
static char *said(void)
{
	static char text[4096];
	static int fd = -1;
	ssize_t n;

	fflush(stderr);
	if (fd < 0) {
		FILE *f = tmpfile();

		PREPARING(ck_assert_ptr_nonnull(f));
		fd = fileno(f);
		dup2(fd, STDERR_FILENO);
	}
	lseek(fd, 0, SEEK_SET);
	n = read(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	if (ftruncate(fd, 0))
		text[0] = '\0';
	lseek(fd, 0, SEEK_SET);
	return text;
}

static const struct header_row {
	const char *machine;
	int code;
	const char *says;
} header_rows[] = {
	{ "header", EXIT_OK, "" },
	{ "lost", EXIT_FAILED, "pmuctl: the trace of lost has no header\n" },
	{ "nothing", EXIT_FAILED,
	  "pmuctl: the trace of nothing has no header\n" },
};

TEST_ROWS(a_trace_without_a_header_is_told, header_rows)
{
	const struct header_row *row = &header_rows[_i];
	struct live_view view = { &args, stdout };
	struct pmud *s = open_conn();
	int code;

	args.machine = (char *)row->machine;
	said();
	code = live_view_open(&view, s);
	ck_assert_str_eq(said(), row->says);
	ck_assert_int_eq(code, row->code);
	live_view_close(&view);
	pmud_close(s);
}

static const struct input_row {
	const char *machine;
	bool eof;
	unsigned full, eofs;
	const char *input;
	int code;
} input_rows[] = {
	{ "m1", false, 0, 0, "hello", EXIT_OK },
	{ "m1", true, 0, 1, "hello", EXIT_OK },
	{ "m2", false, 0, 0, "", EXIT_NOT_FOUND },
	{ "m2", true, 0, 0, "", EXIT_NOT_FOUND },
	{ "m1", true, 1, 0, "", EXIT_FAILED },
};

TEST_ROWS(input_ends_if_that_is_said, input_rows)
{
	const struct input_row *row = &input_rows[_i];
	struct pmud *s = open_conn();

	said();
	type("hello");
	shared->full = row->full;
	args.arg[0] = (char *)row->machine;
	args.eof = row->eof;
	ck_assert_int_eq(cmd_input(s, &args), row->code);
	ck_assert_uint_eq(shared->eofs, row->eofs);
	ck_assert_uint_eq(shared->n, strlen(row->input));
	ck_assert_mem_eq(shared->input, row->input, shared->n);
	pmud_close(s);
}

/* What is refused for want of room comes later, in its order, and once. */
TEST_TIMES(input_waits_until_there_is_room, 3)
{
	struct follow_config cfg = { .machine = "m1", .input = true };
	enum follow_end end = FOLLOW_CUT;
	struct follow *f;

	type("hello");
	shared->full = 3 * _i;
	cfg.pmud = open_conn();
	ck_assert_int_eq(follow_open(&f, &cfg), EXIT_OK);
	ck_assert_int_eq(follow_run(f, &end), 7);
	ck_assert_int_eq(end, FOLLOW_ENDED);
	ck_assert_str_eq(shared->input, "hello");
	ck_assert_uint_eq(shared->eofs, 1);
	ck_assert_uint_eq(shared->full, 0);
	follow_close(f);
	pmud_close(cfg.pmud);
}

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name
#define CAUSE(name) PMU__V1__STOP_CAUSE__STOP_CAUSE_##name

static const struct exit_row {
	const char *says, *detail;
	Pmu__V1__MachineState state;
	Pmu__V1__StopCause cause;
	int exit_code, code;
} exit_rows[] = {
	{ "", "", STATE(ENDED), CAUSE(SHUTDOWN), 0, 0 },
	{ "", "", STATE(ENDED), CAUSE(FINISHER_PASS), 0, 0 },
	{ "", "", STATE(ENDED), CAUSE(FINISHER_FAIL), 42, 42 },
	{ "", "", STATE(ENDED), CAUSE(HTIF), 7, 7 },
	{ "pmuctl: the run ended: max-insns\n", "", STATE(ENDED),
	  CAUSE(MAX_INSNS), 124, 124 },
	{ "pmuctl: the run ended: deadlock: nothing will happen\n",
	  "nothing will happen", STATE(ENDED), CAUSE(DEADLOCK), 125, 125 },
	/* what does not fit into 8 bits is no success for that */
	{ "", "", STATE(ENDED), CAUSE(FINISHER_FAIL), 0x100, EXIT_FAILED },
	{ "", "", STATE(ENDED), CAUSE(FINISHER_FAIL), 0x102, 2 },
	{ "", "", STATE(PAUSED), CAUSE(UNSPECIFIED), 42, EXIT_OK },
	{ "pmuctl: machine m1: signal 9\n", "signal 9", STATE(CRASHED),
	  CAUSE(CRASH), 126, 126 },
	{ "pmuctl: machine m1: signal 9\n", "signal 9", STATE(CRASHED),
	  CAUSE(CRASH), 0, EXIT_FAILED },
};

TEST_ROWS(the_end_of_a_machine_is_told_and_has_a_code, exit_rows)
{
	const struct exit_row *row = &exit_rows[_i];
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;
	int code;

	m.id = (char *)"m1";
	m.state = row->state;
	m.cause = row->cause;
	m.exit_code = row->exit_code;
	m.detail = (char *)row->detail;
	said();
	code = wait_exit_code(&m);
	ck_assert_str_eq(said(), row->says);
	ck_assert_int_eq(code, row->code);
}

/* How a command comes to a daemon. */
static const struct open_row {
	const char *address, *peer; /* NULL: not named; the daemon is there */
	int start_err, code;
	bool stays, no_memory; /* only one that stays will do */
	const char *says;
} open_rows[] = {
	{ .address = "private" },
	{ .address = NULL },
	/* a private one is for who has named none */
	{ .peer = "/nowhere" },
	{ .address = "", .peer = "/nowhere" },
	{ .address = "/nowhere",
	  .peer = "/nowhere",
	  .code = EXIT_UNREACHABLE,
	  .says = "cannot reach pmud at /nowhere: No such file or directory" },
	{ .peer = "/nowhere",
	  .stays = true,
	  .code = EXIT_UNREACHABLE,
	  .says = "cannot reach pmud at /nowhere: No such file or directory\n"
		  "pmuctl: `pmud &' starts one that stays" },
	{ .address = "private",
	  .stays = true,
	  .code = EXIT_UNREACHABLE,
	  .says = "a private pmud ends with its command: this command needs "
		  "one that stays" },
	{ .peer = "nowhere",
	  .code = EXIT_USAGE,
	  .says = "'nowhere' is neither unix:///PATH nor /PATH nor "
		  "tcp://127.0.0.1:PORT" },
	{ .address = "private",
	  .start_err = -ENOENT,
	  .code = EXIT_UNREACHABLE,
	  .says = "cannot start a private pmud: No such file or directory" },
	{ .peer = "/nowhere",
	  .start_err = -ENOENT,
	  .code = EXIT_UNREACHABLE,
	  .says = "cannot start a private pmud: No such file or directory" },
	/* it has no socket for us */
	{ .address = "private",
	  .start_err = -EBADF,
	  .code = EXIT_USAGE,
	  .says = "descriptor -1: Bad file descriptor" },
	{ .address = "private",
	  .no_memory = true,
	  .code = EXIT_FAILED,
	  .says = "connection to pmud: out of memory" },
	{ .no_memory = true,
	  .code = EXIT_FAILED,
	  .says = "connection to pmud: out of memory" },
};

TEST_ROWS(a_daemon_is_found_or_it_is_said_why_not, open_rows)
{
	const struct open_row *row = &open_rows[_i];
	struct pmud *s = NULL;
	char says[200] = "";
	int code;

	unsetenv("PMUD_ADDRESS");
	args.address = row->address;
	peer = row->peer;
	private_err = row->start_err;
	said();
	no_memory = row->no_memory;
	code = pmud_open(&s, &args, !row->stays);
	no_memory = false;
	peer = NULL;
	if (row->says)
		snprintf(says, sizeof(says), "pmuctl: %s\n", row->says);
	ck_assert_str_eq(said(), says);
	ck_assert_int_eq(code, row->code);
	ck_assert_int_eq(!s, code != EXIT_OK);
	if (s)
		ck_assert_int_eq(pmuclient_fd(pmud_client(s)), client_fd);
	pmud_close(s);
}

/* What became of a call, and the code of the command that made it. */
static const struct fail_row {
	enum pmuclient_errno err;
	int code;
} fail_rows[] = {
	{ PMUCLIENT_EINVAL, EXIT_USAGE },
	{ PMUCLIENT_ENOMEM, EXIT_FAILED },
	{ PMUCLIENT_ECONNECT, EXIT_UNREACHABLE },
	{ PMUCLIENT_ELOST, EXIT_UNREACHABLE },
	{ PMUCLIENT_EPROTO, EXIT_FAILED },
	{ PMUCLIENT_ETIMEOUT, EXIT_TIMEOUT },
	{ PMUCLIENT_ESTATE, EXIT_FAILED },
	{ PMUCLIENT_ERPC, EXIT_FAILED }, /* of a status without its own */
};

TEST_ROWS(a_call_that_fails_is_told_and_has_a_code, fail_rows)
{
	struct pmud *s = open_conn();
	struct pmuclient_stream *none;
	char method[150] = "", says[200];
	int code;

	/* a method that cannot be: the last words of the client's */
	memset(method, 'x', sizeof(method) - 1);
	snprintf(says, sizeof(says), "pmuctl: no method '%s'\n", method);
	ck_assert_int_lt(pmuclient_begin(pmud_client(s), method, NULL, &none),
			 0);
	said();
	code = pmud_fail(s, -(int)fail_rows[_i].err);
	ck_assert_str_eq(said(), says);
	ck_assert_int_eq(code, fail_rows[_i].code);
	pmud_close(s);
}

SUITE("cli-daemon", .setup = setup, .teardown = teardown);
