/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trap loops: a hart that takes the same trap again and again without an
 * instruction in between does nothing else any more, mostly because nobody has
 * told it where its handler is. It is noted once for each hart, or ends the run
 * if that was wanted.
 */
#include "machine-loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>

#include "machine-note.h"
#include "plan.h"

enum {
	TIMES = 1000,
};

/* The trap that a hart took last, and how often without an instruction. */
struct trap_loop {
	uint64_t pc, insns;
	uint32_t times;
	uint8_t cause, first_cause;
	bool has_first;
	bool noted;
	uint64_t first_pc; /* of another one, just before */
};

struct loops {
	struct trap_loop of[PMU_MAX_HARTS];
};

struct loops *loops_new(void)
{
	return calloc(1, sizeof(struct loops));
}

void loops_free(struct loops *l)
{
	free(l);
}

static const char *cause_name(uint8_t cause)
{
	const char *name = pmu_cause_name(cause);

	return name ? name : "of no known kind";
}

/* The CSR that holds the handler's address, for the mode that traps end in. */
static uint16_t vector_of(const struct hart *h)
{
	enum pmu_mode mode = pmu_hart_mode(h->pmu);

	if (mode == PMU_MODE_M)
		return PMU_CSR_MTVEC;
	if (pmu_mode_is_guest(mode))
		return PMU_CSR_VSTVEC;
	return PMU_CSR_STVEC;
}

/* The likely reason, for people. */
static void guess(const struct machine *m, const struct hart *h, char *text,
		  size_t size)
{
	uint16_t csr = vector_of(h);
	const char *name = pmu_csr_name(h->pmu, csr);
	uint64_t vector = 0;

	pmu_csr_peek(h->pmu, csr, machine_now(m), &vector);
	if (vector)
		snprintf(text, size, "the handler at 0x%" PRIx64 " (%s) traps",
			 vector & ~UINT64_C(3), name);
	else
		snprintf(text, size, "%s is 0, no handler was set%s", name,
			 csr == PMU_CSR_MTVEC
				 ? "; a guest for S-mode must not start "
				   "in M-mode"
				 : "");
}

/* Returns its text. */
static const char *note(struct machine *m, const struct hart *h)
{
	struct trap_loop *l = &m->loops->of[h->index];
	char first[80] = "", why[96];

	if (l->has_first)
		snprintf(first, sizeof(first),
			 "after trap %u (%s) at 0x%" PRIx64 ", ",
			 l->first_cause, cause_name(l->first_cause),
			 l->first_pc);
	guess(m, h, why, sizeof(why));
	l->noted = true;
	return notes_add(m->notes,
			 "hart %u takes trap %u (%s) at 0x%" PRIx64
			 " again and again (%d times): %s%s",
			 h->index, l->cause, cause_name(l->cause), l->pc, TIMES,
			 first, why);
}

static void stop(struct machine *m, const char *why)
{
	if (!life_end_soon(m->life, CAUSE_TRAP_LOOP, 0))
		return;
	life_tell(m->life, why);
	plan_stop_wanted(m->plan);
}

void loops_watch(struct machine *m, const struct hart *h,
		 const struct pmu_trap *trap)
{
	struct trap_loop *l = &m->loops->of[h->index];
	uint64_t insns = pmu_hart_insns(h->pmu);
	bool goes_on = l->times && l->insns == insns;
	const char *text;

	if (trap->interrupt)
		return;
	if (!goes_on || l->pc != trap->pc || l->cause != trap->cause) {
		l->has_first = goes_on;
		l->first_pc = l->pc;
		l->first_cause = l->cause;
		l->pc = trap->pc;
		l->cause = trap->cause;
		l->insns = insns;
		l->times = 0;
	}
	if (++l->times != TIMES || l->noted)
		return;
	text = note(m, h);
	if (m->cfg->settings.trap_loop)
		stop(m, text);
}

void loops_give(const struct loops *l, struct state *to)
{
	state_put(to, "loops", l, sizeof(*l));
}

void loops_take(struct loops *l, struct state *from)
{
	state_get(from, "loops", l, sizeof(*l));
}
