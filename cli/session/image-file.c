/* SPDX-License-Identifier: BSD-2-Clause */
/* Files are mapped, so that one larger than the memory can be sent, too. */
#include "image-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "text/report.h"

static int map_fd(struct image_file *f, int fd, const char *path)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) < 0) {
		report_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (!S_ISREG(st.st_mode) || st.st_size == 0) {
		report_error("%s: %s", path,
			     S_ISREG(st.st_mode) ? "the file is empty"
						 : "not a regular file");
		return EXIT_FAILED;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		report_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	*f = (struct image_file){
		.bytes = bytes,
		.len = (size_t)st.st_size,
		.mode = st.st_mode & 07777,
	};
	return EXIT_OK;
}

int image_map(struct image_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;

	if (fd < 0) {
		report_error("%s: %s", path, strerror(errno));
		return errno == ENOENT	 ? EXIT_NOT_FOUND
		       : errno == EACCES ? EXIT_DENIED
					 : EXIT_FAILED;
	}
	code = map_fd(f, fd, path);
	close(fd);
	return code;
}

void image_unmap(struct image_file *f)
{
	if (f->heap)
		free((void *)f->bytes);
	else
		munmap((void *)f->bytes, f->len);
}
