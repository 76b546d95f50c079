/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making a hart: which configurations are refused, what is there after reset,
 * what a failed allocation leaves.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pmu/error.h>
#include <pmu/rule.h>
#include <pmu/trap.h>

#include "../../guests/common/csr-short.h"
#include "counter-state.h"
#include "unit.h"

static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };

/* The linker sends calloc() of the library here. */
void *__wrap_calloc(size_t n, size_t size);
void *__real_calloc(size_t n, size_t size);

static unsigned allocations_left = UINT32_MAX;

void *__wrap_calloc(size_t n, size_t size)
{
	if (!allocations_left)
		return NULL;
	allocations_left--;
	return __real_calloc(n, size);
}

/* One field of the default configuration of @xlen, set to @value. */
static const struct field_row {
	const char *why;
	unsigned xlen;
	uint64_t value;
	size_t offset, size;
	int want;
} field_rows[] = {
#define FIELD(f)                                                               \
	offsetof(struct pmu_hart_config, f),                                   \
		sizeof(((struct pmu_hart_config *)0)->f)
	{ "xlen 0", 64, 0, FIELD(xlen), -PMU_EINVAL },
	{ "xlen 128", 64, 128, FIELD(xlen), -PMU_EINVAL },
	{ "sv: Bare alone", 64, 0, FIELD(sv_modes), 0 },
	{ "sv: Sv32 on RV64", 64, PMU_SV32, FIELD(sv_modes), -PMU_EINVAL },
	{ "sv: Sv39 on RV32", 32, PMU_SV39, FIELD(sv_modes), -PMU_EINVAL },
	{ "sv: Sv39 alone", 64, PMU_SV39, FIELD(sv_modes), 0 },
	{ "sv: Sv48 without Sv39", 64, PMU_SV48, FIELD(sv_modes), -PMU_EINVAL },
	{ "sv: Sv57 without Sv48", 64, PMU_SV39 | PMU_SV57, FIELD(sv_modes),
	  -PMU_EINVAL },
	{ "sv: unknown scheme", 64, 0x10, FIELD(sv_modes), -PMU_EINVAL },
	{ "asid: 16 bits", 64, 16, FIELD(asid_bits), 0 },
	{ "asid: 17 bits", 64, 17, FIELD(asid_bits), -PMU_EINVAL },
	{ "asid: 10 bits on RV32", 32, 10, FIELD(asid_bits), -PMU_EINVAL },
	{ "ext: unknown bit", 64, UINT32_C(1) << 31, FIELD(ext), -PMU_EINVAL },
	{ "ext: S without U", 64, PMU_EXT_S | PMU_EXT_ZIHPM, FIELD(ext),
	  -PMU_EINVAL },
	{ "ext: D without F", 64,
	  PMU_EXT_D | PMU_EXT_S | PMU_EXT_U | PMU_EXT_ZIHPM, FIELD(ext),
	  -PMU_EINVAL },
	{ "ext: Sstc without Zicntr", 64,
	  PMU_EXT_SSTC | PMU_EXT_S | PMU_EXT_U | PMU_EXT_ZIHPM, FIELD(ext),
	  -PMU_EINVAL },
	{ "ext: no Zihpm, but counters", 64, PMU_EXT_S | PMU_EXT_U, FIELD(ext),
	  -PMU_EINVAL },
	{ "ext: no S, but page tables", 64, PMU_EXT_U | PMU_EXT_ZIHPM,
	  FIELD(ext), -PMU_EINVAL },
	{ "ext: S, U, Zihpm", 64, PMU_EXT_S | PMU_EXT_U | PMU_EXT_ZIHPM,
	  FIELD(ext), 0 },
	{ "counters: cycle is not one of them", 64, 1, FIELD(hpm_mask),
	  -PMU_EINVAL },
	{ "counters: time is not one of them", 64, 2, FIELD(hpm_mask),
	  -PMU_EINVAL },
	{ "counters: none", 64, 0, FIELD(hpm_mask), 0 },
	{ "width 0", 64, 0, FIELD(hpm_width[3]), -PMU_EINVAL },
	{ "width 1", 64, 1, FIELD(hpm_width[31]), 0 },
	{ "width 65", 64, 65, FIELD(hpm_width[31]), -PMU_EINVAL },
	{ "width of a counter that does not exist", 64, 99, FIELD(hpm_width[2]),
	  0 },
	{ "unknown event", 64, UINT64_C(1) << PMU_N_EVENTS,
	  FIELD(hpm_events[3]), -PMU_EINVAL },
	{ "no event", 64, 0, FIELD(hpm_events[3]), 0 },
	{ "mvendorid has 32 bits", 64, UINT64_C(1) << 32, FIELD(mvendorid),
	  -PMU_EINVAL },
	{ "mvendorid: all 32", 64, UINT32_MAX, FIELD(mvendorid), 0 },
	{ "marchid has XLEN bits", 32, UINT64_C(1) << 32, FIELD(marchid),
	  -PMU_EINVAL },
	{ "marchid: all 32", 32, UINT32_MAX, FIELD(marchid), 0 },
	{ "mimpid: all 32", 32, UINT32_MAX, FIELD(mimpid), 0 },
	{ "mimpid: all 64", 64, UINT64_MAX, FIELD(mimpid), 0 },
	{ "marchid has XLEN bits", 64, UINT64_C(1) << 32, FIELD(marchid), 0 },
	{ "mimpid has XLEN bits", 32, UINT64_C(1) << 32, FIELD(mimpid),
	  -PMU_EINVAL },
	{ "pmp: one entry", 64, 1, FIELD(pmp_entries), -PMU_EINVAL },
	{ "pmp: 15 entries", 64, 15, FIELD(pmp_entries), -PMU_EINVAL },
	{ "pmp: 16 entries", 64, 16, FIELD(pmp_entries), 0 },
	{ "pmp: 64 entries", 64, 64, FIELD(pmp_entries), 0 },
	{ "pmp: 63 entries", 64, 63, FIELD(pmp_entries), -PMU_EINVAL },
	{ "width 64", 64, 64, FIELD(hpm_width[31]), 0 },
	{ "the last event", 64, UINT64_C(1) << (PMU_N_EVENTS - 1),
	  FIELD(hpm_events[31]), 0 },
	{ "cpi 0", 64, 0, FIELD(cpi), -PMU_EINVAL },
	{ "trap_cycles 0", 64, 0, FIELD(trap_cycles), -PMU_EINVAL },
#undef FIELD
};

