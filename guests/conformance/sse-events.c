/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software events (SSE) on one hart: which there are, what their attributes
 * are, what each state allows, and when the handler is called.
 */
#include "sse-ops.h"

enum {
	ONESHOT = 1,
};

static const struct step events[] = {
	CLAIM("the hart is masked at first", RULE("SSE-07"), BOTH(ERR(STOPPED)),
	      sse, MASK),
	CLAIM("function 10 is not supported", RULE("C2"),
	      BOTH(ERR(UNSUPPORTED)), sse, 10),
	CLAIM("function -1 is not supported", RULE("C2"),
	      BOTH(ERR(UNSUPPORTED)), sse, ALL),
	CLAIM("the local event of software", RULE("SSE-01"), BOTH(VAL(8)), attr,
	      LOCAL, STATUS),
	CLAIM("the global one", RULE("SSE-01"), BOTH(VAL(8)), attr, GLOBAL,
	      STATUS),
	CLAIM("the local event of RAS", RULE("SSE-02"), BOTH(ERR(UNSUPPORTED)),
	      attr, RAS, STATUS),
	CLAIM("that of a double trap", RULE("SSE-02"), BOTH(ERR(UNSUPPORTED)),
	      attr, 1, STATUS),
	CLAIM("the global event of RAS", RULE("SSE-02"), BOTH(ERR(UNSUPPORTED)),
	      attr, 0x8000, STATUS),
	CLAIM("the local event of RAS, low priority", RULE("SSE-02"),
	      BOTH(ERR(UNSUPPORTED)), attr, 0x100000, STATUS),
	CLAIM("the global event of RAS, low priority", RULE("SSE-02"),
	      BOTH(ERR(UNSUPPORTED)), attr, 0x108000, STATUS),
	CLAIM("a reserved event", RULE("SSE-02"), BOTH(ERR(PARAM)), attr, 2,
	      STATUS),
	CLAIM("a reserved global event", RULE("SSE-02"), BOTH(ERR(PARAM)), attr,
	      0x8001, STATUS),
	CLAIM("a platform's event", RULE("SSE-02"), BOTH(ERR(PARAM)), attr,
	      0x4000, STATUS),
	CLAIM("an event's number has 32 bits", RULE("SSE-01"), BOTH(VAL(8)),
	      attr, LOCAL | 1ull << 32, STATUS),
	CLAIM("to register a reserved event", RULE("SSE-02"), BOTH(ERR(PARAM)),
	      reg, 2),
	CLAIM("to unregister one", RULE("SSE-02"), BOTH(ERR(PARAM)), sse,
	      UNREGISTER, 2),
	CLAIM("to enable one", RULE("SSE-02"), BOTH(ERR(PARAM)), sse, ENABLE,
	      2),
	CLAIM("to disable one", RULE("SSE-02"), BOTH(ERR(PARAM)), sse, DISABLE,
	      2),
	CLAIM("to inject one", RULE("SSE-02"), BOTH(ERR(PARAM)), sse, INJECT, 2,
	      SELF),
	CLAIM("to write one's priority", RULE("SSE-02"), BOTH(ERR(PARAM)),
	      set_attr, 2, PRIORITY, 0),
	CLAIM("to register the event of RAS", RULE("SSE-02"),
	      BOTH(ERR(UNSUPPORTED)), reg, RAS),
	CLAIM("to enable that of RAS", RULE("SSE-02"), BOTH(ERR(UNSUPPORTED)),
	      sse, ENABLE, RAS),
	CLAIM("to inject that", RULE("SSE-02"), BOTH(ERR(UNSUPPORTED)), sse,
	      INJECT, RAS, SELF),
	CLAIM("to write that's priority", RULE("SSE-02"),
	      BOTH(ERR(UNSUPPORTED)), set_attr, RAS, PRIORITY, 0),
};

