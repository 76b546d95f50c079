/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters seen in two ways. Two harts: one uses sireg and scountinhibit, the
 * other the direct CSRs, for random sequences of the same instructions; they
 * must stay the same hart. Seeds are fixed.
 */
#include "csr-execute.h"
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define H(n) (UINT64_C(1) << (n))
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)

enum {
	N_SEEDS = 40,
	N_STEPS = 400,
	MAX_INSNS = 40
};

static void poke(struct pmu_hart *h, uint16_t num, uint64_t value)
{
	unsigned effects = 0;

	ck_assert_int_eq(pmu_csr_poke(h, num, 0, value, &effects), 0);
}

/* @view uses sireg and scountinhibit, @direct the CSRs themselves. */
struct pair {
	struct pmu_hart *view, *direct;
	uint64_t seed;
};

static uint64_t rnd(struct pair *p)
{
	p->seed ^= p->seed << 13;
	p->seed ^= p->seed >> 7;
	p->seed ^= p->seed << 17;
	return p->seed;
}

static uint64_t below(struct pair *p, uint64_t n)
{
	return (rnd(p) >> 11) % n;
}

/* A value near a counter's end, a selector, or anything. */
static uint64_t value(struct pair *p)
{
	switch (below(p, 4)) {
	case 0:
		return UINT64_MAX - below(p, MAX_INSNS);
	case 1:
		return (rnd(p) & PMU_EVENT_INH_ALL) | below(p, 8);
	case 2:
		return below(p, 8);
	default:
		return rnd(p);
	}
}

static void poke_both(struct pair *p, uint16_t num, uint64_t v)
{
	poke(p->view, num, v);
	poke(p->direct, num, v);
}

static void change_delegation(struct pair *p)
{
	bool cde = below(p, 8);

	poke_both(p, MCOUNTEREN, rnd(p) | rnd(p) | rnd(p));
	poke_both(p, MENVCFG, cde ? H(60) : 0);
	if (p->view->cfg.xlen == 32)
		poke_both(p, MENVCFGH, cde ? H(28) : 0);
}

static void run_both(struct pair *p)
{
	enum pmu_mode mode = (enum pmu_mode)below(p, PMU_N_MODES);
	struct pmu_progress n = { .n = { [PMU_EV_INSNS] = below(p, MAX_INSNS),
					 [PMU_EV_BRANCHES] =
						 below(p, MAX_INSNS) } };

	pmu_hart_set_mode(p->view, mode);
	pmu_hart_set_mode(p->direct, mode);
	pmu_hart_advance(p->view, &n);
	pmu_hart_advance(p->direct, &n);
	pmu_hart_set_mode(p->view, PMU_MODE_M);
	pmu_hart_set_mode(p->direct, PMU_MODE_M);
}

/* The CSR that alias @alias (1-6) at counter @n stands for, 0: none. */
static uint16_t behind(const struct pair *p, unsigned n, unsigned alias)
{
	static const uint16_t first[7] = {
		[1] = MHPMCOUNTER,
		[2] = MHPMEVENT,
		[4] = MHPMCOUNTERH,
		[5] = MHPMEVENTH,
	};
	uint64_t ext = p->view->cfg.ext;
	bool event = alias == 2 || alias == 5;
	uint64_t cde = p->view->menvcfg & H(60);

	if (!cde || n == 1 || !(p->view->mcounteren >> n & 1) || !first[alias])
		return 0;
	if (alias > 3 && p->view->cfg.xlen == 64)
		return 0;
	if (n < 3 &&
	    (!(ext & PMU_EXT_ZICNTR) || (event && !(ext & PMU_EXT_SMCNTRPMF))))
		return 0;
	if (n >= 3 && (!(ext & PMU_EXT_ZIHPM) ||
		       (alias == 5 && !(ext & PMU_EXT_SSCOFPMF))))
		return 0;
	/* mcyclecfg's number is one up: mcountinhibit has that of event 0 */
	return (uint16_t)(first[alias] + (event && n == 0 ? 1 : n));
}

/* What of the register S-mode has no part in, as its number shows it. */
static uint64_t hidden(const struct pair *p, unsigned n, unsigned alias)
{
	uint32_t filters = n < 3 ? PMU_EXT_SMCNTRPMF : PMU_EXT_SSCOFPMF;

	if (!(p->view->cfg.ext & filters))
		return 0;
	if (alias == 5)
		return PMU_EVENT_MINH >> 32;
	return alias == 2 && p->view->cfg.xlen == 64 ? PMU_EVENT_MINH : 0;
}

/*
 * The same instruction on both, where @direct's leaves the @hidden bits alone;
 * what it reads must be the same but for them.
 */
