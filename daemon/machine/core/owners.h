/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine is its owners: each file of the core keeps a part of it to itself,
 * and here are only the ways to them, for the core alone
 * (tests/lint/layers.py). A const machine's lead to what is not const, too: who
 * has one only reads there. Two of these pointers change after machine_new():
 * that of the firmware, which a start and each reboot make, and that of what is
 * kept for a reboot, which a start makes, and a machine that takes the state of
 * another.
 *
 * The order at every stop point, with the clock at C, is what makes runs
 * repeat: timers and lines that are due (machine_settle), inputs stamped <= C
 * one by one, each followed by timers again, then limits, then whose turn it
 * is, then the interrupt of that hart, then its next instruction. Each part
 * leaves nothing to do for itself when asked again at the same C, so an
 * additional stop (a host slice, a pause, a breakpoint) changes nothing.
 */
#ifndef CORE_OWNERS_H
#define CORE_OWNERS_H

#include "clock.h"
#include "machine.h"

struct machine {
	const struct machine_config *cfg;
	struct pmu_timebase *timebase;
	struct recorder *recorder;
	struct board *board;
	struct engine *engine;
	struct fw *fw; /* NULL: not yet, or M-mode start */
	const struct clock *clock;
	struct life *life;	 /* states, causes, the end */
	struct plan *plan;	 /* how far the present hart may run */
	struct turn *turn;	 /* whose turn it is, and the clock */
	struct pace *pace;	 /* how fast the clock of an idle one goes */
	struct harts *harts;	 /* machine-hart.h */
	struct runner *runner;	 /* machine-exit.h: what the engine holds */
	struct hold *hold;	 /* machine-hold.h: steps, breakpoints */
	struct watches *watches; /* machine-watch.h: accesses to stop behind */
	struct console *console; /* machine-console.h: output under way */
	struct loops *loops;	 /* machine-loop.h: traps without end */
	struct notes *notes;	 /* machine-note.h: for people */
	struct inputs *inputs;	 /* those to come */
	struct ebb *ebb;	 /* ebb-session.h: of clients */
	struct deliveries *deliveries;	 /* deliveries.h: of overflows */
	struct call_memory *call_memory; /* call-memory.h: for SBI calls */
	struct samplers *samplers;	 /* machine-sample.h */
	struct sample_sums *sums;	 /* sample-sums.h: of samplers */
	struct injections *injections;	 /* injections.h: that wait */
	struct uarchs *uarchs;		 /* machine-uarch.h, or NULL */
	struct misses *misses;		 /* machine-misses.h, or NULL */
	struct images *images;		 /* images.h: what is loaded */
	struct kept *kept; /* machine-reset.h: for a reboot, or NULL */
};

static inline uint64_t machine_now(const struct machine *m)
{
	return clock_now(m->clock);
}

#endif
