/* SPDX-License-Identifier: BSD-2-Clause */
/* Which ranges a tree describes, through the buses above them. */
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/dt-ranges.h"
#include "unit.h"

static uint8_t tree[0x8000];
static struct vacant_range found[VACANT_MAX + 1];
static char text[1024];

static void cells(unsigned address, unsigned size)
{
	ck_assert_int_eq(fdt_property_u32(tree, "#address-cells", address), 0);
	ck_assert_int_eq(fdt_property_u32(tree, "#size-cells", size), 0);
}

static void words(const char *name, const uint32_t *word, size_t n)
{
	fdt32_t value[32];

	for (size_t i = 0; i < n; i++)
		value[i] = cpu_to_fdt32(word[i]);
	ck_assert_int_eq(
		fdt_property(tree, name, value, (int)(n * sizeof(*value))), 0);
}

#define WORDS(name, ...)                                                       \
	words(name, (const uint32_t[]){ __VA_ARGS__ },                         \
	      sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static void begin(const char *name)
{
	ck_assert_int_eq(fdt_begin_node(tree, name), 0);
}

static void end(void)
{
	ck_assert_int_eq(fdt_end_node(tree), 0);
}

static void setup(void)
{
	PREPARING(ck_assert_int_eq(fdt_create(tree, sizeof(tree)), 0));
	fdt_finish_reservemap(tree);
	begin("");
	cells(2, 2);
}

/* The tree as it is, as text: each range a line. */
static const char *ranges(void)
{
	size_t n, len = 0;

	end();
	ck_assert_int_eq(fdt_finish(tree), 0);
	n = dt_ranges(tree, found);
	text[0] = 0;
	for (size_t i = 0; i < n && i < VACANT_MAX && len < 900; i++)
		len += (size_t)sprintf(text + len, "%s %llx+%llx\n",
				       found[i].node,
				       (unsigned long long)found[i].base,
				       (unsigned long long)found[i].size);
	return text;
}

TEST(each_row_of_reg_is_a_range)
{
	begin("flash@20000000");
	WORDS("reg", 0, 0x20000000, 0, 0x2000000, 4, 0x22000000, 1, 0, 9);
	end();
	begin("a-device-with-a-name-that-is-too-long@1");
	WORDS("reg", 0, 1, 0, 1);
	end();
	begin("two@6000");
	WORDS("reg", 0, 0x6000, 0, 1, 0, 0x7000, 0, 1);
	end();
	ck_assert_str_eq(ranges(), "flash@20000000 20000000+2000000\n"
				   "flash@20000000 422000000+100000000\n"
				   "a-device-with-a-name-that-is-to 1+1\n"
				   "two@6000 6000+1\n"
				   "two@6000 7000+1\n");
}

TEST(no_range_is_memory_or_a_hart_or_nothing)
{
	begin("memory@80000000");
	ck_assert_int_eq(fdt_property_string(tree, "device_type", "memory"), 0);
	WORDS("reg", 0, 0x80000000, 0, 0x1000);
	end();
	begin("reserved-memory");
	cells(2, 2);
	ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
	begin("fw@80000000");
	WORDS("reg", 0, 0x80000000, 0, 0x1000);
	end();
	end();
	begin("cpus");
	cells(1, 0);
	begin("cpu@0");
	WORDS("reg", 0);
	end();
	end();
	begin("nothing@1000");
	WORDS("reg", 0, 0x1000, 0, 0);
	end();
	begin("around@1000");
	WORDS("reg", ~0u, ~0u - 1, 0, 2);
	end();
	begin("top");
	WORDS("reg", ~0u, ~0u - 1, 0, 1);
	end();
	begin("last@2000");
	ck_assert_int_eq(fdt_property_string(tree, "device_type", "serial"), 0);
	WORDS("reg", 0, 0x2000, 0, 2);
	end();
	ck_assert_str_eq(ranges(), "top fffffffffffffffe+1\n"
				   "last@2000 2000+2\n");
}

TEST(a_bus_moves_what_is_below_it_and_its_windows_are_ranges)
{
	begin("bus@4000000");
	cells(1, 1);
	WORDS("ranges", 0x100, 0, 0x4000000, 0x1000, 0x8000, 2, 0, 0x10);
	begin("in@200");
	WORDS("reg", 0x200, 0xf00);
	end();
	begin("over@200");
	WORDS("reg", 0x200, 0xf01);
	end();
	begin("second@8008");
	WORDS("reg", 0x8008, 8);
	end();
	begin("none@0");
	WORDS("reg", 0, 8);
	end();
	end();
	ck_assert_str_eq(ranges(), "bus@4000000 4000000+1000\n"
				   "bus@4000000 200000000+10\n"
				   "in@200 4000100+f00\n"
				   "second@8008 200000008+8\n");
}

TEST(buses_stand_in_buses_and_pci_addresses_have_three_cells)
{
	begin("soc");
	cells(2, 2);
	ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
	begin("pci@30000000");
	ck_assert_int_eq(fdt_property_string(tree, "device_type", "pci"), 0);
	cells(3, 2);
	WORDS("reg", 0, 0x30000000, 0, 0x10000000);
	WORDS("ranges", 0x1000000, 0, 0, 0, 0x3000000, 0, 0x10000, 0x3000000, 4,
	      0, 4, 0, 4, 0);
	end();
	end();
	ck_assert_str_eq(ranges(), "pci@30000000 30000000+10000000\n"
				   "pci@30000000 3000000+10000\n"
				   "pci@30000000 400000000+400000000\n");
}

/* A window's rows have the cells of both its sides. */
TEST(each_bus_counts_its_own_cells)
{
	begin("soc");
	cells(1, 1);
	WORDS("ranges", 0x1000, 4, 0, 0x1000);
	begin("bus");
	cells(2, 1);
	WORDS("ranges", 0, 0x10, 0x1800, 0x100);
	begin("first@10");
	WORDS("reg", 0, 0x10, 8);
	end();
	begin("last@108");
	WORDS("reg", 0, 0x108, 8);
	end();
	end();
	end();
	ck_assert_str_eq(ranges(), "soc 400000000+1000\n"
				   "bus 400000800+100\n"
				   "first@10 400000800+8\n"
				   "last@108 4000008f8+8\n");
}

TEST(what_is_cut_or_of_too_many_cells_is_no_range)
{
	begin("cut@1");
	WORDS("reg", 0, 1, 0, 8, 0, 2, 0);
	end();
	begin("cut");
	cells(2, 2);
	WORDS("ranges", 0, 1, 0, 1, 0);
	end();
	begin("four");
	cells(4, 1);
	ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
	begin("in@1");
	WORDS("reg", 0, 0, 0, 1, 8);
	end();
	end();
	begin("sizes-of-three");
	cells(1, 3);
	ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
	begin("in@1");
	WORDS("reg", 1, 0, 0, 8);
	end();
	end();
	begin("no-sizes");
	cells(1, 0);
	ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
	begin("in");
	cells(1, 1);
	WORDS("ranges", 1, 1, 8);
	end();
	end();
	ck_assert_str_eq(ranges(), "cut@1 1+8\n");
}

TEST(a_bus_without_ranges_hides_what_is_below_it)
{
	begin("i2c@1000");
	cells(2, 2);
	WORDS("reg", 0, 0x1000, 0, 0x10);
	begin("chip@48");
	WORDS("reg", 0, 0x48, 0, 1);
	end();
	end();
	ck_assert_str_eq(ranges(), "i2c@1000 1000+10\n");
}

/* A chain of nodes, each of one range, eight of which are looked at. */
TEST(what_is_deeper_than_eight_nodes_is_not_looked_at)
{
	static const char want[] = "d@1 1+1\nd@2 2+1\nd@3 3+1\nd@4 4+1\n"
				   "d@5 5+1\nd@6 6+1\nd@7 7+1\nd@8 8+1\n";
	char name[32];

	for (unsigned i = 1; i <= 10; i++) {
		sprintf(name, "d@%x", i);
		begin(name);
		cells(2, 2);
		ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
		WORDS("reg", 0, i, 0, 1);
	}
	for (unsigned i = 1; i <= 10; i++)
		end();
	ck_assert_str_eq(ranges(), want);
}

/* Nor is what stands in memory, at any depth; what follows is. */
TEST(memory_hides_what_is_in_it_and_nothing_else)
{
	for (unsigned i = 1; i <= 7; i++) {
		begin("bus");
		cells(2, 2);
		ck_assert_int_eq(fdt_property(tree, "ranges", NULL, 0), 0);
	}
	begin("reserved-memory");
	WORDS("reg", 0, 0x1000, 0, 1);
	begin("in");
	begin("in");
	end();
	end();
	end();
	begin("last@2000");
	WORDS("reg", 0, 0x2000, 0, 2);
	end();
	for (unsigned i = 1; i <= 7; i++)
		end();
	begin("first@3000");
	WORDS("reg", 0, 0x3000, 0, 3);
	end();
	ck_assert_str_eq(ranges(), "last@2000 2000+2\nfirst@3000 3000+3\n");
}

TEST(more_than_there_is_room_for_are_counted)
{
	for (unsigned i = 0; i < VACANT_MAX + 3; i++) {
		char name[32];

		sprintf(name, "d@%x", i + 1);
		begin(name);
		WORDS("reg", 0, i + 1, 0, 1);
		end();
	}
	end();
	ck_assert_int_eq(fdt_finish(tree), 0);
	ck_assert_uint_eq(dt_ranges(tree, found), VACANT_MAX + 3);
	ck_assert_uint_eq(found[VACANT_MAX - 1].base, VACANT_MAX);
	ck_assert_uint_eq(found[VACANT_MAX].base, 0);
}

SUITE("dt-ranges", .setup = setup);
