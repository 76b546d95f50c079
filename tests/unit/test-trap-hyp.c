/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps where there are guests: all combinations of delegation and mode
 * against the text of the rules, and every register that entering one writes.
 */
#include "unit.h"

#include <string.h>

#include "hart-state.h"
#include <pmu/rule.h>

#define M  PMU_MODE_M
#define S  PMU_MODE_S
#define U  PMU_MODE_U
#define VS PMU_MODE_VS
#define VU PMU_MODE_VU

static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

static struct pmu_hart *hyp_hart(unsigned xlen)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, xlen);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW | PMU_EXT_SHLCOFIDELEG;
	cfg.trap_cycles = 7;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0);
	return h;
}

/* H_trap_deleg, read word by word. */
static enum pmu_mode model_target(enum pmu_mode mode, bool medeleg,
				  bool hedeleg)
{
	if (mode == M || !medeleg)
		return M;
	if ((mode == VS || mode == VU) && hedeleg)
		return VS;
	return S;
}

static void check_target(struct pmu_hart *h, enum pmu_mode mode,
			 const struct pmu_trap *trap, unsigned deleg)
{
	uint64_t bit = UINT64_C(1) << trap->cause;
	enum pmu_mode want = model_target(mode, deleg & 1, deleg & 2);
	uint64_t m = deleg & 1 ? bit : ~bit, hs = deleg & 2 ? bit : ~bit;

	h->mode = mode;
	h->medeleg = trap->interrupt ? ~m : m;
	h->mideleg = trap->interrupt ? m : ~m;
	h->hedeleg = trap->interrupt ? ~hs : hs;
	h->hideleg = trap->interrupt ? hs : ~hs;
	ck_assert_msg(pmu_trap_target(h, trap) == want, "%s%u from %s, %u",
		      trap->interrupt ? "interrupt " : "", trap->cause,
		      pmu_mode_name(mode), deleg);
	pmu_trap_enter(h, trap);
	ck_assert_uint_eq(h->mode, want);
}

TEST(a_trap_goes_where_both_delegations_say)
{
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("H_trap_deleg hedeleg_op hideleg_op trap_def_M_mode"));
	for (unsigned n = 0; n < 64u * 2 * PMU_N_MODES * 4; n++) {
		struct pmu_trap trap = { .cause = (uint8_t)(n % 64),
					 .interrupt = n / 64 % 2 };

		check_target(h, (enum pmu_mode)(n / 128 % PMU_N_MODES), &trap,
			     n / 128 / PMU_N_MODES);
	}
	pmu_hart_free(h);
}

TEST(firmware_hands_a_guests_exception_on_by_hedeleg)
{
	static const struct {
		enum pmu_mode from;
		uint64_t hedeleg;
		enum pmu_mode to;
	} rows[] = {
		{ S, 4, S },  { U, 4, S },   { VS, 0, S },
		{ VU, 0, S }, { VS, 4, VS }, { VU, 4, VS },
	};
	struct pmu_hart *h = hyp_hart(64);
	struct pmu_trap trap = { .cause = PMU_CAUSE_ILLEGAL };

	shows(RULE("hedeleg_op"));
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		h->mode = rows[i].from;
		h->hedeleg = rows[i].hedeleg;
		pmu_trap_redirect(h, &trap);
		ck_assert_msg(h->mode == rows[i].to, "row %u", i);
	}
	ck_assert_uint_eq(pmu_hart_cycles(h), 0);
	pmu_hart_free(h);
}

/* What entering a trap may write, each at its place. */
static const struct field {
	const char *name;
	size_t at;
} fields[] = {
#define FIELD(f)                                                               \
	{                                                                      \
#f, offsetof(struct pmu_hart, f)                               \
	}
	FIELD(mstatus), FIELD(mepc),	FIELD(mcause), FIELD(mtval),
	FIELD(mtval2),	FIELD(mtinst),	FIELD(sepc),   FIELD(scause),
	FIELD(stval),	FIELD(htval),	FIELD(htinst), FIELD(hstatus),
	FIELD(vsepc),	FIELD(vscause), FIELD(vstval), FIELD(vsstatus),
#undef FIELD
};

static uint64_t field_of(const struct pmu_hart *h, size_t at)
{
	uint64_t value;

	memcpy(&value, (const char *)h + at, sizeof(value));
	return value;
}

