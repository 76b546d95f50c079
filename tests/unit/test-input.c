/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The queue of stamped inputs: what is taken, in which order it leaves, and
 * what is refused with which words.
 */
#include <malloc.h>
#include <string.h>

#include "core/input.h"
#include "unit.h"

static struct inputs *queue;
static struct error error;

static void setup(void)
{
	queue = inputs_new();
}

static void teardown(void)
{
	inputs_free(queue);
}

/* A register write stamped so. */
static struct input stamped(uint64_t cycle, uint32_t moment)
{
	return (struct input){ .kind = INPUT_REGISTER_WRITE,
			       .cycle = cycle,
			       .moment = moment,
			       .register_write = { 5, 7 } };
}

static bool add(uint64_t cycle, uint32_t moment)
{
	struct input in = stamped(cycle, moment);

	return inputs_add(queue, &in, 1, &error);
}

/* Is the next one due at @now, @moment? It is taken and dropped. */
static bool take(uint64_t now, uint32_t moment)
{
	struct input *in = inputs_take(queue, now, moment);

	input_free(in);
	return in != NULL;
}

TEST(an_empty_queue_has_nothing_at_any_time)
{
	ck_assert_uint_eq(inputs_next(queue), UINT64_MAX);
	ck_assert(!take(UINT64_MAX, UINT32_MAX));
}

static const struct due_row {
	uint64_t cycle;
	uint32_t moment;
	uint64_t now;
	uint32_t now_moment;
	bool due;
} due_rows[] = {
	{ 10, 0, 9, 5, false },	 { 10, 0, 10, 0, true }, { 10, 0, 10, 3, true },
	{ 10, 2, 10, 1, false }, { 10, 2, 10, 2, true }, { 10, 2, 11, 0, true },
};

TEST_ROWS(a_stamp_is_a_cycle_and_a_moment_of_it, due_rows)
{
	const struct due_row *row = &due_rows[_i];

	ck_assert(add(row->cycle, row->moment));
	ck_assert(take(row->now, row->now_moment) == row->due);
}

TEST(inputs_leave_in_the_order_they_came)
{
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert(add(i / 3, 0));
	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert_uint_eq(inputs_next(queue), i / 3);
		ck_assert(take(1000, 0));
	}
	ck_assert_uint_eq(inputs_count(queue), 0);
}

TEST(room_is_used_again)
{
	size_t before = mallinfo2().uordblks;

	for (uint64_t i = 0; i < 10000; i++) {
		ck_assert(add(i, 0));
		ck_assert(add(i, 0));
		ck_assert(take(i, 0));
		ck_assert(take(i, 0));
	}
	ck_assert_uint_le(mallinfo2().uordblks, before + 4096);
}

TEST(an_input_before_the_last_one_is_refused)
{
	ck_assert(add(10, 2));
	ck_assert(!add(9, 5));
	ck_assert_int_eq(error.kind, ERROR_INVALID);
	ck_assert_ptr_nonnull(strstr(error.text, "cycle 9"));
	ck_assert(!add(10, 1));
	ck_assert(add(10, 2));
	ck_assert_uint_eq(inputs_count(queue), 2);
}

TEST(a_queued_input_owns_its_bytes)
{
	uint8_t bytes[] = "abc";
	struct input memory = { .kind = INPUT_MEMORY_WRITE }, *in;
	const struct input console = { .kind = INPUT_CONSOLE,
				       .console = { bytes, 2 } };

	memory.memory_write.bytes = bytes;
	memory.memory_write.len = 3;
	ck_assert(inputs_add(queue, &console, 1, &error));
	ck_assert(inputs_add(queue, &memory, 1, &error));
	memset(bytes, 'x', sizeof(bytes));
	in = inputs_take(queue, 1, 0);
	ck_assert_uint_eq(in->console.len, 2);
	ck_assert_int_eq(memcmp(in->console.bytes, "ab", 2), 0);
	input_free(in);
	in = inputs_take(queue, 1, 0);
	ck_assert_uint_eq(in->memory_write.len, 3);
	ck_assert_int_eq(memcmp(in->memory_write.bytes, "abc", 3), 0);
	input_free(in);
}

