/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that look at harts, CSRs, registers and memory.
 */
#include <pmu/csr-number.h>

#include "codec-answer.h"
#include "codec-request.h"
#include "control-inside.h"
#include "view/inspect.h"

static Pmu__V1__HartInfo *hart_info(struct control *c, unsigned hart,
				    struct error *e)
{
	Pmu__V1__HartInfo *info =
		control_message(c, &pmu__v1__hart_info__descriptor);
	struct inspect_hart *h = control_alloc(c, sizeof(*h));

	if (!inspect_hart(c->machine, hart, h, e))
		return NULL;
	encode_hart(hart, h, info);
	return info;
}

enum handled control_list_harts(struct control *c,
				const Pmu__V1__ListHartsRequest *q,
				Pmu__V1__ListHartsResponse *answer,
				struct error *e)
{
	unsigned n = machine_config(c->machine)->harts;

	answer->harts = control_alloc(c, n * sizeof(*answer->harts));
	for (unsigned i = 0; i < n; i++) {
		answer->harts[i] = hart_info(c, i, e);
		if (!answer->harts[i])
			return HANDLED_FAILED;
	}
	answer->n_harts = n;
	return HANDLED_DONE;
}

Pmu__V1__Csr *control_csr(struct control *c, unsigned hart, uint32_t number,
			  struct error *e)
{
	Pmu__V1__Csr *csr = control_message(c, &pmu__v1__csr__descriptor);
	struct inspect_csr got;

	if (!inspect_csr(c->machine, hart, number, &got, e))
		return NULL;
	encode_csr(&got, csr);
	return csr;
}

enum handled control_read_csr(struct control *c,
			      const Pmu__V1__ReadCsrRequest *q,
			      Pmu__V1__ReadCsrResponse *answer, struct error *e)
{
	struct csr_asked csr;

	if (!decode_csr_to_read(q, &csr, e) ||
	    !inspect_csr_number(c->machine, q->hart, csr.name, &csr.number, e))
		return HANDLED_FAILED;
	answer->csr = control_csr(c, q->hart, csr.number, e);
	if (!answer->csr)
		return HANDLED_FAILED;
	return HANDLED_DONE;
}

enum handled control_list_csrs(struct control *c,
			       const Pmu__V1__ListCsrsRequest *q,
			       Pmu__V1__ListCsrsResponse *answer,
			       struct error *e)
{
	unsigned hart = q->hart;
	uint32_t none = 0;

	if (!inspect_csr_number(c->machine, hart, NULL, &none, e))
		return HANDLED_FAILED;
	answer->csrs = control_alloc(c, PMU_N_CSRS * sizeof(*answer->csrs));
	for (uint32_t n = 0; n < PMU_N_CSRS; n++) {
		Pmu__V1__Csr *csr = control_csr(c, hart, n, NULL);

		if (csr)
			answer->csrs[answer->n_csrs++] = csr;
	}
	return HANDLED_DONE;
}

enum handled control_read_registers(struct control *c,
				    const Pmu__V1__ReadRegistersRequest *q,
				    Pmu__V1__ReadRegistersResponse *answer,
				    struct error *e)
{
	struct hart_state *s = control_alloc(c, sizeof(*s));

	if (!inspect_registers(c->machine, q->hart, s, e))
		return HANDLED_FAILED;
	encode_registers(s, answer);
	return HANDLED_DONE;
}

enum handled control_read_memory(struct control *c,
				 const Pmu__V1__ReadMemoryRequest *q,
				 Pmu__V1__ReadMemoryResponse *answer,
				 struct error *e)
{
	struct inspect_range range = decode_range(q);

	if (range.size <= MACHINE_MAX_PEEK)
		answer->data.data = control_alloc(c, range.size);
	answer->data.len = range.size;
	if (!inspect_memory(c->machine, &range, answer->data.data, e))
		return HANDLED_FAILED;
	return HANDLED_DONE;
}
