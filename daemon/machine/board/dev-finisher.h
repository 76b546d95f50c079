/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The test finisher: one register with which a guest ends the machine.
 */
#ifndef BOARD_DEV_FINISHER_H
#define BOARD_DEV_FINISHER_H

#include "bus.h"

enum {
	FINISHER_FAIL = 0x3333,
	FINISHER_PASS = 0x5555,
	FINISHER_RESET = 0x7777
};

/* @status is one of the above, @code bits 31:16 of what was written. */
struct finisher {
	void (*finish)(void *host, uint16_t status, uint16_t code);
	void *host;
};

bus_access_fn finisher_access;

#endif
