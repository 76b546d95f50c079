/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linux keeps the address of the present thread's task_struct in sscratch while
 * a user runs, and in tp while the kernel does; on the kernel's way in and out,
 * the other of both has the user's tp, or the same address. So it is the only
 * one of them that lies in the kernel's half of the addresses; where both do
 * and differ, as a user may have put an address of the kernel's into tp, it is
 * not known. Where a task_struct has what, the kernel's BTF says, which is
 * looked for once, when first there is something that could be a task: what ran
 * before the kernel has none. Nothing is guessed: what cannot be read is not
 * known, nor who runs in a guest of KVM's, whose kernel is another. On the way
 * there KVM has an address of its own in sscratch; a task is what has a leader
 * of its number.
 */
#include "processes.h"

#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/hart.h>

#include "core/machine-read.h"

enum {
	REG_TP = 4
};

enum field {
	FIELD_TGID,
	FIELD_PID,
	FIELD_COMM,
	FIELD_LEADER,
	N_FIELDS
};

_Static_assert((int)N_FIELDS == (int)PROCESS_FIELDS, "one for each");

void processes_begin(struct processes *p, const struct machine *m)
{
	*p = (struct processes){ .machine = m };
}

void processes_forget(struct processes *p)
{
	p->searched = p->described = false;
}

static uint64_t csr(const struct processes *p, const struct record_at *at,
		    uint16_t number)
{
	uint64_t ret = 0;

	pmu_csr_peek(machine_pmu(p->machine, at->hart), number, at->cycle,
		     &ret);
	return ret;
}

/* How a task is kept */

static const struct btf_field wanted[N_FIELDS] = {
	[FIELD_TGID] = { "task_struct", "tgid" },
	[FIELD_PID] = { "task_struct", "pid" },
	[FIELD_COMM] = { "task_struct", "comm" },
	[FIELD_LEADER] = { "task_struct", "group_leader" },
};

static bool search(struct processes *p)
{
	const struct btf_field *f = p->field;
	size_t size;
	const uint8_t *ram = machine_ram(p->machine, &size);

	memcpy(p->field, wanted, sizeof(wanted));
	return btf_find(ram, size, p->field, N_FIELDS) &&
	       f[FIELD_TGID].size == sizeof(uint32_t) &&
	       f[FIELD_PID].size == sizeof(uint32_t) && f[FIELD_COMM].size &&
	       f[FIELD_COMM].size <= PROCESS_COMM_MAX && !f[FIELD_LEADER].size;
}

/* The present task */

/* Addresses of this half are the kernel's. */
static bool is_upper(const struct processes *p, uint64_t address)
{
	return address >> (machine_config(p->machine)->settings.xlen - 1) & 1;
}

static bool find_task(const struct processes *p, const struct record_at *at,
		      uint64_t *ret)
{
	enum pmu_mode mode = pmu_hart_mode(machine_pmu(p->machine, at->hart));
	uint64_t scratch = csr(p, at, PMU_CSR_SSCRATCH);
	uint64_t tp =
		machine_register(p->machine, at->hart, ENGINE_X0 + REG_TP);

	if (machine_config(p->machine)->settings.xlen == 32)
		tp = (uint32_t)tp;
	if (mode != PMU_MODE_S && mode != PMU_MODE_U)
		return false;
	if (mode == PMU_MODE_U || !is_upper(p, tp)) {
		*ret = scratch;
		return is_upper(p, scratch);
	}
	*ret = tp;
	return !is_upper(p, scratch) || scratch == tp;
}

static bool read(const struct processes *p, const struct record_at *at,
		 uint64_t task, enum field field, void *ret)
{
	const struct btf_field *f = &p->field[field];

	return machine_read_supervisor(p->machine, at->hart, task + f->offset,
				       ret, f->size);
}

static bool is_described(struct processes *p, const struct record_at *at,
			 uint64_t task)
{
	uint8_t first;

	if (!p->searched && machine_read_supervisor(p->machine, at->hart, task,
						    &first, sizeof(first))) {
		p->searched = true;
		p->described = search(p);
	}
	return p->described;
}

/* Is it a task? The leader of its threads has the number of all of them. */
static bool is_led(const struct processes *p, const struct record_at *at,
		   uint64_t task, uint32_t tgid)
{
	size_t bytes = machine_config(p->machine)->settings.xlen / 8;
	uint64_t leader = 0;
	uint32_t pid;

	return machine_read_supervisor(p->machine, at->hart,
				       task + p->field[FIELD_LEADER].offset,
				       &leader, bytes) &&
	       read(p, at, leader, FIELD_PID, &pid) && pid == tgid;
}

static void make_plain(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

bool processes_find(struct processes *p, const struct record_at *at,
		    struct process *ret)
{
	uint64_t task;

	if (!p->machine || !csr(p, at, PMU_CSR_SATP) ||
	    !find_task(p, at, &task) || !is_described(p, at, task))
		return false;
	*ret = (struct process){ .task = task };
	if (!read(p, at, task, FIELD_TGID, &ret->pid) ||
	    !read(p, at, task, FIELD_PID, &ret->tid) ||
	    !read(p, at, task, FIELD_COMM, ret->comm) ||
	    !is_led(p, at, task, ret->pid))
		return false;
	ret->comm[PROCESS_COMM_MAX - 1] = '\0';
	make_plain(ret->comm);
	return true;
}
