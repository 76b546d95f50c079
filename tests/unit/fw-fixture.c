/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine that tests of the firmware model run on.
 */
#include "fw-fixture.h"

static bool is_ram(const struct bench *b, uint64_t paddr, uint64_t len)
{
	uint64_t size = b->ram_bytes ? b->ram_bytes : RAM_SIZE;

	return paddr >= b->ram_base && len <= size &&
	       paddr - b->ram_base <= size - len;
}

static uint8_t *ram_at(struct bench *b, uint64_t paddr, uint64_t len)
{
	uint64_t at = (paddr - b->ram_base) % RAM_SIZE;

	return is_ram(b, paddr, len) && len <= RAM_SIZE - at ? b->ram + at
							     : NULL;
}

static bool mem_read(void *host, uint64_t paddr, void *buf, size_t len)
{
	const uint8_t *at = ram_at(host, paddr, len);

	if (at)
		memcpy(buf, at, len);
	return at;
}

static bool mem_write(void *host, uint64_t paddr, const void *buf, size_t len)
{
	uint8_t *at = ram_at(host, paddr, len);

	if (at)
		memcpy(at, buf, len);
	return at;
}

static bool mem_is_ram(void *host, uint64_t paddr, uint64_t len)
{
	return is_ram(host, paddr, len);
}

static void console_write(void *host, const uint8_t *bytes, size_t len)
{
	struct bench *b = host;

	for (size_t i = 0; i < len; i++, b->out_len++)
		if (b->out_len < sizeof(b->out) - 1)
			b->out[b->out_len] = (char)bytes[i];
}

static size_t console_read(void *host, uint8_t *buf, size_t len)
{
	struct bench *b = host;
	size_t n = 0;

	for (; b->in && *b->in && n < len; n++)
		buf[n] = (uint8_t)*b->in++;
	return n;
}

static void fence(void *host, unsigned hart, enum fw_fence_kind kind)
{
	struct bench *b = host;

	if (b->n_fences < MAX_FENCES) {
		b->fences[b->n_fences].hart = hart;
		b->fences[b->n_fences].kind = kind;
	}
	b->n_fences++;
}

static void ipi_sent(void *host, unsigned hart)
{
	struct bench *b = host;

	b->ipis_sent |= UINT64_C(1) << hart;
}

static void hart_start(void *host, unsigned hart, uint64_t pc, uint64_t opaque)
{
	struct bench *b = host;

	b->starts++;
	b->hart = hart;
	b->pc = pc;
	b->opaque = opaque;
}

static void hart_stop(void *host, unsigned hart)
{
	struct bench *b = host;

	b->stops++;
	b->hart = hart;
}

static void hart_suspend(void *host, unsigned hart, bool retentive, uint64_t pc,
			 uint64_t opaque)
{
	struct bench *b = host;

	b->suspends++;
	b->hart = hart;
	b->retentive = retentive;
	b->pc = pc;
	b->opaque = opaque;
}

static void timer_changed(void *host, unsigned hart)
{
	struct bench *b = host;

	b->timer_changes++;
}

static void reset(void *host, const struct fw_reset *r)
{
	struct bench *b = host;

	b->resets++;
	b->reset = *r;
}

static void snapshot_mistake(void *host, unsigned hart)
{
	struct bench *b = host;

	b->mistakes++;
	b->hart = hart;
}

const struct fw_host_ops *bench_ops(void)
{
	static const struct fw_host_ops ops = {
		mem_read,	  mem_write,	mem_is_ram,    console_write,
		console_read,	  fence,	ipi_sent,      hart_start,
		hart_stop,	  hart_suspend, timer_changed, reset,
		snapshot_mistake,
	};

	return &ops;
}

static void make_harts(struct bench *b, const struct opts *o, unsigned n)
{
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, o->xlen ? o->xlen : 64);
	cfg.ext = (cfg.ext | o->with) & ~o->without;
	if (o->hpm_mask)
		cfg.hpm_mask = o->hpm_mask;
	if (o->no_hpm)
		cfg.hpm_mask = 0;
	if (o->width)
		memset(cfg.hpm_width, o->width, sizeof(cfg.hpm_width));
	cfg.pmp_entries = o->pmp_entries;
	cfg.mvendorid = 0x123;
	cfg.marchid = 0x456;
	cfg.mimpid = 0x789;
	for (unsigned i = 0; i < n; i++) {
		cfg.hartid = o->first_hartid + i;
		if (o->plain_hart && i == o->plain_hart)
			cfg.ext &= ~o->with;
		if (o->plain_first)
			cfg.ext = i ? cfg.ext | o->with : cfg.ext & ~o->with;
		if (i < ARRAY_SIZE(o->hpm_masks) && o->hpm_masks[i])
			cfg.hpm_mask = o->hpm_masks[i];
		PREPARING(ck_assert_int_eq(
			pmu_hart_new(&b->harts[i], &cfg, &b->tb), 0));
	}
}

