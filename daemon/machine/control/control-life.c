/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that let a machine run or hold it, and what state it is in, asked or
 * not.
 */
#include <stdlib.h>

#include <inttypes.h>
#include <stdio.h>

#include "codec-answer.h"
#include "codec-request.h"
#include "control-inside.h"
#include "core/ebb-session.h"
#include "core/machine-read.h"
#include "core/machine-stop.h"

/* Why a machine that is RUNNING does not. */
static char *frozen(struct control *c, const struct ebb_session *s)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "frozen: the handler of EBB session %" PRIu32
		 ", on hart %" PRIu32 ", has not returned",
		 s->number, s->hart);
	return control_text(c, text);
}

/* The same where it has been told more than its ring holds. */
static char *late(struct control *c, uint32_t session)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "held: the client of EBB session %" PRIu32
		 " does not take what it is told",
		 session);
	return control_text(c, text);
}

static void encode_pieces(struct control *c, Pmu__V1__MachineInfo *ret)
{
	ret->engine = control_alloc(c, ENGINE_PIECES * sizeof(*ret->engine));
	for (unsigned i = 0; i < ENGINE_PIECES; i++) {
		Pmu__V1__EnginePiece *to =
			control_message(c, &pmu__v1__engine_piece__descriptor);
		struct engine_piece from;

		machine_engine_piece(c->machine, i, &from);
		encode_piece(&from, to);
		ret->engine[ret->n_engine++] = to;
	}
}

static void encode_stepped(struct control *c, Pmu__V1__MachineInfo *ret)
{
	unsigned n = machine_config(c->machine)->harts;

	ret->stepped_harts = control_alloc(c, n * sizeof(*ret->stepped_harts));
	for (unsigned i = 0; i < n; i++)
		if (machine_steps(c->machine, i))
			ret->stepped_harts[ret->n_stepped_harts++] = i;
}

Pmu__V1__MachineInfo *control_info(struct control *c)
{
	Pmu__V1__MachineInfo *info =
		control_message(c, &pmu__v1__machine_info__descriptor);
	struct machine_status s;

	machine_status(c->machine, &s);
	encode_status(&s, info);
	info->detail = s.ebb ? frozen(c, s.ebb) : control_text(c, s.detail);
	if (!s.ebb) {
		info->ebb_session = ebb_rings_flush(c->rings);
		if (info->ebb_session)
			info->detail = late(c, info->ebb_session);
	}
	if (s.cause == CAUSE_WATCHPOINT) {
		info->watched = control_message(
			c, &pmu__v1__watched_access__descriptor);
		encode_access(s.watched, info->watched);
	}
	encode_pieces(c, info);
	encode_stepped(c, info);
	info->code_emptied = machine_code_emptied(c->machine);
	info->image_bias = machine_image_bias(c->machine);
	info->notes = control_alloc(c, s.n_notes * sizeof(*info->notes));
	for (unsigned i = 0; i < s.n_notes; i++)
		info->notes[info->n_notes++] =
			control_text(c, machine_note(c->machine, i));
	return info;
}

struct told {
	enum machine_state state;
	enum machine_cause cause;
	unsigned notes;
	uint64_t step_id; /* of the call that waits for a step; 0: none does */
};

struct told *told_new(void)
{
	struct told *t = calloc(1, sizeof(*t));

	if (t)
		t->state = MACHINE_NEW;
	return t;
}

void told_free(struct told *t)
{
	free(t);
}

/* Answers a step whose end nobody has been told yet, if there is one. */
static void finish_step(struct control *c)
{
	Pmu__V1__StepMachineResponse answer =
		PMU__V1__STEP_MACHINE_RESPONSE__INIT;
	struct machine_status s;

	machine_status(c->machine, &s);
	if (!c->told->step_id || s.state == MACHINE_RUNNING)
		return;
	answer.machine = control_info(c);
	control_send_answer(c, c->told->step_id, &answer.base);
	c->told->step_id = 0;
}

