/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A step is one call, answered when the hart has made it; else the machine's
 * changes of state are watched. Both are streams that the caller's loop polls.
 */
#include "gdb-run.h"

#include <stdio.h>

#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/report.h"

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name
#define CAUSE(name) PMU__V1__STOP_CAUSE__STOP_CAUSE_##name

static bool control(struct gdb_target *t, enum pmuclient_action action,
		    uint64_t value, Pmu__V1__MachineInfo **ret)
{
	int err = pmuclient_control(pmud_client(t->pmud), t->machine, action,
				    value, ret);

	t->lost |= err == -PMUCLIENT_ELOST;
	return !err;
}

static int make_stand(struct pmud *pmud, const char *machine)
{
	Pmu__V1__MachineInfo *m = NULL;
	int code = pmud_control(pmud, machine, PMUCLIENT_GET, 0, &m);

	if (code)
		return code;
	if (m->state == STATE(NEW)) {
		code = pmud_control(pmud, machine, PMUCLIENT_START, 1, NULL);
	} else if (m->state == STATE(RUNNING) || m->state == STATE(WAITING)) {
		/* refused, it has ended meanwhile, and can be looked at */
		pmuclient_pause(pmud_client(pmud), machine);
	} else if (m->state == STATE(CRASHED)) {
		report_error("machine %s: %s", m->id, m->detail);
		code = EXIT_FAILED;
	}
	answer_free(m);
	return code;
}

int gdb_run_attach(struct gdb_run *r, struct gdb_target *t, struct pmud *pmud,
		   const char *machine)
{
	int code = make_stand(pmud, machine);

	*r = (struct gdb_run){ .target = t };
	return code ? code : gdb_target_init(t, pmud, machine);
}

/* Opens the stream that will tell of the stop. */
static bool wait_on(struct gdb_run *r, const char *method,
		    const ProtobufCMessage *req,
		    const ProtobufCMessageDescriptor *response)
{
	struct gdb_target *t = r->target;
	int err = pmuclient_open(pmud_client(t->pmud), method, req, response,
				 &r->waiting);

	t->lost |= err == -PMUCLIENT_ELOST;
	return !err;
}

static bool watch(struct gdb_run *r)
{
	Pmu__V1__WatchMachineRequest req = PMU__V1__WATCH_MACHINE_REQUEST__INIT;

	req.machine = (char *)r->target->machine;
	r->watching = true;
	return wait_on(r, METHOD_PATH(WatchMachine), &req.base,
		       METHOD_ANSWER(WatchMachine));
}

static bool step(struct gdb_run *r)
{
	Pmu__V1__StepMachineRequest req = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	req.machine = (char *)r->target->machine;
	req.insns = 1;
	req.trap_ends = true;
	if (r->how.step > 0) {
		req.which_case = PMU__V1__STEP_MACHINE_REQUEST__WHICH_HART;
		req.hart = (uint32_t)(r->how.step - 1);
	}
	r->watching = false;
	return wait_on(r, METHOD_PATH(StepMachine), &req.base,
		       METHOD_ANSWER(StepMachine));
}

/* Where the hart is that is to step: it may stand on a breakpoint. */
static void note_place(struct gdb_run *r)
{
	r->from_hart = r->how.step > 0 ? r->how.step - 1 : -1;
	if (r->from_hart >= 0 &&
	    !gdb_register_read(r->target, (unsigned)r->from_hart, GDB_PC,
			       &r->from))
		r->from_hart = -1;
}

/*
 * GDB takes it that a hart of RISC-V stops before the access that is watched:
 * it takes the watchpoint away and steps. The machine stands behind it.
 */
static bool is_made(struct gdb_run *r, const struct rsp_resume *how)
{
	struct gdb_stop was = r->behind;
	struct gdb_point point;

	r->behind.why = GDB_STOPPED;
	return was.why == GDB_WATCH && how->step == was.hart + 1 &&
	       !gdb_watch_at(r->target, was.point.address, 1, &point);
}

bool gdb_run_resume(struct gdb_run *r, const struct rsp_resume *how)
{
	struct gdb_target *t = r->target;
	bool steps = how->step != RSP_ANY;

	r->stays = is_made(r, how);
	if (r->stays)
		return true;
	/*
	 * GDB takes breakpoints away for a hart to step off its own, and thinks
	 * that the others stand; for them they stay.
	 */
	if (!gdb_points_send(t, steps && !how->others && t->harts > 1))
		return false;
	r->how = *how;
	r->pausing = false;
	r->note[0] = '\0';
	note_place(r);
	gdb_target_moved(t);
	if (steps)
		return step(r);
	return control(t, PMUCLIENT_RESUME, 0, NULL) && watch(r);
}

void gdb_run_pause(struct gdb_run *r)
{
	if (!r->waiting)
		return;
	r->pausing = true;
	/* refused, it has stopped already, as will be heard */
	control(r->target, PMUCLIENT_PAUSE, 0, NULL);
}

void gdb_run_drop(struct gdb_run *r)
{
	pmuclient_close(r->waiting);
	r->waiting = NULL;
	r->stays = false;
}

static bool goes(const Pmu__V1__MachineInfo *m)
{
	return m->state == STATE(RUNNING) || m->state == STATE(WAITING);
}

