/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A random walk over the ways in which a driver and a firmware model have a
 * hart run, wait, trap and count: not observers, injected events, models of a
 * core and event-based branches, which have tests of their own. What holds
 * after any step is fuzz-walk.c's; here is what each kind of step may change,
 * and what it must answer.
 */
#include "fuzz-walk.h"
#include "seeds.h"

#include <string.h>

#include <pmu/csr.h>
#include <pmu/error.h>
#include <pmu/exec.h>
#include <pmu/explain.h>
#include <pmu/insn.h>
#include <pmu/translate.h>
#include <pmu/trap.h>

enum {
	N_SEEDS = 200,
	N_STEPS = 5000,
	NEAR = 2000, /* limits within reach of one step */
	FX_LIMITS = PMU_FX_COUNT | PMU_FX_MODE,
	FX_NEXT = PMU_FX_IRQ | PMU_FX_MODE,
	FX_MAPPINGS = PMU_FX_TLB | PMU_FX_MODE,
};

static void advance(struct walk *w, const struct pmu_progress *p)
{
	walk_begin(w);
	w->cycles_spent = p->n[PMU_EV_INSNS] * w->cfg.cpi + p->stalled;
	pmu_hart_advance(w->h, p);
	walk_end(w);
}

static void advance_one(struct walk *w, enum pmu_event event, uint64_t n)
{
	struct pmu_progress p = { .n = { 0 } };

	p.n[event] = n;
	advance(w, &p);
}

/* Some progress short of every limit, which then is nearer by just that. */
static void run_short(struct walk *w)
{
	struct pmu_progress limits, p = { .n = { 0 } }, left;

	pmu_hart_limits(w->h, &limits);
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		p.n[e] = walk_below(w, limits.n[e] < NEAR ? limits.n[e] : NEAR);
	advance(w, &p);
	HOLDS(w, w->records == 0);
	pmu_hart_limits(w->h, &left);
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		HOLDS(w, limits.n[e] == UINT64_MAX ||
				 left.n[e] == limits.n[e] - p.n[e]);
}

/* One less than a limit overflows nothing, one more overflows. */
static void run_to_limit(struct walk *w)
{
	enum pmu_event e = (enum pmu_event)walk_below(w, PMU_N_ENGINE_EVENTS);
	struct pmu_progress limits;

	pmu_hart_limits(w->h, &limits);
	if (limits.n[e] > UINT64_C(1) << 50)
		return;
	if (walk_below(w, 2)) {
		advance_one(w, e, limits.n[e]);
		HOLDS(w, w->records != 0);
		return;
	}
	advance_one(w, e, limits.n[e] - 1);
	HOLDS(w, w->records == 0);
	advance_one(w, e, 1);
	HOLDS(w, w->records != 0);
}

/* Far beyond limits: counters wrap more than once. */
static void run_far(struct walk *w)
{
	struct pmu_progress p;

	p.stalled = walk_random(w) >> (24 + walk_below(w, 40));
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		p.n[e] = walk_random(w) >> (24 + walk_below(w, 40));
	advance(w, &p);
}

static void idle(struct walk *w)
{
	uint64_t limit = pmu_hart_idle_limit(w->h);
	uint64_t cycles = 1 + walk_below(w, NEAR);

	if (limit < UINT64_C(1) << 50 && walk_below(w, 2))
		cycles = limit;
	walk_begin(w);
	w->cycles_spent = cycles;
	pmu_hart_idle(w->h, cycles);
	walk_end(w);
	HOLDS(w, (w->records != 0) == (cycles >= limit));
}

/* The clock stands: nothing but the bus goes on. */
static void halt(struct walk *w)
{
	uint64_t limit = pmu_hart_halt_limit(w->h);
	uint64_t cycles = 1 + walk_below(w, NEAR);

	if (limit < UINT64_C(1) << 50 && walk_below(w, 2))
		cycles = limit;
	walk_begin(w);
	w->halted = true;
	pmu_hart_halt(w->h, cycles);
	walk_end(w);
	HOLDS(w, (w->records != 0) == (cycles >= limit));
}

/* What a write of CSR @num may change. */
static void allow(struct walk *w, unsigned num)
{
	uint32_t counter = UINT32_C(1) << (num & 31);

	if ((num & ~0x9fu) == 0xb00)
		w->values_written = counter;
	else if ((num & ~0x41fu) == 0x320 && num != 0x320)
		w->events_written = (num & 31) == 1 ? 1 : counter; /* cycle */
	else if (num == 0x344 || num == 0x144 || num == 0x244)
		w->mip_written = true;
}

