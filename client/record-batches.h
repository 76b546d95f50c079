/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A record stream as its records, one by one. What is not asked for stays in
 * the stream: its window closes, the daemon stores, the machine waits; so
 * nothing is buffered but the batch under way.
 */
#ifndef CLIENT_RECORD_BATCHES_H
#define CLIENT_RECORD_BATCHES_H

#include <stddef.h>

#include <pmuclient/pmuclient.h>

#include "pmu/v1/traces.pb-c.h"

/* All zero: closed. */
struct record_batches {
	struct pmuclient *client;
	struct pmuclient_stream *stream;
	Pmu__V1__StreamRecordsResponse *under_way; /* or NULL */
	size_t next;				   /* record of it */
};

/*
 * Subscribes; nothing that happens from the return on is missed. Returns 0 or
 * a negated enum pmuclient_errno, and is to be closed in any case.
 */
int record_batches_open(struct record_batches *b, struct pmuclient *c,
			const Pmu__V1__StreamRecordsRequest *req);
void record_batches_close(struct record_batches *b);

/*
 * The next record, valid until the next call: 1; 0 when none came for
 * @timeout_ms; or a negated enum pmuclient_errno: -PMUCLIENT_ELOST behind the
 * last one.
 */
int record_batches_next(struct record_batches *b, int timeout_ms,
			const Pmu__V1__Record **ret);

#endif
