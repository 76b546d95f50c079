/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The trace as a callback for every record: what happened in a machine, in the
 * order it happened, until the machine is gone or the caller has seen enough.
 */
#ifndef PMUCLIENT_RECORDS_H
#define PMUCLIENT_RECORDS_H

#include <stdint.h>

#include <pmu/v1/traces.pb-c.h>
#include <pmuclient/pmuclient.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/*
 * Members may be NULL: then that is not told. What they are given is valid
 * until they return. Each returns 0 to go on; a number above 0 ends the stream.
 * They may call the same connection, but not end it.
 */
struct pmuclient_record_ops {
	size_t size; /* of this structure, as in <pmuclient/machine.h> */
	/* First of all: what the trace is of. */
	int (*header)(void *data, const Pmu__V1__Header *header);
	int (*record)(void *data, const Pmu__V1__Record *record);
	/* Only of a request that says `drop`: so many were not sent. */
	int (*lost)(void *data, uint64_t records);
};

/*
 * Streams the records that @req selects (its machine and its filter) and
 * returns 0 when the machine is gone, what a callback returned to end it, or a
 * negated enum pmuclient_errno. A lossless stream that is read slowly stops
 * the machine, which costs no guest time. @timeout_ms bounds the silence
 * between two messages (-1: no limit, 0: only what is there already):
 * -PMUCLIENT_ETIMEOUT. -PMUCLIENT_EINVAL: the size of @ops.
 */
int pmuclient_records(struct pmuclient *c,
		      const Pmu__V1__StreamRecordsRequest *req, int timeout_ms,
		      const struct pmuclient_record_ops *ops, void *data);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
