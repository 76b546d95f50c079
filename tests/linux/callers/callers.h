/* SPDX-License-Identifier: BSD-2-Clause */
/* What the program and its library have of each other. */
#ifndef TESTS_LINUX_CALLERS_H
#define TESTS_LINUX_CALLERS_H

enum {
	DEPTH = 5 /* of the recursion */
};

unsigned leaf(unsigned x);
unsigned calls_back(unsigned (*function)(unsigned), unsigned x);
unsigned without_table(unsigned (*function)(unsigned), unsigned x);

#endif
