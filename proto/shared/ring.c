/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ring's memory: a page with both indexes, then the data. Indexes count
 * bytes since the beginning and never wrap; an index of the other side is
 * believed only if it lies within one ring's size of one's own.
 */
#include "shared/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	HEAD_BYTES = 4096
};

/* Each on a cache line of its own. */
struct ring_shared {
	_Alignas(64) _Atomic uint64_t head; /* producer's: bytes ever put */
	_Alignas(64) _Atomic uint64_t tail; /* consumer's: bytes ever taken */
	_Alignas(64) _Atomic uint32_t consumer_waits;
	_Alignas(64) _Atomic uint32_t producer_waits;
	_Alignas(64) _Atomic uint64_t insn; /* producer's: how far it is */
	_Atomic uint64_t cycle;
};

_Static_assert(sizeof(struct ring_shared) <= HEAD_BYTES, "one page");

enum {
	SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL
};

static bool good_size(uint64_t size)
{
	return size >= RING_MIN && size <= RING_MAX && !(size & (size - 1));
}

int ring_map(struct ring *ret, int fd, uint64_t size)
{
	void *p = mmap(NULL, HEAD_BYTES + size, PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	*ret = (struct ring){ .shared = p,
			      .data = (uint8_t *)p + HEAD_BYTES,
			      .size = size };
	return 0;
}

int ring_create(struct ring *ret, uint64_t size, int *ret_fd)
{
	int fd, rc;

	if (!good_size(size))
		return -EINVAL;
	fd = memfd_create("pmud-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)(HEAD_BYTES + size)) < 0 ||
	    fcntl(fd, F_ADD_SEALS, SEALS) < 0)
		rc = -errno;
	else
		rc = ring_map(ret, fd, size);
	if (rc < 0) {
		close(fd);
		return rc;
	}
	*ret_fd = fd;
	return 0;
}

int ring_open(struct ring *ret, int fd)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);
	uint64_t size;

	if (seals < 0 || (seals & SEALS) != SEALS)
		return -EINVAL;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size < HEAD_BYTES)
		return -EINVAL;
	size = (uint64_t)st.st_size - HEAD_BYTES;
	if (!good_size(size))
		return -EINVAL;
	return ring_map(ret, fd, size);
}

void ring_close(struct ring *r)
{
	if (r->shared)
		munmap(r->shared, HEAD_BYTES + r->size);
	*r = (struct ring){ 0 };
}

/* Copies to or from the data, around its end. */
static void copy_in(struct ring *r, const uint8_t *from, size_t len)
{
	size_t at = r->own & (r->size - 1);
	size_t first = len < r->size - at ? len : r->size - at;

	memcpy(r->data + at, from, first);
	memcpy(r->data, from + first, len - first);
}

static void copy_out(const struct ring *r, uint8_t *to, size_t len)
{
	size_t at = r->own & (r->size - 1);
	size_t first = len < r->size - at ? len : r->size - at;

	memcpy(to, r->data + at, first);
	memcpy(to + first, r->data, len - first);
}

int ring_put(struct ring *r, const void *bytes, size_t len)
{
	uint64_t tail =
		atomic_load_explicit(&r->shared->tail, memory_order_acquire);

	if (len > r->size)
		return -EMSGSIZE;
	if (r->own - tail > r->size)
		return -EPROTO;
	if (len > r->size - (r->own - tail))
		return -ENOBUFS;
	copy_in(r, bytes, len);
	r->own += len;
	atomic_store_explicit(&r->shared->head, r->own, memory_order_release);
	return 0;
}

bool ring_must_wake_consumer(struct ring *r)
{
	if (r->told == r->own)
		return false;
	r->told = r->own;
	atomic_thread_fence(memory_order_seq_cst);
	return atomic_load_explicit(&r->shared->consumer_waits,
				    memory_order_relaxed) &&
	       atomic_exchange(&r->shared->consumer_waits, 0);
}

bool ring_wait_space(struct ring *r, size_t len)
{
	uint64_t tail;

	atomic_store(&r->shared->producer_waits, 1);
	atomic_thread_fence(memory_order_seq_cst);
	tail = atomic_load_explicit(&r->shared->tail, memory_order_acquire);
	return r->own - tail <= r->size && len > r->size - (r->own - tail);
}

int64_t ring_waiting(const struct ring *r)
{
	uint64_t head =
		atomic_load_explicit(&r->shared->head, memory_order_acquire);

	return head - r->own > r->size ? -EPROTO : (int64_t)(head - r->own);
}

int64_t ring_peek(struct ring *r, void *buf, size_t cap)
{
	int64_t have = ring_waiting(r);

	if (have > (int64_t)cap)
		have = (int64_t)cap;
	if (have > 0)
		copy_out(r, buf, (size_t)have);
	return have;
}

void ring_skip(struct ring *r, size_t len)
{
	r->own += len;
	atomic_store_explicit(&r->shared->tail, r->own, memory_order_release);
}

bool ring_must_wake_producer(struct ring *r)
{
	atomic_thread_fence(memory_order_seq_cst);
	return atomic_load_explicit(&r->shared->producer_waits,
				    memory_order_relaxed) &&
	       atomic_exchange(&r->shared->producer_waits, 0);
}

bool ring_wait_data(struct ring *r, size_t seen)
{
	atomic_store(&r->shared->consumer_waits, 1);
	atomic_thread_fence(memory_order_seq_cst);
	return atomic_load_explicit(&r->shared->head, memory_order_acquire) ==
	       r->own + seen;
}

void ring_tell(struct ring *r, uint64_t insn, uint64_t cycle)
{
	atomic_store_explicit(&r->shared->cycle, cycle, memory_order_release);
	atomic_store_explicit(&r->shared->insn, insn, memory_order_release);
}

void ring_told(const struct ring *r, uint64_t *ret_insn, uint64_t *ret_cycle)
{
	*ret_insn =
		atomic_load_explicit(&r->shared->insn, memory_order_acquire);
	*ret_cycle =
		atomic_load_explicit(&r->shared->cycle, memory_order_acquire);
}