/* Any CSR number, those of counters and traps more often. */
static uint16_t some_csr(struct walk *w)
{
	static const uint16_t bases[] = { 0xb00, 0xb80, 0x320, 0x720, 0xc00,
					  0xc80, 0x100, 0x140, 0x300, 0x340,
					  0x180, 0x200, 0x240, 0x600, 0x640 };
	static const uint16_t interrupts[] = {
		0x300, 0x303, 0x304, 0x344, 0x100, 0x104, 0x144, /* M, S */
		0x200, 0x204, 0x244, 0x600, 0x603, 0x604, 0x645, /* H, VS */
	};
	uint64_t i = walk_below(w, ARRAY_SIZE(bases) + 4);

	if (i == ARRAY_SIZE(bases))
		return (uint16_t)walk_below(w, 4096);
	if (i > ARRAY_SIZE(bases))
		return interrupts[walk_below(w, ARRAY_SIZE(interrupts))];
	return (uint16_t)(bases[i] + walk_below(w, 32));
}

static uint32_t some_insn(struct walk *w)
{
	static const uint32_t others[] = {
		0x00000073, 0x00100073, 0x30200073, 0x10200073, 0x10500073,
		0x12000073, 0x9002,	0x0000,	    0x30200073, 0x10200073,
		0x22208073, 0x62208073, 0x6800c573, 0x6220c073, /* of H */
	};
	uint32_t operands = (uint32_t)walk_random(w) & 0x000fff80;

	if (!walk_below(w, 16))
		return (uint32_t)walk_random(w) | 3;
	if (!walk_below(w, 4))
		return others[walk_below(w, ARRAY_SIZE(others))];
	return (uint32_t)some_csr(w) << 20 | operands | 0x73;
}

static bool is_csr(uint32_t insn)
{
	return (insn & 0x7f) == 0x73 && (insn >> 12 & 3);
}

/* csrrw, or any form with another register or immediate than 0 */
static bool writes_csr(uint32_t insn)
{
	return is_csr(insn) && ((insn >> 12 & 3) == 1 || (insn >> 15 & 31));
}

static void take(struct walk *w, const struct pmu_trap *trap)
{
	enum pmu_mode target = pmu_trap_target(w->h, trap);
	bool enters = walk_below(w, 4), redirects = false;

	walk_begin(w);
	w->cycles_spent = w->cfg.trap_cycles;
	if (enters) {
		pmu_trap_enter(w->h, trap);
		HOLDS(w, pmu_hart_mode(w->h) == target);
	} else {
		pmu_trap_account(w->h, trap);
		redirects = walk_has(w, PMU_EXT_S) && !trap->interrupt &&
			    pmu_hart_mode(w->h) != PMU_MODE_M;
	}
	walk_end(w);
	if (!redirects)
		return;
	walk_begin(w);
	pmu_trap_redirect(w->h, trap);
	HOLDS(w, pmu_hart_mode(w->h) == PMU_MODE_S ||
			 pmu_hart_mode(w->h) == PMU_MODE_VS);
	walk_end(w);
}

static void wake(struct walk *w)
{
	unsigned effects;

	walk_begin(w);
	w->cycles_spent = w->cfg.cpi;
	effects = pmu_exec_wake(w->h);
	walk_end(w);
	HOLDS(w, (w->records != 0) == (effects != 0));
}

/* What the driver holds is still true where no effect tells otherwise. */
static void check_effects(struct walk *w, const struct pmu_progress *before,
			  unsigned effects)
{
	struct pmu_progress after;

	pmu_hart_limits(w->h, &after);
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		HOLDS(w,
		      effects & FX_LIMITS || before->n[e] == UINT64_MAX ||
			      before->n[e] - after.n[e] == (e == PMU_EV_INSNS));
	HOLDS(w,
	      !w->records || (effects & PMU_FX_COUNT && effects & PMU_FX_IRQ));
}

/* A value that csrrw leaves on RV64: the one it wrote (C117). */
static void check_written(struct walk *w, const struct pmu_exec_in *in)
{
	unsigned n = in->insn >> 20 & 31;

	if (w->cfg.xlen == 64 && (in->insn >> 12 & 7) == 1 && w->values_written)
		HOLDS(w,
		      pmu_counter_get(w->h, n) == (in->rs1 & walk_mask(w, n)));
}

static void execute(struct walk *w, const struct pmu_exec_in *in,
		    struct pmu_exec_out *ret)
{
	enum pmu_mode data = pmu_data_mode(w->h);
	struct pmu_progress limits;
	struct pmu_trap next;
	bool quiet = !pmu_interrupt_next(w->h, w->now, &next);

