/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine's process may ask of the kernel, call by call, while it is
 * built and when its guest comes: each in a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/sandbox.h"
#include "core/ebb-session.h"
#include "ipc/passed.h"
#include "shared/ebb-ring.h"
#include "unit.h"

enum what {
	DONE,	/* whatever the kernel says of it */
	DENIED, /* EPERM, and it goes on */
	ENDED,	/* that is the end */
	SETUP_FAILED,
};

/* For the first argument: the process itself, and another one. */
#define SELF   (-100L)
#define PARENT (-101L)
#define NONE   (-1L) /* no descriptor */
#define PAGE   4096L
#define ANY    (MAP_PRIVATE | MAP_ANONYMOUS)

static const struct call_row {
	const char *why;
	long number, args[6];
	enum what building, running;
} call_rows[] = {
	{ "read", SYS_read, { NONE }, DONE, DONE },
	{ "write", SYS_write, { NONE }, DONE, DONE },
	{ "writev", SYS_writev, { NONE }, DONE, DONE },
	{ "sendto", SYS_sendto, { NONE }, DONE, DONE },
	{ "poll", SYS_poll, { 0 }, DONE, DONE },
	{ "ppoll", SYS_ppoll, { 0, 1, -1 }, DONE, DONE },
	{ "clock_gettime", SYS_clock_gettime, { 0, 1 }, DONE, DONE },
	{ "close", SYS_close, { NONE }, DONE, DONE },
	{ "brk", SYS_brk, { 0 }, DONE, DONE },
	{ "munmap", SYS_munmap, { 1 }, DONE, DONE },
	{ "mremap", SYS_mremap, { 1 }, DONE, DONE },
	{ "madvise", SYS_madvise, { 1 }, DONE, DONE },
	{ "futex", SYS_futex, { 0, 99 }, DONE, DONE },
	{ "rt_sigprocmask", SYS_rt_sigprocmask, { 99 }, DONE, DONE },
	{ "rt_sigaction", SYS_rt_sigaction, { 99 }, DONE, DONE },
	{ "getpid", SYS_getpid, { 0 }, DONE, DONE },
	{ "gettid", SYS_gettid, { 0 }, DONE, DONE },
	{ "restart_syscall", SYS_restart_syscall, { 0 }, DONE, DONE },
	/* while it is built */
	{ "fcntl", SYS_fcntl, { NONE }, DONE, ENDED },
	{ "fstat", SYS_fstat, { NONE }, DONE, ENDED },
	{ "newfstatat", SYS_newfstatat, { NONE }, DONE, ENDED },
	{ "getrandom", SYS_getrandom, { 0 }, DONE, ENDED },
	{ "prctl", SYS_prctl, { 9999 }, DONE, ENDED },
	{ "prlimit64", SYS_prlimit64, { 0, 9999 }, DONE, ENDED },
	{ "setrlimit", SYS_setrlimit, { 9999 }, DONE, ENDED },
	{ "seccomp", SYS_seccomp, { 9999 }, DONE, ENDED },
	{ "code", SYS_mmap, { 0, PAGE, PROT_EXEC, ANY, NONE }, DONE, ENDED },
	{ "code that is data",
	  SYS_mmap,
	  { 0, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, ANY, NONE },
	  DONE,
	  ENDED },
	{ "data that becomes code",
	  SYS_mprotect,
	  { 1, PAGE, PROT_EXEC },
	  DONE,
	  ENDED },
	/* data comes and goes */
	{ "data",
	  SYS_mmap,
	  { 0, PAGE, PROT_READ | PROT_WRITE, ANY, NONE },
	  DONE,
	  DONE },
	{ "data that is read",
	  SYS_mprotect,
	  { 1, PAGE, PROT_READ },
	  DONE,
	  DONE },
	/* what libraries can do without */
	{ "readlink", SYS_readlink, { 0 }, DENIED, DENIED },
	{ "readlinkat", SYS_readlinkat, { NONE }, DENIED, DENIED },
	{ "sysinfo", SYS_sysinfo, { 0 }, DENIED, DENIED },
	/* of some only what is its own */
	{ "descriptors from pmud",
	  SYS_recvmsg,
	  { PASSED_CHANNELS },
	  DONE,
	  DONE },
	{ "from somebody else",
	  SYS_recvmsg,
	  { PASSED_CHANNELS + 1 },
	  ENDED,
	  ENDED },
	{ "from the socket", SYS_recvmsg, { PASSED_SOCKET }, ENDED, ENDED },
	{ "a signal to itself", SYS_tgkill, { SELF, 1, 0 }, DONE, DONE },
	{ "a signal to another", SYS_tgkill, { PARENT, 1, 0 }, ENDED, ENDED },
	/* never */
	{ "open", SYS_open, { 0 }, ENDED, ENDED },
	{ "openat", SYS_openat, { NONE }, ENDED, ENDED },
	{ "socket", SYS_socket, { 9999 }, ENDED, ENDED },
	{ "connect", SYS_connect, { NONE }, ENDED, ENDED },
	{ "sendmsg", SYS_sendmsg, { NONE }, ENDED, ENDED },
	{ "recvfrom", SYS_recvfrom, { NONE }, ENDED, ENDED },
	{ "clone", SYS_clone, { CLONE_VM | CLONE_THREAD }, ENDED, ENDED },
	{ "execve", SYS_execve, { 0 }, ENDED, ENDED },
	{ "kill", SYS_kill, { SELF, 0 }, ENDED, ENDED },
	{ "ptrace", SYS_ptrace, { 9999 }, ENDED, ENDED },
	{ "ioctl", SYS_ioctl, { NONE }, ENDED, ENDED },
	{ "setuid", SYS_setuid, { 0 }, ENDED, ENDED },
	{ "memfd_create", SYS_memfd_create, { 0 }, ENDED, ENDED },
	{ "a call that is none", 9999, { 0 }, ENDED, ENDED },
};

