/* SPDX-License-Identifier: BSD-2-Clause */
/* Which pmuctl this is, and which pmud answers it. */
#include <stdio.h>

#include "command.h"
#include "show-answer.h"
#include "text/exit-codes.h"
#include "text/plain-text.h"
#include "pmu/v1/system.pb-c.h"

static int print_text(const void *answer)
{
	const Pmu__V1__GetVersionResponse *r = answer;

	puts("pmuctl " PMUD_VERSION);
	plain_printf(stdout, "pmud %s, protocol %s, traces of version %u\n",
		     r->version, r->protocol, r->trace_version);
	return EXIT_OK;
}

static int print_version(struct pmud *s, struct args *args)
{
	Pmu__V1__GetVersionRequest req = PMU__V1__GET_VERSION_REQUEST__INIT;

	return SHOW_ANSWER(s, args, GetVersion, &req, print_text);
}

const struct command version_commands[] = {
	{ "version", NULL, "Print the versions of pmuctl and of the daemon", 0,
	  0, 0, MAY_START_DAEMON, print_version },
	{ 0 },
};
