/* SPDX-License-Identifier: BSD-2-Clause */
/* Verbs that ask one question and print its answer. */
#ifndef CLI_CMD_SHOW_ANSWER_H
#define CLI_CMD_SHOW_ANSWER_H

#include "session/pmud.h"

struct question {
	const char *method;
	const ProtobufCMessage *req;
	const ProtobufCMessageDescriptor *answer;
	int (*print)(const void *answer); /* as text; returns an exit code */
};

/*
 * Calls @method with @req; prints the answer as JSON with --json, else by
 * @print. Returns an exit code.
 */
#define SHOW_ANSWER(s, args, method, req, print)                               \
	show_answer(s, args,                                                   \
		    &(const struct question){ METHOD_PATH(method),             \
					      METHOD_ASKED(method, req),       \
					      METHOD_ANSWER(method), print })

int show_answer(struct pmud *s, const struct args *args,
		const struct question *q);

#endif
