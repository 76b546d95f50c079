/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random traps, interrupts and privileged instructions on harts of random
 * extensions. What each must make of the hart's state is computed a second
 * time, from the state before it and the specification alone (trap-oracle.c,
 * and aia-oracle.c for harts with Smaia).
 */
#include <inttypes.h>
#include <string.h>

#include <pmu/isa.h>

#include "../unit/unit.h"
#include "aia-oracle.h"
#include "seeds.h"
#include "trap-oracle.h"

enum {
	N_SEEDS = 200,
	N_STEPS = 2000,
};

struct run {
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	uint64_t random;
	unsigned seed, step;
	char what[96];
};

static const struct pmu_timebase tb = { 10, 1, 0 };

static uint64_t rnd(struct run *r)
{
	return fuzz_random(&r->random);
}

static uint64_t below(struct run *r, uint64_t n)
{
	return (rnd(r) >> 11) % n;
}

static void make(struct run *r, unsigned seed)
{
	size_t n;
	const struct pmu_ext_desc *table = pmu_ext_table(&n), *lacks;
	uint64_t ext = 0;

	r->seed = seed;
	r->random = fuzz_seed(seed);
	pmu_hart_config_init(&r->cfg, below(r, 2) ? 64 : 32);
	for (size_t i = 0; i < n; i++)
		if (below(r, 8))
			ext |= table[i].ext;
	while (!pmu_ext_check(ext, &lacks, NULL))
		ext &= ~lacks->ext;
	r->cfg.ext = ext;
	if (!(ext & PMU_EXT_S))
		r->cfg.sv_modes = 0;
	if (!(ext & PMU_EXT_ZIHPM))
		r->cfg.hpm_mask = 0;
	if (ext & PMU_EXT_H && below(r, 2))
		r->cfg.guest_irqs = (uint8_t)(1 + below(r, 3));
	ck_assert_int_eq(pmu_hart_new(&r->h, &r->cfg, &tb), 0);
}

static void compare(struct run *r, const struct trap_state *want)
{
	struct trap_state got;

	trap_look(r->h, &got);
	if (got.mode != want->mode)
		ck_abort_msg("seed %u, step %u (%s): mode %s, oracle %s",
			     r->seed, r->step, r->what, pmu_mode_name(got.mode),
			     pmu_mode_name(want->mode));
	for (unsigned i = 0; i < TRAP_N_CSRS; i++)
		if (got.csr[i] != want->csr[i])
			ck_abort_msg("seed %u, step %u (%s): %s is 0x%" PRIx64
				     ", oracle 0x%" PRIx64,
				     r->seed, r->step, r->what,
				     trap_csr_name(i), got.csr[i],
				     want->csr[i]);
}

static void expect_pc(struct run *r, uint64_t got, uint64_t want)
{
	if (got != want)
		ck_abort_msg("seed %u, step %u (%s): pc 0x%" PRIx64
			     ", oracle 0x%" PRIx64,
			     r->seed, r->step, r->what, got, want);
}

/* Numbers near each other, and 0, are what decides. */
static uint64_t priorities(struct run *r)
{
	static const uint8_t numbers[] = { 0, 0, 1, 2, 3, 254, 255 };
	uint64_t value = 0;

	for (unsigned i = 0; i < 8; i++)
		value = value << 8 | numbers[below(r, ARRAY_SIZE(numbers))];
	return value;
}

static void poke_both(struct run *r, uint16_t num, uint16_t high,
		      uint64_t value)
{
	unsigned effects = 0;

	pmu_csr_poke(r->h, num, 0, r->cfg.xlen == 32 ? (uint32_t)value : value,
		     &effects);
	if (r->cfg.xlen == 32 && high)
		pmu_csr_poke(r->h, high, 0, value >> 32, &effects);
}

/* Any of the CSRs; what its WARL rules make of a value is not asked here. */
static void poke(struct run *r)
{
	unsigned i = (unsigned)below(r, TRAP_N_CSRS);
	uint64_t value = rnd(r);

	if (below(r, 2))
		value |= rnd(r);
	poke_both(r, trap_csr_number(i), trap_csr_high(i), value);
}

