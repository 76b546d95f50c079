/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's mappings that are being changed, or are none: nothing is told
 * that is not there, and every search ends.
 */
#include <string.h>

#include "btf-image.h"
#include "mappings-image.h"
#include "mappings-told.h"
#include "tasks-image.h"
#include "unit.h"

enum {
	K = 1 << 30, /* an address of the kernel's memory */
	NOWHERE = K | 0x3ffffe00
};

static uint64_t value_of(uint64_t v)
{
	return v & K ? mapped_pointer(v & ~(uint64_t)K) : v;
}

#define PROG	"10000-91000+3000 /usr/bin/prog 74565\n"
#define NO_NAME "10000-91000+3000  0\n"

/* A word in place of what is there. */
static const struct word_row {
	const char *why, *want;
	size_t at;
	unsigned word;
	uint64_t value;
} word_rows[] = {
	{ "no memory of its own", "", TASK, AT_MM, 0 },
	{ "a memory that is nowhere", "", TASK, AT_MM, NOWHERE },
	{ "no tree", "", MAPPED_MM, AT_TREE_ROOT, 0 },
	{ "a tree of one entry", "", MAPPED_MM, AT_TREE_ROOT, K | MAPPED_AREA },
	{ "no root", "", MAPPED_MM, AT_TREE_ROOT, K | MAPPED_TREE | 3 << 3 },
	{ "a root of nothing but entries", "", MAPPED_MM, AT_TREE_ROOT,
	  K | MAPPED_TREE | 2 },
	{ "a kind of node that nobody knows", "", MAPPED_MM, AT_TREE_ROOT,
	  K | MAPPED_TREE | 4 << 3 | 2 },
	{ "a root that is nowhere", "", MAPPED_MM, AT_TREE_ROOT,
	  NOWHERE | 3 << 3 | 2 },
	{ "an area of another memory", "", MAPPED_AREA, AT_AREA_MM, K | 8 },
	{ "it begins behind the address", "", MAPPED_AREA, AT_START, 0x10008 },
	{ "it ends before it", "", MAPPED_AREA, AT_END, 0x10004 },
	{ "a file that is nowhere", "", MAPPED_AREA, AT_FILE, NOWHERE },
	{ "a file whose name is nowhere", "", MAPPED_FILE, AT_DENTRY, NOWHERE },
	{ "a mount that is nowhere", NO_NAME, MAPPED_FILE, AT_MOUNT_POINT,
	  NOWHERE },
	{ "it is mounted nowhere", NO_NAME, MAPPED_MOUNT, AT_UP, NOWHERE },
	{ "on a folder that is nowhere", NO_NAME, MAPPED_MOUNT, AT_WHERE,
	  NOWHERE },
	{ "on itself, so it ends there", "10000-91000+3000 /bin/prog 74565\n",
	  MAPPED_MOUNT, AT_UP, K | MAPPED_MOUNT },
	{ "the size is nowhere", "10000-91000+3000 /usr/bin/prog 0\n",
	  MAPPED_FILE, AT_INODE, NOWHERE },
	{ "text that is nowhere", NO_NAME, MAPPED_PROG, AT_NAME, NOWHERE },
	{ "folders in a circle", NO_NAME, MAPPED_BIN, AT_PARENT,
	  K | MAPPED_PROG },
	{ "a folder that is nowhere", NO_NAME, MAPPED_PROG, AT_PARENT,
	  NOWHERE },
	{ "a file in no folder", "10000-91000+3000 prog 74565\n", MAPPED_PROG,
	  AT_PARENT, K | MAPPED_PROG },
};

TEST_ROWS(what_cannot_be_read_is_not_known, word_rows)
{
	const struct word_row *row = &word_rows[_i];

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		tasks_begin(&tasks_isas[i]);
		mapped_begin();
		mapped_put(row->at, row->word, value_of(row->value));
		ck_assert_msg(
			strcmp(mappings_told(MAPPED_START + 4), row->want) == 0,
			"%s: %s", row->why, mappings_text);
		tasks_end();
	}
}

TEST(a_tree_in_a_circle_ends)
{
	tasks_begin(RV64);
	mapped_begin();
	mapped_slot(MAPPED_TREE, 3, 1, mapped_node(MAPPED_TREE, 3));
	ck_assert_str_eq(mappings_told(MAPPED_START), "");
	tasks_end();
}

