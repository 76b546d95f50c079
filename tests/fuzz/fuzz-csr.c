/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random CSR instructions, progress and changes of mode on a random hart, on
 * libpmu and on the oracle: after every step they must agree on the outcome,
 * the value read, and every counter, event, OF and LCOFIP.
 */
#include <inttypes.h>
#include <string.h>

#include <pmu/counter.h>
#include <pmu/exec.h>
#include <pmu/isa.h>
#include <pmu/trap.h>

#include "../unit/unit.h"
#include "oracle.h"
#include "seeds.h"

enum {
	N_SEEDS = 200,
	N_STEPS = 3000,
	LCOFI = 13,
};

struct pair {
	struct oracle o;
	struct pmu_hart *h;
	uint64_t random;
	unsigned seed, step;
	char what[96]; /* the step, for people */
};

static const struct pmu_timebase tb = { 10, 1, 0 };

static uint64_t below(struct pair *p, uint64_t n)
{
	return (fuzz_random(&p->random) >> 11) % n;
}

#define HOLDS(p, cond, ...)                                                    \
	do {                                                                   \
		if (!(cond)) {                                                 \
			char text[256];                                        \
			snprintf(text, sizeof(text), __VA_ARGS__);             \
			ck_abort_msg("seed %u, step %u (%s): %s", (p)->seed,   \
				     (p)->step, (p)->what, text);              \
		}                                                              \
	} while (0)

/*
 * A hart of random extensions, each with what it needs. Smaia and Ssaia, which
 * have no counters, are fuzz-trap's.
 */
static uint32_t random_exts(struct pair *p)
{
	size_t n;
	const struct pmu_ext_desc *table = pmu_ext_table(&n), *lacks;
	uint64_t ext = 0;

	for (size_t i = 0; i < n; i++)
		if (below(p, 8))
			ext |= table[i].ext;
	ext &= ~(PMU_EXT_SMAIA | PMU_EXT_SSAIA);
	while (!pmu_ext_check(ext, &lacks, NULL))
		ext &= ~lacks->ext;
	return ext;
}

static void make(struct pair *p, unsigned seed)
{
	struct pmu_hart_config cfg;

	p->seed = seed;
	p->random = fuzz_seed(seed);
	pmu_hart_config_init(&cfg, below(p, 2) ? 64 : 32);
	cfg.ext = random_exts(p);
	if (!(cfg.ext & PMU_EXT_S))
		cfg.sv_modes = 0;
	cfg.hpm_mask = 0;
	if (cfg.ext & PMU_EXT_ZIHPM)
		cfg.hpm_mask = (uint32_t)fuzz_random(&p->random) & ~7u;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		cfg.hpm_width[n] =
			(uint8_t)(below(p, 2) ? 64 : 1 + below(p, 64));
		if (below(p, 4) == 0)
			cfg.hpm_events[n] =
				below(p, UINT64_C(1) << PMU_N_EVENTS);
	}
	cfg.cpi = 1 + (uint32_t)below(p, 3);
	cfg.trap_cycles = 1 + (uint32_t)below(p, 3);
	ck_assert_int_eq(pmu_hart_new(&p->h, &cfg, &tb), 0);
	oracle_init(&p->o, &cfg);
}

static bool mode_exists(const struct oracle *o, enum pmu_mode mode)
{
	static const uint64_t needs[PMU_N_MODES] = {
		[PMU_MODE_S] = PMU_EXT_S,
		[PMU_MODE_U] = PMU_EXT_U,
		[PMU_MODE_VS] = PMU_EXT_H,
		[PMU_MODE_VU] = PMU_EXT_H,
	};

	return oracle_has(o, needs[mode]);
}

