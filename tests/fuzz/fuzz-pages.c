/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translations through random page tables and protection beside a second model
 * of them: the same address or the same fault, told in the same words, the same
 * A and D in memory, and permissions that hold for as long as they may be kept.
 */
#include <string.h>

#include <pmu/csr.h>
#include <pmu/hart.h>

#include "../../guests/common/csr-short.h"
#include "../unit/unit.h"
#include "pages-oracle.h"
#include "seeds.h"

enum {
	N_SEEDS = 150,
	N_STEPS = 300,
};

struct run {
	uint64_t random;
	unsigned nr, step, hits;
	struct pmu_timebase tb;
	struct pmu_hart *h;
	struct pages_csrs csrs;
	struct pages_ram ram, want;
};

#define HOLDS(r, cond)                                                         \
	do {                                                                   \
		if (!(cond))                                                   \
			ck_abort_msg("seed %u, step %u: " #cond, (r)->nr,      \
				     (r)->step);                               \
	} while (0)

static uint64_t below(struct run *r, uint64_t n)
{
	return (fuzz_random(&r->random) >> 11) % n;
}

static bool one_in(struct run *r, uint64_t n)
{
	return below(r, n) == 0;
}

/* Page tables */

/* Flags that mostly allow. */
static uint64_t leaf_flags(struct run *r)
{
	uint64_t flags = 0xdf;

	for (unsigned i = 1; i < 8; i++)
		if (one_in(r, i < 6 ? 8 : 3))
			flags ^= UINT64_C(1) << i;
	return flags | below(r, 4) << 8;
}

static uint64_t some_entry(struct run *r)
{
	uint64_t ppn = PAGES_BASE / 4096 + below(r, PAGES_N), flags;

	if (one_in(r, 20))
		return fuzz_random(&r->random);
	if (one_in(r, 30))
		ppn += PAGES_N; /* no RAM */
	if (one_in(r, 2)) {
		flags = one_in(r, 30) ? 0x11 : 1;
	} else {
		flags = leaf_flags(r);
		if (one_in(r, 2))
			ppn = PAGES_BASE / 4096; /* aligned for all sizes */
	}
	return ppn << 10 | flags;
}

static void fill(struct run *r)
{
	unsigned size = r->csrs.xlen == 32 ? 4 : 8;

	for (size_t i = 0; i < sizeof(r->ram.bytes); i += size) {
		uint64_t entry = some_entry(r);

		memcpy(r->ram.bytes + i, &entry, size);
	}
}

static bool read_pte(void *mem, uint64_t paddr, unsigned size, uint64_t *ret)
{
	struct run *r = mem;
	uint64_t off = paddr - PAGES_BASE;

	*ret = 0;
	if (off >= sizeof(r->ram.bytes))
		return false;
	memcpy(ret, r->ram.bytes + off, size);
	return true;
}

static bool write_pte(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	struct run *r = mem;
	uint64_t off = paddr - PAGES_BASE;

	if (off >= sizeof(r->ram.bytes))
		return false;
	memcpy(r->ram.bytes + off, &value, size);
	return true;
}

/* CSRs */

static uint64_t peek(const struct run *r, uint16_t num)
{
	uint64_t value = 0;

	pmu_csr_peek(r->h, num, 0, &value);
	return value;
}

static void poke(struct run *r, uint16_t num, uint64_t value)
{
	unsigned effects = 0;

	if (r->csrs.xlen == 32)
		value = (uint32_t)value;
	ck_assert_int_eq(pmu_csr_poke(r->h, num, 0, value, &effects), 0);
}

/* A CSR whose upper half is another one on RV32. */
static uint64_t peek_wide(const struct run *r, uint16_t low, uint16_t high)
{
	if (r->csrs.xlen == 64)
		return peek(r, low);
	return peek(r, low) | peek(r, high) << 32;
}

static void poke_wide(struct run *r, uint16_t low, uint16_t high,
		      uint64_t value)
{
	poke(r, low, value);
	if (r->csrs.xlen == 32)
		poke(r, high, value >> 32);
}

/* Now and then Bare; a root in RAM. */
static uint64_t some_atp(struct run *r, unsigned align)
{
	uint64_t ppn = PAGES_BASE / 4096 + below(r, PAGES_N) / align * align;

	if (one_in(r, 6))
		return 0;
	if (r->csrs.xlen == 32)
		return UINT64_C(1) << 31 | ppn;
	return (8 + below(r, 3)) << 60 | ppn;
}

