/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Block accounting: what a block adds to the counts, and when to stop. A block
 * is counted when it begins, and what it did not do is taken back when it ends
 * early. One countdown, the least of all limits, tells whether anything may be
 * due; what then happens is decided here too, in the slow path.
 */
#include "adapter.h"

#include <assert.h>
#include <string.h>

static const uint64_t EPOCH_MASK = ~(uint64_t)UINT32_MAX;

static struct block *block_at(const struct slot *s, uint64_t addr)
{
	return &s->blocks[(addr >> 1) & s->block_mask];
}

/* Of the engine's events that a build has beyond the catalogue. */
#ifndef ENGINE_MORE_LANES
#define ENGINE_MORE_LANES(flags)
#endif

static void add_insn(struct lanes *v, unsigned flags)
{
	/* in the order of enum pmu_event */
	const uint8_t events[PMU_N_ENGINE_EVENTS] = {
		1, (flags & PMU_INSN_BRANCH) != 0, (flags & PMU_INSN_LOAD) != 0,
		(flags & PMU_INSN_STORE) != 0 ENGINE_MORE_LANES(flags)
	};

	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		lanes_add(v, i, events[i]);
}

uint32_t block_word(const struct block *b, unsigned off)
{
	unsigned room = PAGE_SIZE - (unsigned)(b->addr & (PAGE_SIZE - 1)) - off;
	const uint8_t *rest;
	uint16_t low, high;

	memcpy(&low, b->host[0] + off, sizeof(low));
	if (pmu_insn_len(low) == 2)
		return low;
	rest = room > 2 ? b->host[0] + off + 2 : b->host[1];
	assert(rest);
	memcpy(&high, rest, sizeof(high));
	return low | (uint32_t)high << 16;
}

/* Only what comes before @end has run. */
static void float_leave_at(struct slot *s, const struct block *b, unsigned end)
{
	struct pmu_insn_fp done = { 0 }, fp;
	struct pmu_insn insn;

	for (unsigned off = 0; off < end; off += insn.len) {
		uint32_t word = block_word(b, off);

		pmu_insn_decode(word, s->e->cfg.xlen, &insn);
		pmu_insn_decode_fp(word, &insn, &fp);
		float_decode(&fp, &done);
	}
	float_leave_early(&s->e->live->fp, &done);
}

/* Instructions of a block that does not count by itself, for pieces.c. */
static inline void hooked(struct slot *s, uint64_t by)
{
	if (s->fast != NULL)
		s->hooked += by;
}

bool slot_uncount(struct slot *s, uint64_t pc)
{
	bool by_hook = !(s->current & FAST_SITE);
	const struct block *b = slot_current(s);
	uint64_t off = (pc - (b ? b->addr : 0)) & engine_mask(s->e);
	struct lanes undone = { { 0 } };
	struct pmu_insn insn;

	if (b == NULL || off >= b->bytes)
		return false;
	s->current = 0;
	if (b->flags & BLOCK_FP)
		float_leave_at(s, b, (unsigned)off);
	if (off == b->last) {
		add_insn(&undone, b->last_flags);
		off = b->bytes;
	}
	for (; off < b->bytes; off += insn.len) {
		pmu_insn_decode(block_word(b, (unsigned)off), s->e->cfg.xlen,
				&insn);
		add_insn(&undone, insn.flags);
	}
	lanes_give(&s->left, &undone);
	if (by_hook)
		hooked(s, -lanes_get(&undone, PMU_EV_INSNS));
	return true;
}

/* A user counter, which Unicorn may read without a trap. */
static bool is_user_counter(const struct pmu_insn *insn)
{
	return insn->flags & PMU_INSN_CSR && (insn->csr & 0xf60) == 0xc00;
}

static bool breakpoint_in(const struct engine *e, uint64_t lo, uint64_t hi)
{
	size_t from = 0, to = e->n_breakpoints;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (e->breakpoints[mid] < lo)
			from = mid + 1;
		else
			to = mid;
	}
	return from < e->n_breakpoints && e->breakpoints[from] < hi;
}