/* One of the AIA's, or a register of an array. */
static void poke_aia(struct run *r)
{
	unsigned i = (unsigned)below(r, AIA_N_CSRS + 4), effects = 0;
	uint16_t select = i % 2 ? 0x350 : 0x150;
	uint64_t value = rnd(r);

	if (below(r, 2))
		value |= rnd(r);
	if (i >= AIA_N_CSRS) {
		pmu_csr_poke(r->h, select, 0, 0x30 + below(r, 16), &effects);
		poke_both(r, select + 1, 0, priorities(r));
		return;
	}
	if (i == A_HVIPRIO1 || i == A_HVIPRIO2)
		value = priorities(r);
	if (i == A_HVICTL)
		value = (value & ~UINT64_C(0xff)) | (priorities(r) & 0xff);
	if (i == A_HVICTL && below(r, 2))
		value = (value & ~UINT64_C(0x3f0000)) | 9 << 16;
	poke_both(r, aia_csr_number(i), aia_csr_high(i), value);
}

static bool exists(const struct run *r, enum pmu_mode mode)
{
	static const uint64_t needs[PMU_N_MODES] = {
		[PMU_MODE_S] = PMU_EXT_S,
		[PMU_MODE_U] = PMU_EXT_U,
		[PMU_MODE_VS] = PMU_EXT_H,
		[PMU_MODE_VU] = PMU_EXT_H,
	};

	return (r->cfg.ext & needs[mode]) == needs[mode];
}

static void change_mode(struct run *r)
{
	enum pmu_mode mode = (enum pmu_mode)below(r, PMU_N_MODES);

	if (exists(r, mode))
		pmu_hart_set_mode(r->h, mode);
}

static void lines(struct run *r)
{
	static const enum pmu_irq irqs[] = { PMU_IRQ_MSI, PMU_IRQ_MTI,
					     PMU_IRQ_MEI, PMU_IRQ_SEI };

	pmu_irq_set(r->h, irqs[below(r, ARRAY_SIZE(irqs))], below(r, 2));
	pmu_irq_guest(r->h, (unsigned)below(r, 4), below(r, 2));
}

/* Takes @t, which the oracle takes, too. */
static void take(struct run *r, const struct pmu_trap *t)
{
	struct trap_state state;
	uint64_t pc;

	trap_look(r->h, &state);
	pc = trap_enter(&state, &r->cfg, t);
	expect_pc(r, pmu_trap_enter(r->h, t), pc);
	compare(r, &state);
}

static void exception(struct run *r)
{
	static const uint8_t causes[] = { 0, 1,	 2,  3,	 4,  5,	 6,
					  7, 12, 13, 15, 20, 21, 23 };
	struct pmu_trap t = {
		.cause = causes[below(r, ARRAY_SIZE(causes))],
		.pc = rnd(r) & ~UINT64_C(3),
		.tval = rnd(r),
	};

	if (exists(r, PMU_MODE_VS)) {
		t.tval2 = t.cause >= 20 ? rnd(r) : 0;
		t.tinst = below(r, 2) ? rnd(r) & UINT32_MAX : 0;
		t.gva = below(r, 2);
	} else if (t.cause >= 20) {
		t.cause = 2;
	}
	snprintf(r->what, sizeof(r->what), "exception %u in %s", t.cause,
		 pmu_mode_name(pmu_hart_mode(r->h)));
	take(r, &t);
}

static void expect_topi(struct run *r, uint16_t num, uint64_t want)
{
	uint64_t got = 0;

	pmu_csr_peek(r->h, num, 0, &got);
	if (got != want)
		ck_abort_msg("seed %u, step %u: CSR %#x is 0x%" PRIx64
			     ", oracle 0x%" PRIx64,
			     r->seed, r->step, num, got, want);
}

/* Takes @t, which the oracle takes at @level as @topi tells it. */
static void take_top(struct run *r, struct pmu_trap *t,
		     const struct trap_state *before, enum pmu_mode level,
		     uint64_t topi)
{
	struct trap_state state = *before;
	struct pmu_trap want = { .interrupt = true,
				 .cause = (uint8_t)(topi >> 16) };
	uint64_t pc;

	want.pc = t->pc = rnd(r) & ~UINT64_C(3);
	pc = trap_enter_as(&state, &r->cfg, &want, level);
	expect_pc(r, pmu_trap_enter(r->h, t), pc);
	compare(r, &state);
}

