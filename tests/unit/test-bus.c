/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bus: range checks at every border, and who answers which access.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board/bus.h"
#include "unit.h"

#define BASE 0x80000000ull
#define SIZE 0x4000ull

static struct bus bus;
static uint64_t told_addr, told_size;
static unsigned n_told;

static void told(void *host, uint64_t paddr, uint64_t size)
{
	told_addr = paddr;
	told_size = size;
	n_told++;
}

/* Answers its offset; refuses writes. */
static bool echo(void *dev, struct bus_access *access)
{
	if (access->write)
		return false;
	access->value = *(uint64_t *)dev + access->offset;
	return true;
}

static uint64_t tag = 0x1000;

static void setup(void)
{
	n_told = 0;
	ck_assert_int_eq(bus_init(&bus, BASE, SIZE), 0);
	bus.written = told;
	bus_add(&bus, &(struct bus_region){ 0x1000, 0x14, echo, &tag, "a" });
	bus_add(&bus, &(struct bus_region){ 0x2000, 0x100, echo, &tag, "b" });
}

static void teardown(void)
{
	bus_fini(&bus);
}

static const struct ram_row {
	const char *why;
	uint64_t addr, len;
	bool want;
} ram_rows[] = {
	{ "the first byte", BASE, 1, true },
	{ "all of it", BASE, SIZE, true },
	{ "the last byte", BASE + SIZE - 1, 1, true },
	{ "one byte before", BASE - 1, 1, false },
	{ "one byte behind", BASE + SIZE, 1, false },
	{ "over the end", BASE + SIZE - 1, 2, false },
	{ "over the start", BASE - 1, 2, false },
	{ "more than there is", BASE, SIZE + 1, false },
	{ "a length that wraps", BASE + 8, UINT64_MAX, false },
	{ "a length that wraps to the address", BASE, 0 - (uint64_t)BASE,
	  false },
	{ "an address at the end of all", UINT64_MAX, 1, false },
	{ "nothing, anywhere", 0, 0, true },
};

TEST_ROWS(a_range_is_ram_only_if_every_byte_is, ram_rows)
{
	const struct ram_row *row = &ram_rows[_i];

	ck_assert_msg(bus_is_ram(&bus, row->addr, row->len) == row->want, "%s",
		      row->why);
}

TEST(copies_reach_ram_and_are_told)
{
	uint64_t in = 0x1122334455667788, out = 0;

	ck_assert(bus_write(&bus, BASE + SIZE - 8, &in, 8));
	ck_assert_uint_eq(n_told, 1);
	ck_assert_uint_eq(told_addr, BASE + SIZE - 8);
	ck_assert_uint_eq(told_size, 8);
	ck_assert(bus_read(&bus, BASE + SIZE - 8, &out, 8));
	ck_assert_uint_eq(in, out);
	ck_assert(bus_zero(&bus, BASE + SIZE - 4, 4));
	ck_assert_uint_eq(n_told, 2);
	ck_assert(bus_read(&bus, BASE + SIZE - 8, &out, 8));
	ck_assert_uint_eq(out, in & 0xffffffff);
}

TEST(all_of_ram_is_cleared_and_told)
{
	uint8_t byte = 7;

	ck_assert(bus_write(&bus, BASE, &byte, 1));
	ck_assert(bus_write(&bus, BASE + SIZE - 1, &byte, 1));
	bus_clear(&bus);
	ck_assert_uint_eq(n_told, 3);
	ck_assert_uint_eq(told_addr, BASE);
	ck_assert_uint_eq(told_size, SIZE);
	ck_assert(bus_read(&bus, BASE, &byte, 1) && byte == 0);
	ck_assert(bus_read(&bus, BASE + SIZE - 1, &byte, 1) && byte == 0);
}

/* Among the kernel's pages of RAM. */
static unsigned populated(void)
{
	unsigned char there[SIZE / BUS_PAGE];
	unsigned n = 0;

	ck_assert_int_eq(mincore(bus.ram, SIZE, there), 0);
	for (size_t i = 0; i < SIZE / BUS_PAGE; i++)
		n += there[i] & 1;
	return n;
}

