/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text in a buffer of fixed size, cut where it does not fit: for messages of a
 * library that has no stdio.
 */
#ifndef FIRMWARE_TEXT_H
#define FIRMWARE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
	char *buf;
	size_t size, len; /* size with the terminating 0 */
};

void text_init(struct text *t, char *buf, size_t size);
void text_str(struct text *t, const char *s);
void text_dec(struct text *t, uint64_t n);
void text_hex(struct text *t, uint64_t n); /* "0x1f" */
/* A copy to be freed with free(), NULL when there is no memory. */
char *text_dup(const struct text *t);

#endif
