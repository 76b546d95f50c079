/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a run ends: every kind of exit with exact pc, cause, trap value and
 * counts, whatever the mode of the engine.
 */
#include <string.h>

#include "asm.h"
#include "rig.h"
#include "rows.h"

enum {
	NOWHERE = 60, /* a page that is not mapped */
	DATA = 8,
	N_WORDS = 6,
	/* registers that each row starts with */
	R_DATA = 5,
	R_NOWHERE = 6,
	R_CROSS = 7, /* two bytes before the page NOWHERE */
	R_READ_ONLY = 8,
};

#define AT(words) (RIG_BASE + 4 * (words))
#define BAD	  RIG_AT(NOWHERE)
#define READ_ONLY RIG_AT(DATA + 1)

static const struct exit_row {
	const char *why;
	uint32_t code[N_WORDS];
	struct engine_exit want;
	uint64_t done[PMU_N_ENGINE_EVENTS];
	uint8_t xlen; /* 0: both */
	bool fp_off;
} exit_rows[] = {
#define INSN(at, n, bits)                                                      \
	{                                                                      \
		.kind = ENGINE_EXIT_INSN, .pc = at, .len = n, .insn = bits     \
	}
#define FAULT(at, why_, value)                                                 \
	{                                                                      \
		.kind = ENGINE_EXIT_FAULT, .pc = at, .cause = why_,            \
		.tval = value                                                  \
	}
	{ "a CSR instruction is the host's",
	  { NOP, CSRRS(3, PMU_CSR_MSTATUS, 0) },
	  INSN(AT(1), 4, CSRRS(3, PMU_CSR_MSTATUS, 0)),
	  .done = { 1 } },
	{ "a counter read is the host's, with the count before itself",
	  { NOP, NOP, CSRRS(3, PMU_CSR_CYCLE, 0) },
	  INSN(AT(2), 4, CSRRS(3, PMU_CSR_CYCLE, 0)),
	  .done = { 2 } },
	{ "a write to a counter is the host's",
	  { NOP, CSRRW(3, 0xc1f, 3) },
	  INSN(AT(1), 4, CSRRW(3, 0xc1f, 3)),
	  .done = { 1 } },
	{ "reading the time is the host's",
	  { CSRRS(3, 0xc01, 0) },
	  INSN(AT(0), 4, CSRRS(3, 0xc01, 0)),
	  .done = { 0 } },
	{ "the upper half of a counter is the host's",
	  { CSRRS(3, 0xc82, 0) },
	  INSN(AT(0), 4, CSRRS(3, 0xc82, 0)),
	  .done = { 0 } },
	{ "ecall is the host's",
	  { NOP, ECALL },
	  INSN(AT(1), 4, ECALL),
	  .done = { 1 } },
	{ "ebreak is the host's",
	  { NOP, EBREAK },
	  INSN(AT(1), 4, EBREAK),
	  .done = { 1 } },
	{ "a compressed ebreak is the host's",
	  { PAIR(C_NOP, C_EBREAK) },
	  INSN(AT(0) + 2, 2, C_EBREAK),
	  .done = { 1 } },
	{ "wfi is the host's",
	  { 0x10500073 },
	  INSN(AT(0), 4, 0x10500073),
	  .done = { 0 } },
	{ "sret is the host's",
	  { 0x10200073 },
	  INSN(AT(0), 4, 0x10200073),
	  .done = { 0 } },
	{ "sfence.vma is the host's",
	  { 0x12000073 },
	  INSN(AT(0), 4, 0x12000073),
	  .done = { 0 } },
/* Unicorn's own CPU may know H, yet none of these may run there */
#define IS_THE_HOSTS(name, bits)                                               \
	{                                                                      \
		name " is the host's", { NOP, bits }, INSN(AT(1), 4, bits),    \
			.done = { 1 },                                         \
	}
	IS_THE_HOSTS("hlv.b", 0x600341f3),
	IS_THE_HOSTS("hlv.bu", 0x601341f3),
	IS_THE_HOSTS("hlv.h", 0x640341f3),
	IS_THE_HOSTS("hlv.hu", 0x641341f3),
	IS_THE_HOSTS("hlvx.hu", 0x643341f3),
	IS_THE_HOSTS("hlv.w", 0x680341f3),
	IS_THE_HOSTS("hlvx.wu", 0x683341f3),
	IS_THE_HOSTS("hlv.wu", 0x681341f3),
	IS_THE_HOSTS("hlv.d", 0x6c0341f3),
	IS_THE_HOSTS("hsv.b", 0x62334073),
	IS_THE_HOSTS("hsv.h", 0x66334073),
	IS_THE_HOSTS("hsv.w", 0x6a334073),
	IS_THE_HOSTS("hsv.d", 0x6e334073),
	IS_THE_HOSTS("hfence.vvma", 0x22000073),
	IS_THE_HOSTS("hfence.gvma", 0x62000073),
	IS_THE_HOSTS("reading hstatus", CSRRS(3, 0x600, 0)),
	IS_THE_HOSTS("writing hgatp", CSRRW(0, 0x680, 3)),
	IS_THE_HOSTS("reading vsatp", CSRRS(3, 0x280, 0)),
	IS_THE_HOSTS("reading hgeip", CSRRS(3, 0xe12, 0)),
	{ "the zero halfword is the host's",
	  { PAIR(C_NOP, C_ILLEGAL) },
	  INSN(AT(0) + 2, 2, C_ILLEGAL),
	  .done = { 1 } },
	{ "reserved and the host's: quadrant 0, funct3 100",
	  { PAIR(C_NOP, 0x8364) },
	  INSN(AT(0) + 2, 2, 0x8364),
	  .done = { 1 } },
	{ "reserved and the host's: quadrant 1, beside c.addw",
	  { PAIR(C_NOP, 0x9c75) },
	  INSN(AT(0) + 2, 2, 0x9c75),
	  .done = { 1 } },
	{ "reserved and the host's: c.lui of 0",
	  { PAIR(C_NOP, 0x6101) },
	  INSN(AT(0) + 2, 2, 0x6101),
	  .done = { 1 } },
	{ "reserved and the host's: c.subw of RV32",
	  { PAIR(C_NOP, 0x9f19) },
	  INSN(AT(0) + 2, 2, 0x9f19),
	  .done = { 1 },
	  .xlen = 32 },
	{ "reserved and the host's: c.srai by 40 of RV32",
	  { PAIR(C_NOP, 0x9611) },
	  INSN(AT(0) + 2, 2, 0x9611),
	  .done = { 1 },
	  .xlen = 32 },
	{ "reserved and the host's: c.slli by 32 of RV32",
	  { PAIR(C_NOP, 0x1e02) },
	  INSN(AT(0) + 2, 2, 0x1e02),
	  .done = { 1 },
	  .xlen = 32 },
	{ "an unknown instruction is the host's",
	  { NOP, 0xffffffff },
	  INSN(AT(1), 4, 0xffffffff),
	  .done = { 1 } },
	{ "ld is unknown to RV32",
	  { LD(3, R_DATA, 0) },
	  INSN(AT(0), 4, LD(3, R_DATA, 0)),
	  .done = { 0 },
	  .xlen = 32 },
	{ "a reserved rounding mode is the host's",
	  { NOP, FADD_S(0, 0, 0) | 5 << 12 },
	  INSN(AT(1), 4, FADD_S(0, 0, 0) | 5 << 12),
	  .done = { 1 } },
	{ "floating point is the host's while it is off",
	  { NOP, FADD_S(0, 0, 0) },
	  INSN(AT(1), 4, FADD_S(0, 0, 0)),
	  .done = { 1 },
	  .fp_off = true },
	{ "a floating-point load is the host's while it is off",
	  { NOP, FLW(0, R_NOWHERE, 0) },
	  INSN(AT(1), 4, FLW(0, R_NOWHERE, 0)),
	  .done = { 1 },
	  .fp_off = true },
	{ "fcsr is the host's while floating point is off",
	  { NOP, CSRRS(3, PMU_CSR_FCSR, 0) },
	  INSN(AT(1), 4, CSRRS(3, PMU_CSR_FCSR, 0)),
	  .done = { 1 },
	  .fp_off = true },
	{ "fcsr is the engine's while floating point is on",
	  { NOP, CSRRS(3, PMU_CSR_FCSR, 0), EBREAK },
	  INSN(AT(2), 4, EBREAK),
	  .done = { 2 } },
	{ "a load faults in the middle of a block",
	  { SW(0, R_DATA, 0), LW(4, R_DATA, 0), LW(3, R_NOWHERE, 12), NOP },
	  FAULT(AT(2), PMU_CAUSE_LOAD_PAGE, BAD + 12),
	  .done = { 2, 0, 1, 1 } },
	{ "a store faults in the middle of a block",
	  { SW(0, R_DATA, 0), SH(0, R_NOWHERE, 2), SW(0, R_DATA, 0) },
	  FAULT(AT(1), PMU_CAUSE_STORE_PAGE, BAD + 2),
	  .done = { 1, 0, 0, 1 } },
	{ "a store to a read-only page faults",
	  { LW(4, R_READ_ONLY, 4), SB(0, R_READ_ONLY, 5) },
	  FAULT(AT(1), PMU_CAUSE_STORE_PAGE, READ_ONLY + 5),
	  .done = { 1, 0, 1, 0 } },
	{ "a load that crosses into a missing page reports that page",
	  { LW(3, R_CROSS, 0) },
	  FAULT(AT(0), PMU_CAUSE_LOAD_PAGE, BAD),
	  .done = { 0 } },
	{ "a store that crosses into a missing page reports that page",
	  { SW(3, R_CROSS, 0) },
	  FAULT(AT(0), PMU_CAUSE_STORE_PAGE, BAD),
	  .done = { 0 } },
	{ "a compressed load faults",
	  { PAIR(C_LW(0, 0), C_LW(1, 0)) },
	  FAULT(AT(0) + 2, PMU_CAUSE_LOAD_PAGE, 0),
	  .done = { 1, 0, 1, 0 } },
	{ "an address below 0 is at the end of 32 bits",
	  { NOP, LW(3, 0, -16) },
	  FAULT(AT(1), PMU_CAUSE_LOAD_PAGE, 0xfffffff0),
	  .done = { 1 },
	  .xlen = 32 },
	{ "an address below 0 is at the end of 64 bits",
	  { NOP, LW(3, 0, -16) },
	  FAULT(AT(1), PMU_CAUSE_LOAD_PAGE, UINT64_MAX - 15),
	  .done = { 1 },
	  .xlen = 64 },
	{ "an address beyond the end begins at 0",
	  { ADDI(4, 0, -8), SW(0, 4, 16) },
	  FAULT(AT(1), PMU_CAUSE_STORE_PAGE, 8),
	  .done = { 1 } },
	{ "a misaligned address at the end of 32 bits",
	  { ADDI(4, 0, -6), AMOADD_W(0, 4, 0) },
	  FAULT(AT(1), PMU_CAUSE_STORE_MISALIGNED, 0xfffffffa),
	  .done = { 1 },
	  .xlen = 32 },
	{ "a misaligned address at the end of 64 bits",
	  { ADDI(4, 0, -6), AMOADD_W(0, 4, 0) },
	  FAULT(AT(1), PMU_CAUSE_STORE_MISALIGNED, UINT64_MAX - 5),
	  .done = { 1 },
	  .xlen = 64 },
	{ "an AMO's fault is a store's",
	  { AMOADD_W(3, R_NOWHERE, 3) },
	  FAULT(AT(0), PMU_CAUSE_STORE_PAGE, BAD),
	  .done = { 0 } },
	{ "an AMO to a read-only page faults as a store",
	  { AMOADD_W(3, R_READ_ONLY, 3) },
	  FAULT(AT(0), PMU_CAUSE_STORE_PAGE, READ_ONLY),
	  .done = { 0 } },
	{ "LR's fault is a load's",
	  { LR_W(3, R_NOWHERE) },
	  FAULT(AT(0), PMU_CAUSE_LOAD_PAGE, BAD),
	  .done = { 0 } },
	{ "a misaligned AMO is misaligned as a store",
	  { NOP, ADDI(3, R_DATA, 2), AMOADD_W(0, 3, 3) },
	  FAULT(AT(2), PMU_CAUSE_STORE_MISALIGNED, RIG_AT(DATA) + 2),
	  .done = { 2 } },
	{ "a misaligned LR is misaligned as a load",
	  { NOP, ADDI(3, R_DATA, 2), LR_W(0, 3) },
	  FAULT(AT(2), PMU_CAUSE_LOAD_MISALIGNED, RIG_AT(DATA) + 2),
	  .done = { 2 } },
	{ "a jump to a missing page faults at its target",
	  { NOP, JALR(1, R_NOWHERE, 6) },
	  FAULT(BAD + 6, PMU_CAUSE_FETCH_PAGE, BAD + 6),
	  .done = { 2, 1 } },
	{ "a jump to a page without X faults",
	  { JALR(0, R_READ_ONLY, 0) },
	  FAULT(READ_ONLY, PMU_CAUSE_FETCH_PAGE, READ_ONLY),
	  .done = { 1, 1 } },
};

