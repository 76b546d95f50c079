/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_start (conformance D). Counters that are looked at are configured
 * with SINH: they stand still here, started or not.
 */
#include "conf.h"

/* Two counters that do not move, and that nothing is done to. */
#define TWO                                                                    \
	FRESH, DO(config, HW1, 1, SINH | CLEAR, CYCLES),                       \
		DO(config, HW2, 1, SINH | CLEAR, CYCLES)

static const struct step refused[] = {
	TWO,
	CLAIM("an empty set", RULE("C16 C59"), BOTH(ERR(PARAM)), start, 0, 0),
	CLAIM("a base beyond the last counter", RULE("C16"), BOTH(ERR(PARAM)),
	      start, N, 1),
	CLAIM("a set that wraps", RULE("C16"), BOTH(ERR(PARAM)), start, ALL, 2),
	CLAIM("time is no counter", RULE("C8 C17"), BOTH(ERR(PARAM)), start, 1,
	      1),
	CLAIM("a counter without an event", RULE("C54"), BOTH(ERR(PARAM)),
	      start, HW3, 1),
	CLAIM("a reserved flag", RULE("C47"), DIFF(ERR(PARAM), VAL(0)), start,
	      HW1, 1, 4),
	TWO,
	CLAIM("the highest reserved flag", RULE("C47"),
	      DIFF(ERR(PARAM), VAL(0)), start, HW1, 1,
	      1ull << (__riscv_xlen - 1)),
	TWO,
	CLAIM("both values at once", RULE("C48"),
	      DIFF(ERR(PARAM), ERR(NO_SHMEM)), start, HW1, 1,
	      SET_INIT | INIT_SNAP, 1),
	CLAIM("a snapshot without a page", RULE("C46"), BOTH(ERR(NO_SHMEM)),
	      start, HW1, 1, INIT_SNAP),
	CLAIM("a bad range comes before a snapshot without a page", RULE("C46"),
	      BOTH(ERR(PARAM)), start, N, 1, INIT_SNAP),
	CLAIM("a snapshot without a page comes before a missing event",
	      RULE("C46"), BOTH(ERR(NO_SHMEM)), start, HW3, 1, INIT_SNAP),
	CLAIM("one value for two counters", RULE("C50"),
	      DIFF(ERR(PARAM), VAL(0)), start, 0, BOTH_HW, SET_INIT, 77),
	CLAIM("is given to both, or to none", RULE("C50"),
	      DIFF(VAL(0), VAL(77)), read_counter, HW2),
	TWO,
	CLAIM("a set with the hole at id 1", RULE("C17"),
	      DIFF(ERR(PARAM), VAL(0)), start, 0, HW1_AND_HOLE),
	CLAIM("starts none, or those that there are", RULE("C17"),
	      DIFF(ERR(STOPPED), VAL(0)), stop, HW1, 1),
};

static const struct step sets[] = {
	TWO,
	CLAIM("a stopped counter", RULE("C190 C51"), BOTH(VAL(0)), start, HW1,
	      1),
	CLAIM("a started counter", RULE("C51"), BOTH(ERR(STARTED)), start, HW1,
	      1),
	CLAIM("a started and a stopped one", RULE("C51"),
	      DIFF(ERR(STARTED), VAL(0)), start, 0, BOTH_HW),
	CLAIM("the stopped one was started nevertheless", RULE("C51"),
	      BOTH(ERR(STARTED)), start, HW2, 1),
	DO(stop, HW1, 1),
	CLAIM("a stopped and a started one", RULE("C51"), BOTH(ERR(STARTED)),
	      start, 0, BOTH_HW),
	CLAIM("the first of them was started, too", RULE("C51"), BOTH(VAL(0)),
	      stop, HW1, 1),
	CLAIM("one that is configured and one that is not", RULE("C54"),
	      BOTH(VAL(0)), start, 0, HW1_AND_HW3),
	CLAIM("the configured one runs", RULE("C54"), BOTH(VAL(0)), stop, HW1,
	      1),
};

static const struct step values[] = {
	TWO,
	CLAIM("a value is set", RULE("C3 C56"), BOTH(VAL(0)), start, HW1, 1,
	      SET_INIT, WIDE),
	CLAIM("all bits that the counter has", RULE("C3 C56 C138"),
	      BOTH(VAL(WIDE_READ)), read_counter, HW1),
	CLAIM("a redundant start is told", RULE("C51 C53"), BOTH(ERR(STARTED)),
	      start, HW1, 1, SET_INIT, 5),
	CLAIM("and leaves the value", RULE("C51 C53"), BOTH(VAL(WIDE_READ)),
	      read_counter, HW1),
	DO(stop, HW1, 1),
	CLAIM("a value without its flag", RULE("C49"), BOTH(VAL(0)), start, HW1,
	      1, 0, 5),
	CLAIM("is not looked at", RULE("C49"), BOTH(VAL(WIDE_READ)),
	      read_counter, HW1),
	DO(stop, HW1, 1, RESET),
	CLAIM("a reset leaves the value", RULE("C63"), BOTH(VAL(WIDE_READ)),
	      read_counter, HW1),
	CLAIM("configuring again leaves the value", RULE("C33"), BOTH(VAL(HW1)),
	      config, HW1, 1, SINH, CYCLES),
	CLAIM("it is still there", RULE("C33"), BOTH(VAL(WIDE_READ)),
	      read_counter, HW1),
	DO(stop, HW1, 1, RESET),
	CLAIM("CLEAR_VALUE", RULE("C33"), BOTH(VAL(HW1)), config, HW1, 1,
	      SINH | CLEAR, CYCLES),
	CLAIM("clears", RULE("C33"), BOTH(VAL(0)), read_counter, HW1),
	DO(start, HW1, 1, SET_INIT, WIDE),
	DO(stop, HW1, 1),
	DO(start, HW1, 1),
	DO(work, 1000),
	CLAIM("filters given at config hold at every start", RULE("C38"),
	      BOTH(VAL(WIDE_READ)), read_counter, HW1),
	DO(stop, HW1, 1, RESET),
	CLAIM("AUTO_START", RULE("C35"), BOTH(VAL(HW1)), config, HW1, 1,
	      SINH | AUTO, CYCLES),
	CLAIM("leaves the value", RULE("C35"), BOTH(VAL(WIDE_READ)),
	      read_counter, HW1),
	CLAIM("starts", RULE("C35"), BOTH(ERR(STARTED)), start, HW1, 1),
	CLAIM("so that a stop succeeds", RULE("C35"), BOTH(VAL(0)), stop, HW1,
	      1),
	FRESH,
};

void chapter_start(void)
{
	TAP_STEPS("start", refused);
	TAP_STEPS("start", sets);
	TAP_STEPS("start", values);
}
