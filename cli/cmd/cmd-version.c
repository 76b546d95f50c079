/* SPDX-License-Identifier: BSD-2-Clause */
/* Which pmuctl this is, and which pmud answers it. */
#include <stdio.h>

#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "text/plain-text.h"
#include "pmu/v1/system.pb-c.h"

static void print_text(const Pmu__V1__GetVersionResponse *r)
{
	puts("pmuctl " PMUD_VERSION);
	plain_printf(stdout, "pmud %s, protocol %s, traces of version %u\n",
		     r->version, r->protocol, r->trace_version);
}

static int print_version(struct pmud *s, struct args *args)
{
	Pmu__V1__GetVersionRequest req = PMU__V1__GET_VERSION_REQUEST__INIT;
	Pmu__V1__GetVersionResponse *r = NULL;
	int code = PMUD_CALL(s, GetVersion, &req, &r);

	if (!code && args->json)
		code = json_print(stdout, &r->base) ? EXIT_FAILED : EXIT_OK;
	else if (!code)
		print_text(r);
	answer_free(r);
	return code;
}

const struct command version_commands[] = {
	{ "version", NULL, "Print the versions of pmuctl and of the daemon", 0,
	  0, 0, MAY_START_DAEMON, print_version },
	{ 0 },
};
