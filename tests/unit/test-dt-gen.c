/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The generated device tree: what a kernel needs of it, and riscv,pmu rows
 * that say what the harts can count.
 */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include <fw/pmu-node.h>
#include <pmu/event.h>
#include <pmu/rule.h>

#include "dt-machine.h"
#include "unit.h"

static struct dt_machine m;
static void *dtb;

static void build(void)
{
	size_t size;

	free(dtb);
	dtb = NULL;
	ck_assert_int_eq(dt_build(&dtb, &size, &m.cfg), 0);
	ck_assert_uint_eq(size, fdt_totalsize(dtb));
	ck_assert_int_eq(fdt_check_full(dtb, size), 0);
}

static void setup(void)
{
	dt_machine_init(&m, 64, 1);
}

static void teardown(void)
{
	free(dtb);
	dtb = NULL;
}

/* A property as text: strings joined by '|', cells as hexadecimal. */
static const char *show(const char *path, const char *name, bool cells)
{
	static char text[4096];
	int node = fdt_path_offset(dtb, path), len;
	const char *p = node < 0 ? NULL : fdt_getprop(dtb, node, name, &len);
	size_t n = 0;

	if (!p)
		return "absent";
	text[0] = 0;
	if (cells) {
		for (int i = 0; i + 4 <= len; i += 4)
			n += (size_t)snprintf(
				text + n, sizeof(text) - n, "%s%x",
				i ? " " : "",
				fdt32_ld((const fdt32_t *)(p + i)));
		return text;
	}
	memcpy(text, p, (size_t)len);
	for (int i = 0; i + 1 < len; i++)
		if (!text[i])
			text[i] = '|';
	return text;
}

