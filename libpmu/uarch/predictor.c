/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of a predictor: the history of outcomes; how many callers were
 * pushed, and their addresses and one; a counter per entry; address and one,
 * and target, of each indirect jump kept. A counter is kept as its distance
 * from "weakly not taken", which makes a cold one 0.
 */
#include "predictor.h"

#include <pmu/insn.h>

#include "space.h"

enum {
	HISTORY,
	PUSHED,
	RETURNS,
	/* counters: 0 strongly not taken ... 3 strongly taken */
	COLD = 1,
	MOST = 3,
	TARGET_WORDS = 2,
};

size_t predictor_words(const struct predictor *p)
{
	if (p->cfg.kind == PMU_PREDICT_NONE)
		return 0;
	return RETURNS + p->cfg.returns + p->cfg.entries +
	       (size_t)p->cfg.targets * TARGET_WORDS;
}

static uint64_t *counter_of(struct predictor *p, uint64_t pc)
{
	uint64_t index = pc >> 1;

	if (p->cfg.kind == PMU_PREDICT_GSHARE)
		index ^= p->words[HISTORY];
	return &p->words[RETURNS + p->cfg.returns +
			 (index & (p->cfg.entries - 1))];
}

/* By a counter, which then moves towards what happened. */
static bool by_counter(struct predictor *p, uint64_t pc, bool taken)
{
	uint64_t *counter = counter_of(p, pc), history = p->words[HISTORY];
	/* XOR, so that cold is 0 */
	uint64_t level = *counter ^ COLD;
	bool ret = level > MOST / 2;

	if (taken && level < MOST)
		level++;
	else if (!taken && level)
		level--;
	*counter = level ^ COLD;
	history =
		(history << 1 | taken) & ((UINT64_C(1) << p->cfg.history) - 1);
	p->words[HISTORY] = history;
	return ret;
}

/* Behind it lies @behind. */
static bool branch(struct predictor *p, const struct pmu_uarch_insn *insn,
		   uint64_t behind)
{
	bool taken = insn->next != behind;

	if (p->cfg.kind == PMU_PREDICT_STATIC)
		/* where one that is not taken would go is not known here */
		return taken == insn->backward;
	return by_counter(p, insn->code.vaddr, taken) == taken;
}

static bool is_link(unsigned reg)
{
	return reg == PMU_X_RA || reg == PMU_X_T0;
}

static void push(struct predictor *p, uint64_t caller)
{
	if (p->cfg.returns == 0)
		return;
	/* and one, so that 0 is none: a caller may be at any address */
	p->words[RETURNS + p->words[PUSHED]++ % p->cfg.returns] = caller + 1;
}

/* Is a return thought to go to @next? Nowhere, if its caller is not kept. */
static bool pop(struct predictor *p, uint64_t next)
{
	uint64_t *slot;
	bool ret;

	if (p->words[PUSHED] == 0)
		return false;
	slot = &p->words[RETURNS + --p->words[PUSHED] % p->cfg.returns];
	ret = *slot == next + 1;
	*slot = 0; /* deeper than it was kept: not known any more */
	return ret;
}

/* By where the jump went last. */
static bool by_target(struct predictor *p, uint64_t pc, uint64_t next)
{
	uint64_t *slot;
	bool ret;

	if (p->cfg.targets == 0)
		return false;
	slot = &p->words[RETURNS + p->cfg.returns + p->cfg.entries +
			 (pc >> 1 & (p->cfg.targets - 1)) * TARGET_WORDS];
	ret = slot[0] == pc + 1 && slot[1] == next;
	slot[0] = pc + 1;
	slot[1] = next;
	return ret;
}

/* A return by the manual's hints: to a link register's, which is not rd. */
static bool is_return(const struct pmu_uarch_insn *insn)
{
	return insn->flow == PMU_FLOW_INDIRECT && is_link(insn->rs1) &&
	       !(is_link(insn->rd) && insn->rd == insn->rs1);
}

bool predictor_see(struct predictor *p, const struct pmu_uarch_insn *insn,
		   const struct pmu_space *space)
{
	uint64_t pc = insn->code.vaddr;
	uint64_t behind = space_address(space, pc + insn->code.size);
	bool ret = true;

	if (insn->flow == PMU_FLOW_BRANCH)
		return branch(p, insn, behind);
	if (is_return(insn) && p->cfg.returns)
		ret = pop(p, insn->next);
	else if (insn->flow == PMU_FLOW_INDIRECT)
		ret = by_target(p, pc, insn->next);
	if (is_link(insn->rd))
		push(p, behind);
	return ret;
}
