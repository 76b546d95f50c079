/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop: requests, slices, records, notices, in this order of urgency. A
 * slice takes about as long as the setting host-slice says; the guest cannot
 * see how long. While the ring is full the machine stands still. While a paced
 * machine sleeps, the process does.
 */
#include "control.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "control-inside.h"

enum {
	SOFT_MIN = 1000,
	SOFT_MAX = 50000000,
	SOFT_START = 50000,
	NS_PER_S = 1000000000,
};

/* Requests */

/* Are enough answers read that another request may be taken? */
static bool answers_fit(const struct control *c)
{
	return frame_pending(&c->out) < FRAME_OUT_LIMIT / 2;
}

/* Nothing can be served any more: a line for pmud, which keeps it. */
static bool give_up(const char *what, int err)
{
	fprintf(stderr, "%s: %s\n", what, strerror(err));
	return false;
}

/* False: a request is malformed. */
static bool handle_requests(struct control *c)
{
	const uint8_t *bytes;
	size_t len;
	int rc = 0;

	while (answers_fit(c) && (rc = frame_next(&c->in, &bytes, &len)) > 0) {
		if (!control_take_call(c, bytes, len)) {
			fputs("a request is malformed\n", stderr);
			return false;
		}
	}
	c->requests_wait = !answers_fit(c);
	return rc >= 0 || give_up("a request's frame is malformed", -rc);
}

/* False: the conversation is over; *@status says how. */
static bool take_requests(struct control *c, bool readable, int *status)
{
	int rc = readable ? frame_read(&c->in, c->cfg.socket) : 0;

	*status = rc == -ECONNRESET ? 0 : 1;
	if (rc < 0)
		return *status && give_up("requests cannot be read", -rc);
	return handle_requests(c);
}

/* Records */

static int put_records(void *arg, const void *bytes, size_t len)
{
	struct control *c = arg;
	int rc = ring_put(&c->ring, bytes, len);

	if (rc == -ENOBUFS && !ring_wait_space(&c->ring, len))
		rc = ring_put(&c->ring, bytes, len);
	return rc;
}

/* False: the ring is beyond repair. */
static bool flush_records(struct control *c)
{
	int rc = trace_flush(&c->trace);

	if (ring_must_wake_consumer(&c->ring))
		(void)eventfd_write(c->cfg.data, 1);
	c->waits_for_room = rc == -ENOBUFS;
	return rc == 0 || rc == -ENOBUFS;
}

/* What is told without being asked */

static void tell_state(struct control *c)
{
	Pmu__Internal__FromMachine from = PMU__INTERNAL__FROM_MACHINE__INIT;
	struct machine_status s;

	if (!c->machine)
		return;
	machine_status(c->machine, &s);
	ring_tell(&c->ring, s.insn, s.cycle);
	if (c->waits_for_room)
		return;
	control_finish_step(c);
	control_free_replies(c);
	if (s.state == c->told && s.cause == c->told_cause &&
	    s.n_notes == c->told_notes)
		return;
	c->told = s.state;
	c->told_cause = s.cause;
	c->told_notes = s.n_notes;
	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;
	from.notice = control_info(c);
	(void)control_send(c, &from, NULL);
	control_free_replies(c);
}

/* Slices */

static bool is_running(const struct control *c)
{
	struct machine_status s;

	if (!c->machine || c->waits_for_room)
		return false;
	machine_status(c->machine, &s);
	return s.state == MACHINE_RUNNING;
}

/* Nanoseconds for which the machine has nothing to do; UINT64_MAX: for ever. */
static uint64_t rest(const struct control *c)
{
	uint64_t until;

	if (!is_running(c))
		return UINT64_MAX;
	return machine_sleeps(c->machine, &until)
		       ? host_pacer_left(&c->pacer, until)
		       : 0;
}

/* One slice; the next one is longer or shorter, to last as long as wanted. */
static void run_slice(struct control *c)
{
	uint64_t want = machine_config(c->machine)->settings.host_slice * 1000;
	uint64_t took, start = host_now();

	machine_run(c->machine, c->soft);
	took = host_now() - start;
	if (took > want && c->soft > SOFT_MIN)
		c->soft = c->soft / 2 > SOFT_MIN ? c->soft / 2 : SOFT_MIN;
	else if (took < want / 2 && c->soft < SOFT_MAX && !rest(c))
		c->soft *= 2; /* it was all used */
}

/* Waits for something to do. False: nothing will ever come. */
static bool wait_for_work(struct control *c, bool *ret_readable)
{
	bool busy = c->requests_wait && answers_fit(c);
	uint64_t ns = busy ? 0 : rest(c);
	struct timespec nap = { .tv_sec = (time_t)(ns / NS_PER_S),
				.tv_nsec = (long)(ns % NS_PER_S) };
	struct pollfd fds[] = {
		{ .fd = c->cfg.socket, .events = answers_fit(c) ? POLLIN : 0 },
		{ .fd = c->waits_for_room ? c->cfg.space : -1,
		  .events = POLLIN },
	};
	eventfd_t n;

	if (frame_pending(&c->out))
		fds[0].events |= POLLOUT;
	if (ppoll(fds, 2, ns < UINT64_MAX ? &nap : NULL, NULL) < 0 &&
	    errno != EINTR)
		return give_up("waiting for work", errno);
	if (fds[1].revents)
		(void)eventfd_read(c->cfg.space, &n);
	*ret_readable = fds[0].revents & (POLLIN | POLLHUP | POLLERR);
	return true;
}

static int serve(struct control *c)
{
	bool readable;
	int status = 1;

	for (;;) {
		if (!wait_for_work(c, &readable))
			return 1;
		if (!take_requests(c, readable, &status))
			return status;
		tell_state(c);
		if (is_running(c))
			run_slice(c);
		if (!flush_records(c)) {
			fputs("the ring's reader broke its rules\n", stderr);
			return 1;
		}
		tell_state(c);
		if (frame_flush(&c->out, c->cfg.socket) < 0)
			return 0;
	}
}

int control_serve(const struct control_config *cfg)
{
	struct control *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return 1;
	c->cfg = *cfg;
	c->soft = SOFT_START;
	c->told = MACHINE_NEW;
	trace_init(&c->trace, put_records, c);
	rc = ring_open(&c->ring, cfg->ring);
	if (rc < 0)
		fprintf(stderr, "ring: %s\n", strerror(-rc));
	rc = rc < 0 ? 1 : serve(c);
	machine_free(c->machine);
	trace_free(&c->trace);
	control_drop_upload(c);
	control_symbols_free(c);
	ring_close(&c->ring);
	frame_in_free(&c->in);
	frame_out_free(&c->out);
	control_free_replies(c);
	free(c);
	return rc;
}
