/* SPDX-License-Identifier: BSD-2-Clause */
/* Long output page by page: $PAGER between stdout and a terminal. */
#ifndef CLI_TEXT_PAGER_H
#define CLI_TEXT_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* May there be one from now on? */
void pager_allow(bool allowed);
/*
 * Before the first of @lines lines (SIZE_MAX: nobody knows) goes to stdout.
 * Starts the pager if stdout is a terminal that they do not fit on, once.
 */
void pager_begin(size_t lines);
/*
 * Flushes stdout and waits until the user has read. False: stdout could not be
 * written. That the user read no further is no failure.
 */
bool pager_end(void);

#endif
