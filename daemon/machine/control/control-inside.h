/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of control, for control*.c alone.
 */
#ifndef CONTROL_CONTROL_INSIDE_H
#define CONTROL_CONTROL_INSIDE_H

#include <stddef.h>
#include <stdint.h>

#include <nettle/sha2.h>

#include "control.h"
#include "codec.h"
#include "core/error.h"
#include "wire/frame.h"
#include "ipc/ring.h"
#include "host-pacer.h"
#include "core/machine.h"
#include "refusal.h"
#include "trace.h"
#include "methods/methods.h"

/* An image on its way in. */
struct upload {
	bool open;
	Pmu__V1__ImageKind kind;
	struct machine_image image;
	uint8_t *bytes;
	size_t have, size;
	struct sha256_ctx sha;
};

struct loaded {
	Pmu__V1__ImageKind kind;
	uint64_t address, entry, size;
	char sha256[2 * SHA256_DIGEST_SIZE + 1];
};

/* What is known of addresses (control-symbols.c). Zeroed, it is empty. */
struct symbol_files {
	struct symbol_file *first;
	unsigned n;
	size_t bytes; /* of all of them */
};

struct block; /* memory of a reply */

struct control {
	struct control_config cfg;
	struct frame_in in;
	struct frame_out out;
	struct ring ring;
	struct trace trace;
	struct machine *machine; /* NULL: not configured */
	struct host_pacer pacer; /* of a machine with pace=real */
	struct upload upload;
	struct loaded images[MACHINE_MAX_IMAGES];
	unsigned n_images;
	struct symbol_files symbols;
	struct block *blocks;
	uint64_t call_id;	 /* of the call that is handled now */
	uint64_t step_id;	 /* of the one that waits for a step, 0: none */
	bool waits_for_room;	 /* the ring is full */
	bool requests_wait;	 /* until answers have been read */
	uint64_t soft;		 /* host work of a slice */
	enum machine_state told; /* last notice */
	enum machine_cause told_cause;
	unsigned told_notes;
};

enum {
	/* of all files with symbols: part of the footprint,
	 * settings/footprint.c */
	SYMBOLS_MAX_BYTES = 32 << 20
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

/* control-life.c: the machine's state as a message. */
Pmu__V1__MachineInfo *control_info(struct control *c);
/* Answers a step whose end nobody has been told yet, if there is one. */
void control_finish_step(struct control *c);

/* control-load.c */
void control_drop_upload(struct control *c);
/* control-read.c: one CSR as a message; NULL: @e says why. */
Pmu__V1__Csr *control_csr(struct control *c, unsigned hart, uint32_t number,
			  struct error *e);
/*
 * control-symbols.c: takes over @bytes, of malloc(), as a file to ask. False:
 * @e says why, and the bytes are the caller's still.
 */
bool control_symbols_add(struct control *c, uint8_t *bytes, size_t size,
			 struct error *e);
void control_symbols_free(struct control *c);

#endif