void bench_init(struct bench *b, const struct opts *o)
{
	struct fw_config cfg = {
		.quirks =
			o->quirks ? *o->quirks : fw_profile_quirks(o->profile),
		.spec_version = o->version ? o->version : 0x03000000,
		.snapshot = o->auto_snapshot ? FW_SNAPSHOT_AUTO
			    : o->no_snapshot ? FW_SNAPSHOT_OFF
					     : FW_SNAPSHOT_ON,
		.sse = !o->no_sse,
		.fw_counters = o->fw_counters ? o->fw_counters : 16,
		.dtb = o->dtb,
		.dtb_size = o->dtb_size,
		.platform = o->platform,
	};
	struct fw_machine machine = {
		.harts = b->harts,
		.n_harts = o->n_harts ? o->n_harts : 1,
		.timebase = &b->tb,
		.ops = bench_ops(),
		.host = b,
	};
	char *error = NULL;

	memset(b, 0, sizeof(*b));
	b->tb = (struct pmu_timebase){ .clock_hz = 100, .time_hz = 10 };
	b->ram_base = RAM_BASE;
	make_harts(b, o, machine.n_harts);
	if (fw_new(&b->fw, &cfg, &machine, &error)) {
		ck_assert_msg(o->tree_may_be_bad, "%s", error);
		free(error);
		return;
	}
	for (unsigned i = 0; i < machine.n_harts; i++)
		fw_hart_boot(b->fw, i);
}

void bench_fini(struct bench *b)
{
	fw_free(b->fw);
	for (unsigned i = 0; i < PMU_MAX_HARTS; i++)
		pmu_hart_free(b->harts[i]);
}

/* Whoever refuses says why, and nobody else says anything. */
void bench_reasoned(const struct bench *b, uint32_t eid, int64_t error)
{
	char text[160];

	fw_refusal_text(fw_refusal(b->fw), text, sizeof(text));
	if (eid > 8) /* in a0 of the others may be any number */
		ck_assert_msg(!error == !*text, "%d: %s", (int)error, text);
}

struct sbi_ret bench_call(struct bench *b, unsigned hart, uint32_t eid,
			  uint32_t fid, const uint64_t args[6])
{
	uint64_t a[8] = { args[0],
			  args[1],
			  args[2],
			  args[3],
			  args[4],
			  args[5],
			  (uint64_t)(int32_t)fid,
			  (uint64_t)(int32_t)eid };
	struct sbi_ret ret = { .error = 99, .value = 99 };

	ck_assert_int_eq(fw_sbi_call(b->fw, hart, b->now, a, &ret), FW_DONE);
	bench_reasoned(b, eid, ret.error);
	return ret;
}

uint64_t bench_csr(const struct bench *b, unsigned hart, uint16_t num)
{
	uint64_t value;

	ck_assert_int_eq(pmu_csr_peek(b->harts[hart], num, b->now, &value), 0);
	return value;
}

void bench_poke(const struct bench *b, unsigned hart, uint16_t num,
		uint64_t value)
{
	unsigned effects = 0;

	ck_assert_int_eq(
		pmu_csr_poke(b->harts[hart], num, b->now, value, &effects), 0);
}

void bench_run(struct bench *b, unsigned hart, uint64_t n)
{
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = n } };

	pmu_hart_advance(b->harts[hart], &p);
}

uint64_t bench_value(const struct bench *b, unsigned n)
{
	struct fw_counter c;

	ck_assert(fw_counter_state(b->fw, 0, n, &c));
	return c.value;
}

bool bench_shows_of(const struct bench *b, unsigned n)
{
	return bench_csr(b, 0, 0xda0) >> n & 1;
}

void bench_overflow(struct bench *b, unsigned n)
{
	PMU(b, START, n, 1, INIT, UINT64_MAX);
	bench_run(b, 0, 1);
	ck_assert_uint_eq(bench_value(b, n), 0);
	ck_assert(bench_shows_of(b, n));
	ck_assert(pmu_irq_pending(b->harts[0], 0) >> PMU_IRQ_LCOFI & 1);
}

void bench_store(struct bench *b, unsigned offset, uint64_t value,
		 unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		b->ram[offset + i] = (uint8_t)(value >> 8 * i);
}

uint64_t bench_load(const struct bench *b, unsigned offset, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)b->ram[offset + i] << 8 * i;
	return value;
}

static const uint64_t *get_args(void *regs)
{
	return (const uint64_t *)regs + 10;
}

enum fw_outcome bench_trap(struct bench *b, unsigned hart, struct bench_trap *t,
			   struct fw_regs *ret)
{
	struct fw_trap trap = { .trap = &t->trap,
				.insn = t->insn,
				.now = b->now,
				.args = get_args,
				.regs = t->x };

	memset(ret, 0x5a, sizeof(*ret));
	return fw_trap(b->fw, hart, &trap, ret);
}
