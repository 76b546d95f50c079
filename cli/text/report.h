/* SPDX-License-Identifier: BSD-2-Clause */
/* What pmuctl says to people: on stderr, never mixed with data. */
#ifndef CLI_TEXT_REPORT_H
#define CLI_TEXT_REPORT_H

#include <stdbool.h>

/* "pmuctl: ..." and a newline on stderr. */
void report_error(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
/*
 * That there was no memory for @what: a path, an option, or what was made.
 * Returns an exit code.
 */
int report_no_memory(const char *what);
/* As an error, but not with --quiet. */
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Are notes said from now on, or kept to ourselves? */
void report_notes(bool wanted);
bool report_is_quiet(void);

#endif
