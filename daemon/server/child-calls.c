/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls that wait for a machine's process. Each is answered once: by the
 * process, or, when it is gone, for it.
 */
#include "child-inside.h"

#include <errno.h>
#include <stdlib.h>

#include "wire/wire.h"

struct pending {
	struct pending *next;
	uint64_t id;
	child_reply_fn *reply; /* NULL: nobody waits */
	void *arg;
};

static void answer(struct child *c, struct pending *p,
		   const Pmu__Internal__Reply *reply)
{
	c->n_calls--;
	if (p->reply)
		p->reply(p->arg, reply);
	free(p);
}

void child_answer_all(struct child *c, const char *why)
{
	Pmu__Internal__Reply reply = PMU__INTERNAL__REPLY__INIT;

	reply.code = GRPC_UNAVAILABLE;
	reply.message = (char *)why;
	reply.reason = (char *)"MACHINE_UNAVAILABLE";
	while (c->calls) {
		struct pending *p = c->calls;

		c->calls = p->next;
		answer(c, p, &reply);
	}
}

void child_take_reply(struct child *c, Pmu__Internal__Reply *reply)
{
	if (reply->code > GRPC_STATUS_MAX)
		reply->code = GRPC_UNKNOWN;
	for (struct pending **p = &c->calls; *p; p = &(*p)->next) {
		struct pending *found = *p;

		if (found->id != reply->id)
			continue;
		*p = found->next;
		answer(c, found, reply);
		return;
	}
}

uint64_t child_call(struct child *c, Pmu__Internal__ToMachine *msg,
		    child_reply_fn *reply, void *arg, const char **ret_why)
{
	struct pending *p;
	int err;

	*ret_why = "the machine's process is gone";
	if (!child_alive(c))
		return 0;
	*ret_why = "too many calls wait for this machine";
	if (c->n_calls >= MAX_CALLS_PER_MACHINE)
		return 0;
	*ret_why = "out of memory";
	p = calloc(1, sizeof(*p));
	if (!p)
		return 0;
	msg->id = p->id = ++c->next_id;
	p->reply = reply;
	p->arg = arg;
	err = frame_put(&c->out, &msg->base);
	if (err) {
		*ret_why = err == -EMSGSIZE
				   ? "the request is too long"
				   : "the machine's process takes no requests";
		free(p);
		return 0;
	}
	p->next = c->calls;
	c->calls = p;
	c->n_calls++;
	child_flush(c);
	return p->id;
}

void child_forget(struct child *c, uint64_t id)
{
	for (struct pending *p = c->calls; p; p = p->next) {
		if (p->id == id)
			p->reply = NULL;
	}
}
