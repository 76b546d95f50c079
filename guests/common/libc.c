/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The little of a C library that guests need, so that building them takes a
 * bare compiler only. It is built without loop patterns: the loops below would
 * become calls of themselves.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memcpy(void *to, const void *from, size_t size)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	while (size--)
		*t++ = *f++;
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t <= f)
		return memcpy(to, from, size);
	while (size--)
		t[size] = f[size];
	return to;
}

void *memset(void *to, int byte, size_t size)
{
	unsigned char *t = to;

	while (size--)
		*t++ = (unsigned char)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
	const unsigned char *x = a, *y = b;

	for (; size--; x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

size_t strlen(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

unsigned long strtoul(const char *text, char **ret_end, int base)
{
	unsigned long value = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		value = value * (unsigned)base + (unsigned long)(*text - '0');
	if (ret_end)
		*ret_end = (char *)text;
	return value;
}

/* One conversion: what stands between % and its letter. */
struct spec {
	bool alternate, zeros, left;
	unsigned width, longs;
	char letter;
};

static const char *parse(const char *p, struct spec *spec)
{
	char *end;

	for (;; p++) {
		if (*p == '#')
			spec->alternate = true;
		else if (*p == '0')
			spec->zeros = true;
		else if (*p == '-')
			spec->left = true;
		else
			break;
	}
	spec->width = (unsigned)strtoul(p, &end, 10);
	for (p = end; *p == 'l' || *p == 'z'; p++)
		spec->longs++;
	spec->letter = *p;
	return p;
}

static int pad(char c, unsigned used, unsigned width)
{
	int n = 0;

	for (; used < width; used++, n++)
		guest_put(c);
	return n;
}

static int put_all(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		guest_put(text[i]);
	return (int)size;
}

/* @sign is what stands before the digits: nothing, "-" or "0x". */
static int put_text(const struct spec *spec, const char *sign, const char *text)
{
	unsigned before = (unsigned)strlen(sign), size = (unsigned)strlen(text);
	int n = 0;

	if (!spec->left && !spec->zeros)
		n += pad(' ', before + size, spec->width);
	n += put_all(sign, before);
	if (!spec->left && spec->zeros)
		n += pad('0', before + size, spec->width);
	n += put_all(text, size);
	return n + pad(' ', (unsigned)n, spec->left ? spec->width : 0);
}

static int put_number(const struct spec *spec, const char *sign, uint64_t value,
		      unsigned base)
{
	char digits[21];
	char *p = digits + sizeof(digits);

	*--p = '\0';
	do {
		*--p = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	return put_text(spec, sign, p);
}

static uint64_t next_unsigned(const struct spec *spec, va_list *args)
{
	if (spec->longs > 1)
		return va_arg(*args, unsigned long long);
	return spec->longs ? va_arg(*args, unsigned long)
			   : va_arg(*args, unsigned);
}

static int put_signed(const struct spec *spec, va_list *args)
{
	int64_t value;

	if (spec->longs > 1)
		value = va_arg(*args, long long);
	else
		value = spec->longs ? va_arg(*args, long) : va_arg(*args, int);
	return put_number(spec, value < 0 ? "-" : "",
			  value < 0 ? -(uint64_t)value : (uint64_t)value, 10);
}

static int put_hex(const struct spec *spec, uint64_t value)
{
	return put_number(spec, spec->alternate && value ? "0x" : "", value,
			  16);
}

static int convert(const struct spec *spec, va_list *args)
{
	char one[2] = { spec->letter, '\0' };

	switch (spec->letter) {
	case 'c':
		one[0] = (char)va_arg(*args, int);
		return put_text(spec, "", one);
	case 's':
		return put_text(spec, "", va_arg(*args, const char *));
	case 'd':
	case 'i':
		return put_signed(spec, args);
	case 'u':
		return put_number(spec, "", next_unsigned(spec, args), 10);
	case 'x':
		return put_hex(spec, next_unsigned(spec, args));
	case 'p':
		return put_number(spec, "0x", (uintptr_t)va_arg(*args, void *),
				  16);
	default:
		return put_text(spec, "", one);
	}
}

int printf(const char *format, ...)
{
	va_list args;
	int n = 0;

	va_start(args, format);
	for (const char *p = format; *p; p++) {
		struct spec spec = { 0 };

		if (*p != '%') {
			n += put_all(p, 1);
			continue;
		}
		p = parse(p + 1, &spec);
		if (!spec.letter)
			break;
		n += convert(&spec, &args);
	}
	va_end(args);
	return n;
}

int puts(const char *text)
{
	return put_all(text, strlen(text)) + put_all("\n", 1);
}
