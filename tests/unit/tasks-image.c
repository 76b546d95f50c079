/* SPDX-License-Identifier: BSD-2-Clause */
/* Tasks of Linux in a machine's memory: see tasks-image.h. */
#include "tasks-image.h"

#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>

#include "btf-image.h"
#include "core/machine-hart.h"
#include "core/machine-read.h"
#include "unit.h"

const struct tasks_isa tasks_isas[TASKS_ISAS] = {
	{ 64, 8, 30, "isa=rv64gch_svade_svadu", UINT64_C(0xffffffc000000000),
	  UINT64_C(8) << 60 | (0x80000000 + ROOT) >> 12 },
	{ 32, 4, 22, "xlen=32", 0xc0000000,
	  UINT64_C(1) << 31 | (0x80000000 + ROOT) >> 12 },
};
const struct tasks_isa *tasks_isa;
struct fixture tasks;

uint8_t *tasks_ram(size_t at)
{
	size_t size;

	return (uint8_t *)machine_ram(tasks.m, &size) + at;
}

void tasks_csr(uint16_t number, uint64_t value)
{
	unsigned effects;

	PREPARING(ck_assert_int_eq(pmu_csr_poke(hart_of(tasks.m, 0)->pmu,
						number, 0, value, &effects),
				   0));
}

void tasks_run(enum pmu_mode mode, uint64_t tp, uint64_t sscratch)
{
	/* an engine may extend it either way */
	if (tasks_isa->xlen == 32)
		tp = (uint64_t)(int32_t)tp;
	pmu_hart_set_mode(hart_of(tasks.m, 0)->pmu, mode);
	engine_set(tasks.m->engine, hart_of(tasks.m, 0)->ctx, ENGINE_X0 + 4,
		   tp);
	tasks_csr(PMU_CSR_SSCRATCH, sscratch);
}

void tasks_leader(size_t at, uint64_t leader)
{
	memcpy(tasks_ram(at + LEADER_AT), &leader, tasks_isa->xlen / 8);
}

void tasks_put(size_t at, uint32_t tgid, uint32_t pid, const char *comm)
{
	btf_put(tasks_ram(at + TGID_AT), tgid);
	btf_put(tasks_ram(at + PID_AT), pid);
	tasks_leader(at, tasks_isa->kernel + (tgid == pid ? at : LEADER));
	memset(tasks_ram(at + COMM_AT), 0, COMM);
	memcpy(tasks_ram(at + COMM_AT), comm, strlen(comm));
}

void tasks_describe(size_t at, uint32_t tgid, uint32_t comm)
{
	btf_begin();
	btf_number("int", 4);
	btf_number("char", 1);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(2, 1, comm);
	btf_number("number", tgid);
	btf_type("", BTF_PTR, 0, 6); /* 5 */
	btf_type("task_struct", BTF_STRUCT, 4, 128);
	btf_member("tgid", 4, 8 * TGID_AT);
	btf_member("pid", 1, 8 * PID_AT);
	btf_member("comm", 3, 8 * COMM_AT);
	btf_member("group_leader", 5, 8 * LEADER_AT);
	btf_finish(tasks_ram(at));
}

void tasks_begin(const struct tasks_isa *isa)
{
	tasks_isa = isa;
	fixture_init(&tasks,
		     &(struct fixture_config){ .settings = isa->settings });
	fixture_start(&tasks);
	/* one large page: V, R, W, A, D */
	btf_put(tasks_ram(ROOT + (tasks_isa->kernel >> tasks_isa->root_shift &
				  (4096 / tasks_isa->entry - 1)) *
					 tasks_isa->entry),
		0x80000 << 10 | 0xc7);
	tasks_csr(PMU_CSR_SATP, tasks_isa->satp);
	tasks_put(TASK, 7, 8, "sh");
	tasks_put(LEADER, 7, 7, "first");
	tasks_put(OTHER, 9, 9, "other");
	tasks_describe(BTF, 4, COMM);
	trace_processes(&tasks.trace, tasks.m);
}

void tasks_end(void)
{
	fixture_fini(&tasks);
}
