/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which interrupt is next, and what ends a WFI. With Smaia, software sets
 * priorities: of a level that one goes first whose number is lower, between
 * equals the default order decides. A number of 0 puts it before all
 * or behind all that have one, as its place in the default order is before or
 * behind the external interrupt's. External interrupts have no number of their
 * own here: a PLIC hands none to the hart, so theirs is 256.
 */
#include "topi.h"

#include "interrupt.h"

enum {
	FIRST = 0,
	EXTERNAL = 256,
	LAST = 257,
	SHOWN = 255, /* for whatever is above */
	IID_AT = 16,
	BYTE = 8,
};

/* Places in the default order, for all that a hart can have or be told. */
static const uint8_t places[PMU_IRQS] = {
	[47] = 1,
	[23] = 2,
	[46] = 3,
	[45] = 4,
	[22] = 5,
	[44] = 6,
	[43] = 7,
	[21] = 8,
	[42] = 9,
	[41] = 10,
	[20] = 11,
	[40] = 12,
	[PMU_IRQ_MEI] = 13,
	[PMU_IRQ_MSI] = 14,
	[PMU_IRQ_MTI] = 15,
	[PMU_IRQ_SEI] = 16,
	[PMU_IRQ_SSI] = 17,
	[PMU_IRQ_STI] = 18,
	[PMU_IRQ_SGEI] = 19,
	[PMU_IRQ_VSEI] = 20,
	[PMU_IRQ_VSSI] = 21,
	[PMU_IRQ_VSTI] = 22,
	[PMU_IRQ_LCOFI] = 23,
	[39] = 24,
	[19] = 25,
	[38] = 26,
	[37] = 27,
	[18] = 28,
	[36] = 29,
	[35] = 30,
	[17] = 31,
	[34] = 32,
	[33] = 33,
	[16] = 34,
	[32] = 35,
};

/* One that is pending and enabled at a level. */
struct candidate {
	unsigned irq;
	unsigned rank;	/* FIRST to LAST */
	unsigned place; /* between equals */
};

static unsigned rank_of(unsigned number, bool above)
{
	if (number)
		return number;
	return above ? FIRST : LAST;
}

static bool before(const struct candidate *a, const struct candidate *b)
{
	return a->rank < b->rank || (a->rank == b->rank && a->place < b->place);
}

/* The register that tells of @c. */
static uint64_t topi(const struct candidate *c)
{
	unsigned iprio = c->rank < SHOWN ? c->rank : SHOWN;

	return (uint64_t)c->irq << IID_AT | iprio;
}

/* The first of @set, which is not empty, beside @external. */
static struct candidate first(uint64_t set, const uint8_t *iprio,
			      unsigned external)
{
	struct candidate best = { .rank = LAST + 1 };

	for (; set; set &= set - 1) {
		unsigned irq = (unsigned)__builtin_ctzll(set);
		struct candidate c = { irq, EXTERNAL, places[irq] };

		if (irq != external)
			c.rank = rank_of(iprio[irq],
					 places[irq] < places[external]);
		if (before(&c, &best))
			best = c;
	}
	return best;
}

static uint64_t to_m(const struct pmu_hart *h, uint64_t pending)
{
	return pending & ~h->mideleg;
}

/* What mideleg and mvien let through to HS-mode, its guests' share included. */
static uint64_t below_m(const struct pmu_hart *h, uint64_t pending)
{
	return (pending & h->mideleg) | irq_given_to_s(h);
}

static uint64_t to_s(const struct pmu_hart *h, uint64_t pending)
{
	return below_m(h, pending) & ~irq_hideleg(h);
}

/* vsip and vsie, as VS-mode numbers them. */
static uint64_t to_vs(const struct pmu_hart *h, uint64_t pending)
{
	uint64_t delegated = below_m(h, pending) & irq_hideleg(h);

	return (delegated & IRQS_VS) >> 1 | (delegated & IRQS_LOCAL) |
	       irq_given_to_vs(h);
}

