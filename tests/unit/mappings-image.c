/* SPDX-License-Identifier: BSD-2-Clause */
/* A process's mappings in a machine's memory: see mappings-image.h. */
#include "mappings-image.h"

#include <string.h>

#include "btf-image.h"
#include "tasks-image.h"
#include "unit.h"

enum {
	NODE_ARANGE = 3
};

static unsigned word_bytes(void)
{
	return tasks_isa->xlen / 8;
}

void mapped_put(size_t at, unsigned word, uint64_t value)
{
	memcpy(tasks_ram(at + word * word_bytes()), &value, word_bytes());
}

uint64_t mapped_pointer(size_t to)
{
	return tasks_isa->kernel + to;
}

void mapped_point(size_t at, unsigned word, size_t to)
{
	mapped_put(at, word, mapped_pointer(to));
}

uint64_t mapped_node(size_t at, unsigned type)
{
	return mapped_pointer(at) | type << 3 | 4;
}

/* As many as Linux has. */
static unsigned pivots(unsigned type)
{
	if (type == NODE_ARANGE)
		return tasks_isa->xlen == 64 ? 9 : 20;
	return tasks_isa->xlen == 64 ? 15 : 31;
}

void mapped_pivot(size_t at, unsigned type, unsigned i, uint64_t value)
{
	ck_assert_uint_lt(i, pivots(type));
	mapped_put(at, 1 + i, value);
}

void mapped_slot(size_t at, unsigned type, unsigned i, uint64_t value)
{
	mapped_put(at, 1 + pivots(type) + i, value);
}

void mapped_name(size_t at, const char *name, size_t parent)
{
	static size_t room = MAPPED_NAMES;
	uint32_t len = (uint32_t)strlen(name);
	uint8_t *hash = tasks_ram(at + AT_NAME_HASH * word_bytes());

	if (room + len + 1 > MAPPED_NAMES + 0x1000)
		room = MAPPED_NAMES;
	memcpy(tasks_ram(room), name, len + 1);
	btf_put(hash, len * 7 + (uint8_t)*name);
	btf_put(hash + 4, len);
	mapped_point(at, AT_NAME, room);
	mapped_point(at, AT_PARENT, parent);
	room += len + 1;
}

void mapped_area(size_t at, uint64_t start, uint64_t end)
{
	mapped_put(at, AT_START, start);
	mapped_put(at, AT_END, end);
	mapped_point(at, AT_AREA_MM, MAPPED_MM);
	mapped_put(at, AT_VM_FLAGS, 0x75); /* r-x, and what it may become */
	mapped_put(at, AT_FILE, 0);
}

static void put_tree(void)
{
	mapped_put(MAPPED_MM, AT_TREE_ROOT, mapped_node(MAPPED_TREE, 3) | 2);
	mapped_pivot(MAPPED_TREE, 3, 0, 0xfff);
	mapped_pivot(MAPPED_TREE, 3, 1, MAPPED_OTHER_END);
	mapped_slot(MAPPED_TREE, 3, 1, mapped_node(MAPPED_LEAF, 1));
	mapped_pivot(MAPPED_LEAF, 1, 0, MAPPED_START - 1);
	mapped_pivot(MAPPED_LEAF, 1, 1, MAPPED_END - 1);
	mapped_slot(MAPPED_LEAF, 1, 1, mapped_pointer(MAPPED_AREA));
	mapped_pivot(MAPPED_LEAF, 1, 2, MAPPED_OTHER_START - 1);
	/* the last has no pivot of its own */
	mapped_slot(MAPPED_LEAF, 1, 3, mapped_pointer(MAPPED_OTHER));
}

static void put_mount(size_t at, size_t up, size_t where, size_t top)
{
	mapped_point(at, AT_UP, up);
	mapped_point(at, AT_WHERE, where);
	mapped_point(at, AT_POINT + AT_TOP, top);
}

static void put_file(void)
{
	uint64_t size = 0x12345;

	mapped_area(MAPPED_AREA, MAPPED_START, MAPPED_END);
	mapped_put(MAPPED_AREA, AT_OFFSET, 3);
	mapped_point(MAPPED_AREA, AT_FILE, MAPPED_FILE);
	mapped_area(MAPPED_OTHER, MAPPED_OTHER_START, MAPPED_OTHER_END);
	mapped_put(MAPPED_OTHER, AT_OFFSET, 3);
	mapped_point(MAPPED_FILE, AT_DENTRY, MAPPED_PROG);
	mapped_point(MAPPED_FILE, AT_MOUNT_POINT,
		     MAPPED_MOUNT + AT_POINT * word_bytes());
	mapped_point(MAPPED_FILE, AT_INODE, MAPPED_INODE);
	memcpy(tasks_ram(MAPPED_INODE + AT_SIZE * word_bytes()), &size,
	       sizeof(size));
	mapped_name(MAPPED_PROG, "prog", MAPPED_BIN);
	mapped_name(MAPPED_BIN, "bin", MAPPED_TOP);
	mapped_name(MAPPED_TOP, "/", MAPPED_TOP);
	mapped_name(MAPPED_USR, "usr", MAPPED_ROOT);
	mapped_name(MAPPED_ROOT, "/", MAPPED_ROOT);
	put_mount(MAPPED_MOUNT, MAPPED_ROOT_MOUNT, MAPPED_USR, MAPPED_TOP);
	put_mount(MAPPED_ROOT_MOUNT, MAPPED_ROOT_MOUNT, MAPPED_ROOT,
		  MAPPED_ROOT);
}

