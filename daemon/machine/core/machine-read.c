/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a machine without moving it. What of it is worth telling, and in
 * which words, is the view's.
 */
#include "machine-read.h"

#include <pmu/model-events.h>
#include <pmu/page.h>

#include "board/board.h"
#include "machine-address.h"
#include "machine-hart.h"
#include "machine-uarch.h"

enum machine_state machine_state(const struct machine *m)
{
	return life_state(m->life);
}

uint64_t machine_clock(const struct machine *m)
{
	return machine_now(m);
}

uint64_t machine_time(const struct machine *m)
{
	return pmu_time(m->timebase, machine_now(m));
}

enum hart_status machine_hart_status(const struct machine *m, unsigned hart)
{
	return turn_status(m->turn, hart);
}

const struct pmu_hart *machine_pmu(const struct machine *m, unsigned hart)
{
	return hart_of(m, hart)->pmu;
}

const struct fw *machine_firmware(const struct machine *m)
{
	return m->fw;
}

uint64_t machine_register(const struct machine *m, unsigned hart, unsigned reg)
{
	return engine_get(m->engine, hart_of(m, hart)->ctx, reg);
}

void machine_registers(const struct machine *m, unsigned hart,
		       struct hart_state *ret)
{
	engine_ctx_save(m->engine, hart_of(m, hart)->ctx, ret);
}

bool machine_steps(const struct machine *m, unsigned hart)
{
	return uarch_steps(m, hart);
}

static bool all_stepped(const struct machine *m)
{
	for (unsigned i = 0; i < m->cfg->harts; i++)
		if (!uarch_steps(m, i))
			return false;
	return true;
}

void machine_engine_piece(const struct machine *m, unsigned n,
			  struct engine_piece *ret)
{
	engine_get_piece(m->engine, n, ret);
	if (ret->off == NULL && ret->of_blocks && all_stepped(m))
		ret->off = "instructions are stepped, as models are fed";
}

uint64_t machine_code_emptied(const struct machine *m)
{
	return engine_code_emptied(m->engine);
}

/* Those of models are the observers'. */
bool machine_has_total(const struct machine *m, enum pmu_event event)
{
	return settings_countable(&m->cfg->settings) >> event & 1 &&
	       (!pmu_event_is_model(event) || m->cfg->settings.uarch_watch);
}

bool machine_read_memory(const struct machine *m, uint64_t paddr, void *ret,
			 size_t len)
{
	return bus_read(board_bus(m->board), paddr, ret, len);
}

const uint8_t *machine_ram(const struct machine *m, size_t *ret_size)
{
	const struct bus *bus = board_bus(m->board);

	*ret_size = bus->ram_size;
	return bus->ram;
}

bool machine_find_address(const struct machine *m, unsigned hart,
			  uint64_t vaddr, uint64_t *ret)
{
	static const enum pmu_access tries[] = { PMU_ACCESS_LOAD,
						 PMU_ACCESS_FETCH };

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct pmu_walk walk = { .vaddr = vaddr,
					 .access = tries[i],
					 .executes = true };

		if (address_find(m->board, hart_of(m, hart)->pmu, &walk, ret))
			return true;
	}
	return false;
}

bool machine_find_supervisor(const struct machine *m, unsigned hart,
			     uint64_t vaddr, uint64_t *ret)
{
	struct pmu_walk walk = { .vaddr = vaddr,
				 .access = PMU_ACCESS_LOAD,
				 .executes = true,
				 .supervisor = true };

	return address_find(m->board, hart_of(m, hart)->pmu, &walk, ret);
}

/* All of it, as @walk says but for the address. */
static bool read_by(const struct machine *m, unsigned hart,
		    struct pmu_walk *walk, void *ret, size_t len)
{
	uint8_t *to = ret;

	while (len) {
		size_t part = PMU_PAGE - walk->vaddr % PMU_PAGE;
		uint64_t paddr;

		if (part > len)
			part = len;
		if (!address_find(m->board, hart_of(m, hart)->pmu, walk,
				  &paddr) ||
		    !machine_read_memory(m, paddr, to, part))
			return false;
		walk->vaddr += part;
		to += part;
		len -= part;
	}
	return true;
}

bool machine_read_supervisor(const struct machine *m, unsigned hart,
			     uint64_t vaddr, void *ret, size_t len)
{
	struct pmu_walk walk = { .vaddr = vaddr,
				 .access = PMU_ACCESS_LOAD,
				 .executes = true,
				 .supervisor = true };

	return read_by(m, hart, &walk, ret, len);
}

bool machine_read_code(const struct machine *m, const struct machine_space *of,
		       uint64_t vaddr, void *ret, size_t len)
{
	struct pmu_walk walk = { .vaddr = vaddr,
				 .access = PMU_ACCESS_FETCH,
				 .executes = true,
				 .space = of->satp,
				 .guest = of->mode == PMU_MODE_VU };

	return read_by(m, of->hart, &walk, ret, len);
}
