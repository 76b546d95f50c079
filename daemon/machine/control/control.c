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
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "control-inside.h"
#include "shared/ring.h"
#include "symbol-store.h"
#include "engine/engine.h"
#include "slice.h"
#include "wire/frame.h"

enum {
	NS_PER_S = 1000000000,
};

struct loop {
	struct frame_in in;
	struct ring ring;
	bool waits_for_room; /* the ring is full */
	bool requests_wait;  /* until answers have been read */
	uint64_t soft;	     /* host work of a slice */
};

/* Requests */

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

	while (answers_fit(c->answers) &&
	       (rc = frame_next(&c->loop->in, &bytes, &len)) > 0) {
		if (!control_take_call(c, bytes, len)) {
			fputs("a request is malformed\n", stderr);
			return false;
		}
	}
	c->loop->requests_wait = !answers_fit(c->answers);
	return rc >= 0 || give_up("a request's frame is malformed", -rc);
}

/* False: the conversation is over; *@status says how. */
static bool take_requests(struct control *c, bool readable, int *status)
{
	int rc = readable ? frame_read(&c->loop->in, c->cfg->socket) : 0;

	*status = rc == -ECONNRESET ? 0 : 1;
	if (rc < 0)
		return *status && give_up("requests cannot be read", -rc);
	return handle_requests(c);
}

/* Records */

static int put_records(void *arg, const void *bytes, size_t len)
{
	struct control *c = arg;
	int rc = ring_put(&c->loop->ring, bytes, len);

	if (rc == -ENOBUFS && !ring_wait_space(&c->loop->ring, len))
		rc = ring_put(&c->loop->ring, bytes, len);
	return rc;
}

/* False: the ring is beyond repair. */
static bool flush_records(struct control *c)
{
	int rc = trace_flush(&c->trace);

	if (ring_must_wake_consumer(&c->loop->ring))
		(void)eventfd_write(c->cfg->data, 1);
	c->loop->waits_for_room = rc == -ENOBUFS;
	return rc == 0 || rc == -ENOBUFS;
}

/* What is told without being asked */

static void tell_state(struct control *c)
{
	struct machine_status s;

	if (!c->machine)
		return;
	machine_status(c->machine, &s);
	ring_tell(&c->loop->ring, s.insn, s.cycle);
	if (!c->loop->waits_for_room)
		control_tell_state(c);
}

/* Slices */

static bool is_running(const struct control *c)
{
	struct machine_status s;

	if (!c->machine || c->loop->waits_for_room)
		return false;
	machine_status(c->machine, &s);
	return s.state == MACHINE_RUNNING && !s.ebb && !c->trace.stands;
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

/* To check it, each run looks at all that is rewritten, however short it is. */
static uint64_t slice_least(const struct control *c)
{
	return machine_config(c->machine)->settings.engine == ENGINE_CHECK
		       ? SLICE_MIN_CHECK
		       : SLICE_MIN;
}

/* One slice; the next one is longer or shorter, to last as long as wanted. */
static void run_slice(struct control *c)
{
	struct slice_took took = {
		.want = machine_config(c->machine)->settings.host_slice * 1000,
		.least = slice_least(c),
		.begin = host_now(),
	};

	do
		machine_run(c->machine, c->loop->soft);
	while (control_ebb_released(c, took.begin + took.want));
	took.end = host_now();
	took.all = is_running(c) && !rest(c);
	c->loop->soft = slice_next(c->loop->soft, &took);
}

/* Waits for something to do. False: nothing will ever come. */
static bool wait_for_work(struct control *c, bool *ret_readable)
{
	struct pollfd fds[2 + EBB_MAX_SESSIONS] = {
		{ .fd = c->cfg->socket,
		  .events = answers_fit(c->answers) ? POLLIN : 0 },
		{ .fd = c->loop->waits_for_room ? c->cfg->space : -1,
		  .events = POLLIN },
	};
	nfds_t n_fds = 2 + ebb_rings_poll(c->rings, fds + 2);
	bool busy = (c->loop->requests_wait && answers_fit(c->answers)) ||
		    control_ebb_waits(c);
	uint64_t ns = busy ? 0 : rest(c);
	struct timespec nap = { .tv_sec = (time_t)(ns / NS_PER_S),
				.tv_nsec = (long)(ns % NS_PER_S) };
	eventfd_t n;

	if (answers_wait(c->answers))
		fds[0].events |= POLLOUT;
	if (ppoll(fds, n_fds, ns < UINT64_MAX ? &nap : NULL, NULL) < 0 &&
	    errno != EINTR)
		return give_up("waiting for work", errno);
	if (fds[1].revents)
		(void)eventfd_read(c->cfg->space, &n);
	ebb_rings_polled(c->rings, fds + 2);
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
		control_ebb_act(c);
		tell_state(c);
		if (is_running(c))
			run_slice(c);
		if (!flush_records(c)) {
			fputs("the ring's reader broke its rules\n", stderr);
			return 1;
		}
		tell_state(c);
		if (!answers_flush(c->answers, c->cfg->socket))
			return 0;
	}
}

/* False: no memory. */
static bool make_owners(struct control *c)
{
	c->uploads = uploads_new();
	c->symbols = symbol_files_new();
	c->answers = answers_new();
	c->told = told_new();
	c->rings = ebb_rings_new();
	c->trace.told = control_ebb_tell;
	c->trace.told_arg = c;
	return c->uploads && c->symbols && c->answers && c->told && c->rings;
}

static int open_and_serve(struct control *c)
{
	int rc = ring_open(&c->loop->ring, c->cfg->ring);

	if (rc == 0)
		return serve(c);
	fprintf(stderr, "ring: %s\n", strerror(-rc));
	return 1;
}

int control_serve(const struct control_config *cfg)
{
	struct loop loop = { .soft = SLICE_START };
	struct control c = { .cfg = cfg, .loop = &loop };
	int status = 1;

	trace_init(&c.trace, put_records, &c);
	if (make_owners(&c))
		status = open_and_serve(&c);
	else
		fputs("out of memory\n", stderr);
	machine_free(c.machine);
	trace_free(&c.trace);
	uploads_free(c.uploads);
	symbol_files_free(c.symbols);
	ring_close(&loop.ring);
	frame_in_free(&loop.in);
	answers_free(c.answers);
	told_free(c.told);
	ebb_rings_free(c.rings);
	return status;
}
