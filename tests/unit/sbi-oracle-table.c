/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of states and operations, and the list of events.
 */
#include "sbi-oracle.h"

/*
 * An operation on one counter: the error (without its sign) and the state it
 * is in afterwards. A state that a kind does not have has no row.
 */
#define OPS "M  SS SO SF SN SW Go St Re Rd"
static const char letters[] = "fsrwlL"; /* in the order of enum o_state */
static const char *const table[2][N_KINDS][N_STATES] = {
	[FW_PROFILE_SPEC] = {
		[K_NONE] = {
			[S_FREE] =	 "3f 3f 3f 3f 3f 3f 3f 3f 3f 3f",
		},
		[K_HPM] = {
			[S_FREE] =	 "0s 3f 3f 3f 3f 3f 3f 3f 3f 3f",
			[S_STOPPED] =	 "2s 0s 0s 0s 2s 2s 0r 8s 8f 3s",
			[S_RUNNING] =	 "2r 0r 2r 2r 2r 2r 7r 0s 0f 3r",
			[S_WILD] =	 "2w 3w 3w 3w 3w 3w 3w 3w 3w 3w",
		},
		[K_FIXED] = {
			[S_STOPPED] =	 "2s 0s 2s 0s 2s 2s 0r 8s 8l 3s",
			[S_RUNNING] =	 "2r 0r 2r 2r 2r 2r 7r 0s 0l 3r",
			[S_LOOSE_STOP] = "0s 0s 2l 0s 2l 2l 0L 8l 8l 3l",
			[S_LOOSE_RUN] =	 "0s 0s 2L 0s 2L 2L 7L 0l 0l 3L",
		},
		[K_FW] = {
			[S_FREE] =	 "0s 3f 3f 3f 3f 3f 3f 3f 3f 3f",
			[S_STOPPED] =	 "2s 0s 0s 0s 2s 2s 0r 8s 8f 0s",
			[S_RUNNING] =	 "2r 0r 2r 2r 2r 2r 7r 0s 0f 0r",
		},
	},
	[FW_PROFILE_OPENSBI] = {
		[K_NONE] = {
			[S_FREE] =	 "2f 3f 3f 3f 3f 3f 3f 3f 3f 3f",
		},
		[K_HPM] = {
			[S_FREE] =	 "0s 3f 3f 3f 3f 3f 3f 3f 3f 3f",
			[S_STOPPED] =	 "2s 0s 0s 0s 0s 2s 0r 8s 8f 3s",
			[S_RUNNING] =	 "2r 0r 0r 0r 0r 2r 7r 0s 0f 3r",
			[S_WILD] =	 "2w 3w 3w 3w 3w 3w 3w 3w 3w 3w",
		},
		[K_FIXED] = {
			[S_LOOSE_STOP] = "0l 0l 0l 0l 0l 2l 0L 8l 8l 3l",
			[S_LOOSE_RUN] =	 "0L 0L 0L 0L 0L 2L 7L 0l 0l 3L",
		},
		[K_FW] = {
			[S_FREE] =	 "0s 3f 3f 3f 3f 3f 3f 3f 3f 3f",
			[S_STOPPED] =	 "2s 0s 0s 0s 0s 2s 0r 8s 8f 0s",
			[S_RUNNING] =	 "2r 0r 0r 0r 0r 2r 7r 0s 0f 0r",
		},
	},
};
_Static_assert(sizeof(OPS) == 3 * N_OPS, "a column for each operation");

struct o_cell oracle_cell(enum fw_profile profile, enum o_kind kind,
			  enum o_state state, enum o_op op)
{
	const char *row = table[profile][kind][state];
	struct o_cell cell = { .possible = row };

	if (!row)
		return cell;
	cell.error = -(row[3 * op] - '0');
	cell.next = (enum o_state)(strchr(letters, row[3 * op + 1]) - letters);
	return cell;
}

/* Columns: error and info each for spec and opensbi. */
const struct o_event o_events[] = {
	{ "cycles", 1, 0, { 0, 0 }, false, 1, { 1, 1 } },
	{ "instructions", 2, 0, { 0, 0 }, false, 2, { 1, 1 } },
	{ "branches", 5, 0, { 0, 0 }, false, 5, { 1, 1 } },
	{ "nothing counts it", 3, 0, { 0, 0 }, false, 0, { 0, 0 } },
	{ "no event", 0, 0, { -2, -2 }, false, 0, { 0, 0 } },
	{ "unknown", 0x1234, 0, { -2, -3 }, false, 0, { 0, 0 } },
	{ "type 4", 0x40000, 0, { -2, -3 }, false, 0, { 0, 0 } },
	{ "data", 1, 9, { -2, 0 }, false, 1, { 1, 1 } },
	{ "bit 20", 0x100001, 0, { -2, -2 }, false, 0, { -3, 0 } },
	{ "raw", 0x20000, 5, { 0, 0 }, false, 5, { 1, 1 } },
	{ "raw, upper bits",
	  0x20000,
	  UINT64_C(0xffff000000000002),
	  { 0, 0 },
	  false,
	  2,
	  { 1, 1 } },
	{ "raw 2", 0x30000, 1, { 0, 0 }, false, 1, { 1, 1 } },
	{ "raw 0", 0x20000, 0, { 0, 0 }, false, 0, { 0, 0 } },
	{ "raw, nothing counts it", 0x30000, 77, { 0, 0 }, false, 0, { 0, 0 } },
	{ "raw with a code", 0x20001, 2, { -2, -3 }, false, 0, { 0, 0 } },
	{ "set_timer", 0xf0005, 0, { 0, 0 }, true, 0, { 1, 1 } },
	{ "IPI sent", 0xf0006, 0, { 0, 0 }, true, 0, { 1, 1 } },
	{ "firmware with data", 0xf0005, 3, { -2, 0 }, true, 0, { 1, 1 } },
	{ "firmware 22", 0xf0016, 0, { -2, -3 }, true, 0, { 0, 0 } },
	{ "SBI calls, ours", 0xf0100, 0, { 0, -3 }, true, 0, { 1, 0 } },
	{ "platform's", 0xfffff, 7, { -2, -3 }, true, 0, { 0, 0 } },
	{ "firmware, bit 20", 0x1f0005, 0, { -2, 0 }, true, 0, { -3, 0 } },
};
const unsigned n_o_events = ARRAY_SIZE(o_events);
