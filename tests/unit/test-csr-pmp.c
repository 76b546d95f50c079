/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of physical memory protection: which there are, what they
 * hold, what they show and what locks them.
 */
#include <pmu/csr.h>
#include <pmu/error.h>

#include "hart-script.h"
#include "unit.h"

#define ONES   UINT64_MAX
#define ONES32 UINT64_C(0xffffffff)
#define ADDR54 (ONES >> 10)
#define R      0x01u
#define W      0x02u
#define X      0x04u
#define TOR    0x08u
#define NA4    0x10u
#define NAPOT  0x18u
#define L      0x80u
#define NO_U   (PMU_EXT_U | PMU_EXT_S)

static const struct script rows[] = {
	/* which there are */
	{ "no entries: zero, writes ignored", RULE("pmp_entry_count"), 0, 0, 0,
	  .steps = { POKE(PMPCFG0, ONES), EFFECTS(0), PEEK(PMPCFG0, 0),
		     POKE(PMPADDR0, ONES), EFFECTS(0), PEEK(PMPADDR0, 0),
		     POKE(PMPADDR63, ONES), PEEK(PMPADDR63, 0) } },
	{ "16 entries are the lowest-numbered", RULE("pmp_entry_count"), 64, 0,
	  0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, ONES), PEEK(PMPCFG0, 0x9f9f9f9f9f9f9f9f),
		     POKE(PMPADDR15, ONES), PEEK(PMPADDR15, ADDR54 & ~1023ull),
		     POKE(PMPCFG2, ONES), PEEK(PMPCFG2, 0x9f9f9f9f9f9f9f9f) } },
	{ "the entries above 16 are read-only zero",
	  RULE("pmp_csrs_warl_access"), 64, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG4, ONES), EFFECTS(0), PEEK(PMPCFG4, 0),
		     POKE(PMPADDR16, ONES), EFFECTS(0), PEEK(PMPADDR16, 0),
		     POKE(PMPCFG14, ONES), PEEK(PMPCFG14, 0) } },
	{ "so on RV32", RULE("pmp_csrs_warl_access"), 32, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPCFG3, ONES32), PEEK(PMPCFG3, 0x9f9f9f9f),
		     POKE(PMPCFG4, ONES32), EFFECTS(0), PEEK(PMPCFG4, 0),
		     POKE(PMPADDR16, ONES32), EFFECTS(0),
		     PEEK(PMPADDR16, 0) } },
	{ "64 entries", RULE("pmp_entry_count"), 64, 0, 0, .pmp_entries = 64,
	  .steps = { POKE(PMPADDR63, ONES), PEEK(PMPADDR63, ADDR54 & ~1023ull),
		     POKE(PMPCFG14, ONES),
		     PEEK(PMPCFG14, 0x9f9f9f9f9f9f9f9f) } },
	{ "an entry: 8 bits and an address", RULE("pmp_entry_structure"), 0, 0,
	  0, .pmp_entries = 16,
	  .steps = { CSRW(PMPCFG0, 0x0b00), EFFECTS(PMU_FX_TLB),
		     CSRW(PMPADDR1, 0x20000000), EFFECTS(PMU_FX_TLB),
		     CSRR(PMPCFG0, 0x0b00), CSRR(PMPADDR0, 0),
		     CSRR(PMPADDR1, 0x20000000) } },
	{ "M-mode alone reaches them", RULE("pmp_csr_mode"), 0, 0, 0,
	  .pmp_entries = 16,
	  .steps = { CSRR(PMPCFG0, 0), CSRR(PMPADDR0, 0), MODE(S),
		     ILLEGAL_R(PMPCFG0), ILLEGAL_R(PMPADDR0),
		     ILLEGAL_W(PMPCFG0), ILLEGAL_W(PMPADDR15), MODE(U),
		     ILLEGAL_R(PMPCFG0), ILLEGAL_W(PMPADDR0) } },
	{ "a guest, too, is told that they are illegal", RULE("pmp_csr_mode"),
	  64, PMU_EXT_H, 0, .pmp_entries = 16,
	  .steps = { MODE(VS), ILLEGAL_R(PMPCFG0), ILLEGAL_W(PMPADDR0),
		     MODE(VU), ILLEGAL_R(PMPCFG0) } },
	{ "a hart of M alone may have them", RULE("pmp_csr_mode"), 0, 0, NO_U,
	  .pmp_entries = 16,
	  .steps = { CSRW(PMPCFG0, R | TOR), CSRR(PMPCFG0, R | TOR) } },

	/* pmpcfg */
	{ "RV32: four entries in each of 16", RULE("pmp_cfg_rv32_layout"), 32,
	  0, 0, .pmp_entries = 64,
	  .steps = { POKE(PMPCFG0, 0x04030109), PEEK(PMPCFG0, 0x04030109),
		     PEEK(PMPCFG1, 0), POKE(PMPCFG1, 0x1f000000),
		     PEEK(PMPCFG1, 0x1f000000), POKE(PMPADDR7, 0),
		     PEEK(PMPADDR7, 0x1ff), POKE(PMPCFG15, 0x81000000),
		     POKE(PMPADDR63, ONES32), EFFECTS(0),
		     PEEK(PMPADDR63, 0) } },
	{ "RV64: eight in each of the even ones", RULE("pmp_cfg_rv64_layout"),
	  64, 0, 0, .pmp_entries = 64,
	  .steps = { POKE(PMPCFG0, 0x1f00000004030109),
		     PEEK(PMPCFG0, 0x1f00000004030109), PEEK(PMPCFG2, 0),
		     POKE(PMPADDR7, 0), PEEK(PMPADDR7, 0x1ff),
		     POKE(PMPCFG2, 0x1f), POKE(PMPADDR8, 0),
		     PEEK(PMPADDR8, 0x1ff), POKE(PMPCFG14, 0x81ull << 56),
		     POKE(PMPADDR63, ONES), EFFECTS(0), PEEK(PMPADDR63, 0) } },
	{ "RV64: the odd ones are illegal", RULE("pmp_cfg_rv64_illegal"), 64, 0,
	  0, .pmp_entries = 64,
	  .steps = { ILLEGAL_R(PMPCFG1), ILLEGAL_W(PMPCFG1), ILLEGAL_R(PMPCFG3),
		     ILLEGAL_W(PMPCFG15) } },
	{ "bits 5 and 6 are zero", RULE("pmp_cfg_permissions"), 0, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, 0x60), PEEK(PMPCFG0, 0), POKE(PMPCFG0, 0x7f),
		     PEEK(PMPCFG0, 0x1f) } },
	{ "each of R, W, X that is not reserved", RULE("pmp_cfg_permissions"),
	  0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, R | (R | W) << 8 | X << 16 | (R | X) << 24),
		     PEEK(PMPCFG0, R | (R | W) << 8 | X << 16 | (R | X) << 24),
		     POKE(PMPCFG0, R | W | X), PEEK(PMPCFG0, R | W | X) } },
	{ "W without R becomes no permission at all", RULE("pmp_rwx_warl"), 0,
	  0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, R | W | X | NAPOT), POKE(PMPCFG0, W | NAPOT),
		     PEEK(PMPCFG0, NAPOT),
		     POKE(PMPCFG0, W | X | TOR | L << 8 | W << 8),
		     PEEK(PMPCFG0, TOR | L << 8) } },
	{ "A: OFF, TOR, NAPOT", RULE("pmp_a_field_encoding"), 0, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, TOR << 8 | NAPOT << 16),
		     PEEK(PMPCFG0, TOR << 8 | NAPOT << 16),
		     POKE(PMPCFG0, NAPOT | TOR << 16),
		     PEEK(PMPCFG0, NAPOT | TOR << 16) } },
	{ "NA4 cannot be selected: it becomes OFF",
	  RULE("pmp_na4_select_restriction"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, NA4 | R), PEEK(PMPCFG0, R),
		     POKE(PMPCFG0, NAPOT | R), POKE(PMPCFG0, NA4 | R),
		     PEEK(PMPCFG0, R), POKE(PMPCFG0, NA4 | L | R | X),
		     PEEK(PMPCFG0, L | R | X) } },

	/* pmpaddr */
	{ "RV64: bits 55-2 of an address", RULE("pmp_addr_encoding"), 64, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPADDR0, ONES), PEEK(PMPADDR0, ADDR54 & ~1023ull),
		     POKE(PMPADDR0, 1ull << 54), PEEK(PMPADDR0, 0) } },
	{ "RV32: bits 33-2", RULE("pmp_addr_encoding"), 32, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPADDR0, ONES32), PEEK(PMPADDR0, 0xfffffc00) } },
	{ "the address is WARL: no bits above, none below",
	  RULE("pmp_addr_warl"), 64, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPADDR2, 0xffc00000200003ff),
		     PEEK(PMPADDR2, 0x20000000) } },
	{ "software finds the grain: 4 KiB", RULE("pmp_granularity"), 0, 0, 0,
	  .pmp_entries = 16,
	  .steps = { CSRW(PMPCFG0, 0), CSRW(PMPADDR0, ONES32),
		     CSRR(PMPADDR0, 0xfffffc00) } },
	{ "NAPOT: the bits below the grain read as ones, but for the highest",
	  RULE("pmp_napot_addr_read_mask"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, NAPOT), POKE(PMPADDR0, 0),
		     PEEK(PMPADDR0, 0x1ff), POKE(PMPADDR0, 0x20000200),
		     PEEK(PMPADDR0, 0x200003ff) } },
	{ "OFF and TOR: they read as zeros", RULE("pmp_tor_off_addr_read_mask"),
	  0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPADDR0, 0x200007ff), PEEK(PMPADDR0, 0x20000400),
		     POKE(PMPCFG0, TOR), PEEK(PMPADDR0, 0x20000400) } },
	{ "what was written comes back with the mode",
	  RULE("pmp_addr_retention_on_mode_change"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, NAPOT), POKE(PMPADDR0, 0x20000200),
		     PEEK(PMPADDR0, 0x200003ff), POKE(PMPCFG0, TOR),
		     PEEK(PMPADDR0, 0x20000000), POKE(PMPCFG0, 0),
		     PEEK(PMPADDR0, 0x20000000), POKE(PMPCFG0, NAPOT),
		     PEEK(PMPADDR0, 0x200003ff) } },
	{ "set and clear combine with what is read",
	  RULE("pmp_addr_retention_on_mode_change"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { CSRW(PMPADDR0, 0x20000200), CSRS(PMPADDR0, 0x400),
		     CSRW(PMPCFG0, NAPOT), CSRR(PMPADDR0, 0x200005ff),
		     CSRC(PMPADDR0, 0x400), CSRW(PMPCFG0, 0),
		     CSRR(PMPADDR0, 0x20000000) } },

	/* locking */
	{ "a locked entry keeps both", RULE("pmp_l_bit_write_protection"), 0, 0,
	  0, .pmp_entries = 16,
	  .steps = { POKE(PMPADDR1, 0x20000000), POKE(PMPCFG0, (L | R) << 8),
		     CSRW(PMPADDR1, 0x40000000), EFFECTS(0),
		     CSRR(PMPADDR1, 0x20000000), CSRW(PMPCFG0, 0), EFFECTS(0),
		     CSRR(PMPCFG0, (L | R) << 8) } },
	{ "its neighbours in the register do not care",
	  RULE("pmp_l_bit_write_protection"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, (L | R) << 8), CSRW(PMPCFG0, 0x1f1f1f1f),
		     EFFECTS(PMU_FX_TLB),
		     CSRR(PMPCFG0, 0x1f1f001f | (L | R) << 8),
		     CSRW(PMPADDR0, 0x20000000), CSRW(PMPADDR2, 0x20000000),
		     CSRR(PMPADDR0, 0x200001ff), CSRR(PMPADDR2, 0x200001ff) } },
	{ "L locks with A = OFF, too", RULE("pmp_l_bit_function"), 0, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, L), POKE(PMPCFG0, NAPOT), PEEK(PMPCFG0, L),
		     POKE(PMPADDR0, 0x20000000), PEEK(PMPADDR0, 0) } },
	{ "a locked TOR keeps the address below",
	  RULE("pmp_l_bit_write_protection"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPADDR0, 0x20000000), POKE(PMPADDR1, 0x30000000),
		     POKE(PMPCFG0, (L | TOR) << 8), POKE(PMPADDR0, 0),
		     EFFECTS(0), PEEK(PMPADDR0, 0x20000000), POKE(PMPADDR1, 0),
		     PEEK(PMPADDR1, 0x30000000), CSRW(PMPCFG0, R),
		     CSRR(PMPCFG0, R | (L | TOR) << 8) } },
	{ "so the last entry of a register by the first of the next",
	  RULE("pmp_l_bit_write_protection"), 64, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPADDR7, 0x20000000), POKE(PMPCFG2, L | TOR),
		     POKE(PMPADDR7, 0), PEEK(PMPADDR7, 0x20000000) } },
	{ "a locked NAPOT leaves the address below alone",
	  RULE("pmp_l_bit_write_protection"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, (L | NAPOT) << 8),
		     POKE(PMPADDR0, 0x20000000), PEEK(PMPADDR0, 0x20000000) } },
	{ "a TOR without L does", RULE("pmp_l_bit_write_protection"), 0, 0, 0,
	  .pmp_entries = 16,
	  .steps = { POKE(PMPCFG0, TOR << 8), POKE(PMPADDR0, 0x20000000),
		     PEEK(PMPADDR0, 0x20000000) } },

	/* what a write does beyond the register */
	{ "a write voids translations, when something changes",
	  RULE("pmp_sfence_required"), 0, 0, 0, .pmp_entries = 16,
	  .steps = { CSRW(PMPADDR0, 0x20000000), EFFECTS(PMU_FX_TLB),
		     CSRW(PMPADDR0, 0x20000000), EFFECTS(0),
		     CSRW(PMPCFG0, NAPOT), EFFECTS(PMU_FX_TLB),
		     CSRW(PMPCFG0, NAPOT | 0x60), EFFECTS(0),
		     CSRC(PMPCFG0, NAPOT), EFFECTS(PMU_FX_TLB),
		     CSRS(PMPCFG0, 0), EFFECTS(0) } },
};

