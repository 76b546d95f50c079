/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SSE, the attributes: ranges and addresses that read_attrs and write_attrs
 * take, who may write what in which state, and that a refused write of several
 * changes none. Names of tables are SBI 3.0's.
 */
#include "fw-cpu.h"

enum {
	NO = SBI_ERR_NOT_SUPPORTED,
	BAD = SBI_ERR_INVALID_PARAM,
	DENIED = SBI_ERR_DENIED,
	ADDRESS = SBI_ERR_INVALID_ADDRESS,
	STATE = SBI_ERR_INVALID_STATE,
	RANGE = SBI_ERR_BAD_RANGE,
	AT = 0x100, /* in RAM */
};

static struct bench b;
static struct cpu c;

static void begin(const struct opts *o)
{
	struct opts two = *o;

	two.n_harts = 2;
	bench_init(&b, &two);
	cpu_init(&c, &b, 0);
}

#define GOOD (RAM_BASE + AT)
#define END  (RAM_BASE + RAM_SIZE)
#define HUGE UINT64_C(0x100000000)

/* SSE Event Attributes Read Errors; those of writing are the same. */
static const struct range_row {
	const char *why;
	unsigned xlen;
	uint64_t event, base, n, lo, hi;
	int spec, opensbi;
} range_rows[] = {
	{ "one", 64, LOCAL, CONFIG, 1, GOOD, 0, 0, 0 },
	{ "32 bits of base and count", 64, LOCAL, HUGE + CONFIG, HUGE + 1, GOOD,
	  0, 0, 0 },
	{ "none", 64, LOCAL, CONFIG, 0, GOOD, 0, BAD, BAD },
	{ "the last", 64, LOCAL, I_A7, 2, GOOD, 0, RANGE, RANGE },
	{ "behind the last", 64, LOCAL, N_ATTRS, 1, GOOD, 0, RANGE, RANGE },
	{ "more than there are", 64, LOCAL, 0, N_ATTRS + 1, GOOD, 0, RANGE,
	  RANGE },
	{ "wrapping", 64, LOCAL, UINT32_MAX, 2, GOOD, 0, RANGE, RANGE },
	{ "as many as can be", 64, LOCAL, 1, UINT32_MAX, GOOD, 0, RANGE,
	  RANGE },
	{ "not aligned", 64, LOCAL, CONFIG, 1, GOOD + 4, 0, ADDRESS, ADDRESS },
	{ "aligned on RV32", 32, LOCAL, CONFIG, 1, GOOD + 4, 0, 0, 0 },
	{ "not aligned on RV32", 32, LOCAL, CONFIG, 1, GOOD + 2, 0, ADDRESS,
	  ADDRESS },
	{ "no RAM", 64, LOCAL, CONFIG, 1, 0, 0, ADDRESS, ADDRESS },
	{ "the last of RAM", 64, LOCAL, CONFIG, 1, END - 8, 0, 0, 0 },
	{ "over the end", 64, LOCAL, CONFIG, 2, END - 8, 0, ADDRESS, ADDRESS },
	{ "beyond RV64", 64, LOCAL, CONFIG, 1, GOOD, 1, ADDRESS, ADDRESS },
	{ "wrapping address", 64, LOCAL, CONFIG, 1, UINT64_MAX - 7, 0, ADDRESS,
	  ADDRESS },
	{ "reserved event", 64, 2, CONFIG, 1, GOOD, 0, BAD, BAD },
	{ "event not supported", 64, 0, CONFIG, 1, GOOD, 0, NO, NO },
	{ "event and range", 64, 0, N_ATTRS, 1, GOOD, 0, NO, RANGE },
	{ "event and address", 64, 0, CONFIG, 1, 0, 0, NO, ADDRESS },
	{ "count and range", 64, LOCAL, N_ATTRS, 0, GOOD, 0, BAD, BAD },
	{ "range and address", 64, LOCAL, N_ATTRS, 1, 0, 0, RANGE, RANGE },
};

/* Writing CONFIG, and what follows is read-only where there are more. */
TEST_TIMES(ranges_are_checked_in_order, 2 * ARRAY_SIZE(range_rows))
{
	const struct range_row *row = &range_rows[_i / 2];
	int want = _i & 1 ? row->opensbi : row->spec;
	struct opts o = { .profile = _i & 1, .xlen = row->xlen };

	begin(&o);
	ck_assert_msg(TRY(&c, READ_ATTRS, row->event, row->base, row->n,
			  row->lo, row->hi) == want,
		      "%s", row->why);
	ck_assert_msg(TRY(&c, WRITE_ATTRS, row->event, row->base, row->n,
			  row->lo, row->hi) == want,
		      "%s, writing", row->why);
	bench_fini(&b);
}

