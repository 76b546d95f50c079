/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine can be told to sample, and what a sample says. */
#ifndef CORE_SAMPLER_H
#define CORE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/event.h>

struct error;
struct machine;

/* An observer that leaves a record of each @period-th event. */
struct machine_sampler {
	char name[64]; /* of the event, as records have it */
	enum pmu_event event;
	unsigned modes; /* bit m: in enum pmu_mode m */
	uint64_t period;
	bool callers, registers; /* are recorded, too */
	uint32_t stack;		 /* bytes of it that are; 0: none */
	bool summed; /* a record for all of an instruction, at the end */
};

/*
 * Those of @session, from here on, on all harts, instead of what it had. Their
 * records have its number; 0 is that of the machine itself.
 */
bool machine_start_sampling(struct machine *m, uint32_t session,
			    const struct machine_sampler *list, size_t n,
			    struct error *e);
/* They end. Returns how many records they left. */
uint64_t machine_stop_sampling(struct machine *m, uint32_t session);
static inline bool machine_set_samplers(struct machine *m,
					const struct machine_sampler *list,
					size_t n, struct error *e)
{
	return machine_start_sampling(m, 0, list, n, e);
}

/* Why a chain of callers ends. */
enum chain_end {
	CHAIN_NONE,	  /* it was not asked for */
	CHAIN_BOTTOM,	  /* no frame or return address, or another mode's */
	CHAIN_LIMIT,	  /* SAMPLE_MAX_CALLERS, or much was followed */
	CHAIN_BAD_FRAME,  /* not aligned, or not above the one before */
	CHAIN_UNREADABLE, /* no RAM there that could be loaded */
	CHAIN_BAD_RETURN, /* the return address is behind no call */
	CHAIN_LEFT_MODE,  /* the instruction trapped out of its mode */
	CHAIN_NO_RETURN,  /* the code is not known to return, nor where to */
};
enum {
	SAMPLE_MAX_CALLERS = 127,
	SAMPLE_MAX_STACK = 64 << 10 /* bytes */
};

struct record_sample {
	unsigned sampler; /* in the list of its session */
	uint32_t session; /* 0: of the machine itself */
	const char *event;
	uint64_t period, periods, time, last_pc;
	const uint64_t *callers, *registers;
	const uint8_t *stack;
	size_t n_callers, n_registers, n_stack;
	enum chain_end end;
	bool summed; /* at->pc is last_pc, and the clock that of the record */
};

#endif
