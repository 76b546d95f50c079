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

#define CALL(name) PMU__INTERNAL__TO_MACHINE__CALL_##name

static const struct {
	control_fn *handle;
	bool first;   /* legal before Configure */
	bool records; /* leaves a record, however often it is asked */
} calls[] = {
	[CALL(CONFIGURE)] = { control_configure, true, false },
	[CALL(LOAD_IMAGE)] = { control_load_image, false, false },
	[CALL(QUEUE_INPUTS)] = { control_queue_inputs, false, false },
	[CALL(START)] = { control_start, false, false },
	[CALL(PAUSE)] = { control_pause, false, false },
	[CALL(RESUME)] = { control_resume, false, false },
	[CALL(STEP)] = { control_step, false, false },
	[CALL(RUN_UNTIL)] = { control_run_until, false, false },
	[CALL(SET_BREAKPOINTS)] = { control_set_breakpoints, false, false },
	[CALL(GET)] = { control_get, false, false },
	[CALL(WRITE_CONSOLE)] = { control_write_console, false, true },
	[CALL(LIST_HARTS)] = { control_list_harts, false, false },
	[CALL(READ_CSR)] = { control_read_csr, false, false },
	[CALL(WRITE_CSR)] = { control_write_csr, false, true },
	[CALL(LIST_CSRS)] = { control_list_csrs, false, false },
	[CALL(READ_REGISTERS)] = { control_read_registers, false, false },
	[CALL(WRITE_REGISTER)] = { control_write_register, false, true },
	[CALL(READ_MEMORY)] = { control_read_memory, false, false },
	[CALL(WRITE_MEMORY)] = { control_write_memory, false, true },
	[CALL(CALL_SBI)] = { control_call_sbi, false, true },
	[CALL(READ_TOTALS)] = { control_read_totals, false, false },
	[CALL(LIST_COUNTERS)] = { control_list_counters, false, false },
	[CALL(EXPLAIN_COUNTER)] = { control_explain_counter, false, false },
	[CALL(DESCRIBE_ADDRESSES)] = { control_describe_addresses, false,
				       false },
	[CALL(FIND_SYMBOL)] = { control_find_symbol, false, false },
	[CALL(GET_DEVICE_TREE)] = { control_get_device_tree, false, false },
	[CALL(SET_RECORDING)] = { control_set_recording, false, false },
};

static enum handled dispatch(struct control *c, const struct request *r)
{
	unsigned call = r->msg->call_case;

	if (call >= sizeof(calls) / sizeof(calls[0]) || !calls[call].handle) {
		error_set(r->error, STATUS_UNIMPLEMENTED,
			  AT(NULL, "NO_SUCH_METHOD"), "request %u is unknown",
			  call);
		return HANDLED_FAILED;
	}
	if (!c->machine && !calls[call].first) {
		error_set(r->error, STATUS_FAILED_PRECONDITION,
			  AT(NULL, "NOT_CONFIGURED"),
			  "the machine is not configured");
		return HANDLED_FAILED;
	}
	if (calls[call].records &&
	    trace_backlog(&c->trace) > CONTROL_MAX_BACKLOG) {
		error_set(r->error, STATUS_RESOURCE_EXHAUSTED,
			  AT(NULL, "RECORDS_WAIT"),
			  "too many records wait to be read");
		return HANDLED_FAILED;
	}
	return calls[call].handle(c, r);
}

static void send_message(struct control *c, Pmu__Internal__FromMachine *from)
{
	int rc = frame_put(&c->out, &from->base);

	if (rc == -EMSGSIZE && from->reply) {
		from->reply->code = STATUS_RESOURCE_EXHAUSTED;
		from->reply->message = (char *)"the answer is too long";
		from->reply->reason = (char *)"ANSWER_TOO_LONG";
		from->reply->result_case =
			PMU__INTERNAL__REPLY__RESULT__NOT_SET;
		rc = frame_put(&c->out, &from->base);
	}
	if (rc < 0) {
		fprintf(stderr, "a reply cannot be sent: %s\n", strerror(-rc));
		abort();
	}
}

static void send_reply(struct control *c, Pmu__Internal__Reply *reply)
{
	Pmu__Internal__FromMachine from = PMU__INTERNAL__FROM_MACHINE__INIT;

	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_REPLY;
	from.reply = reply;
	send_message(c, &from);
	free_blocks(c);
}

static void handle(struct control *c, const Pmu__Internal__ToMachine *msg)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;
	struct error error = { 0 };
	struct request r = { msg, &reply, &error };

	reply.id = msg->id;
	switch (dispatch(c, &r)) {
	case HANDLED_DONE:
		break;
	case HANDLED_LATER:
		return;
	case HANDLED_FAILED:
		reply.code = error.status;
		utf8_mend(error.text);
		reply.message = error.text;
		reply.field = error.field;
		if (error.reason)
			reply.reason = (char *)error.reason;
		reply.result_case = PMU__INTERNAL__REPLY__RESULT__NOT_SET;
		break;
	}
	send_reply(c, &reply);
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
		Pmu__Internal__ToMachine *msg =
			pmu__internal__to_machine__unpack(NULL, len, bytes);

		if (!msg) {
			fputs("a request is malformed\n", stderr);
			return false;
		}
		handle(c, msg);
		pmu__internal__to_machine__free_unpacked(msg, NULL);
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
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;
	struct machine_status s;

	machine_status(c->machine, &s);
	if (!c->step_id || s.state == MACHINE_RUNNING)
		return;
	reply.id = c->step_id;
	c->step_id = 0;
	reply.result_case = PMU__INTERNAL__REPLY__RESULT_MACHINE;
	reply.machine = control_info(c);
	send_reply(c, &reply);
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
	if (s.state == c->told && s.cause == c->told_cause &&
	    s.n_notes == c->told_notes)
		return;
	c->told = s.state;
	c->told_cause = s.cause;
	c->told_notes = s.n_notes;
	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;
	from.notice = control_info(c);
	send_message(c, &from);
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