	pmu_hart_limits(w->h, &limits);
	walk_begin(w);
	pmu_exec(w->h, in, ret);
	if (ret->kind == PMU_EXEC_RETIRED) {
		w->cycles_spent = w->cfg.cpi;
		if (writes_csr(in->insn))
			allow(w, in->insn >> 20);
	}
	walk_end(w);
	if (ret->kind != PMU_EXEC_RETIRED) {
		HOLDS(w, ret->effects == 0);
		return;
	}
	check_effects(w, &limits, ret->effects);
	check_written(w, in);
	HOLDS(w, ret->effects & FX_MAPPINGS || pmu_data_mode(w->h) == data);
	HOLDS(w, !quiet || ret->effects & FX_NEXT ||
			 !pmu_interrupt_next(w->h, w->now, &next));
	HOLDS(w, w->cfg.xlen == 64 || ret->next_pc <= UINT32_MAX);
	HOLDS(w, ret->rd < 32);
}

/* A hypervisor load or store retires when its access was made, or faults. */
static void access_done(struct walk *w, struct pmu_exec_out *out)
{
	struct pmu_trap fault = { .cause = PMU_CAUSE_LOAD_GUEST_PAGE,
				  .pc = 0x1000,
				  .tval = out->access.vaddr,
				  .tval2 = walk_value(w),
				  .gva = true };

	HOLDS(w, out->effects == 0);
	if (!walk_below(w, 4)) {
		take(w, &fault);
		return;
	}
	walk_begin(w);
	w->cycles_spent = w->cfg.cpi;
	pmu_exec_accessed(w->h, walk_value(w), out);
	walk_end(w);
	HOLDS(w, out->kind == PMU_EXEC_RETIRED);
	HOLDS(w, (w->records != 0) == (out->effects != 0));
}

static void instruction(struct walk *w)
{
	struct pmu_exec_in in = {
		.pc = walk_random(w) & UINT32_MAX & ~UINT64_C(3),
		.insn = some_insn(w),
		.rs1 = walk_value(w),
		.now = w->now,
	};
	struct pmu_exec_out out = { 0 };
	struct pmu_insn decoded;

	pmu_insn_decode(in.insn, w->cfg.xlen, &decoded);
	HOLDS(w, !(decoded.flags & PMU_INSN_CSR) == !is_csr(in.insn));
	execute(w, &in, &out);
	switch (out.kind) {
	case PMU_EXEC_RETIRED:
		break;
	case PMU_EXEC_WAIT:
		idle(w);
		wake(w);
		break;
	case PMU_EXEC_TRAP:
		take(w, &out.trap);
		break;
	case PMU_EXEC_ACCESS:
		access_done(w, &out);
		break;
	}
}

/*
 * A counter of instructions at its end, and a CSR instruction that may write
 * it, its event, mip or mcountinhibit: collisions that chance alone avoids.
 */
static void write_at_the_end(struct walk *w)
{
	static const uint16_t bases[] = { 0xb00, 0xb80, 0x320, 0x720 };
	static const uint16_t others[] = { 0x344, 0x144, 0x320, 0x340 };
	unsigned n = 3 + (unsigned)walk_below(w, PMU_N_COUNTERS - 3);
	uint32_t insn = (uint32_t)walk_random(w) & 0x000fff80;
	uint32_t csr = walk_below(w, 3) ? bases[walk_below(w, 4)] + n
					: others[walk_below(w, 4)];
	struct pmu_exec_in in = { .pc = 0x1000,
				  .insn = csr << 20 | insn | 0x73,
				  .rs1 = walk_value(w),
				  .now = w->now };
	struct pmu_exec_out out = { 0 };

	pmu_counter_set_event(w->h, n, 2);
	pmu_counter_set(w->h, n, UINT64_MAX);
	execute(w, &in, &out);
}

static void interrupt(struct walk *w)
{
	static const enum pmu_irq irqs[] = { PMU_IRQ_SSI,  PMU_IRQ_MSI,
					     PMU_IRQ_STI,  PMU_IRQ_MTI,
					     PMU_IRQ_SEI,  PMU_IRQ_MEI,
					     PMU_IRQ_LCOFI };
	struct pmu_trap trap;

	w->now += walk_below(w, 1000);
	walk_begin(w);
	w->mip_written = true;
	pmu_irq_set(w->h, irqs[walk_below(w, 7)], walk_below(w, 2));
	pmu_irq_soft(w->h, irqs[walk_below(w, 7)], walk_below(w, 2));
	pmu_irq_guest(w->h, (unsigned)walk_below(w, 64), walk_below(w, 2));
	walk_end(w);
	if (!pmu_interrupt_next(w->h, w->now, &trap))
		return;
	HOLDS(w, trap.interrupt && pmu_hart_wakes(w->h, w->now));
	HOLDS(w, trap.given != PMU_MODE_M ||
			 pmu_irq_pending(w->h, w->now) >> trap.cause & 1);
	trap.pc = 0x1000;
	take(w, &trap);
}

