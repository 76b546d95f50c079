/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a guest looks for that its tree has and the board has not: each range
 * is noted once, and recorded where it was looked for.
 */
#include <libfdt.h>

#include "machine-script.h"

#define FIRST  0x10100000
#define SECOND 0x10200000

static uint64_t tree[0x2000];

static void add_node(const char *name, uint64_t base)
{
	fdt64_t reg[2] = { cpu_to_fdt64(base), cpu_to_fdt64(0x100) };
	int at = fdt_add_subnode(tree, 0, name);

	ck_assert_int_ge(at, 0);
	ck_assert_int_eq(fdt_setprop(tree, at, "reg", reg, sizeof(reg)), 0);
}

/* The machine's own tree with two devices more. */
static void make(void)
{
	struct machine_image image = { .kind = IMAGE_DTB,
				       .bytes = (const uint8_t *)tree };
	struct error e;
	uint64_t entry;
	size_t size;
	void *dtb;

	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(machine_device_tree(f.m, false, &dtb, &size, &e));
	ck_assert_int_eq(fdt_open_into(dtb, tree, sizeof(tree)), 0);
	free(dtb);
	add_node("first@10100000", FIRST);
	add_node("second@10200000", SECOND);
	image.size = fdt_totalsize(tree);
	ck_assert_msg(machine_load(f.m, &image, &entry, &e), "%s", e.text);
	fixture_start(&f);
}

static const struct vacant_row {
	const char *why;
	uint64_t at[3];
	unsigned n;		 /* notes */
	uint64_t base[2], pc[2]; /* of each; behind the access */
	const char *node[2];
} vacant_rows[] = {
	{ "nothing is looked for",
	  { BOARD_UART_BASE + 5, BOARD_UART_BASE + 5, BOARD_UART_BASE + 5 },
	  0,
	  { 0 },
	  { 0 },
	  { NULL } },
	{ "the first one, again and again",
	  { FIRST, FIRST + 4, FIRST },
	  1,
	  { FIRST },
	  { PC(1) },
	  { "first@10100000" } },
	{ "the second one alone",
	  { BOARD_UART_BASE + 5, SECOND + 8, SECOND },
	  1,
	  { SECOND },
	  { PC(2) },
	  { "second@10200000" } },
	{ "the second one, then the first",
	  { SECOND, SECOND, FIRST },
	  2,
	  { SECOND, FIRST },
	  { PC(1), PC(3) },
	  { "second@10200000", "first@10100000" } },
};

TEST_ROWS(what_is_not_there_is_told_where_it_is_looked_for, vacant_rows)
{
	const struct vacant_row *row = &vacant_rows[_i];
	const struct fake_op ops[] = { READ(2, 1, row->at[0]),
				       READ(2, 1, row->at[1]),
				       READ(2, 1, row->at[2]), PASS };
	char want[200];
	Pmu__V1__Trace *t;

	SCRIPT(ops);
	make();
	fixture_run(&f, 1000, 10);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_eq(fixture_status(&f).n_notes, row->n);
	t = fixture_trace(&f);
	for (unsigned i = 0; i < row->n; i++) {
		const Pmu__V1__Record *r =
			fixture_record(t, PMU__V1__RECORD__KIND_ABSENT, i);

		snprintf(want, sizeof(want),
			 "hart 0 looked for %s, of the device tree, at 0x%llx",
			 row->node[i], (unsigned long long)row->base[i]);
		ck_assert_msg(
			!strncmp(machine_note(f.m, i), want, strlen(want)),
			"%s: %s", row->why, machine_note(f.m, i));
		ck_assert_ptr_nonnull(r);
		ck_assert_str_eq(r->absent->node, row->node[i]);
		ck_assert_uint_eq(r->absent->address, row->base[i]);
		ck_assert_msg(r->pc == row->pc[i], "%s: %llx", row->why,
			      (unsigned long long)r->pc);
	}
	ck_assert_ptr_null(
		fixture_record(t, PMU__V1__RECORD__KIND_ABSENT, row->n));
	fixture_free_trace(t);
}

SUITE("machine-vacant", .teardown = teardown);
