/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RFENCE: the HFENCE functions and their events, what the arguments may be.
 * SFENCE and FENCE.I events are test-fw-events.c's.
 */
#include "fw-fixture.h"

enum {
	FENCE_I,
	SFENCE,
	SFENCE_ASID,
	GVMA_VMID,
	GVMA,
	VVMA_ASID,
	VVMA,
};
enum {
	N_HARTS = 3,
	FIRST_HFENCE_EVENT = 14,
	END_HFENCE_EVENTS = 22
};

#define H		    PMU_EXT_H
#define RFENCE(b, fid, ...) ((int)CALL(b, RFENCE_EID, fid, __VA_ARGS__).error)

static const struct hfence_row {
	const char *why;
	uint32_t fid;
	enum fw_fence_kind kind;
	unsigned sent; /* the event; the one received follows */
} hfence_rows[] = {
	{ "hfence.gvma", GVMA, FW_HFENCE_GVMA, 14 },
	{ "hfence.gvma with VMID", GVMA_VMID, FW_HFENCE_GVMA_VMID, 16 },
	{ "hfence.vvma", VVMA, FW_HFENCE_VVMA, 18 },
	{ "hfence.vvma with ASID", VVMA_ASID, FW_HFENCE_VVMA_ASID, 20 },
};

static const struct target_row {
	const char *why;
	uint64_t mask, base;
	int error;
	uint64_t sent[2];	       /* spec, opensbi: on hart 0 */
	uint64_t received[2][N_HARTS]; /* the same, by hart */
} target_rows[] = {
	{ "to another", 2, 0, 0, { 1, 1 }, { { 0, 1, 0 }, { 0, 1, 0 } } },
	{ "to self", 1, 0, 0, { 0, 1 }, { { 0, 0, 0 }, { 1, 0, 0 } } },
	{ "to all", 0, UINT64_MAX, 0, { 1, 1 }, { { 0, 1, 1 }, { 1, 1, 1 } } },
	{ "to nobody", 0, 0, 0, { 0, 1 }, { { 0 }, { 0 } } },
	{ "one is not there", 9, 0, -3, { 0, 1 }, { { 0 }, { 0 } } },
};
enum {
	N_HFENCE_TESTS = ARRAY_SIZE(hfence_rows) * ARRAY_SIZE(target_rows) * 2
};

TEST_TIMES(hfences_count_as_what_they_are, N_HFENCE_TESTS)
{
	const struct hfence_row *row = &hfence_rows[_i / 2 % 4];
	const struct target_row *to = &target_rows[_i / 8];
	struct opts o = { .profile = _i & 1, .n_harts = N_HARTS, .with = H };
	struct bench b;

	shows(RULE("C92 C93 C94"));
	bench_init(&b, &o);
	ck_assert_msg(RFENCE(&b, row->fid, to->mask, to->base) == to->error,
		      "%s %s", row->why, to->why);
	for (unsigned e = FIRST_HFENCE_EVENT; e < END_HFENCE_EVENTS; e++) {
		for (unsigned h = 0; h < N_HARTS; h++) {
			uint64_t want = e == row->sent && !h ? to->sent[_i & 1]
					: e == row->sent + 1
						? to->received[_i & 1][h]
						: 0;

			ck_assert_msg(fw_event_total(b.fw, h, e) == want,
				      "%s %s: event %u of hart %u", row->why,
				      to->why, e, h);
		}
	}
	for (unsigned i = 0; i < b.n_fences; i++)
		ck_assert_int_eq(b.fences[i].kind, row->kind);
	bench_fini(&b);
}

/* Whatever the hart mask: without H there is no such function. */
TEST_TIMES(without_h_there_are_no_hfences, 8)
{
	struct opts o = { .profile = _i & 1, .n_harts = N_HARTS };
	uint32_t fid = GVMA_VMID + (uint32_t)_i / 2;
	struct bench b;

	shows(RULE("C202"));
	bench_init(&b, &o);
	ck_assert_int_eq(RFENCE(&b, fid, 2, 0), SBI_ERR_NOT_SUPPORTED);
	ck_assert_int_eq(RFENCE(&b, fid, 0x10, 0), SBI_ERR_NOT_SUPPORTED);
	ck_assert_uint_eq(b.n_fences, 0);
	for (unsigned e = 0; e < END_HFENCE_EVENTS; e++)
		for (unsigned h = 0; h < N_HARTS; h++)
			ck_assert_uint_eq(fw_event_total(b.fw, h, e), 0);
	bench_fini(&b);
}

