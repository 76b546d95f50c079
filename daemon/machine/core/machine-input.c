/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What inputs do, live or replayed: the one way by which anything from outside
 * changes what the guest sees. An input that cannot be done is refused before
 * it is recorded; one that is recorded has been done.
 */
#include "machine-input.h"

#include <inttypes.h>
#include <string.h>

#include <fw/fw.h>
#include <fw/sbi.h>
#include <pmu/counter.h>
#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/explain.h>
#include <pmu/fcsr.h>
#include <pmu/page.h>

#include "board/board.h"
#include "injections.h"
#include "machine-console.h"
#include "machine-ebb.h"
#include "machine-hart.h"
#include "machine-hold.h"
#include "machine-note.h"
#include "machine-read.h"
#include "pace.h"
#include "plan.h"

/* Checks: what could go wrong, before anything has happened. */

static bool check_csr(struct machine *m, const struct input *in,
		      struct error *e)
{
	const struct pmu_hart *h = hart_of(m, in->hart)->pmu;
	uint32_t csr = in->csr_write.csr;
	const char *name = pmu_csr_name(h, (uint16_t)csr);
	uint64_t value;

	if (!name)
		return error_set(
			e, ERROR_NOT_FOUND, AT(PART_CSR, "NO_SUCH_CSR"),
			"CSR 0x%" PRIx32 ": hart %" PRIu32 " has none there",
			csr, in->hart);
	if (pmu_csr_is_read_only(csr))
		return error_set(e, ERROR_INVALID, AT(PART_CSR, "READ_ONLY"),
				 "CSR %s: read-only", name);
	if (!pmu_is_fcsr(csr) &&
	    pmu_csr_peek(h, (uint16_t)csr, machine_now(m), &value))
		return error_set(e, ERROR_NOT_NOW, AT(PART_CSR, "CSR_EMPTY"),
				 "CSR %s: nothing is behind it now", name);
	return true;
}

static bool check_register(const struct input *in, struct error *e)
{
	if (in->register_write.number == ENGINE_X0)
		return error_set(e, ERROR_INVALID,
				 AT(PART_REGISTER, "READ_ONLY"),
				 "register x0: always zero");
	if (in->register_write.number == ENGINE_PC &&
	    in->register_write.value % 2)
		return error_set(e, ERROR_INVALID, AT(PART_VALUE, "BAD_VALUE"),
				 "register pc: 0x%" PRIx64 " is odd",
				 in->register_write.value);
	return true;
}

/*
 * Where a memory write goes: its physical pieces, found before the first one is
 * written, as it may change the translation of the next.
 */
struct pieces {
	unsigned n;
	struct piece {
		uint64_t paddr;
		size_t len;
	} at[INPUT_MAX_MEMORY / PMU_PAGE + 1];
};

/* Where the piece at @vaddr is. False: it is not RAM. */
static bool find_piece(struct machine *m, const struct input *in,
		       uint64_t vaddr, size_t len, uint64_t *ret)
{
	*ret = vaddr;
	if (in->memory_write.virtual &&
	    !machine_find_address(m, in->hart, vaddr, ret))
		return false;
	return bus_is_ram(board_bus(m->board), *ret, len);
}

/* @ret may be NULL. */
static bool find_pieces(struct machine *m, const struct input *in,
			struct pieces *ret)
{
	uint64_t address = in->memory_write.address;
	size_t len = in->memory_write.len;
	struct piece p;

	for (size_t at = 0; at < len; at += p.len) {
		p.len = PMU_PAGE - (address + at) % PMU_PAGE;
		if (p.len > len - at)
			p.len = len - at;
		if (!find_piece(m, in, address + at, p.len, &p.paddr))
			return false;
		if (ret)
			ret->at[ret->n++] = p;
	}
	return true;
}

static void write_pieces(struct machine *m, const struct input *in,
			 const struct pieces *pieces)
{
	const uint8_t *bytes = in->memory_write.bytes;

	for (unsigned i = 0; i < pieces->n; i++) {
		const struct piece *p = &pieces->at[i];

		bus_write(board_bus(m->board), p->paddr, bytes, p->len);
		bytes += p->len;
	}
}

static bool check_memory(struct machine *m, const struct input *in,
			 struct pieces *ret, struct error *e)
{
	if (find_pieces(m, in, ret))
		return true;
	return error_set(e, ERROR_OUT_OF_RANGE,
			 AT(PART_ADDRESS, "NO_MEMORY_THERE"),
			 "memory: %zu bytes at 0x%" PRIx64 " are not all RAM",
			 in->memory_write.len, in->memory_write.address);
}