static const struct prop_row {
	const char *why;
	unsigned xlen;
	const char *path, *name;
	bool cells;
	const char *want;
} prop_rows[] = {
	{ "harts count time in ticks of", 64, "/cpus", "timebase-frequency",
	  true, "989680" },
	{ "a kernel finds memory by", 64, "/memory@80000000", "device_type",
	  false, "memory" },
	{ "RAM is", 64, "/memory@80000000", "reg", true,
	  "0 80000000 0 8000000" },
	{ "a cpu is", 64, "/cpus/cpu@0", "device_type", false, "cpu" },
	{ "a cpu is compatible", 64, "/cpus/cpu@0", "compatible", false,
	  "riscv" },
	{ "hart id", 64, "/cpus/cpu@0", "reg", true, "0" },
	{ "the ISA in one string", 64, "/cpus/cpu@0", "riscv,isa", false,
	  "rv64imafdc_zicntr_zicsr_zifencei_zihpm_sscofpmf_"
	  "sscounterenw_smcntrpmf" },
	{ "the base", 64, "/cpus/cpu@0", "riscv,isa-base", false, "rv64i" },
	{ "the ISA as a list", 64, "/cpus/cpu@0", "riscv,isa-extensions", false,
	  "i|m|a|f|d|c|zicntr|zicsr|zifencei|zihpm|sscofpmf|"
	  "sscounterenw|smcntrpmf" },
	{ "the largest scheme", 64, "/cpus/cpu@0", "mmu-type", false,
	  "riscv,sv57" },
	{ "RV32's base", 32, "/cpus/cpu@0", "riscv,isa-base", false, "rv32i" },
	{ "RV32's scheme", 32, "/cpus/cpu@0", "mmu-type", false, "riscv,sv32" },
	{ "the local controller", 64, "/cpus/cpu@0/interrupt-controller",
	  "compatible", false, "riscv,cpu-intc" },
	{ "it controls", 64, "/cpus/cpu@0/interrupt-controller",
	  "interrupt-controller", false, "" },
	{ "one cell per interrupt", 64, "/cpus/cpu@0/interrupt-controller",
	  "#interrupt-cells", true, "1" },
	{ "the console", 64, "/chosen", "stdout-path", false,
	  "/soc/serial@10000000" },
	{ "no command line unless given", 64, "/chosen", "bootargs", false,
	  "absent" },
	{ "no initrd unless given", 64, "/chosen", "linux,initrd-start", false,
	  "absent" },
	{ "the bus", 64, "/soc", "compatible", false, "simple-bus" },
	{ "the serial port", 64, "/soc/serial@10000000", "compatible", false,
	  "ns16550a" },
	{ "at", 64, "/soc/serial@10000000", "reg", true, "0 10000000 0 100" },
	{ "it interrupts by source 10", 64, "/soc/serial@10000000",
	  "interrupts", true, "a" },
	{ "of the controller", 64, "/soc/serial@10000000", "interrupt-parent",
	  true, "2" },
	{ "the clock of day", 64, "/soc/rtc@101000", "compatible", false,
	  "google,goldfish-rtc" },
	{ "it is at", 64, "/soc/rtc@101000", "reg", true, "0 101000 0 1000" },
	{ "its alarm is source 11", 64, "/soc/rtc@101000", "interrupts", true,
	  "b" },
	{ "of the same controller", 64, "/soc/rtc@101000", "interrupt-parent",
	  true, "2" },
	{ "which is", 64, "/soc/plic@c000000", "compatible", false,
	  "sifive,plic-1.0.0|riscv,plic0" },
	{ "known by", 64, "/soc/plic@c000000", "phandle", true, "2" },
	{ "at", 64, "/soc/plic@c000000", "reg", true, "0 c000000 0 600000" },
	{ "it has sources", 64, "/soc/plic@c000000", "riscv,ndev", true, "5f" },
	{ "it controls", 64, "/soc/plic@c000000", "interrupt-controller", false,
	  "" },
	{ "one cell each", 64, "/soc/plic@c000000", "#interrupt-cells", true,
	  "1" },
	{ "no address", 64, "/soc/plic@c000000", "#address-cells", true, "0" },
	{ "MEI and SEI of the hart", 64, "/soc/plic@c000000",
	  "interrupts-extended", true, "10 b 10 9" },
	{ "its clock", 64, "/soc/serial@10000000", "clock-frequency", true,
	  "384000" },
	{ "no second one unless wanted", 64, "/soc/serial@10001000",
	  "compatible", false, "absent" },
	{ "the first serial port is", 64, "/aliases", "serial0", false,
	  "/soc/serial@10000000" },
	{ "the CLINT", 64, "/soc/clint@2000000", "compatible", false,
	  "sifive,clint0|riscv,clint0" },
	{ "at", 64, "/soc/clint@2000000", "reg", true, "0 2000000 0 10000" },
	{ "with MSI and MTI", 64, "/soc/clint@2000000", "interrupts-extended",
	  true, "10 3 10 7" },
	{ "the finisher", 64, "/soc/test@100000", "compatible", false,
	  "sifive,test1|sifive,test0|syscon" },
	{ "at", 64, "/soc/test@100000", "reg", true, "0 100000 0 1000" },
	{ "power off", 64, "/poweroff", "value", true, "5555" },
	{ "at its first word", 64, "/poweroff", "offset", true, "0" },
	{ "reboot", 64, "/reboot", "value", true, "7777" },
	{ "the PMU", 64, "/pmu", "compatible", false, "riscv,pmu" },
	{ "overflow is LCOFI", 64, "/pmu", "interrupts-extended", true,
	  "10 d" },
};

TEST_ROWS(a_kernel_finds_what_it_needs, prop_rows)
{
	const struct prop_row *row = &prop_rows[_i];
	const char *got;

	shows(_i ? NULL : RULE("mtime_tick_period"));
	dt_machine_init(&m, row->xlen, 1);
	build();
	got = show(row->path, row->name, row->cells);
	ck_assert_msg(!strcmp(got, row->want), "%s: %s %s is %s", row->why,
		      row->path, row->name, got);
}

static const struct mmu_row {
	uint32_t modes;
	const char *want;
} mmu_rows[] = {
	{ PMU_SV39 | PMU_SV48 | PMU_SV57, "riscv,sv57" },
	{ PMU_SV39 | PMU_SV48, "riscv,sv48" },
	{ PMU_SV39, "riscv,sv39" },
	{ 0, "riscv,none" },
};

