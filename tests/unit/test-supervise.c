/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/supervise.c with a process whose end takes long: nothing waits
 * for it but the loop, and the owner is told once.
 */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/child-inside.h"
#include "server/process.h"
#include "server/supervise.h"

#include "no-memory.h"

static struct ev_loop *loop;
static struct children *all;
static char program[] = "/tmp/supervise-XXXXXX";
static pid_t killed;	/* who was sent SIGKILL, and has not got it */
static unsigned waited; /* waitpid() that may sleep */
static unsigned ended, gone, answered;
static unsigned offered; /* records: nothing is whole, if @takes_none */
static bool takes_none;

int __wrap_kill(pid_t pid, int sig);
int __real_kill(pid_t pid, int sig);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
pid_t __real_waitpid(pid_t pid, int *status, int options);

/* A kernel that takes its time. */
int __wrap_kill(pid_t pid, int sig)
{
	killed = pid;
	return 0;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	waited += !(options & WNOHANG);
	return __real_waitpid(pid, status, options);
}

static ssize_t on_records(void *owner, const uint8_t *bytes, size_t len,
			  bool *ret_full)
{
	offered++;
	return takes_none ? 0 : (ssize_t)len;
}

static void on_flows(void *owner)
{
}

static void on_gone(void *owner, const char *why)
{
	gone++;
}

static void on_ended(void *owner)
{
	ended++;
}

static void on_reply(void *arg, const struct child_reply *reply)
{
	answered++;
}

static const struct child_ops ops = {
	.records = on_records,
	.flows = on_flows,
	.gone = on_gone,
};

static struct child *spawn(void)
{
	const struct child_config cfg = { .program = program, .ops = &ops };
	struct child *c;

	ck_assert_int_eq(child_spawn(&c, all, &cfg), 0);
	return c;
}

static void call(struct child *c)
{
	const struct child_request request = { .method = METHOD_ReadCsr };
	struct child_reply why;

	ck_assert(child_call(c, &request, on_reply, NULL, &why));
}

/* What the next process will do. */
static void write_program(const char *script)
{
	int fd = open(program, O_WRONLY | O_TRUNC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, script, strlen(script)),
			 (ssize_t)strlen(script));
	fchmod(fd, 0700);
	close(fd);
}

static void setup(void)
{
	int fd = mkstemp(program);

	ck_assert_int_ge(fd, 0);
	close(fd);
	write_program("#!/bin/sh\nexec sleep 1000\n");
	offered = 0;
	takes_none = false;
	loop = ev_loop_new(0);
	ck_assert_int_eq(children_new(&all, loop), 0);
	killed = 0;
	waited = ended = gone = answered = 0;
}

static void teardown(void)
{
	children_free(all);
	ev_loop_destroy(loop);
	unlink(program);
	memcpy(program + sizeof(program) - 7, "XXXXXX", 6);
}

/* The only child of this process. */
static pid_t child_pid(void)
{
	char path[64];
	FILE *f;
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%d", &pid), 1);
	fclose(f);
	return pid;
}

static void run(unsigned turns)
{
	while (turns--)
		ev_run(loop, EVRUN_NOWAIT);
}

TEST(a_process_that_dies_slowly_is_not_waited_for)
{
	struct child *c = spawn();

	call(c);
	child_end(c, on_ended);
	ck_assert_int_gt(killed, 0);
	ck_assert_uint_eq(answered, 1); /* its callers need not wait */
	run(100);
	ck_assert_uint_eq(ended, 0);
	__real_kill(killed, SIGKILL);
	ev_run(loop, 0); /* until nothing is watched any more */
	ck_assert_uint_eq(ended, 1);
	ck_assert_uint_eq(gone, 0); /* nobody is left to be told */
	ck_assert_uint_eq(waited, 0);
}

