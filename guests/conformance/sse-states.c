/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states of software events (SSE) on one hart: what each allows, when the
 * handler is called, what it sees, and what it may do.
 */
#include "sse-ops.h"

enum {
	ONESHOT = 1,
	SPIE = 2, /* of nothing: the guest runs with interrupts off */
};

#define WITHIN(op)                                                             \
	static struct answer in_##op(const uint64_t *a)                        \
	{                                                                      \
		return within(op, a);                                          \
	}
WITHIN(sse)
WITHIN(attr)
WITHIN(set_attr)
WITHIN(reg)
WITHIN(num_counters)

/* Writes an interrupted attribute, reads it and writes what was there. */
static struct answer there_and_back(const uint64_t *a)
{
	struct answer old = attr(a), got;
	uint64_t back[] = { a[0], a[1], old.value };

	got = set_attr(a);
	if (!got.error)
		got = attr(a);
	set_attr(back);
	return got;
}
WITHIN(there_and_back)

/* In a handler: injects a[0] and tells how it stands then. */
static struct answer inject_and_look(const uint64_t *a)
{
	const uint64_t inject[6] = { INJECT, a[0], mach.hart };
	const uint64_t look[] = { a[0], STATUS };
	struct answer got = sse(inject);

	return got.error ? got : attr(look);
}
WITHIN(inject_and_look)

static const struct step states[] = {
	CLAIM("to inject an unused event", RULE("SSE-03 SSE-07"),
	      DIFF(OK, ERR(STATE)), sse, INJECT, LOCAL, SELF),
	DO(sse, UNMASK),
	CLAIM("to unmask twice", RULE("SSE-07"), BOTH(ERR(STARTED)), sse,
	      UNMASK),
	DO(sse, MASK),
	CLAIM("to mask twice", RULE("SSE-07"), BOTH(ERR(STOPPED)), sse, MASK),
	CLAIM("to register", RULE("SSE-04"), BOTH(OK), reg, LOCAL, 1),
	CLAIM("registered, an event says so", RULE("SSE-04"),
	      DIFF(VAL(0xd), VAL(9)), attr, LOCAL, STATUS),
	CLAIM("and has its argument", RULE("SSE-04 SSE-06"), BOTH(VAL(1)), attr,
	      LOCAL, ENTRY_ARG),
	CLAIM("to register again", RULE("SSE-04"), BOTH(ERR(STATE)), reg, LOCAL,
	      2),
	CLAIM("to disable a registered event", RULE("SSE-04"), BOTH(ERR(STATE)),
	      sse, DISABLE, LOCAL),
	CLAIM("to write its priority, registered", RULE("SSE-04 SSE-06"),
	      BOTH(OK), set_attr, LOCAL, PRIORITY, 3),
	CLAIM("to inject a registered event", RULE("SSE-04 SSE-07"),
	      DIFF(OK, ERR(STATE)), sse, INJECT, LOCAL, SELF),
	CLAIM("to unregister", RULE("SSE-04"), BOTH(OK), sse, UNREGISTER,
	      LOCAL),
	CLAIM("the argument stays", RULE("SSE-03 SSE-06"), BOTH(VAL(1)), attr,
	      LOCAL, ENTRY_ARG),
	CLAIM("and the priority", RULE("SSE-03 SSE-06"), BOTH(VAL(3)), attr,
	      LOCAL, PRIORITY),
	DO(reg, LOCAL, 1),
	CLAIM("to enable", RULE("SSE-05"), BOTH(OK), sse, ENABLE, LOCAL),
	CLAIM("to enable again", RULE("SSE-05"), BOTH(ERR(STATE)), sse, ENABLE,
	      LOCAL),
	CLAIM("to register an enabled event", RULE("SSE-05"), BOTH(ERR(STATE)),
	      reg, LOCAL, 2),
	CLAIM("to unregister it", RULE("SSE-05"), BOTH(ERR(STATE)), sse,
	      UNREGISTER, LOCAL),
	CLAIM("to write its priority, enabled", RULE("SSE-05 SSE-06"),
	      BOTH(ERR(STATE)), set_attr, LOCAL, PRIORITY, 0),
	CLAIM("to write its configuration", RULE("SSE-05 SSE-06"),
	      BOTH(ERR(STATE)), set_attr, LOCAL, CONFIG, 2),
	CLAIM("to write its hart, enabled", RULE("SSE-05 SSE-06"),
	      DIFF(ERR(DENIED), ERR(STATE)), set_attr, LOCAL, PREFERRED_HART,
	      SELF),
	CLAIM("to inject it", RULE("SSE-05 SSE-07"), BOTH(OK), sse, INJECT,
	      LOCAL, SELF),
	CLAIM("masked, it pends", RULE("SSE-07"), BOTH(VAL(0xe)), attr, LOCAL,
	      STATUS),
	CLAIM("to disable it, pending", RULE("SSE-05"), BOTH(OK), sse, DISABLE,
	      LOCAL),
	CLAIM("it pends still", RULE("SSE-04"), BOTH(VAL(0xd)), attr, LOCAL,
	      STATUS),
	CLAIM("and unregistered", RULE("SSE-04"), BOTH(OK), sse, UNREGISTER,
	      LOCAL),
	CLAIM("it pends, too", RULE("SSE-03"), BOTH(VAL(0xc)), attr, LOCAL,
	      STATUS),
	DO(set_attr, LOCAL, PRIORITY, 0),
	DO(arm, LOCAL, 1),
	CLAIM("to unmask", RULE("SSE-07"), BOTH(OK), sse, UNMASK),
	CLAIM("what pended is handled", RULE("SSE-07"), BOTH(VAL(1)), calls),
	CLAIM("a6 was the hart", RULE("SSE-07"), BOTH(VAL(SELF)), entered),
	CLAIM("it is enabled afterwards", RULE("SSE-07"), BOTH(VAL(0xa)), attr,
	      LOCAL, STATUS),
	CLAIM("injected, it is handled at once", RULE("SSE-07"), BOTH(OK), sse,
	      INJECT, LOCAL, SELF),
	CLAIM("with its argument", RULE("SSE-07"), BOTH(VAL(1)), order),
	CLAIM("completing what does not run changes nothing", RULE("SSE-07"),
	      BOTH(OK), sse, COMPLETE),
};

