/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No bar is guessed: of a trap, an SBI call and an event-based branch the trace
 * has the moment alone. A handler of software events is written when it is
 * over, for a trace may have no SBI calls, thus no ends. What began before the
 * first record, or with one that was left out, has no bar.
 */
#include "export-chrome-bars.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "export-samples.h"
#include "text/names.h"

enum {
	HANDLERS = 32, /* in each other; there are not so many events */
	COUNTERS = 32, /* of a hart */
};

struct export_chrome_hart {
	uint32_t number;
	bool started, waits;
	struct handler {
		uint32_t event;
		uint64_t ns;
	} handler[HANDLERS];
	size_t n;
};

void export_chrome_begin(FILE *out, bool *more, char phase,
			 struct export_chrome_at at)
{
	fprintf(out,
		"%s\n{\"ph\":\"%c\",\"pid\":%d,\"tid\":%" PRIu64
		",\"ts\":%" PRIu64 ".%03" PRIu64 ",",
		*more ? "," : "", phase, (int)at.group, at.row, at.ns / 1000,
		at.ns % 1000);
	*more = true;
}

static void begin(const struct export_chrome_bars *b, char phase,
		  enum export_chrome_group group, uint64_t row, uint64_t ns)
{
	export_chrome_begin(b->out, b->more, phase,
			    (struct export_chrome_at){ group, row, ns });
}

static void put_start(const struct export_chrome_bars *b,
		      struct export_chrome_hart *h, uint64_t ns, bool starts)
{
	if (h->started == starts)
		return;
	h->started = starts;
	begin(b, starts ? 'B' : 'E', EXPORT_CHROME_HARTS, h->number, ns);
	fputs("\"cat\":\"hart\",\"name\":\"started\"}", b->out);
}

static void put_wait(const struct export_chrome_bars *b,
		     struct export_chrome_hart *h, uint64_t ns, bool waits)
{
	if (h->waits == waits)
		return;
	h->waits = waits;
	begin(b, waits ? 'B' : 'E', EXPORT_CHROME_HARTS, h->number, ns);
	fputs("\"cat\":\"hart\",\"name\":\"waiting\"}", b->out);
}

/* It stops, or starts anew; what its handlers were in goes with it. */
static void put_end(const struct export_chrome_bars *b,
		    struct export_chrome_hart *h, uint64_t ns)
{
	put_wait(b, h, ns, false);
	put_start(b, h, ns, false);
	h->n = 0;
}

static void put_end_of_all(const struct export_chrome_bars *b, uint64_t ns)
{
	for (size_t i = 0; i < b->harts.n; i++)
		put_end(b, &b->hart[i], ns);
}

static void put_change(const struct export_chrome_bars *b,
		       struct export_chrome_hart *h,
		       const struct export_item *item)
{
	Pmu__V1__HartChange__What what = item->record->hart_change->what;

	if (what == PMU__V1__HART_CHANGE__WHAT__WHAT_STARTED)
		put_start(b, h, item->ns, true);
	else if (what == PMU__V1__HART_CHANGE__WHAT__WHAT_STOPPED)
		put_end(b, h, item->ns);
	else if (what == PMU__V1__HART_CHANGE__WHAT__WHAT_WAITING)
		put_wait(b, h, item->ns, true);
	else if (what == PMU__V1__HART_CHANGE__WHAT__WHAT_WOKEN)
		put_wait(b, h, item->ns, false);
}

static void put_length(const struct export_chrome_bars *b, uint64_t ns)
{
	fprintf(b->out, "\"dur\":%" PRIu64 ".%03" PRIu64 ",", ns / 1000,
		ns % 1000);
}

/* Names the row of a counter once. False: out of memory. */
static bool name_counter(struct export_chrome_bars *b, uint32_t hart,
			 unsigned counter)
{
	uint64_t row = (uint64_t)hart * COUNTERS + counter;
	size_t n = b->counters.n;
	struct export_key key = { { row } };
	size_t i = export_index_add(&b->counters, key, 0);

	if (i != n)
		return i != EXPORT_NONE;
	if (!i) {
		begin(b, 'M', EXPORT_CHROME_COUNTERS, row, 0);
		fputs("\"name\":\"process_name\",\"args\":{\"name\":"
		      "\"overflows until delivery\"}}",
		      b->out);
	}
	begin(b, 'M', EXPORT_CHROME_COUNTERS, row, 0);
	fprintf(b->out,
		"\"name\":\"thread_name\",\"args\":{\"name\":\"hart %" PRIu32
		" counter %u\"}}",
		hart, counter);
	return true;
}

