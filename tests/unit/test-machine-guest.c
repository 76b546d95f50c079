/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loads and stores of a hypervisor at its guest's memory, and what is
 * watched: core/machine-guest.c and machine-watch.c, over the scripted engine.
 */
#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/rule.h>
#include <pmu/translate.h>

#include "core/machine-read.h"
#include "core/machine-watch.h"
#include "engine/engine-host.h"
#include "machine-script.h"
#include "view/inspect.h"

/* Into x3 from where x1 points, and x2 there. */
#define HYPER(f7, rs2, rd)                                                     \
	((uint32_t)(f7) << 25 | (rs2) << 20 | 1 << 15 | 4 << 12 | (rd) << 7 |  \
	 0x73)
#define HLV_BU	HYPER(0x30, 1, 3)
#define HLV_H	HYPER(0x32, 0, 3)
#define HLVX_WU HYPER(0x34, 3, 3)
#define HLV_WU	HYPER(0x34, 1, 3)
#define HLV_D	HYPER(0x36, 0, 3)
#define HSV_B	HYPER(0x31, 2, 0)
#define HSV_H	HYPER(0x33, 2, 0)
#define HSV_W	HYPER(0x35, 2, 0)
#define HSV_D	HYPER(0x37, 2, 0)

enum {
	PAGE = 4096,
	DATA = 0x100000, /* behind RAM's base, as the others */
	ROOT = 0x200000, /* of page tables that have nothing */
	SIZE = 4 << 20,
	LOAD_ACCESS = 5,
	STORE_ACCESS = 7,
	LOAD_GUEST = 21,
	STORE_GUEST = 23,
	GVA = 38, /* of mstatus */
};

#define VALUE	 UINT64_C(0x8877665544332211)
#define SETTINGS "h=on pmp-entries=0 max-insns=100"

static struct fake_op ops[] = { LI(5, PC(5)), CSRW(MTVEC, 5), LI(1, 0),
				LI(2, VALUE), INSN(0),	      PASS };

static void make(uint64_t at, uint32_t insn)
{
	ops[2].value = at;
	ops[4].value = insn;
	SCRIPT(ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = SETTINGS });
	fixture_start(&f);
}

static void poke(uint16_t csr, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { csr, value } };
	struct error e;

	ck_assert_msg(machine_input(f.m, &in, NULL, &e), "%s", e.text);
}

static uint64_t peek(uint16_t csr)
{
	uint64_t value;

	ck_assert_int_eq(pmu_csr_peek(machine_pmu(f.m, 0), csr,
				      machine_clock(f.m), &value),
			 0);
	return value;
}

static void write_ram(uint64_t at, const void *bytes, size_t n)
{
	const struct input in = { .kind = INPUT_MEMORY_WRITE,
				  .memory_write = { at, bytes, n, false } };
	struct error e;

	ck_assert_msg(machine_input(f.m, &in, NULL, &e), "%s", e.text);
}

static uint64_t ram(uint64_t at)
{
	uint64_t value = 0;

	ck_assert(machine_read_memory(f.m, at, &value, sizeof(value)));
	return value;
}

static uint64_t x3(void)
{
	struct hart_state s;

	ck_assert(inspect_registers(f.m, 0, &s, NULL));
	return s.x[3];
}

/* To the end, whether it traps or not. */
static void run(void)
{
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_FINISHER_PASS, 0);
}

static const struct good_row {
	const char *why;
	uint32_t insn;
	uint64_t at, want; /* of x3, or in memory */
	bool store;
} good_rows[] = {
	{ "a byte", HLV_BU, DATA, 0x11, false },
	{ "two, with their sign", HLV_H, DATA + 6, 0xffffffffffff8877, false },
	{ "four", HLV_WU, DATA + 4, 0x88776655, false },
	{ "four as code", HLVX_WU, DATA + 4, 0x88776655, false },
	{ "eight", HLV_D, DATA, VALUE, false },
	{ "over a page's end", HLV_D, DATA + PAGE - 3, VALUE, false },
	{ "up to a page's end", HLV_D, DATA + PAGE - 8, VALUE, false },
	{ "the last of RAM", HLV_D, SIZE - 8, VALUE, false },
	{ "a byte stored", HSV_B, DATA, 0x11, true },
	{ "two", HSV_H, DATA, 0x2211, true },
	{ "four", HSV_W, DATA, 0x44332211, true },
	{ "eight", HSV_D, DATA, VALUE, true },
	{ "stored over a page's end", HSV_D, DATA + PAGE - 5, VALUE, true },
	{ "stored up to it", HSV_D, DATA + PAGE - 8, VALUE, true },
};

