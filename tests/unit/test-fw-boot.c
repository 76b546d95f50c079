/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state in which S-mode finds a hart (C121).
 */
#include "../../guests/common/csr-short.h"
#include "fw-fixture.h"

static const struct boot_row {
	const char *rule, *why;
	uint16_t csr;
	uint64_t spec, opensbi; /* RV64 */
} boot_rows[] = {
	{ RULE("C121"), "mcountinhibit", 0x320, 0xfffffff8, 0xfffffff8 },
	{ RULE("C121"), "mcounteren", 0x306, 0xffffffff, 0xffffffff },
	{ RULE("C121"), "scounteren: time", 0x106, 2, 2 },
	{ RULE("C121"), "mhpmevent3", 0x323, PMU_EVENT_MINH,
	  PMU_EVENT_OF | PMU_EVENT_MINH },
	{ RULE("C121"), "mhpmevent31", 0x33f, PMU_EVENT_MINH,
	  PMU_EVENT_OF | PMU_EVENT_MINH },
	{ RULE("C121"), "scountovf", 0xda0, 0, 0xfffffff8 },
	{ RULE("C125"), "mcyclecfg", 0x321, 0, 0 },
	{ RULE("C121"), "medeleg (with C no fetch is misaligned)", 0x302,
	  0xb108, 0xb108 },
	{ RULE("C121"), "mideleg", 0x303, 0x2222, 0x2222 },
	{ RULE("C121"), "mie", 0x304, 0, 0 },
	{ RULE("C121"), "mip", 0x344, 0, 0 },
	{ RULE("C121"), "satp", 0x180, 0, 0 },
	{ RULE("C121"), "mcycle", 0xb00, 0, 0 },
};

static const struct opts plain = { 0 };

/* A hart that somebody has used before. */
static void spoil(struct bench *b)
{
	static const uint16_t csrs[] = { 0x306, 0x106, 0x320, 0x323, 0x321,
					 0x302, 0x303, 0x304, 0x344 };

	for (unsigned i = 0; i < ARRAY_SIZE(csrs); i++)
		bench_poke(b, 0, csrs[i], ~bench_csr(b, 0, csrs[i]));
}

TEST_TIMES(csrs_are_as_the_reference_leaves_them, 2 * ARRAY_SIZE(boot_rows))
{
	const struct boot_row *row = &boot_rows[_i / 2];
	struct opts o = plain;
	struct bench b;

	shows(row->rule);
	o.profile = _i & 1;
	bench_init(&b, &o);
	spoil(&b);
	pmu_hart_reset(b.harts[0]);
	spoil(&b);
	fw_hart_boot(b.fw, 0);
	ck_assert_msg(bench_csr(&b, 0, row->csr) ==
			      (_i & 1 ? row->opensbi : row->spec),
		      "%s: 0x%llx", row->why,
		      (unsigned long long)bench_csr(&b, 0, row->csr));
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), PMU_MODE_S);
	bench_fini(&b);
}

static const struct boot_row hyp_rows[] = {
	{ RULE("C121"), "medeleg: calls and faults of guests are HS's", 0x302,
	  0xf0b508, 0xf0b508 },
	{ RULE("C121"), "mideleg: of the guest's for good", 0x303, 0x2666,
	  0x2666 },
	{ RULE("C121"), "hedeleg", 0x602, 0, 0 },
	{ RULE("C121"), "hideleg", 0x603, 0, 0 },
	{ RULE("C121"), "htimedelta", 0x605, 0, 0 },
	{ RULE("C121"), "hcounteren", 0x606, 0, 0 },
	{ RULE("C121"), "hvip", 0x645, 0, 0 },
	{ RULE("C121"), "hgatp", 0x680, 0, 0 },
	{ RULE("C121"), "vsatp", 0x280, 0, 0 },
};

TEST_TIMES(a_hypervisor_starts_without_guest, 2 * ARRAY_SIZE(hyp_rows))
{
	const struct boot_row *row = &hyp_rows[_i / 2];
	struct opts o = { .profile = _i & 1, .with = PMU_EXT_H };
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	bench_poke(&b, 0, row->csr, ~bench_csr(&b, 0, row->csr));
	fw_hart_boot(b.fw, 0);
	ck_assert_msg(bench_csr(&b, 0, row->csr) ==
			      (_i & 1 ? row->opensbi : row->spec),
		      "%s: 0x%llx", row->why,
		      (unsigned long long)bench_csr(&b, 0, row->csr));
	bench_fini(&b);
}

