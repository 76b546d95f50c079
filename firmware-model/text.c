/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Appends to a buffer of fixed size. What the messages say is decided by those
 * who write them.
 */
#include "text.h"

#include <stdlib.h>
#include <string.h>

void text_init(struct text *t, char *buf, size_t size)
{
	t->buf = buf;
	t->size = size;
	t->len = 0;
	buf[0] = '\0';
}

void text_str(struct text *t, const char *s)
{
	size_t n = strlen(s), room = t->size - 1 - t->len;

	if (n > room)
		n = room;
	memcpy(t->buf + t->len, s, n);
	t->len += n;
	t->buf[t->len] = '\0';
}

static void number(struct text *t, uint64_t n, unsigned base)
{
	char digits[21];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	text_str(t, digits + at);
}

void text_dec(struct text *t, uint64_t n)
{
	number(t, n, 10);
}

void text_hex(struct text *t, uint64_t n)
{
	text_str(t, "0x");
	number(t, n, 16);
}

char *text_dup(const struct text *t)
{
	char *s = malloc(t->len + 1);

	if (s)
		memcpy(s, t->buf, t->len + 1);
	return s;
}