static void prepare(struct rig *r, const struct exit_row *row)
{
	rig_code(r, 0, row->code, N_WORDS);
	r->page[NOWHERE].perms = 0;
	r->page[DATA + 1].perms = PMU_PERM_R;
	rig_set_x(r, R_DATA, RIG_AT(DATA));
	rig_set_x(r, R_NOWHERE, BAD);
	rig_set_x(r, R_CROSS, BAD - 2);
	rig_set_x(r, R_READ_ONLY, READ_ONLY);
	rig_set_x(r, 3, UINT32_C(0x1234));
	engine_set_fp(r->e, r->ctx[0], !row->fp_off);
}

/* Of a load's or store's fault the instruction is told, too. */
static uint32_t want_insn(const struct exit_row *row)
{
	uint32_t insn = 0;

	switch (row->want.cause) {
	case PMU_CAUSE_LOAD_MISALIGNED:
	case PMU_CAUSE_STORE_MISALIGNED:
	case PMU_CAUSE_LOAD_PAGE:
	case PMU_CAUSE_STORE_PAGE:
		memcpy(&insn,
		       (const char *)row->code + (row->want.pc - RIG_BASE), 4);
		return (insn & 3) == 3 ? insn : (uint16_t)insn;
	default:
		return row->want.insn;
	}
}