static void poke(struct walk *w)
{
	uint16_t num = some_csr(w);
	uint64_t value = 0;
	unsigned effects = 0;

	if (walk_below(w, 2) && !pmu_csr_peek(w->h, num, w->now, &value)) {
		HOLDS(w, w->cfg.xlen == 64 || value <= UINT32_MAX);
		HOLDS(w, pmu_csr_name(w->h, num) != NULL);
	}
	walk_begin(w);
	allow(w, num);
	(void)pmu_csr_poke(w->h, num, w->now, walk_value(w), &effects);
	walk_end(w);
}

/* The firmware model's way in; numbers without a counter too. */
static void configure(struct walk *w)
{
	static const uint64_t selectors[] = { 0,	1,	  2,
					      5,	7,	  10,
					      0x100000, 0x100001, 0x100002 };
	unsigned n = (unsigned)walk_below(w, PMU_N_COUNTERS + 1);
	uint64_t filters = walk_random(w) & walk_random(w);
	uint32_t bit = n < PMU_N_COUNTERS ? UINT32_C(1) << n : 0;

	walk_begin(w);
	switch (walk_below(w, 4)) {
	case 0:
		pmu_counter_set_inhibit(w->h, (uint32_t)filters);
		break;
	case 1:
		w->values_written = bit;
		pmu_counter_set(w->h, n, walk_value(w));
		break;
	default:
		w->events_written = bit;
		pmu_counter_set_event(
			w->h, n,
			selectors[walk_below(w, ARRAY_SIZE(selectors))] |
				filters >> 56 << 56);
		break;
	}
	walk_end(w);
}

static void emulate(struct walk *w)
{
	unsigned effects;

	walk_begin(w);
	w->emulated = true;
	effects = pmu_exec_emulated(w->h);
	walk_end(w);
	HOLDS(w, (w->records != 0) == (effects != 0));
}

static void change_mode(struct walk *w)
{
	enum pmu_mode mode = (enum pmu_mode)walk_below(w, PMU_N_MODES);

	if ((mode == PMU_MODE_S && !walk_has(w, PMU_EXT_S)) ||
	    (mode == PMU_MODE_U && !walk_has(w, PMU_EXT_U)) ||
	    (mode > PMU_MODE_U && !walk_has(w, PMU_EXT_H)))
		return;
	walk_begin(w);
	pmu_hart_set_mode(w->h, mode);
	walk_end(w);
}

static void reset(struct walk *w)
{
	if (walk_below(w, 20))
		return;
	walk_begin(w);
	w->values_written = w->events_written = UINT32_MAX;
	w->mip_written = true;
	pmu_hart_reset(w->h);
	walk_end(w);
	HOLDS(w, pmu_hart_mode(w->h) == PMU_MODE_M);
}

/* Two ways to ask whether a user counter may be read agree. */
static void ask_readable(struct walk *w)
{
	uint16_t num = (uint16_t)(0xc00 + walk_below(w, 0x100));
	struct pmu_csr_req req = {
		.num = num, .op = PMU_CSR_SET, .read = true, .now = w->now
	};
	enum pmu_csr_result result;
	unsigned effects = 0;
	struct pmu_why why;
	uint64_t old;

	walk_begin(w);
	result = pmu_csr(w->h, &req, &old, &effects);
	pmu_counter_explain(w->h, num - 0xc00u, &why);
	HOLDS(w, !why.exists || why.mode[pmu_hart_mode(w->h)].reads == result);
	HOLDS(w, effects == 0);
	walk_end(w);
}

TEST_RANGE(a_walk_breaks_no_invariant, fuzz_first(), fuzz_end(N_SEEDS))
{
	static void (*const steps[])(struct walk * w) = {
		run_short,	run_short,    run_to_limit,
		run_to_limit,	run_far,      idle,
		halt,		instruction,  instruction,
		instruction,	instruction,  instruction,
		instruction,	interrupt,    interrupt,
		poke,		poke,	      configure,
		configure,	configure,    configure,
		emulate,	change_mode,  reset,
		walk_translate, ask_readable, write_at_the_end,
	};
	struct walk w;

	walk_init(&w, (unsigned)_i);
	for (w.step = 0; w.step < N_STEPS; w.step++)
		steps[walk_below(&w, ARRAY_SIZE(steps))](&w);
	walk_fini(&w);
}

SUITE("fuzz-hart");
