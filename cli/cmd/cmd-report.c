/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `report`, `annotate` and `diff`: samples of traces by event and function, of
 * `report` also by process or file.
 */
#include <stdint.h>

#include "command.h"
#include "text/exit-codes.h"
#include "text/pager.h"
#include "text/report.h"
#include "trace/annotate.h"
#include "trace/profile.h"

/* Returns an exit code. */
static int read_profile(const struct args *args, const char *path,
			struct profile **ret)
{
	enum profile_key key;
	struct profile *p;
	int code;

	if (!profile_key_parse(args->sort, &key))
		return EXIT_USAGE;
	p = profile_new(key);
	if (!p)
		return report_no_memory(path);
	code = profile_read(p, path, args);
	if (code)
		profile_free(p);
	else
		*ret = p;
	return code;
}

static int report(struct pmud *s, struct args *args)
{
	struct profile *p CLEANUP(profile) = NULL;
	int code = read_profile(args, args->arg[0], &p);

	return code ? code : profile_print(p, stdout, args->json);
}

static int diff(struct pmud *s, struct args *args)
{
	struct profile *a CLEANUP(profile) = NULL;
	struct profile *b CLEANUP(profile) = NULL;
	int code = read_profile(args, args->arg[0], &a);

	if (!code)
		code = read_profile(args, args->arg[1], &b);
	return code ? code : profile_print_diff(a, b, stdout, args->json);
}

static int annotate(struct pmud *s, struct args *args)
{
	struct annotate *a;
	int code;

	if (!args->symbols && !args->guest_symbols && !args->user_symbols.n &&
	    !args->sysroot) {
		report_error("annotate needs --symbols, --guest-symbols, "
			     "--user-symbols or --sysroot: the file that ran");
		return EXIT_USAGE;
	}
	a = annotate_new();
	if (!a)
		return report_no_memory(args->arg[0]);
	code = annotate_read(a, args->arg[0], args);
	pager_begin(SIZE_MAX);
	if (!code)
		code = annotate_print(a, args, stdout);
	annotate_free(a);
	return code;
}

const struct command report_commands[] = {
	{ "report", "FILE",
	  "Count the samples of a record by event, and by function, process or "
	  "file",
	  WITH_NAMES | WITH(SYSROOT) | WITH(FILTER) | WITH(SORT), 1, 1,
	  NO_DAEMON, report },
	{ "annotate", "FILE",
	  "Print what each instruction of a function has of its samples, with "
	  "the source",
	  WITH_NAMES | WITH(SYSROOT) | WITH(FILTER) | WITH(FUNCTION), 1, 1,
	  NO_DAEMON, annotate },
	{ "diff", "FILE FILE",
	  "Compare the samples of two records, function by function",
	  WITH_NAMES | WITH(SYSROOT) | WITH(FILTER), 2, 2, NO_DAEMON, diff },
	{ 0 },
};
