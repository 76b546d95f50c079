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
#include "core/machine.h"
#include "trace.h"
#include "pmu/internal/machine.pb-c.h"

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
	struct machine *machine;       /* NULL: not configured */
	Pmu__V1__MachineConfig *given; /* as pmud sent it */
	struct upload upload;
	struct loaded images[MACHINE_MAX_IMAGES];
	unsigned n_images;
	struct symbol_files symbols;
	struct block *blocks;
	uint64_t step_id;	 /* the call that waits for a step, 0: none */
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
	HANDLED_DONE,	/* reply with what is in the reply */
	HANDLED_LATER,	/* somebody else will reply */
	HANDLED_FAILED, /* reply with the error */
};

struct request {
	const Pmu__Internal__ToMachine *msg;
	Pmu__Internal__Reply *reply;
	struct error *error;
};
typedef enum handled control_fn(struct control *c, const struct request *r);

/* Zeroed memory that lives until the reply is sent; aborts without memory. */
void *control_alloc(struct control *c, size_t size);
/* A copy of a string of the same life. */
char *control_text(struct control *c, const char *text);
/* A message of its type's size and descriptor, initialised. */
void *control_message(struct control *c,
		      const ProtobufCMessageDescriptor *descriptor);

/* The machine's state as a message. */
Pmu__V1__MachineInfo *control_info(struct control *c);
/* Answers a step whose end nobody has been told yet, if there is one. */
void control_finish_step(struct control *c);
/* HANDLED_DONE with the state, or HANDLED_FAILED. */
enum handled control_answer_info(struct control *c, const struct request *r,
				 bool good);
static inline enum handled control_good(bool good)
{
	return good ? HANDLED_DONE : HANDLED_FAILED;
}

/* control-load.c */
control_fn control_configure, control_load_image, control_queue_inputs,
	control_set_recording, control_get_device_tree;
void control_drop_upload(struct control *c);
/* control-life.c */
control_fn control_start, control_pause, control_resume, control_step,
	control_run_until, control_set_breakpoints, control_get;
/* control-write.c */
control_fn control_write_console, control_write_csr, control_write_register,
	control_write_memory, control_call_sbi;
/* control-read.c */
control_fn control_list_harts, control_read_csr, control_list_csrs,
	control_read_registers, control_read_memory;
/* One CSR as a message; NULL: @e says why. */
Pmu__V1__Csr *control_csr(struct control *c, unsigned hart, uint32_t number,
			  struct error *e);
/* control-symbols.c */
control_fn control_describe_addresses, control_find_symbol;
/*
 * Takes over @bytes, of malloc(), as a file to ask. False: @e says why, and the
 * bytes are the caller's still.
 */
bool control_symbols_add(struct control *c, uint8_t *bytes, size_t size,
			 struct error *e);
void control_symbols_free(struct control *c);
/* control-count.c */
control_fn control_read_totals, control_list_counters, control_explain_counter;

#endif
