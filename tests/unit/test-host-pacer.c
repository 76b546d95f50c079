/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cycles by nanoseconds, for clocks from 1 Hz to 1 THz: exact, without
 * overflow, and nobody wakes too early. The host's clock is the test's.
 */
#include <time.h>

#include "control-peer.h"
#include "control/host-pacer.h"

#define S   UINT64_C(1000000000) /* in ns */
#define THZ UINT64_C(1000000000000)

static uint64_t host;
static struct host_pacer h;

static uint64_t now(void)
{
	return host;
}

static void make(uint64_t hz, uint64_t start)
{
	host = 12345;
	host_pacer_init(&h, hz, now);
	h.pacer.begin(&h.pacer, start);
}

static uint64_t reached(void)
{
	return h.pacer.reached(&h.pacer);
}

static const struct reached_row {
	const char *why;
	uint64_t hz, start, ns, want;
} reached_rows[] = {
	{ "it begins at its start", S, 500, 0, 500 },
	{ "a GHz is a cycle each ns", S, 500, 77, 577 },
	{ "no cycle before its time", 10, 0, S / 10 - 1, 0 },
	{ "and at it", 10, 0, S / 10, 1 },
	{ "thirds are rounded down", 3, 0, S, 3 },
	{ "thirds are rounded down", 3, 0, S / 3, 0 },
	{ "thirds are rounded down", 3, 0, S / 3 + 1, 1 },
	{ "one a second", 1, 7, 100 * S, 107 },
	{ "a thousand each ns", THZ, 0, 5, 5000 },
	{ "half a year at a THz", THZ, 0, 15768000 * S, 15768000 * THZ },
	{ "the clock has an end", THZ, UINT64_MAX - 10, 1, UINT64_MAX },
	{ "the clock has an end", THZ, 0, UINT64_MAX, UINT64_MAX },
	{ "the host's time goes far", S, 0, UINT64_MAX, UINT64_MAX },
};

TEST_ROWS(a_stretch_goes_by_the_hosts_time, reached_rows)
{
	const struct reached_row *row = &reached_rows[_i];

	make(row->hz, row->start);
	host += row->ns;
	ck_assert_msg(reached() == row->want, "%s: %llu", row->why,
		      (unsigned long long)reached());
}

static const struct left_row {
	uint64_t hz, start, cycle, want;
} left_rows[] = {
	{ S, 500, 500, 0 },
	{ S, 500, 400, 0 },
	{ S, 500, 577, 77 },
	{ 3, 0, 1, S / 3 + 1 },
	{ 3, 0, 3, S },
	{ 1, 0, 1, S },
	{ 1, 0, UINT64_MAX, UINT64_MAX },
	{ 1, 0, UINT64_MAX / S, UINT64_MAX / S *S },
	{ THZ, 0, 1, 1 },
	{ THZ, 0, 1000, 1 },
	{ THZ, 0, 1001, 2 },
	{ THZ, 0, UINT64_MAX, UINT64_MAX / 1000 + 1 },
	{ S, 0, UINT64_MAX, UINT64_MAX },
};

TEST_ROWS(what_is_left_is_rounded_up, left_rows)
{
	const struct left_row *row = &left_rows[_i];

	make(row->hz, row->start);
	ck_assert_uint_eq(host_pacer_left(&h, row->cycle), row->want);
}

static const uint64_t clocks[] = { 1,	    3,	999,   32768, 10000000,
				   S - 1,   S,	S + 1, 7 * S, 123456789123,
				   THZ - 1, THZ };

/* Who has slept for it is there, who has slept a ns less is not. */
TEST_ROWS(who_slept_for_what_was_left_is_there, clocks)
{
	for (uint64_t n = 1; n < UINT64_MAX / 3; n = 3 * n + 1) {
		uint64_t left;

		make(clocks[_i], 1000);
		left = host_pacer_left(&h, 1000 + n);
		if (left > UINT64_MAX - host)
			break; /* 584 years */
		host += left - 1;
		ck_assert_uint_lt(reached(), 1000 + n);
		ck_assert_uint_eq(host_pacer_left(&h, 1000 + n), 1);
		host++;
		ck_assert_uint_ge(reached(), 1000 + n);
		ck_assert_uint_eq(host_pacer_left(&h, 1000 + n), 0);
	}
}

TEST(each_stretch_has_a_start_of_its_own)
{
	make(S, 0);
	host += 100;
	h.pacer.begin(&h.pacer, 50);
	ck_assert_uint_eq(reached(), 50);
	host += 7;
	ck_assert_uint_eq(reached(), 57);
	ck_assert_uint_eq(host_pacer_left(&h, 60), 3);
}

static uint64_t monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * S + (uint64_t)t.tv_nsec;
}

/* Often enough that the parts of a second are not next to nothing. */
TEST_TIMES(now_is_the_hosts_own_clock, 20)
{
	uint64_t before = monotonic(), it = host_now(), after = monotonic();

	ck_assert_uint_le(before, it);
	ck_assert_uint_le(it, after);
}

/* Waits behind six instructions for a timer 500 s ahead, and ends. */
static const struct fake_op nap_ops[] = {
	{ FAKE_LI, 1, 0, 0, PC(9) },
	{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, 0x305, 1) }, /* mtvec */
	{ FAKE_LI, 1, 0, 0, 500 },
	{ FAKE_WRITE, 1, 8, 0, BOARD_CLINT_BASE + 0x4000 },
	{ FAKE_LI, 1, 0, 0, 1 << 7 },
	{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, 0x304, 1) }, /* mie */
	{ FAKE_INSN, 0, 0, 0, FAKE_WFI },
	{ FAKE_LI, 1, 0, 0, 0x5555 },
	{ FAKE_WRITE, 1, 4, 0, BOARD_FINISHER_BASE },
};

static void nap(const char *settings)
{
	static const uint8_t image[8];

	SCRIPT(nap_ops);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, settings), OK);
	ck_assert_uint_eq(peer_load(&p, image, sizeof(image), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, false), OK);
}

static const Pmu__V1__MachineInfo *look(void)
{
	ck_assert_uint_eq(peer_simple(&p, CALL(GetMachine)), OK);
	return peer_machine(&p);
}

/* Between two answers the process goes on with it. */
TEST(a_machine_with_a_real_pace_has_the_hosts_clock)
{
	nap("clock-hz=1M time-hz=1 pace=real");
	while (look()->insn < 6)
		ck_assert_int_eq(peer_machine(&p)->state, STATE(RUNNING));
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(look()->state, STATE(RUNNING));
	ck_assert_uint_lt(peer_machine(&p)->cycle, 400000000);
	ck_assert_int_eq(peer_end(&p), 0);
}

TEST(a_machine_without_one_is_at_its_next_event_at_once)
{
	nap("clock-hz=1M time-hz=1 pace=none");
	ck_assert_uint_ge(peer_wait_state(&p, STATE(ENDED))->cycle, 500000000);
	ck_assert_int_eq(peer_end(&p), 0);
}

SUITE("host-pacer");
