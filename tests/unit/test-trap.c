/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps: who takes one, what entering it does to every register concerned
 * (all values of the fields of mstatus against a model), what it counts.
 */
#include "unit.h"

#include "hart-state.h"
#include <pmu/rule.h>
#include <pmu/translate.h>

static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

static struct pmu_hart *new_hart(unsigned xlen, uint64_t without)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, xlen);
	cfg.ext &= ~without;
	if (without & PMU_EXT_S)
		cfg.sv_modes = 0;
	cfg.trap_cycles = 7;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0);
	return h;
}

static const struct target_row {
	const char *rule;
	uint64_t without;
	enum pmu_mode mode;
	bool interrupt;
	uint8_t cause;
	uint64_t medeleg, mideleg;
	enum pmu_mode target;
} target_rows[] = {
#define EXC false
#define INT true
	{ RULE("trap_def_M_mode"), 0, PMU_MODE_U, EXC, 8, 0, UINT64_MAX,
	  PMU_MODE_M },
	{ RULE("medeleg_mideleg_op2"), 0, PMU_MODE_U, EXC, 8, 1 << 8, 0,
	  PMU_MODE_S },
	{ RULE("trap_horiz"), 0, PMU_MODE_S, EXC, 2, 1 << 2, 0, PMU_MODE_S },
	{ RULE("trap_never_trans_lower"), 0, PMU_MODE_M, EXC, 2, 1 << 2, 0,
	  PMU_MODE_M },
	{ RULE("medeleg_enc_txt"), 0, PMU_MODE_U, EXC, 15, 1 << 15, 0,
	  PMU_MODE_S },
	{ RULE("medeleg_enc_txt"), 0, PMU_MODE_U, EXC, 15, 1 << 13, 0,
	  PMU_MODE_M },
	{ RULE("mideleg_enc_txt"), 0, PMU_MODE_U, INT, 13, UINT64_MAX, 0,
	  PMU_MODE_M },
	{ RULE("mideleg_enc_txt C111"), 0, PMU_MODE_U, INT, 13, 0, 1 << 13,
	  PMU_MODE_S },
	{ RULE("mideleg_enc_txt"), 0, PMU_MODE_S, INT, 5, 0, 1 << 5,
	  PMU_MODE_S },
	{ RULE("medeleg_mideleg_omit_wo_S_mode"), PMU_EXT_S, PMU_MODE_U, EXC, 8,
	  1 << 8, 0, PMU_MODE_M },
};

TEST_ROWS(a_trap_goes_where_delegation_says, target_rows)
{
	const struct target_row *row = &target_rows[_i];
	struct pmu_hart *h = new_hart(64, row->without);
	struct pmu_trap trap = { .interrupt = row->interrupt,
				 .cause = row->cause };

	shows(row->rule);
	h->mode = row->mode;
	h->medeleg = row->medeleg;
	h->mideleg = row->mideleg;
	ck_assert_msg(pmu_trap_target(h, &trap) == row->target, "%s",
		      row->rule);
	pmu_trap_enter(h, &trap);
	ck_assert_msg(h->mode == row->target, "%s", row->rule);
	pmu_hart_free(h);
}

/* Fields that are named one by one: an independent view of mstatus. */
struct fields {
	unsigned sie, mie, spie, mpie, spp, mpp;
};

static struct fields unpack(uint64_t mstatus)
{
	return (struct fields){
		.sie = mstatus >> 1 & 1,
		.mie = mstatus >> 3 & 1,
		.spie = mstatus >> 5 & 1,
		.mpie = mstatus >> 7 & 1,
		.spp = mstatus >> 8 & 1,
		.mpp = mstatus >> 11 & 3,
	};
}

/* mstatus that has the bits of @n at the places of the fields. */
static uint64_t scatter(unsigned n)
{
	static const uint8_t places[] = { 1, 3, 5, 7, 8, 11, 12, 17, 18, 22 };
	uint64_t ret = 0;

	for (unsigned i = 0; i < sizeof(places); i++)
		ret |= (uint64_t)(n >> i & 1) << places[i];
	return ret;
}

