/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters as S and U read them (conformance K and L as far as a supervisor
 * sees it): what a read is worth to the instruction, who may read what, and
 * what no supervisor may do.
 */
#include "conf.h"

enum {
	ILLEGAL = 2,
	MAX_NOPS = 90,
};

/* Two reads of a CSR with a[1] nops between them: the second minus the first.
 */
static void make_gap(struct code *c, const uint64_t *a)
{
	uint32_t number = (uint32_t)a[0];

	c->n = 0;
	c->insn[c->n++] = CSRR(A1, number);
	for (uint64_t i = 0; i < a[1] && i < MAX_NOPS; i++)
		c->insn[c->n++] = NOP;
	c->insn[c->n++] = CSRR(A0, number);
	c->insn[c->n++] = SUB(A0, A0, A1);
}

static struct answer gap(const uint64_t *a)
{
	struct code c;

	make_gap(&c, a);
	return run_code(&c, 0);
}

static struct answer user_gap(const uint64_t *a)
{
	struct code c;

	make_gap(&c, a);
	return run_code_in_user(&c, 0);
}

/* The same of a counter by its id. */
static struct answer counter_gap(const uint64_t *a)
{
	const uint64_t args[] = { CYCLE + a[0], a[1] };

	return gap(args);
}

static struct answer user_counter_gap(const uint64_t *a)
{
	const uint64_t args[] = { CYCLE + a[0], a[1] };

	return user_gap(args);
}

/* One instruction with a0 = a[1]; its answer is only whether it traps. */
static struct answer one(const uint64_t *a)
{
	struct code c = { 1, { (uint32_t)a[0] } };
	struct answer got = run_code(&c, (unsigned long)a[1]);

	got.value = 0;
	return got;
}

static struct answer one_in_user(const uint64_t *a)
{
	struct code c = { 1, { (uint32_t)a[0] } };
	struct answer got = run_code_in_user(&c, (unsigned long)a[1]);

	got.value = 0;
	return got;
}

/* By how much two counters differ more, or less, after some work. */
static struct answer drift(const uint64_t *a)
{
	const struct code c = { 3,
				{ CSRR(A1, CYCLE + (uint32_t)a[0]),
				  CSRR(A0, CYCLE + (uint32_t)a[1]),
				  SUB(A0, A0, A1) } };
	const uint64_t rounds = 1000;
	struct answer before = run_code(&c, 0), after;

	work(&rounds);
	after = run_code(&c, 0);
	after.value = XLEN_OF(after.value - before.value);
	return after;
}

static struct answer time_moves(const uint64_t *a)
{
	const uint64_t time = TIME;
	struct answer x = read_csr(&time);

	work(a);
	return (struct answer){ x.error, read_csr(&time).value > x.value };
}

static struct answer unreadable(const uint64_t *a)
{
	uint64_t bad = 0;

	(void)a;
	for (uint64_t i = 0; i < 32; i++)
		if (mach.valid >> i & 1 && i < mach.fw &&
		    read_counter(&i).error)
			bad |= 1ull << i;
	return (struct answer){ 0, bad };
}

static const struct step exact[] = {
	FRESH,
	CLAIM("instret: a read sees what retired before it", RULE("C118"),
	      BOTH(VAL(11)), gap, INSTRET, 10),
	CLAIM("instret: of each instruction one", RULE("C118 C193"),
	      BOTH(VAL(91)), gap, INSTRET, 90),
	CLAIM("cycle: one for each instruction here", RULE("C193"),
	      BOTH(VAL(11)), gap, CYCLE, 10),
	DO(config, HW1, 1, CLEAR | AUTO, INSNS),
	CLAIM("a counter of instructions", RULE("C193"), BOTH(VAL(11)),
	      counter_gap, HW1, 10),
	DO(config, HW2, 1, CLEAR | AUTO, INSNS),
	CLAIM("two counters of one event keep pace", RULE("C122"), BOTH(VAL(0)),
	      drift, HW1, HW2),
	DO(stop, HW2, 1, RESET),
	DO(config, HW2, 1, CLEAR | AUTO, CYCLES),
	CLAIM("the same counter counts cycles next", RULE("C122"),
	      BOTH(VAL(11)), counter_gap, HW2, 10),
	CLAIM("and the first one still instructions", RULE("C122"),
	      BOTH(VAL(11)), counter_gap, HW1, 10),
	DO(stop, HW1, 1),
	CLAIM("a stopped counter stands", RULE("C113 C177"), BOTH(VAL(0)),
	      counter_gap, HW1, 10),
	DO(stop, 0, 1),
	CLAIM("a stopped cycle stands", RULE("C113 C177"), BOTH(VAL(0)), gap,
	      CYCLE, 10),
	CLAIM("time goes on without cycle", RULE("C164"), BOTH(VAL(1)),
	      time_moves, 100000),
	DO(start, 0, 1, SET_INIT, 1000),
	DO(stop, 0, 1),
	DO(stop, HW2, 1, RESET),
	DO(config, HW2, 1, SINH | AUTO, INSNS),
	CLAIM("SINH: not in S", RULE("C106 C177"), BOTH(VAL(0)), counter_gap,
	      HW2, 10),
	DO(write_csr, SCOUNTEREN, ALL),
	CLAIM("SINH: but in U", RULE("C106 C177"), BOTH(VAL(11)),
	      user_counter_gap, HW2, 10),
	DO(stop, HW2, 1, RESET),
	DO(config, HW2, 1, UINH | AUTO, INSNS),
	CLAIM("UINH: in S", RULE("C106 C177"), BOTH(VAL(11)), counter_gap, HW2,
	      10),
	CLAIM("UINH: not in U", RULE("C106 C177"), BOTH(VAL(0)),
	      user_counter_gap, HW2, 10),
	FRESH,
};

