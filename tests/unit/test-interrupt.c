/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts: all combinations of pending, enabled and delegated bits, modes
 * and global enables against a model that evaluates the conditions one by one;
 * rows for how mip is composed.
 */
#include "unit.h"

#include "hart-state.h"
#include <pmu/rule.h>

static const struct pmu_timebase timebase = { .clock_hz = 1000,
					      .time_hz = 100 };
static const enum pmu_irq irqs[] = { PMU_IRQ_SSI,   PMU_IRQ_STI, PMU_IRQ_SEI,
				     PMU_IRQ_LCOFI, PMU_IRQ_MSI, PMU_IRQ_MTI,
				     PMU_IRQ_MEI };
enum {
	N_DELEGABLE = 4,
	N_IRQS = ARRAY_SIZE(irqs)
};

static struct pmu_hart *new_hart(uint64_t without, uint64_t with)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.ext = (cfg.ext & ~without) | with;
	if (without & PMU_EXT_S)
		cfg.sv_modes = 0;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0);
	return h;
}

/* mip or mie bits from the low bits of @subset, in the order of irqs[]. */
static uint64_t bits_of(unsigned subset)
{
	uint64_t bits = 0;

	for (int i = 0; i < N_IRQS; i++)
		if (subset >> i & 1)
			bits |= UINT64_C(1) << irqs[i];
	return bits;
}

static void set_pending(struct pmu_hart *h, unsigned subset)
{
	for (int i = 0; i < N_IRQS; i++) {
		bool level = subset >> i & 1;

		if (i < N_DELEGABLE)
			pmu_irq_soft(h, irqs[i], level);
		else
			pmu_irq_set(h, irqs[i], level);
	}
}

/* Would interrupt @i be taken at all, and by M-mode (or else S-mode)? */
static bool model_takes(const struct pmu_hart *h, int i, bool by_m)
{
	bool delegated = h->mideleg >> i & 1;

	if (delegated == by_m || !(h->mie >> i & 1) ||
	    !((h->mip_soft | h->mip_line) >> i & 1))
		return false;
	if (by_m)
		return h->mode != PMU_MODE_M || (h->mstatus & MSTATUS_MIE);
	return h->mode == PMU_MODE_U ||
	       (h->mode == PMU_MODE_S && (h->mstatus & MSTATUS_SIE));
}

/* The interrupt that comes first, -1 for none. */
static int model_next(const struct pmu_hart *h)
{
	static const int m_order[] = { 11, 3, 7, 9, 1, 5, 13 };
	static const int s_order[] = { 9, 1, 5, 13 };

	for (size_t i = 0; i < ARRAY_SIZE(m_order); i++)
		if (model_takes(h, m_order[i], true))
			return m_order[i];
	for (size_t i = 0; i < ARRAY_SIZE(s_order); i++)
		if (model_takes(h, s_order[i], false))
			return s_order[i];
	return -1;
}

static void compare_with_model(const struct pmu_hart *h)
{
	struct pmu_trap trap = { .cause = 99 };
	int want = model_next(h);
	bool got = pmu_interrupt_next(h, 0, &trap);

	if (got != (want >= 0) ||
	    (got && (trap.cause != want || !trap.interrupt)))
		ck_abort_msg("mode %d mstatus %#llx mip %#llx mie %#llx "
			     "mideleg %#llx: %d, not %d",
			     h->mode, (unsigned long long)h->mstatus,
			     (unsigned long long)(h->mip_soft | h->mip_line),
			     (unsigned long long)h->mie,
			     (unsigned long long)h->mideleg,
			     got ? trap.cause : -1, want);
	if (pmu_hart_wakes(h, 0) != ((pmu_irq_pending(h, 0) & h->mie) != 0))
		ck_abort_msg("mip %#llx mie %#llx: WFI",
			     (unsigned long long)pmu_irq_pending(h, 0),
			     (unsigned long long)h->mie);
}