static void check_exit(struct rig *r, const struct exit_row *row)
{
	const struct engine_exit *got = &r->exit[0];

	ck_assert_msg(got->kind == row->want.kind, "%s: kind", row->why);
	ck_assert_msg(got->pc == row->want.pc, "%s: pc %llx", row->why,
		      (unsigned long long)got->pc);
	ck_assert_msg(got->cause == row->want.cause, "%s: cause %u", row->why,
		      got->cause);
	ck_assert_msg(got->tval == row->want.tval, "%s: tval %llx", row->why,
		      (unsigned long long)got->tval);
	ck_assert_msg(got->insn == want_insn(row), "%s: %x", row->why,
		      got->insn);
	ck_assert_msg(got->len == row->want.len, "%s: length", row->why);
	for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		ck_assert_msg(r->budget.done.n[i] == row->done[i],
			      "%s, %s: count %d is %llu", row->why, rig_name(r),
			      i, (unsigned long long)r->budget.done.n[i]);
}

TEST_RIGS(an_exit_is_exact, exit_rows)
{
	const struct exit_row *row = &exit_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);

	prepare(r, row);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(r->n_exits, 1);
	check_exit(r, row);
	ck_assert_uint_eq(rig_pc(r), row->want.pc);
	/* nothing that did not retire has written it */
	ck_assert(rig_x(r, 3) == 0x1234 || rig_x(r, 3) == RIG_AT(DATA) + 2 ||
		  row->done[0] == 2);
}

