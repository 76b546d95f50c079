/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trap loops: a hart that takes the same trap again and again without an
 * instruction in between does nothing else any more, mostly because nobody has
 * told it where its handler is. It is noted once for each hart, or ends the run
 * if that was wanted. Only traps are counted, so that it is the same in every
 * run, and no guest sees it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "machine-inside.h"

enum {
	TIMES = 1000,
};

static const char *cause_name(uint8_t cause)
{
	static const char *const names[] = {
		[PMU_CAUSE_FETCH_MISALIGNED] = "instruction misaligned",
		[PMU_CAUSE_FETCH_ACCESS] = "instruction access fault",
		[PMU_CAUSE_ILLEGAL] = "illegal instruction",
		[PMU_CAUSE_BREAKPOINT] = "breakpoint",
		[PMU_CAUSE_LOAD_MISALIGNED] = "load misaligned",
		[PMU_CAUSE_LOAD_ACCESS] = "load access fault",
		[PMU_CAUSE_STORE_MISALIGNED] = "store misaligned",
		[PMU_CAUSE_STORE_ACCESS] = "store access fault",
		[PMU_CAUSE_ECALL_U] = "ecall from U",
		[PMU_CAUSE_ECALL_S] = "ecall from S",
		[PMU_CAUSE_ECALL_VS] = "ecall from VS",
		[PMU_CAUSE_ECALL_M] = "ecall from M",
		[PMU_CAUSE_FETCH_PAGE] = "instruction page fault",
		[PMU_CAUSE_LOAD_PAGE] = "load page fault",
		[PMU_CAUSE_STORE_PAGE] = "store page fault",
	};

	if (cause >= sizeof(names) / sizeof(names[0]) || !names[cause])
		return "of a guest";
	return names[cause];
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

static void note(struct machine *m, struct hart *h)
{
	const struct trap_loop *l = &h->loop;
	char first[80] = "", why[96];

	if (l->has_first)
		snprintf(first, sizeof(first),
			 "after trap %u (%s) at 0x%" PRIx64 ", ",
			 l->first_cause, cause_name(l->first_cause),
			 l->first_pc);
	guess(m, h, why, sizeof(why));
	snprintf(h->note, sizeof(h->note),
		 "hart %u takes trap %u (%s) at 0x%" PRIx64
		 " again and again (%d times): %s%s",
		 machine_index(m, h), l->cause, cause_name(l->cause), l->pc,
		 TIMES, first, why);
	m->n_notes++;
}

static void stop(struct machine *m, const struct hart *h)
{
	if (m->ending)
		return;
	m->ending = true;
	m->cause = CAUSE_TRAP_LOOP;
	m->exit_code = EXIT_DEADLOCK;
	snprintf(m->detail, sizeof(m->detail), "%s", h->note);
	m->plan.stale = true;
}

void machine_watch_traps(struct machine *m, struct hart *h,
			 const struct pmu_trap *trap)
{
	struct trap_loop *l = &h->loop;
	uint64_t insns = pmu_hart_insns(h->pmu);
	bool goes_on = l->times && l->insns == insns;

	if (trap->interrupt)
		return;
	if (!goes_on || l->pc != trap->pc || l->cause != trap->cause) {
		*l = (struct trap_loop){
			.has_first = goes_on,
			.first_pc = l->pc,
			.first_cause = l->cause,
			.pc = trap->pc,
			.cause = trap->cause,
			.insns = insns,
		};
	}
	if (++l->times != TIMES)
		return;
	if (!h->note[0])
		note(m, h);
	if (m->cfg.settings.trap_loop)
		stop(m, h);
}

const char *machine_note(const struct machine *m, unsigned hart)
{
	return m->harts[hart].note;
}
