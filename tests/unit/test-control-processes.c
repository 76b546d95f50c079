/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: a machine that is configured
 * to say which process runs says it, and no other.
 */
#include <pmu/csr-number.h>

#include "btf-image.h"
#include "control-peer.h"
#include "tasks-image.h"

enum {
	IMAGE = BTF + BTF_HEADER + BTF_IMAGE_MAX + BTF_STRINGS_MAX
};

#define KERNEL UINT64_C(0xffffffc000000000)

/* Of a kernel: its tables, and its task. */
static const struct fake_op ops[] = {
	{ FAKE_LI, 5, 0, 0, UINT64_C(8) << 60 | (BASE + ROOT) >> 12 },
	{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, PMU_CSR_SATP, 5) },
	{ FAKE_LI, 4, 0, 0, KERNEL + TASK },
	{ FAKE_NOP, 0, 0, 0, 0 },
	{ FAKE_JUMP, 0, 0, 0, PC(3) },
};

static void configure(bool processes)
{
	Pmu__Internal__ConfigureRequest q =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	Pmu__V1__Sampler one = PMU__V1__SAMPLER__INIT, *list[] = { &one };

	one.event = (char *)"instructions";
	one.period = 1;
	recording.n_samplers = ARRAY_SIZE(list);
	recording.samplers = list;
	recording.processes = processes;
	cfg.harts = 1;
	cfg.memory_bytes = 4 << 20;
	q.config = &cfg;
	q.recording = &recording;
	ck_assert_uint_eq(peer_call(&p, CALL(Configure), &q.base)->code, OK);
}

/* A machine that has executed @insns, and all that lies in its memory. */
static void run(bool processes, uint64_t insns)
{
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	static uint8_t image[IMAGE];

	tasks_begin(RV64);
	memcpy(image, tasks_ram(0), sizeof(image));
	tasks_end();
	SCRIPT(ops);
	peer_start(&p, NULL);
	configure(processes);
	ck_assert_uint_eq(peer_load(&p, image, sizeof(image), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	step.insns = insns;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &step.base)->code,
			  OK);
	peer_drain(&p);
}

TEST_TIMES(who_runs_is_said_if_it_is_asked_for, 2)
{
	Pmu__V1__Trace *t;
	unsigned samples = 0, known = 0;

	run(_i, 5);
	t = pmu__v1__trace__unpack(NULL, buf_len(&p.trace), buf_head(&p.trace));
	ck_assert_ptr_nonnull(t);
	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		samples += r->kind_case == PMU__V1__RECORD__KIND_SAMPLE;
		if (!r->process)
			continue;
		known++;
		ck_assert_uint_eq(r->process->pid, 7);
		ck_assert_uint_eq(r->process->tid, 8);
		ck_assert_str_eq(r->process->comm, "sh");
	}
	ck_assert_uint_eq(samples, 5);
	ck_assert_uint_eq(known, _i ? 3 : 0); /* from its task on */
	pmu__v1__trace__free_unpacked(t, NULL);
}

SUITE("control-processes", .teardown = teardown);
