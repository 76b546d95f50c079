/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hypervisor's own instructions: loads and stores as a guest would make
 * them (HLV, HLVX, HSV), and the fences of both translation stages. Here is
 * decided which one it is and whether the mode may execute it; reaching memory
 * is the caller's.
 */
#include "exec-raise.h"

#include <stddef.h>

#include "counter-state.h"
#include "hart-state.h"
#include "insn-encoding.h"

enum {
	FUNCT3_MEMORY = 4,
	ANY = 32,
};

/* rs2 of a load and rd of a store, always 0, are part of the code. */
static const struct memory_op {
	uint8_t funct7;
	uint8_t rs2; /* ANY: the register to store */
	uint8_t size;
	bool wide; /* with XLEN = 64 alone */
	bool sign, execute;
} memory_ops[] = {
	{ 0x30, 0, 1, false, true, false },    /* hlv.b */
	{ 0x30, 1, 1, false, false, false },   /* hlv.bu */
	{ 0x32, 0, 2, false, true, false },    /* hlv.h */
	{ 0x32, 1, 2, false, false, false },   /* hlv.hu */
	{ 0x32, 3, 2, false, false, true },    /* hlvx.hu */
	{ 0x34, 0, 4, false, true, false },    /* hlv.w */
	{ 0x34, 1, 4, true, false, false },    /* hlv.wu */
	{ 0x34, 3, 4, false, false, true },    /* hlvx.wu */
	{ 0x36, 0, 8, true, true, false },     /* hlv.d */
	{ 0x31, ANY, 1, false, false, false }, /* hsv.b */
	{ 0x33, ANY, 2, false, false, false }, /* hsv.h */
	{ 0x35, ANY, 4, false, false, false }, /* hsv.w */
	{ 0x37, ANY, 8, true, false, false },  /* hsv.d */
};

static bool is_store(const struct memory_op *op)
{
	return op->rs2 == ANY;
}

static bool matches(const struct memory_op *op, uint32_t insn, unsigned xlen)
{
	if (pmu_insn_funct7(insn) != op->funct7 || (op->wide && xlen == 32))
		return false;
	return is_store(op) ? pmu_insn_rd(insn) == 0
			    : pmu_insn_rs2(insn) == op->rs2;
}

/* NULL: no such instruction at this XLEN. */
static const struct memory_op *find_memory_op(uint32_t insn, unsigned xlen)
{
	for (size_t i = 0; i < sizeof(memory_ops) / sizeof(*memory_ops); i++)
		if (matches(&memory_ops[i], insn, xlen))
			return &memory_ops[i];
	return NULL;
}

/* From M and HS always, from U with HU; from a guest never. */
static void exec_memory(struct pmu_hart *h, const struct pmu_exec_in *in,
			struct pmu_exec_out *ret)
{
	const struct memory_op *op = find_memory_op(in->insn, h->cfg.xlen);

	if (!op || (h->mode == PMU_MODE_U && !(h->hstatus & HSTATUS_HU))) {
		exec_illegal(in, ret);
		return;
	}
	if (pmu_mode_is_guest(h->mode)) {
		exec_virtual(in, ret);
		return;
	}
	ret->kind = PMU_EXEC_ACCESS;
	ret->access = (struct pmu_exec_access){
		.vaddr = xlen_value(h, in->rs1),
		.value = is_store(op) ? in->rs2 : 0,
		.mode = h->hstatus & HSTATUS_SPVP ? PMU_MODE_VS : PMU_MODE_VU,
		.size = op->size,
		.store = is_store(op),
		.execute = op->execute,
		.sign = op->sign,
	};
	ret->rd = is_store(op) ? 0 : (uint8_t)pmu_insn_rd(in->insn);
}

/* TVM keeps HS-mode from the guests' physical memory alone. */
static void exec_hfence(struct pmu_hart *h, const struct pmu_exec_in *in,
			struct pmu_exec_out *ret)
{
	bool gvma = pmu_insn_funct7(in->insn) == PMU_FUNCT7_HFENCE_GVMA;

	if (pmu_mode_is_guest(h->mode)) {
		exec_virtual(in, ret);
		return;
	}
	if (h->mode == PMU_MODE_U ||
	    (gvma && h->mode == PMU_MODE_S && (h->mstatus & MSTATUS_TVM))) {
		exec_illegal(in, ret);
		return;
	}
	ret->effects |= counter_retire(h) | PMU_FX_TLB;
}

static bool is_hfence(uint32_t insn)
{
	return pmu_insn_is_fence(insn, PMU_FUNCT7_HFENCE_VVMA) ||
	       pmu_insn_is_fence(insn, PMU_FUNCT7_HFENCE_GVMA);
}

void exec_hypervisor(struct pmu_hart *h, const struct pmu_exec_in *in,
		     struct pmu_exec_out *ret)
{
	if (!has(h, PMU_EXT_H) || pmu_insn_opcode(in->insn) != OP_SYSTEM)
		exec_illegal(in, ret);
	else if (pmu_insn_funct3(in->insn) == FUNCT3_MEMORY)
		exec_memory(h, in, ret);
	else if (is_hfence(in->insn))
		exec_hfence(h, in, ret);
	else
		exec_illegal(in, ret);
}

/* The low @size bytes of @value, extended; as registers are kept on RV32. */
static uint64_t extend(const struct pmu_hart *h,
		       const struct pmu_exec_access *a, uint64_t value)
{
	unsigned spare = 64 - 8u * a->size;
	bool sign = a->sign || (h->cfg.xlen == 32 && a->size == 4);

	value <<= spare;
	return sign ? (uint64_t)((int64_t)value >> spare) : value >> spare;
}

void pmu_exec_accessed(struct pmu_hart *h, uint64_t loaded,
		       struct pmu_exec_out *out)
{
	const struct pmu_exec_access *a = &out->access;
	enum pmu_event event = a->store ? PMU_EV_STORES : PMU_EV_LOADS;

	out->kind = PMU_EXEC_RETIRED;
	out->effects |= overflow_effects(h, counter_count(h, event, 1));
	out->effects |= counter_retire(h);
	if (out->rd)
		out->rd_value = extend(h, a, loaded);
}
