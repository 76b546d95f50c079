/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that commands write on a host that refuses something: what was there
 * before stays or is replaced whole, and what was written is somewhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "out-fixture.h"

/* The linker sends these calls here: one of them is refused, so many times. */
enum call {
	ASPRINTF,
	CALLOC,
	FACCESSAT,
	FCHMOD,
	FCHOWN,
	FOPENCOOKIE,
	FSYNC,
	FTRUNCATE,
	OPEN, /* to be written */
	RENAME,
	WRITE,
	N_CALLS
};

static struct host {
	enum call call;
	int times, error;
	int first;  /* so many succeed before */
	bool owner; /* a new file is another group's */
} host = { .call = N_CALLS };

static bool refused(enum call call)
{
	if (host.call != call || !host.times || host.first-- > 0)
		return false;
	host.times--;
	errno = host.error;
	return true;
}

#define REFUSABLE(call, type, no, name, params, args)                          \
	type __real_##name params;                                             \
	type __wrap_##name params;                                             \
	type __wrap_##name params                                              \
	{                                                                      \
		return refused(call) ? no : __real_##name args;                \
	}

REFUSABLE(CALLOC, void *, NULL, calloc, (size_t n, size_t size), (n, size))
REFUSABLE(FACCESSAT, int, -1, faccessat,
	  (int at, const char *path, int mode, int flags),
	  (at, path, mode, flags))
REFUSABLE(FCHMOD, int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
REFUSABLE(FOPENCOOKIE, FILE *, NULL, fopencookie,
	  (void *cookie, const char *mode, cookie_io_functions_t calls),
	  (cookie, mode, calls))
REFUSABLE(FSYNC, int, -1, fsync, (int fd), (fd))
REFUSABLE(FTRUNCATE, int, -1, ftruncate64, (int fd, off_t len), (fd, len))
REFUSABLE(RENAME, int, -1, rename, (const char *from, const char *to),
	  (from, to))
REFUSABLE(WRITE, ssize_t, -1, write, (int fd, const void *bytes, size_t n),
	  (fd, bytes, n))

/* Nobody but root could. */
int __wrap_fchown(int fd, uid_t uid, gid_t gid);
int __wrap_fchown(int fd, uid_t uid, gid_t gid)
{
	return refused(FCHOWN) ? -1 : 0;
}

int __real_fstat64(int fd, struct stat *ret);
int __wrap_fstat64(int fd, struct stat *ret);
int __wrap_fstat64(int fd, struct stat *ret)
{
	int err = __real_fstat64(fd, ret);

	ret->st_gid += host.owner;
	return err;
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	unsigned mode;
	va_list ap;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, unsigned) : 0;
	va_end(ap);
	if ((flags & (O_ACCMODE | O_CREAT)) == O_WRONLY && refused(OPEN))
		return -1;
	return __real_open64(path, flags, mode);
}

int __wrap_asprintf(char **ret, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **ret, const char *format, ...)
{
	va_list ap;
	int n;

	if (refused(ASPRINTF))
		return -1;
	va_start(ap, format);
	n = vasprintf(ret, format, ap);
	va_end(ap);
	return n;
}

static void a_group(void)
{
	a_file();
	host.owner = true;
}

/* Not /dev/null, to which a test may be printing: it would have no stream. */
static void a_device(void)
{
	ck_assert_int_eq(symlink("/dev/zero", "t"), 0);
}

static void nothing_more(void)
{
	host = (struct host){ .call = N_CALLS };
	drop();
}

static int descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

#define BEFORE "; what was there before is unchanged"

static const struct open_row {
	const char *why;
	void (*before)(void);
	enum call call;
	int times, error, code;
	const char *says;
} open_rows[] = {
	{ "no memory", nothing, CALLOC, 1, ENOMEM, EXIT_FAILED,
	  "t: out of memory" },
	{ "no stream of a new file", nothing, FOPENCOOKIE, 1, ENOMEM,
	  EXIT_FAILED, "t: Cannot allocate memory" },
	{ "no stream beside a file", a_file, FOPENCOOKIE, 1, ENOMEM,
	  EXIT_FAILED, "t: Cannot allocate memory" },
	{ "no stream of a device", a_device, FOPENCOOKIE, 1, ENOMEM,
	  EXIT_FAILED, "t: Cannot allocate memory" },
	{ "a device that may not be written", a_device, OPEN, 1, EPERM,
	  EXIT_DENIED, "t: Operation not permitted" },
	{ "a file that may not be written", a_file, FACCESSAT, 1, EACCES,
	  EXIT_DENIED, "t: Permission denied" },
	{ "no path of a new file", nothing, ASPRINTF, 1, ENOMEM, EXIT_FAILED,
	  "t: Cannot allocate memory" },
	{ "no name beside a file, nor elsewhere", a_file, ASPRINTF, 2, ENOMEM,
	  EXIT_FAILED, "t: Cannot allocate memory" },
};

TEST_ROWS(what_cannot_be_begun_leaves_nothing, open_rows)
{
	const struct open_row *row = &open_rows[_i];
	unsigned before, after;
	int fds;
	struct out_file *f;

	row->before();
	part(&before);
	said_begin();
	fds = descriptors();
	host.call = row->call;
	host.times = row->times;
	host.error = row->error;
	ck_assert_msg(out_file_open(&f, "t") == row->code, "%s", row->why);
	ck_assert_int_eq(host.times, 0);
	ck_assert_ptr_null(f);
	ck_assert_int_eq(descriptors(), fds);
	ck_assert_msg(strstr(said_end(), row->says), "%s: %s", row->why, said);
	ck_assert_ptr_null(part(&after));
	ck_assert_uint_eq(after, before);
	ck_assert_str_eq(load("t"), row->before == a_file ? "old" : "");
}

