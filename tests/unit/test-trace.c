/* SPDX-License-Identifier: BSD-2-Clause */
/* The recorder: each kind of record decodes to what was put in. */
#include <pmu/csr-access.h>

#include "board/dev-vacant.h"
#include "core/call-memory.h"
#include "core/ebb-session.h"
#include "trace-kept.h"

/* The one record there is, with the common fields checked. */
static const Pmu__V1__Record *only(Pmu__V1__Trace *t,
				   Pmu__V1__Record__KindCase kind)
{
	const Pmu__V1__Record *r = t->records[0];

	ck_assert_uint_eq(t->n_records, 1);
	ck_assert_int_eq(r->kind_case, kind);
	ck_assert_uint_eq(r->insn, 11);
	ck_assert_uint_eq(r->cycle, 22);
	ck_assert_uint_eq(r->pc, 33);
	ck_assert_uint_eq(r->hart, 3);
	ck_assert_uint_eq(r->satp, 66);
	return r;
}

TEST(an_overflow_has_the_mode_that_overflowed)
{
	const struct pmu_overflow o = {
		.counter = 9, .mode = PMU_MODE_S, .value = 4, .event = 5
	};
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	record_overflow(&trace.recorder, &at,
			&(struct record_overflow){ .overflow = &o,
						   .event = "loads",
						   .raised = true,
						   .time = 6,
						   .last_pc = 7,
						   .pending = 8,
						   .ebb = 9 });
	t = decode();
	r = only(t, PMU__V1__RECORD__KIND_OVERFLOW);
	ck_assert_int_eq(r->privilege, PMU__V1__PRIVILEGE__PRIVILEGE_S);
	ck_assert_uint_eq(r->overflow->counter, 9);
	ck_assert_uint_eq(r->overflow->value, 4);
	ck_assert_uint_eq(r->overflow->config, 5);
	ck_assert_str_eq(r->overflow->event, "loads");
	ck_assert(r->overflow->raised);
	ck_assert_uint_eq(r->overflow->time, 6);
	ck_assert_uint_eq(r->overflow->last_pc, 7);
	ck_assert_uint_eq(r->overflow->pending, 8);
	ck_assert_uint_eq(r->overflow->ebb, 9);
	pmu__v1__trace__free_unpacked(t, NULL);
}

#define NONE PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED

static const struct next_row {
	enum pmu_mode mode, next;
	Pmu__V1__Privilege want;
} next_rows[] = {
	{ PMU_MODE_S, PMU_MODE_S, NONE },
	{ PMU_MODE_U, PMU_MODE_S, NONE },
	{ PMU_MODE_VU, PMU_MODE_VS, NONE },
	{ PMU_MODE_S, PMU_MODE_VS, PMU__V1__PRIVILEGE__PRIVILEGE_VS },
	{ PMU_MODE_M, PMU_MODE_VU, PMU__V1__PRIVILEGE__PRIVILEGE_VU },
	{ PMU_MODE_VU, PMU_MODE_U, PMU__V1__PRIVILEGE__PRIVILEGE_U },
	{ PMU_MODE_VS, PMU_MODE_M, PMU__V1__PRIVILEGE__PRIVILEGE_M },
};

