/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers and stack are as they were behind the instruction, so the frames
 * are those of the instruction to come: the same as those of the sampled one
 * unless that was a call, whose own frame then is the first caller, or a
 * return, which has gone back to it. So has a return from a trap, to where
 * nobody called.
 */
#include "unwind-sample.h"

#include <pmu/insn-word.h>

#include "guest-files.h"
#include "record-symbols.h"
#include "symbols.h"
#include "text/names.h"
#include "unwind.h"
#include "user-symbols.h"

enum {
	REG_RA = 1,
	REG_SP = 2,
	INSN_BYTES = 4, /* of these */
};

static Pmu__V1__ChainEnd end_of(enum unwind_end end)
{
	switch (end) {
	case UNWIND_NO_TABLE:
		return PMU__V1__CHAIN_END__CHAIN_END_NO_TABLE;
	case UNWIND_STACK_END:
		return PMU__V1__CHAIN_END__CHAIN_END_STACK_END;
	case UNWIND_BAD_RULE:
		return PMU__V1__CHAIN_END__CHAIN_END_BAD_RULE;
	case UNWIND_BOTTOM:
	case UNWIND_GOES_ON:
		break;
	}
	return PMU__V1__CHAIN_END__CHAIN_END_BOTTOM;
}

static enum unwind_end step_in(const struct symbols_at *at,
			       const struct unwind_stack *stack, bool returns,
			       struct unwind_frame *f)
{
	struct unwind_frame own = *f;
	enum unwind_end end;

	own.pc -= at->base;
	end = unwind_step(at->symbols, stack, returns, &own);
	if (end == UNWIND_GOES_ON)
		*f = own; /* a return address is no file's */
	return end;
}

/* The guest's file that the code is from. False: it is not known, or not had.
 */
static bool find_guest_file(const struct record_style *style,
			    const Pmu__V1__Record *r, uint64_t pc,
			    struct symbols_at *ret)
{
	size_t i = guest_files_find(style->files, r, pc);

	return i != GUEST_FILES_NONE &&
	       guest_files_symbols(style->files, i, pc, ret);
}

/* One step by the first file that has a table for the pc. */
static enum unwind_end step(const struct record_style *style,
			    const Pmu__V1__Record *r,
			    const struct unwind_stack *stack, bool returns,
			    struct unwind_frame *f)
{
	enum unwind_end end = UNWIND_NO_TABLE;
	struct symbols_at at;

	for (size_t i = 0;
	     end == UNWIND_NO_TABLE && privilege_is_user(r->privilege) &&
	     style->users && user_symbols_file(style->users, i, r->satp, &at);
	     i++)
		if (at.path)
			end = step_in(&at, stack, returns, f);
	/* behind a call, which may be the last instruction there */
	if (end == UNWIND_NO_TABLE &&
	    find_guest_file(style, r, f->pc - returns, &at))
		end = step_in(&at, stack, returns, f);
	if (end == UNWIND_NO_TABLE)
		end = unwind_step(record_symbols(style, r), stack, returns, f);
	return end;
}

/* Where the sampled instruction has gone, by what it left. */
static bool goes_on_behind(const Pmu__V1__Record *r)
{
	return r->pc == r->sample->last_pc + 2 ||
	       r->pc == r->sample->last_pc + 4;
}

static bool was_call(const Pmu__V1__Record *r, uint64_t ra)
{
	return !goes_on_behind(r) &&
	       (ra == r->sample->last_pc + 2 || ra == r->sample->last_pc + 4);
}

static bool was_return(const Pmu__V1__Record *r, uint64_t ra)
{
	return !goes_on_behind(r) && r->pc == ra;
}

/* As far as a file has the instruction. */
static bool was_trap_return(const struct record_style *style,
			    const Pmu__V1__Record *r)
{
	uint64_t pc = r->sample->last_pc;
	const uint8_t *code = NULL;
	struct symbols_at at;
	uint32_t word;

	if (goes_on_behind(r))
		return false;
	if (find_guest_file(style, r, pc, &at))
		code = symbols_code(at.symbols, pc - at.base, INSN_BYTES);
	if (!code)
		code = symbols_code(record_symbols(style, r), pc, INSN_BYTES);
	if (!code)
		return false;
	word = (uint32_t)code[0] | (uint32_t)code[1] << 8 |
	       (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
	return word == PMU_WORD_SRET || word == PMU_WORD_MRET;
}

static void add(struct unwind_callers *c, uint64_t pc)
{
	c->pc[c->n++] = pc;
}

static void walk(const struct record_style *style, const Pmu__V1__Record *r,
		 const struct unwind_stack *stack, struct unwind_callers *ret)
{
	const uint64_t *x = r->sample->registers;
	struct unwind_frame f = { .pc = r->pc, .known = UINT32_MAX };
	bool returns = was_return(r, x[REG_RA]);
	bool skips = was_call(r, x[REG_RA]);
	enum unwind_end end;

	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		f.reg[i] = x[i];
	if (returns || was_trap_return(style, r))
		add(ret, f.pc);
	while (ret->n < UNWIND_MAX_CALLERS) {
		end = step(style, r, stack, returns, &f);
		if (end != UNWIND_GOES_ON) {
			ret->end = end_of(end);
			return;
		}
		returns = true;
		if (!skips)
			add(ret, f.pc);
		skips = false;
	}
	ret->end = PMU__V1__CHAIN_END__CHAIN_END_LIMIT;
}

bool unwind_sample(const struct record_style *style, const Pmu__V1__Record *r,
		   struct unwind_callers *ret)
{
	const Pmu__V1__Sample *s = r->sample;
	struct unwind_stack stack;

	if (r->kind_case != PMU__V1__RECORD__KIND_SAMPLE || !s->stack.len ||
	    s->n_registers != UNWIND_REGISTERS)
		return false;
	stack = (struct unwind_stack){
		.first = s->registers[REG_SP],
		.bytes = s->stack.data,
		.n = s->stack.len,
		.word = style->xlen == 32 ? 4 : 8,
	};
	ret->n = 0;
	walk(style, r, &stack, ret);
	return true;
}
