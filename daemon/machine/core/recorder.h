/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine tells while it runs: one function for each kind of record, of
 * whoever keeps them. Records are read during the call only.
 */
#ifndef CORE_RECORDER_H
#define CORE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "life.h"
#include "record-said.h"
#include "sampler.h"

struct input;
struct ebb_told;
struct pmu_csr_access;
struct vacant_range;

struct recorder_ops {
	void (*overflow)(void *keeper, const struct record_at *at,
			 const struct record_overflow *o);
	void (*sample)(void *keeper, const struct record_at *at,
		       const struct record_sample *s);
	void (*trap)(void *keeper, const struct record_at *at,
		     const struct record_trap *trap);
	void (*sbi)(void *keeper, const struct record_at *at,
		    const struct record_sbi *call);
	void (*csr)(void *keeper, const struct record_at *at,
		    const struct pmu_csr_access *access);
	void (*console)(void *keeper, const struct record_at *at, unsigned port,
			const uint8_t *bytes, size_t len); /* board_port */
	void (*input)(void *keeper, const struct record_at *at,
		      const struct input *in);
	void (*hart)(void *keeper, const struct record_at *at,
		     enum hart_change what, uint32_t counters);
	void (*delivery)(void *keeper, const struct record_at *at,
			 const struct record_delivery *d);
	void (*reset)(void *keeper, const struct record_at *at,
		      enum reboot_kind kind);
	void (*ebb)(void *keeper, const struct record_at *at,
		    const struct ebb_told *told);
	void (*absent)(void *keeper, const struct record_at *at,
		       const struct vacant_range *range);
	void (*stop)(void *keeper, const struct record_at *at,
		     enum machine_cause cause, int exit_code);
};

struct recorder {
	const struct recorder_ops *ops;
	void *keeper;
	/* kinds that are recorded only if asked for */
	bool traps, sbi_calls, csr_accesses, deliveries;
	bool sbi_memory; /* calls say which memory was accessed for them */
	bool full;	 /* set by the keeper: the slice should end */
};

static inline void record_overflow(const struct recorder *r,
				   const struct record_at *at,
				   const struct record_overflow *o)
{
	r->ops->overflow(r->keeper, at, o);
}

static inline void record_trap(const struct recorder *r,
			       const struct record_at *at,
			       const struct record_trap *trap)
{
	r->ops->trap(r->keeper, at, trap);
}

static inline void record_sbi(const struct recorder *r,
			      const struct record_at *at,
			      const struct record_sbi *call)
{
	r->ops->sbi(r->keeper, at, call);
}

static inline void record_console(const struct recorder *r,
				  const struct record_at *at, unsigned port,
				  const uint8_t *bytes, size_t len)
{
	r->ops->console(r->keeper, at, port, bytes, len);
}

static inline void record_input(const struct recorder *r,
				const struct record_at *at,
				const struct input *in)
{
	r->ops->input(r->keeper, at, in);
}

static inline void record_hart(const struct recorder *r,
			       const struct record_at *at,
			       enum hart_change what, uint32_t counters)
{
	r->ops->hart(r->keeper, at, what, counters);
}

static inline void record_reset(const struct recorder *r,
				const struct record_at *at,
				enum reboot_kind kind)
{
	r->ops->reset(r->keeper, at, kind);
}

static inline void record_stop(const struct recorder *r,
			       const struct record_at *at,
			       enum machine_cause cause, int exit_code)
{
	r->ops->stop(r->keeper, at, cause, exit_code);
}

#endif
