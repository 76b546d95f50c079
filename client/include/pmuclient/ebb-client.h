/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches: a session claims counters of a hart, and a handler in
 * this program is called at their overflows, after the rules of Linux on Power;
 * docs/EBB-HOST.md in the source has them. Functions return 0 or a negated enum
 * pmuclient_errno where nothing else is said.
 *
 * Nothing is inherited: after fork() every call of the child on the session is
 * -PMUCLIENT_ESTATE, and the session ends with the parent, whatever the child
 * does.
 */
#ifndef PMUCLIENT_EBB_CLIENT_H
#define PMUCLIENT_EBB_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmuclient/pmuclient.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* In an event's config: it asks for branches. */
#define PMUCLIENT_EBB_EVENT (UINT64_C(1) << 63)

/* One event of a group; the first is the leader. */
struct pmuclient_ebb_attr {
	size_t size;	  /* of this structure */
	uint64_t config;  /* as mhpmevent, and PMUCLIENT_EBB_EVENT */
	unsigned counter; /* 3-31: it must be named */
	uint64_t period;  /* events until it overflows */
	/* As in perf_event_attr: the leader has both, nobody else any. */
	bool pinned, exclusive;
	/* As there, and all of them 0. */
	bool inherit, freq, enable_on_exec;
	uint64_t sample_period, sample_type;
};

/* How the handler is told, and its acts go. */
enum pmuclient_ebb_transport {
	PMUCLIENT_EBB_ANY,   /* by a ring if there is one, else by calls */
	PMUCLIENT_EBB_CALLS, /* of gRPC */
	PMUCLIENT_EBB_RING,  /* or the group is not opened */
};

/* Where a group counts, and how it is told. */
struct pmuclient_ebb_config {
	size_t size;	     /* of this structure */
	const char *machine; /* its id; read during the call alone */
	unsigned hart;
	bool freezes;	    /* the machine stands while the handler runs */
	bool reloads;	    /* the machine arms again what it delivers */
	unsigned transport; /* enum pmuclient_ebb_transport */
};

struct pmuclient_ebb;

/* Members may be added at the end: @size says how far it reaches. */
struct pmuclient_ebb_call {
	size_t size;
	unsigned hart;
	uint32_t counters; /* bit n: counter n has overflowed */
	uint64_t pc;	   /* of the next instruction */
	uint64_t insn;	   /* retired by the hart */
	uint64_t cycle;	   /* machine clock */
	uint64_t since;	   /* of the overflow; before @cycle: it was held */
};

typedef void pmuclient_ebb_fn(void *data, struct pmuclient_ebb *e,
			      const struct pmuclient_ebb_call *call);

/*
 * Opens a group, masked and not enabled. -PMUCLIENT_EINVAL: an
 * attribute is wrong, pmuclient_error() says which of which event, and why.
 */
int pmuclient_ebb_open(struct pmuclient *c,
		       const struct pmuclient_ebb_config *config,
		       const struct pmuclient_ebb_attr *const *attrs, size_t n,
		       struct pmuclient_ebb **ret);
/* Gives everything back. NULL is fine; in the handler -PMUCLIENT_ESTATE. */
int pmuclient_ebb_close(struct pmuclient_ebb *e);
/* Before the first dispatch. */
void pmuclient_ebb_set_callback(struct pmuclient_ebb *e, pmuclient_ebb_fn *fn,
				void *data);

/*
 * Asks for the counters, and gives them back. That they were had is known by
 * pmuclient_ebb_read() alone.
 */
int pmuclient_ebb_enable(struct pmuclient_ebb *e);
int pmuclient_ebb_disable(struct pmuclient_ebb *e);
/*
 * 8, and *@ret has no meaning; 0, the end of the file: the group was not
 * scheduled.
 */
int pmuclient_ebb_read(struct pmuclient_ebb *e, uint64_t *ret);
/* What a counter really has. -PMUCLIENT_EINVAL: it is not of the group. */
int pmuclient_ebb_value(struct pmuclient_ebb *e, unsigned counter,
			uint64_t *ret);

/* May the handler be called? In it: when it has returned. */
int pmuclient_ebb_mask(struct pmuclient_ebb *e, bool masked);
/* A whole period from now on; in the handler it goes with its return. */
int pmuclient_ebb_rearm(struct pmuclient_ebb *e, unsigned counter,
			uint64_t period);

/*
 * Calls the handler for what waits, and if nothing does waits up to
 * @timeout_ms for the first (0: does not, -1: no limit). Returns the number of
 * calls; -PMUCLIENT_ESTATE in the handler; -PMUCLIENT_ELOST once the session is
 * over: the machine is gone, or its owner has closed it; -PMUCLIENT_ERPC:
 * what a handler asked for was refused, this one or, by a ring, an earlier one.
 * The descriptor to poll for POLLIN is pmuclient_ebb_fd().
 */
int pmuclient_ebb_dispatch(struct pmuclient_ebb *e, int timeout_ms);
int pmuclient_ebb_fd(const struct pmuclient_ebb *e);

/*
 * The same in the style of an interrupt's handler: until pmuclient_ebb_stop() a
 * thread of the library, with all signals blocked, calls the handler as soon as
 * it is told. The handler may call pmuclient_ebb_rearm() and
 * pmuclient_ebb_mask() of its own session, which set no pmuclient_error()
 * there, and nothing else of this connection; the program uses the connection
 * meanwhile, and the session but for dispatch. -PMUCLIENT_ESTATE: there is no
 * ring, or a thread.
 */
int pmuclient_ebb_start(struct pmuclient_ebb *e);
/*
 * Waits for the handler to return and ends the thread, if there is one. Returns
 * 0, or why it had ended by itself, as pmuclient_ebb_dispatch() has it.
 */
int pmuclient_ebb_stop(struct pmuclient_ebb *e);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
