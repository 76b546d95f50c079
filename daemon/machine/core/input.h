/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that comes from outside and changes a machine, in one queue: each
 * stamped with the cycle at which it acts. The stamps of a recorded run feed
 * the same queue again, which is what replay is.
 */
#ifndef CORE_INPUT_H
#define CORE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/event.h>

#include "ebb-session.h"
#include "machine-error.h"
#include "state-bytes.h"

enum {
	INPUT_MAX_QUEUED = 1 << 20,
	INPUT_MAX_BYTES = 64 << 20, /* of all queued console and memory bytes */
	INPUT_MAX_CONSOLE = 64 << 10, /* bytes of one input */
	INPUT_MAX_MEMORY = 128 << 10, /* less than a trace record may have */
	INPUT_SBI_ARGS = 8,
};

enum input_kind {
	INPUT_UNKNOWN, /* as read from a message; refused */
	INPUT_CONSOLE,
	INPUT_CSR_WRITE,
	INPUT_REGISTER_WRITE,
	INPUT_MEMORY_WRITE,
	INPUT_SBI_CALL,
	INPUT_EBB,
	INPUT_INJECT,
};

/* Its bytes belong to the caller; a queued input has its own copy. */
struct input {
	enum input_kind kind;
	uint32_t hart;
	uint64_t cycle;
	uint32_t moment; /* after so many turns, waits and events begun then */
	union {
		struct {
			const uint8_t *bytes;
			size_t len;
		} console;
		struct {
			uint32_t csr;
			uint64_t value;
		} csr_write;
		struct {
			uint32_t number; /* as the engine has them */
			uint64_t value;
		} register_write;
		struct {
			uint64_t address;
			const uint8_t *bytes;
			size_t len;
			bool virtual; /* by the translation of the hart */
		} memory_write;
		struct {
			uint64_t args[INPUT_SBI_ARGS]; /* a0-a7 */
			size_t n_args; /* others than all are refused */
		} sbi_call;
		struct ebb_act ebb;
		struct {
			enum pmu_event event; /* PMU_N_EVENTS: none of harts */
			uint64_t n;
			uint64_t last_pc; /* behind which; 0: none */
		} inject;
	};
};

/* Inputs to come, in the order they act. */
struct inputs;

struct inputs *inputs_new(void); /* NULL without memory */
void inputs_free(struct inputs *q);
/*
 * Queues a copy of @in, bytes included. False: no kind, a value out of range
 * for @n_harts harts, a stamp before the last one queued, or a limit reached.
 */
bool inputs_add(struct inputs *q, const struct input *in, unsigned n_harts,
		struct error *e);
/* Checks all but the order, for an input that acts at once. */
bool input_check(const struct input *in, unsigned n_harts, struct error *e);
/* The cycle at which the next one acts; UINT64_MAX: none is queued. */
uint64_t inputs_next(const struct inputs *q);
/*
 * Takes the next one if its time has come at @now and the @moment of it, else
 * NULL. It is to be freed with input_free().
 */
struct input *inputs_take(struct inputs *q, uint64_t now, uint32_t moment);
size_t inputs_count(const struct inputs *q);
/* All of them (state-bytes.h); taken by a queue that has none. */
void inputs_give(const struct inputs *q, struct state *to);
void inputs_take_all(struct inputs *q, struct state *from);
void input_free(struct input *in); /* one from the queue; NULL is fine */

#endif
