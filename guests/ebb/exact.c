/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scenarios whose every count is known beforehand: work of so many instructions
 * between two writes of ebbfrz, and for each branch what the library executes
 * unfrozen (EBB_TAIL). Where a branch comes from and what is in the counters at
 * the end has one answer.
 */
#include <string.h>

#include "programs.h"

enum {
	PERIOD = 1000,
	BRANCHES = 10,
	BEYOND = 100, /* behind the last branch */
	/* Two instructions each; of each branch but the first the tail counts.
	 */
	TURNS = (PERIOD + (BRANCHES - 1) * (PERIOD - EBB_TAIL) + BEYOND) / 2,
};

/*
 * The counters of @set are thawed, and stand again behind the loop: they count
 * 2 * @turns instructions and the last one, which is under the old setting.
 */
void loop_of_two(unsigned long set, unsigned long turns);
/* The same of four instructions, of them a load and a store of @word. */
void loop_of_four(unsigned long set, unsigned long turns, unsigned *word);
extern const char turn_of_two[];
__asm__(".text\n"
	"loop_of_two:\n"
	"	csrc 0x805, a0\n"
	"turn_of_two:\n"
	"	addi a1, a1, -1\n"
	"	bnez a1, turn_of_two\n"
	"	csrs 0x805, a0\n"
	"	ret\n"
	"loop_of_four:\n"
	"	csrc 0x805, a0\n"
	"1:	lw t0, 0(a2)\n"
	"	sw t0, 0(a2)\n"
	"	addi a1, a1, -1\n"
	"	bnez a1, 1b\n"
	"	csrs 0x805, a0\n"
	"	ret\n");

/* Of counter count[1], at the first of two, what stands being count[3]. */
static void at_a_turn(unsigned long overflown)
{
	struct user *u = user_self();
	unsigned n = (unsigned)u->count[1];

	u->count[0] += overflown != 1ul << n ||
		       ebb_read(ebbctl) != (EBB_AO | EBB_FA | EBB_FC) ||
		       ebb_read(ebbcs) != EBB_EO ||
		       ebb_read(ebbrr) != (unsigned long)turn_of_two ||
		       ebb_read(ebbfrz) != u->count[3];
	ebb_load(n, PERIOD);
}

/* Counter @n alone is to run; those of @frozen, and it, stand until then. */
static void prepare(struct user *u, unsigned n, unsigned long frozen)
{
	u->count[1] = n;
	u->count[3] = frozen;
	ebb_set(ebbfrz, 1ul << n | frozen);
	ebb_handler(at_a_turn, EBB_AE | EBB_FA);
	ebb_load(n, PERIOD);
	ebb_enable();
}

/* BRANCHES of them, no other, and the counter is where it must be. */
static bool came(const struct user *u, unsigned n, unsigned long branches)
{
	return u->ebb.branches == branches && !u->count[0] &&
	       ebb_read(ebbctl) == (EBB_AE | EBB_FA) && !ebb_read(ebbovf) &&
	       ebb_read(ebbfrz) == (1ul << n | u->count[3]) &&
	       ebb_value(n) == (uint64_t)EBB_TAIL + BEYOND + 1 - PERIOD;
}

unsigned long cycles(struct user *u)
{
	ebb_open(1ul << CYCLES_OF_USERS);
	prepare(u, CYCLES_OF_USERS, 0);
	loop_of_two(1ul << CYCLES_OF_USERS, TURNS);
	return came(u, CYCLES_OF_USERS, BRANCHES);
}

unsigned long cycles_with_freeze(struct user *u)
{
	bool good;

	ebb_open(0x18);
	prepare(u, 3, 0x10);
	ebb_set_value(4, 7);
	loop_of_two(8, TURNS);
	good = came(u, 3, BRANCHES) && ebb_value(4) == 7;
	loop_of_two(0x10, PERIOD);
	good = good && came(u, 3, BRANCHES) &&
	       ebb_value(4) == 7 + 2 * PERIOD + 1;
	spin(PERIOD);
	return good && came(u, 3, BRANCHES) &&
	       ebb_value(4) == 7 + 2 * PERIOD + 1;
}

