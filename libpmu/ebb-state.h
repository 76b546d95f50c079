/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hart remembers for its event-based branches beyond the unit itself,
 * and what ebb-hart.c shares with the files that count and that have the CSRs.
 */
#ifndef LIBPMU_EBB_STATE_H
#define LIBPMU_EBB_STATE_H

#include <pmu/csr.h>
#include <pmu/ebb-unit.h>

struct ebb_state {
	struct pmu_ebb unit;
	uint64_t s_control;   /* sebbcs */
	uint32_t permitted;   /* mebben */
	uint32_t for_guests;  /* hebben */
	uint32_t claimed;     /* sebbown; never more than permitted */
	uint32_t granted;     /* by the last sebbclaim */
	uint32_t user_freeze; /* ebbfrz */
	bool unsettled;	      /* an alert froze, counters do not know yet */
};

/* Counters that a claim can name. */
uint32_t ebb_claimable(const struct pmu_hart *h);
/* Claimed ones as @mode knows them: a guest, those left to it. */
uint32_t ebb_seen(const struct pmu_hart *h, enum pmu_mode mode);
/* Those of them with OF: ebbovf. */
uint32_t ebb_overflown(const struct pmu_hart *h, enum pmu_mode mode);
void ebb_set_claimed(struct pmu_hart *h, uint32_t set);
void ebb_set_permitted(struct pmu_hart *h, uint32_t set);
/* All of @set or nothing, by what is permitted; h->ebb.granted tells. */
void ebb_grant(struct pmu_hart *h, uint32_t set);
void ebb_reset(struct pmu_hart *h);

/* May code in @mode have the unit? @by is for csr_closed(). */
enum pmu_csr_result ebb_reach(const struct pmu_hart *h, enum pmu_mode mode,
			      uint16_t *by);

#endif
