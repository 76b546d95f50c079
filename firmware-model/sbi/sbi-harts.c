/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the extensions remember of the harts, and which harts a call means: ids,
 * hart masks. A hart that is stopped belongs to the firmware and cannot be
 * named, as with the reference firmware.
 */
#include <stdlib.h>

#include "sbi-extension.h"

int sbi_harts_new(struct fw *fw)
{
	struct sbi_hart *harts = calloc(fw->n_harts, sizeof(*harts));

	if (!harts)
		return -FW_ENOMEM;
	for (unsigned i = 0; i < fw->n_harts; i++) {
		harts[i].hsm.state = HSM_STOPPED;
		fw->hart[i].sbi = &harts[i];
	}
	return 0;
}

void sbi_harts_free(struct fw *fw)
{
	free(fw->hart[0].sbi);
}

struct fw_piece sbi_hart_state(const struct fw *fw, unsigned hart)
{
	struct sbi_hart *h = fw->hart[hart].sbi;

	return (struct fw_piece){ .at = h, .size = sizeof(*h) };
}

void sbi_hart_forget(struct fw_hart *h)
{
	h->sbi->timer.armed = false;
	h->sbi->ipi.pending = false;
}

void sbi_hart_boot(struct fw_hart *h)
{
	sbi_hart_forget(h);
	h->sbi->fwft_locked = 0;
	h->sbi->hsm.state = HSM_STARTED;
}

enum hsm_state hsm_state(const struct fw_hart *h)
{
	return h->sbi->hsm.state;
}

static bool reachable(const struct fw_hart *h)
{
	return hsm_state(h) != HSM_STOPPED;
}

bool sbi_hart_by_id(const struct fw *fw, uint64_t id, unsigned *ret_index)
{
	if (fw->cfg.quirks.hart_id_32_bits)
		id = (uint32_t)id;
	for (unsigned i = 0; i < fw->n_harts; i++) {
		if (fw_hartid(&fw->hart[i]) != id)
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

/* The bit of a mask from @base on that is hart @id's; XLEN and above: none. */
static uint64_t bit_of(const struct fw *fw, uint64_t id, uint64_t base)
{
	if (fw->cfg.quirks.hart_id_32_bits)
		return (uint32_t)(id - base);
	return id < base ? UINT64_MAX : id - base;
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
		uint64_t bit = bit_of(fw, fw_hartid(&fw->hart[i]), base);

		if (bit >= fw_xlen(caller) || !(mask >> bit & 1) ||
		    !reachable(&fw->hart[i]))
			continue;
		mask &= ~(UINT64_C(1) << bit);
		set |= UINT64_C(1) << i;
	}
	if (mask)
		return REFUSE(fw, INVALID_PARAM,
			      "hart %d is not there, or stopped",
			      base + (unsigned)__builtin_ctzll(mask));
	*ret_set = set;
	return SBI_SUCCESS;
}
