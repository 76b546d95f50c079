/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What addresses are told apart by beside themselves: the mode, of users the
 * address space, and the process of Linux, where it is known.
 */
#ifndef CLI_EXPORT_EXPORT_SPACE_H
#define CLI_EXPORT_EXPORT_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export-index.h"
#include "pmu/v1/traces.pb-c.h"

enum {
	EXPORT_COMM = 32, /* bytes of a command, its end included */
	EXPORT_SPACE_NAME = 64,
};

struct export_space {
	/* "S", "U satp 0x...", "U sh 12": the process if there is one */
	char name[EXPORT_SPACE_NAME];
	Pmu__V1__Privilege privilege;
	uint64_t satp;	 /* without the ASID; 0: nothing is translated */
	bool is_process; /* what follows is known */
	uint32_t pid;
	char comm[EXPORT_COMM];
};

/* Zeroed at first; export_space_table_fini() at the end. */
struct export_space_table {
	bool no_processes; /* they part nothing */
	struct export_index index, comms;
	struct export_space *space; /* index.n of them */
	size_t room;
};

/*
 * The number of that of @r, which is new if it is the index.n of before.
 * EXPORT_NONE: out of memory.
 */
size_t export_space_of(struct export_space_table *t, const Pmu__V1__Record *r,
		       unsigned xlen);
void export_space_table_fini(struct export_space_table *t);
bool export_space_is_user(const struct export_space *s);
bool export_space_is_guest(const struct export_space *s);
/* That of perf, which knows one: neither. */
bool export_space_is_kernel(const struct export_space *s);

#endif
