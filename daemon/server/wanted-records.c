/* SPDX-License-Identifier: BSD-2-Clause */
/* RecordFilter as bit masks, and the match. */
#include "wanted-records.h"

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

void wanted_init(struct wanted *f, const Pmu__V1__RecordFilter *want)
{
	*f = (struct wanted){ UINT32_MAX, UINT64_MAX, UINT32_MAX,
			      0,	  UINT64_MAX, 0 };
	if (!want)
		return;
	f->kinds = kinds_of(want);
	if (!f->kinds)
		f->kinds = UINT32_MAX;
	f->harts = bits_of(want->harts, want->n_harts, 64);
	f->counters = (uint32_t)bits_of(want->counters, want->n_counters, 32);
	f->ebb = want->ebb_session;
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

bool wanted_match(const struct wanted *f, const Pmu__V1__Record *r)
{
	if (r->kind_case == PMU__V1__RECORD__KIND__NOT_SET ||
	    !(f->kinds >> r->kind_case & 1))
		return false;
	if (f->ebb && ebb_of(r) != f->ebb)
		return false;
	if (r->hart >= 64 || !(f->harts >> r->hart & 1))
		return false;
	if (r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW &&
	    (r->overflow->counter >= 32 ||
	     !(f->counters >> r->overflow->counter & 1)))
		return false;
	return r->cycle >= f->first_cycle && r->cycle <= f->last_cycle;
}
