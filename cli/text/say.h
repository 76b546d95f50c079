/* SPDX-License-Identifier: BSD-2-Clause */
/* What pmuctl says to people: on stderr, never mixed with data. */
#ifndef CLI_TEXT_SAY_H
#define CLI_TEXT_SAY_H

#include <stdbool.h>

/* "pmuctl: ..." and a newline on stderr. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, but not with --quiet. */
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From now on notes are kept to ourselves. */
void say_quietly(void);
bool say_is_quiet(void);

#endif
