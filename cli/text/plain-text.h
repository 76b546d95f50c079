/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text that others wrote: names of a trace, an ELF file, a guest, a daemon. It
 * tells the terminal nothing and ends no line: each byte of a control character
 * (of ASCII, or U+0080 to U+009f in UTF-8) becomes '?', a tab a blank.
 */
#ifndef TEXT_PLAIN_TEXT_H
#define TEXT_PLAIN_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* How many bytes of a control character @text begins with; 0: it is none. */
size_t plain_control(const char *text);
void plain_put(FILE *out, const char *text);
/* As fprintf(), of the whole; a newline that ends the format is kept. */
void plain_printf(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void plain_vprintf(FILE *out, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

#endif
