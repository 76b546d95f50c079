/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 16550A serial port without interrupt line, one byte per register. Input
 * waits on the wire, which is the console queue: nothing is ever overrun, and
 * clearing the FIFOs loses nothing. Output leaves at once.
 */
#ifndef BOARD_DEV_UART_H
#define BOARD_DEV_UART_H

#include "bus.h"

/* The console as this device sees it. */
struct uart_ops {
	void (*out)(void *host, uint8_t byte);
	bool (*waiting)(void *host); /* is there input? */
	uint8_t (*in)(void *host);   /* takes it; only when waiting() */
};

struct uart {
	uint8_t ier, lcr, mcr, scr, dll, dlm;
	bool fifo;   /* FCR bit 0 */
	bool looped; /* loopback holds a byte in @loop */
	uint8_t loop;
	const struct uart_ops *ops;
	void *host;
};

void uart_init(struct uart *u, const struct uart_ops *ops, void *host);
bus_access_fn uart_access;

#endif
