/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sessions lie in the order of their numbers, which is that in which they are
 * told of what overflowed at the same time.
 */
#include "ebb-session.h"

#include <stdlib.h>
#include <string.h>

struct ebb {
	uint32_t last;	 /* number given */
	uint32_t holder; /* session, 0: none */
	uint32_t n;
	struct ebb_session session[EBB_MAX_SESSIONS];
};

struct ebb *ebb_new(void)
{
	return calloc(1, sizeof(struct ebb));
}

void ebb_free(struct ebb *ebb)
{
	free(ebb);
}

uint32_t ebb_next_number(const struct ebb *ebb)
{
	return ebb->n < EBB_MAX_SESSIONS ? ebb->last + 1 : 0;
}

uint32_t ebb_newest(const struct ebb *ebb)
{
	return ebb->last;
}

struct ebb_session *ebb_open(struct ebb *ebb)
{
	struct ebb_session *s = &ebb->session[ebb->n++];

	*s = (struct ebb_session){ .number = ++ebb->last };
	return s;
}

struct ebb_session *ebb_after(struct ebb *ebb, uint32_t after)
{
	for (uint32_t i = 0; i < ebb->n; i++)
		if (ebb->session[i].number > after)
			return &ebb->session[i];
	return NULL;
}

struct ebb_session *ebb_find(struct ebb *ebb, uint32_t number)
{
	struct ebb_session *s = number ? ebb_after(ebb, number - 1) : NULL;

	return s && s->number == number ? s : NULL;
}

struct ebb_session *ebb_owner(struct ebb *ebb, unsigned hart, unsigned n)
{
	for (uint32_t i = 0; i < ebb->n; i++) {
		struct ebb_session *s = &ebb->session[i];

		if (s->scheduled && s->hart == hart && s->counters >> n & 1)
			return s;
	}
	return NULL;
}

void ebb_close(struct ebb *ebb, struct ebb_session *s)
{
	uint32_t i = (uint32_t)(s - ebb->session);

	if (ebb->holder == s->number)
		ebb->holder = 0;
	ebb->n--;
	memmove(s, s + 1, (ebb->n - i) * sizeof(*s));
}

uint32_t ebb_alert(struct ebb *ebb, unsigned hart, unsigned n, uint64_t cycle)
{
	struct ebb_session *s = ebb_owner(ebb, hart, n);

	if (!s)
		return 0;
	if (!(s->alerts >> n & 1))
		s->claim[n].alerted = cycle;
	s->alerts |= UINT32_C(1) << n;
	return s->number;
}

uint64_t ebb_first_alert(const struct ebb_session *s)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t left = s->alerts; left; left &= left - 1) {
		uint64_t cycle = s->claim[__builtin_ctz(left)].alerted;

		first = cycle < first ? cycle : first;
	}
	return first;
}

struct ebb_session *ebb_due(struct ebb *ebb)
{
	for (uint32_t i = 0; !ebb->holder && i < ebb->n; i++) {
		struct ebb_session *s = &ebb->session[i];

		if (s->alerts && s->unmasked && !s->inside)
			return s;
	}
	return NULL;
}

const struct ebb_session *ebb_holder(const struct ebb *ebb)
{
	for (uint32_t i = 0; ebb->holder && i < ebb->n; i++)
		if (ebb->session[i].number == ebb->holder)
			return &ebb->session[i];
	return NULL;
}

void ebb_hold(struct ebb *ebb, const struct ebb_session *s)
{
	ebb->holder = s ? s->number : 0;
}

void ebb_give(const struct ebb *ebb, struct state *to)
{
	state_put(to, "ebb", ebb, sizeof(*ebb));
}

void ebb_take(struct ebb *ebb, struct state *from)
{
	state_get(from, "ebb", ebb, sizeof(*ebb));
}
