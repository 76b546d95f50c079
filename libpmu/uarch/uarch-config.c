/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which models there can be: what a configuration may say, which events follow
 * from it, and the configurations that have names. The named ones are round
 * numbers of a class of cores, not of a product.
 */
#include <pmu/uarch.h>

#define KIB 1024u
#define CACHE(kib, w, r)                                                       \
	{                                                                      \
		.size = (kib)*KIB, .line = 64, .ways = (w),                    \
		.replacement = PMU_REPLACE_##r                                 \
	}
#define TLB(n, w, r)                                                           \
	{                                                                      \
		.entries = (n), .ways = (w), .replacement = PMU_REPLACE_##r    \
	}

enum {
	MIN_LINE = 16,
	MAX_LINE = 256,
	MAX_WAYS = 64,
	MAX_CACHE = 16 << 20,
	MAX_ENTRIES = 1 << 16,
	MAX_HISTORY = 16,
	MAX_RETURNS = 64,
	MAX_STALL = 10000,
};

static const struct {
	const char *name;
	struct pmu_uarch_config cfg;
} presets[] = {
	{ "none", { .stalls = { 10, 80, 4, 30, 4 } } },
	/* a microcontroller's: one level, no translation worth a name */
	{ "tiny",
	  { .l1i = CACHE(16, 2, RANDOM),
	    .l1d = CACHE(16, 2, RANDOM),
	    .itlb = TLB(8, 8, LRU),
	    .dtlb = TLB(8, 8, LRU),
	    .predictor = { .kind = PMU_PREDICT_STATIC, .returns = 2 },
	    .stalls = { 10, 20, 4, 20, 2 } } },
	/* an application core that issues in order */
	{ "small",
	  { .l1i = CACHE(32, 4, LRU),
	    .l1d = CACHE(32, 4, LRU),
	    .ll = CACHE(512, 8, LRU),
	    .itlb = TLB(32, 32, LRU),
	    .dtlb = TLB(32, 32, LRU),
	    .stlb = TLB(256, 4, LRU),
	    .predictor = { .kind = PMU_PREDICT_BIMODAL,
			   .entries = 512,
			   .targets = 32,
			   .returns = 6 },
	    .stalls = { 10, 80, 4, 30, 4 } } },
	/* one that issues out of order */
	{ "large",
	  { .l1i = CACHE(64, 4, PLRU),
	    .l1d = CACHE(64, 4, PLRU),
	    .ll = CACHE(2048, 16, PLRU),
	    .itlb = TLB(64, 64, PLRU),
	    .dtlb = TLB(64, 64, PLRU),
	    .stlb = TLB(1024, 8, PLRU),
	    .predictor = { .kind = PMU_PREDICT_GSHARE,
			   .entries = 4096,
			   .history = 12,
			   .targets = 512,
			   .returns = 16 },
	    .prefetch = PMU_PREFETCH_NEXT,
	    .stalls = { 14, 160, 7, 40, 12 } } },
};

const char *pmu_uarch_preset(size_t i, struct pmu_uarch_config *ret)
{
	if (i >= sizeof(presets) / sizeof(presets[0]))
		return NULL;
	*ret = presets[i].cfg;
	return presets[i].name;
}

static bool is_power(uint64_t n)
{
	return n && !(n & (n - 1));
}

static const char *cache_fault(const struct pmu_cache_config *c)
{
	if (c->size == 0)
		return NULL;
	if (c->size > MAX_CACHE)
		return "a cache has at most 16 MiB";
	if (!is_power(c->line) || c->line < MIN_LINE || c->line > MAX_LINE)
		return "a line has 16, 32, 64, 128 or 256 bytes";
	if (!is_power(c->ways) || c->ways > MAX_WAYS)
		return "ways are a power of two up to 64";
	if (c->size % (c->line * c->ways) ||
	    !is_power(c->size / c->line / c->ways))
		return "a cache's size is its line times its ways times a "
		       "power of two";
	if (c->replacement > PMU_REPLACE_RANDOM || c->write > PMU_WRITE_THROUGH)
		return "no such policy";
	return NULL;
}

static const char *tlb_fault(const struct pmu_tlb_config *t)
{
	if (t->entries == 0)
		return NULL;
	if (!is_power(t->entries) || t->entries > MAX_ENTRIES)
		return "the entries of a TLB are a power of two up to 65536";
	if (!is_power(t->ways) || t->ways > MAX_WAYS || t->ways > t->entries)
		return "ways are a power of two up to 64 and to the entries";
	if (t->replacement > PMU_REPLACE_RANDOM)
		return "no such policy";
	return NULL;
}

