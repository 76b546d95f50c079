/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which process of Linux runs on a hart, or ran, and what it has mapped. How
 * the kernel keeps them is looked for at each request: there may be another
 * kernel since the last, and requests are few.
 */
#include "control-process.h"

#include <pmu/csr-number.h>

#include "control-inside.h"
#include "mappings.h"
#include "processes.h"
#include "core/machine-read.h"
#include "view/inspect.h"

bool control_is_users(struct control *c, uint64_t address)
{
	unsigned xlen = (unsigned)machine_config(c->machine)->settings.xlen;

	return !(address >> (xlen - 1) & 1);
}

static Pmu__V1__Mapping *new_mapping(struct control *c, const struct mapping *m)
{
	Pmu__V1__Mapping *ret =
		control_message(c, &pmu__v1__mapping__descriptor);

	ret->start = m->start;
	ret->end = m->end;
	ret->offset = m->offset;
	ret->file = control_text(c, m->file);
	ret->file_bytes = m->bytes;
	return ret;
}

/* What @found has at the addresses of @q, as a message. */
static Pmu__V1__Process *new_process(struct control *c,
				     const struct guest_process *found,
				     struct mappings *k,
				     struct mapping_question *q)
{
	Pmu__V1__Process *ret =
		control_message(c, &pmu__v1__process__descriptor);
	struct mapping *list =
		control_alloc(c, MAPPINGS_AT_ONCE * sizeof(*list));
	size_t n;

	ret->pid = q->pid = found->pid;
	ret->tid = found->tid;
	ret->comm = control_text(c, found->comm);
	q->task = found->task;
	n = mappings_find(k, q, list);
	ret->mappings = control_alloc(c, n * sizeof(*ret->mappings));
	for (; ret->n_mappings < n; ret->n_mappings++)
		ret->mappings[ret->n_mappings] =
			new_mapping(c, &list[ret->n_mappings]);
	return ret;
}

bool control_find_process(struct control *c, unsigned hart,
			  const struct control_addresses *at,
			  Pmu__V1__Process **ret, struct error *e)
{
	struct inspect_hart *h = control_alloc(c, sizeof(*h));
	struct processes *all = control_alloc(c, sizeof(*all));
	struct mappings *k = control_alloc(c, sizeof(*k));
	uint64_t *pc = control_alloc(c, at->n * sizeof(*pc));
	struct mapping_question q = { .hart = hart, .pc = pc };
	struct guest_process found;

	*ret = NULL;
	if (!inspect_hart(c->machine, hart, h, e))
		return false;
	processes_begin(all, c->machine);
	mappings_begin(k, c->machine);
	if (!processes_find(all,
			    &(struct record_at){ .hart = hart,
						 .mode = h->mode,
						 .cycle = h->cycle,
						 .pc = h->pc },
			    &found))
		return true;
	for (size_t i = 0; i < at->n; i++)
		if (control_is_users(c, at->address[i]))
			pc[q.n++] = at->address[i];
	*ret = new_process(c, &found, k, &q);
	return true;
}

struct control_recall {
	struct control *control;
	struct processes processes;
	struct mappings mappings;
	uint32_t asked; /* each is told what others were told, too */
};

struct control_recall *control_recall_new(struct control *c)
{
	struct control_recall *ret = control_alloc(c, sizeof(*ret));

	ret->control = c;
	processes_begin(&ret->processes, c->machine);
	mappings_begin(&ret->mappings, c->machine);
	return ret;
}

enum process_recalled control_recall_code(struct control_recall *all,
					  const struct process_note *note,
					  uint64_t pc, Pmu__V1__Process **ret)
{
	struct mapping_question q = {
		.hart = note->hart, .session = ++all->asked, .pc = &pc, .n = 1
	};
	struct guest_process found;
	enum process_recalled how =
		processes_recall(&all->processes, note, &found);

	*ret = how == PROCESS_THERE
		       ? new_process(all->control, &found, &all->mappings, &q)
		       : NULL;
	return how;
}

bool control_is_virtual(struct control *c, unsigned hart)
{
	return pmu_mode_is_guest(pmu_hart_mode(machine_pmu(c->machine, hart)));
}

uint64_t control_satp(struct control *c, unsigned hart)
{
	struct inspect_csr csr;

	return inspect_csr(c->machine, hart, PMU_CSR_SATP, &csr,
			   &(struct error){ 0 })
		       ? csr.value
		       : 0;
}

const Pmu__V1__Mapping *control_mapping(const Pmu__V1__Process *p,
					uint64_t address)
{
	for (size_t i = 0; p && i < p->n_mappings; i++)
		if (address >= p->mappings[i]->start &&
		    address < p->mappings[i]->end)
			return p->mappings[i];
	return NULL;
}
