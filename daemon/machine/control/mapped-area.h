/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a kernel of Linux has of an address of a process: the area that is
 * mapped there, and of its file the part, the path and the size. Reads the
 * machine and changes nothing.
 */
#ifndef CONTROL_MAPPED_AREA_H
#define CONTROL_MAPPED_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf.h"

struct machine;

enum {
	MAPPING_FILE_MAX = 512, /* bytes of a path, its end included */
	MAPPED_FIELDS = 24,	/* of the kernel's structures */
};

struct mapping {
	uint64_t start, end;	     /* the address behind it */
	uint64_t offset;	     /* of @start in the file */
	uint64_t bytes;		     /* the file's size; 0: it has none */
	char file[MAPPING_FILE_MAX]; /* printable ASCII; "": none is known */
};

/* What one is known by; whole words, so that it can be compared as bytes. */
struct mapping_key {
	uint32_t session, pid;
	uint64_t start, end, offset, file, dentry, name;
};

/* How a kernel keeps them. */
struct mapped_kernel {
	const struct machine *machine;
	size_t word; /* bytes */
	struct btf_field field[MAPPED_FIELDS];
};

/* A process's memory, as a hart sees it. */
struct mapped_view {
	const struct mapped_kernel *kernel;
	unsigned hart;
	uint64_t mm;
};

struct mapped_area {
	uint64_t inode, mount; /* of its file */
	bool executable;
	struct mapping_key key;
};

/* False: @m's kernel does not say it, or keeps them in a way not known here. */
bool mapped_kernel_find(struct mapped_kernel *k, const struct machine *m);
/* The memory of the task_struct at @task. */
bool mapped_view_open(struct mapped_view *v, uint64_t task);
/*
 * The area that has @pc; @ret->key says already whose it is. False: there is
 * none, and what is free there is from @ret->key.start to its end, if that is
 * known, else nothing.
 */
bool mapped_area_find(const struct mapped_view *v, uint64_t pc,
		      struct mapped_area *ret);
/* What its file is known by, if it has one. */
bool mapped_area_open(const struct mapped_view *v, struct mapped_area *a);
void mapped_area_describe(const struct mapped_view *v,
			  const struct mapped_area *a, struct mapping *ret);

#endif
