/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers behind a select register (Smcsrind, Sscsrind, and what Smaia and
 * Ssaia have of them), and what there is behind siselect: the counters that are
 * delegated to S-mode (Smcdeleg, Ssccfg), and scountinhibit; behind siselect
 * and miselect the priorities of interrupts (csr-iprio.c). A legal access
 * becomes one to a row of the table below, so an instruction that writes a
 * counter through sireg counts as any other that writes it. Behind vsiselect
 * there is nothing.
 */
#include "csr-aia.h"

#include <stddef.h>

#include <pmu/csr-name.h>
#include <pmu/explain.h>
#include <pmu/rule.h>

#include "csr-closed.h"

/* siselect of counter 0; that of counter n is n more */
enum {
	SELECT_COUNTER = 0x40
};

/* The select values that are the AIA's. */
enum {
	SELECT_IPRIO = 0x30,
	SELECT_IPRIO_LAST = 0x3f,
	SELECT_IMSIC = 0x70,
	SELECT_IMSIC_LAST = 0xff,
	IPRIOS = 4, /* interrupts for each value */
};

/*
 * The numbers of sireg to sireg6, which are the args of their rows; those of
 * mireg to mireg6 are 8 more.
 */
enum {
	N_ALIASES = 7,
	OF_M = 8
};

static bool counter_selected(uint64_t select)
{
	return select >= SELECT_COUNTER &&
	       select < SELECT_COUNTER + PMU_N_COUNTERS;
}

/* What is behind sireg (1), and sireg2: for counters 0, 2 and for 3-31. */
static const struct window {
	struct csr_desc row;
	uint64_t needs_fixed, needs_hpm;
	uint64_t high_needs_hpm; /* the upper half, too */
} values = {
	.row = { .part = CSR_WIDE,
		 .is_counter = true,
		 .read = csr_rd_counter,
		 .write = csr_wr_counter },
	.needs_fixed = PMU_EXT_ZICNTR,
	.needs_hpm = PMU_EXT_ZIHPM,
}, events = {
	.row = { .part = CSR_WIDE,
		 .is_counter = true,
		 .shows_event = true,
		 .read = csr_rd_delegated_event,
		 .write = csr_wr_delegated_event },
	.needs_fixed = PMU_EXT_ZICNTR | PMU_EXT_SMCNTRPMF,
	.needs_hpm = PMU_EXT_ZIHPM,
	.high_needs_hpm = PMU_EXT_SSCOFPMF,
};

/* By alias; from 4 on the upper halves. */
static const struct window *const windows[N_ALIASES] = {
	[1] = &values,
	[2] = &events,
	[4] = &values,
	[5] = &events,
};

static bool is_upper(unsigned alias)
{
	return alias >= 4;
}

static bool iprio_selected(uint64_t select)
{
	return select >= SELECT_IPRIO && select <= SELECT_IPRIO_LAST;
}

/* Has the array a register there? On RV64 each has the bytes of two. */
static bool iprio_exists(const struct pmu_hart *h, uint64_t select,
			 unsigned alias)
{
	return alias == 1 && iprio_selected(select) &&
	       (h->cfg.xlen == 32 || select % 2 == 0);
}

/*
 * The counter behind alias @alias of siselect where that is @select; NULL:
 * none, and *@by is the CSR that says so (C128, C129).
 */
static const struct csr_desc *counter_behind(const struct pmu_hart *h,
					     uint64_t select, unsigned alias,
					     uint16_t *by)
{
	const struct window *w = windows[alias];
	unsigned n = (unsigned)(select - SELECT_COUNTER);
	uint64_t needs;

	*by = PMU_CSR_SISELECT;
	if (!counter_selected(select) || !w || n == 1)
		return NULL;
	if (!(h->menvcfg & MENVCFG_CDE)) {
		*by = csr_with_bit(h, PMU_CSR_MENVCFG, MENVCFG_CDE);
		return NULL;
	}
	if (!(h->mcounteren >> n & 1)) {
		*by = PMU_CSR_MCOUNTEREN;
		return NULL;
	}
	if (is_upper(alias) && h->cfg.xlen == 64)
		return NULL;
	needs = n < 3 ? w->needs_fixed : w->needs_hpm;
	if (is_upper(alias) && n >= 3)
		needs |= w->high_needs_hpm;
	return has(h, needs) ? &w->row : NULL;
}

/* Makes @ref one to the array @of, at @select. */
static void iprio_indirect(struct csr_ref *ref, const struct csr_desc *of,
			   uint64_t select)
{
	ref->desc = of;
	ref->high = false;
	ref->arg = (unsigned)(select - SELECT_IPRIO) * IPRIOS;
}

