/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What only harts with the H extension need of memory: the accesses of HLV,
 * HLVX and HSV, made here in place of the engine, and what a fault tells about
 * a guest's address beyond cause and address.
 */
#include "machine-guest.h"

#include <string.h>

#include <pmu/insn.h>
#include <pmu/page.h>
#include <pmu/translate.h>

#include "board/board.h"
#include "machine-mem.h"
#include "machine-watch.h"

enum {
	MAX_PARTS = 2, /* an access that crosses a page has two */
};

/* The bytes of an access that lie in one page. */
struct access_part {
	uint64_t vaddr, paddr;
	uint8_t size;
	enum board_page page;
};

/* What kind of access @cause is about; false: it is about none. */
static bool access_of(uint8_t cause, enum pmu_access *ret)
{
	switch (cause) {
	case PMU_CAUSE_FETCH_ACCESS:
	case PMU_CAUSE_FETCH_PAGE:
	case PMU_CAUSE_FETCH_GUEST_PAGE:
		*ret = PMU_ACCESS_FETCH;
		return true;
	case PMU_CAUSE_LOAD_MISALIGNED:
	case PMU_CAUSE_LOAD_ACCESS:
	case PMU_CAUSE_LOAD_PAGE:
	case PMU_CAUSE_LOAD_GUEST_PAGE:
		*ret = PMU_ACCESS_LOAD;
		return true;
	case PMU_CAUSE_STORE_MISALIGNED:
	case PMU_CAUSE_STORE_ACCESS:
	case PMU_CAUSE_STORE_PAGE:
	case PMU_CAUSE_STORE_GUEST_PAGE:
		*ret = PMU_ACCESS_STORE;
		return true;
	default:
		return false;
	}
}

static void tell(const struct pmu_fault *fault, struct pmu_trap *trap)
{
	trap->cause = fault->cause;
	trap->gva = fault->gva;
	trap->tval2 = fault->gpa >> 2;
	if (fault->tinst)
		trap->tinst = fault->tinst;
}

/* The load or store at @exit, as mtinst and htinst show it. */
static uint64_t transformed(struct machine *m, const struct hart *h,
			    const struct engine_exit *exit)
{
	unsigned xlen = pmu_hart_config(h->pmu)->xlen;
	struct pmu_insn insn;
	uint64_t addr = 0;

	pmu_insn_decode(exit->insn, xlen, &insn);
	if (!insn.size)
		return 0;
	if (insn.rs1)
		addr = engine_get(m->engine, h->ctx, ENGINE_X0 + insn.rs1);
	addr += (uint64_t)(int64_t)insn.imm;
	return pmu_insn_transform(exit->insn, xlen,
				  (unsigned)(exit->tval - addr));
}

/*
 * The engine knows cause and address only. A guest's address is translated once
 * more, for the access that the cause names and at the exact address: the first
 * translation may have been for another byte of it, or for an atomic's load.
 */
void guest_describe_fault(struct machine *m, const struct hart *h,
			  const struct engine_exit *exit, struct pmu_trap *trap)
{
	struct pmu_walk walk = { .vaddr = exit->tval, .executes = true };
	struct pmu_pte_ops ops = mem_ptes(m);
	struct pmu_mapping map;
	struct pmu_fault fault;

	if (!(pmu_hart_config(h->pmu)->ext & PMU_EXT_H) ||
	    !access_of(exit->cause, &walk.access))
		return;
	if (walk.access == PMU_ACCESS_FETCH) {
		trap->gva = pmu_mode_is_guest(pmu_hart_mode(h->pmu));
	} else {
		trap->gva = pmu_mode_is_guest(pmu_data_mode(h->pmu));
		trap->tinst = transformed(m, h, exit);
	}
	if (!trap->gva || exit->cause == PMU_CAUSE_LOAD_MISALIGNED ||
	    exit->cause == PMU_CAUSE_STORE_MISALIGNED)
		return;
	if (!pmu_translate(h->pmu, &walk, &ops, &map, &fault))
		tell(&fault, trap);
}

