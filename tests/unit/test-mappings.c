/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the code of a process of Linux is from: by a tree, areas, files and
 * mounts as the kernel keeps them, all of which are made here.
 */
#include <string.h>

#include "btf-image.h"
#include "control/mappings.h"
#include "core/machine-read.h"
#include "counted-reads.h"
#include "mappings-image.h"
#include "mappings-told.h"
#include "tasks-image.h"
#include "unit.h"

static void begin(const struct tasks_isa *isa)
{
	tasks_begin(isa);
	mapped_begin();
}

#define PROG	   "10000-91000+3000 /usr/bin/prog 74565\n"
#define OTHER_AREA "200000-201000+0  0\n"

static const struct where_row {
	const char *why, *want;
	uint64_t pc;
} where_rows[] = {
	{ "the first address of a file's", PROG, MAPPED_START },
	{ "the last", PROG, MAPPED_END - 1 },
	{ "before it", "", MAPPED_START - 1 },
	{ "behind it", "", MAPPED_END },
	{ "one that has no file", OTHER_AREA, MAPPED_OTHER_START },
	{ "what the tree has nothing for", "", 0xfff },
	{ "beyond the tree", "", MAPPED_OTHER_END + 1 },
	{ "the kernel's", "", UINT64_MAX },
};

TEST_ROWS(an_address_is_in_what_the_kernel_has_there, where_rows)
{
	const struct where_row *row = &where_rows[_i];

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		begin(&tasks_isas[i]);
		ck_assert_msg(strcmp(mappings_told(row->pc), row->want) == 0,
			      "%s: %s", row->why, mappings_text);
		tasks_end();
	}
}

TEST(a_tree_may_be_a_single_leaf)
{
	begin(RV64);
	mapped_put(MAPPED_MM, AT_TREE_ROOT, mapped_node(MAPPED_LEAF, 1) | 2);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	tasks_end();
}

TEST(nodes_between_may_be_without_gaps)
{
	begin(RV64);
	mapped_put(MAPPED_MM, AT_TREE_ROOT, mapped_node(MAPPED_TREE, 2) | 2);
	mapped_slot(MAPPED_TREE, 2, 0, mapped_node(MAPPED_LEAF, 1));
	mapped_pivot(MAPPED_TREE, 2, 0, MAPPED_OTHER_END);
	/* not this table's pivots, but a node of ranges' own */
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	tasks_end();
}

TEST(a_node_may_be_full)
{
	enum {
		PIVOTS = 15
	};

	begin(RV64);
	for (unsigned i = 0; i < PIVOTS; i++) {
		mapped_pivot(MAPPED_LEAF, 1, i, 0x1000 * (i + 1));
		mapped_slot(MAPPED_LEAF, 1, i, 0);
	}
	mapped_slot(MAPPED_LEAF, 1, PIVOTS, mapped_pointer(MAPPED_AREA));
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	tasks_end();
}

/* Once, and then only what is new */

TEST(a_mapping_is_told_once)
{
	begin(RV64);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	ck_assert_str_eq(mappings_told(MAPPED_START + 4), "");
	ck_assert_str_eq(mappings_told(MAPPED_OTHER_START), OTHER_AREA);
	ck_assert_str_eq(mappings_told(MAPPED_END - 1), "");
	tasks_end();
}

TEST(to_each_session_and_of_each_process)
{
	begin(RV64);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	mappings_asked.pid = 8;
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	mappings_asked.session = 1;
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	ck_assert_str_eq(mappings_told(MAPPED_START), "");
	tasks_end();
}

static const struct change_row {
	const char *why, *want;
	size_t at;
	unsigned word;
	uint64_t value;
} change_rows[] = {
	{ "another part of the file", "10000-91000+5000 /usr/bin/prog 74565\n",
	  MAPPED_AREA, AT_OFFSET, 5 },
	{ "longer", "10000-92000+3000 /usr/bin/prog 74565\n", MAPPED_AREA,
	  AT_END, 0x92000 },
	{ "no file any more", "10000-91000+0  0\n", MAPPED_AREA, AT_FILE, 0 },
};

