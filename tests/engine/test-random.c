/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random programs run in every mode of the engine: with two slots, with one,
 * and instruction by instruction, in more spaces than there are TLBs in one. At
 * every stop, at random limits, registers, counts, exits, device accesses,
 * accessed and dirty bits must be the same.
 */
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "program.h"
#include "rig.h"

enum {
	STOPS = 400,
	MAX_EXITS = 40,
	OTHER_CODE = PROGRAM_CODE + 3,
};

/* What is compared, stop by stop. */
struct stop {
	int why;
	unsigned exits;
	uint64_t pc, last_pc;
	uint64_t done[PMU_N_ENGINE_EVENTS];
	uint64_t state;	  /* hash of registers and pages */
	uint64_t history; /* hash of all exits and device accesses */
};

struct history {
	uint64_t hash;
	unsigned exits, since;
	uint64_t mmio;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static struct history history;

static void note(struct rig *r, const struct engine_exit *exit)
{
	uint64_t h = history.hash;

	h = mix(h, exit->kind);
	h = mix(h, exit->pc);
	h = mix(h, exit->kind == ENGINE_EXIT_INSN ? exit->insn : exit->cause);
	h = mix(h, exit->kind == ENGINE_EXIT_INSN ? exit->len : exit->tval);
	for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		h = mix(h, r->budget.done.n[i]);
	h = mix(h, rig_x(r, 10));
	history.hash = mix(h, r->n_mmio);
	history.exits++;
	history.since++;
}

/* The length of the instruction in RAM at virtual @pc. */
static unsigned insn_len(const struct rig *r, uint64_t pc)
{
	uint64_t n = (pc - RIG_BASE) / RIG_PAGE;
	const struct rig_page *p = &r->page[n % RIG_PAGES];
	const uint8_t *at = r->ram + (p->to + r->room * p->room) * RIG_PAGE;

	return (at[pc % RIG_PAGE] & 3) == 3 ? 4 : 2;
}

static void fault(struct rig *r, const struct engine_exit *exit)
{
	struct engine_ctx *ctx = r->ctx[r->cur];
	uint64_t n = (exit->tval - RIG_BASE) / RIG_PAGE;

	if (exit->cause != PMU_CAUSE_FETCH_PAGE) {
		engine_set(r->e, ctx, ENGINE_PC,
			   exit->pc + insn_len(r, exit->pc));
	} else if (n < PROGRAM_CODE_PAGES) {
		r->page[n].perms = PMU_PERM_R | PMU_PERM_X;
	} else {
		uint64_t to = mix(exit->pc, history.exits) %
			      (PROGRAM_CODE_PAGES * RIG_PAGE);

		engine_set(r->e, ctx, ENGINE_PC, RIG_BASE + (to & ~1u));
	}
}

/* A page of data is another one, behind a fence or, now and then, without. */
static void move_data(struct rig *r, uint64_t dice)
{
	unsigned n = PROGRAM_DATA + dice % PROGRAM_DATA_PAGES;
	unsigned other = PROGRAM_DATA + dice / 7 % PROGRAM_DATA_PAGES;
	uint32_t to = r->page[n].to;

	r->page[n].to = r->page[other].to;
	r->page[other].to = to;
	if (dice / 64 % 8 == 0)
		return;
	engine_fence_page(r->e, RIG_AT(n) + dice % RIG_PAGE);
	engine_fence_page(r->e, RIG_AT(other));
}

static unsigned rooms;	  /* 2 or 3: as many spaces as TLBs, or more */
static bool regime_ended; /* the run has to begin again in the other one */

/* Inside the exit, as where a guest changes its mode. True: it may go on. */
static bool change_space(struct rig *r, uint64_t dice)
{
	const enum engine_regime was = r->regime;

	/* as the core does: its address may be another page's there */
	engine_drop_reservation(r->e, r->ctx[r->cur]);
	if (dice % 2)
		r->regime = (enum engine_regime)(ENGINE_USER - r->regime);
	r->room = (uint8_t)(dice / 2 % rooms);
	rig_enter_space(r);
	return r->regime == was || engine_spans_regimes(r->e);
}

static enum engine_next script(struct rig *r, const struct engine_exit *exit)
{
	struct engine_ctx *ctx = r->ctx[r->cur];
	bool same_run = true;

