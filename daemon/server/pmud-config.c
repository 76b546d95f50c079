/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud's options. Defaults follow the place it is installed in and the user's
 * environment: a user's daemon listens in $XDG_RUNTIME_DIR, root's in the
 * system's run directory.
 */
#include "pmud-config.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "daemon-limits.h"
#include "number.h"

enum {
	OPT_TCP = 256,
	OPT_PROGRAM,
	OPT_TRACE,
	OPT_KEEP,
	OPT_FD,
	OPT_TRACE_FD,
	OPT_LIMIT, /* and behind it two for each kind of quota */
};

#define OPT_TOTAL(kind)	   (OPT_LIMIT + 2 * QUOTA_##kind)
#define OPT_PER_USER(kind) (OPT_TOTAL(kind) + 1)

_Static_assert(MACHINES_DEFAULT == 64 && CONNECTIONS_DEFAULT == 256 &&
		       TRACE_BYTES_DEFAULT == UINT64_C(256) << 20 &&
		       STORE_DEFAULT == UINT64_C(17) << 30,
	       "the help below and docs/man/pmud.8.scd say so");

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
	  "Keep stored traces in unlinked files here, which are lost when pmud "
	  "ends or is killed unless it has --keep (default: $TMPDIR or the "
	  "system's place for temporary files)",
	  0 },
	{ "trace-bytes", OPT_TRACE, "BYTES", 0,
	  "Store at most this much of each machine's trace (default: 256 MiB)",
	  0 },
	{ "keep", OPT_KEEP, NULL, 0,
	  "Keep the traces of machines in --state-dir until the machines are "
	  "deleted: a pmud that starts again lists them, whatever ended the "
	  "one before",
	  0 },
	{ "machines", OPT_TOTAL(MACHINES), "N", 0,
	  "Host at most so many machines (default: 64). Of this and the "
	  "following, the last quarter is kept for users who have none",
	  0 },
	{ "machines-per-user", OPT_PER_USER(MACHINES), "N", 0,
	  "Of which by one user (default: a quarter)", 0 },
	{ "memory", OPT_TOTAL(MEMORY), "BYTES", 0,
	  "Give machines at most so much memory together (default: three "
	  "quarters of the system's; of a private pmud: no limit)",
	  0 },
	{ "memory-per-user", OPT_PER_USER(MEMORY), "BYTES", 0,
	  "Of which to one user (default: half)", 0 },
	{ "store", OPT_TOTAL(STORE), "BYTES", 0,
	  "Store at most so much of all machines' traces and consoles "
	  "(default: 17 GiB; of a private pmud: no limit)",
	  0 },
	{ "store-per-user", OPT_PER_USER(STORE), "BYTES", 0,
	  "Of which for one user (default: a quarter)", 0 },
	{ "connections", OPT_TOTAL(CONNECTIONS), "N", 0,
	  "Serve at most so many connections (default: 256)", 0 },
	{ "connections-per-user", OPT_PER_USER(CONNECTIONS), "N", 0,
	  "Of which to one user (default: a quarter)", 0 },
	{ "machine-program", OPT_PROGRAM, "FILE", 0,
	  "The program that runs one machine (default: pmud-machine of the "
	  "same tree as pmud, or as installed)",
	  0 },
	{ "client-fd", OPT_FD, "FD", 0,
	  "Serve this connected socket only, and end when it closes: a private "
	  "daemon, as pmuctl starts it",
	  0 },
	{ "trace-fd", OPT_TRACE_FD, "FD", 0,
	  "With --client-fd: store the first machine's trace in this empty "
	  "file, open for reading and writing, which the client then has "
	  "whatever becomes of pmud",
	  0 },
	{ 0 },
};

/* A whole number within bounds, or a usage error that names the option. */
static uint64_t number(struct argp_state *state, const char *name,
		       const char *arg, uint64_t min, uint64_t max)
{
	uint64_t n = 0;

	if (!number_parse(arg, &n) || n < min || n > max)
		argp_error(state,
			   "--%s: '%s' is not a number from %llu to %llu", name,
			   arg, (unsigned long long)min,
			   (unsigned long long)max);
	return n;
}

