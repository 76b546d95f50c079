/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boot and trap handlers of a guest, one handler for each privilege. An
 * interrupt is answered and returned from; an exception goes to the next of the
 * hart's places: where, with which rights, registers and counters.
 */
#include <string.h>

#include "engine-guest-hart.h"

#define CSRW(csr, rs1)	  CSRRW(0, csr, rs1)
#define CSRR(rd, csr)	  CSRRS(rd, csr, 0)
#define CSRC(csr, rs1)	  ASM_I(0x73, 3, 0, rs1, csr)
#define AND(rd, rs1, rs2) ASM_R(0x33, 7, rd, rs1, rs2)
#define OR(rd, rs1, rs2)  ASM_R(0x33, 6, rd, rs1, rs2)
#define AUIPC(rd, pages)  (0x17u | (unsigned)(rd) << 7 | (uint32_t)(pages) << 12)
#define SLLI(rd, rs1, n)  ASM_I(0x13, 1, rd, rs1, n)
#define SRLI(rd, rs1, n)  ASM_I(0x13, 5, rd, rs1, n)
#define SLL(rd, rs1, rs2) ASM_R(0x33, 1, rd, rs1, rs2)
#define BGE(rs1, rs2, to) ASM_B(5, rs1, rs2, to)
#define MRET		  PMU_WORD_MRET
#define SRET		  PMU_WORD_SRET

#define EID_HSM UINT64_C(0x48534d)

static const struct level_row {
	uint16_t scratch, cause, epc, status, ip;
	uint8_t timer; /* cause */
	uint32_t ret;
} levels[] = {
	[LEVEL_M] = { PMU_CSR_MSCRATCH, PMU_CSR_MCAUSE, PMU_CSR_MEPC,
		      PMU_CSR_MSTATUS, PMU_CSR_MIP, 7, MRET },
	[LEVEL_S] = { PMU_CSR_SSCRATCH, PMU_CSR_SCAUSE, PMU_CSR_SEPC,
		      PMU_CSR_SSTATUS, PMU_CSR_SIP, 5, SRET },
};

/* CSRs of counters, in the order of a place; then the upper halves. */
static const uint16_t place_csrs[] = {
	PMU_CSR_MCOUNTINHIBIT,	   PMU_CSR_MHPMEVENT3,
	PMU_CSR_MHPMEVENT3 + 1,	   PMU_CSR_MHPMEVENT3 + 2,
	PMU_CSR_MHPMCOUNTER3,	   PMU_CSR_MHPMCOUNTER3 + 1,
	PMU_CSR_MHPMCOUNTER3 + 2,  PMU_CSR_MHPMEVENT3H,
	PMU_CSR_MHPMEVENT3H + 1,   PMU_CSR_MHPMEVENT3H + 2,
	PMU_CSR_MHPMCOUNTER3H,	   PMU_CSR_MHPMCOUNTER3H + 1,
	PMU_CSR_MHPMCOUNTER3H + 2,
};
_Static_assert(COUNTERS + sizeof(place_csrs) / sizeof(place_csrs[0]) ==
		       PLACE_WORDS,
	       "a word for each");

/* Words of a hart's page are reached from x31. */
static int slot(const struct making *m, unsigned n)
{
	return (int)(n * word_size(m));
}

static void put(struct out_at *o, uint32_t insn)
{
	memcpy(o->m->g->image + o->at, &insn, sizeof(insn));
	o->at += sizeof(insn);
}

static void put_jump(struct out_at *o, uint64_t to)
{
	put(o, JAL(0, (int64_t)(to - o->at)));
}

/* Goes to @to if x30 is the number @n. */
static void put_case(struct out_at *o, int n, uint64_t to)
{
	put(o, ADDI(29, 0, n));
	put(o, BEQ(30, 29, (int64_t)(to - o->at)));
}

static void put_leave(struct out_at *o, const struct level_row *l)
{
	struct making *m = o->m;

	put(o, load_x(m, 28, 31, slot(m, SAVED + 2)));
	put(o, load_x(m, 29, 31, slot(m, SAVED + 1)));
	put(o, load_x(m, 30, 31, slot(m, SAVED)));
	put(o, CSRRW(31, l->scratch, 31));
	put(o, l->ret);
}

/* What the place at x29 says. */
static void put_place(struct out_at *o, const struct level_row *l)
{
	struct making *m = o->m;
	unsigned n = m->g->xlen == 32 ? PLACE_WORDS : PLACE_WORDS - 6;

	put(o, load_x(m, 30, 29, slot(m, PC)));
	put(o, CSRW(l->epc, 30));
	put(o, load_x(m, 30, 29, slot(m, SATP)));
	put(o, CSRR(28, PMU_CSR_SATP));
	put(o, BEQ(28, 30, 8));
	put(o, CSRW(PMU_CSR_SATP, 30));
	/* in one go: a bit that stays is never cleared on the way */
	put(o, CSRR(28, l->status));
	put(o, load_x(m, 30, 31, slot(m, STATUS)));
	put(o, AND(28, 28, 30));
	put(o, load_x(m, 30, 29, slot(m, BITS)));
	put(o, OR(28, 28, 30));
	put(o, CSRW(l->status, 28));
	for (unsigned i = 0; i < N_PLACE_REGS; i++)
		put(o, load_x(m, place_regs[i], 29, slot(m, REGS + i)));
	for (unsigned i = COUNTERS; l == &levels[LEVEL_M] && i < n; i++) {
		put(o, load_x(m, 30, 29, slot(m, i)));
		put(o, CSRW(place_csrs[i - COUNTERS], 30));
	}
}