TEST_ROWS(a_configuration_is_checked, field_rows)
{
	const struct field_row *row = &field_rows[_i];
	struct pmu_hart *const untouched = (struct pmu_hart *)&tb;
	struct pmu_hart *h = untouched;
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, row->xlen);
	memcpy((char *)&cfg + row->offset, &row->value, row->size);
	ck_assert_msg(pmu_hart_new(&h, &cfg, &tb) == row->want, "%s", row->why);
	if (row->want)
		ck_assert_ptr_eq(h, untouched);
	else
		pmu_hart_free(h);
}

/* What the hypervisor extension asks of the rest. */
static const struct hyp_row {
	const char *why, *rule;
	unsigned xlen;
	uint32_t add, del;
	unsigned sv_modes, guest_irqs;
	int want;
} hyp_rows[] = {
#define HYP (PMU_EXT_H | PMU_EXT_SHCOUNTERENW)
	{ "H with Sv39", RULE("H_vm_supported"), 64, HYP, 0, PMU_SV39, 0, 0 },
	{ "H without page tables", RULE("H_vm_supported"), 64, HYP, 0, 0, 0,
	  -PMU_EINVAL },
	{ "H on RV32 without Sv32", RULE("H_vm_supported"), 32, HYP, 0, 0, 0,
	  -PMU_EINVAL },
	{ "H without S", RULE("H_csrs_hs_not_vs"), 64, HYP, PMU_EXT_S, 0, 0,
	  -PMU_EINVAL },
	{ "Shlcofideleg without H", RULE("C175"), 64, PMU_EXT_SHLCOFIDELEG, 0,
	  PMU_SV39, 0, -PMU_EINVAL },
	{ "Shlcofideleg without Sscofpmf", RULE("C175"), 64,
	  HYP | PMU_EXT_SHLCOFIDELEG, PMU_EXT_SSCOFPMF, PMU_SV39, 0,
	  -PMU_EINVAL },
	{ "guest interrupts without guests", RULE("geilen"), 64, 0, 0, PMU_SV39,
	  1, -PMU_EINVAL },
	{ "63 guest interrupts", RULE("geilen"), 64, HYP, 0, PMU_SV39, 63, 0 },
	{ "64 guest interrupts", RULE("geilen"), 64, HYP, 0, PMU_SV39, 64,
	  -PMU_EINVAL },
	{ "31 guest interrupts on RV32", RULE("geilen"), 32, HYP, 0, PMU_SV32,
	  31, 0 },
	{ "32 guest interrupts on RV32", RULE("geilen"), 32, HYP, 0, PMU_SV32,
	  32, -PMU_EINVAL },
#undef HYP
};

TEST_ROWS(a_configuration_with_guests_is_checked, hyp_rows)
{
	const struct hyp_row *row = &hyp_rows[_i];
	struct pmu_hart_config cfg;
	struct pmu_hart *h = NULL;

	shows(row->rule);
	pmu_hart_config_init(&cfg, row->xlen);
	cfg.ext = (cfg.ext | row->add) & ~row->del;
	cfg.sv_modes = (uint8_t)row->sv_modes;
	cfg.guest_irqs = (uint8_t)row->guest_irqs;
	ck_assert_msg(pmu_hart_new(&h, &cfg, &tb) == row->want, "%s", row->why);
	pmu_hart_free(h);
}

