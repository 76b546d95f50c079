/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filters: one list of what a running machine may do, one of what else it
 * takes to build it; everything else ends the process. New executable memory is
 * only on the second: all code buffers exist when a guest comes.
 */
#include "sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <seccomp.h>

#include "core/ebb-session.h"
#include "ipc/passed.h"
#include "shared/ebb-ring.h"

/*
 * AddressSanitizer opens files, and looks for leaks from a thread that traces
 * this one: a build with it has no sandbox.
 */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

enum {
	/* standard ones and those that main() expects; for each EBB session
	 * its socket, and while it is attached its rings */
	FILES = PASSED_END + EBB_MAX_SESSIONS + EBB_CHANNEL_FDS
};

static bool limit(int resource, rlim_t n)
{
	const struct rlimit l = { n, n };

	return setrlimit(resource, &l) == 0;
}

static bool complain(const char *what, int err)
{
	fprintf(stderr, "sandbox: %s: %s\n", what, strerror(err));
	return false;
}

static const int allowed[] = {
	/* the conversation */
	SCMP_SYS(read),
	SCMP_SYS(write),
	SCMP_SYS(writev), /* the C library's last words */
	SCMP_SYS(sendto),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(close),
	/* memory */
	SCMP_SYS(brk),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	/* the library's own business, and the way out */
	SCMP_SYS(futex),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

static const int building[] = {
	SCMP_SYS(mmap), /* code buffers are executable */
	SCMP_SYS(mprotect),  SCMP_SYS(seccomp), /* the second filter */
	SCMP_SYS(prctl),     SCMP_SYS(prlimit64), SCMP_SYS(setrlimit),
	SCMP_SYS(fcntl),     SCMP_SYS(fstat),	  SCMP_SYS(newfstatat),
	SCMP_SYS(getrandom),
};

/* Libraries ask for these and can do without: EPERM instead of the end. */
static const int refused[] = {
	SCMP_SYS(readlink), /* elfutils: what is the file called? */
	SCMP_SYS(readlinkat),
	SCMP_SYS(sysinfo), /* qsort(): how much memory is there? */
};

static int allow(scmp_filter_ctx ctx, const int *calls, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++)
		rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 0);
	return rc;
}

static int add_rules(scmp_filter_ctx ctx, bool builds)
{
	int rc = allow(ctx, allowed, sizeof(allowed) / sizeof(*allowed));

	if (!rc && builds)
		rc = allow(ctx, building, sizeof(building) / sizeof(*building));
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused) && !rc; i++)
		rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), refused[i],
				      0);
	/* Memory may come and change, but never to be executed. */
	rc = rc ? rc
		: seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
				   SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	rc = rc ? rc
		: seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				   SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	/* descriptors may come from pmud, and from nobody else */
	rc = rc ? rc
		: seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(recvmsg), 1,
				   SCMP_A0(SCMP_CMP_EQ, PASSED_CHANNELS));
	/* abort() of this process; no other can be sent a signal */
	rc = rc ? rc
		: seccomp_rule_add(
			  ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
			  SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
	return rc;
}

static bool filter(bool builds)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int rc = -ENOMEM;

	if (ctx) {
		rc = add_rules(ctx, builds);
		rc = rc ? rc : seccomp_load(ctx);
		seccomp_release(ctx);
	}
	return rc ? complain("filter", -rc) : true;
}

bool sandbox_prepare(void)
{
	if (SANITIZED)
		return true;
	if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) ||
	    !limit(RLIMIT_MEMLOCK, 0) || !limit(RLIMIT_NOFILE, FILES))
		return complain("limits", errno);
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return complain("privileges", errno);
	return filter(true);
}

bool sandbox_limit(uint64_t addresses)
{
	if (SANITIZED || limit(RLIMIT_AS, addresses))
		return true;
	return complain("memory", errno);
}

bool sandbox_enter(void)
{
	return SANITIZED || filter(false);
}
