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
	SPACE_FIELDS = 3,      /* of its address space */
};

/* Zeroed at first: nobody is known. */
struct processes {
	const struct machine *machine; /* NULL: nobody asks */
	bool searched, described;      /* how the kernel keeps them */
	struct btf_field field[PROCESS_FIELDS];
	bool space_searched, space_described;
	struct btf_field space[SPACE_FIELDS];
};

struct guest_process {
	uint32_t pid, tid;
	uint64_t task;		     /* where the kernel has its thread */
	char comm[PROCESS_COMM_MAX]; /* printable ASCII */
};

/* A user's that ran some time ago, by what was in the hart's CSRs then. */
struct process_note {
	unsigned hart;
	enum pmu_mode mode;
	uint64_t satp, sscratch; /* of VU: vsatp and vsscratch */
};

enum process_recalled {
	PROCESS_NO_LINUX, /* it was no process of Linux, as far as is known */
	PROCESS_GONE,	  /* it was, and is not known any more */
	PROCESS_THERE
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
		    struct guest_process *ret);
/*
 * The one of @note, if its thread is there still and in the address space that
 * it was in. Likewise.
 */
enum process_recalled processes_recall(struct processes *p,
				       const struct process_note *note,
				       struct guest_process *ret);

#endif