/* Is @s what pmud knows? It does from now on. */
static bool is_known(struct told *t, const struct machine_status *s)
{
	bool known = s->state == t->state && s->cause == t->cause &&
		     s->n_notes == t->notes;

	t->state = s->state;
	t->cause = s->cause;
	t->notes = s->n_notes;
	return known;
}

void control_tell_state(struct control *c)
{
	Pmu__Internal__FromMachine from = PMU__INTERNAL__FROM_MACHINE__INIT;
	struct machine_status s;

	finish_step(c);
	control_free_replies(c);
	machine_status(c->machine, &s);
	if (is_known(c->told, &s))
		return;
	from.what_case = PMU__INTERNAL__FROM_MACHINE__WHAT_NOTICE;
	from.notice = control_info(c);
	(void)control_send(c, &from, NULL);
	control_free_replies(c);
}

/* The state, where what was wanted is @done. */
static enum handled tell_state(struct control *c, bool done,
			       Pmu__V1__MachineInfo **ret)
{
	if (done)
		*ret = control_info(c);
	return control_good(done);
}

enum handled control_get_machine(struct control *c,
				 const Pmu__V1__GetMachineRequest *q,
				 Pmu__V1__GetMachineResponse *answer,
				 struct error *e)
{
	return tell_state(c, true, &answer->machine);
}

enum handled control_start_machine(struct control *c,
				   const Pmu__V1__StartMachineRequest *q,
				   Pmu__V1__StartMachineResponse *answer,
				   struct error *e)
{
	bool good = machine_start(c->machine, q->paused, e);

	if (good)
		control_end_uploads(c);
	return tell_state(c, good, &answer->machine);
}

enum handled control_pause_machine(struct control *c,
				   const Pmu__V1__PauseMachineRequest *q,
				   Pmu__V1__PauseMachineResponse *answer,
				   struct error *e)
{
	return tell_state(c, machine_pause(c->machine, e), &answer->machine);
}

enum handled control_resume_machine(struct control *c,
				    const Pmu__V1__ResumeMachineRequest *q,
				    Pmu__V1__ResumeMachineResponse *answer,
				    struct error *e)
{
	finish_step(c);
	return tell_state(c, machine_resume(c->machine, e), &answer->machine);
}

/* Answered when the machine stands again. */
enum handled control_step_machine(struct control *c,
				  const Pmu__V1__StepMachineRequest *q,
				  Pmu__V1__StepMachineResponse *answer,
				  struct error *e)
{
	struct machine_step step = decode_step(q);

	finish_step(c);
	if (!machine_step(c->machine, &step, e))
		return HANDLED_FAILED;
	c->told->step_id = c->call_id;
	return HANDLED_LATER;
}

enum handled control_run_until(struct control *c,
			       const Pmu__V1__RunUntilRequest *q,
			       Pmu__V1__RunUntilResponse *answer,
			       struct error *e)
{
	struct machine_until until = { 0 };

	if (!decode_until(q, &until, e))
		return HANDLED_FAILED;
	finish_step(c);
	return tell_state(c, machine_run_until(c->machine, &until, e),
			  &answer->machine);
}

enum handled control_set_breakpoints(struct control *c,
				     const Pmu__V1__SetBreakpointsRequest *q,
				     Pmu__V1__SetBreakpointsResponse *answer,
				     struct error *e)
{
	struct machine_watchpoint points[MACHINE_MAX_WATCHPOINTS];
	size_t n = q->n_watchpoints;

	for (size_t i = 0; i < n && i < MACHINE_MAX_WATCHPOINTS; i++)
		points[i] = decode_watchpoint(q->watchpoints[i]);
	/* breakpoints that are refused leave both as they were */
	return control_good(
		machine_takes_breakpoints(c->machine, q->pcs, q->n_pcs, e) &&
		machine_set_watchpoints(c->machine, points, n, e) &&
		machine_set_breakpoints(c->machine, q->pcs, q->n_pcs, e));
}