static void put_exception(struct out_at *o, const struct level_row *l,
			  uint64_t leave)
{
	struct making *m = o->m;

	put(o, FENCE_I);
	put(o, load_x(m, 29, 31, slot(m, NEXT)));
	put_place(o, l);
	put(o, ADDI(29, 29, slot(m, PLACE_WORDS)));
	put(o, load_x(m, 30, 31, slot(m, END)));
	put(o, BNE(29, 30, 8));
	put(o, load_x(m, 29, 31, slot(m, FIRST)));
	put(o, store_x(m, 29, 31, slot(m, NEXT)));
	put_jump(o, leave);
}

/* One interrupt in four goes on elsewhere, by what time it is. */
static void put_leave_mostly(struct out_at *o, uint64_t leave)
{
	put(o, CSRR(30, PMU_CSR_TIME));
	put(o, ASM_I(0x13, 7, 28, 30, 3));
	put(o, BNE(28, 0, (int64_t)(leave - o->at)));
}

/* The next one comes soon. */
static void put_timer(struct out_at *o, enum level level, uint64_t leave)
{
	struct making *m = o->m;
	int period = (int)m->handling + (int)dice(m, one_in(m, 4) ? 100 : 12);

	if (level == LEVEL_S) {
		put(o, CSRR(30, PMU_CSR_TIME));
		put(o, ADDI(30, 30, period));
		put(o, CSRW(PMU_CSR_STIMECMP, 30));
		if (m->g->xlen == 32)
			put(o, CSRW(PMU_CSR_STIMECMPH, 0));
	} else {
		put(o, load_x(m, 29, 31, slot(m, TIMER)));
		put(o, load_x(m, 30, 31, slot(m, CLOCK)));
		put(o, LW(30, 30, 0));
		put(o, ADDI(30, 30, period));
		put(o, SW(30, 29, 0));
		put(o, SW(0, 29, 4));
	}
	put_leave_mostly(o, leave);
}

/* Any other interrupt: it is as if it had not been pending. */
static void put_other(struct out_at *o, const struct level_row *l,
		      uint64_t leave)
{
	put(o, SRLI(30, 30, 1));
	put(o, ADDI(29, 0, 1));
	put(o, SLL(29, 29, 30));
	put(o, CSRC(l->ip, 29));
	put(o, ADDI(30, 0, -1));
	put(o, CSRW(PMU_CSR_STIMECMP, 30));
	if (o->m->g->xlen == 32)
		put(o, CSRW(PMU_CSR_STIMECMPH, 30));
	put_leave_mostly(o, leave);
}

struct handler {
	uint64_t entry, exception, timer;
};

static struct handler put_handler(struct out_at *o, enum level level)
{
	const struct level_row *l = &levels[level];
	struct making *m = o->m;
	uint64_t leave = o->at, software, other;
	struct handler ret;

	put_leave(o, l);
	ret.exception = o->at;
	put_exception(o, l, leave);
	ret.timer = o->at;
	put_timer(o, level, leave);
	put_jump(o, ret.exception);
	software = o->at;
	put(o, load_x(m, 29, 31, slot(m, SOFTWARE)));
	put(o, SW(0, 29, 0));
	put_jump(o, leave);
	other = o->at;
	put_other(o, l, leave);
	put_jump(o, ret.exception);
	ret.entry = o->at;
	put(o, CSRRW(31, l->scratch, 31));
	put(o, store_x(m, 30, 31, slot(m, SAVED)));
	put(o, store_x(m, 29, 31, slot(m, SAVED + 1)));
	put(o, store_x(m, 28, 31, slot(m, SAVED + 2)));
	put(o, CSRR(30, l->cause));
	put(o, BGE(30, 0, (int64_t)(ret.exception - o->at)));
	put(o, SLLI(30, 30, 1));
	put_case(o, 2 * l->timer, ret.timer);
	if (level == LEVEL_M)
		put_case(o, 2 * 3, software);
	put_jump(o, other);
	return ret;
}

/* Boot */

struct boot {
	struct out_at *o;
	enum level level;
	unsigned slot;
};

/* From hart to hart the value grows by @more. */
static void put_csr(struct boot *b, uint16_t csr, uint64_t value, uint64_t more)
{
	struct making *m = b->o->m;

	for (unsigned i = 0; i < m->g->harts; i++)
		put_word(m, hart_at(i, b->level) + b->slot * word_size(m),
			 value + i * more);
	put(b->o, load_x(m, 30, 31, slot(m, b->slot)));
	put(b->o, CSRW(csr, 30));
	b->slot++;
}

