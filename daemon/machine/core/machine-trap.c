/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trap goes to the firmware model if it ends in M-mode and the model is
 * there, which may hand it on; otherwise to the guest. Here are also its
 * records, and the registers as the firmware asks for them.
 */
#include "machine-trap.h"

#include <string.h>

#include <fw/fw.h>
#include <fw/sse.h>
#include <pmu/insn.h>

#include "call-memory.h"
#include "deliveries.h"
#include "machine-address.h"
#include "machine-console.h"
#include "machine-hold.h"
#include "machine-loop.h"
#include "plan.h"

enum {
	N_ARGS = 8, /* a0-a7 */
};

/* Registers as the firmware asks for them: arguments come all at once. */
struct regs {
	struct machine *m;
	const struct hart *h;
	bool have_args;
	uint64_t args[N_ARGS];
};

static const uint64_t *get_args(void *arg)
{
	struct regs *r = arg;

	if (!r->have_args)
		engine_get_args(r->m->engine, r->h->ctx, r->args);
	r->have_args = true;
	return r->args;
}

static void write_regs(struct machine *m, const struct hart *h,
		       const struct fw_regs *out)
{
	hart_set_pc(m, h, out->pc);
	for (unsigned i = 0; i < out->n; i++)
		if (out->reg[i].x)
			engine_set(m->engine, h->ctx, out->reg[i].x,
				   out->reg[i].value);
}

/* @out: what it wrote to registers, nothing if it handed the trap on. */
static void firmware_handles(struct regs *r, const struct pmu_trap *trap,
			     uint32_t insn, struct fw_regs *out)
{
	struct machine *m = r->m;
	struct fw_trap t = {
		.trap = trap,
		.insn = trap->cause == PMU_CAUSE_ILLEGAL ? insn : 0,
		.now = machine_now(m),
		.args = get_args,
		.regs = r,
	};

	switch (fw_trap(m->fw, r->h->index, &t, out)) {
	case FW_DONE:
		write_regs(m, r->h, out);
		break;
	case FW_REDIRECT:
		hart_set_pc(m, r->h, pmu_trap_redirect(r->h->pmu, trap));
		break;
	case FW_GONE:
		break;
	}
}

/* What the records of a trap to the firmware need, from before it. */
struct before {
	struct record_at at;
	struct record_sbi sbi;
	bool call;
};

static void note_call(struct regs *r, const struct pmu_trap *trap,
		      struct before *ret)
{
	*ret = (struct before){ .at = hart_at(r->m, r->h, trap->pc) };
	ret->call = !trap->interrupt && trap->cause == PMU_CAUSE_ECALL_S &&
		    r->m->recorder->sbi_calls;
	if (ret->call)
		memcpy(ret->sbi.args, get_args(r), sizeof(ret->sbi.args));
	if (ret->call && r->m->recorder->sbi_memory)
		call_memory_begin(r->m->call_memory);
}

/*
 * A legacy call answers in a0 alone; one whose pointer faulted and SSE.complete
 * not at all.
 */
static void record_answer(const struct fw_regs *answer, unsigned xlen,
			  struct record_sbi *ret)
{
	ret->returned = answer->n > 0 && answer->reg[0].x == PMU_X_A0;
	if (ret->returned)
		ret->error = (int64_t)answer->reg[0].value;
	if (answer->n > 1 && answer->reg[1].x == PMU_X_A1)
		ret->value = xlen == 32 ? (uint32_t)answer->reg[1].value
					: answer->reg[1].value;
}

static void record_firmware(struct regs *r, const struct pmu_trap *trap,
			    struct before *before, const struct fw_regs *answer)
{
	struct machine *m = r->m;

	record_answer(answer, pmu_hart_config(r->h->pmu)->xlen, &before->sbi);
	if (before->call && before->sbi.returned)
		fw_refusal_text(fw_refusal(m->fw), before->sbi.reason,
				sizeof(before->sbi.reason));
	if (before->call && m->recorder->sbi_memory)
		before->sbi.memory = call_memory_end(m->call_memory);
	if (before->call)
		record_sbi(m->recorder, &before->at, &before->sbi);
	if (m->recorder->traps)
		record_trap(m->recorder, &before->at,
			    &(struct record_trap){
				    .trap = trap,
				    .to_firmware = true,
				    .handler = hart_pc(m, r->h),
			    });
}

