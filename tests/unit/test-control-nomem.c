/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's process for which memory runs out: it does not go on, and its
 * last line says why.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "captured.h"
#include "control/control-inside.h"
#include "control/control.h"
#include "no-memory.h"
#include "unit.h"

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

/* A line for pmud, which keeps it; with memory, there is no ring here. */
TEST(a_process_without_memory_says_so_and_ends)
{
	const struct control_config none = { -1, -1, -1, -1, -1 };
	const char *said = "";
	unsigned n;
	int status;

	for (n = 0; !strstr(said, "ring"); n++) {
		ran_out = false;
		capture();
		left = n;
		status = control_serve(&none);
		left = UINT32_MAX;
		said = capture_end();
		ck_assert_int_eq(status, 1);
		ck_assert_str_eq(said, ran_out ? "out of memory\n"
					       : "ring: Invalid argument\n");
	}
	ck_assert_uint_gt(n, 6);
}

/* What goes to pmud is all there, or there is no process any more. */
static void append_record(struct control *c)
{
	record_hart(&c->trace.recorder, &(struct record_at){ 0 }, CHANGE_WOKEN,
		    0);
}

static void send_reply(struct control *c)
{
	control_send_taken(c, 1);
}

static void make_reply(struct control *c)
{
	(void)control_text(c, "x");
}

static const struct word_row {
	const char *last_words;
	void (*act)(struct control *c);
} word_rows[] = {
	{ "trace: out of memory\n", append_record },
	{ "a reply cannot be sent: Cannot allocate memory\n", send_reply },
	{ "out of memory\n", make_reply },
};

TEST_ROWS(a_process_that_cannot_go_on_says_why, word_rows)
{
	const struct word_row *row = &word_rows[_i];
	struct control c = { .answers = answers_new() };
	int status;
	pid_t pid;

	trace_init(&c.trace, NULL, NULL);
	capture();
	pid = fork();
	if (pid == 0) {
		left = 0;
		row->act(&c);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ck_assert_str_eq(capture_end(), row->last_words);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	row->act(&c);
	answers_free(c.answers);
	trace_free(&c.trace);
}

SUITE("control-nomem");
