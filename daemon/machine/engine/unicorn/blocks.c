/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Block accounting: what a block adds to the counts, and when to stop. A block
 * is counted when it begins, and what it did not do is taken back when it ends
 * early. One countdown, the least of all limits, tells whether anything may be
 * due; the slow path then asks due.c, and whether the block may run whole.
 */
#include "adapter.h"

#include <assert.h>

/* Only what comes before @end has run. */
static void float_leave_at(struct slot *s, const struct block *b, unsigned end)
{
	struct pmu_insn_fp done = { 0 }, fp;
	struct pmu_insn insn;

	for (unsigned off = 0; off < end; off += insn.len) {
		uint32_t word = block_word(s->e, b, off);

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
	s->e->live->maybe_wide |= b->flags & BLOCK_LR; /* not this one, then */
	if (off == b->last) {
		block_add(&undone, b->last_flags);
		off = b->bytes;
	}
	for (; off < b->bytes; off += insn.len) {
		pmu_insn_decode(block_word(s->e, b, (unsigned)off),
				s->e->cfg.xlen, &insn);
		block_add(&undone, insn.flags);
	}
	lanes_give(&s->left, &undone);
	if (by_hook)
		hooked(s, -lanes_get(&undone, PMU_EV_INSNS));
	return true;
}

static struct block *block_get(struct slot *s, uint64_t addr, uint32_t size)
{
	struct block *b = slot_block_at(s, addr);

	if (b->addr == addr && b->seen == (s->epoch | size))
		return b;
	return block_decode(s, addr, size);
}

/* Does a limit lie before the end of @b, other than at its very end? */
static bool limit_inside(const struct engine_budget *budget,
			 const struct block *b)
{
	struct lanes last = { { 0 } };

	block_add(&last, b->last_flags);
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++) {
		uint64_t left = budget->limit.n[i] - budget->done.n[i];
		uint64_t n = lanes_get(&b->counts, i);

		if (n > left || (n == left && lanes_get(&last, i) == 0))
			return true;
	}
	return false;
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
	return b->flags & (BLOCK_FP_MIXED | BLOCK_MINMAX | BLOCK_MIXED) ||
	       is_hosts(e, b) || limit_inside(e->budget, b);
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
			float_prepare(s, b->addr, block_word(e, b, 0));
		float_enter(&e->live->fp, &b->fp);
	}

	e->progressed = true;
	e->live->passing = false;
	slot_load(s);
	lanes_take(&s->left, &b->counts);
	s->current = current;
	if (!(current & FAST_SITE))
		hooked(s, lanes_get(&b->counts, PMU_EV_INSNS));
	if (b->flags & (BLOCK_LR | BLOCK_SC_W))
		lrsc_enter(e, b);
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
		enum outcome out = fill_straddle(s, b->addr);

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
	    b->seen != key || !float_runs_as_is(f, &b->fp) || is_hosts(s->e, b))
		return false;
	float_enter(f, &b->fp);
	return true;
}

/* May @b, which has LR or SC and nothing else, run if nothing else is due? */
static bool lrsc_block(struct slot *s, const struct block *b, uint64_t addr,
		       uint64_t key)
{
	return b->flags && !(b->flags & ~BLOCK_LRSC) && b->addr == addr &&
	       b->seen == key && lrsc_enters(s->e, b);
}

__attribute__((noinline)) void blocks_slow(struct slot *s, uint64_t addr,
					   uint32_t size, uint8_t *ret)
{
	const struct block *b = slot_block_at(s, addr);
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
	out = slot_due(s, addr);
	if (out == OUT_NONE) {
		b = block_get(s, addr, size);
		if (b != NULL)
			guard_count(s, b);
		out = admit(s, b);
	}
	if (out != OUT_NONE) {
		slot_stop(s, addr, out);
		return;
	}
	assert(b); /* or it was not admitted */
	run_block(s, b, slot_number(s, b));
	if (s->fast != NULL && b->flags == 0)
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
	out = slot_due(s, b->addr);
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
	const struct block *b = slot_block_at(s, addr);
	uint64_t key = s->epoch | size;
	struct lanes left = s->left;

	lanes_take(&left, &b->counts);
	/* a hint, or compilers put what is rare in between */
	if (__builtin_expect(!lanes_negative(&left), 1) &&
	    (__builtin_expect(b->addr == addr && b->key == key, 1) ||
	     float_block(s, b, addr, key) || lrsc_block(s, b, addr, key))) {
		s->left = left;
		s->current = slot_number(s, b);
		hooked(s, lanes_get(&b->counts, PMU_EV_INSNS));
		return;
	}
	blocks_slow(s, addr, size, __builtin_return_address(0));
}