TEST(cleared_ram_is_given_back)
{
	uint8_t byte = 7;

	ck_assert(bus_write(&bus, BASE + SIZE - 1, &byte, 1));
	ck_assert_uint_eq(populated(), 1);
	bus_clear(&bus);
	ck_assert_uint_eq(populated(), 0);
}

/* Where the kernel may not take it: it is locked. */
TEST(ram_that_stays_is_cleared)
{
	uint8_t byte = 7;

	ck_assert_int_eq(mlock(bus.ram, SIZE), 0);
	ck_assert(bus_write(&bus, BASE, &byte, 1));
	ck_assert(bus_write(&bus, BASE + SIZE - 1, &byte, 1));
	bus_clear(&bus);
	ck_assert(bus_read(&bus, BASE, &byte, 1) && byte == 0);
	ck_assert(bus_read(&bus, BASE + SIZE - 1, &byte, 1) && byte == 0);
	ck_assert_uint_eq(told_size, SIZE);
}

TEST(nobody_has_to_be_told)
{
	uint64_t in = 5;

	bus.written = NULL;
	ck_assert(bus_write(&bus, BASE, &in, 8));
	ck_assert(bus_zero(&bus, BASE, 8));
	bus_clear(&bus);
	ck_assert_uint_eq(n_told, 0);
}

/* Of the second page alone; the ones beside it are no part of it. */
TEST(a_page_is_zero_if_each_byte_is)
{
	static const struct {
		uint64_t at;
		bool zero;
	} rows[] = {
		{ 0, true },	 { 4095, true },  { 4096, false },
		{ 4097, false }, { 6000, false }, { 8191, false },
		{ 8192, true },
	};
	uint8_t one = 1;

	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		bus_clear(&bus);
		ck_assert(bus_page_is_zero(&bus, 4096));
		ck_assert(bus_write(&bus, BASE + rows[i].at, &one, 1));
		ck_assert_msg(bus_page_is_zero(&bus, 4096) == rows[i].zero,
			      "%llu", (unsigned long long)rows[i].at);
	}
}

/* Among the kernel's flags of the mapping with @at. */
static bool has_flag(const void *at, const char *flag)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	bool ours = false, has = false;
	char line[512];

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		unsigned long from, to, addr = (unsigned long)at;

		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			ours = addr >= from && addr < to;
		else if (ours && !strncmp(line, "VmFlags:", 8))
			has = strstr(line, flag) != NULL;
	}
	fclose(f);
	return has;
}

TEST(ram_is_in_no_core_dump_and_has_no_room_reserved)
{
	ck_assert(has_flag(bus.ram, " dd"));
	ck_assert(has_flag(bus.ram, " nr"));
	ck_assert(!has_flag(bus.ram, " sh"));
}

