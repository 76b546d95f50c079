/* SPDX-License-Identifier: BSD-2-Clause */
/* RecordFilter as bit masks and sorted ranges, and the match. */
#include "wanted-records.h"

#include <errno.h>
#include <stdlib.h>

#include "wire/record-kinds.h"

static uint32_t kind_if(bool wanted, unsigned kind)
{
	return wanted ? 1u << kind : 0;
}

static uint32_t kinds_of(const Pmu__V1__RecordFilter *w)
{
	uint32_t kinds = 0;

#define X(kind, flag, name)                                                    \
	kinds |= kind_if(w->flag, PMU__V1__RECORD__KIND_##kind);
	RECORD_KINDS(X)
#undef X
	return kinds;
}

static uint64_t bits_of(const uint32_t *list, size_t n, unsigned max)
{
	uint64_t bits = 0;

	if (!n)
		return UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		if (list[i] < max)
			bits |= UINT64_C(1) << list[i];
	}
	return bits;
}

static int compare(const void *a, const void *b)
{
	const struct wanted_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* By address, those that meet or overlap made one. */
static int take_ranges(struct wanted *f, const Pmu__V1__RecordFilter *want)
{
	size_t n = 0;

	if (want->n_addresses > WANTED_RANGES_MAX)
		return -E2BIG;
	f->ranges = calloc(want->n_addresses, sizeof(*f->ranges));
	if (!f->ranges)
		return -ENOMEM;
	for (size_t i = 0; i < want->n_addresses; i++)
		f->ranges[i] =
			(struct wanted_range){ want->addresses[i]->first,
					       want->addresses[i]->last };
	qsort(f->ranges, want->n_addresses, sizeof(*f->ranges), compare);
	for (size_t i = 0; i < want->n_addresses; i++) {
		struct wanted_range r = f->ranges[i];

		if (n && r.first <= f->ranges[n - 1].last) {
			if (r.last > f->ranges[n - 1].last)
				f->ranges[n - 1].last = r.last;
		} else {
			f->ranges[n++] = r;
		}
	}
	f->n_ranges = n;
	return 0;
}

int wanted_init(struct wanted *f, const Pmu__V1__RecordFilter *want)
{
	*f = (struct wanted){ .kinds = UINT32_MAX,
			      .harts = UINT64_MAX,
			      .counters = UINT32_MAX,
			      .session = WANTED_ANY,
			      .last_cycle = UINT64_MAX };
	if (!want)
		return 0;
	f->kinds = kinds_of(want);
	if (!f->kinds)
		f->kinds = UINT32_MAX;
	f->harts = bits_of(want->harts, want->n_harts, WANTED_HARTS_MAX);
	f->counters = (uint32_t)bits_of(want->counters, want->n_counters, 32);
	f->ebb = want->ebb_session;
	return want->n_addresses ? take_ranges(f, want) : 0;
}

void wanted_fini(struct wanted *f)
{
	free(f->ranges);
	f->ranges = NULL;
	f->n_ranges = 0;
}

uint64_t wanted_place(const Pmu__V1__Record *r)
{
	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW &&
	    r->overflow->last_pc)
		return r->overflow->last_pc;
	if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE && r->sample->last_pc)
		return r->sample->last_pc;
	return r->pc;
}

/* Is it in the last range that begins at or before it? */
static bool in_ranges(const struct wanted *f, uint64_t address)
{
	size_t low = 0, high = f->n_ranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->ranges[middle].first <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address <= f->ranges[low - 1].last;
}

/* The EBB session that @r concerns, 0: none. */
static uint32_t ebb_of(const Pmu__V1__Record *r)
{
	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW)
		return r->overflow->ebb;
	if (r->kind_case == PMU__V1__RECORD__KIND_EBB_DELIVERY)
		return r->ebb_delivery->session;
	if (r->kind_case == PMU__V1__RECORD__KIND_INPUT &&
	    r->input->kind_case == PMU__V1__INPUT__KIND_EBB)
		return r->input->ebb->session;
	return 0;
}

/* Is @r of counters, but of none that is wanted? */
static bool of_other_counters(const struct wanted *f, const Pmu__V1__Record *r)
{
	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW)
		return r->overflow->counter >= 32 ||
		       !(f->counters >> r->overflow->counter & 1);
	return r->kind_case == PMU__V1__RECORD__KIND_DELIVERY &&
	       f->counters != UINT32_MAX &&
	       !(f->counters & r->delivery->counters);
}

bool wanted_match(const struct wanted *f, const Pmu__V1__Record *r)
{
	/* bit 0: of a kind that this program cannot know, wanted with all */
	if (!(f->kinds >> r->kind_case & 1))
		return false;
	if (f->ebb && ebb_of(r) != f->ebb)
		return false;
	if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE &&
	    f->session != WANTED_ANY && r->sample->session != f->session)
		return false;
	if (r->hart >= WANTED_HARTS_MAX || !(f->harts >> r->hart & 1))
		return false;
	if (of_other_counters(f, r))
		return false;
	if (f->ranges && !in_ranges(f, wanted_place(r)))
		return false;
	return r->cycle >= f->first_cycle && r->cycle <= f->last_cycle;
}