uint64_t topi_of_m(const struct pmu_hart *h, uint64_t pending)
{
	uint64_t set = to_m(h, pending);
	struct candidate c;

	if (!set)
		return 0;
	c = first(set, h->miprio, PMU_IRQ_MEI);
	return topi(&c);
}

uint64_t topi_of_s(const struct pmu_hart *h, uint64_t pending)
{
	uint64_t set = to_s(h, pending);
	struct candidate c;

	if (!set)
		return 0;
	c = first(set, h->siprio, PMU_IRQ_SEI);
	return topi(&c);
}

/* hviprio1 and hviprio2 as an array by interrupt. */
static void guest_numbers(const struct pmu_hart *h, uint8_t *ret)
{
	static const uint8_t in_hviprio1[] = { 0, 1, 4, 5, 8, 13, 14, 15 };

	for (unsigned i = 0; i < 8; i++) {
		ret[in_hviprio1[i]] = (uint8_t)(h->hviprio1 >> BYTE * i);
		ret[16 + i] = (uint8_t)(h->hviprio2 >> BYTE * i);
	}
}

static unsigned hvictl_iid(const struct pmu_hart *h)
{
	return (unsigned)((h->hvictl & HVICTL_IID) >> IID_AT);
}

static unsigned hvictl_iprio(const struct pmu_hart *h)
{
	return (unsigned)(h->hvictl & HVICTL_IPRIO);
}

/* The guest's external interrupt: hvictl has its number, or nobody. */
static struct candidate guest_external(const struct pmu_hart *h)
{
	struct candidate c = { PMU_IRQ_SEI, EXTERNAL, places[PMU_IRQ_SEI] };

	if (!(h->hstatus & HSTATUS_VGEIN) && hvictl_iid(h) == PMU_IRQ_SEI &&
	    hvictl_iprio(h))
		c.rank = hvictl_iprio(h);
	return c;
}

/*
 * The interrupt that hvictl makes up, DPR instead of its place. It needs none:
 * SEI has no number while IID is another, so they are never equal.
 */
static struct candidate made_up(const struct pmu_hart *h)
{
	return (struct candidate){
		.irq = hvictl_iid(h),
		.rank = rank_of(hvictl_iprio(h), !(h->hvictl & HVICTL_DPR)),
	};
}

/* The first for VS-level. False: there is none. */
static bool first_of_vs(const struct pmu_hart *h, uint64_t set,
			struct candidate *ret)
{
	uint64_t sei = IRQ_BIT(PMU_IRQ_SEI);
	uint8_t numbers[PMU_IRQS] = { 0 };
	struct candidate external;
	bool some = true;

	if (!(h->hvictl & HVICTL_VTI) && set & ~sei) {
		guest_numbers(h, numbers);
		*ret = first(set & ~sei, numbers, PMU_IRQ_SEI);
	} else if (h->hvictl & HVICTL_VTI && hvictl_iid(h) != PMU_IRQ_SEI) {
		*ret = made_up(h);
	} else {
		some = false;
	}
	if (!(set & sei))
		return some;
	external = guest_external(h);
	if (!some || before(&external, ret))
		*ret = external;
	return true;
}

uint64_t topi_of_vs(const struct pmu_hart *h, uint64_t pending)
{
	struct candidate c;

	if (!first_of_vs(h, to_vs(h, pending), &c))
		return 0;
	if (h->hvictl & HVICTL_IPRIOM)
		return topi(&c);
	return (uint64_t)c.irq << IID_AT | 1;
}

/*
 * What VS-mode knows as @irq. What mip has keeps its number there, of which
 * trap.c makes the guest's.
 */
static void for_guest(const struct pmu_hart *h, uint64_t pending, uint8_t irq,
		      struct pmu_trap *ret)
{
	uint64_t real = pending & irq_hideleg(h) & IRQS_VS;
	bool told = h->hvictl & HVICTL_VTI && irq != PMU_IRQ_SEI;

	if (!told && real >> 1 >> irq & 1)
		ret->cause = (uint8_t)(irq + 1);
	else
		ret->given = PMU_MODE_VS;
}

static bool next_by_number(const struct pmu_hart *h, uint64_t pending,
			   struct pmu_trap *ret)
{
	enum pmu_mode target = PMU_MODE_M;
	uint64_t top = 0;

