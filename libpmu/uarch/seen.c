/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A list by age, and buckets to find a line in it. When there is no room for
 * another line the oldest one goes, which is never near: there is always more
 * room than for those.
 */
#include "seen.h"

#include <string.h>

void seen_plan(struct seen *s, uint32_t lines, uint32_t others)
{
	*s = (struct seen){ .n_near = lines,
			    .most = lines + others,
			    .n_buckets = 2 };
	while (s->n_buckets < lines || s->n_buckets < others)
		s->n_buckets *= 2;
}

static struct seen_line *at(const struct seen *s, uint32_t number)
{
	return &s->lines[number - 1];
}

static uint32_t number_of(const struct seen *s, const struct seen_line *line)
{
	return (uint32_t)(line - s->lines) + 1;
}

static uint32_t *bucket_of(const struct seen *s, struct assoc_key key)
{
	uint64_t x = key.number ^ key.space * UINT64_C(0x9e3779b97f4a7c15);

	x *= UINT64_C(0xd1342543de82ef95);
	return &s->buckets[x >> 32 & (s->n_buckets - 1)];
}

void seen_reset(struct seen *s)
{
	memset(s->lines, 0, s->head->n * sizeof(*s->lines));
	memset(s->buckets, 0, s->n_buckets * sizeof(*s->buckets));
	*s->head = (struct seen_head){ .n = 0 };
}

static void hang(struct seen *s, struct seen_line *line)
{
	uint32_t *bucket = bucket_of(s, line->key);

	line->chain = *bucket;
	*bucket = number_of(s, line);
}

void seen_rebuild(struct seen *s)
{
	memset(s->buckets, 0, s->n_buckets * sizeof(*s->buckets));
	for (uint32_t i = 1; i <= s->head->n; i++)
		hang(s, at(s, i));
}

struct seen_line *seen_find(const struct seen *s, struct assoc_key key)
{
	uint32_t i = *bucket_of(s, key);

	while (i && (at(s, i)->key.number != key.number ||
		     at(s, i)->key.space != key.space))
		i = at(s, i)->chain;
	return i ? at(s, i) : NULL;
}

enum pmu_miss_reason seen_reason(const struct seen *s,
				 const struct seen_line *line)
{
	if (line == NULL)
		return s->head->forgot ? PMU_MISS_UNKNOWN : PMU_MISS_COLD;
	if (line->near)
		return PMU_MISS_CONFLICT;
	return line->unfenced ? PMU_MISS_CAPACITY : PMU_MISS_FENCE;
}

/* Out of the list by age. */
static void unlink_line(struct seen *s, struct seen_line *line)
{
	struct seen_head *h = s->head;

	if (line->newer)
		at(s, line->newer)->older = line->older;
	else
		h->newest = line->older;
	if (line->older)
		at(s, line->older)->newer = line->newer;
	else
		h->oldest = line->newer;
}

/* The oldest one, which is then another's place. */
static struct seen_line *forget(struct seen *s)
{
	struct seen_line *line = at(s, s->head->oldest);
	uint32_t number = s->head->oldest, *hook = bucket_of(s, line->key);

	while (*hook != number)
		hook = &at(s, *hook)->chain;
	*hook = line->chain;
	unlink_line(s, line);
	s->head->forgot = true;
	return line;
}

static struct seen_line *add(struct seen *s, struct assoc_key key)
{
	struct seen_line *line =
		s->head->n < s->most ? at(s, ++s->head->n) : forget(s);

	*line = (struct seen_line){ .key = key };
	hang(s, line);
	return line;
}

/* Those behind the edge are not near any more. */
static void cut(struct seen *s)
{
	struct seen_line *last = at(s, s->head->edge);

	last->near = false;
	s->head->edge = last->newer;
	s->head->n_near--;
}

static void to_front(struct seen *s, struct seen_line *line)
{
	struct seen_head *h = s->head;

	line->newer = 0;
	line->older = h->newest;
	if (h->newest)
		at(s, h->newest)->newer = number_of(s, line);
	else
		h->oldest = number_of(s, line);
	h->newest = number_of(s, line);
}

struct seen_line *seen_use(struct seen *s, struct assoc_key key,
			   struct seen_line *line)
{
	struct seen_head *h = s->head;
	bool known = line != NULL;

	if (known && number_of(s, line) == h->newest && line->near)
		return line;
	if (known && number_of(s, line) == h->edge)
		h->edge = line->newer;
	if (known)
		unlink_line(s, line);
	else
		line = add(s, key);
	to_front(s, line);
	line->unfenced = true;
	if (line->near)
		return line;
	line->near = true;
	if (h->n_near++ == 0)
		h->edge = h->newest;
	if (h->n_near > s->n_near)
		cut(s);
	return line;
}

void seen_fence(struct seen *s)
{
	for (uint32_t i = s->head->newest; i && at(s, i)->unfenced;
	     i = at(s, i)->older)
		at(s, i)->unfenced = at(s, i)->near = false;
	s->head->edge = s->head->n_near = 0;
}
