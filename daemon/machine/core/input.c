/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The queue of stamped inputs: what may be in it and in which order it leaves.
 * What an input does is decided in machine-input.c.
 */
#include "input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/csr-number.h>

#include "engine/engine-host.h"

enum {
	MAX_REGISTER = ENGINE_FCSR,
	MAX_CSR = PMU_N_CSRS - 1,
};

void input_free(struct input *in)
{
	free(in);
}

struct inputs {
	struct input **queue;
	size_t first, end, cap; /* queue[first..end) */
	size_t bytes;
};

struct inputs *inputs_new(void)
{
	return calloc(1, sizeof(struct inputs));
}

void inputs_free(struct inputs *q)
{
	if (!q)
		return;
	for (size_t i = q->first; i < q->end; i++)
		input_free(q->queue[i]);
	free(q->queue);
	free(q);
}

static size_t input_bytes(const struct input *in)
{
	if (in->kind == INPUT_CONSOLE)
		return in->console.len;
	if (in->kind == INPUT_MEMORY_WRITE)
		return in->memory_write.len;
	return 0;
}

static bool check_size(const char *what, size_t len, size_t max,
		       enum error_part part, struct error *e)
{
	if (len >= 1 && len <= max)
		return true;
	return error_set(e, ERROR_INVALID, AT(part, "BAD_SIZE"),
			 "input: %s: must be from 1 to %zu bytes, not %zu",
			 what, max, len);
}

static bool check_number(const char *what, uint32_t number, uint32_t max,
			 struct error_at at, struct error *e)
{
	if (number <= max)
		return true;
	return error_set(e, ERROR_INVALID, at,
			 "input: %s: must be from 0 to %" PRIu32
			 ", not %" PRIu32,
			 what, max, number);
}

static bool check_inject(const struct input *in, struct error *e)
{
	if ((unsigned)in->inject.event >= PMU_N_EVENTS)
		return error_set(
			e, ERROR_INVALID, AT(PART_EVENT, "NO_SUCH_EVENT"),
			"event: must be the name of an event of harts");
	if (!in->inject.n)
		return error_set(e, ERROR_INVALID, AT(PART_COUNT, "BAD_VALUE"),
				 "count: must be at least 1");
	return true;
}

static bool check_kind(const struct input *in, struct error *e)
{
	switch (in->kind) {
	case INPUT_CONSOLE:
		return check_size("console", in->console.len, INPUT_MAX_CONSOLE,
				  PART_CONSOLE, e);
	case INPUT_CSR_WRITE:
		return check_number("CSR", in->csr_write.csr, MAX_CSR,
				    AT(PART_CSR, "NO_SUCH_CSR"), e);
	case INPUT_REGISTER_WRITE:
		return check_number("register", in->register_write.number,
				    MAX_REGISTER,
				    AT(PART_REGISTER, "NO_SUCH_REGISTER"), e);
	case INPUT_MEMORY_WRITE:
		return check_size("memory write", in->memory_write.len,
				  INPUT_MAX_MEMORY, PART_BYTES, e);
	case INPUT_SBI_CALL:
		if (in->sbi_call.n_args == INPUT_SBI_ARGS)
			return true;
		return error_set(
			e, ERROR_INVALID, AT(PART_SBI_ARGS, "BAD_SIZE"),
			"input: SBI call: must have %d registers, not %zu",
			INPUT_SBI_ARGS, in->sbi_call.n_args);
	case INPUT_EBB:
		if (in->ebb.what > EBB_UNKNOWN && in->ebb.what < EBB_N_WHATS)
			return true;
		return error_set(
			e, ERROR_INVALID, AT(PART_INPUT_KIND, "UNKNOWN_VALUE"),
			"input: ebb: must be a known act of a session");
	case INPUT_INJECT:
		return check_inject(in, e);
	case INPUT_UNKNOWN:
		break;
	}
	return error_set(e, ERROR_INVALID, AT(PART_INPUT_KIND, "FIELD_MISSING"),
			 "input: must be one of console, csr_write, "
			 "register_write, memory_write, sbi_call, ebb and "
			 "inject, none is there");
}

bool input_check(const struct input *in, unsigned n_harts, struct error *e)
{
	return check_number("hart", in->hart, n_harts - 1,
			    AT(PART_HART, "NO_SUCH_HART"), e) &&
	       check_kind(in, e);
}

static bool is_before(const struct input *a, const struct input *b)
{
	return a->cycle < b->cycle ||
	       (a->cycle == b->cycle && a->moment < b->moment);
}

