/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of the internal protocol share: one machine process over the
 * scripted engine, brought into the state that a test begins in.
 */
#ifndef TESTS_UNIT_CONTROL_PEER_H
#define TESTS_UNIT_CONTROL_PEER_H

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board/board.h"
#include "fake-engine.h"
#include "machine-peer.h"
#include "unit.h"

#define BASE	    BOARD_RAM_BASE
#define PC(i)	    (BASE + 4 * (i))
#define CALL(name)  METHOD_##name
#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name
#define CAUSE(name) PMU__V1__STOP_CAUSE__STOP_CAUSE_##name

enum {
	OK = 0,
	INVALID = 3,
	NOT_FOUND = 5,
	EXHAUSTED = 8,
	PRECONDITION = 9,
	OUT_OF_RANGE = 11,
	UNIMPLEMENTED = 12
};

static struct peer p;

static const struct fake_op spin_ops[] = {
	{ FAKE_NOP, 0, 0, 0, 0 },
	{ FAKE_NOP, 0, 0, 0, 0 },
	{ FAKE_JUMP, 0, 0, 0, PC(0) },
};
static inline void script(const struct fake_op *ops, size_t n)
{
	fake = (struct fake_script){
		.ops = ops, .n = n, .base = BASE, .block = 1
	};
}
#define SCRIPT(ops) script(ops, ARRAY_SIZE(ops))

static inline void teardown(void)
{
	peer_end(&p);
}

/* A process with a machine that is loaded. */
static inline void loaded(const char *settings)
{
	static const uint8_t image[8];

	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 2, true, settings), OK);
	ck_assert_uint_eq(peer_load(&p, image, sizeof(image), BASE), OK);
}

static inline void paused(const char *settings)
{
	SCRIPT(spin_ops);
	loaded(settings);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
}

#endif