TEST_ROWS(what_is_there_instead_is_told, change_rows)
{
	const struct change_row *row = &change_rows[_i];
	uint64_t before;

	begin(RV64);
	mappings_told(MAPPED_START);
	memcpy(&before, tasks_ram(row->at + row->word * 8), sizeof(before));
	mapped_put(row->at, row->word, row->value);
	ck_assert_msg(strcmp(mappings_told(MAPPED_START), row->want) == 0,
		      "%s: %s", row->why, mappings_text);
	mapped_put(row->at, row->word, before);
	ck_assert_msg(strcmp(mappings_told(MAPPED_START), PROG) == 0, "%s: %s",
		      row->why, mappings_text);
	tasks_end();
}

TEST(a_file_of_another_name_is_told)
{
	begin(RV64);
	mappings_told(MAPPED_START);
	mapped_name(MAPPED_PROG, "other", MAPPED_BIN);
	ck_assert_str_eq(mappings_told(MAPPED_START),
			 "10000-91000+3000 /usr/bin/other 74565\n");
	tasks_end();
}

TEST(what_lies_elsewhere_holds_on)
{
	begin(RV64);
	mappings_told(MAPPED_OTHER_START);
	/* up to the other's first address */
	mapped_put(MAPPED_AREA, AT_END, MAPPED_OTHER_START);
	ck_assert_str_ne(mappings_told(MAPPED_START), "");
	ck_assert_str_eq(mappings_told(MAPPED_OTHER_START), "");
	tasks_end();
}

/* Of processes whose mappings have the same places among those remembered. */
static const char *told_of_pid(unsigned i)
{
	mappings_asked.pid = 7 + i * MAPPINGS_TOLD;
	return mappings_told(MAPPED_START);
}

TEST(four_of_one_place_are_told_once)
{
	begin(RV64);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_str_eq(told_of_pid(i), PROG);
	for (unsigned i = 0; i < 12; i++)
		ck_assert_str_eq(told_of_pid(i % 4), "");
	tasks_end();
}

TEST(of_five_the_one_not_asked_for_is_told_again)
{
	static const unsigned since[] = { 0, 3, 2 };

	begin(RV64);
	for (unsigned i = 0; i < 4; i++)
		told_of_pid(i);
	for (unsigned i = 0; i < ARRAY_SIZE(since); i++)
		ck_assert_str_eq(told_of_pid(since[i]), "");
	ck_assert_str_eq(told_of_pid(4), PROG);
	for (unsigned i = 0; i < ARRAY_SIZE(since); i++)
		ck_assert_str_eq(told_of_pid(since[i]), "");
	ck_assert_str_eq(told_of_pid(1), PROG);
	tasks_end();
}

TEST(what_is_told_anew_takes_its_own_place)
{
	begin(RV64);
	for (unsigned i = 0; i < 4; i++)
		told_of_pid(i);
	mapped_put(MAPPED_AREA, AT_END, 0x92000);
	ck_assert_str_ne(told_of_pid(2), ""); /* the others are of before */
	mapped_put(MAPPED_AREA, AT_END, MAPPED_END);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_str_eq(told_of_pid(i), i == 2 ? PROG : "");
	tasks_end();
}

TEST(after_thousands_of_questions_it_is_told_again)
{
	begin(RV64);
	for (unsigned i = 0; i < 3 * MAPPINGS_ANEW; i++) {
		const char *told = mappings_told(MAPPED_START);
		bool due = !i || i % MAPPINGS_ANEW == MAPPINGS_ANEW - 1;

		ck_assert_msg(!*told == !due, "%u: %s", i, told);
	}
	tasks_end();
}

TEST(there_may_be_another_kernel)
{
	begin(RV64);
	mappings_told(MAPPED_START);
	mappings_forget(&tasks.trace.mappings);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	mapped_describe("mm");
	ck_assert_str_eq(mappings_told(MAPPED_OTHER_START), OTHER_AREA);
	mappings_forget(&tasks.trace.mappings);
	ck_assert_str_eq(mappings_told(MAPPED_START), "");
	mapped_describe(NULL); /* it is looked for once */
	ck_assert_str_eq(mappings_told(MAPPED_START), "");
	tasks_end();
}

