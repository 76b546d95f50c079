/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a core waits that issues in order, against scripts (uarch-script.h)
 * worked out by hand.
 */
#include <string.h>

#include <pmu/uarch.h>

#include "uarch-script.h"
#include "unit.h"

enum core {
	WAITS,	 /* all parts, and a wait for each that is told by its digit */
	WAITS_1, /* no second level, no last level */
	DTLB,	 /* nothing else, which costs nothing */
	N_CORES
};

static const struct pmu_uarch_config cores[N_CORES] = {
	[WAITS] = { .l1i = CACHE(64, 16, 2, LRU),
		    .l1d = CACHE(64, 16, 2, LRU),
		    .ll = CACHE(1024, 16, 2, LRU),
		    .itlb = TLB(1, 1, LRU),
		    .dtlb = TLB(1, 1, LRU),
		    .stlb = TLB(4, 4, LRU),
		    .predictor = { .kind = PMU_PREDICT_STATIC },
		    .stalls = { 1, 10, 100, 1000, 10000 } },
	[WAITS_1] = { .l1i = CACHE(64, 16, 2, LRU),
		      .l1d = CACHE(64, 16, 2, LRU),
		      .itlb = TLB(1, 1, LRU),
		      .dtlb = TLB(1, 1, LRU),
		      .stalls = { 1, 10, 100, 1000, 10000 } },
	[DTLB] = { .dtlb = TLB(2, 1, LRU) },
};

/* Behind "f10000 f10030", which fetch the line of what is no branch. */
static const struct wait {
	const char *why;
	enum core core;
	const char *script;
	unsigned front, back;
} waits[] = {
	{ "a line is fetched from memory", WAITS, "f100 f104", 10, 0 },
	{ "from the last level", WAITS, "f100 f120 f140 f100", 31, 0 },
	{ "an instruction in two lines waits for both", WAITS, "f10e", 20, 0 },
	{ "a load waits for memory, once", WAITS, "l100 l108", 0, 10 },
	{ "for the last level", WAITS, "l100 l120 l140 l100", 0, 31 },
	{ "one of two lines waits once", WAITS, "l10c", 0, 10 },
	{ "for the slower of them", WAITS, "l100 l120 l140 lfc", 0, 40 },
	{ "a store waits for no line", WAITS, "s100", 0, 0 },
	{ "an atomic as a load does", WAITS, "a100", 0, 10 },
	{ "a device is not waited for", WAITS, "d100", 0, 0 },
	{ "a page is walked for", WAITS, "@1 l100", 1000, 1010 },
	{ "by a store, too", WAITS, "@1 s100", 1000, 1000 },
	{ "and for a device", WAITS, "@1 d100", 1000, 1000 },
	{ "or is in the second level", WAITS, "@1 l100 l1100 l108", 1000,
	  2120 },
	{ "two pages wait once", WAITS, "@1 l100 l1100 l1ffc", 1000, 3030 },
	{ "a page is fetched by", WAITS, "@1 f100 f1100 f104", 2120, 0 },
	{ "a branch that was not predicted", WAITS, "b10034-80", 10000, 0 },
	{ "one that was", WAITS, "b10034>80", 0, 0 },
	{ "it goes on behind it", WAITS, "b10034-10044", 0, 0 },
	{ "without a last level there is memory", WAITS_1, "f100 l100", 10,
	  10 },
	{ "without a second level tables are walked", WAITS_1,
	  "@1 l100 l1100 l100", 1000, 3020 },
	{ "what is not there is not waited for", DTLB, "l100 f100", 0, 0 },
};

TEST_ROWS(a_core_waits_for_what_it_lacks, waits)
{
	const struct wait *w = &waits[_i];
	struct run r;

	run_begin(&r, &cores[w->core]);
	run_play(&r, "f10000 f10030");
	memset(r.stalled, 0, sizeof(r.stalled));
	run_play(&r, w->script);
	ck_assert_msg(r.stalled[PMU_STALL_FRONTEND] == w->front &&
			      r.stalled[PMU_STALL_BACKEND] == w->back,
		      "%s: %u and %u", w->why, r.stalled[PMU_STALL_FRONTEND],
		      r.stalled[PMU_STALL_BACKEND]);
	run_end(&r);
}

SUITE("uarch-waits");
