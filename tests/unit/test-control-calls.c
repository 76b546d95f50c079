/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: a machine that is configured
 * to say which memory is accessed for SBI calls says it of those that are
 * recorded, whoever asks for these later.
 */
#include "control-peer.h"

enum {
	A0 = 10,
	A7 = 17,
	DBCN = 0x4442434e,
	BYTES = 8,
};

/* DBCN.console_write of what lies at @BASE. */
static const struct fake_op ops[] = {
	{ FAKE_LI, A0, 0, 0, BYTES }, { FAKE_LI, A0 + 1, 0, 0, BASE },
	{ FAKE_LI, A7, 0, 0, DBCN },  { FAKE_INSN, 0, 0, 0, FAKE_ECALL },
	{ FAKE_NOP, 0, 0, 0, 0 },     { FAKE_JUMP, 0, 0, 0, PC(4) },
};

static const struct row {
	bool memory, calls; /* of Configure, of SetRecording */
	size_t n_calls, n_accesses;
} rows[] = {
	{ false, false, 0, 0 },
	{ true, false, 0, 0 },
	{ false, true, 1, 0 },
	{ true, true, 1, 1 },
};

static void configure(const struct row *row)
{
	Pmu__Internal__ConfigureRequest q =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;
	Pmu__Internal__SetRecordingRequest set =
		PMU__INTERNAL__SET_RECORDING_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;

	recording.sbi_memory = row->memory;
	cfg.harts = 1;
	cfg.memory_bytes = 4 << 20;
	cfg.start_mode = PMU__V1__START_MODE__START_MODE_S;
	q.config = &cfg;
	q.recording = &recording;
	ck_assert_uint_eq(peer_call(&p, CALL(Configure), &q.base)->code, OK);
	set.sbi_calls = row->calls;
	ck_assert_uint_eq(peer_call(&p, CALL(SetRecording), &set.base)->code,
			  OK);
}

static void check_access(const Pmu__V1__SbiMemory *m)
{
	ck_assert_uint_eq(m->address, BASE);
	ck_assert_uint_eq(m->length, BYTES);
	ck_assert_uint_eq(m->data.len, BYTES);
	ck_assert_mem_eq(m->data.data, "of text\n", BYTES);
	ck_assert(!m->written);
}

TEST_ROWS(memory_is_said_of_calls_that_are_recorded, rows)
{
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	const struct row *row = &rows[_i];
	size_t n_calls = 0, n_accesses = 0;
	Pmu__V1__Trace *t;

	SCRIPT(ops);
	peer_start(&p, NULL);
	configure(row);
	ck_assert_uint_eq(peer_load(&p, "of text\n", BYTES, BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	step.insns = 5;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &step.base)->code,
			  OK);
	peer_drain(&p);
	t = pmu__v1__trace__unpack(NULL, buf_len(&p.trace), buf_head(&p.trace));
	ck_assert_ptr_nonnull(t);
	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		if (r->kind_case != PMU__V1__RECORD__KIND_SBI_CALL)
			continue;
		n_calls++;
		n_accesses += r->sbi_call->n_memory;
		if (r->sbi_call->n_memory)
			check_access(r->sbi_call->memory[0]);
	}
	ck_assert_uint_eq(n_calls, row->n_calls);
	ck_assert_uint_eq(n_accesses, row->n_accesses);
	pmu__v1__trace__free_unpacked(t, NULL);
}

SUITE("control-calls", .teardown = teardown);
