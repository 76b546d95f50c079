/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compilers give a function more than one shape: a leaf saves no return
 * address, and before the prologue's end as behind the epilogue's begin fp is
 * the caller's. Memory cannot tell these apart, code can: it will itself bring
 * back what it needs to return. So addresses are followed through code, from
 * registers and frames as they are, up to a return. Calls are taken to keep
 * what the calling convention has them keep, and at a branch either way is
 * gone: all of a function return with the same. What is not known stays so,
 * and a return to that is none.
 */
#include "chain-return.h"

#include <stddef.h>
#include <string.h>

#include <pmu/csr-field.h>
#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/insn.h>

#include "machine-address.h"

enum {
	MAX_INSNS = 4096, /* of all paths */
	MAX_JUMPS = 1024, /* that are remembered, not to go round */
	JUMP_TABLE = 2 * MAX_JUMPS,
	MAX_SLOTS = 32, /* words a path has stored */
	MAX_PATHS = 64, /* that wait */
};

struct stored_word {
	uint64_t at, value;
	bool known;
};

struct path {
	uint64_t pc;
	struct chain_regs regs;
	unsigned n_slots;
	struct stored_word slot[MAX_SLOTS];
	bool blurred;  /* it has stored more than there are slots */
	bool restored; /* ra is from a frame */
	bool linked;   /* t0 is of a call that it is in: __riscv_save_0 */
};

struct return_search {
	struct chain_reader *reader;
	uint64_t ra; /* at the start, 0: not known */
	unsigned insns, n_jumps, n_waiting;
	bool gave_up;		   /* it could not go all ways */
	uint64_t jump[JUMP_TABLE]; /* by pc */
	struct path path;
	enum chain_way found; /* the best so far, and what it left */
	struct chain_regs regs;
	uint64_t pc;
	struct path waiting[MAX_PATHS]; /* the last: it is not cleared */
};

/* Registers */

static bool knows(const struct path *p, unsigned x)
{
	return p->regs.known >> x & 1;
}

static void forget(struct path *p, unsigned x)
{
	p->regs.known &= ~(UINT32_C(1) << x) | 1;
}

static void set(struct return_search *s, unsigned x, uint64_t value)
{
	if (!x)
		return;
	s->path.regs.x[x] = chain_narrow(s->reader, value);
	s->path.regs.known |= UINT32_C(1) << x;
}

static void set_if(struct return_search *s, unsigned x, bool known,
		   uint64_t value)
{
	if (known)
		set(s, x, value);
	else
		forget(&s->path, x);
}

/* Memory */

static struct stored_word *find_slot(struct path *p, uint64_t at)
{
	for (unsigned i = 0; i < p->n_slots; i++)
		if (p->slot[i].at == at)
			return &p->slot[i];
	return NULL;
}

/* Only frames are believed to be then as they are now. */
static bool is_frame(const struct path *p, unsigned x)
{
	return (x == PMU_X_SP || x == PMU_X_FP) && knows(p, x);
}

static uint64_t address(const struct return_search *s,
			const struct pmu_insn_effect *e)
{
	return chain_narrow(s->reader,
			    s->path.regs.x[e->rs1] + (uint64_t)(int64_t)e->imm);
}

/* Is @x what a function brings back before it returns? */
static bool is_saved(unsigned x)
{
	return CHAIN_KEPT >> x & 1 || x == PMU_X_RA;
}

static void load(struct return_search *s, const struct pmu_insn_effect *e)
{
	uint64_t at = address(s, e), value = 0;
	const struct stored_word *slot = find_slot(&s->path, at);
	bool known = is_frame(&s->path, e->rs1) && at % s->reader->size == 0;

	if (known && slot) {
		known = slot->known;
		value = slot->value;
	} else if (known) {
		known = (!s->path.blurred || is_saved(e->rd)) &&
			chain_load(s->reader, at, &value);
	}
	set_if(s, e->rd, known, value);
	if (e->rd == PMU_X_RA)
		s->path.restored = known;
}

/* False: there is no room. */
static bool store(struct return_search *s, const struct pmu_insn_effect *e)
{
	struct path *p = &s->path;
	uint64_t at = address(s, e);
	struct stored_word *slot;

	if (!is_frame(p, e->rs1))
		return true;
	slot = find_slot(p, at);
	if (!slot && p->n_slots == MAX_SLOTS) {
		p->blurred = true;
		s->gave_up |= is_saved(e->rs2);
		return !is_saved(e->rs2);
	}
	if (!slot)
		slot = &p->slot[p->n_slots++];
	*slot = (struct stored_word){ at, p->regs.x[e->rs2], knows(p, e->rs2) };
	return true;
}

/*
 * The one that a return from a trap goes by in the mode that executes, or NULL.
 * M-mode's sstatus has nothing of it: MPP is mstatus's alone.
 */
