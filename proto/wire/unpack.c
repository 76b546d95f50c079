/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turning hostile bytes into a message. Decides how much memory a message may
 * take once unpacked, that its types do not nest without bound, and that its
 * strings are UTF-8; the fields' values are the handlers' business.
 */
#include "wire/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct budget {
	size_t left;
	bool exceeded, no_memory;
};

static void *budget_alloc(void *data, size_t size)
{
	struct budget *b = data;
	void *p;

	if (size > b->left) {
		b->exceeded = true;
		return NULL;
	}
	b->left -= size;
	p = malloc(size);
	b->no_memory |= !p;
	return p;
}

static void budget_free(void *data, void *p)
{
	free(p);
}

static bool depth_within(const ProtobufCMessageDescriptor *desc,
			 unsigned int left)
{
	unsigned int i;

	if (!left)
		return false;
	for (i = 0; i < desc->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &desc->fields[i];

		if (f->type == PROTOBUF_C_TYPE_MESSAGE &&
		    !depth_within(f->descriptor, left - 1))
			return false;
	}
	return true;
}

bool wire_depth_ok(const ProtobufCMessageDescriptor *desc)
{
	return depth_within(desc, WIRE_MAX_DEPTH);
}

static bool strings_ok(const ProtobufCMessage *msg);

static bool value_ok(const ProtobufCFieldDescriptor *f, const void *value)
{
	const char *s;

	if (f->type == PROTOBUF_C_TYPE_STRING) {
		s = *(char *const *)value;
		return !s || utf8_valid(s, strlen(s));
	}
	value = *(const void *const *)value;
	return !value || strings_ok(value);
}

static bool is_pointer(const ProtobufCFieldDescriptor *f)
{
	return f->type == PROTOBUF_C_TYPE_STRING ||
	       f->type == PROTOBUF_C_TYPE_MESSAGE;
}

static bool field_ok(const ProtobufCMessage *msg,
		     const ProtobufCFieldDescriptor *f)
{
	const char *base = (const char *)msg;
	const void *const *items;
	size_t i, n;

	if (f->label != PROTOBUF_C_LABEL_REPEATED) {
		if ((f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) &&
		    *(const uint32_t *)(base + f->quantifier_offset) != f->id)
			return true;
		return value_ok(f, base + f->offset);
	}
	n = *(const size_t *)(base + f->quantifier_offset);
	items = *(const void *const *const *)(base + f->offset);
	for (i = 0; i < n; i++)
		if (!value_ok(f, &items[i]))
			return false;
	return true;
}

/* Recurses no deeper than the types do, which wire_depth_ok() bounds. */
static bool strings_ok(const ProtobufCMessage *msg)
{
	unsigned int i;

	for (i = 0; i < msg->descriptor->n_fields; i++)
		if (is_pointer(&msg->descriptor->fields[i]) &&
		    !field_ok(msg, &msg->descriptor->fields[i]))
			return false;
	return true;
}

ProtobufCMessage *wire_unpack(const ProtobufCMessageDescriptor *desc,
			      const struct wire_bytes *in,
			      enum grpc_status *ret_status,
			      const char **ret_text)
{
	struct budget budget = { in->limit, false, false };
	ProtobufCAllocator alloc = { budget_alloc, budget_free, &budget };
	ProtobufCMessage *msg;

	msg = protobuf_c_message_unpack(desc, &alloc, in->len, in->data);
	if (!msg && budget.exceeded) {
		*ret_status = GRPC_RESOURCE_EXHAUSTED;
		*ret_text = "the message has too many parts";
		return NULL;
	}
	if (!msg && budget.no_memory) {
		*ret_status = GRPC_UNAVAILABLE;
		*ret_text = "out of memory";
		return NULL;
	}
	if (msg && strings_ok(msg))
		return msg;
	*ret_status = GRPC_INVALID_ARGUMENT;
	*ret_text = msg ? "the message has text that is not UTF-8"
			: "the message is not a valid one of its type";
	wire_unpack_free(msg);
	return NULL;
}

int wire_unpack_errno(enum grpc_status status)
{
	return status == GRPC_UNAVAILABLE ? -ENOMEM : -EPROTO;
}

void wire_unpack_free(ProtobufCMessage *msg)
{
	if (msg)
		protobuf_c_message_free_unpacked(msg, NULL);
}
