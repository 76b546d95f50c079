/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self test of accesses to CSRs that are made inside their blocks: what
 * Unicorn's helpers are called with is what the instruction says, and rd gets
 * what they return.
 */
#include "selftest.h"

#include <pmu/csr-number.h>
#include <pmu/insn-word.h>

enum {
	SYSTEM = 0x73,
	RD = 6,
	FULL = 5, /* the register that has VALUE; ZERO has 0 */
	ZERO = 7,
	VALUE = 0x5a5e0f0d,
	OLD = 0x01020304,
};

static const struct quiet_row {
	uint8_t funct3, source;
	enum pmu_csr_op op;
	bool write;
	uint64_t value;
} quiet_rows[] = {
	{ 1, FULL, PMU_CSR_WRITE, true, VALUE },
	{ 1, 0, PMU_CSR_WRITE, true, 0 },
	{ 2, FULL, PMU_CSR_SET, true, VALUE },
	{ 2, ZERO, PMU_CSR_SET, true, 0 },
	{ 2, 0, PMU_CSR_SET, false, 0 },
	{ 3, FULL, PMU_CSR_CLEAR, true, VALUE },
	{ 3, ZERO, PMU_CSR_CLEAR, true, 0 },
	{ 3, 0, PMU_CSR_CLEAR, false, 0 },
	{ 5, 21, PMU_CSR_WRITE, true, 21 },
	{ 6, 21, PMU_CSR_SET, true, 21 },
	{ 6, 0, PMU_CSR_SET, false, 0 },
	{ 7, 21, PMU_CSR_CLEAR, true, 21 },
	{ 7, 0, PMU_CSR_CLEAR, false, 0 },
};

static bool told(const struct boot *boot, const struct quiet_row *row)
{
	const struct pmu_csr_req *req = &boot->access;
	uint64_t value = row->value;

	value += boot->e->cfg.spoil == FAST_SPOIL_SOURCE;
	return req->num == PMU_CSR_MSCRATCH && req->op == row->op &&
	       req->read && req->write == row->write && req->value == value;
}

/* Twice, as generated code is new the first time. */
static bool row_holds(struct boot *boot, struct engine_ctx *ctx,
		      enum engine_regime regime, const struct quiet_row *row)
{
	const uint32_t code[SELFTEST_WORDS] = {
		(uint32_t)PMU_CSR_MSCRATCH << 20 | (uint32_t)row->source << 15 |
			(uint32_t)row->funct3 << 12 | RD << 7 | SYSTEM,
		PMU_WORD_EBREAK,
	};

	selftest_put(boot->e, code);
	for (unsigned again = 0; again < 2; again++) {
		struct hart_state state = { .pc = SELFTEST_CODE,
					    .x[FULL] = VALUE };

		boot->access = (struct pmu_csr_req){ .num = 0 };
		if (selftest_go(boot, ctx, regime, &state) !=
			    ENGINE_STOP_HOST ||
		    engine_get(boot->e, ctx, ENGINE_PC) != SELFTEST_CODE + 4 ||
		    engine_get(boot->e, ctx, RD) != OLD || !told(boot, row))
			return false;
	}
	return true;
}

bool selftest_answer_quiet(struct boot *boot, const struct pmu_csr_req *req,
			   uint64_t *ret_old)
{
	boot->access = *req;
	*ret_old = OLD;
	return boot->quiet;
}

bool selftest_quiet_rows(struct boot *boot, struct engine_ctx *ctx,
			 enum engine_regime regime)
{
	bool good = true;

	boot->quiet = true;
	for (size_t i = 0; i < sizeof(quiet_rows) / sizeof(quiet_rows[0]); i++)
		good = good && row_holds(boot, ctx, regime, &quiet_rows[i]);
	boot->quiet = false;
	return good;
}