TEST_ROWS(the_other_side_of_v_is_told, next_rows)
{
	const struct next_row *row = &next_rows[_i];
	const struct record_at here = { .mode = row->mode,
					.next_mode = row->next };
	const struct pmu_overflow o = { .mode = row->mode };
	const struct record_sample s = { .event = "loads" };
	Pmu__V1__Trace *t;

	record_overflow(&trace.recorder, &here,
			&(struct record_overflow){ .overflow = &o });
	trace.recorder.ops->sample(&trace, &here, &s);
	t = decode();
	ck_assert_uint_eq(t->n_records, 2);
	ck_assert_int_eq(t->records[0]->overflow->next_privilege, row->want);
	ck_assert_int_eq(t->records[1]->sample->next_privilege, row->want);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(a_sum_is_of_no_one_moment)
{
	const struct record_at here = { .mode = PMU_MODE_S,
					.next_mode = PMU_MODE_VS };
	const struct record_sample s = { .event = "loads", .summed = true };
	Pmu__V1__Trace *t;

	trace.recorder.ops->sample(&trace, &here, &s);
	t = decode();
	ck_assert_int_eq(t->records[0]->sample->next_privilege, NONE);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(a_sample_has_all_that_was_taken)
{
	const uint64_t callers[] = { 71, 72, 73 }, registers[] = { 81, 82 };
	const struct record_sample s = {
		.sampler = 1,
		.session = 5,
		.event = "branches",
		.period = 1000,
		.periods = 2,
		.time = 3,
		.last_pc = 4,
		.callers = callers,
		.n_callers = ARRAY_SIZE(callers),
		.registers = registers,
		.n_registers = ARRAY_SIZE(registers),
		.stack = (const uint8_t *)"stack",
		.n_stack = 5,
		.end = CHAIN_BAD_FRAME,
		.summed = true,
	};
	Pmu__V1__Trace *t;
	const Pmu__V1__Sample *m;

	trace.recorder.ops->sample(&trace, &at, &s);
	t = decode();
	m = only(t, PMU__V1__RECORD__KIND_SAMPLE)->sample;
	ck_assert_uint_eq(m->sampler, 1);
	ck_assert_uint_eq(m->session, 5);
	ck_assert_str_eq(m->event, "branches");
	ck_assert_uint_eq(m->period, 1000);
	ck_assert_uint_eq(m->periods, 2);
	ck_assert_uint_eq(m->time, 3);
	ck_assert_uint_eq(m->last_pc, 4);
	ck_assert_uint_eq(m->n_callers, ARRAY_SIZE(callers));
	ck_assert_mem_eq(m->callers, callers, sizeof(callers));
	ck_assert_uint_eq(m->n_registers, ARRAY_SIZE(registers));
	ck_assert_mem_eq(m->registers, registers, sizeof(registers));
	ck_assert_uint_eq(m->stack.len, 5);
	ck_assert_mem_eq(m->stack.data, "stack", 5);
	ck_assert_int_eq(m->chain_end, PMU__V1__CHAIN_END__CHAIN_END_BAD_FRAME);
	ck_assert(m->summed);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(what_is_absent_has_its_range)
{
	const struct vacant_range range = { 0x10100000, 24, "fw-cfg" };
	Pmu__V1__Trace *t;
	const Pmu__V1__Absent *m;

	trace.recorder.ops->absent(&trace, &at, &range);
	t = decode();
	m = only(t, PMU__V1__RECORD__KIND_ABSENT)->absent;
	ck_assert_uint_eq(m->address, 0x10100000);
	ck_assert_uint_eq(m->size, 24);
	ck_assert_str_eq(m->node, "fw-cfg");
	pmu__v1__trace__free_unpacked(t, NULL);
}

static const struct ebb_told delivery = { 2, 0x18, 19 };

/* @arg: whether there is room for it. */
static bool on_told(void *arg, const struct record_at *where,
		    const struct ebb_told *told)
{
	ck_assert_ptr_eq(where, &at);
	ck_assert_ptr_eq(told, &delivery);
	return *(const bool *)arg;
}

/* Nobody is told, somebody has no room, somebody has. */
TEST_TIMES(a_delivery_stands_where_it_cannot_be_told, 3)
{
	bool has_room = _i == 2;
	Pmu__V1__Trace *t;
	const Pmu__V1__EbbDelivery *m;

	trace.told = _i ? on_told : NULL;
	trace.told_arg = &has_room;
	trace.recorder.ops->ebb(&trace, &at, &delivery);
	ck_assert(trace.stands == (_i == 1));
	t = decode();
	m = only(t, PMU__V1__RECORD__KIND_EBB_DELIVERY)->ebb_delivery;
	ck_assert_uint_eq(m->session, 2);
	ck_assert_uint_eq(m->counters, 0x18);
	ck_assert_uint_eq(m->cycle, 19);
	pmu__v1__trace__free_unpacked(t, NULL);
	ck_assert(trace.recorder.full == (_i == 1));
	trace_go_on(&trace);
	ck_assert(!trace.stands && !trace.recorder.full);
}

TEST_TIMES(a_trap_to_the_firmware_has_no_target, 2)
{
	const struct pmu_trap trap = {
		.cause = 8, .pc = 33, .tval = 44, .interrupt = _i
	};
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	record_trap(&trace.recorder, &at,
		    &(struct record_trap){ .trap = &trap,
					   .to_firmware = _i,
					   .target = PMU_MODE_S,
					   .handler = 55 });
	t = decode();
	r = only(t, PMU__V1__RECORD__KIND_TRAP);
	ck_assert_int_eq(r->trap->target,
			 _i ? PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED
			    : PMU__V1__PRIVILEGE__PRIVILEGE_S);
	ck_assert_int_eq(r->privilege, PMU__V1__PRIVILEGE__PRIVILEGE_U);
	ck_assert_uint_eq(r->trap->cause, 8);
	ck_assert_int_eq(r->trap->interrupt, _i);
	ck_assert_uint_eq(r->trap->tval, 44);
	ck_assert_uint_eq(r->trap->handler, 55);
	pmu__v1__trace__free_unpacked(t, NULL);
}

static const struct way_row {
	enum delivery_way way;
	Pmu__V1__Delivery__Way want;
} way_rows[] = {
	{ DELIVERY_LCOFI, PMU__V1__DELIVERY__WAY__WAY_LCOFI },
	{ DELIVERY_SSE, PMU__V1__DELIVERY__WAY__WAY_SSE },
	{ DELIVERY_EBB, PMU__V1__DELIVERY__WAY__WAY_EBB },
};

TEST_ROWS(a_delivery_has_its_overflows, way_rows)
{
	const struct record_delivery d = { .way = way_rows[_i].way,
					   .target = PMU_MODE_VS,
					   .handler = 77,
					   .event = 0x10000,
					   .counters = 0x80000008,
					   .cycle = { [3] = 5, [31] = 6 },
					   .held = true };
	const Pmu__V1__Delivery *m;
	Pmu__V1__Trace *t;

	trace.recorder.ops->delivery(&trace, &at, &d);
	t = decode();
	m = only(t, PMU__V1__RECORD__KIND_DELIVERY)->delivery;
	ck_assert_int_eq(m->way, way_rows[_i].want);
	ck_assert_int_eq(m->target, PMU__V1__PRIVILEGE__PRIVILEGE_VS);
	ck_assert_uint_eq(m->handler, 77);
	ck_assert_uint_eq(m->event, 0x10000);
	ck_assert_uint_eq(m->counters, 0x80000008);
	ck_assert_uint_eq(m->n_cycles, 2);
	ck_assert_uint_eq(m->cycles[0], 5);
	ck_assert_uint_eq(m->cycles[1], 6);
	ck_assert(m->held);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(a_call_has_its_six_arguments)
{
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	record_sbi(&trace.recorder, &at,
		   &(struct record_sbi){ .args = { 1, 2, 3, 4, 5, 6, 7, 8 },
					 .returned = true,
					 .error = -3,
					 .value = 9,
					 .reason = "no such counter" });
	t = decode();
	r = only(t, PMU__V1__RECORD__KIND_SBI_CALL);
	ck_assert_uint_eq(r->sbi_call->eid, 8);
	ck_assert_uint_eq(r->sbi_call->fid, 7);
	ck_assert_uint_eq(r->sbi_call->n_args, 6);
	ck_assert_uint_eq(r->sbi_call->args[5], 6);
	ck_assert_int_eq(r->sbi_call->error, -3);
	ck_assert_uint_eq(r->sbi_call->value, 9);
	ck_assert(r->sbi_call->returned);
	ck_assert_str_eq(r->sbi_call->reason, "no such counter");
	ck_assert_uint_eq(r->sbi_call->n_memory, 0);
	pmu__v1__trace__free_unpacked(t, NULL);
}

/* One that was accessed whole, and one of which less is known. */
TEST(a_call_has_the_memory_that_was_accessed)
{
	static const struct record_access accesses[] = {
		{ 0x80001000, 3, (const uint8_t *)"abc", 3, true },
		{ 0x80002000, 5000, (const uint8_t *)"de", 2, false },
	};
	const struct record_memory memory = { accesses, 2, 7, 8, 9 };
	const Pmu__V1__SbiCall *c;
	Pmu__V1__Trace *t;

	record_sbi(
		&trace.recorder, &at,
		&(struct record_sbi){ .args = { [7] = 8 }, .memory = &memory });
	t = decode();
	c = only(t, PMU__V1__RECORD__KIND_SBI_CALL)->sbi_call;
	ck_assert_uint_eq(c->eid, 8);
	ck_assert_uint_eq(c->n_memory, 2);
	for (size_t i = 0; i < 2; i++) {
		const Pmu__V1__SbiMemory *m = c->memory[i];

		ck_assert_uint_eq(m->address, accesses[i].paddr);
		ck_assert_uint_eq(m->length, accesses[i].len);
		ck_assert_int_eq(m->written, accesses[i].written);
		ck_assert_uint_eq(m->data.len, accesses[i].n_bytes);
		ck_assert_mem_eq(m->data.data, accesses[i].bytes, m->data.len);
	}
	ck_assert_uint_eq(c->more_accesses, 7);
	ck_assert_uint_eq(c->more_read, 8);
	ck_assert_uint_eq(c->more_written, 9);
	pmu__v1__trace__free_unpacked(t, NULL);
}

/* As many as there can be, of all bytes that there can be. */
TEST(a_call_with_all_that_it_can_have_is_a_record)
{
	static uint8_t bytes[CALL_MEMORY_BYTES];
	static struct record_access accesses[CALL_MEMORY_ACCESSES];
	const struct record_memory memory = { accesses, CALL_MEMORY_ACCESSES,
					      UINT64_MAX, 0, 0 };
	const size_t each = CALL_MEMORY_BYTES / CALL_MEMORY_ACCESSES;
	Pmu__V1__Trace *t;

	for (size_t i = 0; i < CALL_MEMORY_ACCESSES; i++)
		accesses[i] =
			(struct record_access){ UINT64_MAX, UINT64_MAX,
						bytes + i * each, each, true };
	record_sbi(&trace.recorder, &at,
		   &(struct record_sbi){ .memory = &memory });
	t = decode();
	ck_assert_uint_eq(
		only(t, PMU__V1__RECORD__KIND_SBI_CALL)->sbi_call->n_memory,
		CALL_MEMORY_ACCESSES);
	pmu__v1__trace__free_unpacked(t, NULL);
}

static const struct access_row {
	struct pmu_csr_access access;
	Pmu__V1__CsrAccess want;
} access_rows[] = {
#define REFUSED(name) .refusal = PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_##name
	{ { .csr = 0x304, .reached = 0x304, .read = true, .old_value = 7 },
	  { .csr = 0x304, .read = true, .old_value = 7 } },
	{ { .csr = 0x144, .reached = 0x244, .written = true, .new_value = 8 },
	  { .csr = 0x144, .reached = 0x244, .written = true, .new_value = 8 } },
	{ { .csr = 0x151, .selects = true, .select = 0x30 },
	  { .csr = 0x151, .selects = true, .select = 0x30 } },
	{ { .csr = 0x304, .reached = 0x304, .refusal = PMU_CSR_ABSENT },
	  { .csr = 0x304, REFUSED(ABSENT) } },
	{ { .csr = 0x304, .reached = 0x304, .refusal = PMU_CSR_PRIVILEGE },
	  { .csr = 0x304, REFUSED(PRIVILEGE) } },
	{ { .csr = 0x304, .reached = 0x304, .refusal = PMU_CSR_READ_ONLY },
	  { .csr = 0x304, REFUSED(READ_ONLY) } },
	{ { .csr = 0xc00,
	    .reached = 0xc00,
	    .refusal = PMU_CSR_CLOSED,
	    .closed_by = 0x606,
	    .virtual = true },
	  { .csr = 0xc00,
	    REFUSED(CLOSED),
	    .closed_by = 0x606,
	    .virtual_instruction = true } },
};

TEST_ROWS(an_access_to_a_csr_is_told_whole, access_rows)
{
	const Pmu__V1__CsrAccess *want = &access_rows[_i].want, *said;
	Pmu__V1__Trace *t;

	trace.recorder.ops->csr(&trace, &at, &access_rows[_i].access);
	t = decode();
	said = only(t, PMU__V1__RECORD__KIND_CSR_ACCESS)->csr_access;
	ck_assert_uint_eq(said->csr, want->csr);
	ck_assert_uint_eq(said->reached, want->reached);
	ck_assert_int_eq(said->read, want->read);
	ck_assert_int_eq(said->written, want->written);
	ck_assert_int_eq(said->refusal, want->refusal);
	ck_assert_uint_eq(said->old_value, want->old_value);
	ck_assert_uint_eq(said->new_value, want->new_value);
	ck_assert_int_eq(said->selects, want->selects);
	ck_assert_uint_eq(said->select, want->select);
	ck_assert_uint_eq(said->closed_by, want->closed_by);
	ck_assert_int_eq(said->virtual_instruction, want->virtual_instruction);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(an_end_has_its_code)
{
	Pmu__V1__Trace *t;
	const Pmu__V1__Record *r;

	record_stop(&trace.recorder, &at, CAUSE_HTIF, 300);
	t = decode();
	r = only(t, PMU__V1__RECORD__KIND_STOP);
	ck_assert_int_eq(r->stop->cause, PMU__V1__STOP_CAUSE__STOP_CAUSE_HTIF);
	ck_assert_int_eq(r->stop->exit_code, 300);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(a_reboot_has_its_kind)
{
	Pmu__V1__Trace *t;

	trace.recorder.ops->reset(&trace, &at, REBOOT_WARM);
	t = decode();
	ck_assert_int_eq(only(t, PMU__V1__RECORD__KIND_RESET)->reset->kind,
			 PMU__V1__RESET__KIND__KIND_WARM);
	pmu__v1__trace__free_unpacked(t, NULL);
}

TEST(a_change_of_a_hart_has_its_counters)
{
	Pmu__V1__Trace *t;
	const Pmu__V1__HartChange *m;

	record_hart(&trace.recorder, &at, CHANGE_WOKEN, 0x18);
	t = decode();
	m = only(t, PMU__V1__RECORD__KIND_HART_CHANGE)->hart_change;
	ck_assert_int_eq(m->what, PMU__V1__HART_CHANGE__WHAT__WHAT_WOKEN);
	ck_assert_uint_eq(m->counters, 0x18);
	pmu__v1__trace__free_unpacked(t, NULL);
}

SUITE("trace", .setup = setup, .teardown = teardown);
