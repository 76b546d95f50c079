/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When overflows happened that software of the guest is still to be told of, so
 * that the record of a delivery names them. Nothing of it acts on the guest,
 * and it is kept whether anybody asks for these records or not.
 */
#ifndef CORE_DELIVERIES_H
#define CORE_DELIVERIES_H

#include "machine-hart.h"
#include "record-said.h"

struct deliveries;

struct deliveries *deliveries_new(void); /* NULL without memory */
void deliveries_free(struct deliveries *all);

/*
 * A counter of @h has overflowed; nothing can be taken before the hart has
 * retired @first instructions.
 */
void deliveries_found(struct machine *m, const struct hart *h,
		      const struct pmu_overflow *o, uint64_t first);
/* @h went elsewhere: what it was not told of is held from here on. */
void deliveries_passed(struct machine *m, const struct hart *h);

/*
 * What is about to be delivered to @h: by an LCOFI or a software event the
 * overflows of @counters (pmu_lcofi_counters()), by a branch those that ebbovf
 * shows. Where the hart goes on is added by whoever takes it there.
 */
struct record_delivery deliveries_of_lcofi(const struct machine *m,
					   const struct hart *h,
					   uint32_t counters);
struct record_delivery deliveries_of_branch(const struct machine *m,
					    const struct hart *h,
					    uint32_t counters);
/* It has been: its record, if asked for. */
void deliveries_record(struct machine *m, const struct hart *h,
		       const struct record_at *at,
		       const struct record_delivery *d);

/* All of it (state-bytes.h). */
void deliveries_give(const struct deliveries *all, struct state *to);
void deliveries_take(struct deliveries *all, struct state *from);

#endif
