/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of state, each behind its name and length. The bytes are good for the
 * program that made them: nothing here thinks of others.
 */
#include "state-bytes.h"

#include <assert.h>
#include <string.h>

struct head {
	char name[16];
	uint64_t len;
};

void state_free(struct state *s)
{
	buf_free(&s->all);
	*s = (struct state){ 0 };
}

void *state_room(struct state *to, const char *name, size_t len)
{
	struct head head = { .len = len };
	uint8_t *room;

	assert(strlen(name) < sizeof(head.name));
	if (to->failed)
		return NULL;
	room = buf_reserve(&to->all, sizeof(head) + len);
	if (!room) {
		to->failed = name;
		return NULL;
	}
	strcpy(head.name, name);
	memcpy(room, &head, sizeof(head));
	buf_commit(&to->all, sizeof(head) + len);
	return room + sizeof(head);
}

void state_put(struct state *to, const char *name, const void *piece,
	       size_t len)
{
	void *room = state_room(to, name, len);

	if (room)
		memcpy(room, piece, len);
}

static bool next(const struct state *from, struct head *ret)
{
	if (from->failed || buf_len(&from->all) - from->at < sizeof(*ret))
		return false;
	memcpy(ret, buf_head(&from->all) + from->at, sizeof(*ret));
	return ret->len <= buf_len(&from->all) - from->at - sizeof(*ret);
}

bool state_is_next(const struct state *from, const char *name)
{
	struct head head;

	return next(from, &head) &&
	       !strncmp(head.name, name, sizeof(head.name));
}

const void *state_take(struct state *from, const char *name, size_t len)
{
	struct head head;
	const uint8_t *piece;

	if (!next(from, &head) ||
	    strncmp(head.name, name, sizeof(head.name)) != 0 ||
	    head.len != len) {
		if (!from->failed)
			from->failed = name;
		return NULL;
	}
	piece = buf_head(&from->all) + from->at + sizeof(head);
	from->at += sizeof(head) + len;
	return piece;
}

void state_get(struct state *from, const char *name, void *ret, size_t len)
{
	const void *piece = state_take(from, name, len);

	if (piece)
		memcpy(ret, piece, len);
}
