/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls of SBI 0.1: one EID each, the answer in a0 alone. They do and count
 * what their replacements do (C95). Hart masks are read from guest virtual
 * memory; a fault there is the guest's, at its ecall.
 */
#include <pmu/translate.h>

#include "sbi-extension.h"

static struct sbi_ret set_timer(struct fw *fw, struct sbi_call *call)
{
	time_set(fw, call, call->arg[0]);
	return sbi_ok(0);
}

static struct sbi_ret getchar_(struct fw *fw, struct sbi_call *call)
{
	uint8_t byte;

	if (!fw->machine.ops->console_read(fw->machine.host, &byte, 1))
		return sbi_legacy(-1);
	return sbi_legacy(byte);
}

static struct sbi_ret clear_ipi(struct fw *fw, struct sbi_call *call)
{
	struct fw_hart *h = sbi_caller(fw, call);
	bool was = pmu_irq_pending(h->pmu, call->now) >> PMU_IRQ_SSI & 1;

	pmu_irq_soft(h->pmu, PMU_IRQ_SSI, false);
	return sbi_legacy(was && !fw->cfg.quirks.clear_ipi_0 ? 1 : 0);
}

static bool pte_read(void *mem, uint64_t paddr, unsigned size, uint64_t *ret)
{
	const struct fw *fw = mem;
	uint8_t bytes[8];

	if (size > sizeof(bytes) ||
	    !fw->machine.ops->mem_read(fw->machine.host, paddr, bytes, size))
		return false;
	*ret = 0;
	for (unsigned i = 0; i < size; i++)
		*ret |= (uint64_t)bytes[i] << 8 * i;
	return true;
}

static bool pte_write(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	const struct fw *fw = mem;
	uint8_t bytes[8];

	if (size > sizeof(bytes))
		return false;
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	return fw->machine.ops->mem_write(fw->machine.host, paddr, bytes, size);
}

/* A byte as S-mode would load it; on a fault the call is marked. */
static bool load_byte(struct fw *fw, struct sbi_call *call, uint64_t vaddr,
		      uint8_t *ret)
{
	struct pmu_pte_ops ptes = { pte_read, pte_write, fw };
	struct pmu_walk walk = { .vaddr = vaddr,
				 .access = PMU_ACCESS_LOAD,
				 .executes = true };
	struct pmu_mapping at;
	struct pmu_fault fault;

	if (!pmu_translate(sbi_caller(fw, call)->pmu, &walk, &ptes, &at,
			   &fault))
		goto fault;
	fault.cause = PMU_CAUSE_LOAD_ACCESS;
	if (fw->machine.ops->mem_read(fw->machine.host, at.paddr, ret, 1))
		return true;
fault:
	call->faulted = true;
	call->fault = (struct pmu_trap){ .cause = fault.cause, .tval = vaddr };
	return false;
}

/* A mask of hart ids, in words; the reference has one of them. */
static bool load_mask(struct fw *fw, struct sbi_call *call, uint64_t *ret)
{
	const struct fw_hart *h = sbi_caller(fw, call);
	unsigned word = fw_xlen(h) / 8;
	unsigned len = (fw->n_harts + fw_xlen(h) - 1) / fw_xlen(h) * word;
	uint8_t byte;

	if (fw->cfg.quirks.legacy_mask_checked)
		len = word;
	*ret = 0;
	for (unsigned i = 0; i < len; i++) {
		if (!load_byte(fw, call, (call->arg[0] + i) & sbi_xmask(h),
			       &byte))
			return false;
		*ret |= (uint64_t)byte << 8 * i;
	}
	return true;
}

/* Those harts of @ids that can be reached. */
static uint64_t reachable(const struct fw *fw, uint64_t ids)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < fw->n_harts; i++) {
		uint64_t id = fw_hartid(&fw->hart[i]);

		if (id < 64 && ids >> id & 1)
			set |= UINT64_C(1) << i;
	}
	return set & sbi_hart_all(fw);
}

/*
 * The harts that a legacy mask means; NULL is all. 0, or what refuses it; where
 * it cannot be read the call is marked.
 */
static int64_t targets(struct fw *fw, struct sbi_call *call, uint64_t *ret_set)
{
	uint64_t ids;

	*ret_set = 0;
	if (!call->arg[0]) {
		*ret_set = sbi_hart_all(fw);
		return SBI_SUCCESS;
	}
	if (!load_mask(fw, call, &ids))
		return SBI_SUCCESS;
	if (fw->cfg.quirks.legacy_mask_checked)
		return sbi_hart_set(fw, call, ids, 0, ret_set);
	*ret_set = reachable(fw, ids);
	return SBI_SUCCESS;
}

static struct sbi_ret send(struct fw *fw, struct sbi_call *call)
{
	uint64_t set;
	int64_t err = targets(fw, call, &set);

	if (!err && !call->faulted)
		ipi_send(fw, call->hart, set);
	return sbi_legacy(err);
}

static struct sbi_ret fence(struct fw *fw, struct sbi_call *call)
{
	enum fw_fence_kind kind = (enum fw_fence_kind)call->kind;
	uint64_t set;
	int64_t err = targets(fw, call, &set);

	if (err)
		rfence_refused(fw, call->hart, kind);
	else if (!call->faulted)
		rfence_send(fw, call->hart, set, kind);
	return sbi_legacy(err);
}

static struct sbi_ret shutdown(struct fw *fw, struct sbi_call *call)
{
	static const struct fw_reset off = { .type = 0, .reason = 0 };

	fw->machine.ops->reset(fw->machine.host, &off);
	call->outcome = FW_GONE;
	return sbi_ok(0);
}

static const struct sbi_func funcs[] = {
	[0] = { CALL(set_timer, SBI_V01), WIDE(0) },
	[1] = { CALL(sbi_console_byte, SBI_V01) },
	[2] = { CALL(getchar_, SBI_V01) },
	[3] = { CALL(clear_ipi, SBI_V01) },
	[4] = { CALL(send, SBI_V01) },
	[5] = { CALL(fence, SBI_V01), KIND(FW_FENCE_I) },
	[6] = { CALL(fence, SBI_V01), KIND(FW_SFENCE_VMA) },
	[7] = { CALL(fence, SBI_V01), KIND(FW_SFENCE_VMA_ASID) },
	[8] = { CALL(shutdown, SBI_V01) },
};

const struct sbi_ext sbi_ext_legacy = {
	.eid = 0,
	.legacy = true,
	.n = sizeof(funcs) / sizeof(*funcs),
	.funcs = funcs,
};
