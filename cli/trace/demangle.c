/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What compilers make of names has two schemes for C++ and Rust together (_Z
 * and _R), which binutils read under a licence that a BSD program cannot link.
 * Their c++filt is started at the first such name and asked once for each: a
 * line to it, a line from it. When it fails, names stay as they are.
 */
#include "demangle.h"

#include <search.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "text/report.h"

enum {
	NAME_MAX_BYTES = 4096, /* longer ones are not asked for */
	ANSWER_MAX = 1 << 16
};

struct known {
	char *mangled, *name;
};

static struct {
	int fd;	   /* to and from it, -1: it does not run */
	bool lost; /* nor will it */
	void *known;
} filter = { .fd = -1 };

static const char *const programs[] = {
	"c++filt",
	"riscv64-unknown-elf-c++filt",
	"riscv64-linux-gnu-c++filt",
};

/* Anything else could be no line, or several words. */
bool demangle_is_mangled(const char *name)
{
	static const char letters[] = "0123456789_.$"
				      "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t n = strspn(name, letters);

	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') &&
	       !name[n] && n <= NAME_MAX_BYTES;
}

/* Its end of the sockets is not ours: it ends when we do. */
static bool spawn(const char *program, int fd)
{
	char name[40], no_params[] = "-p", no_hashes[] = "-i";
	char *argv[] = { name, no_params, no_hashes, NULL };
	posix_spawn_file_actions_t files;
	pid_t pid;
	int err;

	strcpy(name, program);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fd, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, fd, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1,
					 0);
	err = posix_spawnp(&pid, name, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return !err;
}

static void start(void)
{
	int fds[2];
	bool done = false;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return;
	for (size_t i = 0; !done && i < sizeof(programs) / sizeof(*programs);
	     i++)
		done = spawn(programs[i], fds[1]);
	close(fds[1]);
	if (done)
		filter.fd = fds[0];
	else
		close(fds[0]);
}

/* Once, for nobody asks again. */
static void give_up(void)
{
	if (filter.fd >= 0)
		close(filter.fd);
	filter.fd = -1;
	filter.lost = true;
	report_note("no c++filt answers: names of C++ and Rust stay as "
		    "compilers made them");
}

static bool send_all(const char *bytes, size_t n)
{
	while (n) {
		ssize_t sent = send(filter.fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		bytes += sent;
		n -= (size_t)sent;
	}
	return true;
}

/* The next line, without its end, to be freed. NULL: none comes. */
static char *read_line(void)
{
	char *line = malloc(ANSWER_MAX);
	size_t have = 0;

	while (line && have < ANSWER_MAX) {
		ssize_t n = recv(filter.fd, line + have, ANSWER_MAX - have, 0);

		if (n <= 0)
			break;
		have += (size_t)n;
		if (line[have - 1] == '\n') {
			line[have - 1] = '\0';
			return line;
		}
	}
	free(line);
	return NULL;
}

static char *ask(const char *name)
{
	char *answer = NULL, *fits;

	if (filter.lost)
		return NULL;
	if (filter.fd < 0)
		start();
	if (filter.fd >= 0 && send_all(name, strlen(name)) && send_all("\n", 1))
		answer = read_line();
	if (!answer) {
		give_up();
		return NULL;
	}
	fits = realloc(answer, strlen(answer) + 1);
	return fits ? fits : answer;
}

static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return strcmp(x->mangled, y->mangled);
}

/* NULL without memory. */
static const struct known *add(const char *name)
{
	struct known *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->mangled = strdup(name);
	k->name = k->mangled ? ask(name) : NULL;
	if (k->mangled && tsearch(k, &filter.known, compare))
		return k;
	free(k->mangled);
	free(k->name);
	free(k);
	return NULL;
}

const char *demangle(const char *name)
{
	struct known key = { .mangled = (char *)name };
	const struct known *const *found, *k;

	if (!name || !demangle_is_mangled(name))
		return name;
	found = tfind(&key, &filter.known, compare);
	k = found ? *found : add(name);
	return k && k->name ? k->name : name;
}
