/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an instruction did with a CSR of one of three classes: those of
 * counters, of interrupts and of event-based branches. It is for whoever looks
 * on: looking changes nothing of the hart.
 */
#ifndef PMU_CSR_ACCESS_H
#define PMU_CSR_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/exec.h>

#pragma GCC visibility push(default)

enum pmu_csr_class {
	PMU_CSR_OF_NONE,
	PMU_CSR_OF_COUNTERS,
	PMU_CSR_OF_INTERRUPTS,
	PMU_CSR_OF_BRANCHES,
};

/* By its number alone: an access may be refused as there is no such CSR. */
enum pmu_csr_class pmu_csr_class(unsigned number);

enum pmu_csr_refusal {
	PMU_CSR_ACCEPTED,
	PMU_CSR_ABSENT,	   /* this hart has no such CSR */
	PMU_CSR_PRIVILEGE, /* the mode is below that of the number */
	PMU_CSR_READ_ONLY, /* so is the number, and it would be written */
	PMU_CSR_CLOSED,	   /* a CSR says so, or nothing is where it selects */
};

struct pmu_csr_access {
	uint16_t csr; /* as the instruction names it */
	/*
	 * The CSR that it gets at: of a guest that names sip, vsip; of sireg
	 * and its kind, the counter's or event's that is selected, 0 if it is
	 * none that has a number (priorities of interrupts) or if refused; else
	 * @csr.
	 */
	uint16_t reached;
	/* PMU_CSR_CLOSED: the first CSR that keeps the mode from it */
	uint16_t closed_by;
	bool read; /* to a register; or to x0, and then it is not written */
	bool written;
	bool selects;	 /* @csr is sireg or of its kind */
	uint16_t select; /* @selects: what siselect, or its like, holds */
	enum pmu_csr_refusal refusal;
	bool virtual; /* refused by a virtual-instruction exception */
	/* As a read in the hart's mode shows it; 0 if refused. */
	uint64_t old_value, new_value; /* the latter if @written */
};

/*
 * Before pmu_exec(@in). False: it is no access to a CSR of a class, and nothing
 * is in @ret.
 */
bool pmu_csr_access_begin(const struct pmu_hart *h,
			  const struct pmu_exec_in *in,
			  struct pmu_csr_access *ret);
/* Behind it. */
void pmu_csr_access_end(const struct pmu_hart *h, const struct pmu_exec_in *in,
			struct pmu_csr_access *access);

#pragma GCC visibility pop

#endif