/* Reserved compressed encodings that Unicorn runs, as a NOP or otherwise. */
static const struct {
	uint16_t mask, match;
	bool rv32_only;
} reserved[] = {
	{ 0xe003, 0x8000, false }, /* quadrant 0, funct3 100 */
	{ 0xfc43, 0x9c41, false }, /* quadrant 1, beside c.subw and c.addw */
	{ 0xf07f, 0x6001, false }, /* c.lui, c.addi16sp of 0 */
	{ 0xfc03, 0x9c01, true },  /* c.subw, c.addw */
	{ 0xf803, 0x9001, true },  /* c.srli, c.srai by 32 and more */
	{ 0xf003, 0x1002, true },  /* c.slli by 32 and more */
};

static bool is_reserved(uint32_t word, unsigned xlen)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if ((word & reserved[i].mask) == reserved[i].match &&
		    (xlen == 32 || !reserved[i].rv32_only))
			return true;
	return false;
}

static void decode_fp(struct block *b, const struct engine *e, uint32_t word,
		      const struct pmu_insn *insn, struct pmu_insn_fp *all)
{
	struct pmu_insn_fp fp;

	pmu_insn_decode_fp(word, insn, &fp);
	if (fp.minmax && !e->cfg.native_minmax)
		b->flags |= BLOCK_MINMAX;
	if (!float_decode(&fp, all))
		b->flags |= BLOCK_FP_MIXED;
	b->fp = float_use(all);
	if (b->fp.none | b->fp.set)
		b->flags |= BLOCK_FP;
}

static void decode_insns(struct block *b, const struct engine *e, uint32_t size)
{
	struct pmu_insn insn = { .len = 0 };
	struct pmu_insn_fp fp = { 0 };
	unsigned off = 0;

	do {
		uint32_t word = block_word(b, off);

		pmu_insn_decode(word, e->cfg.xlen, &insn);
		add_insn(&b->counts, insn.flags);
		b->bytes_max += guard_insn_bytes(&insn, word);
		if (insn.flags & PMU_INSN_FP)
			decode_fp(b, e, word, &insn, &fp);
		/* b->fp of stores of singles is empty: all registers do */
		if (insn.flags & PMU_INSN_FP && insn.len == 2)
			b->flags |= BLOCK_FP | BLOCK_FP_SHORT;
		if (insn.flags & PMU_INSN_LR)
			b->flags |= BLOCK_LR;
		if (is_reserved(word, e->cfg.xlen))
			b->flags |= BLOCK_HOST;
		b->last = (uint16_t)off;
		off += insn.len;
	} while (off < size);
	b->bytes = (uint16_t)off;
	b->last_flags = insn.flags;
	if (insn.flags & PMU_INSN_FENCE_I)
		b->flags |= BLOCK_FENCE_I;
	if (!e->counters_trap && is_user_counter(&insn))
		b->flags |= BLOCK_HOST;
}

/* The second page of a block whose last instruction crosses into it. */
static bool find_second(struct slot *s, struct block *b, uint32_t size)
{
	uint64_t in_page = b->addr & (PAGE_SIZE - 1);
	uint16_t low;

	b->host[1] = NULL;
	b->page[1] = NULL;
	if (size == STEP_KEY) {
		memcpy(&low, b->host[0], sizeof(low));
		size = pmu_insn_len(low);
	}
	if (in_page + size <= PAGE_SIZE)
		return true;
	b->flags |= BLOCK_STRADDLE;
	b->host[1] = fetch_host(s, PAGE_OF(b->addr) + PAGE_SIZE, &b->page[1]);
	if (b->host[1] == NULL && s->is_step) {
		/* not run like this: step_straddle() comes first */
		b->host[1] = s->e->scratch;
		b->page[1] = b->page[0];
	}
	if (b->host[1] != NULL)
		b->gen[1] = b->page[1]->gen;
	return b->host[1] != NULL;
}

