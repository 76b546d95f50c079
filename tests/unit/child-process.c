/* SPDX-License-Identifier: BSD-2-Clause */
/* The played parts: see child-process.h. */
#include "child-process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

struct theirs theirs;
struct owner owner;
struct ev_loop *loop;
struct child *c;

static struct children *all;

int process_start(struct process *ret, struct ring *ret_ring,
		  const char *program)
{
	int sockets[2], errs[2], fd;
	struct process p = { .pid = 1, .channels = -1 };

	ck_assert_int_eq(ring_create(ret_ring, RING_BYTES, &fd), 0);
	ck_assert_int_eq(ring_open(&theirs.ring, fd), 0);
	close(fd);
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets),
		0);
	ck_assert_int_eq(pipe2(errs, O_NONBLOCK), 0);
	p.socket = sockets[0];
	theirs.socket = sockets[1];
	p.err = errs[0];
	theirs.err = errs[1];
	p.data = theirs.data = eventfd(0, EFD_NONBLOCK);
	p.space = theirs.space = eventfd(0, EFD_NONBLOCK);
	p.pidfd = theirs.end = eventfd(0, EFD_NONBLOCK);
	*ret = p;
	return 0;
}

void process_kill(const struct process *p)
{
	theirs.killed++;
}

void process_reap(struct process *p, char *how, size_t len)
{
	theirs.reaped++;
	snprintf(how, len, "was played");
}

void process_close(struct process *p)
{
	theirs.closed++;
	close(p->socket);
	close(p->err);
	close(p->data);
	close(p->space);
	close(p->pidfd);
}

static void on_ended(void *arg)
{
	ck_assert_ptr_eq(arg, &owner);
	owner.ended++;
}

void owner_ends(void)
{
	child_end(c, on_ended);
}

static void note(const void *arg, char what)
{
	size_t n = strlen(owner.order);

	ck_assert_ptr_eq(arg, &owner);
	if (n + 1 < sizeof(owner.order))
		owner.order[n] = what;
	if (what == owner.ends_at)
		owner_ends();
}

static ssize_t on_records(void *arg, const uint8_t *bytes, size_t len,
			  bool *ret_full)
{
	ssize_t used = owner.takes(len, ret_full);

	ck_assert_uint_lt(owner.n_offers, ARRAY_SIZE(owner.offered));
	owner.offered[owner.n_offers++] = len;
	owner.taken += used > 0 ? (size_t)used : 0;
	note(arg, 'r');
	return used;
}

static void on_notice(void *arg, const Pmu__V1__MachineInfo *info)
{
	owner.notices++;
	note(arg, 'n');
}

static void on_flows(void *arg)
{
	owner.flows++;
	note(arg, 'f');
}

static void on_gone(void *arg, const char *why)
{
	owner.gone++;
	snprintf(owner.why, sizeof(owner.why), "%s", why);
	note(arg, 'g');
}

static const struct child_ops ops = { on_notice, on_records, on_flows,
				      on_gone };

ssize_t whole(size_t len, bool *ret_full)
{
	return (ssize_t)len;
}

ssize_t full(size_t len, bool *ret_full)
{
	*ret_full = true;
	return 0;
}

struct quota *child_quota;

void child_begin(void)
{
	const struct child_config cfg = {
		.program = "/played",
		.ops = &ops,
		.owner = &owner,
		.user = USER,
		.quota = child_quota,
	};

	memset(&theirs, 0, sizeof(theirs));
	memset(&owner, 0, sizeof(owner));
	owner.takes = whole;
	loop = ev_loop_new(0);
	PREPARING(ck_assert_int_eq(children_new(&all, loop), 0));
	PREPARING(ck_assert_int_eq(child_spawn(&c, all, &cfg), 0));
}

void turns(unsigned n)
{
	while (n--)
		ev_run(loop, EVRUN_NOWAIT);
}

void send_end(void)
{
	eventfd_write(theirs.end, 1);
}

void child_fini(void)
{
	if (!owner.ended && !c->ended)
		owner_ends();
	if (!owner.ended) {
		send_end();
		turns(3);
	}
	ck_assert_uint_eq(owner.ended, 1);
	ring_close(&theirs.ring);
	close(theirs.socket);
	close(theirs.err);
	children_free(all);
	ev_loop_destroy(loop);
}

bool put(size_t n)
{
	static uint8_t bytes[RING_BYTES];
	bool wake;

	ck_assert_int_eq(ring_put(&theirs.ring, bytes, n), 0);
	wake = ring_must_wake_consumer(&theirs.ring);
	if (wake)
		eventfd_write(theirs.data, 1);
	return wake;
}

void say(const char *detail)
{
	Pmu__Internal__FromMachine m = PMU__INTERNAL__FROM_MACHINE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;
	struct frame_out out = { 0 };

	info.detail = (char *)detail;
	m.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;
	m.notice = &info;
	ck_assert_int_eq(frame_put(&out, &m.base, &(struct frame_body){ 0 }),
			 0);
	ck_assert_int_eq(frame_flush(&out, theirs.socket), 0);
	frame_out_free(&out);
}
