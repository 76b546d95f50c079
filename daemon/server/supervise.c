/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The life of one pmud-machine: started, listened to, its end noticed by a
 * pidfd and explained. Whatever ends first, the process is killed, and reaped
 * when the kernel is done with it, which for a large machine takes seconds:
 * nothing here waits. Then calls are answered, and the owner is told once, with
 * a cause.
 */
#include "supervise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "child-inside.h"
#include "shared/ebb-ring.h"
#include "wire/unpack.h"

enum {
	MESSAGES_TURN = 64, /* heard in one turn of the loop */
	LAST_READS = 64,    /* of the socket of a process that has exited */
};

int children_new(struct children **ret, struct ev_loop *loop)
{
	struct children *all = calloc(1, sizeof(*all));
	int err = all ? turns_new(&all->turns, loop) : -ENOMEM;

	if (err) {
		free(all);
		return err;
	}
	all->loop = loop;
	*ret = all;
	return 0;
}

void children_free(struct children *all)
{
	if (!all)
		return;
	turns_free(all->turns);
	free(all);
}

/* Nothing is heard of it any more, nor is it told anything. */
static void hang_up(struct child *c)
{
	ev_io_stop(c->loop, &c->socket_in);
	ev_io_stop(c->loop, &c->socket_out);
	ev_timer_stop(c->loop, &c->exit_late);
	frame_out_free(&c->out);
	child_settle(c);
}

/* Kills it; exit_in will say when it is over. */
static void end(struct child *c, const char *why)
{
	if (!child_alive(c))
		return;
	c->state = CHILD_ENDING;
	if (why != c->wrong)
		snprintf(c->wrong, sizeof(c->wrong), "%s", why);
	hang_up(c);
	process_kill(&c->proc);
}

/* What it said ends it: a negated errno. */
static void end_for(struct child *c, int err)
{
	if (err == -EMSGSIZE)
		end(c, "was ended: it sent a message that is too long");
	else if (err == -ENOMEM)
		end(c, "was ended: pmud has no memory for what it sent");
	else
		end(c, "was ended: it sent a malformed message");
}

/* One message from the machine. 0; -EPROTO: it is none, or -ENOMEM. */
static int take_message(struct child *c, const uint8_t *bytes, size_t len)
{
	struct frame_body head, body;
	enum grpc_status status;
	const char *why;
	ProtobufCMessage *message CLEANUP(unpacked) = NULL;
	Pmu__Internal__FromMachine *m;

	if (!frame_split(bytes, len, &head, &body))
		return -EPROTO;
	message = wire_unpack(
		&pmu__internal__from_machine__descriptor,
		&(struct wire_bytes){ head.bytes, head.len, MESSAGE_UNPACKED },
		&status, &why);
	m = (Pmu__Internal__FromMachine *)message;
	if (!m)
		return wire_unpack_errno(status);
	if (m->what_case == PMU__INTERNAL__FROM_MACHINE__WHAT_REPLY)
		return child_take_reply(c, m->reply, &body);
	if (m->what_case != PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE)
		return 0;
	if (len > NOTICE_MAX)
		return -EPROTO;
	c->ops->notice(c->owner, m->notice);
	return 0;
}

/* Hears some of what came. True: there is more. */
static bool hear(struct child *c)
{
	const uint8_t *bytes;
	size_t len;
	int n = 1, err;

	for (int i = 0; i < MESSAGES_TURN && c->state == CHILD_ALIVE; i++) {
		n = frame_next(&c->in, &bytes, &len);
		if (n <= 0)
			break;
		err = take_message(c, bytes, len);
		if (err)
			end_for(c, err);
	}
	if (n < 0)
		end_for(c, n);
	return n > 0 && c->state == CHILD_ALIVE;
}

/* What it sent before it exited, and we have not read. */
static void hear_last(struct child *c)
{
	for (int i = 0; i < LAST_READS; i++) {
		if (frame_read(&c->in, c->proc.socket) != 1)
			break;
	}
	while (hear(c))
		;
}

static void explain(struct child *c, const char *how)
{
	/* what was wrong may have been found when it had ended by itself */
	const char *why = *c->wrong ? c->wrong : NULL;
	const char *said = stderr_tail_text(&c->tail);

	stderr_tail_drain(&c->tail, c->proc.err);
	snprintf(c->why, sizeof(c->why), "machine process %s%s%s%s%s",
		 why ? why : how, why ? "; it " : "", why ? how : "",
		 *said ? ": " : "", said);
	for (size_t n = strlen(c->why); n && c->why[n - 1] == '\n'; n--)
		c->why[n - 1] = '\0';
}