static bool still_valid(struct slot *s, const struct block *b,
			const uint8_t *host)
{
	const struct page *page;

	if (b->host[0] != host || b->gen[0] != b->page[0]->gen)
		return false;
	if (!(b->flags & BLOCK_STRADDLE))
		return true;
	return fetch_host(s, PAGE_OF(b->addr) + PAGE_SIZE, &page) ==
		       b->host[1] &&
	       b->gen[1] == b->page[1]->gen;
}

/* NULL: its page is not translated any more. */
static struct block *block_get(struct slot *s, uint64_t addr, uint32_t size)
{
	struct block *b = block_at(s, addr);
	uint64_t seen = s->epoch | size;
	const struct page *page;
	const uint8_t *host;

	if (b->addr == addr && b->seen == seen)
		return b;
	host = fetch_host(s, addr, &page);
	if (host == NULL)
		return NULL;
	if (b->addr != addr || (b->seen ^ seen) & ~EPOCH_MASK || b->seen == 0 ||
	    !still_valid(s, b, host)) {
		*b = (struct block){ .addr = addr, .host[0] = host };
		b->page[0] = page;
		b->gen[0] = page->gen;
		if (!find_second(s, b, size))
			return NULL;
		decode_insns(b, s->e, size);
		if (breakpoint_in(s->e, addr, addr + b->bytes))
			b->flags |= BLOCK_BREAK;
	}
	b->seen = seen;
	b->key = b->flags == 0 || (b->flags == BLOCK_STRADDLE && !s->is_step)
			 ? seen
			 : 0;
	return b;
}

/* Does a limit lie before the end of @b, other than at its very end? */
static bool limit_inside(const struct engine_budget *budget,
			 const struct block *b)
{
	struct lanes last = { { 0 } };

	add_insn(&last, b->last_flags);
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++) {
		uint64_t left = budget->limit.n[i] - budget->done.n[i];
		uint64_t n = lanes_get(&b->counts, i);

		if (n > left || (n == left && lanes_get(&last, i) == 0))
			return true;
	}
	return false;
}

enum outcome blocks_due(struct slot *s, uint64_t addr)
{
	struct engine *e = s->e;
	const struct engine_budget *budget = e->budget;

	if (budget_reached(budget))
		return OUT_LIMIT;
	if (e->fence_seen) {
		e->fence_seen = false;
		e->fence_due = e->n_dirty != 0;
	}
	if (e->fence_due || s->tb_bytes > s->tb_limit)
		return OUT_AGAIN;
	if (e->progressed && (!s->is_step || steps_all(e)) &&
	    budget->done.n[PMU_EV_INSNS] >= budget->soft)
		return OUT_SOFT;
	if (breakpoint_in(e, addr, addr + 1) &&
	    !(e->live->passing && e->live->pass_pc == addr))
		return OUT_BREAK;
	return OUT_NONE;
}

/*
 * Has @b what Unicorn would run though it is the host's? Of floating point that
 * is off, it makes a NOP of what has 16 bits.
 */
static bool is_hosts(const struct engine *e, const struct block *b)
{
	return b->flags & BLOCK_HOST ||
	       (b->flags & BLOCK_FP_SHORT && !e->live->fp_on);
}

/* Does @b need to be run instruction by instruction? */
static bool needs_steps(const struct engine *e, const struct block *b)
{
	if (b->flags & BLOCK_BREAK &&
	    breakpoint_in(e, b->addr + 1, b->addr + b->bytes))
		return true;
	return b->flags & (BLOCK_FP_MIXED | BLOCK_MINMAX) || is_hosts(e, b) ||
	       limit_inside(e->budget, b);
}

/* Are the floating-point registers as @b needs them? Boxes some. */
static bool float_ready(struct slot *s, const struct block *b)
{
	return !(b->flags & BLOCK_FP) || float_admits(s, &b->fp);
}

