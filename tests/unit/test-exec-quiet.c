/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Quiet accesses. Two harts alike: one makes the access before anybody has told
 * it what ran ahead of it, and counts it with that; the other is told first,
 * and executes the instruction. Whatever CSR, mode and state it is, they must
 * be the same hart afterwards. What has to be quiet, and what must not, are
 * rows.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "../../guests/common/csr-short.h"
#include "csr-reach.h"
#include "hart-state.h"

#define ALL                                                                    \
	(PMU_EXT_DEFAULT | PMU_EXT_H | PMU_EXT_SSTC | PMU_EXT_SMCSRIND |       \
	 PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG |                \
	 PMU_EXT_SMSTATEEN | PMU_EXT_SMAIA | PMU_EXT_SSAIA | PMU_EXT_SVADU)
#define EFFECTS_OF_OVERFLOW (unsigned)(PMU_FX_COUNT | PMU_FX_IRQ)

enum {
	RD = 10,
	N_STATES = 8,
};

static const struct pmu_timebase timebase = { .clock_hz = 4, .time_hz = 3 };

static const struct kind {
	const char *name;
	unsigned xlen;
	uint64_t ext;
} kinds[] = {
	{ "RV64", 64, PMU_EXT_DEFAULT },
	{ "RV32", 32, PMU_EXT_DEFAULT },
	{ "RV64, all", 64, ALL },
	{ "RV32, all", 32, ALL },
	{ "RV64, branches", 64, PMU_EXT_DEFAULT | PMU_EXT_XPMUEBB },
	{ "no C, no F", 64,
	  PMU_EXT_DEFAULT & ~(PMU_EXT_C | PMU_EXT_F | PMU_EXT_D) },
};

static struct pmu_hart *new_hart(const struct kind *kind)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, kind->xlen);
	cfg.ext = kind->ext;
	cfg.cpi = 3;
	PREPARING(ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0));
	return h;
}

