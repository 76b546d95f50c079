/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU function 8: which events of a list could be counted on this hart with
 * every counter free (C86). Everything is checked before the first entry is
 * written (C89).
 */
#include "event-info.h"

#include "ctr-map.h"

enum {
	ENTRY = 16,
	OUTPUT = 4,
	CHUNK = 64
};

struct list {
	uint64_t paddr, n;
};

static uint64_t get(const uint8_t *b, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)b[i] << 8 * i;
	return v;
}

static bool countable(const struct fw *fw, const struct fw_hart *h,
		      const uint8_t *entry)
{
	struct ctr_want want = { .set = h->valid, .anyhow = true };
	uint32_t idx = (uint32_t)get(entry, 4);
	uint64_t select, data = get(entry + 8, 8);

	/* event_data is there for raw and platform events only (C87). */
	if (!event_is_raw(idx) && idx != EVENT_PLATFORM)
		data = 0;
	/* The reference has no check of the upper bits (C83). */
	if (idx >> 20 || event_decode(fw, h, idx, data, &want.event))
		return false;
	return ctr_map_find(fw, h, &want, &select) >= 0;
}

/* Does what @visit says with every entry, in order. */
static bool walk(const struct fw *fw, const struct fw_hart *h,
		 const struct list *list,
		 int64_t (*visit)(const struct fw *fw, const struct fw_hart *h,
				  uint64_t paddr, const uint8_t *entry),
		 int64_t *ret_error)
{
	uint8_t buf[CHUNK * ENTRY];

	for (uint64_t i = 0; i < list->n; i += CHUNK) {
		uint64_t left = list->n - i, at = list->paddr + i * ENTRY;
		size_t n = left < CHUNK ? (size_t)left : CHUNK;

		if (!fw->machine.ops->mem_read(fw->machine.host, at, buf,
					       n * ENTRY))
			return false;
		for (size_t k = 0; k < n; k++) {
			*ret_error =
				visit(fw, h, at + k * ENTRY, buf + k * ENTRY);
			if (*ret_error)
				return true;
		}
	}
	return true;
}

static int64_t check(const struct fw *fw, const struct fw_hart *h,
		     uint64_t paddr, const uint8_t *entry)
{
	if (get(entry, 4) >> 20 && !fw_is_opensbi(fw))
		return SBI_ERR_INVALID_PARAM;
	return SBI_SUCCESS;
}

static int64_t answer(const struct fw *fw, const struct fw_hart *h,
		      uint64_t paddr, const uint8_t *entry)
{
	const uint8_t output[4] = { countable(fw, h, entry) };

	if (!fw->machine.ops->mem_write(fw->machine.host, paddr + OUTPUT,
					output, sizeof(output)))
		return SBI_ERR_FAILED;
	return SBI_SUCCESS;
}

struct sbi_ret event_get_info(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	struct list list = { .n = call->arg[2] };
	int64_t err = SBI_SUCCESS;

	if (call->arg[0] % ENTRY || !list.n)
		return sbi_err(SBI_ERR_INVALID_PARAM);
	if (!sbi_paddr(fw, h, call->arg, &list.paddr) ||
	    list.n > UINT64_MAX / ENTRY ||
	    !fw->machine.ops->mem_is_ram(fw->machine.host, list.paddr,
					 list.n * ENTRY))
		return sbi_err(SBI_ERR_INVALID_ADDRESS);
	if (!walk(fw, h, &list, check, &err))
		return sbi_err(SBI_ERR_INVALID_ADDRESS);
	if (err)
		return sbi_err(err);
	if (!walk(fw, h, &list, answer, &err))
		return sbi_err(SBI_ERR_FAILED);
	return sbi_err(err);
}
