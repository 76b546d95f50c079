/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A second model of a hart's counters, written from the specifications and the
 * conformance list alone and as slow as it is plain: every counter is a
 * register, every instruction looks at every counter, every CSR is a case of a
 * switch. It shares nothing with libpmu but its configuration and the numbers
 * of its enums, so that a mistake must be made twice to go unseen.
 *
 * It has the CSRs of counters and their overflow in all five modes, with
 * Sscofpmf, Smcntrpmf, Smcdeleg/Ssccfg, Sscsrind and Smstateen. Other state
 * is none of its business.
 */
#ifndef TESTS_FUZZ_ORACLE_H
#define TESTS_FUZZ_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/csr.h>
#include <pmu/hart.h>

struct oracle {
	struct pmu_hart_config cfg;
	enum pmu_mode mode;
	uint64_t value[PMU_N_COUNTERS];
	uint64_t event[PMU_N_COUNTERS]; /* or mcyclecfg, minstretcfg */
	uint32_t inhibit, mcounteren, scounteren, hcounteren;
	bool cde;		     /* of menvcfg */
	uint64_t mstateen, hstateen; /* bits 63 and 60 of state-enable 0 */
	uint64_t siselect, vsiselect;
	bool lcofip, lcofie, delegated; /* bits 13 of mip, mie, mideleg */
	uint32_t overflows; /* that raised a request, since last cleared */
};

struct oracle_access {
	uint16_t num;
	enum pmu_csr_op op;
	bool read, write; /* as the form of the instruction says */
	uint64_t value;
	/* out */
	enum pmu_csr_result result;
	uint64_t old;
	bool unknown; /* not a CSR of this model: compare nothing */
};

void oracle_init(struct oracle *o, const struct pmu_hart_config *cfg);
bool oracle_has(const struct oracle *o, uint64_t ext);
/* Implemented bits of counter @n, 0 for none. */
uint64_t oracle_mask(const struct oracle *o, unsigned n);
/* @times of @event happen in the mode, each adding @step. */
void oracle_count(struct oracle *o, enum pmu_event event, uint64_t times,
		  uint64_t step);
/* The same of cycles, by both of their events. */
void oracle_cycles(struct oracle *o, uint64_t times, uint64_t step);
/* One instruction retires: the event and its cycles. */
void oracle_retire(struct oracle *o);
/* An instruction that firmware emulated (C126). */
void oracle_emulated(struct oracle *o);
/* A CSR instruction: legality, old value, its own retirement, the write. */
void oracle_csr(struct oracle *o, struct oracle_access *a);
/* The bits of CSR @num that are modelled, in the RV64 register. */
uint64_t oracle_known(uint16_t num);
/* OF of every counter. */
uint32_t oracle_of(const struct oracle *o);

#endif