static const struct state_row {
	const char *rule;
	enum pmu_mode mode;
	uint64_t mstatus;
} state_rows[] = {
	{ RULE("trap_del_intr_priv_lvl C111"), PMU_MODE_M, 0 },
	{ RULE("trap_del_intr_priv_lvl C111"), PMU_MODE_M,
	  MSTATUS_MIE | MSTATUS_SIE },
	{ RULE("mstatus_mie_sie_op2"), PMU_MODE_M, MSTATUS_SIE },
	{ RULE("mstatus_xie_intr_en_dis"), PMU_MODE_S, 0 },
	{ RULE("mstatus_xie_intr_en_dis"), PMU_MODE_S, MSTATUS_MIE },
	{ RULE("intr_mip_mie_op"), PMU_MODE_S, MSTATUS_SIE },
	{ RULE("intr_M_mode_pri C111"), PMU_MODE_U, 0 },
	{ RULE("intr_M_mode_highest_pri"), PMU_MODE_U,
	  MSTATUS_MIE | MSTATUS_SIE },
};

TEST_ROWS(the_next_interrupt_is_the_model_s, state_rows)
{
	const struct state_row *row = &state_rows[_i];
	struct pmu_hart *h = new_hart(0, 0);

	shows(row->rule);
	h->mode = row->mode;
	h->mstatus = row->mstatus;
	for (unsigned deleg = 0; deleg < 1u << N_DELEGABLE; deleg++) {
		h->mideleg = bits_of(deleg);
		for (unsigned pending = 0; pending < 1u << N_IRQS; pending++) {
			set_pending(h, pending);
			for (unsigned en = 0; en < 1u << N_IRQS; en++) {
				h->mie = bits_of(en);
				compare_with_model(h);
			}
		}
	}
	pmu_hart_free(h);
}

static const struct mip_row {
	const char *rule, *why;
	uint64_t without;
	enum pmu_irq irq;
	bool line, soft; /* which of the two sets it */
} mip_rows[] = {
	{ RULE("intr_sei_op"), "SEIP by the line alone", 0, PMU_IRQ_SEI, true,
	  true },
	{ RULE("mip_meip_rdonly"), "MEIP only by the line", 0, PMU_IRQ_MEI,
	  true, false },
	{ RULE("mip_mtip_rdonly"), "MTIP only by the line", 0, PMU_IRQ_MTI,
	  true, false },
	{ RULE("mip_msip_rdonly"), "MSIP only by the line", 0, PMU_IRQ_MSI,
	  true, false },
	{ RULE("mip_ssip_acc"), "SSIP by software", 0, PMU_IRQ_SSI, false,
	  true },
	{ RULE("mip_stip_no_stimecmp_acc"), "STIP by software", 0, PMU_IRQ_STI,
	  false, true },
	{ RULE("mip_lcofip_acc"), "LCOFIP by software", 0, PMU_IRQ_LCOFI, false,
	  true },
	{ RULE("mip_sxip_mie_sxie_rdonly0"), "no S: no SEIP", PMU_EXT_S,
	  PMU_IRQ_SEI, false, false },
	{ RULE("mip_sxip_mie_sxie_rdonly0"), "no S: no SSIP", PMU_EXT_S,
	  PMU_IRQ_SSI, false, false },
	{ RULE("mip_sxip_mie_sxie_rdonly0"), "no S: no STIP", PMU_EXT_S,
	  PMU_IRQ_STI, false, false },
	{ RULE("mip_lcofip_mie_lcofie_rdonly0 C110"), "no Sscofpmf: no LCOFIP",
	  PMU_EXT_SSCOFPMF, PMU_IRQ_LCOFI, false, false },
};

