/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches: which counters are claimed, and when a hart branches.
 * Who has the unit is decided here, too. What it
 * does is ebb-unit.c's, its CSRs are csr-ebb.c's, that an overflow is the
 * user's and not S-mode's overflow.c's.
 */
#include <pmu/ebb-unit.h>

#include <string.h>

#include <pmu/error.h>

#include "counter-state.h"
#include "csr-closed.h"
#include "csr-row.h"

/* Claims */

uint32_t ebb_claimable(const struct pmu_hart *h)
{
	return has(h, PMU_EXT_XPMUEBB) ? h->cfg.hpm_mask : 0;
}

uint32_t ebb_seen(const struct pmu_hart *h, enum pmu_mode mode)
{
	uint32_t all = h->ebb.claimed;

	return pmu_mode_is_guest(mode) ? all & h->ebb.for_guests : all;
}

void ebb_set_claimed(struct pmu_hart *h, uint32_t set)
{
	uint32_t changed;

	set &= h->ebb.permitted;
	changed = set ^ h->ebb.claimed;
	h->ebb.claimed = set;
	/* What nobody can see any more is not there for who claims it next. */
	h->ebb.user_freeze &= set;
	counter_update_all(h, changed);
}

/* Counters that somebody outside of the guest has. */
static uint32_t had_outside(const struct pmu_hart *h)
{
	uint32_t ret = 0;

	for (uint32_t all = ebb_claimable(h); all; all &= all - 1)
		if (pmu_counter_delivery(h, (unsigned)__builtin_ctz(all)) ==
		    PMU_DELIVER_HELD)
			ret |= all & -all;
	return ret;
}

void ebb_set_permitted(struct pmu_hart *h, uint32_t set)
{
	h->ebb.permitted = set & ebb_claimable(h) & ~had_outside(h);
	ebb_set_claimed(h, h->ebb.claimed);
}

void ebb_grant(struct pmu_hart *h, uint32_t set)
{
	h->ebb.granted = 0;
	if (set & ~h->ebb.permitted || set & h->ebb.claimed)
		return;
	h->ebb.granted = set;
	ebb_set_claimed(h, h->ebb.claimed | set);
}

uint32_t pmu_ebb_claimed(const struct pmu_hart *h)
{
	return h->ebb.claimed;
}

uint32_t pmu_ebb_permitted(const struct pmu_hart *h)
{
	return h->ebb.permitted;
}

int pmu_ebb_claim(struct pmu_hart *h, uint32_t set)
{
	if (set & ~ebb_claimable(h) || set & h->ebb.claimed ||
	    set & had_outside(h))
		return -PMU_EINVAL;
	ebb_set_permitted(h, h->ebb.permitted | set);
	ebb_grant(h, set);
	return 0;
}

void pmu_ebb_release(struct pmu_hart *h, uint32_t set)
{
	ebb_set_permitted(h, h->ebb.permitted & ~set);
}

/* Of a hart */

/* A user's by sstateen0 where there is one, and by sebbcs.UE. */
static uint16_t denies_users(const struct pmu_hart *h)
{
	if (has(h, PMU_EXT_SMSTATEEN | PMU_EXT_S) &&
	    !(h->sstateen0 & STATEEN0_C))
		return PMU_CSR_SSTATEEN0;
	return h->ebb.s_control & PMU_SEBBCS_UE ? 0 : PMU_CSR_SEBBCS;
}

enum pmu_csr_result ebb_reach(const struct pmu_hart *h, enum pmu_mode mode,
			      uint16_t *by)
{
	enum pmu_csr_result result = csr_stateen(h, mode, STATEEN0_C, by);
	bool guest = pmu_mode_is_guest(mode);
	uint16_t denied = 0;

	if (result != PMU_CSR_OK)
		return result;
	if (guest && !h->ebb.for_guests)
		denied = PMU_CSR_HEBBEN;
	else if (pmu_mode_is_user(mode))
		denied = denies_users(h);
	if (!denied)
		return PMU_CSR_OK;
	return csr_closed(by, denied,
			  guest ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL);
}

void ebb_reset(struct pmu_hart *h)
{
	memset(&h->ebb, 0, sizeof(h->ebb));
}

struct pmu_ebb pmu_hart_ebb(const struct pmu_hart *h)
{
	return h->ebb.unit;
}

bool pmu_hart_branches(const struct pmu_hart *h)
{
	return pmu_mode_is_user(h->mode) && pmu_ebb_ready(&h->ebb.unit) &&
	       ebb_reach(h, h->mode, NULL) == PMU_CSR_OK;
}

uint32_t ebb_overflown(const struct pmu_hart *h, enum pmu_mode mode)
{
	uint32_t set = ebb_seen(h, mode), ret = 0;

	for (; set; set &= set - 1)
		if (counter_of(h, (unsigned)__builtin_ctz(set)))
			ret |= set & -set;
	return ret;
}

uint32_t pmu_hart_branch_counters(const struct pmu_hart *h)
{
	return ebb_overflown(h, h->mode);
}

uint64_t pmu_hart_branch(struct pmu_hart *h, uint64_t next)
{
	return xlen_value(h, pmu_ebb_enter(&h->ebb.unit, xlen_value(h, next)));
}
