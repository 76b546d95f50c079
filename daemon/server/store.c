/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log. Marks stand at item boundaries about every 64 KiB, or every segment;
 * the log is cut at marks only: there are few, and a cut is cheap.
 */
#include "store-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MARK_BYTES = 64 << 10,
	SEGMENTS = 64, /* of a log that rotates */
};

int store_new(struct store **ret, const char *dir, uint64_t limit,
	      struct store_share *share)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : store_new_in(ret, fd, limit, share);
}

int store_new_in(struct store **ret, int fd, uint64_t limit,
		 struct store_share *share)
{
	struct store *s = calloc(1, sizeof(*s));

	if (!s) {
		close(fd);
		return -ENOMEM;
	}
	s->fd = fd;
	s->limit = limit;
	s->segment = MARK_BYTES;
	s->share = share;
	s->max_marks = limit / MARK_BYTES + 2;
	s->n_marks = 1; /* the log begins at 0 */
	s->marks = calloc(s->max_marks, sizeof(*s->marks));
	if (!s->marks) {
		store_free(s);
		return -ENOMEM;
	}
	*ret = s;
	return 0;
}

void store_when_full(struct store *s, enum store_full how, struct store *side)
{
	uint64_t segment = s->limit / SEGMENTS;

	s->how = how;
	s->side = side;
	if (how == STORE_ROTATES && segment > MARK_BYTES)
		s->segment = segment;
}

static struct store_place *mark_at(const struct store *s, size_t i)
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

uint64_t store_held_bytes(const struct store *s)
{
	return s->end.offset - mark_at(s, 0)->offset + s->n_put;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	if (s->marks)
		give(s, store_held_bytes(s));
	if (s->fd >= 0)
		close(s->fd);
	free(s->marks);
	free(s);
}

/* Of what a reader has read, where that begins which would go with pmud. */
static uint64_t sent_offset(const struct store_reader *r)
{
	uint64_t unsent = r->unsent ? r->unsent(r->data) : 0;

	return unsent < r->offset ? r->offset - unsent : 0;
}

/* Where the first lossless reader stands; the end when there is none. */
static uint64_t held_offset(const struct store *s)
{
	uint64_t held = s->end.offset;
	const struct store_reader *r;

	SLIST_FOREACH(r, &s->readers, next) {
		if (r->lossless && sent_offset(r) < held)
			held = sent_offset(r);
	}
	return held;
}

/* Drops what is before the second mark, if readers allow. */
static bool drop_one(struct store *s)
{
	uint64_t begin = mark_at(s, 0)->offset, bytes;

	if (s->how == STORE_HOLDS || s->n_marks < 2 ||
	    mark_at(s, 1)->offset > held_offset(s))
		return false;
	s->first = (s->first + 1) % s->max_marks;
	s->n_marks--;
	bytes = mark_at(s, 0)->offset - begin;
	give(s, bytes);
	if (s->on_cut)
		s->on_cut(s->data);
	/* Gives the disk space back; a file system that cannot keeps it. */
	(void)fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)begin, (off_t)bytes);
	return true;
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

	for (struct store_reader *r = SLIST_FIRST(&s->readers); r; r = next) {
		next = SLIST_NEXT(r, next);
		if (r->on_data)
			r->on_data(r->data);
	}
}

void store_take_back(struct store *s)
{
	give(s, s->n_put);
	s->n_put = 0;
}

/* It is as long as it may be, and has to keep all of it. */
static int refuse_more(struct store *s)
{
	if (s->share)
		snprintf(s->share->why, sizeof(s->share->why),
			 "the machine's trace has %" PRIu64
			 " MiB, as many as it may (--trace-bytes)",
			 s->limit >> 20);
	return -EDQUOT;
}

/* Is there room for @len bytes in place of what was put before? */
static int reserve(struct store *s, size_t len)
{
	bool more = true;

	store_take_back(s);
	while (more && store_held_bytes(s) + len > s->limit)
		more = drop_one(s);
	if (!more && s->how == STORE_HOLDS)
		return refuse_more(s);
	if (!more)
		return -ENOBUFS;
	while (more && !take(s, len))
		more = s->how == STORE_ROTATES && drop_one(s);
	return more ? 0 : -EDQUOT;
}

int store_put(struct store *s, const void *bytes, size_t len)
{
	int err = reserve(s, len);

	if (err)
		return err;
	do
		err = write_all(s->fd, bytes, len, (off_t)s->end.offset);
	while (err == -ENOSPC && s->how == STORE_ROTATES && drop_one(s));
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
	if (s->side) {
		s->end.side_offset = s->side->end.offset;
		s->end.side_item = s->side->end.item;
	}
	if (s->end.offset - mark_at(s, s->n_marks - 1)->offset >= s->segment &&
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

struct store_place store_place_first(const struct store *s)
{
	return *mark_at(s, 0);
}

struct store_place store_place_behind(const struct store *s)
{
	return s->end;
}

void store_on_cut(struct store *s, void (*on_cut)(void *data), void *data)
{
	s->on_cut = on_cut;
	s->data = data;
}

uint64_t store_follow(struct store *s, struct store_reader *r, bool from_start)
{
	const struct store_place *at = from_start ? mark_at(s, 0) : &s->end;

	r->store = s;
	r->offset = at->offset;
	r->item = at->item;
	SLIST_INSERT_HEAD(&s->readers, r, next);
	return from_start ? at->item : 0;
}

void store_unfollow(struct store_reader *r)
{
	if (!r->store)
		return;
	SLIST_REMOVE(&r->store->readers, r, store_reader, next);
	r->store = NULL;
}

ssize_t store_read(struct store_reader *r, void *buf, size_t cap,
		   uint64_t *ret_lost)
{
	struct store *s = r->store;
	const struct store_place *begin = mark_at(s, 0);
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
