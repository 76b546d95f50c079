/* SPDX-License-Identifier: BSD-2-Clause */
/* What a tree describes and the board lacks: all ones, and the rest as it was.
 */
#include "board-host.h"

static const struct vacant_range ranges[] = {
	{ 0x10001000, 0x1000, "taken" }, /* the second UART is there */
	{ 0x10100000, 0x18, "fw-cfg" },
	{ 0x20000ffc, 0x8, "over two pages" },
	{ BOARD_CLINT_BASE, BOARD_CLINT_SIZE, "clint" },
	{ 0x80000000, 0x100000, "over RAM" },
	{ UINT64_MAX - 0xf, 0xf, "at the end" },
};

static void setup(void)
{
	board_host_setup(2, false);
	board_set_vacant(host.board, ranges,
			 sizeof(ranges) / sizeof(ranges[0]));
}

static const struct page_row {
	uint64_t paddr;
	enum board_page want;
} pages[] = {
	{ 0x10100000, BOARD_PAGE_DEVICE }, { 0x10100fff, BOARD_PAGE_DEVICE },
	{ 0x10101000, BOARD_PAGE_NONE },   { 0x100fffff, BOARD_PAGE_NONE },
	{ 0x20000000, BOARD_PAGE_DEVICE }, { 0x20001000, BOARD_PAGE_DEVICE },
	{ 0x20002000, BOARD_PAGE_NONE },   { 0x1ffff000, BOARD_PAGE_NONE },
	{ 0x80000000, BOARD_PAGE_RAM },	   { 0x8000ffff, BOARD_PAGE_RAM },
	{ 0x80010000, BOARD_PAGE_DEVICE }, { 0x80100000, BOARD_PAGE_NONE },
	{ UINT64_MAX, BOARD_PAGE_DEVICE }, { 0, BOARD_PAGE_NONE },
};

TEST_ROWS(pages_are_devices_where_a_range_touches_them, pages)
{
	ck_assert_msg(board_page(host.board, pages[_i].paddr) == pages[_i].want,
		      "0x%llx", (unsigned long long)pages[_i].paddr);
}

static const struct load_row {
	uint64_t paddr;
	unsigned size;
	uint64_t want; /* 0: access fault */
} loads[] = {
	{ 0x10100000, 1, 0xff },
	{ 0x10100000, 2, 0xffff },
	{ 0x10100014, 4, 0xffffffff },
	{ 0x10100010, 8, UINT64_MAX },
	{ 0x10100016, 4, 0 },
	{ 0x10100018, 1, 0 },
	{ 0x10100017, 1, 0xff },
	{ 0x10100001, 2, 0 },
	{ 0x20000ff8, 8, 0 },
	{ 0x20001000, 4, 0xffffffff },
	{ 0x20001004, 1, 0 },
	{ 0x80010000, 8, UINT64_MAX },
	{ UINT64_MAX - 0xf, 8, UINT64_MAX },
	{ UINT64_MAX - 1, 1, 0xff },
	{ UINT64_MAX, 1, 0 },
};

TEST_ROWS(loads_are_all_ones_within_a_range, loads)
{
	const struct load_row *row = &loads[_i];

	if (row->want)
		ck_assert_uint_eq(rd(row->paddr, row->size, 0), row->want);
	else
		ck_assert(rd_faults(row->paddr, row->size));
}

TEST(stores_do_nothing)
{
	ck_assert(wr(0x10100000, 4, 5, 0));
	ck_assert_uint_eq(rd(0x10100000, 4, 0), 0xffffffff);
	ck_assert(!wr(0x10100018, 4, 5, 0));
}

TEST(the_first_access_to_each_is_told)
{
	rd(0x10100000, 1, 0);
	ck_assert_uint_eq(host.n_vacant, 1);
	ck_assert_str_eq(board_vacant(host.board, host.vacant)->node, "fw-cfg");
	wr(0x10100008, 1, 0, 0);
	ck_assert_uint_eq(host.n_vacant, 1);
	wr(0x20001000, 1, 0, 0);
	ck_assert_uint_eq(host.n_vacant, 2);
	ck_assert_str_eq(board_vacant(host.board, host.vacant)->node,
			 "over two pages");
	memset(host.line, true, sizeof(host.line)); /* as a reset takes them */
	board_reset(host.board);
	rd(0x10100000, 1, 0);
	ck_assert_uint_eq(host.n_vacant, 2);
}

TEST(devices_and_memory_of_the_board_answer_themselves)
{
	ck_assert_uint_eq(rd(0x10001005, 1, 0), 0x60); /* LSR of the UART */
	ck_assert_uint_eq(rd(0x80000000, 8, 0), 0);
	ck_assert_uint_eq(rd(BOARD_CLINT_BASE, 4, 0), 0);
	ck_assert_uint_eq(host.n_vacant, 0);
}

TEST(the_firmwares_clint_stays_its_own)
{
	board_host_setup(2, true);
	board_set_vacant(host.board, ranges,
			 sizeof(ranges) / sizeof(ranges[0]));
	ck_assert_int_eq(board_page(host.board, BOARD_CLINT_BASE),
			 BOARD_PAGE_NONE);
	ck_assert(rd_faults(BOARD_CLINT_BASE, 4));
	/* which is no reason against the others */
	ck_assert_int_eq(board_page(host.board, 0x10100000), BOARD_PAGE_DEVICE);
	ck_assert_int_eq(board_page(host.board, 0x20001000), BOARD_PAGE_DEVICE);
}

SUITE("dev-vacant", .setup = setup, .teardown = board_host_teardown);
