/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Beside, and renamed at the end: nobody ever sees half a file under its name.
 * Where a new file could not be what the old one was (its owner, its other
 * names, its access list), or its folder takes no new file, the old one itself
 * is written, at the end and from a whole copy.
 */
#include "out-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "exit-codes.h"
#include "out-path.h"
#include "report.h"
#include "wire/cleanup.h"

struct out_file {
	const char *path; /* as the user gave it */
	FILE *out;
	int fd;	      /* of it */
	int error;    /* of the first write that failed: errno; 0: none did */
	char *target; /* NULL: written in place */
	char *part;   /* what it is called until the end */
	bool fresh;   /* there was no file before */
	bool copied;  /* what was there is written itself, at the end */
	bool touched; /* and that has begun */
	struct stat was;
	SLIST_ENTRY(out_file) next; /* of those that are open */
};

/* For the signals. */
static SLIST_HEAD(, out_file) open_files;

/*
 * Where the part that was written stays; NULL: there is none.
 * Async-signal-safe.
 */
static const char *name_part(struct out_file *f)
{
	struct stat st;

	if (!f->part)
		return NULL;
	if (stat(f->part, &st) < 0 || st.st_size == 0) {
		unlink(f->part);
		return NULL;
	}
	if (!f->fresh || link(f->part, f->target) < 0)
		return f->part;
	unlink(f->part);
	return f->path;
}

static void put_words(const char *const *words)
{
	for (; *words; words++) {
		if (write(STDERR_FILENO, *words, strlen(*words)) < 0)
			return;
	}
}

/* As report_part(), with what a signal handler may use. */
static void report_part_in_handler(struct out_file *f)
{
	const char *name = name_part(f);
	const char *const words[] = {
		"pmuctl: the incomplete ", f->path, " is in ", name, "\n", NULL
	};

	if (name)
		put_words(words);
}

