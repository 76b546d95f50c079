/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comes before every file of the libraries that tests/room builds: 50 events,
 * 8 of them the engine's, and an extension at bit 40.
 */
#ifndef TESTS_ROOM_BUILD_H
#define TESTS_ROOM_BUILD_H

#define PMU_MORE_ENGINE_EVENTS 4
#define PMU_MORE_EVENTS	       7

/* They happen as the first four do, which the engine's tests know. */
#define ENGINE_MORE_LANES(flags)                                               \
	, 1, (flags & PMU_INSN_BRANCH) != 0, (flags & PMU_INSN_LOAD) != 0,     \
		(flags & PMU_INSN_STORE) != 0

#define ROOM_EXT (UINT64_C(1) << 40)
/* clang-format off */
#define PMU_MORE_EXT_ROWS { ROOM_EXT, PMU_EXT_ZIHPM, "xroom" },

#define ROOM_SELECTOR(e) (0x200000u + (e))
#define ROOM_ROW(e)                                                            \
	[e] = { (enum pmu_event)(e), ROOM_SELECTOR(e), "more-" #e, NULL,       \
		"nothing", NULL },
#define PMU_MORE_EVENT_ROWS                                                    \
	ROOM_ROW(4) ROOM_ROW(5) ROOM_ROW(6) ROOM_ROW(7)                        \
	ROOM_ROW(43) ROOM_ROW(44) ROOM_ROW(45) ROOM_ROW(46)                    \
	ROOM_ROW(47) ROOM_ROW(48) ROOM_ROW(49)
/* clang-format on */

#endif
