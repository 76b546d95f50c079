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
 *
 * A task that was remembered may be another by now: the kernel gives what it
 * has freed anew. So its address space must be the one of then, by the page
 * table and the number (ASID) that satp had. The kernel gives either again,
 * too, but both together not before it has given all numbers, of which a hart
 * without ASIDs has none.
 */
#include "processes.h"

#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/hart.h>
#include <pmu/page.h>

#include "core/machine-read.h"

enum {
	REG_TP = 4
};

enum task_field {
	FIELD_TGID,
	FIELD_PID,
	FIELD_COMM,
	FIELD_LEADER,
	N_FIELDS
};

_Static_assert((int)N_FIELDS == (int)PROCESS_FIELDS, "one for each");

enum space_field {
	SPACE_MM,
	SPACE_TABLE,
	SPACE_NUMBER, /* the ASID's bits are its lowest */
	N_SPACE_FIELDS
};

_Static_assert((int)N_SPACE_FIELDS == (int)SPACE_FIELDS, "one for each");

void processes_begin(struct processes *p, const struct machine *m)
{
	*p = (struct processes){ .machine = m };
}

void processes_forget(struct processes *p)
{
	p->searched = p->described = false;
	p->space_searched = p->space_described = false;
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
		 uint64_t task, enum task_field field, void *ret)
{
	const struct btf_field *f = &p->field[field];

	return machine_read_supervisor(p->machine, at->hart, task + f->offset,
				       ret, f->size);
}

static bool is_linux(struct processes *p)
{
	if (!p->searched) {
		p->searched = true;
		p->described = search(p);
	}
	return p->described;
}

static bool is_described(struct processes *p, const struct record_at *at,
			 uint64_t task)
{
	uint8_t first;

	return (p->searched ||
		machine_read_supervisor(p->machine, at->hart, task, &first,
					sizeof(first))) &&
	       is_linux(p);
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

static bool describe(const struct processes *p, const struct record_at *at,
		     uint64_t task, struct guest_process *ret)
{
	*ret = (struct guest_process){ .task = task };
	if (!read(p, at, task, FIELD_TGID, &ret->pid) ||
	    !read(p, at, task, FIELD_PID, &ret->tid) ||
	    !read(p, at, task, FIELD_COMM, ret->comm) ||
	    !is_led(p, at, task, ret->pid))
		return false;
	ret->comm[PROCESS_COMM_MAX - 1] = '\0';
	make_plain(ret->comm);
	return true;
}

bool processes_find(struct processes *p, const struct record_at *at,
		    struct guest_process *ret)
{
	uint64_t task;

	return p->machine && csr(p, at, PMU_CSR_SATP) &&
	       find_task(p, at, &task) && is_described(p, at, task) &&
	       describe(p, at, task, ret);
}

/* One that ran */

static bool search_space(struct processes *p)
{
	static const struct btf_field rows[N_SPACE_FIELDS] = {
		[SPACE_MM] = { "task_struct", "mm" },
		[SPACE_TABLE] = { "mm_struct", "pgd" },
		[SPACE_NUMBER] = { "mm_struct", "context.id.counter" },
	};
	const struct btf_field *f = p->space;
	size_t size;
	const uint8_t *ram = machine_ram(p->machine, &size);

	memcpy(p->space, rows, sizeof(rows));
	return btf_find(ram, size, p->space, N_SPACE_FIELDS) &&
	       !f[SPACE_MM].size && !f[SPACE_TABLE].size &&
	       f[SPACE_NUMBER].size ==
		       machine_config(p->machine)->settings.xlen / 8;
}

static bool is_space_described(struct processes *p)
{
	if (!p->space_searched) {
		p->space_searched = true;
		p->space_described = search_space(p);
	}
	return p->space_described;
}

/* A word of the structure at @at. */
static bool get(const struct processes *p, unsigned hart, uint64_t at,
		enum space_field field, uint64_t *ret)
{
	*ret = 0;
	return machine_read_supervisor(
		p->machine, hart, at + p->space[field].offset, ret,
		machine_config(p->machine)->settings.xlen / 8);
}

/* Are these the page table and the number of @satp? */
static bool is_space(const struct processes *p, const struct process_note *note,
		     uint64_t table, uint64_t number)
{
	const struct pmu_hart_config *cfg =
		pmu_hart_config(machine_pmu(p->machine, note->hart));
	unsigned number_at = cfg->xlen == 32 ? 22 : 44;
	unsigned number_bits = cfg->xlen == 32 ? 9 : 16;
	uint64_t page = note->satp & ((UINT64_C(1) << number_at) - 1);
	uint64_t was =
		note->satp >> number_at & ((UINT64_C(1) << number_bits) - 1);

	/* what a hart has no bits for is no part of what the kernel gives */
	return table == page << PMU_PAGE_BITS &&
	       was == (number & ((UINT64_C(1) << cfg->asid_bits) - 1));
}

static bool is_in_space(const struct processes *p,
			const struct process_note *note)
{
	uint64_t mm, virtual, table, number;

	return get(p, note->hart, note->sscratch, SPACE_MM, &mm) &&
	       get(p, note->hart, mm, SPACE_TABLE, &virtual) &&
	       get(p, note->hart, mm, SPACE_NUMBER, &number) &&
	       machine_find_supervisor(p->machine, note->hart, virtual,
				       &table) &&
	       is_space(p, note, table, number);
}

enum process_recalled processes_recall(struct processes *p,
				       const struct process_note *note,
				       struct guest_process *ret)
{
	const struct record_at at = { .hart = note->hart };
	bool guest = note->mode == PMU_MODE_VU;

	if (!p->machine || !note->satp ||
	    (!guest && !is_upper(p, note->sscratch)) || !is_linux(p))
		return PROCESS_NO_LINUX;
	return !guest && is_space_described(p) && is_in_space(p, note) &&
			       describe(p, &at, note->sscratch, ret)
		       ? PROCESS_THERE
		       : PROCESS_GONE;
}
