/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file's device tree. Source is compiled by dtc as a process of its own,
 * whose messages go to stderr as they are: it knows the place in the file.
 */
#include "dt-file.h"

#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit-codes.h"
#include "session/image-file.h"
#include "report.h"

enum {
	MAX_SIZE = 16 << 20
};

static const uint8_t magic[] = { 0xd0, 0x0d, 0xfe, 0xed };

/* All of @fd, up to one byte more than the limit. NULL: errno says why. */
static uint8_t *read_all(int fd, size_t *ret_size)
{
	uint8_t *bytes = malloc(MAX_SIZE + 1);
	size_t len = 0;
	ssize_t n = 1;

	while (bytes && n > 0 && len <= MAX_SIZE) {
		n = read(fd, bytes + len, MAX_SIZE + 1 - len);
		if (n > 0)
			len += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (bytes && n < 0) {
		free(bytes);
		return NULL;
	}
	*ret_size = len;
	return bytes;
}

/* Starts dtc with its output in @fd. Returns 0 or an errno. */
static int start_dtc(const char *path, int fd, pid_t *ret_pid)
{
	char *argv[] = { "dtc", "-q", "-I", "dts", "-O",	"dtb",
			 "-o",	"-",  "--", NULL,  (char *)NULL };
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return err;
	argv[9] = (char *)path;
	err = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	if (!err)
		err = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv,
				   environ);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

/* True if it ended by itself and with 0. */
static bool ended_well(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int compile(const char *path, void **ret, size_t *ret_size)
{
	int fds[2], err;
	pid_t pid;

	if (pipe(fds)) {
		report_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	err = start_dtc(path, fds[1], &pid);
	close(fds[1]);
	if (err) {
		close(fds[0]);
		report_error(
			err == ENOENT
				? "%s: source needs dtc, which is not "
				  "installed (package device-tree-compiler)"
				: "%s: cannot start dtc",
			path);
		return EXIT_FAILED;
	}
	*ret = read_all(fds[0], ret_size);
	err = *ret ? 0 : errno;
	close(fds[0]);
	if (ended_well(pid) && *ret && *ret_size <= MAX_SIZE)
		return EXIT_OK;
	free(*ret);
	*ret = NULL;
	report_error("%s: %s", path,
		     err ? strerror(err)
			 : "dtc cannot make a device tree of it");
	return EXIT_FAILED;
}

int dt_file_read(const char *path, void **ret, size_t *ret_size)
{
	struct image_file f;
	int code = image_map(&f, path);

	if (code)
		return code;
	if (f.len < sizeof(magic) || memcmp(f.bytes, magic, sizeof(magic))) {
		image_unmap(&f);
		return compile(path, ret, ret_size);
	}
	if (f.len > MAX_SIZE) {
		report_error("%s: larger than 16 MiB", path);
		code = EXIT_FAILED;
	}
	*ret = code ? NULL : malloc(f.len);
	if (*ret)
		memcpy(*ret, f.bytes, f.len);
	else if (!code)
		report_error("%s: no memory for its %zu bytes", path, f.len);
	*ret_size = f.len;
	image_unmap(&f);
	return *ret ? EXIT_OK : EXIT_FAILED;
}
