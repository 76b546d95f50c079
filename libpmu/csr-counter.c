/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counter CSRs: values, events, inhibition, the chain of enables, and the
 * overflow view, also as S-mode sees them through sireg. A row's arg is the
 * counter's number. What a counter does is decided in counter.c; the
 * instruction's own count, in csr.c.
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

#include "counter-state.h"
#include "csr-closed.h"

/*
 * mcounteren opens a counter to the next mode, hcounteren to the guest,
 * scounteren to U and VU; they are asked in this order.
 */
uint16_t csr_counter_denied_by(const struct pmu_hart *h, enum pmu_mode mode,
			       unsigned n)
{
	if (mode == PMU_MODE_M)
		return 0;
	if (!(h->mcounteren >> n & 1))
		return PMU_CSR_MCOUNTEREN;
	if (pmu_mode_is_guest(mode) && !(h->hcounteren >> n & 1))
		return PMU_CSR_HCOUNTEREN;
	if (pmu_mode_is_user(mode) && has(h, PMU_EXT_S) &&
	    !(h->scounteren >> n & 1))
		return PMU_CSR_SCOUNTEREN;
	return 0;
}

/*
 * Which exception it is decides mcounteren: without it HS-mode could not read
 * either (C115, C116).
 */
static enum pmu_csr_result counter_enabled(const struct pmu_hart *h,
					   const struct csr_ref *ref)
{
	uint16_t by = csr_counter_denied_by(h, ref->mode, ref->arg);
	bool virtual = by != PMU_CSR_MCOUNTEREN && pmu_mode_is_guest(ref->mode);

	if (!by)
		return PMU_CSR_OK;
	return csr_closed(ref->closed_by, by,
			  virtual ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL);
}

uint64_t csr_rd_counter(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return pmu_counter_get(h, ref->arg);
}

unsigned csr_wr_counter(struct pmu_hart *h, const struct csr_ref *ref,
			uint64_t value)
{
	pmu_counter_set(h, ref->arg, value);
	return PMU_FX_COUNT;
}

/* A guest's time is shifted (C164). */
static uint64_t rd_time(const struct pmu_hart *h, const struct csr_ref *ref)
{
	uint64_t delta = pmu_mode_is_guest(ref->mode) ? h->htimedelta : 0;

	return pmu_time(h->tb, ref->now) + delta;
}

static uint64_t rd_event(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return pmu_counter_event(h, ref->arg);
}

static unsigned wr_event(struct pmu_hart *h, const struct csr_ref *ref,
			 uint64_t value)
{
	pmu_counter_set_event(h, ref->arg, value);
	return PMU_FX_COUNT;
}

/*
 * mhpmevent, mcyclecfg and minstretcfg through sireg2 and sireg5: S-mode has
 * no say in whether M-mode is counted, and no view of it (C130). Without a
 * MINH, bit 62 is one of the event.
 */
static uint64_t delegated_event(const struct pmu_hart *h, unsigned n)
{
	return counter_has_filters(h, n) ? ~PMU_EVENT_MINH : UINT64_MAX;
}

uint64_t csr_rd_delegated_event(const struct pmu_hart *h,
				const struct csr_ref *ref)
{
	return pmu_counter_event(h, ref->arg) & delegated_event(h, ref->arg);
}

unsigned csr_wr_delegated_event(struct pmu_hart *h, const struct csr_ref *ref,
				uint64_t value)
{
	uint64_t mask = delegated_event(h, ref->arg);
	uint64_t kept = pmu_counter_event(h, ref->arg) & ~mask;

	pmu_counter_set_event(h, ref->arg, (value & mask) | kept);
	return PMU_FX_COUNT;
}

static uint64_t rd_inhibit(const struct pmu_hart *h, const struct csr_ref *ref)
{
	return h->mcountinhibit;
}

static unsigned wr_inhibit(struct pmu_hart *h, const struct csr_ref *ref,
			   uint64_t value)
{
	pmu_counter_set_inhibit(h, (uint32_t)value);
	return PMU_FX_COUNT;
}

