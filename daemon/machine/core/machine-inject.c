/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What may be injected, and where: an event at once is an input like any
 * other, one behind an instruction waits for that (injections.h).
 */
#include "inject.h"

#include <inttypes.h>

#include "board/board.h"
#include "injections.h"
#include "machine-address.h"
#include "machine-event.h"
#include "machine-hold.h"
#include "plan.h"

bool machine_is_code(const struct machine *m, unsigned hart, uint64_t pc)
{
	return address_is_code(m->board, hart_of(m, hart)->pmu, pc);
}

/* Can there ever be an instruction at @pc, whatever is translated then? */
static bool could_be_code(const struct machine *m, const struct hart *h,
			  uint64_t pc)
{
	const struct pmu_hart_config *cfg = pmu_hart_config(h->pmu);
	unsigned spare = 64 - (cfg->sv_modes & PMU_SV57	  ? 57
			       : cfg->sv_modes & PMU_SV48 ? 48
							  : 39);

	if (pc % 2)
		return false;
	if (cfg->xlen == 32)
		return pc <= UINT32_MAX;
	if (!cfg->sv_modes)
		return bus_is_ram(board_bus(m->board), pc, 2);
	return pc >> 56 == 0 ||
	       (uint64_t)((int64_t)(pc << spare) >> spare) == pc;
}

static bool check_place(const struct machine *m,
			const struct machine_injection *want, struct error *e)
{
	const struct hart *h = hart_of(m, want->hart);

	if (want->when == INJECT_BEHIND_PC) {
		if (!could_be_code(m, h, want->at))
			return error_set(e, ERROR_INVALID,
					 AT(PART_PC, "BAD_VALUE"),
					 "inject: 0x%" PRIx64
					 " is no address of code of hart %u",
					 want->at, want->hart);
		return hold_room(m) ||
		       error_set(e, ERROR_NO_ROOM, AT(PART_PC, "TOO_MANY"),
				 "inject: breakpoints take all places");
	}
	if (!want->at)
		return error_set(e, ERROR_INVALID, AT(PART_INSN, "BAD_VALUE"),
				 "inject: instructions are counted from 1");
	if (want->repeat || want->at > pmu_hart_insns(h->pmu))
		return true;
	return error_set(e, ERROR_OUT_OF_RANGE, AT(PART_INSN, "HAS_RETIRED"),
			 "inject: hart %u has retired %" PRIu64
			 " instructions already",
			 want->hart, pmu_hart_insns(h->pmu));
}

static bool check_wait(const struct machine *m,
		       const struct machine_injection *want, struct error *e)
{
	enum machine_state state = life_state(m->life);

	if (state == MACHINE_ENDED || state == MACHINE_CRASHED)
		return life_refuse(m->life, "inject", e);
	if (injections_full(m->injections))
		return error_set(e, ERROR_NO_ROOM, AT(PART_NONE, "TOO_MANY"),
				 "inject: at most %d wait for their "
				 "instruction",
				 INJECT_MAX_WAITING);
	return check_place(m, want, e);
}

/* How many must have retired: the next that is a multiple, or @at. */
static uint64_t first_due(const struct machine *m,
			  const struct machine_injection *want)
{
	uint64_t own = pmu_hart_insns(hart_of(m, want->hart)->pmu);

	if (want->when == INJECT_BEHIND_PC)
		return 0;
	return want->repeat ? (own / want->at + 1) * want->at : want->at;
}

bool machine_inject(struct machine *m, const struct machine_injection *want,
		    uint32_t *ret_number, struct error *e)
{
	const struct input in = {
		.kind = INPUT_INJECT,
		.hart = want->hart,
		.inject = { .event = want->event, .n = want->n },
	};

	if (want->when == INJECT_NOW && want->repeat)
		return error_set(e, ERROR_INVALID,
				 AT(PART_INSN, "FIELD_MISSING"),
				 "inject: to repeat, it needs an instruction");
	if (!input_check(&in, m->cfg->harts, e) ||
	    !event_is_there(m, want->event, PART_EVENT, "event", e))
		return false;
	*ret_number = 0;
	if (want->when == INJECT_NOW)
		return machine_input(m, &in, NULL, e);
	if (!check_wait(m, want, e))
		return false;
	plan_goal_changed(m->plan);
	*ret_number = injections_add(m->injections, want, first_due(m, want));
	return true;
}

const struct machine_injection *machine_injection(const struct machine *m,
						  uint32_t number)
{
	return injections_find(m->injections, number);
}

bool machine_cancel_injection(struct machine *m, uint32_t number,
			      struct error *e)
{
	return injections_cancel(m->injections, number) ||
	       error_set(e, ERROR_NOT_FOUND,
			 AT(PART_INJECTION, "NO_SUCH_INJECTION"),
			 "injection %" PRIu32 ": none waits under this number",
			 number);
}
