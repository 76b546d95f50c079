/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sbi/ remembers of a hart; nobody else sees it.
 */
#ifndef FIRMWARE_SBI_SBI_HART_H
#define FIRMWARE_SBI_SBI_HART_H

#include <pmu/trap.h>

#include "sbi-call.h"

struct sbi_hart {
	struct { /* sbi-hsm.c */
		enum hsm_state state;
		enum pmu_mode resume_mode; /* of a suspended hart */
		bool woken; /* suspended: a firmware's interrupt came */
	} hsm;
	uint32_t fwft_locked; /* sbi-fwft.c; bit n: feature n */
	struct {	      /* sbi-time.c */
		bool armed;
		uint64_t deadline; /* ticks */
	} timer;
	struct {		 /* sbi-ipi.c */
		bool pending;	 /* sent, and the hart has not run since ... */
		uint64_t cycles; /* ... it had spent so many cycles */
	} ipi;
};

/* What a hart that stops or boots no longer waits for. */
void sbi_hart_forget(struct fw_hart *h);

#endif
