/* SPDX-License-Identifier: BSD-2-Clause */
/* An SBI call as the hart's S-mode would make it. */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "text/names.h"
#include "text/parse.h"
#include "text/plain-text.h"
#include "pmu/v1/sbi.pb-c.h"
#include "text/report.h"
#include "suggest.h"

enum {
	SBI_ARGS = 6
};

/* EID and FID, by one name or two numbers. Returns the words used, or 0. */
static size_t parse_call(const struct args *args, Pmu__V1__CallSbiRequest *ret)
{
	if (strchr(args->arg[0], '.')) {
		if (name_find_sbi_call(args->arg[0], &ret->eid, &ret->fid))
			return 1;
		report_error("there is no SBI call '%s'", args->arg[0]);
		suggest_word(NULL, args, CANDIDATES_SBI_CALL, args->arg[0]);
		return 0;
	}
	if (args->n_arg < 2) {
		report_error("FID is missing");
		return 0;
	}
	return parse_value("EID", args->arg[0], &ret->eid) &&
			       parse_value("FID", args->arg[1], &ret->fid)
		       ? 2
		       : 0;
}

static int print_answer(const Pmu__V1__CallSbiResponse *r,
			const struct args *args)
{
	if (args->json && json_print(stdout, &r->base))
		return EXIT_FAILED;
	if (!args->json)
		plain_printf(
			stdout, "%s%s%s (%" PRId64 ") value %#" PRIx64 "%s%s\n",
			r->call_name, *r->call_name ? ": " : "", r->error_name,
			r->error, r->value, *r->reason ? ": " : "", r->reason);
	return r->error ? EXIT_SBI_ERROR : EXIT_OK;
}

static int sbi_call(struct pmud *s, struct args *args)
{
	Pmu__V1__CallSbiRequest req = PMU__V1__CALL_SBI_REQUEST__INIT;
	Pmu__V1__CallSbiResponse *r = NULL;
	uint64_t values[SBI_ARGS];
	size_t used;
	int code;

	req.machine = (char *)args->machine;
	req.args = values;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	used = parse_call(args, &req);
	if (!used)
		return EXIT_USAGE;
	if (args->n_arg - used > SBI_ARGS) {
		report_error("ARG: must be at most %d, not %zu", SBI_ARGS,
			     args->n_arg - used);
		return EXIT_USAGE;
	}
	for (size_t i = used; i < args->n_arg; i++) {
		if (!parse_value("ARG", args->arg[i], &values[req.n_args++]))
			return EXIT_USAGE;
	}
	code = PMUD_CALL(s, CallSbi, &req, &r);
	if (!code)
		code = print_answer(r, args);
	answer_free(r);
	return code;
}

const struct command sbi_commands[] = {
	{ "sbi call", "CALL|EID FID [ARG...]",
	  "Call the firmware of a paused machine; an SBI error exits with 7",
	  WITH(MACHINE) | WITH(HART), 1, 2 + SBI_ARGS, NEEDS_DAEMON, sbi_call },
	{ 0 },
};
