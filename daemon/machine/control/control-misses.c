/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests for why caches and TLBs have missed. */
#include "codec-request.h"
#include "control-inside.h"
#include "core/miss-query.h"

static Pmu__V1__MissReason encode_reason(enum pmu_miss_reason reason)
{
	static const Pmu__V1__MissReason reasons[] = {
#define REASON(name)                                                           \
	[PMU_MISS_##name] = PMU__V1__MISS_REASON__MISS_REASON_##name
		REASON(COLD),  REASON(CAPACITY), REASON(CONFLICT),
		REASON(FENCE), REASON(UNKNOWN),
#undef REASON
	};

	return reasons[reason];
}

static void encode_what(const struct pmu_miss *what, Pmu__V1__Miss *ret)
{
	static const Pmu__V1__MissAccess accesses[] = {
#define ACCESS(name)                                                           \
	[PMU_MISS_##name] = PMU__V1__MISS_ACCESS__MISS_ACCESS_##name
		ACCESS(FETCH),
		ACCESS(LOAD),
		ACCESS(STORE),
		ACCESS(PREFETCH),
#undef ACCESS
	};
	static const Pmu__V1__CorePart parts[] = {
#define PART(name) [PMU_PART_##name] = PMU__V1__CORE_PART__CORE_PART_##name
		PART(L1I),  PART(L1D),	PART(LL),
		PART(ITLB), PART(DTLB), PART(STLB),
#undef PART
	};
	static const Pmu__V1__MissVictim victims[] = {
#define VICTIM(name)                                                           \
	[PMU_VICTIM_##name] = PMU__V1__MISS_VICTIM__MISS_VICTIM_##name
		VICTIM(NOT_PUT), VICTIM(EMPTY),	  VICTIM(CLEAN),
		VICTIM(DIRTY),	 VICTIM(UNKNOWN),
#undef VICTIM
	};

	ret->access = accesses[what->access];
	ret->virtual_address = what->vaddr;
	ret->physical_address = what->paddr;
	ret->part = parts[what->part];
	ret->set = what->set;
	ret->line = what->line;
	ret->victim = victims[what->victim];
	ret->victim_line = what->victim_line;
	ret->victim_elsewhere = what->victim_elsewhere;
	ret->reason = encode_reason((enum pmu_miss_reason)what->reason);
}

static Pmu__V1__Miss *new_miss(struct control *c,
			       const struct machine_miss *miss)
{
	Pmu__V1__Miss *ret = control_message(c, &pmu__v1__miss__descriptor);

	ret->cycle = miss->cycle;
	ret->hart = miss->hart;
	ret->privilege = encode_mode((enum pmu_mode)miss->mode);
	ret->pc = miss->pc;
	ret->satp = miss->satp;
	encode_what(&miss->what, ret);
	return ret;
}

static void add_misses(struct control *c, const struct miss_query *q,
		       Pmu__V1__ExplainMissesResponse *answer)
{
	size_t most = machine_misses_most(c->machine, q);
	struct machine_miss *found = control_alloc(c, most * sizeof(*found));

	answer->misses = control_alloc(c, most * sizeof(*answer->misses));
	answer->n_misses = machine_misses(c->machine, q, found);
	for (size_t i = 0; i < answer->n_misses; i++)
		answer->misses[i] = new_miss(c, &found[i]);
}

static void add_sum(struct control *c, const Pmu__V1__MissSum *sum,
		    Pmu__V1__ExplainMissesResponse *answer)
{
	Pmu__V1__MissSum *m;

	if (!sum->count)
		return;
	m = control_message(c, &pmu__v1__miss_sum__descriptor);
	*m = *sum;
	answer->sums[answer->n_sums++] = m;
}

/* Of hart @hart. */
static void add_sums(struct control *c, const struct miss_query *q,
		     unsigned hart, Pmu__V1__ExplainMissesResponse *answer)
{
	Pmu__V1__MissSum sum = PMU__V1__MISS_SUM__INIT;

	sum.hart = hart;
	for (int mode = 0; mode < PMU_N_MODES; mode++) {
		if (!(q->modes >> mode & 1))
			continue;
		sum.privilege = encode_mode((enum pmu_mode)mode);
		for (int r = 0; r < PMU_N_MISS_REASONS; r++) {
			sum.reason = encode_reason((enum pmu_miss_reason)r);
			sum.count = machine_miss_sum(c->machine, hart, q->event,
						     (enum pmu_mode)mode,
						     (enum pmu_miss_reason)r);
			add_sum(c, &sum, answer);
		}
	}
}

/* A bit of each; 0: there is none of one. */
static uint64_t decode_harts(const Pmu__V1__ExplainMissesRequest *q, unsigned n)
{
	uint64_t harts = 0;

	for (size_t i = 0; i < q->n_harts; i++) {
		if (q->harts[i] >= n)
			return 0;
		harts |= UINT64_C(1) << q->harts[i];
	}
	return q->n_harts ? harts : UINT64_MAX >> (64 - n);
}

enum handled control_explain_misses(struct control *c,
				    const Pmu__V1__ExplainMissesRequest *q,
				    Pmu__V1__ExplainMissesResponse *answer,
				    struct error *e)
{
	unsigned n = machine_config(c->machine)->harts;
	const struct miss_query query = {
		.event = decode_event(q->event),
		.modes = decode_modes(q->privileges, q->n_privileges),
		.harts = decode_harts(q, n),
		.limit = q->limit,
	};
	struct machine_status s;

	if (!machine_misses_check(c->machine, &query, e))
		return HANDLED_FAILED;
	machine_status(c->machine, &s);
	answer->cycle = s.cycle;
	answer->sums = control_alloc(c, n * PMU_N_MODES * PMU_N_MISS_REASONS *
						sizeof(*answer->sums));
	for (unsigned hart = 0; hart < n; hart++)
		if (query.harts >> hart & 1)
			add_sums(c, &query, hart, answer);
	add_misses(c, &query, answer);
	return HANDLED_DONE;
}
