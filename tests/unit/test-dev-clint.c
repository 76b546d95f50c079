/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CLINT: registers by width, and the exact cycle at which each timer line
 * changes. One tick is 100 cycles.
 */
#include <pmu/rule.h>

#include "board-host.h"

#define MSIP(n)	    (BOARD_CLINT_BASE + 4 * (n))
#define MTIMECMP(n) (BOARD_CLINT_BASE + 0x4000 + 8 * (n))
#define MTIME	    (BOARD_CLINT_BASE + 0xbff8)

static void setup(void)
{
	board_host_setup(4, false);
}

TEST(msip_has_one_bit_per_hart)
{
	ck_assert(wr(MSIP(2), 4, 0xffffffff, 0));
	ck_assert(host.line[PMU_IRQ_MSI][2]);
	ck_assert_uint_eq(host.n_irqs, 1);
	ck_assert_uint_eq(rd(MSIP(2), 4, 0), 1);
	ck_assert_uint_eq(rd(MSIP(1), 4, 0), 0);
	ck_assert(wr(MSIP(2), 4, 0xfffffffe, 0));
	ck_assert(!host.line[PMU_IRQ_MSI][2]);
	ck_assert_uint_eq(rd(MSIP(2), 4, 0), 0);
}

TEST(an_unchanged_line_is_not_driven_again)
{
	wr(MSIP(0), 4, 1, 0);
	wr(MSIP(0), 4, 1, 0);
	ck_assert_uint_eq(host.n_irqs, 1);
	wr(MTIMECMP(0), 8, 0, 0);
	wr(MTIMECMP(0), 8, 0, 0);
	ck_assert_uint_eq(host.n_irqs, 2);
}

TEST(eight_bytes_of_msip_are_two_harts)
{
	ck_assert(wr(MSIP(2), 8, 0x100000001, 0));
	ck_assert(host.line[PMU_IRQ_MSI][2] && host.line[PMU_IRQ_MSI][3]);
	ck_assert_uint_eq(rd(MSIP(2), 8, 0), 0x100000001);
}

TEST(registers_of_absent_harts_do_nothing)
{
	ck_assert(wr(MSIP(4), 4, 1, 0));
	ck_assert(wr(MTIMECMP(4), 8, 0, 0));
	ck_assert_uint_eq(host.n_irqs, 0);
	ck_assert_uint_eq(rd(MSIP(4), 4, 0), 0);
	ck_assert_uint_eq(rd(MTIMECMP(4), 8, 0), 0);
	/* the second of two */
	board_host_setup(3, false);
	ck_assert(wr(MSIP(2), 8, 0x100000001, 0));
	ck_assert_uint_eq(host.n_irqs, 1);
	ck_assert_uint_eq(rd(MSIP(2), 8, 0), 1);
}

/* Before and behind each register, at a time that is not 0. */
TEST(what_is_no_register_reads_as_zero_and_takes_no_write)
{
	static const uint64_t none[] = { 0x100,	 0x3ff8, 0x4020,
					 0xbff0, 0xc000, 0xfff8 };

	for (unsigned i = 0; i < ARRAY_SIZE(none); i++) {
		uint64_t at = BOARD_CLINT_BASE + none[i];

		ck_assert(wr(at, 8, UINT64_MAX, 1000));
		ck_assert_uint_eq(rd(at, 8, 1000), 0);
		ck_assert_uint_eq(rd(at + 4, 4, 1000), 0);
	}
	ck_assert_uint_eq(rd(MTIME, 8, 1000), 10);
	ck_assert_uint_eq(host.n_irqs, 0);
	ck_assert_uint_eq(host.n_timer_changed, 0);
}

TEST(narrow_accesses_fault)
{
	ck_assert(!wr(MSIP(0), 1, 1, 0));
	ck_assert(!wr(MTIMECMP(0), 2, 1, 0));
	ck_assert(rd_faults(MTIME, 1));
}

TEST(mtime_is_the_clock_in_ticks)
{
	shows(RULE("mtime_op mtime_acc mtime_sz mtime_enc_img"));
	ck_assert_uint_eq(rd(MTIME, 8, 0), 0);
	ck_assert_uint_eq(rd(MTIME, 8, 99), 0);
	ck_assert_uint_eq(rd(MTIME, 8, 100), 1);
	ck_assert_uint_eq(rd(MTIME, 4, 100ull * 0x123456789), 0x23456789);
	ck_assert_uint_eq(rd(MTIME + 4, 4, 100ull * 0x123456789), 1);
}

TEST(mtimecmp_is_written_whole_or_by_halves)
{
	shows(RULE("mtime_mtimecmp_rv64_wr"));
	ck_assert_uint_eq(rd(MTIMECMP(1), 8, 0), UINT64_MAX);
	wr(MTIMECMP(1), 4, 0x11111111, 0);
	ck_assert_uint_eq(rd(MTIMECMP(1), 8, 0), 0xffffffff11111111);
	wr(MTIMECMP(1) + 4, 4, 0x22222222, 0);
	ck_assert_uint_eq(rd(MTIMECMP(1), 8, 0), 0x2222222211111111);
	ck_assert_uint_eq(rd(MTIMECMP(1) + 4, 4, 0), 0x22222222);
	wr(MTIMECMP(1), 8, 5, 0);
	ck_assert_uint_eq(rd(MTIMECMP(1), 4, 0), 5);
	ck_assert_uint_eq(host.n_timer_changed, 3);
}

