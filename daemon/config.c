/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud's options. Defaults follow the place it is installed in and the user's
 * environment: a user's daemon listens in $XDG_RUNTIME_DIR, root's in the
 * system's run directory.
 */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon-limits.h"

enum {
	OPT_TCP = 256,
	OPT_PROGRAM,
	OPT_TRACE,
	OPT_FD,
};

static const struct argp_option options[] = {
	{ "socket", 's', "PATH", 0,
	  "Listen on this Unix socket (default: $XDG_RUNTIME_DIR/pmud.sock, "
	  "for "
	  "root /run/pmud/pmud.sock; with systemd's socket: that one)",
	  0 },
	{ "tcp", OPT_TCP, "PORT", 0,
	  "Listen on this port of 127.0.0.1, too. Callers have no identity "
	  "there: they can list events and settings, nothing more",
	  0 },
	{ "state-dir", 'd', "DIR", 0,
	  "Keep stored traces in unlinked files here (default: $TMPDIR or the "
	  "system's place for temporary files)",
	  0 },
	{ "trace-bytes", OPT_TRACE, "BYTES", 0,
	  "Store at most this much of each machine's trace (default: 256 MiB)",
	  0 },
	{ "machine-program", OPT_PROGRAM, "FILE", 0,
	  "The program that runs one machine (default: pmud-machine beside "
	  "pmud or as installed)",
	  0 },
	{ "client-fd", OPT_FD, "FD", 0,
	  "Serve this connected socket only, and end when it closes: a private "
	  "daemon, as pmuctl starts it",
	  0 },
	{ 0 },
};

/* A whole number within bounds, or a usage error that names the option. */
static uint64_t number(struct argp_state *state, const char *name,
		       const char *arg, uint64_t min, uint64_t max)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || *arg == '-' || n < min || n > max)
		argp_error(state,
			   "--%s: '%s' is not a number from %llu to %llu", name,
			   arg, (unsigned long long)min,
			   (unsigned long long)max);
	return n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct config *c = state->input;

	switch (key) {
	case 's':
		c->socket = arg;
		return 0;
	case 'd':
		c->state_dir = arg;
		return 0;
	case OPT_TCP:
		c->tcp_port = (int)number(state, "tcp", arg, 0, 65535);
		return 0;
	case OPT_TRACE:
		c->trace_bytes = number(state, "trace-bytes", arg, 1 << 20,
					UINT64_C(1) << 40);
		return 0;
	case OPT_PROGRAM:
		c->machine_program = arg;
		return 0;
	case OPT_FD:
		c->adopt_fd = (int)number(state, "client-fd", arg, 3, INT_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Hosts RISC-V machines whose performance counters are exact, "
	       "and serves them by gRPC.",
};

static int default_socket(struct config *c)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");

	if (geteuid() == 0) {
		c->socket = "/run/pmud/pmud.sock";
		return 0;
	}
	if (!dir || !*dir) {
		fprintf(stderr, "pmud: no --socket and no $XDG_RUNTIME_DIR\n");
		return -EINVAL;
	}
	if (asprintf(&c->made_socket, "%s/pmud.sock", dir) < 0)
		return -ENOMEM;
	c->socket = c->made_socket;
	return 0;
}

/* Beside pmud as built (daemon/machine/), else where it is installed. */
static int default_program(struct config *c)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (n < 0)
		return -errno;
	self[n] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&c->made_program, "%s/machine/pmud-machine", self) < 0)
		return -ENOMEM;
	c->machine_program = c->made_program;
	if (access(c->made_program, X_OK) == 0)
		return 0;
	c->machine_program = MACHINE_PROGRAM;
	return 0;
}

const char *argp_program_version = "pmud " PMUD_VERSION;

/* What every machine will need is looked for once, and named if it is bad. */
static int check_places(const struct config *c)
{
	int fd = open(c->state_dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) {
		int err = -errno;

		fprintf(stderr, "pmud: --state-dir %s: %s\n", c->state_dir,
			strerror(-err));
		return err;
	}
	close(fd);
	if (!c->machine_program || access(c->machine_program, X_OK)) {
		int err = c->machine_program ? -errno : -EINVAL;

		fprintf(stderr, "pmud: --machine-program %s: %s\n",
			c->machine_program ? c->machine_program : "",
			strerror(-err));
		return err;
	}
	return 0;
}

int config_parse(struct config *c, int argc, char **argv)
{
	const char *tmp = getenv("TMPDIR");
	int err = 0;

	*c = (struct config){
		.state_dir = tmp && *tmp ? tmp : P_tmpdir,
		.trace_bytes = TRACE_BYTES_DEFAULT,
		.tcp_port = -1,
		.adopt_fd = -1,
	};
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, c);
	c->until_adopted_closes = c->adopt_fd >= 0;
	if (!c->socket && c->adopt_fd < 0 && !getenv("LISTEN_FDS"))
		err = default_socket(c);
	if (!err && !c->machine_program)
		err = default_program(c);
	return err ? err : check_places(c);
}

void config_free(struct config *c)
{
	free(c->made_socket);
	free(c->made_program);
}
