/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who predicts what: behind each branch or jump of a sequence stands whether it
 * was predicted, + or -, as worked out by hand. Counters go from 0, strongly
 * not taken, to 3; a cold one is at 1.
 */
#include <string.h>

#include "uarch-script.h"
#include "unit.h"

enum core {
	STATIC,	 /* and nothing of jumps */
	BIMODAL, /* counters by bits 2:1 */
	GSHARE,	 /* by bits 2:1 XOR the last two outcomes */
	TARGETS, /* two, by bit 1 */
	RETURNS, /* two, and two targets */
	N_CORES
};

static const struct pmu_uarch_config cores[N_CORES] = {
	[STATIC] = { .predictor = { .kind = PMU_PREDICT_STATIC } },
	[BIMODAL] = { .predictor = { .kind = PMU_PREDICT_BIMODAL,
				     .entries = 4 } },
	[GSHARE] = { .predictor = { .kind = PMU_PREDICT_GSHARE,
				    .entries = 4,
				    .history = 2 } },
	[TARGETS] = { .predictor = { .kind = PMU_PREDICT_STATIC,
				     .targets = 2 } },
	[RETURNS] = { .predictor = { .kind = PMU_PREDICT_STATIC,
				     .targets = 2,
				     .returns = 2 } },
};

static const struct sequence {
	const char *why;
	enum core core;
	const char *script;
} sequences[] = {
	{ "static: backwards is taken", STATIC,
	  "b1000>f00 + b1000>f00 + b1000-f00 - b1000>f00 +" },
	{ "static: forwards is not, and nothing is learned", STATIC,
	  "b1000-1100 + b1000>1100 - b1000>1100 - b1000-1100 +" },
	{ "one at the end of all addresses is not taken, either", STATIC,
	  "bfffffffffffffffc-f00 - bfffffffffffffffe:2-f00 -" },
	{ "nor where 32 bits end, if addresses have so many", STATIC,
	  "% bfffffffc-f00 - bfffffffe:2-f00 -" },
	{ "a jump goes where it says, a call too", STATIC,
	  "j1000>2000 + c2000>1000 + j1000>3000 +" },
	{ "without targets and returns nothing else is known", STATIC,
	  "i1000>2000 - i1000>2000 - c1000>2000 + r2000>1004 - "
	  "r2000>1004 - r2000>0 - i1000>0 -" },
	/*				  1 -> 2, 3, 3 */
	{ "bimodal: taken is learned in one", BIMODAL,
	  "b1000>f00 - b1000>f00 + b1000>f00 +" },
	/*		     2, 3, 3 */
	{ "and forgotten in two", BIMODAL,
	  "b1000>f00 - b1000>f00 + b1000>f00 + "
	  /* 2, 1, 0, 0 */
	  "b1000-f00 - b1000-f00 - b1000-f00 + b1000-f00 + "
	  /* 1, 2, 3 */
	  "b1000>f00 - b1000>f00 - b1000>f00 +" },
	{ "not taken is what a cold one says, whichever way it goes", BIMODAL,
	  "b1000-f00 + b1002-1100 + b1004>1100 - b1006>f00 -" },
	/* two in a row are no four: at 1 again, then 2 */
	{ "one that alternates is never predicted", BIMODAL,
	  "b1000>f00 - b1000-f00 - b1000>f00 - b1000-f00 -" },
	{ "branches eight bytes apart share one, others do not", BIMODAL,
	  "b1000>f00 - b1000>f00 + b1008>f00 + b1002>f00 - b1004>f00 - "
	  "b1006>f00 - b1008-f00 - b1010-f00 - b1000-f00 +" },
	{ "jumps move no counter", BIMODAL,
	  "j1000>f00 + j1000>f00 + b1000>f00 - j1000>f00 + b1000>f00 +" },
	/* history, its counter: 00 1->2, 01 1->0, 10 1->2, 01 0, 10 2->3, ...
	 */
	{ "gshare: one that alternates is, once both were seen", GSHARE,
	  "b1000>f00 - b1000-f00 + b1000>f00 - b1000-f00 + b1000>f00 + "
	  "b1000-f00 + b1000>f00 + b1000-f00 +" },
	/*
	 * Then the history is 10: 1002 has counter 3, 1 -> 0; 1000 with 00 has
	 * 0, 2 -> 3; 1002 with 01 has that, too, 3 -> 2; and 1000 with 10 has
	 * 2, 3.
	 */
	{ "another branch shares counters by address XOR history", GSHARE,
	  "b1000>f00 - b1000-f00 + b1000>f00 - b1000-f00 + b1000>f00 + "
	  "b1000-f00 + b1002-f00 + b1000>f00 + b1002-f00 - b1000>f00 +" },
	/* 00: 1->2; 01: 1->2; 11: 1->2, 2->3, 3: as deep as the history is */
	{ "one that is always taken is learned for each history", GSHARE,
	  "b1000>f00 - b1000>f00 - b1000>f00 - b1000>f00 + b1000>f00 +" },
	{ "jumps are no history", GSHARE,
	  "b1000>f00 - j2000>f00 + i2000>f00 - b1000>f00 - c2000>f00 + "
	  "b1000>f00 - b1000>f00 +" },
	{ "a register's jump goes where it went last", TARGETS,
	  "i1000>2000 - i1000>2000 + i1000>3000 - i1000>3000 + "
	  "i1000>2000 -" },
	{ "the whole address is compared, and the last one kept", TARGETS,
	  "i1000>2000 - i1004>2000 - i1004>2000 + i1000>2000 - "
	  "i1000>2000 +" },
	{ "the other place is another's", TARGETS,
	  "i1000>2000 - i1002>3000 - i1000>2000 + i1002>3000 +" },
	{ "address 0 is a target as any other, and no cold one's", TARGETS,
	  "i1000>0 - i1000>0 + i0>0 - i0>0 +" },
	{ "where no returns are kept they go by targets", TARGETS,
	  "c1000>2000 + r2000>1004 - c1000>2000 + r2000>1004 + "
	  "c3000>2000 + r2000>3004 -" },
	{ "a return goes behind its call", RETURNS,
	  "c1000>2000 + r2000>1004 + c3000>2000 + r2000>3004 +" },
	{ "of two bytes, too", RETURNS,
	  "c1000:2>2000 + r2000>1002 + x3000:2>2000 - r2000>3002 +" },
	{ "each call has one return", RETURNS,
	  "c1000>2000 + r2000>1004 + r2000>1004 -" },
	{ "nothing is known without a call", RETURNS,
	  "r2000>1004 - r2000>1004 - c1000>2000 + r2000>1004 +" },
	{ "not even a return to address 0", RETURNS,
	  "r2000>0 - r2000>0 - c1000>2000 + r2000>1004 + r2000>0 -" },
	{ "but to 0 behind a call at the end of all addresses", RETURNS,
	  "cfffffffffffffffc>2000 + r2000>0 + r2000>0 -" },
	{ "which is where 32 bits end, if addresses have so many", RETURNS,
	  "% cfffffffc>2000 + r2000>0 + r2000>0 -" },
	{ "and no end, if they have more", RETURNS,
	  "cfffffffc>2000 + r2000>100000000 + r2000>0 -" },
	{ "a return elsewhere takes its call along", RETURNS,
	  "c1000>2000 + c2000>3000 + r3000>5000 - r5000>1004 +" },
	{ "the innermost two are kept", RETURNS,
	  "c1000>2000 + c2000>3000 + c3000>4000 + r4000>3004 + "
	  "r3004>2004 + r2004>1004 -" },
	{ "what is not kept is not 0", RETURNS,
	  "c1000>2000 + c2000>3000 + c3000>4000 + r4000>3004 + "
	  "r3004>2004 + r2004>0 -" },
	{ "nor what was in its place", RETURNS,
	  "c1000>2000 + c2000>3000 + c3000>4000 + r4000>3004 + "
	  "r3004>2004 + r2004>3004 -" },
	{ "behind one that was not kept it goes on as before", RETURNS,
	  "c1000>2000 + c2000>3000 + c3000>4000 + r4000>3004 + "
	  "r3004>2004 + r2004>1004 - c1000>2000 + c2000>3000 + "
	  "r3000>2004 + r2004>1004 + r1004>1004 -" },
	{ "a call by a register is one, whose own target is looked up", RETURNS,
	  "x1000>2000 - r2000>1004 + x1000>2000 + r2000>1004 + "
	  "x1000>3000 - r3000>1004 +" },
	{ "coroutines return to each other", RETURNS,
	  "c1000>2000 + y2000>1004 + y1004>2004 + y2004>1008 +" },
	{ "a call by its own link register is no return", RETURNS,
	  "c1000>2000 + z2000>3000 - r3000>2004 + r2004>1004 + "
	  "c1000>2000 + z2000>3000 +" },
	{ "a return leaves the targets alone", RETURNS,
	  "i1000>2000 - r1000>3000 - i1000>2000 +" },
	{ "cold again, nothing of it is left", RETURNS,
	  "c1000>2000 + i1000>2000 - ^ r2000>1004 - i1000>2000 -" },
};

/* The next word of @*text, which moves behind it. False: there is none. */
static bool next_word(const char **text, char *ret, size_t size)
{
	size_t n;

	*text += strspn(*text, " ");
	n = strcspn(*text, " ");
	ck_assert_uint_lt(n, size);
	memcpy(ret, *text, n);
	ret[n] = 0;
	*text += n;
	return n;
}

TEST_ROWS(each_branch_is_predicted_as_worked_out, sequences)
{
	const struct sequence *row = &sequences[_i];
	const char *at = row->script;
	unsigned asked = 0, missed = 0;
	char word[64];
	struct run r;

	run_begin(&r, &cores[row->core]);
	while (next_word(&at, word, sizeof(word))) {
		if (!strchr("+-", word[0])) {
			run_play(&r, word);
			continue;
		}
		asked++;
		missed += word[0] == '-';
		ck_assert_msg(r.n[PMU_UA_BRANCH_LOAD_MISSES] == missed,
			      "%s: predicted? before '%s'", row->why, at);
	}
	ck_assert_uint_eq(r.n[PMU_UA_BRANCH_LOADS], asked);
	ck_assert_uint_eq(r.n[PMU_UA_BRANCH_MISSES], missed);
	run_end(&r);
}

SUITE("predictor");
