/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_config_matching without SKIP_MATCH (conformance C): what it refuses,
 * in which order, and which counter it gives.
 */
#include "conf.h"

static const struct step ranges[] = {
	FRESH,
	CLAIM("an empty set", RULE("C16"), BOTH(ERR(PARAM)), config, 0, 0, 0,
	      CYCLES),
	CLAIM("a base beyond the last counter", RULE("C16"), BOTH(ERR(PARAM)),
	      config, N, 1, 0, CYCLES),
	CLAIM("a base of -1", RULE("C16"), BOTH(ERR(PARAM)), config, ALL, 1, 0,
	      CYCLES),
	CLAIM("a set that wraps", RULE("C16"), BOTH(ERR(PARAM)), config, ALL, 2,
	      0, CYCLES),
	CLAIM("a set that reaches beyond the last counter", RULE("C16"),
	      BOTH(ERR(PARAM)), config, LAST, 2, 0, FW_SET_TIMER),
	CLAIM("a set with the hole at id 1", RULE("C8 C17"),
	      DIFF(ERR(PARAM), VAL(HW1)), config, 0, HW_SET_HOLE, 0, CYCLES),
	FRESH,
	CLAIM("a reserved flag", RULE("C18"), DIFF(ERR(PARAM), VAL(HW1)),
	      config, 0, HW_SET, 1 << 8, CYCLES),
	FRESH,
	CLAIM("the highest reserved flag", RULE("C18"),
	      DIFF(ERR(PARAM), VAL(HW1)), config, 0, HW_SET,
	      1ull << (__riscv_xlen - 1), CYCLES),
	FRESH,
	CLAIM("a bad range comes before a bad event", RULE("C15"),
	      BOTH(ERR(PARAM)), config, N, 1, 0, 0),
	CLAIM("a reserved flag comes before a bad event", RULE("C15"),
	      DIFF(ERR(PARAM), ERR(UNSUPPORTED)), config, 0, HW_SET, 1 << 8, 0),
	CLAIM("a hole comes before a bad event", RULE("C15"),
	      DIFF(ERR(PARAM), ERR(UNSUPPORTED)), config, 0, HW_SET_HOLE, 0, 0),
	CLAIM("what was refused left the counters free", RULE("C28"),
	      BOTH(ERR(PARAM)), start, 0, PROGRAMMABLE),
};