/* It has exited, and its records are taken as far as they can be now. */
static void finish(struct child *c)
{
	char how[128];

	hear_last(c);
	if (c->ended)
		return; /* by the owner, who heard something */
	hang_up(c);
	ev_io_stop(c->loop, &c->ring_in);
	ev_io_stop(c->loop, &c->stderr_in);
	process_reap(&c->proc, how, sizeof(how));
	explain(c, how);
	c->state = CHILD_GONE;
	child_answer_all(c, c->why);
}

/* Records first, then what was said after them. */
static void take_turn(struct child *c, size_t bytes)
{
	enum drained how = c->ring_held ? DRAIN_HELD : child_drain(c, bytes);
	bool more = how == DRAIN_MORE;

	if (c->ended)
		return;
	if (how == DRAIN_BAD)
		end(c, c->wrong);
	if (c->catching_up && !c->ring_held &&
	    (!more || c->ring.own >= c->resumed_at)) {
		c->catching_up = false;
		c->ops->flows(c->owner);
	}
	if (child_alive(c) && (!more || c->ring.own >= c->heard_at)) {
		if (hear(c))
			more = true;
		else if (child_alive(c))
			ev_io_start(c->loop, &c->socket_in);
	}
	if (c->over && !more && c->state != CHILD_GONE)
		finish(c);
	if (c->ended)
		return;
	/* what is left then is the beginning of a record, or no trace */
	if (c->state == CHILD_GONE && !more && !c->ring_held && !c->told) {
		c->told = true;
		c->ops->gone(c->owner, c->why);
	}
	if (more)
		turns_ask(c->all->turns, &c->turn);
}

static void release(struct child *c)
{
	void (*ended)(void *owner) = c->ended;
	void *owner = c->owner;

	process_close(&c->proc);
	ring_close(&c->ring);
	frame_in_free(&c->in);
	frame_out_free(&c->out);
	free(c);
	ended(owner);
}

/* Around what may call the owner back, who may end the child meanwhile. */
static void begin_callback(struct child *c)
{
	c->busy = true;
}

static void end_callback(struct child *c)
{
	c->busy = false;
	if (c->ended && c->state == CHILD_GONE)
		release(c);
}

static void on_turn(struct turns_worker *t, size_t bytes)
{
	struct child *c =
		(struct child *)((char *)t - offsetof(struct child, turn));

	begin_callback(c);
	take_turn(c, bytes);
	end_callback(c);
}

/* Takes what the control socket has. */
static void read_socket(struct child *c)
{
	int n = frame_read(&c->in, c->proc.socket);
	int64_t waiting = ring_waiting(&c->ring);

	if (n == -ENOMEM)
		return; /* the loop will offer it again */
	if (n < 0) {
		/* its exit status, about to come, says more than this */
		ev_io_stop(c->loop, &c->socket_in);
		ev_timer_start(c->loop, &c->exit_late);
		return;
	}
	/* what it recorded before it spoke is to be seen before, too */
	c->heard_at = c->ring.own + (waiting > 0 ? (uint64_t)waiting : 0);
	if ((waiting == 0 || c->ring_held) && !hear(c))
		return;
	if (!child_alive(c))
		return;
	ev_io_stop(c->loop, &c->socket_in);
	turns_ask(c->all->turns, &c->turn);
}

static void on_socket(struct ev_loop *loop, ev_io *w, int revents)
{
	begin_callback(w->data);
	read_socket(w->data);
	end_callback(w->data);
}

void child_flush(struct child *c)
{
	int n = frame_flush(&c->out, c->proc.socket);

	if (n == 1)
		ev_io_start(c->loop, &c->socket_out);
	else
		ev_io_stop(c->loop, &c->socket_out);
	child_settle(c);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int revents)
{
	child_flush(w->data);
}

static void on_ring(struct ev_loop *loop, ev_io *w, int revents)
{
	struct child *c = w->data;
	eventfd_t n;

	(void)eventfd_read(c->proc.data, &n);
	if (!c->ring_held)
		turns_ask(c->all->turns, &c->turn);
}

