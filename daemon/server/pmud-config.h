/* SPDX-License-Identifier: BSD-2-Clause */
/* What pmud is told by its command line and its environment. */
#ifndef SERVER_PMUD_CONFIG_H
#define SERVER_PMUD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "quota.h"

/* Exit codes; those of a guest's run are in docs/EXIT-CODES.md. */
enum {
	EXIT_USAGE = 2,
	EXIT_MACHINE_CRASHED = 126,
};

struct config {
	const char *socket;    /* path; NULL: descriptors from systemd */
	const char *state_dir; /* where unlinked trace files live */
	const char *machine_program;
	uint64_t trace_bytes; /* stored per machine */
	bool keep;	      /* runs stay in state_dir, which was given */
	struct quota_limit limits[N_QUOTAS];
	int tcp_port; /* -1: no TCP */
	int adopt_fd; /* a connected socket to serve as well, or -1 */
	int trace_fd; /* where its first machine's trace goes; 0: its own */
	bool until_adopted_closes; /* a private pmud: end with its client */
	char *made_socket, *made_program; /* owned defaults */
};

/*
 * Parses the command line; on a usage error prints it and exits with 2.
 * Returns 0, or a negated errno (told on stderr) when there is no memory to
 * read it with, a default cannot be made or a place is not usable.
 */
int config_parse(struct config *c, int argc, char **argv);
void config_free(struct config *c);

#endif
