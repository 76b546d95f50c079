/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a session, for ebb-*.c alone. */
#ifndef CLIENT_EBB_INSIDE_H
#define CLIENT_EBB_INSIDE_H

#include <pmuclient/ebb-client.h>

#include "ebb-direct.h"
#include "pmu/v1/ebb.pb-c.h"
#include "record-batches.h"

enum {
	EBB_MAX_ACTS = 64
};

struct pmuclient_ebb {
	struct pmuclient *client;
	char *machine;
	uint32_t session;
	bool reloads_alone; /* the machine arms and needs no return */
	struct pmuclient_stream *life;
	struct ebb_direct direct;      /* by which it is told, or */
	struct record_batches records; /* by these */
	pmuclient_ebb_fn *fn;
	void *data;
	bool inside, masked, over;
	Pmu__V1__EbbInput
		act[EBB_MAX_ACTS]; /* of the handler, for its return */
	size_t n_acts;
};

/* 0, or the error of a child of fork(). */
int ebb_check_alive(struct pmuclient_ebb *e);
Pmu__V1__EbbInput ebb_new_act(const struct pmuclient_ebb *e,
			      Pmu__V1__EbbInput__What what);
/* By a call, in this order. */
int ebb_send_acts(struct pmuclient_ebb *e, const Pmu__V1__EbbInput *acts,
		  size_t n);

#endif