TEST(the_number_of_inputs_has_a_limit)
{
	struct input in = stamped(0, 0);

	for (unsigned i = 0; i < INPUT_MAX_QUEUED; i++)
		inputs_add(queue, &in, 1, NULL);
	ck_assert(!add(0, 0));
	ck_assert_int_eq(error.kind, ERROR_NO_ROOM);
}

TEST(the_bytes_of_inputs_have_a_limit)
{
	static uint8_t bytes[INPUT_MAX_CONSOLE];
	const struct input in = { .kind = INPUT_CONSOLE,
				  .console = { bytes, sizeof(bytes) } };

	for (size_t n = 0; n < INPUT_MAX_BYTES; n += sizeof(bytes))
		ck_assert(inputs_add(queue, &in, 1, &error));
	ck_assert(!inputs_add(queue, &in, 1, &error));
	ck_assert_int_eq(error.kind, ERROR_NO_ROOM);
	ck_assert(take(0, 0));
	ck_assert(inputs_add(queue, &in, 1, &error));
}

/* Values */

static const struct value_row {
	const char *why;
	enum input_kind kind;
	uint32_t hart;
	uint32_t n;	   /* number, or bytes, or registers */
	const char *names; /* in the error; NULL: accepted */
} value_rows[] = {
	{ "no kind", INPUT_UNKNOWN, 0, 0, "none is there" },
	{ "no such hart", INPUT_CSR_WRITE, 4, 0,
	  "hart: must be from 0 to 3, not 4" },
	{ "the last hart", INPUT_CSR_WRITE, 3, 0, NULL },
	{ "the last CSR", INPUT_CSR_WRITE, 0, 0xfff, NULL },
	{ "behind it", INPUT_CSR_WRITE, 0, 0x1000,
	  "CSR: must be from 0 to 4095, not 4096" },
	{ "fcsr", INPUT_REGISTER_WRITE, 0, 65, NULL },
	{ "behind it", INPUT_REGISTER_WRITE, 0, 66,
	  "register: must be from 0 to 65, not 66" },
	{ "no bytes", INPUT_MEMORY_WRITE, 0, 0, "bytes, not 0" },
	{ "most bytes", INPUT_MEMORY_WRITE, 0, INPUT_MAX_MEMORY, NULL },
	{ "one more", INPUT_MEMORY_WRITE, 0, INPUT_MAX_MEMORY + 1, "memory" },
	{ "no bytes", INPUT_CONSOLE, 0, 0, "console" },
	{ "most bytes", INPUT_CONSOLE, 0, INPUT_MAX_CONSOLE, NULL },
	{ "one more", INPUT_CONSOLE, 0, INPUT_MAX_CONSOLE + 1, "console" },
	{ "a call", INPUT_SBI_CALL, 0, 8, NULL },
	{ "too few registers", INPUT_SBI_CALL, 0, 7, "7" },
	{ "too many registers", INPUT_SBI_CALL, 0, 9, "9" },
};

TEST_ROWS(values_are_checked, value_rows)
{
	const struct value_row *row = &value_rows[_i];
	struct input in = { .kind = row->kind, .hart = row->hart };

	if (row->kind == INPUT_CSR_WRITE)
		in.csr_write.csr = row->n;
	else if (row->kind == INPUT_REGISTER_WRITE)
		in.register_write.number = row->n;
	else if (row->kind == INPUT_MEMORY_WRITE)
		in.memory_write.len = row->n;
	else if (row->kind == INPUT_SBI_CALL)
		in.sbi_call.n_args = row->n;
	else
		in.console.len = row->n;
	ck_assert_msg(input_check(&in, 4, &error) == !row->names, "%s",
		      row->why);
	if (row->names)
		ck_assert_msg(strstr(error.text, row->names), "%s: %s",
			      row->why, error.text);
}

SUITE("input", .timeout = 60, .setup = setup, .teardown = teardown);
