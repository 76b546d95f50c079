/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter of hart-script.h. One function per kind of step. */
#include "hart-script.h"

#include <inttypes.h>

#include <pmu/model-events.h>

#include "counter-state.h"
#include "csr-execute.h"
#include "unit.h"

static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };

struct run {
	const struct script *script;
	struct pmu_hart *h;
	unsigned at, effects;
	uint64_t now;
};

struct pmu_hart *script_hart(const struct script *script, unsigned xlen)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, xlen);
	cfg.ext |= script->add;
	if (cfg.ext & PMU_EXT_H)
		cfg.ext |= PMU_EXT_SHCOUNTERENW;
	cfg.ext &= ~script->del;
	if (script->hpm_mask)
		cfg.hpm_mask = script->hpm_mask;
	if (!(cfg.ext & PMU_EXT_ZIHPM))
		cfg.hpm_mask = 0;
	if (!(cfg.ext & PMU_EXT_S))
		cfg.sv_modes = 0;
	for (unsigned n = 3; script->width && n < PMU_N_COUNTERS; n++)
		cfg.hpm_width[n] = (uint8_t)script->width;
	cfg.guest_irqs = (uint8_t)script->guest_irqs;
	cfg.pmp_entries = (uint8_t)script->pmp_entries;
	if (script->cpi)
		cfg.cpi = script->cpi;
	cfg.tick_hz[PMU_TICK_REF] = script->ref_hz;
	cfg.tick_hz[PMU_TICK_BUS] = script->bus_hz;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		cfg.hpm_events[n] |= pmu_event_set_of_ticks(cfg.tick_hz);
	PREPARING(ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0));
	return h;
}

static void expect(const struct run *r, uint64_t got, uint64_t want)
{
	ck_assert_msg(got == want,
		      "%s (%s), RV%u, step %u: got %#" PRIx64
		      ", want %#" PRIx64,
		      r->script->why, r->script->rule, r->h->cfg.xlen, r->at,
		      got, want);
}

static enum pmu_csr_result wanted(enum step_op op)
{
	if (op == STEP_ILLEGAL_R || op == STEP_ILLEGAL_W)
		return PMU_CSR_ILLEGAL;
	if (op == STEP_VIRTUAL_R || op == STEP_VIRTUAL_W)
		return PMU_CSR_VIRTUAL;
	return PMU_CSR_OK;
}

/* A CSR instruction in the current mode. */
static void csr(struct run *r, const struct step *s, enum pmu_csr_op op,
		bool read)
{
	struct pmu_csr_req req = {
		.num = s->num, .op = op, .value = s->v, .now = r->now
	};
	enum pmu_csr_result want = wanted(s->op);
	uint64_t old = ~s->v;

	req.read = read;
	req.write = !read;
	r->effects = 0;
	expect(r, csr_execute(r->h, &req, &old, &r->effects), want);
	if (read && want == PMU_CSR_OK)
		expect(r, old, s->v);
}

static void csr_write(struct run *r, const struct step *s)
{
	csr(r, s, PMU_CSR_WRITE, false);
}

static void csr_set(struct run *r, const struct step *s)
{
	csr(r, s, PMU_CSR_SET, false);
}

static void csr_clear(struct run *r, const struct step *s)
{
	csr(r, s, PMU_CSR_CLEAR, false);
}

static void csr_read(struct run *r, const struct step *s)
{
	csr(r, s, PMU_CSR_SET, true);
}

static void peek(struct run *r, const struct step *s)
{
	uint64_t value;

	expect(r, (uint64_t)pmu_csr_peek(r->h, s->num, r->now, &value), 0);
	expect(r, value, s->v);
}

static void poke(struct run *r, const struct step *s)
{
	r->effects = 0;
	expect(r,
	       (uint64_t)pmu_csr_poke(r->h, s->num, r->now, s->v, &r->effects),
	       0);
}

static void effects(struct run *r, const struct step *s)
{
	expect(r, r->effects, s->v);
}

static void mode(struct run *r, const struct step *s)
{
	pmu_hart_set_mode(r->h, (enum pmu_mode)s->v);
}

static void retire(struct run *r, const struct step *s)
{
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = s->v } };

	pmu_hart_advance(r->h, &p);
}

static void count(struct run *r, const struct step *s)
{
	counter_count(r->h, (enum pmu_event)s->num, s->v);
}

static void fetched(struct run *r, const struct step *s)
{
	pmu_hart_fetched(r->h);
}

static void emulated(struct run *r, const struct step *s)
{
	r->effects = pmu_exec_emulated(r->h);
}

static void idle(struct run *r, const struct step *s)
{
	pmu_hart_idle(r->h, s->v);
}

static void halt(struct run *r, const struct step *s)
{
	pmu_hart_halt(r->h, s->v);
}

static void now(struct run *r, const struct step *s)
{
	r->now = s->v;
}

static void limit(struct run *r, const struct step *s)
{
	struct pmu_progress p;

	pmu_hart_limits(r->h, &p);
	expect(r, p.n[s->num], s->v);
}

static void idle_limit(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_idle_limit(r->h), s->v);
}

static void halt_limit(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_halt_limit(r->h), s->v);
}

static void overflowed(struct run *r, const struct step *s)
{
	expect(r, pmu_counter_overflowed(r->h, s->num), s->v);
}