TEST_ROWS(the_largest_scheme_is_named, mmu_rows)
{
	m.hart[0].sv_modes = mmu_rows[_i].modes;
	build();
	ck_assert_str_eq(show("/cpus/cpu@0", "mmu-type", false),
			 mmu_rows[_i].want);
}

static const struct isa_row {
	const char *why;
	uint32_t off, on;
	const char *want;
} isa_rows[] = {
	{ "without floating point", PMU_EXT_F | PMU_EXT_D, 0,
	  "rv64imac_zicntr_zicsr_zifencei_zihpm_sscofpmf_"
	  "sscounterenw_smcntrpmf" },
	{ "the bare minimum", UINT32_MAX, 0, "rv64i_zicsr_zifencei" },
	{ "supervisor before machine, by alphabet", PMU_EXT_ZICNTR,
	  PMU_EXT_SSTC | PMU_EXT_SVADU | PMU_EXT_SVADE,
	  "rv64imafdc_zicsr_zifencei_zihpm_sscofpmf_sscounterenw_sstc_svade_"
	  "svadu_smcntrpmf" },
};

TEST_ROWS(the_isa_string_follows_the_naming_rules, isa_rows)
{
	const struct isa_row *row = &isa_rows[_i];
	char isa[DT_MAX_ISA];

	m.hart[0].ext = (m.hart[0].ext & ~row->off) | row->on;
	dt_isa_string(&m.hart[0], isa);
	ck_assert_msg(!strcmp(isa, row->want), "%s: %s", row->why, isa);
}

/* Rows of @n cells in a property of the riscv,pmu node. */
static size_t pmu_rows(const char *name, size_t n, uint32_t rows[][5])
{
	int len, node = fdt_path_offset(dtb, "/pmu");
	const fdt32_t *p = fdt_getprop(dtb, node, name, &len);

	ck_assert_msg(p && (size_t)len % (n * 4) == 0, "%s", name);
	for (size_t i = 0; i < (size_t)len / 4; i++)
		rows[i / n][i % n] = fdt32_ld(p + i);
	return (size_t)len / (n * 4);
}

TEST(standard_events_have_a_selector_and_counters)
{
	uint32_t select[64][5], counters[64][5];
	size_t n;

	shows(RULE("C101 C102 C103"));
	build();
	n = pmu_rows("riscv,event-to-mhpmevent", 3, select);
	ck_assert_uint_eq(pmu_rows("riscv,event-to-mhpmcounters", 3, counters),
			  n);
	ck_assert_uint_gt(n, 2);
	for (size_t i = 0; i < n; i++) {
		const struct pmu_event_desc *d =
			pmu_event_by_selector(select[i][2]);
		uint32_t want = 0xfffffff8;

		ck_assert(d && d->selector < 0x20000);
		ck_assert_uint_eq(select[i][0], select[i][2]);
		ck_assert_uint_eq(select[i][1], 0);
		ck_assert_uint_eq(counters[i][0], d->selector);
		ck_assert_uint_eq(counters[i][1], d->selector);
		if (d->event == PMU_EV_CYCLES)
			want |= 1;
		if (d->event == PMU_EV_INSNS)
			want |= 4;
		ck_assert_msg(counters[i][2] == want, "%s", d->name);
	}
}

TEST(every_event_is_a_raw_event)
{
	uint32_t raw[64][5];
	size_t n;

	shows(RULE("C102"));
	build();
	n = pmu_rows("riscv,raw-event-to-mhpmcounters", 5, raw);
	ck_assert_uint_eq(n, __builtin_popcountll(pmu_event_set(NULL)));
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(raw[i][0], 0);
		ck_assert(pmu_event_by_selector(raw[i][1]));
		ck_assert_uint_eq(raw[i][2], 0x00ffffff);
		ck_assert_uint_eq(raw[i][3], 0xffffffff);
		ck_assert_uint_eq(raw[i][4], 0xfffffff8);
	}
}

