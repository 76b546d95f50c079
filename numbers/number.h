/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as people write them on a command line. */
#ifndef NUMBERS_NUMBER_H
#define NUMBERS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each reads all of @text, or returns false and leaves @ret alone: no sign, no
 * blanks, decimal or 0x and hexadecimal digits, nothing above 2^64 - 1.
 */
bool number_parse(const char *text, uint64_t *ret);
/* Also a minus sign, for what is an argument of a call: two's complement. */
bool number_parse_signed(const char *text, uint64_t *ret);
/* A count: with k, M, G or T, powers of 1000. */
bool number_parse_count(const char *text, uint64_t *ret);
/* Bytes: with K, M, G or T, each with or without iB, powers of 1024. */
bool number_parse_size(const char *text, uint64_t *ret);
/* Seconds with at most 3 decimals, as milliseconds. */
bool number_parse_seconds(const char *text, uint64_t *ret_ms);

#endif