static const struct step inside[] = {
	CLAIM("the handler makes calls", RULE("SSE-07"), BOTH(VAL(N)),
	      in_num_counters),
	CLAIM("its event runs", RULE("SSE-07"), BOTH(VAL(0xb)), in_attr, LOCAL,
	      STATUS),
	CLAIM("what sstatus was", RULE("SSE-07"), BOTH(VAL(SPIE)), in_attr,
	      LOCAL, OLD_FLAGS),
	CLAIM("a6 of what it interrupted", RULE("SSE-07"), BOTH(VAL(INJECT)),
	      in_attr, LOCAL, OLD_A6),
	CLAIM("a7 of that", RULE("SSE-07"), BOTH(VAL(SBI_SSE)), in_attr, LOCAL,
	      OLD_A7),
	CLAIM("running, it is not registered", RULE("SSE-07"), BOTH(ERR(STATE)),
	      in_reg, LOCAL, 2),
	CLAIM("nor unregistered", RULE("SSE-07"), BOTH(ERR(STATE)), in_sse,
	      UNREGISTER, LOCAL),
	CLAIM("nor enabled", RULE("SSE-07"), BOTH(ERR(STATE)), in_sse, ENABLE,
	      LOCAL),
	CLAIM("nor disabled", RULE("SSE-07"), BOTH(ERR(STATE)), in_sse, DISABLE,
	      LOCAL),
	CLAIM("its priority is not written", RULE("SSE-06"), BOTH(ERR(STATE)),
	      in_set_attr, LOCAL, PRIORITY, 1),
	CLAIM("nor its configuration", RULE("SSE-06"), BOTH(ERR(STATE)),
	      in_set_attr, LOCAL, CONFIG, 0),
	CLAIM("nor its hart", RULE("SSE-06"), DIFF(ERR(DENIED), ERR(STATE)),
	      in_set_attr, LOCAL, PREFERRED_HART, SELF),
	CLAIM("sepc is written", RULE("SSE-06"), BOTH(VAL(0x1234)),
	      in_there_and_back, LOCAL, OLD_SEPC, 0x1234),
	CLAIM("flags are written", RULE("SSE-06"), BOTH(VAL(3)),
	      in_there_and_back, LOCAL, OLD_FLAGS, 3),
	CLAIM("flags of extensions that are not there", RULE("SSE-06"),
	      BOTH(VAL(0x30)), in_there_and_back, LOCAL, OLD_FLAGS, 0x30),
	CLAIM("flags that are none", RULE("SSE-06"), BOTH(ERR(PARAM)),
	      in_there_and_back, LOCAL, OLD_FLAGS, 0x40),
	CLAIM("a6 is written", RULE("SSE-06"), BOTH(VAL(0x55)),
	      in_there_and_back, LOCAL, OLD_A6, 0x55),
	CLAIM("a7 is written", RULE("SSE-06"), BOTH(VAL(0x56)),
	      in_there_and_back, LOCAL, OLD_A7, 0x56),
	CLAIM("sepc of an event that does not run", RULE("SSE-06"),
	      BOTH(ERR(STATE)), in_set_attr, GLOBAL, OLD_SEPC, 0),
	DO(calls),
	CLAIM("injected in its handler, it pends", RULE("SSE-07"),
	      BOTH(VAL(0xf)), in_inject_and_look, LOCAL),
	CLAIM("and is handled behind that", RULE("SSE-07"), BOTH(VAL(2)),
	      calls),
	CLAIM("a handler may mask its hart", RULE("SSE-07"), BOTH(OK), in_sse,
	      MASK),
	CLAIM("which stays so", RULE("SSE-07"), BOTH(ERR(STOPPED)), sse, MASK),
	DO(sse, UNMASK),
	CLAIM("it cannot unmask what is not masked", RULE("SSE-07"),
	      BOTH(ERR(STARTED)), in_sse, UNMASK),
};