TEST(counters_are_those_that_exist_and_can_count)
{
	uint32_t rows[64][5];
	size_t n;

	m.hart[0].hpm_mask = 0x38;
	m.hart[0].hpm_events[4] = 1u << PMU_EV_BRANCHES;
	m.hart[0].hpm_events[5] = 0;
	build();
	n = pmu_rows("riscv,raw-event-to-mhpmcounters", 5, rows);
	for (size_t i = 0; i < n; i++) {
		const struct pmu_event_desc *d =
			pmu_event_by_selector(rows[i][1]);

		ck_assert_uint_eq(rows[i][4],
				  d->event == PMU_EV_BRANCHES ? 0x18 : 0x8);
	}
}

TEST(without_programmable_counters_the_fixed_ones_stay)
{
	uint32_t rows[64][5] = { 0 };

	m.hart[0].hpm_mask = 0;
	build();
	ck_assert_uint_eq(pmu_rows("riscv,event-to-mhpmcounters", 3, rows), 2);
	ck_assert_uint_eq(rows[0][2] | rows[1][2], 5);
	ck_assert_str_eq(show("/pmu", "riscv,raw-event-to-mhpmcounters", true),
			 "absent");
}

TEST(without_sscofpmf_nothing_interrupts)
{
	shows(RULE("C104"));
	dt_machine_init(&m, 64, 2);
	for (unsigned i = 0; i < 2; i++)
		m.hart[i].ext &= ~(uint32_t)PMU_EXT_SSCOFPMF;
	build();
	ck_assert_str_eq(show("/pmu", "interrupts-extended", true), "absent");
}

static void two_counters(struct pmu_hart_config *h)
{
	h->hpm_mask = 0x18;
}

static void no_lcofi(struct pmu_hart_config *h)
{
	h->ext &= ~(uint32_t)PMU_EXT_SSCOFPMF;
}

static void no_loads(struct pmu_hart_config *h)
{
	h->hpm_events[9] &= ~(UINT64_C(1) << PMU_EV_LOADS);
}

/* The first that can have another, and the last. */
static void first_counter(struct pmu_hart_config *h)
{
	h->hpm_events[3] &= ~(UINT64_C(1) << PMU_EV_LOADS);
}

static void last_counter(struct pmu_hart_config *h)
{
	h->hpm_events[31] &= ~(UINT64_C(1) << PMU_EV_LOADS);
}

static void narrow(struct pmu_hart_config *h)
{
	h->hpm_width[9] = 32;
	h->mvendorid = 1;
}

static const struct group_row {
	const char *why;
	void (*change)(struct pmu_hart_config *h); /* harts 1 and 3 of 4 */
	const char *lines[2];			   /* NULL: one node */
} group_rows[] = {
	{ "other counters", two_counters, { "10 d 12 d", "11 d 13 d" } },
	{ "no overflow interrupt", no_lcofi, { "10 d 12 d", "11 d 13 d" } },
	{ "other events", no_loads, { "10 d 12 d", "11 d 13 d" } },
	{ "of the first", first_counter, { "10 d 12 d", "11 d 13 d" } },
	{ "of the last", last_counter, { "10 d 12 d", "11 d 13 d" } },
	{ "what rows do not tell", narrow, { NULL } },
};

/* The tree says what the harts are: the firmware's reader has no complaint. */
static void read_back(void)
{
	struct fw_dt_source src = { .dtb = dtb };
	struct fw_dt_way way;
	struct fw_dt *read;

	ck_assert_int_eq(fw_dt_new(&read, &src), 0);
	for (unsigned h = 0; h < 4; h++) {
		const struct pmu_hart_config *cfg = &m.hart[h];

		ck_assert(fw_dt_event(read, h, 5, &way));
		ck_assert_uint_eq(way.counters, cfg->hpm_mask);
		ck_assert(fw_dt_raw(read, h, PMU_EV_LOADS, &way));
		ck_assert_uint_eq(way.counters >> 9 & 1,
				  cfg->hpm_mask >> 9 &
					  cfg->hpm_events[9] >> PMU_EV_LOADS &
					  1);
	}
	fw_dt_free(read);
}

