/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of control, for control*.c and the stores behind them alone: its
 * owners and the ways to them.
 */
#ifndef CONTROL_CONTROL_INSIDE_H
#define CONTROL_CONTROL_INSIDE_H

#include <stddef.h>
#include <stdint.h>

#include "control.h"
#include "codec.h"
#include "core/machine-error.h"
#include "ebb-rings.h"
#include "host-pacer.h"
#include "core/machine.h"
#include "refusal.h"
#include "trace.h"
#include "methods/methods.h"

struct uploads;	     /* control-load.c: images, and one on its way in */
struct symbol_files; /* symbol-store.c: what is known of addresses */
struct answers;	     /* control-reply.c: what goes to pmud, and its memory */
struct told;	     /* control-life.c: what pmud knows of the machine */
struct loop;	     /* control.c: what comes in, the ring, the slices */

/* The process is its owners; each file keeps what is its own to itself. */
struct control {
	const struct control_config *cfg;
	struct trace trace;
	struct machine *machine; /* NULL: not configured */
	struct host_pacer pacer; /* of a machine with pace=real */
	uint64_t call_id;	 /* of the call that is handled now */
	struct uploads *uploads;
	struct symbol_files *symbols;
	struct answers *answers;
	struct told *told;
	struct ebb_rings *rings;
	struct loop *loop;
};

enum handled {
	HANDLED_DONE,  /* reply with the answer */
	HANDLED_TAKEN, /* a part of a stream: the answer comes to a later one */
	HANDLED_LATER, /* somebody else will reply */
	HANDLED_FAILED, /* reply with the error */
};

/*
 * The handlers, control_read_csr() and so on: one for each row of methods.h
 * that the machine answers. @answer is an empty message; what it points to is
 * to live until the reply is sent. HANDLED_FAILED: @e is set.
 */
#define CONTROL_HANDLER(package, method, name)                                 \
	enum handled control_##name(                                           \
		struct control *c, const METHOD_REQUEST(package, method) * q,  \
		METHOD_RESPONSE(package, method) * answer, struct error * e);
METHODS_OF_MACHINE(CONTROL_HANDLER)
#undef CONTROL_HANDLER

static inline enum handled control_good(bool good)
{
	return good ? HANDLED_DONE : HANDLED_FAILED;
}

/* control-reply.c */
struct answers *answers_new(void);    /* NULL without memory */
void answers_free(struct answers *a); /* NULL is fine */
/* Are enough read that another request may be taken? */
bool answers_fit(const struct answers *a);
/* Is there any that has not gone? */
bool answers_wait(const struct answers *a);
/* Sends what @fd takes. False: nobody is there. */
bool answers_flush(struct answers *a, int fd);
/* Zeroed memory that lives until the reply is sent; aborts without memory. */
void *control_alloc(struct control *c, size_t size);
/* A copy of a string of the same life. */
char *control_text(struct control *c, const char *text);
/* A message of its type's size and descriptor, initialised. */
void *control_message(struct control *c,
		      const ProtobufCMessageDescriptor *descriptor);
void control_free_replies(struct control *c);
/* To pmud, with an answer or NULL. False: it is too long. */
bool control_send(struct control *c, const Pmu__Internal__FromMachine *from,
		  const ProtobufCMessage *answer);
/* The one reply to call @id. */
void control_send_answer(struct control *c, uint64_t id,
			 const ProtobufCMessage *answer);
void control_send_taken(struct control *c, uint64_t id);
void control_send_error(struct control *c, uint64_t id, struct error *e);

/* control-call.c: a call and its request. False: they are malformed. */
bool control_take_call(struct control *c, const uint8_t *bytes, size_t len);

/*
 * control-ebb.c: tells a client that has a ring, as trace_told_fn; does what
 * clients wish by theirs, as far as there is room for records and refusals; is
 * anything left to do now?
 */
bool control_ebb_tell(void *control, const struct record_at *at,
		      const struct ebb_told *told);
void control_ebb_act(struct control *c);
bool control_ebb_waits(const struct control *c);
/*
 * Has the machine that stood for a handler been let go? It is waited for as
 * long as it takes to sleep and wake, and not beyond @until of host_now().
 */
bool control_ebb_released(struct control *c, uint64_t until);

/* control-life.c: the machine's state as a message. */
Pmu__V1__MachineInfo *control_info(struct control *c);
struct told *told_new(void); /* NULL without memory */
void told_free(struct told *t);
/* Tells pmud, unasked, of a state that it does not know. */
void control_tell_state(struct control *c);

/* control-sample.c: those of @r, which may be NULL. */
bool control_set_samplers(struct control *c, const Pmu__V1__Recording *r,
			  struct error *e);

/* control-load.c */
struct uploads *uploads_new(void); /* NULL without memory */
void uploads_free(struct uploads *u);
/* The machine starts: what has not come whole does not come. */
void control_end_uploads(struct control *c);
/* control-read.c: one CSR as a message; NULL: @e says why. */
Pmu__V1__Csr *control_csr(struct control *c, unsigned hart, uint32_t number,
			  struct error *e);

#endif
