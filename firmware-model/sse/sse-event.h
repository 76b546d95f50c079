/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Supervisor software events, behind the functions of the SSE extension: which
 * there are, what can be done to them, which is next on a hart. What an event
 * is made of stays in this folder.
 *
 * An event is named by its index: those of a hart first, then the global ones.
 */
#ifndef FIRMWARE_SSE_SSE_EVENT_H
#define FIRMWARE_SSE_SSE_EVENT_H

#include "firmware.h"

struct sbi_call;

enum sse_index {
	SSE_PMU,
	SSE_LOCAL,
	SSE_GLOBAL,
	SSE_N_EVENTS,
	SSE_N_LOCAL = SSE_GLOBAL,
	SSE_N_GLOBAL = SSE_N_EVENTS - SSE_N_LOCAL
};

enum sse_op {
	SSE_REGISTER,
	SSE_UNREGISTER,
	SSE_ENABLE,
	SSE_DISABLE,
	SSE_RUN, /* it is delivered */
	SSE_COMPLETE,
	SSE_COMPLETE_ONCE, /* of a one-shot event */
	SSE_N_OPS
};

/* By their numbers in SBI. */
enum sse_attr {
	SSE_STATUS,
	SSE_PRIORITY,
	SSE_CONFIG,
	SSE_PREFERRED_HART,
	SSE_ENTRY_PC,
	SSE_ENTRY_ARG,
	SSE_SEPC,
	SSE_FLAGS,
	SSE_A6,
	SSE_A7,
	SSE_N_ATTRS
};

/* What it remembers of all harts, and of the machine. */
struct fw_piece sse_state(const struct fw *fw);
/* The events as they are at the machine's reset. Returns 0 or -FW_ENOMEM. */
int sse_new(struct fw *fw);
void sse_free(struct fw *fw); /* NULL in it is fine */
/*
 * Those of @hart are as at first, masked. A global event that runs on it is
 * completed: nobody else will. With sse_survives_stop only those are dropped
 * that are enabled or run.
 */
void sse_hart_stops(struct fw *fw, unsigned hart);

/* The event @id as @hart may have it: an index, -3 or -2. */
int sse_find(const struct fw *fw, unsigned hart, uint32_t id);
uint32_t sse_id(enum sse_index i);
bool sse_is_global(enum sse_index i);
bool sse_may_inject(const struct fw *fw, enum sse_index i);
/* The index of the hart that event @i of @hart prefers: it is always there. */
unsigned sse_preferred(const struct fw *fw, unsigned hart, enum sse_index i);
bool sse_is_pending(const struct fw *fw, unsigned hart, enum sse_index i);

/* Returns 0 or SBI_ERR_INVALID_STATE, which changes nothing. */
int64_t sse_change(struct fw *fw, unsigned hart, enum sse_index i,
		   enum sse_op op);
/* SSE_REGISTER with the handler's address and argument. */
int64_t sse_register(struct fw *fw, unsigned hart, enum sse_index i,
		     uint64_t pc, uint64_t arg);
/* A call of a hart that wants an event to be pending. */
struct sse_injection {
	unsigned from;
	uint64_t to;   /* the id that it names */
	unsigned hart; /* that is meant */
	enum sse_index event;
};
/* 0, or why not. */
int64_t sse_signal(struct fw *fw, const struct sse_injection *call);
bool sse_is_unmasked(const struct fw_hart *h);
void sse_set_unmasked(struct fw *fw, unsigned hart, bool unmasked);

/* The event to deliver on @hart now: an index, or -1. */
int sse_due(const struct fw *fw, unsigned hart);
/* Does the event that is due on @hart come by LCOFI, which traps first? */
bool sse_by_lcofi(const struct fw *fw, unsigned hart, int due);
/* The event of the highest priority that runs on @hart, or -1. */
int sse_running(const struct fw *fw, unsigned hart);
/*
 * PMU stop: S-mode cannot clear the request that it is handling. That of a
 * counter which is not in @counters stays (C66).
 */
void sse_counters_stopped(const struct fw *fw, struct fw_hart *h,
			  uint64_t counters);

/*
 * Delivers what is due on @hart, if anything is: @ret, already set to where the
 * hart goes on and with which registers, becomes the handler's.
 */
void sse_deliver(struct fw *fw, unsigned hart, const struct fw_trap *t,
		 struct fw_regs *ret);
/* SSE.complete with an event running; @call->regs becomes what it resumes. */
void sse_complete(struct fw *fw, struct sbi_call *call);

/* Attributes @base to @base + @n - 1, to and from guest memory. */
struct sse_range {
	unsigned hart;
	enum sse_index event;
	unsigned base, n; /* of attributes that exist */
	uint64_t paddr;	  /* RAM for all of them */
};
void sse_read_attrs(struct fw *fw, const struct sse_range *range);
/* All or nothing: 0, or the error of the first attribute that is refused. */
int64_t sse_write_attrs(struct fw *fw, const struct sse_range *range);

#endif