/* A value that does something: an event, filters, bits, an end. */
static uint64_t some_value(struct pair *p)
{
	static const uint64_t selectors[] = { 0,	1,	  2,
					      5,	0x100000, 0x100001,
					      0x100002, 0x100003 };
	uint64_t filters = fuzz_random(&p->random) & fuzz_random(&p->random);

	switch (below(p, 8)) {
	case 0:
		return fuzz_random(&p->random);
	case 1:
		return UINT64_MAX - below(p, 4);
	case 2:
		return UINT64_C(1) << below(p, 64);
	case 3:
		return UINT32_MAX - below(p, 4);
	case 4:
		return 0x40 + below(p, 0x20); /* siselect */
	case 5:
		return below(p, 4096);
	default:
		return selectors[below(p, 8)] | filters >> 58 << 58;
	}
}

static uint16_t some_csr(struct pair *p)
{
	static const uint16_t runs[] = { 0xb00, 0xb80, 0x320,
					 0x720, 0xc00, 0xc80 };
	static const uint16_t ones[] = {
		0x106, 0x120, 0x104, 0x144, 0x150, 0x151, 0x152, 0x153,
		0x155, 0x156, 0x157, 0x250, 0x251, 0x252, 0x253, 0x255,
		0x256, 0x257, 0x303, 0x304, 0x306, 0x30a, 0x30c, 0x31a,
		0x31c, 0x320, 0x344, 0x606, 0x60c, 0x61c, 0xda0, 0x306,
		0x30a, 0x320, 0x320, 0x150, 0x150, 0x151, 0x152, 0x120,
	};

	if (below(p, 2))
		return (uint16_t)(runs[below(p, ARRAY_SIZE(runs))] +
				  below(p, 32));
	return ones[below(p, ARRAY_SIZE(ones))];
}

/* The instruction, and the same as the oracle takes it. */
static uint32_t some_access(struct pair *p, struct oracle_access *a,
			    uint64_t *ret_rs1)
{
	static const enum pmu_csr_op ops[] = { PMU_CSR_WRITE, PMU_CSR_WRITE,
					       PMU_CSR_SET, PMU_CSR_CLEAR };
	unsigned funct3 = 1 + (unsigned)below(p, 3);
	bool immediate = below(p, 4) == 0;
	unsigned rd = below(p, 4) ? 10 : 0, rs1 = below(p, 3) ? 11 : 0;

	if (immediate)
		rs1 = (unsigned)below(p, 32);
	a->num = some_csr(p);
	a->op = ops[funct3];
	a->read = a->op != PMU_CSR_WRITE || rd;
	a->write = a->op == PMU_CSR_WRITE || rs1;
	*ret_rs1 = rs1 && !immediate ? some_value(p) : 0;
	/* What a selector above the least range holds is WARL. */
	if (a->num == 0x150 || a->num == 0x250)
		*ret_rs1 &= 0xfff;
	a->value = immediate ? rs1 : *ret_rs1;
	if (p->o.cfg.xlen == 32)
		a->value = (uint32_t)a->value;
	snprintf(p->what, sizeof(p->what),
		 "%s: CSR 0x%03x op %u value 0x%" PRIx64,
		 pmu_mode_name(p->o.mode), a->num, funct3, a->value);
	return (uint32_t)a->num << 20 | rs1 << 15 |
	       (funct3 | (immediate ? 4u : 0)) << 12 | rd << 7 | 0x73;
}

static enum pmu_csr_result outcome(const struct pmu_exec_out *out)
{
	if (out->kind != PMU_EXEC_TRAP)
		return PMU_CSR_OK;
	return out->trap.cause == PMU_CAUSE_VIRTUAL ? PMU_CSR_VIRTUAL
						    : PMU_CSR_ILLEGAL;
}

static uint64_t known(const struct pair *p, uint16_t num)
{
	uint64_t bits = oracle_known(num);

	if (num == 0xc01 || num == 0xc81)
		return 0; /* time */
	if (p->o.cfg.xlen == 64)
		return bits;
	return num == 0x31a || num == 0x31c || num == 0x61c ? bits >> 32
							    : (uint32_t)bits;
}