/* Registers that firmware writes, left otherwise by whoever was there before.
 */
static const struct left_row {
	const char *why;
	uint16_t csr;
	uint64_t with, without, left, value;
} left_rows[] = {
	{ "stvec", STVEC, 0, 0, 0x1000, 0 },
	{ "sscratch", SSCRATCH, 0, 0, 5, 0 },
	{ "satp", SATP, 0, 0, UINT64_C(8) << 60 | 2, 0 },
	{ "scounteren: time", SCOUNTEREN, 0, 0, 0, 2 },
	{ "mcounteren: all", MCOUNTEREN, 0, 0, 0, 0xffffffff },
	{ "medeleg: misaligned fetches", MEDELEG, 0, PMU_EXT_C, 0, 0xb109 },
	{ "stimecmp: never", STIMECMP, PMU_EXT_SSTC, 0, 5, UINT64_MAX },
	{ "mvien", MVIEN, PMU_EXT_SMAIA | PMU_EXT_SSAIA, 0, 0x200, 0 },
	{ "hstatus", HSTATUS, PMU_EXT_H, 0, 0x80, UINT64_C(2) << 32 },
	{ "hedeleg without C", HEDELEG, PMU_EXT_H, PMU_EXT_C, 1, 0 },
	{ "htimedelta", HTIMEDELTA, PMU_EXT_H, 0, 4, 0 },
	{ "hcounteren", HCOUNTEREN, PMU_EXT_H, 0, 4, 0 },
	{ "henvcfg", HENVCFG, PMU_EXT_H, 0, 1, 0 },
	{ "hgatp", HGATP, PMU_EXT_H, 0, UINT64_C(8) << 60 | 4, 0 },
	{ "vsatp", VSATP, PMU_EXT_H, 0, UINT64_C(8) << 60 | 2, 0 },
	{ "hstateen0", HSTATEEN0,
	  PMU_EXT_H | PMU_EXT_SMSTATEEN | PMU_EXT_XPMUEBB, 0, 1, 0 },
};

TEST_ROWS(what_was_left_is_gone, left_rows)
{
	const struct left_row *row = &left_rows[_i];
	struct opts o = { .with = row->with, .without = row->without };
	struct bench b;

	shows(RULE("C121"));
	bench_init(&b, &o);
	bench_poke(&b, 0, row->csr, row->left);
	ck_assert_msg(bench_csr(&b, 0, row->csr) != row->value, "%s: 0x%llx",
		      row->why, (unsigned long long)bench_csr(&b, 0, row->csr));
	fw_hart_boot(b.fw, 0);
	ck_assert_msg(bench_csr(&b, 0, row->csr) == row->value, "%s: 0x%llx",
		      row->why, (unsigned long long)bench_csr(&b, 0, row->csr));
	bench_fini(&b);
}

TEST(a_hart_that_is_not_there_is_not_booted)
{
	struct opts o = { .n_harts = 2 };
	struct bench b;

	bench_init(&b, &o);
	bench_poke(&b, 1, 0x140, 5);
	fw_hart_boot(b.fw, 2);
	fw_hart_boot(b.fw, UINT32_MAX);
	ck_assert_uint_eq(bench_csr(&b, 1, 0x140), 5);
	fw_hart_boot(b.fw, 1);
	ck_assert_uint_eq(bench_csr(&b, 1, 0x140), 0);
	bench_fini(&b);
}

#define CSRIND	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND)
#define DELEG	(PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG | CSRIND)
#define AIA	(PMU_EXT_SMAIA | PMU_EXT_SSAIA)
#define STATEEN PMU_EXT_SMSTATEEN
#define BIT(n)	(UINT64_C(1) << (n))