static bool check_sbi(struct machine *m, const struct input *in,
		      struct error *e)
{
	if (!m->fw)
		return error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "NO_FIRMWARE"),
				 "SBI call: this machine has no firmware");
	if (!hart_is_there(m, hart_of(m, in->hart)))
		return error_set(
			e, ERROR_NOT_NOW, AT(PART_HART, "HART_STOPPED"),
			"SBI call: hart %" PRIu32 " is stopped or suspended",
			in->hart);
	return true;
}

static bool check_console(struct machine *m, const struct input *in,
			  struct error *e)
{
	if (in->console.len <= board_console_space(m->board))
		return true;
	return error_set(e, ERROR_NO_ROOM, AT(PART_CONSOLE, "CONSOLE_FULL"),
			 "console: the guest has not yet read %zu bytes",
			 BOARD_CONSOLE_QUEUE - board_console_space(m->board));
}

static bool check_inject(const struct machine *m, const struct input *in,
			 struct error *e)
{
	if (turn_status(m->turn, in->hart) != HART_STOPPED)
		return true;
	return error_set(e, ERROR_NOT_NOW, AT(PART_HART, "HART_STOPPED"),
			 "inject: hart %" PRIu32 " is stopped", in->hart);
}

/* @ret: of a memory write; may be NULL. */
static bool check(struct machine *m, const struct input *in, struct pieces *ret,
		  struct error *e)
{
	switch (in->kind) {
	case INPUT_CONSOLE:
		return check_console(m, in, e);
	case INPUT_CSR_WRITE:
		return check_csr(m, in, e);
	case INPUT_REGISTER_WRITE:
		return check_register(in, e);
	case INPUT_MEMORY_WRITE:
		return check_memory(m, in, ret, e);
	case INPUT_SBI_CALL:
		return check_sbi(m, in, e);
	case INPUT_EBB:
		return machine_ebb_check(m, in->hart, &in->ebb, e);
	case INPUT_INJECT:
		return check_inject(m, in, e);
	case INPUT_UNKNOWN:
		break;
	}
	return false;
}

/* What inputs do, when they were checked */

static void write_fp_csr(struct machine *m, const struct hart *h, uint32_t csr,
			 uint64_t value)
{
	uint64_t old = engine_get(m->engine, h->ctx, ENGINE_FCSR);

	engine_set(m->engine, h->ctx, ENGINE_FCSR,
		   pmu_fcsr_write((uint32_t)old, csr, value));
}

static void write_csr(struct machine *m, const struct input *in)
{
	const struct hart *h = hart_of(m, in->hart);
	uint32_t csr = in->csr_write.csr;
	unsigned effects = 0;

	if (pmu_is_fcsr(csr)) {
		write_fp_csr(m, h, csr, in->csr_write.value);
		return;
	}
	pmu_hart_author(h->pmu,
			&(struct pmu_origin){ .by = PMU_BY_INSTRUMENT,
					      .csr = (uint16_t)csr,
					      .cycle = machine_now(m) });
	pmu_csr_poke(h->pmu, (uint16_t)csr, machine_now(m), in->csr_write.value,
		     &effects);
	hart_sync_fp(m, h);
	engine_flush_tlb(m->engine);
}

static void write_register(struct machine *m, const struct input *in)
{
	const struct hart *h = hart_of(m, in->hart);

	engine_set(m->engine, h->ctx, in->register_write.number,
		   in->register_write.value);
	if (in->register_write.number != ENGINE_PC)
		return;
	life_move(m->life);
	injections_moved(m->injections, h);
	hart_leave_wfi(m, h);
}

static void call_sbi(struct machine *m, const struct input *in,
		     struct record_sbi *ret)
{
	const struct hart *h = hart_of(m, in->hart);
	struct sbi_ret answer = { 0 };
	struct record_sbi call = { 0 };

	memcpy(call.args, in->sbi_call.args, sizeof(call.args));
	console_set_place(m->console, hart_pc(m, h));
	call.returned = fw_sbi_call(m->fw, in->hart, machine_now(m), call.args,
				    &answer) == FW_DONE;
	/* The engine may hold translations of a hart that has no turn. */
	engine_flush_tlb(m->engine);
	/* Stopped, suspended: no trap says that it goes on elsewhere. */
	if (!call.returned) {
		injections_moved(m->injections, h);
		hold_moved(m, h);
	} else {
		call.error = answer.error;
		call.value = answer.value;
		fw_refusal_text(fw_refusal(m->fw), call.reason,
				sizeof(call.reason));
	}
	if (ret)
		*ret = call;
}

static void inject(struct machine *m, const struct input *in)
{
	const struct hart *h = hart_of(m, in->hart);
	uint64_t last_pc = in->inject.last_pc;

	pmu_hart_inject(h->pmu, in->inject.event, in->inject.n);
	hart_record_overflows(m, h, last_pc ? last_pc : hart_pc(m, h));
}