/* The user's own freeze of some counters, over branches and switches. */
unsigned long freeze_some(struct user *u, unsigned long frozen)
{
	bool good = true;

	ebb_open(COUNTERS);
	prepare(u, 3, frozen);
	for (unsigned n = 4; n < FIRST_COUNTER + N_COUNTERS; n++)
		ebb_set_value(n, 100 * n);
	for (unsigned long i = 1; i <= BRANCHES; i++) {
		loop_of_two(8, TURNS);
		good = good && came(u, 3, i * BRANCHES);
		user_call(CALL_YIELD, 0);
		good = good && came(u, 3, i * BRANCHES);
		ebb_load(3, PERIOD);
	}
	for (unsigned n = 4; n < FIRST_COUNTER + N_COUNTERS; n++)
		if (frozen >> n & 1)
			good = good && ebb_value(n) == 100 * n;
	return good;
}

unsigned long cycles_with_mmcr2(struct user *u)
{
	return freeze_some(u, 0x150);
}

/* From 0, and over the end of a word. */
unsigned long instruction_count(struct user *u)
{
	static const uint64_t from[] = { 0, 0xfffffc00, 0x1fffffffe };
	static const unsigned long turns[] = { 1, 1000, 1000000 };
	bool good = true;

	(void)u;
	ebb_open(8);
	ebb_set(ebbfrz, 8);
	for (unsigned i = 0; i < N_OF(from); i++)
		for (unsigned j = 0; j < N_OF(turns); j++) {
			ebb_set_value(3, from[i]);
			loop_of_two(8, turns[j]);
			good = good &&
			       ebb_value(3) == from[i] + 2 * turns[j] + 1;
		}
	return good;
}

/* Six counters, and a model of them that takes instruction by instruction. */

static const unsigned long periods[N_COUNTERS] = {
	701, 523, 997, 131, 307, 251
};

enum { /* which of them count an instruction, from FIRST_COUNTER on */
	ANY = 0x7,
	BRANCH = 0xf,
	LOAD = 0x17,
	STORE = 0x27,
};

static struct six {
	uint64_t value[N_COUNTERS];
	unsigned long taken[N_COUNTERS], branches;
	unsigned overflown;
	bool frozen, stopped;
} seen, model;

static void model_count(unsigned set)
{
	if (model.frozen || model.stopped)
		return;
	for (unsigned i = 0; i < N_COUNTERS; i++)
		if (set >> i & 1 && ++model.value[i] == 0)
			model.overflown |= 1u << i;
	model.frozen = model.overflown;
}

static void model_branch(void)
{
	model.branches++;
	for (unsigned i = 0; i < N_COUNTERS; i++)
		if (model.overflown >> i & 1) {
			model.taken[i]++;
			model.value[i] = -(uint64_t)periods[i];
		}
	model.overflown = 0;
	model.frozen = false;
	for (unsigned i = 0; i < EBB_TAIL; i++)
		model_count(i < 2 || i >= 2 + EBB_TAIL_LOADS ? ANY : LOAD);
}

static void model_execute(unsigned set)
{
	model_count(set);
	while (model.frozen)
		model_branch();
}

static void model_work(unsigned long turns)
{
	for (; turns; turns--) {
		model_execute(LOAD);
		model_execute(STORE);
		model_execute(ANY);
		model_execute(BRANCH);
	}
	model_count(ANY); /* and all stand from here on */
	model.stopped = true;
	if (model.frozen)
		model_branch();
}

static void one_of_six(unsigned long overflown)
{
	seen.branches++;
	for (unsigned i = 0; i < N_COUNTERS; i++)
		if (overflown >> (FIRST_COUNTER + i) & 1) {
			seen.taken[i]++;
			ebb_load(FIRST_COUNTER + i, periods[i]);
		}
}

unsigned long multi_counter(struct user *u)
{
	static unsigned word;
	bool good = true;

	memset(&seen, 0, sizeof(seen));
	memset(&model, 0, sizeof(model));
	ebb_open(COUNTERS);
	ebb_set(ebbfrz, COUNTERS);
	ebb_handler(one_of_six, EBB_AE | EBB_FA);
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		model.value[i] = -(uint64_t)periods[i];
		ebb_load(FIRST_COUNTER + i, periods[i]);
	}
	model_work(2500);
	ebb_enable();
	loop_of_four(COUNTERS, 2500, &word);
	ebb_disable();
	for (unsigned i = 0; i < N_COUNTERS; i++)
		good = good && seen.taken[i] &&
		       seen.taken[i] == model.taken[i] &&
		       ebb_value(FIRST_COUNTER + i) == model.value[i];
	return good && seen.branches == model.branches &&
	       u->ebb.branches == model.branches && !ebb_read(ebbovf);
}