/* Registers of 64 bits, which on RV32 are two. */
static const struct wide_row {
	const char *rule, *why;
	uint16_t csr;
	uint64_t with;
	unsigned xlen;
	uint64_t value;
} wide_rows[] = {
	{ RULE("C121"), "nothing to enable", MENVCFG, 0, 64, 0 },
	{ RULE("C121"), "Sstc", MENVCFG, PMU_EXT_SSTC, 64, BIT(63) },
	{ RULE("C121"), "Svadu", MENVCFG, PMU_EXT_SVADU, 64, BIT(61) },
	{ RULE("C121"), "Svadu with Svade", MENVCFG,
	  PMU_EXT_SVADU | PMU_EXT_SVADE, 64, 0 },
	{ RULE("C121"), "Sstc, RV32", MENVCFG, PMU_EXT_SSTC, 32, BIT(63) },
	{ RULE("C121"), "Smcdeleg", MENVCFG, DELEG, 64, BIT(60) },
	{ RULE("C121"), "Smcdeleg, RV32", MENVCFG, DELEG, 32, BIT(60) },
	{ RULE("C121 C171"), "no indirect CSRs", MSTATEEN0, STATEEN, 64,
	  BIT(63) | BIT(62) },
	{ RULE("C121 C171"), "Smcsrind", MSTATEEN0, STATEEN | CSRIND, 64,
	  BIT(63) | BIT(62) | BIT(60) },
	{ RULE("C121 C171"), "Smcsrind, RV32", MSTATEEN0, STATEEN | CSRIND, 32,
	  BIT(63) | BIT(62) | BIT(60) },
	{ RULE("C121"), "Smaia has them, too", MSTATEEN0, STATEEN | AIA, 64,
	  BIT(63) | BIT(62) | BIT(60) | BIT(59) },
	{ RULE("C121"), "Smaia, RV32", MSTATEEN0, STATEEN | AIA, 32,
	  BIT(63) | BIT(62) | BIT(60) | BIT(59) },
	{ RULE("C121"), "hstateen0 waits for HS", HSTATEEN0,
	  STATEEN | CSRIND | PMU_EXT_H, 64, 0 },
	{ RULE("C121"), "hstateen0, RV32", HSTATEEN0,
	  STATEEN | CSRIND | PMU_EXT_H, 32, 0 },
};

TEST_TIMES(enables_follow_the_extensions, 2 * ARRAY_SIZE(wide_rows))
{
	const struct wide_row *row = &wide_rows[_i / 2];
	struct opts o = { .profile = _i & 1,
			  .with = row->with,
			  .xlen = row->xlen };
	struct bench b;
	uint64_t value;

	shows(row->rule);
	bench_init(&b, &o);
	value = bench_csr(&b, 0, row->csr);
	if (row->xlen == 32)
		value |= bench_csr(&b, 0, row->csr + 0x10) << 32;
	ck_assert_msg(value == row->value, "%s: 0x%llx", row->why,
		      (unsigned long long)value);
	/* No timer is due that nobody set. */
	ck_assert_uint_eq(pmu_irq_pending(b.harts[0], 1000000), 0);
	bench_fini(&b);
}

/* pmpcfg0 and pmpaddr0, as the reference leaves its region of all memory. */
static const struct pmp_row {
	const char *why;
	unsigned xlen;
	uint8_t entries;
	uint64_t cfg, addr;
} pmp_rows[] = {
	{ "16 entries", 64, 16, 0x1f, UINT64_MAX >> 10 },
	{ "16 entries, RV32", 32, 16, 0x1f, UINT32_MAX },
	{ "64 entries", 64, 64, 0x1f, UINT64_MAX >> 10 },
	{ "none", 64, 0, 0, 0 },
};

TEST_ROWS(all_memory_is_open_to_s_and_u, pmp_rows)
{
	const struct pmp_row *row = &pmp_rows[_i];
	struct opts o = { .xlen = row->xlen, .pmp_entries = row->entries };
	struct bench b;

	shows(RULE("C121"));
	bench_init(&b, &o);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x3a0), row->cfg);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x3b0), row->addr);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x3b1), 0);
	bench_fini(&b);
}

TEST_TIMES(floating_point_is_on, 2)
{
	struct opts o = { .without = _i ? PMU_EXT_F | PMU_EXT_D : 0 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x300) >> 13 & 3, _i ? 0 : 3);
	bench_fini(&b);
}

TEST_TIMES(without_sscofpmf_no_event_has_filters, 2)
{
	struct opts o = { .profile = _i, .without = PMU_EXT_SSCOFPMF };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x323), 0);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x303), 0x222);
	bench_fini(&b);
}

/* mcountinhibit shows it: cycle and instret run, nothing else counts. */
TEST_TIMES(cycle_and_instret_run, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	struct bench b;

	bench_init(&b, &o);
	bench_run(&b, 0, 7);
	for (unsigned n = 0; n < 32; n++)
		ck_assert_uint_eq(bench_value(&b, n == 1 ? 3 : n),
				  n == 0 || n == 2 ? 7 : 0);
	bench_fini(&b);
}

SUITE("fw-boot");