static void act(struct machine *m, const struct input *in,
		const struct pieces *pieces, struct record_sbi *ret_sbi)
{
	switch (in->kind) {
	case INPUT_CONSOLE:
		board_console_input(m->board, in->console.bytes,
				    in->console.len);
		break;
	case INPUT_CSR_WRITE:
		write_csr(m, in);
		break;
	case INPUT_REGISTER_WRITE:
		write_register(m, in);
		break;
	case INPUT_MEMORY_WRITE:
		write_pieces(m, in, pieces);
		break;
	case INPUT_SBI_CALL:
		call_sbi(m, in, ret_sbi);
		break;
	case INPUT_EBB:
		machine_ebb_act(m, in->hart, &in->ebb);
		break;
	case INPUT_INJECT:
		inject(m, in);
		break;
	case INPUT_UNKNOWN:
		break;
	}
}

/* What is due */

static void settle(struct machine *m)
{
	uint64_t now = machine_now(m);

	board_timer_run(m->board, now);
	if (m->fw)
		fw_timer_run(m->fw, now);
	harts_account_due(m);
	console_flush(m);
	machine_ebb_deliver(m);
	notes_flush(m);
}

static bool apply(struct machine *m, const struct input *in,
		  struct record_sbi *ret_sbi, struct error *e)
{
	const struct hart *h = hart_of(m, in->hart);
	struct input stamped = *in;
	struct pieces pieces = { .n = 0 };
	struct record_at at;

	if (!check(m, in, &pieces, e))
		return false;
	plan_input_came(m->plan);
	/* what was waited for so long was in the state that this may change */
	harts_settle(m, UINT32_MAX);
	stamped.cycle = machine_now(m);
	stamped.moment = turn_moment(m->turn);
	if (in->kind == INPUT_EBB)
		machine_ebb_stamp(m, &stamped.ebb);
	at = hart_at(m, h, hart_pc(m, h));
	record_input(m->recorder, &at, &stamped);
	act(m, in, &pieces, ret_sbi);
	harts_account(m);
	settle(m);
	return true;
}

void machine_settle(struct machine *m)
{
	unsigned harts = injections_any(m->injections) ? m->cfg->harts : 0;
	struct input *in, injected;

	settle(m);
	while ((in = inputs_take(m->inputs, machine_now(m),
				 turn_moment(m->turn)))) {
		apply(m, in, NULL, NULL);
		input_free(in);
	}
	for (unsigned i = 0; i < harts; i++)
		while (injections_take(m->injections, hart_of(m, i), &injected))
			apply(m, &injected, NULL, NULL);
}

bool machine_queue(struct machine *m, const struct input *in, struct error *e)
{
	struct input queued = *in;

	if (life_state(m->life) != MACHINE_NEW)
		return error_set(e, ERROR_NOT_NOW,
				 AT(PART_NONE, "ALREADY_STARTED"),
				 "inputs: the machine has started");
	if (in->kind == INPUT_EBB)
		queued.ebb.replayed = true;
	return inputs_add(m->inputs, &queued, m->cfg->harts, e);
}

size_t machine_queued(const struct machine *m)
{
	return inputs_count(m->inputs);
}

static bool may_act(const struct machine *m, const struct input *in)
{
	enum machine_state state = life_state(m->life);

	if (state == MACHINE_PAUSED || machine_frozen(m))
		return true;
	return (in->kind == INPUT_CONSOLE || in->kind == INPUT_EBB ||
		in->kind == INPUT_INJECT) &&
	       (state == MACHINE_RUNNING || state == MACHINE_WAITING);
}

static bool check_state(const struct machine *m, const struct input *in,
			struct error *e)
{
	enum machine_state state = life_state(m->life);

	if (may_act(m, in))
		return true;
	if (state != MACHINE_RUNNING && state != MACHINE_WAITING)
		return life_refuse(m->life, "input", e);
	return error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "WRONG_STATE"),
			 "input: the machine is not paused");
}

bool machine_input(struct machine *m, const struct input *in,
		   struct record_sbi *ret_sbi, struct error *e)
{
	if (!input_check(in, m->cfg->harts, e) || !check_state(m, in, e) ||
	    !check(m, in, NULL, e))
		return false;
	pace_act(m->pace, m->turn);
	machine_settle(m);
	if (!apply(m, in, ret_sbi, e))
		return false;
	life_wake(m->life);
	return true;
}

bool machine_check_write(struct machine *m, const struct input *all,
			 struct error *e)
{
	struct input in = *all;

	if (in.memory_write.len > INPUT_MAX_MEMORY)
		in.memory_write.len = INPUT_MAX_MEMORY;
	return input_check(&in, m->cfg->harts, e) && check_state(m, &in, e) &&
	       check_memory(m, all, NULL, e);
}