/* By itself: its callers are answered, and it is ended without a kernel. */
TEST(one_that_has_died_is_told_and_then_ended_at_once)
{
	struct child *c = spawn();
	uint64_t insn, cycle;

	call(c);
	child_progress(c, &insn, &cycle);
	ck_assert(!insn && !cycle && child_alive(c));
	__real_kill(child_pid(), SIGKILL);
	while (!gone)
		ev_run(loop, EVRUN_ONCE);
	ck_assert(!child_alive(c));
	ck_assert_uint_eq(answered, 1);
	ck_assert_uint_eq(ended, 0);
	child_end(c, on_ended);
	ck_assert_uint_eq(ended, 1);
	ck_assert_int_eq(killed, 0);
	ck_assert_uint_eq(waited, 0);
}

/*
 * A record of 196608 bytes is begun and 100000 of them are there, more than is
 * looked at first: it will never be whole, and that must not be waited for.
 */
TEST(one_that_dies_inside_a_long_record_is_told)
{
	struct child *c;

	write_program("#!/bin/sh\n"
		      "ring=/proc/self/fd/4\n"
		      "printf '\\022\\200\\200\\014' |\n"
		      "dd of=$ring bs=1 seek=4096 conv=notrunc 2>/dev/null\n"
		      "printf '\\240\\206\\001' |\n"
		      "dd of=$ring bs=1 conv=notrunc 2>/dev/null\n");
	takes_none = true;
	c = spawn();
	while (!gone && offered < 1000)
		ev_run(loop, EVRUN_ONCE);
	ck_assert_uint_gt(offered, 0);
	ck_assert_uint_eq(gone, 1);
	child_end(c, on_ended);
	ck_assert_uint_eq(ended, 1);
}

static unsigned open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Of a ring, which lies twice in memory. */
static unsigned mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	unsigned n = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		n += strstr(line, "memfd:") != NULL;
	fclose(f);
	return n;
}

TEST(one_that_does_not_start_leaves_nothing)
{
	const struct child_config cfg = { .program = "/nowhere/pmu-machine",
					  .ops = &ops };
	unsigned fds = open_files(), maps = mappings();
	struct child *c = NULL;

	ck_assert_int_eq(child_spawn(&c, all, &cfg), -ENOENT);
	ck_assert_ptr_null(c);
	ck_assert_uint_eq(open_files(), fds);
	ck_assert_uint_eq(mappings(), maps);
	ev_run(loop, 0); /* nothing is watched */
	ck_assert_uint_eq(ended + gone, 0);
}

/* The linker sends calloc() of what is tested here. */
void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

TEST(without_memory_nothing_is_started)
{
	const struct child_config cfg = { .program = "/bin/cat", .ops = &ops };
	unsigned fds = open_files();
	struct child *c = NULL;

	left = 0;
	ck_assert_int_eq(child_spawn(&c, all, &cfg), -ENOMEM);
	ck_assert(ran_out);
	ck_assert_ptr_null(c);
	ck_assert_uint_eq(open_files(), fds);
}

TEST(where_no_loop_runs_it_is_waited_for)
{
	struct child *c = spawn();

	child_end(c, on_ended);
	__real_kill(killed, SIGKILL);
	child_wait(c);
	ck_assert_uint_eq(ended, 1);
}

/* Its number may be another's by now, and below 1 it would be of many. */
TEST_TIMES(what_is_reaped_is_nobody, 2)
{
	struct process p = { .pid = -_i };
	char how[64];

	killed = 1;
	process_kill(&p);
	process_reap(&p, how, sizeof(how));
	ck_assert_str_eq(how, "is gone");
	ck_assert_int_eq(killed, 1);
	ck_assert_uint_eq(waited, 0);
}

/* Of a run that is kept: it has nothing that could be closed or killed. */
TEST(one_without_a_process_is_gone)
{
	struct child *c = child_without_process(all, NULL);
	const int none[] = { c->proc.pid,  c->proc.pidfd, c->proc.socket,
			     c->proc.data, c->proc.space, c->proc.channels,
			     c->proc.err };
	unsigned fds = open_files();

	for (size_t i = 1; i < ARRAY_SIZE(none); i++)
		ck_assert_int_eq(none[i], -1);
	ck_assert_int_le(none[0], 0);
	ck_assert_int_eq(c->state, CHILD_GONE);
	child_end(c, on_ended);
	ck_assert_uint_eq(open_files(), fds);
	ck_assert_int_eq(killed, 0);
}

SUITE("supervise", .setup = setup, .teardown = teardown);