/* From each overflow to this: what was delivered in its cycle has no length. */
static bool put_pending(struct export_chrome_bars *b,
			const struct export_item *item)
{
	const Pmu__V1__Delivery *d = item->record->delivery;
	uint32_t hart = item->record->hart;

	for (unsigned i = 0, n = 0; i < COUNTERS && n < d->n_cycles; i++) {
		uint64_t ns;

		if (!(d->counters >> i & 1))
			continue;
		ns = export_ns(b->x, d->cycles[n]);
		if (!d->cycles[n++] || ns >= item->ns)
			continue;
		if (!name_counter(b, hart, i))
			return false;
		begin(b, 'X', EXPORT_CHROME_COUNTERS,
		      (uint64_t)hart * COUNTERS + i, ns);
		put_length(b, item->ns - ns);
		fputs("\"cat\":\"delivery\",\"name\":\"overflow\"}", b->out);
	}
	return true;
}

/* Of too many one is lost, and so is its bar. */
static void enter(struct export_chrome_hart *h, const struct export_item *item)
{
	if (h->n == HANDLERS)
		memmove(h->handler, h->handler + 1,
			--h->n * sizeof(*h->handler));
	h->handler[h->n++] = (struct handler){
		item->record->delivery->event,
		item->ns,
	};
}

/* A call that is answered was refused. */
static bool completes(const Pmu__V1__Record *r)
{
	char buf[NAME_MAX_LEN];

	return r->kind_case == PMU__V1__RECORD__KIND_SBI_CALL &&
	       !r->sbi_call->returned &&
	       !strcmp(name_sbi_call(r->sbi_call->eid, r->sbi_call->fid, buf),
		       "SSE.complete");
}

static void leave(const struct export_chrome_bars *b,
		  struct export_chrome_hart *h, uint64_t ns)
{
	const struct handler *of;

	if (!h->n)
		return;
	of = &h->handler[--h->n];
	begin(b, 'X', EXPORT_CHROME_HARTS, h->number, of->ns);
	put_length(b, ns - of->ns);
	fprintf(b->out,
		"\"cat\":\"delivery\",\"name\":\"software event %#" PRIx32
		"\"}",
		of->event);
}

/* NULL: out of memory. */
static struct export_chrome_hart *bar_hart(struct export_chrome_bars *b,
					   uint32_t number)
{
	size_t n = b->harts.n;
	struct export_key key = { { number } };
	size_t i;

	if (!ARRAY_ROOM(b->hart, &b->room, n))
		return NULL;
	i = export_index_add(&b->harts, key, 0);
	if (i == EXPORT_NONE)
		return NULL;
	if (i == n)
		b->hart[i] = (struct export_chrome_hart){ .number = number };
	return &b->hart[i];
}

bool export_chrome_bar(struct export_chrome_bars *b,
		       const struct export_item *item)
{
	const Pmu__V1__Record *r = item->record;
	struct export_chrome_hart *h = bar_hart(b, r->hart);

	if (!h)
		return false;
	if (item->ns > b->last)
		b->last = item->ns;
	if (r->kind_case == PMU__V1__RECORD__KIND_HART_CHANGE)
		put_change(b, h, item);
	else if (r->kind_case == PMU__V1__RECORD__KIND_RESET)
		put_end_of_all(b, item->ns);
	else if (completes(r))
		leave(b, h, item->ns);
	if (r->kind_case != PMU__V1__RECORD__KIND_DELIVERY)
		return true;
	if (r->delivery->way == PMU__V1__DELIVERY__WAY__WAY_SSE)
		enter(h, item);
	return put_pending(b, item);
}

void export_chrome_bars_end(struct export_chrome_bars *b)
{
	put_end_of_all(b, b->last);
	export_index_fini(&b->harts);
	export_index_fini(&b->counters);
	free(b->hart);
}