TEST_ROWS(a_guests_memory_is_read_and_written, good_rows)
{
	const struct good_row *row = &good_rows[_i];
	const uint64_t value = VALUE;

	make(BASE + row->at, row->insn);
	ck_assert(machine_pause(f.m, NULL));
	if (!row->store)
		write_ram(BASE + (row->at == DATA + 4 || row->at == DATA + 6
					  ? DATA
					  : row->at),
			  &value, sizeof(value));
	ck_assert(machine_resume(f.m, NULL));
	run();
	ck_assert_uint_eq(peek(PMU_CSR_MCAUSE), 0);
	if (row->store)
		ck_assert_msg(ram(BASE + row->at) == row->want, "%s", row->why);
	else
		ck_assert_msg(x3() == row->want, "%s: %llx", row->why,
			      (unsigned long long)x3());
	ck_assert_uint_eq(fixture_status(&f).insn, 7);
}

static const struct bad_row {
	const char *why;
	uint32_t insn;
	uint64_t at, cause, tval;
	bool tables; /* the guest's pages are where nothing is */
} bad_rows[] = {
	{ "nothing is there", HLV_D, 0x1000, LOAD_ACCESS, 0x1000, false },
	{ "to store", HSV_B, 0x1000, STORE_ACCESS, 0x1000, false },
	{ "behind the end of RAM", HLV_D, BASE + SIZE, LOAD_ACCESS, BASE + SIZE,
	  false },
	{ "over the end: the part that fails", HLV_D, BASE + SIZE - 3,
	  LOAD_ACCESS, BASE + SIZE, false },
	{ "over the end, stored", HSV_D, BASE + SIZE - 3, STORE_ACCESS,
	  BASE + SIZE, false },
	{ "before its beginning", HLV_D, BASE - 3, LOAD_ACCESS, BASE - 3,
	  false },
	{ "a device is no code", HLVX_WU, MSIP(0), LOAD_ACCESS, MSIP(0),
	  false },
	{ "a device not aligned", HLV_WU, MTIMECMP(0) + 2, LOAD_ACCESS,
	  MTIMECMP(0) + 2, false },
	{ "a device that has no bytes", HLV_BU, MSIP(0), LOAD_ACCESS, MSIP(0),
	  false },
	{ "a device, stored", HSV_B, MSIP(0), STORE_ACCESS, MSIP(0), false },
	{ "no page of the guest's", HLV_D, 0x1238, LOAD_GUEST, 0x1238, true },
	{ "no page to store", HSV_W, 0x5238, STORE_GUEST, 0x5238, true },
	{ "no page that is executed", HLVX_WU, 0x5238, LOAD_GUEST, 0x5238,
	  true },
};

TEST_ROWS(what_is_not_there_traps_at_its_place, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];

	make(row->at, row->insn);
	ck_assert(machine_pause(f.m, NULL));
	if (row->tables)
		poke(PMU_CSR_HGATP, UINT64_C(8) << 60 | (BASE + ROOT) / PAGE);
	ck_assert(machine_resume(f.m, NULL));
	run();
	ck_assert_msg(peek(PMU_CSR_MCAUSE) == row->cause, "%s: %llu", row->why,
		      (unsigned long long)peek(PMU_CSR_MCAUSE));
	ck_assert_msg(peek(PMU_CSR_MTVAL) == row->tval, "%s: %llx", row->why,
		      (unsigned long long)peek(PMU_CSR_MTVAL));
	ck_assert_uint_eq(peek(PMU_CSR_MTVAL2),
			  row->tables ? row->tval >> 2 : 0);
	ck_assert_uint_eq(peek(PMU_CSR_MSTATUS) >> GVA & 1, 1);
	/* the instruction, without its address but for the part that failed */
	ck_assert_uint_eq(peek(PMU_CSR_MTINST) & 0x7f, 0x73);
	ck_assert_uint_eq(peek(PMU_CSR_MTINST) >> 15 & 31, row->tval - row->at);
	ck_assert_uint_eq(x3(), 0);
	/* half of it is not done */
	ck_assert_uint_eq(ram(BASE + SIZE - 8), 0);
	ck_assert_uint_eq(fixture_status(&f).insn, 6);
}

