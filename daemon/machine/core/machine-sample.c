/* SPDX-License-Identifier: BSD-2-Clause */
/* Who samples what, and what a sample says beside its event. */
#include "machine-sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/insn.h>
#include <pmu/model-events.h>
#include <pmu/observer.h>
#include <pmu/page.h>
#include <pmu/time.h>

#include "board/board.h"
#include "machine-address.h"
#include "machine-chain.h"
#include "plan.h"
#include "sample-sums.h"

enum {
	N_REGISTERS = 32, /* x0-x31 */
};

/* An observer of each hart; its number is that of the slot. */
struct sampler_slot {
	bool used;
	uint32_t session;  /* 0: it is the machine's own */
	uint32_t number;   /* in the list of its session */
	uint64_t recorded; /* samples */
	struct machine_sampler sampler;
};

struct samplers {
	unsigned n; /* that are used */
	struct sampler_slot slot[PMU_MAX_OBSERVERS];
};

struct samplers *samplers_new(void)
{
	return calloc(1, sizeof(struct samplers));
}

void samplers_free(struct samplers *all)
{
	free(all);
}

bool samplers_any(const struct samplers *all)
{
	return all->n;
}

static bool check(const struct machine_sampler *s, uint32_t session,
		  struct error *e)
{
	if (!s->period)
		return error_set(e, ERROR_INVALID,
				 AT(PART_SAMPLERS, "BAD_VALUE"),
				 "samplers: a period must be at least 1");
	if (!s->modes)
		return error_set(e, ERROR_INVALID,
				 AT(PART_SAMPLERS, "BAD_VALUE"),
				 "samplers: one has no privilege");
	if (s->summed && (s->callers || s->registers || s->stack))
		return error_set(e, ERROR_INVALID,
				 AT(PART_SAMPLERS, "BAD_VALUE"),
				 "samplers: one that is summed has neither "
				 "callers nor registers");
	if (s->summed && session)
		return error_set(e, ERROR_INVALID,
				 AT(PART_SAMPLERS, "BAD_VALUE"),
				 "samplers: only the machine's own samplers "
				 "can be summed");
	if (s->stack > SAMPLE_MAX_STACK)
		return error_set(e, ERROR_INVALID,
				 AT(PART_SAMPLERS, "BAD_VALUE"),
				 "samplers: a stack must be at most %d bytes, "
				 "not %" PRIu32,
				 SAMPLE_MAX_STACK, s->stack);
	return true;
}

/* How many are there for @session, with those that it has. */
static unsigned room_for(const struct samplers *all, uint32_t session)
{
	unsigned n = 0;

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		n += !all->slot[i].used || all->slot[i].session == session;
	return n;
}

static bool is_of(const struct sampler_slot *slot, uint32_t session)
{
	return slot->used && slot->session == session;
}

static void forget(struct samplers *all, unsigned slot)
{
	all->slot[slot] = (struct sampler_slot){ .used = false };
	all->n--;
}

static void keep(struct samplers *all, unsigned slot, uint32_t session,
		 uint32_t number, const struct machine_sampler *s)
{
	all->slot[slot] = (struct sampler_slot){
		.used = true,
		.session = session,
		.number = number,
		.sampler = *s,
	};
	all->n++;
}

uint32_t samplers_observers(const struct samplers *all, uint32_t session)
{
	uint32_t ret = 0;

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		ret |= (uint32_t)is_of(&all->slot[i], session) << i;
	return ret;
}

uint64_t samplers_recorded(const struct samplers *all, uint32_t session)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		if (is_of(&all->slot[i], session))
			sum += all->slot[i].recorded;
	return sum;
}

/* Slot @i, as it is now, on all harts: it counts anew, or not at all. */
static void observe(struct machine *m, unsigned i)
{
	const struct sampler_slot *slot = &m->samplers->slot[i];
	const struct pmu_observer o = {
		.event = slot->sampler.event,
		.modes = slot->sampler.modes,
		.period = slot->used ? slot->sampler.period : 0,
	};

	for (unsigned h = 0; h < m->cfg->harts; h++)
		pmu_hart_observe(hart_of(m, h)->pmu, i, &o);
}

