/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a session, for ebb-*.c alone. */
#ifndef CLIENT_EBB_INSIDE_H
#define CLIENT_EBB_INSIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdatomic.h>

#include <pmuclient/ebb-client.h>

#include "ebb-direct.h"
#include "forks.h"
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
	struct forked forked;	       /* its socket */
	struct record_batches records; /* by these */
	pmuclient_ebb_fn *fn;
	void *data;
	atomic_bool masked; /* also by a thread */
	bool over;
	struct ebb_said refusal; /* the last one that came by the ring */
	bool threaded;		 /* a thread calls the handler: */
	pthread_t thread;
	atomic_bool stopping;
	int thread_err; /* of ebb_take_said(), by which it ended; or 0 */
	Pmu__V1__EbbInput
		act[EBB_MAX_ACTS]; /* of the handler, for its return */
	size_t n_acts;
};

/* ebb-acts.c: 0, or the error of a child of fork(). */
int ebb_check_alive(struct pmuclient_ebb *e);
/* Around a call of the handler: who was in one before. Is the caller in it? */
const struct pmuclient_ebb *ebb_enter(struct pmuclient_ebb *e);
void ebb_leave(const struct pmuclient_ebb *outer);
bool ebb_in_handler(const struct pmuclient_ebb *e);
Pmu__V1__EbbInput ebb_new_act(const struct pmuclient_ebb *e,
			      Pmu__V1__EbbInput__What what);
/* By a call: one that needs nothing more, or all of them in this order. */
int ebb_simply(struct pmuclient_ebb *e, Pmu__V1__EbbInput__What what);
int ebb_send_acts(struct pmuclient_ebb *e, const Pmu__V1__EbbInput *acts,
		  size_t n);
/* Those of the handler, by the ring; an error is for ebb_explain(). */
int ebb_wish_acts(struct pmuclient_ebb *e);

/*
 * ebb-dispatch.c: handles what the ring says next, counting calls of the
 * handler in @n: 1, 0 when nothing came, or a negated errno for ebb_explain().
 * Touches nothing of the connection.
 */
int ebb_take_said(struct pmuclient_ebb *e, int timeout_ms, int *n);
/* What such an error is for the program: sets its text. */
int ebb_explain(struct pmuclient_ebb *e, int err);

#endif
