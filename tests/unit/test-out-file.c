/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that commands write: what was there is lost only for what is whole. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "out-fixture.h"

/* What stands there before */

static void a_link(void)
{
	ck_assert_int_eq(mkdir("sub", 0755), 0);
	store("sub/real", "old");
	ck_assert_int_eq(chmod("sub/real", 0604), 0);
	ck_assert_int_eq(symlink("sub/real", "t"), 0);
}

static void a_link_to_nothing(void)
{
	ck_assert_int_eq(mkdir("sub", 0755), 0);
	ck_assert_int_eq(symlink("sub/next", "t"), 0);
	ck_assert_int_eq(symlink("real", "sub/next"), 0);
}

static void another_owner(void)
{
	a_file();
	if (geteuid() == 0)
		ck_assert_int_eq(chown("t", 1234, 4321), 0);
}

/* For root it is as any other, and the result is the same. */
static void a_folder_that_takes_nothing(void)
{
	ck_assert_int_eq(mkdir("sub", 0755), 0);
	store("sub/real", "old");
	ck_assert_int_eq(chmod("sub", 0555), 0);
	ck_assert_int_eq(symlink("sub/real", "t"), 0);
	setenv("TMPDIR", folder, 1);
}

static const struct row {
	const char *why;
	void (*before)(void);
	const char *real;    /* of what "t" is */
	bool link, old, own; /* a link, had content, keeps its inode */
} rows[] = {
	{ "a new file", nothing, "t", false, false, false },
	{ "a file", a_file, "t", false, true, false },
	{ "a link to a file", a_link, "sub/real", true, true, false },
	{ "a link to a link to nothing", a_link_to_nothing, "sub/real", true,
	  false, false },
	{ "a file of two names", two_names, "t", false, true, true },
	{ "a file of another owner", another_owner, "t", false, true, false },
	{ "a folder that takes no file", a_folder_that_takes_nothing,
	  "sub/real", true, true, false },
};

TEST_ROWS(a_whole_file_takes_its_name, rows)
{
	const struct row *row = &rows[_i];
	struct stat was = { .st_mode = S_IFREG | 0644,
			    .st_uid = geteuid(),
			    .st_gid = getegid() };
	struct stat is, link;
	unsigned before, after;
	struct out_file *f;

	row->before();
	stat("t", &was);
	part(&before);
	f = start("t", "new and longer");
	ck_assert_str_eq(load("t"), row->old ? "old" : "");
	ck_assert_int_eq(out_file_close(f, true, EXIT_OK), EXIT_OK);
	ck_assert_str_eq(load(row->real), "new and longer");
	ck_assert_int_eq(stat("t", &is), 0);
	ck_assert_int_eq(lstat("t", &link), 0);
	ck_assert_msg(is.st_mode == was.st_mode, "%s: %o", row->why,
		      is.st_mode);
	ck_assert_msg(is.st_uid == was.st_uid && is.st_gid == was.st_gid, "%s",
		      row->why);
	ck_assert_msg(!row->own || is.st_ino == was.st_ino, "%s", row->why);
	ck_assert_msg(S_ISLNK(link.st_mode) == row->link, "%s", row->why);
	ck_assert_ptr_null(part(&after));
	ck_assert_uint_eq(after, before + (!row->old && !row->link));
}

/* What has the part's name already is somebody's: another name is taken. */
TEST(a_part_is_a_new_file)
{
	char taken[64], next[68];
	struct out_file *f;

	store("t", "old");
	snprintf(taken, sizeof(taken), "t.part-%d", (int)getpid());
	snprintf(next, sizeof(next), "%s-1", taken);
	store(taken, "somebody's");
	f = start("t", "new");
	ck_assert_str_eq(load(taken), "somebody's");
	ck_assert_str_eq(load(next), "new");
	ck_assert_int_eq(out_file_close(f, true, EXIT_OK), EXIT_OK);
	ck_assert_str_eq(load("t"), "new");
	ck_assert_str_eq(load(taken), "somebody's");
	ck_assert_str_eq(load(next), "");
}

TEST_ROWS(a_part_leaves_what_was_there_and_is_named, rows)
{
	const struct row *row = &rows[_i];
	struct out_file *f;
	const char *name;
	unsigned n;

	row->before();
	f = start("t", "a part");
	said_begin();
	ck_assert_int_eq(out_file_close(f, false, 77), 77);
	said_end();
	if (!row->old) {
		ck_assert_str_eq(load("t"), "a part");
		ck_assert_ptr_nonnull(strstr(said, "t is not complete"));
		ck_assert_ptr_null(part(&n));
		return;
	}
	ck_assert_str_eq(load("t"), "old");
	ck_assert_ptr_nonnull(strstr(said, "is unchanged"));
	name = strstr(said, " is in ") + strlen(" is in ");
	*strchr(said, ';') = '\0';
	ck_assert_msg(strcmp(load(name), "a part") == 0, "%s: %s", row->why,
		      name);
}

TEST_ROWS(nothing_written_leaves_nothing, rows)
{
	const struct row *row = &rows[_i];
	unsigned before, after;
	struct out_file *f;

	row->before();
	part(&before);
	f = start("t", "");
	said_begin();
	ck_assert_int_eq(out_file_close(f, false, 77), 77);
	ck_assert_str_eq(said_end(), "");
	ck_assert_str_eq(load("t"), row->old ? "old" : "");
	ck_assert_ptr_null(part(&after));
	ck_assert_uint_eq(after, before);
}

/*
 * A file that was there, two that were not, what is no file, and one of the
 * first that is whole by then.
 */
