/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who keeps S-mode from a counter that it would configure by itself, through
 * siselect: each CSR on the way.
 */
#include <pmu/csr-number.h>
#include <pmu/explain.h>
#include <pmu/rule.h>

#include "../../guests/common/csr-short.h"
#include "unit.h"

static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };
static struct pmu_hart *h;

static void poke(uint16_t num, uint64_t value)
{
	unsigned effects = 0;

	ck_assert_int_eq(pmu_csr_poke(h, num, 0, value, &effects), 0);
}

#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)
#define STATE (DELEG | PMU_EXT_SMSTATEEN)

static const struct delegation_row {
	const char *why, *rule;
	unsigned xlen;
	uint64_t ext, without;
	unsigned n;
	uint32_t mcounteren;
	bool cde, csrind; /* bit 60 of menvcfg, of mstateen0 */
	const char *closed_by, *field, *named; /* the last: the rule */
	bool exists;
} delegation_rows[] = {
	{ "a hart that cannot delegate", RULE("C128"), 64, .n = 3 },
	{ "time is no counter", RULE("C129"), 64, DELEG, 0, 1, 0xf, true },
	{ "a counter that is not there", RULE("C128"), 64, DELEG, 0, 9, 0xf,
	  true },
#define TOLD(by, field, rule) by, field, rule, true
	{ "delegated", RULE("C128"), 64, DELEG, 0, 3, 8, true, false,
	  TOLD(NULL, NULL, "C128") },
	{ "CDE = 0", RULE("menvcfg_cde_op C128"), 64, DELEG, 0, 3, 8, false,
	  false, TOLD("menvcfg", "CDE", "C128") },
	{ "CDE is bit 28 of menvcfgh", RULE("C171"), 32, DELEG, 0, 3, 8, false,
	  false, TOLD("menvcfgh", "CDE", "C128") },
	{ "its bit of mcounteren is 0", RULE("C128"), 64, DELEG, 0, 4, 8, true,
	  false, TOLD("mcounteren", NULL, "C128") },
	{ "no cycle for S without Zicntr", RULE("C129"), 64, DELEG,
	  PMU_EXT_ZICNTR, 0, 0xd, true, false,
	  TOLD("mcounteren", NULL, "C128") },
	{ "mstateen0 keeps siselect from S", RULE("C171"), 64, STATE, 0, 3, 8,
	  true, false, TOLD("mstateen0", "CSRIND", "C171") },
	{ "mstateen0 is the first", RULE("C171"), 64, STATE, 0, 3, 0, false,
	  false, TOLD("mstateen0", "CSRIND", "C171") },
	{ "on RV32 it is mstateen0h", RULE("C171"), 32, STATE, 0, 3, 8, true,
	  false, TOLD("mstateen0h", "CSRIND", "C171") },
	{ "mstateen0 lets S at it", RULE("C171"), 64, STATE, 0, 3, 8, true,
	  true, TOLD(NULL, NULL, "C128") },
	{ "hstateen0, which is 0, is for guests", RULE("C171"), 64,
	  STATE | PMU_EXT_H, 0, 3, 8, true, true, TOLD(NULL, NULL, "C128") },
};

static void make(const struct delegation_row *row)
{
	const bool upper = row->xlen == 32;
	const uint64_t bit = UINT64_C(1) << (upper ? 28 : 60);
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, row->xlen);
	cfg.ext = (cfg.ext | row->ext) & ~row->without;
	cfg.hpm_mask = 0xf8;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	poke(PMU_CSR_MCOUNTEREN, row->mcounteren);
	if (row->cde)
		poke(upper ? PMU_CSR_MENVCFGH : PMU_CSR_MENVCFG, bit);
	if (row->csrind)
		poke(upper ? PMU_CSR_MSTATEEN0H : PMU_CSR_MSTATEEN0, bit);
}

/* What is said is what an access by S-mode meets. */
static void ck_access(const struct delegation_row *row)
{
	const struct pmu_csr_req req = { .num = PMU_CSR_SIREG, .read = true };
	uint64_t old = 0;
	unsigned effects = 0;

	poke(PMU_CSR_SISELECT, 0x40 + row->n);
	pmu_hart_set_mode(h, PMU_MODE_S);
	ck_assert_msg((pmu_csr(h, &req, &old, &effects) == PMU_CSR_OK) ==
			      !row->closed_by,
		      "%s: sireg", row->why);
}

TEST_ROWS(who_keeps_s_mode_from_a_counter, delegation_rows)
{
	const struct delegation_row *row = &delegation_rows[_i];
	struct pmu_why_delegation why;

	shows(row->rule);
	make(row);
	pmu_delegation_explain(h, row->n, &why);
	ck_assert_msg(why.exists == row->exists, "%s: exists", row->why);
	ck_assert_msg(why.allowed == (row->exists && !row->closed_by),
		      "%s: allowed", row->why);
	ck_assert_uint_eq(why.select, 0x40 + row->n);
	ck_assert_pstr_eq(why.closed_by, row->closed_by);
	ck_assert_pstr_eq(why.field, row->field);
	if (row->exists) {
		ck_assert_str_eq(why.rule, row->named);
		ck_access(row);
	}
	pmu_hart_free(h);
}

SUITE("explain-delegation");
