/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a machine's trace and console are stored, how much of each, and what
 * becomes of the machine when no more can be.
 */
#include "hosted.h"

#include <errno.h>
#include <stdio.h>

#include "daemon-limits.h"
#include "pmud-config.h"

#define RETRY_SECONDS 0.2 /* until a held machine is tried again */

bool hosted_ends_when_full(const struct hosted *m)
{
	return m->records.when_full ? m->records.when_full ==
					      PMU__V1__WHEN_FULL__WHEN_FULL_END
				    : m->records.end_when_full;
}

static void on_retry(struct ev_loop *loop, ev_timer *w, int revents)
{
	child_resume_ring(((struct hosted *)w->data)->child);
}

/* The first trace goes where pmud's own client can read it without pmud. */
static int make_log(struct hosted *m, uint64_t limit)
{
	const struct config *cfg = m->daemon->config;

	if (cfg->trace_fd && m->daemon->last_id == 1)
		return store_new_in(&m->trace, cfg->trace_fd, limit, &m->share);
	return store_new(&m->trace, cfg->state_dir, limit, &m->share);
}

/* The inputs of a trace that rotates have a log of their own beside it. */
static int make_trace(struct hosted *m)
{
	const struct config *cfg = m->daemon->config;
	bool rotates =
		m->records.when_full == PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE;
	uint64_t limit = m->records.trace_bytes;
	int err;

	if (!limit || limit > cfg->trace_bytes)
		limit = cfg->trace_bytes;
	err = make_log(m, limit);
	if (!err && rotates)
		err = store_new(&m->inputs, cfg->state_dir, limit, &m->share);
	if (err)
		return err;
	store_when_full(m->trace, rotates ? STORE_ROTATES : STORE_HOLDS,
			m->inputs);
	if (rotates)
		store_when_full(m->inputs, STORE_HOLDS, NULL);
	return 0;
}

int hosted_make_stores(struct hosted *m)
{
	const char *dir = m->daemon->config->state_dir;
	int err;

	m->share.quota = m->daemon->quota;
	m->share.uid = m->owner;
	ev_timer_init(&m->retry, on_retry, RETRY_SECONDS, RETRY_SECONDS);
	m->retry.data = m;
	err = make_trace(m);
	if (!err)
		err = store_new(&m->console, dir, CONSOLE_BYTES_DEFAULT,
				&m->share);
	if (!err && m->has_serial)
		err = store_new(&m->serial, dir, CONSOLE_BYTES_DEFAULT,
				&m->share);
	return err;
}

void hosted_free_stores(struct hosted *m)
{
	store_free(m->trace);
	store_free(m->inputs);
	store_free(m->console);
	store_free(m->serial);
	store_free(m->live);
	m->trace = m->inputs = m->console = NULL;
	m->serial = m->live = NULL;
}

int hosted_watch_live(struct hosted *m)
{
	int err = 0;

	if (!m->live)
		err = store_new(&m->live, m->daemon->config->state_dir,
				LIVE_BYTES, &m->share);
	if (err)
		return err;
	if (store_ended(m->trace) && !store_ended(m->live))
		store_end(m->live);
	m->n_live++;
	return 0;
}

/* The last one leaves nothing behind. */
void hosted_unwatch_live(struct hosted *m)
{
	if (--m->n_live)
		return;
	store_free(m->live);
	m->live = NULL;
}

void hosted_end_stores(struct hosted *m)
{
	store_end(m->trace);
	if (m->inputs)
		store_end(m->inputs);
	store_end(m->console);
	if (m->serial)
		store_end(m->serial);
	if (m->live)
		store_end(m->live);
}

static const char *what_is_full(const struct hosted *m, int err)
{
	switch (err) {
	case -EDQUOT:
		return *m->share.why ? m->share.why
				     : "the disk's quota is used up";
	case -ENOMEM:
		return "pmud is short of memory";
	case -EFBIG:
		return "pmud's files may not grow";
	default:
		return "the disk of pmud's --state-dir is full";
	}
}

void hosted_end_full(struct hosted *m, int err)
{
	snprintf(m->ended, sizeof(m->ended),
		 "it was ended, for its records cannot be stored "
		 "(--when-full=end): %s",
		 what_is_full(m, err));
}

void hosted_hold(struct hosted *m, int err)
{
	if (err == m->held_by)
		return;
	m->held_by = err;
	m->held[0] = '\0';
	if (err) {
		snprintf(m->held, sizeof(m->held),
			 "its records wait for room: %s", what_is_full(m, err));
		ev_timer_again(m->daemon->loop, &m->retry);
	} else {
		ev_timer_stop(m->daemon->loop, &m->retry);
	}
	hosted_tell(m);
}
