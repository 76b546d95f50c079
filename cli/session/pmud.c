/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finding a daemon, or starting one, and the exit code that belongs to each way
 * a call can fail.
 */
#include "pmud.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "private.h"
#include "refused.h"
#include "text/report.h"

struct pmud {
	struct pmuclient *client;
	const struct args *args; /* of the command */
	struct private_daemon daemon;
	int timeout;
};

/* The status codes of gRPC that have an exit code of their own. */
static int code_of_status(unsigned status)
{
	static const struct {
		const char *name;
		int code;
	} codes[] = {
		{ "INVALID_ARGUMENT", EXIT_USAGE },
		{ "DEADLINE_EXCEEDED", EXIT_TIMEOUT },
		{ "NOT_FOUND", EXIT_NOT_FOUND },
		{ "PERMISSION_DENIED", EXIT_DENIED },
		{ "UNAUTHENTICATED", EXIT_DENIED },
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (strcmp(pmuclient_status_name(status), codes[i].name) == 0)
			return codes[i].code;
	}
	return EXIT_FAILED;
}

static bool refused_for(const struct pmud *s, const char *reason)
{
	const char *said = pmuclient_error_reason(s->client);

	return said && strcmp(said, reason) == 0;
}

int pmud_fail(struct pmud *s, int err)
{
	const char *field = err == -PMUCLIENT_ERPC
				    ? pmuclient_error_field(s->client)
				    : NULL;
	char text[REFUSED_TEXT];

	report_error("%s", refused_text(s->args, field,
					pmuclient_error(s->client), text));
	switch ((enum pmuclient_errno) - err) {
	case PMUCLIENT_ECONNECT:
	case PMUCLIENT_ELOST:
		return EXIT_UNREACHABLE;
	case PMUCLIENT_EINVAL:
		return EXIT_USAGE;
	case PMUCLIENT_ERPC:
		/* a value of the request, for gRPC; here as any other thing */
		if (refused_for(s, "NO_SUCH_HART"))
			return EXIT_NOT_FOUND;
		return code_of_status(pmuclient_status(s->client));
	case PMUCLIENT_ETIMEOUT:
		return EXIT_TIMEOUT;
	case PMUCLIENT_ENOMEM:
	case PMUCLIENT_EPROTO:
	case PMUCLIENT_ESTATE:
		break;
	}
	return EXIT_FAILED;
}

bool pmud_machine_is_gone(struct pmud *s)
{
	return refused_for(s, "MACHINE_UNAVAILABLE");
}

/* A daemon of our own instead of the one that does not answer. */
static int start_private(struct pmud *s)
{
	int fd, err = private_start(&s->daemon, s->args->trace, &fd);

	if (err) {
		report_error("cannot start a private pmud: %s", strerror(-err));
		return EXIT_UNREACHABLE;
	}
	pmuclient_free(s->client);
	err = pmuclient_adopt(&s->client, fd);
	if (!s->client)
		return report_no_memory("connection to pmud");
	return err ? pmud_fail(s, err) : EXIT_OK;
}

static int connect_to(struct pmud *s, const struct args *args, bool may_start)
{
	const char *address =
		args->address ? args->address : getenv("PMUD_ADDRESS");
	bool named = address && *address;
	int err, code;

	if (named && strcmp(address, "private") == 0) {
		if (may_start)
			return start_private(s);
		report_error("a private pmud ends with its command: this "
			     "command needs one that stays");
		return EXIT_UNREACHABLE;
	}
	err = pmuclient_connect(&s->client, args->address);
	if (!s->client)
		return report_no_memory("connection to pmud");
	if (err == -PMUCLIENT_ECONNECT && may_start && !named)
		return start_private(s);
	if (!err)
		return EXIT_OK;
	code = pmud_fail(s, err);
	if (err == -PMUCLIENT_ECONNECT && !named)
		report_note("`pmud &' starts one that stays");
	return code;
}

int pmud_open(struct pmud **ret, const struct args *args, bool may_start)
{
	struct pmud *s = calloc(1, sizeof(*s));
	int code;

	if (!s)
		return report_no_memory("connection to pmud");
	s->args = args;
	s->daemon.trace = -1;
	s->timeout = -1;
	if (args->timeout)
		s->timeout =
			args->timeout < INT_MAX ? (int)args->timeout : INT_MAX;
	code = connect_to(s, args, may_start);
	if (code) {
		pmud_close(s);
		return code;
	}
	pmuclient_set_timeout(s->client, s->timeout);
	*ret = s;
	return EXIT_OK;
}

void pmud_close(struct pmud *s)
{
	if (!s)
		return;
	pmuclient_free(s->client);
	private_wait(&s->daemon);
	free(s);
}

struct pmuclient *pmud_client(struct pmud *s)
{
	return s->client;
}

int pmud_stored_trace(const struct pmud *s)
{
	return s->daemon.trace;
}

int pmud_timeout(const struct pmud *s)
{
	return s->timeout;
}

int pmud_call(struct pmud *s, const char *method, const ProtobufCMessage *req,
	      const ProtobufCMessageDescriptor *response,
	      ProtobufCMessage **ret)
{
	ProtobufCMessage *answer;
	int err = pmuclient_call(s->client, method, req, response, &answer);

	if (err)
		return pmud_fail(s, err);
	*ret = answer;
	return EXIT_OK;
}

int pmud_control(struct pmud *s, const char *machine,
		 enum pmuclient_action action, uint64_t value,
		 Pmu__V1__MachineInfo **ret)
{
	int err = pmuclient_control(s->client, machine, action, value, ret);

	return err ? pmud_fail(s, err) : EXIT_OK;
}

int pmud_go_on(struct pmud *s, const Pmu__V1__RunUntilRequest *until)
{
	Pmu__V1__ResumeMachineRequest resume =
		PMU__V1__RESUME_MACHINE_REQUEST__INIT;
	Pmu__V1__ResumeMachineResponse *resumed CLEANUP(answer) = NULL;
	Pmu__V1__RunUntilResponse *begun CLEANUP(answer) = NULL;

	resume.machine = until->machine;
	return until->condition_case
		       ? PMUD_CALL(s, RunUntil, until, &begun)
		       : PMUD_CALL(s, ResumeMachine, &resume, &resumed);
}

void answer_free(void *message)
{
	pmuclient_free_message(message);
}