static const struct step rights[] = {
	CLAIM("S reads every counter that info knows", RULE("C115 C121"),
	      BOTH(VAL(0)), unreadable),
	DO(write_csr, SCOUNTEREN, 0),
	CLAIM("scounteren does not bind S", RULE("C115"), BOTH(OK), one,
	      CSRR(A0, CYCLE)),
	CLAIM("without its bit U may not read cycle", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), one_in_user, CSRR(A0, CYCLE)),
	CLAIM("without its bit U may not read time", RULE("C115 C116"),
	      BOTH(ERR(ILLEGAL)), one_in_user, CSRR(A0, TIME)),
	DO(write_csr, SCOUNTEREN, 2),
	CLAIM("with its bit U reads time", RULE("C115 C116"), BOTH(OK),
	      one_in_user, CSRR(A0, TIME)),
	CLAIM("but not instret", RULE("C115"), BOTH(ERR(ILLEGAL)), one_in_user,
	      CSRR(A0, INSTRET)),
	DO(write_csr, SCOUNTEREN, 4),
	CLAIM("with its bit U reads instret", RULE("C115"), BOTH(OK),
	      one_in_user, CSRR(A0, INSTRET)),
	CLAIM("scounteren keeps what is written", RULE("C115"), BOTH(VAL(4)),
	      read_csr, SCOUNTEREN),
	DO(write_csr, SCOUNTEREN, 2),
	CLAIM("U has no scountovf", RULE("C112"), BOTH(ERR(ILLEGAL)),
	      one_in_user, CSRR(A0, SCOUNTOVF)),
	CLAIM("U has no sip", RULE("C110"), BOTH(ERR(ILLEGAL)), one_in_user,
	      CSRR(A0, SIP)),
	CLAIM("S has no mcountinhibit", RULE("C113"), BOTH(ERR(ILLEGAL)), one,
	      CSRR(A0, MCOUNTINHIBIT)),
	CLAIM("S has no mhpmevent3", RULE("C106"), BOTH(ERR(ILLEGAL)), one,
	      CSRR(A0, MHPMEVENT3)),
	CLAIM("S has no mcycle", RULE("C124"), BOTH(ERR(ILLEGAL)), one,
	      CSRR(A0, MCYCLE)),
	CLAIM("S has no mcounteren", RULE("C115"), BOTH(ERR(ILLEGAL)), one,
	      CSRR(A0, MCOUNTEREN)),
};

static const struct step writes[] = {
	CLAIM("csrrw to cycle", RULE("C115"), BOTH(ERR(ILLEGAL)), one,
	      CSRRW(0, CYCLE, A0)),
	CLAIM("csrrs to cycle with a register that holds 0",
	      RULE("C115 C180 csrrs_csrrc_rs1_x0"), BOTH(ERR(ILLEGAL)), one,
	      CSRRS(A1, CYCLE, A0), 0),
	CLAIM("csrrs to cycle with x0 is a read", RULE("C180"), BOTH(OK), one,
	      CSRRS(A1, CYCLE, 0)),
	CLAIM("csrrsi to cycle with 0 is a read", RULE("C180"), BOTH(OK), one,
	      CSRRSI(A1, CYCLE, 0)),
	CLAIM("csrrw to scountovf", RULE("C112"), BOTH(ERR(ILLEGAL)), one,
	      CSRRW(0, SCOUNTOVF, A0)),
	CLAIM("csrrs to scountovf with a register that holds 0",
	      RULE("C112 C180"), BOTH(ERR(ILLEGAL)), one,
	      CSRRS(A1, SCOUNTOVF, A0), 0),
	CLAIM("csrrsi to scountovf with a bit", RULE("C112"),
	      BOTH(ERR(ILLEGAL)), one, CSRRSI(A1, SCOUNTOVF, 1)),
	CLAIM("csrrsi to scountovf with 0 is a read", RULE("C112"), BOTH(OK),
	      one, CSRRSI(A1, SCOUNTOVF, 0)),
	CLAIM("scountovf has no bits for cycle, time, instret", RULE("C112"),
	      BOTH(VAL(0)), scountovf, 7),
	DO(write_csr, SIE, 1 << LCOFI),
	CLAIM("sie has LCOFIE", RULE("C110 C121"), BOTH(VAL(1 << LCOFI)),
	      read_csr, SIE),
	DO(write_csr, SIE, 0),
	CLAIM("and gives it up", RULE("C110"), BOTH(VAL(0)), read_csr, SIE),
	DO(write_csr, SIP, 1 << LCOFI),
	CLAIM("software may set sip.LCOFIP", RULE("C110"), BOTH(VAL(1)), lcofi),
	CLAIM("that is no overflow", RULE("C108 C110"), BOTH(VAL(0)), scountovf,
	      7),
	DO(clear_lcofi),
	CLAIM("and clear it", RULE("C110"), BOTH(VAL(0)), lcofi),
	FRESH,
};

/* RV64 has no upper halves, RV32 has. */
static const struct step halves[] = {
	CLAIM("the upper half of instret", RULE("C139 C138"),
#if __riscv_xlen == 64
	      BOTH(ERR(ILLEGAL)),
#else
	      BOTH(OK),
#endif
	      one, CSRR(A0, INSTRETH)),
	CLAIM("the upper half of a programmable counter",
	      RULE("C139 C138 C140"),
#if __riscv_xlen == 64
	      BOTH(ERR(ILLEGAL)),
#else
	      BOTH(OK),
#endif
	      one, CSRR(A0, HPMCOUNTER3H)),
};

void chapter_counters(void)
{
	TAP_STEPS("counters", exact);
	TAP_STEPS("counters", rights);
	TAP_STEPS("counters", writes);
	TAP_STEPS("counters", halves);
}
