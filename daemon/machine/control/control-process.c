/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which process of Linux runs on a hart now, and what it has mapped. How the
 * kernel keeps them is looked for at each request: there may be another kernel
 * since the last, and requests are few.
 */
#include "control-process.h"

#include <pmu/csr-number.h>

#include "control-inside.h"
#include "mappings.h"
#include "processes.h"
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

/* What @p, whose task is at @task, has at @n addresses of @hart's. */
static void add_mappings(struct control *c, unsigned hart,
			 const struct process *found,
			 const struct control_addresses *at,
			 Pmu__V1__Process *p)
{
	struct mappings *k = control_alloc(c, sizeof(*k));
	uint64_t *pc = control_alloc(c, at->n * sizeof(*pc));
	struct mapping_question q = {
		.hart = hart, .pid = found->pid, .task = found->task, .pc = pc
	};
	struct mapping *list =
		control_alloc(c, MAPPINGS_AT_ONCE * sizeof(*list));
	size_t n;

	for (size_t i = 0; i < at->n; i++)
		if (control_is_users(c, at->address[i]))
			pc[q.n++] = at->address[i];
	mappings_begin(k, c->machine);
	n = mappings_find(k, &q, list);
	p->mappings = control_alloc(c, n * sizeof(*p->mappings));
	for (; p->n_mappings < n; p->n_mappings++)
		p->mappings[p->n_mappings] =
			new_mapping(c, &list[p->n_mappings]);
}

bool control_find_process(struct control *c, unsigned hart,
			  const struct control_addresses *at,
			  Pmu__V1__Process **ret, struct error *e)
{
	struct inspect_hart *h = control_alloc(c, sizeof(*h));
	struct processes *all = control_alloc(c, sizeof(*all));
	struct process found;

	*ret = NULL;
	if (!inspect_hart(c->machine, hart, h, e))
		return false;
	processes_begin(all, c->machine);
	if (!processes_find(all,
			    &(struct record_at){ .hart = hart,
						 .mode = h->mode,
						 .cycle = h->cycle,
						 .pc = h->pc },
			    &found))
		return true;
	*ret = control_message(c, &pmu__v1__process__descriptor);
	(*ret)->pid = found.pid;
	(*ret)->tid = found.tid;
	(*ret)->comm = control_text(c, found.comm);
	add_mappings(c, hart, &found, at, *ret);
	return true;
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
	for (size_t i = 0; i < p->n_mappings; i++)
		if (address >= p->mappings[i]->start &&
		    address < p->mappings[i]->end)
			return p->mappings[i];
	return NULL;
}