/* No rule gives these registers a value at reset: ours is that of the first. */
TEST(reset_clears_what_a_hypervisor_left)
{
	static const uint16_t nums[] = {
		0x200, 0x204, 0x205, 0x240, 0x241, 0x242, 0x243, 0x24d,
		0x280, 0x34a, 0x34b, 0x600, 0x602, 0x603, 0x604, 0x605,
		0x606, 0x607, 0x60a, 0x643, 0x645, 0x64a, 0x680, 0x303,
	};
	uint64_t before[ARRAY_SIZE(nums)], value;
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	unsigned fx = 0;

	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW | PMU_EXT_SSTC;
	cfg.guest_irqs = 5;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(nums); i++)
		ck_assert_int_eq(pmu_csr_peek(h, nums[i], 0, &before[i]), 0);
	pmu_csr_poke(h, 0x30a, 0, UINT64_MAX, &fx); /* menvcfg */
	for (unsigned i = 0; i < ARRAY_SIZE(nums); i++)
		pmu_csr_poke(h, nums[i], 0, UINT64_MAX >> 4 << 4, &fx);
	pmu_hart_set_mode(h, PMU_MODE_VU);
	pmu_hart_reset(h);
	for (unsigned i = 0; i < ARRAY_SIZE(nums); i++) {
		ck_assert_int_eq(pmu_csr_peek(h, nums[i], 0, &value), 0);
		ck_assert_msg(value == before[i], "%#x", nums[i]);
	}
	ck_assert_uint_eq(pmu_hart_mode(h), PMU_MODE_M);
	pmu_hart_free(h);
}

TEST_TIMES(a_time_base_is_checked, 3)
{
	static const struct pmu_timebase bad[] = { { 0, 0, 0 },
						   { 10, 0, 0 },
						   { 10, 11, 0 } };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &bad[_i]), -PMU_EINVAL);
}

TEST(a_failed_allocation_is_reported)
{
	struct pmu_hart *h = NULL;
	struct pmu_hart_config cfg;
	unsigned fails;
	int err;

	pmu_hart_config_init(&cfg, 64);
	for (fails = 0;; fails++) {
		allocations_left = fails;
		err = pmu_hart_new(&h, &cfg, &tb);
		if (!err)
			break;
		ck_assert_int_eq(err, -PMU_ENOMEM);
		ck_assert_ptr_null(h);
	}
	allocations_left = UINT32_MAX;
	ck_assert_uint_eq(fails, 1);
	pmu_hart_free(h);
	pmu_hart_free(NULL);
}

/* Loops over XLEN: @_i 0 is RV32, 1 RV64. */
TEST_TIMES(reset_gives_every_csr_its_first_value, 2)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *fresh, *used;
	uint64_t a, b;
	unsigned effects = 0;

	pmu_hart_config_init(&cfg, _i ? 64 : 32);
	cfg.ext |= PMU_EXT_SSTC | PMU_EXT_SVADU;
	ck_assert_int_eq(pmu_hart_new(&fresh, &cfg, &tb), 0);
	ck_assert_int_eq(pmu_hart_new(&used, &cfg, &tb), 0);
	for (unsigned num = 0; num < 4096; num++)
		(void)pmu_csr_poke(used, (uint16_t)num, 0, UINT64_MAX,
				   &effects);
	pmu_hart_set_mode(used, PMU_MODE_U);
	counter_count(used, PMU_EV_INSNS, 5);
	pmu_hart_reset(used);
	ck_assert_int_eq(pmu_hart_mode(used), PMU_MODE_M);
	for (unsigned num = 0; num < 4096; num++) {
		if (pmu_csr_peek(fresh, (uint16_t)num, 0, &a))
			continue;
		ck_assert_int_eq(pmu_csr_peek(used, (uint16_t)num, 0, &b), 0);
		ck_assert_msg(a == b, "CSR %#x", num);
	}
	pmu_hart_free(fresh);
	pmu_hart_free(used);
}

TEST(reset_keeps_totals_and_lines)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	uint64_t mip;

	pmu_hart_config_init(&cfg, 64);
	cfg.cpi = 2;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	pmu_irq_set(h, PMU_IRQ_MTI, true);
	counter_retire(h);
	pmu_hart_set_mode(h, PMU_MODE_S);
	counter_retire(h);
	pmu_hart_idle(h, 7);
	pmu_trap_account(h, &(struct pmu_trap){ .cause = 2 });
	pmu_trap_account(h,
			 &(struct pmu_trap){ .cause = 5, .interrupt = true });
	pmu_hart_reset(h);
	ck_assert_uint_eq(pmu_hart_insns(h), 2);
	ck_assert_uint_eq(pmu_hart_cycles(h), 13);
	ck_assert_uint_eq(pmu_hart_traps(h), 2);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_INSNS, PMU_MODE_M), 1);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_CYCLES, PMU_MODE_S), 11);
	ck_assert_int_eq(pmu_csr_peek(h, MIP, 0, &mip), 0);
	ck_assert_uint_eq(mip, 0x80);
	ck_assert_uint_eq(pmu_hart_config(h)->cpi, 2);
	pmu_hart_free(h);
}

