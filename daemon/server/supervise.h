/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One pmud-machine process: started, spoken to, its records taken out of the
 * ring, its end noticed and explained. What the messages mean is decided by
 * the owner; this file trusts no byte that comes from the process.
 */
#ifndef SERVER_SUPERVISE_H
#define SERVER_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ev.h>

#include "methods/methods.h"
#include "wire/wire.h"

enum {
	CHILD_PIECE_MAX = 256 << 10, /* bytes of records offered in one go */
};

struct ebb_channel;
struct quota;
struct children; /* what all processes of a pmud share */
struct child;

/* Returns 0 or a negated errno. */
int children_new(struct children **ret, struct ev_loop *loop);
void children_free(struct children *all); /* no child is left; NULL is fine */

struct child_ops {
	/* The machine says that its state changed. */
	void (*notice)(void *owner, const Pmu__V1__MachineInfo *info);
	/*
	 * Bytes of the trace as they came out of the ring, any cut. Returns how
	 * many were used; the rest is offered again with what follows it or,
	 * when *@ret_full is set, after child_resume_ring(). -EPROTO: they are
	 * no trace; another negated errno: they cannot be kept, and the process
	 * is ended.
	 */
	ssize_t (*records)(void *owner, const uint8_t *bytes, size_t len,
			   bool *ret_full);
	/* What waited in the ring when it was resumed has been taken. */
	void (*flows)(void *owner);
	/* Its process is gone, all calls were answered; @why is for people. */
	void (*gone)(void *owner, const char *why);
};

struct child_request {
	enum method_id method;
	const ProtobufCMessage *message; /* NULL: it is packed already */
	const void *bytes;
	size_t len;
};

/*
 * What a call came to. @answer is what the method answers, whole, and @bytes
 * are the same as they came; NULL: an error, or a part of a stream was taken.
 */
struct child_reply {
	enum grpc_status code;
	const char *text, *field, *reason; /* of an error */
	ProtobufCMessage *answer;
	Pmu__V1__MachineInfo **machine; /* where its state is in it, or NULL */
	const void *bytes;
	size_t len;
};

/* @reply is never NULL and valid during the call. */
typedef void child_reply_fn(void *arg, const struct child_reply *reply);

struct child_config {
	const char *program;
	const struct child_ops *ops;
	void *owner;
	uid_t user; /* whose work it is, and who asks it */
	/* his requests that wait are counted there; NULL: nowhere */
	struct quota *quota;
};

/*
 * Starts the program. Returns 0 or a negated errno. The owner must call
 * child_end() in the end, also after gone().
 */
int child_spawn(struct child **ret, struct children *all,
		const struct child_config *cfg);
/*
 * One whose process is gone since before @owner was there. Returns NULL without
 * memory. It is ended as others are.
 */
struct child *child_without_process(struct children *all, void *owner);
/*
 * Ends the process without asking and answers pending calls UNAVAILABLE. Its
 * memory may be large: @ended is told when the kernel has it back, from the
 * loop, or at once if the process is gone. The child is dead for the caller.
 */
void child_end(struct child *c, void (*ended)(void *owner));
/* After child_end(), where no loop will run any more: waits for it. */
void child_wait(struct child *c);
/* The process lives. */
bool child_alive(const struct child *c);
/* How far its machine says that it is; 0 where it never said. */
void child_progress(const struct child *c, uint64_t *ret_insn,
		    uint64_t *ret_cycle);

/*
 * Asks it; @reply is called once, maybe after the process has died. Returns the
 * call's id, or 0 when nothing was sent: @ret_refusal is the answer then, an
 * error that says why. A process whose answer is none of the method's is ended.
 */
uint64_t child_call(struct child *c, const struct child_request *request,
		    child_reply_fn *reply, void *arg,
		    struct child_reply *ret_refusal);
/*
 * Sends descriptors for EBB session @session, ahead of the call that has the
 * process take them. Returns 0 or a negated errno; they are the caller's still.
 */
int child_pass(struct child *c, uint32_t session, const struct ebb_channel *ch);
/* Nobody waits for the answer of call @id any more. */
void child_forget(struct child *c, uint64_t id);
/* Maybe room again for what records() left unused: offered from the loop. */
void child_resume_ring(struct child *c);

#endif