static uint64_t napot(uint64_t base, unsigned bits)
{
	return base >> 2 | ((UINT64_C(1) << (bits - 3)) - 1);
}

/*
 * What holds code is not written and what is written is no code, but for the
 * pages behind REG_ALIAS, or guests would owe fence.i.
 */
static void protect(struct boot *b)
{
	struct making *m = b->o->m;

	put_csr(b, PMU_CSR_PMPADDR0, napot(page_at(m, PATCH_PAGE), 16), 0);
	put_csr(b, PMU_CSR_PMPADDR0 + 1, napot(page_at(m, ENTRY_PAGE), 16), 0);
	put_csr(b, PMU_CSR_PMPADDR0 + 2, napot(m->g->base, 22), 0);
	put_csr(b, PMU_CSR_PMPADDR0 + 3, UINT64_MAX >> 10, 0);
	put_csr(b, PMU_CSR_PMPCFG0, 0x1f9b9d9f, 0);
}

static void delegate(struct boot *b)
{
	static const uint32_t lists[] = { 0xb1ff, 0xb1fb, 0xb000, 0, 0xb10b };
	struct making *m = b->o->m;
	uint64_t envcfg = UINT64_C(1) << 63 | (uint64_t)dice(m, 2) << 61;
	uint32_t list = lists[dice(m, sizeof(lists) / sizeof(lists[0]))];
	bool lcofi = !one_in(m, 3);

	m->illegal_to_s = list & 4;
	put_csr(b, PMU_CSR_MEDELEG, list, 0);
	put_csr(b, PMU_CSR_MIDELEG, 0x222 | (lcofi ? 0x2000 : 0), 0);
	put_csr(b, PMU_CSR_MCOUNTEREN, UINT32_MAX, 0);
	put_csr(b, PMU_CSR_SCOUNTEREN, UINT32_MAX, 0);
	put_csr(b, PMU_CSR_MENVCFG, envcfg, 0);
	if (m->g->xlen == 32)
		put_csr(b, PMU_CSR_MENVCFGH, envcfg >> 32, 0);
	put_csr(b, PMU_CSR_MIE, 0x22aa, 0);
	put_csr(b, PMU_CSR_MSCRATCH, 0, 0);
}

static void put_s_csrs(struct boot *b, uint64_t entry)
{
	struct making *m = b->o->m;

	put_csr(b, PMU_CSR_STVEC, m->g->base + entry, 0);
	put_csr(b, PMU_CSR_SSCRATCH, m->g->base + hart_at(0, LEVEL_S),
		hart_at(1, LEVEL_M) - hart_at(0, LEVEL_M));
}

static void boot_m(struct boot *b, uint64_t m_entry, uint64_t s_entry)
{
	struct making *m = b->o->m;

	put_csr(b, PMU_CSR_MTVEC, m->g->base + m_entry, 0);
	protect(b);
	delegate(b);
	put_s_csrs(b, s_entry);
}

/* Hart 0 starts the others; register 10 is the hart. */
static void boot_s(struct boot *b, uint64_t entry)
{
	struct making *m = b->o->m;
	unsigned n = m->g->harts - 1;

	put_s_csrs(b, entry);
	put_csr(b, PMU_CSR_SIE, 0x2222, 0);
	put_csr(b, PMU_CSR_SCOUNTEREN, UINT32_MAX, 0);
	for (unsigned i = 0; i < m->g->harts; i++) {
		uint64_t at = hart_at(i, LEVEL_S) + b->slot * word_size(m);

		put_word(m, at, m->g->base);
		put_word(m, at + word_size(m), EID_HSM);
	}
	put(b->o, BNE(10, 0, 4 + 20 * (int)n));
	for (unsigned i = 1; i <= n; i++) {
		put(b->o, ADDI(10, 0, (int)i));
		put(b->o, load_x(m, 11, 31, slot(m, b->slot)));
		put(b->o, load_x(m, 17, 31, slot(m, b->slot + 1)));
		put(b->o, ADDI(16, 0, 0));
		put(b->o, ECALL);
	}
}

void entry_make(struct making *m)
{
	struct out_at o = { m, ENTRY_PAGE * PAGE + PAGE };
	struct handler s = put_handler(&o, LEVEL_S);
	struct handler h = m->g->m_mode ? put_handler(&o, LEVEL_M) : s;
	struct out_at at = { m, 0 };
	struct boot b = { &at, m->g->m_mode ? LEVEL_M : LEVEL_S, VALUES };

	put(&at, AUIPC(31, HART_PAGE));
	put(&at, m->g->m_mode ? CSRR(30, PMU_CSR_MHARTID) : ADDI(30, 10, 0));
	put(&at, SLLI(30, 30, 16));
	put(&at, ADD(31, 31, 30));
	if (m->g->m_mode) {
		boot_m(&b, h.entry, s.entry);
	} else {
		put(&at, ADDI(31, 31, S_OFFSET - 1));
		put(&at, ADDI(31, 31, 1));
		boot_s(&b, h.entry);
	}
	put_jump(&at, one_in(m, 32) ? h.exception : h.timer);
}