/* With Smaia: what the levels' registers say is what is taken. */
static void interrupt_aia(struct run *r)
{
	static const enum pmu_mode levels[] = { PMU_MODE_M, PMU_MODE_S,
						PMU_MODE_VS };
	struct pmu_trap t = { 0 };
	struct trap_state state;
	struct aia_state aia;
	uint64_t topi[3];
	bool got, some = false;

	trap_look(r->h, &state);
	aia_look(r->h, &aia);
	snprintf(r->what, sizeof(r->what), "interrupts in %s",
		 pmu_mode_name(state.mode));
	if (aia_wrong_view(&aia))
		ck_abort_msg("seed %u, step %u: %s", r->seed, r->step,
			     aia_wrong_view(&aia));
	expect_topi(r, PMU_CSR_MTOPI, topi[0] = aia_mtopi(&aia));
	expect_topi(r, PMU_CSR_STOPI, topi[1] = aia_stopi(&aia));
	expect_topi(r, PMU_CSR_VSTOPI, topi[2] = aia_vstopi(&aia));
	ck_assert(pmu_hart_wakes(r->h, 0) == (topi[0] || topi[1] || topi[2]));
	got = pmu_interrupt_next(r->h, 0, &t);
	/* What is delegated is not called given. */
	ck_assert(t.given != PMU_MODE_S ||
		  !(aia.csr[A_MIDELEG] >> t.cause & 1));
	for (unsigned i = 0; i < 3 && !some; i++) {
		some = topi[i] && trap_open(&state, levels[i]);
		if (some && got)
			take_top(r, &t, &state, levels[i], topi[i]);
	}
	if (some != got)
		ck_abort_msg("seed %u, step %u (%s): %d, oracle %d", r->seed,
			     r->step, r->what, got, some);
}

static void interrupt(struct run *r)
{
	struct trap_state state;
	struct pmu_trap t = { 0 };
	int want;
	bool got = pmu_interrupt_next(r->h, 0, &t);

	if (r->cfg.ext & PMU_EXT_SMAIA) {
		interrupt_aia(r);
		return;
	}
	trap_look(r->h, &state);
	want = trap_next_interrupt(&state);
	snprintf(r->what, sizeof(r->what), "interrupts in %s",
		 pmu_mode_name(state.mode));
	if (got != (want >= 0) || (got && t.cause != want))
		ck_abort_msg("seed %u, step %u (%s): %d, oracle %d", r->seed,
			     r->step, r->what, got ? t.cause : -1, want);
	if (!got)
		return;
	t.pc = rnd(r) & ~UINT64_C(3);
	take(r, &t);
}

static void instruction(struct run *r)
{
	static const uint32_t insns[] = {
		0x30200073, 0x30200073, 0x10200073, 0x10200073, /* mret sret */
		0x10500073, 0x12000073, /* wfi sfence.vma */
		0x22000073, 0x62000073, /* hfence.vvma hfence.gvma */
		0x00000073,		/* ecall */
	};
	struct pmu_exec_in in = {
		.pc = rnd(r) & UINT32_MAX & ~UINT64_C(3),
		.insn = insns[below(r, ARRAY_SIZE(insns))],
	};
	struct pmu_exec_out out = { 0 };
	struct trap_state state;
	struct trap_outcome want;

	trap_look(r->h, &state);
	snprintf(r->what, sizeof(r->what), "%#x in %s", in.insn,
		 pmu_mode_name(state.mode));
	trap_execute(&state, &r->cfg, &in, &want);
	pmu_exec(r->h, &in, &out);
	if ((int)out.kind != want.kind ||
	    (out.kind == PMU_EXEC_TRAP && out.trap.cause != want.cause))
		ck_abort_msg("seed %u, step %u (%s): outcome %d cause %u, "
			     "oracle %d cause %u",
			     r->seed, r->step, r->what, out.kind,
			     out.trap.cause, want.kind, want.cause);
	if (out.kind == PMU_EXEC_RETIRED)
		expect_pc(r, out.next_pc, want.pc);
	compare(r, &state);
	if (out.kind == PMU_EXEC_TRAP && below(r, 2))
		take(r, &out.trap);
}

TEST_RANGE(traps_do_what_the_specification_says, fuzz_first(),
	   fuzz_end(N_SEEDS))
{
	static void (*const steps[])(struct run * r) = {
		poke,	     poke,	poke,	   poke,	poke,
		poke,	     exception, interrupt, interrupt,	change_mode,
		lines,	     exception, interrupt, instruction, instruction,
		instruction, poke_aia,	poke_aia,  poke_aia,	poke_aia,
	};
	struct run r;

	memset(&r, 0, sizeof(r));
	make(&r, (unsigned)_i);
	for (r.step = 0; r.step < N_STEPS; r.step++)
		steps[below(&r, ARRAY_SIZE(steps))](&r);
	pmu_hart_free(r.h);
}

SUITE("fuzz-trap");
