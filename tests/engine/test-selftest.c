/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An engine on a Unicorn that does not do what is relied on: it says of a
 * register, once, what is not so. The self test has to find it out.
 */
#include <string.h>
#include <unicorn/unicorn.h>

#include "../unit/unit.h"
#include "engine/unicorn/adapter.h"

static struct {
	unsigned n, lie_at; /* reads; 0: none is a lie */
	int reg;	    /* that was lied about */
} reads;

uc_err __real_uc_reg_read(uc_engine *uc, int reg, void *value);
uc_err __wrap_uc_reg_read(uc_engine *uc, int reg, void *value);

uc_err __wrap_uc_reg_read(uc_engine *uc, int reg, void *value)
{
	uc_err err = __real_uc_reg_read(uc, reg, value);

	if (++reads.n == reads.lie_at) {
		*(uint64_t *)value += 4;
		reads.reg = reg;
	}
	return err;
}

/* What is found out by a register or by where a run ends. */
static const char *const reliances[] = {
	"reservation not found",
	"a CSR of M-mode traps at its pc",
	"a compressed illegal instruction traps at its pc",
	"ecall traps",
	"ebreak ends the run at its pc",
	"wfi traps",
	"a fence traps",
	"sret traps",
	"mret traps",
	"a hypervisor load traps",
	"a fence of the second stage traps",
	"a load that is not translated faults at its pc",
	"a misaligned AMO is a store's fault",
	"a misaligned LR is a load's fault",
	"floating point traps while it is off",
	"floating point runs while it is on",
	"a counter read reaches the host",
	"SC succeeds after LR",
	"SC fails after the reservation is dropped",
	"fence.i sees code written through another address",
};

static bool is_x(int reg)
{
	return reg >= UC_RISCV_REG_X0 && reg <= UC_RISCV_REG_X31;
}

/* True: it was refused, or a piece was turned off that is on otherwise. */
static bool found_out(const struct engine_config *cfg, unsigned lie_at,
		      bool *seen)
{
	static const struct engine_host_ops none;
	bool portable = cfg->mode == ENGINE_PORTABLE;
	struct engine *e;
	bool found;
	int err;

	reads.n = 0;
	reads.lie_at = lie_at;
	err = engine_new(&e, cfg, &none, NULL);
	found = err ||
		(!portable && (e->slow_why != NULL ||
			       (e->raise_why != NULL && fast_exits_linked()) ||
			       (e->pages.off != NULL && fast_tlb_linked()) ||
			       (e->clean.off != NULL && fast_tlb_linked()) ||
			       (e->spaces.off != NULL && fast_tlb_linked())));
	for (size_t i = 0; err && i < ARRAY_SIZE(reliances); i++)
		seen[i] |= strstr(engine_error(e), reliances[i]) != NULL;
	engine_free(e);
	return found;
}

/* Of the pc some are of the page alone. */
TEST_TIMES(a_lie_about_a_register_is_found_out, 2)
{
	const struct engine_config cfg = {
		.xlen = 64,
		.engines = 1,
		.mode = _i ? ENGINE_AUTO : ENGINE_PORTABLE,
	};
	bool seen[ARRAY_SIZE(reliances)] = { false };
	bool usual = found_out(&cfg, 0, seen);
	unsigned all = reads.n;

	for (unsigned i = 1; i <= all; i++) {
		bool found = found_out(&cfg, i, seen);

		ck_assert_msg(found || usual || !is_x(reads.reg),
			      "read %u, of register %d", i, reads.reg);
	}
	for (size_t i = 0; i < ARRAY_SIZE(seen); i++)
		ck_assert_msg(seen[i], "not found out: %s", reliances[i]);
}

SUITE("engine-selftest", .test_case = "selftest", .timeout = 60);
