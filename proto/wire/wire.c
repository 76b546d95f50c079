/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encoding and decoding of what gRPC says in headers. Every input is hostile.
 * What an error means for a call is decided by the callers.
 */
#include "wire/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hex-digit.h"

#define NS_LIMIT (UINT64_C(100) * 365 * 24 * 3600 * 1000000000)

const char *grpc_status_name(unsigned int status)
{
	static const char *const names[] = {
#define X(num, id) [num] = #id,
		GRPC_STATUSES(X)
#undef X
	};

	return status <= GRPC_STATUS_MAX ? names[status] : "UNKNOWN";
}

static const struct timeout_unit {
	char letter;
	uint64_t ns;
} timeout_units[] = {
	/* finest first */
	{ 'n', 1 },
	{ 'u', 1000 },
	{ 'm', 1000000 },
	{ 'S', 1000000000 },
	{ 'M', UINT64_C(60) * 1000000000 },
	{ 'H', UINT64_C(3600) * 1000000000 },
};

#define N_TIMEOUT_UNITS (sizeof(timeout_units) / sizeof(timeout_units[0]))

bool timeout_parse(const char *text, size_t len, uint64_t *ret_ns)
{
	uint64_t value = 0;
	size_t i;

	if (len < 2 || len > 9)
		return false;
	for (i = 0; i < len - 1; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	for (i = 0; i < N_TIMEOUT_UNITS; i++) {
		const struct timeout_unit *u = &timeout_units[i];

		if (u->letter != text[len - 1])
			continue;
		*ret_ns = value > NS_LIMIT / u->ns ? NS_LIMIT : value * u->ns;
		return true;
	}
	return false;
}

void timeout_format(uint64_t ns, char ret_text[GRPC_TIMEOUT_MAX])
{
	size_t i = 0;
	uint64_t v;

	if (ns > NS_LIMIT)
		ns = NS_LIMIT;
	do {
		v = ns / timeout_units[i].ns + !!(ns % timeout_units[i].ns);
	} while (v > 99999999 && ++i < N_TIMEOUT_UNITS);
	snprintf(ret_text, GRPC_TIMEOUT_MAX, "%" PRIu32 "%c", (uint32_t)v,
		 timeout_units[i].letter);
}

/* Whether the character at @i of @text may stand in a header as it is. */
static bool is_plain(const char *text, size_t i)
{
	uint8_t c = (uint8_t)text[i];

	/* HTTP/2 refuses a header that begins or ends with a space */
	if (c == ' ')
		return i && text[i + 1];
	return c > 0x20 && c <= 0x7e && c != '%';
}

size_t percent_encode(const char *text, char *ret, size_t cap)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t i, n = 0;

	for (i = 0; text[i]; i++) {
		uint8_t c = (uint8_t)text[i];
		bool plain = is_plain(text, i);

		if (n + (plain ? 1 : 3) >= cap)
			break;
		if (plain) {
			ret[n++] = text[i];
			continue;
		}
		ret[n++] = '%';
		ret[n++] = hex[c >> 4];
		ret[n++] = hex[c & 15];
	}
	ret[n] = '\0';
	return n;
}

size_t percent_decode(const char *text, size_t len, char *ret, size_t cap)
{
	size_t i, n = 0;

	for (i = 0; i < len && n + 1 < cap; i++) {
		int hi = -1, lo = -1;

		if (text[i] == '%' && i + 2 < len) {
			hi = hex_digit(text[i + 1]);
			lo = hex_digit(text[i + 2]);
		}
		if (hi < 0 || lo < 0) {
			ret[n++] = text[i];
			continue;
		}
		ret[n++] = (char)(hi << 4 | lo);
		i += 2;
	}
	ret[n] = '\0';
	return n;
}

/* Length of the sequence that begins at @p, 0 if it is malformed. */
static size_t utf8_sequence(const uint8_t *p, size_t left)
{
	size_t i, n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

	if (n == 1)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4 || left < n)
		return 0;
	for (i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if (p[0] == 0xe0 && p[1] < 0xa0)
		return 0; /* longer than needed */
	if (p[0] == 0xed && p[1] > 0x9f)
		return 0; /* a surrogate */
	if (p[0] == 0xf0 && p[1] < 0x90)
		return 0;
	if (p[0] == 0xf4 && p[1] > 0x8f)
		return 0; /* beyond U+10FFFF */
	return n;
}

void utf8_mend(char *text)
{
	size_t len = strlen(text), n;

	for (; len; text += n, len -= n) {
		n = utf8_sequence((const uint8_t *)text, len);
		if (n)
			continue;
		*text = '?';
		n = 1;
	}
}

bool utf8_valid(const void *s, size_t len)
{
	const uint8_t *p = s;

	while (len) {
		size_t n = utf8_sequence(p, len);

		if (!n)
			return false;
		p += n;
		len -= n;
	}
	return true;
}
