/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is taken from the process, in two steps: before its first message is
 * read, every system call that building a machine does not need, and before a
 * guest's first byte arrives, all that running one does not need.
 */
#ifndef CONTROL_SANDBOX_H
#define CONTROL_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

/*
 * At the start of the process, before anything is read: no core dumps of
 * guests, no new privileges, no files, and a first filter that leaves what it
 * takes to build a machine. Says on stderr why it fails, as the others do.
 */
bool sandbox_prepare(void);
/* Before a machine is built: so many bytes of addresses, and no more. */
bool sandbox_limit(uint64_t addresses);
/* Once memory and engines stand. */
bool sandbox_enter(void);

#endif
