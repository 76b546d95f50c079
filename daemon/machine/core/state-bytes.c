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
	byte_buffer_free(&s->all);
	*s = (struct state){ 0 };
}

void *state_room(struct state *to, const char *name, size_t len)
{
	struct head head = { .len = len };
	uint8_t *room;

	assert(strlen(name) < sizeof(head.name));
	if (to->failed)
		return NULL;
	if (!byte_buffer_grow(&to->all, sizeof(head) + len)) {
		to->failed = name;
		return NULL;
	}
	strcpy(head.name, name);
	memcpy(to->all.bytes + to->all.n, &head, sizeof(head));
	room = to->all.bytes + to->all.n + sizeof(head);
	to->all.n += sizeof(head) + len;
	return room;
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
	if (from->failed || from->all.n - from->at < sizeof(*ret))
		return false;
	memcpy(ret, from->all.bytes + from->at, sizeof(*ret));
	return ret->len <= from->all.n - from->at - sizeof(*ret);
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
	piece = from->all.bytes + from->at + sizeof(head);
	from->at += sizeof(head) + len;
	return piece;
}

void state_get(struct state *from, const char *name, void *ret, size_t len)
{
	const void *piece = state_take(from, name, len);

	if (piece)
		memcpy(ret, piece, len);
}