/* A trap that ends in M-mode while the firmware model is there. */
static void to_firmware(struct machine *m, const struct hart *h,
			const struct pmu_trap *trap, uint32_t insn,
			struct fw_regs *out)
{
	bool recorded = m->recorder->traps || m->recorder->sbi_calls;
	struct regs regs = { .m = m, .h = h };
	struct before before; /* large, and mostly not asked for */

	if (recorded)
		note_call(&regs, trap, &before);
	pmu_trap_account(h->pmu, trap);
	console_set_place(m->console, trap->pc);
	firmware_handles(&regs, trap, insn, out);
	if (recorded)
		record_firmware(&regs, trap, &before, out);
}

static void event_delivered(struct machine *m, const struct hart *h,
			    const struct fw_delivered *e)
{
	struct record_delivery d = deliveries_of_lcofi(m, h, e->counters);
	struct record_at at = hart_at(m, h, e->pc);

	at.mode = e->mode;
	at.satp = address_space(h->pmu, e->mode, at.cycle);
	d.way = DELIVERY_SSE;
	d.event = e->id;
	d.target = PMU_MODE_S;
	d.handler = hart_pc(m, h);
	deliveries_record(m, h, &at, &d);
}

/* An LCOFI for @counters was taken by the guest, which goes on at @handler. */
static void lcofi_delivered(struct machine *m, const struct hart *h,
			    const struct record_at *at, uint32_t counters,
			    uint64_t handler)
{
	struct record_delivery d = deliveries_of_lcofi(m, h, counters);

	d.target = pmu_hart_mode(h->pmu);
	d.handler = handler;
	deliveries_record(m, h, at, &d);
}

static void to_guest(struct machine *m, const struct hart *h,
		     const struct pmu_trap *trap)
{
	uint32_t counters = pmu_trap_overflows(h->pmu, trap);
	struct record_at at = { 0 };
	uint64_t pc;

	if (m->recorder->traps || m->recorder->deliveries)
		at = hart_at(m, h, trap->pc);
	pc = pmu_trap_enter(h->pmu, trap);
	if (m->fw && trap->interrupt)
		fw_interrupt_taken(m->fw, h->index, trap);
	hart_set_pc(m, h, pc);
	if (m->recorder->traps)
		record_trap(m->recorder, &at,
			    &(struct record_trap){
				    .trap = trap,
				    .target = pmu_hart_mode(h->pmu),
				    .handler = pc,
			    });
	if (trap->interrupt && trap->cause == PMU_IRQ_LCOFI)
		lcofi_delivered(m, h, &at, counters, pc);
}

void trap_take(struct machine *m, const struct hart *h,
	       const struct pmu_trap *trap, uint32_t insn)
{
	struct fw_regs out = { 0 };

	engine_drop_reservation(m->engine, h->ctx);
	if (m->fw && pmu_trap_target(h->pmu, trap) == PMU_MODE_M)
		to_firmware(m, h, trap, insn, &out);
	else
		to_guest(m, h, trap);
	/* An interrupt brings its event, an exception what was held. */
	if (!out.event.delivered || !trap->interrupt)
		deliveries_passed(m, h);
	hart_sync_fp(m, h);
	plan_trapped(m->plan);
	hart_record_overflows(m, h, trap->pc);
	if (out.event.delivered) /* it may be for one of these */
		event_delivered(m, h, &out.event);
	loops_watch(m, h, trap);
	hold_trapped(m, h);
}

void trap_deliver_event(struct machine *m, const struct hart *h)
{
	struct pmu_trap at = { .pc = hart_pc(m, h) };
	struct regs regs = { .m = m, .h = h };
	struct fw_trap t = {
		.trap = &at,
		.now = machine_now(m),
		.args = get_args,
		.regs = &regs,
	};
	struct fw_regs out = { 0 };

	engine_drop_reservation(m->engine, h->ctx);
	hart_record_change(m, h, CHANGE_SOFTWARE_EVENT);
	fw_sse_deliver(m->fw, h->index, &t, &out);
	write_regs(m, h, &out);
	if (out.event.delivered)
		event_delivered(m, h, &out.event);
	turn_next_moment(m->turn);
	plan_moment_passed(m->plan);
	hold_trapped(m, h);
}
