/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts where there are guests: all sets of pending interrupts with all
 * modes, global enables and delegations, against a model that has one list of
 * priorities for each mode, as the specification writes them.
 */
#include "unit.h"

#include "hart-state.h"
#include "interrupt.h"
#include <pmu/rule.h>

static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

/* The interrupts below M, by the bits of a subset. */
static const uint8_t irqs[] = { 1, 2, 5, 6, 9, 10, 12, 13 };
enum {
	N_IRQS = ARRAY_SIZE(irqs),
	N_DELEGATIONS = 8,
	N_ENABLES = 8,
};

static struct pmu_hart *hyp_hart(void)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW | PMU_EXT_SHLCOFIDELEG;
	cfg.guest_irqs = 3;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0);
	return h;
}

static uint64_t bits_of(unsigned subset)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < N_IRQS; i++)
		bits |= (uint64_t)(subset >> i & 1) << irqs[i];
	return bits;
}

/* Makes them pend by their own means: software, hvip, hgeip. */
static void set_pending(struct pmu_hart *h, uint64_t bits)
{
	h->mip_soft = bits & 0x2222;
	h->hvip = bits & 0x444;
	h->hgeie = 2;
	pmu_irq_guest(h, 1, bits >> 12 & 1);
}

static void set_delegation(struct pmu_hart *h, unsigned n)
{
	static const uint64_t mideleg[] = { 0, 0x2222 };
	static const uint64_t hideleg[] = { 0, 0x444, 0x2000, 0x2040 };
	unsigned effects = 0;

	pmu_csr_poke(h, 0x303, 0, mideleg[n & 1], &effects);
	pmu_csr_poke(h, 0x603, 0, hideleg[n >> 1], &effects);
}

static void set_enables(struct pmu_hart *h, unsigned n)
{
	h->mstatus = (n & 1 ? MSTATUS_MIE : 0) | (n & 2 ? MSTATUS_SIE : 0);
	h->vsstatus = n & 4 ? MSTATUS_SIE : 0;
}

/* Which mode @irq would go to, by mideleg and hideleg as they read. */
static enum pmu_mode model_level(const struct pmu_hart *h, unsigned irq)
{
	if (!(h->mideleg >> irq & 1))
		return PMU_MODE_M;
	return irq_hideleg(h) >> irq & 1 ? PMU_MODE_VS : PMU_MODE_S;
}

/* May that mode be interrupted to now? */
static bool model_open(const struct pmu_hart *h, enum pmu_mode level)
{
	if (level == PMU_MODE_M)
		return h->mode != PMU_MODE_M || (h->mstatus & MSTATUS_MIE);
	if (level == PMU_MODE_S)
		return h->mode != PMU_MODE_M &&
		       (h->mode != PMU_MODE_S || (h->mstatus & MSTATUS_SIE));
	return h->mode == PMU_MODE_VU ||
	       (h->mode == PMU_MODE_VS && (h->vsstatus & MSTATUS_SIE));
}

/* The interrupt that comes first, 0 for none. */
static unsigned model_next(const struct pmu_hart *h, uint64_t pending)
{
	static const enum pmu_mode levels[] = { PMU_MODE_M, PMU_MODE_S,
						PMU_MODE_VS };
	/* as VS sees the last three: SEI SSI STI, then LCOFI */
	static const uint8_t order[3][8] = {
		{ 9, 1, 5, 13 },
		{ 9, 1, 5, 12, 10, 2, 6, 13 },
		{ 10, 2, 6, 13 },
	};

	for (unsigned l = 0; l < 3; l++)
		for (unsigned i = 0; i < 8 && order[l][i]; i++)
			if (pending >> order[l][i] & 1 &&
			    model_level(h, order[l][i]) == levels[l] &&
			    model_open(h, levels[l]))
				return order[l][i];
	return 0;
}

static void check(struct pmu_hart *h, uint64_t pending)
{
	struct pmu_trap trap = { .cause = 0 };
	unsigned want = model_next(h, pending);
	bool found = pmu_interrupt_next(h, 0, &trap);

	ck_assert_msg(found == (want != 0) && trap.cause == want,
		      "%s, pending %#llx, mideleg %#llx, hideleg %#llx: %u, "
		      "not %u",
		      pmu_mode_name(h->mode), (unsigned long long)pending,
		      (unsigned long long)h->mideleg,
		      (unsigned long long)h->hideleg, trap.cause, want);
	if (found)
		ck_assert(pmu_trap_target(h, &trap) == model_level(h, want));
	ck_assert(pmu_hart_wakes(h, 0) == (pending != 0));
}

TEST_TIMES(the_first_interrupt_is_the_one_of_the_lists, N_DELEGATIONS)
{
	struct pmu_hart *h = hyp_hart();

	shows(RULE(
		"C111 C175 C165 hideleg_hs hsint_priority hip_vstip_enable"));
	set_delegation(h, (unsigned)_i);
	for (unsigned n = 0; n < 1u << N_IRQS; n++) {
		uint64_t pending = bits_of(n);

		set_pending(h, pending);
		for (unsigned i = 0; i < PMU_N_MODES * N_ENABLES; i++) {
			h->mode = (enum pmu_mode)(i / N_ENABLES);
			set_enables(h, i % N_ENABLES);
			h->mie = UINT64_MAX;
			check(h, pending);
			h->mie = 0x1249;
			check(h, pending & h->mie);
		}
	}
	pmu_hart_free(h);
}

static const struct lcofi_row {
	const char *why, *rule;
	uint64_t mideleg, hideleg;
	enum pmu_mode mode;
	bool taken;
	enum pmu_mode target;
} lcofi_rows[] = {
	{ "undelegated: M, from a guest too", RULE("C111"), 0, 0, PMU_MODE_VS,
	  true, PMU_MODE_M },
	{ "mideleg: HS, from a guest whatever its SIE", RULE("hideleg_hs"),
	  0x2000, 0, PMU_MODE_VS, true, PMU_MODE_S },
	{ "hideleg: VS", RULE("C175"), 0x2000, 0x2000, PMU_MODE_VU, true,
	  PMU_MODE_VS },
	{ "hideleg: not in U, it stays pending", RULE("C175"), 0x2000, 0x2000,
	  PMU_MODE_U, false, PMU_MODE_M },
	{ "hideleg: not in HS", RULE("C175 hideleg_hs"), 0x2000, 0x2000,
	  PMU_MODE_S, false, PMU_MODE_M },
	{ "mideleg: never in M", RULE("C111"), 0x2000, 0, PMU_MODE_M, false,
	  PMU_MODE_M },
};

TEST_ROWS(an_overflow_interrupt_goes_to_whom_it_is_delegated, lcofi_rows)
{
	const struct lcofi_row *row = &lcofi_rows[_i];
	struct pmu_hart *h = hyp_hart();
	struct pmu_trap trap;
	unsigned effects = 0;

	shows(row->rule);
	pmu_csr_poke(h, 0x303, 0, row->mideleg, &effects);
	pmu_csr_poke(h, 0x603, 0, row->hideleg, &effects);
	h->mstatus = MSTATUS_MIE | MSTATUS_SIE;
	h->mode = row->mode;
	h->mie = 0x2000;
	pmu_irq_soft(h, PMU_IRQ_LCOFI, true);
	ck_assert_msg(pmu_interrupt_next(h, 0, &trap) == row->taken, "%s",
		      row->why);
	if (row->taken)
		ck_assert_msg(pmu_trap_target(h, &trap) == row->target, "%s",
			      row->why);
	pmu_hart_free(h);
}

SUITE("interrupt-hyp");
