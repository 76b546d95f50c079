/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that look at harts, CSRs, registers and memory.
 */
#include "control-inside.h"
#include "view/inspect.h"

enum {
	N_CSRS = 0x1000
};

static Pmu__V1__HartStatus hart_status(enum hart_status status)
{
	switch (status) {
	case HART_STOPPED:
		return PMU__V1__HART_STATUS__HART_STATUS_STOPPED;
	case HART_RUNNING:
		return PMU__V1__HART_STATUS__HART_STATUS_RUNNING;
	case HART_WAITING:
		break;
	}
	return PMU__V1__HART_STATUS__HART_STATUS_WAITING;
}

static Pmu__V1__HartInfo *hart_info(struct control *c, unsigned hart,
				    struct error *e)
{
	Pmu__V1__HartInfo *info =
		control_message(c, &pmu__v1__hart_info__descriptor);
	struct inspect_hart h;

	if (!inspect_hart(c->machine, hart, &h, e))
		return NULL;
	info->hart = hart;
	info->status = hart_status(h.status);
	info->privilege = encode_mode(h.mode);
	info->pc = h.pc;
	info->cycle = h.cycle;
	info->insn = h.insn;
	info->isa = control_text(c, h.isa);
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
	csr->number = got.number;
	csr->name = control_text(c, got.name);
	csr->value = got.value;
	if (got.rule)
		csr->rule = control_text(c, got.rule);
	return csr;
}

enum handled control_read_csr(struct control *c,
			      const Pmu__V1__ReadCsrRequest *q,
			      Pmu__V1__ReadCsrResponse *answer, struct error *e)
{
	const char *name = NULL;
	uint32_t number = 0;

	if (q->csr_case == PMU__V1__READ_CSR_REQUEST__CSR_NAME) {
		name = q->name;
	} else if (q->csr_case == PMU__V1__READ_CSR_REQUEST__CSR_NUMBER) {
		number = q->number;
	} else {
		error_set(e, ERROR_INVALID, AT(PART_CSR, "FIELD_MISSING"),
			  "csr: number or name is needed");
		return HANDLED_FAILED;
	}
	if (!inspect_csr_number(c->machine, q->hart, name, &number, e))
		return HANDLED_FAILED;
	answer->csr = control_csr(c, q->hart, number, e);
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
	answer->csrs = control_alloc(c, N_CSRS * sizeof(*answer->csrs));
	for (uint32_t n = 0; n < N_CSRS; n++) {
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
	answer->pc = s->pc;
	answer->x = s->x;
	answer->n_x = 32;
	answer->f = s->f;
	answer->n_f = 32;
	answer->fcsr = s->fcsr;
	return HANDLED_DONE;
}

enum handled control_read_memory(struct control *c,
				 const Pmu__V1__ReadMemoryRequest *q,
				 Pmu__V1__ReadMemoryResponse *answer,
				 struct error *e)
{
	struct inspect_range range = {
		.hart = q->hart,
		.address = q->address,
		.size = q->size,
		.virtual = q->virtual_,
	};

	if (range.size <= MACHINE_MAX_PEEK)
		answer->data.data = control_alloc(c, range.size);
	answer->data.len = range.size;
	if (!inspect_memory(c->machine, &range, answer->data.data, e))
		return HANDLED_FAILED;
	return HANDLED_DONE;
}
