/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/store-file.c: what an earlier pmud has left in a file is a
 * store again, and a file that was given outlives its store. The items here are
 * lines.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "no-memory.h"
#include "server/store-inside.h"

ssize_t __real_pread64(int fd, void *bytes, size_t len, off_t at);
ssize_t __wrap_pread64(int fd, void *bytes, size_t len, off_t at);

int __real_fstat64(int fd, struct stat *ret);
int __wrap_fstat64(int fd, struct stat *ret);

static bool is_unknown; /* what a file is */
static int broken = -1; /* the how manieth read fails, from 0 on */

ssize_t __wrap_pread64(int fd, void *bytes, size_t len, off_t at)
{
	if (broken < 0 || broken-- > 0)
		return __real_pread64(fd, bytes, len, at);
	errno = EIO;
	return -1;
}

int __wrap_fstat64(int fd, struct stat *ret)
{
	if (!is_unknown)
		return __real_fstat64(fd, ret);
	errno = EIO;
	return -1;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

enum {
	PAGE = 4096
};

static char folder[] = "/tmp/test-store-file-XXXXXX";
static int dir;

static void setup(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(folder)));
	dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	PREPARING(ck_assert_int_ge(dir, 0));
}

static void teardown(void)
{
	unlinkat(dir, "file", 0);
	unlinkat(dir, "file", AT_REMOVEDIR);
	close(dir);
	ck_assert_int_eq(rmdir(folder), 0);
}

static size_t count_lines(const uint8_t *bytes, size_t len, uint64_t *ret)
{
	const uint8_t *end = memrchr(bytes, '\n', len);

	for (size_t i = 0; i < len; i++)
		*ret += bytes[i] == '\n';
	return end ? (size_t)(end - bytes) + 1 : 0;
}

