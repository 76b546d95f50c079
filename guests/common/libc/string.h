/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes and texts, for a bare guest: what of the C library it needs. */
#ifndef GUESTS_STRING_H
#define GUESTS_STRING_H

#include <stddef.h>

/* The first four are also what the compiler calls of its own accord. */
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);

#endif
