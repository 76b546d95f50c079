/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * realpath() wants that the file is there; an output often is not. So the last
 * name is followed by hand, and only the folder must be there.
 */
#include "out-path.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/cleanup.h"

enum {
	LINKS_MAX = 40 /* one after the other, as the kernel has it */
};

char *out_path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/")
			     : strndup(path, (size_t)(slash - path));
}

/* "folder/name" with the folder resolved. */
static char *in_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *folder CLEANUP(free) = out_path_folder(path);
	char *real CLEANUP(free) = folder ? realpath(folder, NULL) : NULL;
	char *all = NULL;

	if (real &&
	    asprintf(&all, "%s/%s", strcmp(real, "/") ? real : "", name) < 0)
		all = NULL;
	return all;
}

/* What the link @path names, seen from the link's folder. */
static char *follow_link(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	char *folder, *all = NULL;

	if (n < 0)
		return NULL;
	target[n] = '\0';
	if (target[0] == '/')
		return strdup(target);
	folder = out_path_folder(path);
	if (folder && asprintf(&all, "%s/%s", folder, target) < 0)
		all = NULL;
	free(folder);
	return all;
}

char *out_path_resolve(const char *path)
{
	char *at = realpath(path, NULL), *next;
	struct stat st;

	if (at || errno != ENOENT)
		return at;
	at = strdup(path);
	for (int i = 0; at && i <= LINKS_MAX; i++) {
		bool link = lstat(at, &st) == 0 && S_ISLNK(st.st_mode);

		next = link ? follow_link(at) : in_folder(at);
		free(at);
		at = next;
		if (!link)
			return at;
	}
	if (!at)
		return NULL;
	free(at);
	errno = ELOOP;
	return NULL;
}
