/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FWFT: features of the hart that S-mode may ask the firmware to switch. All
 * that are defined are local. A feature's value has one csr_of, the CSR behind
 * it; the firmware remembers its lock only. The boot gives both their reset
 * values, suspending keeps them.
 */
#include <pmu/csr.h>

#include "sbi-extension.h"

enum {
	SET_LOCK = 1 << 0,
};
#define BIT(n) (UINT64_C(1) << (n))

/* By feature number: where it is and what it needs. No CSR: not modelled. */
static const struct feature {
	uint16_t csr, csrh; /* csrh: on RV32 has the upper half */
	uint64_t bits;
	uint64_t ext;
} features[] = {
	/* MISALIGNED_EXC_DELEG */
	[0] = { PMU_CSR_MEDELEG, 0,
		BIT(PMU_CAUSE_LOAD_MISALIGNED) |
			BIT(PMU_CAUSE_STORE_MISALIGNED),
		PMU_EXT_S },
	[1] = { 0 }, /* LANDING_PAD: Zicfilp */
	[2] = { 0 }, /* SHADOW_STACK: Zicfiss */
	[3] = { 0 }, /* DOUBLE_TRAP: Ssdbltrp */
	/* PTE_AD_HW_UPDATING: menvcfg.ADUE */
	[4] = { PMU_CSR_MENVCFG, PMU_CSR_MENVCFGH, BIT(61), PMU_EXT_SVADU },
	[5] = { 0 }, /* POINTER_MASKING_PMLEN: Smnpm */
};
enum {
	N_FEATURES = sizeof(features) / sizeof(*features)
};

/* Numbers are 32 bits; one that is nobody's is denied, not unsupported. */
static int64_t find(const struct fw *fw, const struct fw_hart *h, uint64_t arg,
		    uint32_t *ret)
{
	uint32_t n = (uint32_t)arg;

	if (n >= N_FEATURES)
		return REFUSE(fw, DENIED, "feature %x is nobody's", n);
	if (!features[n].csr || !fw_has(h, features[n].ext))
		return REFUSE(fw, NOT_SUPPORTED, "this hart has no feature %d",
			      n);
	*ret = n;
	return SBI_SUCCESS;
}

/* The CSR that holds the bits of @f on this hart, and which they are there. */
static uint16_t csr_of(const struct fw_hart *h, const struct feature *f,
		       uint64_t *ret_bits)
{
	bool high = fw_xlen(h) == 32 && f->csrh;

	*ret_bits = high ? f->bits >> 32 : f->bits;
	return high ? f->csrh : f->csr;
}

static void apply(struct fw *fw, const struct sbi_call *call,
		  const struct feature *f, bool on)
{
	struct fw_hart *h = &fw->hart[call->hart];
	unsigned effects = 0;
	uint64_t bits, value = 0;
	uint16_t csr = csr_of(h, f, &bits);

	pmu_csr_peek(h->pmu, csr, call->now, &value);
	value = on ? value | bits : value & ~bits;
	pmu_csr_poke(h->pmu, csr, call->now, value, &effects);
	if (effects & PMU_FX_TLB)
		fw->machine.ops->fence(fw->machine.host, call->hart,
				       FW_SFENCE_VMA);
}

static uint64_t value_of(const struct fw_hart *h, const struct feature *f,
			 uint64_t now)
{
	uint64_t bits, value = 0;

	pmu_csr_peek(h->pmu, csr_of(h, f, &bits), now, &value);
	return (value & bits) != 0;
}

/*
 * May a locked feature be set to @value? To what it is, says SBI; the reference
 * and its tests refuse that, too.
 */
static bool lock_allows(const struct fw *fw, uint64_t value, uint64_t is)
{
	return !fw->cfg.quirks.fwft_locked_same && value == is;
}

static struct sbi_ret set(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	uint64_t value = call->arg[1], flags = call->arg[2];
	uint32_t n;
	int64_t err = find(fw, h, call->arg[0], &n);

	if (err)
		return sbi_err(err);
	if (flags & ~(uint64_t)SET_LOCK)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "flags %x: only 1 is defined", flags));
	if (h->sbi->fwft_locked >> n & 1 &&
	    !lock_allows(fw, value, value_of(h, &features[n], call->now)))
		return sbi_err(
			REFUSE(fw, DENIED_LOCKED, "feature %d is locked", n));
	if (value > 1)
		return sbi_err(REFUSE(fw, INVALID_PARAM,
				      "feature %d is 0 or 1, not %x", n,
				      value));
	apply(fw, call, &features[n], value);
	if (flags & SET_LOCK)
		h->sbi->fwft_locked |= UINT32_C(1) << n;
	return sbi_ok(0);
}

static struct sbi_ret get(struct fw *fw, struct sbi_call *call)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	uint32_t n;
	int64_t err = find(fw, h, call->arg[0], &n);

	if (err)
		return sbi_err(err);
	return sbi_ok(value_of(h, &features[n], call->now));
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(set, SBI_V3) },
	[1] = { CALL(get, SBI_V3) },
};

const struct sbi_ext sbi_ext_fwft = {
	.eid = SBI_EID_FWFT,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