TEST(an_area_that_is_nowhere)
{
	tasks_begin(RV64);
	mapped_begin();
	mapped_slot(MAPPED_LEAF, 1, 1, mapped_pointer(0x3ffffe00));
	ck_assert_str_eq(mappings_told(MAPPED_START), "");
	tasks_end();
}

/* So many letters have the names of each folder, and of the file. */
static const struct long_row {
	const char *why;
	unsigned folders, letters, file;
	bool known;
} long_rows[] = {
	{ "the longest name", 0, 0, 255, true },
	{ "longer than a name can be", 0, 0, 256, false },
	{ "as long as can be told", 1, 251, 254, true },
	{ "one more letter", 1, 252, 254, false },
};

TEST_ROWS(long_names_are_told_whole_or_not, long_rows)
{
	const struct long_row *row = &long_rows[_i];
	char folder[300] = { 0 }, file[300] = { 0 }, want[1200];

	memset(folder, 'd', row->letters);
	memset(file, 'f', row->file);
	tasks_begin(RV64);
	mapped_begin();
	mapped_name(MAPPED_PROG, file, row->folders ? MAPPED_BIN : MAPPED_TOP);
	mapped_name(MAPPED_BIN, folder, MAPPED_TOP);
	snprintf(want, sizeof(want), "10000-91000+3000 /usr%s%s/%s 74565\n",
		 row->folders ? "/" : "", folder, file);
	ck_assert_msg(strcmp(mappings_told(MAPPED_START),
			     row->known ? want : NO_NAME) == 0,
		      "%s: %s", row->why, mappings_text);
	tasks_end();
}

TEST(what_cannot_be_printed)
{
	tasks_begin(RV64);
	mapped_begin();
	mapped_name(MAPPED_PROG, " ~\x1f\n\x7f\xc3\xa4", MAPPED_BIN);
	ck_assert_str_eq(mappings_told(MAPPED_START),
			 "10000-91000+3000 /usr/bin/ ~????? 74565\n");
	tasks_end();
}

static const char *const fields[] = {
	"mm",	    "mm_mt",	      "ma_root",
	"pivot",    "slot",	      "vm_start",
	"vm_end",   "vm_mm",	      "vm_pgoff",
	"vm_file",  "f_path",	      "dentry",
	"mnt",	    "f_inode",	      "i_size",
	"d_parent", "d_name",	      "name",
	"len",	    "hash",	      "mnt_parent",
	"mnt_root", "mnt_mountpoint",
};

TEST_ROWS(a_kernel_that_keeps_it_otherwise_is_not_understood, fields)
{
	tasks_begin(RV64);
	mapped_begin();
	mapped_describe(fields[_i]);
	ck_assert_msg(!*mappings_told(MAPPED_START), "%s: %s", fields[_i],
		      mappings_text);
	tasks_end();
}

/* Types of the description, by their number, are others. */
static const struct size_row {
	const char *why;
	unsigned number, size;
} size_rows[] = {
	{ "names' numbers", 0, 8 },
	{ "addresses", 1, 4 },
	{ "the size of files", 2, 4 },
};

TEST_ROWS(of_another_size_it_is_not_understood, size_rows)
{
	/* three numbers of 16 bytes each, the size in the third word */
	size_t at = MAPPED_BTF + BTF_HEADER + size_rows[_i].number * 16 + 8;

	tasks_begin(RV64);
	mapped_begin();
	btf_put(tasks_ram(at), size_rows[_i].size);
	ck_assert_msg(!*mappings_told(MAPPED_START), "%s: %s",
		      size_rows[_i].why, mappings_text);
	tasks_end();
}

/* Arrays of pivots: so many, at the end of the types of numbers. */
static const struct pivots_row {
	const char *why, *want;
	uint32_t n;
} pivots_rows[] = {
	{ "as many as there are", PROG, 15 },
	{ "fewer", PROG, 14 },
	{ "none", "", 0 },
	{ "more than are in a node", "", 16 },
	{ "a great many", "", UINT32_MAX / 8 },
};

TEST_ROWS(a_node_has_its_pivots_inside, pivots_rows)
{
	const struct pivots_row *row = &pivots_rows[_i];
	size_t at = MAPPED_BTF + BTF_HEADER + 3 * 16 + 12 + 12 + 8;

	tasks_begin(RV64);
	mapped_begin();
	btf_put(tasks_ram(at), row->n);
	ck_assert_msg(strcmp(mappings_told(MAPPED_START), row->want) == 0,
		      "%s: %s", row->why, mappings_text);
	tasks_end();
}

SUITE("mappings-broken", .setup = mappings_setup);
