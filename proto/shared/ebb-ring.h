/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the machine and the client of an EBB session say to each other without
 * pmud: entries of fixed size in two rings (ring.h), and a socket that wakes.
 * Both sides are of one host, so numbers are as the host has them.
 * docs/EBB-HOST.md describes it for whoever has no libpmuclient.
 */
#ifndef SHARED_EBB_RING_H
#define SHARED_EBB_RING_H

#include <stddef.h>
#include <stdint.h>

enum {
	EBB_SAID_RING = 256 << 10, /* bytes, from the machine */
	EBB_WISH_RING = 16 << 10,  /* bytes, from the client */
	EBB_TEXT = 72
};

enum ebb_said_kind {
	EBB_SAID_TOLD = 1, /* counters have overflowed */
	EBB_SAID_REFUSED,  /* what was wished is not done, nor what follows */
	EBB_SAID_OVER	   /* the session has ended; nothing follows */
};

struct ebb_said {
	uint32_t kind;
	uint32_t hart;
	uint32_t counters; /* TOLD: bits */
	uint32_t code;	   /* REFUSED: a gRPC status */
	/* TOLD: where and when, and the cycle of the first overflow */
	uint64_t pc, insn, cycle, since;
	char text[EBB_TEXT]; /* REFUSED: for people, ends with 0 */
	uint64_t reserved;
};

/* Done and recorded as an act of ActOnEbb is. */
struct ebb_wish {
	uint32_t what; /* EbbInput.What: UNMASK, MASK, REARM or RETURN */
	uint32_t counter;
	uint64_t period;
	uint32_t masked;
	uint32_t more; /* not 0: the next one is not done if this one is not */
	uint64_t reserved;
};

_Static_assert(sizeof(struct ebb_said) == 128, "a part of the interface");
_Static_assert(sizeof(struct ebb_wish) == 32, "a part of the interface");

/* The descriptors of one side. */
struct ebb_channel {
	int said, wishes; /* memory of the rings */
	int wake; /* a byte: look at the rings; its end: nobody is there */
};

enum {
	EBB_CHANNEL_FDS = 3,
	EBB_TICKET = 16 /* bytes that a client sends to pmud's other socket */
};

/* All -1. */
struct ebb_channel ebb_channel_none(void);
void ebb_channel_close(struct ebb_channel *ch);
/*
 * Both sides of a new one; all descriptors are close-on-exec, @machine's socket
 * does not block. Returns 0 or a negated errno, with nothing left open.
 */
int ebb_channel_make(struct ebb_channel *client, struct ebb_channel *machine);
/*
 * Sends the descriptors over @socket with @number. Returns 0, or a negated
 * errno: -EAGAIN there is no room. They are the caller's still.
 */
int ebb_channel_send(int socket, uint32_t number, const struct ebb_channel *ch);
/*
 * Takes what was sent. Returns 0, -EAGAIN: nothing is there, -ECONNRESET: it
 * ended, -EPROTO: something else came, or another negated errno.
 */
int ebb_channel_receive(int socket, uint32_t *ret_number,
			struct ebb_channel *ret);

#endif