static const struct step orders[] = {
	DO(disarm, LOCAL),
	DO(set_attr, LOCAL, CONFIG, ONESHOT),
	DO(arm, LOCAL, 1),
	DO(sse, INJECT, LOCAL, SELF),
	CLAIM("a handler for once", RULE("SSE-06"), BOTH(VAL(1)), calls),
	CLAIM("leaves its event registered", RULE("SSE-06"), BOTH(VAL(9)), attr,
	      LOCAL, STATUS),
	DO(disarm, LOCAL),
	DO(set_attr, GLOBAL, PREFERRED_HART, SELF),
	DO(arm, LOCAL, 1),
	DO(arm, GLOBAL, 2),
	DO(sse, MASK),
	DO(sse, INJECT, LOCAL, SELF),
	DO(sse, INJECT, GLOBAL, SELF),
	DO(sse, UNMASK),
	CLAIM("of equals the lower number is first", RULE("SSE-06"),
	      BOTH(VAL(0x12)), order),
	CLAIM("a higher number waits for the handler", RULE("SSE-06"),
	      BOTH(VAL(0xe)), in_inject_and_look, GLOBAL),
	CLAIM("and comes behind it", RULE("SSE-06"), BOTH(VAL(0x12)), order),
	DO(sse, DISABLE, LOCAL),
	DO(set_attr, LOCAL, PRIORITY, 9),
	DO(sse, ENABLE, LOCAL),
	CLAIM("a priority before it interrupts it", RULE("SSE-06"),
	      BOTH(VAL(0xa)), in_inject_and_look, GLOBAL),
	CLAIM("in its midst", RULE("SSE-06"), BOTH(VAL(0x12)), order),
	DO(sse, MASK),
	DO(sse, INJECT, LOCAL, SELF),
	DO(sse, INJECT, GLOBAL, SELF),
	DO(sse, UNMASK),
	CLAIM("and is first of both", RULE("SSE-06"), BOTH(VAL(0x21)), order),
	CLAIM("a global event's hart, enabled", RULE("SSE-06"),
	      BOTH(ERR(STATE)), set_attr, GLOBAL, PREFERRED_HART, SELF),
	CLAIM("a bad one then", RULE("SSE-06"), BOTH(ERR(STATE)), set_attr,
	      GLOBAL, PREFERRED_HART, 4000),
	DO(disarm, GLOBAL),
	DO(disarm, LOCAL),
};

/* HW1 overflows; how often the handler was called by it. */
static struct answer overflow(const uint64_t *a)
{
	const uint64_t begin[] = { mach.hw, 1, SET_INIT, -100ull };
	const uint64_t enough[] = { 2000 };

	calls(a);
	start(begin);
	work(enough);
	return calls(a);
}