void csr_indirect(const struct pmu_hart *h, struct csr_ref *ref)
{
	const struct csr_desc *behind;
	uint16_t by;

	if (ref->arg & OF_M) {
		iprio_indirect(ref, &iprio_of_m, h->miselect);
		return;
	}
	behind = counter_behind(h, h->siselect, ref->arg, &by);
	if (!behind) {
		iprio_indirect(ref, &iprio_of_s, h->siselect);
		return;
	}
	ref->desc = behind;
	ref->high = is_upper(ref->arg);
	ref->arg = (unsigned)(h->siselect - SELECT_COUNTER);
}

/* siselect, vsiselect: the numbers themselves keep guests off the second. */
static enum pmu_csr_result siselect_allowed(const struct pmu_hart *h,
					    const struct csr_ref *ref)
{
	return csr_stateen(h, ref->mode, STATEEN0_CSRIND, ref->closed_by);
}

/* An alias of siselect, where that is @select. */
static enum pmu_csr_result alias_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref,
					 uint64_t select)
{
	enum pmu_csr_result result = siselect_allowed(h, ref);
	uint16_t by;

	if (result != PMU_CSR_OK || counter_behind(h, select, ref->arg, &by))
		return result;
	if (has(h, PMU_EXT_SSAIA) && iprio_exists(h, select, ref->arg))
		return csr_aia_allowed(h, ref);
	return csr_closed(ref->closed_by, by, PMU_CSR_ILLEGAL);
}

static enum pmu_csr_result sireg_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	return alias_allowed(h, ref, h->siselect);
}

void pmu_delegation_explain(const struct pmu_hart *h, unsigned n,
			    struct pmu_why_delegation *ret)
{
	static const struct {
		uint16_t csr;
		const char *field, *rule;
	} closers[] = {
		{ PMU_CSR_MSTATEEN0, "CSRIND", RULE("C171") },
		{ PMU_CSR_MSTATEEN0H, "CSRIND", RULE("C171") },
		{ PMU_CSR_MENVCFG, "CDE", RULE("C128") },
		{ PMU_CSR_MENVCFGH, "CDE", RULE("C128") },
	};
	uint16_t by = 0;
	const struct csr_ref ref = { .arg = 1,
				     .mode = PMU_MODE_S,
				     .closed_by = &by };

	*ret = (struct pmu_why_delegation){
		.exists = has(h, PMU_EXT_SMCDELEG) && pmu_counter_width(h, n),
		.select = SELECT_COUNTER + n,
		.rule = RULE("C128"),
	};
	if (!ret->exists)
		return;
	ret->allowed = alias_allowed(h, &ref, ret->select) == PMU_CSR_OK;
	if (ret->allowed)
		return;
	ret->closed_by = pmu_csr_number_name(by);
	for (size_t i = 0; i < sizeof(closers) / sizeof(closers[0]); i++) {
		if (closers[i].csr != by)
			continue;
		ret->field = closers[i].field;
		ret->rule = closers[i].rule;
	}
}

/* Only the priorities are implemented behind miselect (C169). */
static enum pmu_csr_result mireg_allowed(const struct pmu_hart *h,
					 const struct csr_ref *ref)
{
	return has(h, PMU_EXT_SMAIA) &&
			       iprio_exists(h, h->miselect, ref->arg & ~OF_M)
		       ? PMU_CSR_OK
		       : csr_closed(ref->closed_by, PMU_CSR_MISELECT,
				    PMU_CSR_ILLEGAL);
}

/* What a hypervisor has to make up for its guest. */
static bool guest_selects(const struct pmu_hart *h)
{
	uint64_t select = h->vsiselect;

	if (counter_selected(select))
		return h->menvcfg & MENVCFG_CDE;
	return has(h, PMU_EXT_SSAIA) &&
	       (iprio_selected(select) ||
		(select >= SELECT_IMSIC && select <= SELECT_IMSIC_LAST));
}

/*
 * In the order of C133: what the state-enables say; a guest that names vsireg,
 * or VU-mode; a guest in VS-mode that names sireg.
 */
static enum pmu_csr_result vsireg_allowed(const struct pmu_hart *h,
					  const struct csr_ref *ref)
{
	enum pmu_csr_result result = siselect_allowed(h, ref);

	if (result != PMU_CSR_OK)
		return result;
	csr_closed(ref->closed_by, PMU_CSR_VSISELECT, PMU_CSR_ILLEGAL);
	if (!pmu_mode_is_guest(ref->mode))
		return PMU_CSR_ILLEGAL;
	if (!ref->substituted || ref->mode == PMU_MODE_VU)
		return PMU_CSR_VIRTUAL;
	return guest_selects(h) ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL;
}

/* scountinhibit and CDE: see C132. No state-enable has a say (C170). */
static enum pmu_csr_result scountinhibit_allowed(const struct pmu_hart *h,
						 const struct csr_ref *ref)
{
	bool on = h->menvcfg & MENVCFG_CDE;

	if (on && !pmu_mode_is_guest(ref->mode))
		return PMU_CSR_OK;
	return csr_closed(ref->closed_by,
			  csr_with_bit(h, PMU_CSR_MENVCFG, MENVCFG_CDE),
			  on ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL);
}

