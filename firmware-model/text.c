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

void text_dec(struct text *t, uint64_t n)
{
	char digits[21];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	text_str(t, digits + at);
}

char *text_dup(const struct text *t)
{
	char *s = malloc(t->len + 1);

	if (s)
		memcpy(s, t->buf, t->len + 1);
	return s;
}