static uint64_t bytes(struct argp_state *state, const char *name,
		      const char *arg, uint64_t min, uint64_t max)
{
	uint64_t n = 0;

	if (!number_parse_size(arg, &n) || n < min || n > max)
		argp_error(state,
			   "--%s: '%s' is not a size from %llu to %llu bytes",
			   name, arg, (unsigned long long)min,
			   (unsigned long long)max);
	return n;
}

/* One of the options of quotas; false: it is none. */
static bool parse_limit(struct config *c, int key, char *arg,
			struct argp_state *state)
{
	static const uint64_t most[N_QUOTAS] = {
		[QUOTA_MACHINES] = MAX_MACHINES,
		[QUOTA_MEMORY] = BYTES_MOST,
		[QUOTA_STORE] = BYTES_MOST,
		[QUOTA_CONNECTIONS] = MAX_CONNECTIONS,
	};
	int i = key - OPT_LIMIT;
	struct quota_limit *l;
	uint64_t n;

	if (i < 0 || i >= 2 * N_QUOTAS)
		return false;
	for (const struct argp_option *o = options; o->name; o++) {
		if (o->key != key)
			continue;
		if (i / 2 == QUOTA_MEMORY || i / 2 == QUOTA_STORE)
			n = bytes(state, o->name, arg, 1, most[i / 2]);
		else
			n = number(state, o->name, arg, 1, most[i / 2]);
		l = &c->limits[i / 2];
		*(i % 2 ? &l->per_user : &l->total) = n;
	}
	return true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct config *c = state->input;

	if (parse_limit(c, key, arg, state))
		return 0;
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
		c->trace_bytes = bytes(state, "trace-bytes", arg,
				       TRACE_BYTES_LEAST, UINT64_C(1) << 40);
		return 0;
	case OPT_KEEP:
		c->keep = true;
		return 0;
	case ARGP_KEY_END:
		if (c->keep && !c->state_dir)
			argp_error(state, "--keep needs --state-dir");
		if (c->trace_fd && c->adopt_fd < 0)
			argp_error(state, "--trace-fd needs --client-fd");
		return 0;
	case OPT_PROGRAM:
		c->machine_program = arg;
		return 0;
	case OPT_FD:
		c->adopt_fd = (int)number(state, "client-fd", arg, 3, INT_MAX);
		return 0;
	case OPT_TRACE_FD:
		c->trace_fd = (int)number(state, "trace-fd", arg, 3, INT_MAX);
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

static int no_memory(void)
{
	fprintf(stderr, "pmud: out of memory\n");
	return -ENOMEM;
}

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
	if (asprintf(&c->made_socket, "%s/pmud.sock", dir) < 0) {
		c->made_socket = NULL;
		return no_memory();
	}
	c->socket = c->made_socket;
	return 0;
}

/*
 * As built (daemon/machine/), as installed from where pmud itself stands, for a
 * tree that was moved as a whole, or as configured.
 */
static int default_program(struct config *c)
{
	static const char *const places[] = { "machine/pmud-machine",
					      MACHINE_FROM_PMUD };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (n < 0) {
		fprintf(stderr, "pmud: /proc/self/exe: %s; is /proc mounted?\n",
			strerror(errno));
		c->machine_program = MACHINE_PROGRAM;
		return 0;
	}
	self[n] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (asprintf(&c->made_program, "%s/%s", self, places[i]) < 0) {
			c->made_program = NULL;
			return no_memory();
		}
		c->machine_program = c->made_program;
		if (access(c->made_program, X_OK) == 0)
			return 0;
		free(c->made_program);
		c->made_program = NULL;
	}
	c->machine_program = MACHINE_PROGRAM;
	return 0;
}

const char *argp_program_version = "pmud " PMUD_VERSION;

