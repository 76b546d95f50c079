/* SPDX-License-Identifier: BSD-2-Clause */
/* `report` and `diff`: samples of traces by event and function. */
#include "command.h"
#include "text/exit-codes.h"
#include "text/report.h"
#include "trace/profile.h"

/* Returns an exit code. */
static int read_profile(const struct args *args, const char *path,
			struct profile **ret)
{
	struct profile *p = profile_new();
	int code;

	if (!p) {
		report_error("out of memory");
		return EXIT_FAILED;
	}
	code = profile_read(p, path, args);
	if (code)
		profile_free(p);
	else
		*ret = p;
	return code;
}

static int report(struct pmud *s, struct args *args)
{
	struct profile *p = NULL;
	int code = read_profile(args, args->arg[0], &p);

	if (!code)
		code = profile_print(p, stdout, args->json);
	profile_free(p);
	return code;
}

static int diff(struct pmud *s, struct args *args)
{
	struct profile *a = NULL, *b = NULL;
	int code = read_profile(args, args->arg[0], &a);

	if (!code)
		code = read_profile(args, args->arg[1], &b);
	if (!code)
		code = profile_print_diff(a, b, stdout, args->json);
	profile_free(a);
	profile_free(b);
	return code;
}

const struct command report_commands[] = {
	{ "report", "FILE",
	  "Count the samples of a record by event and function",
	  WITH_NAMES | WITH(FILTER), 1, 1, NO_DAEMON, report },
	{ "diff", "FILE FILE",
	  "Compare the samples of two records, function by function",
	  WITH_NAMES | WITH(FILTER), 2, 2, NO_DAEMON, diff },
	{ 0 },
};
