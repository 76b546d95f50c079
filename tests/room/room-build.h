/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comes before every file of the libraries that tests/room builds: 40 events,
 * 8 of them the engine's, and an extension at bit 40.
 */
#ifndef TESTS_ROOM_BUILD_H
#define TESTS_ROOM_BUILD_H

#define PMU_MORE_ENGINE_EVENTS 4
#define PMU_MORE_EVENTS	       29

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
	ROOM_ROW(11) ROOM_ROW(12) ROOM_ROW(13) ROOM_ROW(14) ROOM_ROW(15)       \
	ROOM_ROW(16) ROOM_ROW(17) ROOM_ROW(18) ROOM_ROW(19) ROOM_ROW(20)       \
	ROOM_ROW(21) ROOM_ROW(22) ROOM_ROW(23) ROOM_ROW(24) ROOM_ROW(25)       \
	ROOM_ROW(26) ROOM_ROW(27) ROOM_ROW(28) ROOM_ROW(29) ROOM_ROW(30)       \
	ROOM_ROW(31) ROOM_ROW(32) ROOM_ROW(33) ROOM_ROW(34) ROOM_ROW(35)       \
	ROOM_ROW(36) ROOM_ROW(37) ROOM_ROW(38) ROOM_ROW(39)
/* clang-format on */

#endif
