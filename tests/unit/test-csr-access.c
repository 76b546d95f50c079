/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is told of an access to a CSR: what it names and gets at, what was there
 * and is, what refuses it; and that telling it changes nothing.
 */
#include <string.h>

#include <pmu/csr-access.h>

#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define H(n) (UINT64_C(1) << (n))
#define ONES UINT64_MAX
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)
#define AIA	(DELEG | PMU_EXT_SMAIA | PMU_EXT_SSAIA)
#define STATEEN (AIA | PMU_EXT_H | PMU_EXT_SMSTATEEN | PMU_EXT_SSTC)
#define CDE	H(60)
#define EBB	(PMU_EXT_XPMUEBB | PMU_EXT_H)

enum {
	N_POKES = 5
};

/* funct3 of the form; with I the operand stands in the place of rs1 */
enum form {
	RW = 1,
	RS,
	RC,
	RWI = 5,
	RSI,
	RCI
};

static const struct access_row {
	const char *why;
	unsigned xlen; /* 0: both */
	uint32_t add;
	struct {
		uint16_t num;
		uint64_t value;
	} pokes[N_POKES];
	enum pmu_mode mode;
	enum form form;
	uint16_t num;
	unsigned rd, rs1;
	uint64_t value; /* in rs1 */
	struct pmu_csr_access want;
} rows[] = {
#define ROW(why, xlen, add) why, xlen, add
#define POKES(...)                                                             \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
#define READS(mode, num)	 PMU_MODE_##mode, RS, num, 5, 0, 0
#define WRITES(mode, num, value) PMU_MODE_##mode, RW, num, 0, 6, value
#define WAS(...)                                                               \
	{                                                                      \
		.reached = __VA_ARGS__                                         \
	}
#define NOT(csr, why, ...)                                                     \
	{                                                                      \
		.reached = csr, .refusal = PMU_CSR_##why, __VA_ARGS__          \
	}
	/* forms */
	{ ROW("csrr", 0, 0), POKES({ MIE, 0x2000 }), READS(M, MIE),
	  WAS(MIE, .old_value = 0x2000) },
	{ ROW("csrw", 0, 0), POKES({ MIE, 0x2000 }), WRITES(M, MIE, 0x222),
	  WAS(MIE, .old_value = 0x2000, .new_value = 0x222) },
	{ ROW("csrrw", 0, 0), POKES({ MIE, 0x2000 }), PMU_MODE_M, RW, MIE, 5, 6,
	  0x80, WAS(MIE, .old_value = 0x2000, .new_value = 0x80) },
	{ ROW("csrrs", 0, 0), POKES({ MIE, 0x2000 }), PMU_MODE_M, RS, MIE, 5, 6,
	  0x80, WAS(MIE, .old_value = 0x2000, .new_value = 0x2080) },
	{ ROW("csrrs from a register of 0 writes", 0, 0),
	  POKES({ MIE, 0x2000 }), PMU_MODE_M, RS, MIE, 5, 6, 0,
	  WAS(MIE, .old_value = 0x2000, .new_value = 0x2000) },
	{ ROW("csrrci", 32, 0), POKES({ MSTATUS, 0xa }), PMU_MODE_M, RCI,
	  SSTATUS, 0, 2, 0, WAS(SSTATUS, .old_value = 2) },
	{ ROW("csrrwi, csrrsi", 0, 0), POKES({ MCOUNTINHIBIT, 8 }), PMU_MODE_M,
	  RSI, MCOUNTINHIBIT, 0, 4, 0,
	  WAS(MCOUNTINHIBIT, .old_value = 8, .new_value = 12) },
	{ ROW("what no write sets is not set", 0, 0), POKES({ MIE, 0 }),
	  WRITES(M, MIE, ONES), WAS(MIE, .new_value = 0x2aaa) },
	{ ROW("a read-only CSR is read", 0, 0),
	  POKES({ MHPMEVENT + 4, 0 }, { MCOUNTEREN, ONES }),
	  READS(S, SCOUNTOVF), WAS(SCOUNTOVF, 0) },
	{ ROW("csrr to x0", 0, 0), POKES({ MIE, 0x2000 }), PMU_MODE_M, RS, MIE,
	  0, 0, 0, WAS(MIE, .old_value = 0x2000) },
	/* counters */
	{ ROW("a write is not counted", 0, 0), POKES({ MINSTRET, 7 }),
	  WRITES(M, MINSTRET, 100),
	  WAS(MINSTRET, .old_value = 7, .new_value = 100) },
	{ ROW("lower half", 32, 0),
	  POKES({ MHPMCOUNTER + 3, 5 }, { MHPMCOUNTERH + 3, 9 }),
	  WRITES(M, MHPMCOUNTER + 3, 6),
	  WAS(MHPMCOUNTER + 3, .old_value = 5, .new_value = 6) },
	{ ROW("upper half", 32, 0),
	  POKES({ MHPMCOUNTER + 3, 5 }, { MHPMCOUNTERH + 3, 9 }),
	  WRITES(M, MHPMCOUNTERH + 3, 6),
	  WAS(MHPMCOUNTERH + 3, .old_value = 9, .new_value = 6) },
	{ ROW("a user's read", 0, 0),
	  POKES({ MHPMCOUNTER + 5, 77 }, { MCOUNTEREN, ONES },
		{ SCOUNTEREN, 32 }),
	  READS(U, HPMCOUNTER + 5), WAS(HPMCOUNTER + 5, .old_value = 77) },
	{ ROW("a guest's time is shifted", 64, PMU_EXT_H),
	  POKES({ MCOUNTEREN, ONES }, { HCOUNTEREN, ONES },
		{ SCOUNTEREN, ONES }, { HTIMEDELTA, 1000 }),
	  READS(VU, 0xc01), WAS(0xc01, .old_value = 1000) },
	/* through a select register */
	{ ROW("a delegated counter", 0, DELEG),
	  POKES({ MCOUNTEREN, 8 }, { MHPMCOUNTER + 3, 5 }, { SISELECT, 0x43 }),
	  WRITES(S, SIREG, 9),
	  WAS(MHPMCOUNTER + 3, .old_value = 5, .new_value = 9, .selects = true,
	      .select = 0x43) },
	{ ROW("its event", 0, DELEG),
	  POKES({ MCOUNTEREN, 8 }, { MHPMEVENT + 3, 5 }, { SISELECT, 0x43 }),
	  READS(S, SIREG2),
	  WAS(MHPMEVENT + 3, .old_value = 5, .selects = true, .select = 0x43) },
	{ ROW("mcyclecfg", 0, DELEG),
	  POKES({ MCOUNTEREN, 1 }, { SISELECT, 0x40 }), READS(S, SIREG2),
	  WAS(MCYCLECFG, .selects = true, .select = 0x40) },
	{ ROW("upper halves: a counter", 32, DELEG),
	  POKES({ MCOUNTEREN, 8 }, { MHPMCOUNTERH + 3, 5 }, { SISELECT, 0x43 }),
	  READS(S, SIREG4),
	  WAS(MHPMCOUNTERH + 3, .old_value = 5, .selects = true,
	      .select = 0x43) },
	{ ROW("upper halves: an event", 32, DELEG),
	  POKES({ MCOUNTEREN, 8 }, { SISELECT, 0x43 }), READS(S, SIREG5),
	  WAS(MHPMEVENTH + 3, .selects = true, .select = 0x43) },
	{ ROW("upper halves: minstretcfg", 32, DELEG),
	  POKES({ MCOUNTEREN, 4 }, { SISELECT, 0x42 }), READS(S, SIREG5),
	  WAS(MINSTRETCFGH, .selects = true, .select = 0x42) },
	{ ROW("upper halves: mcyclecfg", 32, DELEG),
	  POKES({ MCOUNTEREN, 1 }, { SISELECT, 0x40 }), READS(S, SIREG5),
	  WAS(MCYCLECFGH, .selects = true, .select = 0x40) },
	{ ROW("priorities have no number", 0, AIA), POKES({ SISELECT, 0x30 }),
	  READS(S, SIREG), WAS(0, .selects = true, .select = 0x30) },
	{ ROW("nor have those of M", 0, AIA), POKES({ MISELECT, 0x32 }),
	  WRITES(M, MIREG, 0), WAS(0, .selects = true, .select = 0x32) },
	{ ROW("what is selected is no alias", 0, DELEG), POKES({ SISELECT, 1 }),
	  WRITES(S, SISELECT, 0x43),
	  WAS(SISELECT, .old_value = 1, .new_value = 0x43) },
	/* by another number */
	{ ROW("a guest's sip", 0, PMU_EXT_H),
	  POKES({ HIDELEG, 0x444 }, { HVIP, 4 }), READS(VS, SIP),
	  WAS(VSIP, .old_value = 2) },
	{ ROW("a guest's sstatus", 32, PMU_EXT_H), POKES({ VSSTATUS, 2 }),
	  PMU_MODE_VS, RCI, SSTATUS, 0, 2, 0, WAS(VSSTATUS, .old_value = 2) },
	/* refused */
	{ ROW("absent", 0, 0), POKES({ MIE, 0 }), READS(S, SIREG),
	  NOT(SIREG, ABSENT, 0) },
	{ ROW("an IMSIC's", 0, AIA | PMU_EXT_H), POKES({ MIE, 0 }),
	  READS(S, 0x15c), NOT(0x15c, ABSENT, 0) },
	{ ROW("privilege", 0, 0), POKES({ MIE, 0 }), WRITES(S, MIE, 0),
	  NOT(MIE, PRIVILEGE, 0) },
	{ ROW("a guest's privilege", 0, PMU_EXT_H), POKES({ MIE, 0 }),
	  READS(VS, HIE), NOT(HIE, PRIVILEGE, .virtual = true) },
	{ ROW("VU's sie is a guest's", 0, PMU_EXT_H), POKES({ MIE, 0 }),
	  READS(VU, SIE), NOT(VSIE, PRIVILEGE, .virtual = true) },
	{ ROW("read-only", 0, 0), POKES({ MCOUNTEREN, ONES }),
	  WRITES(M, 0xc00, 1), NOT(0xc00, READ_ONLY, 0) },
	{ ROW("closed by mcounteren", 0, 0), POKES({ MCOUNTEREN, 0 }),
	  READS(S, 0xc00), NOT(0xc00, CLOSED, .closed_by = MCOUNTEREN) },
	{ ROW("closed by scounteren", 0, 0),
	  POKES({ MCOUNTEREN, ONES }, { SCOUNTEREN, 0 }), READS(U, 0xc02),
	  NOT(0xc02, CLOSED, .closed_by = SCOUNTEREN) },
	{ ROW("closed by hcounteren", 0, PMU_EXT_H),
	  POKES({ MCOUNTEREN, ONES }, { HCOUNTEREN, 0 }), READS(VS, 0xc02),
	  NOT(0xc02, CLOSED, .closed_by = HCOUNTEREN, .virtual = true) },
	{ ROW("scountovf is the hypervisor's", 64, DELEG | PMU_EXT_H),
	  POKES({ MENVCFG, CDE }), READS(VS, SCOUNTOVF),
	  NOT(SCOUNTOVF, CLOSED, .closed_by = MENVCFG, .virtual = true) },
	{ ROW("scountinhibit without CDE", 32, DELEG), POKES({ MENVCFGH, 0 }),
	  READS(S, SCOUNTINHIBIT),
	  NOT(SCOUNTINHIBIT, CLOSED, .closed_by = MENVCFGH) },
	{ ROW("sireg without CDE", 64, DELEG),
	  POKES({ MENVCFG, 0 }, { SISELECT, 0x43 }), READS(S, SIREG),
	  NOT(0, CLOSED, .closed_by = MENVCFG, .selects = true,
	      .select = 0x43) },
	{ ROW("sireg of a counter that is not delegated", 0, DELEG),
	  POKES({ MCOUNTEREN, 0 }, { SISELECT, 0x43 }), READS(S, SIREG),
	  NOT(0, CLOSED, .closed_by = MCOUNTEREN, .selects = true,
	      .select = 0x43) },
	{ ROW("sireg of nothing", 0, DELEG),
	  POKES({ MCOUNTEREN, ONES }, { SISELECT, 0x41 }), READS(S, SIREG),
	  NOT(0, CLOSED, .closed_by = SISELECT, .selects = true,
	      .select = 0x41) },
	{ ROW("an upper half of RV64", 64, DELEG),
	  POKES({ MCOUNTEREN, ONES }, { SISELECT, 0x43 }), READS(S, SIREG4),
	  NOT(0, CLOSED, .closed_by = SISELECT, .selects = true,
	      .select = 0x43) },
	{ ROW("mireg of nothing", 0, AIA), POKES({ MISELECT, 0x70 }),
	  READS(M, MIREG),
	  NOT(0, CLOSED, .closed_by = MISELECT, .selects = true,
	      .select = 0x70) },
	{ ROW("a guest's sireg", 0, DELEG | PMU_EXT_H),
	  POKES({ VSISELECT, 0x43 }, { SISELECT, 1 }), READS(VS, SIREG),
	  NOT(0, CLOSED, .closed_by = VSISELECT, .virtual = true,
	      .selects = true, .select = 0x43) },
	{ ROW("a state-enable of M", 64, STATEEN), POKES({ MSTATEEN0, 0 }),
	  READS(S, SISELECT), NOT(SISELECT, CLOSED, .closed_by = MSTATEEN0) },
	{ ROW("its upper half", 32, STATEEN), POKES({ MSTATEEN0H, 0 }),
	  READS(S, SISELECT), NOT(SISELECT, CLOSED, .closed_by = MSTATEEN0H) },
	{ ROW("a state-enable of HS", 64, STATEEN),
	  POKES({ MSTATEEN0, ONES }, { HSTATEEN0, 0 }), READS(VS, SISELECT),
	  NOT(VSISELECT, CLOSED, .closed_by = HSTATEEN0, .virtual = true) },
	{ ROW("hvictl.VTI", 0, STATEEN),
	  POKES({ MSTATEEN0, ONES }, { MSTATEEN0H, ONES }, { HSTATEEN0, ONES },
		{ HSTATEEN0H, ONES }, { HVICTL, H(30) }),
	  READS(VS, SIE),
	  NOT(VSIE, CLOSED, .closed_by = HVICTL, .virtual = true) },
	{ ROW("stimecmp: mcounteren", 0, PMU_EXT_SSTC),
	  POKES({ MCOUNTEREN, 0 }), READS(S, STIMECMP),
	  NOT(STIMECMP, CLOSED, .closed_by = MCOUNTEREN) },
	{ ROW("stimecmp: menvcfg", 64, PMU_EXT_SSTC),
	  POKES({ MCOUNTEREN, ONES }, { MENVCFG, 0 }), READS(S, STIMECMP),
	  NOT(STIMECMP, CLOSED, .closed_by = MENVCFG) },
	{ ROW("stimecmp: hcounteren", 64, PMU_EXT_SSTC | PMU_EXT_H),
	  POKES({ MCOUNTEREN, ONES }, { MENVCFG, H(63) }, { HCOUNTEREN, 0 }),
	  READS(VS, STIMECMP),
	  NOT(VSTIMECMP, CLOSED, .closed_by = HCOUNTEREN, .virtual = true) },
	{ ROW("stimecmp: henvcfg", 64, PMU_EXT_SSTC | PMU_EXT_H),
	  POKES({ MCOUNTEREN, ONES }, { MENVCFG, H(63) }, { HCOUNTEREN, ONES },
		{ HENVCFG, 0 }),
	  READS(VS, STIMECMP),
	  NOT(VSTIMECMP, CLOSED, .closed_by = HENVCFG, .virtual = true) },
	/* event-based branches */
	{ ROW("a user's handler", 0, EBB), POKES({ PMU_CSR_SEBBCS, 1 }),
	  WRITES(U, PMU_CSR_EBBHR, 0x1235),
	  WAS(PMU_CSR_EBBHR, .new_value = 0x1234) },
	{ ROW("not without sebbcs.UE", 0, EBB), POKES({ PMU_CSR_SEBBCS, 0 }),
	  READS(U, PMU_CSR_EBBHR),
	  NOT(PMU_CSR_EBBHR, CLOSED, .closed_by = PMU_CSR_SEBBCS) },
	{ ROW("nor by a guest without hebben", 0, EBB),
	  POKES({ PMU_CSR_SEBBCS, 1 }, { PMU_CSR_HEBBEN, 0 }),
	  READS(VU, PMU_CSR_EBBHR),
	  NOT(PMU_CSR_EBBHR, CLOSED, .closed_by = PMU_CSR_HEBBEN,
	      .virtual = true) },
	{ ROW("nothing is claimed", 0, EBB), POKES({ PMU_CSR_SEBBCS, 1 }),
	  READS(U, PMU_CSR_EBBCTR3),
	  NOT(PMU_CSR_EBBCTR3, CLOSED, .closed_by = PMU_CSR_SEBBOWN) },
	{ ROW("not a guest's", 0, EBB),
	  POKES({ PMU_CSR_SEBBCS, 1 }, { PMU_CSR_MEBBEN, 0x18 },
		{ PMU_CSR_SEBBOWN, 8 }, { PMU_CSR_HEBBEN, 0x10 }),
	  READS(VU, PMU_CSR_EBBCTR3),
	  NOT(PMU_CSR_EBBCTR3, CLOSED, .closed_by = PMU_CSR_HEBBEN,
	      .virtual = true) },
	{ ROW("a claimed counter", 0, EBB),
	  POKES({ PMU_CSR_SEBBCS, 1 }, { PMU_CSR_MEBBEN, 8 },
		{ PMU_CSR_SEBBOWN, 8 }, { MHPMCOUNTER + 3, 5 }),
	  WRITES(U, PMU_CSR_EBBCTR3, 9),
	  WAS(PMU_CSR_EBBCTR3, .old_value = 5, .new_value = 9) },
	{ ROW("a user's state-enable", 0, EBB | PMU_EXT_SMSTATEEN),
	  POKES({ MSTATEEN0, 1 }, { PMU_CSR_SEBBCS, 1 }, { SSTATEEN0, 0 }),
	  READS(U, PMU_CSR_EBBHR),
	  NOT(PMU_CSR_EBBHR, CLOSED, .closed_by = SSTATEEN0) },
};

