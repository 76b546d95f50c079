/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A daemon for the client's tests that says whatever it is told to, also what
 * no daemon would: HTTP/2 frames by hand, in the test's own process. What the
 * client says is kept for looking at.
 */
#ifndef TESTS_CLIENT_SCRIPT_H
#define TESTS_CLIENT_SCRIPT_H

#include <stdbool.h>

#include <pmuclient/pmuclient.h>

#include "buf.h"

enum {
	FRAME_DATA = 0,
	FRAME_HEADERS = 1,
	FRAME_RST_STREAM = 3,
	FRAME_SETTINGS = 4,
	FRAME_GOAWAY = 7,
	FRAME_WINDOW_UPDATE = 8,
	FIRST_CALL = 1 /* the stream of a client's first call */
};

struct script {
	int fd;
	struct buf out; /* to be said */
	struct buf in;	/* heard */
};

/* Of a frame. */
struct script_head {
	int type, flags;
	unsigned stream;
};

/* Connects *@ret, to whom nothing but what each begins with is said yet. */
void script_open(struct script *s, struct pmuclient **ret);
void script_close(struct script *s);
/* What is put is said with the next script_say(). */
void script_frame(struct script *s, struct script_head of, const void *payload,
		  size_t len);
/* @pairs: names and values, then NULL. @end: of the stream. */
void script_headers(struct script *s, unsigned stream, bool end,
		    const char *const *pairs);
/* A good answer's first headers; the end with @status, and nothing else. */
void script_answer(struct script *s, unsigned stream);
void script_end(struct script *s, unsigned stream, const char *status);
/* @msg with its prefix, in DATA frames. */
void script_message(struct script *s, unsigned stream,
		    const ProtobufCMessage *msg);
void script_reset(struct script *s, unsigned stream, unsigned code);
void script_goaway(struct script *s, const char *why);
/* Says all; where the socket takes no more, @c reads. */
void script_say(struct script *s, struct pmuclient *c);
/* How many frames of @type on @stream were heard; @ret_sum: of what they hold.
 */
unsigned script_heard(struct script *s, int type, unsigned stream,
		      uint64_t *ret_sum);

#endif
