/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading numbers. Unlike strtoull(), nothing is taken that is not a number
 * from its first to its last character, and 010 is ten.
 */
#include "number.h"

#include <ctype.h>
#include <string.h>

/* Digits of @base from @text on; NULL: none, or too large a number. */
static const char *digits(const char *text, unsigned base, uint64_t *ret)
{
	const char *p = text;
	uint64_t n = 0;

	for (; isxdigit((unsigned char)*p); p++) {
		unsigned c = (unsigned char)*p;
		unsigned d = isdigit((int)c) ? c - '0' : (c | 32) - 'a' + 10;

		if (d >= base)
			break;
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, d, &n))
			return NULL;
	}
	*ret = n;
	return p == text ? NULL : p;
}

static const char *number(const char *text, uint64_t *ret)
{
	if (text[0] == '0' && (text[1] | 32) == 'x')
		return digits(text + 2, 16, ret);
	return digits(text, 10, ret);
}

bool number_parse(const char *text, uint64_t *ret)
{
	uint64_t n;
	const char *end = number(text, &n);

	if (!end || *end)
		return false;
	*ret = n;
	return true;
}

bool number_parse_signed(const char *text, uint64_t *ret)
{
	uint64_t n;

	if (*text != '-')
		return number_parse(text, ret);
	if (!number_parse(text + 1, &n) || n > UINT64_C(1) << 63)
		return false;
	*ret = -n;
	return true;
}

/* A number and at most one of @units, each worth @step times the last. */
static bool scaled(const char *text, const char *units, uint64_t step,
		   const char *tail, uint64_t *ret)
{
	uint64_t n;
	const char *end = number(text, &n);
	const char *unit;

	if (!end)
		return false;
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		end++;
		if (strcmp(end, tail) == 0)
			end += strlen(tail);
		for (; unit >= units; unit--) {
			if (__builtin_mul_overflow(n, step, &n))
				return false;
		}
	}
	if (*end)
		return false;
	*ret = n;
	return true;
}

bool number_parse_count(const char *text, uint64_t *ret)
{
	return scaled(text, "kMGT", 1000, "", ret);
}

bool number_parse_size(const char *text, uint64_t *ret)
{
	return scaled(text, "KMGT", 1024, "iB", ret);
}

bool number_parse_seconds(const char *text, uint64_t *ret_ms)
{
	uint64_t whole, part = 0;
	const char *end = digits(text, 10, &whole);

	if (!end || whole > UINT32_MAX)
		return false;
	if (*end == '.') {
		unsigned scale = 100;

		for (end++; isdigit((unsigned char)*end) && scale; end++) {
			part += scale * (unsigned)(*end - '0');
			scale /= 10;
		}
	}
	if (*end)
		return false;
	*ret_ms = whole * 1000 + part;
	return true;
}
