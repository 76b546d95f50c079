/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recorder: one function for each kind of trace record. Records are packed
 * at once and wait in a local buffer until the sink has room; nothing is ever
 * dropped, the machine stops between slices while something waits. No host
 * fact gets into a record.
 */
#ifndef CONTROL_TRACE_H
#define CONTROL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/counter.h>
#include <pmu/trap.h>

#include "pmu/v1/traces.pb-c.h"
#include "wire/buf.h"

/* Beyond so many waiting bytes the machine's slice should end. */
enum {
	TRACE_HIGH_WATER = 256 << 10,
	TRACE_MAX_CONSOLE = 64 << 10, /* bytes of one record; more are split */
};

/* Takes whole records in order: 0, -ENOBUFS (later) or another errno. */
typedef int trace_sink_fn(void *sink, const void *bytes, size_t len);

struct trace {
	trace_sink_fn *put; /* NULL: records are discarded */
	void *sink;
	bool traps, sbi_calls; /* kinds that are recorded only if asked for */
	struct buf waiting;    /* records, until the sink has room */
};

/* Where and when: the fields that all records share. */
struct trace_at {
	uint64_t insn, cycle, pc;
	unsigned hart;
	enum pmu_mode mode;
};

void trace_free(struct trace *t);
/*
 * Hands waiting records to the sink. Returns 0 when none is left, -ENOBUFS
 * when the sink is full, or another negated errno of it.
 */
int trace_flush(struct trace *t);
static inline bool trace_is_high(const struct trace *t)
{
	return buf_len(&t->waiting) >= TRACE_HIGH_WATER;
}

struct trace_overflow {
	const struct pmu_overflow *overflow;
	const char *event;
	bool raised;
	uint64_t time, last_pc;
	uint32_t pending;
};
void trace_overflow(struct trace *t, const struct trace_at *at,
		    const struct trace_overflow *o);

struct trace_trap {
	const struct pmu_trap *trap;
	bool to_firmware;
	enum pmu_mode target; /* unless to_firmware */
	uint64_t handler;
};
void trace_trap(struct trace *t, const struct trace_at *at,
		const struct trace_trap *trap);

struct trace_sbi {
	uint64_t args[8]; /* a0-a7 */
	bool returned;
	int64_t error;
	uint64_t value;
	char reason[160]; /* why it was refused, "": it was not */
};
void trace_sbi(struct trace *t, const struct trace_at *at,
	       const struct trace_sbi *call);
void trace_console(struct trace *t, const struct trace_at *at,
		   const uint8_t *bytes, size_t len);
void trace_input(struct trace *t, const struct trace_at *at,
		 const Pmu__V1__Input *in);
void trace_hart(struct trace *t, const struct trace_at *at,
		Pmu__V1__HartChange__What what);
void trace_stop(struct trace *t, const struct trace_at *at,
		Pmu__V1__StopCause cause, int32_t exit_code);

#endif