static uint64_t *trap_csr(struct return_search *s, uint16_t csr,
			  bool **ret_known)
{
	bool is_m = s->reader->mode == PMU_MODE_M;
	struct chain_regs *regs = &s->path.regs;

	if (csr == (is_m ? PMU_CSR_MEPC : PMU_CSR_SEPC)) {
		*ret_known = &regs->epc_known;
		return &regs->epc;
	}
	if (csr == (is_m ? PMU_CSR_MSTATUS : PMU_CSR_SSTATUS)) {
		*ret_known = &regs->status_known;
		return &regs->status;
	}
	return NULL;
}

static void csr(struct return_search *s, const struct pmu_insn_effect *e)
{
	uint64_t by = s->path.regs.x[e->rs1] + (uint64_t)(int64_t)e->imm;
	bool known = knows(&s->path, e->rs1), *csr_known;
	uint64_t *value = trap_csr(s, e->csr, &csr_known), old;
	bool was;

	if (!value) {
		forget(&s->path, e->rd);
		return;
	}
	old = *value;
	was = *csr_known;
	switch ((enum pmu_csr_op)e->csr_op) {
	case PMU_CSR_WRITE:
		*value = by;
		*csr_known = known;
		break;
	case PMU_CSR_SET:
		*value |= by;
		*csr_known &= known;
		break;
	case PMU_CSR_CLEAR:
		*value &= ~by;
		*csr_known &= known;
		break;
	}
	set_if(s, e->rd, was, old);
}

/* Ways */

/* False: it was here already. */
static bool is_new(struct return_search *s)
{
	uint64_t mark = s->path.pc | 1; /* a pc is even */
	size_t i = (size_t)(s->path.pc >> 1) % JUMP_TABLE;

	for (; s->jump[i]; i = (i + 1) % JUMP_TABLE)
		if (s->jump[i] == mark)
			return false;
	if (s->n_jumps == MAX_JUMPS) {
		s->gave_up = true;
		return false;
	}
	s->n_jumps++;
	s->jump[i] = mark;
	return true;
}

/* The path ends at @way. */
static bool arrive(struct return_search *s, enum chain_way way, uint64_t pc)
{
	if (way > s->found) {
		s->found = way;
		s->regs = s->path.regs;
		s->pc = pc;
	}
	return false;
}

static bool returns(struct return_search *s, unsigned from)
{
	const struct path *p = &s->path;
	uint64_t to = p->regs.x[from];

	if (!knows(p, from) || !knows(p, PMU_X_SP) || !knows(p, PMU_X_FP))
		return false;
	if (!to)
		return arrive(s, CHAIN_WAY_BOTTOM, 0);
	if (!chain_follows_call(s->reader, to, PMU_X_RA))
		return arrive(s, CHAIN_WAY_BAD, 0);
	return arrive(s, CHAIN_WAY_CALLER, to);
}

/* Does a return from a trap go to the mode it is in? */
static bool stays(enum pmu_mode mode, uint64_t status)
{
	if (mode == PMU_MODE_M)
		return (status & PMU_MSTATUS_MPP) == PMU_MSTATUS_MPP;
	return status & PMU_MSTATUS_SPP;
}

static bool returns_from_trap(struct return_search *s,
			      const struct pmu_insn_effect *e)
{
	const struct chain_regs *regs = &s->path.regs;
	enum pmu_mode mode = s->reader->mode;
	uint16_t own = mode == PMU_MODE_M ? PMU_CSR_MEPC : PMU_CSR_SEPC;
	bool clear = e->csr == own && regs->epc_known && regs->status_known;

	if (clear && (!stays(mode, regs->status) || !regs->epc))
		return arrive(s, CHAIN_WAY_BOTTOM, 0);
	if (clear && knows(&s->path, PMU_X_SP) && knows(&s->path, PMU_X_FP) &&
	    address_is_code(s->reader->board, s->reader->hart, regs->epc))
		return arrive(s, CHAIN_WAY_TRAP, regs->epc);
	return arrive(s, CHAIN_WAY_UNCLEAR, 0);
}

static void call(struct return_search *s, uint64_t behind)
{
	s->path.regs.known &= CHAIN_KEPT;
	s->path.restored = false;
	s->path.pc = behind;
}

