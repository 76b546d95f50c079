/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths are the guest's word: a file is looked for below --sysroot and nowhere
 * else, wherever links lead, and is taken if it has the size that it had in the
 * guest. Debug information in a file of its own is looked for below the root,
 * too, and is what has the build ID or the checksum; last the servers of
 * $DEBUGINFOD_URLS are asked, where that is set.
 */
#include "sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/args.h"
#include "symbols.h"
#include "text/exit-codes.h"
#include "text/regular-file.h"
#include "text/report.h"

/* Where it is. 0, or an errno. */
static int find_root(struct sysroot *root)
{
	struct stat st;

	root->path = realpath(root->given, NULL);
	if (!root->path || stat(root->path, &st))
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

int sysroot_open(struct sysroot *ret, const struct args *args)
{
	int err;

	ret->given = args->sysroot;
	ret->force = args->force;
	err = ret->given ? find_root(ret) : 0;
	if (!err)
		return EXIT_OK;
	report_error("--sysroot: %s: %s", ret->given, strerror(err));
	return EXIT_FAILED;
}

void sysroot_close(struct sysroot *root)
{
	free(root->path);
	root->path = NULL;
}

/* To be freed. NULL, with errno: ENOENT also where it is not below the root. */
static char *path_below(const struct sysroot *root, const char *name)
{
	char path[PATH_MAX], *real;
	size_t len = strlen(root->path);
	int n = snprintf(path, sizeof(path), "%s/%s", root->path, name);

	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	real = realpath(path, NULL);
	/* "/" ends in what the path goes on with */
	if (!real ||
	    (!strncmp(real, root->path, len) && (real[len] == '/' || len == 1)))
		return real;
	free(real);
	errno = ENOENT;
	return NULL;
}

static void note_missing(const struct sysroot *root, const char *name, int err)
{
	if (err == ENOENT)
		report_note("%s is not below %s: its functions are not known",
			    name, root->given);
	else
		report_note("%s below %s: %s: its functions are not known",
			    name, root->given, strerror(err));
}

/* Is it what the guest had? Says if not. */
static bool fits(const struct sysroot *root, const char *path, uint64_t bytes)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode)) {
		report_note("%s is no file: its functions are not known", path);
		return false;
	}
	if (root->force || !bytes || (uint64_t)st.st_size == bytes)
		return true;
	report_note("%s is not the file that ran: it has %jd bytes, that one "
		    "had %" PRIu64 ": its functions are not known; --force "
		    "takes it",
		    path, (intmax_t)st.st_size, bytes);
	return false;
}

static struct symbols *open_file(const struct sysroot *root, const char *path)
{
	const struct symbols_file file = {
		.path = path,
		.open = regular_file_find,
		.root = root->path,
	};
	const char *why;
	struct symbols *ret = symbols_open(&file, &why);

	if (!ret)
		report_note("%s: %s: its functions are not known", path, why);
	return ret;
}

bool sysroot_find(const struct sysroot *root, const char *name, uint64_t bytes,
		  char **ret_path, struct symbols **ret)
{
	char *path = path_below(root, name);
	struct symbols *symbols;

	if (!path) {
		note_missing(root, name, errno);
		return false;
	}
	symbols = fits(root, path, bytes) ? open_file(root, path) : NULL;
	if (!symbols) {
		free(path);
		return false;
	}
	*ret_path = path;
	*ret = symbols;
	return true;
}