static void check_stack(enum pmu_mode from, enum pmu_mode to, uint64_t before,
			uint64_t after)
{
	static const unsigned number[] = {
		[PMU_MODE_M] = 3, [PMU_MODE_S] = 1, [PMU_MODE_U] = 0
	};
	uint64_t rest = ~(uint64_t)0x19aa;
	struct fields want = unpack(before), got = unpack(after);

	if (to == PMU_MODE_M) {
		want.mpie = want.mie;
		want.mie = 0;
		want.mpp = number[from];
	} else {
		want.spie = want.sie;
		want.sie = 0;
		want.spp = number[from];
	}
	ck_assert_msg(got.sie == want.sie && got.mie == want.mie &&
			      got.spie == want.spie && got.mpie == want.mpie &&
			      got.spp == want.spp && got.mpp == want.mpp &&
			      (before & rest) == (after & rest),
		      "from %d to %d: %#llx becomes %#llx", from, to,
		      (unsigned long long)before, (unsigned long long)after);
}

TEST_TIMES(entry_pushes_the_privilege_stack, 5)
{
	static const struct {
		enum pmu_mode from, to;
	} ways[] = {
		{ PMU_MODE_M, PMU_MODE_M }, { PMU_MODE_S, PMU_MODE_M },
		{ PMU_MODE_U, PMU_MODE_M }, { PMU_MODE_S, PMU_MODE_S },
		{ PMU_MODE_U, PMU_MODE_S },
	};
	struct pmu_hart *h = new_hart(64, 0);
	struct pmu_trap trap = { .cause = PMU_CAUSE_ILLEGAL };

	shows(RULE("mstatus_xpie_xie_xpp_trap_op trap_del_S_mode_op"));
	h->medeleg = ways[_i].to == PMU_MODE_S ? UINT64_MAX : 0;
	for (unsigned n = 0; n < 1u << 10; n++) {
		h->mode = ways[_i].from;
		h->mstatus = scatter(n);
		pmu_trap_enter(h, &trap);
		check_stack(ways[_i].from, ways[_i].to, scatter(n), h->mstatus);
	}
	pmu_hart_free(h);
}

static const struct entry_row {
	const char *rule, *why;
	unsigned xlen;
	struct pmu_trap trap;
	uint64_t tvec;
	uint64_t pc, cause, epc, tval; /* handler and registers afterwards */
} entry_rows[] = {
	{ RULE("mtvec_mode_direct_op mepc_op mtval_op"),
	  "direct",
	  64,
	  { EXC, 13, UINT64_C(0xffffffc000001002),
	    UINT64_C(0xffffffc000009999) },
	  0x80000100,
	  0x80000100,
	  13,
	  UINT64_C(0xffffffc000001002),
	  UINT64_C(0xffffffc000009999) },
	{ RULE("mtvec_mode_direct_op"),
	  "direct, interrupt",
	  64,
	  { INT, 13, 0x1000, 0 },
	  0x80000100,
	  0x80000100,
	  UINT64_C(1) << 63 | 13,
	  0x1000,
	  0 },
	{ RULE("mtvec_mode_vectored_op"),
	  "vectored, exception",
	  64,
	  { EXC, 13, 0x1000, 0 },
	  0x80000101,
	  0x80000100,
	  13,
	  0x1000,
	  0 },
	{ RULE("mtvec_mode_vectored_op C176"),
	  "vectored, interrupt",
	  64,
	  { INT, 13, 0x1000, 0 },
	  0x80000101,
	  0x80000134,
	  UINT64_C(1) << 63 | 13,
	  0x1000,
	  0 },
	{ RULE("mtvec_sz_warl_acc"),
	  "rv32, registers of 32 bits",
	  32,
	  { INT, 7, UINT64_C(0xffffffff80001002),
	    UINT64_C(0xffffffff80000008) },
	  0xfffffff1,
	  0x0000000c,
	  0x80000007,
	  0x80001002,
	  0x80000008 },
	{ RULE("mtvec_mode_direct_op"),
	  "rv32, exception",
	  32,
	  { EXC, 2, 0x80001002, 0x30200073 },
	  0x80000100,
	  0x80000100,
	  2,
	  0x80001002,
	  0x30200073 },
};

