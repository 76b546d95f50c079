/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's process for which memory runs out: it does not go on, and its
 * last line says why. One that ends has given back all that it had.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "captured.h"
#include "control-peer.h"
#include "control/control-inside.h"
#include "live-memory.h"

int __real_control_serve(const struct control_config *cfg);
int __wrap_control_serve(const struct control_config *cfg);
void __real_ring_close(struct ring *r);
void __wrap_ring_close(struct ring *r);

enum {
	LEFT_BEHIND = 77 /* a status of no machine */
};

static unsigned rings_closed;

void __wrap_ring_close(struct ring *r)
{
	rings_closed++;
	__real_ring_close(r);
}

int __wrap_control_serve(const struct control_config *cfg)
{
	unsigned memory = live.n, rings = rings_closed;
	int status = __real_control_serve(cfg);

	return live.n == memory && rings_closed == rings + 1 ? status
							     : LEFT_BEHIND;
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
	ck_assert_uint_gt(n, 5);
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

/* One with a machine, or with half an image; a request's end does not come. */
TEST_TIMES(a_process_that_ends_gives_all_back, 2)
{
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;

	if (_i) {
		paused("");
		ck_assert_uint_eq(peer_simple(&p, CALL(ListHarts)), OK);
	} else {
		loaded("");
		start.total_bytes = 8;
		part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
		part.start = &start;
		ck_assert_uint_eq(
			peer_call(&p, CALL(LoadImage), &part.base)->code, OK);
	}
	peer_write(&p, "\0\0", 2);
	ck_assert_int_eq(peer_end(&p), 0);
}

SUITE("control-nomem");
