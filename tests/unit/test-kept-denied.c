/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of which the host does not let pmud keep something. */
#include "kept-fixture.h"

#include <stdarg.h>

#include "captured.h"

/* What the host denies, for no space: */
static enum denied {
	NOTHING,
	THE_FOLDER,
	A_NAME,
	ANOTHER_NAME,
	ITS_REMOVAL
} denied;

int __wrap_openat64(int dir, const char *path, int flags, ...);
int __real_openat64(int dir, const char *path, int flags, ...);
int __wrap_linkat(int from, const char *old, int to, const char *name,
		  int flags);
int __real_linkat(int from, const char *old, int to, const char *name,
		  int flags);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_unlinkat(int dir, const char *name, int flags);
int __real_unlinkat(int dir, const char *name, int flags);

static bool is_denied(enum denied what)
{
	errno = ENOSPC;
	return what == denied;
}

int __wrap_openat64(int dir, const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return !strcmp(path, "m1") && is_denied(THE_FOLDER)
		       ? -1
		       : __real_openat64(dir, path, flags, mode);
}

int __wrap_linkat(int from, const char *old, int to, const char *name,
		  int flags)
{
	return is_denied(A_NAME) ? -1
				 : __real_linkat(from, old, to, name, flags);
}

int __wrap_renameat(int from, const char *old, int to, const char *name)
{
	return is_denied(ANOTHER_NAME) ? -1
				       : __real_renameat(from, old, to, name);
}

int __wrap_unlinkat(int dir, const char *name, int flags)
{
	return flags && is_denied(ITS_REMOVAL)
		       ? -1
		       : __real_unlinkat(dir, name, flags);
}

static const struct denied_row {
	enum denied what;
	const char *says;
} denied_rows[] = {
	{ THE_FOLDER, "its folder" },
	{ A_NAME, "trace" },
	{ ANOTHER_NAME, "what is known of it" },
};

/* And then nothing is left of it. */
TEST_ROWS(what_the_host_denies_is_not_kept, denied_rows)
{
	char want[128];

	snprintf(want, sizeof(want), "pmud: the run m1 is not kept: %s: %s\n",
		 denied_rows[_i].says, strerror(ENOSPC));
	denied = denied_rows[_i].what;
	capture();
	run();
	ck_assert_str_eq(capture_end(), want);
	denied = NOTHING;
	ck_assert_int_eq(m->kept, -1);
	ck_assert_int_eq(size_of("m1"), -1);
	record(false);
	notice(STATE(ENDED));
	ck_assert_uint_eq(store_items(m->trace), 1);
}

/* The next answer tells of it again. */
TEST(what_could_not_be_written_is_written_later)
{
	run();
	ck_assert_int_eq(unlink(path("m1/about")), 0);
	denied = ANOTHER_NAME;
	capture();
	notice(STATE(ENDED));
	ck_assert_str_ne(capture_end(), "");
	denied = NOTHING;
	ck_assert_int_eq(size_of("m1/about"), -1);
	notice(STATE(ENDED));
	ck_assert_int_gt(size_of("m1/about"), 0);
}

TEST(a_run_that_cannot_be_removed_stays)
{
	char want[128];

	snprintf(want, sizeof(want), "pmud: the run m1 stays: %s\n",
		 strerror(ENOSPC));
	run();
	denied = ITS_REMOVAL;
	capture();
	hosted_delete(m, NULL);
	ck_assert_str_eq(capture_end(), want);
	denied = NOTHING;
	ck_assert_int_ge(size_of("m1"), 0);
	ck_assert_int_eq(size_of("m1/trace"), -1);
}

SUITE("kept-denied", .setup = setup, .teardown = teardown);
