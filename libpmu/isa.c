/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The extensions and what they depend on. What an extension does is decided
 * where its state is.
 */
#include <pmu/isa.h>

static const struct pmu_ext_desc exts[] = {
	{ PMU_EXT_M, 0, "m" },
	{ PMU_EXT_A, 0, "a" },
	{ PMU_EXT_F, 0, "f" },
	{ PMU_EXT_D, PMU_EXT_F, "d" },
	{ PMU_EXT_C, 0, "c" },
	{ PMU_EXT_S, PMU_EXT_U, "s" },
	{ PMU_EXT_U, 0, "u" },
	{ PMU_EXT_ZICNTR, 0, "zicntr" },
	{ PMU_EXT_ZIHPM, 0, "zihpm" },
	{ PMU_EXT_SSCOFPMF, PMU_EXT_ZIHPM, "sscofpmf" },
	{ PMU_EXT_SMCNTRPMF, 0, "smcntrpmf" },
	{ PMU_EXT_SSTC, PMU_EXT_S | PMU_EXT_ZICNTR, "sstc" },
	{ PMU_EXT_SVADU, PMU_EXT_S, "svadu" },
	{ PMU_EXT_SVADE, PMU_EXT_S, "svade" },
	{ PMU_EXT_H, PMU_EXT_S, "h" },
	/*
	 * With S-mode, Smcsrind and Sscsrind are two views of one thing, as
	 * are Smcdeleg and Ssccfg: neither is there without the other.
	 */
	{ PMU_EXT_SMCSRIND, PMU_EXT_SSCSRIND, "smcsrind" },
	{ PMU_EXT_SSCSRIND, PMU_EXT_S | PMU_EXT_SMCSRIND, "sscsrind" },
	{ PMU_EXT_SMCDELEG, PMU_EXT_SSCCFG | PMU_EXT_SSCSRIND, "smcdeleg" },
	{ PMU_EXT_SSCCFG, PMU_EXT_SMCDELEG | PMU_EXT_SSCSRIND, "ssccfg" },
	{ PMU_EXT_SMSTATEEN, 0, "smstateen" },
	/* So are Smaia and Ssaia, but the first needs no S-mode. */
	{ PMU_EXT_SMAIA, 0, "smaia", .needs_with_s = PMU_EXT_SSAIA },
	{ PMU_EXT_SSAIA, PMU_EXT_S | PMU_EXT_SMAIA, "ssaia" },
	{ PMU_EXT_SSCOUNTERENW, 0, "sscounterenw" },
	{ PMU_EXT_SHCOUNTERENW, PMU_EXT_H, "shcounterenw" },
	{ PMU_EXT_SHLCOFIDELEG, PMU_EXT_H | PMU_EXT_SSCOFPMF, "shlcofideleg" },
	{ PMU_EXT_XPMUEBB, PMU_EXT_U | PMU_EXT_SSCOFPMF, "xpmuebb" },
#ifdef PMU_MORE_EXT_ROWS
	PMU_MORE_EXT_ROWS
#endif
};

enum {
	N_EXTS = sizeof(exts) / sizeof(exts[0])
};

const struct pmu_ext_desc *pmu_ext_table(size_t *ret_n)
{
	*ret_n = N_EXTS;
	return exts;
}

static const struct pmu_ext_desc *by_bits(uint64_t bits)
{
	for (size_t i = 0; i < N_EXTS; i++)
		if (exts[i].ext & bits)
			return &exts[i];
	return NULL;
}

/* What @d lacks among @ext. */
static uint64_t lacks(const struct pmu_ext_desc *d, uint64_t ext)
{
	uint64_t needs = d->needs;

	if (ext & PMU_EXT_S)
		needs |= d->needs_with_s;
	return needs & ~ext;
}

/* The first that lacks something, NULL when all have what they need. */
static const struct pmu_ext_desc *incomplete(uint64_t ext)
{
	for (size_t i = 0; i < N_EXTS; i++)
		if (ext & exts[i].ext && lacks(&exts[i], ext))
			return &exts[i];
	return NULL;
}

static bool all_known(uint64_t ext)
{
	for (size_t i = 0; i < N_EXTS; i++)
		ext &= ~exts[i].ext;
	return ext == 0;
}

bool pmu_ext_check(uint64_t ext, const struct pmu_ext_desc **ret_ext,
		   const struct pmu_ext_desc **ret_missing)
{
	const struct pmu_ext_desc *d = incomplete(ext);

	if (ret_ext)
		*ret_ext = d;
	if (ret_missing)
		*ret_missing = d ? by_bits(lacks(d, ext)) : NULL;
	return !d && all_known(ext);
}
