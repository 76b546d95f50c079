/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of records that are refused, or end before they have begun. */
#include "hosted-fixture.h"

#include "server/stream.h"
#include "unit.h"

static struct hosted *m;

static void setup(void)
{
	fixture_begin();
	m = fixture_machine(&alice, false);
}

/* It lives and was not told: its records would never come. */
TEST(a_busy_machines_stream_is_refused)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call;

	child->busy = true;
	call = fixture_stream(m, &req);
	ck_assert(call->over && !call->sent);
	ck_assert_int_eq(call->status, GRPC_UNAVAILABLE);
	ck_assert_str_eq(call->reason, "MACHINE_UNAVAILABLE");
	ck_assert_uint_eq(m->n_readers, 0);
}

/* Its process need not answer any more. */
TEST(a_machine_that_is_deleted_ends_a_stream_that_has_not_begun)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call = fixture_stream(m, &req);

	hosted_delete(m, NULL);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(child->forgotten, 2);
	ck_assert_uint_eq(call->sent, 0);
}

/* Of addresses there are 4096 ranges at most. */
TEST_TIMES(a_filter_has_so_many_ranges, 2)
{
	static Pmu__V1__AddressRange *list[4097];
	Pmu__V1__AddressRange range = PMU__V1__ADDRESS_RANGE__INIT;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call;

	for (unsigned i = 0; i < ARRAY_SIZE(list); i++)
		list[i] = &range;
	filter.n_addresses = 4096 + (size_t)_i;
	filter.addresses = list;
	req.filter = &filter;
	call = fixture_stream(m, &req);
	ck_assert_int_eq(call->over, _i);
	ck_assert_str_eq(call->reason, _i ? "TOO_MANY" : "");
	ck_assert_str_eq(call->field, _i ? "filter.addresses" : "");
	ck_assert_str_eq(call->text, _i ? "filter.addresses: must be at most "
					  "4096, not 4097"
					: "");
}

SUITE("rpc-streams-refused", .setup = setup, .teardown = fixture_end);
