/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for tables of which most is never used: zeros that take none until
 * they are written.
 */
#ifndef UNICORN_ZERO_PAGES_H
#define UNICORN_ZERO_PAGES_H

#include <stddef.h>

void *zero_pages_new(size_t size);	     /* NULL: there is no room */
void zero_pages_free(void *at, size_t size); /* NULL is fine */

#endif