static bool asks_models(const struct machine_sampler *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pmu_event_is_model(list[i].event))
			return true;
	return false;
}

/* Is there one of @session, or, without @own, of all others, that asks models?
 */
static bool any_asks_models(const struct samplers *all, uint32_t session,
			    bool own)
{
	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		if (all->slot[i].used && is_of(&all->slot[i], session) == own &&
		    asks_models(&all->slot[i].sampler, 1))
			return true;
	return false;
}

bool samplers_have_models(const struct samplers *all, uint32_t session)
{
	return any_asks_models(all, session, true);
}

bool samplers_set(struct machine *m, uint32_t session,
		  const struct machine_sampler *list, size_t n, struct error *e)
{
	struct samplers *all = m->samplers;
	unsigned room = room_for(all, session);

	if (n > room)
		return error_set(
			e, ERROR_NO_ROOM, AT(PART_SAMPLERS, "TOO_MANY"),
			"samplers: %zu, but there is room for %u of %d", n,
			room, PMU_MAX_OBSERVERS);
	for (size_t i = 0; i < n; i++)
		if (!check(&list[i], session, e))
			return false;
	/* There is one instance for samplers, and it is cold when they come. */
	if (asks_models(list, n) && any_asks_models(all, session, false))
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_SAMPLERS, "TOO_MANY"),
				 "samplers: events of models are sampled for "
				 "one at a time, and another samples them now");
	/* up to here those count that were there, from here on the others */
	harts_account(m);
	harts_settle(m, samplers_observers(all, session));
	if (!session)
		samplers_write_sums(m);
	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++) {
		if (!is_of(&all->slot[i], session))
			continue;
		forget(all, i);
		observe(m, i);
	}
	for (unsigned i = 0, k = 0; i < PMU_MAX_OBSERVERS && k < n; i++) {
		if (all->slot[i].used)
			continue;
		keep(all, i, session, k, &list[k]);
		observe(m, i);
		k++;
	}
	plan_observers_changed(m->plan);
	harts_account(m);
	return true;
}

/* Registers */

struct sampled_chain {
	struct machine *m;
	const struct hart *h;
	unsigned size; /* bytes of a register */
	struct record_sample *to;
	uint64_t callers[SAMPLE_MAX_CALLERS], registers[N_REGISTERS];
};

static uint64_t reg(const struct sampled_chain *c, unsigned x)
{
	uint64_t value = engine_get(c->m->engine, c->h->ctx, ENGINE_X0 + x);

	return c->size == 4 ? (uint32_t)value : value;
}

/* The stack */

/* What there is of a page from @vaddr on, which is aligned, up to @n bytes. */
static size_t copy_page(const struct sampled_chain *c, uint64_t vaddr,
			uint8_t *to, size_t n)
{
	const struct pmu_walk walk = { .vaddr = vaddr,
				       .access = PMU_ACCESS_LOAD,
				       .executes = true };
	uint64_t paddr, word;
	size_t done = 0;

	if (!address_find(c->m->board, c->h->pmu, &walk, &paddr))
		return 0;
	for (; done + c->size <= n; done += c->size) {
		word = 0;
		if (!bus_read(board_bus(c->m->board), paddr + done, &word,
			      c->size))
			break;
		memcpy(to + done, &word, c->size); /* both little-endian */
	}
	return done;
}

/* From sp on, @n bytes or as many as there are. */
static void copy_stack(struct sampled_chain *c, enum pmu_mode mode, uint8_t *to,
		       size_t n)
{
	uint64_t sp = reg(c, PMU_X_SP);
	enum chain_end end = CHAIN_NONE;
	size_t done = 0, part, got;

	if (pmu_hart_mode(c->h->pmu) != mode)
		end = CHAIN_LEFT_MODE;
	else if (sp % c->size)
		end = CHAIN_BAD_FRAME;
	for (got = part = 0; !end && done < n && got == part; done += got) {
		part = PMU_PAGE - (sp + done) % PMU_PAGE;
		if (part > n - done)
			part = n - done;
		got = copy_page(c, sp + done, to + done, part);
	}
	c->to->stack = to;
	c->to->n_stack = done;
	if (!done && c->to->end == CHAIN_NONE)
		c->to->end = end ? end : CHAIN_UNREADABLE;
}

