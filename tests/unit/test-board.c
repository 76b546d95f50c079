/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The board: what lies where, what the guest may not touch, the console's
 * queue, the finisher.
 */
#include <errno.h>

#include "board-host.h"
#include "board/dev-plic.h"

/* The linker sends these calls of the board here (--wrap). */
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
int __real_bus_init(struct bus *bus, uint64_t base, uint64_t size);
int __wrap_bus_init(struct bus *bus, uint64_t base, uint64_t size);

static unsigned fail_at; /* 1: the first, 0: none */

static bool fails(void)
{
	return fail_at && !--fail_at;
}

void *__wrap_calloc(size_t n, size_t size)
{
	ck_assert_uint_eq(n, 1);
	return fails() ? NULL : __real_calloc(n, size);
}

int __wrap_bus_init(struct bus *bus, uint64_t base, uint64_t size)
{
	return fails() ? -ENOMEM : __real_bus_init(bus, base, size);
}

TEST(a_board_without_memory_is_none)
{
	struct board_config cfg = { 0x1000, 1, 64,    BOARD_VIRT,
				    false,  0, false, &host.tb };
	struct board *b = NULL;

	for (unsigned n = 1; n <= 2; n++) {
		fail_at = n;
		ck_assert_int_eq(board_new(&b, &cfg, &host_ops, NULL),
				 -BOARD_ENOMEM);
		ck_assert(!b);
	}
}

static void setup(void)
{
	board_host_setup(2, false);
}

static const struct page_row {
	uint64_t paddr;
	enum board_page want;
} page_rows[] = {
	{ 0x0, BOARD_PAGE_NONE },	   { 0x100000, BOARD_PAGE_DEVICE },
	{ 0x100fff, BOARD_PAGE_DEVICE },   { 0x101000, BOARD_PAGE_DEVICE },
	{ 0x101fff, BOARD_PAGE_DEVICE },   { 0x102000, BOARD_PAGE_NONE },
	{ 0x1ffffff, BOARD_PAGE_NONE },	   { 0x2000000, BOARD_PAGE_DEVICE },
	{ 0x200ffff, BOARD_PAGE_DEVICE },  { 0x2010000, BOARD_PAGE_NONE },
	{ 0xbffffff, BOARD_PAGE_NONE },	   { 0xc000000, BOARD_PAGE_DEVICE },
	{ 0xc5fffff, BOARD_PAGE_DEVICE },  { 0xc600000, BOARD_PAGE_NONE },
	{ 0x10000000, BOARD_PAGE_DEVICE }, { 0x10000fff, BOARD_PAGE_DEVICE },
	{ 0x10001000, BOARD_PAGE_DEVICE }, { 0x10002000, BOARD_PAGE_NONE },
	{ 0x7fffffff, BOARD_PAGE_NONE },   { 0x80000000, BOARD_PAGE_RAM },
	{ 0x8000ffff, BOARD_PAGE_RAM },	   { 0x80010000, BOARD_PAGE_NONE },
	{ UINT64_MAX, BOARD_PAGE_NONE },
};

TEST_ROWS(every_page_is_what_the_map_says, page_rows)
{
	const struct page_row *row = &page_rows[_i];

	ck_assert_msg(board_page(host.board, row->paddr) == row->want, "0x%llx",
		      (unsigned long long)row->paddr);
}

TEST(a_plain_board_has_no_interrupt_controller)
{
	board_host_setup_kind(2, false, BOARD_PLAIN);
	ck_assert_int_eq(board_page(host.board, BOARD_PLIC_BASE),
			 BOARD_PAGE_NONE);
	ck_assert(rd_faults(BOARD_PLIC_BASE + 4, 4));
	ck_assert(rd_faults(BOARD_RTC_BASE, 4));
	board_console_input(host.board, (const uint8_t *)"a", 1);
	wr(BOARD_UART_BASE + 1, 1, 1, 0);
	ck_assert_uint_eq(host.n_irqs, 0);
}

