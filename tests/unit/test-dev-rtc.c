/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clock of day: what its registers say at which cycle, and the exact cycle
 * at which the alarm comes. Cycles are nanoseconds, unless a row says
 * otherwise.
 */
#include "board/dev-rtc.h"

#include "board-host.h"

enum {
	TIME_LOW = 0x00,
	TIME_HIGH = 0x04,
	ALARM_LOW = 0x08,
	ALARM_HIGH = 0x0c,
	IRQ_ENABLED = 0x10,
	CLEAR_ALARM = 0x14,
	ALARM_STATUS = 0x18,
	CLEAR_INTERRUPT = 0x1c
};

static struct rtc rtc;
static bool line;
static unsigned n_driven, n_changed;

static void on_irq(void *h, bool level)
{
	ck_assert(line != level);
	line = level;
	n_driven++;
}

static void on_changed(void *h)
{
	n_changed++;
}

static const struct rtc_ops ops = { on_irq, on_changed };

static void begin(uint64_t clock_hz, uint64_t base)
{
	line = false;
	n_driven = n_changed = 0;
	rtc_init(&rtc, clock_hz, base, &ops, NULL);
}

static void setup(void)
{
	begin(1000000000, BOARD_HOST_RTC);
	PREPARING(board_host_setup(1, false));
}

static uint64_t reg(uint64_t offset, uint64_t now)
{
	struct bus_access a = { .offset = offset, .size = 4, .now = now };

	ck_assert(rtc_access(&rtc, &a));
	return a.value;
}

static void set(uint64_t offset, uint64_t value, uint64_t now)
{
	struct bus_access a = { .offset = offset,
				.size = 4,
				.now = now,
				.write = true,
				.value = value };

	ck_assert(rtc_access(&rtc, &a));
}

static uint64_t time_of_day(uint64_t now)
{
	uint64_t time = reg(TIME_LOW, now);

	return time | reg(TIME_HIGH, now) << 32;
}

/* As the driver does: the upper half first, the lower arms. */
static void set_alarm(uint64_t at, uint64_t now)
{
	set(ALARM_HIGH, at >> 32, now);
	set(ALARM_LOW, at & UINT32_MAX, now);
}

static const struct time_row {
	const char *why;
	uint64_t clock_hz, base, now, want;
} time_rows[] = {
	{ "the base at cycle 0", 1000000000, 5, 0, 5 },
	{ "a cycle is a nanosecond", 1000000000, 5, 7, 12 },
	{ "across the words", 1000000000, 0xffffffff, 1, 0x100000000 },
	{ "a slow clock", 1, 0, 3, 3000000000 },
	{ "a fast clock", 3000000000, 0, 8, 2 },
	{ "the fastest", 1000000000000, 0, UINT64_MAX, UINT64_MAX / 1000 },
	{ "time goes round", 1, UINT64_MAX, 1, 999999999 },
};

TEST_ROWS(time_is_the_machines, time_rows)
{
	const struct time_row *row = &time_rows[_i];

	begin(row->clock_hz, row->base);
	ck_assert_msg(time_of_day(row->now) == row->want, "%s: %llu", row->why,
		      (unsigned long long)time_of_day(row->now));
}

TEST(the_upper_half_is_of_the_lower_ones_read)
{
	begin(1000000000, 0xffffffff);
	ck_assert_uint_eq(reg(TIME_LOW, 0), 0xffffffff);
	ck_assert_uint_eq(reg(TIME_HIGH, 1), 0);
	ck_assert_uint_eq(reg(TIME_LOW, 1), 0);
	ck_assert_uint_eq(reg(TIME_HIGH, 1), 1);
}

TEST(time_is_set_by_halves)
{
	set(TIME_HIGH, 7, 100);
	set(TIME_LOW, 9, 100);
	ck_assert_uint_eq(time_of_day(100), 0x700000009);
	ck_assert_uint_eq(time_of_day(150), 0x70000003b);
}

TEST(registers_read_what_they_have)
{
	set_alarm(0x123456789abcdef0, 0);
	ck_assert_uint_eq(reg(ALARM_LOW, 0), 0x9abcdef0);
	ck_assert_uint_eq(reg(ALARM_HIGH, 0), 0x12345678);
	ck_assert_uint_eq(reg(ALARM_STATUS, 0), 1);
	ck_assert_uint_eq(reg(IRQ_ENABLED, 0), 0);
	set(IRQ_ENABLED, 0xff, 0);
	ck_assert_uint_eq(reg(IRQ_ENABLED, 0), 1);
	ck_assert_uint_eq(reg(CLEAR_ALARM, 0), 0);
	ck_assert_uint_eq(reg(CLEAR_INTERRUPT, 0), 0);
	ck_assert_uint_eq(reg(0x20, 0), 0);
	set(0x20, 1, 0);
	ck_assert_uint_eq(reg(0xffc, 0), 0);
}

TEST(only_words_are_answered)
{
	static const uint8_t sizes[] = { 1, 2, 8 };

	for (size_t i = 0; i < sizeof(sizes); i++) {
		struct bus_access a = { .size = sizes[i] };

		ck_assert(!rtc_access(&rtc, &a));
	}
}

