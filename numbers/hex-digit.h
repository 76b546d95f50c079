/* SPDX-License-Identifier: BSD-2-Clause */
/* A hexadecimal digit, for whoever reads bytes and addresses digit by digit. */
#ifndef NUMBERS_HEX_DIGIT_H
#define NUMBERS_HEX_DIGIT_H

/* Its value; -1: @c is none. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

#endif
