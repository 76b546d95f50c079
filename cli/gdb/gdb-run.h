/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Letting a machine go on as a debugger asks, and why it stands again. A hart
 * is stepped by letting the machine run until it has executed one instruction:
 * the others have their turns, since to hold them would be another run.
 */
#ifndef CLI_GDB_GDB_RUN_H
#define CLI_GDB_GDB_RUN_H

#include "gdb-target.h"
#include "rsp-text.h"

enum gdb_why {
	GDB_STOPPED,  /* a step is done, or somebody paused it */
	GDB_PAUSED,   /* we did */
	GDB_BREAK,    /* before an instruction with a breakpoint */
	GDB_WATCH,    /* behind an access with a watchpoint */
	GDB_ENDED,    /* the machine: its exit code */
	GDB_CRASHED,  /* its process */
	GDB_VANISHED, /* it was deleted, or the daemon is gone */
};

struct gdb_stop {
	enum gdb_why why;
	unsigned hart;
	struct gdb_point point; /* BREAK: its kind; WATCH: and a byte of it */
	int code;		/* ENDED: exit code */
};

struct gdb_run {
	struct gdb_target *target;
	struct pmuclient_stream *waiting; /* for a stop; NULL: it stands */
	bool watching;		/* it tells every change, not a step's end */
	bool pausing;		/* we asked */
	struct gdb_stop behind; /* the last stop, if it was a WATCH */
	bool stays;		/* a step that is over already */
	struct rsp_resume how;
	int64_t from_hart; /* of the hart that steps: -1: not known */
	uint64_t from;	   /* where it was */
	char note[160];	   /* of the last stop, for people; may be empty */
};

static inline bool gdb_run_is_under_way(const struct gdb_run *r)
{
	return r->waiting != NULL || r->stays;
}

/*
 * Makes a machine stand, in whichever state it is, and fills @t. Returns an
 * exit code after an error was said.
 */
int gdb_run_attach(struct gdb_run *r, struct gdb_target *t, struct pmud *pmud,
		   const char *machine);
/* False: it cannot; it stands as before. */
bool gdb_run_resume(struct gdb_run *r, const struct rsp_resume *how);
/* Asks it to stop; gdb_run_poll() tells when it has. */
void gdb_run_pause(struct gdb_run *r);
/* Takes what has come. True: it stands, and why. Never waits. */
bool gdb_run_poll(struct gdb_run *r, struct gdb_stop *ret);
/* How it stands now. */
void gdb_run_status(struct gdb_run *r, struct gdb_stop *ret);
/* Forgets that it waits. */
void gdb_run_drop(struct gdb_run *r);
/* Without breakpoints, running if @run; ends gdb_run_attach(). */
bool gdb_run_leave(struct gdb_run *r, bool run);

#endif