static void compare(const struct pmu_hart *got, const struct pmu_hart *want,
		    const char *why)
{
	for (unsigned i = 0; i < ARRAY_SIZE(fields); i++)
		ck_assert_msg(field_of(got, fields[i].at) ==
				      field_of(want, fields[i].at),
			      "%s: %s is %#llx, not %#llx", why, fields[i].name,
			      (unsigned long long)field_of(got, fields[i].at),
			      (unsigned long long)field_of(want, fields[i].at));
	ck_assert_msg(got->mode == want->mode, "%s", why);
}

static void set_bit(uint64_t *word, unsigned bit, bool value)
{
	*word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)value << bit;
}

/* xPIE = xIE, xIE = 0 at the bits of S-mode; SPP. */
static void model_push(uint64_t *status, bool spp)
{
	set_bit(status, 5, *status >> 1 & 1);
	set_bit(status, 1, 0);
	set_bit(status, 8, spp);
}

/* H_trap_m_csrwrites, H_trap_hs_csrwrites, H_trap_vs_csrwrites */
static void model_enter(struct pmu_hart *h, const struct pmu_trap *t,
			enum pmu_mode to)
{
	bool guest = h->mode == VS || h->mode == VU;
	bool nominal_s = h->mode == S || h->mode == VS;

	if (to == M) {
		h->mepc = t->pc;
		h->mcause = t->cause;
		h->mtval = t->tval;
		h->mtval2 = t->tval2;
		h->mtinst = t->tinst;
		set_bit(&h->mstatus, 7, h->mstatus >> 3 & 1);
		set_bit(&h->mstatus, 3, 0);
		set_bit(&h->mstatus, 11, nominal_s || h->mode == M);
		set_bit(&h->mstatus, 12, h->mode == M);
		set_bit(&h->mstatus, 39, guest);
		set_bit(&h->mstatus, 38, t->gva);
	} else if (to == S) {
		h->sepc = t->pc;
		h->scause = t->cause;
		h->stval = t->tval;
		h->htval = t->tval2;
		h->htinst = t->tinst;
		model_push(&h->mstatus, nominal_s);
		set_bit(&h->hstatus, 7, guest);
		if (guest)
			set_bit(&h->hstatus, 8, nominal_s);
		set_bit(&h->hstatus, 6, t->gva);
	} else {
		h->vsepc = t->pc;
		h->vscause = t->cause;
		h->vstval = t->tval;
		model_push(&h->vsstatus, nominal_s);
	}
	h->mode = to;
}

static const struct {
	enum pmu_mode from, to;
} ways[] = {
	{ M, M }, { S, M },  { U, M },	{ VS, M },  { VU, M },	{ S, S },
	{ U, S }, { VS, S }, { VU, S }, { VS, VS }, { VU, VS },
};

/* Every value of the fields that entry reads or keeps. */
static void scatter(struct pmu_hart *h, unsigned n)
{
	static const uint8_t mstatus[] = { 1, 3, 5, 7, 8, 38, 39 };
	static const uint8_t hstatus[] = { 6, 7, 8 };

	h->mstatus = MSTATUS_FS | MSTATUS_SUM;
	h->hstatus = HSTATUS_HU;
	h->vsstatus = MSTATUS_FS;
	for (unsigned i = 0; i < sizeof(mstatus); i++)
		set_bit(&h->mstatus, mstatus[i], n >> i & 1);
	for (unsigned i = 0; i < sizeof(hstatus); i++)
		set_bit(&h->hstatus, hstatus[i], n >> (7 + i) & 1);
	set_bit(&h->vsstatus, 1, n & 1);
	set_bit(&h->vsstatus, 5, n >> 8 & 1);
	set_bit(&h->vsstatus, 8, n >> 9 & 1);
}

TEST_ROWS(entry_writes_what_belongs_to_its_mode_and_nothing_else, ways)
{
	struct pmu_trap trap = { .cause = PMU_CAUSE_LOAD_PAGE,
				 .pc = 0x1000,
				 .tval = 0x2000,
				 .tval2 = 0x800,
				 .tinst = 0x3000 };
	struct pmu_hart *h = hyp_hart(64), want;

	shows(RULE("H_trap_m_csrwrites H_trap_hs_csrwrites"));
	shows(RULE("H_trap_vs_csrwrites hstatus_spv_op hstatus_spvp_op"));
	shows(RULE("mstatus_mpv_op mstatus_gva_op hstatus_gva_op"));
	h->medeleg = ways[_i].to == M ? 0 : UINT64_MAX;
	h->hedeleg = ways[_i].to == VS ? UINT64_MAX : 0;
	for (unsigned n = 0; n < 1u << 11; n++) {
		h->mode = ways[_i].from;
		trap.gva = n >> 10 & 1;
		scatter(h, n);
		want = *h;
		model_enter(&want, &trap, ways[_i].to);
		pmu_trap_enter(h, &trap);
		compare(h, &want, pmu_mode_name(ways[_i].from));
	}
	pmu_hart_free(h);
}

