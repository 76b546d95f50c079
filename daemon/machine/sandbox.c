/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter: one list of what is allowed, everything else ends the process.
 * New executable memory is not on it: all code buffers exist by then.
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

bool sandbox_prepare(void)
{
	const struct rlimit none = { 0, 0 };

	if (SANITIZED)
		return true;
	return setrlimit(RLIMIT_CORE, &none) == 0 &&
	       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
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

static int add_rules(scmp_filter_ctx ctx)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		rc = rc ? rc
			: seccomp_rule_add(ctx, SCMP_ACT_ALLOW, allowed[i], 0);
	/* Memory may come and change, but never to be executed. */
	rc = rc ? rc
		: seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
				   SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	rc = rc ? rc
		: seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				   SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	/* abort(), and nobody else's end */
	rc = rc ? rc
		: seccomp_rule_add(
			  ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
			  SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
	return rc;
}

bool sandbox_enter(void)
{
	scmp_filter_ctx ctx;
	int rc = -ENOMEM;

	if (SANITIZED)
		return true;
	ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);
	if (ctx) {
		rc = add_rules(ctx);
		rc = rc ? rc : seccomp_load(ctx);
		seccomp_release(ctx);
	}
	if (rc)
		fprintf(stderr, "sandbox: %s\n", strerror(-rc));
	return rc == 0;
}