static void put_file(off_t hole, const char *text)
{
	int fd = openat(dir, "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	PREPARING(ck_assert_int_ge(fd, 0));
	PREPARING(ck_assert_int_eq(ftruncate(fd, hole), 0));
	PREPARING(ck_assert_int_eq(pwrite(fd, text, strlen(text), hole),
				   (ssize_t)strlen(text)));
	close(fd);
}

#define AT(o, i)                                                               \
	&(const struct store_place)                                            \
	{                                                                      \
		.offset = (o), .item = (i)                                     \
	}

static const struct load_row {
	const char *why;
	off_t hole;
	const char *text;
	const struct store_place *begin, *end; /* as it is said */
	int err;
	uint64_t first, last, items; /* bytes, and the number behind the last */
	off_t size;		     /* of the file afterwards */
} load_rows[] = {
	{ "whole items", 0, "ab\ncd\n", NULL, NULL, 0, 0, 6, 2, 6 },
	{ "none", 0, "", NULL, NULL, 0, 0, 0, 0, 0 },
	{ "one that is not whole is cut off", 0, "ab\ncd", NULL, NULL, 0, 0, 3,
	  1, 3 },
	{ "from where it is said", 0, "ab\ncd\n", AT(3, 7), NULL, 0, 3, 6, 8,
	  6 },
	{ "from its very end", 0, "ab\n", AT(3, 7), NULL, 0, 3, 3, 7, 3 },
	{ "from behind its end", 0, "ab\n", AT(4, 7), NULL, -ENODATA, 0, 0, 0,
	  3 },
	{ "up to where it is said", 0, "ab\ncd", AT(0, 0), AT(5, 9), 0, 0, 5, 9,
	  5 },
	{ "nothing of it is left", 0, "", NULL, AT(0, 9), 0, 0, 0, 9, 0 },
	{ "it has grown since", 0, "ab\ncd", AT(0, 0), AT(3, 9), 0, 0, 3, 1,
	  3 },
	{ "it ends before it begins", 0, "ab\ncd\n", AT(6, 2), AT(5, 9), 0, 6,
	  6, 2, 6 },
	{ "one that slid, by pages", 2 * PAGE, "ab\n", NULL, NULL, 0, 2 * PAGE,
	  2 * PAGE + 3, 2 * PAGE + 1, 2 * PAGE + 3 },
	{ "one that slid, inside of a page", 2 * PAGE + 5, "ab\n", NULL, NULL,
	  0, 2 * PAGE + 5, 2 * PAGE + 8, 2 * PAGE + 6, 2 * PAGE + 8 },
	{ "one of which nothing is left", 2 * PAGE, "", NULL, NULL, -ENXIO, 0,
	  0, 0, 2 * PAGE },
};

TEST_ROWS(a_file_is_a_store_again, load_rows)
{
	const struct load_row *row = &load_rows[_i];
	const struct store_load how = {
		.dir = dir,
		.name = "file",
		.begin = row->begin,
		.end = row->end,
		.count = count_lines,
	};
	struct store *s = NULL;
	struct stat st;

	put_file(row->hole, row->text);
	ck_assert_msg(store_open(&s, &how) == row->err, "%s", row->why);
	ck_assert_int_eq(fstatat(dir, "file", &st, 0), 0);
	ck_assert_int_eq(st.st_size, row->size);
	if (!row->err) {
		ck_assert_uint_eq(store_place_first(s).offset, row->first);
		ck_assert_uint_eq(store_place_behind(s).offset, row->last);
		ck_assert_uint_eq(store_items(s), row->items);
		ck_assert_uint_eq(store_held_bytes(s), row->last - row->first);
		/* it is for readers alone */
		ck_assert_int_eq(store_put(s, "x", 1), -EDQUOT);
	}
	store_free(s);
}

/* More than is counted at once. */
TEST(a_long_file_is_counted_whole)
{
	enum {
		LINES = 300000,
		BYTES = 6 * LINES
	};
	const struct store_load how = { .dir = dir,
					.name = "file",
					.count = count_lines };
	char *text = malloc(BYTES + 1);
	struct store *s;

	for (size_t i = 0; i < LINES; i++)
		memcpy(text + 6 * i, "line.\n", 7);
	put_file(0, text);
	free(text);
	ck_assert_int_eq(store_open(&s, &how), 0);
	ck_assert_uint_eq(store_items(s), LINES);
	ck_assert_uint_eq(store_place_behind(s).offset, BYTES);
	store_free(s);
}

/* The descriptor that is the first of all, too. */
TEST(a_file_may_be_number_0)
{
	const struct store_load how = { .dir = dir,
					.name = "file",
					.count = count_lines };
	int was = dup(0), err;
	struct store *s;

	put_file(0, "ab\n");
	close(0);
	err = store_open(&s, &how);
	ck_assert_int_ge(fcntl(0, F_GETFD), 0);
	if (!err)
		store_free(s);
	dup2(was, 0);
	close(was);
	ck_assert_int_eq(err, 0);
}

/* Where it begins is looked for in one that slid, where it ends in each. */
TEST_TIMES(a_file_that_cannot_be_read_is_no_store, 3)
{
	const struct store_load how = { .dir = dir,
					.name = "file",
					.count = count_lines };
	struct store *s = NULL;

	put_file(_i ? 2 * PAGE : 0, "ab\n");
	broken = _i == 2;
	ck_assert_int_eq(store_open(&s, &how), -EIO);
	ck_assert_int_eq(broken, -1);
	ck_assert_ptr_null(s);
}

TEST(a_file_of_which_nothing_is_known_is_no_store)
{
	const struct store_load how = { .dir = dir,
					.name = "file",
					.count = count_lines };
	struct store *s = NULL;

	put_file(0, "ab\n");
	is_unknown = true;
	ck_assert_int_eq(store_open(&s, &how), -EIO);
	is_unknown = false;
	ck_assert_ptr_null(s);
}

/* Which is counted as its user's. */
TEST(without_memory_a_file_is_no_store_and_keeps_what_is_whole)
{
	const struct quota_limit limits[N_QUOTAS] = {
		[QUOTA_STORE] = { QUOTA_NONE, 1000, 1 },
	};
	struct store_share share = { .uid = 5 };
	const struct store_load how = { .dir = dir,
					.name = "file",
					.share = &share,
					.count = count_lines };
	struct store *s = NULL;
	unsigned n;
	int err;

	put_file(0, "ab\ncd");
	ck_assert_int_eq(quota_new(&share.quota, limits), 0);
	for (n = 0;; n++) {
		struct stat st;

		ran_out = false;
		left = n;
		err = store_open(&s, &how);
		left = UINT32_MAX;
		if (!ran_out)
			break;
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_ptr_null(s);
		ck_assert_uint_eq(quota_held(share.quota, QUOTA_STORE, 5), 0);
		ck_assert_int_eq(fstatat(dir, "file", &st, 0), 0);
		ck_assert_int_eq(st.st_size, n < 3 ? 5 : 3);
	}
	/* the store, its marks, what is counted, its user */
	ck_assert_uint_eq(n, 4);
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(quota_held(share.quota, QUOTA_STORE, 5), 3);
	store_free(s);
	ck_assert_uint_eq(quota_held(share.quota, QUOTA_STORE, 5), 0);
	quota_free(share.quota);
}

static void make_fifo(void)
{
	PREPARING(ck_assert_int_eq(mkfifoat(dir, "file", 0600), 0));
}

static void make_folder(void)
{
	PREPARING(ck_assert_int_eq(mkdirat(dir, "file", 0700), 0));
}

static void make_link(void)
{
	PREPARING(ck_assert_int_eq(symlinkat("/dev/null", dir, "file"), 0));
}

static void make_nothing(void)
{
}

static const struct kind_row {
	const char *why;
	void (*make)(void);
	int err;
} kind_rows[] = {
	{ "a FIFO", make_fifo, -EINVAL },
	{ "a folder", make_folder, -EISDIR },
	{ "a link", make_link, -ELOOP },
	{ "nothing", make_nothing, -ENOENT },
};

TEST_ROWS(what_is_no_file_is_no_store, kind_rows)
{
	const struct kind_row *row = &kind_rows[_i];
	const struct store_load how = { .dir = dir,
					.name = "file",
					.count = count_lines };
	struct store *s = NULL;

	row->make();
	ck_assert_msg(store_open(&s, &how) == row->err, "%s", row->why);
	ck_assert_ptr_null(s);
}

TEST(a_file_that_was_given_is_somebody_elses_too)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int theirs = dup(fd);
	struct store *given;
	char text[8] = "";

	ck_assert_int_eq(store_new_in(&given, fd, 1 << 20, NULL), 0);
	ck_assert_int_eq(store_put(given, "line\n", 5), 0);
	store_commit(given, 1);
	store_free(given);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	ck_assert_int_eq(pread(theirs, text, sizeof(text), 0), 5);
	ck_assert_str_eq(text, "line\n");
	close(theirs);
}

/* It is the store's even where there is no store then. */
TEST_TIMES(a_file_that_was_given_is_closed_without_memory, 2)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	struct store *given;

	left = (uint32_t)_i;
	ck_assert_int_eq(store_new_in(&given, fd, 1 << 20, NULL), -ENOMEM);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
}

SUITE("store-file", .setup = setup, .teardown = teardown);
