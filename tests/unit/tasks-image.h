/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine in whose memory lies what a kernel has of its tasks: page tables,
 * three tasks, and its own description of them.
 */
#ifndef TESTS_UNIT_TASKS_IMAGE_H
#define TESTS_UNIT_TASKS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include <pmu/event.h>

#include "machine-fixture.h"

/* Where things are in the memory, of which all is mapped at the address kernel,
 * too. */
enum {
	ROOT = 0x1000,	 /* page tables */
	MIDDLE = 0x2000, /* of the pages at PAGES */
	LOWEST = 0x3000,
	TASK = 0x10004, /* its words need not be aligned to more */
	OTHER = 0x12000,
	LEADER = 0x14000, /* of TASK */
	BTF = 0x20000,

	TGID_AT = 8,
	PID_AT = 12,
	LEADER_AT = 16,
	COMM_AT = 100,
	COMM = 16
};

/* Of RV64 and RV32 each. */
extern const struct tasks_isa {
	unsigned xlen, entry, root_shift;
	const char *settings;
	uint64_t kernel, satp;
} tasks_isas[];
enum {
	TASKS_ISAS = 2
};
#define RV64 (&tasks_isas[0])

extern const struct tasks_isa *tasks_isa; /* which it is */
extern struct fixture tasks;

/* "sh" with pid 7 and tid 8 at TASK, and others; hart 0 has page tables. */
void tasks_begin(const struct tasks_isa *isa);
void tasks_end(void);
uint8_t *tasks_ram(size_t at);
void tasks_csr(uint16_t number, uint64_t value);
void tasks_run(enum pmu_mode mode, uint64_t tp, uint64_t sscratch);
void tasks_put(size_t at, uint32_t tgid, uint32_t pid, const char *comm);
void tasks_leader(size_t at, uint64_t leader);
/* A description at @at, of a command of @comm bytes and a tgid of @tgid. */
void tasks_describe(size_t at, uint32_t tgid, uint32_t comm);

#endif
