/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls that must be refused, and that the reference's hart does not survive
 * (conformance C31, C88). They come last, and on the reference, whichever board
 * it runs on, only if the kernel parameters hold "crashers".
 */
#include "conf.h"

static const struct step crashers[] = {
	FRESH,
	DO(config, HW1, 1, SINH | CLEAR, CYCLES),
	CLAIM("a firmware event on a hardware counter", RULE("C31"),
	      BOTH(ERR(UNSUPPORTED)), config, HW1, 1, SKIP_MATCH | CLEAR,
	      FW_SET_TIMER),
	CLAIM("leaves it as it was", RULE("C28 C31"), BOTH(VAL(0)), start, HW1,
	      1),
	DO(config, FW1, 1, CLEAR, FW_SET_TIMER),
	CLAIM("a hardware event on a firmware counter", RULE("C31"),
	      BOTH(ERR(UNSUPPORTED)), config, FW1, 1, SKIP_MATCH | CLEAR,
	      CYCLES),
	CLAIM("leaves that as it was", RULE("C28 C31"), BOTH(VAL(0)), start,
	      FW1, 1),
	CLAIM("event infos at address 0", RULE("C88"), BOTH(ERR(ADDRESS)),
	      event_info, 0, 0, 1, 0),
	CLAIM("event infos in a device", RULE("C88"), BOTH(ERR(ADDRESS)),
	      event_info, 0x10000000, 0, 1, 0),
	CLAIM("event infos that wrap", RULE("C83 C88"), BOTH(ERR(ADDRESS)),
	      event_info, ALL - 15, 0, 2, 0),
	CLAIM("event infos whose size wraps", RULE("C88"), BOTH(ERR(ADDRESS)),
	      event_info, PAGE, 0, 1ull << (__riscv_xlen - 4), 0),
	CLAIM("more event infos than there is memory", RULE("C88"),
	      BOTH(ERR(ADDRESS)), event_info, PAGE, 0, ALL, 0),
	FRESH,
};

void chapter_crashers(void)
{
	if (tap_profile == OPENSBI && !mach.all)
		TAP_SKIP("crashers", crashers);
	else
		TAP_STEPS("crashers", crashers);
}
