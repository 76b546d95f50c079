/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring of bytes in shared memory, one producer, one consumer, two processes
 * that need not trust each other: each keeps its own index and checks the
 * other's at every use. What is put is seen whole or not at all. Waking the
 * other side is the callers' business (an eventfd each way); the ring says
 * when it is needed, so that a busy ring costs no system call.
 */
#ifndef SHARED_RING_H
#define SHARED_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	RING_MIN = 16 << 10,
	RING_DEFAULT = 8 << 20,
	RING_MAX = 256 << 20
};

struct ring_shared;

struct ring {
	struct ring_shared *shared;
	uint8_t *data;
	uint64_t size; /* bytes of data, a power of two */
	uint64_t own;  /* this side's index; never read back */
	uint64_t told; /* producer: where it was when it last asked to wake */
};

/*
 * Makes a ring in a sealed memfd (it cannot shrink below a reader's feet).
 * @size: a power of two from RING_MIN to RING_MAX. @ret_fd: to be handed to the
 * other side and closed by the caller. Returns 0 or a negated errno.
 */
int ring_create(struct ring *ret, uint64_t size, int *ret_fd);
/*
 * Maps a ring made by the other side; @fd may be closed afterwards. Returns 0,
 * -EINVAL (not a sealed file of a ring's size) or another negated errno.
 */
int ring_open(struct ring *ret, int fd);
/* The same of one whose maker is trusted: nothing is looked at. */
int ring_map(struct ring *ret, int fd, uint64_t size);
void ring_close(struct ring *r); /* a zeroed or closed one is fine */

/*
 * Producer: appends @len bytes. Returns 0, -ENOBUFS (no room now), -EMSGSIZE
 * (never fits) or -EPROTO (the consumer's index is impossible).
 */
int ring_put(struct ring *r, const void *bytes, size_t len);
/*
 * Producer: true once when the consumer waits to be woken and something was put
 * since this was asked last. One that waits for what was there already has seen
 * that itself.
 */
bool ring_must_wake_consumer(struct ring *r);
/* Producer: asks to be woken. True: still no room for @len, go and wait. */
bool ring_wait_space(struct ring *r, size_t len);

/*
 * Consumer: copies out at most @cap bytes and leaves them, then takes the first
 * @len of what was seen. Returns how many, 0 when empty, or -EPROTO (the
 * producer's index is impossible).
 */
int64_t ring_peek(struct ring *r, void *buf, size_t cap);
void ring_skip(struct ring *r, size_t len);
/* Consumer: bytes that wait now, or -EPROTO. */
int64_t ring_waiting(const struct ring *r);
/* Consumer, after taking: true once when the producer waits to be woken. */
bool ring_must_wake_producer(struct ring *r);
/*
 * Consumer: asks to be woken. True: still nothing behind the @seen bytes that
 * were left there, go and wait.
 */
bool ring_wait_data(struct ring *r, size_t seen);

/*
 * Beside the data, how far the producer is, without waking anybody; the
 * consumer sees the last word, and need not believe it.
 */
void ring_tell(struct ring *r, uint64_t insn, uint64_t cycle);
void ring_told(const struct ring *r, uint64_t *ret_insn, uint64_t *ret_cycle);

#endif