static uint32_t csr_insn(unsigned form, unsigned num, unsigned rd, unsigned rs1)
{
	return (uint32_t)num << 20 | rs1 << 15 | form << 12 | rd << 7 | 0x73;
}

/* CDE is on unless the row says otherwise: what is delegated can be reached. */
static struct pmu_hart *make(const struct access_row *row, unsigned xlen)
{
	const struct script script = { .add = row->add };
	struct pmu_hart *h = script_hart(&script, xlen);
	unsigned effects;

	if (row->add & PMU_EXT_SMCDELEG)
		h->menvcfg = CDE;
	for (unsigned i = 0; i < N_POKES && row->pokes[i].num; i++)
		pmu_csr_poke(h, row->pokes[i].num, 1, row->pokes[i].value,
			     &effects);
	pmu_hart_set_mode(h, row->mode);
	return h;
}

static void check(const struct access_row *row, const struct pmu_csr_access *a)
{
	const struct pmu_csr_access *want = &row->want;

	ck_assert_msg(a->csr == row->num && a->reached == want->reached,
		      "%s: %#x reaches %#x", row->why, a->csr, a->reached);
	ck_assert_msg(a->selects == want->selects && a->select == want->select,
		      "%s: selects %#x", row->why, a->select);
	ck_assert_msg(a->read == (row->rd || !a->written) &&
			      a->written == (row->form % 4 == RW || row->rs1),
		      "%s: read %d, written %d", row->why, a->read, a->written);
	ck_assert_msg(a->refusal == want->refusal &&
			      a->virtual == want->virtual &&
			      a->closed_by == want->closed_by,
		      "%s: refusal %d, virtual %d, closed by %#x", row->why,
		      (int)a->refusal, a->virtual, a->closed_by);
	ck_assert_msg(a->old_value == want->old_value &&
			      a->new_value == want->new_value,
		      "%s: %#llx, then %#llx", row->why,
		      (unsigned long long)a->old_value,
		      (unsigned long long)a->new_value);
}

