/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software events (SSE) between harts: who may inject which of them where, and
 * whose a global event is (conformance C205). The other hart does steps by
 * mail; it handles what comes between them.
 */
#include "sse-ops.h"

enum {
	HSM_STOP = 1,
	HSM_SUSPEND = 3,
	AWAITED = 2000, /* naps */
	NOBODY = 4000,
};

void _start(void);

static struct answer await(unsigned state)
{
	const uint64_t hart = mach.other;
	struct answer got = hart_status(&hart);

	for (unsigned i = 0; got.value != state && i < AWAITED; i++) {
		nap();
		got = hart_status(&hart);
	}
	return got;
}

static struct answer begin(const uint64_t *a)
{
	const uint64_t args[] = { mach.other, (uintptr_t)_start, 0 };

	(void)a;
	mail_to(mach.other, NULL);
	hart_start(args);
	return await(0);
}

static struct answer stop_itself(const uint64_t *a)
{
	(void)a;
	sbi_call(SBI_HSM, HSM_STOP, 0, 0, 0, 0, 0, 0);
	return (struct answer){ -1, 0 };
}

static struct answer end(const uint64_t *a)
{
	(void)a;
	mail_to(mach.other, stop_itself);
	return await(1);
}

/* What calls() says after a while. */
static struct answer calls_late(const uint64_t *a)
{
	for (unsigned i = 0; i < 4; i++)
		nap();
	return calls(a);
}

static struct answer doze(const uint64_t *a)
{
	(void)a;
	csr_write(sie, 0);
	sbi_call(SBI_HSM, HSM_SUSPEND, 0, 0, 0, 0, 0, 0);
	return (struct answer){ 0, 0 };
}

static struct answer lie_down(const uint64_t *a)
{
	(void)a;
	mail_to(mach.other, doze);
	return await(4);
}

/* Its state a while later. */
static struct answer state_late(const uint64_t *a)
{
	const uint64_t hart = mach.other;

	calls_late(a);
	return hart_status(&hart);
}

THERE(sse)
THERE(attr)
THERE(set_attr)
THERE(arm)
THERE(disarm)

static const struct step stopped[] = {
	CLAIM("a local event of a hart that is not there", RULE("SSE-07"),
	      BOTH(ERR(PARAM)), sse, INJECT, LOCAL, NOBODY),
	CLAIM("one of any hart", RULE("SSE-07"), BOTH(ERR(PARAM)), sse, INJECT,
	      LOCAL, ALL),
	CLAIM("one of a stopped hart", RULE("SSE-07"),
	      DIFF(ERR(PARAM), ERR(-1)), sse, INJECT, LOCAL, OTHER),
	CLAIM("a reserved one of a stopped hart", RULE("SSE-02 SSE-07"),
	      BOTH(ERR(PARAM)), sse, INJECT, 2, OTHER),
	CLAIM("one of RAS", RULE("SSE-02 SSE-07"),
	      DIFF(ERR(PARAM), ERR(UNSUPPORTED)), sse, INJECT, RAS, OTHER),
	CLAIM("a reserved one of a hart that is not there",
	      RULE("SSE-02 SSE-07"), BOTH(ERR(PARAM)), sse, INJECT, 2, NOBODY),
	CLAIM("a global one, whatever hart is named", RULE("SSE-07"),
	      DIFF(OK, ERR(PARAM)), sse, INJECT, GLOBAL, NOBODY),
	CLAIM("a global event for a stopped hart", RULE("SSE-06"),
	      DIFF(OK, ERR(PARAM)), set_attr, GLOBAL, PREFERRED_HART, OTHER),
	DO(set_attr, GLOBAL, PREFERRED_HART, SELF),
	DO(sse, UNMASK),
	DO(arm, GLOBAL, 3),
	DO(calls),
	CLAIM("a global one, naming a stopped hart", RULE("SSE-07"), BOTH(OK),
	      sse, INJECT, GLOBAL, OTHER),
	CLAIM("is its preferred hart's", RULE("SSE-07 C205"), BOTH(VAL(1)),
	      calls),
	DO(disarm, GLOBAL),
};