/* What a hart is made of, a field at a time, other than the giver's. */
static const struct other_row {
	const char *field;
	size_t offset;
	uint8_t by; /* its first byte changes by that */
} other_rows[] = {
#define OTHER(f, by)                                                           \
	{                                                                      \
#f, offsetof(struct pmu_hart_config, f), by                    \
	}
	OTHER(hartid, 1),
	OTHER(sv_modes, PMU_SV57),
	OTHER(asid_bits, 1),
	OTHER(ext, PMU_EXT_M),
	OTHER(hpm_mask, 8),
	OTHER(hpm_width[3], 1),
	OTHER(hpm_width[31], 127),
	OTHER(hpm_events[3], 1),
	OTHER(hpm_events[31], 1),
	OTHER(mvendorid, 1),
	OTHER(marchid, 1),
	OTHER(mimpid, 1),
	OTHER(guest_irqs, 1),
	OTHER(pmp_entries, 16),
	OTHER(cpi, 2),
	OTHER(trap_cycles, 2),
#undef OTHER
};

static void other_config(struct pmu_hart_config *cfg)
{
	pmu_hart_config_init(cfg, 64);
	cfg->ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW;
	cfg->hpm_mask = 0x80000010;
	cfg->asid_bits = 8;
}

TEST_ROWS(a_hart_takes_the_state_of_its_like_alone, other_rows)
{
	const struct other_row *row = &other_rows[_i];
	const size_t size = pmu_hart_state_size();
	struct pmu_hart *from, *same, *other;
	struct pmu_hart_config cfg;
	char *state = malloc(size);

	other_config(&cfg);
	ck_assert_int_eq(pmu_hart_new(&from, &cfg, &tb), 0);
	ck_assert_int_eq(pmu_hart_new(&same, &cfg, &tb), 0);
	*((uint8_t *)&cfg + row->offset) ^= row->by;
	ck_assert_int_eq(pmu_hart_new(&other, &cfg, &tb), 0);
	pmu_hart_set_mode(from, PMU_MODE_VU);
	pmu_counter_set(from, 4, 77);
	counter_count(from, PMU_EV_INSNS, 5);
	pmu_hart_give(from, state);
	ck_assert_msg(pmu_hart_take(other, state) == -PMU_EINVAL, "%s",
		      row->field);
	ck_assert_uint_eq(pmu_hart_mode(other), PMU_MODE_M);
	ck_assert_uint_eq(pmu_counter_get(other, 4), 0);
	ck_assert_int_eq(pmu_hart_take(same, state), 0);
	ck_assert_uint_eq(pmu_hart_mode(same), PMU_MODE_VU);
	ck_assert_uint_eq(pmu_counter_get(same, 4), 77);
	ck_assert_uint_eq(pmu_hart_total(same, PMU_EV_INSNS, PMU_MODE_VU), 5);
	free(state);
	pmu_hart_free(from);
	pmu_hart_free(same);
	pmu_hart_free(other);
}

TEST(nor_that_of_the_other_xlen)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *narrow, *wide;
	char *state = malloc(pmu_hart_state_size());

	pmu_hart_config_init(&cfg, 32);
	cfg.sv_modes = 0;
	ck_assert_int_eq(pmu_hart_new(&narrow, &cfg, &tb), 0);
	cfg.xlen = 64;
	ck_assert_int_eq(pmu_hart_new(&wide, &cfg, &tb), 0);
	pmu_hart_give(wide, state);
	ck_assert_int_eq(pmu_hart_take(narrow, state), -PMU_EINVAL);
	free(state);
	pmu_hart_free(narrow);
	pmu_hart_free(wide);
}

/* An overflow that nobody has taken yet is no state of the hart. */
TEST(reset_loses_no_overflow_record)
{
	struct pmu_overflow ovf[PMU_N_COUNTERS];
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	pmu_counter_set_event(h, 3, 2);
	pmu_counter_set(h, 3, UINT64_MAX);
	counter_retire(h);
	pmu_hart_reset(h);
	ck_assert_uint_eq(pmu_counter_event(h, 3), 0);
	ck_assert(!pmu_counter_overflowed(h, 3));
	ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 1);
	pmu_hart_free(h);
}

SUITE("hart");
