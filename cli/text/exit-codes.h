/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmuctl exits with, as docs/EXIT-CODES.md tells users. `pmuctl run`
 * passes on what ended the guest instead, which the machine decides.
 */
#ifndef CLI_TEXT_EXIT_CODES_H
#define CLI_TEXT_EXIT_CODES_H

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,      /* also: two traces differ */
	EXIT_USAGE = 2,	      /* of the command line, or a value was refused */
	EXIT_UNREACHABLE = 3, /* no daemon answers */
	EXIT_NOT_FOUND = 4,   /* no such machine, CSR, file */
	EXIT_TIMEOUT = 5,
	EXIT_DENIED = 6,
	EXIT_SBI_ERROR = 7, /* the SBI call answered with an error */
	EXIT_GONE = 123,    /* pmud ended while a guest ran */
	EXIT_SIGNAL = 128,  /* plus the number of the signal */
	EXIT_CRASHED = 126, /* run: the machine's process has ended */
	EXIT_LEFT = 130,    /* run: the user left by Ctrl-A x */
};

#endif