TEST_ROWS(mip_has_the_bits_that_exist, mip_rows)
{
	const struct mip_row *row = &mip_rows[_i];
	struct pmu_hart *h = new_hart(row->without, 0);
	uint64_t bit = UINT64_C(1) << row->irq;

	shows(row->rule);
	pmu_irq_set(h, row->irq, true);
	ck_assert_msg(pmu_irq_pending(h, 0) == (row->line ? bit : 0), "%s",
		      row->why);
	pmu_irq_set(h, row->irq, false);
	ck_assert_msg(pmu_irq_pending(h, 0) == 0, "%s", row->why);
	pmu_irq_soft(h, row->irq, true);
	ck_assert_msg(pmu_irq_pending(h, 0) == (row->soft ? bit : 0), "%s",
		      row->why);
	pmu_irq_soft(h, row->irq, false);
	ck_assert_msg(pmu_irq_pending(h, 0) == 0, "%s", row->why);
	pmu_hart_free(h);
}

/* RULE("intr_sei_op"): one of the two falls, the other still holds SEIP. */
TEST(seip_is_pending_while_line_or_software_says_so)
{
	struct pmu_hart *h = new_hart(0, 0);

	pmu_irq_set(h, PMU_IRQ_SEI, true);
	pmu_irq_soft(h, PMU_IRQ_SEI, true);
	pmu_irq_set(h, PMU_IRQ_SEI, false);
	ck_assert_uint_eq(pmu_irq_pending(h, 0), 1u << PMU_IRQ_SEI);
	pmu_irq_set(h, PMU_IRQ_SEI, true);
	pmu_irq_soft(h, PMU_IRQ_SEI, false);
	ck_assert_uint_eq(pmu_irq_pending(h, 0), 1u << PMU_IRQ_SEI);
	pmu_hart_free(h);
}

static const struct seip_row {
	const char *rule, *why;
	uint16_t num;
	enum pmu_csr_op op;
	bool soft, line; /* before */
	bool value;	 /* of the operand's bit */
	bool rd, after;	 /* what is read, and software's bit then */
} seip_rows[] = {
	{ RULE("mip_seip_rdcsr"), "rd has the line", 0x344, PMU_CSR_SET, false,
	  true, false, true, false },
	{ RULE("mip_seip_rdcsr"), "rd has software's bit", 0x344, PMU_CSR_SET,
	  true, false, false, true, true },
	{ RULE("mip_seip_rdcsr"), "rd of csrrw has the line", 0x344,
	  PMU_CSR_WRITE, false, true, false, true, false },
	{ RULE("mip_seip_wrcsr"), "set does not take the line over", 0x344,
	  PMU_CSR_SET, false, true, false, true, false },
	{ RULE("mip_seip_wrcsr"), "clear does not take the line over", 0x344,
	  PMU_CSR_CLEAR, false, true, false, true, false },
	{ RULE("mip_seip_wrcsr"), "clear clears software's alone", 0x344,
	  PMU_CSR_CLEAR, true, true, true, true, false },
	{ RULE("mip_seip_acc"), "a write sets it", 0x344, PMU_CSR_WRITE, false,
	  false, true, false, true },
	{ RULE("mip_seip_acc"), "a write clears it", 0x344, PMU_CSR_WRITE, true,
	  false, false, true, false },
	{ RULE("sip_seip_op"), "sip shows the line", 0x144, PMU_CSR_SET, false,
	  true, false, true, false },
	{ RULE("sip_seip_op"), "sip shows M-mode's bit", 0x144, PMU_CSR_SET,
	  true, false, false, true, true },
	{ RULE("sip_seip_acc"), "sip cannot set it", 0x144, PMU_CSR_SET, false,
	  false, true, false, false },
	{ RULE("sip_seip_acc"), "sip cannot clear it", 0x144, PMU_CSR_CLEAR,
	  true, false, true, true, true },
	{ RULE("sip_seip_acc"), "sip cannot write it", 0x144, PMU_CSR_WRITE,
	  true, true, false, true, true },
};

