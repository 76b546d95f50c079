/* SPDX-License-Identifier: BSD-2-Clause */
/* The played parts: see hosted-fixture.h. */
#include "hosted-fixture.h"

#include <errno.h>
#include <string.h>

#include "server/daemon-limits.h"
#include "server/stream.h"
#include "shared/ebb-ring.h"
#include "unit.h"
#include "wire/message.h"

struct daemon pmud;
struct config config;
struct child *child;
int spawn_error;
struct rpc_conn alice, bob;

enum {
	MOST = 512
};

static struct child *children[MOST];
static struct rpc_call *calls[MOST];
static unsigned n_children, n_calls;

/* The process */

static bool are_children; /* which are to be freed */

int children_new(struct children **ret, struct ev_loop *loop)
{
	*ret = NULL;
	are_children = true;
	return 0;
}

void children_free(struct children *all)
{
	are_children = false;
}

int child_spawn(struct child **ret, struct children *all,
		const struct child_config *cfg)
{
	if (spawn_error)
		return spawn_error;
	ck_assert_uint_lt(n_children, MOST);
	child = calloc(1, sizeof(*child));
	if (!child)
		return -ENOMEM;
	child->cfg = *cfg;
	child->asked = N_METHODS;
	children[n_children++] = child;
	*ret = child;
	return 0;
}

struct child *child_without_process(struct children *all, void *owner)
{
	const struct child_config cfg = { .owner = owner };
	struct child *c;

	if (child_spawn(&c, all, &cfg))
		return NULL;
	c->dead = true;
	return c;
}

uint64_t child_call(struct child *c, const struct child_request *request,
		    child_reply_fn *reply, void *arg,
		    struct child_reply *ret_refusal)
{
	*ret_refusal = (struct child_reply){ .code = GRPC_UNAVAILABLE,
					     .text = "it is dead",
					     .field = "",
					     .reason = "MACHINE_UNAVAILABLE" };
	if (c->dead || c->busy) {
		c->refused++;
		return 0;
	}
	c->asked = request->method;
	c->before = c->reply;
	c->arg_before = c->arg;
	c->reply = reply;
	c->arg = arg;
	if (c->request)
		protobuf_c_message_free_unpacked(c->request, NULL);
	c->request = request->message ? message_copy(request->message) : NULL;
	return ++c->n_asked;
}

void child_forget(struct child *c, uint64_t id)
{
	c->forgotten = id;
	c->reply = NULL;
}

int child_pass(struct child *c, uint32_t session, const struct ebb_channel *ch)
{
	ck_assert_int_ge(ch->wake, 0);
	c->passed = session;
	return c->pass_error;
}

void child_end(struct child *c, void (*ended)(void *owner))
{
	c->ended = ended;
	if (c->dead)
		ended(c->cfg.owner);
}

void child_wait(struct child *c)
{
	c->dead = true;
	c->ended(c->cfg.owner);
}

bool child_alive(const struct child *c)
{
	return !c->dead;
}

void child_progress(const struct child *c, uint64_t *ret_insn,
		    uint64_t *ret_cycle)
{
	*ret_insn = c->insn;
	*ret_cycle = c->cycle;
}

void child_resume_ring(struct child *c)
{
	c->resumed++;
}

/* The client */

void *rpc_server_user(const struct rpc_server *srv)
{
	return &pmud;
}

struct rpc_server *rpc_call_server(const struct rpc_call *call)
{
	return NULL;
}

struct rpc_server *rpc_conn_server(const struct rpc_conn *conn)
{
	return NULL;
}

const struct rpc_peer *rpc_conn_peer(const struct rpc_conn *conn)
{
	return &conn->peer;
}

void rpc_conn_hold(struct rpc_conn *conn)
{
	conn->holds++;
}

void rpc_conn_release(struct rpc_conn *conn)
{
	ck_assert_uint_gt(conn->holds, 0);
	conn->holds--;
}

