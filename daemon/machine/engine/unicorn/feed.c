/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is told of an instruction comes from its decode, from the registers
 * before it runs, and from the leaves; no hook of memory is needed. The table
 * below is a cache of what could be found again.
 */
#include "adapter.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/engine-feed.h"

enum {
	JALR = 0x67,
	JAL = 0x6f,
};

/* An instruction as decoded, valid with the block of the step slot. */
struct feed_insn {
	uint64_t addr, seen;
	uint32_t word;
	struct pmu_uarch_insn told; /* but for data's addresses and next */
	int32_t imm;		    /* of data's address, beside told.rs1 */
	uint8_t base, sc;	    /* registers; sc: 0, none */
	uint8_t size;
	uint8_t looks; /* PMU_LOOK_..., what there is to look at */
};

struct feed {
	unsigned looks;		 /* at what of it */
	struct feed_insn *begun; /* NULL: none */
	struct feed_insn insns[STEP_ENTRIES];
};

int engine_feed(struct engine *e, unsigned looks)
{
	assert(e->running == NULL);
	if (looks == 0) {
		free(e->feed);
		e->feed = NULL;
		return 0;
	}
	if (e->feed == NULL)
		e->feed = calloc(1, sizeof(*e->feed));
	if (e->feed == NULL) {
		engine_fail(e, "out of memory");
		return -ENGINE_ENOMEM;
	}
	e->feed->looks = looks;
	return 0;
}

/* Where the byte of guest RAM at @host is. */
static uint64_t paddr_of(const struct engine *e, const uint8_t *host)
{
	for (size_t i = 0; i < e->n_ram; i++) {
		const struct ram *r = &e->ram[i];
		uint64_t off = (uint64_t)(host - r->host);

		if (host >= r->host && off < r->size)
			return r->base + off;
	}
	return 0;
}

/* Where an instruction goes, by the encodings of branches and jumps. */
static void decode_flow(uint32_t word, const struct pmu_insn *insn,
			struct pmu_uarch_insn *ret)
{
	unsigned op = word & 0x7f, quadrant = word & 3, funct3 = word >> 13 & 7;
	uint32_t sign = word >> (insn->len == 4 ? 31 : 12) & 1;

	if (!(insn->flags & PMU_INSN_BRANCH))
		return;
	ret->rd = insn->rd;
	ret->rs1 = insn->rs1;
	ret->flow = PMU_FLOW_BRANCH;
	ret->backward = sign;
	if (insn->len == 4 ? op == JALR : quadrant == 2)
		ret->flow = PMU_FLOW_INDIRECT;
	else if (insn->len == 4 ? op == JAL : funct3 < 6)
		ret->flow = PMU_FLOW_JUMP;
}

static void decode(struct slot *s, const struct block *b, struct feed_insn *ret)
{
	uint32_t word = b->last_word; /* its only one */
	struct pmu_insn insn;
	uint64_t paddr = paddr_of(s->e, b->host[0]);

	pmu_insn_decode(word, s->e->cfg.xlen, &insn);
	*ret = (struct feed_insn){ .addr = b->addr,
				   .seen = b->seen,
				   .word = word };
	ret->told.code = (struct pmu_span){ b->addr, { paddr, 0 }, insn.len };
	if (b->flags & BLOCK_STRADDLE)
		ret->told.code.paddr[1] = paddr_of(s->e, b->host[1]);
	decode_flow(word, &insn, &ret->told);
	ret->told.load = insn.flags & PMU_INSN_LOAD;
	ret->told.store = insn.flags & PMU_INSN_STORE;
	ret->size = insn.size;
	ret->base = insn.rs1;
	ret->imm = insn.imm;
	if (insn.flags & PMU_INSN_SC)
		ret->sc = insn.rd;
	ret->looks = PMU_LOOK_FETCH;
	if (ret->size)
		ret->looks |= PMU_LOOK_DATA;
	if (ret->told.flow != PMU_FLOW_NEXT)
		ret->looks |= PMU_LOOK_FLOW;
}

void feed_begin(struct slot *s, const struct block *b)
{
	struct feed *f = s->e->feed;
	struct feed_insn *i;

	if (f == NULL)
		return;
	i = &f->insns[(b->addr >> 1) % STEP_ENTRIES];
	if (i->addr != b->addr || i->seen != b->seen || i->word != b->last_word)
		decode(s, b, i);
	if (!(i->looks & f->looks))
		return;
	if (i->size)
		i->told.data.vaddr =
			(regs_x(s, i->base) + (uint64_t)(int64_t)i->imm) &
			engine_mask(s->e);
	f->begun = i;
}

