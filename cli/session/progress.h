/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far a long run is, on a terminal's bottom line: instructions, how many
 * millions a second, time of the guest. It only looks at what pmud knows
 * without asking the machine, so the run is the same with it and without.
 */
#ifndef CLI_SESSION_PROGRESS_H
#define CLI_SESSION_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct pmud;
struct progress;

/* NULL: nobody wants to see it, as stderr is no terminal, or no memory. */
struct progress *progress_new(struct pmud *s, const char *machine);
/* All of these are fine with NULL. */
void progress_free(struct progress *p);
/* Before @len bytes of the guest go to stdout. */
void progress_output(struct progress *p, const uint8_t *bytes, size_t len);
/* Milliseconds until progress_show() has something to do; -1: for ever. */
int progress_timeout(const struct progress *p);
/* Shows how far it is, if it is time. */
void progress_show(struct progress *p);

#endif
