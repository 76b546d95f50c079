/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/stderr-tail.c: what is kept of a machine's stderr. */
#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "server/stderr-tail.h"

static int fds[2];
static struct stderr_tail words;

static void setup(void)
{
	int null = open("/dev/null", O_WRONLY);

	words = (struct stderr_tail){ 0 };
	ck_assert_int_eq(pipe2(fds, O_NONBLOCK), 0);
	/* what is passed on is not for the test's own stderr */
	ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
	close(null);
}

static void teardown(void)
{
	close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

static void say(const char *bytes, size_t n)
{
	ck_assert_int_eq(write(fds[1], bytes, n), (ssize_t)n);
}

static const struct row {
	const char *said, *kept;
} rows[] = {
	{ "", "" },
	{ "gave up\n", "gave up\n" },
	{ "\x1b[31mred\x07\r\n", "?[31mred??\n" },
	{ "caf\xc3\xa9 \xff", "caf?? ?" },
	{ "\x7f~ \t", "?~ ?" },
};

TEST_ROWS(only_plain_text_is_kept, rows)
{
	say(rows[_i].said, strlen(rows[_i].said));
	stderr_tail_drain(&words, fds[0]);
	ck_assert_str_eq(stderr_tail_text(&words), rows[_i].kept);
}

TEST(the_end_is_kept_of_what_is_long)
{
	char piece[700];

	for (int i = 0; i < 10; i++) {
		memset(piece, 'a' + i, sizeof(piece));
		say(piece, sizeof(piece));
		ck_assert_int_gt(stderr_tail_read(&words, fds[0]), 0);
	}
	ck_assert_uint_eq(strlen(stderr_tail_text(&words)), STDERR_TAIL);
	ck_assert_int_eq(stderr_tail_text(&words)[0], 'h');
	ck_assert_int_eq(stderr_tail_text(&words)[STDERR_TAIL - 1], 'j');
}

TEST(as_much_as_is_kept_takes_the_place_of_all)
{
	char piece[STDERR_TAIL];

	say("before", 6);
	ck_assert_int_eq(stderr_tail_read(&words, fds[0]), 6);
	memset(piece, 'x', sizeof(piece));
	say(piece, sizeof(piece));
	ck_assert_int_eq(stderr_tail_read(&words, fds[0]), STDERR_TAIL);
	ck_assert_uint_eq(strlen(stderr_tail_text(&words)), STDERR_TAIL);
	ck_assert_int_eq(stderr_tail_text(&words)[0], 'x');
}

TEST(a_zero_does_not_hide_what_follows)
{
	say("a\0b", 3);
	stderr_tail_drain(&words, fds[0]);
	ck_assert_str_eq(stderr_tail_text(&words), "a?b");
}

TEST(the_end_of_the_pipe_is_told)
{
	ck_assert_int_lt(stderr_tail_read(&words, fds[0]), 0);
	close(fds[1]);
	fds[1] = -1;
	ck_assert_int_eq(stderr_tail_read(&words, fds[0]), 0);
}

TEST(no_more_than_its_share_is_passed_on)
{
	char piece[1024];

	memset(piece, 'x', sizeof(piece));
	for (size_t n = 0; n < 2 * STDERR_PASSED; n += sizeof(piece)) {
		say(piece, sizeof(piece));
		stderr_tail_read(&words, fds[0]);
	}
	ck_assert_uint_eq(words.passed, STDERR_PASSED);
}

SUITE("words", .setup = setup, .teardown = teardown);