TEST(a_copy_that_leaves_ram_copies_nothing)
{
	uint8_t in[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[4];

	ck_assert(!bus_write(&bus, BASE + SIZE - 4, in, 8));
	ck_assert(!bus_zero(&bus, BASE - 1, 2));
	ck_assert(!bus_read(&bus, BASE + SIZE - 4, in, 8));
	ck_assert_uint_eq(in[0], 1);
	ck_assert_uint_eq(n_told, 0);
	ck_assert(bus_read(&bus, BASE + SIZE - 4, out, 4));
	ck_assert_uint_eq(out[0] | out[3], 0);
	ck_assert(bus_write(&bus, 0, in, 0));
	ck_assert_uint_eq(n_told, 0);
}

static const struct device_row {
	const char *why;
	uint64_t addr;
	uint8_t size;
	bool want;
	uint64_t offset;
} device_rows[] = {
	{ "the first register", 0x1000, 8, true, 0 },
	{ "the last bytes", 0x1010, 4, true, 0x10 },
	{ "over the end of the region", 0x1010, 8, false, 0 },
	{ "behind the region", 0x1014, 4, false, 0 },
	{ "before the region", 0xffc, 4, false, 0 },
	{ "another region", 0x20ff, 1, true, 0xff },
	{ "not aligned", 0x1002, 4, false, 0 },
	{ "no size", 0x1000, 0, false, 0 },
	{ "a size that no access has", 0x1000, 3, false, 0 },
	{ "wider than any access", 0x2000, 16, false, 0 },
	{ "RAM is no device", BASE, 4, false, 0 },
};

TEST_ROWS(an_access_reaches_the_region_that_holds_it, device_rows)
{
	const struct device_row *row = &device_rows[_i];
	struct bus_access a = { .size = row->size };

	ck_assert_msg(bus_device_access(&bus, row->addr, &a) == row->want, "%s",
		      row->why);
	if (row->want)
		ck_assert_uint_eq(a.value, tag + row->offset);
}

TEST(a_device_may_refuse)
{
	struct bus_access a = { .size = 4, .write = true };

	ck_assert(!bus_device_access(&bus, 0x1000, &a));
}

static const struct size_row {
	const char *why;
	uint64_t base, size;
} size_rows[] = {
	{ "no RAM", BASE, 0 },
	{ "half a page", BASE, 2048 },
	{ "a base inside a page", BASE + 1, 4096 },
	{ "beyond 2^63", 1ull << 63, 4096 },
	{ "wraps", BASE, UINT64_MAX - 4095 },
	{ "ends at 2^63", 1ull << 62, 1ull << 62 },
	{ "half a page in a page", BASE + 2048, 2048 },
};

TEST_ROWS(impossible_ram_is_refused, size_rows)
{
	struct bus b;

	ck_assert_msg(bus_init(&b, size_rows[_i].base, size_rows[_i].size) ==
			      -EINVAL,
		      "%s", size_rows[_i].why);
	ck_assert_ptr_null(b.ram);
	bus_fini(&b);
}

TEST(ram_that_the_host_has_not_is_refused)
{
	struct bus b;

	ck_assert_int_lt(bus_init(&b, BASE, 1ull << 60), 0);
	ck_assert_ptr_null(b.ram);
	bus_fini(&b);
}

TEST(ram_is_populated_as_it_is_touched)
{
	struct bus big;
	uint8_t byte = 1;

	ck_assert_int_eq(bus_init(&big, BASE, 16ull << 30), 0);
	ck_assert(bus_read(&big, BASE + (15ull << 30), &byte, 1));
	ck_assert_uint_eq(byte, 0);
	bus_fini(&big);
}

TEST(ram_is_given_back)
{
	void *ram = bus.ram;
	unsigned char there;

	ck_assert_int_eq(mincore(ram, 4096, &there), 0);
	bus_fini(&bus);
	ck_assert_int_eq(mincore(ram, 4096, &there), -1);
	ck_assert_int_eq(errno, ENOMEM);
}

static const struct place_row {
	const char *why;
	uint64_t base, size;
	bool want;
} place_rows[] = {
	{ "between two", 0x1014, 0xfec, true },
	{ "over the first byte of one", 0xff1, 0x10, false },
	{ "over the last byte of one", 0x1013, 0x10, false },
	{ "below RAM", BASE - 0x100, 0x100, true },
	{ "over the first byte of RAM", BASE - 0x100, 0x101, false },
	{ "over the last byte of RAM", BASE + SIZE - 1, 1, false },
	{ "above RAM", BASE + SIZE, 0x100, true },
	{ "of no size", 0x3000, 0, false },
};

/* A board with two owners of an address ends where it is built. */
TEST_ROWS(a_region_has_its_addresses_for_itself, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
		bus_add(&bus, &(struct bus_region){ row->base, row->size, echo,
						    &tag, "new" });
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(row->want ? WIFEXITED(status) && !WEXITSTATUS(status)
				: WIFSIGNALED(status) &&
					  WTERMSIG(status) == SIGABRT,
		      "%s: 0x%x", row->why, (unsigned)status);
}

SUITE("bus", .setup = setup, .teardown = teardown);