/*
 * mcounteren, scounteren, hcounteren: a bit per user counter CSR that exists,
 * whether the counter behind it does or reads zero (C114). Without Sscounterenw
 * or Shcounterenw nothing promises that a bit can be written, and those of the
 * hpmcounters cannot (C168). TM gates stimecmp too.
 */
static unsigned set_counteren(struct pmu_hart *h, uint32_t *reg, uint64_t value,
			      uint64_t promise)
{
	uint32_t mask = 0;

	if (has(h, PMU_EXT_ZICNTR))
		mask |= 7;
	if (has(h, PMU_EXT_ZIHPM | promise))
		mask |= ~UINT32_C(7);
	*reg = (uint32_t)value & mask;
	return 0;
}

static unsigned wr_scounteren(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value)
{
	return set_counteren(h, &h->scounteren, value, PMU_EXT_SSCOUNTERENW);
}

static unsigned wr_mcounteren(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value)
{
	return set_counteren(h, &h->mcounteren, value, 0);
}

static unsigned wr_hcounteren(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value)
{
	return set_counteren(h, &h->hcounteren, value, PMU_EXT_SHCOUNTERENW);
}

/* A hypervisor emulates it for its guests when counters are delegated (C134).
 */
static enum pmu_csr_result scountovf_allowed(const struct pmu_hart *h,
					     const struct csr_ref *ref)
{
	uint16_t by = csr_with_bit(h, PMU_CSR_MENVCFG, MENVCFG_CDE);

	return pmu_mode_is_guest(ref->mode) && (h->menvcfg & MENVCFG_CDE)
		       ? csr_closed(ref->closed_by, by, PMU_CSR_VIRTUAL)
		       : PMU_CSR_OK;
}

/*
 * OF of every counter; below M only of those that mcounteren opens, to a guest
 * hcounteren too. scounteren never matters (C112).
 */
static uint64_t rd_scountovf(const struct pmu_hart *h,
			     const struct csr_ref *ref)
{
	uint32_t ovf = 0;

	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (counter_of(h, n))
			ovf |= UINT32_C(1) << n;
	if (ref->mode != PMU_MODE_M)
		ovf &= h->mcounteren;
	if (pmu_mode_is_guest(ref->mode))
		ovf &= h->hcounteren;
	return ovf;
}

