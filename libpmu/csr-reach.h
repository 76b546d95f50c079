/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An access to a CSR without making it: what an instruction asks for, what its
 * number says, and where csr.c finds that it goes. Inline, as most accesses are
 * told to nobody.
 */
#ifndef LIBPMU_CSR_REACH_H
#define LIBPMU_CSR_REACH_H

#include "csr-row.h"
#include "insn-encoding.h"

/* Bits 9:8 of a CSR's number are the lowest privilege. */
static inline unsigned csr_min_privilege(uint16_t num)
{
	return num >> 8 & 3;
}

/* The number of the VS CSR that may stand in for supervisor CSR @num. */
static inline uint16_t csr_vs_of(uint16_t num)
{
	return (uint16_t)(num + (PMU_CSR_VSSTATUS - PMU_CSR_SSTATUS));
}

/* Level 2 is HS-mode's; where there is no H, no CSR asks for it. */
static inline unsigned csr_privilege_of(enum pmu_mode mode)
{
	static const uint8_t levels[PMU_N_MODES] = {
		[PMU_MODE_M] = 3,  [PMU_MODE_S] = 2,  [PMU_MODE_U] = 0,
		[PMU_MODE_VS] = 1, [PMU_MODE_VU] = 0,
	};

	return levels[mode];
}

/*
 * Has @mode the privilege that @num asks for? A guest that lacks the privilege
 * which HS-mode would have is told so.
 */
static inline enum pmu_csr_result csr_privilege(enum pmu_mode mode,
						uint16_t num)
{
	if (csr_privilege_of(mode) >= csr_min_privilege(num))
		return PMU_CSR_OK;
	if (pmu_mode_is_guest(mode) &&
	    csr_privilege_of(PMU_MODE_S) >= csr_min_privilege(num))
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_ILLEGAL;
}

/* What funct3, rd and rs1 (or the immediate in its place) ask for. */
static inline void exec_csr_request(const struct pmu_hart *h,
				    const struct pmu_exec_in *in,
				    struct pmu_csr_req *ret)
{
	unsigned funct3 = pmu_insn_funct3(in->insn),
		 rs1 = pmu_insn_rs1(in->insn);
	static const enum pmu_csr_op ops[4] = {
		[1] = PMU_CSR_WRITE,
		[2] = PMU_CSR_SET,
		[3] = PMU_CSR_CLEAR,
	};

	*ret = (struct pmu_csr_req){
		.num = (uint16_t)pmu_insn_csr(in->insn),
		.op = ops[funct3 & 3],
		.value = funct3 & 4 ? rs1 : xlen_value(h, in->rs1),
		.pc = in->pc,
		.now = in->now,
	};
	ret->read = ret->op != PMU_CSR_WRITE || pmu_insn_rd(in->insn) != 0;
	ret->write = ret->op == PMU_CSR_WRITE || rs1 != 0;
}

/* csr.c */
/*
 * What an instruction's access gets at, in the hart's mode, and whether it may.
 * @ret->desc is NULL where there is nothing, and then nothing else is set; of
 * an alias it is what is behind, if the access may be made. @closed_by: gets
 * the CSR that a guard refuses by, and stays if it names none; NULL: nobody
 * asks.
 */
enum pmu_csr_result csr_reach(const struct pmu_hart *h,
			      const struct pmu_csr_req *req,
			      uint16_t *closed_by, struct csr_ref *ret);
/* What a read of it shows. */
uint64_t csr_show(const struct pmu_hart *h, const struct csr_ref *ref);

#endif
