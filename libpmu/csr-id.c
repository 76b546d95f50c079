/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs that tell what a hart is (misa, mvendorid and their like), and those
 * that tell that it has no triggers.
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

static uint64_t rd_misa(const struct pmu_hart *h, const struct csr_ref *ref)
{
	static const struct {
		uint64_t ext;
		char letter;
	} letters[] = {
		{ 0, 'I' },	    { PMU_EXT_M, 'M' }, { PMU_EXT_A, 'A' },
		{ PMU_EXT_F, 'F' }, { PMU_EXT_D, 'D' }, { PMU_EXT_C, 'C' },
		{ PMU_EXT_S, 'S' }, { PMU_EXT_U, 'U' }, { PMU_EXT_H, 'H' },
	};
	uint64_t misa =
		h->cfg.xlen == 32 ? UINT64_C(1) << 30 : UINT64_C(2) << 62;

	for (unsigned i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (has(h, letters[i].ext))
			misa |= UINT64_C(1) << (letters[i].letter - 'A');
	return misa;
}

const struct csr_desc csr_id_table[] = {
	{ CSR(PMU_CSR_MISA), .read = rd_misa, .rule = RULE("misa_sz") },
	{ CSR_RUN(PMU_CSR_TSELECT, 4), .read = csr_rd_zero },
	{ CSR(PMU_CSR_MVENDORID), CSR_WORD(cfg.mvendorid), .read = csr_rd_reg,
	  .rule = RULE("mvendorid_sz_acc_op") },
	{ CSR(PMU_CSR_MARCHID), CSR_WORD(cfg.marchid), .read = csr_rd_reg,
	  .rule = RULE("marchid_sz_acc_op") },
	{ CSR(PMU_CSR_MIMPID), CSR_WORD(cfg.mimpid), .read = csr_rd_reg,
	  .rule = RULE("mimpid_op") },
	{ CSR(PMU_CSR_MHARTID), CSR_WORD(cfg.hartid), .read = csr_rd_reg32,
	  .rule = RULE("mhartid_sz_acc_op") },
	{ CSR(PMU_CSR_MCONFIGPTR), .read = csr_rd_zero,
	  .rule = RULE("mconfigptr_sz_acc") },
	{ .last = 0 }
};