struct rpc_conn *rpc_call_conn(const struct rpc_call *call)
{
	return call->conn;
}

const struct rpc_method *rpc_call_method(const struct rpc_call *call)
{
	return &call->method;
}

struct rpc_bytes rpc_call_message(const struct rpc_call *call)
{
	return (struct rpc_bytes){ 0 };
}

void rpc_call_watch(struct rpc_call *call, const struct rpc_call_ops *ops,
		    void *data)
{
	call->ops = ops;
	call->data = data;
}

void rpc_call_later(struct rpc_call *call)
{
	call->later = true;
}

void rpc_call_work(struct rpc_call *call, size_t bytes)
{
	call->work += bytes;
}

size_t rpc_call_queued(const struct rpc_call *call)
{
	return 0;
}

int rpc_send(struct rpc_call *call, const ProtobufCMessage *msg)
{
	ck_assert(!call->over);
	if (call->slow)
		return call->slow;
	if (call->got)
		protobuf_c_message_free_unpacked(call->got, NULL);
	call->got = message_copy(msg);
	if (!call->first)
		call->first = message_copy(msg);
	ck_assert_ptr_eq(call->got->descriptor, call->method.response);
	call->sent++;
	return 0;
}

void rpc_finish(struct rpc_call *call, enum grpc_status status,
		const char *text, ...)
{
	ck_assert(!call->over);
	call->over = true;
	call->status = status;
}

void rpc_reply(struct rpc_call *call, const ProtobufCMessage *msg)
{
	rpc_send(call, msg);
	rpc_finish(call, GRPC_OK, NULL);
}

void rpc_reply_bytes(struct rpc_call *call, struct rpc_bytes packed)
{
	call->sent++;
	rpc_finish(call, GRPC_OK, NULL);
}

void rpc_refuse(struct rpc_call *call, enum grpc_status status,
		struct rpc_at at, const char *text, ...)
{
	va_list ap;

	ck_assert(!call->over);
	call->over = true;
	call->status = status;
	snprintf(call->field, sizeof(call->field), "%s",
		 at.field ? at.field : "");
	snprintf(call->reason, sizeof(call->reason), "%s",
		 at.reason ? at.reason : "");
	va_start(ap, text);
	vsnprintf(call->text, sizeof(call->text), text, ap);
	va_end(ap);
}

/* The test's hands on them */

void fixture_begin(void)
{
	struct quota_limit limits[N_QUOTAS];

	for (int i = 0; i < N_QUOTAS; i++)
		limits[i] = (struct quota_limit){ .total = UINT64_C(1) << 40,
						  .per_user = UINT64_C(1) << 40,
						  .least = 1 };
	limits[QUOTA_MACHINES].total = limits[QUOTA_MACHINES].per_user = 3;
	config = (struct config){ .state_dir = "/tmp",
				  .machine_program = "/played",
				  .trace_bytes = 1 << 20 };
	pmud = (struct daemon){ .config = &config, .loop = ev_loop_new(0) };
	alice = (struct rpc_conn){ .peer = { true, 1000, 1000, 1 } };
	bob = (struct rpc_conn){ .peer = { true, 1001, 1001, 2 } };
	ck_assert_int_eq(quota_new(&pmud.quota, limits), 0);
	ck_assert_int_eq(daemon_init(&pmud), 0);
	spawn_error = 0;
	child = NULL;
}

void fixture_end(void)
{
	daemon_fini(&pmud);
	/* nothing is counted any more, and no connection is held */
	for (int i = 0; i < N_QUOTAS; i++)
		ck_assert_uint_eq(quota_held(pmud.quota, (enum quota_kind)i,
					     alice.peer.uid),
				  0);
	ck_assert_uint_eq(alice.holds + bob.holds, 0);
	ck_assert(!are_children);
	quota_free(pmud.quota);
	ev_loop_destroy(pmud.loop);
	for (; n_children; n_children--) {
		struct child *c = children[n_children - 1];

		if (c->request)
			protobuf_c_message_free_unpacked(c->request, NULL);
		free(c);
	}
	for (; n_calls; n_calls--) {
		struct rpc_call *call = calls[n_calls - 1];

		if (call->got) {
			protobuf_c_message_free_unpacked(call->first, NULL);
			protobuf_c_message_free_unpacked(call->got, NULL);
		}
		free(call);
	}
}