/* The description. Types 1-8: */
enum type {
	INT = 1,
	LONG,
	LONG64,
	PTR,
	RANGE_PIVOTS,
	RANGE_SLOTS,
	ARANGE_PIVOTS,
	ARANGE_SLOTS,
	NEXT
};

/* In the order of NEXT + n, those that others are made of first. */
static const struct described {
	const char *structure;
	struct {
		const char *name;
		unsigned type, word, bit;
	} member[6];
} described[] = {
	{ "maple_tree", { { "ma_root", PTR, 1 } } },
	{ "path", { { "mnt", PTR, 0 }, { "dentry", PTR, 1 } } },
	{ "", { { "hash", INT, 0 }, { "len", INT, 0, 32 } } },
	{ "qstr", { { "", NEXT + 2, 0 }, { "name", PTR, 4 } } },
	{ "vfsmount", { { "mnt_root", PTR, AT_TOP } } },
	{ "atomic", { { "counter", LONG, 0 } } },
	{ "", { { "id", NEXT + 5, 0 } } },
	{ "task_struct", { { "mm", PTR, AT_MM } } },
	{ "mm_struct",
	  { { "mm_mt", NEXT, AT_TREE_ROOT - 1 },
	    { "pgd", PTR, AT_TABLE },
	    { "context", NEXT + 6, AT_NUMBER } } },
	{ "maple_range_64",
	  { { "pivot", RANGE_PIVOTS, 1 }, { "slot", RANGE_SLOTS, 0 } } },
	{ "maple_arange_64",
	  { { "pivot", ARANGE_PIVOTS, 1 }, { "slot", ARANGE_SLOTS, 0 } } },
	{ "vm_area_struct",
	  { { "vm_start", LONG, AT_START },
	    { "vm_end", LONG, AT_END },
	    { "vm_mm", PTR, AT_AREA_MM },
	    { "vm_flags", LONG, AT_VM_FLAGS },
	    { "vm_pgoff", LONG, AT_OFFSET },
	    { "vm_file", PTR, AT_FILE } } },
	{ "file",
	  { { "f_path", NEXT + 1, AT_MOUNT_POINT },
	    { "f_inode", PTR, AT_INODE } } },
	{ "inode", { { "i_size", LONG64, AT_SIZE } } },
	{ "dentry",
	  { { "d_parent", PTR, AT_PARENT },
	    { "d_name", NEXT + 3, AT_NAME_HASH } } },
	{ "mount",
	  { { "mnt_parent", PTR, AT_UP },
	    { "mnt_mountpoint", PTR, AT_WHERE },
	    { "mnt", NEXT + 4, AT_POINT } } },
};

/* Slots are behind the pivots, however many these are. */
static uint32_t bit_of(const struct described *d, unsigned i)
{
	uint32_t word = d->member[i].word;

	if (d->member[i].type == RANGE_SLOTS)
		word = 1 + pivots(1);
	if (d->member[i].type == ARANGE_SLOTS)
		word = 1 + pivots(NODE_ARANGE);
	return word * tasks_isa->xlen + d->member[i].bit;
}

static void put_array(unsigned type, unsigned n)
{
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(type, INT, n);
}

static void put_types(void)
{
	btf_number("int", 4);
	btf_number("long", word_bytes());
	btf_number("long long", 8);
	btf_type("", BTF_PTR, 0, 0);
	put_array(LONG, pivots(1));
	put_array(PTR, pivots(1) + 1);
	put_array(LONG, pivots(NODE_ARANGE));
	put_array(PTR, pivots(NODE_ARANGE) + 1);
}

void mapped_describe(const char *lacks)
{
	btf_begin();
	put_types();
	for (size_t i = 0; i < ARRAY_SIZE(described); i++) {
		const struct described *d = &described[i];
		unsigned n = 0;

		while (n < ARRAY_SIZE(d->member) && d->member[n].name)
			n++;
		btf_type(d->structure, BTF_STRUCT, n, 256);
		for (unsigned j = 0; j < n; j++) {
			const char *name = d->member[j].name;
			bool lacking = lacks && !strcmp(name, lacks);

			btf_member(lacking ? "x" : name, d->member[j].type,
				   bit_of(d, j));
		}
	}
	memset(tasks_ram(MAPPED_BTF), 0, BTF_HEADER);
	btf_finish(tasks_ram(MAPPED_BTF));
}

void mapped_begin(void)
{
	mapped_point(TASK, AT_MM, MAPPED_MM);
	mapped_point(MAPPED_MM, AT_TABLE, ROOT);
	mapped_put(MAPPED_MM, AT_NUMBER, 0);
	put_tree();
	put_file();
	mapped_describe(NULL);
}
