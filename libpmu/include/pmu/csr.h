/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSR access: one table, one path. pmu_csr() is what an instruction does, with
 * every check; pmu_csr_peek() and pmu_csr_poke() are the instruments' way in,
 * which see what M-mode would and skip the checks of privilege.
 */
#ifndef PMU_CSR_H
#define PMU_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/csr-number.h>
#include <pmu/hart.h>

#pragma GCC visibility push(default)

enum pmu_csr_result {
	PMU_CSR_OK,
	PMU_CSR_ILLEGAL, /* illegal-instruction exception */
	PMU_CSR_VIRTUAL, /* virtual-instruction exception */
};

enum pmu_csr_op {
	PMU_CSR_WRITE,
	PMU_CSR_SET,
	PMU_CSR_CLEAR
};

/* Bits 11:10 of a CSR's number say whether it can be written. */
static inline bool pmu_csr_is_read_only(unsigned number)
{
	return number >> 10 == 3;
}

struct pmu_csr_req {
	uint16_t num;	    /* 0-0xfff */
	enum pmu_csr_op op; /* how @value combines, when @write */
	bool read;	    /* false: csrrw with rd = x0 */
	bool write;	    /* true also for csrrs from a zero register */
	uint64_t value;
	uint64_t pc;  /* of the instruction, for explain.h alone */
	uint64_t now; /* clock, cycles */
};

/* What an access may have changed beyond the CSR itself. */
enum pmu_effect {
	PMU_FX_TLB = 1u << 0,	/* cached translations are void */
	PMU_FX_MODE = 1u << 1,	/* the privilege mode changed */
	PMU_FX_COUNT = 1u << 2, /* pmu_hart_limits() must be asked again */
	PMU_FX_IRQ = 1u << 3,	/* pmu_interrupt_next() must be asked again */
	PMU_FX_FS = 1u << 4,	/* mstatus.FS went Off or came on */
	PMU_FX_TIMER = 1u << 5, /* stimecmp or its enable changed */
	PMU_FX_FCSR = 1u << 6,	/* the CSR is fflags, frm or fcsr: engine's */
	/* with PMU_FX_TLB: only those by the leaf that maps address rs1 */
	PMU_FX_TLB_PAGE = 1u << 7,
	/* SUM was cleared: cached translations that are by_sum are void */
	PMU_FX_SUM = 1u << 8,
};

/*
 * One access in the hart's current mode. @ret_old gets the value read
 * (untouched unless PMU_CSR_OK and @req->read), @effects is OR-ed. The values
 * of fflags, frm and fcsr live with the engine: for them only legality is
 * answered, @ret_old stays, and @effects gets PMU_FX_FCSR.
 * The counting of the instruction itself is pmu_exec()'s business.
 */
enum pmu_csr_result pmu_csr(struct pmu_hart *h, const struct pmu_csr_req *req,
			    uint64_t *ret_old, unsigned *effects);

/*
 * An access that reads or changes one register and nothing else: no clock, no
 * count, nothing that anybody has to look at again. True: it was made, @ret_old
 * is what the CSR read as, XLEN bits; @ret_effects is 0 or PMU_FX_FS, and its
 * instruction retires where the caller counts it, with what the engine executes
 * (pmu_hart_advance()). False: nothing has happened, and pmu_exec() is to do
 * it.
 *
 * The caller has asked pmu_interrupt_next() and there was none. Interrupts may
 * be opened quietly where none is pending at req->now, which may lie behind by
 * what is not counted yet: no timer rises on the way, or it is a limit at which
 * the caller stops and asks. req->read and req->pc are not looked at.
 */
bool pmu_csr_quiet(struct pmu_hart *h, const struct pmu_csr_req *req,
		   uint64_t *ret_old, unsigned *ret_effects);

/*
 * Reads and writes as M-mode would. Returns 0 or -PMU_EINVAL: no such CSR on
 * this hart, its value lives with the engine (PMU_FX_FCSR), it is an indirect
 * alias (sireg and the like) behind which M-mode would find nothing now, or
 * (poke) it is read-only by its number. WARL rules apply to a poke.
 */
int pmu_csr_peek(const struct pmu_hart *h, uint16_t num, uint64_t now,
		 uint64_t *ret_value);
int pmu_csr_poke(struct pmu_hart *h, uint16_t num, uint64_t now, uint64_t value,
		 unsigned *effects);

/* Is @num a user counter's, cycle to hpmcounter31, or its upper half's? */
static inline bool pmu_csr_is_user_counter(unsigned num)
{
	const unsigned half = PMU_CSR_CYCLEH - PMU_CSR_CYCLE;

	return (num & ~(half | 31)) == PMU_CSR_CYCLE;
}

/* The name of a CSR, "mhpmcounter3"; NULL when this hart has none there. */
const char *pmu_csr_name(const struct pmu_hart *h, uint16_t num);
/* The number of a CSR of this hart by name; -PMU_EINVAL when unknown. */
int pmu_csr_by_name(const struct pmu_hart *h, const char *name);
/* The rule behind a CSR of this hart (an anchor), or NULL. */
const char *pmu_csr_rule(const struct pmu_hart *h, uint16_t num);

#pragma GCC visibility pop

#endif
