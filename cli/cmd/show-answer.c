/* SPDX-License-Identifier: BSD-2-Clause */
/* As JSON it is the whole answer, as text what its verb makes of it. */
#include "show-answer.h"

#include <stdio.h>

#include "text/json.h"

int show_answer(struct pmud *s, const struct args *args,
		const struct question *q)
{
	ProtobufCMessage *answer CLEANUP(answer) = NULL;
	int code = pmud_call(s, q->method, q->req, q->answer, &answer);

	if (code)
		return code;
	return args->json ? json_print(stdout, answer) : q->print(answer);
}
