/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs that tell what a hart is (misa, mvendorid and their like), and those
 * that tell that something is missing: PMP entries, triggers.
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

/* clang-format off */
#define TEN(p, t)                                                              \
	p t "0", p t "1", p t "2", p t "3", p t "4", p t "5", p t "6",         \
	p t "7", p t "8", p t "9"
#define PMPCFG_NAMES                                                           \
	((const char *const[]){ TEN("pmpcfg", ""), "pmpcfg10", "pmpcfg11",     \
	 "pmpcfg12", "pmpcfg13", "pmpcfg14", "pmpcfg15" })
#define PMPADDR_NAMES                                                          \
	((const char *const[]){ TEN("pmpaddr", ""), TEN("pmpaddr", "1"),       \
	 TEN("pmpaddr", "2"), TEN("pmpaddr", "3"), TEN("pmpaddr", "4"),        \
	 TEN("pmpaddr", "5"), "pmpaddr60", "pmpaddr61", "pmpaddr62",           \
	 "pmpaddr63" })
#define TRIGGER_NAMES                                                          \
	((const char *const[]){ "tselect", "tdata1", "tdata2", "tdata3" })
/* clang-format on */

const struct csr_desc csr_id_table[] = {
	{ CSR(PMU_CSR_MISA, "misa"), .read = rd_misa, .rule = RULE("misa_sz") },
	{ CSR_RUN(PMU_CSR_PMPCFG0, PMPCFG_NAMES), .part = CSR_EVEN,
	  .read = csr_rd_zero, .rule = RULE("pmp_entry_count") },
	{ CSR_RUN(PMU_CSR_PMPADDR0, PMPADDR_NAMES), .read = csr_rd_zero,
	  .rule = RULE("pmp_entry_count") },
	{ CSR_RUN(PMU_CSR_TSELECT, TRIGGER_NAMES), .read = csr_rd_zero },
	{ CSR(PMU_CSR_MVENDORID, "mvendorid"), CSR_WORD(cfg.mvendorid),
	  .read = csr_rd_reg, .rule = RULE("mvendorid_sz_acc_op") },
	{ CSR(PMU_CSR_MARCHID, "marchid"), CSR_WORD(cfg.marchid),
	  .read = csr_rd_reg, .rule = RULE("marchid_sz_acc_op") },
	{ CSR(PMU_CSR_MIMPID, "mimpid"), CSR_WORD(cfg.mimpid),
	  .read = csr_rd_reg, .rule = RULE("mimpid_op") },
	{ CSR(PMU_CSR_MHARTID, "mhartid"), CSR_WORD(cfg.hartid),
	  .read = csr_rd_reg32, .rule = RULE("mhartid_sz_acc_op") },
	{ CSR(PMU_CSR_MCONFIGPTR, "mconfigptr"), .read = csr_rd_zero,
	  .rule = RULE("mconfigptr_sz_acc") },
	{ .names = NULL }
};
