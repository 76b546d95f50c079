/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of event-based branches (Xpmuebb): who may reach them, and what of
 * them can be written. What the unit then does is ebb-hart.c's.
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "counter-state.h"
#include "csr-closed.h"

static enum pmu_csr_result custom_allowed(const struct pmu_hart *h,
					  const struct csr_ref *ref)
{
	return ebb_reach(h, ref->mode, ref->closed_by);
}

/* To have @set of the claimed counters, which nobody has that is not there. */
static enum pmu_csr_result has_claimed(const struct pmu_hart *h,
				       const struct csr_ref *ref, uint32_t set)
{
	enum pmu_csr_result result = custom_allowed(h, ref);

	if (result == PMU_CSR_ILLEGAL)
		return result;
	if (!(h->ebb.claimed & set))
		return csr_closed(ref->closed_by, PMU_CSR_SEBBOWN,
				  PMU_CSR_ILLEGAL);
	if (result != PMU_CSR_OK || ebb_seen(h, ref->mode) & set)
		return result;
	/* claimed, but not a guest's */
	return csr_closed(ref->closed_by, PMU_CSR_HEBBEN, PMU_CSR_VIRTUAL);
}

/* What belongs to the claims is out of a user's reach without any. */
static enum pmu_csr_result claims_allowed(const struct pmu_hart *h,
					  const struct csr_ref *ref)
{
	if (!pmu_mode_is_user(ref->mode))
		return custom_allowed(h, ref);
	return has_claimed(h, ref, UINT32_MAX);
}

static enum pmu_csr_result counter_allowed(const struct pmu_hart *h,
					   const struct csr_ref *ref)
{
	return has_claimed(h, ref, UINT32_C(1) << ref->arg);
}

static unsigned wr_status(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	h->ebb.unit.status = value & PMU_EBBCS;
	return PMU_FX_IRQ;
}

static unsigned wr_control(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	h->ebb.unit.control = value & PMU_EBBCTL;
	counter_claims_changed(h);
	return PMU_FX_IRQ | PMU_FX_COUNT;
}

static uint64_t rd_overflown(const struct pmu_hart *h,
			     const struct csr_ref *ref)
{
	return ebb_overflown(h, ref->mode);
}

/*
 * A 0 clears OF, which is how a counter is armed again. A 1 changes nothing of
 * a user's; above it sets OF, for that must be restored, too.
 */
static unsigned wr_overflown(struct pmu_hart *h, const struct csr_ref *ref,
			     uint64_t value)
{
	uint32_t set = ebb_seen(h, ref->mode);

	if (pmu_mode_is_user(ref->mode))
		set &= ~(uint32_t)value;
	for (; set; set &= set - 1) {
		unsigned n = (unsigned)__builtin_ctz(set);

		counter_set_of(h, n, value >> n & 1);
	}
	return PMU_FX_COUNT;
}

static uint64_t rd_freeze(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->ebb.user_freeze & ebb_seen(h, ref->mode);
}

static unsigned wr_freeze(struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value)
{
	uint32_t seen = ebb_seen(h, ref->mode);

	h->ebb.user_freeze =
		(h->ebb.user_freeze & ~seen) | ((uint32_t)value & seen);
	counter_claims_changed(h);
	return PMU_FX_COUNT;
}

static uint64_t rd_claimed(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return ebb_seen(h, ref->mode);
}

/* What a guest can change of a mask of counters. */
static uint32_t reachable(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return pmu_mode_is_guest(ref->mode) ? h->ebb.for_guests : UINT32_MAX;
}

static unsigned wr_claimed(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	uint32_t mine = reachable(h, ref);

	ebb_set_claimed(h, (h->ebb.claimed & ~mine) | ((uint32_t)value & mine));
	return PMU_FX_COUNT;
}

static uint64_t rd_claim(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->ebb.granted & reachable(h, ref);
}

static unsigned wr_claim(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	uint32_t set = (uint32_t)value;

	/* Beyond what it reaches nothing is permitted. */
	if (set & ~reachable(h, ref))
		h->ebb.granted = 0;
	else
		ebb_grant(h, set);
	return PMU_FX_COUNT;
}

