/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which event numbers mean something, per profile and version of SBI.
 */
#include "event-number.h"

#include <pmu/counter.h>

static bool general_exists(const struct fw *fw, uint32_t code, uint64_t data)
{
	return !code || fw_event_is_defined(code);
}

static bool cache_exists(const struct fw *fw, uint32_t code, uint64_t data)
{
	return fw_event_is_defined(FW_EVENT_CACHE | code);
}

static bool raw_exists(const struct fw *fw, uint32_t code, uint64_t data)
{
	return code == 0;
}

static bool firmware_exists(const struct fw *fw, uint32_t code, uint64_t data)
{
	const struct fw_platform_ops *p = fw->cfg.platform;
	const struct fw_event_desc *event = fw_event_by_code(code);

	if (code == (FW_EVENT_PLATFORM & 0xffff))
		return p && p->has_platform_event &&
		       p->has_platform_event(p->platform, data);
	/* The reference has none of its own (C19). */
	return event && event->since <= fw->cfg.spec_version &&
	       (code < FW_N_STANDARD || !fw->cfg.quirks.no_own_events);
}

static const struct event_type {
	bool (*exists)(const struct fw *fw, uint32_t code, uint64_t data);
	uint64_t data;	/* bits of event_data that mean something */
	uint32_t since; /* a version of SBI; 0: the extension's first */
} event_types[16] = {
	[0] = { general_exists, 0, 0 },
	[1] = { cache_exists, 0, 0 },
	[2] = { raw_exists, RAW_SELECTOR, 0 },
	[3] = { raw_exists, PMU_EVENT_SELECTOR, FW_SBI_3_0 },
	[15] = { firmware_exists, 0, 0 },
};

/* The bits of event_data that matter; the others of raw events are ignored. */
static uint64_t data_mask(const struct fw_hart *h, uint32_t idx)
{
	uint64_t mask = event_types[idx >> 16].data;

	if (idx == FW_EVENT_PLATFORM)
		return UINT64_MAX;
	/* RV32 has no mhpmeventh without Sscofpmf (C195). */
	if (fw_xlen(h) == 32 && !fw_has(h, PMU_EXT_SSCOFPMF))
		mask &= UINT32_MAX;
	return mask;
}

static int64_t number(const struct fw *fw, uint64_t event_idx,
		      uint64_t event_data)
{
	uint32_t idx = event_idx & FW_EVENT_BITS;
	const struct event_type *type = &event_types[idx >> 16];

	if (type->exists && type->since <= fw->cfg.spec_version &&
	    type->exists(fw, idx & 0xffff, event_data))
		return SBI_SUCCESS;
	return sbi_refuse(fw,
			  fw->cfg.quirks.no_event_invalid
				  ? SBI_ERR_INVALID_PARAM
				  : SBI_ERR_NOT_SUPPORTED,
			  (struct fw_refusal){ "there is no event %x", idx });
}

int64_t event_exists(const struct fw *fw, uint64_t event_idx,
		     uint64_t event_data, struct event *ret)
{
	int64_t err = number(fw, event_idx, event_data);

	if (!err)
		ret->idx = event_idx & FW_EVENT_BITS;
	return err;
}

int64_t event_decode(const struct fw *fw, const struct fw_hart *h,
		     uint64_t event_idx, uint64_t event_data, struct event *ret)
{
	uint32_t idx = event_idx & FW_EVENT_BITS;
	int64_t err = number(fw, event_idx, event_data);
	uint64_t mask;

	if (err)
		return err;
	if (event_idx >> 20 &&
	    !(fw->cfg.quirks.event_bits_ignored && event_is_firmware(idx)))
		return REFUSE(fw, NOT_SUPPORTED,
			      "event %x has bits above its twenty", event_idx);
	if (idx == 0)
		return REFUSE(fw, NOT_SUPPORTED, "event 0 is no event");
	mask = data_mask(h, idx);
	if (!mask && event_data && !fw->cfg.quirks.event_data_ignored)
		return REFUSE(fw, NOT_SUPPORTED,
			      "event %x has no event_data, here %x", idx,
			      event_data);
	ret->idx = idx;
	ret->data = event_data & mask;
	return SBI_SUCCESS;
}
