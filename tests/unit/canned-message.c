/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON becomes messages by their descriptors. */
#include "canned-message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "canned-answers.h"
#include "pmu/v1/traces.pb-c.h"
#include "trace/trace-file.h"
#include "unit.h"

static ProtobufCMessage *message_of(const json_t *json,
				    const ProtobufCMessageDescriptor *type);

static size_t size_of(const ProtobufCFieldDescriptor *field)
{
	if (field->type == PROTOBUF_C_TYPE_BYTES)
		return sizeof(ProtobufCBinaryData);
	return field->type == PROTOBUF_C_TYPE_STRING ||
			       field->type == PROTOBUF_C_TYPE_MESSAGE ||
			       field->type == PROTOBUF_C_TYPE_UINT64 ||
			       field->type == PROTOBUF_C_TYPE_INT64
		       ? sizeof(uint64_t)
		       : sizeof(uint32_t);
}

static void put_file(ProtobufCBinaryData *ret, const char *path)
{
	FILE *f = fopen(path, "rb");

	ck_assert_msg(f, "no file %s", path);
	ret->data = malloc(CANNED_TEXT);
	ck_assert_ptr_nonnull(ret->data);
	ret->len = fread(ret->data, 1, CANNED_TEXT, f);
	fclose(f);
}

/* As text, "x:" and hexadecimal digits, or "@" and the name of a file. */
static void put_bytes(ProtobufCBinaryData *ret, const char *text)
{
	bool hex = !strncmp(text, "x:", 2);
	unsigned byte;

	if (*text == '@') {
		put_file(ret, text + 1);
		return;
	}
	ret->len = hex ? strlen(text + 2) / 2 : strlen(text);
	ret->data = malloc(ret->len + 1);
	ck_assert_ptr_nonnull(ret->data);
	memcpy(ret->data, text, ret->len);
	for (size_t i = 0; hex && i < ret->len; i++) {
		PREPARING(
			ck_assert(sscanf(text + 2 + 2 * i, "%2x", &byte) == 1));
		ret->data[i] = (uint8_t)byte;
	}
}

static void put(const ProtobufCFieldDescriptor *field, void *at,
		const json_t *json)
{
	if (field->type == PROTOBUF_C_TYPE_STRING) {
		*(char **)at = strdup(json_string_value(json));
	} else if (field->type == PROTOBUF_C_TYPE_BYTES) {
		put_bytes(at, json_string_value(json));
	} else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
		*(ProtobufCMessage **)at = message_of(json, field->descriptor);
	} else if (field->type == PROTOBUF_C_TYPE_BOOL) {
		*(protobuf_c_boolean *)at = json_is_true(json);
	} else if (size_of(field) == sizeof(uint64_t)) {
		*(uint64_t *)at = (uint64_t)json_integer_value(json);
	} else {
		*(uint32_t *)at = (uint32_t)json_integer_value(json);
	}
}

static void put_list(const ProtobufCFieldDescriptor *field, char *msg,
		     const json_t *json)
{
	size_t n = json_array_size(json);
	char *list = calloc(n + 1, size_of(field));

	ck_assert_ptr_nonnull(list);
	for (size_t i = 0; i < n; i++)
		put(field, list + i * size_of(field), json_array_get(json, i));
	*(char **)(msg + field->offset) = list;
	*(size_t *)(msg + field->quantifier_offset) = n;
}

static ProtobufCMessage *message_of(const json_t *json,
				    const ProtobufCMessageDescriptor *type)
{
	char *msg = calloc(1, type->sizeof_message);
	size_t known = 0;

	ck_assert_ptr_nonnull(msg);
	protobuf_c_message_init(type, msg);
	for (unsigned i = 0; i < type->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &type->fields[i];
		const json_t *value = json_object_get(json, field->name);

		if (!value)
			continue;
		known++;
		if (field->label == PROTOBUF_C_LABEL_REPEATED)
			put_list(field, msg, value);
		else
			put(field, msg + field->offset, value);
		if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
			*(uint32_t *)(msg + field->quantifier_offset) =
				field->id;
	}
	ck_assert_msg(known == json_object_size(json), "%s has no such field",
		      type->name);
	return (ProtobufCMessage *)msg;
}

ProtobufCMessage *canned_message(const char *text,
				 const ProtobufCMessageDescriptor *type)
{
	char *quoted = strdup(text);
	ProtobufCMessage *msg;
	json_t *json;

	for (char *p = quoted; (p = strchr(p, '\''));)
		*p = '"';
	json = json_loads(quoted, 0, NULL);
	free(quoted);
	ck_assert_msg(json, "no JSON: %s", text);
	msg = message_of(json, type);
	json_decref(json);
	return msg;
}

void canned_trace(const char *path, const char *header,
		  const char *const *records)
{
	ProtobufCMessage *msg =
		canned_message(header, &pmu__v1__header__descriptor);
	FILE *out = fopen(path, "wb");

	PREPARING(ck_assert_ptr_nonnull(out));
	PREPARING(ck_assert(
		trace_write_header(out, (const Pmu__V1__Header *)msg)));
	protobuf_c_message_free_unpacked(msg, NULL);
	for (; *records; records++) {
		msg = canned_message(*records, &pmu__v1__record__descriptor);
		PREPARING(ck_assert(
			trace_write_record(out, (const Pmu__V1__Record *)msg)));
		protobuf_c_message_free_unpacked(msg, NULL);
	}
	PREPARING(ck_assert_int_eq(fclose(out), 0));
}