TEST_ROWS(seip_is_read_with_the_line_and_written_without, seip_rows)
{
	const struct seip_row *row = &seip_rows[_i];
	const uint64_t seip = UINT64_C(1) << PMU_IRQ_SEI;
	struct pmu_hart *h = new_hart(0, 0);
	struct pmu_csr_req req = {
		.num = row->num,
		.op = row->op,
		.read = true,
		.write = true,
		.value = row->value ? seip : 0,
	};
	uint64_t rd;
	unsigned effects = 0;

	shows(row->rule);
	h->mideleg = seip;
	pmu_irq_soft(h, PMU_IRQ_SEI, row->soft);
	pmu_irq_set(h, PMU_IRQ_SEI, row->line);
	ck_assert_int_eq(pmu_csr(h, &req, &rd, &effects), PMU_CSR_OK);
	ck_assert_msg(!(rd & seip) == !row->rd, "%s", row->why);
	pmu_irq_set(h, PMU_IRQ_SEI, false);
	ck_assert_msg(pmu_irq_pending(h, 0) == (row->after ? seip : 0), "%s",
		      row->why);
	pmu_hart_free(h);
}

TEST(lines_outlive_a_reset)
{
	struct pmu_hart *h = new_hart(0, 0);

	shows(RULE("mip_meip_rdonly"));
	pmu_irq_set(h, PMU_IRQ_MEI, true);
	pmu_irq_soft(h, PMU_IRQ_SEI, true);
	pmu_hart_reset(h);
	ck_assert_uint_eq(pmu_irq_pending(h, 0), 1u << PMU_IRQ_MEI);
	pmu_hart_free(h);
}

/* Ten cycles are one tick of time. */
static const struct timer_row {
	const char *rule, *why;
	uint64_t stimecmp, now;
	bool stce, soft, pending;
} timer_rows[] = {
	{ RULE("mip_sip_stip_op"), "time < stimecmp", 5, 49, true, false,
	  false },
	{ RULE("mip_sip_stip_op"), "time = stimecmp", 5, 50, true, false,
	  true },
	{ RULE("mip_sip_stip_op"), "time > stimecmp", 5, 60, true, false,
	  true },
	{ RULE("mip_sip_stip_op"), "unsigned comparison", UINT64_MAX, 60, true,
	  false, false },
	{ RULE("mip_stip_stimecmp_acc"), "a bit set before is no signal", 5, 49,
	  true, true, false },
	{ RULE("menvcfg_stce_op2"), "STCE = 0: software's bit", 5, 0, false,
	  true, true },
	{ RULE("menvcfg_stce_op2"), "STCE = 0: no signal", 5, 90, false, false,
	  false },
};

TEST_ROWS(stip_follows_stimecmp, timer_rows)
{
	const struct timer_row *row = &timer_rows[_i];
	struct pmu_hart *h = new_hart(0, PMU_EXT_SSTC);
	uint64_t stip = UINT64_C(1) << PMU_IRQ_STI;
	struct pmu_trap trap;

	shows(row->rule);
	h->mode = PMU_MODE_U;
	h->mie = h->mideleg = stip;
	h->stimecmp = row->stimecmp;
	h->menvcfg = row->stce ? MENVCFG_STCE : 0;
	pmu_irq_soft(h, PMU_IRQ_STI, row->soft);
	ck_assert_msg(pmu_irq_pending(h, row->now) == (row->pending ? stip : 0),
		      "%s", row->why);
	ck_assert_msg(pmu_interrupt_next(h, row->now, &trap) == row->pending,
		      "%s", row->why);
	ck_assert_msg(pmu_hart_wakes(h, row->now) == row->pending, "%s",
		      row->why);
	ck_assert_msg(pmu_stimecmp(h) ==
			      (row->stce ? row->stimecmp : UINT64_MAX),
		      "%s", row->why);
	pmu_hart_free(h);
}

TEST(without_sstc_no_time_raises_stip)
{
	struct pmu_hart *h = new_hart(0, 0);

	unsigned effects = 0;

	ck_assert_int_eq(pmu_csr_poke(h, 0x30a, 0, MENVCFG_STCE, &effects), 0);
	ck_assert_uint_eq(pmu_irq_pending(h, UINT64_MAX), 0);
	ck_assert_uint_eq(pmu_stimecmp(h), UINT64_MAX);
	pmu_hart_free(h);
}

SUITE("interrupt");
