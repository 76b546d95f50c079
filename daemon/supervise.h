/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One pmud-machine process: started, spoken to, its records taken out of the
 * ring, its end noticed and explained. What the messages mean is decided by
 * the owner; this file trusts no byte that comes from the process.
 */
#ifndef DAEMON_SUPERVISE_H
#define DAEMON_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ev.h>

#include "pmu/internal/machine.pb-c.h"

struct child;

struct child_ops {
	/* The machine says that its state changed. */
	void (*notice)(void *owner, const Pmu__V1__MachineInfo *info);
	/*
	 * Bytes of the trace as they came out of the ring, any cut. Returns how
	 * many were used; the rest is offered again with what follows it or,
	 * when *@ret_full is set, after child_resume_ring(). -EPROTO: they are
	 * no trace; another negated errno: they cannot be kept.
	 */
	ssize_t (*records)(void *owner, const uint8_t *bytes, size_t len,
			   bool *ret_full);
	/* Its process is gone, all calls were answered; @why is for people. */
	void (*gone)(void *owner, const char *why);
};

/* The answer to a call. @reply is never NULL and valid during the call. */
typedef void child_reply_fn(void *arg, const Pmu__Internal__Reply *reply);

/*
 * Starts @program. Returns 0 or a negated errno. The owner must call
 * child_free() in the end, also after gone().
 */
int child_spawn(struct child **ret, struct ev_loop *loop, const char *program,
		const struct child_ops *ops, void *owner);
/* Ends the process without asking and answers pending calls UNAVAILABLE. */
void child_free(struct child *c);
/* The process lives. */
bool child_alive(const struct child *c);

/*
 * Sends @msg (its id is set here); @reply is called once, maybe after the
 * process has died. Returns the call's id, or 0 when nothing was sent because
 * the process is gone or too many calls wait (@ret_why says which).
 */
uint64_t child_call(struct child *c, Pmu__Internal__ToMachine *msg,
		    child_reply_fn *reply, void *arg, const char **ret_why);
/* Nobody waits for the answer of call @id any more. */
void child_forget(struct child *c, uint64_t id);
/* Maybe room again for what records() left unused: offered from the loop. */
void child_resume_ring(struct child *c);

#endif
