/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU function 7 and the page it registers. The page is touched by start and
 * stop with their snapshot flags only (C73), and only the entries of the set.
 */
#include "ctr-hart.h"

#include <pmu/page.h>

#include "ctr.h"

enum {
	BITMAP = 0,
	VALUES = 8
};

bool snapshot_available(const struct fw *fw)
{
	if (fw->cfg.snapshot == FW_SNAPSHOT_AUTO)
		return !fw->cfg.quirks.no_snapshot;
	return fw->cfg.snapshot == FW_SNAPSHOT_ON;
}

struct sbi_ret snapshot_set_shmem(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	uint64_t ones = sbi_xmask(h), paddr;

	if (call->arg[0] == ones && call->arg[1] == ones) {
		h->logical->page_on = false;
		return sbi_ok(0);
	}
	if (call->arg[0] % PMU_PAGE)
		return sbi_err(REFUSE(
			fw, INVALID_PARAM,
			"snapshot memory cannot be at %x, which begins no page",
			call->arg[0]));
	if (!sbi_paddr(fw, h, call->arg, &paddr) ||
	    !fw->machine.ops->mem_is_ram(fw->machine.host, paddr, PMU_PAGE))
		return sbi_err(REFUSE(fw, INVALID_ADDRESS,
				      "snapshot memory cannot be at %x, upper "
				      "half %x: no RAM",
				      call->arg[0], call->arg[1]));
	h->logical->page = paddr;
	h->logical->page_on = true;
	return sbi_ok(0);
}

bool snapshot_has_page(const struct fw_hart *h)
{
	return h->logical->page_on;
}

uint64_t snapshot_page(const struct fw_hart *h)
{
	return h->logical->page;
}

static bool load64(const struct fw *fw, uint64_t paddr, uint64_t *ret)
{
	uint8_t b[8];
	uint64_t v = 0;

	if (!fw->machine.ops->mem_read(fw->machine.host, paddr, b, sizeof(b)))
		return false;
	for (unsigned i = 0; i < sizeof(b); i++)
		v |= (uint64_t)b[i] << 8 * i;
	*ret = v;
	return true;
}

static bool store64(const struct fw *fw, uint64_t paddr, uint64_t value)
{
	uint8_t b[8];

	for (unsigned i = 0; i < sizeof(b); i++)
		b[i] = (uint8_t)(value >> 8 * i);
	return fw->machine.ops->mem_write(fw->machine.host, paddr, b,
					  sizeof(b));
}

bool snapshot_load(const struct fw *fw, const struct fw_hart *h, unsigned i,
		   uint64_t *ret)
{
	return load64(fw, h->logical->page + VALUES + 8 * i, ret);
}

bool snapshot_save(const struct fw *fw, const struct fw_hart *h, unsigned base,
		   uint64_t set)
{
	uint64_t overflown = 0;

	for (; set; set &= set - 1) {
		unsigned n = (unsigned)__builtin_ctzll(set), i = n - base;

		if (!store64(fw, h->logical->page + VALUES + 8 * i,
			     ctr_get(h, n)))
			return false;
		if (ctr_overflown(h, n))
			overflown |= UINT64_C(1) << i;
	}
	return store64(fw, h->logical->page + BITMAP, overflown);
}