static const struct step attributes[] = {
	CLAIM("the priority is 0", RULE("SSE-06"), BOTH(VAL(0)), attr, LOCAL,
	      PRIORITY),
	CLAIM("nothing is configured", RULE("SSE-06"), BOTH(VAL(0)), attr,
	      LOCAL, CONFIG),
	CLAIM("the hart is its own", RULE("SSE-06"), BOTH(VAL(SELF)), attr,
	      LOCAL, PREFERRED_HART),
	CLAIM("there is no handler", RULE("SSE-06"), BOTH(VAL(0)), attr, LOCAL,
	      ENTRY_PC),
	CLAIM("nothing was interrupted", RULE("SSE-06"), BOTH(VAL(0)), attr,
	      LOCAL, OLD_FLAGS),
	CLAIM("all attributes at once", RULE("SSE-06"), BOTH(OK), sse,
	      READ_ATTRS, LOCAL, 0, N_ATTRS, PAGE),
	CLAIM("none of them", RULE("SSE-06"), BOTH(ERR(PARAM)), sse, READ_ATTRS,
	      LOCAL, 0, 0, PAGE),
	CLAIM("one more than there are", RULE("SSE-06"), BOTH(ERR(RANGE)), sse,
	      READ_ATTRS, LOCAL, 0, N_ATTRS + 1, PAGE),
	CLAIM("the one behind the last", RULE("SSE-06"), BOTH(ERR(RANGE)), sse,
	      READ_ATTRS, LOCAL, N_ATTRS, 1, PAGE),
	CLAIM("numbers that wrap", RULE("SSE-06"), BOTH(ERR(RANGE)), sse,
	      READ_ATTRS, LOCAL, ALL, 2, PAGE),
	CLAIM("as many as a number can say", RULE("SSE-06"), BOTH(ERR(RANGE)),
	      sse, READ_ATTRS, LOCAL, 0, ALL, PAGE),
	CLAIM("none behind the last", RULE("SSE-06"), BOTH(ERR(PARAM)), sse,
	      READ_ATTRS, LOCAL, N_ATTRS, 0, PAGE),
	CLAIM("an address that is not aligned", RULE("SSE-06"),
	      BOTH(ERR(ADDRESS)), sse, READ_ATTRS, LOCAL, 0, 1, 0x80f00001),
	CLAIM("an address with an upper half", RULE("SSE-06 C141"),
	      BOTH(ERR(ADDRESS)), sse, READ_ATTRS, LOCAL, 0, 1, PAGE, 4),
	CLAIM("to write none", RULE("SSE-06"), BOTH(ERR(PARAM)), sse,
	      WRITE_ATTRS, LOCAL, 1, 0, PAGE),
	CLAIM("to write one too many", RULE("SSE-06"), BOTH(ERR(RANGE)), sse,
	      WRITE_ATTRS, LOCAL, 1, N_ATTRS, PAGE),
	CLAIM("a bad number of an event that is none", RULE("SSE-02 SSE-06"),
	      DIFF(ERR(PARAM), ERR(RANGE)), sse, READ_ATTRS, 2, N_ATTRS, 1,
	      PAGE),
	CLAIM("a bad address of an event that is none", RULE("SSE-02 SSE-06"),
	      DIFF(ERR(PARAM), ERR(ADDRESS)), sse, READ_ATTRS, 2, 0, 1, 1),
};