/* Callers */

TEST(callers_are_told_too)
{
	const uint64_t pc[] = { MAPPED_START,	    MAPPED_START + 4, 0, 1,
				MAPPED_OTHER_START, MAPPED_END - 1 };

	begin(RV64);
	ck_assert_str_eq(mappings_told_of(pc, ARRAY_SIZE(pc)), PROG OTHER_AREA);
	ck_assert_str_eq(mappings_told_of(pc, ARRAY_SIZE(pc)), "");
	tasks_end();
}

static unsigned reads_for(const uint64_t *pc, size_t n)
{
	counted_reads = 0;
	mappings_told_of(pc, n);
	return counted_reads;
}

TEST(callers_in_an_area_that_was_found_take_no_reads)
{
	uint64_t pc[128];

	begin(RV64);
	for (unsigned i = 0; i < ARRAY_SIZE(pc); i++)
		pc[i] = i % 2 ? MAPPED_OTHER_START + i : MAPPED_END - 1 - i;
	mappings_told_of(pc, 2);
	ck_assert_uint_gt(reads_for(pc, 2), reads_for(pc, 1));
	ck_assert_uint_eq(reads_for(pc, ARRAY_SIZE(pc)), reads_for(pc, 2));
	pc[2] = MAPPED_END; /* it is in neither */
	ck_assert_uint_gt(reads_for(pc, 3), reads_for(pc, 2));
	pc[2] = MAPPED_START - 1;
	ck_assert_uint_gt(reads_for(pc, 3), reads_for(pc, 2));
	tasks_end();
}

/* A leaf with areas of a page each, from 0x1000 on. */
static void put_areas(unsigned n)
{
	enum {
		AREA = 0x40000
	};

	for (unsigned i = 0; i < n; i++) {
		uint64_t start = 0x1000 * (i + 1);

		mapped_area(AREA + i * 0x100, start, start + 0x1000);
		mapped_pivot(MAPPED_LEAF, 1, i, start + 0xfff);
		mapped_slot(MAPPED_LEAF, 1, i,
			    mapped_pointer(AREA + i * 0x100));
	}
	mapped_pivot(MAPPED_TREE, 3, 0, 0xff);
}

TEST(at_most_eight_at_once_and_the_others_then)
{
	enum {
		AREAS = MAPPINGS_AT_ONCE + 2
	};
	uint64_t pc[AREAS];
	struct mapping found[MAPPINGS_AT_ONCE];

	begin(RV64);
	put_areas(AREAS);
	for (unsigned i = 0; i < AREAS; i++)
		pc[i] = 0x1000 * (i + 1);
	mappings_asked.task = mapped_pointer(TASK);
	mappings_asked.pc = pc;
	mappings_asked.n = AREAS;
	ck_assert_uint_eq(
		mappings_find(&tasks.trace.mappings, &mappings_asked, found),
		MAPPINGS_AT_ONCE);
	ck_assert_uint_eq(
		mappings_find(&tasks.trace.mappings, &mappings_asked, found),
		2);
	ck_assert_uint_eq(found[0].start, pc[MAPPINGS_AT_ONCE]);
	tasks_end();
}

/* Nothing else happens */

TEST(nothing_is_known_that_was_not_asked_for)
{
	static struct mappings none;
	struct mapping found[MAPPINGS_AT_ONCE];

	begin(RV64);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	ck_assert_uint_eq(mappings_find(&none, &mappings_asked, found), 0);
	tasks_end();
}

TEST(asking_for_them_changes_nothing)
{
	size_t size;
	const uint8_t *memory;
	uint8_t *before;

	begin(RV64);
	memory = machine_ram(tasks.m, &size);
	before = malloc(size);
	memcpy(before, memory, size);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	ck_assert(!memcmp(before, memory, size));
	free(before);
	tasks_end();
}

SUITE("mappings", .setup = mappings_setup);
