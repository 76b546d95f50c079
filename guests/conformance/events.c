/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Firmware events on one hart (conformance I): what counts, and that what a
 * hart does to itself does not.
 */
#include "conf.h"

enum {
	FENCE_I,
	SFENCE,
	SFENCE_ASID,
};

static struct answer illegal(const uint64_t *a)
{
	const uint64_t cycle[] = { CYCLE, 0 };
	struct answer got = write_csr(cycle);

	(void)a;
	return got;
}

/* FW1 counts @event from now on. */
#define COUNT(event) FRESH, DO(config, FW1, 1, CLEAR | AUTO, event)
#define NO_HART	     1ull << (__riscv_xlen - 1)

static const struct step selfs[] = {
	COUNT(FW_IPI_SENT),
	CLAIM("an IPI to oneself", RULE("C92"), BOTH(OK), send_ipi, SELF_BIT),
	CLAIM("is none that was sent", RULE("C92"), BOTH(VAL(0)), fw_read, FW1),
	COUNT(FW_IPI_RECEIVED),
	DO(send_ipi, SELF_BIT),
	CLAIM("nor one that was received", RULE("C92"), BOTH(VAL(0)), fw_read,
	      FW1),
	COUNT(FW_FENCE_I_SENT),
	CLAIM("a fence.i for oneself", RULE("C92"), BOTH(OK), rfence, FENCE_I,
	      SELF_BIT),
	CLAIM("was not sent to another hart", RULE("C92"), DIFF(VAL(0), VAL(1)),
	      fw_read, FW1),
	DO(rfence, FENCE_I, 0),
	CLAIM("nor was one for nobody", RULE("C92"), DIFF(VAL(0), VAL(2)),
	      fw_read, FW1),
	CLAIM("a fence.i for a hart that is not there", RULE("C92"),
	      BOTH(ERR(PARAM)), rfence, FENCE_I, NO_HART),
	CLAIM("was not sent", RULE("C92"), DIFF(VAL(0), VAL(3)), fw_read, FW1),
	COUNT(FW_FENCE_I_RECEIVED),
	DO(rfence, FENCE_I, SELF_BIT),
	CLAIM("one's own fence.i is not received", RULE("C93"),
	      DIFF(VAL(0), VAL(1)), fw_read, FW1),
	COUNT(FW_SFENCE_SENT),
	DO(rfence, SFENCE, SELF_BIT),
	CLAIM("one's own sfence.vma is not sent", RULE("C92"),
	      DIFF(VAL(0), VAL(1)), fw_read, FW1),
	COUNT(FW_SFENCE_ASID_SENT),
	DO(rfence, SFENCE, SELF_BIT),
	CLAIM("one without an ASID is not one with", RULE("C94"), BOTH(VAL(0)),
	      fw_read, FW1),
};

static const struct step others[] = {
	COUNT(FW_SET_TIMER),
	DO(config, FW1, FW_SET, CLEAR | AUTO, FW_SET_TIMER),
	DO(set_timer, ~0ull),
	DO(set_timer, ~0ull),
	CLAIM("two counters of one event: the first", RULE("C91"), BOTH(VAL(2)),
	      fw_read, FW1),
	CLAIM("two counters of one event: the second", RULE("C91"),
	      DIFF(VAL(2), VAL(0)), fw_read, FW2),
	DO(any_call, 0, 0, ALL, ALL),
	CLAIM("the legacy set_timer counts like its successor", RULE("C95"),
	      BOTH(VAL(3)), fw_read, FW1),
	COUNT(0xf000e),
	CLAIM("HFENCE.GVMA without H", RULE("C202"), BOTH(ERR(UNSUPPORTED)),
	      rfence, 4, 0, ALL),
	CLAIM("HFENCE.GVMA with a VMID without H", RULE("C202"),
	      BOTH(ERR(UNSUPPORTED)), rfence, 3, 0, ALL),
	CLAIM("HFENCE.VVMA without H", RULE("C202"), BOTH(ERR(UNSUPPORTED)),
	      rfence, 6, 0, ALL),
	CLAIM("HFENCE.VVMA with an ASID without H", RULE("C202"),
	      BOTH(ERR(UNSUPPORTED)), rfence, 5, 0, ALL),
	CLAIM("HFENCE.GVMA without H is none that was sent", RULE("C202"),
	      BOTH(VAL(0)), fw_read, FW1),
	COUNT(FW_ILLEGAL),
	CLAIM("a write to cycle is illegal", RULE("C115"), BOTH(ERR(2)),
	      illegal),
	CLAIM("and counts once, though it came back here", RULE("C96"),
	      BOTH(VAL(1)), fw_read, FW1),
	FRESH,
};

void chapter_events(void)
{
	TAP_STEPS("events", selfs);
	TAP_STEPS("events", others);
}