static const struct step started[] = {
	CLAIM("another hart starts", RULE("C197"), BOTH(VAL(0)), begin),
	CLAIM("masked, as every hart", RULE("SSE-07"), BOTH(ERR(STOPPED)),
	      there_sse, MASK),
	CLAIM("its local event is its own", RULE("SSE-01"), BOTH(VAL(OTHER)),
	      there_attr, LOCAL, PREFERRED_HART),
	CLAIM("an unused one is injected there", RULE("SSE-07"), BOTH(OK), sse,
	      INJECT, LOCAL, OTHER),
	CLAIM("and pends, or is forgotten", RULE("SSE-07"),
	      DIFF(VAL(0xc), VAL(8)), there_attr, LOCAL, STATUS),
	CLAIM("not supported, it is not", RULE("SSE-02 SSE-07"),
	      BOTH(ERR(UNSUPPORTED)), sse, INJECT, RAS, OTHER),
	DO(there_sse, UNMASK),
	DO(there_arm, LOCAL, 4),
	DO(calls_late),
	CLAIM("an enabled one is injected there", RULE("SSE-07"), BOTH(OK), sse,
	      INJECT, LOCAL, OTHER),
	CLAIM("and handled", RULE("SSE-07"), BOTH(VAL(1)), calls_late),
	CLAIM("by that hart", RULE("SSE-07"), BOTH(VAL(OTHER)), entered),
	CLAIM("to move a global event there", RULE("SSE-06"), BOTH(OK),
	      set_attr, GLOBAL, PREFERRED_HART, OTHER),
	CLAIM("an unused one there is injected", RULE("SSE-07"), BOTH(OK), sse,
	      INJECT, GLOBAL, SELF),
	CLAIM("seen there, it pends, or is forgotten", RULE("SSE-07"),
	      DIFF(VAL(0xc), VAL(8)), there_attr, GLOBAL, STATUS),
	DO(arm, GLOBAL, 6),
	DO(calls_late),
	CLAIM("a global one enabled here", RULE("C205"), BOTH(OK), sse, INJECT,
	      GLOBAL, SELF),
	CLAIM("is handled", RULE("C205"), BOTH(VAL(1)), calls_late),
	CLAIM("there", RULE("C205"), BOTH(VAL(OTHER)), entered),
	DO(there_sse, MASK),
	CLAIM("while that is masked", RULE("C205"), BOTH(OK), sse, INJECT,
	      GLOBAL, SELF),
	CLAIM("it is not handled", RULE("C205"), BOTH(VAL(0)), calls_late),
	CLAIM("it waits", RULE("C205"), BOTH(VAL(0xe)), attr, GLOBAL, STATUS),
	DO(there_sse, UNMASK),
	CLAIM("for that hart", RULE("C205"), BOTH(VAL(1)), calls_late),
	CLAIM("that alone", RULE("C205"), BOTH(VAL(OTHER)), entered),
	DO(there_sse, MASK),
	DO(there_disarm, LOCAL),
	CLAIM("it stops", RULE("C197"), BOTH(VAL(1)), end),
	CLAIM("a global one whose hart is stopped", RULE("C205"),
	      DIFF(OK, ERR(-1)), sse, INJECT, GLOBAL, SELF),
	CLAIM("is enabled still, or unused", RULE("SSE-05 SSE-03"),
	      DIFF(VAL(0xa), VAL(8)), attr, GLOBAL, STATUS),
	CLAIM("is another hart's, or nobody's", RULE("C205"),
	      DIFF(VAL(1), VAL(0)), calls_late),
	DO(disarm, GLOBAL),
	CLAIM("a local one of that hart", RULE("SSE-07"),
	      DIFF(ERR(PARAM), ERR(-1)), sse, INJECT, LOCAL, OTHER),
};

/* What of a hart's own events a stop leaves. */
static const struct step again[] = {
	DO(begin),
	CLAIM("a hart that stopped masked is masked", RULE("SSE-07"),
	      BOTH(ERR(STOPPED)), there_sse, MASK),
	DO(there_set_attr, LOCAL, PRIORITY, 4),
	DO(there_arm, LOCAL, 4),
	DO(there_sse, DISABLE, LOCAL),
	DO(there_sse, UNMASK),
	DO(end),
	DO(begin),
	CLAIM("one that stopped unmasked may be, too", RULE("SSE-07"),
	      DIFF(ERR(STOPPED), OK), there_sse, MASK),
	CLAIM("a registered event may be unused", RULE("SSE-03"),
	      DIFF(VAL(8), VAL(9)), there_attr, LOCAL, STATUS),
	CLAIM("without its priority", RULE("SSE-06"), DIFF(VAL(0), VAL(4)),
	      there_attr, LOCAL, PRIORITY),
	CLAIM("so that it cannot be enabled", RULE("SSE-03 SSE-04"),
	      DIFF(ERR(STATE), OK), there_sse, ENABLE, LOCAL),
	DO(end),
	DO(begin),
	CLAIM("enabled, its event is unused again", RULE("SSE-03"),
	      BOTH(VAL(8)), there_attr, LOCAL, STATUS),
	DO(there_disarm, LOCAL),
	DO(end),
};

/* Who sleeps with its events masked is woken by the reference's IPI. */
static const struct step asleep[] = {
	DO(begin),
	CLAIM("a hart sleeps", RULE("C203"), BOTH(VAL(4)), lie_down),
	CLAIM("an unused event is injected there", RULE("SSE-07"), BOTH(OK),
	      sse, INJECT, LOCAL, OTHER),
	CLAIM("it sleeps on, or is woken", RULE("SSE-07 C203"),
	      DIFF(VAL(4), VAL(0)), state_late),
	DO(send_ipi, OTHER_BIT),
	CLAIM("an IPI wakes it anyway", RULE("C203"), BOTH(VAL(0)), state_late),
	DO(there_arm, LOCAL, 4),
	DO(lie_down),
	CLAIM("an enabled one is injected where it is masked", RULE("SSE-07"),
	      BOTH(OK), sse, INJECT, LOCAL, OTHER),
	CLAIM("sleeping on, or woken by it", RULE("SSE-07 C203"),
	      DIFF(VAL(4), VAL(0)), state_late),
	DO(send_ipi, OTHER_BIT),
	CLAIM("it runs in the end", RULE("C203"), BOTH(VAL(0)), state_late),
	DO(there_disarm, LOCAL),
	DO(end),
};

void sse_harts(void)
{
	TAP_STEPS("software events", stopped);
	TAP_STEPS("software events", started);
	TAP_STEPS("software events", again);
	TAP_STEPS("software events", asleep);
}
