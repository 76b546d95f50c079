/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that let a machine run or hold it, and what state it is in.
 */
#include "control-inside.h"

Pmu__V1__MachineInfo *control_info(struct control *c)
{
	Pmu__V1__MachineInfo *info =
		control_message(c, &pmu__v1__machine_info__descriptor);
	struct machine_status s;

	machine_status(c->machine, &s);
	info->state = encode_state(s.state);
	info->cause = encode_cause(s.cause);
	info->exit_code = s.exit_code;
	info->detail = control_text(c, s.detail);
	info->cycle = s.cycle;
	info->insn = s.insn;
	info->hart = s.hart;
	info->config = c->given;
	info->notes = control_alloc(c, s.n_notes * sizeof(*info->notes));
	for (unsigned i = 0; info->n_notes < s.n_notes; i++)
		if (*machine_note(c->machine, i))
			info->notes[info->n_notes++] =
				control_text(c, machine_note(c->machine, i));
	return info;
}

enum handled control_answer_info(struct control *c, const struct request *r,
				 bool good)
{
	if (!good)
		return HANDLED_FAILED;
	r->reply->result_case = PMU__INTERNAL__REPLY__RESULT_MACHINE;
	r->reply->machine = control_info(c);
	return HANDLED_DONE;
}

enum handled control_get(struct control *c, const struct request *r)
{
	return control_answer_info(c, r, true);
}

enum handled control_start(struct control *c, const struct request *r)
{
	bool good = machine_start(c->machine, r->msg->start->paused, r->error);

	/* half an image is none, and its memory is the machine's share */
	if (good && c->upload.kind != PMU__V1__IMAGE_KIND__IMAGE_KIND_SYMBOLS)
		control_drop_upload(c);
	return control_answer_info(c, r, good);
}

enum handled control_pause(struct control *c, const struct request *r)
{
	return control_answer_info(c, r, machine_pause(c->machine, r->error));
}

enum handled control_resume(struct control *c, const struct request *r)
{
	control_finish_step(c);
	return control_answer_info(c, r, machine_resume(c->machine, r->error));
}

/* Answered when the machine stands again. */
enum handled control_step(struct control *c, const struct request *r)
{
	control_finish_step(c);
	if (!machine_step(c->machine, r->msg->step->insns, r->error))
		return HANDLED_FAILED;
	c->step_id = r->msg->id;
	return HANDLED_LATER;
}

enum handled control_run_until(struct control *c, const struct request *r)
{
	const Pmu__V1__RunUntilRequest *q = r->msg->run_until;
	struct machine_until until = { 0 };

	switch (q->condition_case) {
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION_INSN:
		until.kind = UNTIL_INSN;
		until.value = q->insn;
		break;
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION_CYCLE:
		until.kind = UNTIL_CYCLE;
		until.value = q->cycle;
		break;
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION_PC:
		until.kind = UNTIL_PC;
		until.value = q->pc;
		break;
	case PMU__V1__RUN_UNTIL_REQUEST__CONDITION__NOT_SET:
	case _PMU__V1__RUN_UNTIL_REQUEST__CONDITION__CASE_IS_INT_SIZE:
		error_set(r->error, STATUS_INVALID_ARGUMENT,
			  AT("condition", "FIELD_MISSING"),
			  "condition: one of insn, cycle, pc is needed");
		return HANDLED_FAILED;
	}
	control_finish_step(c);
	return control_answer_info(
		c, r, machine_run_until(c->machine, &until, r->error));
}

enum handled control_set_breakpoints(struct control *c, const struct request *r)
{
	const Pmu__V1__SetBreakpointsRequest *q = r->msg->set_breakpoints;

	return control_good(machine_set_breakpoints(c->machine, q->pcs,
						    q->n_pcs, r->error));
}
