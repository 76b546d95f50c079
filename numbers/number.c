/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The grammar of number.h. strtoull() would take blanks and signs, and with
 * base 0 it reads 010 as eight.
 */
#include "number.h"

#include <stddef.h>
#include <string.h>

#include "hex-digit.h"

/* What is none is more than any base. */
static unsigned digit(char c)
{
	return (unsigned)hex_digit(c);
}

/* Digits of @base from @text on; NULL: none, or too large a number. */
static const char *digits(const char *text, unsigned base, uint64_t *ret)
{
	const char *p = text;
	uint64_t n = 0;

	for (; digit(*p) < base; p++) {
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit(*p), &n))
			return NULL;
	}
	if (p == text)
		return NULL;
	*ret = n;
	return p;
}

static const char *number(const char *text, uint64_t *ret)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
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

struct unit {
	const char *suffix;
	uint64_t factor;
};

#define BINARY_UNITS                                                           \
	{ "KiB", UINT64_C(1) << 10 }, { "MiB", UINT64_C(1) << 20 },            \
		{ "GiB", UINT64_C(1) << 30 }, { "TiB", UINT64_C(1) << 40 },    \
	{                                                                      \
		NULL, 0                                                        \
	}

static const struct unit count_units[] = {
	{ "", 1 },
	{ "k", UINT64_C(1000) },
	{ "M", UINT64_C(1000000) },
	{ "G", UINT64_C(1000000000) },
	{ "T", UINT64_C(1000000000000) },
	BINARY_UNITS,
};

static const struct unit size_units[] = {
	{ "", 1 },
	{ "K", UINT64_C(1) << 10 },
	{ "M", UINT64_C(1) << 20 },
	{ "G", UINT64_C(1) << 30 },
	{ "T", UINT64_C(1) << 40 },
	BINARY_UNITS,
};

static bool scaled(const char *text, const struct unit *units, uint64_t *ret)
{
	uint64_t n;
	const char *end = number(text, &n);

	if (!end)
		return false;
	for (; units->suffix; units++) {
		if (strcmp(end, units->suffix) != 0)
			continue;
		if (__builtin_mul_overflow(n, units->factor, &n))
			return false;
		*ret = n;
		return true;
	}
	return false;
}

bool number_parse_count(const char *text, uint64_t *ret)
{
	return scaled(text, count_units, ret);
}

bool number_parse_size(const char *text, uint64_t *ret)
{
	return scaled(text, size_units, ret);
}

static bool is_unit(const char *text, const struct unit *units)
{
	while (units->suffix && strcmp(text, units->suffix) != 0)
		units++;
	return units->suffix;
}

bool number_is_too_large(const char *text)
{
	unsigned base = 10;
	const char *p = text;
	uint64_t n;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		p = text += 2;
	}
	while (digit(*p) < base)
		p++;
	if (p == text || (!is_unit(p, count_units) && !is_unit(p, size_units)))
		return false;
	text -= base == 16 ? 2 : 0;
	return (!number_parse_count(text, &n) &&
		!number_parse_size(text, &n)) ||
	       n == UINT64_MAX;
}

bool number_parse_seconds(const char *text, uint64_t *ret_ms)
{
	uint64_t whole, part = 0;
	const char *end = digits(text, 10, &whole);

	if (!end || whole > UINT32_MAX)
		return false;
	if (*end == '.') {
		unsigned scale = 100;

		for (end++; digit(*end) < 10 && scale; end++) {
			part += scale * digit(*end);
			scale /= 10;
		}
	}
	if (*end)
		return false;
	*ret_ms = whole * 1000 + part;
	return true;
}

bool number_take(const char **text, uint64_t *ret)
{
	const char *end = digits(*text, 10, ret);

	if (!end)
		return false;
	*text = end;
	return true;
}