/* May @a reach @part? Devices take aligned accesses in one page. */
static bool admits(const struct pmu_exec_access *a,
		   const struct access_part *part)
{
	bool whole = part->size == a->size && part->paddr % a->size == 0;

	switch (part->page) {
	case BOARD_PAGE_RAM:
	case BOARD_PAGE_HTIF:
		return true;
	case BOARD_PAGE_DEVICE:
		return whole && !a->execute;
	case BOARD_PAGE_NONE:
		break;
	}
	return false;
}

static bool refuse(const struct pmu_exec_access *a, struct pmu_trap *trap)
{
	trap->cause = a->store ? PMU_CAUSE_STORE_ACCESS : PMU_CAUSE_LOAD_ACCESS;
	trap->gva = true;
	return false;
}

static bool locate(struct machine *m, const struct hart *h,
		   const struct pmu_exec_access *a, struct access_part *part,
		   struct pmu_trap *trap)
{
	struct pmu_walk walk = {
		.vaddr = part->vaddr,
		.access = a->store ? PMU_ACCESS_STORE : PMU_ACCESS_LOAD,
		.executes = true,
		.hypervisor = true,
		.hlvx = a->execute,
	};
	struct pmu_pte_ops ops = mem_ptes(m);
	struct pmu_mapping map;
	struct pmu_fault fault;

	trap->tval = part->vaddr;
	if (!pmu_translate(h->pmu, &walk, &ops, &map, &fault)) {
		tell(&fault, trap);
		return false;
	}
	part->paddr = map.paddr;
	part->page = board_page(m->board, map.paddr);
	return admits(a, part) || refuse(a, trap);
}

/* Splits @a at a page's end. Returns the number of parts. */
static unsigned split(const struct pmu_exec_access *a,
		      struct access_part *parts)
{
	unsigned room = PMU_PAGE - (unsigned)(a->vaddr % PMU_PAGE);

	parts[0].vaddr = a->vaddr;
	parts[0].size = a->size;
	if (a->size <= room)
		return 1;
	parts[0].size = (uint8_t)room;
	parts[1].vaddr = a->vaddr + room;
	parts[1].size = (uint8_t)(a->size - room);
	return 2;
}

/* The low bytes of @value are those of @part; little-endian. */
static bool transfer(struct machine *m, const struct pmu_exec_access *a,
		     const struct access_part *part, uint64_t *value)
{
	struct bus_access access = {
		.now = machine_now(m),
		.size = part->size,
		.write = a->store,
		.value = *value,
	};
	uint8_t bytes[8] = { 0 };

	if (part->page != BOARD_PAGE_RAM) {
		if (!board_access(m->board, part->paddr, &access))
			return false;
		*value = access.value;
		return true;
	}
	if (!a->store) {
		if (!bus_read(board_bus(m->board), part->paddr, bytes,
			      part->size))
			return false;
		memcpy(value, bytes, sizeof(bytes));
		return true;
	}
	return bus_write(board_bus(m->board), part->paddr, value, part->size);
}

bool guest_access(struct machine *m, const struct hart *h,
		  const struct pmu_exec_access *a, uint64_t *ret_loaded,
		  struct pmu_trap *trap)
{
	struct access_part parts[MAX_PARTS];
	unsigned n = split(a, parts), shift = 0;
	uint64_t loaded = 0;

	for (unsigned i = 0; i < n; i++)
		if (!locate(m, h, a, &parts[i], trap))
			return false;
	for (unsigned i = 0; i < n; i++) {
		uint64_t value = a->store ? a->value >> shift : 0;

		if (!transfer(m, a, &parts[i], &value)) {
			trap->tval = parts[i].vaddr;
			return refuse(a, trap);
		}
		loaded |= value << shift;
		shift += 8u * parts[i].size;
	}
	*ret_loaded = a->store ? 0 : loaded;
	watches_see(m, &(struct engine_access){ .vaddr = a->vaddr,
						.size = a->size,
						.load = !a->store,
						.store = a->store });
	return true;
}
