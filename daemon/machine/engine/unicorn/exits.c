/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exits: turns what Unicorn reports (an interrupt number, a failed fill, an
 * error) into an exact struct engine_exit and hands it to the host. It decides
 * cause and trap value; what the host then does is not its business.
 */
#include "adapter.h"

/*
 * The counted block's last instruction, at @pc, as it was translated: without
 * fence.i RAM may have another one by now, which does not run yet.
 */
static bool last_insn(const struct slot *s, uint64_t pc, uint32_t *ret_word)
{
	const struct block *b = slot_current(s);

	if (b == NULL || pc != ((b->addr + b->last) & engine_mask(s->e)))
		return false;
	*ret_word = b->last_word;
	return true;
}

/* @word: of last_insn(), or NULL. False: it cannot be fetched. */
static bool insn_exit(struct slot *s, struct engine_exit *exit,
		      const uint32_t *word)
{
	exit->kind = ENGINE_EXIT_INSN;
	if (word)
		exit->insn = *word;
	else if (fetch_insn(s, exit->pc, &exit->insn) == 0)
		return false;
	exit->len = (uint8_t)pmu_insn_len((uint16_t)exit->insn);
	return true;
}

/* AMO and SC fault as stores, whichever half Unicorn tried first. */
static uint8_t store_cause(uint8_t cause)
{
	switch (cause) {
	case PMU_CAUSE_LOAD_MISALIGNED:
		return PMU_CAUSE_STORE_MISALIGNED;
	case PMU_CAUSE_LOAD_ACCESS:
		return PMU_CAUSE_STORE_ACCESS;
	case PMU_CAUSE_LOAD_PAGE:
		return PMU_CAUSE_STORE_PAGE;
	case PMU_CAUSE_LOAD_GUEST_PAGE:
		return PMU_CAUSE_STORE_GUEST_PAGE;
	default:
		return cause;
	}
}

/*
 * @exit->cause is the access's, @exit->tval the page that failed or, with
 * @page false, unknown. Sets the address exactly, from the instruction.
 */
static void data_exit(struct slot *s, struct engine_exit *exit, bool page)
{
	struct pmu_insn insn = { .len = 0 };
	uint64_t addr;
	uint32_t word;

	exit->kind = ENGINE_EXIT_FAULT;
	if (fetch_insn(s, exit->pc, &word) == 0)
		return;
	pmu_insn_decode(word, s->e->cfg.xlen, &insn);
	if (insn.size == 0)
		return;
	exit->insn = word;
	addr = regs_x(s, insn.rs1) + (uint64_t)(int64_t)insn.imm;
	addr &= engine_mask(s->e);
	if (!page || PAGE_OF(addr) == exit->tval)
		exit->tval = addr;
	if (insn.flags & (PMU_INSN_AMO | PMU_INSN_SC))
		exit->cause = store_cause(exit->cause);
}

/* Exceptions that Unicorn raises by itself, other than illegal and ecall. */
static void misaligned_exit(struct slot *s, struct engine_exit *exit,
			    uint32_t intno)
{
	exit->cause = (uint8_t)intno;
	data_exit(s, exit, false);
}

/*
 * Execution ends at @pc. Says what is due there first: no hook has seen this
 * boundary if the instruction could not be fetched, and for 0x0000, which
 * Unicorn does not count into its block.
 */
static enum outcome arrive(struct slot *s, uint64_t pc)
{
	bool seen;

	float_end(s, pc);
	watch_end(s, pc);
	seen = slot_uncount(s, pc);
	if (seen)
		feed_drop(s);
	else
		feed_end(s, pc);
	slot_sync(s);
	s->e->live->pc = pc;
	return seen ? OUT_NONE : slot_due(s, pc);
}

static enum engine_next deliver(struct engine *e, struct engine_exit *exit)
{
	enum engine_next next;

	e->progressed = true;
	if (exit->kind == ENGINE_EXIT_INSN)
		e->budget->last_pc = exit->pc;
	feed_exit(e->step, exit);
	next = e->ops->on_exit(e->host, exit);
	e->budget->reached = false; /* the host has seen to it */
	return next;
}

/* Asks the host; OUT_NONE: go on at engine_ctx.pc. */
static enum outcome ask(struct slot *s, struct engine_exit *exit)
{
	struct engine *e = s->e;

	if (deliver(e, exit) == ENGINE_STOP)
		return OUT_HOST;
	if (budget_reached(e->budget) || e->fence_due || s->stale)
		return OUT_AGAIN;
	return OUT_NONE;
}

/*
 * Its block, which has it as its last instruction, was counted as a whole and
 * allowed to run as a whole: so there is nothing to take back, and what is due
 * behind it the next block sees, as behind any other one. Never in the slot
 * that steps, whose exits are exceptions (selftest-exits.c).
 */
bool exits_quiet(struct slot *s, uint64_t pc, struct pmu_csr_req *req,
		 uint64_t *ret_old)
{
	struct engine *e = s->e;
	uint32_t word;

	if (e->ops->quiet == NULL || !last_insn(s, pc, &word) ||
	    !e->ops->quiet(e->host, req, ret_old))
		return false;
	s->exits.n_inside++;
	s->exits.n_quiet++;
	return true;
}

