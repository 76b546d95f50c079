/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts that answers have had from the beginning: what comes to a message
 * later may be missing, as pmud may be older.
 */
#include "answer-parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "methods/method-calls.h"
#include "pmu/v1/ebb.pb-c.h"
#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"

enum part_kind {
	PART_MESSAGE, /* a pointer */
	PART_ONEOF,   /* what is set of it, 0: nothing */
	PART_NUMBER,  /* names something: not 0 */
	PART_LIST,    /* of so many */
};

struct answer_part {
	const ProtobufCMessageDescriptor *of;
	const char *name;
	enum part_kind kind;
	size_t offset;
	size_t wanted;
};

#define MESSAGE(method, field)                                                 \
	{                                                                      \
		METHOD_ANSWER(method), #field, PART_MESSAGE,                   \
			offsetof(Pmu__V1__##method##Response, field), 0        \
	}
#define ONEOF(descriptor, type, field)                                         \
	{                                                                      \
		descriptor, #field, PART_ONEOF, offsetof(type, field##_case),  \
			0                                                      \
	}
#define LIST(method, field, wanted)                                            \
	{                                                                      \
		METHOD_ANSWER(method), #field, PART_LIST,                      \
			offsetof(Pmu__V1__##method##Response, n_##field),      \
			wanted                                                 \
	}

static const struct answer_part parts[] = {
	MESSAGE(CreateMachine, machine),
	MESSAGE(StartMachine, machine),
	MESSAGE(PauseMachine, machine),
	MESSAGE(ResumeMachine, machine),
	MESSAGE(StepMachine, machine),
	MESSAGE(RunUntil, machine),
	MESSAGE(GetMachine, machine),
	MESSAGE(WatchMachine, machine),
	MESSAGE(ReadCsr, csr),
	MESSAGE(WriteCsr, csr),
	LIST(ReadRegisters, x, 32),
	LIST(ReadRegisters, f, 32),
	MESSAGE(InjectEvents, injection),
	{ METHOD_ANSWER(OpenEbb), "session", PART_NUMBER,
	  offsetof(Pmu__V1__OpenEbbResponse, session), 0 },
	ONEOF(METHOD_ANSWER(StreamRecords), Pmu__V1__StreamRecordsResponse,
	      item),
	ONEOF(METHOD_ANSWER(SampleEvents), Pmu__V1__SampleEventsResponse, item),
	{ &pmu__v1__sampling_begun__descriptor, "session", PART_NUMBER,
	  offsetof(Pmu__V1__SamplingBegun, session), 0 },
	{ &pmu__v1__sampling_begun__descriptor, "header", PART_MESSAGE,
	  offsetof(Pmu__V1__SamplingBegun, header), 0 },
	ONEOF(&pmu__v1__record__descriptor, Pmu__V1__Record, kind),
};

static bool is_there(const ProtobufCMessage *m, const struct answer_part *p,
		     struct answer_fault *ret)
{
	const char *at = (const char *)m + p->offset;

	switch (p->kind) {
	case PART_MESSAGE:
		return *(const ProtobufCMessage *const *)at != NULL;
	case PART_ONEOF:
		return *(const int *)at || m->n_unknown_fields;
	case PART_NUMBER:
		return *(const uint32_t *)at != 0;
	case PART_LIST:
		ret->n = *(const size_t *)at;
		ret->wanted = p->wanted;
		return ret->n == p->wanted;
	}
	return false;
}

/* The message alone, without those in it. */
static bool has_parts(const ProtobufCMessage *m, struct answer_fault *ret)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct answer_part *p = &parts[i];

		*ret = (struct answer_fault){ .message =
						      m->descriptor->short_name,
					      .part = p->name };
		if (p->of == m->descriptor && !is_there(m, p, ret))
			return false;
	}
	return true;
}

static bool have_kinds(Pmu__V1__Record *const *records, size_t n,
		       struct answer_fault *ret)
{
	for (size_t i = 0; i < n; i++)
		if (!records[i]->kind_case &&
		    !has_parts(&records[i]->base, ret))
			return false;
	return true;
}

static bool is_batch_whole(const Pmu__V1__RecordBatch *b,
			   struct answer_fault *ret)
{
	return have_kinds(b->records, b->n_records, ret);
}

static bool is_sampling_whole(const Pmu__V1__SampleEventsResponse *r,
			      struct answer_fault *ret)
{
	switch (r->item_case) {
	case PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BEGUN:
		return has_parts(&r->begun->base, ret);
	case PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BATCH:
		return is_batch_whole(r->batch, ret);
	case PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM__NOT_SET:
	case _PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM__CASE_IS_INT_SIZE:
		break;
	}
	return true;
}

bool answer_is_whole(const ProtobufCMessage *answer, struct answer_fault *ret)
{
	const ProtobufCMessageDescriptor *d = answer->descriptor;

	if (!has_parts(answer, ret))
		return false;
	if (d == METHOD_ANSWER(StreamRecords)) {
		const Pmu__V1__StreamRecordsResponse *r =
			(const Pmu__V1__StreamRecordsResponse *)answer;

		return r->item_case !=
			       PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH ||
		       is_batch_whole(r->batch, ret);
	}
	if (d == METHOD_ANSWER(QueryRecords)) {
		const Pmu__V1__QueryRecordsResponse *r =
			(const Pmu__V1__QueryRecordsResponse *)answer;

		return have_kinds(r->records, r->n_records, ret);
	}
	return d != METHOD_ANSWER(SampleEvents) ||
	       is_sampling_whole((const Pmu__V1__SampleEventsResponse *)answer,
				 ret);
}