TEST_ROWS(harts_that_count_alike_share_a_node, group_rows)
{
	const struct group_row *row = &group_rows[_i];

	shows(RULE("C104"));
	dt_machine_init(&m, 64, 4);
	row->change(&m.hart[1]);
	row->change(&m.hart[3]);
	build();
	ck_assert_int_eq(fdt_path_offset(dtb, "/pmu-2"), -FDT_ERR_NOTFOUND);
	ck_assert((fdt_path_offset(dtb, "/pmu") >= 0) == !row->lines[0]);
	for (unsigned i = 0; row->lines[0] && i < 2; i++) {
		const char *got = show(i ? "/pmu-1" : "/pmu-0",
				       "interrupts-extended", true);

		ck_assert_msg(!strcmp(got, row->lines[i]), "%s: %s", row->why,
			      got);
	}
	read_back();
}

TEST(harts_may_all_differ)
{
	dt_machine_init(&m, 64, 64);
	for (unsigned i = 0; i < 64; i++)
		m.hart[i].hpm_mask = (i + 1) << 3;
	build();
	ck_assert_str_eq(show("/pmu-63", "interrupts-extended", true), "4f d");
}

TEST(the_firmwares_clint_is_not_in_the_tree)
{
	m.cfg.clint = false;
	build();
	ck_assert_int_lt(fdt_path_offset(dtb, "/soc/clint@2000000"), 0);
}

TEST(a_second_serial_port_has_its_node)
{
	m.cfg.serial = true;
	build();
	ck_assert_str_eq(show("/soc/serial@10001000", "reg", true),
			 "0 10001000 0 100");
	ck_assert_str_eq(show("/soc/serial@10001000", "interrupts", true), "c");
	ck_assert_str_eq(show("/aliases", "serial1", false),
			 "/soc/serial@10001000");
}

TEST(a_plain_board_polls)
{
	m.cfg.board = BOARD_PLAIN;
	build();
	ck_assert_int_lt(fdt_path_offset(dtb, "/soc/plic@c000000"), 0);
	ck_assert_int_lt(fdt_path_offset(dtb, "/soc/rtc@101000"), 0);
	ck_assert_int_lt(fdt_path_offset(dtb, "/aliases"), 0);
	ck_assert_str_eq(show("/soc/serial@10000000", "interrupts", true),
			 "absent");
	ck_assert_str_eq(show("/soc/serial@10000000", "interrupt-parent", true),
			 "absent");
}

/* Contexts are counted by harts, also where one has no S-mode. */
TEST(the_controller_has_two_contexts_for_every_hart)
{
	dt_machine_init(&m, 64, 3);
	m.hart[1].ext &= ~PMU_EXT_S;
	build();
	ck_assert_str_eq(show("/soc/plic@c000000", "interrupts-extended", true),
			 "10 b 10 9 11 b 11 ffffffff 12 b 12 9");
}

TEST(every_hart_has_its_node)
{
	char path[64];

	dt_machine_init(&m, 64, 64);
	build();
	for (unsigned i = 0; i < 64; i++) {
		snprintf(path, sizeof(path), "/cpus/cpu@%x", i);
		ck_assert_int_ge(fdt_path_offset(dtb, path), 0);
	}
	ck_assert_int_lt(fdt_path_offset(dtb, "/cpus/cpu@40"), 0);
}

static char long_args[DT_MAX_BOOTARGS + 2];

TEST(a_configuration_out_of_range_is_refused)
{
	size_t size;
	void *tree;

	memset(long_args, 'a', DT_MAX_BOOTARGS);
	m.cfg.bootargs = long_args;
	dt_machine_init(&m, 64, 64);
	build();
	long_args[DT_MAX_BOOTARGS] = 'a';
	m.cfg.bootargs = long_args;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), -DT_EINVAL);
	m.cfg.bootargs = NULL;
	m.cfg.time_hz = UINT32_MAX;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), 0);
	free(tree);
	m.cfg.time_hz = 1ull << 32;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), -DT_EINVAL);
	m.cfg.time_hz = 1;
	m.hart[1].xlen = 32;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), -DT_EINVAL);
	m.hart[1].xlen = 64;
	m.cfg.n_harts = 65;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), -DT_EINVAL);
	m.cfg.n_harts = 0;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), -DT_EINVAL);
}

SUITE("dt-gen", .setup = setup, .teardown = teardown);
