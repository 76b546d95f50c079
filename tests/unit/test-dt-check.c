/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's own tree: refused when malformed, silent when it fits, and one
 * warning for each thing that does not.
 */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "dt-machine.h"
#include "unit.h"

static struct dt_machine m;
static uint64_t tree[0x2000];
static char said[8192];
static struct dt_report report;

static void note(void *arg, const char *text)
{
	strncat(said, text, sizeof(said) - strlen(said) - 2);
	strcat(said, "\n");
}

/* A generated tree with room for changes. */
static void setup(void)
{
	size_t size;
	void *dtb;

	dt_machine_init(&m, 64, 2);
	ck_assert_int_eq(dt_build(&dtb, &size, &m.cfg), 0);
	ck_assert_int_eq(fdt_open_into(dtb, tree, sizeof(tree)), 0);
	free(dtb);
	said[0] = 0;
	report = (struct dt_report){ .warn = note };
}

static int check(void)
{
	return dt_check(tree, sizeof(tree), &m.cfg, &report);
}

static int node(const char *path)
{
	int offset = fdt_path_offset(tree, path);

	ck_assert_msg(offset >= 0, "%s", path);
	return offset;
}

TEST(the_machines_own_tree_is_fine)
{
	ck_assert_int_eq(check(), 0);
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(report.warnings, 0);
}

static void no_memory(void)
{
	fdt_del_node(tree, node("/memory@80000000"));
}

static void memory_nowhere(void)
{
	fdt_delprop(tree, node("/memory@80000000"), "reg");
}

