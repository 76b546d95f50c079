/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud's machines with clients and processes played: what a handler answers a
 * call is kept, what is asked of a process is answered by the test.
 */
#ifndef TESTS_UNIT_HOSTED_FIXTURE_H
#define TESTS_UNIT_HOSTED_FIXTURE_H

#include "server/hosted.h"
#include "server/pmud-config.h"
#include "server/rpc-services.h"

/* A call of a client, which is a user on a connection. */
struct rpc_call {
	struct rpc_conn *conn;
	const struct rpc_call_ops *ops;
	void *data;
	struct rpc_method method;
	int slow;		       /* what sending says: 0, or -ENOBUFS */
	unsigned sent;		       /* messages, the one answer included */
	ProtobufCMessage *first, *got; /* of them, and the last */
	bool later;		       /* a turn was asked for */
	size_t work;		       /* that its user is charged for */
	bool over;
	enum grpc_status status;
	char text[256], field[64], reason[32];
};

struct rpc_conn {
	struct rpc_peer peer;
	unsigned holds;
};

/* A machine's process. */
struct child {
	struct child_config cfg;
	void (*ended)(void *owner); /* child_end() was called */
	bool dead;
	bool busy; /* it takes no requests */
	unsigned refused;
	uint32_t passed; /* session whose ring it was handed last */
	int pass_error;
	uint64_t insn, cycle; /* how far it says that it is */
	enum method_id asked; /* last; N_METHODS: nothing */
	ProtobufCMessage *request;
	unsigned n_asked, resumed;
	child_reply_fn *reply,
		*before; /* before: of the call before the last */
	void *arg, *arg_before;
	uint64_t forgotten;
};

extern struct daemon pmud;
extern struct config config;
extern struct child *child; /* the last one that was started */
extern int spawn_error;	    /* of the next one, 0: it starts */
extern struct rpc_conn alice, bob;

void fixture_begin(void);
void fixture_end(void);

/* A call of @conn's for @id, to be handed to its handler. */
struct rpc_call *fixture_call(struct rpc_conn *conn, enum method_id id);
/* The client, or its deadline, ends it. */
void fixture_cancel(struct rpc_call *call);

/* Gives it the turns that it asks for. */
void fixture_turns(struct rpc_call *call);

/* The last process answers what it was asked; an answer of its method's. */
void fixture_answer(const ProtobufCMessage *answer);
void fixture_state(Pmu__V1__MachineState state);
void fixture_error(enum grpc_status code, const char *text);
/* It has died. */
void fixture_die(struct child *c, const char *why);

/* @conn wants a machine; it is created now: what is said of it; it is not. */
struct rpc_call *fixture_create(struct rpc_conn *conn,
				Pmu__V1__CreateMachineRequest *req);
const Pmu__V1__MachineInfo *fixture_created(const struct rpc_call *call);
void fixture_refused(const struct rpc_call *call, enum grpc_status status,
		     const char *reason);

/* Alice wants @m's records. */
struct rpc_call *fixture_stream(struct hosted *m,
				Pmu__V1__StreamRecordsRequest *req);

/* Creates a machine of @conn's whose process has answered; its id is m1... */
struct hosted *fixture_machine(struct rpc_conn *conn, bool detached);

#endif
