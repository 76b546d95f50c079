/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kinds of records that a machine makes only if they are wanted: stored,
 * which its creation says, or watched. A set of them has the bit of each in
 * Record's oneof.
 */
#ifndef SERVER_RECORDED_KINDS_H
#define SERVER_RECORDED_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/internal/machine.pb-c.h"
#include "pmu/v1/traces.pb-c.h"

/* X(PMU__V1__RECORD__KIND_..., field of Recording and SetRecordingRequest) */
#define RECORDED_KINDS(X)                                                      \
	X(TRAP, traps)                                                         \
	X(SBI_CALL, sbi_calls)                                                 \
	X(CSR_ACCESS, csr_accesses)                                            \
	X(DELIVERY, deliveries)

#define RECORDED_BIT(kind)	 (1u << PMU__V1__RECORD__KIND_##kind)
#define RECORDED_OR(kind, field) | RECORDED_BIT(kind)
#define RECORDED_ALL		 (0u RECORDED_KINDS(RECORDED_OR))

/* How many streams watch each kind. */
struct recorded_watchers {
#define RECORDED_COUNT(kind, field) unsigned field;
	RECORDED_KINDS(RECORDED_COUNT)
#undef RECORDED_COUNT
};

/* Those that are stored; those that somebody watches. */
uint32_t recorded_stored(const Pmu__V1__Recording *r);
uint32_t recorded_watched(const struct recorded_watchers *w);
/* One more, or one less, watches each of @kinds. */
void recorded_watch(struct recorded_watchers *w, uint32_t kinds, bool more);
/* What a machine's process is asked for, to make @kinds. */
void recorded_ask(Pmu__Internal__SetRecordingRequest *ret, uint32_t kinds);
/* What people call the first of @kinds, which are not none. */
const char *recorded_name(uint32_t kinds);

#endif
