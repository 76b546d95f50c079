/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A store's file by its name: how it gets one, and how what an earlier pmud has
 * left in one is a store again. Such a file may have no beginning any more, and
 * its last item may not be whole.
 */
#include "store-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/cleanup.h"

enum {
	LOAD_BYTES = 512 << 10, /* more than the longest item */
	PAGE = 4096
};

int store_link(struct store *s, int dir, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	return linkat(AT_FDCWD, path, dir, name, AT_SYMLINK_FOLLOW) ? -errno
								    : 0;
}

/* Where a file that slid begins: a page may have begun with what went. */
static int find_begin(struct store *s, off_t size)
{
	uint8_t page[PAGE];
	off_t at = size ? lseek(s->fd, 0, SEEK_DATA) : 0;
	ssize_t n = 0, skip = 0;

	if (at < 0)
		return -errno;
	if (at > 0)
		n = pread(s->fd, page, sizeof(page), at);
	if (n < 0)
		return -errno;
	while (skip < n && !page[skip])
		skip++;
	s->marks[0].offset = s->marks[0].item = (uint64_t)(at + skip);
	return 0;
}

/* Counts what is behind the beginning, and cuts off what is not whole. */
static int count_items(struct store *s, store_count_fn *count)
{
	uint8_t *buf CLEANUP(free) = malloc(LOAD_BYTES);
	size_t used = 1;

	s->end = s->marks[0];
	if (!buf)
		return -ENOMEM;
	while (used) {
		ssize_t n = pread(s->fd, buf, LOAD_BYTES, (off_t)s->end.offset);

		if (n < 0)
			return -errno;
		used = n > 0 ? count(buf, (size_t)n, &s->end.item) : 0;
		s->end.offset += used;
	}
	return ftruncate(s->fd, (off_t)s->end.offset) ? -errno : 0;
}

static int load(struct store *s, const struct store_load *how)
{
	struct stat st;
	int err = 0;

	if (fstat(s->fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (how->begin)
		s->marks[0] = *how->begin;
	else
		err = find_begin(s, st.st_size);
	if (err || (uint64_t)st.st_size < s->marks[0].offset)
		return err ? err : -ENODATA;
	if (how->end && how->end->offset == (uint64_t)st.st_size)
		s->end = *how->end;
	else
		err = count_items(s, how->count);
	return err;
}

int store_open(struct store **ret, const struct store_load *how)
{
	struct store *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	s->how = STORE_HOLDS;
	s->n_marks = s->max_marks = 1;
	s->marks = calloc(1, sizeof(*s->marks));
	s->fd = openat(how->dir, how->name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (s->marks)
		err = s->fd < 0 ? -errno : load(s, how);
	if (!err && how->share &&
	    !quota_count(how->share->quota, QUOTA_STORE, how->share->uid,
			 store_held_bytes(s)))
		err = -ENOMEM;
	if (err) {
		store_free(s);
		return err;
	}
	s->share = how->share; /* its limit is 0: nothing is put into it */
	*ret = s;
	return 0;
}
