/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfutils reads the tables; its own unwinder wants a process. What a rule says
 * is evaluated here, as far as compilers write rules for RISC-V: offsets from
 * the frame's address or a register, and loads. Anything else ends the chain.
 */
#include "unwind.h"

#include <string.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "symbols-inside.h"

enum {
	REG_RA = 1,
	REG_SP = 2,
	DEPTH = 16, /* of an expression's stack */
};

/* A frame, and what its rules are evaluated with. */
struct unwinder {
	Dwarf_Frame *rules;
	const struct unwind_stack *stack;
	const struct unwind_frame *f;
	uint64_t cfa;
	bool has_cfa;
	enum unwind_end why; /* it does not go on */
};

static bool fail(struct unwinder *u, enum unwind_end why)
{
	u->why = why;
	return false;
}

static uint64_t narrow(const struct unwinder *u, uint64_t value)
{
	return u->stack->word == 4 ? (uint32_t)value : value;
}

static bool load(struct unwinder *u, uint64_t address, uint64_t *ret)
{
	const struct unwind_stack *s = u->stack;
	uint64_t at = narrow(u, address - s->first);

	if (at > s->n || s->n - at < s->word)
		return fail(u, UNWIND_STACK_END);
	*ret = 0;
	memcpy(ret, s->bytes + at, s->word); /* little-endian, as we are */
	return true;
}

static bool reg(struct unwinder *u, uint64_t number, uint64_t *ret)
{
	if (number >= UNWIND_REGISTERS || !(u->f->known >> number & 1))
		return fail(u, UNWIND_BAD_RULE);
	*ret = u->f->reg[number];
	return true;
}

/* Expressions */

struct values {
	uint64_t at[DEPTH];
	size_t n;
	bool is_value; /* the result is no address of it */
};

static bool push(struct unwinder *u, struct values *v, uint64_t value)
{
	if (v->n == DEPTH)
		return fail(u, UNWIND_BAD_RULE);
	v->at[v->n++] = narrow(u, value);
	return true;
}

static bool push_register(struct unwinder *u, struct values *v, uint64_t number,
			  uint64_t offset)
{
	uint64_t value;

	return reg(u, number, &value) && push(u, v, value + offset);
}

/* One that takes what is on top. */
static bool change_top(struct unwinder *u, struct values *v, const Dwarf_Op *op)
{
	uint64_t *top;

	if (!v->n)
		return fail(u, UNWIND_BAD_RULE);
	top = &v->at[v->n - 1];
	switch (op->atom) {
	case DW_OP_plus_uconst:
		*top = narrow(u, *top + op->number);
		return true;
	case DW_OP_deref:
		return load(u, *top, top);
	case DW_OP_stack_value:
		v->is_value = true;
		return true;
	default:
		return fail(u, UNWIND_BAD_RULE);
	}
}

/* One that takes the two on top. */
static bool join(struct unwinder *u, struct values *v, const Dwarf_Op *op)
{
	uint64_t b;

	if (v->n < 2)
		return fail(u, UNWIND_BAD_RULE);
	b = v->at[--v->n];
	if (op->atom == DW_OP_and)
		v->at[v->n - 1] &= b;
	else
		v->at[v->n - 1] =
			narrow(u, v->at[v->n - 1] +
					  (op->atom == DW_OP_minus ? -b : b));
	return true;
}

static bool execute(struct unwinder *u, struct values *v, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(u, v, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(u, v, op->atom - DW_OP_lit0);
	switch (op->atom) {
	case DW_OP_call_frame_cfa:
		return u->has_cfa ? push(u, v, u->cfa)
				  : fail(u, UNWIND_BAD_RULE);
	case DW_OP_bregx:
		return push_register(u, v, op->number, op->number2);
	case DW_OP_regx: /* elfutils' word for .cfi_register */
		v->is_value = true;
		return push_register(u, v, op->number, 0);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push(u, v, op->number);
	case DW_OP_plus:
	case DW_OP_minus:
	case DW_OP_and:
		return join(u, v, op);
	default:
		return change_top(u, v, op);
	}
}

static bool evaluate(struct unwinder *u, const Dwarf_Op *ops, size_t n,
		     struct values *ret)
{
	*ret = (struct values){ .n = 0 };
	for (size_t i = 0; i < n; i++)
		if (!execute(u, ret, &ops[i]))
			return false;
	return ret->n || fail(u, UNWIND_BAD_RULE);
}

/* Rules */

static bool find_cfa(struct unwinder *u)
{
	struct values v;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(u->rules, &ops, &n) < 0 || !n)
		return fail(u, UNWIND_BAD_RULE);
	if (!evaluate(u, ops, n, &v))
		return false;
	u->cfa = v.at[v.n - 1];
	u->has_cfa = true;
	return true;
}