/* What every machine will need is looked for once, and named if it is bad. */
static int check_places(const struct config *c, const char *whose_dir)
{
	int fd = open(c->state_dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) {
		int err = -errno;

		fprintf(stderr, "pmud: %s %s: %s\n", whose_dir, c->state_dir,
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

/* Bytes of somebody else's are not written over. */
static int check_trace_file(int fd)
{
	struct stat st;
	int err = 0;

	if (!fd)
		return 0;
	if (fstat(fd, &st) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		err = -errno;
	else if (!S_ISREG(st.st_mode) || st.st_size ||
		 (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR)
		err = -EINVAL;
	if (err)
		fprintf(stderr,
			"pmud: --trace-fd %d: %s; an empty file is needed "
			"that can be read and written\n",
			fd, strerror(-err));
	return err;
}

static uint64_t system_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info))
		return QUOTA_NONE;
	return (uint64_t)info.totalram * info.mem_unit;
}

/*
 * Limits that were not given (0). A private pmud serves one user only, whom the
 * system's own limits hold.
 */
static void default_limits(struct config *c)
{
	struct quota_limit *l = c->limits;
	bool private = c->adopt_fd >= 0;

	if (!l[QUOTA_MACHINES].total)
		l[QUOTA_MACHINES].total = MACHINES_DEFAULT;
	if (!l[QUOTA_CONNECTIONS].total)
		l[QUOTA_CONNECTIONS].total = CONNECTIONS_DEFAULT;
	if (!l[QUOTA_MEMORY].total)
		l[QUOTA_MEMORY].total =
			private ? QUOTA_NONE : system_memory() / 4 * 3;
	if (!l[QUOTA_STORE].total)
		l[QUOTA_STORE].total = private ? QUOTA_NONE : STORE_DEFAULT;
	l[QUOTA_MACHINES].least = l[QUOTA_CONNECTIONS].least = 1;
	l[QUOTA_MEMORY].least = MEMORY_LEAST;
	l[QUOTA_STORE].least = STORE_LEAST;
	for (int i = 0; i < N_QUOTAS; i++) {
		uint64_t part = l[i].total / (i == QUOTA_MEMORY ? 2 : 4);

		if (l[i].total == QUOTA_NONE)
			part = QUOTA_NONE;
		if (!l[i].per_user)
			l[i].per_user = part > l[i].least ? part : l[i].least;
		if (l[i].per_user > l[i].total)
			l[i].per_user = l[i].total;
	}
}

int config_parse(struct config *c, int argc, char **argv)
{
	const char *tmp = getenv("TMPDIR"), *whose_dir = "--state-dir";
	int err = 0;

	*c = (struct config){
		.limits[QUOTA_REQUESTS] = { REQUESTS_TOTAL, REQUESTS_PER_USER,
					    REQUESTS_LEAST },
		.trace_bytes = TRACE_BYTES_DEFAULT,
		.tcp_port = -1,
		.adopt_fd = -1,
	};
	argp_err_exit_status = EXIT_USAGE;
	err = argp_parse(&argp, argc, argv, 0, NULL, c);
	if (err) {
		fprintf(stderr, "pmud: the command line cannot be read: %s\n",
			strerror(err));
		return -err;
	}
	if (!c->state_dir) {
		c->state_dir = tmp && *tmp ? tmp : P_tmpdir;
		whose_dir = tmp && *tmp ? "$TMPDIR" : "temporary files:";
	}
	default_limits(c);
	c->until_adopted_closes = c->adopt_fd >= 0;
	if (!c->socket && c->adopt_fd < 0 && !getenv("LISTEN_FDS"))
		err = default_socket(c);
	if (!err && !c->machine_program)
		err = default_program(c);
	if (!err)
		err = check_places(c, whose_dir);
	return err ? err : check_trace_file(c->trace_fd);
}

void config_free(struct config *c)
{
	free(c->made_socket);
	free(c->made_program);
}
