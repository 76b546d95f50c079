/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a bare guest prints with. Its console is guest_put(): each guest has
 * one, in console.c or console-m.c.
 */
#ifndef GUESTS_STDIO_H
#define GUESTS_STDIO_H

/*
 * Knows %c %s %d %i %u %x %p %%, the lengths l, ll and z, the flags # 0 - and a
 * width. Anything else is printed as it stands. Returns how many bytes it
 * printed.
 */
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int puts(const char *text);

void guest_put(char c);

#endif
