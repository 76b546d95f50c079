/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and sizes on pmud's command line. */
#ifndef SERVER_NUMBER_H
#define SERVER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A whole number from @min to @max: decimal, 0x... or 0..., with KiB, MiB, GiB
 * or TiB behind it. False: @text is none, @ret is untouched.
 */
bool number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret);

#endif