static uint64_t rd_scountinhibit(const struct pmu_hart *h,
				 const struct csr_ref *ref)
{
	return h->mcountinhibit & h->mcounteren;
}

/* What is not delegated stays as M-mode has set it (C131). */
static unsigned wr_scountinhibit(struct pmu_hart *h, const struct csr_ref *ref,
				 uint64_t value)
{
	uint32_t mask = h->mcounteren;

	pmu_counter_set_inhibit(h, (h->mcountinhibit & ~mask) |
					   ((uint32_t)value & mask));
	return PMU_FX_COUNT;
}

#define SELECT_BITS    UINT64_C(0xfff)
#define MACHINE_ANY    (PMU_EXT_SMCSRIND | PMU_EXT_SMAIA)
#define SUPERVISOR_ANY (PMU_EXT_SSCSRIND | PMU_EXT_SSAIA)

const struct csr_desc csr_ind_table[] = {
	{ CSR(PMU_CSR_SCOUNTINHIBIT), .ext = PMU_EXT_SMCDELEG,
	  .guard = scountinhibit_allowed, .read = rd_scountinhibit,
	  .write = wr_scountinhibit,
	  .rule = RULE("ssccfg_scountinhibit_exists") },
	{ CSR(PMU_CSR_SISELECT), .any = SUPERVISOR_ANY, CSR_WORD(siselect),
	  .guard = siselect_allowed, .read = csr_rd_reg, .write = csr_wr_reg,
	  .kept = ~SELECT_BITS, .rule = RULE("siselect_min_range") },
	{ CSR(PMU_CSR_SIREG), .part = CSR_INDIRECT, .any = SUPERVISOR_ANY,
	  .arg = 1, .guard = sireg_allowed,
	  .rule = RULE("sireg_access_on_legal_siselect") },
	{ CSR_RUN(PMU_CSR_SIREG2, 2), .part = CSR_INDIRECT,
	  .ext = PMU_EXT_SSCSRIND, .arg = 2, .guard = sireg_allowed,
	  .rule = RULE("sireg_access_on_legal_siselect") },
	{ CSR_RUN(PMU_CSR_SIREG4, 3), .part = CSR_INDIRECT,
	  .ext = PMU_EXT_SSCSRIND, .arg = 4, .guard = sireg_allowed,
	  .rule = RULE("sireg_access_on_legal_siselect") },
	{ CSR(PMU_CSR_VSISELECT), .ext = PMU_EXT_H, .any = SUPERVISOR_ANY,
	  CSR_WORD(vsiselect), .guard = siselect_allowed, .read = csr_rd_reg,
	  .write = csr_wr_reg, .kept = ~SELECT_BITS,
	  .rule = RULE("vsiselect_min_range") },
	{ CSR(PMU_CSR_VSIREG), .part = CSR_INDIRECT, .ext = PMU_EXT_H,
	  .any = SUPERVISOR_ANY, .arg = 1, .guard = vsireg_allowed,
	  .rule = RULE("vsireg_access_on_legal_vsiselect") },
	{ CSR_RUN(PMU_CSR_VSIREG2, 2), .part = CSR_INDIRECT,
	  .ext = PMU_EXT_SSCSRIND | PMU_EXT_H, .arg = 2,
	  .guard = vsireg_allowed,
	  .rule = RULE("vsireg_access_on_legal_vsiselect") },
	{ CSR_RUN(PMU_CSR_VSIREG4, 3), .part = CSR_INDIRECT,
	  .ext = PMU_EXT_SSCSRIND | PMU_EXT_H, .arg = 4,
	  .guard = vsireg_allowed,
	  .rule = RULE("vsireg_access_on_legal_vsiselect") },
	{ CSR(PMU_CSR_MISELECT), .any = MACHINE_ANY, CSR_WORD(miselect),
	  .read = csr_rd_reg, .write = csr_wr_reg, .kept = ~SELECT_BITS,
	  .rule = RULE("miselect_op") },
	{ CSR(PMU_CSR_MIREG), .part = CSR_INDIRECT, .any = MACHINE_ANY,
	  .arg = OF_M + 1, .guard = mireg_allowed,
	  .rule = RULE("mireg_access_on_legal_miselect") },
	{ CSR_RUN(PMU_CSR_MIREG2, 2), .part = CSR_INDIRECT,
	  .ext = PMU_EXT_SMCSRIND, .arg = OF_M + 2, .guard = mireg_allowed,
	  .rule = RULE("mireg_access_on_legal_miselect") },
	{ CSR_RUN(PMU_CSR_MIREG4, 3), .part = CSR_INDIRECT,
	  .ext = PMU_EXT_SMCSRIND, .arg = OF_M + 4, .guard = mireg_allowed,
	  .rule = RULE("mireg_access_on_legal_miselect") },
	{ .last = 0 }
};
