/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a machine in words and as an exit code. */
#include "wait.h"

#include <stdbool.h>

#include <pmuclient/machine.h>

#include "conn.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/say.h"

int wait_failed(int code)
{
	return code == EXIT_UNREACHABLE ? EXIT_GONE : code;
}

int wait_for_stop(struct conn *s, const char *machine,
		  Pmu__V1__WatchMachineResponse **ret)
{
	int err = pmuclient_wait(conn_client(s), machine, conn_timeout(s), ret);

	return err ? wait_failed(conn_fail(s, err)) : EXIT_OK;
}

/* Ends that need no words: the guest said itself how it went. */
static bool speaks_for_itself(Pmu__V1__StopCause cause)
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
		say_error("machine %s: %s", m->id, m->detail);
		return m->exit_code ? m->exit_code & 0xff : EXIT_FAILED;
	}
	if (m->state != PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED)
		return EXIT_OK;
	name_enum(&pmu__v1__stop_cause__descriptor, (int)m->cause, cause);
	if (!speaks_for_itself(m->cause))
		say_note("the run ended: %s%s%s", cause, *m->detail ? ": " : "",
			 m->detail);
	if (m->exit_code && !(m->exit_code & 0xff))
		return EXIT_FAILED;
	return m->exit_code & 0xff;
}
