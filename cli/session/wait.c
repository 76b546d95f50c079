/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a machine in words and as an exit code. */
#include "wait.h"

#include <pmuclient/machine.h>

#include "pmud.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"

int wait_failed(int code)
{
	return code == EXIT_UNREACHABLE ? EXIT_GONE : code;
}

int wait_for_stop(struct pmud *s, const char *machine,
		  Pmu__V1__WatchMachineResponse **ret)
{
	int err = pmuclient_wait(pmud_client(s), machine, pmud_timeout(s), ret);

	return err ? wait_failed(pmud_fail(s, err)) : EXIT_OK;
}

int wait_look(struct pmud *s, const char *machine, bool *ret_stands)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	Pmu__V1__GetMachineResponse *r = NULL;
	Pmu__V1__MachineState state;
	int code;

	req.machine = (char *)machine;
	code = PMUD_CALL(s, GetMachine, &req, &r);
	if (code)
		return code;
	state = r->machine->state;
	answer_free(r);
	*ret_stands = state == PMU__V1__MACHINE_STATE__MACHINE_STATE_NEW ||
		      state == PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED ||
		      state == PMU__V1__MACHINE_STATE__MACHINE_STATE_WAITING;
	if (state != PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED &&
	    state != PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED)
		return EXIT_OK;
	report_error("%s: the machine has %s", machine,
		     state == PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED
			     ? "ended"
			     : "crashed");
	return EXIT_FAILED;
}

/* Ends that need no words: the guest said itself how it went. */
static bool needs_no_note(Pmu__V1__StopCause cause)
{
	return cause == PMU__V1__STOP_CAUSE__STOP_CAUSE_SHUTDOWN ||
	       cause == PMU__V1__STOP_CAUSE__STOP_CAUSE_FINISHER_PASS ||
	       cause == PMU__V1__STOP_CAUSE__STOP_CAUSE_FINISHER_FAIL ||
	       cause == PMU__V1__STOP_CAUSE__STOP_CAUSE_HTIF;
}

int wait_exit_code(const Pmu__V1__MachineInfo *m)
{
	char cause[NAME_MAX_LEN];

	if (m->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_CRASHED) {
		report_error("machine %s: %s", m->id, m->detail);
		return m->exit_code ? m->exit_code & 0xff : EXIT_FAILED;
	}
	if (m->state != PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED)
		return EXIT_OK;
	name_enum(&pmu__v1__stop_cause__descriptor, (int)m->cause, cause);
	if (!needs_no_note(m->cause))
		report_note("the run ended: %s%s%s", cause,
			    *m->detail ? ": " : "", m->detail);
	if (m->exit_code && !(m->exit_code & 0xff))
		return EXIT_FAILED;
	return m->exit_code & 0xff;
}
