/* SPDX-License-Identifier: BSD-2-Clause */
/* pmuctl's entry; everything else is in the library that tests link, too. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/command.h"
#include "text/exit-codes.h"
#include "wire/standard-fds.h"

const char *argp_program_version = "pmuctl " PMUD_VERSION;

/* --help and --version are argp's, which asks nobody whether they came out. */
static void check_output(int status, void *returned)
{
	if (status != EXIT_OK || *(bool *)returned ||
	    (fflush(stdout) == 0 && !ferror(stdout)))
		return;
	fputs("pmuctl: cannot write to standard output\n", stderr);
	_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	static bool returned;
	int code;

	if (!standard_fds_hold()) { /* before any file is opened */
		perror("pmuctl: /dev/null");
		return EXIT_FAILED;
	}
	argp_err_exit_status = EXIT_USAGE;
	if (on_exit(check_output, &returned))
		return EXIT_FAILED;
	code = command_main(argc, argv);
	returned = true;
	return code;
}
