/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One machine process on a leash. While a reply is awaited, notices and records
 * are taken as they come.
 */
#include "machine-peer.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipc/passed.h"
#include "unit/unit.h"

enum {
	HIGH_FD = 64,
	TIMEOUT_MS = 60000,
	CHUNK = 1 << 20,
	PEER_RING = 512 << 10,
	N_PASSED = PASSED_END - PASSED_SOCKET
};

static void become(const int theirs[N_PASSED], const char *program)
{
	for (int i = 0; i < N_PASSED; i++)
		dup2(theirs[i], PASSED_SOCKET + i);
	if (program) {
		execl(program, program, (char *)NULL);
		_exit(127);
	}
	fcntl(PASSED_SOCKET, F_SETFL, O_NONBLOCK);
	_exit(control_serve(&(struct control_config){
		.socket = PASSED_SOCKET,
		.ring = PASSED_RING,
		.data = PASSED_DATA,
		.space = PASSED_SPACE,
		.channels = PASSED_CHANNELS,
	}));
}

void peer_start(struct peer *p, const char *program)
{
	int pair[2], fd, theirs[N_PASSED];

	*p = (struct peer){ .next_id = 1 };
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	p->socket = pair[0];
	fcntl(p->socket, F_SETFL, O_NONBLOCK);
	ck_assert_int_eq(ring_create(&p->ring, PEER_RING, &fd), 0);
	p->data = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	p->space = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	theirs[0] = fcntl(pair[1], F_DUPFD_CLOEXEC, HIGH_FD);
	theirs[1] = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	theirs[2] = fcntl(p->data, F_DUPFD_CLOEXEC, HIGH_FD);
	theirs[3] = fcntl(p->space, F_DUPFD_CLOEXEC, HIGH_FD);
	close(pair[1]);
	close(fd);
	ck_assert_int_eq(
		socketpair(AF_UNIX,
			   SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
			   pair),
		0);
	p->channels = pair[0];
	theirs[4] = fcntl(pair[1], F_DUPFD_CLOEXEC, HIGH_FD);
	close(pair[1]);
	ring_wait_data(&p->ring, 0);
	p->pid = fork();
	ck_assert_int_ge(p->pid, 0);
	if (p->pid == 0)
		become(theirs, program);
	for (int i = 0; i < N_PASSED; i++)
		close(theirs[i]);
}

static void drop(from_machine **m)
{
	if (*m)
		pmu__internal__from_machine__free_unpacked(*m, NULL);
	*m = NULL;
}

static void drop_reply(struct peer *p)
{
	if (p->last.answer)
		protobuf_c_message_free_unpacked((void *)p->last.answer, NULL);
	p->last = (struct peer_reply){ 0 };
	drop(&p->reply);
}

int peer_end(struct peer *p)
{
	int status = 0;

	close(p->socket);
	waitpid(p->pid, &status, 0);
	close(p->data);
	close(p->space);
	close(p->channels);
	ring_close(&p->ring);
	frame_in_free(&p->in);
	frame_out_free(&p->out);
	drop_reply(p);
	drop(&p->notice);
	buf_free(&p->trace);
	return status;
}

void peer_drain(struct peer *p)
{
	static uint8_t buf[PEER_RING];
	int64_t n;

	while ((n = ring_peek(&p->ring, buf, sizeof(buf))) > 0) {
		ring_skip(&p->ring, (size_t)n);
		ck_assert_int_eq(buf_append(&p->trace, buf, (size_t)n), 0);
		if (ring_must_wake_producer(&p->ring))
			eventfd_write(p->space, 1);
	}
	ck_assert_int_ge(n, 0);
}

/* What @m says; an answer is one of the method that was asked. */
static void keep_reply(struct peer *p, from_machine *m,
		       const struct frame_body *body)
{
	const Pmu__Internal__Reply *r = m->reply;

	drop_reply(p);
	p->reply = m;
	p->last = (struct peer_reply){
		.id = r->id,
		.code = r->code,
		.text = r->text,
		.field = r->field,
		.reason = r->reason,
		.taken = r->taken,
	};
	if (r->code || r->taken)
		return;
	p->last.answer = protobuf_c_message_unpack(
		method_descriptor(p->asked[r->id % PEER_CALLS])->output, NULL,
		body->len, body->bytes);
	ck_assert_ptr_nonnull(p->last.answer);
}

enum taken {
	TAKEN_NONE,
	TAKEN_NOTICE,
	TAKEN_REPLY
};

static enum taken take_message(struct peer *p)
{
	struct frame_body head, body;
	const uint8_t *bytes;
	size_t len;
	from_machine *m;

	if (frame_next(&p->in, &bytes, &len) <= 0)
		return TAKEN_NONE;
	ck_assert(frame_split(bytes, len, &head, &body));
	m = pmu__internal__from_machine__unpack(NULL, head.len, head.bytes);
	ck_assert_ptr_nonnull(m);
	if (m->what_case == PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE) {
		drop(&p->notice);
		p->notice = m;
		p->n_notices++;
		return TAKEN_NOTICE;
	}
	keep_reply(p, m, &body);
	return TAKEN_REPLY;
}

/* Waits for bytes on the socket, taking records meanwhile. */
static void wait_bytes(struct peer *p)
{
	struct pollfd fds[] = { { .fd = p->socket, .events = POLLIN },
				{ .fd = p->hold ? -1 : p->data,
				  .events = POLLIN } };
	eventfd_t n;

	if (!p->hold) {
		peer_drain(p);
		if (!ring_wait_data(&p->ring, 0))
			return;
	}
	ck_assert_int_gt(poll(fds, 2, TIMEOUT_MS), 0);
	if (fds[1].revents)
		eventfd_read(p->data, &n);
	if (fds[0].revents)
		ck_assert_int_ge(frame_read(&p->in, p->socket), 0);
}