static const struct step writes[] = {
	CLAIM("to write the status", RULE("SSE-06"), BOTH(ERR(DENIED)),
	      set_attr, LOCAL, STATUS, 0),
	CLAIM("to write the handler", RULE("SSE-06"), BOTH(ERR(DENIED)),
	      set_attr, LOCAL, ENTRY_PC, 0),
	CLAIM("to write its argument", RULE("SSE-06"), BOTH(ERR(DENIED)),
	      set_attr, LOCAL, ENTRY_ARG, 0),
	CLAIM("to write a local event's hart", RULE("SSE-06"),
	      BOTH(ERR(DENIED)), set_attr, LOCAL, PREFERRED_HART, SELF),
	CLAIM("to write sepc with nothing interrupted", RULE("SSE-06"),
	      BOTH(ERR(STATE)), set_attr, LOCAL, OLD_SEPC, 0),
	CLAIM("to write flags then", RULE("SSE-06"), BOTH(ERR(STATE)), set_attr,
	      LOCAL, OLD_FLAGS, 0),
	CLAIM("bits that are no flags", RULE("SSE-06"),
	      DIFF(ERR(STATE), ERR(PARAM)), set_attr, LOCAL, OLD_FLAGS, ALL),
	CLAIM("to write a6 then", RULE("SSE-06"), BOTH(ERR(STATE)), set_attr,
	      LOCAL, OLD_A6, 0),
	CLAIM("to write a7 then", RULE("SSE-06"), BOTH(ERR(STATE)), set_attr,
	      LOCAL, OLD_A7, 0),
	CLAIM("to write the priority", RULE("SSE-06"), BOTH(OK), set_attr,
	      LOCAL, PRIORITY, 0xffffffff),
	CLAIM("it is there", RULE("SSE-06"), BOTH(VAL(0xffffffff)), attr, LOCAL,
	      PRIORITY),
	CLAIM("a configuration that is none", RULE("SSE-06"), BOTH(ERR(PARAM)),
	      set_attr, LOCAL, CONFIG, 2),
	CLAIM("the one that is one", RULE("SSE-06"), BOTH(OK), set_attr, LOCAL,
	      CONFIG, ONESHOT),
	CLAIM("two, the second of them wrong", RULE("SSE-06"), BOTH(ERR(PARAM)),
	      set_two, LOCAL, PRIORITY, 7, 2),
	CLAIM("change nothing", RULE("SSE-06"), BOTH(VAL(0xffffffff)), attr,
	      LOCAL, PRIORITY),
	CLAIM("two of them", RULE("SSE-06"), BOTH(OK), set_two, LOCAL, PRIORITY,
	      0, 0),
	CLAIM("change both", RULE("SSE-06"), BOTH(VAL(0)), attr, LOCAL, CONFIG),
	CLAIM("a global event's hart", RULE("SSE-06"), BOTH(OK), set_attr,
	      GLOBAL, PREFERRED_HART, SELF),
	CLAIM("one that is not there", RULE("SSE-06"), BOTH(ERR(PARAM)),
	      set_attr, GLOBAL, PREFERRED_HART, 4000),
	CLAIM("one that no register holds", RULE("SSE-06"), BOTH(ERR(PARAM)),
	      set_attr, GLOBAL, PREFERRED_HART, ALL),
	CLAIM("the hart is the one from before", RULE("SSE-06"),
	      BOTH(VAL(SELF)), attr, GLOBAL, PREFERRED_HART),
};

static const struct step writes_rv64[] = {
	CLAIM("a priority of more than 32 bits", RULE("SSE-06"),
	      BOTH(ERR(PARAM)), set_attr, LOCAL, PRIORITY, (1ull << 32)),
	CLAIM("a hart of more than 32 bits", RULE("SSE-06"),
	      DIFF(ERR(PARAM), OK), set_attr, GLOBAL, PREFERRED_HART,
	      (1ull << 32)),
	CLAIM("is refused, or kept as it is", RULE("SSE-06"),
	      DIFF(VAL(SELF), VAL(1ull << 32)), attr, GLOBAL, PREFERRED_HART),
	DO(disarm, GLOBAL),
};

static const struct step unused[] = {
	CLAIM("to unregister what is not registered", RULE("SSE-03"),
	      BOTH(ERR(STATE)), sse, UNREGISTER, LOCAL),
	CLAIM("to enable it", RULE("SSE-03"), BOTH(ERR(STATE)), sse, ENABLE,
	      LOCAL),
	CLAIM("to disable it", RULE("SSE-03"), BOTH(ERR(STATE)), sse, DISABLE,
	      LOCAL),
	CLAIM("to complete when nothing runs", RULE("SSE-03"), BOTH(OK), sse,
	      COMPLETE),
	CLAIM("a handler at an odd address", RULE("SSE-03"), BOTH(ERR(PARAM)),
	      sse, REGISTER, LOCAL, 0x80200001),
	CLAIM("an odd one of an event that is none", RULE("SSE-02 SSE-03"),
	      BOTH(ERR(PARAM)), sse, REGISTER, 2, 0x80200001),
	CLAIM("an odd one of RAS", RULE("SSE-02 SSE-03"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), sse, REGISTER, RAS,
	      0x80200001),
};

void chapter_sse(void)
{
	TAP_STEPS("software events", events);
	TAP_STEPS("software events", attributes);
	TAP_STEPS("software events", writes);
	if (RV64)
		TAP_STEPS("software events", writes_rv64);
	TAP_STEPS("software events", unused);
	sse_states();
	if (mach.harts > 1)
		sse_harts();
}
