/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One end for each session with a ring. Entries that find no room wait in a
 * queue of the end; the machine stands as long as there is one, so a queue
 * never has more than what one stop point tells.
 */
#include "ebb-rings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "buf.h"
#include "shared/ebb-ring.h"
#include "shared/ring.h"

struct end {
	uint32_t session;
	struct ring said, wishes;
	int wake;	    /* -1: the client has closed its end */
	struct buf waiting; /* for room in @said */
	bool broken;	    /* the client is none */
	bool more;	    /* the wish taken last wants the next one, */
	bool skips;	    /* and was refused */
};

struct ebb_rings {
	struct end end[EBB_MAX_SESSIONS];
	uint32_t n;
};

struct ebb_rings *ebb_rings_new(void)
{
	return calloc(1, sizeof(struct ebb_rings));
}

static void close_end(struct end *e)
{
	ring_close(&e->said);
	ring_close(&e->wishes);
	if (e->wake >= 0)
		close(e->wake);
	buf_free(&e->waiting);
}

void ebb_rings_free(struct ebb_rings *all)
{
	for (uint32_t i = 0; all && i < all->n; i++)
		close_end(&all->end[i]);
	free(all);
}

static struct end *find(const struct ebb_rings *all, uint32_t session)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (all->end[i].session == session)
			return (struct end *)&all->end[i];
	return NULL;
}

bool ebb_rings_has(const struct ebb_rings *all, uint32_t session)
{
	return find(all, session) != NULL;
}

uint32_t ebb_rings_after(const struct ebb_rings *all, uint32_t after)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < all->n; i++) {
		uint32_t n = all->end[i].session;

		if (n > after && (!best || n < best))
			best = n;
	}
	return best;
}

/* Attaching */

static int map(struct end *e, const struct ebb_channel *ch)
{
	int err = ring_map(&e->said, ch->said, EBB_SAID_RING);

	return err ? err : ring_map(&e->wishes, ch->wishes, EBB_WISH_RING);
}

/* What was sent for a session that came to nothing is passed over. */
static int receive(int socket, uint32_t session, struct ebb_channel *ret)
{
	uint32_t number;
	int err;

	while (!(err = ebb_channel_receive(socket, &number, ret)) &&
	       number != session)
		ebb_channel_close(ret);
	return err;
}

int ebb_rings_attach(struct ebb_rings *all, int socket, uint32_t session)
{
	struct end e = { .session = session, .wake = -1 };
	struct ebb_channel ch = ebb_channel_none();
	int err = receive(socket, session, &ch);

	if (!err)
		err = all->n < EBB_MAX_SESSIONS ? map(&e, &ch) : -ENOSPC;
	if (!err) {
		e.wake = ch.wake;
		ch.wake = -1;
		all->end[all->n++] = e;
	} else {
		close_end(&e);
	}
	ebb_channel_close(&ch);
	return err;
}

/* Saying */