TEST(nothing_answers_outside_devices_and_ram)
{
	ck_assert(rd_faults(0x0, 4));
	ck_assert(rd_faults(0x10000100, 1));
	ck_assert(rd_faults(0x80010000, 8));
	ck_assert(rd_faults(0x8000fffc, 8));
	ck_assert(!wr(0x1000, 4, 1, 0));
	ck_assert(!wr(0x8000fffc, 8, 1, 0));
}

/* RAM takes accesses of one to eight bytes. */
TEST(an_access_has_a_size)
{
	for (unsigned size = 0; size <= 9; size++) {
		struct bus_access a = { .size = (uint8_t)size };
		bool good = size && size <= 8;

		ck_assert(board_access(host.board, BOARD_RAM_BASE, &a) == good);
		a.write = true;
		ck_assert(board_access(host.board, BOARD_RAM_BASE, &a) == good);
	}
}

TEST(the_firmwares_clint_faults)
{
	board_host_setup(2, true);
	ck_assert_int_eq(board_page(host.board, BOARD_CLINT_BASE),
			 BOARD_PAGE_NONE);
	ck_assert(rd_faults(BOARD_CLINT_BASE, 4));
	ck_assert(!wr(BOARD_CLINT_BASE + 0x4000, 8, 0, 0));
}