static void large_memory(void)
{
	fdt64_t reg[2] = { cpu_to_fdt64(0x80000000), cpu_to_fdt64(256 << 20) };

	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

/* Its cells are 32 bits wide: as many as are needed here. */
static void narrow_memory(void)
{
	fdt32_t reg[2] = { cpu_to_fdt32(0x80000000), cpu_to_fdt32(128 << 20) };

	fdt_setprop_u32(tree, 0, "#address-cells", 1);
	fdt_setprop_u32(tree, 0, "#size-cells", 1);
	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

static void wrapping_memory(void)
{
	fdt64_t reg[2] = { cpu_to_fdt64(0x80001000),
			   cpu_to_fdt64(0 - 0x1000ull) };

	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

static void small_memory(void)
{
	fdt64_t reg[2] = { cpu_to_fdt64(0x84000000), cpu_to_fdt64(64 << 20) };

	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

/* In two parts, of which the second is too large. */
static void two_memories(void)
{
	fdt64_t reg[4] = { cpu_to_fdt64(0x80000000), cpu_to_fdt64(64 << 20),
			   cpu_to_fdt64(0x84000000), cpu_to_fdt64(65 << 20) };

	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

/* Addresses of one cell, sizes of two. */
static void uneven_memories(void)
{
	fdt32_t reg[6] = { cpu_to_fdt32(0x80000000), 0,
			   cpu_to_fdt32(8),	     cpu_to_fdt32(0x88000000),
			   cpu_to_fdt32(1),	     cpu_to_fdt32(16) };

	fdt_setprop_u32(tree, 0, "#address-cells", 1);
	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

static void three_cells(void)
{
	fdt_setprop_u32(tree, 0, "#address-cells", 3);
	fdt_setprop(tree, node("/memory@80000000"), "reg", tree, 20);
}

static void sizes_of_three_cells(void)
{
	fdt_setprop_u32(tree, 0, "#size-cells", 3);
	fdt_setprop(tree, node("/memory@80000000"), "reg", tree, 20);
}

static void no_cells(void)
{
	fdt_setprop_u32(tree, 0, "#size-cells", 0);
}

/* libfdt says so by an error, and 4 * (that + 1) divides the length. */
static void no_address_cells(void)
{
	static const uint8_t reg[64 * 4 * (FDT_ERR_BADNCELLS - 1)];

	fdt_setprop_u32(tree, 0, "#address-cells", 0);
	fdt_setprop_u32(tree, 0, "#size-cells", 1);
	fdt_setprop(tree, node("/memory@80000000"), "reg", reg, sizeof(reg));
}

static void odd_memory(void)
{
	fdt_setprop(tree, node("/memory@80000000"), "reg", "abc", 3);
}

static void no_cpus(void)
{
	fdt_del_node(tree, node("/cpus"));
}

static void one_cpu(void)
{
	fdt_del_node(tree, node("/cpus/cpu@1"));
}

static void cpu_number(void)
{
	fdt_setprop_u32(tree, node("/cpus/cpu@1"), "reg", 9);
}

static void no_reg(void)
{
	fdt_delprop(tree, node("/cpus/cpu@1"), "reg");
}

static void other_time(void)
{
	fdt_setprop_u32(tree, node("/cpus"), "timebase-frequency", 1000);
}

static void no_time(void)
{
	fdt_delprop(tree, node("/cpus"), "timebase-frequency");
}

static void rv32(void)
{
	fdt_setprop_string(tree, node("/cpus/cpu@0"), "riscv,isa", "rv32imac");
}

static void short_isa(void)
{
	fdt_setprop_string(tree, node("/cpus/cpu@0"), "riscv,isa", "r");
}

static void more_isa(void)
{
	fdt_setprop_string(tree, node("/cpus/cpu@0"), "riscv,isa",
			   "rv64imac_zicsr_sstc_zba");
}

static void more_list(void)
{
	fdt_delprop(tree, node("/cpus/cpu@0"), "riscv,isa");
	fdt_setprop(tree, node("/cpus/cpu@0"), "riscv,isa-extensions",
		    "i\0svadu\0sst", 11);
}

static void other_letters(void)
{
	fdt_setprop_string(tree, node("/cpus/cpu@1"), "riscv,isa",
			   "rv64imaqvh");
}

static void parts(void)
{
	fdt_setprop_string(tree, node("/cpus/cpu@0"), "riscv,isa",
			   "rv64imafdcsu_zicsr_zifencei_zihintpause_zca_zcd_"
			   "zmmul_zaamo_zalrsc_za64rs_ziccif");
}

static void parts_of_less(void)
{
	m.hart[0].ext &= ~(uint64_t)PMU_EXT_C;
	parts();
}

/* Of two harts the first one is named. */
static void both(void)
{
	more_isa();
	other_letters();
}

static void string_and_list(void)
{
	fdt_setprop(tree, node("/cpus/cpu@0"), "riscv,isa-extensions",
		    "i\0svadu\0sst", 11);
	fdt_setprop_string(tree, node("/cpus/cpu@0"), "riscv,isa", "RV64I_Zba");
}

/* Each is named once. */
static void string_and_list_alike(void)
{
	more_isa();
	fdt_setprop(tree, node("/cpus/cpu@0"), "riscv,isa-extensions",
		    "i\0zba\0sstc\0zb\0ba", 16);
}

/* What QEMU 10 says of its hart, and ours has not. */
#define FURTHER                                                                \
	"zic64b, zicbom, zicbop, zicboz, zawrs, zfa, zba, zbb, zbc, zbs, "     \
	"shcounterenw, shgatpa, shtvala, shvsatpa, shvstvala, shvstvecd, "     \
	"sstc, sstvala, ssu64xl, svvptc"

static void further_isa(void)
{
	char isa[512] = "rv64imac_";
	size_t at = strlen(isa);

	for (const char *from = FURTHER; *from; from++)
		if (*from != ' ')
			isa[at++] = (char)(*from == ',' ? '_' : *from);
	isa[at] = 0;
	fdt_setprop_string(tree, node("/cpus/cpu@0"), "riscv,isa", isa);
}

static void no_isa(void)
{
	fdt_delprop(tree, node("/cpus/cpu@0"), "riscv,isa");
	fdt_delprop(tree, node("/cpus/cpu@0"), "riscv,isa-extensions");
}

static void set_range(uint32_t first, uint32_t counters)
{
	fdt32_t row[] = { cpu_to_fdt32(first), cpu_to_fdt32(first),
			  cpu_to_fdt32(counters) };

	fdt_setprop(tree, node("/pmu"), "riscv,event-to-mhpmcounters", row,
		    sizeof(row));
}

static void absent_counters(void)
{
	m.hart[1].hpm_mask = 0x18;
	set_range(5, 0x60);
}

static void some_counters(void)
{
	m.hart[1].hpm_mask = 0x18;
	set_range(5, 0x70);
}

static void unable_counters(void)
{
	m.hart[0].hpm_events[7] = 1u << PMU_EV_INSNS;
	set_range(5, 0x80);
}

static void unknown_event(void)
{
	set_range(11, 0x80);
}

static void fixed_counter(void)
{
	m.hart[0].hpm_mask = m.hart[1].hpm_mask = 0;
	set_range(1, 0x81);
}

static void other_selector(void)
{
	fdt32_t row[] = { cpu_to_fdt32(5), 0, cpu_to_fdt32(0x77) };

	set_range(5, 8);
	m.cfg.n_harts = 1;
	fdt_del_node(tree, node("/cpus/cpu@1"));
	fdt_setprop(tree, node("/pmu"), "riscv,event-to-mhpmevent", row,
		    sizeof(row));
}

static const struct warn_row {
	void (*change)(void);
	const char *want; /* "": fine */
} warn_rows[] = {
	{ no_memory, "there is no memory node (device_type \"memory\")\n" },
	{ large_memory,
	  "the memory node has 0x10000000 bytes at 0x80000000; RAM is "
	  "0x8000000 bytes at 0x80000000\n" },
	{ wrapping_memory,
	  "the memory node has 0xfffffffffffff000 bytes at 0x80001000; RAM is "
	  "0x8000000 bytes at 0x80000000\n" },
	{ narrow_memory, "" },
	{ small_memory, "" },
	{ two_memories,
	  "the memory node has 0x4100000 bytes at 0x84000000; RAM is "
	  "0x8000000 bytes at 0x80000000\n" },
	{ uneven_memories,
	  "the memory node has 0x100000010 bytes at 0x88000000; RAM is "
	  "0x8000000 bytes at 0x80000000\n" },
	{ three_cells, "the memory node has no usable reg\n" },
	{ sizes_of_three_cells, "the memory node has no usable reg\n" },
	{ no_cells, "the memory node has no usable reg\n" },
	{ no_address_cells, "the memory node has no usable reg\n" },
	{ odd_memory, "the memory node has no usable reg\n" },
	{ memory_nowhere, "the memory node has no usable reg\n" },
	{ no_cpus, "there is no /cpus node\n" },
	{ one_cpu, "hart 1 has no cpu node\n" },
	{ cpu_number, "the tree has a cpu 9, the machine has no such hart\n"
		      "hart 1 has no cpu node\n" },
	{ no_reg, "a cpu node has no usable reg\nhart 1 has no cpu node\n" },
	{ other_time,
	  "timebase-frequency is 1000, the machine's time base has 10000000 "
	  "Hz\n" },
	{ no_time, "/cpus has no timebase-frequency\n" },
	{ no_isa, "cpu 0 has neither riscv,isa nor riscv,isa-extensions\n" },
	{ absent_counters, "/pmu has counters 0x60 for branches, none of which "
			   "hart 1 has for it\n" },
	{ some_counters, "" },
	{ unable_counters, "/pmu has counters 0x80 for branches, none of which "
			   "hart 0 has for it\n" },
	{ unknown_event, "" },
	{ fixed_counter, "" },
	{ other_selector, "/pmu has selector 0x77 for branches, which selects "
			  "nothing on hart 0\n" },
};

TEST_ROWS(each_difference_is_told, warn_rows)
{
	warn_rows[_i].change();
	ck_assert_int_eq(check(), 0);
	ck_assert_str_eq(said, warn_rows[_i].want);
}

static const struct promise_row {
	void (*change)(void);
	const char *want; /* "": kept */
} promise_rows[] = {
	{ rv32, "cpu 0 promises rv32imac, which it has not" },
	{ short_isa, "cpu 0 promises r, which it has not" },
	{ more_isa, "cpu 0 promises sstc, zba, which it has not" },
	{ more_list, "cpu 0 promises sst, which it has not" },
	{ other_letters, "cpu 1 promises q, v, h, which it has not" },
	{ parts, "" },
	{ parts_of_less, "cpu 0 promises c, zca, zcd, which it has not" },
	{ both, "cpu 0 promises sstc, zba, which it has not" },
	{ string_and_list, "cpu 0 promises Zba, sst, which it has not" },
	{ string_and_list_alike,
	  "cpu 0 promises sstc, zba, zb, ba, which it has not" },
	{ further_isa, "cpu 0 promises " FURTHER ", which it has not" },
};

TEST_ROWS(what_a_hart_has_not_is_an_error, promise_rows)
{
	const char *want = promise_rows[_i].want;

	m.hart[0].ext |= PMU_EXT_SVADU;
	promise_rows[_i].change();
	ck_assert_int_eq(check(), *want ? -DT_EFORMAT : 0);
	ck_assert_str_eq(report.error ? report.error : "", want);
	ck_assert_str_eq(said, "");
}

TEST(there_is_an_end_to_warnings)
{
	char name[32];

	for (unsigned i = 0; i < 40; i++) {
		int cpus = node("/cpus"), cpu;

		snprintf(name, sizeof(name), "cpu@%x", i + 100);
		cpu = fdt_add_subnode(tree, cpus, name);
		fdt_setprop_string(tree, cpu, "device_type", "cpu");
		fdt_setprop_u32(tree, cpu, "reg", i + 100);
	}
	ck_assert_int_eq(check(), 0);
	ck_assert_uint_eq(report.warnings, 40);
	for (unsigned n = 0; n < DT_MAX_WARNINGS; n++) {
		char *line = strchr(said, '\n');

		ck_assert(line);
		*line = ' ';
	}
	ck_assert(!strchr(said, '\n'));
}

TEST(a_malformed_tree_is_refused)
{
	ck_assert_int_eq(dt_check(tree, 39, &m.cfg, &report), -DT_EFORMAT);
	ck_assert_str_eq(report.error,
			 "the device tree is too short for a header");
	ck_assert_int_eq(dt_check(tree, DT_MAX_SIZE + 1, &m.cfg, &report),
			 -DT_EFORMAT);
	ck_assert_str_eq(report.error, "the device tree is larger than 2 MiB");
	ck_assert_int_eq(dt_check(tree, 4096, &m.cfg, &report), -DT_EFORMAT);
	ck_assert_str_eq(report.error, fdt_strerror(-FDT_ERR_TRUNCATED));
	fdt_set_size_dt_strings(tree, DT_MAX_STRINGS + 1);
	ck_assert_int_eq(check(), -DT_EFORMAT);
	ck_assert_str_eq(report.error,
			 "the device tree's strings exceed 256 KiB");
	fdt_set_magic(tree, 1);
	ck_assert_int_eq(check(), -DT_EFORMAT);
	ck_assert_str_eq(report.error, fdt_strerror(-FDT_ERR_BADMAGIC));
}

SUITE("dt-check", .setup = setup);
