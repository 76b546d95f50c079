/* SPDX-License-Identifier: BSD-2-Clause */
/* How a hosted machine comes to be. */
#ifndef SERVER_HOSTED_NEW_H
#define SERVER_HOSTED_NEW_H

#include <stdbool.h>

#include "hosted.h"

/* Why there is no machine: what its call is to be refused with. */
struct refusal {
	enum grpc_status status;
	struct rpc_at at;
	char why[QUOTA_WHY];
};

/*
 * Starts a machine for @conn's user; its process is not configured yet. False:
 * @ret_refusal says why not, and nothing is left.
 */
bool hosted_new(struct hosted **ret, struct rpc_conn *conn,
		const Pmu__V1__CreateMachineRequest *req,
		struct refusal *ret_refusal);

#endif
