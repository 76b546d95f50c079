/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A callback for every overflow of a counter, whosever it is: it starts
 * disabled; an overflow while disabled is held, not lost, and delivered in
 * order once enabled; callbacks never nest. It observes: the guest programs the
 * counter and takes its interrupts as ever.
 *
 * Nothing bounds what is held but the guest itself: a backlog that the daemon
 * may not store any more stops the machine between two of its slices, which
 * costs no guest time, until it is read. Whoever disables for long pauses the
 * machine in the end, and loses nothing.
 */
#ifndef PMUCLIENT_OVERFLOWS_H
#define PMUCLIENT_OVERFLOWS_H

#include <stddef.h>
#include <stdint.h>

#include <pmuclient/pmuclient.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

struct pmuclient_overflows;

/*
 * Members are added at the end, by later versions: one is there if @size, which
 * the library sets, reaches beyond it. A program does not copy by sizeof().
 */
struct pmuclient_overflow {
	size_t size; /* bytes, by the library that calls */
	unsigned hart;
	unsigned counter;  /* 3-31 */
	const char *event; /* its name; valid during the callback */
	/* 'M', 'S', 'U': of the instruction; 'S' and 'U' are a guest's, too. */
	char privilege;
	uint64_t last_pc; /* the instruction that overflowed */
	uint64_t pc;	  /* the one that follows: zero skid */
	uint64_t value;	  /* of the counter, after the overflow */
	uint64_t config;  /* mhpmevent, OF set */
	uint64_t insn;	  /* retired by the hart */
	uint64_t cycle;	  /* machine clock */
	uint64_t time;	  /* ticks of the time base */
	uint32_t pending; /* counters with OF set, as scountovf */
};

typedef void pmuclient_overflows_fn(void *data,
				    const struct pmuclient_overflow *overflow);

/*
 * Subscribes to @counter (3-31) of @hart from now on, disabled. The connection
 * must live until pmuclient_overflows_close(). Returns 0 or a negated enum
 * pmuclient_errno: -PMUCLIENT_EINVAL for a counter that cannot overflow.
 */
int pmuclient_overflows_open(struct pmuclient *c, const char *id, unsigned hart,
			     unsigned counter,
			     struct pmuclient_overflows **ret);
/* Who is called; before the first dispatch. */
void pmuclient_overflows_set_callback(struct pmuclient_overflows *e,
				      pmuclient_overflows_fn *fn, void *data);
/* Ends the subscription. NULL is fine; from its own callback it is refused
 * with -PMUCLIENT_ESTATE and does nothing. */
int pmuclient_overflows_close(struct pmuclient_overflows *e);

/* Legal in the callback: what is left of a dispatch is then held. */
void pmuclient_overflows_enable(struct pmuclient_overflows *e);
void pmuclient_overflows_disable(struct pmuclient_overflows *e);

/*
 * Delivers what waits, and if nothing does waits up to @timeout_ms for the
 * first (0: does not, -1: no limit). Returns the number of callbacks made; 0
 * at once when disabled, or with nothing in time; -PMUCLIENT_ESTATE inside a
 * callback; -PMUCLIENT_ELOST once the machine is gone and all is delivered;
 * another negated enum pmuclient_errno. The descriptor to poll for it is
 * pmuclient_fd().
 */
int pmuclient_overflows_dispatch(struct pmuclient_overflows *e, int timeout_ms);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
