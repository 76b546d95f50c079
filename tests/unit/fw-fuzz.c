/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fuzz target: the first bytes choose a machine, whether it has a device tree
 * and how that is spoilt; the rest are calls and traps with any registers.
 * test-fw-fuzz.c feeds it fixed random bytes; with clang's -fsanitize=fuzzer it
 * stands alone.
 */
#include "fw-fixture.h"

#include "dt-fixture.h"

#define DELEG                                                                  \
	(PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG | PMU_EXT_SMCSRIND |                \
	 PMU_EXT_SSCSRIND | PMU_EXT_SMSTATEEN)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at;
	size_t left;
};

static uint64_t take(struct input *in, unsigned bytes)
{
	uint64_t v = 0;

	for (; bytes && in->left; bytes--, in->left--)
		v = v << 8 | *in->at++;
	return v;
}

/* A register: small, an address, a mask, or anything. */
static uint64_t take_reg(struct input *in)
{
	switch (take(in, 1) % 5) {
	case 0:
		return take(in, 1);
	case 1:
		return RAM_BASE + (take(in, 2) & 0xfff0);
	case 2:
		return (uint64_t)1 << (take(in, 1) & 63);
	case 3:
		return UINT64_MAX - take(in, 1);
	default:
		return take(in, 8);
	}
}

static void *take_tree(struct input *in)
{
	static const struct dt_prop props[] = {
		PROP("interrupts-extended", DT_INTC, 13),
		PROP(SELECTS, 3, 0, 5, 0x10000, 0, 2),
		PROP(RANGES, 1, 1, 1, 2, 2, 4, 3, 10, 0xff8, 0x10000, 0x10033,
		     0xff000),
		PROP(RAWS, 0, 2, ~0u, ~0u, 0xf8, ~0u, ~15u, ~0u, ~15u, 0xff0),
	};
	static const struct dt_cpu cpus[] = {
		{ 0, "rv64imac_sscofpmf" },
		{ 1, "rv64imac" },
	};
	unsigned spoil = (unsigned)take(in, 1) & 15;
	uint8_t *dtb;
	size_t len;

	if (spoil == 15)
		return NULL;
	dtb = dt_begin();
	dt_cpus(dtb, cpus, ARRAY_SIZE(cpus));
	dt_pmu(dtb, "pmu", props, ARRAY_SIZE(props));
	dt_pmu(dtb, "pmu-1", props + 1, ARRAY_SIZE(props) - 1);
	dt_end(dtb);
	len = fdt_totalsize(dtb);
	for (; spoil > 8; spoil--)
		dtb[take(in, 2) % len] = (uint8_t)take(in, 1);
	return dtb;
}

static const uint64_t *get_args(void *regs)
{
	return (const uint64_t *)regs + 10;
}

static void one_trap(struct bench *b, struct input *in)
{
	uint64_t x[32] = { 0 };
	struct pmu_trap trap = { .interrupt = take(in, 1) == 1,
				 .cause = (uint8_t)take(in, 1),
				 .pc = RAM_BASE };
	struct fw_trap t = { .trap = &trap,
			     .insn = (uint32_t)take(in, 4),
			     .now = b->now,
			     .args = get_args,
			     .regs = x };
	struct fw_regs regs;

	for (unsigned i = 10; i < 18; i++)
		x[i] = take_reg(in);
	if (fw_trap(b->fw, (unsigned)take(in, 1) & 3, &t, &regs) == FW_DONE)
		ck_assert_uint_le(regs.n, ARRAY_SIZE(regs.reg));
}

static void deliver(struct bench *b, unsigned hart)
{
	static uint64_t x[32];
	struct pmu_trap at = { .pc = RAM_BASE };
	struct fw_trap t = { .trap = &at, .args = get_args, .regs = x };
	struct fw_regs regs;

	if (fw_sse_due(b->fw, hart))
		fw_sse_deliver(b->fw, hart, &t, &regs);
}

static void one_call(struct bench *b, struct input *in)
{
	static const uint32_t eids[] = { BASE_EID,   TIME_EID, IPI_EID,
					 RFENCE_EID, HSM_EID,  SRST_EID,
					 DBCN_EID,   PMU_EID,  PMU_EID,
					 PMU_EID,    SUSP_EID, FWFT_EID,
					 SSE_EID,    SSE_EID };
	unsigned pick = (unsigned)take(in, 1);
	struct sbi_ret ret;
	uint64_t args[8];

	for (unsigned i = 0; i < 6; i++)
		args[i] = take_reg(in);
	if (pick & 0x40) /* an event that there is */
		args[0] = (const uint32_t[]){ 0x10000, 0xffff0000,
					      0xffff8000 }[pick % 3];
	args[6] = take(in, 1) & 15;
	args[7] = pick & 0x80 ? pick & 15 : eids[pick % ARRAY_SIZE(eids)];
	fw_sbi_call(b->fw, (unsigned)take(in, 1) & 3, b->now, args, &ret);
}

static void step(struct bench *b, struct input *in)
{
	unsigned what = (unsigned)take(in, 1);

	b->now += what;
	switch (what % 8) {
	case 0:
		one_trap(b, in);
		break;
	case 1:
		bench_run(b, what >> 3 & 1, what);
		break;
	case 2:
		deliver(b, what >> 3 & 3);
		fw_hart_resumed(b->fw, what >> 3 & 3);
		fw_timer_run(b->fw, b->now);
		break;
	default:
		one_call(b, in);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	unsigned kind = (unsigned)take(&in, 1);
	void *dtb = take_tree(&in);
	struct opts o = { .profile = kind & 1,
			  .xlen = kind & 2 ? 32 : 64,
			  .n_harts = kind & 4 ? 2 : 3,
			  .without = kind & 8 ? PMU_EXT_SSCOFPMF : 0,
			  .with = (kind & 16 ? PMU_EXT_SSTC : 0) |
				  (kind & 64 ? PMU_EXT_H : 0) |
				  (kind & 128 ? DELEG : 0),
			  .hpm_mask = kind & 32 ? 0x3e3f8 : 0,
			  .dtb = dtb,
			  .dtb_size = DT_SIZE,
			  .tree_may_be_bad = true };
	static const uint32_t lcofi = 0;
	static struct bench b;

	bench_init(&b, &o);
	while (b.fw && in.left)
		step(&b, &in);
	/* A tree that was accepted can be fixed, whatever else it holds. */
	if (b.fw && dtb)
		ck_assert_int_eq(fw_dt_fixup(dtb, &lcofi, kind & 1), 0);
	bench_fini(&b);
	free(dtb);
	return 0;
}