static const struct close_row {
	const char *why;
	void (*before)(void);
	enum call call;
	int times, error;
	bool own;	  /* it keeps its inode */
	const char *says; /* NULL: all is well */
	const char *text; /* of "t" then */
	const char *end;  /* of what is said where the part is, if it is */
	int first;	  /* calls that succeed before */
} close_rows[] = {
	{ "its mode cannot be kept by a new one", a_file, FCHMOD, 1, EPERM,
	  true, NULL, "new", NULL },
	{ "nor its owner", a_group, FCHOWN, 1, EPERM, true, NULL, "new", NULL },
	{ "its owner can", a_group, N_CALLS, 0, 0, false, NULL, "new", NULL },
	{ "no name beside it", a_file, ASPRINTF, 1, ENOMEM, true, NULL, "new",
	  NULL },
	{ "a name that cannot be taken", a_file, RENAME, 1, EBUSY, true, NULL,
	  "new", NULL },
	{ "a new name that cannot be taken", nothing, RENAME, 1, EBUSY, false,
	  "t: Device or resource busy", "new", NULL },
	{ "a disk that fails", a_file, FSYNC, 1, EIO, true,
	  "t: Input/output error", "old", BEFORE },
	{ "a file that cannot be opened again", two_names, OPEN, 1, EACCES,
	  true, "t: Permission denied", "old", BEFORE },
	{ "a full disk", two_names, WRITE, 1, ENOSPC, true,
	  "t: No space left on device", "old", "\n", 1 },
	{ "a file that does not become shorter", two_names, FTRUNCATE, 1, EIO,
	  true, "t: Input/output error", "new", "\n" },
};

/* Where the part is that report_part() names. */
static const char *named_part(const char *end)
{
	char *name = strstr(said, "the incomplete t is in "), *last;

	ck_assert_msg(name, "%s", said);
	name += strlen("the incomplete t is in ");
	last = strstr(name, end);
	ck_assert_msg(last, "%s", said);
	*last = '\0';
	return name;
}

TEST_ROWS(what_cannot_be_ended_is_somewhere, close_rows)
{
	const struct close_row *row = &close_rows[_i];
	struct stat was = { 0 }, is;
	struct out_file *f;
	int fds;

	row->before();
	stat("t", &was);
	setenv("TMPDIR", folder, 1);
	said_begin();
	fds = descriptors();
	host.call = row->call;
	host.times = row->times;
	host.error = row->error;
	host.first = row->first;
	f = start("t", "new");
	ck_assert_int_eq(out_file_close(f, true, EXIT_OK),
			 row->says ? EXIT_FAILED : EXIT_OK);
	ck_assert_int_eq(host.times, 0);
	ck_assert_int_eq(descriptors(), fds);
	said_end();
	ck_assert_msg(row->says ? strstr(said, row->says) != NULL : !*said,
		      "%s: %s", row->why, said);
	ck_assert_msg(!strcmp(load("t"), row->text), "%s: %s", row->why,
		      load("t"));
	ck_assert_int_eq(stat("t", &is), 0);
	ck_assert_msg(!was.st_ino || (is.st_ino == was.st_ino) == row->own,
		      "%s: its inode", row->why);
	if (row->end)
		ck_assert_str_eq(load(named_part(row->end)), "new");
	else
		ck_assert_ptr_null(part(&(unsigned){ 0 }));
}

/* Whatever came between, also where some of it was written. */
TEST(a_stream_that_has_failed_says_why)
{
	struct out_file *f;
	unsigned n;

	for (int first = 0; first < 2; first++) {
		store("t", "old");
		f = start("t", "");
		host = (struct host){ WRITE, 1, ENOSPC, first, false };
		for (int i = 0; i <= first; i++) {
			fputs("new", out_file_stream(f));
			fflush(out_file_stream(f));
		}
		ck_assert(ferror(out_file_stream(f)));
		errno = EBADF;
		said_begin();
		ck_assert_int_eq(out_file_close(f, true, EXIT_OK), EXIT_FAILED);
		ck_assert_ptr_nonnull(
			strstr(said_end(), "t: No space left on device"));
		ck_assert_str_eq(load("t"), "old");
		if (first)
			unlink(named_part(BEFORE));
		ck_assert_ptr_null(part(&n));
	}
}

TEST(an_error_of_the_command_stays_what_it_was)
{
	struct out_file *f;

	a_file();
	f = start("t", "");
	host = (struct host){ WRITE, 1, ENOSPC, 0, false };
	fputs("new", out_file_stream(f));
	fflush(out_file_stream(f));
	ck_assert_int_eq(out_file_close(f, true, EXIT_DENIED), EXIT_DENIED);
}

/* What is written in place, too; its stream is closed without a reason. */
TEST(a_device_that_fails_says_why)
{
	struct out_file *f;

	a_device();
	f = start("t", "");
	host = (struct host){ WRITE, 1, ENOSPC, 0, false };
	fputs("new", out_file_stream(f));
	fflush(out_file_stream(f));
	errno = EBADF;
	said_begin();
	ck_assert_int_eq(out_file_close(f, true, EXIT_OK), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(said_end(), "t: No space left on device"));
}

SUITE("out-file-errors", .setup = build, .teardown = nothing_more);
