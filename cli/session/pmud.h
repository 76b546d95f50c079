/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A connection to the daemon that the command line means, and calls on it whose
 * errors are said here and become exit codes.
 */
#ifndef CLI_SESSION_PMUD_H
#define CLI_SESSION_PMUD_H

#include <stdbool.h>

#include <pmuclient/machine.h>

#include "cmd/args.h"
#include "methods/method-calls.h"
#include "wire/cleanup.h"

struct pmud;

/*
 * Connects to --address, else $PMUD_ADDRESS, else the daemon of the user or the
 * system. If none of these was named and none answers, @may_start starts a
 * private one, which lives as long as the connection; an address "private" asks
 * for just that. Returns an exit code.
 */
int pmud_open(struct pmud **ret, const struct args *args, bool may_start);
void pmud_close(struct pmud *s); /* NULL is fine */
CLEANUP_POINTER(pmud, struct pmud, pmud_close)

struct pmuclient *pmud_client(struct pmud *s);
/*
 * Where the trace of the run that --trace is for is stored, to be read when the
 * daemon is gone; -1: with a daemon that is not our own, who knows.
 */
int pmud_stored_trace(const struct pmud *s);
/* Milliseconds of --timeout, or -1. */
int pmud_timeout(const struct pmud *s);
/* Says what the client's last error was. Returns its exit code. */
int pmud_fail(struct pmud *s, int err);
/* Was the last call refused because the machine's process has ended? */
bool pmud_machine_is_gone(struct pmud *s);

#define PMUD_CALL(s, method, req, res)                                         \
	pmud_call(s, METHOD_PATH(method), METHOD_ASKED(method, req),           \
		  METHOD_ANSWER(method), METHOD_ANSWERED(method, res))

/*
 * The same of a question whose failure only means that less is known: nothing
 * is said. @s may be NULL. True: @res was answered.
 */
#define PMUD_ASK(s, method, req, res)                                          \
	((s) &&                                                                \
	 !pmuclient_call(pmud_client(s), METHOD_PATH(method),                  \
			 METHOD_ASKED(method, req), METHOD_ANSWER(method),     \
			 METHOD_ANSWERED(method, res)))

/*
 * One call and its answer, which the caller frees with answer_free(). Returns
 * an exit code; on failure the error was said and @ret is untouched.
 */
int pmud_call(struct pmud *s, const char *method, const ProtobufCMessage *req,
	      const ProtobufCMessageDescriptor *response,
	      ProtobufCMessage **ret);
/* pmuclient_control() of @machine; as pmud_call(). */
int pmud_control(struct pmud *s, const char *machine,
		 enum pmuclient_action action, uint64_t value,
		 Pmu__V1__MachineInfo **ret);
/* The machine of @until goes on, as far as it says, if it does. */
int pmud_go_on(struct pmud *s, const Pmu__V1__RunUntilRequest *until);
void answer_free(void *message); /* NULL is fine */

/* @answer: to a pointer to a message of any type. */
static inline void cleanup_answer(void *answer)
{
	answer_free(pointer_take(answer));
}

#endif
