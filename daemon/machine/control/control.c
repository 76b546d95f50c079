/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop: requests, slices, records, notices, in this order of urgency. A
 * slice takes about as long as the setting host-slice says; the guest cannot
 * see how long. While the ring is full the machine stands still.
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
#include "wire/wire.h"

enum {
	SOFT_MIN = 1000,
	SOFT_MAX = 50000000,
	SOFT_START = 50000,
};

/* The memory of replies */

struct block {
	struct block *next;
	_Alignas(max_align_t) uint8_t bytes[];
};

void *control_alloc(struct control *c, size_t size)
{
	struct block *b = calloc(1, sizeof(*b) + size);

	if (!b) {
		fputs("out of memory\n", stderr);
		abort();
	}
	b->next = c->blocks;
	c->blocks = b;
	return b->bytes;
}

char *control_text(struct control *c, const char *text)
{
	size_t size = strlen(text) + 1;
	char *ret = memcpy(control_alloc(c, size), text, size);

	/* Names in a user's device tree can be any bytes, pmud's texts not. */
	utf8_mend(ret);
	return ret;
}

void *control_message(struct control *c,
		      const ProtobufCMessageDescriptor *descriptor)
{
	void *message = control_alloc(c, descriptor->sizeof_message);

	protobuf_c_message_init(descriptor, message);
	return message;
}

static void free_blocks(struct control *c)
{
	while (c->blocks) {
		struct block *b = c->blocks;

		c->blocks = b->next;
		free(b);
	}
}

/* Requests */

/* Bytes of records that inputs may leave waiting while nobody reads them. */
enum {
	CONTROL_MAX_BACKLOG = 16 << 20
};

typedef enum handled handler(struct control *c, const ProtobufCMessage *q,
			     ProtobufCMessage *answer, struct error *e);

/* A message is of its method's type: unpack() and control_message() see to it
 */
#define HANDLER(package, method, name)                                         \
	static enum handled handle_##name(                                     \
		struct control *c, const ProtobufCMessage *q,                  \
		ProtobufCMessage *answer, struct error *e)                     \
	{                                                                      \
		return control_##name(                                         \
			c, (const METHOD_REQUEST(package, method) *)q,         \
			(METHOD_RESPONSE(package, method) *)answer, e);        \
	}
METHODS_OF_MACHINE(HANDLER)
#undef HANDLER

static handler *const handlers[N_METHODS] = {
#define HANDLER(package, method, name) [METHOD_##method] = handle_##name,
	METHODS_OF_MACHINE(HANDLER)
#undef HANDLER
};

/* Is there what a method needs? False: @e says what is not. */
static bool may_be_asked(struct control *c, enum method_id id, struct error *e)
{
	enum method_needs needs = methods[id].needs;

	if (!c->machine && needs >= METHOD_CONFIGURED)
		return error_set(e, STATUS_FAILED_PRECONDITION,
				 AT(NULL, "NOT_CONFIGURED"),
				 "the machine is not configured");
	if (needs >= METHOD_ROOM &&
	    trace_backlog(&c->trace) > CONTROL_MAX_BACKLOG)
		return error_set(e, STATUS_RESOURCE_EXHAUSTED,
				 AT(NULL, "RECORDS_WAIT"),
				 "too many records wait to be read");
	return true;
}

/* Sends a message to pmud. False: it is too long. */
static bool send_message(struct control *c,
			 const Pmu__Internal__FromMachine *from)
{
	int rc = frame_put(&c->out, &from->base);

	if (rc < 0 && rc != -EMSGSIZE) {
		fprintf(stderr, "a reply cannot be sent: %s\n", strerror(-rc));
		abort();
	}
	return rc == 0;
}

static bool send_reply(struct control *c, Pmu__Internal__Reply *reply)
{
	Pmu__Internal__FromMachine from = PMU__INTERNAL__FROM_MACHINE__INIT;

	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_REPLY;
	from.reply = reply;
	return send_message(c, &from);
}

static void send_error(struct control *c, uint64_t id, struct error *e)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.id = id;
	utf8_mend(e->text);
	reply.code = e->status;
	reply.text = e->text;
	reply.field = e->field;
	if (e->reason)
		reply.reason = (char *)e->reason;
	(void)send_reply(c, &reply);
}

static void send_taken(struct control *c, uint64_t id)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.id = id;
	reply.result_case = PMU__INTERNAL__REPLY__RESULT_TAKEN;
	reply.taken = true;
	(void)send_reply(c, &reply);
}

/* False: it is longer than a message can be. */
static bool try_answer(struct control *c, uint64_t id,
		       const ProtobufCMessage *answer)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;
	size_t len = protobuf_c_message_get_packed_size(answer);

	if (len > FRAME_MAX)
		return false;
	reply.id = id;
	reply.result_case = PMU__INTERNAL__REPLY__RESULT_ANSWER;
	reply.answer.len = len;
	reply.answer.data = control_alloc(c, len);
	protobuf_c_message_pack(answer, reply.answer.data);
	return send_reply(c, &reply);
}

