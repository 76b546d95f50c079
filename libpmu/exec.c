/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One intercepted instruction: which one it is, whether it is legal in the
 * present mode, what it does. CSR accesses are handed to csr.c, which orders
 * read, count and write; here stay fcsr (whose value is the engine's), xRET,
 * WFI, SFENCE.VMA and the exceptions. Entering a trap is left to the caller.
 */
#include "exec-raise.h"

#include <stddef.h>

#include <pmu/fcsr.h>

#include "counter-state.h"
#include "csr-execute.h"
#include "csr-reach.h"
#include "hart-state.h"
#include "insn-encoding.h"

static void raise_exception(const struct pmu_exec_in *in, enum pmu_cause cause,
			    uint64_t tval, struct pmu_exec_out *ret)
{
	ret->kind = PMU_EXEC_TRAP;
	ret->effects = 0;
	ret->trap = (struct pmu_trap){
		.cause = (uint8_t)cause,
		.pc = in->pc,
		.tval = tval,
	};
}

void exec_illegal(const struct pmu_exec_in *in, struct pmu_exec_out *ret)
{
	raise_exception(in, PMU_CAUSE_ILLEGAL, in->insn, ret);
}

void exec_virtual(const struct pmu_exec_in *in, struct pmu_exec_out *ret)
{
	raise_exception(in, PMU_CAUSE_VIRTUAL, in->insn, ret);
}

/* Raises what @verdict says. True: the instruction is not executed. */
static bool refused(enum pmu_csr_result verdict, const struct pmu_exec_in *in,
		    struct pmu_exec_out *ret)
{
	switch (verdict) {
	case PMU_CSR_OK:
		break;
	case PMU_CSR_ILLEGAL:
		exec_illegal(in, ret);
		break;
	case PMU_CSR_VIRTUAL:
		exec_virtual(in, ret);
		break;
	}
	return verdict != PMU_CSR_OK;
}

/*
 * fcsr and its two parts, whose access csr.c has found legal and counted.
 * Returns the old value of the CSR. A write makes FS Dirty: it is already, for
 * it has no other state but Off.
 */
static uint64_t access_fcsr(const struct pmu_csr_req *req,
			    const struct pmu_exec_in *in,
			    struct pmu_exec_out *ret)
{
	uint32_t old = pmu_fcsr_read(in->fcsr, req->num);

	ret->effects &= ~(unsigned)PMU_FX_FCSR;
	if (!req->write)
		return old;
	ret->effects |= PMU_FX_FCSR;
	ret->fcsr = pmu_fcsr_write(in->fcsr, req->num, csr_combine(req, old));
	return old;
}

static void give_old(const struct pmu_hart *h, const struct pmu_exec_in *in,
		     uint64_t old, struct pmu_exec_out *ret)
{
	ret->rd = (uint8_t)pmu_insn_rd(in->insn);
	ret->rd_value =
		h->cfg.xlen == 32 ? (uint64_t)(int64_t)(int32_t)old : old;
}

static void exec_csr(struct pmu_hart *h, const struct pmu_exec_in *in,
		     struct pmu_exec_out *ret)
{
	struct pmu_csr_req req;
	uint64_t old = 0;

	exec_csr_request(h, in, &req);
	if (refused(csr_execute(h, &req, &old, &ret->effects), in, ret))
		return;
	if (pmu_is_fcsr(req.num))
		old = access_fcsr(&req, in, ret);
	if (req.read)
		give_old(h, in, old, ret);
}

/* Both xRET: to @mode at @epc. */
static void return_to(struct pmu_hart *h, enum pmu_mode mode, uint64_t epc,
		      struct pmu_exec_out *ret)
{
	bool fp = pmu_fp_on(h);

	ret->effects |= PMU_FX_IRQ;
	if (mode != h->mode)
		ret->effects |= PMU_FX_MODE | PMU_FX_COUNT;
	/* MPRV goes, or stays with another MPP: data has another mode. */
	if (h->mstatus & MSTATUS_MPRV)
		ret->effects |= PMU_FX_TLB;
	if (mode != PMU_MODE_M)
		h->mstatus &= ~MSTATUS_MPRV;
	h->mode = mode;
	if (pmu_fp_on(h) != fp)
		ret->effects |= PMU_FX_FS;
	ret->next_pc = epc;
}

/* The mode of a nominal privilege, as MPP and SPP number it. */
static enum pmu_mode mode_of(unsigned nominal, bool virtual)
{
	static const enum pmu_mode modes[2][4] = {
		{ PMU_MODE_U, PMU_MODE_S, PMU_MODE_M, PMU_MODE_M },
		{ PMU_MODE_VU, PMU_MODE_VS, PMU_MODE_M, PMU_MODE_M },
	};

	return modes[virtual][nominal];
}

static void exec_mret(struct pmu_hart *h, const struct pmu_exec_in *in,
		      struct pmu_exec_out *ret)
{
	uint64_t status = h->mstatus;
	enum pmu_mode mode =
		mode_of((unsigned)(status >> 11 & 3), status & MSTATUS_MPV);

	if (h->mode != PMU_MODE_M) {
		exec_illegal(in, ret);
		return;
	}
	ret->effects |= counter_retire(h);
	h->mstatus = (status & ~(MSTATUS_MIE | MSTATUS_MPP | MSTATUS_MPV)) |
		     MSTATUS_MPIE;
	if (status & MSTATUS_MPIE)
		h->mstatus |= MSTATUS_MIE;
	if (!has(h, PMU_EXT_U))
		h->mstatus |= MSTATUS_MPP;
	return_to(h, mode, h->mepc, ret);
}

/*
 * May the mode execute an instruction of S-mode (SRET, SFENCE.VMA)? S-mode
 * unless @trap of mstatus is set, VS-mode unless @guest_trap of hstatus is.
 */
static enum pmu_csr_result supervisor_may(const struct pmu_hart *h,
					  uint64_t trap, uint64_t guest_trap)
{
	bool ok = false;

	switch (h->mode) {
	case PMU_MODE_M:
		ok = has(h, PMU_EXT_S);
		break;
	case PMU_MODE_S:
		ok = !(h->mstatus & trap);
		break;
	case PMU_MODE_VS:
		ok = !(h->hstatus & guest_trap);
		break;
	case PMU_MODE_U:
	case PMU_MODE_VU:
	case PMU_N_MODES:
		break;
	}
	if (ok)
		return PMU_CSR_OK;
	return pmu_mode_is_guest(h->mode) ? PMU_CSR_VIRTUAL : PMU_CSR_ILLEGAL;
}

/* sstatus or vsstatus after SRET. */
static uint64_t pop_status(uint64_t status)
{
	uint64_t ret = (status & ~(MSTATUS_SIE | MSTATUS_SPP)) | MSTATUS_SPIE;

	return status & MSTATUS_SPIE ? ret | MSTATUS_SIE : ret;
}

/* V = 0: back to where SPV and SPP say, a guest perhaps. */
static void sret_from_hs(struct pmu_hart *h, struct pmu_exec_out *ret)
{
	enum pmu_mode mode = mode_of(h->mstatus & MSTATUS_SPP ? 1 : 0,
				     h->hstatus & HSTATUS_SPV);

	h->hstatus &= ~HSTATUS_SPV;
	h->mstatus = pop_status(h->mstatus);
	return_to(h, mode, h->sepc, ret);
}

/* V = 1: the guest stays the guest. */
static void sret_from_vs(struct pmu_hart *h, struct pmu_exec_out *ret)
{
	enum pmu_mode mode = mode_of(h->vsstatus & MSTATUS_SPP ? 1 : 0, true);

	h->vsstatus = pop_status(h->vsstatus);
	return_to(h, mode, h->vsepc, ret);
}

static void exec_sret(struct pmu_hart *h, const struct pmu_exec_in *in,
		      struct pmu_exec_out *ret)
{
	if (refused(supervisor_may(h, MSTATUS_TSR, HSTATUS_VTSR), in, ret))
		return;
	ret->effects |= counter_retire(h);
	if (pmu_mode_is_guest(h->mode))
		sret_from_vs(h, ret);
	else
		sret_from_hs(h, ret);
}

/*
 * Below M only with TW = 0; in U only where there is no S-mode; in VS only with
 * VTW = 0, in VU never (C165). None of them waits a while first.
 */
static enum pmu_csr_result may_wait(const struct pmu_hart *h)
{
	if (h->mode == PMU_MODE_M)
		return PMU_CSR_OK;
	if (h->mstatus & MSTATUS_TW ||
	    (h->mode == PMU_MODE_U && has(h, PMU_EXT_S)))
		return PMU_CSR_ILLEGAL;
	if (h->mode == PMU_MODE_VU ||
	    (h->mode == PMU_MODE_VS && (h->hstatus & HSTATUS_VTW)))
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_OK;
}

static void exec_wfi(struct pmu_hart *h, const struct pmu_exec_in *in,
		     struct pmu_exec_out *ret)
{
	if (refused(may_wait(h), in, ret))
		return;
	/* It may retire much later, or by this; a freeze is before its wait. */
	ret->effects |= overflow_effects(h, overflow_fetched(h));
	counter_settle(h);
	ret->kind = PMU_EXEC_WAIT;
}

static void exec_sfence_vma(struct pmu_hart *h, const struct pmu_exec_in *in,
			    struct pmu_exec_out *ret)
{
	if (refused(supervisor_may(h, MSTATUS_TVM, HSTATUS_VTVM), in, ret))
		return;
	ret->effects |= counter_retire(h);
	ret->effects |= PMU_FX_TLB;
	if (pmu_insn_rs1(in->insn))
		ret->effects |= PMU_FX_TLB_PAGE;
}

static void exec_ebreak(struct pmu_hart *h, const struct pmu_exec_in *in,
			struct pmu_exec_out *ret)
{
	if (in->insn == INSN_C_EBREAK && !has(h, PMU_EXT_C)) {
		exec_illegal(in, ret);
		return;
	}
	raise_exception(in, PMU_CAUSE_BREAKPOINT, in->pc, ret);
	ret->trap.gva = pmu_mode_is_guest(h->mode);
}

/*
 * Return from an event-based branch, where the user has it; other modes have
 * nothing to return from.
 */
static void exec_ebbret(struct pmu_hart *h, const struct pmu_exec_in *in,
			struct pmu_exec_out *ret)
{
	if (!has(h, PMU_EXT_XPMUEBB) || !pmu_mode_is_user(h->mode)) {
		exec_illegal(in, ret);
		return;
	}
	if (refused(ebb_reach(h, h->mode, NULL), in, ret))
		return;
	ret->effects |= counter_retire(h) | PMU_FX_IRQ;
	ret->next_pc = pmu_ebb_return(&h->ebb.unit, in->insn == INSN_EBBRET_ON);
}

static void exec_privileged(struct pmu_hart *h, const struct pmu_exec_in *in,
			    struct pmu_exec_out *ret)
{
	switch (in->insn) {
	case PMU_WORD_ECALL:
		raise_exception(in, pmu_ecall_cause(h), 0, ret);
		break;
	case PMU_WORD_EBREAK:
	case INSN_C_EBREAK:
		exec_ebreak(h, in, ret);
		break;
	case PMU_WORD_MRET:
		exec_mret(h, in, ret);
		break;
	case PMU_WORD_SRET:
		exec_sret(h, in, ret);
		break;
	case PMU_WORD_WFI:
		exec_wfi(h, in, ret);
		break;
	case INSN_EBBRET:
	case INSN_EBBRET_ON:
		exec_ebbret(h, in, ret);
		break;
	default:
		if (pmu_insn_is_fence(in->insn, PMU_FUNCT7_SFENCE_VMA))
			exec_sfence_vma(h, in, ret);
		else
			exec_hypervisor(h, in, ret);
		break;
	}
}

void pmu_exec(struct pmu_hart *h, const struct pmu_exec_in *in,
	      struct pmu_exec_out *ret)
{
	ret->kind = PMU_EXEC_RETIRED;
	ret->effects = 0;
	ret->rd = 0;
	ret->next_pc = xlen_value(h, in->pc + pmu_insn_len((uint16_t)in->insn));
	if (insn_is_csr(in->insn))
		exec_csr(h, in, ret);
	else
		exec_privileged(h, in, ret);
}

unsigned pmu_exec_wake(struct pmu_hart *h)
{
	return counter_retire(h);
}
