/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a store, for store.c and store-file.c alone. */
#ifndef SERVER_STORE_INSIDE_H
#define SERVER_STORE_INSIDE_H

#include "store.h"

struct store {
	int fd;
	bool ended;
	enum store_full how;
	uint64_t limit, segment;   /* bytes between two marks */
	struct store *side;	   /* or NULL */
	struct store_share *share; /* or NULL */
	size_t n_put;		   /* bytes behind the end, not committed */
	struct store_place end;
	/* A ring of boundaries; the first is where the log begins. */
	struct store_place *marks;
	size_t first, n_marks, max_marks;
	void (*on_cut)(void *data);
	void *data; /* for that */
	SLIST_HEAD(, store_reader) readers;
};

/*
 * Bytes that are stored, those that were put and are to be committed included.
 */
uint64_t store_held_bytes(const struct store *s);

#endif
