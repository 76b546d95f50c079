/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scripts for the machine in M-mode over the scripted engine: their words, and
 * playing one to its end.
 */
#ifndef TESTS_UNIT_MACHINE_SCRIPT_H
#define TESTS_UNIT_MACHINE_SCRIPT_H

#include <stdio.h>
#include <string.h>

#include "../../guests/common/csr-short.h"
#include "board/board.h"
#include "fake-engine.h"
#include "machine-fixture.h"
#include "unit.h"

#define BASE	       BOARD_RAM_BASE
#define PC(i)	       (BASE + 4 * (i))
#define MTIMECMP(hart) (BOARD_CLINT_BASE + 0x4000 + 8 * (hart))
#define MSIP(hart)     (BOARD_CLINT_BASE + 4 * (hart))

#define NOP                                                                    \
	{                                                                      \
		FAKE_NOP, 0, 0, 0, 0                                           \
	}
#define LI(r, v)                                                               \
	{                                                                      \
		FAKE_LI, r, 0, 0, v                                            \
	}
#define JUMP(i)                                                                \
	{                                                                      \
		FAKE_JUMP, 0, 0, 0, PC(i)                                      \
	}
#define LOOP(r, i)                                                             \
	{                                                                      \
		FAKE_LOOP, r, 0, 0, PC(i)                                      \
	}
#define INSN(bits)                                                             \
	{                                                                      \
		FAKE_INSN, 0, 0, 0, bits                                       \
	}
#define CSRW(csr, r) INSN(FAKE_CSRRW(0, csr, r))
#define CSRR(r, csr) INSN(FAKE_CSRRS(r, csr, 0))
#define WFI	     INSN(FAKE_WFI)
#define WRITE(r, n, a)                                                         \
	{                                                                      \
		FAKE_WRITE, r, n, 0, a                                         \
	}
#define READ(r, n, a)                                                          \
	{                                                                      \
		FAKE_READ, r, n, 0, a                                          \
	}
#define LOAD                                                                   \
	{                                                                      \
		FAKE_LOAD, 0, 0, 0, 0                                          \
	}
#define STORE                                                                  \
	{                                                                      \
		FAKE_STORE, 0, 0, 0, 0                                         \
	}
#define PASS LI(31, 0x5555), WRITE(31, 4, BOARD_FINISHER_BASE)

static struct fixture f;

static inline void script(const struct fake_op *ops, size_t n)
{
	fake = (struct fake_script){
		.ops = ops, .n = n, .base = BASE, .block = 1
	};
}
#define SCRIPT(ops) script(ops, ARRAY_SIZE(ops))

static inline void play(const char *settings)
{
	fixture_play(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .settings = settings,
					       .traps = true },
		     1000);
}

static inline void teardown(void)
{
	fixture_fini(&f);
}

static inline void ended(enum machine_cause cause, int exit_code)
{
	struct machine_status s = fixture_status(&f);

	ck_assert_int_eq(s.state, MACHINE_ENDED);
	ck_assert_int_eq(s.cause, cause);
	ck_assert_int_eq(s.exit_code, exit_code);
}

#endif
