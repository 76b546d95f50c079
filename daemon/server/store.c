/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sliding log. Marks stand at item boundaries about every 64 KiB; the log
 * is cut at marks only, which keeps their number small and the cut cheap.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MARK_BYTES = 64 << 10
};

struct mark {
	uint64_t offset, item;
};

struct store {
	int fd;
	bool ended;
	uint64_t limit;
	struct store_share *share; /* or NULL */
	size_t n_put;		   /* bytes behind the end, not committed */
	struct mark end;
	struct mark *marks; /* a ring; the first is where the log begins */
	size_t first, n_marks, max_marks;
	struct store_reader *readers;
};

int store_new(struct store **ret, const char *dir, uint64_t limit,
	      struct store_share *share)
{
	struct store *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->limit = limit;
	s->share = share;
	s->max_marks = limit / MARK_BYTES + 2;
	s->n_marks = 1; /* the log begins at 0 */
	s->marks = calloc(s->max_marks, sizeof(*s->marks));
	s->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (!s->marks || s->fd < 0) {
		err = s->marks ? -errno : -ENOMEM;
		store_free(s);
		return err;
	}
	*ret = s;
	return 0;
}

static struct mark *mark_at(struct store *s, size_t i)
{
	return &s->marks[(s->first + i) % s->max_marks];
}

static void give(struct store *s, uint64_t bytes)
{
	if (s->share)
		quota_give(s->share->quota, QUOTA_STORE, s->share->uid, bytes);
}

static bool take(struct store *s, uint64_t bytes)
{
	if (!s->share)
		return true;
	s->share->why[0] = '\0';
	return quota_take(s->share->quota, QUOTA_STORE, s->share->uid, bytes,
			  s->share->why);
}

/* Bytes that are stored, those that were put and are to be committed included
 */
static uint64_t held_bytes(struct store *s)
{
	return s->end.offset - mark_at(s, 0)->offset + s->n_put;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	if (s->marks)
		give(s, held_bytes(s));
	if (s->fd >= 0)
		close(s->fd);
	free(s->marks);
	free(s);
}

/* Where the first lossless reader stands; the end when there is none. */
static uint64_t held_offset(const struct store *s)
{
	uint64_t held = s->end.offset;

	for (const struct store_reader *r = s->readers; r; r = r->next) {
		if (r->lossless && r->offset < held)
			held = r->offset;
	}
	return held;
}

/* Drops the oldest part as far as readers allow, until @len bytes fit. */
static void make_room(struct store *s, size_t len)
{
	uint64_t begin = mark_at(s, 0)->offset;
	uint64_t held = held_offset(s);

	while (s->n_marks > 1 && mark_at(s, 1)->offset <= held &&
	       s->end.offset - mark_at(s, 0)->offset + len > s->limit) {
		s->first = (s->first + 1) % s->max_marks;
		s->n_marks--;
	}
	give(s, mark_at(s, 0)->offset - begin);
	/* Gives the disk space back; where that cannot be done it costs space
	 */
	if (mark_at(s, 0)->offset != begin)
		(void)fallocate(
			s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)begin, (off_t)(mark_at(s, 0)->offset - begin));
}

static int write_all(int fd, const uint8_t *bytes, size_t len, off_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, bytes, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		len -= (size_t)n;
		at += n;
	}
	return 0;
}

static void tell_readers(struct store *s)
{
	struct store_reader *next;

	for (struct store_reader *r = s->readers; r; r = next) {
		next = r->next;
		if (r->on_data)
			r->on_data(r->data);
	}
}

void store_take_back(struct store *s)
{
	give(s, s->n_put);
	s->n_put = 0;
}

/* Is there room for @len bytes in place of what was put before? */
static int reserve(struct store *s, size_t len)
{
	store_take_back(s);
	make_room(s, len);
	if (held_bytes(s) + len > s->limit)
		return -ENOBUFS;
	return take(s, len) ? 0 : -EDQUOT;
}

int store_put(struct store *s, const void *bytes, size_t len)
{
	int err = reserve(s, len);

	if (err)
		return err;
	err = write_all(s->fd, bytes, len, (off_t)s->end.offset);
	if (err)
		give(s, len);
	else
		s->n_put = len;
	return err;
}

void store_commit(struct store *s, uint64_t items)
{
	if (!s->n_put)
		return;
	if (s->end.offset - mark_at(s, s->n_marks - 1)->offset >= MARK_BYTES &&
	    s->n_marks < s->max_marks)
		*mark_at(s, s->n_marks++) = s->end;
	s->end.offset += s->n_put;
	s->end.item += items;
	s->n_put = 0;
	tell_readers(s);
}

bool store_may_pass(int err)
{
	return err == -ENOBUFS || err == -EDQUOT || err == -ENOSPC ||
	       err == -EFBIG || err == -ENOMEM;
}

void store_end(struct store *s)
{
	s->ended = true;
	tell_readers(s);
}

bool store_ended(const struct store *s)
{
	return s->ended;
}

uint64_t store_items(const struct store *s)
{
	return s->end.item;
}

uint64_t store_follow(struct store *s, struct store_reader *r, bool from_start)
{
	const struct mark *at = from_start ? mark_at(s, 0) : &s->end;

	r->store = s;
	r->offset = at->offset;
	r->item = at->item;
	r->next = s->readers;
	s->readers = r;
	return from_start ? at->item : 0;
}

void store_unfollow(struct store_reader *r)
{
	if (!r->store)
		return;
	for (struct store_reader **p = &r->store->readers; *p;
	     p = &(*p)->next) {
		if (*p == r) {
			*p = r->next;
			break;
		}
	}
	r->store = NULL;
}

ssize_t store_read(struct store_reader *r, void *buf, size_t cap,
		   uint64_t *ret_lost)
{
	struct store *s = r->store;
	const struct mark *begin = mark_at(s, 0);
	ssize_t n;

	*ret_lost = 0;
	if (r->offset < begin->offset) {
		*ret_lost = begin->item - r->item;
		r->offset = begin->offset;
		r->item = begin->item;
	}
	if (cap > s->end.offset - r->offset)
		cap = s->end.offset - r->offset;
	do
		n = pread(s->fd, buf, cap, (off_t)r->offset);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

void store_consume(struct store_reader *r, size_t bytes, uint64_t items)
{
	r->offset += bytes;
	r->item += items;
}
