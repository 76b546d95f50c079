/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packing records and keeping those that wait. What is worth a record and what
 * happened is decided by the core.
 */
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/csr-access.h>
#include <pmu/insn.h>

#include "board/dev-vacant.h"
#include "codec.h"
#include "core/call-memory.h"
#include "core/ebb-session.h"
#include "wire/record.h"

size_t trace_backlog(const struct trace *t)
{
	return buf_len(&t->waiting);
}

static bool is_full(const struct trace *t)
{
	return t->stands || trace_backlog(t) >= TRACE_HIGH_WATER;
}

void trace_go_on(struct trace *t)
{
	t->stands = false;
	t->recorder.full = is_full(t);
}

void trace_free(struct trace *t)
{
	buf_free(&t->waiting);
}

/* The length of the first run of whole records of at most @most bytes. */
static size_t batch(const struct trace *t, size_t most)
{
	const uint8_t *bytes = buf_head(&t->waiting);
	size_t len = buf_len(&t->waiting), n = 0;
	struct record_view v;

	while (record_first(bytes + n, len - n, &v) == 1 &&
	       (n == 0 || n + v.field_len <= most))
		n += v.field_len;
	return n;
}

static int flush(struct trace *t)
{
	size_t most = TRACE_HIGH_WATER;

	while (t->put && buf_len(&t->waiting)) {
		size_t n = batch(t, most);
		int rc = t->put(t->sink, buf_head(&t->waiting), n);

		if (rc == -ENOBUFS && most > 1) {
			most = most > n ? n / 2 : most / 2;
			continue;
		}
		if (rc < 0)
			return rc;
		if (n == buf_len(&t->waiting))
			break;
		buf_consume(&t->waiting, n);
	}
	buf_clear(&t->waiting); /* as many come with the next slice */
	return 0;
}

int trace_flush(struct trace *t)
{
	int rc = flush(t);

	t->recorder.full = is_full(t);
	return rc;
}

/* Without memory there is no exact trace: give up. */
static void append(struct trace *t, const Pmu__V1__Record *r)
{
	uint8_t *to = buf_reserve(&t->waiting, record_packed_size(&r->base));

	if (!to) {
		fputs("trace: out of memory\n", stderr);
		abort();
	}
	buf_commit(&t->waiting, record_pack(RECORD_TAG_RECORD, &r->base, to));
	t->recorder.full = is_full(t);
}

static Pmu__V1__Record record(const struct record_at *at,
			      Pmu__V1__Record__KindCase kind)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.insn = at->insn;
	r.cycle = at->cycle;
	r.hart = at->hart;
	r.privilege = encode_mode(at->mode);
	r.pc = at->pc;
	r.satp = at->satp;
	r.kind_case = kind;
	return r;
}

struct said_process {
	struct guest_process found;
	struct mapping mapping[MAPPINGS_AT_ONCE];
	Pmu__V1__Process message;
	Pmu__V1__Mapping mappings[MAPPINGS_AT_ONCE], *list[MAPPINGS_AT_ONCE];
};

void trace_processes(struct trace *t, const struct machine *m)
{
	processes_begin(&t->processes, m);
	processes_begin(&t->watched, m);
	mappings_begin(&t->mappings, m);
	mappings_begin(&t->watched_mappings, m);
}

static void add_mappings(struct mappings *k, struct mapping_question *q,
			 struct said_process *to)
{
	Pmu__V1__Process *p = &to->message;

	q->pid = to->found.pid;
	q->task = to->found.task;
	p->n_mappings = mappings_find(k, q, to->mapping);
	p->mappings = to->list;
	for (size_t i = 0; i < p->n_mappings; i++) {
		Pmu__V1__Mapping *m = &to->mappings[i];

		pmu__v1__mapping__init(m);
		m->start = to->mapping[i].start;
		m->end = to->mapping[i].end;
		m->offset = to->mapping[i].offset;
		m->file = to->mapping[i].file;
		m->file_bytes = to->mapping[i].bytes;
		to->list[i] = m;
	}
}

/* Whose @r is, kept in @to, and of a user's where the code of @q is from. */
static void add_process(struct trace *t, const struct record_at *at,
			struct mapping_question *q, struct said_process *to,
			Pmu__V1__Record *r)
{
	if (!processes_find(q->session ? &t->watched : &t->processes, at,
			    &to->found))
		return;
	pmu__v1__process__init(&to->message);
	to->message.pid = to->found.pid;
	to->message.tid = to->found.tid;
	to->message.comm = to->found.comm;
	r->process = &to->message;
	q->hart = at->hart;
	if (r->privilege == PMU__V1__PRIVILEGE__PRIVILEGE_U)
		add_mappings(q->session ? &t->watched_mappings : &t->mappings,
			     q, to);
}

