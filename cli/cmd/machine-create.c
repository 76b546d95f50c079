/* SPDX-License-Identifier: BSD-2-Clause */
/* The call, and what helps whoever mistyped a setting. */
#include "machine-create.h"

#include "suggest.h"
#include "text/exit-codes.h"

const char *args_image(const struct args *args)
{
	if (args->n_arg)
		return args->arg[0];
	return args->kernel ? args->kernel : args->bios;
}

int machine_create(struct machine_options *o, const struct args *args,
		   struct pmud *pmud, Pmu__V1__CreateMachineResponse **ret)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	int code;

	req.config = &o->config;
	req.recording = &o->recording;
	req.detach = args->detach;
	code = PMUD_CALL(pmud, CreateMachine, &req, ret);
	if (code == EXIT_USAGE)
		suggest_settings(pmud, args);
	return code;
}