static enum what ask(const struct call_row *row)
{
	const long *a = row->args;
	long first = a[0] == SELF     ? getpid()
		     : a[0] == PARENT ? getpid() + 1
				      : a[0];

	return syscall(row->number, first, a[1], a[2], a[3], a[4], a[5]) < 0 &&
			       errno == EPERM
		       ? DENIED
		       : DONE;
}

/* What becomes of a process that asks, behind one filter or both. */
static enum what outcome(const struct call_row *row, bool running)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (!sandbox_prepare() || (running && !sandbox_enter()))
			_exit(SETUP_FAILED);
		_exit((int)ask(row));
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		return ENDED;
	ck_assert_msg(WIFEXITED(status), "%s: %d", row->why, status);
	return (enum what)WEXITSTATUS(status);
}

TEST_ROWS(a_call_is_allowed_while_it_is_needed, call_rows)
{
	const struct call_row *row = &call_rows[_i];

	ck_assert_msg(outcome(row, false) == row->building,
		      "%s, while it is built", row->why);
	ck_assert_msg(outcome(row, true) == row->running,
		      "%s, when a guest comes", row->why);
}

static const struct limit_row {
	int resource;
	rlim_t want;
} limit_rows[] = {
	{ RLIMIT_CORE, 0 },
	{ RLIMIT_FSIZE, 0 },
	{ RLIMIT_MEMLOCK, 0 },
	{ RLIMIT_NOFILE, PASSED_END + EBB_MAX_SESSIONS + EBB_CHANNEL_FDS },
	{ RLIMIT_AS, 1 << 30 },
};

TEST_ROWS(a_process_has_its_limits, limit_rows)
{
	const struct limit_row *row = &limit_rows[_i];
	struct rlimit l;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		bool good = sandbox_prepare() && sandbox_limit(1 << 30);

		_exit(!good ||
		      getrlimit((__rlimit_resource_t)row->resource, &l) ||
		      l.rlim_cur != row->want || l.rlim_max != row->want);
	}
	waitpid(pid, &status, 0);
	ck_assert_int_eq(status, 0);
}

/* Nobody reads its memory, and nothing that it starts has more rights. */
TEST(a_process_is_closed_to_others)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(!sandbox_prepare() ||
		      prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0 ||
		      prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1);
	waitpid(pid, &status, 0);
	ck_assert_int_eq(status, 0);
}

/* What the kernel does not grant; the argument is one of the first two. */
struct denied {
	long call;
	unsigned arg;
	long value;
};