/* The event of overflows of counters; no claims of it without Sscofpmf. */
static const struct step overflows[] = {
	FRESH,
	DO(disarm, PMU),
	CLAIM("the event of overflows", RULE("SSE-01 SSE-07"),
	      DIFF(VAL(0), VAL(8)), attr, PMU, STATUS),
	CLAIM("to inject it when unused", RULE("SSE-03 SSE-07 C145"),
	      DIFF(ERR(-1), ERR(STATE)), sse, INJECT, PMU, SELF),
	CLAIM("to register it", RULE("SSE-04"), BOTH(OK), reg, PMU, OVERFLOWS),
	CLAIM("to inject it when registered", RULE("SSE-04 SSE-07 C145"),
	      DIFF(ERR(-1), ERR(STATE)), sse, INJECT, PMU, SELF),
	CLAIM("to enable that of overflows", RULE("SSE-05"), BOTH(OK), sse,
	      ENABLE, PMU),
	CLAIM("to inject it when enabled", RULE("SSE-05 SSE-07 C145"),
	      DIFF(ERR(-1), OK), sse, INJECT, PMU, SELF),
	CLAIM("which calls its handler, or does nothing", RULE("SSE-07 C145"),
	      DIFF(VAL(0), VAL(1)), calls),
	DO(config, HW1, 1, CLEAR, INSNS),
	CLAIM("an overflow calls it", RULE("SSE-07"), BOTH(VAL(1)), overflow),
	CLAIM("once", RULE("SSE-07"), BOTH(VAL(0)), calls),
	CLAIM("sip tells nothing of it", RULE("SSE-07"), BOTH(VAL(0)), lcofi),
	CLAIM("scountovf does", RULE("SSE-07"), BOTH(VAL(HW1_BIT)), scountovf,
	      HW1_BIT),
	DO(sse, MASK),
	CLAIM("masked, it does not", RULE("SSE-07"), BOTH(VAL(0)), overflow),
	CLAIM("but pends", RULE("SSE-07"), DIFF(VAL(6), VAL(0xe)), attr, PMU,
	      STATUS),
	DO(sse, UNMASK),
	CLAIM("until it is unmasked", RULE("SSE-07"), BOTH(VAL(1)), calls),
	DO(sse, MASK),
	DO(overflow),
	DO(stop, HW1, 1),
	DO(sse, UNMASK),
	CLAIM("though its counter has stopped", RULE("SSE-07"), BOTH(VAL(1)),
	      calls),
	CLAIM("to disable that of overflows", RULE("SSE-05"), BOTH(OK), sse,
	      DISABLE, PMU),
	CLAIM("disabled, its handler is not called", RULE("SSE-07"),
	      BOTH(VAL(0)), overflow),
	CLAIM("the overflow is S-mode's, or waits", RULE("SSE-07"),
	      DIFF(VAL(1), VAL(0)), lcofi),
	CLAIM("to enable it while that pends", RULE("SSE-05"), BOTH(OK), sse,
	      ENABLE, PMU),
	CLAIM("which is handled then", RULE("SSE-07"), BOTH(VAL(1)), calls),
	DO(sse, MASK),
	DO(overflow),
	DO(sse, DISABLE, PMU),
	CLAIM("disabled, it is registered, or waits with that", RULE("SSE-04"),
	      DIFF(VAL(1), VAL(0xd)), attr, PMU, STATUS),
	CLAIM("LCOFI waits, or does not", RULE("SSE-04"), DIFF(VAL(1), VAL(0)),
	      lcofi),
	DO(sse, ENABLE, PMU),
	DO(sse, UNMASK),
	CLAIM("and is handled in the end", RULE("SSE-07"), BOTH(VAL(1)), calls),
	DO(sse, DISABLE, PMU),
	DO(overflow),
	DO(stop, HW1, 1),
	DO(sse, ENABLE, PMU),
	CLAIM("a stop leaves S-mode's overflow, or not", RULE("SSE-05"),
	      DIFF(VAL(1), VAL(0)), calls),
	DO(stop, HW1, 1, RESET),
	DO(disarm, PMU),
	FRESH,
};

/* Without them there is no such event: a row of tests/unit. */
static bool has_overflows(void)
{
	const uint64_t any[] = { ALL };

	return !scountovf(any).error;
}

void sse_states(void)
{
	TAP_STEPS("software events", states);
	TAP_STEPS("software events", inside);
	TAP_STEPS("software events", orders);
	if (has_overflows())
		TAP_STEPS("software events", overflows);
}