/* One target without H refuses all, nothing is fenced. */
TEST_TIMES(every_target_must_have_h, 8)
{
	struct opts o = { .profile = _i & 1,
			  .n_harts = N_HARTS,
			  .with = H,
			  .plain_hart = 2 };
	uint32_t fid = GVMA_VMID + (uint32_t)_i / 2;
	struct bench b;

	shows(RULE("C202"));
	bench_init(&b, &o);
	ck_assert_int_eq(RFENCE(&b, fid, 6, 0), SBI_ERR_NOT_SUPPORTED);
	ck_assert_int_eq(RFENCE(&b, fid, 0, UINT64_MAX), SBI_ERR_NOT_SUPPORTED);
	ck_assert_uint_eq(b.n_fences, 0);
	for (unsigned e = FIRST_HFENCE_EVENT; e < END_HFENCE_EVENTS; e++)
		ck_assert_uint_eq(fw_event_total(b.fw, 0, e), 0);
	ck_assert_int_eq(RFENCE(&b, fid, 2, 0), 0);
	ck_assert_uint_eq(b.n_fences, 1);
	bench_fini(&b);
}

#define TOP64 UINT64_C(0xfffffffffffff000)
#define ALL64 UINT64_MAX

/* SBI 3.0, RFENCE: the errors of each function. The reference ignores both. */
static const struct shape_row {
	const char *why;
	unsigned xlen;
	uint32_t fid;
	uint64_t start, size, tag;
	int spec;
} shape_rows[] = {
	{ "everything", 64, SFENCE, 0, 0, 0, 0 },
	{ "everything by size", 64, SFENCE, TOP64, ALL64, 0, 0 },
	{ "nothing", 64, SFENCE, TOP64, 0, 0, 0 },
	{ "up to the end", 64, SFENCE, TOP64, 0x1000, 0, 0 },
	{ "over the end", 64, SFENCE, TOP64, 0x1001, 0, -5 },
	{ "over the end", 64, GVMA, TOP64, 0x1001, 0, -5 },
	{ "over the end", 64, VVMA, TOP64, 0x1001, 0, -5 },
	{ "FENCE.I has no range", 64, FENCE_I, TOP64, 0x1001, 0, 0 },
	{ "no ASID here", 64, SFENCE, 0, 0, ALL64, 0 },
	{ "no ASID here", 64, VVMA, 0, 0, ALL64, 0 },
	{ "no VMID here", 64, GVMA, 0, 0, ALL64, 0 },
	{ "no ASID here", 64, FENCE_I, 0, 0, ALL64, 0 },
	{ "no ASID here", 32, SFENCE, 0, 0, UINT32_MAX, 0 },
	{ "no ASID here", 32, VVMA, 0, 0, UINT32_MAX, 0 },
	{ "no VMID here", 32, GVMA, 0, 0, UINT32_MAX, 0 },
	{ "no ASID here", 32, FENCE_I, 0, 0, UINT32_MAX, 0 },
	{ "largest ASID", 64, SFENCE_ASID, 0, 0, 0xffff, 0 },
	{ "no ASID", 64, SFENCE_ASID, 0, 0, 0x10000, -3 },
	{ "no ASID", 64, VVMA_ASID, 0, 0, 0x10000, -3 },
	{ "no ASID, before the range", 64, SFENCE_ASID, TOP64, 0x1001, 0x10000,
	  -3 },
	{ "largest VMID", 64, GVMA_VMID, 0, 0, 0x3fff, 0 },
	{ "no VMID", 64, GVMA_VMID, 0, 0, 0x4000, -3 },
	{ "largest ASID", 32, SFENCE_ASID, 0, 0, 0x1ff, 0 },
	{ "no ASID", 32, SFENCE_ASID, 0, 0, 0x200, -3 },
	{ "largest VMID", 32, GVMA_VMID, 0, 0, 0x7f, 0 },
	{ "no VMID", 32, GVMA_VMID, 0, 0, 0x80, -3 },
	{ "everything by size", 32, SFENCE, 0xfffff000, UINT32_MAX, 0, 0 },
	{ "up to the end", 32, SFENCE, 0xfffff000, 0x1000, 0, 0 },
	{ "over the end", 32, SFENCE, 0xfffff000, 0x1001, 0, -5 },
};

TEST_TIMES(ranges_and_tags_are_checked, 2 * ARRAY_SIZE(shape_rows))
{
	const struct shape_row *row = &shape_rows[_i / 2];
	struct opts o = { .profile = _i & 1, .xlen = row->xlen, .with = H };
	int want = _i & 1 ? 0 : row->spec;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_msg(RFENCE(&b, row->fid, 1, 0, row->start, row->size,
			     row->tag) == want,
		      "%s", row->why);
	ck_assert_uint_eq(b.n_fences, !want);
	bench_fini(&b);
}

SUITE("sbi-rfence");
