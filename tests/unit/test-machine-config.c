/* SPDX-License-Identifier: BSD-2-Clause */
/* What settings make of the harts of a machine, field by field. */
#include <stddef.h>

#include "core/machine-read.h"
#include "machine-script.h"

static const struct fake_op spin_ops[] = { NOP, JUMP(0) };

#define FIELD(f)                                                               \
	offsetof(struct pmu_hart_config, f),                                   \
		sizeof(((struct pmu_hart_config *)0)->f)
#define EVENT(e) (UINT64_C(1) << PMU_EV_##e)

/* A field of hart 1, of two. */
static const struct field_row {
	const char *settings;
	size_t offset, size;
	uint64_t value;
} field_rows[] = {
	{ "", FIELD(hartid), 1 },
	{ "", FIELD(xlen), 64 },
	{ "xlen=32", FIELD(xlen), 32 },
	{ "", FIELD(sv_modes), PMU_SV39 | PMU_SV48 | PMU_SV57 },
	{ "sv=sv57", FIELD(sv_modes), PMU_SV39 | PMU_SV48 | PMU_SV57 },
	{ "sv=sv48", FIELD(sv_modes), PMU_SV39 | PMU_SV48 },
	{ "sv=sv39", FIELD(sv_modes), PMU_SV39 },
	{ "sv=bare", FIELD(sv_modes), 0 },
	{ "xlen=32", FIELD(sv_modes), PMU_SV32 },
	{ "xlen=32 sv=sv32", FIELD(sv_modes), PMU_SV32 },
	{ "s=off svadu=off svade=off", FIELD(sv_modes), 0 },
	{ "", FIELD(asid_bits), 9 },
	{ "asid-bits=7", FIELD(asid_bits), 7 },
	{ "hart0.asid-bits=7", FIELD(asid_bits), 9 },
	{ "", FIELD(hpm_mask), ~UINT32_C(7) },
	{ "hpm-counters=3-5", FIELD(hpm_mask), 0x38 },
	{ "zihpm=off sscofpmf=off", FIELD(hpm_mask), 0 },
	{ "", FIELD(hpm_width[3]), 64 },
	{ "hpm-width=40", FIELD(hpm_width[3]), 40 },
	{ "hpm-width=40", FIELD(hpm_width[31]), 40 },
	{ "hpm-events=cycles,loads:4", FIELD(hpm_events[3]), EVENT(CYCLES) },
	{ "hpm-events=cycles,loads:4", FIELD(hpm_events[4]),
	  EVENT(CYCLES) | EVENT(LOADS) },
	{ "hpm-events=cycles,loads:4", FIELD(hpm_events[31]), EVENT(CYCLES) },
	{ "pmp-entries=0", FIELD(pmp_entries), 0 },
	{ "", FIELD(pmp_entries), 16 },
	{ "pmp-entries=16", FIELD(pmp_entries), 16 },
	{ "pmp-entries=64", FIELD(pmp_entries), 64 },
	{ "mvendorid=5", FIELD(mvendorid), 5 },
	{ "marchid=6", FIELD(marchid), 6 },
	{ "mimpid=7", FIELD(mimpid), 7 },
	{ "", FIELD(cpi), 1 },
	{ "cpi=3", FIELD(cpi), 3 },
	{ "", FIELD(trap_cycles), 1 },
	{ "trap-cycles=25", FIELD(trap_cycles), 25 },
};

TEST_ROWS(a_setting_is_its_harts, field_rows)
{
	const struct field_row *row = &field_rows[_i];
	const struct pmu_hart_config *cfg;
	uint64_t value = 0;

	SCRIPT(spin_ops);
	fixture_init(&f, &(struct fixture_config){ .harts = 2,
						   .m_mode = true,
						   .settings = row->settings });
	cfg = pmu_hart_config(machine_pmu(f.m, 1));
	memcpy(&value, (const char *)cfg + row->offset, row->size);
	ck_assert_msg(value == row->value, "%s: %#llx", row->settings,
		      (unsigned long long)value);
}

SUITE("machine-config", .teardown = teardown);
