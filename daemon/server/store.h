/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A log of bytes that many readers follow: the stored trace of a machine, its
 * console. It lives in a file that has no name until store_link() gives it one.
 * When it is full, its oldest part goes, but never what a lossless reader has
 * yet to read; or nothing goes, if store_when_full() was told so. What can go
 * no further makes store_put() fail, and whoever writes has to wait. Items
 * (records, or bytes of the console) are only counted, so that a reader can be
 * told what it lost.
 */
#ifndef SERVER_STORE_H
#define SERVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "quota.h"

struct store;

enum store_full {
	STORE_SLIDES,  /* the oldest bytes go: about 64 KiB at a time */
	STORE_ROTATES, /* the oldest segment, a 64th of the limit, goes */
	STORE_HOLDS    /* nothing goes */
};

/* A place in a store. Filled by store_follow(). */
struct store_reader {
	struct store *store;
	SLIST_ENTRY(store_reader) next;
	uint64_t offset, item;
	bool lossless;
	/* bytes before its place that may go no more than what follows; NULL */
	size_t (*unsent)(void *data);
	void (*on_data)(void *data); /* something was appended, or the end */
	void *data;
};

/* Whose bytes they are: counted as QUOTA_STORE. */
struct store_share {
	struct quota *quota;
	uid_t uid;
	char why[QUOTA_WHY]; /* the last refusal, or "" */
};

/*
 * @dir: where its file lives. @share must outlive the store; NULL: its bytes
 * count for nobody.
 * Returns 0 or a negated errno.
 */
int store_new(struct store **ret, const char *dir, uint64_t limit,
	      struct store_share *share);
/*
 * The same in @fd, an empty file that somebody else can read, too, whatever
 * becomes of this process. It is the store's from now on, even on failure.
 */
int store_new_in(struct store **ret, int fd, uint64_t limit,
		 struct store_share *share);
void store_free(struct store *s); /* NULL is fine; no reader may be left */
/*
 * What goes when it is full; a new store slides. @side, which may be NULL, is a
 * store that is written beside this one and committed after it:
 * store_place_first() says how much of it came before what this one still has.
 */
void store_when_full(struct store *s, enum store_full how, struct store *side);

/*
 * Writes whole items behind the end. Nobody sees them before store_commit(),
 * and what is put before that takes their place: several stores are written all
 * or none. Returns 0 or a negated errno: -ENOBUFS (full until a lossless reader
 * goes on), -EDQUOT (the share's quota gives no more, or nothing may go), or
 * the system's.
 */
int store_put(struct store *s, const void *bytes, size_t len);
/* Appends what was put, of so many items, and tells the readers. */
void store_commit(struct store *s, uint64_t items);
/* What was put is not wanted after all. */
void store_take_back(struct store *s);
/* Is @err one that passes when there is room, or memory, again? */
bool store_may_pass(int err);
/* Nothing will follow; readers are told. */
void store_end(struct store *s);
bool store_ended(const struct store *s);
/* Items appended so far, those dropped since included. */
uint64_t store_items(const struct store *s);

/* A place between two items. */
struct store_place {
	uint64_t offset, item;		 /* in bytes and items from the first */
	uint64_t side_offset, side_item; /* the same of its side store */
};

/* That of the first item that is still stored. */
struct store_place store_place_first(const struct store *s);
/* That behind the last item. */
struct store_place store_place_behind(const struct store *s);
/* @on_cut is told when store_place_first() has changed, before the bytes go. */
void store_on_cut(struct store *s, void (*on_cut)(void *data), void *data);
/* Gives its file a name in the folder @dir. Returns 0 or a negated errno. */
int store_link(struct store *s, int dir, const char *name);

/*
 * Returns how many bytes the whole items at the beginning of @bytes have, and
 * adds their number to *@ret_items.
 */
typedef size_t store_count_fn(const uint8_t *bytes, size_t len,
			      uint64_t *ret_items);

/* A file that store_link() has named. */
struct store_load {
	int dir;
	const char *name;
	/* NULL: whatever part of it is there, items being bytes */
	const struct store_place *begin;
	const struct store_place *end; /* NULL: behind its last whole item */
	store_count_fn *count;
	struct store_share *share;
};

/*
 * A store of what is in a file, for readers alone: nothing is appended to it.
 * Returns 0 or a negated errno.
 */
int store_open(struct store **ret, const struct store_load *how);

/*
 * Starts a reader, at the first item still stored or behind the last one.
 * @r: its lossless, unsent, on_data and data are the caller's, set before.
 * Returns the number of items that are gone already (0 when not from the
 * start).
 */
uint64_t store_follow(struct store *s, struct store_reader *r, bool from_start);
/* Ends it; room it held back may be free now. Harmless when not following. */
void store_unfollow(struct store_reader *r);

/*
 * Copies out at most @cap bytes from the reader's place. Returns the number of
 * bytes (0: none now) or a negated errno; @ret_lost gets the items that were
 * dropped before this place.
 */
ssize_t store_read(struct store_reader *r, void *buf, size_t cap,
		   uint64_t *ret_lost);
/* Moves the reader's place forward. */
void store_consume(struct store_reader *r, size_t bytes, uint64_t items);

#endif
