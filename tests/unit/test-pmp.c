/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What physical memory protection allows: which addresses an entry matches,
 * which entry decides, and for whom.
 */
#include "pmp-fixture.h"

/* Bare: what @mode may do at @addr. */
static const struct match_row {
	const char *rule, *why;
	unsigned xlen; /* 0: both */
	struct entry entries[MAX_ENTRIES];
	enum pmu_mode mode;
	uint64_t addr;
	unsigned perms;
} match_rows[] = {
	/* no entry matches */
	{ RULE("pmp_no_entry_match"),
	  "all OFF: S has nothing",
	  0,
	  { { 0 } },
	  S,
	  BASE,
	  0 },
	{ RULE("pmp_no_entry_match"),
	  "all OFF: U has nothing",
	  0,
	  { { 0 } },
	  U,
	  BASE,
	  0 },
	{ RULE("pmp_no_entry_match"),
	  "all OFF: M has everything",
	  0,
	  { { 0 } },
	  M,
	  BASE,
	  RWX },
	{ RULE("pmp_no_entry_match"),
	  "beside a range: S has nothing",
	  0,
	  { { NAPOT | RWX, RANGE(BASE, 4096) } },
	  S,
	  BASE + 4096,
	  0 },
	{ RULE("pmp_no_entry_match"),
	  "beside a locked range: M has all",
	  0,
	  { { L | NAPOT | RO, RANGE(BASE, 4096) } },
	  M,
	  BASE + 4096,
	  RWX },
	{ RULE("pmp_a_field_off"),
	  "OFF matches nothing, whatever it allows",
	  0,
	  { { RWX, RANGE(BASE, 4096) } },
	  S,
	  BASE,
	  0 },
	{ RULE("pmp_a_field_off"),
	  "OFF does not hide what is behind it",
	  0,
	  { { 0, RANGE(BASE, 4096) }, { NAPOT | RW, RANGE(BASE, 4096) } },
	  S,
	  BASE,
	  RW },

	/* NAPOT */
	{ RULE("pmp_a_field_napot_na4"),
	  "the first byte",
	  0,
	  { { NAPOT | RO, RANGE(BASE, 8192) } },
	  S,
	  BASE,
	  RO },
	{ RULE("pmp_a_field_napot_na4"),
	  "the last byte",
	  0,
	  { { NAPOT | RO, RANGE(BASE, 8192) } },
	  U,
	  BASE + 8191,
	  RO },
	{ RULE("pmp_a_field_napot_na4"),
	  "the byte before",
	  0,
	  { { NAPOT | RO, RANGE(BASE, 8192) } },
	  S,
	  BASE - 1,
	  0 },
	{ RULE("pmp_a_field_napot_na4"),
	  "the byte behind",
	  0,
	  { { NAPOT | RO, RANGE(BASE, 8192) } },
	  S,
	  BASE + 8192,
	  0 },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "0 is the first 4 KiB",
	  0,
	  { { NAPOT | RO, 0 } },
	  S,
	  4095,
	  RO },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "and no more",
	  0,
	  { { NAPOT | RO, 0 } },
	  S,
	  4096,
	  0 },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "yy01...1: 2 GiB",
	  0,
	  { { NAPOT | RWX, 0x2fffffff } },
	  S,
	  0xffffffff,
	  RWX },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "yy01...1: not below",
	  0,
	  { { NAPOT | RWX, 0x2fffffff } },
	  S,
	  0x7fffffff,
	  0 },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "RV64, 011...1: 2^56",
	  64,
	  { { NAPOT | RWX, UINT64_MAX >> 11 } },
	  S,
	  UINT64_MAX >> 8,
	  RWX },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "RV64, all ones: everything",
	  64,
	  { { NAPOT | RWX, UINT64_MAX } },
	  S,
	  UINT64_MAX >> 8,
	  RWX },
	{ RULE("pmp_napot_encoding_low_bits"),
	  "RV32, all ones: everything",
	  32,
	  { { NAPOT | RWX, UINT32_MAX } },
	  S,
	  UINT32_MAX,
	  RWX },
	{ RULE("pmp_region_granularity_g"),
	  "no range is below 4 KiB: before",
	  0,
	  { { NAPOT | RW, RANGE(BASE + 0x100, 16) } },
	  S,
	  BASE,
	  RW },
	{ RULE("pmp_region_granularity_g"),
	  "no range is below 4 KiB: behind",
	  0,
	  { { NAPOT | RW, RANGE(BASE + 0x100, 16) } },
	  S,
	  BASE + 4095,
	  RW },
	{ RULE("pmp_na4_select_restriction"),
	  "NA4 matches nothing",
	  0,
	  { { 0x10 | RW, PMPADDR(BASE) } },
	  S,
	  BASE,
	  0 },

	/* TOR */
	{ RULE("pmp_a_field_tor"),
	  "entry 0 begins at 0",
	  0,
	  { { TOR | RX, PMPADDR(BASE) } },
	  S,
	  0,
	  RX },
	{ RULE("pmp_a_field_tor"),
	  "up to its address",
	  0,
	  { { TOR | RX, PMPADDR(BASE) } },
	  S,
	  BASE - 1,
	  RX },
	{ RULE("pmp_a_field_tor"),
	  "without it",
	  0,
	  { { TOR | RX, PMPADDR(BASE) } },
	  S,
	  BASE,
	  0 },
	{ RULE("pmp_a_field_tor"),
	  "from 0 to 0 is nothing",
	  0,
	  { { TOR | RX, 0 } },
	  S,
	  0,
	  0 },
	{ RULE("pmp_a_field_tor"),
	  "others begin at the address before",
	  0,
	  { { 0, PMPADDR(BASE) }, { TOR | RO, PMPADDR(BASE + 0x3000) } },
	  S,
	  BASE,
	  RO },
	{ RULE("pmp_a_field_tor"),
	  "not below it",
	  0,
	  { { 0, PMPADDR(BASE) }, { TOR | RO, PMPADDR(BASE + 0x3000) } },
	  S,
	  BASE - 1,
	  0 },
	{ RULE("pmp_a_field_tor"),
	  "whatever the entry before does",
	  0,
	  { { NAPOT | RWX, RANGE(BASE, 4096) },
	    { TOR | RO, PMPADDR(BASE + 0x3000) } },
	  S,
	  BASE + 0x1000,
	  RO },
	{ RULE("pmp_a_field_tor"),
	  "an empty range matches nothing",
	  0,
	  { { 0, PMPADDR(BASE) },
	    { TOR | RO, PMPADDR(BASE) },
	    { TOR | RW, PMPADDR(BASE + 0x1000) } },
	  S,
	  BASE,
	  RW },
	{ RULE("pmp_a_field_tor"),
	  "nor one from behind to before",
	  0,
	  { { 0, PMPADDR(BASE + 0x1000) }, { TOR | RO, PMPADDR(BASE) } },
	  S,
	  BASE,
	  0 },
	{ RULE("pmp_tor_off_addr_read_mask"),
	  "bits below the grain: no upper",
	  0,
	  { { TOR | RO, PMPADDR(BASE + 0xffc) } },
	  S,
	  BASE,
	  0 },
	{ RULE("pmp_tor_off_addr_read_mask"),
	  "bits below the grain: no lower",
	  0,
	  { { 0, PMPADDR(BASE + 0xffc) },
	    { TOR | RO, PMPADDR(BASE + 0x1000) } },
	  S,
	  BASE,
	  RO },

	/* which entry decides */
	{ RULE("pmp_entry_priority"),
	  "the lower one, if it allows more",
	  0,
	  { { NAPOT | RWX, RANGE(BASE, 4096) },
	    { NAPOT | RO, RANGE(BASE, 0x10000) } },
	  S,
	  BASE,
	  RWX },
	{ RULE("pmp_entry_priority"),
	  "the lower one, if it allows less",
	  0,
	  { { NAPOT, RANGE(BASE, 4096) },
	    { NAPOT | RWX, RANGE(BASE, 0x10000) } },
	  S,
	  BASE,
	  0 },
	{ RULE("pmp_entry_priority"),
	  "the next, where the lower has nothing",
	  0,
	  { { NAPOT, RANGE(BASE, 4096) },
	    { NAPOT | RWX, RANGE(BASE, 0x10000) } },
	  S,
	  BASE + 4096,
	  RWX },
	{ RULE("pmp_entry_priority"),
	  "M-mode, too: not locked, so it may",
	  0,
	  { { NAPOT, RANGE(BASE, 4096) }, { L | NAPOT, RANGE(BASE, 0x10000) } },
	  M,
	  BASE,
	  RWX },

	/* what it decides */
	{ RULE("pmp_rwx_check"),
	  "R alone",
	  0,
	  { { NAPOT | RO, RANGE(BASE, 4096) } },
	  S,
	  BASE,
	  RO },
	{ RULE("pmp_rwx_check"),
	  "X alone",
	  0,
	  { { NAPOT | XO, RANGE(BASE, 4096) } },
	  U,
	  BASE,
	  XO },
	{ RULE("pmp_rwx_check"),
	  "R and W",
	  0,
	  { { NAPOT | RW, RANGE(BASE, 4096) } },
	  S,
	  BASE,
	  RW },
	{ RULE("pmp_rwx_check"),
	  "locked, for S",
	  0,
	  { { L | NAPOT | RX, RANGE(BASE, 4096) } },
	  S,
	  BASE,
	  RX },
	{ RULE("pmp_l_bit_m_mode_enforcement"),
	  "without L, M may",
	  0,
	  { { NAPOT | RO, RANGE(BASE, 4096) } },
	  M,
	  BASE,
	  RWX },
	{ RULE("pmp_l_bit_m_mode_enforcement"),
	  "with L, it may not",
	  0,
	  { { L | NAPOT | RO, RANGE(BASE, 4096) } },
	  M,
	  BASE,
	  RO },
	{ RULE("pmp_mmode_locking"),
	  "a locked range of nothing",
	  0,
	  { { L | NAPOT, RANGE(BASE, 4096) } },
	  M,
	  BASE,
	  0 },
};

