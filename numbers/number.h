/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers as people write them: on pmuctl's and pmud's command lines, and as
 * the values of a machine's settings.
 *
 *	number   = digits | ("0x" | "0X") hexadecimal digits
 *	signed   = ["-"] number
 *	count    = number [ "k" | "M" | "G" | "T" | binary ]   powers of 1000
 *	size     = number [ "K" | "M" | "G" | "T" | binary ]   powers of 1024
 *	binary   = "KiB" | "MiB" | "GiB" | "TiB"               powers of 1024
 *	seconds  = digits [ "." at most three digits ]
 *
 * No sign but where it says so, no blanks; 010 is ten.
 */
#ifndef NUMBERS_NUMBER_H
#define NUMBERS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each reads all of @text. False: it is something else, or the value is above
 * 2^64 - 1; @ret is untouched then.
 */
bool number_parse(const char *text, uint64_t *ret);
/* A negative one becomes its two's complement, down to -2^63. */
bool number_parse_signed(const char *text, uint64_t *ret);
bool number_parse_count(const char *text, uint64_t *ret);
/* In bytes. */
bool number_parse_size(const char *text, uint64_t *ret);
/*
 * Is @text a number, a count or a size that these refuse only because it is
 * above 2^64 - 2, the greatest that a command line takes?
 */
bool number_is_too_large(const char *text);
/* In milliseconds. */
bool number_parse_seconds(const char *text, uint64_t *ret_ms);

/*
 * Only the decimal digits that @*text begins with, which then moves behind
 * them: for lists and ranges, whose numbers have something behind them.
 */
bool number_take(const char **text, uint64_t *ret);

#endif
