/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs of a trace go to the machine one message each: they are few. */
#include "replay.h"

#include "session/pmud.h"
#include "text/exit-codes.h"
#include "pmu/v1/machines.pb-c.h"
#include "trace-file.h"

/* Sends all inputs. 0, an error of the client, or 1 for one of the trace. */
static int send_inputs(struct pmuclient_stream *up, const char *machine,
		       struct trace_reader *trace)
{
	Pmu__V1__QueueInputsRequest req = PMU__V1__QUEUE_INPUTS_REQUEST__INIT;
	Pmu__V1__Input *input;
	struct trace_item item;
	int n, err;

	/* the first message names the machine, also where no input follows */
	req.machine = (char *)machine;
	req.inputs = &input;
	err = pmuclient_send(up, &req.base);
	while (!err && (n = trace_next(trace, &item)) != 0) {
		if (n < 0)
			return 1;
		if (item.record->kind_case != PMU__V1__RECORD__KIND_INPUT)
			continue;
		input = item.record->input;
		req.n_inputs = 1;
		err = pmuclient_send(up, &req.base);
	}
	return err;
}

int replay_inputs(struct pmud *s, const char *machine,
		  struct trace_reader *trace)
{
	struct pmuclient_stream *up;
	ProtobufCMessage *answer = NULL;
	int err = pmuclient_begin(pmud_client(s), METHOD_PATH(QueueInputs),
				  METHOD_ANSWER(QueueInputs), &up);

	if (err)
		return pmud_fail(s, err);
	err = send_inputs(up, machine, trace);
	if (err == 1) {
		pmuclient_close(up);
		return EXIT_FAILED;
	}
	err = pmuclient_finish(up, &answer);
	answer_free(answer);
	return err ? pmud_fail(s, err) : EXIT_OK;
}
