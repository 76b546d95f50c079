/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watches one pmud-machine: control socket, ring, stderr and the process itself
 * by a pidfd. Whatever ends first, the process is killed and reaped, calls are
 * answered, and the owner is told once, with a cause.
 */
#include "supervise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipc/frame.h"
#include "ipc/ring.h"
#include "wire/unpack.h"
#include "daemon-limits.h"
#include "process.h"
#include "words.h"

enum {
	RING_CHUNK = 512 << 10, /* at least twice RECORD_MAX */
	RING_TURN = 1 << 20,	/* bytes taken in one turn of the loop */
};

struct pending {
	struct pending *next;
	uint64_t id;
	child_reply_fn *reply; /* NULL: forgotten */
	void *arg;
};

struct child {
	struct ev_loop *loop;
	const struct child_ops *ops;
	void *owner;
	struct process proc;
	struct ring ring;
	bool alive, ring_held, told;
	bool busy, freed; /* child_free() from inside a callback waits */
	char why[STDERR_TAIL + 512]; /* it is gone */
	ev_io socket_in, socket_out, ring_in, exit_in, stderr_in;
	ev_timer exit_late, more;
	struct frame_in in;
	struct frame_out out;
	struct pending *calls;
	unsigned n_calls;
	uint64_t next_id;
	uint8_t *bytes; /* out of the ring, not yet used by the owner */
	size_t n_bytes;
	char wrong[128]; /* with them */
	struct words words;
};

/* How emptying the ring ended. */
enum drained {
	DRAIN_EMPTY,
	DRAIN_MORE, /* enough for one turn of the loop */
	DRAIN_HELD, /* the owner takes no more now */
	DRAIN_BAD   /* c->wrong says why */
};

static void answer(struct child *c, struct pending *p,
		   const Pmu__Internal__Reply *reply)
{
	c->n_calls--;
	if (p->reply)
		p->reply(p->arg, reply);
	free(p);
}

static void answer_all(struct child *c, const char *why)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.code = GRPC_UNAVAILABLE;
	reply.message = (char *)why;
	while (c->calls) {
		struct pending *p = c->calls;

		c->calls = p->next;
		answer(c, p, &reply);
	}
}

static void stop_watching(struct child *c)
{
	ev_io_stop(c->loop, &c->socket_in);
	ev_io_stop(c->loop, &c->socket_out);
	ev_io_stop(c->loop, &c->ring_in);
	ev_io_stop(c->loop, &c->exit_in);
	ev_io_stop(c->loop, &c->stderr_in);
	ev_timer_stop(c->loop, &c->exit_late);
	ev_timer_stop(c->loop, &c->more);
}

/* Hands the owner what came out of the ring. */
static enum drained offer(struct child *c)
{
	bool full = false;
	ssize_t used = c->ops->records(c->owner, c->bytes, c->n_bytes, &full);

	/* a record that does not fit in so much is none */
	if (!used && !full && c->n_bytes == RING_CHUNK)
		used = -EPROTO;
	if (used == -EPROTO || used > (ssize_t)c->n_bytes) {
		snprintf(c->wrong, sizeof(c->wrong),
			 "its trace records are malformed");
		return DRAIN_BAD;
	}
	if (used < 0) {
		snprintf(c->wrong, sizeof(c->wrong),
			 "its trace cannot be stored (%s)",
			 strerror((int)-used));
		return DRAIN_BAD;
	}
	c->n_bytes -= (size_t)used;
	memmove(c->bytes, c->bytes + used, c->n_bytes);
	return full ? DRAIN_HELD : DRAIN_MORE;
}

/* Takes a chunk out of the ring and offers it. DRAIN_MORE: go on. */
static enum drained drain_once(struct child *c, size_t *ret_taken)
{
	int64_t n = ring_take(&c->ring, c->bytes + c->n_bytes,
			      RING_CHUNK - c->n_bytes);
	enum drained how;

	*ret_taken = 0;
	if (n < 0) {
		snprintf(c->wrong, sizeof(c->wrong),
			 "its trace ring is corrupt");
		return DRAIN_BAD;
	}
	*ret_taken = (size_t)n;
	c->n_bytes += (size_t)n;
	if (ring_must_wake_producer(&c->ring))
		(void)eventfd_write(c->proc.space, 1);
	how = c->n_bytes ? offer(c) : DRAIN_MORE;
	if (how == DRAIN_MORE && n == 0 && ring_wait_data(&c->ring))
		return DRAIN_EMPTY;
	return how;
}

/*
 * Empties the ring as far as the owner takes it, but never without end: a
 * machine may record as fast as this. After @bytes it is enough for one turn.
 */
static enum drained drain(struct child *c, size_t bytes)
{
	enum drained how = DRAIN_MORE;
	size_t taken, n;