static enum gdb_why why_paused(struct gdb_run *r, const Pmu__V1__MachineInfo *m)
{
	if (m->cause == CAUSE(BREAKPOINT))
		return GDB_BREAK;
	if (m->cause == CAUSE(WATCHPOINT) && m->watched)
		return GDB_WATCH;
	return r->pausing ? GDB_PAUSED : GDB_STOPPED;
}

/* Which hart it was, and which point. */
static void find_point(struct gdb_run *r, const Pmu__V1__MachineInfo *m,
		       struct gdb_stop *ret)
{
	struct gdb_target *t = r->target;
	uint64_t pc;

	if (ret->why == GDB_WATCH)
		ret->hart = m->watched->hart;
	else if (m->cause == CAUSE(STEP) && r->from_hart >= 0)
		ret->hart = (unsigned)r->from_hart;
	if (ret->hart >= t->harts)
		ret->hart = 0;
	if (ret->why == GDB_WATCH &&
	    !gdb_watch_at(t, m->watched->address, m->watched->bytes,
			  &ret->point))
		ret->why = GDB_STOPPED;
	if (ret->why == GDB_BREAK &&
	    gdb_register_read(t, ret->hart, GDB_PC, &pc))
		gdb_point_at(t, pc, &ret->point.kind);
}

static void tell(struct gdb_run *r, const Pmu__V1__MachineInfo *m,
		 struct gdb_stop *ret)
{
	*ret = (struct gdb_stop){ .hart = m->hart };
	snprintf(r->note, sizeof(r->note), "%s", m->detail);
	if (m->state == STATE(CRASHED)) {
		ret->why = GDB_CRASHED;
	} else if (m->state == STATE(ENDED)) {
		ret->why = GDB_ENDED;
		ret->code = m->exit_code;
	} else {
		ret->why = why_paused(r, m);
	}
	find_point(r, m, ret);
	r->behind = *ret;
}

void gdb_run_status(struct gdb_run *r, struct gdb_stop *ret)
{
	Pmu__V1__MachineInfo *m;

	*ret = (struct gdb_stop){ .why = GDB_VANISHED };
	if (!control(r->target, PMUCLIENT_GET, 0, &m))
		return;
	tell(r, m, ret);
	answer_free(m);
}

/* It has not left its place, but met the breakpoint there, or is in range. */
static bool must_step_on(struct gdb_run *r, const struct gdb_stop *stop,
			 Pmu__V1__StopCause cause)
{
	uint64_t pc;

	if (r->how.step == RSP_ANY || r->pausing ||
	    !gdb_register_read(r->target, stop->hart, GDB_PC, &pc))
		return false;
	if (cause == CAUSE(BREAKPOINT))
		return stop->hart == r->from_hart && pc == r->from;
	return cause == CAUSE(STEP) && pc >= r->how.lo && pc < r->how.hi;
}

/* What a message of the stream says; true: it stands. */
static bool take(struct gdb_run *r, const Pmu__V1__MachineInfo *m,
		 struct gdb_stop *ret)
{
	struct gdb_target *t = r->target;

	if (goes(m) && r->watching)
		return false;
	gdb_run_drop(r);
	if (goes(m)) /* a step that waits for what only input can bring */
		return !watch(r);
	gdb_target_moved(t);
	tell(r, m, ret);
	if (!must_step_on(r, ret, m->cause))
		return true;
	gdb_target_moved(t);
	return !step(r);
}

/* The info of a message, whichever of the two it is. */
static const Pmu__V1__MachineInfo *info_of(const struct gdb_run *r,
					   const ProtobufCMessage *msg)
{
	if (r->watching)
		return ((const Pmu__V1__WatchMachineResponse *)msg)->machine;
	return ((const Pmu__V1__StepMachineResponse *)msg)->machine;
}

bool gdb_run_poll(struct gdb_run *r, struct gdb_stop *ret)
{
	const Pmu__V1__MachineInfo *m;
	ProtobufCMessage *msg;
	bool stands;
	int n;

	if (r->stays) {
		r->stays = false;
		gdb_run_status(r, ret);
		r->behind.why = GDB_STOPPED;
		if (ret->why == GDB_WATCH)
			ret->why = GDB_STOPPED;
		return true;
	}
	while (r->waiting) {
		n = pmuclient_take(r->waiting, &msg);
		if (n == -PMUCLIENT_ETIMEOUT)
			return false;
		*ret = (struct gdb_stop){ .why = GDB_VANISHED };
		if (n != 1) {
			r->target->lost |= n == -PMUCLIENT_ELOST;
			gdb_run_drop(r);
			return true;
		}
		m = info_of(r, msg);
		stands = !m || take(r, m, ret);
		answer_free(msg);
		if (stands)
			return true;
	}
	return false;
}

bool gdb_run_leave(struct gdb_run *r, bool run)
{
	bool good;

	if (gdb_run_is_under_way(r)) {
		gdb_run_pause(r);
		gdb_run_drop(r);
	}
	good = gdb_points_clear(r->target);
	if (good && run)
		/* refused, it has ended */
		control(r->target, PMUCLIENT_RESUME, 0, NULL);
	return good;
}