static void put_overflow(void *keeper, const struct record_at *at,
			 const struct record_overflow *o)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_OVERFLOW);
	Pmu__V1__Overflow m = PMU__V1__OVERFLOW__INIT;
	struct mapping_question q = { .pc = &o->last_pc, .n = 1 };
	struct said_process process;
	struct trace *t = keeper;

	m.counter = o->overflow->counter;
	m.value = o->overflow->value;
	m.config = o->overflow->event;
	m.event = (char *)(o->event ? o->event : "");
	m.raised = o->raised;
	m.time = o->time;
	m.last_pc = o->last_pc;
	m.pending = o->pending;
	m.ebb = o->ebb;
	m.next_privilege = encode_next_mode(o->overflow->mode, at->next_mode);
	r.privilege = encode_mode(o->overflow->mode);
	r.overflow = &m;
	add_process(t, at, &q, &process, &r);
	append(t, &r);
}

/* Where an unwinder begins that has @s, and what it may come to. */
static void ask_for_stack(struct mapping_question *q,
			  const struct record_at *at,
			  const struct record_sample *s, uint64_t word[2])
{
	if (!s->n_stack)
		return;
	word[q->n_words++] = at->pc;
	if (s->n_registers > PMU_X_RA)
		word[q->n_words++] = s->registers[PMU_X_RA];
	q->word = word;
	q->stack = s->stack;
	q->n_stack = s->n_stack;
}

static void put_sample(void *keeper, const struct record_at *at,
		       const struct record_sample *s)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_SAMPLE);
	Pmu__V1__Sample m = PMU__V1__SAMPLE__INIT;
	struct said_process process;
	struct trace *t = keeper;
	uint64_t pc[1 + SAMPLE_MAX_CALLERS] = { s->last_pc };
	struct mapping_question q = { .session = s->session,
				      .pc = pc,
				      .n = 1 + s->n_callers };
	uint64_t word[2];

	m.sampler = s->sampler;
	m.session = s->session;
	m.event = (char *)s->event;
	m.period = s->period;
	m.periods = s->periods;
	m.time = s->time;
	m.last_pc = s->last_pc;
	m.callers = (uint64_t *)s->callers;
	m.n_callers = s->n_callers;
	m.chain_end = encode_chain_end(s->end);
	m.registers = (uint64_t *)s->registers;
	m.n_registers = s->n_registers;
	m.stack.data = (uint8_t *)s->stack;
	m.stack.len = s->n_stack;
	m.summed = s->summed;
	if (!s->summed)
		m.next_privilege = encode_next_mode(at->mode, at->next_mode);
	r.sample = &m;
	ask_for_stack(&q, at, s, word);
	if (s->n_callers)
		memcpy(pc + 1, s->callers, s->n_callers * sizeof(*pc));
	if (!s->summed) /* else it is of no one moment */
		add_process(t, at, &q, &process, &r);
	append(t, &r);
}

static void put_trap(void *keeper, const struct record_at *at,
		     const struct record_trap *trap)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_TRAP);
	Pmu__V1__Trap m = PMU__V1__TRAP__INIT;

	m.interrupt = trap->trap->interrupt;
	m.cause = trap->trap->cause;
	m.tval = trap->trap->tval;
	if (!trap->to_firmware)
		m.target = encode_mode(trap->target);
	m.handler = trap->handler;
	r.trap = &m;
	append(keeper, &r);
}

static void append_call(struct trace *t, const struct record_at *at,
			Pmu__V1__SbiCall *call)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_SBI_CALL);

	r.sbi_call = call;
	append(t, &r);
}

/* Apart, for the room that it takes. */
static void append_with_memory(struct trace *t, const struct record_at *at,
			       const struct record_memory *memory,
			       Pmu__V1__SbiCall *call)
{
	Pmu__V1__SbiMemory messages[CALL_MEMORY_ACCESSES];
	Pmu__V1__SbiMemory *list[CALL_MEMORY_ACCESSES];

	for (size_t i = 0; i < memory->n; i++) {
		const struct record_access *a = &memory->access[i];
		Pmu__V1__SbiMemory *m = list[i] = &messages[i];

		pmu__v1__sbi_memory__init(m);
		m->address = a->paddr;
		m->data.data = (uint8_t *)a->bytes;
		m->data.len = a->n_bytes;
		m->written = a->written;
		m->length = a->len;
	}
	call->memory = list;
	call->n_memory = memory->n;
	call->more_accesses = memory->more;
	call->more_read = memory->more_read;
	call->more_written = memory->more_written;
	append_call(t, at, call);
}

static void put_sbi(void *keeper, const struct record_at *at,
		    const struct record_sbi *call)
{
	Pmu__V1__SbiCall m = PMU__V1__SBI_CALL__INIT;

	m.eid = call->args[7];
	m.fid = call->args[6];
	m.n_args = 6;
	m.args = (uint64_t *)call->args;
	m.error = call->error;
	m.value = call->value;
	m.returned = call->returned;
	m.reason = (char *)call->reason;
	if (call->memory)
		append_with_memory(keeper, at, call->memory, &m);
	else
		append_call(keeper, at, &m);
}

