/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each record says: where and when it was, and what is told of it. Those
 * of one owner alone stand with it (ebb_told, record_sample, vacant_range). No
 * host fact gets into one.
 */
#ifndef CORE_RECORD_SAID_H
#define CORE_RECORD_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/counter.h>
#include <pmu/trap.h>

/* Where and when: what all records share. */
struct record_at {
	uint64_t insn, cycle, pc;
	unsigned hart;
	enum pmu_mode mode, next_mode; /* the latter is that of pc */
	uint64_t satp; /* of a user's mode: satp, vsatp; else 0 */
};

struct record_overflow {
	const struct pmu_overflow *overflow;
	const char *event; /* NULL: none has this selector */
	bool raised;
	uint64_t time, last_pc;
	uint32_t pending;
	uint32_t ebb; /* session that is alerted, or 0 */
};

struct record_trap {
	const struct pmu_trap *trap;
	bool to_firmware;
	enum pmu_mode target; /* unless to_firmware */
	uint64_t handler;
};

/* Memory that the firmware accessed for a call. */
struct record_access {
	uint64_t paddr, len;
	const uint8_t *bytes; /* the first ones of it */
	size_t n_bytes;
	bool written; /* else read */
};

struct record_memory {
	const struct record_access *access; /* in the order they happened */
	size_t n;
	uint64_t more; /* accesses behind these, and their bytes: */
	uint64_t more_read, more_written;
};

struct record_sbi {
	uint64_t args[8]; /* a0-a7 */
	bool returned;
	int64_t error;
	uint64_t value;
	char reason[160]; /* why it was refused, "": it was not */
	const struct record_memory *memory; /* NULL: not asked for */
};

enum delivery_way {
	DELIVERY_LCOFI, /* the interrupt */
	DELIVERY_SSE,	/* a software event */
	DELIVERY_EBB,	/* a branch in the user's own code */
};

struct record_delivery {
	enum delivery_way way;
	enum pmu_mode target;		/* in which the hart goes on */
	uint64_t handler;		/* where */
	uint32_t event;			/* SSE: its id */
	uint32_t counters;		/* whose overflows are delivered */
	uint64_t cycle[PMU_N_COUNTERS]; /* of these; 0: not known */
	bool held; /* it could have been delivered earlier, but for a mask */
};

enum hart_change { /* what became of a hart */
	CHANGE_STARTED,
	CHANGE_STOPPED,
	CHANGE_WAITING,
	CHANGE_WOKEN,
	CHANGE_SOFTWARE_EVENT,
	CHANGE_EVENT_BRANCH, /* for the counters of the record */
};

#endif