static void write_until(int number)
{
	struct out_file *closed;

	/* the frame has taken some of them */
	signal(number, SIG_DFL);
	said_begin();
	start("t", "a part");
	closed = start("closed", "whole");
	start("fresh", "begun");
	start("empty", "");
	start("/dev/null", "lost");
	out_file_close(closed, true, EXIT_OK);
	raise(number);
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

TEST_ROWS(a_signal_that_ends_us_leaves_the_part, signals)
{
	pid_t child;
	int status;
	unsigned n;

	a_file();
	child = fork();
	if (!child) {
		write_until(signals[_i]);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), signals[_i]);
	ck_assert_str_eq(load("t"), "old");
	ck_assert_str_eq(load("fresh"), "begun");
	ck_assert_str_eq(load(part(&n)), "a part");
	ck_assert_uint_eq(n, 4);
	ck_assert_str_eq(load("closed"), "whole");
	strcpy(said, load(".said"));
	ck_assert_ptr_null(strstr(said, "closed"));
	ck_assert_ptr_null(strstr(said, "/dev/null"));
	ck_assert_ptr_nonnull(strstr(said, part(&n)));
	ck_assert_ptr_nonnull(strstr(said, " is in fresh\n"));
}

TEST(a_pipe_is_written_in_place)
{
	struct out_file *f;
	char text[16] = "";
	unsigned n;
	int fd;

	ck_assert_int_eq(mkfifo("t", 0600), 0);
	fd = open("t", O_RDONLY | O_NONBLOCK);
	f = start("t", "at once");
	ck_assert_int_eq(read(fd, text, sizeof(text) - 1), 7);
	ck_assert_str_eq(text, "at once");
	ck_assert_int_eq(out_file_close(f, false, 9), 9);
	ck_assert_ptr_null(part(&n));
	ck_assert_uint_eq(n, 1);
	close(fd);
}

/* Of a program without standard input. */
TEST(a_file_may_be_descriptor_0)
{
	static const char *const paths[] = { "pipe", "new" };
	int stdin_was = dup(STDIN_FILENO), reader;
	struct out_file *f;
	char text[16] = "";

	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	reader = open("pipe", O_RDONLY | O_NONBLOCK);
	for (unsigned i = 0; i < ARRAY_SIZE(paths); i++) {
		close(STDIN_FILENO);
		f = start(paths[i], "at once");
		ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
		ck_assert_int_eq(out_file_close(f, true, 0), 0);
	}
	dup2(stdin_was, STDIN_FILENO);
	ck_assert_int_eq(read(reader, text, sizeof(text) - 1), 7);
	ck_assert_str_eq(text, "at once");
	ck_assert_str_eq(load("new"), "at once");
	close(reader);
	close(stdin_was);
}

TEST_TIMES(standard_output_is_written_in_place, 3)
{
	static const char *const names[] = { "-", "/proc/self/fd/1", "log" };
	struct out_file *f;

	ck_assert_int_eq(dup2(open("log", O_WRONLY | O_CREAT, 0600), 1), 1);
	f = start(names[_i], "a line\n");
	ck_assert_str_eq(load("log"), "a line\n");
	ck_assert_int_eq(out_file_close(f, true, 0), 0);
	ck_assert_str_eq(load("log"), "a line\n");
}

/* Its name is standard output's, whatever else is called so. */
TEST(a_file_may_be_called_as_standard_output_is)
{
	struct out_file *f;

	store("-", "old");
	ck_assert_int_eq(dup2(open("log", O_WRONLY | O_CREAT, 0600), 1), 1);
	f = start("-", "a line\n");
	ck_assert_int_eq(out_file_close(f, true, 0), 0);
	ck_assert_str_eq(load("log"), "a line\n");
	ck_assert_str_eq(load("-"), "old");
}

static const struct refused_row {
	const char *path;
	int code;
} refused_rows[] = {
	{ ".", EXIT_FAILED },
	{ "none/t", EXIT_NOT_FOUND },
	{ "t/t", EXIT_FAILED },
	{ "loop", EXIT_FAILED },
	{ "/proc/self/nothing", EXIT_NOT_FOUND },
};

TEST_ROWS(what_cannot_be_written_is_named, refused_rows)
{
	struct out_file *f;

	store("t", "old");
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	said_begin();
	ck_assert_int_eq(out_file_open(&f, refused_rows[_i].path),
			 refused_rows[_i].code);
	ck_assert_ptr_null(f);
	ck_assert_ptr_nonnull(strstr(said_end(), refused_rows[_i].path));
}

TEST(a_full_device_is_an_error_at_the_end)
{
	struct out_file *f;

	ck_assert_int_eq(out_file_open(&f, "/dev/full"), EXIT_OK);
	fputs("lost", out_file_stream(f));
	said_begin();
	ck_assert_int_eq(out_file_close(f, true, EXIT_OK), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(said_end(), "No space left"));
}

TEST(no_path_is_no_file)
{
	struct out_file *f;

	ck_assert_int_eq(out_file_open(&f, NULL), EXIT_OK);
	ck_assert_ptr_null(out_file_stream(f));
	ck_assert_int_eq(out_file_close(f, true, 3), 3);
}

/* A name of 255 bytes is one, and what stands beside it until then too. */
TEST(the_longest_name_is_written)
{
	char name[256];
	unsigned n;

	memset(name, 'n', sizeof(name) - 1);
	name[255] = '\0';
	ck_assert_int_eq(out_file_close(start(name, "new"), true, 0), 0);
	ck_assert_str_eq(load(name), "new");
	ck_assert_ptr_null(part(&n));
}

SUITE("out-file", .setup = build, .teardown = drop);