	if (irq_takes(h, PMU_MODE_M))
		top = topi_of_m(h, pending);
	if (!top && irq_takes(h, PMU_MODE_S)) {
		target = PMU_MODE_S;
		top = topi_of_s(h, pending);
	}
	if (!top && irq_takes(h, PMU_MODE_VS)) {
		target = PMU_MODE_VS;
		top = topi_of_vs(h, pending);
	}
	if (!top)
		return false;
	*ret = (struct pmu_trap){ .interrupt = true,
				  .cause = (uint8_t)(top >> IID_AT) };
	if (target == PMU_MODE_VS)
		for_guest(h, pending, ret->cause, ret);
	else if (target == PMU_MODE_S && !(h->mideleg >> ret->cause & 1))
		ret->given = PMU_MODE_S;
	return true;
}

static bool any_level(const struct pmu_hart *h, uint64_t pending)
{
	return to_m(h, pending) || to_s(h, pending) || topi_of_vs(h, pending);
}

/* Those of mip that go to VS-mode. */
static uint64_t of_vs(const struct pmu_hart *h, uint64_t set)
{
	return set & h->mideleg & irq_hideleg(h);
}

/*
 * Those of @pending that may be taken now: M-mode's before HS-mode's before
 * VS-mode's. A guest's own wait while it does not run.
 */
static uint64_t takeable(const struct pmu_hart *h, uint64_t pending)
{
	uint64_t m = to_m(h, pending), vs = of_vs(h, pending);
	uint64_t s = pending & ~(m | vs);

	if (m && irq_takes(h, PMU_MODE_M))
		return m;
	if (s && irq_takes(h, PMU_MODE_S))
		return s;
	return irq_takes(h, PMU_MODE_VS) ? vs : 0;
}

enum pmu_mode irq_target(const struct pmu_hart *h, enum pmu_irq irq)
{
	if (to_m(h, IRQ_BIT(irq)))
		return PMU_MODE_M;
	return of_vs(h, IRQ_BIT(irq)) ? PMU_MODE_VS : PMU_MODE_S;
}

/* For VS-mode hvictl.VTI stands for all that pends but SEI. */
bool irq_is_taken(const struct pmu_hart *h, enum pmu_irq irq)
{
	uint64_t pending = irq_pending(h, 0, h->mie & IRQ_BIT(irq));

	if (irq_target(h, irq) == PMU_MODE_VS && h->hvictl & HVICTL_VTI)
		return false;
	return takeable(h, pending) != 0;
}

/* The order is the same whatever mode they target (C111). */
static uint8_t first_by_place(uint64_t set)
{
	unsigned best = (unsigned)__builtin_ctzll(set);

	for (set &= set - 1; set; set &= set - 1) {
		unsigned irq = (unsigned)__builtin_ctzll(set);

		if (places[irq] < places[best])
			best = irq;
	}
	return (uint8_t)best;
}

bool pmu_interrupt_next(const struct pmu_hart *h, uint64_t now,
			struct pmu_trap *ret)
{
	uint64_t pending = irq_pending(h, now, h->mie), candidates;

	if (has(h, PMU_EXT_SMAIA))
		return next_by_number(h, pending, ret);
	if (!pending)
		return false;
	candidates = takeable(h, pending);
	if (candidates == 0)
		return false;
	*ret = (struct pmu_trap){ .interrupt = true,
				  .cause = first_by_place(candidates) };
	return true;
}

bool pmu_hart_wakes(const struct pmu_hart *h, uint64_t now)
{
	uint64_t pending = irq_pending(h, now, h->mie);

	if (has(h, PMU_EXT_SMAIA))
		return any_level(h, pending);
	return pending != 0;
}

bool irq_quiet_status(const struct pmu_hart *h, uint64_t now, unsigned effects,
		      bool opens)
{
	if (effects & ~(unsigned)(PMU_FX_IRQ | PMU_FX_FS))
		return false;
	return !(effects & PMU_FX_IRQ && opens) || !pmu_hart_wakes(h, now);
}