static void send_answer(struct control *c, uint64_t id,
			const ProtobufCMessage *answer)
{
	struct error e;

	if (try_answer(c, id, answer))
		return;
	error_set(&e, STATUS_RESOURCE_EXHAUSTED, AT(NULL, "ANSWER_TOO_LONG"),
		  "the answer is too long");
	send_error(c, id, &e);
}

/* What the handler of a call's method makes of its request. */
static void handle(struct control *c, enum method_id id,
		   const ProtobufCMessage *request)
{
	ProtobufCMessage *answer =
		control_message(c, method_descriptor(id)->output);
	enum handled how = HANDLED_FAILED;
	struct error e = { 0 };

	if (may_be_asked(c, id, &e))
		how = handlers[id](c, request, answer, &e);
	switch (how) {
	case HANDLED_DONE:
		send_answer(c, c->call_id, answer);
		break;
	case HANDLED_TAKEN:
		send_taken(c, c->call_id);
		break;
	case HANDLED_LATER:
		break;
	case HANDLED_FAILED:
		send_error(c, c->call_id, &e);
		break;
	}
	free_blocks(c);
}

/* False: it is malformed. */
static bool take_call(struct control *c, const Pmu__Internal__Call *call)
{
	enum method_id id = method_find(call->method);
	ProtobufCMessage *request;
	struct error e;

	c->call_id = call->id;
	if (id == N_METHODS || !handlers[id]) {
		error_set(&e, STATUS_UNIMPLEMENTED, AT(NULL, "NO_SUCH_METHOD"),
			  "request '%.64s' is unknown", call->method);
		send_error(c, call->id, &e);
		return true;
	}
	request = protobuf_c_message_unpack(method_descriptor(id)->input, NULL,
					    call->request.len,
					    call->request.data);
	if (!request)
		return false;
	handle(c, id, request);
	protobuf_c_message_free_unpacked(request, NULL);
	return true;
}

/* Are enough answers read that another request may be taken? */
static bool answers_fit(const struct control *c)
{
	return frame_pending(&c->out) < FRAME_OUT_LIMIT / 2;
}

/* False: a request is malformed. */
static bool handle_requests(struct control *c)
{
	const uint8_t *bytes;
	size_t len;
	int rc = 0;

	while (answers_fit(c) && (rc = frame_next(&c->in, &bytes, &len)) > 0) {
		Pmu__Internal__Call *call =
			pmu__internal__call__unpack(NULL, len, bytes);
		bool good = call && take_call(c, call);

		if (call)
			pmu__internal__call__free_unpacked(call, NULL);
		if (!good) {
			fputs("a request is malformed\n", stderr);
			return false;
		}
	}
	c->requests_wait = !answers_fit(c);
	return rc >= 0;
}

/* False: the conversation is over; *@status says how. */
static bool take_requests(struct control *c, bool readable, int *status)
{
	int rc = readable ? frame_read(&c->in, c->cfg.socket) : 0;

	*status = rc == -ECONNRESET ? 0 : 1;
	return rc >= 0 && handle_requests(c);
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

void control_finish_step(struct control *c)
{
	Pmu__V1__StepMachineResponse answer =
		PMU__V1__STEP_MACHINE_RESPONSE__INIT;
	struct machine_status s;

	machine_status(c->machine, &s);
	if (!c->step_id || s.state == MACHINE_RUNNING)
		return;
	answer.machine = control_info(c);
	send_answer(c, c->step_id, &answer.base);
	c->step_id = 0;
}

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
	free_blocks(c);
	if (s.state == c->told && s.cause == c->told_cause &&
	    s.n_notes == c->told_notes)
		return;
	c->told = s.state;
	c->told_cause = s.cause;
	c->told_notes = s.n_notes;
	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;
	from.notice = control_info(c);
	(void)send_message(c, &from);
	free_blocks(c);
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

static uint64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* One slice; the next one is longer or shorter, to last as long as wanted. */
static void run_slice(struct control *c)
{
	uint64_t want = machine_config(c->machine)->settings.host_slice * 1000;
	uint64_t took, start = nanoseconds();

	machine_run(c->machine, c->soft);
	took = nanoseconds() - start;
	if (took > want && c->soft > SOFT_MIN)
		c->soft = c->soft / 2 > SOFT_MIN ? c->soft / 2 : SOFT_MIN;
	else if (took < want / 2 && c->soft < SOFT_MAX)
		c->soft *= 2;
}

/* Waits for something to do. False: nothing will ever come. */
static bool wait_for_work(struct control *c, bool *ret_readable)
{
	bool busy = is_running(c) || (c->requests_wait && answers_fit(c));
	struct pollfd fds[] = {
		{ .fd = c->cfg.socket, .events = answers_fit(c) ? POLLIN : 0 },
		{ .fd = c->waits_for_room ? c->cfg.space : -1,
		  .events = POLLIN },
	};
	eventfd_t n;

	if (frame_pending(&c->out))
		fds[0].events |= POLLOUT;
	if (poll(fds, 2, busy ? 0 : -1) < 0 && errno != EINTR)
		return false;
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
	if (c->given)
		pmu__v1__machine_config__free_unpacked(c->given, NULL);
	ring_close(&c->ring);
	frame_in_free(&c->in);
	frame_out_free(&c->out);
	free_blocks(c);
	free(c);
	return rc;
}