/* 34 bits of address, which the reference cannot reach (C141). */
TEST_TIMES(rv32_addresses_have_34_bits, 2)
{
	struct opts o = { .profile = _i, .xlen = 32 };

	shows(RULE("C141"));
	begin(&o);
	b.ram_base = HUGE;
	ck_assert_int_eq(TRY(&c, READ_ATTRS, LOCAL, 0, 1, AT, 1),
			 _i ? ADDRESS : 0);
	ck_assert_int_eq(TRY(&c, READ_ATTRS, LOCAL, 0, 1, AT, 4), ADDRESS);
	bench_fini(&b);
}

/* From the start of the memory on, XLEN/8 bytes each, nothing behind them. */
TEST_TIMES(attributes_lie_side_by_side, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	unsigned size = _i ? 4 : 8;

	shows(RULE("SSE-06"));
	begin(&o);
	SSE(&c, REGISTER, LOCAL, RAM_BASE + 0x20, 0x55);
	memset(b.ram + AT, 0xee, 64);
	ck_assert_int_eq(TRY(&c, READ_ATTRS, LOCAL, PREFERRED_HART, 3, GOOD),
			 0);
	ck_assert_uint_eq(bench_load(&b, AT, size), 0);
	ck_assert_uint_eq(bench_load(&b, AT + size, size), RAM_BASE + 0x20);
	ck_assert_uint_eq(bench_load(&b, AT + 2 * size, size), 0x55);
	ck_assert_uint_eq(bench_load(&b, AT + 3 * size, 1), 0xee);
	bench_fini(&b);
}

TEST_TIMES(all_attributes_are_read_at_once, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	unsigned size = _i ? 4 : 8;

	shows(RULE("SSE-06"));
	begin(&o);
	cpu_want(&c, LOCAL);
	memset(b.ram + AT, 0xee, 2 * N_ATTRS * size);
	ck_assert_int_eq(TRY(&c, READ_ATTRS, LOCAL, 0, N_ATTRS, GOOD), 0);
	for (unsigned i = 0; i < N_ATTRS; i++) {
		uint64_t at_once = bench_load(&b, AT + i * size, size);

		ck_assert_msg(at_once == cpu_attr(&c, LOCAL, i), "%u", i);
	}
	ck_assert_uint_eq(bench_load(&b, AT + N_ATTRS * size, 1), 0xee);
	bench_fini(&b);
}

/* By its hartid: a hart for its own events, the first for the global ones. */
TEST_TIMES(a_hart_is_preferred_from_the_start, 2)
{
	struct opts o = { .profile = _i, .first_hartid = 7 };
	struct cpu other;

	begin(&o);
	cpu_init(&other, &b, 1);
	ck_assert_uint_eq(cpu_attr(&c, LOCAL, PREFERRED_HART), 7);
	ck_assert_uint_eq(cpu_attr(&other, LOCAL, PREFERRED_HART), 8);
	ck_assert_uint_eq(cpu_attr(&c, GLOBAL, PREFERRED_HART), 7);
	ck_assert_uint_eq(cpu_attr(&other, GLOBAL, PREFERRED_HART), 7);
	bench_fini(&b);
}

/* SSE Event Attributes: reset values. */
TEST_TIMES(attributes_begin_as_zero, 2)
{
	static const uint64_t events[] = { OVERFLOW, LOCAL, GLOBAL };
	struct opts o = { .profile = _i };

	begin(&o);
	for (unsigned e = 0; e < ARRAY_SIZE(events); e++)
		for (unsigned i = 0; i < N_ATTRS; i++)
			ck_assert_uint_eq(cpu_attr(&c, events[e], i) &
						  (i ? ~0ull : ~8ull),
					  0);
	bench_fini(&b);
}

/* In which states a legal value is taken: bit n, state n. */
static const struct access_row {
	const char *why;
	uint64_t event;
	unsigned attr;
	uint64_t legal, illegal; /* illegal: 0 where there is none */
	bool read_only;
	unsigned states;
} access_rows[] = {
	{ "status", LOCAL, STATUS, 0, 0, true, 0 },
	{ "priority", LOCAL, PRIORITY, UINT32_MAX, HUGE, false, 3 },
	{ "config", LOCAL, CONFIG, 1, 2, false, 3 },
	{ "hart of a local event", LOCAL, PREFERRED_HART, 0, 0, true, 0 },
	{ "hart of a global event", GLOBAL, PREFERRED_HART, 1, 2, false, 3 },
	{ "entry", LOCAL, ENTRY_PC, 0, 0, true, 0 },
	{ "argument", LOCAL, ENTRY_ARG, 0, 0, true, 0 },
	{ "sepc", LOCAL, I_SEPC, ~7ull, 0, false, 8 },
	{ "flags", LOCAL, I_FLAGS, 0x3f, 0x40, false, 8 },
	{ "the last flag", LOCAL, I_FLAGS, 0, 1ull << 63, false, 8 },
	{ "a6", LOCAL, I_A6, ~0ull, 0, false, 8 },
	{ "a7", LOCAL, I_A7, ~0ull, 0, false, 8 },
	{ "flags of a global event", GLOBAL, I_FLAGS, 0, 0x40, false, 8 },
};