/* Where @e, which is a jump, goes to, if that is @known. */
static bool jump(struct return_search *s, const struct pmu_insn_effect *e,
		 bool known, uint64_t to)
{
	struct path *p = &s->path;
	uint64_t behind = p->pc + e->len;

	if (e->rd == PMU_X_RA) {
		call(s, behind);
		return true;
	}
	if (!e->rd && e->kind == PMU_EFFECT_JUMP_TO && !e->imm) {
		if (e->rs1 == PMU_X_RA)
			return returns(s, PMU_X_RA);
		if (known && s->ra && to == s->ra) /* it was moved */
			return returns(s, e->rs1);
		/* a part of its caller, which has to be gone through, too */
		if (e->rs1 == PMU_X_T0 && !p->linked && !p->regs.through &&
		    known && chain_follows_call(s->reader, to, PMU_X_T0))
			p->regs.through = to;
	}
	/* it could be a return as well */
	if (known && e->kind == PMU_EFFECT_JUMP_TO && e->rs1 != PMU_X_T0 &&
	    chain_follows_call(s->reader, to, PMU_X_RA))
		return false;
	/* a function's last call: it has brought back what it returns with */
	if (!known && !e->rd && p->restored)
		return returns(s, PMU_X_RA);
	if (!known || !is_new(s))
		return false;
	/* routines that save registers are called with t0, and gone through */
	set(s, e->rd, behind);
	p->linked = e->rd == PMU_X_T0 || (p->linked && e->rs1 != PMU_X_T0);
	p->pc = to;
	return true;
}

static bool branch(struct return_search *s, const struct pmu_insn_effect *e)
{
	struct path *p = &s->path;

	if (!is_new(s))
		return false;
	if (s->n_waiting < MAX_PATHS) {
		s->waiting[s->n_waiting] = *p;
		s->waiting[s->n_waiting++].pc = chain_narrow(
			s->reader, p->pc + (uint64_t)(int64_t)e->imm);
	} else {
		s->gave_up = true;
	}
	p->pc += e->len;
	return true;
}

/* False: the path ends here. */
static bool follow(struct return_search *s, const struct pmu_insn_effect *e)
{
	struct path *p = &s->path;
	uint64_t imm = (uint64_t)(int64_t)e->imm, sum = p->regs.x[e->rs1] + imm;
	bool known = knows(p, e->rs1);

	switch (e->kind) {
	case PMU_EFFECT_END:
		return false;
	case PMU_EFFECT_JUMP:
		return jump(s, e, true, chain_narrow(s->reader, p->pc + imm));
	case PMU_EFFECT_JUMP_TO:
		return jump(s, e, known, chain_narrow(s->reader, sum));
	case PMU_EFFECT_BRANCH:
		return branch(s, e);
	case PMU_EFFECT_TRAP_RETURN:
		return returns_from_trap(s, e);
	case PMU_EFFECT_STORE:
		if (!store(s, e))
			return false;
		break;
	case PMU_EFFECT_LOAD:
		load(s, e);
		break;
	case PMU_EFFECT_CSR:
		csr(s, e);
		break;
	case PMU_EFFECT_NONE:
		break;
	case PMU_EFFECT_UNKNOWN:
		forget(p, e->rd);
		break;
	case PMU_EFFECT_ADDI:
		set_if(s, e->rd, known, sum);
		break;
	case PMU_EFFECT_ADDIW:
		set_if(s, e->rd, known, (uint64_t)(int64_t)(int32_t)sum);
		break;
	case PMU_EFFECT_ADD:
		set_if(s, e->rd, known && knows(p, e->rs2),
		       p->regs.x[e->rs1] + p->regs.x[e->rs2]);
		break;
	case PMU_EFFECT_AUIPC:
		set(s, e->rd, p->pc + imm);
		break;
	}
	p->pc = chain_narrow(s->reader, p->pc + e->len);
	return true;
}

/* May one more be looked at? */
static bool may_go_on(struct return_search *s)
{
	if (s->insns < MAX_INSNS && s->reader->insns < CHAIN_MAX_INSNS)
		return true;
	s->gave_up = true;
	return false;
}

static void follow_path(struct return_search *s)
{
	struct pmu_insn_effect e;

	while (may_go_on(s) && chain_effect(s->reader, s->path.pc, &e) &&
	       follow(s, &e))
		s->insns++;
}

enum chain_way chain_return(struct chain_reader *r, uint64_t pc,
			    struct chain_regs *regs, uint64_t *ret_pc)
{
	struct return_search s;

	memset(&s, 0, offsetof(struct return_search, waiting));
	s.reader = r;
	if (regs->known >> PMU_X_RA & 1)
		s.ra = regs->x[PMU_X_RA];
	s.path.pc = pc;
	s.path.regs = *regs;
	follow_path(&s);
	while (s.n_waiting && may_go_on(&s) && s.found < CHAIN_WAY_TRAP) {
		s.path = s.waiting[--s.n_waiting];
		follow_path(&s);
	}
	/* a return may be where it did not get to */
	if (s.found == CHAIN_WAY_NONE && s.gave_up)
		s.found = CHAIN_WAY_UNCLEAR;
	*regs = s.found >= CHAIN_WAY_TRAP ? s.regs : *regs;
	*ret_pc = s.pc;
	return s.found;
}