/* Sums */

static void write_sum(struct machine *m, const struct sample_sum *sum)
{
	const struct sampler_slot *slot = &m->samplers->slot[sum->sampler];
	const struct machine_sampler *s = &slot->sampler;
	struct record_at at = hart_at(m, hart_of(m, sum->hart), sum->pc);
	const struct record_sample to = {
		.sampler = slot->number,
		.event = s->name,
		.period = s->period,
		.periods = sum->periods,
		.time = pmu_time(m->timebase, at.cycle),
		.last_pc = sum->pc,
		.summed = true,
	};

	at.mode = (enum pmu_mode)sum->mode;
	at.satp = sum->satp;
	m->recorder->ops->sample(m->recorder->keeper, &at, &to);
}

static void write_sums(struct machine *m)
{
	const struct sample_sum *sums;
	size_t n = sums_sorted(m->sums, &sums);

	for (size_t i = 0; i < n; i++)
		write_sum(m, &sums[i]);
	sums_clear(m->sums);
}

void samplers_write_sums(struct machine *m)
{
	harts_settle(m, UINT32_MAX);
	write_sums(m);
}

static void add_up(struct machine *m, const struct pmu_sample *found,
		   const struct record_at *at, uint64_t last_pc)
{
	const struct sample_sum sum = {
		.pc = last_pc,
		.satp = at->satp,
		.periods = found->periods,
		.sampler = (uint16_t)found->observer,
		.hart = (uint16_t)at->hart,
		.mode = at->mode,
	};

	/* The guest alone decides when, so the trace stays the same. */
	if (sums_are_full(m->sums))
		write_sums(m);
	sums_add(m->sums, &sum);
}

/* Records */

static void keep_record(const struct sampled_chain *c,
			const struct record_at *at)
{
	c->m->recorder->ops->sample(c->m->recorder->keeper, at, c->to);
}

static void record_stack(struct sampled_chain *c,
			 const struct machine_sampler *s, enum pmu_mode mode,
			 const struct record_at *at)
{
	uint8_t bytes[SAMPLE_MAX_STACK];

	copy_stack(c, mode, bytes, s->stack / c->size * c->size);
	keep_record(c, at);
}

static void record(struct sampled_chain *c, const struct machine_sampler *s,
		   const struct pmu_sample *found, struct record_at *at)
{
	if (s->summed) {
		add_up(c->m, found, at, c->to->last_pc);
		return;
	}
	if (s->callers)
		chain_find(c->m, c->h, at, c->to, c->callers);
	if (s->registers) {
		for (unsigned x = 0; x < N_REGISTERS; x++)
			c->registers[x] = reg(c, x);
		c->to->registers = c->registers;
		c->to->n_registers = N_REGISTERS;
	}
	if (s->stack)
		record_stack(c, s, found->mode, at);
	else
		keep_record(c, at);
}

bool samplers_record(struct machine *m, const struct hart *h,
		     uint32_t observers, struct record_at *at, uint64_t last_pc)
{
	struct pmu_sample found[PMU_MAX_OBSERVERS];
	unsigned n = pmu_hart_take_samples(h->pmu, observers, found);

	for (unsigned i = 0; i < n; i++) {
		struct sampler_slot *slot =
			&m->samplers->slot[found[i].observer];
		const struct machine_sampler *s = &slot->sampler;
		struct record_sample to = {
			.sampler = slot->number,
			.session = slot->session,
			.event = s->name,
			.period = s->period,
			.periods = found[i].periods,
			.time = pmu_time(m->timebase, at->cycle),
			.last_pc = last_pc,
		};
		struct sampled_chain c = {
			.m = m,
			.h = h,
			.size = m->cfg->settings.xlen == 32 ? 4 : 8,
			.to = &to,
		};

		at->mode = found[i].mode;
		at->satp = address_space(h->pmu, at->mode, at->cycle);
		record(&c, s, &found[i], at);
		slot->recorded++;
	}
	return n;
}

void samplers_give(const struct samplers *all, struct state *to)
{
	state_put(to, "samplers", all, sizeof(*all));
}

void samplers_take(struct samplers *all, struct state *from)
{
	state_get(from, "samplers", all, sizeof(*all));
}