static void set_csrs(struct run *r)
{
	static const enum pmu_mode modes[] = {
		PMU_MODE_S,  PMU_MODE_U,  PMU_MODE_VS, PMU_MODE_VU, PMU_MODE_VS,
		PMU_MODE_VU, PMU_MODE_VS, PMU_MODE_VU, PMU_MODE_M,
	};
	static const uint64_t mpps[] = { 0, 1, 3 };
	uint64_t adue = UINT64_C(1) << 61;

	poke(r, 0x180, some_atp(r, 1));
	poke(r, 0x280, some_atp(r, 1));
	poke(r, HGATP, some_atp(r, 4));
	poke_wide(r, 0x300, 0x310,
		  below(r, 4) << 18 | below(r, 2) << 17 |
			  mpps[below(r, 3)] << 11 | below(r, 2) << 39);
	poke(r, 0x200, below(r, 4) << 18);
	poke(r, 0x600, below(r, 2) << 8);
	poke_wide(r, 0x30a, 0x31a, one_in(r, 3) ? 0 : adue);
	poke_wide(r, 0x60a, 0x61a, one_in(r, 3) ? 0 : adue);
	r->csrs.mode = modes[below(r, ARRAY_SIZE(modes))];
	pmu_hart_set_mode(r->h, r->csrs.mode);
	r->csrs.satp = peek(r, 0x180);
	r->csrs.vsatp = peek(r, 0x280);
	r->csrs.hgatp = peek(r, HGATP);
	r->csrs.mstatus = peek_wide(r, 0x300, 0x310);
	r->csrs.vsstatus = peek(r, 0x200);
	r->csrs.hstatus = peek(r, 0x600);
	r->csrs.menvcfg = peek_wide(r, 0x30a, 0x31a);
	r->csrs.henvcfg = peek_wide(r, 0x60a, 0x61a);
}

/* Protection */

static void poke_pmp(struct run *r, unsigned csr, uint64_t value)
{
	if (csr < 0x3b0 && csr % 2 && r->csrs.xlen == 64)
		return;
	poke(r, (uint16_t)csr, value);
	pages_pmp_write(&r->csrs.pmp, csr, value);
}

/* A few pages, at least, around what the tests use. */
static uint64_t some_pmpaddr(struct run *r)
{
	uint64_t addr = (PAGES_BASE >> 2) + (below(r, PAGES_N) << 10);

	if (one_in(r, 10))
		return fuzz_random(&r->random);
	return addr | ((UINT64_C(1) << below(r, 16)) - 1);
}

/* Mostly permits; a lock lasts. */
static uint64_t some_pmpcfg(struct run *r)
{
	uint64_t cfg = below(r, 4) << 3 | (one_in(r, 3) ? below(r, 8) : 7);

	if (one_in(r, 100))
		cfg |= 0x80;
	return cfg | (one_in(r, 10) ? below(r, 4) << 5 : 0);
}

/* Some registers anew; all of them are what the model says. */
static void set_pmp(struct run *r)
{
	for (unsigned n = below(r, 4); n > 0; n--) {
		uint64_t cfg = 0;

		for (unsigned i = 0; i < 8; i++)
			cfg = cfg << 8 | some_pmpcfg(r);
		poke_pmp(r, 0x3b0 + (unsigned)below(r, 64), some_pmpaddr(r));
		poke_pmp(r, 0x3b0 + (unsigned)below(r, 8), some_pmpaddr(r));
		poke_pmp(r, 0x3a0 + (unsigned)below(r, one_in(r, 2) ? 16 : 4),
			 one_in(r, 3) ? 0 : cfg);
	}
	/* the rest is open more often than not */
	if (one_in(r, 2)) {
		unsigned last = r->csrs.xlen == 32 ? 3 : 2;

		poke_pmp(r, 0x3bf, UINT64_MAX);
		poke_pmp(r, 0x3a0 + last,
			 UINT64_C(0x1f) << (r->csrs.xlen == 32 ? 24 : 56));
	}
	for (unsigned csr = 0x3a0; csr < 0x3f0; csr++)
		if (csr >= 0x3b0 || csr % 2 == 0 || r->csrs.xlen == 32)
			HOLDS(r, peek(r, (uint16_t)csr) ==
					 pages_pmp_read(&r->csrs.pmp, csr));
}