static bool check_place(const struct inputs *q, const struct input *in,
			struct error *e)
{
	if (inputs_count(q) >= INPUT_MAX_QUEUED ||
	    q->bytes + input_bytes(in) > INPUT_MAX_BYTES)
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_NONE, "INPUTS_LIMIT"),
				 "inputs: at most %d with %d bytes are queued",
				 INPUT_MAX_QUEUED, INPUT_MAX_BYTES);
	if (inputs_count(q) && is_before(in, q->queue[q->end - 1]))
		return error_set(e, ERROR_INVALID,
				 AT(PART_CYCLE, "WRONG_ORDER"),
				 "input: cycle %" PRIu64
				 " comes before the last one's %" PRIu64,
				 in->cycle, q->queue[q->end - 1]->cycle);
	return true;
}

/* Of a kind that has any. */
static const uint8_t *get_bytes(const struct input *in)
{
	return in->kind == INPUT_CONSOLE ? in->console.bytes
					 : in->memory_write.bytes;
}

static void set_bytes(struct input *in, const uint8_t *bytes)
{
	if (in->kind == INPUT_CONSOLE)
		in->console.bytes = bytes;
	if (in->kind == INPUT_MEMORY_WRITE)
		in->memory_write.bytes = bytes;
}

/* One piece of memory: the bytes lie behind it. */
static struct input *copy(const struct input *in)
{
	size_t len = input_bytes(in);
	struct input *ret = malloc(sizeof(*ret) + len);
	uint8_t *bytes = (uint8_t *)(ret + 1);

	if (!ret)
		return NULL;
	*ret = *in;
	if (len)
		set_bytes(ret, memcpy(bytes, get_bytes(in), len));
	return ret;
}

static bool make_room(struct inputs *q)
{
	size_t cap = q->cap ? 2 * q->cap : 64;
	struct input **grown;

	if (q->end < q->cap)
		return true;
	if (q->first > 0) {
		memmove(q->queue, q->queue + q->first,
			inputs_count(q) * sizeof(*q->queue));
		q->end -= q->first;
		q->first = 0;
		return true;
	}
	grown = realloc(q->queue, cap * sizeof(*grown));
	if (!grown)
		return false;
	q->queue = grown;
	q->cap = cap;
	return true;
}

/* False: no memory. */
static bool append(struct inputs *q, const struct input *in)
{
	struct input *mine = copy(in);

	if (!mine || !make_room(q)) {
		input_free(mine);
		return false;
	}
	q->queue[q->end++] = mine;
	q->bytes += input_bytes(mine);
	return true;
}

bool inputs_add(struct inputs *q, const struct input *in, unsigned n_harts,
		struct error *e)
{
	if (!input_check(in, n_harts, e) || !check_place(q, in, e))
		return false;
	return append(q, in) ||
	       error_set(e, ERROR_NO_ROOM, AT(PART_NONE, "OUT_OF_MEMORY"),
			 "inputs: out of memory");
}

uint64_t inputs_next(const struct inputs *q)
{
	return q->first < q->end ? q->queue[q->first]->cycle : UINT64_MAX;
}

struct input *inputs_take(struct inputs *q, uint64_t now, uint32_t moment)
{
	struct input *in;

	if (q->first == q->end)
		return NULL;
	in = q->queue[q->first];
	if (in->cycle > now || (in->cycle == now && in->moment > moment))
		return NULL;
	q->first++;
	q->bytes -= input_bytes(in);
	return in;
}

size_t inputs_count(const struct inputs *q)
{
	return q->end - q->first;
}

void inputs_give(const struct inputs *q, struct state *to)
{
	for (size_t i = q->first; i < q->end; i++) {
		struct input in = *q->queue[i];
		size_t len = input_bytes(&in);
		const uint8_t *bytes = len ? get_bytes(&in) : NULL;

		set_bytes(&in, NULL);
		state_put(to, "input", &in, sizeof(in));
		if (len)
			state_put(to, "bytes", bytes, len);
	}
}

void inputs_take_all(struct inputs *q, struct state *from)
{
	struct input in;

	while (state_is_next(from, "input")) {
		state_get(from, "input", &in, sizeof(in));
		if (input_bytes(&in))
			set_bytes(&in,
				  state_take(from, "bytes", input_bytes(&in)));
		if (!from->failed && !append(q, &in))
			from->failed = "input";
	}
}
