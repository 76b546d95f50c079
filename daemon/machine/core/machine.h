/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One machine: harts, board, firmware model and engine, and what may be done
 * to them. It runs in host slices: machine_run() returns now and then and is
 * called again; between two calls everything here may be called, and nothing
 * but inputs (machine_input) and images changes what the guest sees. Who asks,
 * and over which wire, is control.c's.
 */
#ifndef CORE_MACHINE_H
#define CORE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "input.h"
#include "life.h"
#include "machine-error.h"
#include "machine-load.h"
#include "machine-stop.h"
#include "recorder.h"
#include "board/dt.h"
#include "settings/footprint.h"

enum {
	MACHINE_MAX_IMAGES = 16,
	MACHINE_MAX_PEEK = 1 << 20, /* bytes of one memory access */
};
#define MACHINE_MAX_MEMORY FOOTPRINT_MAX_MEMORY

struct machine_config {
	unsigned harts;	 /* 0: 1 */
	uint64_t memory; /* bytes, 0: FOOTPRINT_DEFAULT_MEMORY */
	bool m_mode;	 /* start in M-mode, without firmware */
	char bootargs[DT_MAX_BOOTARGS + 1];
	struct settings settings;
	struct pacer *pacer; /* the caller's; NULL: idle time is skipped */
};

struct machine;

/*
 * Builds a machine in the state NEW: all memory and all engine slots are there
 * afterwards. @recorder must outlive it and belongs to the caller.
 */
bool machine_new(struct machine **ret, const struct machine_config *cfg,
		 struct recorder *recorder, struct error *e);
void machine_free(struct machine *m); /* NULL is fine */
const struct machine_config *machine_config(const struct machine *m);

/* A copy of its device tree, to be freed. @guest: as S-mode has it (C104). */
bool machine_device_tree(const struct machine *m, bool guest, void **ret,
			 size_t *ret_size, struct error *e);
bool machine_start(struct machine *m, bool paused, struct error *e);

/*
 * Runs while RUNNING, at most about @soft instructions of host work. Returns
 * early when the state changes or records have to be taken.
 */
void machine_run(struct machine *m, uint64_t soft);
/*
 * While it is RUNNING: does it wait for its pacer until the clock is at
 * *@ret_until? machine_run() before that does nothing else.
 */
bool machine_sleeps(const struct machine *m, uint64_t *ret_until);
/* Whoever looks from now on sees the clock where it has come to by now. */
void machine_look(struct machine *m);

struct machine_status {
	enum machine_state state;
	enum machine_cause cause;
	int exit_code;
	const char *detail;
	uint64_t cycle, insn;
	unsigned hart;	  /* that runs next */
	unsigned n_notes; /* see machine_note() */
	const struct machine_access *watched;
	const struct ebb_session *ebb; /* it stands for its handler; or NULL */
};
void machine_status(const struct machine *m, struct machine_status *ret);
/* What people should know of the run; @i is below n_notes. */
const char *machine_note(const struct machine *m, unsigned i);

/* Queues an input of a recorded run, in the state NEW. */
bool machine_queue(struct machine *m, const struct input *in, struct error *e);
size_t machine_queued(const struct machine *m); /* how many wait */
/*
 * An input that acts now: stamped, recorded, done. All but console bytes, acts
 * of EBB sessions and events need PAUSED or a frozen machine. @ret_sbi (may be
 * NULL): what an SBI call answered, with returned = false if the hart is gone.
 */
bool machine_input(struct machine *m, const struct input *in,
		   struct record_sbi *ret_sbi, struct error *e);
/* Could @all be done now, a memory write as long as several inputs? */
bool machine_check_write(struct machine *m, const struct input *all,
			 struct error *e);
/* No console byte will ever come. */
void machine_console_eof(struct machine *m);

#endif
