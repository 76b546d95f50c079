/* SPDX-License-Identifier: BSD-2-Clause */
/* The inputs of a recorded run, given to a machine before it starts. */
#ifndef CLI_TRACE_REPLAY_H
#define CLI_TRACE_REPLAY_H

struct pmud;
struct trace_reader;

/* Reads @trace to its end and queues its inputs. Returns an exit code. */
int replay_inputs(struct pmud *s, const char *machine,
		  struct trace_reader *trace);

#endif
