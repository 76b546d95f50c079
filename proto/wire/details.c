/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packing and unpacking the details of an error. Who refuses decides on field
 * and reason; texts are cut to what a header may hold.
 */
#include "wire/details.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "wire/details.pb-c.h"
#include "wire/wire.h"

#define TYPE   "type.googleapis.com/google.rpc."
#define DOMAIN "pmud"

enum {
	PACKED_MAX = DETAILS_MAX / 4 * 3 - 3, /* so that its Base64 fits */
	DETAIL_MAX = PACKED_MAX / 2,
};

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Without padding, as gRPC sends it. */
static size_t base64_write(const uint8_t *bytes, size_t n, char *ret)
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		bits = bits << 8 | bytes[i];
		for (have += 8; have >= 6; have -= 6)
			ret[len++] = digits[bits >> (have - 6) & 63];
	}
	if (have)
		ret[len++] = digits[bits << (6 - have) & 63];
	ret[len] = '\0';
	return len;
}

/* With or without padding. False: it is none, or longer than @cap. */
static bool base64_read(const char *text, size_t len, uint8_t *ret, size_t cap,
			size_t *ret_len)
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t n = 0;

	while (len && text[len - 1] == '=')
		len--;
	for (size_t i = 0; i < len; i++) {
		const char *at = memchr(digits, text[i], sizeof(digits) - 1);

		if (!at || n >= cap)
			return false;
		bits = bits << 6 | (uint32_t)(at - digits);
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		ret[n++] = (uint8_t)(bits >> have);
	}
	*ret_len = n;
	return true;
}

/* Packs @msg into @any, whose bytes are @room. False: it is too long. */
static bool enclose(Google__Rpc__Any *any, const char *type,
		    const ProtobufCMessage *msg, uint8_t room[DETAIL_MAX])
{
	google__rpc__any__init(any);
	if (protobuf_c_message_get_packed_size(msg) > DETAIL_MAX)
		return false;
	any->type_url = (char *)type;
	any->value.data = room;
	any->value.len = protobuf_c_message_pack(msg, room);
	return true;
}

static bool enclose_field(Google__Rpc__Any *any, const char *field,
			  const char *text, uint8_t room[DETAIL_MAX])
{
	Google__Rpc__FieldViolation wrong = GOOGLE__RPC__FIELD_VIOLATION__INIT;
	Google__Rpc__FieldViolation *list = &wrong;
	Google__Rpc__BadRequest bad = GOOGLE__RPC__BAD_REQUEST__INIT;

	wrong.field = (char *)field;
	wrong.description = (char *)text;
	bad.n_field_violations = 1;
	bad.field_violations = &list;
	return enclose(any, TYPE "BadRequest", &bad.base, room);
}

static bool enclose_reason(Google__Rpc__Any *any, const char *reason,
			   const char *method, uint8_t room[DETAIL_MAX])
{
	Google__Rpc__Pair pair = GOOGLE__RPC__PAIR__INIT, *list = &pair;
	Google__Rpc__ErrorInfo info = GOOGLE__RPC__ERROR_INFO__INIT;

	info.reason = (char *)reason;
	info.domain = (char *)DOMAIN;
	pair.key = (char *)"method";
	pair.value = (char *)method;
	info.n_metadata = 1;
	info.metadata = &list;
	return enclose(any, TYPE "ErrorInfo", &info.base, room);
}

size_t details_encode(const struct details *d, const struct details_of *of,
		      char ret[DETAILS_MAX])
{
	uint8_t room[2][DETAIL_MAX], packed[PACKED_MAX];
	Google__Rpc__Any any[2], *list[2] = { &any[0], &any[1] };
	Google__Rpc__Status status = GOOGLE__RPC__STATUS__INIT;
	size_t n = 0;

	if (*d->reason &&
	    enclose_reason(&any[n], d->reason, of->method, room[n]))
		n++;
	if (*d->field && enclose_field(&any[n], d->field, of->text, room[n]))
		n++;
	status.code = (int32_t)of->status;
	status.message = (char *)of->text;
	status.n_details = n;
	status.details = list;
	if (!n || google__rpc__status__get_packed_size(&status) > PACKED_MAX)
		return 0;
	return base64_write(packed, google__rpc__status__pack(&status, packed),
			    ret);
}

static void read_reason(const Google__Rpc__Any *any, struct details *ret)
{
	Google__Rpc__ErrorInfo *info = google__rpc__error_info__unpack(
		NULL, any->value.len, any->value.data);

	if (!info)
		return;
	snprintf(ret->reason, sizeof(ret->reason), "%s", info->reason);
	utf8_mend(ret->reason);
	google__rpc__error_info__free_unpacked(info, NULL);
}

/* The first of them: pmud names one. */
static void read_field(const Google__Rpc__Any *any, struct details *ret)
{
	Google__Rpc__BadRequest *bad = google__rpc__bad_request__unpack(
		NULL, any->value.len, any->value.data);

	if (!bad)
		return;
	if (bad->n_field_violations) {
		snprintf(ret->field, sizeof(ret->field), "%s",
			 bad->field_violations[0]->field);
		utf8_mend(ret->field);
	}
	google__rpc__bad_request__free_unpacked(bad, NULL);
}

bool details_decode(const char *value, size_t len, struct details *ret)
{
	uint8_t packed[PACKED_MAX];
	Google__Rpc__Status *status;
	size_t n;

	*ret = (struct details){ 0 };
	if (!base64_read(value, len, packed, sizeof(packed), &n))
		return false;
	status = google__rpc__status__unpack(NULL, n, packed);
	if (!status)
		return false;
	for (size_t i = 0; i < status->n_details; i++) {
		const Google__Rpc__Any *any = status->details[i];

		if (!strcmp(any->type_url, TYPE "ErrorInfo"))
			read_reason(any, ret);
		else if (!strcmp(any->type_url, TYPE "BadRequest"))
			read_field(any, ret);
	}
	google__rpc__status__free_unpacked(status, NULL);
	return *ret->field || *ret->reason;
}
