/* SPDX-License-Identifier: BSD-2-Clause */
/* Which process of Linux runs on a hart, by what the kernel keeps of it. */
#ifndef CONTROL_PROCESSES_H
#define CONTROL_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "btf.h"
#include "core/record-said.h"

struct machine;

enum {
	PROCESS_COMM_MAX = 32, /* bytes of a command, its end included */
	PROCESS_FIELDS = 4,    /* of a task */
};

/* Zeroed at first: nobody is known. */
struct processes {
	const struct machine *machine; /* NULL: nobody asks */
	bool searched, described;      /* how the kernel keeps them */
	struct btf_field field[PROCESS_FIELDS];
};

struct process {
	uint32_t pid, tid;
	uint64_t task;		     /* where the kernel has its thread */
	char comm[PROCESS_COMM_MAX]; /* printable ASCII */
};

/* From here on those of @m are found. */
void processes_begin(struct processes *p, const struct machine *m);
/* There may be another kernel from here on. */
void processes_forget(struct processes *p);
/*
 * The one on the hart of @at, for which a record is told now. Reads the machine
 * and changes nothing. False: it is not known.
 */
bool processes_find(struct processes *p, const struct record_at *at,
		    struct process *ret);

#endif
