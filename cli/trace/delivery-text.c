/* SPDX-License-Identifier: BSD-2-Clause */
/* How the delivery of overflows to a guest's software reads. */
#include "delivery-text.h"

#include <inttypes.h>

#include "text/names.h"

/* Since when counter @n, the @i-th of those that are delivered, waits. */
static void put_delivered(FILE *out, const Pmu__V1__Record *r, unsigned n,
			  size_t i)
{
	const Pmu__V1__Delivery *d = r->delivery;

	fprintf(out, " %u", n);
	if (i < d->n_cycles && d->cycles[i] && d->cycles[i] != r->cycle)
		fprintf(out, " of cycle %" PRIu64, d->cycles[i]);
	else if (i >= d->n_cycles || !d->cycles[i])
		fputs(" of an unknown cycle", out);
}

void delivery_text(FILE *out, const Pmu__V1__Record *r)
{
	const Pmu__V1__Delivery *d = r->delivery;
	char name[NAME_MAX_LEN];
	size_t i = 0;

	fprintf(out, "delivery %s",
		name_enum(&pmu__v1__delivery__way__descriptor, (int)d->way,
			  name));
	if (d->way == PMU__V1__DELIVERY__WAY__WAY_SSE)
		fprintf(out, " %#" PRIx32, d->event);
	fprintf(out, " to %s at %#" PRIx64, name_privilege((int)d->target),
		d->handler);
	for (unsigned n = 0; n < 32; n++) {
		if (!(d->counters >> n & 1))
			continue;
		fputs(i ? "," : " for counter", out);
		put_delivered(out, r, n, i++);
	}
	if (!d->counters)
		fputs(" for no overflow", out);
	if (d->held)
		fputs(", held", out);
}

void ebb_delivery_text(FILE *out, const Pmu__V1__Record *r)
{
	const Pmu__V1__EbbDelivery *d = r->ebb_delivery;

	fprintf(out, "ebb session %" PRIu32 " told of counters %#" PRIx32,
		d->session, d->counters);
	if (d->cycle != r->cycle)
		fprintf(out, ", held since cycle %" PRIu64, d->cycle);
}
