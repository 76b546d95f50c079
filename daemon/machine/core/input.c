/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The queue of stamped inputs: what may be in it and in which order it leaves.
 * What an input does is decided in machine-input.c.
 */
#include "input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

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

/* One piece of memory, which input_free() gives back: bytes lie behind it. */
struct queued {
	struct input in; /* first */
	TAILQ_ENTRY(queued) next;
};

struct inputs {
	TAILQ_HEAD(queue, queued) queue;
	size_t n, bytes;
};

struct inputs *inputs_new(void)
{
	struct inputs *q = calloc(1, sizeof(*q));

	if (q)
		TAILQ_INIT(&q->queue);
	return q;
}

void inputs_free(struct inputs *q)
{
	struct queued *in;

	if (!q)
		return;
	while ((in = TAILQ_FIRST(&q->queue))) {
		TAILQ_REMOVE(&q->queue, in, next);
		free(in);
	}
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

static const struct input *last(const struct inputs *q)
{
	const struct queued *in = TAILQ_LAST(&q->queue, queue);

	return in ? &in->in : NULL;
}

static bool check_place(const struct inputs *q, const struct input *in,
			struct error *e)
{
	if (q->n >= INPUT_MAX_QUEUED ||
	    q->bytes + input_bytes(in) > INPUT_MAX_BYTES)
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_NONE, "INPUTS_LIMIT"),
				 "inputs: at most %d with %d bytes are queued",
				 INPUT_MAX_QUEUED, INPUT_MAX_BYTES);
	if (q->n && is_before(in, last(q)))
		return error_set(e, ERROR_INVALID,
				 AT(PART_CYCLE, "WRONG_ORDER"),
				 "input: cycle %" PRIu64
				 " comes before the last one's %" PRIu64,
				 in->cycle, last(q)->cycle);
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

/* False: no memory. */
static bool append(struct inputs *q, const struct input *in)
{
	size_t len = input_bytes(in);
	struct queued *mine = malloc(sizeof(*mine) + len);

	if (!mine)
		return false;
	mine->in = *in;
	if (len)
		set_bytes(&mine->in, memcpy(mine + 1, get_bytes(in), len));
	TAILQ_INSERT_TAIL(&q->queue, mine, next);
	q->n++;
	q->bytes += len;
	return true;
}

bool inputs_add(struct inputs *q, const struct input *in, unsigned n_harts,
		struct error *e)
{
	if (!input_check(in, n_harts, e) || !check_place(q, in, e))
		return false;
	return append(q, in) || error_no_memory_for(e, "inputs");
}

uint64_t inputs_next(const struct inputs *q)
{
	const struct queued *first = TAILQ_FIRST(&q->queue);

	return first ? first->in.cycle : UINT64_MAX;
}

struct input *inputs_take(struct inputs *q, uint64_t now, uint32_t moment)
{
	struct queued *first = TAILQ_FIRST(&q->queue);
	struct input *in = first ? &first->in : NULL;

	if (!in || in->cycle > now || (in->cycle == now && in->moment > moment))
		return NULL;
	TAILQ_REMOVE(&q->queue, first, next);
	q->n--;
	q->bytes -= input_bytes(in);
	return in;
}

size_t inputs_count(const struct inputs *q)
{
	return q->n;
}

void inputs_give(const struct inputs *q, struct state *to)
{
	const struct queued *queued;

	TAILQ_FOREACH(queued, &q->queue, next) {
		struct input in = queued->in;
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
