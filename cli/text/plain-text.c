/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds control characters in a text, byte by byte, and writes what stands for
 * them.
 */
#include "plain-text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t plain_control(const char *text)
{
	unsigned char a = (unsigned char)text[0];
	unsigned char b = a ? (unsigned char)text[1] : 0;

	if ((a && a < ' ') || a == 0x7f)
		return 1;
	return a == 0xc2 && b >= 0x80 && b < 0xa0 ? 2 : 0;
}

void plain_put(FILE *out, const char *text)
{
	while (*text) {
		size_t n = plain_control(text);

		if (!n)
			fputc(*text++, out);
		for (; n; n--, text++)
			fputc(*text == '\t' ? ' ' : '?', out);
	}
}

/* That there is no memory can be said without; what is longer is cut then. */
void plain_vprintf(FILE *out, const char *format, va_list args)
{
	size_t len = strlen(format);
	bool line = len && format[len - 1] == '\n';
	char room[1024], *text = room, *more = NULL;
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(room, sizeof(room), format, args);
	if (n >= (int)sizeof(room) && vasprintf(&more, format, again) >= 0)
		text = more;
	va_end(again);
	n = (int)strlen(text);
	if (line && n && text[n - 1] == '\n')
		text[n - 1] = '\0';
	plain_put(out, text);
	if (line)
		fputc('\n', out);
	if (text == more)
		free(more);
}

void plain_printf(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	plain_vprintf(out, format, args);
	va_end(args);
}
