/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the firmware remembers of a machine. What hardware remembers (whether a
 * hardware counter runs, its event and OF) is read from libpmu each time, since
 * others may change it (C136).
 */
#ifndef FIRMWARE_FIRMWARE_H
#define FIRMWARE_FIRMWARE_H

#include <fw/fw.h>
#include <pmu/counter.h>

#include "dt/dt-reader.h"
#include "sse/sse-event.h"

enum {
	N_HW = PMU_N_COUNTERS,
	N_LOGICAL = N_HW + FW_MAX_COUNTERS
};
enum {
	FIXED_CYCLE = 0,
	TIME_HOLE = 1,
	FIXED_INSTRET = 2
};

/* One logical counter. */
struct ctr {
	bool mapped;  /* has an event; cycle, instret: is owned (C26)*/
	bool running; /* firmware counters only */
	uint32_t event_idx;
	uint64_t event_data;
	uint64_t flags;	    /* of the config_matching that mapped it */
	uint64_t value;	    /* firmware counters only */
	uint64_t overflows; /* hardware's count of them, at the last start */
};

/* HSM states, by their SBI numbers. Pending ones are never seen here. */
enum hsm_state {
	HSM_STARTED = 0,
	HSM_STOPPED = 1,
	HSM_SUSPENDED = 4,
};

struct fw_hart {
	struct pmu_hart *pmu;
	const struct dt_map *map; /* MAP_DT; NULL: no node is for it */
	enum hsm_state hsm;
	enum pmu_mode resume_mode; /* of a suspended hart */
	bool woken; /* suspended: one of the firmware's interrupts came */

	bool sse_unmasked;
	struct sse_event sse[SSE_N_LOCAL];
	uint32_t fwft_locked; /* bit n: FWFT feature n */

	bool timer_armed;
	uint64_t timer; /* ticks */

	bool ipi_pending;    /* sent, and the hart has not run since ... */
	uint64_t ipi_cycles; /* ... it had spent so many cycles */
	uint64_t totals[FW_N_EVENTS];

	unsigned n_hw; /* ids below are hardware counters or holes */
	unsigned n_counters;
	uint64_t valid; /* bit n: logical counter n exists */
	struct ctr ctr[N_LOGICAL];

	bool shmem_on;
	uint64_t shmem; /* address of the snapshot page */
};

/* Who says which counter can count which event. */
enum map_source {
	MAP_NONE,
	MAP_IDENTITY,
	MAP_PLATFORM,
	MAP_DT
};

struct fw {
	struct fw_config cfg;
	struct fw_machine machine;
	enum map_source source;
	bool pmu_usable;		 /* some event can be counted (C192) */
	struct fw_refusal refusal, *why; /* of the last call; where it is */
	struct fw_dt *dt;		 /* MAP_DT */
	char warnings[4096];
	struct sse_event sse[SSE_N_GLOBAL];
	unsigned n_harts;
	struct fw_hart hart[];
};

/* Remembers why a call is refused. Returns @error. */
static inline int64_t sbi_refuse(const struct fw *fw, int64_t error,
				 struct fw_refusal why)
{
	*fw->why = why;
	return error;
}
/*
 * This and sbi_refuse() are the only ways to an error, so that each has a
 * reason: REFUSE(fw, INVALID_PARAM, "there is no hart %d", id).
 */
#define REFUSE(fw, error, ...)                                                 \
	sbi_refuse(fw, SBI_ERR_##error, (struct fw_refusal){ __VA_ARGS__ })

static inline unsigned fw_xlen(const struct fw_hart *h)
{
	return pmu_hart_config(h->pmu)->xlen;
}

static inline bool fw_has(const struct fw_hart *h, uint32_t ext)
{
	return (pmu_hart_config(h->pmu)->ext & ext) == ext;
}

#endif
