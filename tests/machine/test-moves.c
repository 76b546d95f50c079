/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guests that go on in another machine: at points of dice the whole state of
 * the machine is given to a new one, which takes it, and the first one is gone.
 * The trace is that of a machine that went on undisturbed. Arguments: guests.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pmu/csr.h>

#include "../unit/unit.h"
#include "board/board.h"
#include "core/machine-read.h"
#include "guest-image.h"
#include "machine-fixture.h"
#include "view/inspect.h"

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture still, moved;

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&still);
	fixture_fini(&moved);
	guest_free(&guest);
}

static const struct kind {
	const char *settings;
	unsigned harts; /* 0: as many as the guest says */
} kinds[] = {
	{ "profile=spec", 0 },
	{ "profile=opensbi quantum=777", 4 },
};
enum {
	N_KINDS = sizeof(kinds) / sizeof(kinds[0]),
	MOVES = 6,
};

static uint64_t expected(const char *name, uint64_t otherwise)
{
	guest_expects(&guest, name, &otherwise);
	return otherwise;
}

static bool is_for_m_mode(void)
{
	return strncmp(guest.name, "conformance-rv", 14) != 0 &&
	       strncmp(guest.name, "overflow-rv", 11) != 0 &&
	       !expected("s_mode", 0);
}

static void start(struct fixture *ret, const struct kind *kind)
{
	char settings[128], text[GUEST_SETTINGS];
	struct fixture_config cfg;

	snprintf(settings, sizeof(settings),
		 "max-insns=300000 max-cycles=600000 %s", kind->settings);
	guest_configure(&guest, settings, text, &cfg);
	cfg.m_mode = is_for_m_mode();
	if (kind->harts)
		cfg.harts = kind->harts;
	fixture_init(ret, &cfg);
	guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
}

/* Whatever no record tells of. */

static void compare_memory(void)
{
	static uint8_t a[1 << 16], b[1 << 16];
	uint64_t size = machine_config(still.m)->memory;

	for (uint64_t at = 0; at < size; at += sizeof(a)) {
		ck_assert(machine_read_memory(still.m, BOARD_RAM_BASE + at, a,
					      sizeof(a)));
		ck_assert(machine_read_memory(moved.m, BOARD_RAM_BASE + at, b,
					      sizeof(b)));
		ck_assert_msg(!memcmp(a, b, sizeof(a)),
			      "%s: memory behind %#" PRIx64, guest.name, at);
	}
}

static void compare_csrs(unsigned hart)
{
	const struct pmu_hart *a = machine_pmu(still.m, hart);
	const struct pmu_hart *b = machine_pmu(moved.m, hart);
	uint64_t now = machine_clock(still.m);

	for (unsigned csr = 0; csr < 4096; csr++) {
		uint64_t x = 0, y = 0;

		pmu_csr_peek(a, (uint16_t)csr, now, &x);
		pmu_csr_peek(b, (uint16_t)csr, now, &y);
		ck_assert_msg(x == y,
			      "%s: hart %u: CSR %#x: %#" PRIx64
			      " and %#" PRIx64,
			      guest.name, hart, csr, x, y);
	}
}

static void compare_totals(unsigned hart)
{
	for (int i = 0; i < PMU_N_EVENTS * PMU_N_MODES; i++) {
		enum pmu_event event = (enum pmu_event)(i / PMU_N_MODES);
		enum pmu_mode mode = (enum pmu_mode)(i % PMU_N_MODES);

		ck_assert_uint_eq(inspect_total(still.m, hart, event, mode),
				  inspect_total(moved.m, hart, event, mode));
	}
	for (unsigned i = 0; i < FW_N_EVENTS; i++)
		ck_assert_uint_eq(inspect_fw_total(still.m, hart, i),
				  inspect_fw_total(moved.m, hart, i));
}

static void compare_ends(void)
{
	struct hart_state a, b;

	compare_memory();
	for (unsigned i = 0; i < machine_config(still.m)->harts; i++) {
		machine_registers(still.m, i, &a);
		machine_registers(moved.m, i, &b);
		/* Of a hart that others have run after it is void. */
		a.reserved = b.reserved = false;
		ck_assert_mem_eq(&a, &b, sizeof(a));
		compare_csrs(i);
		compare_totals(i);
	}
}

static uint64_t roll(uint64_t *dice, uint64_t n)
{
	*dice ^= *dice << 13;
	*dice ^= *dice >> 7;
	*dice ^= *dice << 17;
	return *dice % n;
}

/* Slices of about so much that all moves happen before the end. */
static void run_and_move(uint64_t insns, uint64_t *dice)
{
	for (unsigned i = 0; i < MOVES; i++) {
		fixture_run(&moved, 1 + roll(dice, 2 * insns / MOVES + 1), 1);
		if (roll(dice, 4) == 0)
			fixture_run(&moved, 1 + roll(dice, 30), 1);
		fixture_move(&moved);
	}
	fixture_run(&moved, 1000000, UINT32_MAX);
}

TEST_TIMES(a_machine_goes_on_in_another, (n_paths * N_KINDS))
{
	const struct kind *kind = &kinds[_i % N_KINDS];
	uint64_t dice = 1 + 15485863 * (uint64_t)_i;

	guest_read(&guest, paths[_i / N_KINDS]);
	start(&still, kind);
	fixture_run(&still, 1000000, UINT32_MAX);
	start(&moved, kind);
	run_and_move(fixture_status(&still).insn, &dice);
	ck_assert_msg(fixture_same(&still, &moved), "%s, %s", guest.name,
		      kind->settings);
	compare_ends();
}

static void begin(int argc, char **argv)
{
	n_paths = guest_paths(argc, argv, &paths);
}

SUITE("moves", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
