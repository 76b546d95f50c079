/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers behind a select register (Smcsrind, Sscsrind), and what there is
 * behind siselect: the counters that are delegated to S-mode (Smcdeleg,
 * Ssccfg), and scountinhibit. A legal access becomes one to a row of the table
 * below, so an instruction that writes a counter through sireg counts as any
 * other that writes it. Behind miselect and vsiselect there is nothing.
 */
#include "csr-row.h"

/* siselect of counter 0; that of counter n is n more */
enum {
	SELECT_COUNTER = 0x40
};

/* The numbers of sireg to sireg6, which are the args of their rows. */
enum {
	N_ALIASES = 7
};

static bool counter_selected(uint64_t select)
{
	return select >= SELECT_COUNTER &&
	       select < SELECT_COUNTER + PMU_N_COUNTERS;
}

/* With the extensions that each depends on, for counters 0, 2 and 3-31. */
static const struct window {
	struct csr_desc row;
	uint32_t needs_fixed, needs_hpm;
} windows[N_ALIASES] = {
	[1] = { { .part = CSR_LOW,
		  .read = csr_rd_counter,
		  .write = csr_wr_counter,
		  .writable = UINT64_MAX },
		PMU_EXT_ZICNTR,
		PMU_EXT_ZIHPM },
	[2] = { { .part = CSR_LOW,
		  .read = csr_rd_delegated_event,
		  .write = csr_wr_delegated_event,
		  .writable = UINT64_MAX },
		PMU_EXT_ZICNTR | PMU_EXT_SMCNTRPMF,
		PMU_EXT_ZIHPM },
	[4] = { { .part = CSR_HIGH,
		  .read = csr_rd_counter,
		  .write = csr_wr_counter,
		  .writable = UINT64_MAX },
		PMU_EXT_ZICNTR,
		PMU_EXT_ZIHPM },
	[5] = { { .part = CSR_HIGH,
		  .read = csr_rd_delegated_event,
		  .write = csr_wr_delegated_event,
		  .writable = UINT64_MAX },
		PMU_EXT_ZICNTR | PMU_EXT_SMCNTRPMF,
		PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF },
};

/* The row behind alias @alias of siselect; NULL: illegal (C128, C129). */
static const struct csr_desc *behind_siselect(const struct pmu_hart *h,
					      unsigned alias)
{
	const struct window *w = &windows[alias];
	unsigned n = (unsigned)(h->siselect - SELECT_COUNTER);

	if (!counter_selected(h->siselect) || !(h->menvcfg & MENVCFG_CDE))
		return NULL;
	if (!w->row.read || n == 1 || !(h->mcounteren >> n & 1))
		return NULL;
	if (w->row.part == CSR_HIGH && h->cfg.xlen == 64)
		return NULL;
	return has(h, n < 3 ? w->needs_fixed : w->needs_hpm) ? &w->row : NULL;
}

void csr_indirect(const struct pmu_hart *h, struct csr_ref *ref)
{
	ref->desc = behind_siselect(h, ref->arg);
	ref->arg = (unsigned)(h->siselect - SELECT_COUNTER);
}

/* siselect, vsiselect: the numbers themselves keep guests off the second. */
enum pmu_csr_result csr_siselect_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	return csr_stateen(h, ref->mode, STATEEN0_CSRIND);
}

enum pmu_csr_result csr_sireg_allowed(const struct pmu_hart *h,
				      const struct csr_ref *ref)
{
	enum pmu_csr_result result = csr_siselect_allowed(h, ref);

	if (result != PMU_CSR_OK)
		return result;
	return behind_siselect(h, ref->arg) ? PMU_CSR_OK : PMU_CSR_ILLEGAL;
}

/* Nothing is implemented behind miselect and vsiselect (C169). */
enum pmu_csr_result csr_mireg_allowed(const struct pmu_hart *h,
				      const struct csr_ref *ref)
{
	return PMU_CSR_ILLEGAL;
}

/*
 * In the order of C133: what the state-enables say; a guest that names vsireg,
 * or VU-mode; a guest in VS-mode that names sireg.
 */
enum pmu_csr_result csr_vsireg_allowed(const struct pmu_hart *h,
				       const struct csr_ref *ref)
{
	enum pmu_csr_result result = csr_siselect_allowed(h, ref);

	if (result != PMU_CSR_OK)
		return result;
	if (!pmu_mode_is_guest(ref->mode))
		return PMU_CSR_ILLEGAL;
	if (!ref->substituted || ref->mode == PMU_MODE_VU)
		return PMU_CSR_VIRTUAL;
	return counter_selected(h->vsiselect) && (h->menvcfg & MENVCFG_CDE)
		       ? PMU_CSR_VIRTUAL
		       : PMU_CSR_ILLEGAL;
}

/* scountinhibit and CDE: see C132. No state-enable has a say (C170). */
enum pmu_csr_result csr_scountinhibit_allowed(const struct pmu_hart *h,
					      const struct csr_ref *ref)
{
	if (!(h->menvcfg & MENVCFG_CDE))
		return PMU_CSR_ILLEGAL;
	return pmu_mode_is_guest(ref->mode) ? PMU_CSR_VIRTUAL : PMU_CSR_OK;
}

uint64_t csr_rd_scountinhibit(const struct pmu_hart *h,
			      const struct csr_ref *ref)
{
	return h->mcountinhibit & h->mcounteren;
}

/* What is not delegated stays as M-mode has set it (C131). */
unsigned csr_wr_scountinhibit(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value)
{
	uint32_t mask = h->mcounteren;

	pmu_counter_set_inhibit(h, (h->mcountinhibit & ~mask) |
					   ((uint32_t)value & mask));
	return PMU_FX_COUNT;
}