TEST(a_trap_is_cut_to_the_registers_of_rv32)
{
	struct pmu_trap trap = { .cause = PMU_CAUSE_LOAD_GUEST_PAGE,
				 .pc = UINT64_MAX - 1,
				 .tval = UINT64_MAX,
				 .tval2 = UINT64_MAX,
				 .gva = true };
	struct pmu_hart *h = hyp_hart(32);

	shows(RULE("htval_trapval mtval2_trapval"));
	h->mode = VS;
	pmu_trap_enter(h, &trap);
	ck_assert_uint_eq(h->mtval2, UINT32_MAX);
	ck_assert(h->mstatus >> 38 & 1 && h->mstatus >> 39 & 1);
	h->mode = VU;
	h->medeleg = UINT64_MAX;
	pmu_trap_enter(h, &trap);
	ck_assert(h->htval == UINT32_MAX && h->stval == UINT32_MAX);
	pmu_hart_free(h);
}

TEST(other_traps_clear_the_second_trap_value)
{
	struct pmu_trap ecall = { .cause = PMU_CAUSE_ECALL_VS };
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("htval_trapval mtval2_trapval H_trap_xtinst_interrupt"));
	h->mtval2 = h->mtinst = h->htval = h->htinst = UINT64_MAX;
	h->mode = VS;
	pmu_trap_enter(h, &ecall);
	ck_assert(h->mtval2 == 0 && h->mtinst == 0);
	h->mode = VS;
	h->medeleg = UINT64_MAX;
	pmu_trap_enter(h, &ecall);
	ck_assert(h->htval == 0 && h->htinst == 0);
	pmu_hart_free(h);
}

/* VS-level interrupts have another number for the guest, LCOFI has not. */
static const struct cause_row {
	const char *rule;
	uint8_t irq, vscause;
} cause_rows[] = {
	{ RULE("hideleg_trans"), PMU_IRQ_VSSI, 1 },
	{ RULE("hideleg_trans"), PMU_IRQ_VSTI, 5 },
	{ RULE("hideleg_trans"), PMU_IRQ_VSEI, 9 },
	{ RULE("C175 C176 hideleg_trans"), PMU_IRQ_LCOFI, 13 },
};

TEST_ROWS(a_guest_sees_its_interrupts_by_the_numbers_of_s_mode, cause_rows)
{
	const struct cause_row *row = &cause_rows[_i];
	struct pmu_trap trap = { .interrupt = true,
				 .cause = row->irq,
				 .pc = 0x1000 };

	shows(row->rule);
	for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
		struct pmu_hart *h = hyp_hart(xlen);
		uint64_t top = UINT64_C(1) << (xlen - 1);

		h->mideleg = h->hideleg = UINT64_MAX;
		h->vstvec = 0x4001;
		h->stvec = 0x5001;
		h->mode = VU;
		ck_assert_uint_eq(pmu_trap_enter(h, &trap),
				  0x4000 + 4u * row->vscause);
		ck_assert_uint_eq(h->vscause, top | row->vscause);
		ck_assert(h->vsepc == 0x1000 && h->vstval == 0);
		h->hideleg = 0;
		h->mode = VS;
		ck_assert_uint_eq(pmu_trap_enter(h, &trap),
				  0x5000 + 4u * row->irq);
		ck_assert_uint_eq(h->scause, top | row->irq);
		pmu_hart_free(h);
	}
}

/* A trap is paid and counted in the mode it comes from (C179). */
TEST(a_guests_trap_counts_in_the_guest)
{
	struct pmu_trap trap = { .cause = PMU_CAUSE_ECALL_VS };
	struct pmu_hart *h = hyp_hart(64);

	shows(RULE("C179 C126 C176"));
	h->mode = VS;
	pmu_trap_enter(h, &trap);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_EXCEPTIONS, VS), 1);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_CYCLES, VS), 7);
	ck_assert_uint_eq(pmu_hart_cycles(h), 7);
	ck_assert_uint_eq(pmu_hart_insns(h), 0);
	pmu_hart_free(h);
}

SUITE("trap-hyp");
