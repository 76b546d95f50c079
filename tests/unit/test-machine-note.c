/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine notes of its guest's firmware calls, once. */
#include <pmu/rule.h>

#include "core/machine-read.h"
#include "machine-script.h"

enum {
	START = 3,
	SET_SHMEM = 7,
	LINUX_BASE = 4096,
	INVALID = -3,
};

static const struct fake_op loop_ops[] = { NOP, NOP, NOP, JUMP(0) };

/* As the guest's call with @a0 to @a2 would be answered. */
static int64_t call(uint64_t function, uint64_t a0, uint64_t a1, uint64_t a2)
{
	const struct input in = {
		.kind = INPUT_SBI_CALL,
		.sbi_call = { { a0, a1, a2, 0, 0, 0, function, 0x504d55 },
			      INPUT_SBI_ARGS },
	};
	struct record_sbi answer = { 0 };
	struct error e;

	ck_assert_msg(machine_input(f.m, &in, &answer, &e), "%s", e.text);
	return (int64_t)answer.error;
}

static unsigned notes(void)
{
	return fixture_status(&f).n_notes;
}

static void begin(void)
{
	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .settings = "snapshot=on" });
	fixture_start(&f);
	fixture_run(&f, 10, 1);
	ck_assert(machine_pause(f.m, NULL));
}

TEST(a_base_that_linux_takes_by_mistake_is_noted_once)
{
	begin();
	ck_assert_int_eq(call(START, LINUX_BASE, 1, 0), INVALID);
	ck_assert_uint_eq(notes(), 0); /* without snapshots it is a value */
	ck_assert_int_eq(call(SET_SHMEM, BASE + 0x100000, 0, 0), 0);
	ck_assert_int_eq(call(START, LINUX_BASE - 1, 1, 0), INVALID);
	ck_assert_int_eq(call(START, LINUX_BASE + 1, 1, 0), INVALID);
	ck_assert_uint_eq(notes(), 0);
	ck_assert_int_eq(call(START, LINUX_BASE, 1, 0), INVALID);
	ck_assert_int_eq(call(START, LINUX_BASE, 1, 0), INVALID);
	ck_assert_uint_eq(notes(), 1);
	ck_assert_str_eq(
		machine_note(f.m, 0),
		"hart 0 starts counters from the base 4096 after it gave "
		"memory for snapshots, as Linux does by mistake: none of them "
		"counts again after its first overflow (C77); snapshot=off "
		"helps");
	fixture_move(&f); /* it is known where the machine goes on, too */
	ck_assert_int_eq(call(START, LINUX_BASE, 1, 0), INVALID);
	ck_assert_uint_eq(notes(), 1);
}

SUITE("machine-note", .teardown = teardown);
