/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses of instructions to CSRs, as records. All of them leave the engine, a
 * user's reads of counters too (engine-host.h), so there is no other place for
 * them, in no mode of the engine. The record is of the moment before the
 * instruction: overflows by it, or its trap, are recorded behind.
 */
#include "machine-csr.h"

#include <pmu/csr-access.h>

void csr_exec_recorded(struct machine *m, const struct hart *h,
		       const struct pmu_exec_in *in, struct pmu_exec_out *ret)
{
	struct pmu_csr_access access;
	struct record_at at;

	if (!pmu_csr_access_begin(h->pmu, in, &access)) {
		pmu_exec(h->pmu, in, ret);
		return;
	}
	at = hart_at(m, h, in->pc);
	pmu_exec(h->pmu, in, ret);
	pmu_csr_access_end(h->pmu, in, &access);
	m->recorder->ops->csr(m->recorder->keeper, &at, &access);
}
