/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_stop (conformance E), as start.c does it.
 */
#include "conf.h"

static const struct step refused[] = {
	FRESH,
	CLAIM("an empty set", RULE("C16 C60"), BOTH(ERR(PARAM)), stop, 0, 0),
	CLAIM("a base beyond the last counter", RULE("C16 C60"),
	      BOTH(ERR(PARAM)), stop, N, 1),
	CLAIM("a set that wraps", RULE("C16 C60"), BOTH(ERR(PARAM)), stop, ALL,
	      2),
	CLAIM("time is no counter", RULE("C8 C17"), BOTH(ERR(PARAM)), stop, 1,
	      1),
	CLAIM("a counter without an event", RULE("C54"), BOTH(ERR(PARAM)), stop,
	      HW1, 1),
	CLAIM("a firmware counter without an event", RULE("C54"),
	      BOTH(ERR(PARAM)), stop, FW1, 1),
	CLAIM("a bad range comes before a snapshot without a page", RULE("C60"),
	      BOTH(ERR(PARAM)), stop, N, 1, TAKE_SNAP),
	CLAIM("a snapshot without a page comes before a missing event",
	      RULE("C60"), BOTH(ERR(NO_SHMEM)), stop, HW1, 1, TAKE_SNAP),
	DO(config, HW1, 1, SINH | AUTO, CYCLES),
	CLAIM("a snapshot without a page", RULE("C60"), BOTH(ERR(NO_SHMEM)),
	      stop, HW1, 1, TAKE_SNAP),
	CLAIM("stops nothing", RULE("C60"), BOTH(ERR(STARTED)), start, HW1, 1),
	CLAIM("a reserved flag", RULE("C47 C60"), DIFF(ERR(PARAM), VAL(0)),
	      stop, HW1, 1, 4),
	CLAIM("is refused before anything is stopped", RULE("C60"),
	      DIFF(VAL(0), ERR(STOPPED)), stop, HW1, 1),
	CLAIM("the highest reserved flag", RULE("C47 C60"),
	      DIFF(ERR(PARAM), ERR(STOPPED)), stop, HW1, 1,
	      1ull << (__riscv_xlen - 1)),
	CLAIM("a set with the hole at id 1", RULE("C17 C60"),
	      DIFF(ERR(PARAM), ERR(STOPPED)), stop, 0, HW1_AND_HOLE),
};

static const struct step sets[] = {
	FRESH,
	DO(config, HW1, 1, SINH | CLEAR, CYCLES),
	DO(config, HW2, 1, SINH | CLEAR, CYCLES),
	DO(start, 0, BOTH_HW),
	CLAIM("two started counters", RULE("C61 C190"), BOTH(VAL(0)), stop, 0,
	      BOTH_HW),
	CLAIM("two stopped counters", RULE("C61"), BOTH(ERR(STOPPED)), stop, 0,
	      BOTH_HW),
	DO(start, HW1, 1),
	CLAIM("a started and a stopped one", RULE("C61"), BOTH(ERR(STOPPED)),
	      stop, 0, BOTH_HW),
	DO(start, HW2, 1),
	CLAIM("a stopped and a started one", RULE("C61"),
	      DIFF(ERR(STOPPED), VAL(0)), stop, 0, BOTH_HW),
	CLAIM("the started one was stopped", RULE("C61"), BOTH(ERR(STOPPED)),
	      stop, HW2, 1),
	CLAIM("one that is configured and one that is not", RULE("C54"),
	      BOTH(ERR(STOPPED)), stop, 0, HW1_AND_HW3),
	DO(start, HW1, 1, SET_INIT, 500),
	CLAIM("stop", RULE("C64 C65"), BOTH(VAL(0)), stop, HW1, 1),
	CLAIM("keeps the value", RULE("C64 C65"), BOTH(VAL(500)), read_counter,
	      HW1),
	CLAIM("and the event", RULE("C64"), BOTH(VAL(0)), start, HW1, 1),
	CLAIM("RESET of a started counter", RULE("C62"), BOTH(VAL(0)), stop,
	      HW1, 1, RESET),
	CLAIM("takes its event", RULE("C62 C63"), BOTH(ERR(PARAM)), stop, HW1,
	      1),
	CLAIM("RESET of a stopped counter is told", RULE("C62"),
	      BOTH(ERR(STOPPED)), stop, HW2, 1, RESET),
	CLAIM("but takes its event, too", RULE("C62 C63"), BOTH(ERR(PARAM)),
	      start, HW2, 1),
	CLAIM("a reset counter shows no overflow", RULE("C63"), BOTH(VAL(0)),
	      scountovf, BOTH_HW),
	FRESH,
};

static const struct step fixed[] = {
	FRESH,
	CLAIM("RESET of cycle", RULE("C58"), BOTH(VAL(0)), stop, 0, 1, RESET),
	CLAIM("leaves it its event", RULE("C58"), BOTH(ERR(STOPPED)), stop, 0,
	      1, RESET),
	CLAIM("cycle takes a value", RULE("C58"), BOTH(VAL(0)), start, 0, 1,
	      SET_INIT, 1ull << 40),
	CLAIM("cycle and instret in one set", RULE("C58"), BOTH(VAL(0)), stop,
	      0, 5),
	CLAIM("and started in one set", RULE("C58"), BOTH(VAL(0)), start, 0, 5),
	CLAIM("instret runs", RULE("C58"), BOTH(ERR(STARTED)), start, 2, 1),
	FRESH,
};

void chapter_stop(void)
{
	TAP_STEPS("stop", refused);
	TAP_STEPS("stop", sets);
	TAP_STEPS("stop", fixed);
}
