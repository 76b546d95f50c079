/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which harts a call means: ids, hart masks. A hart that is stopped belongs to
 * the firmware and cannot be named, as with the reference firmware.
 */
#include "sbi/sbi-call.h"

static bool reachable(const struct fw_hart *h)
{
	return h->hsm != HSM_STOPPED;
}

bool sbi_hart_by_id(const struct fw *fw, uint64_t id, unsigned *ret_index)
{
	for (unsigned i = 0; i < fw->n_harts; i++) {
		if (pmu_hart_config(fw->hart[i].pmu)->hartid != id)
			continue;
		*ret_index = i;
		return true;
	}
	return false;
}

uint64_t sbi_hart_all(const struct fw *fw)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < fw->n_harts; i++)
		if (reachable(&fw->hart[i]))
			set |= UINT64_C(1) << i;
	return set;
}

int64_t sbi_hart_set(const struct fw *fw, const struct sbi_call *call,
		     uint64_t mask, uint64_t base, uint64_t *ret_set)
{
	const struct fw_hart *caller = &fw->hart[call->hart];
	uint64_t set = 0;

	if (base == sbi_xmask(caller)) {
		*ret_set = sbi_hart_all(fw);
		return SBI_SUCCESS;
	}
	for (unsigned i = 0; i < fw->n_harts; i++) {
		uint64_t id = pmu_hart_config(fw->hart[i].pmu)->hartid;

		if (id < base || id - base >= fw_xlen(caller) ||
		    !(mask >> (id - base) & 1) || !reachable(&fw->hart[i]))
			continue;
		mask &= ~(UINT64_C(1) << (id - base));
		set |= UINT64_C(1) << i;
	}
	if (mask)
		return REFUSE(fw, INVALID_PARAM,
			      "hart %d is not there, or stopped",
			      base + (unsigned)__builtin_ctzll(mask));
	*ret_set = set;
	return SBI_SUCCESS;
}
