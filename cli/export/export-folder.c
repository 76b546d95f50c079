/* SPDX-License-Identifier: BSD-2-Clause */
/* rename() takes the place of a folder only where that is empty. */
#include "export-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "text/report.h"

struct export_folder {
	const char *path;
	char *part; /* its name until it is whole */
	int fd;
};

static int fail(const char *path, int error)
{
	report_error("--output: %s: %s", path, strerror(error));
	return error == EACCES || error == EPERM ? EXIT_DENIED : EXIT_FAILED;
}

static void folder_free(struct export_folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->part);
	free(f);
}

/* Something that stands there and is not an empty folder. */
static bool is_taken(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	if (!dir)
		return errno != ENOENT;
	while (n < 3 && readdir(dir))
		n++;
	closedir(dir);
	return n > 2; /* itself and the one above */
}

int export_folder_make(struct export_folder **ret, const char *path)
{
	struct export_folder *f;
	size_t len = strlen(path);

	if (is_taken(path)) {
		report_error("--output: %s exists and is not an empty folder",
			     path);
		return EXIT_USAGE;
	}
	f = calloc(1, sizeof(*f));
	while (len > 1 && path[len - 1] == '/')
		len--;
	if (!f || asprintf(&f->part, "%.*s.part-%ld", (int)len, path,
			   (long)getpid()) < 0) {
		free(f);
		return fail(path, ENOMEM);
	}
	f->path = path;
	f->fd = -1;
	if (mkdir(f->part, 0777) == 0)
		f->fd = open(f->part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0) {
		int code = fail(f->part, errno);

		folder_free(f);
		return code;
	}
	*ret = f;
	return EXIT_OK;
}

FILE *export_folder_open(const struct export_folder *f, const char *name)
{
	int fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");

	if (!file) {
		fail(f->part, errno);
		if (fd >= 0)
			close(fd);
	}
	return file;
}

int export_folder_close(const struct export_folder *f, FILE *file)
{
	bool bad = ferror(file); /* a write before: why is not known any more */
	int err = fclose(file) ? errno : 0;

	if (err || bad)
		return fail(f->part, err ? err : EIO);
	return EXIT_OK;
}

static void take_away(const struct export_folder *f)
{
	DIR *dir = opendir(f->part);
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] != '.')
			unlinkat(f->fd, e->d_name, 0);
	}
	if (dir)
		closedir(dir);
	rmdir(f->part);
}

int export_folder_end(struct export_folder *f, int code)
{
	if (!code && rename(f->part, f->path))
		code = fail(f->path, errno);
	if (code)
		take_away(f);
	folder_free(f);
	return code;
}