static unsigned wr_s_control(struct pmu_hart *h, const struct csr_ref *ref,
			     uint64_t value)
{
	h->ebb.s_control = value & (PMU_SEBBCS_UE | PMU_SEBBCS_FZ);
	counter_claims_changed(h);
	return PMU_FX_IRQ | PMU_FX_COUNT;
}

static unsigned wr_for_guests(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value)
{
	h->ebb.for_guests = (uint32_t)value & ebb_claimable(h);
	return PMU_FX_IRQ;
}

static unsigned wr_permitted(struct pmu_hart *h, const struct csr_ref *ref,
			     uint64_t value)
{
	ebb_set_permitted(h, (uint32_t)value);
	return PMU_FX_COUNT;
}

#define EBB .ext = PMU_EXT_XPMUEBB

const struct csr_desc csr_ebb_table[] = {
	{ CSR(PMU_CSR_EBBHR), EBB, CSR_WORD(ebb.unit.handler),
	  .guard = custom_allowed, .read = csr_rd_reg, .write = csr_wr_epc,
	  .rule = RULE("ebb_addresses") },
	{ CSR(PMU_CSR_EBBRR), EBB, CSR_WORD(ebb.unit.back),
	  .guard = custom_allowed, .read = csr_rd_reg, .write = csr_wr_epc,
	  .rule = RULE("ebb_addresses") },
	{ CSR(PMU_CSR_EBBCS), EBB, CSR_WORD(ebb.unit.status),
	  .guard = custom_allowed, .read = csr_rd_reg, .write = wr_status,
	  .rule = RULE("ebb_deliver") },
	{ CSR(PMU_CSR_EBBCTL), EBB, CSR_WORD(ebb.unit.control),
	  .guard = claims_allowed, .read = csr_rd_reg, .write = wr_control,
	  .rule = RULE("ebb_alert") },
	{ CSR(PMU_CSR_EBBOVF), EBB, .guard = claims_allowed,
	  .read = rd_overflown, .write = wr_overflown,
	  .rule = RULE("ebb_rearm") },
	{ CSR(PMU_CSR_EBBFRZ), EBB, .guard = claims_allowed, .read = rd_freeze,
	  .write = wr_freeze, .rule = RULE("ebb_user_freeze") },
	{ CSR(PMU_CSR_EBBOWN), EBB, .guard = custom_allowed, .read = rd_claimed,
	  .rule = RULE("ebb_claim") },
	{ CSR_RUN(PMU_CSR_EBBCTR3, 29), EBB, .part = CSR_WIDE, .arg = 3,
	  .guard = counter_allowed, .read = csr_rd_counter,
	  .write = csr_wr_counter, .is_counter = true,
	  .rule = RULE("ebb_rearm"), .high = { .first = PMU_CSR_EBBCTR3H } },
	{ CSR(PMU_CSR_SEBBCS), EBB, CSR_WORD(ebb.s_control),
	  .guard = custom_allowed, .read = csr_rd_reg, .write = wr_s_control,
	  .rule = RULE("ebb_users") },
	{ CSR(PMU_CSR_SEBBOWN), EBB, .guard = custom_allowed,
	  .read = rd_claimed, .write = wr_claimed, .rule = RULE("ebb_claim") },
	{ CSR(PMU_CSR_SEBBCLAIM), EBB, .guard = custom_allowed,
	  .read = rd_claim, .write = wr_claim, .rule = RULE("ebb_claim") },
	{ CSR(PMU_CSR_HEBBEN), .ext = PMU_EXT_XPMUEBB | PMU_EXT_H,
	  CSR_WORD(ebb.for_guests), .guard = custom_allowed,
	  .read = csr_rd_reg32, .write = wr_for_guests,
	  .rule = RULE("ebb_guests") },
	{ CSR(PMU_CSR_MEBBEN), EBB, CSR_WORD(ebb.permitted),
	  .read = csr_rd_reg32, .write = wr_permitted,
	  .rule = RULE("ebb_permit") },
	{ .last = 0 }
};