const struct peer_reply *peer_wait(struct peer *p, uint64_t id)
{
	for (;;) {
		switch (take_message(p)) {
		case TAKEN_REPLY:
			if (p->last.id == id)
				return &p->last;
			break;
		case TAKEN_NOTICE:
			break;
		case TAKEN_NONE:
			wait_bytes(p);
			break;
		}
	}
}

const Pmu__V1__MachineInfo *peer_wait_state(struct peer *p,
					    Pmu__V1__MachineState state)
{
	while (!p->notice || p->notice->notice->state != state)
		if (take_message(p) == TAKEN_NONE)
			wait_bytes(p);
	return p->notice->notice;
}

uint64_t peer_put(struct peer *p, Pmu__Internal__Call *call,
		  const struct frame_body *request)
{
	call->id = p->next_id++;
	ck_assert_int_eq(frame_put(&p->out, &call->base, request), 0);
	while (!p->gathers && frame_flush(&p->out, p->socket) == 1)
		poll(&(struct pollfd){ .fd = p->socket, .events = POLLOUT }, 1,
		     TIMEOUT_MS);
	return call->id;
}

uint64_t peer_send(struct peer *p, enum method_id method,
		   const ProtobufCMessage *request)
{
	const struct frame_body body = { .message = request };
	Pmu__Internal__Call call = PMU__INTERNAL__CALL__INIT;

	ck_assert_ptr_eq(request->descriptor, method_descriptor(method)->input);
	p->asked[p->next_id % PEER_CALLS] = method;
	call.method = (char *)method_descriptor(method)->name;
	return peer_put(p, &call, &body);
}

const struct peer_reply *peer_call(struct peer *p, enum method_id method,
				   const ProtobufCMessage *request)
{
	return peer_wait(p, peer_send(p, method, request));
}

const Pmu__V1__MachineInfo *peer_machine(const struct peer *p)
{
	const ProtobufCMessage *answer = p->last.answer;
	const ProtobufCFieldDescriptor *f =
		protobuf_c_message_descriptor_get_field_by_name(
			answer->descriptor, "machine");

	return *(Pmu__V1__MachineInfo *const *)((const char *)answer +
						f->offset);
}

const Pmu__V1__Header *peer_header(const struct peer *p)
{
	const Pmu__Internal__SetRecordingResponse *answer = p->last.answer;

	return answer->header;
}

void peer_write(struct peer *p, const void *bytes, size_t len)
{
	ck_assert_int_eq(send(p->socket, bytes, len, MSG_NOSIGNAL),
			 (ssize_t)len);
}

/* Requests with one line */

unsigned peer_configure(struct peer *p, unsigned harts, bool m_mode,
			const char *settings)
{
	Pmu__Internal__ConfigureRequest configure =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting room[16], *list[16];
	char copy[512], *save = NULL;

	strcpy(copy, settings);
	for (char *w = strtok_r(copy, " ", &save); w;
	     w = strtok_r(NULL, " ", &save)) {
		Pmu__V1__Setting *s = &room[cfg.n_settings];

		pmu__v1__setting__init(s);
		s->key = w;
		s->value = strchr(w, '=') + 1;
		s->value[-1] = 0;
		list[cfg.n_settings++] = s;
	}
	cfg.settings = list;
	cfg.harts = harts;
	cfg.memory_bytes = 4 << 20;
	cfg.start_mode = m_mode ? PMU__V1__START_MODE__START_MODE_M
				: PMU__V1__START_MODE__START_MODE_S;
	configure.config = &cfg;
	return peer_call(p, METHOD_Configure, &configure.base)->code;
}

static unsigned load_part(struct peer *p, Pmu__V1__LoadImageRequest *part)
{
	return peer_call(p, METHOD_LoadImage, &part->base)->code;
}

unsigned peer_load(struct peer *p, const void *bytes, size_t len,
		   uint64_t flat_at)
{
	Pmu__V1__LoadImageRequest part = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	Pmu__V1__ImageStart start = PMU__V1__IMAGE_START__INIT;
	unsigned code;

	start.kind = flat_at ? PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT
			     : PMU__V1__IMAGE_KIND__IMAGE_KIND_UNSPECIFIED;
	start.address = flat_at;
	start.total_bytes = len;
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_START;
	part.start = &start;
	code = load_part(p, &part);
	part.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	for (size_t at = 0; !code && at < len; at += part.chunk.len) {
		part.chunk.data = (uint8_t *)bytes + at;
		part.chunk.len = len - at < CHUNK ? len - at : CHUNK;
		code = load_part(p, &part);
	}
	return code;
}

unsigned peer_start_machine(struct peer *p, bool paused)
{
	Pmu__V1__StartMachineRequest start =
		PMU__V1__START_MACHINE_REQUEST__INIT;

	start.paused = paused;
	return peer_call(p, METHOD_StartMachine, &start.base)->code;
}

unsigned peer_simple(struct peer *p, enum method_id method)
{
	const ProtobufCMessageDescriptor *d = method_descriptor(method)->input;
	_Alignas(max_align_t) uint8_t room[512];

	ck_assert_uint_le(d->sizeof_message, sizeof(room));
	protobuf_c_message_init(d, room);
	return peer_call(p, method, (const ProtobufCMessage *)room)->code;
}