static const struct config_row {
	const char *why;
	struct board_config cfg;
	int want;
} config_rows[] = {
	{ "no hart",
	  { 0x1000, 0, 64, BOARD_VIRT, false, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "65 harts",
	  { 0x1000, 65, 64, BOARD_VIRT, false, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "64 harts",
	  { 0x1000, 64, 64, BOARD_VIRT, false, 0, false, &host.tb },
	  0 },
	{ "one hart, the least RAM",
	  { BOARD_RAM_MIN, 1, 64, BOARD_VIRT, false, 0, false, &host.tb },
	  0 },
	{ "less than the least RAM",
	  { BOARD_RAM_MIN - 0x1000, 1, 64, BOARD_VIRT, false, 0, false,
	    &host.tb },
	  -BOARD_EINVAL },
	{ "a plain board",
	  { 0x1000, 1, 32, BOARD_PLAIN, false, 0, false, &host.tb },
	  0 },
	{ "no RAM",
	  { 0, 1, 64, BOARD_VIRT, false, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "half a page",
	  { 0x1800, 1, 64, BOARD_VIRT, false, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "a 36-bit hart",
	  { 0x1000, 1, 36, BOARD_VIRT, false, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "too much for RV32",
	  { 0x80001000, 1, 32, BOARD_VIRT, false, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "as much as RV32 has",
	  { 0x80000000, 1, 32, BOARD_VIRT, false, 0, false, &host.tb },
	  0 },
	{ "too much for RV64",
	  { BOARD_RAM_MAX_64 + 0x1000, 1, 64, BOARD_VIRT, false, 0, false,
	    &host.tb },
	  -BOARD_EINVAL },
	{ "a second UART without interrupts",
	  { 0x1000, 1, 64, BOARD_PLAIN, true, 0, false, &host.tb },
	  -BOARD_EINVAL },
	{ "no time base",
	  { 0x1000, 1, 64, BOARD_VIRT, false, 0, false, NULL },
	  -BOARD_EINVAL },
};

TEST_ROWS(a_board_checks_its_configuration, config_rows)
{
	const struct config_row *row = &config_rows[_i];
	struct board *b = NULL;

	ck_assert_msg(board_new(&b, &row->cfg, &host_ops, NULL) == row->want,
		      "%s", row->why);
	ck_assert(!b == !!row->want);
	board_free(b);
}

static const struct finisher_row {
	const char *why;
	uint64_t offset, value;
	uint8_t size;
	bool answers, ends;
	enum board_end end;
	uint64_t code;
} finisher_rows[] = {
	{ "pass", 0, 0x5555, 4, true, true, BOARD_END_PASS, 0 },
	{ "pass by 16 bits", 0, 0x5555, 2, true, true, BOARD_END_PASS, 0 },
	{ "pass by 64 bits", 0, 0x5555, 8, true, true, BOARD_END_PASS, 0 },
	{ "fail with a code", 0, 0x73333, 4, true, true, BOARD_END_FAIL, 7 },
	{ "fail with the largest code", 0, 0xffff3333, 4, true, true,
	  BOARD_END_FAIL, 0xffff },
	{ "a failure is never 0", 0, 0x3333, 4, true, true, BOARD_END_FAIL, 1 },
	{ "16 bits have no code", 0, 0x73333, 2, true, true, BOARD_END_FAIL,
	  1 },
	{ "bits above 32 are no code", 0, 0x100023333, 8, true, true,
	  BOARD_END_FAIL, 2 },
	{ "reset", 0, 0x7777, 4, true, true, BOARD_END_RESET, 0 },
	{ "anything else", 0, 0x1234, 4, true, false, BOARD_END_PASS, 0 },
	{ "another register", 4, 0x5555, 4, true, false, BOARD_END_PASS, 0 },
	{ "bytes fault", 0, 0x55, 1, false, false, BOARD_END_PASS, 0 },
};

TEST_ROWS(the_finisher_ends_the_machine, finisher_rows)
{
	const struct finisher_row *row = &finisher_rows[_i];

	ck_assert_msg(wr(BOARD_FINISHER_BASE + row->offset, row->size,
			 row->value, 9) == row->answers,
		      "%s", row->why);
	ck_assert_msg(host.n_ends == (row->ends ? 1 : 0), "%s", row->why);
	if (!row->ends)
		return;
	ck_assert_msg(host.end == row->end, "%s", row->why);
	ck_assert_uint_eq(host.code, row->code);
}

TEST(the_finisher_reads_as_zero)
{
	ck_assert_uint_eq(rd(BOARD_FINISHER_BASE, 4, 0), 0);
	ck_assert_uint_eq(rd(BOARD_FINISHER_BASE + 0xff8, 8, 0), 0);
	ck_assert_uint_eq(host.n_ends, 0);
}

static bool lowered[PMU_IRQ_MEI + 1][2];

static void note_lowered(void *h, unsigned hart, enum pmu_irq irq, bool level)
{
	lowered[irq][hart] = !level;
}

/* Each line of each hart, whatever it was, and each device. */
TEST(a_reset_lowers_every_line_and_forgets)
{
	static const enum pmu_irq lines[] = { PMU_IRQ_MSI, PMU_IRQ_MTI,
					      PMU_IRQ_MEI, PMU_IRQ_SEI };
	struct board_config cfg = { 0x1000, 2, 64,    BOARD_VIRT,
				    false,  0, false, &host.tb };
	struct board_ops ops = host_ops;
	struct board *noted = host.board;

	ops.irq = note_lowered;
	memset(lowered, 0, sizeof(lowered));
	ck_assert_int_eq(board_new(&host.board, &cfg, &ops, NULL), 0);
	wr(BOARD_CLINT_BASE + 4, 4, 1, 0);
	wr(BOARD_UART_BASE + 7, 1, 5, 0);
	ck_assert_uint_eq(rd(BOARD_CLINT_BASE + 4, 4, 0), 1);
	ck_assert_uint_eq(rd(BOARD_UART_BASE + 7, 1, 0), 5);
	ck_assert(!lowered[PMU_IRQ_MSI][1]);
	board_reset(host.board);
	for (unsigned hart = 0; hart < 2; hart++)
		for (unsigned i = 0; i < ARRAY_SIZE(lines); i++)
			ck_assert(lowered[lines[i]][hart]);
	ck_assert_uint_eq(rd(BOARD_CLINT_BASE + 4, 4, 0), 0);
	ck_assert_uint_eq(rd(BOARD_UART_BASE + 7, 1, 0), 0);
	board_free(noted);
}

/* Of each context: as firmware leaves it, which is not there to do so. */
TEST_TIMES(contexts_have_a_threshold_under_firmware_alone, 2)
{
	board_host_setup(2, _i);
	for (unsigned context = 0; context < 4; context++)
		ck_assert_uint_eq(
			rd(BOARD_PLIC_BASE + 0x200000 + 0x1000 * context, 4, 0),
			_i ? PLIC_MAX_PRIORITY : 0);
}

/* What a state says of devices goes to another board; whom they tell stays. */
TEST(a_state_has_nothing_of_its_board)
{
	struct pmu_timebase tb = host.tb;
	struct board_config cfg = { .ram_size = 0x10000,
				    .n_harts = 2,
				    .xlen = 64,
				    .kind = BOARD_VIRT,
				    .serial = true,
				    .rtc_base = BOARD_HOST_RTC,
				    .timebase = &tb };
	struct board *other;
	size_t size = board_state_size();
	char *mine = malloc(size), *others = malloc(size);

	ck_assert(mine && others);
	board_give(host.board, mine);
	ck_assert_int_eq(board_new(&other, &cfg, &host_ops, &other), 0);
	board_give(other, others);
	ck_assert_mem_eq(mine, others, size);
	board_free(other);
	wr(BOARD_CLINT_BASE + 4, 4, 1, 0);
	board_console_input(host.board, (const uint8_t *)"ab", 2);
	board_give(host.board, others);
	board_host_setup(2, false);
	board_take(host.board, others);
	ck_assert_uint_eq(rd(BOARD_CLINT_BASE + 4, 4, 0), 1);
	ck_assert_uint_eq(rd(BOARD_UART_BASE, 1, 0), 'a');
	/* each device speaks to this board */
	wr(BOARD_CLINT_BASE, 4, 1, 0);
	ck_assert(host.line[PMU_IRQ_MSI][0]);
	wr(BOARD_CLINT_BASE + 0x4000, 8, 1, 100);
	ck_assert(host.line[PMU_IRQ_MTI][0] && host.n_timer_changed == 1);
	wr(BOARD_UART_BASE, 1, 'x', 0);
	ck_assert_int_eq(host.port, BOARD_CONSOLE);
	wr(BOARD_SERIAL_BASE, 1, 'y', 0);
	ck_assert_int_eq(host.port, BOARD_SERIAL);
	ck_assert_str_eq(host.out, "xy");
	wr(BOARD_FINISHER_BASE, 4, 0x5555, 0);
	ck_assert_uint_eq(host.n_ends, 1);
	free(mine);
	free(others);
}

TEST(the_console_queue_has_a_limit_and_keeps_order)
{
	static uint8_t bytes[BOARD_CONSOLE_QUEUE];
	uint8_t got[3];

	ck_assert_uint_eq(
		board_console_input(host.board, (const uint8_t *)"abc", 3), 3);
	ck_assert_uint_eq(board_console_read(host.board, got, 2), 2);
	ck_assert_mem_eq(got, "ab", 2);
	ck_assert_uint_eq(board_console_input(host.board, bytes, sizeof(bytes)),
			  BOARD_CONSOLE_QUEUE - 1);
	ck_assert_uint_eq(board_console_space(host.board), 0);
	ck_assert_uint_eq(board_console_input(host.board, bytes, 1), 0);
	ck_assert_uint_eq(board_console_read(host.board, got, 1), 1);
	ck_assert_uint_eq(got[0], 'c');
	ck_assert_uint_eq(board_console_space(host.board), 1);
	while (board_console_read(host.board, got, 3))
		ck_assert_uint_eq(got[0], 0);
	ck_assert_uint_eq(board_console_space(host.board), BOARD_CONSOLE_QUEUE);
}

SUITE("board", .setup = setup, .teardown = board_host_teardown);