	for (taken = 0; how == DRAIN_MORE && taken <= bytes; taken += n)
		how = drain_once(c, &n);
	c->ring_held = how == DRAIN_HELD;
	if (how == DRAIN_MORE)
		ev_timer_start(c->loop, &c->more);
	return how;
}

/*
 * Tells the owner once its records are all taken. What is left then is the
 * beginning of a record, or not worth a second cause.
 */
static void tell_gone(struct child *c)
{
	enum drained how = drain(c, RING_TURN);

	if (how == DRAIN_HELD || how == DRAIN_MORE)
		return; /* again from child_resume_ring(), or in a turn */
	c->told = true;
	c->ops->gone(c->owner, c->why);
}

/* The process is over or to be ended: reap it, explain, tell everybody. */
static void end(struct child *c, const char *why)
{
	const char *said = words_tail(&c->words);
	char how[128];

	if (!c->alive)
		return;
	c->alive = false;
	stop_watching(c);
	process_reap(&c->proc, how, sizeof(how));
	words_drain(&c->words, c->proc.err);
	snprintf(c->why, sizeof(c->why), "machine process %s%s%s%s%s",
		 why ? why : how, why ? "; it " : "", why ? how : "",
		 *said ? ": " : "", said);
	for (size_t n = strlen(c->why); n && c->why[n - 1] == '\n'; n--)
		c->why[n - 1] = '\0';
	answer_all(c, c->why);
	if (!c->freed)
		tell_gone(c);
}

static void take_reply(struct child *c, Pmu__Internal__Reply *reply)
{
	if (reply->code > GRPC_STATUS_MAX)
		reply->code = GRPC_UNKNOWN;
	for (struct pending **p = &c->calls; *p; p = &(*p)->next) {
		struct pending *found = *p;

		if (found->id != reply->id)
			continue;
		*p = found->next;
		answer(c, found, reply);
		return;
	}
}

/* Does it say more of itself than every answer about it could carry? */
static bool too_long(const Pmu__Internal__FromMachine *m, size_t len)
{
	bool state = m->what_case == PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;

	if (m->what_case == PMU__INTERNAL__FROM_MACHINE__WHAT_REPLY)
		state = m->reply->result_case ==
			PMU__INTERNAL__REPLY__RESULT_MACHINE;
	return state && len > NOTICE_MAX;
}

/* One message from the machine. False: it is none. */
static bool take_message(struct child *c, const uint8_t *bytes, size_t len)
{
	struct wire_bytes in = { bytes, len, MESSAGE_UNPACKED };
	enum grpc_status status;
	const char *why;
	ProtobufCMessage *message = wire_unpack(
		&pmu__internal__from_machine__descriptor, &in, &status, &why);
	Pmu__Internal__FromMachine *m = (Pmu__Internal__FromMachine *)message;
	bool good = m && !too_long(m, len);

	if (good && m->what_case == PMU__INTERNAL__FROM_MACHINE__WHAT_REPLY)
		take_reply(c, m->reply);
	else if (good &&
		 m->what_case == PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE)
		c->ops->notice(c->owner, m->notice);
	wire_unpack_free(message);
	return good;
}

static void end_bad(struct child *c)
{
	char why[sizeof(c->wrong) + 16];

	snprintf(why, sizeof(why), "was ended: %s", c->wrong);
	end(c, why);
}

/* Takes what the control socket has. */
static void read_socket(struct child *c)
{
	const uint8_t *bytes;
	size_t len;
	int n = frame_read(&c->in, c->proc.socket);

	if (n < 0) {
		/* its exit status, about to come, says more than this */
		ev_io_stop(c->loop, &c->socket_in);
		ev_timer_start(c->loop, &c->exit_late);
		return;
	}
	/* what it recorded before it spoke is to be seen before, too */
	if (!c->ring_held && drain(c, c->ring.size) == DRAIN_BAD) {
		end_bad(c);
		return;
	}
	while (c->alive && (n = frame_next(&c->in, &bytes, &len)) > 0) {
		if (!take_message(c, bytes, len)) {
			end(c, "was ended: it sent a malformed message");
			return;
		}
	}
	if (c->alive && n < 0)
		end(c, "was ended: it sent a message that is too long");
}

static void release(struct child *c);

/* Runs what may call the owner back, who may free the child meanwhile. */
static void guarded(struct child *c, void (*run)(struct child *c))
{
	c->busy = true;
	run(c);
	c->busy = false;
	if (c->freed)
		release(c);
}

static void on_socket(struct ev_loop *loop, ev_io *w, int revents)
{
	guarded(w->data, read_socket);
}

static void flush(struct child *c)
{
	int n = frame_flush(&c->out, c->proc.socket);

	if (n == 1)
		ev_io_start(c->loop, &c->socket_out);
	else
		ev_io_stop(c->loop, &c->socket_out);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int revents)
{
	flush(w->data);
}