/* Without a client's end, or with its queue full, there is no need. */
static void wake(const struct end *e)
{
	(void)send(e->wake, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* False: there is no room. */
static bool put(struct end *e, const void *entry)
{
	const size_t len = sizeof(struct ebb_said);
	int rc = ring_put(&e->said, entry, len);

	if (rc == -ENOBUFS && !ring_wait_space(&e->said, len))
		rc = ring_put(&e->said, entry, len);
	if (rc == -EPROTO)
		e->broken = true;
	if (!rc && ring_must_wake_consumer(&e->said))
		wake(e);
	return rc != -ENOBUFS;
}

/* True: nothing waits. */
static bool flush(struct end *e)
{
	while (buf_len(&e->waiting) && put(e, buf_head(&e->waiting)))
		buf_consume(&e->waiting, sizeof(struct ebb_said));
	return !buf_len(&e->waiting);
}

/* True: the client can have it by now, or wants nothing any more. */
static bool put_or_keep(struct end *e, const struct ebb_said *said)
{
	if (e->wake < 0 || (flush(e) && put(e, said)))
		return true;
	if (buf_append(&e->waiting, said, sizeof(*said))) {
		fputs("EBB: out of memory\n", stderr);
		abort();
	}
	return false;
}

bool ebb_rings_tell(struct ebb_rings *all, const struct record_at *at,
		    const struct ebb_told *told)
{
	struct end *e = find(all, told->session);
	const struct ebb_said said = {
		.kind = EBB_SAID_TOLD,
		.hart = at->hart,
		.counters = told->counters,
		.pc = at->pc,
		.insn = at->insn,
		.cycle = at->cycle,
		.since = told->cycle,
	};

	return !e || put_or_keep(e, &said);
}

uint32_t ebb_rings_flush(struct ebb_rings *all)
{
	uint32_t late = 0;

	for (uint32_t i = 0; i < all->n; i++)
		if (!flush(&all->end[i]))
			late = all->end[i].session;
	return late;
}

void ebb_rings_refuse(struct ebb_rings *all, uint32_t session, uint32_t status,
		      const char *text)
{
	struct end *e = find(all, session);
	struct ebb_said said = { .kind = EBB_SAID_REFUSED, .code = status };

	snprintf(said.text, sizeof(said.text), "%s", text);
	e->skips = e->more;
	(void)put_or_keep(e, &said);
}

void ebb_rings_detach(struct ebb_rings *all, uint32_t session)
{
	const struct ebb_said said = { .kind = EBB_SAID_OVER };
	struct end *e = find(all, session);

	if (!e)
		return;
	(void)put_or_keep(e,
			  &said); /* without room, its socket's end says so */
	close_end(e);
	*e = all->end[--all->n];
}

/* Wishes */

/* False: there is none. */
static bool next(struct end *e, struct ebb_wish *ret)
{
	int64_t n = ring_peek(&e->wishes, ret, sizeof(*ret));

	if (n <= 0) {
		e->broken |= n < 0;
		return false;
	}
	if (n < (int64_t)sizeof(*ret)) {
		e->broken = true;
		return false;
	}
	ring_skip(&e->wishes, sizeof(*ret));
	return true;
}

static const struct ebb_act unknown = { .what = EBB_UNKNOWN };

static struct ebb_act act_of(const struct end *e, const struct ebb_wish *w)
{
	struct ebb_act act = unknown;

	if (w->what == EBB_UNMASK || w->what == EBB_MASK ||
	    w->what == EBB_REARM || w->what == EBB_RETURN)
		act.what = (enum ebb_what)w->what;
	act.session = e->session;
	act.counter = w->counter;
	act.period = w->period;
	act.masked = w->masked;
	return act;
}

enum ebb_wishes ebb_rings_take(struct ebb_rings *all, uint32_t session,
			       struct ebb_act *ret)
{
	struct end *e = find(all, session);
	struct ebb_wish w;
	bool some = !e->broken && flush(e) && next(e, &w), skipped = e->skips;

	if (some) {
		e->more = w.more;
		e->skips = skipped && w.more;
	}
	if (ring_must_wake_producer(&e->wishes))
		wake(e);
	if (e->broken)
		return EBB_WISHES_BROKEN;
	if (!some)
		return EBB_WISHES_NONE;
	if (skipped)
		return EBB_WISHES_SKIPPED;
	*ret = act_of(e, &w);
	return EBB_WISHES_ONE;
}

bool ebb_rings_wait(const struct ebb_rings *all, uint32_t session)
{
	const struct end *e = find(all, session);

	return e->broken || (!buf_len(&e->waiting) && ring_waiting(&e->wishes));
}

/* Sleeping */

nfds_t ebb_rings_poll(struct ebb_rings *all, struct pollfd *fds)
{
	for (uint32_t i = 0; i < all->n; i++) {
		struct end *e = &all->end[i];

		fds[i] = (struct pollfd){ .fd = e->wake, .events = POLLIN };
		(void)ring_wait_data(&e->wishes, 0);
	}
	return all->n;
}

void ebb_rings_polled(struct ebb_rings *all, const struct pollfd *fds)
{
	char bytes[64];

	for (uint32_t i = 0; i < all->n; i++) {
		struct end *e = &all->end[i];

		if (fds[i].revents &&
		    read(e->wake, bytes, sizeof(bytes)) == 0) {
			close(e->wake);
			e->wake = -1;
			buf_free(&e->waiting);
		}
	}
}
