/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that a machine does not read are its user's: child-calls.c counts
 * them where all his machines are counted, and gives them back as they go.
 */
#include "unit.h"

#include <string.h>
#include <sys/socket.h>

#include "child-process.h"
#include "server/quota.h"

enum {
	MIB = 1 << 20,
	OTHER_USER = 4321,
};

static uint8_t bulk[2 * MIB];

static void begin(void)
{
	struct quota_limit limits[N_QUOTAS] = {
		[QUOTA_REQUESTS] = { 64 * MIB, 5 * MIB, MIB }
	};

	PREPARING(ck_assert_int_eq(quota_new(&child_quota, limits), 0));
	child_begin();
}

static void fini(void)
{
	child_fini();
	ck_assert_uint_eq(quota_held(child_quota, QUOTA_REQUESTS, USER), 0);
	quota_free(child_quota);
	child_quota = NULL;
}

static void on_reply(void *arg, const struct child_reply *reply)
{
}

/* What the user sent: @len bytes. */
static struct child_reply ask(size_t len)
{
	const struct child_request request = { .method = METHOD_WriteMemory,
					       .bytes = bulk,
					       .len = len };
	struct child_reply why = { .reason = "none" };

	if (child_call(c, &request, on_reply, NULL, &why))
		why.reason = "";
	return why;
}

static uint64_t held(void)
{
	return quota_held(child_quota, QUOTA_REQUESTS, USER);
}

/* The machine reads all that there is. */
static void read_all(void)
{
	static uint8_t got[MIB];

	while (frame_pending(&c->out)) {
		ck_assert_int_gt(recv(theirs.socket, got, sizeof(got), 0), 0);
		turns(1);
	}
}

TEST(what_waits_is_counted_until_it_is_read)
{
	ck_assert_str_eq(ask(100).reason, ""); /* the socket has room */
	ck_assert_uint_eq(held(), 0);
	ck_assert_str_eq(ask(2 * MIB).reason, "");
	ck_assert_uint_gt(held(), MIB);
	ck_assert_uint_eq(held(), frame_pending(&c->out));
	ck_assert_str_eq(ask(2 * MIB).reason, "");
	ck_assert_uint_eq(held(), frame_pending(&c->out));
	read_all();
	ck_assert_uint_eq(held(), 0);
}

TEST(beyond_the_limit_nothing_is_queued)
{
	struct child_reply why;
	size_t before;

	ck_assert_str_eq(ask(2 * MIB).reason, "");
	ck_assert_str_eq(ask(2 * MIB).reason, "");
	before = frame_pending(&c->out);
	why = ask(2 * MIB);
	ck_assert_int_eq(why.code, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(why.reason, "USER_BYTES");
	ck_assert_str_eq(why.text, "too many bytes of requests wait for "
				   "machines that do not read them");
	ck_assert_uint_eq(frame_pending(&c->out), before);
	ck_assert_uint_eq(held(), before);
	ck_assert_uint_eq(c->n_calls, 2);
	read_all();
	ck_assert_str_eq(ask(2 * MIB).reason, "");
}

/* His other machines do not read, either; another user's are another's. */
TEST_TIMES(all_machines_of_a_user_count, 2)
{
	char why[QUOTA_WHY];

	ck_assert(quota_take(child_quota, QUOTA_REQUESTS,
			     _i ? OTHER_USER : USER, 4 * MIB, why));
	ck_assert_str_eq(ask(2 * MIB).reason, _i ? "" : "USER_BYTES");
	quota_give(child_quota, QUOTA_REQUESTS, _i ? OTHER_USER : USER,
		   4 * MIB);
	ck_assert_uint_eq(held(), frame_pending(&c->out));
}

/* Its own are short, and do not fail for what he did. */
TEST(what_pmud_asks_is_not_refused)
{
	Pmu__Internal__SetRecordingRequest set =
		PMU__INTERNAL__SET_RECORDING_REQUEST__INIT;
	const struct child_request request = { .method = METHOD_SetRecording,
					       .message = &set.base };
	struct child_reply why;
	char text[QUOTA_WHY];
	uint64_t before;

	ck_assert_str_eq(ask(2 * MIB).reason, "");
	before = held();
	ck_assert(quota_take(child_quota, QUOTA_REQUESTS, USER,
			     5 * MIB - before, text));
	ck_assert(child_call(c, &request, on_reply, NULL, &why));
	ck_assert_uint_gt(held(), 5 * MIB);
	quota_give(child_quota, QUOTA_REQUESTS, USER, 5 * MIB - before);
	ck_assert_uint_eq(held(), frame_pending(&c->out));
}

/* What it asks with a user's words in it is as long as these are. */
TEST_TIMES(what_pmud_asks_for_a_user_is_his, 2)
{
	static char name[2 * MIB];
	Pmu__V1__Sampler sampler = PMU__V1__SAMPLER__INIT, *list = &sampler;
	Pmu__Internal__StartSamplingRequest start =
		PMU__INTERNAL__START_SAMPLING_REQUEST__INIT;
	const struct child_request request = { .method = METHOD_StartSampling,
					       .message = &start.base };
	struct child_reply why = { .reason = "" };

	memset(name, 'x', sizeof(name) - 1);
	sampler.name = name;
	start.samplers = &list;
	start.n_samplers = 1;
	ck_assert_str_eq(ask(2 * MIB).reason, "");
	if (_i)
		ck_assert_str_eq(ask(2 * MIB).reason, "");
	ck_assert_int_eq(!child_call(c, &request, on_reply, NULL, &why), _i);
	ck_assert_str_eq(_i ? why.reason : "", _i ? "USER_BYTES" : "");
	ck_assert_uint_eq(c->n_calls, 2);
	ck_assert_uint_eq(held(), frame_pending(&c->out));
}

/* By itself, or by its owner: nothing will be read any more. */
TEST_TIMES(what_ends_gives_all_back, 2)
{
	ck_assert_str_eq(ask(2 * MIB).reason, "");
	ck_assert_uint_gt(held(), 0);
	if (_i)
		owner_ends();
	else
		send_end();
	turns(3);
	ck_assert_uint_eq(held(), 0);
}

SUITE("child-bytes", .setup = begin, .teardown = fini);