/* The page at @vaddr, which was accessed just now. */
static uint64_t page_of(struct slot *s, uint64_t vaddr, bool store)
{
	const struct leaf *leaf =
		leaf_find(&s->e->leaves, vaddr & engine_mask(s->e),
			  store ? PMU_ACCESS_STORE : PMU_ACCESS_LOAD);

	return leaf == NULL ? 0 : leaf->paddr;
}

static void place_data(struct slot *s, struct feed_insn *i)
{
	struct pmu_span *d = &i->told.data;
	uint64_t in_page = d->vaddr & (PAGE_SIZE - 1);
	bool store = i->told.store;

	d->size = i->size;
	d->paddr[0] = page_of(s, d->vaddr, store) | in_page;
	if (in_page + d->size > PAGE_SIZE)
		d->paddr[1] = page_of(s, PAGE_OF(d->vaddr) + PAGE_SIZE, store);
}

static void tell(struct slot *s, const struct pmu_uarch_insn *insn, bool over)
{
	struct engine *e = s->e;
	const uint64_t *limit = &e->budget->limit.n[PMU_EV_INSNS];
	uint64_t before = *limit;

	if (e->ops->executed(e->host, insn, over))
		e->budget->reached = true;
	if (*limit != before)
		slot_narrow(s);
}

void feed_end(struct slot *s, uint64_t pc)
{
	struct feed *f = s->e->feed;
	struct feed_insn *i;

	if (f == NULL || f->begun == NULL)
		return;
	i = f->begun;
	f->begun = NULL;
	i->told.next = pc;
	if (i->size)
		place_data(s, i);
	if (i->sc == 0 || regs_x(s, i->sc) == 0) {
		tell(s, &i->told, true);
	} else {
		struct pmu_uarch_insn failed = i->told;

		failed.store = false;
		tell(s, &failed, true);
	}
}

void feed_drop(struct slot *s)
{
	if (s->e->feed != NULL)
		s->e->feed->begun = NULL;
}

/* The bytes at @pc alone; false: they cannot be read any more. */
static bool fetched(struct slot *s, uint64_t pc, struct pmu_uarch_insn *ret)
{
	const struct page *page;
	const uint8_t *host;
	uint32_t word;
	unsigned len = fetch_insn(s, pc, &word);

	*ret = (struct pmu_uarch_insn){ .next = (pc + len) &
						engine_mask(s->e) };
	if (len == 0)
		return false;
	host = fetch_host(s, pc, &page);
	ret->code = (struct pmu_span){ pc,
				       { paddr_of(s->e, host), 0 },
				       (uint8_t)len };
	if (PAGE_OF(pc + len - 1) != PAGE_OF(pc)) {
		host = fetch_host(s, pc + 2, &page);
		ret->code.paddr[1] = paddr_of(s->e, host);
	}
	return true;
}

uint64_t engine_fed(const struct engine *e)
{
	struct lanes counted = e->step->origin;

	lanes_take(&counted, &e->step->left);
	return lanes_get(&counted, PMU_EV_INSNS);
}

void feed_exit(struct slot *s, const struct engine_exit *exit)
{
	struct pmu_uarch_insn insn;

	if (s->e->feed == NULL || !(s->e->feed->looks & PMU_LOOK_FETCH))
		return;
	/* a fetch that faults has no instruction */
	if ((exit->kind == ENGINE_EXIT_INSN || exit->insn != 0) &&
	    fetched(s, exit->pc, &insn))
		tell(s, &insn, false);
}

void feed_made(struct slot *s, uint64_t pc, const struct engine_mmio *access,
	       bool device)
{
	struct pmu_uarch_insn insn;

	if (s->e->feed == NULL ||
	    !(s->e->feed->looks & (PMU_LOOK_FETCH | PMU_LOOK_DATA)) ||
	    !fetched(s, pc, &insn))
		return;
	insn.data = (struct pmu_span){ access->vaddr,
				       { access->paddr, 0 },
				       access->size };
	insn.load = !access->write;
	insn.store = access->write;
	insn.device = device;
	tell(s, &insn, true);
}
