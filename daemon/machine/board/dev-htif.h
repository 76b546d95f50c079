/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host-target interface of test programs: two 64-bit words in the guest's
 * RAM, named by ELF symbols. The guest stores a command to tohost; the answer
 * appears in fromhost once the guest has cleared that. Commands: exit, console
 * output and input, and of the proxied system calls write and exit.
 */
#ifndef BOARD_DEV_HTIF_H
#define BOARD_DEV_HTIF_H

#include "bus.h"

enum {
	HTIF_MAX_WRITE = 65536
}; /* a longer write answers a short count */

struct htif_ops {
	void (*out)(void *host, const uint8_t *bytes, size_t len);
	bool (*waiting)(void *host);
	uint8_t (*in)(void *host);
	void (*finish)(void *host, uint64_t code);
};

struct htif {
	struct bus *bus;
	uint64_t tohost, fromhost; /* 0: the program has none */
	bool answered;		   /* a system call's answer waits */
	bool reading;		   /* a console read waits for input */
	const struct htif_ops *ops;
	void *host;
};

/* The guest stored @size bytes at @paddr; RAM holds them already. */
void htif_stored(struct htif *h, uint64_t paddr, uint64_t size);
/* Console input may have arrived. */
void htif_poll(struct htif *h);

#endif
