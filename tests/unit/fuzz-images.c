/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hostile images, of a good ELF file and a good device tree. Nothing may crash
 * or read outside the bytes (the sanitizers watch), and a refused image leaves
 * RAM as it was.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fw/pmu-node.h>

#include "dt-fixture.h"
#include "dt-machine.h"
#include "elf-image.h"
#include "hostile-bytes.h"
#include "pie-image.h"
#include "board/loader.h"
#include "unit.h"

#define BASE 0x80000000ull
#define SIZE 0x4000ull

static struct bus bus;

static bool ram_is_clean(void)
{
	for (size_t i = 0; i < SIZE; i++)
		if (bus.ram[i])
			return false;
	return true;
}

static uint64_t pie;
static uint8_t xlen = 64;

static void try_elf(const uint8_t *bytes, size_t size)
{
	struct loader l = { .bus = &bus, .xlen = xlen, .pie = pie };
	struct loader_image got = { 0 };
	int err = loader_elf(&l, bytes, size, &got);

	if (err) {
		ck_assert(ram_is_clean());
		ck_assert_uint_eq(l.n_ranges, 0);
		ck_assert_uint_gt(strlen(loader_error(&l)), 0);
		return;
	}
	ck_assert(bus_is_ram(&bus, got.entry, 1));
	ck_assert(bus_is_ram(&bus, got.tohost, got.tohost ? 8 : 0));
	bus_zero(&bus, BASE, SIZE);
}

TEST(a_hostile_elf_file_does_no_harm)
{
	static const struct elf_image img = {
		.xlen = 64,
		.entry = BASE,
		.n_segments = 2,
		.segments = { { BASE, BASE, 0x80, 0x100 },
			      { BASE + 0x1000, BASE + 0x1000, 8, 0x1000 } },
		.n_symbols = 2,
		.symbols = { { "tohost", BASE + 0x1000 },
			     { "fromhost", BASE + 0x1040 } },
	};
	size_t size;
	uint8_t *bytes = elf_image_make(&img, &size);

	ck_assert_int_eq(bus_init(&bus, BASE, SIZE), 0);
	hostile_bytes(try_elf, bytes, size, 0);
	bus_fini(&bus);
	free(bytes);
}

/* One that has all tables, each with words to move. */
static const struct pie_image pies[] = {
	{ .align = 0x1000,
	  .dynamic = { PIE_HAS_RELA(2), PIE_HAS_RELR(2) },
	  .rela = { { 0, R_RISCV_RELATIVE, 0 },
		    { PIE_MEMORY - 8, R_RISCV_RELATIVE, 4 } },
	  .relr = { 8, 3 } },
	{ .xlen = 32,
	  .link = 0x10000,
	  .align = 0x1000,
	  .dynamic = { PIE_HAS_RELA_32(2), PIE_HAS_RELR_32(2), { DT_NULL, 0 } },
	  .rela = { { 0, R_RISCV_RELATIVE, 0 },
		    { PIE_MEMORY - 4, R_RISCV_RELATIVE, 4 } },
	  .relr = { 8, 3 } },
	{ .align = 8,
	  .dynamic = { { DT_JMPREL, PIE_RELA },
		       { DT_PLTRELSZ, 48 },
		       PIE_HAS_RELR(2) },
	  .rela = { { 8, R_RISCV_RELATIVE, 0 }, { 16, R_RISCV_RELATIVE, 0 } },
	  .relr = { 8, 3 } },
};

static bool is_good(const uint8_t *bytes, size_t size)
{
	struct loader l = { .bus = &bus, .xlen = xlen, .pie = pie };
	struct loader_image got;
	bool good = loader_elf(&l, bytes, size, &got) == 0;

	bus_zero(&bus, BASE, SIZE);
	return good;
}

TEST_ROWS(a_hostile_static_pie_does_no_harm, pies)
{
	const struct pie_image *img = &pies[_i];
	size_t size;
	uint8_t *bytes = pie_image_make(img, &size);

	ck_assert_int_eq(bus_init(&bus, BASE, SIZE), 0);
	pie = BASE + 0x1000;
	xlen = img->xlen ? (uint8_t)img->xlen : 64;
	ck_assert(is_good(bytes, size));
	hostile_bytes(try_elf, bytes, size, 0);
	bus_fini(&bus);
	free(bytes);
}

static struct dt_machine m;

static void quiet(void *arg, const char *text)
{
	ck_assert_uint_gt(strlen(text), 0);
}

static void try_tree(const uint8_t *bytes, size_t size)
{
	struct dt_report report = { .warn = quiet };

	if (dt_check(bytes, size, &m.cfg, &report))
		ck_assert(report.error);
}

static void quiet_fault(void *arg, const struct fw_dt_fault *f)
{
	ck_assert_uint_gt(strlen(f->path) * strlen(f->text), 0);
	ck_assert_ptr_nonnull(f->reference);
}

static void ask(const struct fw_dt *dt)
{
	struct fw_dt_way way;

	for (unsigned i = 0; i <= fw_dt_n_harts(dt); i++) {
		uint32_t id = i < fw_dt_n_harts(dt) ? fw_dt_hartid(dt, i) : 99;

		fw_dt_path(dt, id);
		fw_dt_event(dt, id, 1, &way);
		fw_dt_raw(dt, id, 1, &way);
	}
}

/* What was read stands without the tree, and what was accepted can be fixed. */
static void try_pmu(const uint8_t *bytes, size_t size)
{
	static const uint32_t lcofi[] = { 0, 1 };
	struct fw_dt_source src = { .dtb = bytes,
				    .size = size,
				    .fault = quiet_fault };
	struct fw_dt *dt;
	uint8_t *copy;

	for (int profile = 0; size && profile < 2; profile++) {
		src.quirks = fw_profile_quirks((enum fw_profile)profile);
		dt = NULL;
		if (fw_dt_new(&dt, &src))
			continue;
		if (dt)
			ask(dt);
		fw_dt_free(dt);
		copy = malloc(size);
		ck_assert(copy);
		memcpy(copy, bytes, size);
		ck_assert_int_eq(fw_dt_fixup(copy, lcofi, 2), 0);
		free(copy);
	}
}

TEST(a_hostile_pmu_node_does_no_harm)
{
	static const struct dt_cpu cpus[] = {
		{ 0, "rv64imac_sscofpmf" },
		{ 1, "rv64imac" },
	};
	static const struct dt_prop props[] = {
		PROP("interrupts-extended", DT_INTC, 13),
		PROP(SELECTS, 3, 0, 5, 0x10000, 0, 2),
		PROP(RANGES, 1, 1, 1, 2, 2, 4, 3, 10, 0xff8),
		PROP(RAWS, 0, 2, ~0u, ~0u, 0xf8, ~0u, ~15u, ~0u, ~15u, 0xff0),
	};
	void *dtb = dt_begin();

	dt_cpus(dtb, cpus, 2);
	dt_pmu(dtb, "pmu-0", props, ARRAY_SIZE(props));
	dt_pmu(dtb, "pmu-1", props + 1, ARRAY_SIZE(props) - 1);
	dt_end(dtb);
	hostile_bytes(try_pmu, dtb, fdt_totalsize(dtb), 0);
	free(dtb);
}

TEST(a_hostile_device_tree_does_no_harm)
{
	size_t size;
	void *dtb;

	dt_machine_init(&m, 64, 1);
	ck_assert_int_eq(dt_build(&dtb, &size, &m.cfg), 0);
	hostile_bytes(try_tree, dtb, size, 0);
	free(dtb);
}

SUITE("fuzz-images", .timeout = 300);
