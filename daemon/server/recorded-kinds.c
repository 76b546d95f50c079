/* SPDX-License-Identifier: BSD-2-Clause */
/* Which messages have a field for a kind, by the one list of them. */
#include "recorded-kinds.h"

#include <assert.h>
#include <stddef.h>

#include "wire/record-kinds.h"

uint32_t recorded_stored(const Pmu__V1__Recording *r)
{
	uint32_t kinds = 0;

#define STORED(kind, field) kinds |= r->field ? RECORDED_BIT(kind) : 0;
	RECORDED_KINDS(STORED)
#undef STORED
	return kinds;
}

uint32_t recorded_watched(const struct recorded_watchers *w)
{
	uint32_t kinds = 0;

#define WATCHED(kind, field) kinds |= w->field ? RECORDED_BIT(kind) : 0;
	RECORDED_KINDS(WATCHED)
#undef WATCHED
	return kinds;
}

void recorded_watch(struct recorded_watchers *w, uint32_t kinds, bool more)
{
	const unsigned by = more ? 1 : -1u;

#define COUNT(kind, field) w->field += kinds & RECORDED_BIT(kind) ? by : 0;
	RECORDED_KINDS(COUNT)
#undef COUNT
}

void recorded_ask(Pmu__Internal__SetRecordingRequest *ret, uint32_t kinds)
{
	pmu__internal__set_recording_request__init(ret);
#define ASK(kind, field) ret->field = (kinds & RECORDED_BIT(kind)) != 0;
	RECORDED_KINDS(ASK)
#undef ASK
}

const char *recorded_name(uint32_t kinds)
{
#define NAME(kind, flag, name) { RECORDED_BIT(kind), name },
	static const struct {
		uint32_t bit;
		const char *name;
	} names[] = { RECORD_KINDS(NAME) };
#undef NAME
	size_t i = 0;

	assert(kinds);
	while (!(kinds & names[i].bit))
		i++;
	return names[i].name;
}
