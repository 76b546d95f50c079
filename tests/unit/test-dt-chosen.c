/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board/dt-chosen.c: a user's tree gets bootargs and the place of an initrd, as
 * far as there are any, and stays as it is in all else; a generated one has
 * these from the beginning.
 */
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

#include "dt-machine.h"
#include "unit.h"

static void *tree;
static size_t size;

/* A tree with a memory node and, if there is @bootargs, a node chosen. */
static void make(const char *bootargs)
{
	char room[1024];
	int node;

	ck_assert_int_eq(fdt_create_empty_tree(room, sizeof(room)), 0);
	node = fdt_add_subnode(room, 0, "memory");
	ck_assert_int_ge(node, 0);
	ck_assert_int_eq(fdt_setprop_u32(room, node, "reg", 77), 0);
	if (bootargs) {
		node = fdt_add_subnode(room, 0, "chosen");
		ck_assert_int_eq(
			fdt_setprop_string(room, node, "bootargs", bootargs),
			0);
		ck_assert_int_eq(fdt_setprop_u32(room, node, "other", 5), 0);
	}
	ck_assert_int_eq(fdt_pack(room), 0);
	size = fdt_totalsize(room);
	tree = malloc(size);
	memcpy(tree, room, size);
}

static void teardown(void)
{
	free(tree);
	tree = NULL;
}

static const char *text(const char *name)
{
	int node = fdt_path_offset(tree, "/chosen");
	const char *got = node < 0 ? NULL : fdt_getprop(tree, node, name, NULL);

	return got ? got : "none";
}

/* UINT64_MAX: there is none. */
static uint64_t number(const char *name)
{
	int len, node = fdt_path_offset(tree, "/chosen");
	const fdt64_t *got =
		node < 0 ? NULL : fdt_getprop(tree, node, name, &len);

	if (!got)
		return UINT64_MAX;
	ck_assert_int_eq(len, 8);
	return fdt64_ld(got);
}

static const struct chosen_row {
	const char *before;   /* bootargs; NULL: no node */
	const char *bootargs; /* given, NULL: none */
	uint64_t start, end;
	const char *want;
} chosen_rows[] = {
	{ NULL, "quiet", 0, 0, "quiet" },
	{ NULL, "quiet", 0x1000, 0x3000, "quiet" },
	{ NULL, NULL, 0x80000000, 0x80000001, "none" },
	{ NULL, "", 0x1000, 0x3000, "none" },
	{ "old", "new and longer", 0, 0, "new and longer" },
	{ "old", NULL, 0, 0x10, "old" },
	{ "old", "", 0x10, 0, "old" },
	{ "old", NULL, 0, 0, "old" },
	{ "old", "", 7, 7, "old" },
	{ NULL, NULL, 0, 0, "none" },
};

TEST_ROWS(what_there_is_is_put_into_the_tree, chosen_rows)
{
	const struct chosen_row *row = &chosen_rows[_i];
	const struct dt_config cfg = { .bootargs = row->bootargs,
				       .initrd_start = row->start,
				       .initrd_end = row->end };
	bool initrd = row->start != row->end;
	void *was;
	size_t before;
	int node;

	make(row->before);
	was = tree;
	before = size;
	ck_assert_int_eq(dt_set_chosen(&tree, &size, &cfg), 0);
	if (!initrd && (!row->bootargs || !*row->bootargs)) {
		ck_assert_ptr_eq(tree, was);
		ck_assert_uint_eq(size, before);
	}
	ck_assert_int_eq(fdt_check_full(tree, size), 0);
	ck_assert_uint_eq(fdt_totalsize(tree), size);
	ck_assert_str_eq(text("bootargs"), row->want);
	ck_assert_uint_eq(number("linux,initrd-start"),
			  initrd ? row->start : UINT64_MAX);
	ck_assert_uint_eq(number("linux,initrd-end"),
			  initrd ? row->end : UINT64_MAX);
	/* and what was there stays */
	node = fdt_path_offset(tree, "/memory");
	ck_assert_int_ge(node, 0);
	ck_assert_int_eq((int)fdt32_ld(fdt_getprop(tree, node, "reg", NULL)),
			 77);
	node = fdt_path_offset(tree, "/chosen");
	if (row->before)
		ck_assert_int_eq(
			(int)fdt32_ld(fdt_getprop(tree, node, "other", NULL)),
			5);
}

/* However long. */
TEST(bootargs_have_room)
{
	static char args[4000];
	const struct dt_config cfg = { .bootargs = args,
				       .initrd_start = 1,
				       .initrd_end = 2 };

	memset(args, 'x', sizeof(args) - 1);
	make("old");
	ck_assert_int_eq(dt_set_chosen(&tree, &size, &cfg), 0);
	ck_assert_str_eq(text("bootargs"), args);
	ck_assert_uint_eq(number("linux,initrd-end"), 2);
}

/* What is no tree, and one whose parts do not fit. */
TEST_TIMES(a_tree_that_cannot_be_changed_stays, 2)
{
	const struct dt_config cfg = { .bootargs = "x" };
	void *copy;

	make("old");
	if (_i)
		fdt_set_size_dt_struct(tree, 8);
	else
		fdt_set_version(tree, 3);
	copy = malloc(size);
	memcpy(copy, tree, size);
	ck_assert_int_eq(dt_set_chosen(&tree, &size, &cfg), -DT_EFORMAT);
	ck_assert_mem_eq(tree, copy, size);
	free(copy);
}

static struct dt_machine m;

static void build(void)
{
	free(tree);
	tree = NULL;
	ck_assert_int_eq(dt_build(&tree, &size, &m.cfg), 0);
}

TEST(a_generated_tree_has_what_is_chosen)
{
	dt_machine_init(&m, 64, 1);
	m.cfg.bootargs = "console=ttyS0 quiet";
	m.cfg.initrd_start = 0x184000000;
	m.cfg.initrd_end = 0x184001234;
	build();
	ck_assert_str_eq(text("bootargs"), m.cfg.bootargs);
	ck_assert_uint_eq(number("linux,initrd-start"), 0x184000000);
	ck_assert_uint_eq(number("linux,initrd-end"), 0x184001234);
}

TEST(a_generated_tree_has_the_seed_that_is_chosen)
{
	static const uint8_t seed[] = { 0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4 };

	dt_machine_init(&m, 64, 1);
	build();
	ck_assert_uint_eq(number("rng-seed"), UINT64_MAX);
	m.cfg.rng_seed = seed;
	m.cfg.rng_seed_size = sizeof(seed);
	build();
	ck_assert_uint_eq(number("rng-seed"), 0xdeadbeef01020304);
}

SUITE("dt-chosen", .teardown = teardown);