static void tell(const struct access_row *row, unsigned xlen)
{
	struct pmu_exec_in in = {
		.pc = 0x1000,
		.insn = csr_insn(row->form, row->num, row->rd, row->rs1),
		.rs1 = row->value,
		.now = 1,
	};
	struct pmu_hart *h = make(row, xlen), *other = make(row, xlen);
	struct pmu_exec_out out = { 0 }, alone = { 0 };
	struct pmu_csr_access a;

	ck_assert(pmu_csr_access_begin(h, &in, &a));
	pmu_exec(h, &in, &out);
	pmu_csr_access_end(h, &in, &a);
	check(row, &a);
	pmu_exec(other, &in, &alone);
	ck_assert_msg(!memcmp(h, other, sizeof(*h)), "%s: changed", row->why);
	ck_assert_int_eq(out.kind, alone.kind);
	ck_assert_int_eq(out.kind == PMU_EXEC_TRAP,
			 a.refusal != PMU_CSR_ACCEPTED);
	if (out.kind == PMU_EXEC_TRAP)
		ck_assert_int_eq(out.trap.cause, a.virtual ? PMU_CAUSE_VIRTUAL
							   : PMU_CAUSE_ILLEGAL);
	pmu_hart_free(h);
	pmu_hart_free(other);
}