static void run_block(struct slot *s, const struct block *b, uint32_t current)
{
	struct engine *e = s->e;

	if (b->flags & BLOCK_FP) {
		if (s->is_step)
			float_prepare(s, b->addr, block_word(b, 0));
		float_enter(&e->live->fp, &b->fp);
	}

	e->progressed = true;
	e->live->passing = false;
	slot_load(s);
	lanes_take(&s->left, &b->counts);
	s->current = current;
	if (!(current & FAST_SITE))
		hooked(s, lanes_get(&b->counts, PMU_EV_INSNS));
	if (b->flags & BLOCK_LR)
		e->live->maybe_reserved = true;
	if (b->flags & BLOCK_FENCE_I) {
		e->fence_seen = true;
		slot_force(s);
	}
}

/* May @b run now, whole? Else the outcome to stop with. */
static enum outcome admit(struct slot *s, const struct block *b)
{
	struct engine *e = s->e;

	if (b == NULL) {
		s->stale = true;
		return OUT_AGAIN;
	}
	if (!s->is_step && (needs_steps(e, b) || !float_ready(s, b))) {
		e->step_lo = b->addr;
		e->step_hi = b->addr + b->bytes;
		return OUT_STEP;
	}
	if (s->is_step && b->flags & BLOCK_STRADDLE) {
		enum outcome out = step_straddle(s, b->addr);

		if (out != OUT_NONE)
			return out;
	}
	return s->is_step && is_hosts(e, b) ? OUT_INSN : OUT_NONE;
}

/* May @b run by its floating-point registers, if nothing else is due? */
static bool float_block(struct slot *s, const struct block *b, uint64_t addr,
			uint64_t key)
{
	struct float_state *f = &s->e->live->fp;

	if ((b->flags & ~BLOCK_FP_SHORT) != BLOCK_FP || b->addr != addr ||
	    b->seen != key || !float_goes(f, &b->fp) || is_hosts(s->e, b))
		return false;
	float_enter(f, &b->fp);
	return true;
}

__attribute__((noinline)) void blocks_slow(struct slot *s, uint64_t addr,
					   uint32_t size, uint8_t *ret)
{
	const struct block *b = block_at(s, addr);
	struct lanes left = s->left;
	enum outcome out;

	lanes_take(&left, &b->counts);
	if (b->addr == addr && b->key == (s->epoch | size) &&
	    slot_not_yet(s, left, slot_number(s, b))) {
		hooked(s, lanes_get(&b->counts, PMU_EV_INSNS));
		return;
	}
	b = NULL;
	slot_sync(s);
	out = blocks_due(s, addr);
	if (out == OUT_NONE) {
		b = block_get(s, addr, size);
		if (b != NULL)
			guard_count(s, b);
		out = admit(s, b);
	}
	if (out != OUT_NONE)
		slot_stop(s, addr, out);
	else
		run_block(s, b, slot_number(s, b));
	if (out == OUT_NONE && s->fast != NULL && b->flags == 0)
		fast_take(s, b, size, ret);
}

bool blocks_site(struct slot *s, const struct block *b, uint32_t current)
{
	struct lanes left = s->left;
	enum outcome out;

	lanes_take(&left, &b->counts);
	if (slot_not_yet(s, left, current))
		return true;
	slot_sync(s);
	out = blocks_due(s, b->addr);
	if (out == OUT_NONE) {
		guard_count(s, b);
		out = admit(s, b);
	}
	if (out != OUT_NONE)
		slot_stop(s, b->addr, out);
	else
		run_block(s, b, current);
	return out == OUT_NONE;
}

void blocks_hook(uc_engine *uc, uint64_t addr, uint32_t size, void *user)
{
	struct slot *s = user;
	const struct block *b = block_at(s, addr);
	uint64_t key = s->epoch | size;
	struct lanes left = s->left;

	lanes_take(&left, &b->counts);
	/* a hint, or compilers put what is rare in between */
	if (__builtin_expect(!lanes_negative(&left), 1) &&
	    (__builtin_expect(b->addr == addr && b->key == key, 1) ||
	     float_block(s, b, addr, key))) {
		s->left = left;
		s->current = slot_number(s, b);
		hooked(s, lanes_get(&b->counts, PMU_EV_INSNS));
		return;
	}
	blocks_slow(s, addr, size, __builtin_return_address(0));
}
