/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An access to a CSR as it is told: it goes the way that csr.c lets the
 * instruction go, before and behind it, and reads what it gets at.
 */
#include <pmu/csr-access.h>

#include <assert.h>
#include <stddef.h>

#include "csr-reach.h"
#include "insn-encoding.h"

/* The select register of sireg and its kind; 0: @num is none of them. */
static uint16_t selector_of(unsigned num)
{
	static const uint16_t selectors[] = { PMU_CSR_SISELECT,
					      PMU_CSR_VSISELECT,
					      PMU_CSR_MISELECT };

	for (unsigned i = 0; i < sizeof(selectors) / sizeof(*selectors); i++)
		if (num > selectors[i] && num <= selectors[i] + 7U &&
		    num != selectors[i] + 4U)
			return selectors[i];
	return 0;
}

static uint64_t selected(const struct pmu_hart *h, unsigned selector)
{
	if (selector == PMU_CSR_MISELECT)
		return h->miselect;
	return selector == PMU_CSR_SISELECT ? h->siselect : h->vsiselect;
}

/* The CSR that has the event of counter @n; that of 0 is not in the run. */
static uint16_t event_number(unsigned n, bool high)
{
	if (n == 0)
		return high ? PMU_CSR_MCYCLECFGH : PMU_CSR_MCYCLECFG;
	return (uint16_t)(n - 3 +
			  (high ? PMU_CSR_MHPMEVENT3H : PMU_CSR_MHPMEVENT3));
}

/*
 * The number of the counter or event that is behind an alias, as M-mode names
 * it; 0: a priority.
 */
static uint16_t number_behind(const struct csr_ref *ref)
{
	unsigned n = ref->arg;

	if (!ref->desc->is_counter)
		return 0;
	if (ref->desc->shows_event)
		return event_number(n, ref->high);
	return (uint16_t)(n + (ref->high ? PMU_CSR_MCYCLEH : PMU_CSR_MCYCLE));
}

/* Which of the rules of csr.c refuses, the number's own before the rest. */
static enum pmu_csr_refusal refusal_of(const struct pmu_hart *h,
				       const struct pmu_csr_req *req,
				       const struct csr_ref *ref)
{
	if (!ref->desc || ref->desc->part == CSR_REFUSED)
		return PMU_CSR_ABSENT;
	if (csr_privilege(h->mode, req->num) != PMU_CSR_OK)
		return PMU_CSR_PRIVILEGE;
	if (req->write && pmu_csr_is_read_only(req->num))
		return PMU_CSR_READ_ONLY;
	return PMU_CSR_CLOSED;
}

/* What the access names, and by what it selects. */
static void name(const struct pmu_hart *h, const struct pmu_csr_req *req,
		 const struct csr_ref *ref, struct pmu_csr_access *ret)
{
	unsigned selector;

	ret->csr = ret->reached = req->num;
	if (!ref->desc)
		return;
	if (ref->substituted)
		ret->reached = csr_vs_of(req->num);
	selector = selector_of(ret->reached);
	if (!selector)
		return;
	ret->reached = 0;
	ret->selects = true;
	ret->select = (uint16_t)selected(h, selector);
}

bool pmu_csr_access_begin(const struct pmu_hart *h,
			  const struct pmu_exec_in *in,
			  struct pmu_csr_access *ret)
{
	enum pmu_csr_result result;
	struct pmu_csr_req req;
	uint16_t closed_by = 0;
	struct csr_ref ref;

	if (!insn_is_csr(in->insn) ||
	    pmu_csr_class(pmu_insn_csr(in->insn)) == PMU_CSR_OF_NONE)
		return false;
	exec_csr_request(h, in, &req);
	*ret = (struct pmu_csr_access){
		.read = pmu_insn_rd(in->insn) || !req.write,
		.written = req.write,
	};
	result = csr_reach(h, &req, &closed_by, &ref);
	name(h, &req, &ref, ret);
	ret->virtual = result == PMU_CSR_VIRTUAL;
	if (result != PMU_CSR_OK) {
		ret->refusal = refusal_of(h, &req, &ref);
		if (ret->refusal == PMU_CSR_CLOSED)
			ret->closed_by = closed_by;
		return true;
	}
	if (ret->selects)
		ret->reached = number_behind(&ref);
	ret->old_value = csr_show(h, &ref);
	return true;
}

void pmu_csr_access_end(const struct pmu_hart *h, const struct pmu_exec_in *in,
			struct pmu_csr_access *access)
{
	enum pmu_csr_result result;
	struct pmu_csr_req req;
	struct csr_ref ref;

	if (access->refusal != PMU_CSR_ACCEPTED || !access->written)
		return;
	exec_csr_request(h, in, &req);
	result = csr_reach(h, &req, NULL, &ref);
	assert(result == PMU_CSR_OK); /* no write closes its own CSR */
	(void)result;
	access->new_value = csr_show(h, &ref);
}