#define NO_LIMIT(resource)                                                     \
	{                                                                      \
		{ SYS_prlimit64, 1, resource },                                \
		{                                                              \
			SYS_setrlimit, 0, resource                             \
		}                                                              \
	}

static const struct denied_row {
	struct denied denied[2]; /* either way to ask for it */
	const char *said;	 /* how it begins */
} denied_rows[] = {
	{ NO_LIMIT(RLIMIT_CORE), "sandbox: limits: Numerical argument" },
	{ NO_LIMIT(RLIMIT_FSIZE), "sandbox: limits: Numerical argument" },
	{ NO_LIMIT(RLIMIT_MEMLOCK), "sandbox: limits: Numerical argument" },
	{ NO_LIMIT(RLIMIT_NOFILE), "sandbox: limits: Numerical argument" },
	{ NO_LIMIT(RLIMIT_AS), "sandbox: memory: Numerical argument" },
	{ { { SYS_prctl, 0, PR_SET_DUMPABLE } },
	  "sandbox: privileges: Numerical argument" },
	{ { { SYS_prctl, 0, PR_SET_NO_NEW_PRIVS } },
	  "sandbox: privileges: Numerical argument" },
	{ { { SYS_seccomp, 0, SECCOMP_SET_MODE_FILTER },
	    { SYS_prctl, 0, PR_SET_SECCOMP } },
	  "sandbox: filter: " },
};

/* From now on it fails, with EDOM. */
static bool deny(const struct denied *d)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)d->call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 (uint32_t)offsetof(struct seccomp_data, args) +
				 8 * d->arg),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)d->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EDOM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { ARRAY_SIZE(code), code };

	return !d->call ||
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* By a pipe: it may write no file. */
static int prepare_denied(const struct denied denied[2], char ret_said[128])
{
	int status, ends[2];
	ssize_t n;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		bool good = dup2(ends[1], STDERR_FILENO) >= 0 &&
			    !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
			    deny(&denied[0]) && deny(&denied[1]);

		_exit(!good ? SETUP_FAILED
			    : sandbox_prepare() && sandbox_limit(1 << 30));
	}
	close(ends[1]);
	waitpid(pid, &status, 0);
	n = read(ends[0], ret_said, 127);
	close(ends[0]);
	ret_said[n > 0 ? n : 0] = '\0';
	return status;
}

/* Nothing runs in half a sandbox. */
TEST_ROWS(a_sandbox_is_whole_or_said_to_be_none, denied_rows)
{
	const struct denied_row *row = &denied_rows[_i];
	char said[128];
	int status = prepare_denied(row->denied, said);

	ck_assert_msg(status == 0, "%s: %d", row->said, status);
	ck_assert_msg(!strncmp(said, row->said, strlen(row->said)), "'%s': %s",
		      row->said, said);
}

/* Rules are added until this one, which the library refuses. */
static unsigned refused_rule = UINT_MAX;

int __wrap_seccomp_rule_add(scmp_filter_ctx ctx, uint32_t action, int call,
			    unsigned n, ...);

int __wrap_seccomp_rule_add(scmp_filter_ctx ctx, uint32_t action, int call,
			    unsigned n, ...)
{
	struct scmp_arg_cmp arg = { 0 };
	va_list args;

	va_start(args, n);
	if (n)
		arg = va_arg(args, struct scmp_arg_cmp);
	va_end(args);
	return refused_rule--
		       ? seccomp_rule_add_array(ctx, action, call, n, &arg)
		       : -ENOMEM;
}

/* Does it enter where its @n-th rule cannot be added? */
static bool enters_without(unsigned n)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2) < 0 ||
		    !sandbox_prepare())
			_exit(SETUP_FAILED);
		refused_rule = n;
		_exit(sandbox_enter());
	}
	waitpid(pid, &status, 0);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) <= 1,
		      "rule %u: 0x%x", n, (unsigned)status);
	return WEXITSTATUS(status);
}

TEST(a_filter_has_all_its_rules_or_is_none)
{
	unsigned n = 0;

	while (!enters_without(n))
		n++;
	ck_assert_uint_gt(n, 20);
	ck_assert(enters_without(n + 1));
}

SUITE("sandbox");