static void csr(struct pair *p)
{
	struct oracle_access a = { 0 };
	struct pmu_exec_in in = { .pc = 0x1000 };
	struct pmu_exec_out out = { 0 };
	struct oracle before = p->o;
	uint64_t rd;

	in.insn = some_access(p, &a, &in.rs1);
	oracle_csr(&p->o, &a);
	if (a.unknown) {
		p->o = before;
		return;
	}
	pmu_exec(p->h, &in, &out);
	HOLDS(p, outcome(&out) == a.result, "outcome %d, oracle %d",
	      outcome(&out), a.result);
	if (a.result != PMU_CSR_OK || !out.rd)
		return;
	rd = p->o.cfg.xlen == 32 ? (uint32_t)out.rd_value : out.rd_value;
	rd &= known(p, a.num);
	HOLDS(p, rd == (a.old & known(p, a.num)),
	      "read 0x%" PRIx64 ", oracle 0x%" PRIx64, rd,
	      a.old & known(p, a.num));
}

/* A CSR written by M-mode, in both. */
static void set_csr(struct pair *p, uint16_t num, uint64_t value)
{
	struct oracle_access a = { .num = num, .write = true, .value = value };
	enum pmu_mode mode = p->o.mode;
	unsigned effects = 0;

	p->o.mode = PMU_MODE_M;
	if (oracle_has(&p->o, PMU_EXT_SMCDELEG) &&
	    pmu_csr_poke(p->h, num, 0, value, &effects) == 0) {
		struct oracle counts = p->o;

		oracle_csr(&p->o, &a);
		memcpy(p->o.value, counts.value, sizeof(counts.value));
		memcpy(p->o.event, counts.event, sizeof(counts.event));
		p->o.lcofip = counts.lcofip;
	}
	p->o.mode = mode;
}

/* Delegates counters to S-mode: chance alone seldom does. */
static void delegate(struct pair *p)
{
	bool rv32 = p->o.cfg.xlen == 32;
	uint64_t enable = UINT64_C(1) << 60;

	snprintf(p->what, sizeof(p->what), "delegation");
	set_csr(p, rv32 ? 0x31a : 0x30a, rv32 ? enable >> 32 : enable);
	set_csr(p, rv32 ? 0x31c : 0x30c, rv32 ? enable >> 32 : enable);
	set_csr(p, 0x306, fuzz_random(&p->random));
	set_csr(p, 0x150, 0x40 + below(p, 32));
	pmu_hart_set_mode(p->h, PMU_MODE_M);
	p->o.mode = PMU_MODE_M;
	if (mode_exists(&p->o, PMU_MODE_S) && below(p, 4)) {
		pmu_hart_set_mode(p->h, PMU_MODE_S);
		p->o.mode = PMU_MODE_S;
	}
}

static void progress(struct pair *p)
{
	enum pmu_event e = (enum pmu_event)below(p, PMU_N_ENGINE_EVENTS);
	struct pmu_progress done = { 0 };

	done.n[e] = 1 + below(p, 40);
	snprintf(p->what, sizeof(p->what), "%" PRIu64 " %s in %s", done.n[e],
		 pmu_event_desc(e)->name, pmu_mode_name(p->o.mode));
	pmu_hart_advance(p->h, &done);
	oracle_count(&p->o, e, done.n[e], 1);
	if (e == PMU_EV_INSNS)
		oracle_cycles(&p->o, done.n[e], p->o.cfg.cpi);
}

/* To the limit, not one less: the first overflow comes just there. */
static void to_the_limit(struct pair *p)
{
	struct pmu_progress limits, done = { 0 };
	uint64_t n;

	pmu_hart_limits(p->h, &limits);
	n = limits.n[PMU_EV_INSNS];
	if (n > 5000)
		return;
	snprintf(p->what, sizeof(p->what), "%" PRIu64 " to the limit in %s", n,
		 pmu_mode_name(p->o.mode));
	p->o.overflows = 0;
	for (uint64_t i = 1; i < n; i++)
		oracle_retire(&p->o);
	HOLDS(p, !p->o.overflows, "the oracle overflowed before");
	oracle_retire(&p->o);
	HOLDS(p, p->o.overflows, "the oracle did not overflow");
	done.n[PMU_EV_INSNS] = n;
	pmu_hart_advance(p->h, &done);
}

