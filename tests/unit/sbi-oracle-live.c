/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens between calls, and the comparison.
 */
#include "sbi-oracle.h"

enum {
	CYCLES = 1,
	INSTRUCTIONS = 2,
	FILTERS = VUINH | VSINH | UINH | SINH | MINH
};
#define SELECTOR (UINT64_MAX >> 8)

static bool runs(const struct o_counter *c)
{
	return c->state == S_RUNNING || c->state == S_WILD ||
	       c->state == S_LOOSE_RUN;
}

void oracle_fw_event(struct oracle *o, unsigned hart, uint64_t idx)
{
	struct o_hart *h = &o->hart[hart];

	for (unsigned n = 0; n < h->n; n++) {
		struct o_counter *c = &h->c[n];

		if (c->kind != K_FW || c->state != S_RUNNING || c->idx != idx)
			continue;
		c->value++;
		if (o->profile == FW_PROFILE_OPENSBI)
			return;
	}
}

/* How many of @n instructions counter @c, number @i, sees. */
static uint64_t seen(const struct oracle *o, const struct o_counter *c,
		     unsigned i, enum pmu_mode mode, uint64_t n)
{
	uint64_t select = c->reg & SELECTOR;
	bool filtering = c->kind == K_FIXED ? o->filters : o->ovf;
	uint64_t inhibit = mode == PMU_MODE_S ? PMU_EVENT_SINH : PMU_EVENT_UINH;

	if (c->kind == K_FIXED)
		select = i ? INSTRUCTIONS : CYCLES;
	if (!runs(c) || (filtering && c->reg & inhibit))
		return 0;
	return select == CYCLES || select == INSTRUCTIONS ? n : 0;
}

void oracle_run(struct oracle *o, unsigned hart, enum pmu_mode mode, uint64_t n)
{
	struct o_hart *h = &o->hart[hart];

	for (unsigned i = 0; i < h->n; i++) {
		struct o_counter *c = &h->c[i];
		uint64_t more;

		if (c->kind != K_HPM && c->kind != K_FIXED)
			continue;
		more = seen(o, c, i, mode, n);
		c->value += more;
		if (c->value >= more || c->kind != K_HPM || !o->ovf || c->of)
			continue;
		c->of = c->hw_of = true;
		h->lcofi |= UINT32_C(1) << i;
	}
}

void oracle_inhibit(struct oracle *o, unsigned hart, unsigned n, bool stop)
{
	static const enum o_state stopped[N_STATES] = {
		[S_RUNNING] = S_STOPPED,
		[S_STOPPED] = S_STOPPED,
		[S_LOOSE_RUN] = S_LOOSE_STOP,
		[S_LOOSE_STOP] = S_LOOSE_STOP,
	};
	static const enum o_state running[N_STATES] = {
		[S_FREE] = S_WILD,	     [S_WILD] = S_WILD,
		[S_RUNNING] = S_RUNNING,     [S_STOPPED] = S_RUNNING,
		[S_LOOSE_RUN] = S_LOOSE_RUN, [S_LOOSE_STOP] = S_LOOSE_RUN,
	};
	struct o_counter *c = &o->hart[hart].c[n];

	if (c->kind == K_HPM || c->kind == K_FIXED)
		c->state = stop ? stopped[c->state] : running[c->state];
}

/* Plain conditions: Check writes a note for each of its assertions. */
static const char *difference(const struct oracle *o, const struct bench *b,
			      unsigned hart, unsigned n)
{
	const struct o_counter *c = &o->hart[hart].c[n];
	bool mapped = c->state == S_STOPPED || c->state == S_RUNNING;
	uint64_t reg = c->reg | (c->of ? PMU_EVENT_OF : 0);
	const struct pmu_hart *h = b->harts[hart];
	struct fw_counter got;

	if (!fw_counter_state(b->fw, hart, n, &got))
		return "number";
	if (got.exists != (c->kind != K_NONE))
		return "existence";
	if (!got.exists)
		return NULL;
	if (got.mapped != mapped || got.started != runs(c))
		return "state";
	if (got.value != c->value)
		return "value";
	if (mapped && (got.event_idx != c->idx || got.event_data != c->data ||
		       (got.flags & FILTERS) != c->filters))
		return "mapping";
	if (c->kind == K_FW)
		return NULL;
	if (pmu_counter_event(h, n) != reg)
		return "event register";
	return pmu_counter_overflowed(h, n) == c->hw_of ? NULL : "overflow";
}

void oracle_compare(const struct oracle *o, const struct bench *b)
{
	for (unsigned hart = 0; hart < 4 && b->harts[hart]; hart++) {
		const struct o_hart *h = &o->hart[hart];
		uint64_t pending = pmu_irq_pending(b->harts[hart], b->now);

		if ((pending >> PMU_IRQ_LCOFI & 1) != !!h->lcofi)
			ck_abort_msg("LCOFIP of hart %u", hart);
		for (unsigned n = 0; n < h->n; n++) {
			const char *what = difference(o, b, hart, n);

			if (what)
				ck_abort_msg("%s of counter %u of hart %u",
					     what, n, hart);
		}
	}
	if (memcmp(o->ram, b->ram, RAM_SIZE))
		ck_abort_msg("memory");
}