TEST_ROWS(an_access_is_told, rows)
{
	const struct access_row *row = &rows[_i];

	if (row->xlen != 32)
		tell(row, 64);
	if (row->xlen != 64)
		tell(row, 32);
}

static const struct {
	const char *why;
	uint32_t insn;
} others[] = {
	{ "ecall", 0x73 },
	{ "fcsr", 0x003022f3 },
	{ "mscratch", 0x340022f3 },
	{ "menvcfg", 0x30a022f3 },
	{ "mhartid", 0xf14022f3 },
	{ "hlv.w", 0x680342f3 | 0x4000 },
	{ "no instruction of SYSTEM", 0xc00022f3 & ~UINT32_C(0x40) },
};

TEST_ROWS(nothing_is_told_of_others, others)
{
	struct pmu_exec_in in = { .insn = others[_i].insn };
	struct pmu_hart *h = script_hart(&(struct script){ 0 }, 64);
	struct pmu_csr_access a;

	ck_assert_msg(!pmu_csr_access_begin(h, &in, &a), "%s", others[_i].why);
	pmu_hart_free(h);
}

/* Every number in every mode: told as the hart does it, and by what. */
static void agree(unsigned num, enum pmu_mode mode, unsigned form, uint32_t add)
{
	const struct access_row row = { .add = add, .mode = mode };
	struct pmu_exec_in in = { .insn = csr_insn(form, num, 5, 6) };
	struct pmu_hart *h = make(&row, 64);
	struct pmu_exec_out out = { 0 };
	struct pmu_csr_access a;
	bool told = pmu_csr_access_begin(h, &in, &a);

	pmu_exec(h, &in, &out);
	ck_assert_int_eq(told, pmu_csr_class(num) != PMU_CSR_OF_NONE);
	if (told) {
		pmu_csr_access_end(h, &in, &a);
		ck_assert_int_eq(out.kind == PMU_EXEC_TRAP,
				 a.refusal != PMU_CSR_ACCEPTED);
		ck_assert_msg((a.refusal == PMU_CSR_CLOSED) == !!a.closed_by,
			      "%#x in %d: %d by %#x", num, (int)mode,
			      (int)a.refusal, a.closed_by);
		ck_assert(a.refusal != PMU_CSR_ACCEPTED ||
			  a.old_value == out.rd_value);
	}
	pmu_hart_free(h);
}

TEST_TIMES(a_refusal_names_what_refuses, PMU_N_MODES)
{
	static const uint32_t adds[] = { 0, PMU_EXT_H, STATEEN | EBB };

	for (size_t i = 0; i < ARRAY_SIZE(adds); i++)
		for (unsigned num = 0; num < PMU_N_CSRS; num++)
			if (pmu_csr_class(num) != PMU_CSR_OF_NONE &&
			    (_i <= PMU_MODE_U || adds[i] & PMU_EXT_H)) {
				agree(num, (enum pmu_mode)_i, RS, adds[i]);
				agree(num, (enum pmu_mode)_i, RW, adds[i]);
			}
}

SUITE("csr-access");