static void take(struct run *r, const struct step *s)
{
	struct pmu_overflow ovf[PMU_N_COUNTERS];
	unsigned n = pmu_hart_take_overflows(r->h, ovf);
	uint64_t mask = 0;

	for (unsigned i = 0; i < n; i++)
		mask |= UINT64_C(1) << ovf[i].counter;
	expect(r, mask, s->v);
}

static void line(struct run *r, const struct step *s)
{
	pmu_irq_set(r->h, (enum pmu_irq)s->num, s->v);
}

static void soft(struct run *r, const struct step *s)
{
	pmu_irq_soft(r->h, (enum pmu_irq)s->num, s->v);
}

static void guest_line(struct run *r, const struct step *s)
{
	pmu_irq_guest(r->h, s->num, s->v);
}

static void timer(struct run *r, const struct step *s)
{
	expect(r, pmu_timer_next(r->h, r->now), s->v);
}

static void total(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_total(r->h, (enum pmu_event)s->num, r->h->mode),
	       s->v);
}

static void exec(struct run *r, const struct step *s)
{
	struct pmu_exec_in in = { .pc = 0x1000,
				  .insn = (uint32_t)s->v,
				  .now = r->now };
	struct pmu_exec_out out;

	pmu_exec(r->h, &in, &out);
	expect(r, out.kind, PMU_EXEC_RETIRED);
	r->effects = out.effects;
}

static void next(struct run *r, const struct step *s)
{
	struct pmu_trap trap = { .cause = 0 };

	expect(r, pmu_interrupt_next(r->h, r->now, &trap), s->v != 0);
	expect(r, trap.cause, s->v);
}

/* At pc 0x1000. */
static void enter(struct run *r, const struct step *s)
{
	struct pmu_trap trap;

	expect(r, pmu_interrupt_next(r->h, r->now, &trap), true);
	expect(r, trap.cause, s->v);
	trap.pc = 0x1000;
	pmu_trap_enter(r->h, &trap);
}

/* At pc 0x1000. */
static void fault(struct run *r, const struct step *s)
{
	struct pmu_trap trap = { .cause = (uint8_t)s->v, .pc = 0x1000 };

	pmu_trap_enter(r->h, &trap);
}

static void wakes(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_wakes(r->h, r->now), s->v);
}

static void in_mode(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_mode(r->h), s->v);
}

static void branches(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_branches(r->h), s->v);
}

static void branch(struct run *r, const struct step *s)
{
	expect(r, pmu_hart_branches(r->h), true);
	expect(r, pmu_hart_branch(r->h, 0x1000), s->v);
}

static void back(struct run *r, const struct step *s)
{
	struct pmu_exec_in in = { .pc = 0x2000,
				  .insn = 0x8c000073 | (uint32_t)s->num << 20 };
	struct pmu_exec_out out;

	pmu_exec(r->h, &in, &out);
	expect(r, out.kind, PMU_EXEC_RETIRED);
	expect(r, out.next_pc, s->v);
	r->effects = out.effects;
}

static void reset(struct run *r, const struct step *s)
{
	pmu_hart_reset(r->h);
}

static void (*const ops[])(struct run *r, const struct step *s) = {
	[STEP_POKE] = poke,
	[STEP_PEEK] = peek,
	[STEP_CSRW] = csr_write,
	[STEP_CSRS] = csr_set,
	[STEP_CSRC] = csr_clear,
	[STEP_CSRR] = csr_read,
	[STEP_ILLEGAL_R] = csr_read,
	[STEP_ILLEGAL_W] = csr_set,
	[STEP_VIRTUAL_R] = csr_read,
	[STEP_VIRTUAL_W] = csr_set,
	[STEP_EFFECTS] = effects,
	[STEP_MODE] = mode,
	[STEP_RUN] = retire,
	[STEP_COUNT] = count,
	[STEP_FETCHED] = fetched,
	[STEP_EMULATED] = emulated,
	[STEP_IDLE] = idle,
	[STEP_HALT] = halt,
	[STEP_NOW] = now,
	[STEP_LIMIT] = limit,
	[STEP_IDLE_LIMIT] = idle_limit,
	[STEP_HALT_LIMIT] = halt_limit,
	[STEP_OVERFLOWED] = overflowed,
	[STEP_TAKE] = take,
	[STEP_LINE] = line,
	[STEP_SOFT] = soft,
	[STEP_GUEST_LINE] = guest_line,
	[STEP_TIMER] = timer,
	[STEP_TOTAL] = total,
	[STEP_EXEC] = exec,
	[STEP_NEXT] = next,
	[STEP_ENTER] = enter,
	[STEP_FAULT] = fault,
	[STEP_WAKES] = wakes,
	[STEP_IN] = in_mode,
	[STEP_BRANCHES] = branches,
	[STEP_BRANCH] = branch,
	[STEP_BACK] = back,
	[STEP_RESET] = reset,
};

static void run_on(const struct script *script, unsigned xlen)
{
	struct run r = { .script = script, .h = script_hart(script, xlen) };

	for (; r.at < SCRIPT_STEPS && script->steps[r.at].op; r.at++)
		ops[script->steps[r.at].op](&r, &script->steps[r.at]);
	pmu_hart_free(r.h);
}

void script_run(const struct script *script)
{
	shows(script->rule);
	if (script->xlen != 64)
		run_on(script, 32);
	if (script->xlen != 32)
		run_on(script, 64);
}