static void on_exit_late(struct ev_loop *loop, ev_timer *w, int revents)
{
	end(w->data, "closed its control socket");
}

static void on_exit_fd(struct ev_loop *loop, ev_io *w, int revents)
{
	struct child *c = w->data;
	char how[128];

	ev_io_stop(loop, w);
	c->over = true;
	if (!c->ended) {
		turns_ask(c->all->turns, &c->turn);
		return;
	}
	process_reap(&c->proc, how, sizeof(how));
	c->state = CHILD_GONE;
	if (!c->busy)
		release(c);
}

static void on_stderr(struct ev_loop *loop, ev_io *w, int revents)
{
	struct child *c = w->data;

	if (stderr_tail_read(&c->tail, c->proc.err) == 0)
		ev_io_stop(loop, w);
}

static void watch(struct child *c, ev_io *w, int fd,
		  void (*cb)(struct ev_loop *, ev_io *, int))
{
	ev_io_init(w, cb, fd, EV_READ);
	w->data = c;
	ev_io_start(c->loop, w);
}

static void watch_all(struct child *c)
{
	watch(c, &c->socket_in, c->proc.socket, on_socket);
	watch(c, &c->ring_in, c->proc.data, on_ring);
	watch(c, &c->exit_in, c->proc.pidfd, on_exit_fd);
	watch(c, &c->stderr_in, c->proc.err, on_stderr);
	ev_io_init(&c->socket_out, on_writable, c->proc.socket, EV_WRITE);
	ev_timer_init(&c->exit_late, on_exit_late, 2.0, 0.0);
	c->socket_out.data = c->exit_late.data = c;
	if (!ring_wait_data(&c->ring, 0))
		turns_ask(c->all->turns, &c->turn);
}

int child_spawn(struct child **ret, struct children *all,
		const struct child_config *cfg)
{
	struct child *c = calloc(1, sizeof(*c));
	int err = c ? process_start(&c->proc, &c->ring, cfg->program) : -ENOMEM;

	if (err) {
		free(c);
		return err;
	}
	c->all = all;
	c->loop = all->loop;
	c->ops = cfg->ops;
	c->owner = cfg->owner;
	c->turn.user = cfg->user;
	c->quota = cfg->quota;
	c->turn.work = on_turn;
	watch_all(c);
	*ret = c;
	return 0;
}

struct child *child_without_process(struct children *all, void *owner)
{
	struct child *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->proc = (struct process){ .pid = -1,
				    .pidfd = -1,
				    .socket = -1,
				    .data = -1,
				    .space = -1,
				    .channels = -1,
				    .err = -1 };
	c->all = all;
	c->loop = all->loop;
	c->owner = owner;
	c->state = CHILD_GONE;
	c->over = c->told = c->ring_bad = true;
	return c;
}

void child_end(struct child *c, void (*ended)(void *owner))
{
	char how[128];

	c->ended = ended;
	turns_leave(c->all->turns, &c->turn);
	hang_up(c);
	ev_io_stop(c->loop, &c->ring_in);
	ev_io_stop(c->loop, &c->stderr_in);
	if (c->over) {
		process_reap(&c->proc, how, sizeof(how));
		c->state = CHILD_GONE;
	} else if (c->state == CHILD_ALIVE) {
		c->state = CHILD_ENDING;
		process_kill(&c->proc);
	}
	child_answer_all(c, "the machine was deleted");
	if (c->state == CHILD_GONE && !c->busy)
		release(c);
}

void child_wait(struct child *c)
{
	char how[128];

	ev_io_stop(c->loop, &c->exit_in);
	process_reap(&c->proc, how, sizeof(how));
	c->state = CHILD_GONE;
	release(c);
}

bool child_alive(const struct child *c)
{
	return c->state == CHILD_ALIVE && !c->over;
}

int child_pass(struct child *c, uint32_t session, const struct ebb_channel *ch)
{
	return ebb_channel_send(c->proc.channels, session, ch);
}

void child_resume_ring(struct child *c)
{
	int64_t waiting;

	if (!c->ring_held || c->ended)
		return;
	c->ring_held = false;
	waiting = ring_waiting(&c->ring);
	c->resumed_at = c->ring.own + (waiting > 0 ? (uint64_t)waiting : 0);
	c->catching_up = true;
	turns_ask(c->all->turns, &c->turn);
}
