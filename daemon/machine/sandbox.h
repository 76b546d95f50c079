/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is taken from the process before a guest's first byte arrives: every
 * system call that a running machine does not need.
 */
#ifndef MACHINE_SANDBOX_H
#define MACHINE_SANDBOX_H

#include <stdbool.h>

/* At the start of the process: no core dumps of guests, no new privileges. */
bool sandbox_prepare(void);
/* Once memory and engines stand. Says on stderr why it fails. */
bool sandbox_enter(void);

#endif