static const char *predictor_fault(const struct pmu_predictor_config *p)
{
	bool counts = p->kind >= PMU_PREDICT_BIMODAL;

	if (p->kind > PMU_PREDICT_GSHARE)
		return "no such predictor";
	if (counts != (p->entries != 0) ||
	    (counts && (!is_power(p->entries) || p->entries > MAX_ENTRIES)))
		return "a predictor that learns has a power of two of counters "
		       "up to 65536, another none";
	if ((p->kind == PMU_PREDICT_GSHARE) != (p->history != 0) ||
	    p->history > MAX_HISTORY)
		return "gshare has a history of 1 to 16, another none";
	if (p->targets && (!is_power(p->targets) || p->targets > MAX_ENTRIES))
		return "targets are a power of two up to 65536";
	if (p->returns > MAX_RETURNS)
		return "at most 64 returns are kept";
	return NULL;
}

static const char *stalls_fault(const struct pmu_stall_config *s)
{
	const uint16_t all[] = { s->last_level, s->memory, s->stlb, s->walk,
				 s->branch };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] > MAX_STALL)
			return "a stall is at most 10000 cycles";
	return NULL;
}

const char *pmu_uarch_fault(const struct pmu_uarch_config *cfg)
{
	const struct pmu_cache_config *const caches[] = { &cfg->l1i, &cfg->l1d,
							  &cfg->ll };
	const struct pmu_tlb_config *const tlbs[] = { &cfg->itlb, &cfg->dtlb,
						      &cfg->stlb };
	const char *fault = predictor_fault(&cfg->predictor);

	if (!fault)
		fault = stalls_fault(&cfg->stalls);
	if (!fault && cfg->prefetch > PMU_PREFETCH_NEXT)
		fault = "no such prefetcher";

	for (unsigned i = 0; i < 3 && !fault; i++)
		fault = cache_fault(caches[i]);
	for (unsigned i = 0; i < 3 && !fault; i++)
		fault = tlb_fault(tlbs[i]);
	return fault;
}

unsigned pmu_uarch_looks(const struct pmu_uarch_config *cfg)
{
	unsigned ret = cfg->ll.size ? PMU_LOOK_FETCH | PMU_LOOK_DATA : 0;

	if (cfg->l1i.size || cfg->itlb.entries)
		ret |= PMU_LOOK_FETCH;
	if (cfg->l1d.size || cfg->dtlb.entries)
		ret |= PMU_LOOK_DATA;
	if (cfg->predictor.kind != PMU_PREDICT_NONE)
		ret |= PMU_LOOK_FLOW;
	return ret;
}

/* The events @first to @last. */
static uint32_t events(enum pmu_uarch_event first, enum pmu_uarch_event last)
{
	return UINT32_MAX >> (31 - (last - first)) << first;
}

/* Who asks memory, and what is fetched ahead of its use. */
static uint32_t memory_events(const struct pmu_uarch_config *cfg)
{
	bool data = cfg->l1d.size || cfg->ll.size;
	uint32_t ret = 0;

	if (data || cfg->l1i.size)
		ret |= events(PMU_UA_NODE_LOADS, PMU_UA_NODE_LOADS);
	if (data)
		ret |= events(PMU_UA_NODE_STORES, PMU_UA_NODE_STORES);
	if (!cfg->prefetch || !cfg->l1d.size)
		return ret;
	if (cfg->ll.size)
		ret |= events(PMU_UA_LL_PREFETCHES, PMU_UA_LL_PREFETCH_MISSES);
	return ret | events(PMU_UA_NODE_PREFETCHES, PMU_UA_NODE_PREFETCHES) |
	       events(PMU_UA_L1D_PREFETCHES, PMU_UA_L1D_PREFETCH_MISSES);
}

uint32_t pmu_uarch_events(const struct pmu_uarch_config *cfg)
{
	uint32_t ret = memory_events(cfg);

	if (cfg->l1d.size)
		ret |= events(PMU_UA_L1D_LOADS, PMU_UA_L1D_STORE_MISSES);
	if (cfg->l1i.size)
		ret |= events(PMU_UA_L1I_LOADS, PMU_UA_L1I_LOAD_MISSES);
	if (cfg->ll.size)
		ret |= events(PMU_UA_LL_LOADS, PMU_UA_LL_STORE_MISSES) |
		       events(PMU_UA_CACHE_REFERENCES, PMU_UA_CACHE_MISSES);
	if (cfg->dtlb.entries)
		ret |= events(PMU_UA_DTLB_LOADS, PMU_UA_DTLB_STORE_MISSES);
	if (cfg->itlb.entries)
		ret |= events(PMU_UA_ITLB_LOADS, PMU_UA_ITLB_LOAD_MISSES);
	if (cfg->predictor.kind != PMU_PREDICT_NONE)
		ret |= events(PMU_UA_BRANCH_LOADS, PMU_UA_BRANCH_LOAD_MISSES) |
		       events(PMU_UA_BRANCH_MISSES, PMU_UA_BRANCH_MISSES);
	return ret;
}
