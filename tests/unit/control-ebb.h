/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A client of event-based branches, for the tests of the internal protocol: its
 * acts by requests, and its end of a session's rings.
 */
#ifndef TESTS_UNIT_CONTROL_EBB_H
#define TESTS_UNIT_CONTROL_EBB_H

#include <poll.h>

#include "control-peer.h"
#include "shared/ebb-ring.h"

enum {
	MAX_ACTS = 256,
	INSNS = 2, /* selector */
};

#define WHAT(name) PMU__V1__EBB_INPUT__WHAT__WHAT_##name

static inline unsigned open_session(uint32_t hart)
{
	Pmu__V1__OpenEbbRequest q = PMU__V1__OPEN_EBB_REQUEST__INIT;

	q.hart = hart;
	return peer_call(&p, CALL(OpenEbb), &q.base)->code;
}

static inline uint32_t opened(uint32_t hart)
{
	ck_assert_uint_eq(open_session(hart), OK);
	return ((const Pmu__V1__OpenEbbResponse *)p.last.answer)->session;
}

/* @n times the same. */
static inline unsigned acts(Pmu__V1__EbbInput act, size_t n)
{
	static Pmu__V1__Input *list[MAX_ACTS + 1];
	Pmu__V1__ActOnEbbRequest q = PMU__V1__ACT_ON_EBB_REQUEST__INIT;
	Pmu__V1__Input in = PMU__V1__INPUT__INIT;

	in.kind_case = PMU__V1__INPUT__KIND_EBB;
	in.ebb = &act;
	for (size_t i = 0; i < n; i++)
		list[i] = &in;
	q.n_inputs = n;
	q.inputs = list;
	return peer_call(&p, CALL(ActOnEbb), &q.base)->code;
}

static inline unsigned act(uint32_t session, Pmu__V1__EbbInput__What what)
{
	Pmu__V1__EbbInput in = PMU__V1__EBB_INPUT__INIT;

	in.session = session;
	in.what = what;
	return acts(in, 1);
}

static inline unsigned add(uint32_t session, uint32_t counter, uint64_t period)
{
	Pmu__V1__EbbInput in = PMU__V1__EBB_INPUT__INIT;

	in.session = session;
	in.what = WHAT(ADD);
	in.counter = counter;
	in.event = INSNS;
	in.period = period;
	return acts(in, 1);
}

static struct ebb_channel client;
static struct ring wishes, said;

static inline unsigned ask_to_attach(uint32_t session)
{
	Pmu__Internal__AttachEbbRingRequest q =
		PMU__INTERNAL__ATTACH_EBB_RING_REQUEST__INIT;

	q.session = session;
	return peer_call(&p, CALL(AttachEbbRing), &q.base)->code;
}

static inline void attach(uint32_t session)
{
	struct ebb_channel machine;

	ck_assert_int_eq(ebb_channel_make(&client, &machine), 0);
	ck_assert_int_eq(ebb_channel_send(p.channels, session, &machine), 0);
	ebb_channel_close(&machine);
	ck_assert_uint_eq(ask_to_attach(session), OK);
	ck_assert_int_eq(ring_open(&wishes, client.wishes), 0);
	ck_assert_int_eq(ring_open(&said, client.said), 0);
}

static inline void detach(void)
{
	ring_close(&wishes);
	ring_close(&said);
	ebb_channel_close(&client);
}

static inline void put(const void *bytes, size_t n)
{
	ck_assert_int_eq(ring_put(&wishes, bytes, n), 0);
	ck_assert_int_eq(write(client.wake, "", 1), 1);
}

static inline void wish(uint32_t what, uint32_t counter, bool more)
{
	const struct ebb_wish w = {
		.what = what, .counter = counter, .period = 50, .more = more
	};

	put(&w, sizeof(w));
}

/* What the machine says next, whenever it does. */
static inline void hear(struct ebb_said *ret)
{
	struct pollfd fd = { .fd = client.wake, .events = POLLIN };
	char bytes[64];

	while (!ring_waiting(&said)) {
		if (!ring_wait_data(&said, 0))
			continue;
		ck_assert_int_eq(poll(&fd, 1, -1), 1);
		if (read(client.wake, bytes, sizeof(bytes)) <= 0)
			break;
	}
	ck_assert_int_eq(ring_peek(&said, ret, sizeof(*ret)), sizeof(*ret));
	ring_skip(&said, sizeof(*ret));
}

#endif
