/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hart with registers for tests of the firmware model: it makes calls as a
 * guest does and takes, between instructions, what a machine would make it
 * take.
 */
#ifndef TESTS_FW_CPU_H
#define TESTS_FW_CPU_H

#include "fw-fixture.h"

enum {
	A0 = 10,
	A1 = 11,
	A6 = 16,
	A7 = 17
};

struct cpu {
	struct bench *b;
	unsigned hart;
	uint64_t pc, x[32];
};

void cpu_init(struct cpu *c, struct bench *b, unsigned hart);
/*
 * An ecall from S-mode at c->pc. Returns a0 as an error, as far as it was one:
 * SSE.complete leaves the a0 of what it resumes.
 */
int cpu_call(struct cpu *c, uint32_t eid, uint32_t fid, const uint64_t args[6]);
#define SSE(c, fid, ...)                                                       \
	cpu_call(c, SSE_EID, fid, (const uint64_t[6]){ __VA_ARGS__ })
/* SSE by an instrument: registers stay, and nothing is delivered. */
int cpu_try(struct cpu *c, uint32_t fid, const uint64_t args[6]);
#define TRY(c, fid, ...) cpu_try(c, fid, (const uint64_t[6]){ __VA_ARGS__ })
/*
 * What comes before the next instruction: an interrupt to the firmware or a
 * software event. False: neither.
 */
bool cpu_boundary(struct cpu *c);
/* @n instructions of 4 bytes retire, one by one, up to such a boundary. */
void cpu_run(struct cpu *c, unsigned n);

/* The functions and attributes of SSE, by their numbers. */
enum {
	READ_ATTRS,
	WRITE_ATTRS,
	REGISTER,
	UNREGISTER,
	ENABLE,
	DISABLE,
	COMPLETE,
	INJECT,
	UNMASK,
	MASK
};
enum {
	STATUS,
	PRIORITY,
	CONFIG,
	PREFERRED_HART,
	ENTRY_PC,
	ENTRY_ARG,
	I_SEPC,
	I_FLAGS,
	I_A6,
	I_A7,
	N_ATTRS
};
enum {
	UNUSED,
	REGISTERED,
	ENABLED,
	RUNNING,
	STATE_MASK = 3,
	PENDING = 4,
	INJECTABLE = 8
};
#define OVERFLOW UINT64_C(0x10000)
#define LOCAL	 UINT64_C(0xffff0000)
#define GLOBAL	 UINT64_C(0xffff8000)
#define RAS	 UINT64_C(0) /* local, high priority: nothing signals it */

/* Registers @event with a handler of its own, see handler_of(), enables it. */
void cpu_want(struct cpu *c, uint64_t event);
uint64_t handler_of(uint64_t event);
/* Attribute @attr; the test fails when it cannot be read or written. */
uint64_t cpu_attr(struct cpu *c, uint64_t event, unsigned attr);
void cpu_set_attr(struct cpu *c, uint64_t event, unsigned attr, uint64_t value);

#endif