struct rpc_call *fixture_call(struct rpc_conn *conn, enum method_id id)
{
	struct rpc_call *call = calloc(1, sizeof(*call));

	ck_assert_uint_lt(n_calls, MOST);
	calls[n_calls++] = call;
	call->conn = conn;
	call->method.request = method_descriptor(id)->input;
	call->method.response = method_descriptor(id)->output;
	return call;
}

void fixture_cancel(struct rpc_call *call)
{
	const struct rpc_call_ops *ops = call->ops;

	call->over = true;
	call->ops = NULL;
	ck_assert_ptr_nonnull(ops);
	ops->on_cancel(call, call->data);
}

void fixture_turns(struct rpc_call *call)
{
	while (call->later && call->ops) {
		call->later = false;
		call->ops->on_turn(call, call->data);
	}
}

static void reply(const struct child_reply *r)
{
	child_reply_fn *fn = child->reply;

	child->reply = NULL;
	if (fn)
		fn(child->arg, r);
}

void fixture_answer(const ProtobufCMessage *answer)
{
	const ProtobufCFieldDescriptor *f =
		protobuf_c_message_descriptor_get_field_by_name(
			answer->descriptor, "machine");
	struct child_reply r = { .answer = (ProtobufCMessage *)answer };

	ck_assert_ptr_eq(answer->descriptor,
			 method_descriptor(child->asked)->output);
	if (f)
		r.machine =
			(Pmu__V1__MachineInfo **)((char *)r.answer + f->offset);
	reply(&r);
}

void fixture_state(Pmu__V1__MachineState state)
{
	Pmu__Internal__ConfigureResponse answer =
		PMU__INTERNAL__CONFIGURE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;

	info.state = state;
	answer.machine = &info;
	reply(&(struct child_reply){ .answer = &answer.base,
				     .machine = &answer.machine });
}

void fixture_error(enum grpc_status code, const char *text)
{
	reply(&(struct child_reply){ .code = code,
				     .text = text,
				     .field = "config.harts",
				     .reason = "BAD_VALUE" });
}

void fixture_die(struct child *c, const char *why)
{
	c->dead = true;
	c->cfg.ops->gone(c->cfg.owner, why);
}

struct rpc_call *fixture_create(struct rpc_conn *conn,
				Pmu__V1__CreateMachineRequest *req)
{
	struct rpc_call *call = fixture_call(conn, METHOD_CreateMachine);

	serve_create_machine(call, req);
	return call;
}

const Pmu__V1__MachineInfo *fixture_created(const struct rpc_call *call)
{
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_OK);
	return ((const Pmu__V1__CreateMachineResponse *)call->got)->machine;
}

void fixture_refused(const struct rpc_call *call, enum grpc_status status,
		     const char *reason)
{
	ck_assert(call->over);
	ck_assert_int_eq(call->status, status);
	ck_assert_str_eq(call->reason, reason);
	ck_assert_ptr_null(call->ops);
}

struct rpc_call *fixture_stream(struct hosted *m,
				Pmu__V1__StreamRecordsRequest *req)
{
	struct rpc_call *call = fixture_call(&alice, METHOD_StreamRecords);

	req->machine = m->id;
	serve_stream_records(call, req);
	return call;
}

struct hosted *fixture_machine(struct rpc_conn *conn, bool detached)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	struct rpc_call *call;

	req.detach = detached;
	call = fixture_create(conn, &req);
	fixture_state(PMU__V1__MACHINE_STATE__MACHINE_STATE_NEW);
	ck_assert(call->over && call->status == GRPC_OK);
	return SLIST_FIRST(&pmud.machines);
}