static const struct alarm_row {
	const char *why;
	uint64_t clock_hz, base, alarm, written_at, rises;
} alarm_rows[] = {
	{ "at its nanosecond", 1000000000, 1000, 1500, 100, 500 },
	{ "at once where it has passed", 1000000000, 1000, 999, 7, 7 },
	{ "at once where it is now", 1000000000, 1000, 1007, 7, 7 },
	{ "at the first cycle not before it", 300000000, 0, 10, 0, 3 },
	{ "a cycle of a slow clock", 1, 0, 1, 0, 1 },
	{ "of a fast clock", 3000000000, 0, 10, 1, 30 },
	{ "beyond all cycles", 1000000000000, 0, UINT64_MAX, 5, UINT64_MAX },
};

TEST_ROWS(the_alarm_comes_at_the_exact_cycle, alarm_rows)
{
	const struct alarm_row *row = &alarm_rows[_i];

	begin(row->clock_hz, row->base);
	set(IRQ_ENABLED, 1, 0);
	set_alarm(row->alarm, row->written_at);
	ck_assert_msg(line == (row->rises == row->written_at), "%s", row->why);
	if (line)
		return;
	ck_assert_msg(rtc.next == row->rises, "%s: %llu", row->why,
		      (unsigned long long)rtc.next);
	rtc_run(&rtc, row->rises - 1);
	ck_assert_msg(!line, "%s", row->why);
	if (row->rises == UINT64_MAX)
		return;
	rtc_run(&rtc, row->rises);
	ck_assert_msg(line, "%s", row->why);
	ck_assert_uint_eq(rtc.next, UINT64_MAX);
	ck_assert_uint_eq(reg(ALARM_STATUS, row->rises), 0);
}

TEST(an_interrupt_stays_until_it_is_cleared)
{
	set(IRQ_ENABLED, 1, 0);
	set_alarm(BOARD_HOST_RTC + 10, 0);
	rtc_run(&rtc, 10);
	ck_assert(line);
	set(CLEAR_ALARM, 1, 11);
	ck_assert(line);
	set(CLEAR_INTERRUPT, 1, 12);
	ck_assert(!line);
	ck_assert_uint_eq(n_driven, 2);
}

TEST(who_does_not_enable_it_is_told_later)
{
	set_alarm(BOARD_HOST_RTC + 10, 0);
	ck_assert_uint_eq(rtc.next, UINT64_MAX);
	ck_assert_uint_eq(reg(ALARM_STATUS, 9), 1);
	ck_assert_uint_eq(reg(ALARM_STATUS, 10), 0);
	ck_assert(!line);
	set(IRQ_ENABLED, 1, 20);
	ck_assert(line);
	set(IRQ_ENABLED, 0, 21);
	ck_assert(!line);
}

TEST(an_alarm_that_is_cleared_never_comes)
{
	set(IRQ_ENABLED, 1, 0);
	set_alarm(BOARD_HOST_RTC + 10, 0);
	set(CLEAR_ALARM, 0, 5);
	ck_assert_uint_eq(rtc.next, UINT64_MAX);
	ck_assert_uint_eq(reg(ALARM_STATUS, 20), 0);
	rtc_run(&rtc, 20);
	ck_assert(!line);
}

TEST(the_upper_half_alone_arms_nothing)
{
	set(IRQ_ENABLED, 1, 0);
	set(ALARM_HIGH, 0, 0);
	ck_assert_uint_eq(reg(ALARM_STATUS, 0), 0);
	ck_assert(!line);
}

TEST(setting_the_time_moves_the_alarm)
{
	set(IRQ_ENABLED, 1, 0);
	set_alarm(BOARD_HOST_RTC + 1000, 0);
	set(TIME_LOW, (BOARD_HOST_RTC + 900) & UINT32_MAX, 10);
	ck_assert_uint_eq(rtc.next, 110);
	set(TIME_LOW, (BOARD_HOST_RTC + 1000) & UINT32_MAX, 20);
	ck_assert(line);
	ck_assert_uint_ge(n_changed, 4);
}

/* Through the board: any hart's next moment, and the controller's source. */
#define RTC(offset)  (BOARD_RTC_BASE + (offset))
#define PLIC(offset) (BOARD_PLIC_BASE + (offset))

TEST(the_alarm_is_a_moment_of_every_hart)
{
	uint64_t alarm = BOARD_HOST_RTC + 500;

	board_host_setup(2, false);
	wr(PLIC(4 * BOARD_SOURCE_RTC), 4, 1, 0);
	wr(PLIC(0x2180), 4, 1u << BOARD_SOURCE_RTC, 0);
	wr(RTC(IRQ_ENABLED), 4, 1, 0);
	wr(RTC(ALARM_HIGH), 4, alarm >> 32, 0);
	wr(RTC(ALARM_LOW), 4, alarm & UINT32_MAX, 0);
	ck_assert_uint_eq(host.n_timer_changed, 3);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_eq(board_timer_next(host.board, i), 500);
	wr(BOARD_CLINT_BASE + 0x4000, 8, 3, 0);
	ck_assert_uint_eq(board_timer_next(host.board, 0), 300);
	ck_assert_uint_eq(board_timer_next(host.board, 1), 500);
	board_timer_run(host.board, 500);
	ck_assert(host.line[PMU_IRQ_SEI][1]);
	ck_assert(!host.line[PMU_IRQ_SEI][0]);
	ck_assert_uint_eq(board_timer_next(host.board, 1), UINT64_MAX);
}

SUITE("dev-rtc", .setup = setup, .teardown = board_host_teardown);
