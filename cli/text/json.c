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

#include "exit-codes.h"
#include "plain-text.h"
#include "report.h"
#include "wire/wire.h"

/* Text */

enum {
	BYTE_FIRST = 0xef80, /* of the characters that are bytes */
	BYTE_LAST = 0xefff
};

size_t json_char(const char *text)
{
	const uint8_t *b = (const uint8_t *)text;
	size_t n = b[0] < 0x80 ? 1 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
	unsigned code;

	if (strnlen(text, n) < n || !utf8_valid(text, n))
		return b[0] ? 0 : 1;
	code = n == 3 ? (b[0] & 15u) << 12 | (b[1] & 63u) << 6 | (b[2] & 63u)
		      : 0;
	return code < BYTE_FIRST || code > BYTE_LAST ? n : 0;
}

/* The whole of @text so, to be freed; NULL: out of memory. */
static char *to_utf8(const char *text)
{
	char *ret = malloc(3 * strlen(text) + 1), *to = ret;

	while (ret && *text) {
		size_t n = json_char(text);
		unsigned code = JSON_BYTE + (uint8_t)*text;

		if (n) {
			memcpy(to, text, n);
			to += n;
		} else {
			*to++ = (char)(0xe0 | code >> 12);
			*to++ = (char)(0x80 | (code >> 6 & 63));
			*to++ = (char)(0x80 | (code & 63));
		}
		text += n ? n : 1;
	}
	if (ret)
		*to = '\0';
	return ret;
}

json_t *json_text(const char *text)
{
	char *good = to_utf8(text);
	json_t *ret = good ? json_string(good) : NULL;

	free(good);
	return ret;
}

json_t *json_decimal(uint64_t number)
{
	return json_sprintf("%" PRIu64, number);
}

/* Parsing */

static void give_up(json_t **whole)
{
	json_decref(*whole);
	*whole = NULL;
}

static json_malloc_t allocate;
static bool ran_out;

static void *allocate_and_note(size_t size)
{
	void *ret = allocate(size);

	ran_out |= !ret;
	return ret;
}

/* json_loads() passes over some of its own failures, and goes on with less. */
json_t *json_parse(const char *text)
{
	char *good = to_utf8(text);
	json_free_t release;
	json_t *ret;

	json_get_alloc_funcs(&allocate, &release);
	json_set_alloc_funcs(allocate_and_note, release);
	ran_out = false;
	ret = good ? json_loads(good, 0, NULL) : NULL;
	json_set_alloc_funcs(allocate, release);
	free(good);
	if (ran_out)
		give_up(&ret);
	return ret;
}

/* Building */

void json_add(json_t **object, const char *key, json_t *value)
{
	if (json_object_set_new(*object, key, value))
		give_up(object);
}

void json_append(json_t **list, json_t *value)
{
	if (json_array_append_new(*list, value))
		give_up(list);
}

void json_add_all(json_t **object, json_t *more)
{
	if (!more || json_object_update(*object, more))
		give_up(object);
	json_decref(more);
}

/* Messages */

/* base64 as RFC 4648 has it, with padding. */
static json_t *base64_text(const ProtobufCBinaryData *b)
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
		return json_decimal(*(const uint64_t *)p);
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
		return json_text(*(char *const *)p);
	case PROTOBUF_C_TYPE_BYTES:
		return base64_text(p);
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
		json_append(&list,
			    value_of(field, values + i * size_of(field)));
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
		json_add(&object, json_name(f->name, name, sizeof(name)), v);
	}
	return object;
}

/* A string comes whole, or cut between characters; what JSON escapes, so. */
static int write_piece(const char *piece, size_t len, void *arg)
{
	const char *end = piece + len, *from = piece;
	FILE *out = arg;

	for (const char *p = piece; p < end; p++) {
		size_t n = (unsigned char)*p < ' ' ? 0 : plain_control(p);

		if (!n)
			continue;
		fwrite(from, 1, (size_t)(p - from), out);
		p += n - 1;
		from = p + 1;
		fprintf(out, "\\u%04x", (unsigned char)*p);
	}
	fwrite(from, 1, (size_t)(end - from), out);
	return ferror(out) ? -1 : 0;
}

int json_write(FILE *out, const json_t *value, size_t flags)
{
	return json_dump_callback(value, write_piece, out, flags);
}

int json_put(FILE *out, json_t *value, size_t flags)
{
	int err = value ? json_write(out, value, flags) : -1;

	json_decref(value);
	if (!err && fputc('\n', out) != EOF)
		return EXIT_OK;
	if (!ferror(out)) /* else that is said of all output */
		report_no_memory("JSON");
	return EXIT_FAILED;
}

int json_print(FILE *out, const ProtobufCMessage *msg)
{
	return json_put(out, json_message(msg), JSON_INDENT(2));
}
