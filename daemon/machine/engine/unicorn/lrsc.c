/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LR and SC. Unicorn's SC compares the reservation's address, then as many
 * bytes as it writes with those that LR read, stores if they are the same, and
 * says that it has failed if what was there, sign-extended, is not all that LR
 * read. So an SC.W behind an LR.D, the upper half of which is no sign
 * extension, writes and says that it has not. It is left without a reservation:
 * it may fail, as nothing promises that the sizes may differ. An SC.D behind an
 * LR.W compares all that it writes.
 */
#include "adapter.h"

void lrsc_decode(struct block *b, const struct pmu_insn *insn, unsigned xlen)
{
	if (insn->flags & PMU_INSN_LR)
		b->flags |= BLOCK_LR;
	if (xlen == 32)
		return;
	if (insn->flags & PMU_INSN_LR) {
		if (insn->size == 8)
			b->flags |= BLOCK_LR_D;
	} else if (insn->size == 4 && b->flags & BLOCK_LR_D) {
		b->flags |= BLOCK_MIXED;
	} else if (insn->size == 4 && !(b->flags & BLOCK_LR)) {
		b->flags |= BLOCK_SC_W;
	}
}

bool lrsc_enters(struct engine *e, const struct block *b)
{
	struct engine_ctx *ctx = e->live;

	if (b->flags & BLOCK_SC_W && ctx->maybe_wide)
		return false;
	if (b->flags & BLOCK_LR) {
		ctx->maybe_reserved = true;
		ctx->maybe_wide = b->flags & BLOCK_LR_D;
	}
	return true;
}

void lrsc_enter(struct engine *e, const struct block *b)
{
	struct engine_reservation r;

	if (lrsc_enters(e, b))
		return;
	if (engine_give_reservation(e, e->live, &r) &&
	    r.value != (uint64_t)(int32_t)r.value)
		engine_drop_reservation(e, e->live);
	e->live->maybe_wide = false;
	lrsc_enters(e, b);
}
