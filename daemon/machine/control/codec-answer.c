/* SPDX-License-Identifier: BSD-2-Clause */
/* What answers say of the machine: field by field. */
#include "codec-answer.h"

#include <fw/sbi-name.h>
#include <fw/sbi.h>

#include "codec.h"

enum {
	N_REGISTERS = 32
};

void encode_status(const struct machine_status *s, Pmu__V1__MachineInfo *ret)
{
	ret->state = encode_state(s->state);
	ret->cause = encode_cause(s->cause);
	ret->exit_code = s->exit_code;
	ret->detail = (char *)s->detail;
	ret->cycle = s->cycle;
	ret->insn = s->insn;
	ret->hart = s->hart;
	ret->ebb_session = s->ebb ? s->ebb->number : 0;
}

void encode_piece(const struct engine_piece *p, Pmu__V1__EnginePiece *ret)
{
	ret->name = (char *)p->name;
	ret->on = p->off == NULL;
	if (p->off != NULL)
		ret->why_off = (char *)p->off;
	ret->taken = p->taken;
	ret->all = p->all;
	ret->unit = (char *)p->of;
}

void encode_access(const struct machine_access *a, Pmu__V1__WatchedAccess *ret)
{
	ret->hart = a->hart;
	ret->address = a->address;
	ret->bytes = a->size;
	ret->store = a->store;
	ret->watchpoint = a->point.address;
}

void encode_config(const struct machine_config *cfg,
		   Pmu__V1__MachineConfig *ret)
{
	ret->harts = cfg->harts;
	ret->memory_bytes = cfg->memory;
	ret->start_mode = cfg->m_mode ? PMU__V1__START_MODE__START_MODE_M
				      : PMU__V1__START_MODE__START_MODE_S;
	ret->bootargs = (char *)cfg->bootargs;
}

void encode_part(const struct loader_range *part, Pmu__V1__LoadedPart *ret)
{
	ret->what = (char *)part->what;
	ret->address = part->start;
	ret->bytes = part->size;
}

void encode_hart(unsigned hart, const struct inspect_hart *h,
		 Pmu__V1__HartInfo *ret)
{
	ret->hart = hart;
	ret->status = encode_hart_status(h->status);
	ret->privilege = encode_mode(h->mode);
	ret->pc = h->pc;
	ret->cycle = h->cycle;
	ret->insn = h->insn;
	ret->isa = (char *)h->isa;
}

void encode_csr(const struct inspect_csr *csr, Pmu__V1__Csr *ret)
{
	ret->number = csr->number;
	ret->name = (char *)csr->name;
	ret->value = csr->value;
	if (csr->rule)
		ret->rule = (char *)csr->rule;
}

void encode_registers(struct hart_state *s, Pmu__V1__ReadRegistersResponse *ret)
{
	ret->pc = s->pc;
	ret->x = s->x;
	ret->n_x = N_REGISTERS;
	ret->f = s->f;
	ret->n_f = N_REGISTERS;
	ret->fcsr = s->fcsr;
}

void encode_counter(unsigned hart, unsigned index,
		    const struct inspect_counter *counter,
		    Pmu__V1__Counter *ret)
{
	ret->hart = hart;
	ret->index = index;
	ret->firmware = counter->firmware;
	ret->width = counter->width;
	ret->value = counter->value;
	ret->config = counter->config;
	ret->inhibited = counter->inhibited;
	ret->overflow = counter->overflow;
	if (counter->event)
		ret->event = (char *)counter->event;
	ret->mapped = counter->mapped;
	ret->started = counter->started;
	ret->event_idx = counter->event_idx;
	ret->event_data = counter->event_data;
}

void encode_fact(const struct explain_fact *f, Pmu__V1__Fact *ret)
{
	ret->topic = (char *)f->topic;
	ret->text = (char *)f->text;
	if (f->rule)
		ret->rule = (char *)f->rule;
	ret->hinders = f->hinders;
}

void encode_sbi_answer(const struct record_sbi *call,
		       Pmu__V1__CallSbiResponse *ret)
{
	const char *error = sbi_error_name(call->error);
	const char *name =
		sbi_call_name(call->args[ARG_EID], call->args[ARG_FID]);

	ret->error = call->error;
	ret->value = call->value;
	if (error)
		ret->error_name = (char *)error;
	if (name)
		ret->call_name = (char *)name;
	ret->reason = (char *)call->reason;
}
