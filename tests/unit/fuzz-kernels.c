/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hostile kernels: what a guest keeps of itself in its memory, its symbols, the
 * description of its structures and a list of symbols as a text. Nothing may
 * crash or read outside the memory (the sanitizers watch), and what is found
 * can be asked.
 */
#include <string.h>

#include "btf-image.h"
#include "btf.h"
#include "hostile-bytes.h"
#include "kallsyms-image.h"
#include "kallsyms.h"
#include "unit.h"

/* Of every kind that a name or a member leads through. */
static size_t make_btf(uint8_t *to)
{
	btf_begin();
	btf_number("int", 4);
	btf_number("char", 1);
	btf_type("", BTF_ARRAY, 0, 0); /* 3 */
	btf_three(2, 1, 16);
	btf_type("", BTF_PTR, 0, 9);
	btf_type("pid_t", BTF_TYPEDEF, 0, 6);
	btf_type("", BTF_CONST, 0, 1);
	btf_type("", BTF_UNION, 2, 8); /* 7 */
	btf_member("", 8, 0);
	btf_member("tgid", 1, 32);
	btf_type("", BTF_STRUCT | BTF_BITFIELDS, 1, 4);
	btf_member("pid", 5, 0);
	btf_type("task", BTF_STRUCT, 3, 64); /* 9 */
	btf_member("leader", 4, 0);
	btf_member("", 7, 64);
	btf_member("comm", 3, 256);
	return btf_finish(to);
}

static bool find_task(const uint8_t *bytes, size_t size)
{
	struct btf_field f[] = { { "task", "pid" },
				 { "task", "tgid" },
				 { "task", "comm" },
				 { "task", "leader" } };

	return btf_find(bytes, size, f, ARRAY_SIZE(f));
}

static void try_btf(const uint8_t *bytes, size_t size)
{
	(void)find_task(bytes, size);
}

TEST(a_hostile_description_does_no_harm)
{
	static uint8_t memory[BTF_HEADER + BTF_IMAGE_MAX + BTF_STRINGS_MAX];
	size_t size = make_btf(memory);

	ck_assert(find_task(memory, size));
	hostile_bytes(try_btf, memory, size, 0);
}

/* Each is found at its address or behind others there, whatever they are. */
static void ask(struct symbol_map *m)
{
	struct map_symbol s, found;
	uint64_t last = 0, address;

	for (size_t i = 0; m && i < symbol_map_count(m); i++) {
		symbol_map_get(m, i, &s);
		ck_assert_uint_ge(s.address, last);
		last = s.address;
		ck_assert_uint_le(strlen(s.name), SYMBOL_MAP_MAX_NAME);
		if (symbol_map_find(m, s.address, &found))
			ck_assert_uint_le(found.address, s.address);
		ck_assert(symbol_map_address(m, s.name, &address));
	}
	symbol_map_free(m);
}

static unsigned xlen, n_found;

static void try_tables(const uint8_t *bytes, size_t size)
{
	const char *why = NULL;
	struct symbol_map *m = kallsyms_find(bytes, size, xlen, &why);

	ck_assert(m || why);
	n_found += m != NULL;
	ask(m);
}

/* That of 7.0 also with what tells where it is, and its tables behind that. */
static const struct tables_row {
	unsigned xlen;
	enum kernel_layout layout;
	size_t start, from, keep; /* bytes that stay */
} tables_rows[] = {
	{ 64, LAYOUT_BASE, KERNEL_AT, KERNEL_AT - 16, 16 },
	{ 32, LAYOUT_BASE, KERNEL_AT, KERNEL_AT - 16, 16 },
	{ 64, LAYOUT_PLACE, 0x100, 0, 0 },
	{ 32, LAYOUT_PLACE, 0x100, 0, 0 },
	{ 32, LAYOUT_VALUE, KERNEL_AT, KERNEL_AT - 16, 16 },
};

TEST_ROWS(hostile_tables_of_symbols_do_no_harm, tables_rows)
{
	const struct tables_row *row = &tables_rows[_i];

	xlen = row->xlen;
	n_found = 0;
	k = (struct kernel){ .layout = row->layout, .start = row->start };
	kernel_make(xlen, 3);
	hostile_bytes(try_tables, k.memory + row->from, k.at - row->from,
		      row->keep);
	free(k.memory);
	ck_assert_uint_gt(n_found,
			  100); /* what it changed was not all checks */
}

static void try_list(const uint8_t *bytes, size_t size)
{
	const char *why = NULL;
	struct symbol_map *m =
		symbol_map_parse((const char *)bytes, size, &why);

	ck_assert(m || why);
	ask(m);
}

TEST(a_hostile_list_does_no_harm)
{
	static const char list[] = "ffffffff80000000 T _start\n"
				   "ffffffff80000010 t $x\n"
				   "ffffffff80000020 W weak_one\n"
				   "ffffffff01000000 d data [some_module]\n"
				   "ffffffff80000024 T _end\n";

	hostile_bytes(try_list, (const uint8_t *)list, sizeof(list) - 1, 0);
}

SUITE("fuzz-kernels", .timeout = 300);
