/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_config_matching without SKIP_MATCH (conformance C): what it refuses,
 * in which order, and which counter it gives.
 */
#include "conf.h"

#define HW    (mach.programmable | 5)

static void ranges(void)
{
	const struct step steps[] = {
		FRESH,
		{ "an empty set", RULE("C16"), config, { 0, 0, 0, CYCLES },
		  BOTH(ERR(PARAM)) },
		{ "a base beyond the last counter", RULE("C16"), config,
		  { mach.n, 1, 0, CYCLES }, BOTH(ERR(PARAM)) },
		{ "a base of -1", RULE("C16"), config, { ALL, 1, 0, CYCLES },
		  BOTH(ERR(PARAM)) },
		{ "a set that wraps", RULE("C16"), config,
		  { ALL, 2, 0, CYCLES }, BOTH(ERR(PARAM)) },
		{ "a set that reaches beyond the last counter", RULE("C16"),
		  config, { mach.n - 1, 2, 0, FW_SET_TIMER },
		  BOTH(ERR(PARAM)) },
		{ "a set with the hole at id 1", RULE("C8 C17"), config,
		  { 0, HW | 2, 0, CYCLES }, DIFF(ERR(PARAM), VAL(mach.hw)) },
		FRESH,
		{ "a reserved flag", RULE("C18"), config,
		  { 0, HW, 1 << 8, CYCLES }, DIFF(ERR(PARAM), VAL(mach.hw)) },
		FRESH,
		{ "the highest reserved flag", RULE("C18"), config,
		  { 0, HW, 1ull << (__riscv_xlen - 1), CYCLES },
		  DIFF(ERR(PARAM), VAL(mach.hw)) },
		FRESH,
		{ "a bad range comes before a bad event", RULE("C15"), config,
		  { mach.n, 1, 0, 0 }, BOTH(ERR(PARAM)) },
		{ "a reserved flag comes before a bad event", RULE("C15"),
		  config, { 0, HW, 1 << 8, 0 },
		  DIFF(ERR(PARAM), ERR(UNSUPPORTED)) },
		{ "a hole comes before a bad event", RULE("C15"), config,
		  { 0, HW | 2, 0, 0 }, DIFF(ERR(PARAM), ERR(UNSUPPORTED)) },
		{ "what was refused left the counters free", RULE("C28"),
		  start, { 0, mach.programmable }, BOTH(ERR(PARAM)) },
	};

	TAP_STEPS("config", steps);
}