/* Of a read of the guest's own tables it is that, and no instruction. */
TEST(a_walk_that_fails_is_told_instead_of_the_instruction)
{
	const uint64_t tables = 0x77000; /* nothing is mapped there */

	shows(RULE("H_trap_xtinst_guestpage"));
	make(0x5238, HLV_D);
	ck_assert(machine_pause(f.m, NULL));
	poke(PMU_CSR_HGATP, UINT64_C(8) << 60 | (BASE + ROOT) / PAGE);
	poke(PMU_CSR_VSATP, UINT64_C(8) << 60 | tables / PAGE);
	ck_assert(machine_resume(f.m, NULL));
	run();
	ck_assert_uint_eq(peek(PMU_CSR_MCAUSE), LOAD_GUEST);
	ck_assert_uint_eq(peek(PMU_CSR_MTVAL), 0x5238);
	ck_assert_uint_eq(peek(PMU_CSR_MTVAL2), tables >> 2);
	ck_assert_uint_eq(peek(PMU_CSR_MTINST), 0x3000);
}

/* Devices answer a guest's accesses as any other's. */
TEST(a_guests_access_reaches_devices)
{
	make(MTIMECMP(0), HSV_D);
	run();
	ck_assert_uint_eq(peek(PMU_CSR_MCAUSE), 0);
	fixture_fini(&f);
	make(MTIMECMP(0), HLV_D);
	run();
	ck_assert_uint_eq(x3(), UINT64_MAX); /* after a reset */
}

/* What is watched */

static const struct watch_row {
	const char *why;
	uint32_t insn;
	uint64_t at, bytes; /* the point, from DATA on */
	bool loads, stores, seen;
} watch_rows[] = {
	{ "a load", HLV_D, 0, 8, true, false, true },
	{ "a load of one of its bytes", HLV_D, 7, 1, true, false, true },
	{ "its first one", HLV_D, 0, 1, true, true, true },
	{ "a load where stores are", HLV_D, 0, 8, false, true, false },
	{ "a store", HSV_D, 0, 8, false, true, true },
	{ "a store where loads are", HSV_D, 0, 8, true, false, false },
	{ "behind it", HSV_D, 8, 1, true, true, false },
	{ "before it", HSV_D, -4ull, 4, true, true, false },
	{ "up to its first byte", HSV_D, -4ull, 5, true, true, true },
	{ "a byte", HLV_BU, 1, 1, true, true, false },
};

TEST_ROWS(an_access_of_what_is_watched_stops, watch_rows)
{
	const struct watch_row *row = &watch_rows[_i];
	const struct machine_watchpoint points[] = {
		{ 0x1000, 8, true, true },
		{ BASE + DATA + row->at, row->bytes, row->loads, row->stores },
	};
	const struct machine_access *a;

	make(BASE + DATA, row->insn);
	ck_assert(machine_set_watchpoints(f.m, points, 2, NULL));
	fixture_run(&f, 1000, UINT32_MAX);
	a = fixture_status(&f).watched;
	if (!row->seen) {
		ended(CAUSE_FINISHER_PASS, 0);
		ck_assert_uint_eq(a->size, 0);
		return;
	}
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_WATCHPOINT);
	ck_assert_uint_eq(fixture_status(&f).insn, 5); /* it is done */
	ck_assert_uint_eq(a->address, BASE + DATA);
	ck_assert_uint_eq(a->size, row->insn == HLV_BU ? 1 : 8);
	ck_assert(a->store == (row->insn == HSV_D));
	ck_assert_uint_eq(a->hart, 0);
	ck_assert_uint_eq(a->point.address, points[1].address);
	ck_assert_uint_eq(a->point.bytes, row->bytes);
	ck_assert(machine_resume(f.m, NULL));
	run();
	ck_assert(!watches_due(f.m));
}

/* The first of several is told, and none is left of it when it goes on. */
TEST(one_access_is_told)
{
	const struct machine_watchpoint points[] = {
		{ 0x2000, 8, true, true },
		{ 0x2004, 8, true, true },
	};
	const struct engine_access one = { .vaddr = 0x2000,
					   .size = 8,
					   .store = true };
	const struct engine_access two = { .vaddr = 0x2008,
					   .size = 4,
					   .load = true };

	make(0, HLV_D);
	ck_assert(machine_set_watchpoints(f.m, points, 2, NULL));
	watches_see(f.m, &one);
	watches_see(f.m, &two);
	ck_assert(watches_due(f.m));
	ck_assert_uint_eq(watches_seen(f.m)->point.address, 0x2000);
	ck_assert_uint_eq(watches_seen(f.m)->address, 0x2000);
	ck_assert(watches_seen(f.m)->store);
	watches_forget(f.m);
	ck_assert(!watches_due(f.m));
	watches_see(f.m, &two);
	ck_assert_uint_eq(watches_seen(f.m)->point.address, 0x2004);
	ck_assert_uint_eq(watches_seen(f.m)->size, 4);
	ck_assert(!watches_seen(f.m)->store);
}

