/* SPDX-License-Identifier: BSD-2-Clause */
/* SystemService: what pmud says of itself. */
#include "wire/record.h"
#include "rpc-services.h"

void serve_get_version(struct rpc_call *call,
		       const Pmu__V1__GetVersionRequest *req)
{
	Pmu__V1__GetVersionResponse answer =
		PMU__V1__GET_VERSION_RESPONSE__INIT;

	answer.version = (char *)PMUD_VERSION;
	answer.protocol =
		(char *)pmu__v1__get_version_response__descriptor.package_name;
	answer.trace_version = RECORD_TRACE_VERSION;
	rpc_reply(call, &answer.base);
}