static void put_csr(void *keeper, const struct record_at *at,
		    const struct pmu_csr_access *access)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_CSR_ACCESS);
	Pmu__V1__CsrAccess m = PMU__V1__CSR_ACCESS__INIT;

	m.csr = access->csr;
	m.read = access->read;
	m.written = access->written;
	m.refusal = encode_csr_refusal(access->refusal);
	m.old_value = access->old_value;
	m.new_value = access->new_value;
	m.reached = access->reached != access->csr ? access->reached : 0;
	m.selects = access->selects;
	m.select = access->select;
	m.closed_by = access->closed_by;
	m.virtual_instruction = access->virtual;
	r.csr_access = &m;
	append(keeper, &r);
}

static void put_console(void *keeper, const struct record_at *at, unsigned port,
			const uint8_t *bytes, size_t len)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_CONSOLE_OUTPUT);
	Pmu__V1__ConsoleOutput m = PMU__V1__CONSOLE_OUTPUT__INIT;

	r.console_output = &m;
	m.port = port;
	for (size_t n; len; bytes += n, len -= n) {
		n = len < TRACE_MAX_CONSOLE ? len : TRACE_MAX_CONSOLE;
		m.data.data = (uint8_t *)bytes;
		m.data.len = n;
		append(keeper, &r);
	}
}

static void put_input(void *keeper, const struct record_at *at,
		      const struct input *in)
{
	struct input_message m;
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_INPUT);

	encode_input(in, &m);
	r.input = &m.in;
	append(keeper, &r);
}

static void put_hart(void *keeper, const struct record_at *at,
		     enum hart_change what, uint32_t counters)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_HART_CHANGE);
	Pmu__V1__HartChange m = PMU__V1__HART_CHANGE__INIT;

	m.what = encode_change(what);
	m.counters = counters;
	r.hart_change = &m;
	append(keeper, &r);
}

static Pmu__V1__Delivery__Way encode_way(enum delivery_way way)
{
	switch (way) {
	case DELIVERY_LCOFI:
		break;
	case DELIVERY_SSE:
		return PMU__V1__DELIVERY__WAY__WAY_SSE;
	case DELIVERY_EBB:
		return PMU__V1__DELIVERY__WAY__WAY_EBB;
	}
	return PMU__V1__DELIVERY__WAY__WAY_LCOFI;
}

static void put_delivery(void *keeper, const struct record_at *at,
			 const struct record_delivery *d)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_DELIVERY);
	Pmu__V1__Delivery m = PMU__V1__DELIVERY__INIT;
	uint64_t cycles[PMU_N_COUNTERS];

	m.way = encode_way(d->way);
	m.target = encode_mode(d->target);
	m.handler = d->handler;
	m.event = d->event;
	m.counters = d->counters;
	m.cycles = cycles;
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++)
		if (d->counters >> n & 1)
			cycles[m.n_cycles++] = d->cycle[n];
	m.held = d->held;
	r.delivery = &m;
	append(keeper, &r);
}

static void put_reset(void *keeper, const struct record_at *at,
		      enum reboot_kind kind)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_RESET);
	Pmu__V1__Reset m = PMU__V1__RESET__INIT;
	struct trace *t = keeper;

	m.kind = encode_reboot(kind);
	r.reset = &m;
	processes_forget(&t->processes);
	processes_forget(&t->watched);
	mappings_forget(&t->mappings);
	mappings_forget(&t->watched_mappings);
	append(t, &r);
}

static void put_ebb(void *keeper, const struct record_at *at,
		    const struct ebb_told *told)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_EBB_DELIVERY);
	Pmu__V1__EbbDelivery m = PMU__V1__EBB_DELIVERY__INIT;
	struct trace *t = keeper;

	m.session = told->session;
	m.counters = told->counters;
	m.cycle = told->cycle;
	r.ebb_delivery = &m;
	if (t->told && !t->told(t->told_arg, at, told))
		t->stands = true;
	append(t, &r);
}

static void put_absent(void *keeper, const struct record_at *at,
		       const struct vacant_range *range)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_ABSENT);
	Pmu__V1__Absent m = PMU__V1__ABSENT__INIT;

	m.address = range->base;
	m.size = range->size;
	m.node = (char *)range->node;
	r.absent = &m;
	append(keeper, &r);
}

static void put_stop(void *keeper, const struct record_at *at,
		     enum machine_cause cause, int exit_code)
{
	Pmu__V1__Record r = record(at, PMU__V1__RECORD__KIND_STOP);
	Pmu__V1__Stop m = PMU__V1__STOP__INIT;

	m.cause = encode_cause(cause);
	m.exit_code = exit_code;
	r.stop = &m;
	append(keeper, &r);
}

static const struct recorder_ops ops = {
	.overflow = put_overflow,
	.sample = put_sample,
	.trap = put_trap,
	.sbi = put_sbi,
	.csr = put_csr,
	.console = put_console,
	.input = put_input,
	.hart = put_hart,
	.delivery = put_delivery,
	.reset = put_reset,
	.ebb = put_ebb,
	.absent = put_absent,
	.stop = put_stop,
};

void trace_init(struct trace *t, trace_sink_fn *put, void *sink)
{
	*t = (struct trace){
		.recorder = { .ops = &ops, .keeper = t },
		.put = put,
		.sink = sink,
	};
}