/* Ends as the signal would have. */
static void on_signal(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	struct out_file *f;
	sigset_t mask;

	SLIST_FOREACH(f, &open_files, next)
		report_part_in_handler(f);
	SLIST_INIT(&open_files);
	sigaction(number, &plain, NULL);
	sigemptyset(&mask);
	sigaddset(&mask, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
}

/* A signal that is ignored or handled already stays so. */
static void catch_signals(void)
{
	static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				     SIGPIPE };
	struct sigaction act = { .sa_handler = on_signal }, old;

	sigfillset(&act.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++) {
		if (sigaction(fatal[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(fatal[i], &act, NULL);
	}
	/* a file that may not grow is an error of write(), which is told */
	signal(SIGXFSZ, SIG_IGN);
}

static int fail(const struct out_file *f, const char *path)
{
	int err = errno;

	report_error("%s: %s", path ? path : f->path, strerror(err));
	if (err == ENOENT)
		return EXIT_NOT_FOUND;
	return err == EACCES || err == EPERM ? EXIT_DENIED : EXIT_FAILED;
}

/* The file that this process prints to anyway: its descriptor, or -1. */
static int standard_stream(const struct out_file *f, const struct stat *st)
{
	struct stat own;

	if (strcmp(f->path, "-") == 0)
		return STDOUT_FILENO;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		/* one that only holds the number of a closed one is none */
		if ((fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY &&
		    fstat(fd, &own) == 0 && own.st_dev == st->st_dev &&
		    own.st_ino == st->st_ino)
			return fd;
	}
	return -1;
}

/* A stream says that it has failed, but not why: stdio's errno is gone by then.
 */
static ssize_t on_write(void *cookie, const char *bytes, size_t n)
{
	struct out_file *f = cookie;
	size_t done = 0;

	while (done < n) {
		ssize_t written = write(f->fd, bytes + done, n - done);

		if (written < 0) {
			if (!f->error)
				f->error = errno;
			break;
		}
		done += (size_t)written;
	}
	return (ssize_t)done;
}

static int on_close(void *cookie)
{
	const struct out_file *f = cookie;

	return close(f->fd);
}

/* Takes @fd. Returns an exit code. */
static int open_stream(struct out_file *f, int fd)
{
	const cookie_io_functions_t calls = { .write = on_write,
					      .close = on_close };

	f->fd = fd;
	f->out = fopencookie(f, "wb", calls);
	if (f->out)
		return EXIT_OK;
	close(fd);
	return fail(f, NULL);
}

/* What is no regular file, or what we print to: nothing can be lost there. */
static int open_in_place(struct out_file *f, int standard)
{
	int fd = standard < 0 ? open(f->path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
			      : fcntl(standard, F_DUPFD_CLOEXEC, 3);

	return fd < 0 ? fail(f, NULL) : open_stream(f, fd);
}

/* A new file beside the target; its name. -1: errno says why. */
static int make_beside(struct out_file *f)
{
	mode_t mode = f->fresh ? 0666 : 0600;
	const char *slash = strrchr(f->target, '/');
	int name = (int)strlen(f->target), fd;
	int most = (int)(slash - f->target) + 1 + NAME_MAX - 32;

	if (name > most)
		name = most;
	for (unsigned n = 0;; n++) {
		char again[16] = "";

		if (n)
			snprintf(again, sizeof(again), "-%u", n);
		if (asprintf(&f->part, "%.*s.part-%d%s", name, f->target,
			     (int)getpid(), again) < 0) {
			f->part = NULL;
			return -1;
		}
		fd = open(f->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
		free(f->part);
		f->part = NULL;
	}
}

static int make_elsewhere(struct out_file *f)
{
	const char *folder = getenv("TMPDIR");
	const char *slash = strrchr(f->target, '/');

	free(f->part);
	if (asprintf(&f->part, "%s/%.64s.part-XXXXXX",
		     folder && *folder ? folder : "/tmp", slash + 1) < 0)
		f->part = NULL;
	f->copied = true;
	return f->part ? mkostemp(f->part, O_CLOEXEC) : -1;
}

/* Makes @fd what the old file was; if it cannot, that one stays. */
static void take_after(struct out_file *f, int fd)
{
	struct stat st;

	if (f->was.st_nlink > 1 ||
	    getxattr(f->target, "system.posix_acl_access", NULL, 0) > 0 ||
	    fstat(fd, &st) < 0)
		f->copied = true;
	else if ((st.st_uid != f->was.st_uid || st.st_gid != f->was.st_gid) &&
		 fchown(fd, f->was.st_uid, f->was.st_gid) < 0)
		f->copied = true;
	else if (fchmod(fd, f->was.st_mode & 07777) < 0)
		f->copied = true;
}

static int make_part(struct out_file *f)
{
	int fd = make_beside(f);

	if (fd < 0 && !f->fresh)
		fd = make_elsewhere(f);
	if (fd < 0) {
		int code = fail(f, NULL);

		free(f->part);
		f->part = NULL;
		return code;
	}
	if (!f->fresh && !f->copied)
		take_after(f, fd);
	return open_stream(f, fd);
}

/* No signal meanwhile: its handler would meet a name that is not ours yet. */
static int open_part(struct out_file *f)
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	code = make_part(f);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return code;
}

static int open_target(struct out_file *f)
{
	int standard = -1;

	if (stat(f->path, &f->was) == 0) {
		standard = standard_stream(f, &f->was);
		if (standard >= 0 || !S_ISREG(f->was.st_mode))
			return open_in_place(f, standard);
		if (faccessat(AT_FDCWD, f->path, W_OK, AT_EACCESS) < 0)
			return fail(f, NULL);
	} else if (strcmp(f->path, "-") == 0) {
		return open_in_place(f, STDOUT_FILENO);
	} else if (errno != ENOENT) {
		return fail(f, NULL);
	} else {
		f->fresh = true;
	}
	f->target = out_path_resolve(f->path);
	return f->target ? open_part(f) : fail(f, NULL);
}

static void drop(struct out_file *f)
{
	struct out_file *there;

	SLIST_FOREACH(there, &open_files, next)
		if (there == f)
			break;
	if (there) /* no signal has emptied the list */
		SLIST_REMOVE(&open_files, f, out_file, next);
	free(f->target);
	free(f->part);
	free(f);
}

int out_file_open(struct out_file **ret, const char *path)
{
	struct out_file *f;
	int code;

	*ret = NULL;
	if (!path)
		return EXIT_OK;
	f = calloc(1, sizeof(*f));
	if (!f)
		return report_no_memory(path);
	f->path = path;
	SLIST_INSERT_HEAD(&open_files, f, next);
	catch_signals();
	code = open_target(f);
	if (code) {
		if (f->part)
			unlink(f->part);
		drop(f);
		return code;
	}
	*ret = f;
	return EXIT_OK;
}

FILE *out_file_stream(const struct out_file *f)
{
	return f ? f->out : NULL;
}

/* The part is the file now. @fd: of the part. 0, or -1 with errno. */
static int copy_over(struct out_file *f, int fd)
{
	int to = open(f->target, O_WRONLY | O_CLOEXEC);
	char buf[1 << 16];
	off_t at = 0;
	ssize_t n;

	if (to < 0)
		return -1;
	f->touched = true;
	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		n = write(to, buf, (size_t)n);
		if (n < 0)
			break;
		at += n;
	}
	if (n < 0 || ftruncate(to, at) < 0 || fsync(to) < 0) {
		int err = errno;

		close(to);
		errno = err;
		return -1;
	}
	return close(to) < 0 ? -1 : unlink(f->part);
}

static void sync_folder(const struct out_file *f)
{
	char *folder CLEANUP(free) = out_path_folder(f->target);
	int fd CLEANUP(close) =
		folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0)
		fsync(fd);
}

/*
 * What was there must not be lost before what is new is on the disk; where
 * nothing was, nothing can be lost.
 */
static int take_name(struct out_file *f)
{
	if (fflush(f->out) || ferror(f->out)) {
		errno = f->error ? f->error : EIO;
		return -1;
	}
	if (!f->fresh && fsync(f->fd) < 0)
		return -1;
	if (f->copied)
		return copy_over(f, f->fd);
	if (rename(f->part, f->target) < 0)
		return f->fresh ? -1 : copy_over(f, f->fd);
	if (!f->fresh)
		sync_folder(f);
	return 0;
}

static void report_part(struct out_file *f)
{
	const char *name = name_part(f);

	if (name == f->path)
		report_note("%s is not complete", f->path);
	else if (name)
		report_error("the incomplete %s is in %s%s", f->path, name,
			     f->fresh || f->touched
				     ? ""
				     : "; what was there before is unchanged");
}

int out_file_close(struct out_file *f, bool whole, int code)
{
	bool failed, open = true;

	if (!f)
		return code;
	if (f->target && whole) {
		failed = take_name(f) < 0;
		whole = !failed;
	} else {
		failed = fclose(f->out) != 0;
		if (f->error) {
			errno = f->error;
			failed = true;
		}
		open = false;
	}
	if (failed)
		fail(f, NULL);
	if (open)
		fclose(f->out);
	if (f->target && !whole)
		report_part(f);
	drop(f);
	return failed && !code ? EXIT_FAILED : code;
}