TEST_ROWS(a_register_holds_what_the_rule_says, rows)
{
	script_run(&rows[_i]);
}

TEST(a_reset_unlocks)
{
	static const struct script script = { .pmp_entries = 64 };

	shows(RULE("pmp_A_L_rst"));
	for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
		struct pmu_hart *h = script_hart(&script, xlen);
		unsigned effects = 0;

		for (uint16_t n = 0; n < 80; n++) {
			uint64_t value = 0;

			pmu_csr_poke(h, PMPCFG0 + n, 0, ONES, &effects);
			pmu_hart_reset(h);
			if (pmu_csr_peek(h, PMPCFG0 + n, 0, &value) == 0)
				ck_assert_uint_eq(value, 0);
			pmu_csr_poke(h, PMPCFG0 + n, 0, R, &effects);
			if (pmu_csr_peek(h, PMPCFG0 + n, 0, &value) == 0)
				ck_assert_uint_eq(value, n < 16 ? R : 0);
		}
		pmu_hart_free(h);
	}
}

TEST(there_are_0_16_or_64_entries)
{
	static const struct pmu_timebase tb = { 10, 1, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	shows(RULE("pmp_entry_count"));
	pmu_hart_config_init(&cfg, 64);
	ck_assert_uint_eq(cfg.pmp_entries, 0);
	for (unsigned n = 0; n < 256; n++) {
		cfg.pmp_entries = (uint8_t)n;
		if (n != 0 && n != 16 && n != 64) {
			ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb),
					 -PMU_EINVAL);
			continue;
		}
		ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
		pmu_hart_free(h);
	}
}

TEST(every_address_register_is_its_own)
{
	static const struct script script = { .pmp_entries = 64 };
	struct pmu_hart *h = script_hart(&script, 64);
	unsigned effects = 0;
	uint64_t value;
	char name[12];

	shows(RULE("pmp_addr_registers"));
	for (uint16_t n = 0; n < 64; n++)
		pmu_csr_poke(h, PMPADDR0 + n, 0, (n + 1ull) << 10, &effects);
	for (uint16_t n = 0; n < 64; n++) {
		ck_assert_int_eq(pmu_csr_peek(h, PMPADDR0 + n, 0, &value), 0);
		ck_assert_uint_eq(value, (n + 1ull) << 10);
		snprintf(name, sizeof(name), "pmpaddr%u", n);
		ck_assert_str_eq(pmu_csr_name(h, PMPADDR0 + n), name);
	}
	pmu_hart_free(h);
}

SUITE("csr-pmp");