/* What the caller has in register @r. False: the chain ends for that. */
static bool find_register(struct unwinder *u, int r, struct unwind_frame *to)
{
	Dwarf_Op mem[3], *ops;
	struct values v;
	size_t n;

	to->known &= ~(UINT32_C(1) << r);
	if (dwarf_frame_register(u->rules, r, mem, &ops, &n) < 0)
		return fail(u, UNWIND_BAD_RULE);
	if (!n && ops == mem) /* lost */
		return true;
	if (!n) { /* as it was */
		to->known |= u->f->known & UINT32_C(1) << r;
		return true;
	}
	if (!evaluate(u, ops, n, &v))
		return false;
	to->reg[r] = v.at[v.n - 1];
	if (!v.is_value && !load(u, to->reg[r], &to->reg[r]))
		return false;
	to->known |= UINT32_C(1) << r;
	return true;
}

/* A register that is out of reach is not known; who needs it will see. */
static void find_registers(struct unwinder *u, struct unwind_frame *to)
{
	for (int r = 1; r < UNWIND_REGISTERS; r++)
		if (r != REG_SP)
			(void)find_register(u, r, to);
	to->reg[REG_SP] = u->cfa;
	to->known |= 1u << REG_SP;
}

/* Rules of @pc out of the table that has some, to be freed. */
static Dwarf_Frame *find_rules(Dwfl_Module *module, uint64_t pc)
{
	Dwarf_Frame *rules = NULL;
	Dwarf_Addr bias = 0;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(module, &bias);

	if (cfi && !dwarf_cfi_addrframe(cfi, pc - bias, &rules))
		return rules;
	cfi = dwfl_module_dwarf_cfi(module, &bias);
	if (cfi && !dwarf_cfi_addrframe(cfi, pc - bias, &rules))
		return rules;
	return NULL;
}

static enum unwind_end step(struct unwinder *u, int ra,
			    struct unwind_frame *ret)
{
	*ret = *u->f;
	if (!find_cfa(u))
		return u->why;
	/* a caller's frame is above, and only a leaf's is at its own sp */
	if (u->f->known >> REG_SP & 1 && u->cfa < u->f->reg[REG_SP])
		return UNWIND_BAD_RULE;
	if (ra <= 0 || ra >= UNWIND_REGISTERS)
		return UNWIND_BAD_RULE;
	if (!find_register(u, ra, ret))
		return u->why;
	/*
	 * Routines that return by another one (t0: those of libgcc that save
	 * registers) have no rule for it and do not change it.
	 */
	if (ra != REG_RA)
		ret->known |= u->f->known & UINT32_C(1) << ra;
	if (!(ret->known >> ra & 1) || !ret->reg[ra])
		return UNWIND_BOTTOM;
	ret->pc = ret->reg[ra];
	if (ret->pc == u->f->pc && u->cfa == u->f->reg[REG_SP])
		return UNWIND_BAD_RULE; /* it would go on for ever */
	find_registers(u, ret);
	return UNWIND_GOES_ON;
}

enum unwind_end unwind_step(struct symbols *s, const struct unwind_stack *stack,
			    bool returns, struct unwind_frame *f)
{
	struct unwinder u = { .stack = stack, .f = f };
	struct unwind_frame to;
	Dwarf_Addr start, end;
	enum unwind_end how;
	bool signal;
	int ra;

	if (s && s->module)
		u.rules = find_rules(s->module, f->pc - returns);
	if (!u.rules)
		return UNWIND_NO_TABLE;
	ra = dwarf_frame_info(u.rules, &start, &end, &signal);
	how = step(&u, ra, &to);
	free(u.rules);
	if (how == UNWIND_GOES_ON)
		*f = to;
	return how;
}
