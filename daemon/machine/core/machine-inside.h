/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of a machine, for machine*.c alone.
 *
 * The order at every stop point, with the clock at C, is what makes runs
 * repeat: timers and lines that are due (machine_settle), inputs stamped <= C
 * one by one, each followed by timers again, then limits, then whose turn it
 * is, then the interrupt of that hart, then its next instruction. Each part
 * leaves nothing to do for itself when asked again at the same C, so an
 * additional stop (a host slice, a pause, a breakpoint) changes nothing. Three
 * things take no time and yet change something: a turn that begins, a hart that
 * begins to wait, a software event that is delivered without a trap. They are
 * counted, and the count is the second half of a stamp.
 */
#ifndef CORE_MACHINE_INSIDE_H
#define CORE_MACHINE_INSIDE_H

#include <fw/fw.h>
#include <pmu/counter.h>
#include <pmu/exec.h>
#include <pmu/translate.h>

#include "board/board.h"
#include "clock.h"
#include "engine/engine.h"
#include "input.h"
#include "machine.h"
#include "sched.h"

enum hart_wait {
	WAIT_NONE,
	WAIT_WFI,     /* retires when it ends, goes on at next_pc */
	WAIT_SUSPEND, /* SBI: its registers are already those it wakes with */
};

/* The trap that a hart took last, and how often without an instruction. */
struct trap_loop {
	uint64_t pc, insns;
	uint32_t times;
	uint8_t cause, first_cause;
	bool has_first;
	uint64_t first_pc; /* of another one, just before */
};

struct hart {
	struct pmu_hart *pmu;
	struct engine_ctx *ctx;
	enum hart_wait wait;
	uint64_t waited;      /* clock up to which waiting is accounted */
	uint64_t overflow_at; /* clock at which waiting overflows a counter */
	uint64_t next_pc;     /* behind the WFI */
	struct trap_loop loop;
	char note[256]; /* for people, or empty */
};

/* How far the present hart may run; valid until `stale`. */
struct plan {
	bool stale;
	bool irq; /* an interrupt may be takeable */
	bool room_stale;
	uint64_t clock;		  /* stop here */
	uint64_t insns;		  /* stop when the hart has retired so many */
	struct pmu_progress room; /* until the next counter overflow */
};

/* In place of a hart that steps. */
enum {
	STEP_NONE = -2,
	STEP_NEXT_TURN = -3 /* the hart that gets the next turn */
};

struct until {
	uint64_t insn, cycle, pc; /* UINT64_MAX: none; pc if has_pc */
	bool has_pc;
	int step_hart;			 /* or STEP_... */
	uint64_t step_insns, step_traps; /* the step ends with either */
	uint64_t step_wanted;		 /* instructions */
};

struct machine {
	struct machine_config cfg;
	enum machine_state state;
	enum machine_cause cause;
	int exit_code;
	char detail[256];
	unsigned n_notes; /* of harts */
	bool step_failed; /* detail says how far the last step came */

	struct pmu_timebase timebase;
	struct clock clock;
	struct sched sched;
	struct inputs inputs;
	struct recorder *recorder;
	struct board *board;
	struct engine *engine;
	struct fw *fw; /* NULL: M-mode start */
	struct hart harts[PMU_MAX_HARTS];

	struct loader loader;
	unsigned n_images;
	bool have_entry, fixed_entry; /* by the first image, by one with it */
	uint64_t entry;
	void *dtb; /* the user's, or generated */
	size_t dtb_size;

	/* the present run */
	struct plan plan;
	struct engine_budget budget;
	enum engine_regime regime;
	/* whose translations the engine's regimes hold */
	enum pmu_mode kernel_mode, kernel_data_mode, user_mode;
	uint64_t host_left;    /* host work until this slice ends */
	uint64_t here;	       /* pc that console output is put down to */
	uint64_t moment_clock; /* clock to which the next belongs */
	uint32_t moment;       /* turns, waits, events begun at that clock */
	bool console_eof;
	bool ending; /* the guest has ended it: cause, exit_code are set */

	struct until until;
	uint64_t breakpoints[MACHINE_MAX_BREAKPOINTS];
	size_t n_breakpoints;
	bool skip_break; /* the next instruction has been stopped at */
	uint8_t *out;	 /* console output of the device access under way */
	size_t n_out, out_cap;
};

static inline uint64_t machine_now(const struct machine *m)
{
	return clock_now(&m->clock);
}

/* The hart whose turn it is; somebody's it must be. */
static inline struct hart *machine_current(struct machine *m)
{
	return &m->harts[m->sched.cur];
}

static inline unsigned machine_index(const struct machine *m,
				     const struct hart *h)
{
	return (unsigned)(h - m->harts);
}

#include "machine-parts.h"

#endif
