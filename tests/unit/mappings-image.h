/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a kernel has of the mappings of TASK's process, beside tasks-image.h: a
 * tree with one file, the file's path and its mount, the description, and that
 * the address space is the one of the page tables.
 */
#ifndef TESTS_UNIT_MAPPINGS_IMAGE_H
#define TESTS_UNIT_MAPPINGS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/* Where they are in the memory. */
enum {
	MAPPED_MM = 0x15000,
	MAPPED_TREE = 0x16000,
	MAPPED_LEAF = 0x16100,
	MAPPED_AREA = 0x17000,
	MAPPED_OTHER = 0x17100, /* an area without a file */
	MAPPED_FILE = 0x17200,
	MAPPED_INODE = 0x17300,
	MAPPED_BIN = 0x18000, /* folders and files, by their names */
	MAPPED_PROG = 0x18100,
	MAPPED_TOP = 0x18200, /* of the file's own mount */
	MAPPED_ROOT = 0x18300,
	MAPPED_USR = 0x18400,
	MAPPED_MOUNT = 0x19000,
	MAPPED_ROOT_MOUNT = 0x19100,
	MAPPED_NAMES = 0x19200,
	MAPPED_BTF = 0x30000,
};

/* Words of a structure from its beginning on; all but the tree's. */
enum {
	AT_MM = 40, /* of a task */
	AT_TREE_ROOT = 3,
	AT_TABLE = 5,
	AT_NUMBER = 6,
	AT_START = 1,
	AT_END = 2,
	AT_AREA_MM = 4,
	AT_VM_FLAGS = 5,
	AT_OFFSET = 6,
	AT_FILE = 7,
	AT_MOUNT_POINT = 2, /* of a file's path */
	AT_DENTRY = 3,
	AT_INODE = 5,
	AT_SIZE = 8, /* of 64 bits */
	AT_PARENT = 2,
	AT_NAME_HASH = 4, /* of 32 bits; behind it the length */
	AT_NAME = 8,
	AT_UP = 1, /* of a mount */
	AT_WHERE = 2,
	AT_POINT = 4, /* what files know of it */
	AT_TOP = 1,   /* in that */
};

#define MAPPED_START	   UINT64_C(0x10000)
#define MAPPED_END	   UINT64_C(0x91000)
#define MAPPED_OTHER_START UINT64_C(0x200000)
#define MAPPED_OTHER_END   UINT64_C(0x201000)

/* A word of the structure at @at; and a pointer, which is where @to is. */
void mapped_put(size_t at, unsigned word, uint64_t value);
void mapped_point(size_t at, unsigned word, size_t to);
uint64_t mapped_pointer(size_t to);
/* The node's address, as a tree has it. */
uint64_t mapped_node(size_t at, unsigned type);
/* Pivot and slot @i of the node at @at. */
void mapped_pivot(size_t at, unsigned type, unsigned i, uint64_t value);
void mapped_slot(size_t at, unsigned type, unsigned i, uint64_t value);
/* A file or folder @name in @parent. */
void mapped_name(size_t at, const char *name, size_t parent);
/* An area of the process, of code; it has no file yet. */
void mapped_area(size_t at, uint64_t start, uint64_t end);
/* A description without @lacks, which may be NULL. */
void mapped_describe(const char *lacks);
/*
 * "/usr/bin/prog" of 0x12345 bytes from 0x3000 on; /usr is a mount. In a
 * machine that tasks_begin() made.
 */
void mapped_begin(void);

#endif