static const struct timer_row {
	const char *why;
	uint64_t offset, cmp, written_at, rises;
} timer_rows[] = {
	{ "at the tick of mtimecmp", 0, 5, 0, 500 },
	{ "at the tick, wherever the write was", 0, 5, 450, 500 },
	{ "at once when mtimecmp has passed", 0, 5, 500, 500 },
	{ "at once, later", 0, 5, 777, 777 },
	{ "zero is always reached", 0, 0, 7, 7 },
	{ "with an offset", 1000, 1005, 3, 500 },
	{ "with an offset below zero", 0 - 10ull, 3, 2000, 2000 },
	{ "an offset below zero has not wrapped yet", 0 - 10ull, 0 - 4ull, 0,
	  600 },
	{ "never", 0, UINT64_MAX, 0, UINT64_MAX },
	{ "beyond the clock", 0 - 10ull, 0 - 5ull, 2000, UINT64_MAX },
};

TEST_ROWS(mtip_rises_at_the_exact_cycle, timer_rows)
{
	const struct timer_row *row = &timer_rows[_i];

	shows(RULE("mtime_intr_pending"));
	host.tb.offset = row->offset;
	wr(MTIMECMP(3), 8, row->cmp, row->written_at);
	if (row->rises == row->written_at) {
		ck_assert_msg(host.line[PMU_IRQ_MTI][3], "%s", row->why);
		return;
	}
	ck_assert_msg(!host.line[PMU_IRQ_MTI][3], "%s", row->why);
	ck_assert_msg(board_timer_next(host.board, 3) == row->rises, "%s: %llu",
		      row->why,
		      (unsigned long long)board_timer_next(host.board, 3));
	board_timer_run(host.board, row->rises - 1);
	ck_assert_msg(!host.line[PMU_IRQ_MTI][3], "%s", row->why);
	if (row->rises == UINT64_MAX)
		return;
	board_timer_run(host.board, row->rises);
	ck_assert_msg(host.line[PMU_IRQ_MTI][3], "%s", row->why);
	ck_assert(!host.line[PMU_IRQ_MTI][0] && !host.line[PMU_IRQ_MTI][2]);
}

TEST(a_later_mtimecmp_clears_mtip)
{
	shows(RULE("mtime_intr_mtip_visibility"));
	wr(MTIMECMP(0), 8, 1, 100);
	ck_assert(host.line[PMU_IRQ_MTI][0]);
	wr(MTIMECMP(0), 8, 2, 100);
	ck_assert(!host.line[PMU_IRQ_MTI][0]);
	ck_assert_uint_eq(board_timer_next(host.board, 0), 200);
}

TEST(writing_mtime_moves_time_and_every_timer)
{
	shows(RULE("mtime_acc mtime_mtimecmp_rv64_wr"));
	wr(MTIMECMP(0), 8, 10, 0);
	wr(MTIMECMP(1), 8, 1000, 0);
	wr(MTIME, 8, 1000, 50);
	ck_assert(host.line[PMU_IRQ_MTI][0] && host.line[PMU_IRQ_MTI][1] &&
		  !host.line[PMU_IRQ_MTI][2]);
	ck_assert_uint_eq(rd(MTIME, 8, 50), 1000);
	ck_assert_uint_eq(rd(MTIME, 8, 100), 1001);
	wr(MTIME, 8, 5, 100);
	ck_assert(!host.line[PMU_IRQ_MTI][0] && !host.line[PMU_IRQ_MTI][1]);
	ck_assert_uint_eq(board_timer_next(host.board, 0), 600);
	ck_assert_uint_eq(host.n_timer_changed, 4);
}

TEST(mtime_is_written_by_halves)
{
	wr(MTIME + 4, 4, 7, 100);
	ck_assert_uint_eq(rd(MTIME, 8, 100), 0x700000001);
	wr(MTIME, 4, 0x55, 100);
	ck_assert_uint_eq(rd(MTIME, 8, 100), 0x700000055);
}

TEST(mtip_falls_when_mtime_wraps)
{
	shows(RULE("mtime_wrap"));
	wr(MTIMECMP(0), 8, 3, 0);
	wr(MTIME, 8, 0 - 2ull, 0);
	ck_assert(host.line[PMU_IRQ_MTI][0]);
	ck_assert_uint_eq(board_timer_next(host.board, 0), 200);
	board_timer_run(host.board, 200);
	ck_assert(!host.line[PMU_IRQ_MTI][0]);
	ck_assert_uint_eq(board_timer_next(host.board, 0), 500);
	board_timer_run(host.board, 500);
	ck_assert(host.line[PMU_IRQ_MTI][0]);
}

/* The first cycle at which some hart's line changes. */
static uint64_t next_change(void)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < 4; i++)
		if (board_timer_next(host.board, i) < first)
			first = board_timer_next(host.board, i);
	return first;
}

TEST(lines_follow_time_at_every_cycle)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 4; i++)
		wr(MTIMECMP(i), 8, 3 * i + 1, 0);
	for (uint64_t now = 0; now < 3000; now++) {
		if (next_change() <= now)
			board_timer_run(host.board, now);
		seed = seed * 6364136223846793005ull + 1;
		if (seed >> 59 == 0)
			wr(MTIMECMP(seed >> 40 & 3), 8,
			   now / 100 + (seed >> 50 & 3), now);
		for (unsigned i = 0; i < 4; i++)
			ck_assert_int_eq(host.line[PMU_IRQ_MTI][i],
					 rd(MTIME, 8, now) >=
						 rd(MTIMECMP(i), 8, now));
	}
}

SUITE("dev-clint", .setup = setup, .teardown = board_host_teardown);