static void no_events(void)
{
	const struct step steps[] = {
		{ "NO_EVENT is not counted", RULE("C20"), config,
		  { 0, HW, 0, 0 }, BOTH(ERR(UNSUPPORTED)) },
		{ "general event 11 does not exist", RULE("C19"), config,
		  { 0, HW, 0, 11 }, DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "event 0x1234 does not exist", RULE("C19"), config,
		  { 0, HW, 0, 0x1234 }, DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "event type 4 does not exist", RULE("C19"), config,
		  { 0, HW, 0, 0x40000 }, DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "event type 14 does not exist", RULE("C19"), config,
		  { 0, HW, 0, 0xe0000 }, DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "cache operation 3 does not exist", RULE("C19 C194"), config,
		  { 0, HW, 0, 0x10006 }, DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "cache 7 does not exist", RULE("C19 C194"), config,
		  { 0, HW, 0, 0x10038 }, DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "raw events have no code", RULE("C19 C195"), config,
		  { 0, HW, 0, 0x20001, 1 },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "raw events of version 2 have no code", RULE("C19"), config,
		  { 0, HW, 0, 0x30001, 1 },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "a raw selector of 0 is no event", RULE("C41"), config,
		  { 0, HW, 0, 0x20000, 0 }, BOTH(ERR(UNSUPPORTED)) },
		{ "a raw selector of 0, version 2, is no event", RULE("C41"),
		  config, { 0, HW, 0, 0x30000, 0 }, BOTH(ERR(UNSUPPORTED)) },
		{ "firmware event 22 is reserved", RULE("C19 C98"), config,
		  { mach.fw, mach.fw_set, 0, 0xf0016 },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "firmware event 255 is reserved", RULE("C19 C98"), config,
		  { mach.fw, mach.fw_set, 0, 0xf00ff },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "firmware event 65534 is nobody's", RULE("C19 C98"), config,
		  { mach.fw, mach.fw_set, 0, 0xffffe },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		{ "there are no platform events", RULE("C44"), config,
		  { mach.fw, mach.fw_set, 0, 0xfffff, 1 },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
	};

	TAP_STEPS("config", steps);
}

static void odd_events(void)
{
	const struct step steps[] = {
		{ "bit 20 of a hardware event", RULE("C22"), config,
		  { 0, HW, 0, 1 << 20 | CYCLES }, BOTH(ERR(UNSUPPORTED)) },
		{ "bit 20 of a firmware event", RULE("C22"), config,
		  { mach.fw, mach.fw_set, 0, 1 << 20 | FW_SET_TIMER },
		  DIFF(ERR(UNSUPPORTED), VAL(mach.fw)) },
		FRESH,
		{ "event_data of a general event", RULE("C21"), config,
		  { 0, HW, 0, CYCLES, 1 },
		  DIFF(ERR(UNSUPPORTED), VAL(mach.hw)) },
		FRESH,
		{ "event_data of a firmware event", RULE("C21"), config,
		  { mach.fw, mach.fw_set, 0, FW_SET_TIMER, 1 },
		  DIFF(ERR(UNSUPPORTED), VAL(mach.fw)) },
		FRESH,
		{ "the upper half of event_data is event_data", RULE("C3 C21"),
		  config, { 0, HW, 0, INSNS, 1ull << 32 },
		  DIFF(ERR(UNSUPPORTED), VAL(mach.hw)) },
		FRESH,
		{ "a firmware event needs a firmware counter", RULE("C43"),
		  config, { 0, HW, 0, FW_SET_TIMER }, BOTH(ERR(UNSUPPORTED)) },
		{ "a hardware event needs a hardware counter", RULE("C43"),
		  config, { mach.fw, mach.fw_set, 0, CYCLES },
		  BOTH(ERR(UNSUPPORTED)) },
		{ "raw event_data above bit 47 is ignored", RULE("C40"),
		  config, { 0, HW, 0, 0x20000, 0xffffull << 48 | INSNS },
		  BOTH(VAL(mach.hw)) },
		FRESH,
		{ "raw event_data above bit 55 is ignored, version 2",
		  RULE("C40"), config,
		  { 0, HW, 0, 0x30000, 0xffull << 56 | INSNS },
		  BOTH(VAL(mach.hw)) },
		FRESH,
	};

	TAP_STEPS("config", steps);
}

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

static void given(void)
{
	const uint64_t hw2 = mach.hw2;
	const struct step steps[] = {
		FRESH,
		{ "cycles get the first programmable counter",
		  RULE("C23 C24"), config, { 0, HW, 0, CYCLES },
		  BOTH(VAL(mach.hw)) },
		{ "configured is taken: cycles get the next one", RULE("C23"),
		  config, { 0, HW, 0, CYCLES }, BOTH(VAL(mach.hw2)) },
		{ "a set whose only counter is taken", RULE("C23 C25"), config,
		  { hw2, 1, 0, CYCLES }, BOTH(ERR(UNSUPPORTED)) },
		{ "a reset frees a counter", RULE("C62"), stop,
		  { hw2, 1, RESET }, BOTH(ERR(STOPPED)) },
		{ "and it is had again, by a base", RULE("C23"), config,
		  { hw2, 1, 0, INSNS }, BOTH(VAL(hw2)) },
		FRESH,
		{ "cycles on cycle, if nothing else is in the set",
		  RULE("C24 C25 C26"), config, { 0, 1, 0, CYCLES },
		  BOTH(VAL(0)) },
		{ "cycle has one owner", RULE("C26"), config,
		  { 0, 1, 0, CYCLES }, DIFF(ERR(UNSUPPORTED), VAL(0)) },
		{ "an owned cycle stands, the reference's still runs",
		  RULE("C26"), start, { 0, 1 },
		  DIFF(VAL(0), ERR(STARTED)) },
		{ "instructions never get cycle", RULE("C25 C27"), config,
		  { 0, 1, 0, INSNS }, BOTH(ERR(UNSUPPORTED)) },
		FRESH,
		{ "a reset gives cycle back", RULE("C26"), config,
		  { 0, 1, 0, CYCLES }, BOTH(VAL(0)) },
		{ "instructions on instret", RULE("C24"), config,
		  { 2, 1, 0, INSNS }, BOTH(VAL(2)) },
		FRESH,
		{ "as many firmware counters as info has", RULE("C7 C43"),
		  take_all, { 0 }, BOTH(VAL(mach.n_fw)) },
		{ "one more is not to be had", RULE("C43"), config,
		  { mach.fw, mach.fw_set, 0, FW_SET_TIMER },
		  BOTH(ERR(UNSUPPORTED)) },
		{ "nor for a platform event", RULE("C45"), config,
		  { mach.fw, mach.fw_set, 0, 0xfffff, 1 },
		  DIFF(ERR(UNSUPPORTED), ERR(PARAM)) },
		FRESH,
	};

	TAP_STEPS("config", steps);
}

void chapter_config(void)
{
	ranges();
	no_events();
	odd_events();
	given();
}