static void assert_entered(const struct entry_row *row, uint64_t pc,
			   uint64_t cause, uint64_t epc, uint64_t tval)
{
	ck_assert_msg(pc == row->pc, "%s: pc %#llx", row->why,
		      (unsigned long long)pc);
	ck_assert_msg(cause == row->cause, "%s: cause %#llx", row->why,
		      (unsigned long long)cause);
	ck_assert_msg(epc == row->epc && tval == row->tval,
		      "%s: epc %#llx, tval %#llx", row->why,
		      (unsigned long long)epc, (unsigned long long)tval);
}

/* The other mode's registers stay. */
TEST_ROWS(entry_sets_the_registers_of_the_target, entry_rows)
{
	const struct entry_row *row = &entry_rows[_i];
	struct pmu_hart *h = new_hart(row->xlen, 0);
	uint64_t pc;

	shows(row->rule);
	shows(RULE("trap_del_S_mode_no_M_mode"));
	h->mode = PMU_MODE_U;
	h->mtvec = row->tvec;
	pc = pmu_trap_enter(h, &row->trap);
	assert_entered(row, pc, h->mcause, h->mepc, h->mtval);
	ck_assert(h->scause == 0 && h->sepc == 0 && h->stval == 0);

	h->mode = PMU_MODE_U;
	h->medeleg = h->mideleg = UINT64_MAX;
	h->mtvec = h->mcause = h->mepc = h->mtval = 0;
	h->stvec = row->tvec;
	pc = pmu_trap_enter(h, &row->trap);
	assert_entered(row, pc, h->scause, h->sepc, h->stval);
	ck_assert(h->mcause == 0 && h->mepc == 0 && h->mtval == 0);
	pmu_hart_free(h);
}

static const struct account_row {
	const char *rule;
	enum pmu_mode mode;
	bool interrupt;
} account_rows[] = {
	{ RULE("C179 C176"), PMU_MODE_U, INT },
	{ RULE("C179 C119"), PMU_MODE_U, EXC },
	{ RULE("C179"), PMU_MODE_S, EXC },
	{ RULE("C179"), PMU_MODE_M, INT },
};

TEST_ROWS(a_trap_costs_the_mode_that_trapped, account_rows)
{
	const struct account_row *row = &account_rows[_i];
	struct pmu_trap trap = { .interrupt = row->interrupt, .cause = 5 };
	struct pmu_hart *h = new_hart(64, 0);

	shows(row->rule);
	h->mode = row->mode;
	pmu_trap_enter(h, &trap);
	ck_assert(h->totals[PMU_EV_CYCLES][row->mode] == 7 &&
		  pmu_hart_cycles(h) == 7);
	ck_assert(h->totals[PMU_EV_EXCEPTIONS][row->mode] == !row->interrupt);
	ck_assert(h->totals[PMU_EV_INTERRUPTS][row->mode] == row->interrupt);
	ck_assert(pmu_hart_insns(h) == 0);

	h->mode = row->mode;
	pmu_trap_account(h, &trap);
	ck_assert(h->mode == row->mode);
	ck_assert(h->totals[PMU_EV_CYCLES][row->mode] == 14);
	pmu_hart_free(h);
}

/* The trap's own cycles overflow, the trap is taken first all the same. */
/* Of 7 cycles each. */
static const struct cost_row {
	uint64_t traps, cycles;
} cost_rows[] = {
	{ 0, 0 },
	{ 1, 7 },
	{ 1000, 7000 },
	{ UINT64_MAX / 7, UINT64_MAX / 7 * 7 },
	{ UINT64_MAX / 7 + 1, UINT64_MAX },
	{ UINT64_MAX, UINT64_MAX },
};

TEST_ROWS(traps_cost_together_what_each_does, cost_rows)
{
	const struct cost_row *row = &cost_rows[_i];
	struct pmu_hart *h = new_hart(64, 0);

	shows(RULE("C179"));
	ck_assert_uint_eq(pmu_trap_cost(h, row->traps), row->cycles);
	pmu_hart_free(h);
}