/* Also of a process that is gone, until its owner has been told. */
static void go_on(struct child *c)
{
	if (!c->alive && !c->told)
		tell_gone(c);
	else if (c->alive && drain(c, RING_TURN) == DRAIN_BAD)
		end_bad(c);
}

static void on_more(struct ev_loop *loop, ev_timer *w, int revents)
{
	guarded(w->data, go_on);
}

static void read_ring(struct child *c)
{
	eventfd_t n;

	(void)eventfd_read(c->proc.data, &n);
	if (!c->ring_held)
		go_on(c);
}

static void on_ring(struct ev_loop *loop, ev_io *w, int revents)
{
	guarded(w->data, read_ring);
}

static void end_late(struct child *c)
{
	end(c, "closed its control socket");
}

static void on_exit_late(struct ev_loop *loop, ev_timer *w, int revents)
{
	guarded(w->data, end_late);
}

static void end_itself(struct child *c)
{
	end(c, NULL);
}

static void on_exit_fd(struct ev_loop *loop, ev_io *w, int revents)
{
	guarded(w->data, end_itself);
}

static void on_stderr(struct ev_loop *loop, ev_io *w, int revents)
{
	struct child *c = w->data;

	if (words_read(&c->words, c->proc.err) == 0)
		ev_io_stop(loop, w);
}

static void watch(struct child *c, ev_io *w, int fd,
		  void (*cb)(struct ev_loop *, ev_io *, int))
{
	ev_io_init(w, cb, fd, EV_READ);
	w->data = c;
	ev_io_start(c->loop, w);
}

int child_spawn(struct child **ret, struct ev_loop *loop, const char *program,
		const struct child_ops *ops, void *owner)
{
	struct child *c = calloc(1, sizeof(*c));
	int err = -ENOMEM;

	if (!c)
		return -ENOMEM;
	c->loop = loop;
	c->ops = ops;
	c->owner = owner;
	c->bytes = malloc(RING_CHUNK);
	if (c->bytes)
		err = process_start(&c->proc, &c->ring, program);
	if (err) {
		free(c->bytes);
		free(c);
		return err;
	}
	c->alive = true;
	watch(c, &c->socket_in, c->proc.socket, on_socket);
	watch(c, &c->ring_in, c->proc.data, on_ring);
	watch(c, &c->exit_in, c->proc.pidfd, on_exit_fd);
	watch(c, &c->stderr_in, c->proc.err, on_stderr);
	ev_io_init(&c->socket_out, on_writable, c->proc.socket, EV_WRITE);
	c->socket_out.data = c;
	ev_timer_init(&c->exit_late, on_exit_late, 2.0, 0.0);
	ev_timer_init(&c->more, on_more, 0.0, 0.0);
	c->exit_late.data = c->more.data = c;
	(void)ring_wait_data(&c->ring);
	*ret = c;
	return 0;
}

static void release(struct child *c)
{
	process_close(&c->proc);
	ring_close(&c->ring);
	frame_in_free(&c->in);
	frame_out_free(&c->out);
	free(c->bytes);
	free(c);
}

void child_free(struct child *c)
{
	char how[128];

	if (!c)
		return;
	c->freed = true;
	stop_watching(c);
	if (c->alive) {
		c->alive = false;
		process_reap(&c->proc, how, sizeof(how));
		answer_all(c, "the machine was deleted");
	}
	if (!c->busy)
		release(c);
}

bool child_alive(const struct child *c)
{
	return c->alive;
}

uint64_t child_call(struct child *c, Pmu__Internal__ToMachine *msg,
		    child_reply_fn *reply, void *arg, const char **ret_why)
{
	struct pending *p;
	int err;

	*ret_why = "the machine's process is gone";
	if (!c->alive)
		return 0;
	*ret_why = "too many calls wait for this machine";
	if (c->n_calls >= MAX_CALLS_PER_MACHINE)
		return 0;
	*ret_why = "out of memory";
	p = calloc(1, sizeof(*p));
	if (!p)
		return 0;
	msg->id = p->id = ++c->next_id;
	p->reply = reply;
	p->arg = arg;
	err = frame_put(&c->out, &msg->base);
	if (err) {
		*ret_why = err == -EMSGSIZE
				   ? "the request is too long"
				   : "the machine's process takes no requests";
		free(p);
		return 0;
	}
	p->next = c->calls;
	c->calls = p;
	c->n_calls++;
	flush(c);
	return p->id;
}

void child_forget(struct child *c, uint64_t id)
{
	for (struct pending *p = c->calls; p; p = p->next) {
		if (p->id == id)
			p->reply = NULL;
	}
}

void child_resume_ring(struct child *c)
{
	if (!c->ring_held)
		return;
	c->ring_held = false;
	ev_timer_start(c->loop, &c->more);
}
