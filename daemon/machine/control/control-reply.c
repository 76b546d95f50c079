/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Replies: the memory that they are made of, which lives until they are sent,
 * and how they are sent. An answer that is too long becomes an error.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "control-inside.h"
#include "wire/frame.h"
#include "wire/wire.h"

struct answer_block {
	SLIST_ENTRY(answer_block) next;
	_Alignas(max_align_t) uint8_t bytes[];
};

struct answers {
	struct frame_out out;
	SLIST_HEAD(, answer_block) blocks; /* of the reply that is made now */
};

struct answers *answers_new(void)
{
	return calloc(1, sizeof(struct answers));
}

static void free_blocks(struct answers *a)
{
	while (!SLIST_EMPTY(&a->blocks)) {
		struct answer_block *b = SLIST_FIRST(&a->blocks);

		SLIST_REMOVE_HEAD(&a->blocks, next);
		free(b);
	}
}

void answers_free(struct answers *a)
{
	if (!a)
		return;
	frame_out_free(&a->out);
	free_blocks(a);
	free(a);
}

bool answers_fit(const struct answers *a)
{
	return frame_pending(&a->out) < FRAME_OUT_LIMIT / 2;
}

bool answers_wait(const struct answers *a)
{
	return frame_pending(&a->out) > 0;
}

bool answers_flush(struct answers *a, int fd)
{
	return frame_flush(&a->out, fd) >= 0;
}

void *control_alloc(struct control *c, size_t size)
{
	struct answer_block *b = calloc(1, sizeof(*b) + size);

	if (!b) {
		fputs("out of memory\n", stderr);
		abort();
	}
	SLIST_INSERT_HEAD(&c->answers->blocks, b, next);
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

void control_free_replies(struct control *c)
{
	free_blocks(c->answers);
}

bool control_send(struct control *c, const Pmu__Internal__FromMachine *from,
		  const ProtobufCMessage *answer)
{
	const struct frame_body body = { .message = answer };
	int rc = frame_put(&c->answers->out, &from->base, &body);

	if (rc < 0 && rc != -EMSGSIZE) {
		fprintf(stderr, "a reply cannot be sent: %s\n", strerror(-rc));
		abort();
	}
	return rc == 0;
}

static bool send_reply(struct control *c, Pmu__Internal__Reply *reply,
		       const ProtobufCMessage *answer)
{
	Pmu__Internal__FromMachine from = PMU__INTERNAL__FROM_MACHINE__INIT;

	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_REPLY;
	from.reply = reply;
	return control_send(c, &from, answer);
}

void control_send_error(struct control *c, uint64_t id, struct error *e)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;
	char field[REFUSAL_FIELD];

	/* Without it this would be an answer, and none of the method's. */
	assert(e->kind != ERROR_NONE);
	reply.id = id;
	utf8_mend(e->text);
	reply.code = refusal_status(e->kind);
	reply.text = e->text;
	refusal_field(e, field);
	reply.field = field;
	if (e->reason)
		reply.reason = (char *)e->reason;
	(void)send_reply(c, &reply, NULL);
}

void control_send_taken(struct control *c, uint64_t id)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.id = id;
	reply.taken = true;
	(void)send_reply(c, &reply, NULL);
}

void control_send_answer(struct control *c, uint64_t id,
			 const ProtobufCMessage *answer)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;
	struct error e;

	reply.id = id;
	if (send_reply(c, &reply, answer))
		return;
	error_set(&e, ERROR_NO_ROOM, AT(PART_NONE, "ANSWER_TOO_LONG"),
		  "the answer is too long");
	control_send_error(c, id, &e);
}