	note(r, exit);
	if (history.hash % 3)
		engine_drop_reservation(r->e, ctx);
	if (exit->kind == ENGINE_EXIT_FAULT)
		fault(r, exit);
	else if ((exit->insn & 0x7f) == 0x73 && exit->len == 4)
		rig_retire(r, exit, history.hash);
	else
		rig_skip(r, exit);
	switch (history.hash % 61) {
	case 0:
		engine_flush_tlb(r->e);
		break;
	case 1:
		engine_fence_i(r->e);
		break;
	case 2:
		engine_set_fp(r->e, ctx, false);
		break;
	case 3:
	case 4:
	case 5:
		engine_set_fp(r->e, ctx, true);
		break;
	case 6:
		/* start counting anew */
		for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
			r->budget.limit.n[i] -= r->budget.done.n[i];
		memset(&r->budget.done, 0, sizeof(r->budget.done));
		break;
	case 7:
	case 8:
		move_data(r, history.hash / 61);
		break;
	default:
		break;
	}
	if (history.hash % 7 == 0)
		same_run = change_space(r, history.hash / 7);
	if (history.since > MAX_EXITS || history.hash % 13 == 0)
		return ENGINE_STOP;
	regime_ended = !same_run;
	return same_run ? ENGINE_RESUME : ENGINE_STOP;
}

static uint64_t state_hash(struct rig *r)
{
	struct hart_state s;
	uint64_t h = 0;

	engine_ctx_save(r->e, r->ctx[r->cur], &s);
	for (unsigned i = 0; i < 32; i++)
		h = mix(mix(h, s.x[i]), s.f[i]);
	h = mix(mix(h, s.fcsr), s.reserved);
	for (unsigned i = 0; i < RIG_PAGES; i++)
		h = mix(h, r->page[i].accessed * 2u + r->page[i].dirty);
	return h;
}

/* Blocks of the same sizes, of which each load is an addition. */
static void put_other_code(const uint8_t *from, uint8_t *to)
{
	memcpy(to, from, RIG_PAGE);
	for (unsigned at = 0; at + 4 <= RIG_PAGE;
	     at += (from[at] & 3) == 3 ? 4 : 2)
		if ((from[at] & 0x7f) == 0x03)
			to[at] = (uint8_t)(from[at] | 0x10);
}

static void set_up(struct rig *r, struct rng *rng)
{
	static const uint8_t rw = PMU_PERM_R | PMU_PERM_W;

	program_make(&(struct program){
		.rng = rng,
		.xlen = r->xlen,
		.code = r->ram + PROGRAM_CODE * RIG_PAGE,
		.size = PROGRAM_CODE_PAGES * RIG_PAGE,
		.patch = r->ram + PROGRAM_PATCH * RIG_PAGE,
	});
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
	for (unsigned i = 0; i < RIG_PAGES; i++)
		r->page[i].perms = i < PROGRAM_DATA ? PMU_PERM_X | rw : rw;
	for (unsigned i = PROGRAM_NOWHERE; i < RIG_PAGES; i++)
		r->page[i].perms = 0;
	r->page[1 + rng_below(rng, 4)].perms = 0;
	r->page[PROGRAM_DEVICE].device = true;
	r->page[PROGRAM_ALIAS].to = PROGRAM_PATCH;
	r->page[PROGRAM_DATA + 1].user = 30;
	r->page[PROGRAM_DATA + 2].room = 10;
	rooms = 2 + rng_below(rng, 2);
	r->page[OTHER_CODE].room = 12;
	for (unsigned i = 1; i < 3; i++)
		put_other_code(r->ram + OTHER_CODE * RIG_PAGE,
			       r->ram + (OTHER_CODE + i * 12) * RIG_PAGE);
	r->script = script;
	for (r->cur = 0; r->cur < RIG_CTXS; r->cur++) {
		rig_set_x(r, REG_DATA, RIG_AT(PROGRAM_DATA + 2));
		rig_set_x(r, REG_DEVICE, RIG_AT(PROGRAM_DEVICE));
		rig_set_x(r, REG_ALIAS, RIG_AT(PROGRAM_ALIAS));
		rig_set_x(r, REG_PATCH, RIG_AT(PROGRAM_PATCH));
		rig_set_x(r, REG_NOWHERE, RIG_AT(PROGRAM_NOWHERE + 4));
		rig_set_x(r, 10, r->cur);
		engine_set(r->e, r->ctx[r->cur], ENGINE_PC,
			   RIG_BASE + r->cur * RIG_PAGE);
	}
	r->cur = 0;
	memset(&history, 0, sizeof(history));
}

/* A few, now and then none. */
static void set_breakpoints(struct rig *r, struct rng *rng)
{
	uint64_t pcs[4];

	for (unsigned i = 0; i < ARRAY_SIZE(pcs); i++)
		pcs[i] = RIG_BASE +
			 rng_below(rng, PROGRAM_CODE_PAGES * RIG_PAGE / 2) * 2;
	engine_set_breakpoints(r->e, pcs, rng_below(rng, 5));
}

/* What happens between two runs, by the same dice in every mode. */
static void change(struct rig *r, struct rng *rng)
{
	unsigned what = rng_below(rng, 40);
	unsigned event = rng_below(rng, PMU_N_ENGINE_EVENTS);
	uint32_t far = 1 + rng_below(rng, rng_below(rng, 4) ? 60 : 3000);

	rig_open(r);
	r->budget.limit.n[event] = far;
	r->budget.limit.n[PMU_EV_INSNS] =
		rng_below(rng, 3) ? 5000 : 1 + rng_below(rng, 200);
	r->budget.soft = 1 + rng_below(rng, 400);
	r->mmio_answer = rng_next(rng) * UINT64_C(0x100000001);
	r->mmio_refuses = rng_below(rng, 4) == 0;
	if (rng_below(rng, 8) == 0)
		set_breakpoints(r, rng);
	if (what < 4)
		engine_flush_tlb(r->e);
	else if (what < 12)
		r->cur = (r->cur + 1) % RIG_CTXS;
	else if (what < 20)
		r->regime = (enum engine_regime)(ENGINE_USER - r->regime);
	if (what != 20)
		return;
	for (unsigned i = 0; i < RIG_PAGES; i++)
		r->page[i].accessed = r->page[i].dirty = false;
	r->page[1 + rng_below(rng, 4)].perms = 0;
	r->split = rng_below(rng, 2);
	engine_flush_tlb(r->e);
}

static void run_program(struct rig *r, uint64_t seed, struct stop *stops)
{
	struct rng rng = { .state = seed };

	set_up(r, &rng);
	for (unsigned i = 0; i < STOPS; i++) {
		struct stop *s = &stops[i];

		change(r, &rng);
		history.since = 0;
		do {
			regime_ended = false;
			s->why = rig_run(r, UINT64_MAX);
		} while (s->why == ENGINE_STOP_SOFT || regime_ended);
		s->exits = history.exits;
		s->pc = rig_pc(r);
		s->last_pc =
			s->why == ENGINE_STOP_LIMIT ? r->budget.last_pc : 0;
		memcpy(s->done, r->budget.done.n, sizeof(s->done));
		s->state = state_hash(r);
		s->history = mix(history.hash, r->n_mmio);
	}
}

static void check_same(const struct stop *a, const struct stop *b, unsigned i,
		       uint64_t seed, const char *mode)
{
	if (memcmp(a, b, sizeof(*a)) == 0)
		return;
	printf("# seed %llu stop %u, %s: why %d/%d exits %u/%u pc %llx/%llx\n",
	       (unsigned long long)seed, i, mode, a->why, b->why, a->exits,
	       b->exits, (unsigned long long)a->pc, (unsigned long long)b->pc);
	for (int n = 0; n < PMU_N_ENGINE_EVENTS; n++)
		printf("# done %llu/%llu\n", (unsigned long long)a->done[n],
		       (unsigned long long)b->done[n]);
	ck_abort_msg("seed %llu stop %u differs with %s (last %llx/%llx, "
		     "state %s, history %s)",
		     (unsigned long long)seed, i, mode,
		     (unsigned long long)a->last_pc,
		     (unsigned long long)b->last_pc,
		     a->state == b->state ? "same" : "differs",
		     a->history == b->history ? "same" : "differs");
}

static struct stop stops[RIG_MODES][STOPS];

static void check_program(uint8_t xlen, uint64_t seed)
{
	memset(stops, 0, sizeof(stops));
	for (unsigned m = 0; m < RIG_MODES; m++)
		run_program(rig_pick(m + (xlen == 64) * RIG_MODES), seed,
			    stops[m]);
	for (unsigned i = 0; i < STOPS; i++)
		ck_assert_int_ge(stops[RIG_MODES - 1][i].why, 0);
	for (unsigned m = 0; m < RIG_MODES - 1; m++)
		for (unsigned i = 0; i < STOPS; i++)
			check_same(&stops[RIG_MODES - 1][i], &stops[m][i], i,
				   seed, rig_modes[m].name);
}

static int n_programs(void)
{
	const char *n = getenv("ENGINE_PROGRAMS");

	return n ? atoi(n) : 40;
}

TEST_TIMES(a_program_runs_the_same_in_every_mode, n_programs())
{
	const char *base = getenv("ENGINE_SEED");
	uint64_t seed = (base ? strtoull(base, NULL, 0) : 0) + (unsigned)_i / 2;

	check_program(_i % 2 ? 64 : 32, seed);
}

SUITE("engine-random", .test_case = "programs", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