TEST(a_trap_may_overflow_a_counter)
{
	struct pmu_trap trap = { .cause = PMU_CAUSE_ECALL_U, .pc = 0x1000 };
	struct pmu_hart *h = new_hart(64, 0);
	struct pmu_trap next;

	shows(RULE("C162"));
	h->mode = PMU_MODE_U;
	h->medeleg = UINT64_MAX;
	h->mideleg = h->mie = UINT64_C(1) << PMU_IRQ_LCOFI;
	h->mstatus = MSTATUS_SIE;
	pmu_counter_set_event(h, 3,
			      pmu_event_desc(PMU_EV_EXCEPTIONS)->selector);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_trap_enter(h, &trap);
	ck_assert_uint_eq(pmu_irq_pending(h, 0), 1u << PMU_IRQ_LCOFI);
	ck_assert(pmu_counter_overflowed(h, 3) && h->scause == 8);
	/* S-mode has its interrupts off now; with LCOFI for M it comes. */
	ck_assert(!pmu_interrupt_next(h, 0, &next));
	h->mideleg = 0;
	ck_assert(pmu_interrupt_next(h, 0, &next) && next.cause == 13);
	pmu_hart_free(h);
}

TEST(a_redirected_trap_enters_s_mode_at_no_cost)
{
	struct pmu_trap trap = { .cause = PMU_CAUSE_ILLEGAL,
				 .pc = 0x1002,
				 .tval = 0x9999 };
	struct pmu_hart *h = new_hart(64, 0);

	h->mode = PMU_MODE_U;
	h->mstatus = MSTATUS_SIE | MSTATUS_SPP;
	h->stvec = 0x2001;
	ck_assert_uint_eq(pmu_trap_redirect(h, &trap), 0x2000);
	ck_assert(h->mode == PMU_MODE_S && h->mstatus == MSTATUS_SPIE);
	ck_assert(h->sepc == 0x1002 && h->scause == 2 && h->stval == 0x9999);
	ck_assert(pmu_hart_cycles(h) == 0);
	ck_assert(h->totals[PMU_EV_EXCEPTIONS][PMU_MODE_U] == 0);
	pmu_hart_free(h);
}

static const struct data_row {
	const char *rule;
	enum pmu_mode mode;
	uint64_t mstatus;
	enum pmu_mode before, after; /* a trap to M-mode */
} data_rows[] = {
	{ RULE("mstatus_mprv_ldst_op"), PMU_MODE_M, 0, PMU_MODE_M, PMU_MODE_M },
	{ RULE("mstatus_mprv_ldst_op"), PMU_MODE_S, MSTATUS_MPP, PMU_MODE_S,
	  PMU_MODE_M },
	{ RULE("mstatus_mprv_ldst_op"), PMU_MODE_M, MSTATUS_MPRV, PMU_MODE_U,
	  PMU_MODE_M },
	{ RULE("mstatus_mprv_ldst_op"), PMU_MODE_M, MSTATUS_MPRV | 1 << 11,
	  PMU_MODE_S, PMU_MODE_M },
	{ RULE("mstatus_mprv_ldst_op"), PMU_MODE_M, MSTATUS_MPRV | MSTATUS_MPP,
	  PMU_MODE_M, PMU_MODE_M },
};

TEST_ROWS(entry_in_m_mode_takes_the_mode_of_data_along, data_rows)
{
	const struct data_row *row = &data_rows[_i];
	struct pmu_hart *h = new_hart(64, 0);
	struct pmu_trap trap = { .cause = PMU_CAUSE_LOAD_PAGE };

	shows(row->rule);
	h->mode = row->mode;
	h->mstatus = row->mstatus;
	ck_assert_int_eq(pmu_data_mode(h), row->before);
	pmu_trap_enter(h, &trap);
	ck_assert_int_eq(pmu_data_mode(h), row->after);
	pmu_hart_free(h);
}

TEST(ecall_has_a_cause_per_mode)
{
	struct pmu_hart *h = new_hart(64, 0);

	shows(RULE("ecall_op2"));
	h->mode = PMU_MODE_U;
	ck_assert_uint_eq(pmu_ecall_cause(h), 8);
	h->mode = PMU_MODE_S;
	ck_assert_uint_eq(pmu_ecall_cause(h), 9);
	h->mode = PMU_MODE_M;
	ck_assert_uint_eq(pmu_ecall_cause(h), 11);
	pmu_hart_free(h);
}

SUITE("trap");
