/* SPDX-License-Identifier: BSD-2-Clause */
/* pmuctl's entry; everything else is in the library that tests link, too. */
#include <argp.h>
#include <stdio.h>

#include "cmd/command.h"
#include "text/exit-codes.h"
#include "wire/standard-fds.h"

const char *argp_program_version = "pmuctl " PMUD_VERSION;

int main(int argc, char **argv)
{
	if (!standard_fds_hold()) { /* before any file is opened */
		perror("pmuctl: /dev/null");
		return EXIT_FAILED;
	}
	argp_err_exit_status = EXIT_USAGE;
	return command_main(argc, argv);
}