static uint64_t rnd(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* All bits, few, or a number: a counter's end among them. */
static uint64_t value(uint64_t *seed)
{
	uint64_t v = rnd(seed);

	switch (v >> 60 & 3) {
	case 0:
		return v & rnd(seed) & rnd(seed);
	case 1:
		return UINT64_MAX - (v & 15);
	case 2:
		return v & 0x7ff;
	default:
		return v;
	}
}

/* Of all the state there is. */
static void make_state(struct pmu_hart *h, uint64_t *seed)
{
	for (unsigned num = 0; num < PMU_N_CSRS; num++) {
		unsigned effects = 0;

		pmu_csr_poke(h, (uint16_t)num, 0, value(seed), &effects);
	}
	/* one of instructions and one of cycles, near their ends */
	if (rnd(seed) & 1)
		pmu_counter_set_inhibit(h, 0);
	pmu_counter_set_event(h, 3, 1);
	pmu_counter_set_event(h, 4, 2);
	pmu_counter_set(h, 3, UINT64_MAX - (rnd(seed) & 7));
	pmu_counter_set(h, 4, UINT64_MAX - (rnd(seed) & 15));
}

static struct pmu_hart *copy_of(const struct kind *kind,
				const struct pmu_hart *h)
{
	struct pmu_hart *ret = new_hart(kind);
	void *state = malloc(pmu_hart_state_size());

	pmu_hart_give(h, state);
	ck_assert_int_eq(pmu_hart_take(ret, state), 0);
	free(state);
	return ret;
}

static bool same(const struct pmu_hart *a, const struct pmu_hart *b)
{
	size_t size = pmu_hart_state_size();
	char *of_a = calloc(1, size), *of_b = calloc(1, size);
	bool ret;

	pmu_hart_give(a, of_a);
	pmu_hart_give(b, of_b);
	ret = !memcmp(of_a, of_b, size);
	free(of_a);
	free(of_b);
	return ret;
}

static void copy(struct pmu_hart *to, const struct pmu_hart *from)
{
	*to = *from;
}

/* As pmu_exec(), of a quiet access. */
static bool quiet(struct pmu_hart *h, const struct pmu_exec_in *in,
		  struct pmu_exec_out *ret)
{
	struct pmu_csr_req req;
	uint64_t old;

	exec_csr_request(h, in, &req);
	if (!pmu_csr_quiet(h, &req, &old, &ret->effects))
		return false;
	ret->rd = in->insn >> 7 & 31;
	ret->rd_value =
		h->cfg.xlen == 32 ? (uint64_t)(int64_t)(int32_t)old : old;
	return true;
}

/* Two harts, the first of which has @ahead instructions yet to be told of. */
struct pair {
	struct pmu_hart *quiet, *plain;
	uint64_t ahead;
};

static void advance(struct pmu_hart *h, uint64_t insns)
{
	pmu_hart_advance(h, &(struct pmu_progress){ .n = { insns } });
}

/* What a quiet access may have, as far as it is nothing to look at again. */
static unsigned allowed(const struct pair *p, bool was_due, uint64_t now)
{
	unsigned ret = p->plain->overflows ? EFFECTS_OF_OVERFLOW : 0;
	struct pmu_trap trap;

	if (was_due || !pmu_interrupt_next(p->plain, now, &trap))
		ret |= PMU_FX_IRQ;
	return ret | PMU_FX_FS;
}

/* Returns whether it was quiet. */
static bool try(struct pair *p, uint32_t insn, uint64_t rs1)
{
	struct pmu_exec_in in = {
		.pc = 0x1000,
		.insn = insn,
		.rs1 = rs1,
		.now = p->quiet->cycles, /* behind by what is ahead */
	};
	struct pmu_exec_out out = { 0 }, want = { 0 };
	struct pmu_trap trap;
	bool was_due = pmu_interrupt_next(p->plain, in.now, &trap);

	if (!quiet(p->quiet, &in, &out)) {
		ck_assert_msg(same(p->quiet, p->plain),
			      "%#x is not quiet, and has changed it", insn);
		return false;
	}
	advance(p->plain, p->ahead);
	in.now = p->plain->cycles;
	pmu_exec(p->plain, &in, &want);
	advance(p->quiet, p->ahead + 1);
	ck_assert_int_eq(want.kind, PMU_EXEC_RETIRED);
	ck_assert_msg(!(want.effects & ~allowed(p, was_due, in.now)),
		      "%#x has effects %#x", insn, want.effects);
	ck_assert_uint_eq(out.effects, want.effects & PMU_FX_FS);
	ck_assert_uint_eq(out.rd, want.rd);
	if (out.rd)
		ck_assert_uint_eq(out.rd_value, want.rd_value);
	ck_assert_msg(same(p->quiet, p->plain), "%#x is another one", insn);
	return true;
}

/* The engine runs no further than to the first overflow, or timer. */
static uint64_t some_ahead(const struct pmu_hart *h, uint64_t *seed)
{
	struct pmu_progress limit;
	uint64_t most;

	pmu_hart_limits(h, &limit);
	most = limit.n[PMU_EV_INSNS] < 4 ? limit.n[PMU_EV_INSNS] : 4;
	while (most > 1 && pmu_timer_next(h, h->cycles) <=
				   h->cycles + (most - 1) * h->cfg.cpi)
		most--;
	ck_assert_uint_gt(most, 0);
	return rnd(seed) % most;
}

static bool has_mode(const struct kind *kind, unsigned mode)
{
	return mode <= PMU_MODE_U || kind->ext & PMU_EXT_H;
}

/* Every CSR by every form of access. */
static unsigned try_all(struct pair *p, const struct pmu_hart *start,
			uint64_t *seed)
{
	unsigned found = 0;

	for (uint32_t num = 0; num < PMU_N_CSRS; num++) {
		uint32_t forms = (uint32_t)rnd(seed);

		if (!start->csr_row[num])
			continue;
		for (uint32_t funct3 = 1; funct3 < 8; funct3++) {
			uint32_t rd = forms >> funct3 & 1 ? RD : 0;
			uint32_t rs1 = forms >> (funct3 + 8) & 1 ? 11 : 0;

			if (funct3 == 4)
				continue;
			found += try(p,
				     num << 20 | rs1 << 15 | funct3 << 12 |
					     rd << 7 | 0x73,
				     rs1 ? value(seed) : 0);
			copy(p->quiet, start);
			copy(p->plain, start);
		}
	}
	return found;
}

TEST_ROWS(a_quiet_access_is_the_same, kinds)
{
	const struct kind *kind = &kinds[_i];
	struct pmu_hart *start = new_hart(kind);
	struct pair p = { copy_of(kind, start), copy_of(kind, start), 0 };
	uint64_t seed = 20 + (uint64_t)_i;
	unsigned found = 0;

	for (unsigned n = 0; n < N_STATES; n++)
		for (unsigned mode = 0; mode < PMU_N_MODES; mode++) {
			if (!has_mode(kind, mode))
				continue;
			make_state(start, &seed);
			pmu_hart_set_mode(start, (enum pmu_mode)mode);
			copy(p.quiet, start);
			copy(p.plain, start);
			p.ahead = some_ahead(start, &seed);
			found += try_all(&p, start, &seed);
		}
	ck_assert_uint_gt(found, 50 * N_STATES);
	pmu_hart_free(start);
	pmu_hart_free(p.quiet);
	pmu_hart_free(p.plain);
}

#define CSRRW	1
#define CSRRS	2
#define CSRRC	3
#define SIE_BIT UINT64_C(0x2)
#define MIE_BIT UINT64_C(0x8)
#define SUM	UINT64_C(0x40000)
#define FS	UINT64_C(0x6000)
#define MPRV	UINT64_C(0x20000)
#define MXR	UINT64_C(0x80000)

static const struct quiet_row {
	const char *what;
	bool quiet;
	enum pmu_mode mode;
	uint16_t csr;
	unsigned funct3;
	uint64_t rs1;
	uint64_t mstatus, vsstatus; /* before it */
} quiet_rows[] = {
	{ "sscratch is read", true, PMU_MODE_S, SSCRATCH, CSRRS, 0, 0 },
	{ "sscratch is exchanged", true, PMU_MODE_S, SSCRATCH, CSRRW, 9, 0 },
	{ "mscratch is exchanged", true, PMU_MODE_M, MSCRATCH, CSRRW, 9, 0 },
	{ "a user has none", false, PMU_MODE_U, SSCRATCH, CSRRS, 0, 0 },
	{ "S-mode has no mscratch", false, PMU_MODE_S, MSCRATCH, CSRRS, 0, 0 },
	{ "a guest has its own", true, PMU_MODE_VS, SSCRATCH, CSRRW, 9, 0 },
	{ "of a guest's user it is virtual", false, PMU_MODE_VU, SSCRATCH,
	  CSRRW, 9, 0 },
	{ "sepc is written", true, PMU_MODE_S, SEPC, CSRRW, 9, 0 },
	{ "scause is read", true, PMU_MODE_S, SCAUSE, CSRRS, 0, 0 },
	{ "stval is read", true, PMU_MODE_S, STVAL, CSRRS, 0, 0 },
	{ "sstatus is read", true, PMU_MODE_S, SSTATUS, CSRRS, 0, 0 },
	{ "SUM is set", true, PMU_MODE_S, SSTATUS, CSRRS, SUM, 0 },
	{ "SUM is cleared", false, PMU_MODE_S, SSTATUS, CSRRC, SUM, SUM },
	{ "SUM was clear", true, PMU_MODE_S, SSTATUS, CSRRC, SUM, 0 },
	{ "SIE is set", true, PMU_MODE_S, SSTATUS, CSRRS, SIE_BIT, 0 },
	{ "SIE was set", true, PMU_MODE_S, SSTATUS, CSRRS, SIE_BIT, SIE_BIT },
	{ "SIE is cleared", true, PMU_MODE_S, SSTATUS, CSRRC, SIE_BIT,
	  SIE_BIT },
	{ "MIE is set", true, PMU_MODE_M, MSTATUS, CSRRS, MIE_BIT, 0 },
	{ "a guest sets its SIE", true, PMU_MODE_VS, SSTATUS, CSRRS, SIE_BIT,
	  0 },
	{ "SIE is set and SUM cleared", false, PMU_MODE_S, SSTATUS, CSRRW,
	  SIE_BIT, SUM },
	{ "a guest clears its SUM", false, PMU_MODE_VS, SSTATUS, CSRRC, SUM, 0,
	  SUM },
	{ "a guest sets its FS", true, PMU_MODE_VS, SSTATUS, CSRRS, FS, 0 },
	{ "FS is cleared", true, PMU_MODE_S, SSTATUS, CSRRC, FS, FS },
	{ "FS is set", true, PMU_MODE_S, SSTATUS, CSRRS, FS, 0 },
	{ "MPP changes under MPRV", false, PMU_MODE_M, MSTATUS, CSRRS,
	  UINT64_C(0x1800), MPRV },
	{ "MPP changes alone", true, PMU_MODE_M, MSTATUS, CSRRS,
	  UINT64_C(0x1800), 0 },
	{ "MXR is cleared", false, PMU_MODE_S, SSTATUS, CSRRC, MXR, MXR },
	{ "MXR is set", true, PMU_MODE_S, SSTATUS, CSRRS, MXR, 0 },
	{ "MPRV is set", false, PMU_MODE_M, MSTATUS, CSRRS, MPRV, 0 },
	{ "interrupts that are pending", false, PMU_MODE_S, SIP, CSRRS, 0, 0 },
	{ "those that are enabled", false, PMU_MODE_S, SIE, CSRRW, 0, 0 },
	{ "page tables", false, PMU_MODE_S, SATP, CSRRW, 0, 0 },
	{ "a counter", false, PMU_MODE_S, INSTRET, CSRRS, 0, 0 },
	{ "floating point is the engine's", false, PMU_MODE_S, 0x003, CSRRS, 0,
	  FS },
};

TEST_ROWS(what_is_quiet, quiet_rows)
{
	const struct quiet_row *row = &quiet_rows[_i];
	struct pmu_hart *h = new_hart(&kinds[2]);
	struct pmu_exec_in in = {
		.insn = (uint32_t)row->csr << 20 | (row->rs1 ? 11 : 0) << 15 |
			row->funct3 << 12 | RD << 7 | 0x73,
		.rs1 = row->rs1,
	};
	struct pmu_exec_out out;
	unsigned effects = 0;

	pmu_counter_set_event(h, 3, 1);
	h->mcounteren = h->hcounteren = UINT32_MAX;
	pmu_csr_poke(h, MSTATUS, 0, row->mstatus, &effects);
	pmu_csr_poke(h, VSSTATUS, 0, row->vsstatus, &effects);
	pmu_hart_set_mode(h, row->mode);
	ck_assert_msg(quiet(h, &in, &out) == row->quiet, "%s", row->what);
	pmu_hart_free(h);
}

#define STI   UINT64_C(0x20)
#define LCOFI UINT64_C(0x2000)

/* Whom an access that opens interrupts lets in: then it is not quiet. */
static const struct opens_row {
	const char *what;
	bool quiet;
	enum pmu_mode mode;
	uint16_t csr;
	unsigned funct3;
	uint64_t rs1, before; /* of the status that it names */
	uint64_t enabled, delegated;
	enum pmu_irq pending;
} opens_rows[] = {
	{ "one that is pending", false, PMU_MODE_S, SSTATUS, CSRRS, SIE_BIT, 0,
	  LCOFI, LCOFI, PMU_IRQ_LCOFI },
	{ "its enable is off", true, PMU_MODE_S, SSTATUS, CSRRS, SIE_BIT, 0, 0,
	  LCOFI, PMU_IRQ_LCOFI },
	{ "it is shut out", true, PMU_MODE_S, SSTATUS, CSRRC, SIE_BIT, SIE_BIT,
	  LCOFI, LCOFI, PMU_IRQ_LCOFI },
	{ "it could come before", true, PMU_MODE_S, SSTATUS, CSRRS, SIE_BIT,
	  SIE_BIT, LCOFI, LCOFI, PMU_IRQ_LCOFI },
	{ "it is shut out, FS stays", true, PMU_MODE_S, SSTATUS, CSRRW, FS,
	  SIE_BIT | FS, LCOFI, LCOFI, PMU_IRQ_LCOFI },
	{ "M-mode's", false, PMU_MODE_M, MSTATUS, CSRRS, MIE_BIT, 0, LCOFI, 0,
	  PMU_IRQ_LCOFI },
};

TEST_ROWS(who_could_come_in_is_not_quiet, opens_rows)
{
	const struct opens_row *row = &opens_rows[_i];
	struct pmu_hart *h = new_hart(&kinds[0]);
	struct pmu_exec_in in = {
		.insn = (uint32_t)row->csr << 20 | 11 << 15 |
			row->funct3 << 12 | RD << 7 | 0x73,
		.rs1 = row->rs1,
	};
	struct pmu_exec_out out;
	unsigned effects = 0;

	pmu_csr_poke(h, MIE, 0, row->enabled, &effects);
	pmu_csr_poke(h, MIDELEG, 0, row->delegated, &effects);
	pmu_csr_poke(h, MSTATUS, 0, row->before, &effects);
	pmu_irq_soft(h, row->pending, true);
	pmu_hart_set_mode(h, row->mode);
	ck_assert_msg(quiet(h, &in, &out) == row->quiet, "%s", row->what);
	pmu_hart_free(h);
}

/* A timer is pending from its time on, as of the last account. */
static const struct timer_row {
	uint64_t now;
	bool quiet;
} timer_rows[] = { { 0, true }, { 99, true }, { 100, false } };

TEST_ROWS(a_timer_is_asked_for_its_time, timer_rows)
{
	static const struct pmu_timebase even = { .clock_hz = 1, .time_hz = 1 };
	const struct timer_row *row = &timer_rows[_i];
	struct pmu_hart *h = new_hart(&kinds[2]);
	struct pmu_exec_in in = {
		.insn = (uint32_t)SSTATUS << 20 | 11 << 15 | CSRRS << 12 | 0x73,
		.rs1 = SIE_BIT,
		.now = row->now,
	};
	struct pmu_exec_out out;
	unsigned effects = 0;

	h->tb = &even;
	pmu_csr_poke(h, MENVCFG, 0, UINT64_C(1) << 63, &effects);
	pmu_csr_poke(h, STIMECMP, 0, 100, &effects);
	pmu_csr_poke(h, MIE, 0, STI, &effects);
	pmu_csr_poke(h, MIDELEG, 0, STI, &effects);
	pmu_hart_set_mode(h, PMU_MODE_S);
	ck_assert_msg(quiet(h, &in, &out) == row->quiet, "at %d", _i);
	pmu_hart_free(h);
}

/* The registers that nobody but the guest looks at, and those of status. */
static const uint16_t all_quiet[] = {
	0x100, 0x105, 0x140, 0x141,
	0x142, 0x143, /* sstatus, stvec, sscratch- */
	0x200, 0x205, 0x240, 0x241,
	0x242, 0x243, /* vsstatus, vstvec, vsscratch- */
	0x300, 0x305, 0x340, 0x341,
	0x342, 0x343,		    /* mstatus, mtvec, mscratch- */
	0x310,			    /* mstatush, on RV32 */
	0x34a, 0x34b, 0x643, 0x64a, /* mtinst, mtval2, h... */
};

TEST_TIMES(no_others_are_quiet, 2)
{
	const struct kind *kind = &kinds[2 + _i];
	struct pmu_hart *h = new_hart(kind);
	struct pmu_exec_out out;

	pmu_hart_set_mode(h, PMU_MODE_M);
	for (uint32_t num = 0; num < PMU_N_CSRS; num++) {
		const struct pmu_exec_in in = { .insn = num << 20 | 2 << 12 |
							RD << 7 | 0x73 };
		bool want = false;

		for (size_t i = 0; i < ARRAY_SIZE(all_quiet); i++)
			want |= all_quiet[i] == num;
		want &= num != 0x310 || kind->xlen == 32;
		ck_assert_msg(quiet(h, &in, &out) == want, "%#x", num);
	}
	pmu_hart_free(h);
}

SUITE("exec-quiet");