/* The host resumes inside the run, at pc + length or anywhere else. */
static enum engine_next resume_elsewhere(struct rig *r,
					 const struct engine_exit *exit)
{
	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	if (exit->insn == ECALL) {
		r->budget.done.n[PMU_EV_INSNS]++;
		engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_AT(1));
	} else {
		rig_retire(r, exit, r->budget.done.n[PMU_EV_INSNS]);
	}
	return ENGINE_RESUME;
}

TEST_TIMES(the_host_resumes_where_it_wants, RIG_KINDS)
{
	static const uint32_t code[] = { NOP, CSRRS(10, PMU_CSR_CYCLE, 0), NOP,
					 CSRRS(11, PMU_CSR_MSTATUS, 0), ECALL };
	static const uint32_t other[] = { ADDI(12, 12, 1), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, 1, other, ARRAY_SIZE(other));
	r->script = resume_elsewhere;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	ck_assert_uint_eq(rig_x(r, 11), 3);
	ck_assert_uint_eq(rig_x(r, 12), 1);
	ck_assert_uint_eq(rig_pc(r), RIG_AT(1) + 4);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 6);
}

/* Counting anew inside an exit: the limit holds from there on. */
static enum engine_next count_anew(struct rig *r,
				   const struct engine_exit *exit)
{
	rig_open(r);
	r->budget.limit.n[PMU_EV_INSNS] = 2;
	rig_retire(r, exit, 0);
	return ENGINE_RESUME;
}

TEST_TIMES(the_host_sets_a_limit_in_an_exit, RIG_KINDS)
{
	static const uint32_t code[] = { NOP, CSRRS(10, PMU_CSR_CYCLE, 0), NOP,
					 NOP, NOP };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->script = count_anew;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), RIG_BASE + 12);
	ck_assert_uint_eq(r->budget.last_pc, RIG_BASE + 8);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 2);
}

/* The next instruction cannot be fetched, or is none: the limit comes first. */
TEST_TIMES(a_limit_comes_before_the_next_instruction_faults, 4 * RIG_KINDS)
{
	static const uint32_t ends[] = { PAIR(C_ILLEGAL, 0),
					 JALR(0, R_NOWHERE, 0), ECALL, EBREAK };
	const uint32_t code[] = { NOP, ends[_i / RIG_KINDS] };
	bool jump = code[1] == JALR(0, R_NOWHERE, 0);
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->page[NOWHERE].perms = 0;
	rig_set_x(r, R_NOWHERE, BAD);
	r->budget.limit.n[PMU_EV_INSNS] = jump ? 2 : 1;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), jump ? BAD : RIG_BASE + 4);
	ck_assert_uint_eq(r->n_exits, 0);
}

SUITE("engine-exits", .test_case = "exits", .timeout = 30,
      .setup_all = rigs_open, .teardown_all = rigs_close);