TEST_ROWS(a_page_is_as_its_entry_says, match_rows)
{
	const struct match_row *row = &match_rows[_i];

	shows(row->rule);
	for (unsigned i = 0; i < 2; i++) {
		const struct scheme *s = i ? SV39 : SV32;
		struct fixture f;

		if (row->xlen && row->xlen != s->xlen)
			continue;
		fixture_init(&f, s, 0);
		f.h->satp = 0;
		f.h->mode = row->mode;
		set_entries(f.h, row->entries);
		for (enum pmu_access k = FETCH; k <= STORE; k++) {
			static const uint8_t need[] = { XO, RO, 2 };
			struct answer a = ask(&f, k, row->addr);

			ck_assert_msg(a.ok == !!(row->perms & need[k]),
				      "%s, RV%u: access %u", row->why, s->xlen,
				      k);
			if (a.ok)
				ck_assert_uint_eq(a.perms, row->perms);
			else
				ck_assert_uint_eq(a.cause, access_faults[k]);
		}
		fixture_fini(&f);
	}
}

/* The effective mode: whom an entry without L holds for. */
static const struct mprv_row {
	const char *why;
	uint64_t mstatus;
	enum pmu_access access;
	bool ok;
} mprv_rows[] = {
	{ "M", 0, LOAD, true },
	{ "MPP without MPRV", 0, STORE, true },
	{ "MPRV, MPP = M", MSTATUS_MPRV | 3u << 11, LOAD, true },
	{ "MPRV, MPP = S: data", MSTATUS_MPRV | 1u << 11, LOAD, false },
	{ "MPRV, MPP = S: stores", MSTATUS_MPRV | 1u << 11, STORE, false },
	{ "MPRV, MPP = U: data", MSTATUS_MPRV, LOAD, false },
	{ "MPRV, MPP = U: not fetches", MSTATUS_MPRV, FETCH, true },
	{ "MPRV, MPP = S: not fetches", MSTATUS_MPRV | 1u << 11, FETCH, true },
};

TEST_ROWS(the_effective_mode_is_whom_pmp_asks_for, mprv_rows)
{
	static const struct entry nothing[MAX_ENTRIES] = {
		{ NAPOT, RANGE(BASE, 4096) },
	};
	const struct mprv_row *row = &mprv_rows[_i];
	struct fixture f;
	struct answer a;

	shows(RULE("pmp_check_priv_modes"));
	fixture_init(&f, SV39, 0);
	f.h->satp = 0;
	f.h->mode = M;
	f.h->mstatus = row->mstatus;
	set_entries(f.h, nothing);
	a = ask(&f, row->access, BASE);
	ck_assert_msg(a.ok == row->ok, "%s", row->why);
	if (!a.ok)
		ck_assert_uint_eq(a.cause, access_faults[row->access]);
	fixture_fini(&f);
}

SUITE("pmp");