static void both(struct pair *p, const struct pmu_csr_req *view, uint16_t num,
		 uint64_t hidden)
{
	struct pmu_csr_req direct = *view;
	uint64_t a = 0, b = 0, now = 0;
	unsigned fa = 0, fb = 0;

	ck_assert_int_eq(pmu_csr_peek(p->direct, num, 0, &now), 0);
	direct.num = num;
	direct.value &= ~hidden;
	if (direct.op == PMU_CSR_WRITE)
		direct.value |= now & hidden;
	ck_assert_int_eq(csr_execute(p->view, view, &a, &fa), PMU_CSR_OK);
	ck_assert_int_eq(csr_execute(p->direct, &direct, &b, &fb), PMU_CSR_OK);
	ck_assert_uint_eq(a, b & ~hidden);
	ck_assert_uint_eq(fa, fb);
}

static struct pmu_csr_req request(struct pair *p, uint16_t num)
{
	return (struct pmu_csr_req){
		.num = num,
		.op = (enum pmu_csr_op)below(p, 3),
		.read = true,
		.write = below(p, 4),
		.value =
			p->view->cfg.xlen == 32 ? (uint32_t)value(p) : value(p),
	};
}

static void use_sireg(struct pair *p)
{
	static const uint16_t aliases[7] = { 0,	     SIREG,  SIREG2, SIREG3,
					     SIREG4, SIREG5, SIREG6 };
	unsigned n = (unsigned)below(p, PMU_N_COUNTERS);
	unsigned alias = 1 + (unsigned)below(p, 6);
	struct pmu_csr_req req = request(p, aliases[alias]);
	uint16_t num = behind(p, n, alias);
	uint64_t old;
	unsigned effects = 0;

	poke(p->view, SISELECT, 0x40 + n);
	if (num)
		both(p, &req, num, hidden(p, n, alias));
	else
		ck_assert_int_eq(csr_execute(p->view, &req, &old, &effects),
				 PMU_CSR_ILLEGAL);
}

static void use_scountinhibit(struct pair *p)
{
	struct pmu_csr_req req = request(p, SCOUNTINHIBIT);
	uint64_t old;
	unsigned effects = 0;

	if (p->view->menvcfg & H(60))
		both(p, &req, MCOUNTINHIBIT, ~(uint64_t)p->view->mcounteren);
	else
		ck_assert_int_eq(csr_execute(p->view, &req, &old, &effects),
				 PMU_CSR_ILLEGAL);
}

static void compare(struct pair *p)
{
	struct pmu_overflow a[PMU_N_COUNTERS], b[PMU_N_COUNTERS];
	unsigned n = pmu_hart_take_overflows(p->view, a);

	ck_assert_uint_eq(pmu_hart_take_overflows(p->direct, b), n);
	for (unsigned i = 0; i < n; i++)
		ck_assert_uint_eq(a[i].counter, b[i].counter);
	for (unsigned i = 0; i < PMU_N_COUNTERS; i++) {
		ck_assert_uint_eq(pmu_counter_get(p->view, i),
				  pmu_counter_get(p->direct, i));
		ck_assert_uint_eq(pmu_counter_event(p->view, i),
				  pmu_counter_event(p->direct, i));
	}
	ck_assert_uint_eq(pmu_counter_inhibit(p->view),
			  pmu_counter_inhibit(p->direct));
	ck_assert_uint_eq(pmu_irq_pending(p->view, 0),
			  pmu_irq_pending(p->direct, 0));
}

static void step(struct pair *p)
{
	switch (below(p, 16)) {
	case 0:
		change_delegation(p);
		break;
	case 1:
		poke_both(p, MIP, 0);
		break;
	case 2:
		poke_both(p, MHPMEVENT + 3 + (uint16_t)below(p, 29), value(p));
		break;
	case 3:
	case 4:
	case 5:
		run_both(p);
		break;
	case 6:
	case 7:
		use_scountinhibit(p);
		break;
	default:
		use_sireg(p);
	}
}

TEST_TIMES(sireg_is_a_view_of_the_same_counters, N_SEEDS)
{
	static const uint64_t without[] = {
		0,
		PMU_EXT_SSCOFPMF,
		PMU_EXT_SMCNTRPMF,
		PMU_EXT_ZICNTR,
		PMU_EXT_ZIHPM | PMU_EXT_SSCOFPMF,
	};
	static const unsigned widths[] = { 64, 1, 32, 33, 40, 63 };
	const struct script s = {
		.add = DELEG | PMU_EXT_H,
		.del = without[_i % (int)ARRAY_SIZE(without)],
		.width = widths[_i % (int)ARRAY_SIZE(widths)],
		.hpm_mask = _i % 7 == 3 ? 0x00ff00f8 : 0,
	};
	unsigned xlen = _i % 2 ? 64 : 32;
	struct pair p = { .view = script_hart(&s, xlen),
			  .direct = script_hart(&s, xlen),
			  .seed = 0x9e3779b97f4a7c15 * ((uint64_t)_i + 1) };

	shows(RULE("C117 C129 C130 C131 C160 C161 C173 csrs_alias "
		   "ssccfg_scountinhibit_delegated_rw"));
	change_delegation(&p);
	for (unsigned i = 0; i < N_STEPS; i++) {
		step(&p);
		compare(&p);
	}
	pmu_hart_free(p.view);
	pmu_hart_free(p.direct);
}

SUITE("csr-ind-random");
