/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling of a machine that is there: a stream of what its own trace does not
 * have. The stream stands in the store of what is only watched before the
 * machine is asked to sample, so no sample is missed, and the machine says in
 * the end how many there were. However the stream ends, the machine is told,
 * again and again until it takes it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "insistence.h"
#include "rpc-forward.h"
#include "rpc-services.h"
#include "stream-batch.h"
#include "wire/cleanup.h"

struct served_sampling {
	struct watcher watcher; /* first; of one without its stream */
	SLIST_ENTRY(served_sampling) next;
	struct stream *stream; /* NULL: its client is gone */
	uint32_t session;
	uint64_t sent;
	bool begun;	       /* the machine was asked to */
	bool ending;	       /* the machine was told */
	struct insistence end; /* of it, to the machine */
};

static void on_stopped(void *arg, const struct child_reply *reply)
{
	const Pmu__Internal__StopSamplingResponse *said =
		(const Pmu__Internal__StopSamplingResponse *)reply->answer;
	struct stream *s = arg;

	if (!s)
		return;
	s->pending_id = 0;
	if (reply->code == GRPC_OK)
		s->left = said->samples - s->sampling->sent;
	else /* it goes on, and its end will tell the machine again */
		s->sampling->ending = false;
	stream_go_on(s);
}

/* Tells the machine to stop; @s hears its answer. The call's id, or 0. */
static uint64_t stop(const struct served_sampling *x, const struct hosted *m,
		     struct stream *s, struct child_reply *ret_why)
{
	Pmu__Internal__StopSamplingRequest req =
		PMU__INTERNAL__STOP_SAMPLING_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_StopSampling,
		.message = &req.base,
	};

	req.session = x->session;
	return child_call(m->child, &request, on_stopped, s, ret_why);
}

/* Without its client */

static void unlist(struct hosted *m, struct served_sampling *x)
{
	SLIST_REMOVE(&m->samplings, x, served_sampling, next);
}

static uint64_t tell_end(void *arg)
{
	const struct served_sampling *x = arg;
	struct child_reply why;

	return stop(x, x->watcher.machine, NULL, &why);
}

static void on_told(void *arg)
{
	struct served_sampling *x = arg;

	unlist(x->watcher.machine, x);
	hosted_unwatch(&x->watcher);
	free(x);
}

static const struct insistence_ops end_ops = { tell_end, on_told };

static void on_change(struct watcher *watcher)
{
}

/* Which is out of its machine's list by then. */
static void on_deleted(struct watcher *watcher)
{
	struct served_sampling *x = (struct served_sampling *)watcher;

	unlist(watcher->machine, x);
	insistence_end(&x->end);
	free(x);
}

static void insist(struct served_sampling *x, struct hosted *m)
{
	x->watcher.on_change = on_change;
	x->watcher.on_deleted = on_deleted;
	hosted_watch(m, &x->watcher);
	insistence_init(&x->end, m, &end_ops, x);
	insistence_begin(&x->end);
}

/* The stream's end, whichever way. */
static void end(struct stream *s)
{
	struct hosted *m = s->watcher.machine;
	struct served_sampling *x = s->sampling;

	hosted_unwatch_live(m);
	x->stream = NULL;
	/* one that is deleted need not know */
	if (x->begun && !x->ending && !m->deleting) {
		insist(x, m);
		return;
	}
	unlist(m, x);
	free(x);
}

/* The stream */

static int tell(struct stream *s, Pmu__V1__SampleEventsResponse *msg)
{
	return rpc_send(s->call, &msg->base);
}

static ssize_t send_samples(struct stream *s, const uint8_t *bytes, size_t n,
			    uint64_t *ret_items, int *ret_sent)
{
	Pmu__V1__SampleEventsResponse msg =
		PMU__V1__SAMPLE_EVENTS_RESPONSE__INIT;
	Pmu__V1__RecordBatch inner = PMU__V1__RECORD_BATCH__INIT;
	struct batch b;

	batch_fill(&b, s, bytes, n);
	for (size_t i = 0; i < b.n; i++)
		b.records[i]->sample->session = 0;
	inner.n_records = b.n;
	inner.records = b.records;
	msg.item_case = PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BATCH;
	msg.batch = &inner;
	s->left -= b.n;
	s->sampling->sent += b.n;
	return batch_send(&b, s, &msg.base, ret_items, ret_sent);
}

static void refuse(struct stream *s, const struct child_reply *reply)
{
	static const char recorded[] = "recording.";
	const char *field = reply->field;

	if (field && !strncmp(field, recorded, sizeof(recorded) - 1))
		field += sizeof(recorded) - 1;
	stream_finish(s, reply->code, RPC_AT(field, reply->reason),
		      reply->text);
}