static void make(struct run *r, unsigned nr)
{
	static const uint8_t entries[] = { 0, 16, 16, 64 };
	struct pmu_hart_config cfg;

	r->nr = nr;
	r->random = fuzz_seed(nr);
	r->tb = (struct pmu_timebase){ 1, 1, 0 };
	r->csrs.xlen = one_in(r, 2) ? 32 : 64;
	pmu_hart_config_init(&cfg, r->csrs.xlen);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW;
	cfg.ext &= ~(PMU_EXT_SVADU | PMU_EXT_SVADE);
	r->csrs.svadu = !one_in(r, 4);
	r->csrs.svade = one_in(r, 3);
	cfg.ext |= r->csrs.svadu ? PMU_EXT_SVADU : 0;
	cfg.ext |= r->csrs.svade ? PMU_EXT_SVADE : 0;
	cfg.pmp_entries = entries[below(r, ARRAY_SIZE(entries))];
	r->csrs.pmp.xlen = r->csrs.xlen;
	r->csrs.pmp.entries = cfg.pmp_entries;
	ck_assert_int_eq(pmu_hart_new(&r->h, &cfg, &r->tb), 0);
	fill(r);
}

/* Translations */

/* An address of @bits; a virtual one has its sign above them. */
static uint64_t some_address(struct run *r)
{
	static const uint8_t bits[] = { 32, 34, 39, 41, 48, 50, 57, 59 };
	unsigned shift = 64u - bits[below(r, ARRAY_SIZE(bits))];
	uint64_t random = fuzz_random(&r->random);

	if (one_in(r, 2))
		return random >> shift;
	return (uint64_t)((int64_t)(random << shift) >> shift);
}

/* What may be kept holds as it is: nothing has to be set for it. */
static void check_perms(struct run *r, const struct pmu_walk *walk,
			uint8_t perms)
{
	static const struct {
		enum pmu_access access;
		uint8_t perm;
	} kinds[] = {
		{ PMU_ACCESS_FETCH, PMU_PERM_X },
		{ PMU_ACCESS_LOAD, PMU_PERM_R },
		{ PMU_ACCESS_STORE, PMU_PERM_W },
	};
	bool split = pmu_data_mode(r->h) != r->csrs.mode;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct pmu_walk other = *walk;
		bool fetch = kinds[i].access == PMU_ACCESS_FETCH;
		bool allowed;

		other.access = kinds[i].access;
		allowed = pages_translate(&r->csrs, &r->want, &other, true).ok;
		if (split && fetch != (walk->access == PMU_ACCESS_FETCH))
			allowed = false;
		HOLDS(r, !(perms & kinds[i].perm) == !allowed);
	}
}

static void translate(struct run *r)
{
	const struct pmu_pte_ops ops = { read_pte, write_pte, r };
	struct pmu_walk walk = { .vaddr = some_address(r),
				 .access = (enum pmu_access)below(r, 3),
				 .executes = !one_in(r, 8) };
	struct pmu_fault fault = { 0 };
	struct pmu_mapping map;
	struct pages_answer want;
	bool ok;

	if (walk.access != PMU_ACCESS_FETCH)
		walk.hypervisor = one_in(r, 4);
	if (walk.access == PMU_ACCESS_LOAD && walk.hypervisor)
		walk.hlvx = one_in(r, 2);
	memcpy(&r->want, &r->ram, sizeof(r->ram));
	want = pages_translate(&r->csrs, &r->want, &walk, false);
	ok = pmu_translate(r->h, &walk, &ops, &map, &fault);
	HOLDS(r, ok == want.ok);
	HOLDS(r, memcmp(&r->want, &r->ram, sizeof(r->ram)) == 0);
	if (ok) {
		r->hits++;
		HOLDS(r, map.paddr == want.paddr);
		if (!walk.hypervisor)
			check_perms(r, &walk, map.perms);
		return;
	}
	HOLDS(r, fault.cause == want.fault.cause);
	HOLDS(r, fault.gva == want.fault.gva);
	HOLDS(r, fault.gpa == want.fault.gpa);
	HOLDS(r, fault.tinst == want.fault.tinst);
}

TEST_RANGE(translations_agree_with_the_manual_s_steps, fuzz_first(),
	   fuzz_end(N_SEEDS))
{
	static struct run r;

	memset(&r, 0, sizeof(r));
	make(&r, (unsigned)_i);
	for (r.step = 0; r.step < N_STEPS; r.step++) {
		if (r.step % 3 == 0)
			set_csrs(&r);
		if (r.step % 5 == 0)
			set_pmp(&r);
		translate(&r);
	}
	pmu_hart_free(r.h);
	/* a seed may be a poor one, those of the suite are not */
	ck_assert(r.hits > N_STEPS / 30 || _i >= N_SEEDS);
}

SUITE("fuzz-pages");
