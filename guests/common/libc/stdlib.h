/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading numbers, for a bare guest: what of the C library its tests use. */
#ifndef GUESTS_STDLIB_H
#define GUESTS_STDLIB_H

#include <stddef.h>

/* Digits of a @base up to 10; @ret_end: behind the last, NULL is fine. */
unsigned long strtoul(const char *text, char **ret_end, int base);

#endif