static void on_started(void *arg, const struct child_reply *reply)
{
	const Pmu__Internal__StartSamplingResponse *said =
		(const Pmu__Internal__StartSamplingResponse *)reply->answer;
	static const Pmu__V1__Header empty = PMU__V1__HEADER__INIT;
	Pmu__V1__SampleEventsResponse msg =
		PMU__V1__SAMPLE_EVENTS_RESPONSE__INIT;
	Pmu__V1__SamplingBegun begun = PMU__V1__SAMPLING_BEGUN__INIT;
	struct stream *s = arg;
	const struct hosted *m = s->watcher.machine;
	Pmu__V1__Header header = m->header ? *m->header : empty;

	s->pending_id = 0;
	if (reply->code != GRPC_OK) {
		refuse(s, reply);
		return;
	}
	header.samples_only = true;
	header.first_record = header.kept_inputs = 0;
	begun.session = s->sampling->session;
	begun.header = &header;
	begun.cycle = said->cycle;
	begun.cold = said->cold;
	msg.item_case = PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BEGUN;
	msg.begun = &begun;
	(void)tell(s, &msg);
	s->blocked = false;
	stream_go_on(s);
}

/* Before the samplers are there. */
static void on_header(void *machine, const struct child_reply *reply)
{
	const Pmu__Internal__SetRecordingResponse *said =
		(const Pmu__Internal__SetRecordingResponse *)reply->answer;

	if (reply->code == GRPC_OK)
		hosted_set_header(machine, said->header);
}

/* Has the machine sample for @s. */
static void start(struct stream *s, const Pmu__V1__SampleEventsRequest *asked)
{
	struct hosted *m = s->watcher.machine;
	Pmu__Internal__StartSamplingRequest req =
		PMU__INTERNAL__START_SAMPLING_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_StartSampling,
		.message = &req.base,
	};
	struct child_reply why;

	(void)hosted_record(m, on_header, m, &why);
	req.session = s->sampling->session;
	req.n_samplers = asked->n_samplers;
	req.samplers = asked->samplers;
	s->pending_id = child_call(m->child, &request, on_started, s, &why);
	s->sampling->begun = s->pending_id != 0;
	if (!s->pending_id)
		refuse(s, &why);
}

/* One that no other has, nor the machine's own samplers, nor a filter for all.
 */
static uint32_t new_session(struct hosted *m)
{
	const struct served_sampling *x = NULL;

	do {
		m->last_sampling++;
		SLIST_FOREACH(x, &m->samplings, next)
			if (x->session == m->last_sampling)
				break;
	} while (x || !m->last_sampling || m->last_sampling == WANTED_ANY);
	return m->last_sampling;
}

/* Stands where the first sample will come. False: the call was finished. */
static bool stand(struct stream *s)
{
	struct hosted *m = s->watcher.machine;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	struct served_sampling *x CLEANUP(free) = calloc(1, sizeof(*x));

	filter.samples = true;
	if (!x || wanted_init(&s->filter, &filter)) {
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return false;
	}
	if (!stream_watch_live(s))
		return false;
	x->stream = s;
	x->session = s->filter.session = new_session(m);
	SLIST_INSERT_HEAD(&m->samplings, x, next);
	s->sampling = pointer_take(&x);
	s->end = end;
	s->send = send_samples;
	s->reader.lossless = true;
	s->blocked = true; /* until it has begun */
	stream_begin(s, m->live, false, NULL);
	return true;
}

void serve_sample_events(struct rpc_call *call,
			 const Pmu__V1__SampleEventsRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	struct stream *s;

	if (!m)
		return;
	if (!req->n_samplers) {
		rpc_refuse(call, GRPC_INVALID_ARGUMENT,
			   RPC_AT("samplers", "FIELD_MISSING"),
			   "samplers: one at least is needed");
		return;
	}
	s = stream_new(call, m);
	if (s && stand(s))
		start(s, req);
}

/* NULL: there is none, or it has not begun. */
static struct served_sampling *find(const struct hosted *m, uint32_t session)
{
	struct served_sampling *x;

	SLIST_FOREACH(x, &m->samplings, next)
		if (x->session == session && x->stream)
			break;
	return x && (x->ending || !x->stream->pending_id) ? x : NULL;
}

void serve_end_sampling(struct rpc_call *call,
			const Pmu__V1__EndSamplingRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	Pmu__V1__EndSamplingResponse answer =
		PMU__V1__END_SAMPLING_RESPONSE__INIT;
	struct child_reply why;
	struct served_sampling *x;

	if (!m)
		return;
	x = find(m, req->session);
	if (!x) {
		rpc_refuse(
			call, GRPC_NOT_FOUND,
			RPC_AT("session", "NO_SUCH_SESSION"),
			"machine %s is not sampled under the number %" PRIu32,
			m->id, req->session);
		return;
	}
	if (!x->ending)
		x->stream->pending_id = stop(x, m, x->stream, &why);
	if (!x->ending && !x->stream->pending_id) {
		forward_refuse(call, &why);
		return;
	}
	x->ending = true;
	rpc_reply(call, &answer.base);
}
