/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The descriptor-driven printer behind every --json, so that no command writes
 * JSON of its own. Messages of the protocol are not recursive, so neither is
 * the depth a matter here.
 */
#include "json.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* base64 as RFC 4648 has it, with padding. */
static json_t *bytes_as_text(const ProtobufCBinaryData *b)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = (b->len + 2) / 3 * 4, at = 0;
	char *text = malloc(n + 1);
	json_t *ret;

	if (!text)
		return NULL;
	for (size_t i = 0; i < b->len; i += 3) {
		size_t left = b->len - i;
		uint32_t v = (uint32_t)b->data[i] << 16;

		v |= left > 1 ? (uint32_t)b->data[i + 1] << 8 : 0;
		v |= left > 2 ? b->data[i + 2] : 0;
		text[at++] = digits[v >> 18];
		text[at++] = digits[v >> 12 & 63];
		text[at++] = left > 1 ? digits[v >> 6 & 63] : '=';
		text[at++] = left > 2 ? digits[v & 63] : '=';
	}
	ret = json_stringn(text, at);
	free(text);
	return ret;
}

/* One value of @field's type at @p. */
static json_t *value_of(const ProtobufCFieldDescriptor *field, const void *p)
{
	const ProtobufCEnumValue *e;

	switch (field->type) {
	case PROTOBUF_C_TYPE_INT32:
	case PROTOBUF_C_TYPE_SINT32:
	case PROTOBUF_C_TYPE_SFIXED32:
		return json_integer(*(const int32_t *)p);
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_FIXED32:
		return json_integer(*(const uint32_t *)p);
	case PROTOBUF_C_TYPE_INT64:
	case PROTOBUF_C_TYPE_SINT64:
	case PROTOBUF_C_TYPE_SFIXED64:
		return json_sprintf("%" PRId64, *(const int64_t *)p);
	case PROTOBUF_C_TYPE_UINT64:
	case PROTOBUF_C_TYPE_FIXED64:
		return json_sprintf("%" PRIu64, *(const uint64_t *)p);
	case PROTOBUF_C_TYPE_FLOAT:
		return json_real((double)*(const float *)p);
	case PROTOBUF_C_TYPE_DOUBLE:
		return json_real(*(const double *)p);
	case PROTOBUF_C_TYPE_BOOL:
		return json_boolean(*(const protobuf_c_boolean *)p);
	case PROTOBUF_C_TYPE_ENUM:
		e = protobuf_c_enum_descriptor_get_value(field->descriptor,
							 *(const int *)p);
		return e ? json_string(e->name) : json_integer(*(const int *)p);
	case PROTOBUF_C_TYPE_STRING:
		return json_string(*(char *const *)p);
	case PROTOBUF_C_TYPE_BYTES:
		return bytes_as_text(p);
	case PROTOBUF_C_TYPE_MESSAGE:
		return json_message(*(ProtobufCMessage *const *)p);
	}
	return NULL;
}

/* How far apart the values of a repeated field are. */
static size_t size_of(const ProtobufCFieldDescriptor *field)
{
	switch (field->type) {
	case PROTOBUF_C_TYPE_INT32:
	case PROTOBUF_C_TYPE_SINT32:
	case PROTOBUF_C_TYPE_SFIXED32:
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_FIXED32:
	case PROTOBUF_C_TYPE_FLOAT:
	case PROTOBUF_C_TYPE_ENUM:
		return 4;
	case PROTOBUF_C_TYPE_INT64:
	case PROTOBUF_C_TYPE_SINT64:
	case PROTOBUF_C_TYPE_SFIXED64:
	case PROTOBUF_C_TYPE_UINT64:
	case PROTOBUF_C_TYPE_FIXED64:
	case PROTOBUF_C_TYPE_DOUBLE:
		return 8;
	case PROTOBUF_C_TYPE_BOOL:
		return sizeof(protobuf_c_boolean);
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_MESSAGE:
		return sizeof(void *);
	case PROTOBUF_C_TYPE_BYTES:
		return sizeof(ProtobufCBinaryData);
	}
	return 0;
}

static json_t *list_of(const ProtobufCFieldDescriptor *field, const void *p,
		       size_t n)
{
	const uint8_t *values = *(uint8_t *const *)p;
	json_t *list = json_array();

	for (size_t i = 0; list && i < n; i++)
		json_array_append_new(
			list, value_of(field, values + i * size_of(field)));
	return list;
}

/* Is there a value to show: set, if it is of a kind that can be unset? */
static bool is_shown(const ProtobufCFieldDescriptor *field,
		     const uint8_t *bytes)
{
	const void *p = bytes + field->offset;

	if (field->label == PROTOBUF_C_LABEL_REPEATED)
		return true;
	if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
		return *(const uint32_t *)(bytes + field->quantifier_offset) ==
		       field->id;
	if (field->type == PROTOBUF_C_TYPE_MESSAGE)
		return *(void *const *)p != NULL;
	return true;
}

/* snake_case to lowerCamelCase; protobuf's names are short. */
static const char *json_name(const char *name, char *buf, size_t size)
{
	size_t at = 0;

	for (; *name && at + 1 < size; name++) {
		if (*name == '_' && name[1])
			buf[at++] = (char)toupper((unsigned char)*++name);
		else
			buf[at++] = *name;
	}
	buf[at] = '\0';
	return buf;
}

json_t *json_message(const ProtobufCMessage *msg)
{
	const uint8_t *bytes = (const uint8_t *)msg;
	json_t *object = json_object();

	for (unsigned i = 0; object && i < msg->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &msg->descriptor->fields[i];
		const void *p = bytes + f->offset;
		char name[64];
		json_t *v;

		if (!is_shown(f, bytes))
			continue;
		if (f->label == PROTOBUF_C_LABEL_REPEATED)
			v = list_of(f, p,
				    *(const size_t *)(bytes +
						      f->quantifier_offset));
		else
			v = value_of(f, p);
		json_object_set_new(object,
				    json_name(f->name, name, sizeof(name)), v);
	}
	return object;
}

int json_print(FILE *out, const ProtobufCMessage *msg)
{
	json_t *object = json_message(msg);
	int err = object ? json_dumpf(object, out, JSON_INDENT(2)) : -1;

	json_decref(object);
	if (!err && fputc('\n', out) == EOF)
		err = -1;
	return err;
}
