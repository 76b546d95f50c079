/* SPDX-License-Identifier: BSD-2-Clause */
/* SystemService: what pmud says of itself. */
#include "wire/record.h"
#include "pmu/v1/system.pb-c.h"
#include "rpc-services.h"

static void get_version(struct rpc_call *call, const ProtobufCMessage *msg)
{
	Pmu__V1__GetVersionResponse answer =
		PMU__V1__GET_VERSION_RESPONSE__INIT;

	answer.version = (char *)PMUD_VERSION;
	answer.protocol =
		(char *)pmu__v1__get_version_response__descriptor.package_name;
	answer.trace_version = RECORD_TRACE_VERSION;
	rpc_reply(call, &answer.base);
}

static const struct rpc_method methods[] = {
	{
		.path = "/pmu.v1.SystemService/GetVersion",
		.request = &pmu__v1__get_version_request__descriptor,
		.response = &pmu__v1__get_version_response__descriptor,
		.kind = RPC_UNARY,
		.anonymous = true,
		.handle = get_version,
	},
};

const struct rpc_table system_table = {
	methods,
	sizeof(methods) / sizeof(*methods),
};
