/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot_set_shmem, and starting from and stopping to the page (conformance
 * F). The reference has none of it; what it leaves undone is seen, too.
 */
#include "conf.h"

#define FILL	0xa5a5a5a5a5a5a5a5ull
#define NO_CALL ERR(UNSUPPORTED)
#define NO_PAGE ERR(NO_SHMEM)

static const struct step registering[] = {
	FRESH,
	CLAIM("disabling what is not enabled", RULE("C74 C190"),
	      DIFF(VAL(0), NO_CALL), set_shmem, ALL, ALL, 0),
	CLAIM("reserved flags", RULE("C74"), DIFF(ERR(PARAM), NO_CALL),
	      set_shmem, PAGE, 0, 1),
	CLAIM("disabling with flags", RULE("C201"), DIFF(ERR(PARAM), NO_CALL),
	      set_shmem, ALL, ALL, 1),
	CLAIM("an address that is not aligned", RULE("C74"),
	      DIFF(ERR(PARAM), NO_CALL), set_shmem, PAGE_8, 0, 0),
	CLAIM("low all ones alone is not aligned", RULE("C74"),
	      DIFF(ERR(PARAM), NO_CALL), set_shmem, ALL, 0, 0),
	CLAIM("an address beyond the low register", RULE("C74 C141"),
	      DIFF(ERR(ADDRESS), NO_CALL), set_shmem, PAGE, 1, 0),
	CLAIM("address 0", RULE("C74"), DIFF(ERR(ADDRESS), NO_CALL), set_shmem,
	      0, 0, 0),
	CLAIM("a device", RULE("C74"), DIFF(ERR(ADDRESS), NO_CALL), set_shmem,
	      0x10000000, 0, 0),
	CLAIM("the last page of all", RULE("C74"), DIFF(ERR(ADDRESS), NO_CALL),
	      set_shmem, ALL - 4095, 0, 0),
	CLAIM("none of these enabled anything", RULE("C46 C75"), BOTH(NO_PAGE),
	      start, 0, 1, INIT_SNAP),
	DO(page_fill, FILL),
	CLAIM("a page of RAM", RULE("C74 C190"), DIFF(VAL(0), NO_CALL),
	      set_shmem, PAGE, 0, 0),
	CLAIM("is not written at once", RULE("C73"), BOTH(VAL(0)), page_changed,
	      0, 0),
};

static const struct step stopping[] = {
	DO(config, HW1, 1, SINH | CLEAR, CYCLES),
	DO(config, HW2, 1, SINH | CLEAR, CYCLES),
	DO(start, HW1, 1, SET_INIT, WIDE),
	CLAIM("stop with a snapshot", RULE("C67"), DIFF(VAL(0), NO_PAGE), stop,
	      HW1, 1, TAKE_SNAP),
	CLAIM("the value is at the index in the set", RULE("C68 C69"),
	      DIFF(VAL(WIDE_READ), VAL(FILL)), page_word, 1),
	CLAIM("the bitmap is written, no overflow in it", RULE("C68 C71"),
	      DIFF(VAL(0), VAL(FILL)), page_word, 0),
	CLAIM("nothing else is", RULE("C70"), BOTH(VAL(0)), page_changed, 0, 1),
	DO(page_fill, FILL),
	CLAIM("stopped already, with a snapshot", RULE("C67"),
	      DIFF(ERR(STOPPED), NO_PAGE), stop, HW1, 1, TAKE_SNAP),
	CLAIM("the value is written nevertheless", RULE("C67"),
	      DIFF(VAL(WIDE_READ), VAL(FILL)), page_word, 1),
	DO(page_fill, FILL),
	CLAIM("a bad address later", RULE("C201"), DIFF(ERR(PARAM), NO_CALL),
	      set_shmem, PAGE_8, 0, 0),
	CLAIM("leaves the page in force", RULE("C201"),
	      DIFF(ERR(STOPPED), NO_PAGE), stop, HW2, 1, TAKE_SNAP),
	CLAIM("for any counter as entry 0", RULE("C69"),
	      DIFF(VAL(0), VAL(FILL)), page_word, 1),
	DO(page_fill, FILL),
	CLAIM("a set with a counter without an event", RULE("C196"),
	      DIFF(ERR(STOPPED), NO_PAGE), stop, 0, HW1_AND_HW3, TAKE_SNAP),
	CLAIM("only the configured one is written", RULE("C70 C196"),
	      BOTH(VAL(0)), page_changed, 0, 4),
	DO(page_fill, FILL),
	CLAIM("reset with a snapshot", RULE("C72"), DIFF(ERR(STOPPED), NO_PAGE),
	      stop, HW1, 1, TAKE_SNAP | RESET),
	CLAIM("the value is taken first", RULE("C72"),
	      DIFF(VAL(WIDE_READ), VAL(FILL)), page_word, 1),
	CLAIM("then the event", RULE("C72"), DIFF(ERR(PARAM), ERR(STARTED)),
	      start, HW1, 1),
};

static const struct step starting[] = {
	FRESH,
	DO(set_shmem, PAGE, 0, 0),
	DO(config, HW1, 1, SINH | CLEAR, CYCLES),
	DO(config, HW2, 1, SINH | CLEAR, CYCLES),
	DO(page_fill, FILL),
	DO(page_set, 1, WIDE),
	CLAIM("start from the snapshot", RULE("C76"), DIFF(VAL(0), NO_PAGE),
	      start, HW1, 1, INIT_SNAP),
	CLAIM("its entry 0 is the value", RULE("C69 C76"),
	      DIFF(VAL(WIDE_READ), VAL(0)), read_counter, HW1),
	CLAIM("the page stays as it is", RULE("C73"), BOTH(VAL(0)),
	      page_changed, 1, 1),
	CLAIM("again, from another value", RULE("C76"),
	      DIFF(ERR(STARTED), NO_PAGE), start, HW1, 1, INIT_SNAP),
	DO(page_set, 4, 4711),
	DO(page_set, 5, 815),
	CLAIM("a set with a started counter", RULE("C76"),
	      DIFF(ERR(STARTED), NO_PAGE), start, 0, BOTH_HW, INIT_SNAP),
	CLAIM("leaves that one its value", RULE("C76"),
	      DIFF(VAL(WIDE_READ), VAL(0)), read_counter, HW1),
	CLAIM("gives the other one its own", RULE("C69 C76"),
	      DIFF(VAL(815), VAL(0)), read_counter, HW2),
	CLAIM("disable", RULE("C74 C75"), DIFF(VAL(0), NO_CALL), set_shmem, ALL,
	      ALL, 0),
	CLAIM("no snapshot after that", RULE("C75"), BOTH(NO_PAGE), stop, HW1,
	      1, TAKE_SNAP),
	FRESH,
};

void chapter_snapshot(void)
{
	TAP_STEPS("snapshot", registering);
	TAP_STEPS("snapshot", stopping);
	TAP_STEPS("snapshot", starting);
}