static const struct page_row {
	uint64_t at;
	uint8_t perms;
} page_rows[] = {
	{ 0x1fff, 0 },		{ 0x2000, PMU_PERM_R },
	{ 0x2fff, PMU_PERM_R }, { 0x3000, PMU_PERM_R | PMU_PERM_W },
	{ 0x4abc, PMU_PERM_W }, { 0x5000, 0 },
};

TEST_ROWS(a_page_is_watched_for_what_is_in_it, page_rows)
{
	const struct machine_watchpoint points[] = {
		{ 0x2ff8, 16, true, false },
		{ 0x3fff, 2, false, true },
	};
	unsigned changes;

	make(0, HLV_D);
	changes = fake.watched_changes;
	ck_assert(machine_set_watchpoints(f.m, NULL, 0, NULL));
	ck_assert_uint_eq(fake.watched_changes, changes);
	ck_assert(machine_set_watchpoints(f.m, points, 2, NULL));
	ck_assert_uint_eq(fake.watched_changes, changes + 1);
	ck_assert_uint_eq(watches_page(f.m, page_rows[_i].at),
			  page_rows[_i].perms);
	ck_assert(machine_set_watchpoints(f.m, NULL, 0, NULL));
	ck_assert_uint_eq(fake.watched_changes, changes + 2);
	ck_assert_uint_eq(watches_page(f.m, page_rows[_i].at), 0);
}

static const struct point_row {
	const char *xlen;
	struct machine_watchpoint point;
	const char *text; /* NULL: it is taken */
} point_rows[] = {
	{ "64", { UINT64_MAX, 1, true, false }, NULL },
	{ "64", { 0, UINT64_MAX, true, false }, NULL },
	{ "64", { UINT32_MAX, 2, true, false }, NULL },
	{ "32", { UINT32_MAX, 1, false, true }, NULL },
	{ "32",
	  { UINT32_MAX, 2, true, true },
	  "watchpoints: 2 bytes at 0xffffffff: must be 1 or more, within the "
	  "addresses" },
	{ "64",
	  { UINT64_MAX, 2, true, true },
	  "watchpoints: 2 bytes at 0xffffffffffffffff: must be 1 or more, "
	  "within the addresses" },
	{ "64",
	  { 16, 0, true, true },
	  "watchpoints: 0 bytes at 0x10: must be 1 or more, within the "
	  "addresses" },
	{ "64",
	  { 16, 8, false, false },
	  "watchpoints: neither loads nor stores at 0x10" },
};

TEST_ROWS(a_watchpoint_is_of_bytes_that_there_are, point_rows)
{
	const struct point_row *row = &point_rows[_i];
	struct machine_watchpoint points[] = { { 0, 4, true, true },
					       row->point };
	char settings[32];
	struct error e;
	bool taken;

	SCRIPT(ops);
	snprintf(settings, sizeof(settings), "xlen=%s", row->xlen);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = settings });
	taken = machine_set_watchpoints(f.m, points, 2, &e);
	ck_assert(taken == !row->text);
	if (!taken) {
		ck_assert_int_eq(e.kind, ERROR_INVALID);
		ck_assert_str_eq(e.text, row->text);
		ck_assert_uint_eq(watches_page(f.m, 0), 0); /* not one */
	}
}

TEST_TIMES(so_many_are_watched_and_no_more, 2)
{
	struct machine_watchpoint points[MACHINE_MAX_WATCHPOINTS + 1];
	struct error e;

	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		points[i] =
			(struct machine_watchpoint){ 16 * i, 1, true, false };
	make(0, HLV_D);
	ck_assert(machine_set_watchpoints(f.m, points,
					  MACHINE_MAX_WATCHPOINTS + (size_t)_i,
					  &e) == !_i);
	if (_i)
		ck_assert_str_eq(e.reason, "TOO_MANY");
}

SUITE("machine-guest", .teardown = teardown);