const struct csr_desc csr_counter_table[] = {
	{ CSR(PMU_CSR_SCOUNTEREN), .ext = PMU_EXT_S, CSR_WORD(scounteren),
	  .read = csr_rd_reg32, .write = wr_scounteren,
	  .rule = RULE("scounteren_op") },
	{ CSR(PMU_CSR_MCOUNTEREN), .ext = PMU_EXT_U, CSR_WORD(mcounteren),
	  .read = csr_rd_reg32, .write = wr_mcounteren,
	  .rule = RULE("mcounteren_op") },
	{ CSR(PMU_CSR_MCOUNTINHIBIT), .read = rd_inhibit, .write = wr_inhibit,
	  .rule = RULE("mcountinhibit_op2") },
	{ CSR(PMU_CSR_MCYCLECFG), .part = CSR_WIDE, .ext = PMU_EXT_SMCNTRPMF,
	  .read = rd_event, .write = wr_event, .is_counter = true,
	  .rule = RULE("mcyclecfg_op"),
	  .high = { .first = PMU_CSR_MCYCLECFGH,
		    .rule = RULE("rv32_high_access") } },
	{ CSR(PMU_CSR_MINSTRETCFG), .part = CSR_WIDE, .ext = PMU_EXT_SMCNTRPMF,
	  .arg = 2, .read = rd_event, .write = wr_event, .is_counter = true,
	  .rule = RULE("mcyclecfg_op"),
	  .high = { .first = PMU_CSR_MINSTRETCFGH,
		    .rule = RULE("rv32_high_access") } },
	{ CSR_RUN(PMU_CSR_MHPMEVENT3, 29), .part = CSR_WIDE, .arg = 3,
	  .read = rd_event, .write = wr_event, .is_counter = true,
	  .rule = RULE("mhpmevent_sz_warl_op"),
	  .high = { .first = PMU_CSR_MHPMEVENT3H,
		    .ext = PMU_EXT_SSCOFPMF,
		    .rule = RULE("mhpmeventh_presence") } },
	{ CSR(PMU_CSR_HCOUNTEREN), .ext = PMU_EXT_H, CSR_WORD(hcounteren),
	  .read = csr_rd_reg32, .write = wr_hcounteren,
	  .rule = RULE("hcounteren_op") },
	{ CSR(PMU_CSR_MCYCLE), .part = CSR_WIDE, .read = csr_rd_counter,
	  .write = csr_wr_counter, .is_counter = true,
	  .rule = RULE("mcycle_op"),
	  .high = { .first = PMU_CSR_MCYCLEH,
		    .rule = RULE("mcycleh_minstreth_mhpmh_op") } },
	{ CSR(PMU_CSR_MINSTRET), .part = CSR_WIDE, .arg = 2,
	  .read = csr_rd_counter, .write = csr_wr_counter, .is_counter = true,
	  .rule = RULE("minstret_op"),
	  .high = { .first = PMU_CSR_MINSTRETH,
		    .rule = RULE("mcycleh_minstreth_mhpmh_op") } },
	{ CSR_RUN(PMU_CSR_MHPMCOUNTER3, 29), .part = CSR_WIDE, .arg = 3,
	  .read = csr_rd_counter, .write = csr_wr_counter, .is_counter = true,
	  .rule = RULE("mhpmcounter_warl"),
	  .high = { .first = PMU_CSR_MHPMCOUNTER3H,
		    .rule = RULE("mcycleh_minstreth_mhpmh_op") } },
	{ CSR(PMU_CSR_CYCLE), .part = CSR_WIDE, .ext = PMU_EXT_ZICNTR,
	  .guard = counter_enabled, .read = csr_rd_counter,
	  .rule = RULE("cycle_instret_hpmcounter_op_rdonly"),
	  .high = { .first = PMU_CSR_CYCLEH,
		    .rule = RULE("cycleh_instreth_hpmcounternh_op_rdonly") } },
	{ CSR(PMU_CSR_TIME), .part = CSR_WIDE, .ext = PMU_EXT_ZICNTR, .arg = 1,
	  .guard = counter_enabled, .read = rd_time,
	  .rule = RULE("time_op_rdonly"),
	  .high = { .first = PMU_CSR_TIMEH, .rule = RULE("timeh_op_rdonly") } },
	{ CSR(PMU_CSR_INSTRET), .part = CSR_WIDE, .ext = PMU_EXT_ZICNTR,
	  .arg = 2, .guard = counter_enabled, .read = csr_rd_counter,
	  .rule = RULE("cycle_instret_hpmcounter_op_rdonly"),
	  .high = { .first = PMU_CSR_INSTRETH,
		    .rule = RULE("cycleh_instreth_hpmcounternh_op_rdonly") } },
	{ CSR_RUN(PMU_CSR_HPMCOUNTER3, 29), .part = CSR_WIDE,
	  .ext = PMU_EXT_ZIHPM, .arg = 3, .guard = counter_enabled,
	  .read = csr_rd_counter,
	  .rule = RULE("cycle_instret_hpmcounter_op_rdonly"),
	  .high = { .first = PMU_CSR_HPMCOUNTER3H,
		    .rule = RULE("cycleh_instreth_hpmcounternh_op_rdonly") } },
	{ CSR(PMU_CSR_SCOUNTOVF), .ext = PMU_EXT_S | PMU_EXT_SSCOFPMF,
	  .guard = scountovf_allowed, .read = rd_scountovf,
	  .rule = RULE("scountovf_op") },
	{ .last = 0 }
};
