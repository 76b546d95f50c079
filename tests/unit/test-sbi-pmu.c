/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The answers of PMU functions 0-6, one call a row, in both profiles. What the
 * calls do to counters is test-ctr.c's.
 */
#include "fw-fixture.h"

#define NO_SSCOFPMF  PMU_EXT_SSCOFPMF
#define NO_SMCNTRPMF PMU_EXT_SMCNTRPMF
#define FIXED_ONLY   (PMU_EXT_SSCOFPMF | PMU_EXT_SMCNTRPMF)
#define ONES	     UINT64_MAX
#define ALL	     UINT64_C(0xfffffffffffd) /* 48 counters without time */
#define PROGRAMMABLE UINT64_C(0xfffffff8)
#define BIT(n)	     (UINT64_C(1) << (n))

struct step {
	unsigned fid; /* NUM (0): no step */
	uint64_t a[5];
};

struct pmu_row {
	const char *rule, *why;
	uint64_t without, hpm_mask;
	struct step pre[4], last;
	int64_t spec, opensbi; /* the error, or the value of a success */
};

#define NOT -2
#define BAD -3

#define DO(fid, ...)                                                           \
	{                                                                      \
		fid,                                                           \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define PRE(...)                                                               \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
#define NONE	    PRE(DO(NUM, 0))
#define ON3(flags)  DO(CFG, 3, 1, flags, 2)
#define ON4(flags)  DO(CFG, 4, 1, flags, 2)
#define FW32(flags) DO(CFG, 32, 1, flags, FW_TIMER)

#define ROW(item, text, pre, last, a, b)                                       \
	{                                                                      \
		item, text, 0, 0, pre, last, a, b                              \
	}
#define SPARSE_ROW(item, text, hpm, pre, last, a, b)                           \
	{                                                                      \
		item, text, 0, hpm, pre, last, a, b                            \
	}
#define EVENT_ROW(item, text, idx, data, a, b)                                 \
	ROW(item, text, NONE, DO(CFG, 0, ALL, 0, idx, data), a, b)
#define SET_ROW(item, text, lacks, base, mask, flags, idx, a, b)               \
	{                                                                      \
		item, text, lacks, 0, NONE, DO(CFG, base, mask, flags, idx),   \
			a, b                                                   \
	}

static const struct pmu_row info_rows[] = {
	ROW(RULE("C7"), "31 + 1 + 16", NONE, DO(NUM, 0), 48, 48),
	SPARSE_ROW(RULE("C7"), "18 + 1 + 16", 0x7fff8, NONE, DO(NUM, 0), 35,
		   35),
	ROW(RULE("C6"), "whatever the arguments", NONE,
	    DO(NUM, ONES, ONES, ONES, ONES, ONES), 48, 48),
	SPARSE_ROW(RULE("C6"), "the bound, not how many there are", 0x3e3f8,
		   NONE, DO(NUM, 0), 34, 34),
	ROW(RULE("C9"), "cycle", NONE, DO(INFO, 0), 0x3fc00, 0x3fc00),
	ROW(RULE("C8"), "time", NONE, DO(INFO, 1), BAD, BAD),
	ROW(RULE("C9"), "hpm3", NONE, DO(INFO, 3), 0x3fc03, 0x3fc03),
	SPARSE_ROW(RULE("C10"), "absent", 0x3e3f8, NONE, DO(INFO, 10), BAD,
		   BAD),
	SPARSE_ROW(RULE("C10"), "there", 0x3e3f8, NONE, DO(INFO, 13), 0x3fc0d,
		   0x3fc0d),
	ROW(RULE("C14"), "num", NONE, DO(INFO, 48), BAD, BAD),
	ROW(RULE("C14"), "-1", NONE, DO(INFO, ONES), BAD, BAD),
	ROW(RULE("C4 C206"), "1 << 32", NONE, DO(INFO, BIT(32)), BAD, 0x3fc00),
	ROW(RULE("C4 C206"), "1 << 32, time's", NONE, DO(INFO, BIT(32) | 1),
	    BAD, BAD),
	ROW(RULE("C4"), "64", NONE, DO(INFO, 64), BAD, BAD),
};

static const struct pmu_row set_rows[] = {
	ROW(RULE("C16"), "mask 0", NONE, DO(CFG, 0, 0, 0, 1), BAD, BAD),
	ROW(RULE("C16"), "base num", NONE, DO(CFG, 48, 1, 0, 1), BAD, BAD),
	ROW(RULE("C16"), "base -1", NONE, DO(CFG, ONES, 1, 0, 1), BAD, BAD),
	ROW(RULE("C16"), "base -1 wraps", NONE, DO(CFG, ONES, 2, 0, 1), BAD,
	    BAD),
	ROW(RULE("C16"), "bit num", NONE, DO(CFG, 0, BIT(48), 0, 1), BAD, BAD),
	ROW(RULE("C16"), "base 47, bit 1", NONE, DO(CFG, 47, 3, 0, 1), BAD,
	    BAD),
	ROW(RULE("C17"), "with time", NONE, DO(CFG, 0, ALL | 2, 0, 1), BAD, 3),
	SPARSE_ROW(RULE("C17"), "with an absent counter", 0x3e3f8, NONE,
		   DO(CFG, 3, 0xff, 0, 1), BAD, 3),
	ROW(RULE("C17"), "start with time", PRE(DO(CFG, 3, 1, 0, 2)),
	    DO(START, 0, 0xa), BAD, 0),
	ROW(RULE("C17"), "stop with time", PRE(DO(CFG, 3, 1, AUTO, 2)),
	    DO(STOP, 0, 0xa), BAD, 0),
	ROW(RULE("C18"), "flag 8", NONE, DO(CFG, 0, ALL, 0x100, 1), BAD, 3),
	ROW(RULE("C18"), "flag 63", NONE, DO(CFG, 0, ALL, BIT(63), 1), BAD, 3),
	ROW(RULE("C15"), "range before event", NONE, DO(CFG, 48, 1, 0, 0x1234),
	    BAD, BAD),
	ROW(RULE("C15"), "flag before event", NONE,
	    DO(CFG, 3, 1, 0x100, 0x1234), BAD, BAD),
	ROW(RULE("C15"), "absent counter before event", NONE,
	    DO(CFG, 1, 1, 0, 0), BAD, NOT),
};

static const struct pmu_row event_rows[] = {
	EVENT_ROW(RULE("C24"), "cycles", 1, 0, 3, 3),
	EVENT_ROW(RULE("C24"), "instructions", 2, 0, 3, 3),
	EVENT_ROW(RULE("C19"), "type 4", 0x40000, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "type 14", 0xe0001, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "general 11", 11, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "general 0x1234", 0x1234, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "general 9, uncountable", 9, 0, NOT, NOT),
	EVENT_ROW(RULE("C19"), "cache op 3", 0x10006, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "cache id 7", 0x10038, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "cache id 6, uncountable", 0x10035, 0, NOT, NOT),
	EVENT_ROW(RULE("C194"), "DTLB read miss, uncountable", 0x10019, 0, NOT,
		  NOT),
	EVENT_ROW(RULE("C194"), "DTLB, operation 3", 0x1001f, 0, NOT, BAD),
	EVENT_ROW(RULE("C193"), "cache hits, uncountable", 3, 0, NOT, NOT),
	EVENT_ROW(RULE("C193"), "bus cycles, uncountable", 7, 0, NOT, NOT),
	EVENT_ROW(RULE("C19"), "raw with a code", 0x20001, 2, NOT, BAD),
	EVENT_ROW(RULE("C19"), "raw v2 with a code", 0x30001, 2, NOT, BAD),
	EVENT_ROW(RULE("C19"), "firmware 22", 0xf0016, 0, NOT, BAD),
	EVENT_ROW(RULE("C19"), "firmware 255", 0xf00ff, 0, NOT, BAD),
	EVENT_ROW(RULE("C98"), "firmware 256, ours", 0xf0100, 0, 32, BAD),
	EVENT_ROW(RULE("C98"), "firmware 260, our last", 0xf0104, 0, 32, BAD),
	EVENT_ROW(RULE("C19"), "firmware 261", 0xf0105, 0, NOT, BAD),
	EVENT_ROW(RULE("C21"), "ours with data", 0xf0100, 1, NOT, BAD),
	EVENT_ROW(RULE("C19"), "firmware 65534", 0xffffe, 0, NOT, BAD),
	EVENT_ROW(RULE("C44"), "platform without platform", 0xfffff, 1, NOT,
		  BAD),
	EVENT_ROW(RULE("C20"), "no event", 0, 0, NOT, NOT),
	EVENT_ROW(RULE("C21"), "general with data", 1, 1, NOT, 3),
	EVENT_ROW(RULE("C21"), "firmware with data", FW_TIMER, 1, NOT, 32),
	EVENT_ROW(RULE("C22"), "bit 20", 0x100001, 0, NOT, NOT),
	EVENT_ROW(RULE("C22"), "bit 20, no event", 0x100000, 0, NOT, NOT),
	EVENT_ROW(RULE("C22"), "bit 40", BIT(40) | 1, 0, NOT, NOT),
	EVENT_ROW(RULE("C22"), "firmware with bit 20", 0x1f0005, 0, NOT, 32),
	EVENT_ROW(RULE("C22"), "bit 20 of type 4", 0x140000, 0, NOT, BAD),
	EVENT_ROW(RULE("C40"), "raw v1 above bit 47", 0x20000,
		  0xffff000000000002, 3, 3),
	EVENT_ROW(RULE("C40"), "raw v2 above bit 55", 0x30000,
		  0xff00000000000002, 3, 3),
	EVENT_ROW(RULE("C40"), "raw v2 in bit 48", 0x30000, 0x0001000000000002,
		  NOT, NOT),
	EVENT_ROW(RULE("C41"), "raw 0", 0x20000, 0, NOT, NOT),
	EVENT_ROW(RULE("C41"), "raw v1, nothing below bit 48", 0x20000,
		  UINT64_C(0xffff) << 48, NOT, NOT),
	EVENT_ROW(RULE("C178"), "raw that nothing counts", 0x20000, 0x77, NOT,
		  NOT),
	EVENT_ROW(RULE("C43"), "firmware", 0xf0015, 0, 32, 32),
};

static const struct pmu_row match_rows[] = {
	SET_ROW(RULE("C43"), "firmware event, hardware set", 0, 0, PROGRAMMABLE,
		0, FW_TIMER, NOT, NOT),
	SET_ROW(RULE("C43"), "hardware event, firmware set", 0, 32, 3, 0, 1,
		NOT, NOT),
	SET_ROW(RULE("C27"), "branches on fixed", 0, 0, 5, 0, 5, NOT, NOT),
	SET_ROW(RULE("C24"), "cycles on 0", NO_SMCNTRPMF, 0, 1, 0, 1, 0, NOT),
	SET_ROW(RULE("C24"), "cycles on 0, filters there", 0, 0, 1, UINH, 1, 0,
		0),
	SET_ROW(RULE("C24"), "cycles on 0 with UINH", NO_SMCNTRPMF, 0, 1, UINH,
		1, NOT, NOT),
	SET_ROW(RULE("C24"), "cycles on 0 with SINH", NO_SMCNTRPMF, 0, 1, SINH,
		1, NOT, NOT),
	SET_ROW(RULE("C24"), "cycles on 0 with MINH", NO_SMCNTRPMF, 0, 1, MINH,
		1, NOT, NOT),
	SET_ROW(RULE("C24"), "cycles on 0 with VUINH, VSINH", NO_SMCNTRPMF, 0,
		1, VUINH | VSINH, 1, 0, NOT),
	SET_ROW(RULE("C39"), "filters are hints", FIXED_ONLY, 0, 1, UINH, 1, 0,
		0),
	SET_ROW(RULE("C24"), "instructions on 2", 0, 2, 1, 0, 2, 2, 2),
	SET_ROW(RULE("C25 C206"), "instructions on 0", 0, 0, 1, 0, 2, NOT, 2),
	SET_ROW(RULE("C25 C206"), "cycles on a firmware counter's bit", 0, 0,
		BIT(32), 0, 1, NOT, 0),
	SET_ROW(RULE("C25 C206"), "cycles from a firmware counter on", 0, 32, 1,
		0, 1, NOT, NOT),
	SET_ROW(RULE("C24"), "instructions on 0, no filters", PMU_EXT_SMCNTRPMF,
		0, 1, 0, 2, NOT, NOT),
	SET_ROW(RULE("C24"), "cycles anywhere, no filters", FIXED_ONLY, 0, ALL,
		0, 1, 3, 0),
	SET_ROW(RULE("C25 C206"), "cycles in {4}, no filters", FIXED_ONLY, 4, 1,
		0, 1, 4, 0),
	SET_ROW(RULE("C29"), "SKIP_MATCH of nothing", 0, 5, 1, SKIP, 1, BAD,
		BAD),
	SET_ROW(RULE("C32"), "SKIP_MATCH of time", 0, 1, 1, SKIP, 1, BAD, BAD),
	SET_ROW(RULE("C32"), "SKIP_MATCH, time is first", 0, 1, 3, SKIP, 2, BAD,
		BAD),
	SET_ROW(RULE("C26"), "SKIP_MATCH of cycle", 0, 0, 1, SKIP, 1, 0, 0),
	SET_ROW(RULE("C26"), "SKIP_MATCH of cycle, not its event", 0, 0, 1,
		SKIP, 2, NOT, 0),
	SET_ROW(RULE("C24"), "SKIP_MATCH of cycle with UINH", NO_SMCNTRPMF, 0,
		1, SKIP | UINH, 1, NOT, 0),
	SET_ROW(RULE("C31"), "SKIP_MATCH of cycle, firmware event", 0, 0, 1,
		SKIP, FW_TIMER, NOT, NOT),
};

static const struct pmu_row owner_rows[] = {
	ROW(RULE("C23"), "stopped is not free", PRE(ON3(0)),
	    DO(CFG, 0, ALL, 0, 2), 4, 4),
	ROW(RULE("C25 C206"), "busy", PRE(ON4(0)), DO(CFG, 4, 1, 0, 1), NOT, 0),
	ROW(RULE("C25 C206"), "busy, fixed outside the set", PRE(ON4(0)),
	    DO(CFG, 4, 1, 0, 2), NOT, 2),
	ROW(RULE("C25"), "busy, an event that is not cycle's", PRE(ON4(0)),
	    DO(CFG, 4, 1, 0, 5), NOT, NOT),
	ROW(RULE("C26"), "cycle has an owner", PRE(DO(CFG, 0, 1, 0, 1)),
	    DO(CFG, 0, 1, 0, 1), NOT, 0),
	ROW(RULE("C26"), "cycle after RESET",
	    PRE(DO(CFG, 0, 1, 0, 1), DO(STOP, 0, 1, RESET)),
	    DO(CFG, 0, 1, 0, 1), 0, 0),
	ROW(RULE("C30"), "stopped, other event", PRE(ON3(0)),
	    DO(CFG, 3, 1, SKIP, 5), 3, 3),
	ROW(RULE("C30"), "stopped, impossible event", PRE(ON3(0)),
	    DO(CFG, 3, 1, SKIP, 3), NOT, 3),
	ROW(RULE("C30"), "stopped, unknown event", PRE(ON3(0)),
	    DO(CFG, 3, 1, SKIP, 0x40000), NOT, BAD),
	ROW(RULE("C30"), "first of the set", PRE(ON3(0), ON4(0)),
	    DO(CFG, 0, 0x18, SKIP, 2), 3, 3),
	ROW(RULE("C30"), "running, same event", PRE(ON3(AUTO)),
	    DO(CFG, 3, 1, SKIP, 2), 3, 3),
	ROW(RULE("C30"), "running, other event", PRE(ON3(AUTO)),
	    DO(CFG, 3, 1, SKIP, 5), NOT, 3),
	ROW(RULE("C30"), "running, other filter", PRE(ON3(AUTO)),
	    DO(CFG, 3, 1, SKIP | UINH, 2), NOT, 3),
	ROW(RULE("C35"), "running, AUTO_START", PRE(ON3(AUTO)),
	    DO(CFG, 3, 1, SKIP | AUTO, 2), 3, 3),
	ROW(RULE("C31"), "firmware event on hardware", PRE(ON3(0)),
	    DO(CFG, 3, 1, SKIP | CLEAR, FW_TIMER), NOT, NOT),
	ROW(RULE("C31"), "hardware event on firmware", PRE(FW32(0)),
	    DO(CFG, 32, 1, SKIP | CLEAR, 1), NOT, NOT),
	ROW(RULE("C30"), "firmware, other event", PRE(FW32(0)),
	    DO(CFG, 32, 1, SKIP, FW_TIMER + 1), 32, 32),
	ROW(RULE("C45"), "platform event, none free", PRE(FW32(0)),
	    DO(CFG, 32, 1, 0, 0xfffff, 1), NOT, BAD),
	ROW(RULE("C43"), "next firmware counter", PRE(FW32(0)),
	    DO(CFG, 0, ALL, 0, FW_TIMER), 33, 33),
};

static const struct pmu_row start_rows[] = {
	ROW(RULE("C59"), "mask 0", NONE, DO(START, 0, 0), BAD, BAD),
	ROW(RULE("C77"), "base 4096, as Linux asks with snapshots", PRE(ON3(0)),
	    DO(START, 4096, 8), BAD, BAD),
	ROW(RULE("C46"), "base num", NONE, DO(START, 48, 1), BAD, BAD),
	ROW(RULE("C46"), "range before snapshot", NONE,
	    DO(START, 48, 1, INIT_SNAP), BAD, BAD),
	ROW(RULE("C46"), "no page before no mapping", NONE,
	    DO(START, 3, 1, INIT_SNAP), -9, -9),
	ROW(RULE("C46"), "no page", PRE(ON3(0)), DO(START, 3, 1, INIT_SNAP), -9,
	    -9),
	ROW(RULE("C47"), "flag 2", PRE(ON3(0)), DO(START, 3, 1, 4), BAD, 0),
	ROW(RULE("C48"), "both flags", PRE(ON3(0)), DO(START, 3, 1, 3), BAD,
	    -9),
	ROW(RULE("C50"), "a value for two", PRE(ON3(0), ON4(0)),
	    DO(START, 3, 3, INIT, 77), BAD, 0),
	ROW(RULE("C51"), "3 runs", PRE(ON3(AUTO), ON4(0)), DO(START, 3, 3), -7,
	    0),
	ROW(RULE("C51"), "4 runs", PRE(ON3(0), ON4(AUTO)), DO(START, 3, 3), -7,
	    -7),
	ROW(RULE("C51"), "both run", PRE(ON3(AUTO), ON4(AUTO)), DO(START, 3, 3),
	    -7, -7),
	ROW(RULE("C54"), "3 has no mapping", PRE(ON4(0)), DO(START, 3, 3), 0,
	    0),
	ROW(RULE("C54"), "5 has no mapping", PRE(ON4(AUTO)), DO(START, 4, 3),
	    -7, -7),
	ROW(RULE("C54"), "none has a mapping", NONE, DO(START, 3, 3), BAD, BAD),
	ROW(RULE("C54"), "time", NONE, DO(START, 1, 1), BAD, BAD),
	ROW(RULE("C58"), "cycle runs from boot", NONE, DO(START, 0, 1), -7, -7),
	ROW(RULE("C58"), "after a stop", PRE(DO(STOP, 0, 1)), DO(START, 0, 1),
	    0, 0),
	ROW(RULE("C58"), "after stop and RESET", PRE(DO(STOP, 0, 1, RESET)),
	    DO(START, 0, 1), 0, 0),
	ROW(RULE("C35"), "after AUTO_START", PRE(ON3(AUTO)), DO(START, 3, 1),
	    -7, -7),
	ROW(RULE("C35"), "firmware after AUTO_START", PRE(FW32(AUTO)),
	    DO(START, 32, 1), -7, -7),
	ROW(RULE("C26"), "config leaves cycle stopped",
	    PRE(DO(CFG, 0, 1, 0, 1)), DO(START, 0, 1), 0, -7),
	ROW(RULE("C26"), "unless AUTO_START", PRE(DO(CFG, 0, 1, AUTO, 1)),
	    DO(START, 0, 1), -7, -7),
	ROW(RULE("C63"), "after RESET", PRE(ON3(0), DO(STOP, 3, 1, RESET)),
	    DO(START, 3, 1), BAD, BAD),
};

static const struct pmu_row stop_rows[] = {
	ROW(RULE("C60"), "mask 0", NONE, DO(STOP, 0, 0), BAD, BAD),
	ROW(RULE("C60"), "range before snapshot", NONE, DO(STOP, 48, 1, SNAP),
	    BAD, BAD),
	ROW(RULE("C60"), "no page", PRE(ON3(AUTO)), DO(STOP, 3, 1, SNAP), -9,
	    -9),
	ROW(RULE("C60"), "flag 2", PRE(ON3(AUTO)), DO(STOP, 3, 1, 4), BAD, 0),
	ROW(RULE("C35"), "after AUTO_START", PRE(ON3(AUTO)), DO(STOP, 3, 1), 0,
	    0),
	ROW(RULE("C61"), "4 is stopped", PRE(ON3(AUTO), ON4(0)), DO(STOP, 3, 3),
	    -8, -8),
	ROW(RULE("C61"), "3 is stopped", PRE(ON3(0), ON4(AUTO)), DO(STOP, 3, 3),
	    -8, 0),
	ROW(RULE("C62"), "RESET of a stopped one", PRE(ON3(0)),
	    DO(STOP, 3, 1, RESET), -8, -8),
	ROW(RULE("C62"), "RESET of a stopped firmware one", PRE(FW32(0)),
	    DO(STOP, 32, 1, RESET), -8, -8),
	ROW(RULE("C63"), "after RESET", PRE(ON3(0), DO(STOP, 3, 1, RESET)),
	    DO(STOP, 3, 1), BAD, BAD),
	ROW(RULE("C54"), "5 has no mapping", PRE(ON4(0)), DO(STOP, 4, 3), -8,
	    -8),
	ROW(RULE("C54"), "none has a mapping", NONE, DO(STOP, 3, 3, RESET), BAD,
	    BAD),
	ROW(RULE("C58"), "cycle", NONE, DO(STOP, 0, 1, RESET), 0, 0),
	ROW(RULE("C58"), "cycle again", PRE(DO(STOP, 0, 1, RESET)),
	    DO(STOP, 0, 1, RESET), -8, -8),
	ROW(RULE("C54"), "all, from boot", NONE, DO(STOP, 0, ALL, RESET), 0, 0),
};

static const struct pmu_row read_rows[] = {
	ROW(RULE("C79"), "cycle", NONE, DO(READ, 0), BAD, BAD),
	ROW(RULE("C79"), "time", NONE, DO(READ, 1), BAD, BAD),
	ROW(RULE("C79"), "no mapping", NONE, DO(READ, 32), BAD, BAD),
	ROW(RULE("C79"), "num", NONE, DO(READ, 48), BAD, BAD),
	ROW(RULE("C79"), "1 << 32", NONE, DO(READ, BIT(32) | 32), BAD, BAD),
	ROW(RULE("C79"), "stopped", PRE(FW32(0)), DO(READ, 32), 0, 0),
	ROW(RULE("C79"), "after RESET", PRE(FW32(0), DO(STOP, 32, 1, RESET)),
	    DO(READ, 32), BAD, BAD),
	ROW(RULE("C80"), "cycle", NONE, DO(READ_HI, 0), BAD, BAD),
	ROW(RULE("C80"), "no mapping", NONE, DO(READ_HI, 32), BAD, 0),
	ROW(RULE("C80"), "num", NONE, DO(READ_HI, 48), BAD, BAD),
	ROW(RULE("C80"), "mapped", PRE(FW32(0)), DO(READ_HI, 32), 0, 0),
	ROW(RULE("C33"), "the value survives",
	    PRE(FW32(0), DO(START, 32, 1, INIT, 9), DO(STOP, 32, 1, RESET),
		FW32(0)),
	    DO(READ, 32), 9, 9),
	ROW(RULE("C33"), "unless cleared",
	    PRE(FW32(0), DO(START, 32, 1, INIT, 9), DO(STOP, 32, 1, RESET),
		FW32(CLEAR)),
	    DO(READ, 32), 0, 0),
};

static struct sbi_ret do_step(struct bench *b, const struct step *s)
{
	uint64_t args[6];

	memcpy(args, s->a, sizeof(s->a));
	args[5] = 0xdead; /* junk that nobody reads (C3) */
	return bench_call(b, 0, PMU_EID, s->fid, args);
}

static void check_row(const struct pmu_row *row, bool opensbi)
{
	struct opts o = { .profile = opensbi ? FW_PROFILE_OPENSBI
					     : FW_PROFILE_SPEC,
			  .without = row->without,
			  .hpm_mask = row->hpm_mask };
	int64_t want = opensbi ? row->opensbi : row->spec;
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	for (unsigned i = 0; i < ARRAY_SIZE(row->pre); i++)
		if (row->pre[i].fid)
			do_step(&b, &row->pre[i]);
	ret = do_step(&b, &row->last);
	ck_assert_msg(ret.error ? ret.error == want && !ret.value
				: ret.value == (uint64_t)want,
		      "%s %s, %s: %lld 0x%llx", row->rule, row->why,
		      opensbi ? "opensbi" : "spec", (long long)ret.error,
		      (unsigned long long)ret.value);
	bench_fini(&b);
}

#define TEST_CALLS(name, rows)                                                 \
	TEST_TIMES(name, 2 * ARRAY_SIZE(rows))                                 \
	{                                                                      \
		check_row(&(rows)[_i / 2], _i & 1);                            \
	}

TEST_CALLS(counters_are_described, info_rows)
TEST_CALLS(sets_are_checked, set_rows)
TEST_CALLS(events_are_checked, event_rows)
TEST_CALLS(an_event_gets_a_counter_that_can_count_it, match_rows)
TEST_CALLS(a_counter_has_one_owner, owner_rows)
TEST_CALLS(start_answers, start_rows)
TEST_CALLS(stop_answers, stop_rows)
TEST_CALLS(firmware_reads_answer, read_rows)

/* The type is the highest bit of the register. */
TEST_TIMES(firmware_counters_are_64_bits_wide, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	struct bench b;

	shows(RULE("C9 C12 C13 C200"));
	bench_init(&b, &o);
	ck_assert_uint_eq(PMU(&b, INFO, 32).value,
			  _i ? 0x8003f000 : UINT64_C(0x800000000003f000));
	ck_assert_uint_eq(PMU(&b, INFO, 47).value,
			  _i ? 0x8003f000 : UINT64_C(0x800000000003f000));
	bench_fini(&b);
}

/* The value is as wide as mhpmevent is. */
TEST_TIMES(raw_events_of_rv32_without_mhpmeventh, 2)
{
	struct opts o = { .xlen = 32, .without = _i ? PMU_EXT_SSCOFPMF : 0 };
	struct bench b;

	shows(RULE("C195"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, 0x30000, 5, 0x12),
			 _i ? 0 : NOT);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3) & 0xffffffffff,
			  _i ? 5 : 0);
	bench_fini(&b);
}

SUITE("sbi-pmu");