static void mode(struct pair *p)
{
	enum pmu_mode to = (enum pmu_mode)below(p, PMU_N_MODES);

	if (!mode_exists(&p->o, to))
		return;
	snprintf(p->what, sizeof(p->what), "to %s", pmu_mode_name(to));
	pmu_hart_set_mode(p->h, to);
	p->o.mode = to;
}

static void trap(struct pair *p)
{
	struct pmu_trap t = { .interrupt = below(p, 2), .cause = 5 };

	snprintf(p->what, sizeof(p->what), "a trap in %s",
		 pmu_mode_name(p->o.mode));
	pmu_trap_account(p->h, &t);
	oracle_cycles(&p->o, 1, p->o.cfg.trap_cycles);
	oracle_count(&p->o, t.interrupt ? PMU_EV_INTERRUPTS : PMU_EV_EXCEPTIONS,
		     1, 1);
}

static void idle(struct pair *p)
{
	uint64_t n = 1 + below(p, 100);

	snprintf(p->what, sizeof(p->what), "%" PRIu64 " idle cycles", n);
	pmu_hart_idle(p->h, n);
	oracle_cycles(&p->o, n, 1);
}

static void emulated(struct pair *p)
{
	snprintf(p->what, sizeof(p->what), "emulated in %s",
		 pmu_mode_name(p->o.mode));
	pmu_exec_emulated(p->h);
	oracle_emulated(&p->o);
}

/* A counter that is about to overflow, as firmware sets it. */
static void near_the_end(struct pair *p)
{
	unsigned n = 3 + (unsigned)below(p, PMU_N_COUNTERS - 3);
	uint64_t value = UINT64_MAX - below(p, 30);
	uint64_t event = 1 + below(p, 2);

	if (!oracle_mask(&p->o, n))
		return;
	snprintf(p->what, sizeof(p->what), "counter %u near its end", n);
	pmu_counter_set_event(p->h, n, event);
	pmu_counter_set(p->h, n, value);
	p->o.event[n] = event;
	p->o.value[n] = value & oracle_mask(&p->o, n);
}

/*
 * All that both have. Where OF is raised twice in one step, by wrapping twice,
 * it is OF once.
 */
static void compare(struct pair *p)
{
	bool pending = pmu_irq_pending(p->h, 0) >> LCOFI & 1;

	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		HOLDS(p, pmu_counter_get(p->h, n) == p->o.value[n],
		      "counter %u is 0x%" PRIx64 ", oracle 0x%" PRIx64, n,
		      pmu_counter_get(p->h, n), p->o.value[n]);
		HOLDS(p, pmu_counter_event(p->h, n) == p->o.event[n],
		      "event %u is 0x%" PRIx64 ", oracle 0x%" PRIx64, n,
		      pmu_counter_event(p->h, n), p->o.event[n]);
	}
	HOLDS(p, pmu_counter_inhibit(p->h) == p->o.inhibit,
	      "mcountinhibit is 0x%x, oracle 0x%x", pmu_counter_inhibit(p->h),
	      p->o.inhibit);
	HOLDS(p, pending == p->o.lcofip, "LCOFIP is %d, oracle %d", pending,
	      p->o.lcofip);
}

TEST_RANGE(libpmu_and_the_oracle_agree, fuzz_first(), fuzz_end(N_SEEDS))
{
	static void (*const steps[])(struct pair * p) = {
		csr,	      csr,	    csr,      csr,	csr,  csr,
		csr,	      csr,	    csr,      csr,	mode, mode,
		trap,	      to_the_limit, progress, progress, idle, emulated,
		near_the_end, near_the_end, delegate,
	};
	struct pair p;

	memset(&p, 0, sizeof(p));
	make(&p, (unsigned)_i);
	compare(&p);
	for (p.step = 0; p.step < N_STEPS; p.step++) {
		steps[below(&p, ARRAY_SIZE(steps))](&p);
		compare(&p);
	}
	pmu_hart_free(p.h);
}

SUITE("fuzz-csr");