static const struct step no_events[] = {
	CLAIM("NO_EVENT is not counted", RULE("C20"), BOTH(ERR(UNSUPPORTED)),
	      config, 0, HW_SET, 0, 0),
	CLAIM("general event 11 does not exist", RULE("C19"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0, 11),
	CLAIM("event 0x1234 does not exist", RULE("C19"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0, 0x1234),
	CLAIM("event type 4 does not exist", RULE("C19"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0,
	      0x40000),
	CLAIM("event type 14 does not exist", RULE("C19"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0,
	      0xe0000),
	CLAIM("cache operation 3 does not exist", RULE("C19 C194"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0,
	      0x10006),
	CLAIM("cache 7 does not exist", RULE("C19 C194"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0,
	      0x10038),
	CLAIM("raw events have no code", RULE("C19 C195"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0, 0x20001,
	      1),
	CLAIM("raw events of version 2 have no code", RULE("C19"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, 0, HW_SET, 0, 0x30001,
	      1),
	CLAIM("a raw selector of 0 is no event", RULE("C41"),
	      BOTH(ERR(UNSUPPORTED)), config, 0, HW_SET, 0, 0x20000, 0),
	CLAIM("a raw selector of 0, version 2, is no event", RULE("C41"),
	      BOTH(ERR(UNSUPPORTED)), config, 0, HW_SET, 0, 0x30000, 0),
	CLAIM("firmware event 22 is reserved", RULE("C19 C98"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, FW1, FW_SET, 0,
	      0xf0016),
	CLAIM("firmware event 255 is reserved", RULE("C19 C98"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, FW1, FW_SET, 0,
	      0xf00ff),
	CLAIM("firmware event 65534 is nobody's", RULE("C19 C98"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, FW1, FW_SET, 0,
	      0xffffe),
	CLAIM("there are no platform events", RULE("C44"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, FW1, FW_SET, 0,
	      0xfffff, 1),
};

static const struct step odd_events[] = {
	CLAIM("bit 20 of a hardware event", RULE("C22"), BOTH(ERR(UNSUPPORTED)),
	      config, 0, HW_SET, 0, 1 << 20 | CYCLES),
	CLAIM("bit 20 of a firmware event", RULE("C22"),
	      DIFF(ERR(UNSUPPORTED), VAL(FW1)), config, FW1, FW_SET, 0,
	      1 << 20 | FW_SET_TIMER),
	FRESH,
	CLAIM("event_data of a general event", RULE("C21"),
	      DIFF(ERR(UNSUPPORTED), VAL(HW1)), config, 0, HW_SET, 0, CYCLES,
	      1),
	FRESH,
	CLAIM("event_data of a firmware event", RULE("C21"),
	      DIFF(ERR(UNSUPPORTED), VAL(FW1)), config, FW1, FW_SET, 0,
	      FW_SET_TIMER, 1),
	FRESH,
	CLAIM("the upper half of event_data is event_data", RULE("C3 C21"),
	      DIFF(ERR(UNSUPPORTED), VAL(HW1)), config, 0, HW_SET, 0, INSNS,
	      1ull << 32),
	FRESH,
	CLAIM("a firmware event needs a firmware counter", RULE("C43"),
	      BOTH(ERR(UNSUPPORTED)), config, 0, HW_SET, 0, FW_SET_TIMER),
	CLAIM("a hardware event needs a hardware counter", RULE("C43"),
	      BOTH(ERR(UNSUPPORTED)), config, FW1, FW_SET, 0, CYCLES),
	CLAIM("raw event_data above bit 47 is ignored", RULE("C40"),
	      BOTH(VAL(HW1)), config, 0, HW_SET, 0, 0x20000,
	      0xffffull << 48 | INSNS),
	FRESH,
	CLAIM("raw event_data above bit 55 is ignored, version 2", RULE("C40"),
	      BOTH(VAL(HW1)), config, 0, HW_SET, 0, 0x30000,
	      0xffull << 56 | INSNS),
	FRESH,
};

/* How many firmware counters there are for one event. */
static struct answer take_all(const uint64_t *a)
{
	const uint64_t args[5] = { mach.fw, mach.fw_set, 0, FW_SET_TIMER, 0 };
	uint64_t n = 0;

	(void)a;
	while (n < 64 && !config(args).error)
		n++;
	return (struct answer){ 0, n };
}

static const struct step given[] = {
	FRESH,
	CLAIM("cycles get the first programmable counter", RULE("C23 C24"),
	      BOTH(VAL(HW1)), config, 0, HW_SET, 0, CYCLES),
	CLAIM("configured is taken: cycles get the next one", RULE("C23"),
	      BOTH(VAL(HW2)), config, 0, HW_SET, 0, CYCLES),
	CLAIM("a set whose only counter is taken", RULE("C23 C25 C206"),
	      DIFF(ERR(UNSUPPORTED), VAL(0)), config, HW2, 1, 0, CYCLES),
	CLAIM("a reset frees a counter", RULE("C62"), BOTH(ERR(STOPPED)), stop,
	      HW2, 1, RESET),
	CLAIM("and it is had again, by a base", RULE("C23"), BOTH(VAL(HW2)),
	      config, HW2, 1, 0, INSNS),
	FRESH,
	CLAIM("cycles on cycle, if nothing else is in the set",
	      RULE("C24 C25 C26"), BOTH(VAL(0)), config, 0, 1, 0, CYCLES),
	CLAIM("cycle has one owner", RULE("C26"),
	      DIFF(ERR(UNSUPPORTED), VAL(0)), config, 0, 1, 0, CYCLES),
	CLAIM("an owned cycle stands, the reference's still runs", RULE("C26"),
	      DIFF(VAL(0), ERR(STARTED)), start, 0, 1),
	CLAIM("instructions never get cycle", RULE("C25 C27 C206"),
	      DIFF(ERR(UNSUPPORTED), VAL(2)), config, 0, 1, 0, INSNS),
	CLAIM("instructions in a set of firmware counters", RULE("C25 C206"),
	      BOTH(ERR(UNSUPPORTED)), config, FW1, 1, 0, INSNS),
	CLAIM("instructions in a set with firmware counters only",
	      RULE("C25 C206"), DIFF(ERR(UNSUPPORTED), VAL(2)), config, HW1,
	      FW1_OF_HW1, 0, INSNS),
	FRESH,
	CLAIM("a reset gives cycle back", RULE("C26"), BOTH(VAL(0)), config, 0,
	      1, 0, CYCLES),
	CLAIM("instructions on instret", RULE("C24"), BOTH(VAL(2)), config, 2,
	      1, 0, INSNS),
	FRESH,
	CLAIM("as many firmware counters as info has", RULE("C7 C43"),
	      BOTH(VAL(N_FW)), take_all, 0),
	CLAIM("one more is not to be had", RULE("C43"), BOTH(ERR(UNSUPPORTED)),
	      config, FW1, FW_SET, 0, FW_SET_TIMER),
	CLAIM("nor for a platform event", RULE("C45"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, FW1, FW_SET, 0,
	      0xfffff, 1),
	FRESH,
};

void chapter_config(void)
{
	TAP_STEPS("config", ranges);
	TAP_STEPS("config", no_events);
	TAP_STEPS("config", odd_events);
	TAP_STEPS("config", given);
}