static void reach(uint64_t event, unsigned state)
{
	if (state >= REGISTERED)
		SSE(&c, REGISTER, event, handler_of(event));
	if (state >= ENABLED)
		SSE(&c, ENABLE, event);
	if (state < RUNNING)
		return;
	SSE(&c, UNMASK, 0);
	SSE(&c, INJECT, event, 0);
	ck_assert_uint_eq(c.pc, handler_of(event));
}

static int write_one(uint64_t event, unsigned attr, uint64_t value)
{
	bench_store(&b, AT, value, 8);
	return TRY(&c, WRITE_ATTRS, event, attr, 1, GOOD);
}

/* Read-only before the state, the state before the value. */
TEST_TIMES(attributes_are_written_when_they_may, 4 * ARRAY_SIZE(access_rows))
{
	const struct access_row *row = &access_rows[_i / 4];
	unsigned state = (unsigned)_i % 4;
	bool may = row->states >> state & 1;
	int refused = row->read_only ? DENIED : STATE;
	struct opts o = { 0 };
	uint64_t before;

	begin(&o);
	reach(row->event, state);
	before = cpu_attr(&c, row->event, row->attr);
	if (row->illegal || row->read_only)
		ck_assert_msg(write_one(row->event, row->attr, row->illegal) ==
				      (may ? BAD : refused),
			      "%s", row->why);
	ck_assert_uint_eq(cpu_attr(&c, row->event, row->attr), before);
	ck_assert_msg(write_one(row->event, row->attr, row->legal) ==
			      (may ? 0 : refused),
		      "%s", row->why);
	ck_assert_uint_eq(cpu_attr(&c, row->event, row->attr),
			  may ? row->legal : before);
	bench_fini(&b);
}

/* What a handler saved is its hart's to change. */
TEST(only_the_hart_that_handles_changes_what_it_resumes)
{
	struct opts o = { 0 };
	const uint64_t args[6] = { GLOBAL, I_A6, 1, GOOD };

	begin(&o);
	reach(GLOBAL, RUNNING);
	ck_assert_int_eq(bench_call(&b, 1, SSE_EID, WRITE_ATTRS, args).error,
			 STATE);
	ck_assert_int_eq(bench_call(&b, 0, SSE_EID, WRITE_ATTRS, args).error,
			 0);
	bench_fini(&b);
}

/* The reference wants the preferred hart started. */
TEST_TIMES(a_stopped_hart_may_be_preferred, 2)
{
	static const uint64_t stop[8] = { [6] = 1, [7] = HSM_EID };
	struct opts o = { .profile = _i };
	struct sbi_ret ret;

	begin(&o);
	fw_sbi_call(b.fw, 1, 0, stop, &ret);
	ck_assert_int_eq(write_one(GLOBAL, PREFERRED_HART, 1), _i ? BAD : 0);
	ck_assert_int_eq(write_one(GLOBAL, PREFERRED_HART, 0), 0);
	bench_fini(&b);
}

/* Values of PRIORITY and CONFIG, PREFERRED_HART, ...: the first error counts.
 */
static const struct several_row {
	const char *why;
	uint64_t event;
	unsigned base, n;
	uint64_t value[4];
	int error;
} several_rows[] = {
	{ "both", LOCAL, PRIORITY, 2, { 9, 1 }, 0 },
	{ "the second is illegal", LOCAL, PRIORITY, 2, { 9, 2 }, BAD },
	{ "the first is read-only", LOCAL, STATUS, 2, { 0, 9 }, DENIED },
	{ "the third is read-only", LOCAL, PRIORITY, 3, { 9, 1, 0 }, DENIED },
	{ "illegal before read-only", LOCAL, PRIORITY, 3, { 9, 2, 0 }, BAD },
	{ "read-only before illegal", GLOBAL, STATUS, 3, { 0, 9, 2 }, DENIED },
	{ "three of a global event", GLOBAL, PRIORITY, 3, { 9, 1, 1 }, 0 },
	{ "a wrong state behind", GLOBAL, I_SEPC, 2, { 0, 0x40 }, STATE },
};

TEST_ROWS(several_are_written_or_none, several_rows)
{
	const struct several_row *row = &several_rows[_i];
	struct opts o = { 0 };

	begin(&o);
	for (unsigned i = 0; i < row->n; i++)
		bench_store(&b, AT + 8 * i, row->value[i], 8);
	ck_assert_msg(TRY(&c, WRITE_ATTRS, row->event, row->base, row->n,
			  GOOD) == row->error,
		      "%s", row->why);
	ck_assert_uint_eq(cpu_attr(&c, row->event, PRIORITY),
			  row->error ? 0 : 9);
	ck_assert_uint_eq(cpu_attr(&c, row->event, CONFIG), !row->error);
	bench_fini(&b);
}

SUITE("sse-attr");
