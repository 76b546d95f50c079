/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes the format of Documentation/driver-api/early-userspace/
 * buffer-format.rst: headers of hexadecimal digits, names and data each padded
 * to 4 bytes.
 */
#include "cpio.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"

enum {
	ALIGN = 4,
	HEADER_SIZE = 110,
	DIRECTORY_MODE = 0755,
};

static const char trailer[] = "TRAILER!!!";

struct cpio {
	FILE *out;
	unsigned n;  /* entries, which is the number of the last */
	char **made; /* directories */
	size_t n_made, made_room;
};

struct cpio *cpio_new(FILE *out)
{
	struct cpio *a = calloc(1, sizeof(*a));

	if (a)
		a->out = out;
	return a;
}

void cpio_free(struct cpio *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n_made; i++)
		free(a->made[i]);
	free(a->made);
	free(a);
}

bool cpio_path_is_good(const char *path)
{
	const char *part = path + (*path == '/');

	if (strlen(path) > CPIO_MAX_PATH)
		return false;
	for (;;) {
		size_t len = strcspn(part, "/");

		if (!len || !strncmp(part, ".", len) ||
		    (len == 2 && !strncmp(part, "..", len)))
			return false;
		if (!part[len])
			return true;
		part += len + 1;
	}
}

static void pad(struct cpio *a, size_t len)
{
	static const char zero[ALIGN];

	fwrite(zero, 1, (ALIGN - len % ALIGN) % ALIGN, a->out);
}

struct cpio_entry {
	const char *name;
	size_t name_len;
	unsigned mode;
	const void *bytes;
	size_t len;
};

static bool put(struct cpio *a, const struct cpio_entry *e)
{
	unsigned links = S_ISDIR(e->mode) ? 2 : 1;

	/* ino mode uid gid nlink mtime size devs and rdevs, name size, check */
	fprintf(a->out,
		"070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		++a->n, e->mode, 0, 0, links, 0, (unsigned)e->len, 0, 0, 0, 0,
		(unsigned)e->name_len + 1, 0);
	fwrite(e->name, 1, e->name_len, a->out);
	fputc(0, a->out);
	pad(a, HEADER_SIZE + e->name_len + 1);
	if (e->len)
		fwrite(e->bytes, 1, e->len, a->out);
	pad(a, e->len);
	return !ferror(a->out);
}

static bool is_made(const struct cpio *a, const char *path, size_t len)
{
	for (size_t i = 0; i < a->n_made; i++)
		if (strlen(a->made[i]) == len &&
		    !strncmp(a->made[i], path, len))
			return true;
	return false;
}

static bool make_directory(struct cpio *a, const char *path, size_t len)
{
	struct cpio_entry e = { path, len, S_IFDIR | DIRECTORY_MODE, NULL, 0 };

	if (is_made(a, path, len))
		return true;
	if (!ARRAY_ROOM(a->made, &a->made_room, a->n_made))
		return false;
	a->made[a->n_made] = strndup(path, len);
	return a->made[a->n_made++] && put(a, &e);
}

bool cpio_add(struct cpio *a, const char *path, unsigned mode,
	      const void *bytes, size_t len)
{
	const char *name = path + (*path == '/');
	struct cpio_entry e = { name, strlen(name), S_IFREG | (mode & 07777),
				bytes, len };

	for (size_t i = 0; name[i]; i++)
		if (name[i] == '/' && !make_directory(a, name, i))
			return false;
	return put(a, &e);
}

bool cpio_end(struct cpio *a)
{
	struct cpio_entry e = { trailer, sizeof(trailer) - 1, 0, NULL, 0 };

	return put(a, &e) && !fflush(a->out);
}