enum fast_exit exits_inside(struct slot *s, struct engine_exit *exit,
			    bool jumps)
{
	struct engine *e = s->e;

	/* what is not the counted block's end is for exits_hook() */
	if (!last_insn(s, exit->pc, &exit->insn))
		return FAST_EXIT_NOT;
	exit->len = (uint8_t)pmu_insn_len((uint16_t)exit->insn);
	arrive(s, exit->pc);
	e->out = ask(s, exit);
	if (e->out == OUT_NONE &&
	    (jumps ||
	     e->live->pc == ((exit->pc + exit->len) & engine_mask(e)))) {
		slot_load(s);
		s->exits.n_inside++;
		return FAST_EXIT_ON;
	}
	s->exits.told = true;
	return FAST_EXIT_TOLD;
}

static enum outcome interrupted(struct slot *s, uint32_t intno, uint64_t pc)
{
	struct engine_exit exit = { .pc = pc };
	uint32_t word;
	bool known = last_insn(s, pc, &word);
	enum outcome out = arrive(s, pc);

	if (out != OUT_NONE)
		return out;
	if (intno != PMU_CAUSE_ILLEGAL && intno != PMU_CAUSE_ECALL_U) {
		misaligned_exit(s, &exit, intno);
	} else if (!insn_exit(s, &exit, known ? &word : NULL)) {
		/* its page went away after it was fetched: fetch it again */
		s->stale = true;
		return OUT_AGAIN;
	}
	return ask(s, &exit);
}

void exits_hook(uc_engine *uc, uint32_t intno, void *user)
{
	struct slot *s = user;
	struct engine *e = s->e;
	uint64_t next = slot_pc(s);

	s->exits.n_raised++;
	if (!s->exits.told)
		e->out = interrupted(s, intno, (next - 4) & engine_mask(e));
	s->exits.told = false;
	if (e->out != OUT_NONE) {
		uc_emu_stop(uc);
		return;
	}
	slot_load(s);
	if (e->live->pc != next)
		uc_reg_write(uc, UC_RISCV_REG_PC, &e->live->pc);
}

static enum outcome after(struct engine *e, struct engine_exit *exit)
{
	return deliver(e, exit) == ENGINE_STOP ? OUT_HOST : OUT_AGAIN;
}

/* Empties the TLBs, then the fill is tried again. */
static enum outcome retry(struct engine *e)
{
	engine_empty_tlbs(e);
	return OUT_AGAIN;
}

static enum outcome fetch_fault(struct slot *s, uint64_t pc)
{
	struct engine *e = s->e;
	struct engine_exit exit = {
		.kind = ENGINE_EXIT_FAULT,
		.cause = e->fault.cause,
		.pc = pc,
		.tval = pc,
	};

	enum outcome out;

	float_end(s, pc);
	watch_end(s, pc);
	feed_end(s, pc);
	/* the block of the last hook call has completed, even if it holds pc */
	slot_sync(s);
	out = arrive(s, pc);
	if (out != OUT_NONE)
		return out;
	if (e->fault.retry)
		return retry(e);
	if (e->fault.vaddr == PAGE_OF(pc))
		return after(e, &exit);
	/* met while translating ahead: it is not its turn yet */
	e->step_lo = pc;
	e->step_hi = PAGE_OF(pc) + PAGE_SIZE;
	return OUT_STEP;
}

static enum outcome data_fault(struct slot *s, uint64_t pc)
{
	struct engine *e = s->e;
	struct engine_exit exit = {
		.cause = e->fault.cause,
		.pc = pc,
		.tval = e->fault.vaddr,
	};

	arrive(s, pc);
	if (e->fault.retry)
		return retry(e);
	if (e->fault.device && mmio_run(s, &exit))
		return OUT_AGAIN;
	if (e->fault.watched)
		return watch_lend(s, pc);
	data_exit(s, &exit, true);
	return after(e, &exit);
}

/* ebreak ends the run with an error; anything else that does is a bug. */
static enum outcome error_exit(struct slot *s, uc_err err)
{
	struct engine *e = s->e;
	struct engine_exit exit = { .pc = slot_pc(s) };
	uint32_t word;
	bool known = last_insn(s, exit.pc, &word);
	enum outcome out = arrive(s, exit.pc);

	if (out != OUT_NONE)
		return out;
	if (err != UC_ERR_INSN_INVALID && err != UC_ERR_EXCEPTION) {
		engine_fail(e, "Unicorn at %#llx: %s",
			    (unsigned long long)exit.pc, uc_strerror(err));
		return OUT_BROKEN;
	}
	if (!insn_exit(s, &exit, known ? &word : NULL))
		return retry(e);
	return after(e, &exit);
}

static enum outcome stepped_exit(struct slot *s)
{
	struct engine *e = s->e;
	struct engine_exit exit = { .pc = e->live->pc };

	if (e->out == OUT_FAULT) {
		exit.kind = ENGINE_EXIT_FAULT;
		exit.cause = e->fault.cause;
		exit.tval = e->fault.vaddr;
	} else if (!insn_exit(s, &exit, NULL)) {
		return retry(e);
	}
	return after(e, &exit);
}

enum outcome exits_handle(struct slot *s, uc_err err)
{
	struct engine *e = s->e;

	if (err == UC_ERR_OK && e->out == OUT_NONE) {
		engine_fail(e, "Unicorn stopped without a reason at %#llx",
			    (unsigned long long)slot_pc(s));
		return OUT_BROKEN;
	}
	if (err == UC_ERR_OK && (e->out == OUT_INSN || e->out == OUT_FAULT))
		return stepped_exit(s);
	if (err == UC_ERR_OK)
		return e->out;
	if (!e->faulted)
		return error_exit(s, err);
	if (e->fault.access == PMU_ACCESS_FETCH)
		return fetch_fault(s, slot_pc(s));
	return data_fault(s, slot_pc(s));
}
