/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that a machine can be told to count as if they had happened. */
#ifndef CORE_INJECT_H
#define CORE_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/event.h>

struct error;
struct machine;

enum {
	INJECT_MAX_WAITING = 64 /* of a machine */
};

enum inject_when {
	INJECT_NOW,
	INJECT_BEHIND_INSN, /* the @at-th that its hart retires, from 1 */
	INJECT_BEHIND_PC,   /* one at @at that its hart retires */
};

struct machine_injection {
	uint32_t number; /* that it waits under, from 1 */
	unsigned hart;
	enum pmu_event event;
	uint64_t n;
	enum inject_when when;
	uint64_t at;
	bool repeat;	/* behind each @at-th one, each time at @at */
	uint64_t times; /* done so far */
};

/*
 * Does it now, or keeps it until its instruction has retired: then it is an
 * input. *@ret_number: what it waits under, 0: it is done.
 */
bool machine_inject(struct machine *m, const struct machine_injection *want,
		    uint32_t *ret_number, struct error *e);
/* One that waits, by its number or the next one behind it; NULL: none. */
const struct machine_injection *machine_injection(const struct machine *m,
						  uint32_t number);
bool machine_cancel_injection(struct machine *m, uint32_t number,
			      struct error *e);
/* Could @hart execute at @pc now? */
bool machine_is_code(const struct machine *m, unsigned hart, uint64_t pc);

#endif
