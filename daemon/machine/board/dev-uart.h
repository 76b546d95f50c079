/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 16550A serial port, one byte per register. Input waits on the wire, which
 * is the console queue: nothing is ever overrun, and clearing the FIFOs loses
 * nothing. Output leaves at once. The wire's characters take no time, so that
 * fewer than the receiver's trigger level are told by the character timeout at
 * once. With an interrupt line, THRI is an event, told once by IIR; without,
 * it stands as long as it is enabled.
 */
#ifndef BOARD_DEV_UART_H
#define BOARD_DEV_UART_H

#include "bus.h"

/* The console as this device sees it. */
struct uart_ops {
	void (*out)(void *host, uint8_t byte);
	size_t (*waiting)(void *host); /* how many bytes of input? */
	uint8_t (*in)(void *host);     /* takes one; only when waiting() */
	/* Drives the interrupt line, on changes. NULL: there is none. */
	void (*irq)(void *host, bool level);
};

struct uart {
	uint8_t ier, lcr, mcr, scr, dll, dlm;
	uint8_t trigger; /* bytes in the receiver that make it interrupt */
	bool fifo;	 /* FCR bit 0 */
	bool thri;	 /* the transmitter got empty, IIR has not told */
	bool line;	 /* the interrupt, as it was driven last */
	bool looped;	 /* loopback holds a byte in @loop */
	uint8_t loop;
	const struct uart_ops *ops;
	void *host;
};

void uart_init(struct uart *u, const struct uart_ops *ops, void *host);
bus_access_fn uart_access;
/* What waits has changed otherwise than by an access. */
void uart_poll(struct uart *u);

#endif
