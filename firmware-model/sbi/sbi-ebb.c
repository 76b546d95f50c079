/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EBB, an experimental extension of our own: claims of counters for event-based
 * branches (docs/EBB.md), which M-mode must permit. A claimed counter is out of
 * the PMU extension's reach until it is released.
 */
#include <pmu/counter.h>
#include <pmu/ebb-unit.h>

#include "counters/fw-counters.h"
#include "sbi-extension.h"

enum {
	N_FIXED = 3, /* cycle, time, instret */
};

/* The SBI offers an extension to all harts or none: one that has it will do. */
static bool ebb_available(const struct fw *fw)
{
	bool some = false;

	for (unsigned i = 0; i < fw->n_harts; i++)
		some = some || fw_has(&fw->hart[i], PMU_EXT_XPMUEBB);
	return some && !fw->cfg.quirks.no_ebb;
}

/* The programmable counters that a call names, all of them there. */
static int64_t take_counters(const struct fw *fw, const struct sbi_call *call,
			     uint32_t *ret)
{
	const struct fw_hart *h = &fw->hart[call->hart];
	uint64_t base = call->arg[0], mask = call->arg[1], set;
	uint32_t there = pmu_counters(h->pmu) >> N_FIXED << N_FIXED;

	if (!mask)
		return REFUSE(fw, INVALID_PARAM, "the set is empty");
	if (base >= PMU_N_COUNTERS || mask >> (PMU_N_COUNTERS - base))
		return REFUSE(fw, INVALID_PARAM,
			      "the set from %d on goes beyond the hardware's "
			      "counters",
			      base);
	set = mask << base;
	if (set & ~there || !fw_has(h, PMU_EXT_XPMUEBB))
		return REFUSE(fw, INVALID_PARAM, "counter %d cannot be claimed",
			      (unsigned)__builtin_ctzll(
				      set & ~there ? set & ~there : set));
	*ret = (uint32_t)set;
	return SBI_SUCCESS;
}

/* Somebody has one of @set: this extension's user, or the PMU extension's. */
static int64_t refuse_busy(const struct fw *fw, const struct fw_hart *h,
			   uint32_t set)
{
	uint32_t claimed = set & pmu_ebb_permitted(h->pmu);
	uint32_t running =
		(uint32_t)ctr_mapped(h, set) & ~pmu_counter_inhibit(h->pmu);

	if (claimed)
		return REFUSE(fw, DENIED, "counter %d is claimed already",
			      (unsigned)__builtin_ctz(claimed));
	if (running)
		return REFUSE(fw, ALREADY_STARTED, "counter %d runs",
			      (unsigned)__builtin_ctz(running));
	return SBI_SUCCESS;
}

/* All of a set or nothing. They keep their events, and run. */
static struct sbi_ret claim(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	uint32_t set;
	int64_t err = take_counters(fw, call, &set);

	if (!err)
		err = refuse_busy(fw, h, set);
	if (err)
		return sbi_err(err);
	if (pmu_ebb_claim(h->pmu, set) < 0)
		return sbi_err(REFUSE(
			fw, DENIED, "counters %x: one is in use outside", set));
	ctr_give_away(h, set);
	return sbi_ok(set);
}

static struct sbi_ret release(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	uint32_t set, other;
	int64_t err = take_counters(fw, call, &set);

	if (err)
		return sbi_err(err);
	other = set & ~pmu_ebb_permitted(h->pmu);
	if (other)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "counter %d is not claimed",
				      (unsigned)__builtin_ctz(other)));
	pmu_ebb_release(h->pmu, set);
	ctr_take_back(fw, h, set);
	return sbi_ok(0);
}

static struct sbi_ret claimed(struct fw *fw, struct sbi_call *call)
{
	return sbi_ok(pmu_ebb_permitted(sbi_caller(fw, call)->pmu));
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(claim, SBI_V2) },
	[1] = { CALL(release, SBI_V2) },
	[2] = { CALL(claimed, SBI_V2) },
};

const struct sbi_ext sbi_ext_ebb = {
	.eid = SBI_EID_EBB,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
	.available = ebb_available,
};
