/* SPDX-License-Identifier: BSD-2-Clause */
/* Trap entry, xRET and the choice of an interrupt, a second time. */
#include "trap-oracle.h"

#include <stddef.h>

#define BIT(n) (UINT64_C(1) << (n))

/* Bits of mstatus and, in the same places, of vsstatus. */
#define SIE    BIT(1)
#define MIE    BIT(3)
#define SPIE   BIT(5)
#define MPIE   BIT(7)
#define SPP    BIT(8)
#define MPP_AT 11
#define MPP    (UINT64_C(3) << MPP_AT)
#define MPRV   BIT(17)
#define TVM    BIT(20)
#define TW     BIT(21)
#define TSR    BIT(22)
#define GVA    BIT(38)
#define MPV    BIT(39)
/* Bits of hstatus. */
#define H_GVA  BIT(6)
#define H_SPV  BIT(7)
#define H_SPVP BIT(8)
#define H_VTVM BIT(20)
#define H_VTW  BIT(21)
#define H_VTSR BIT(22)

static const struct {
	const char *name;
	uint16_t number, high;
} csrs[TRAP_N_CSRS] = {
	[T_MSTATUS] = { "mstatus", 0x300, 0x310 },
	[T_MEDELEG] = { "medeleg", 0x302, 0x312 },
	[T_MIDELEG] = { "mideleg", 0x303, 0 },
	[T_MIE] = { "mie", 0x304, 0 },
	[T_MIP] = { "mip", 0x344, 0 },
	[T_MTVEC] = { "mtvec", 0x305, 0 },
	[T_MEPC] = { "mepc", 0x341, 0 },
	[T_MCAUSE] = { "mcause", 0x342, 0 },
	[T_MTVAL] = { "mtval", 0x343, 0 },
	[T_MTVAL2] = { "mtval2", 0x34b, 0 },
	[T_MTINST] = { "mtinst", 0x34a, 0 },
	[T_STVEC] = { "stvec", 0x105, 0 },
	[T_SEPC] = { "sepc", 0x141, 0 },
	[T_SCAUSE] = { "scause", 0x142, 0 },
	[T_STVAL] = { "stval", 0x143, 0 },
	[T_HSTATUS] = { "hstatus", 0x600, 0 },
	[T_HEDELEG] = { "hedeleg", 0x602, 0x612 },
	[T_HIDELEG] = { "hideleg", 0x603, 0 },
	[T_HTVAL] = { "htval", 0x643, 0 },
	[T_HTINST] = { "htinst", 0x64a, 0 },
	[T_HVIP] = { "hvip", 0x645, 0 },
	[T_VSSTATUS] = { "vsstatus", 0x200, 0 },
	[T_VSTVEC] = { "vstvec", 0x205, 0 },
	[T_VSEPC] = { "vsepc", 0x241, 0 },
	[T_VSCAUSE] = { "vscause", 0x242, 0 },
	[T_VSTVAL] = { "vstval", 0x243, 0 },
};

const char *trap_csr_name(unsigned csr)
{
	return csrs[csr].name;
}

uint16_t trap_csr_number(unsigned csr)
{
	return csrs[csr].number;
}

uint16_t trap_csr_high(unsigned csr)
{
	return csrs[csr].high;
}

void trap_look(const struct pmu_hart *h, struct trap_state *ret)
{
	uint64_t high;

	ret->mode = pmu_hart_mode(h);
	for (unsigned i = 0; i < TRAP_N_CSRS; i++) {
		ret->csr[i] = 0;
		pmu_csr_peek(h, csrs[i].number, 0, &ret->csr[i]);
		high = 0;
		if (csrs[i].high && !pmu_csr_peek(h, csrs[i].high, 0, &high))
			ret->csr[i] |= high << 32;
	}
}

static bool has(const struct pmu_hart_config *cfg, uint64_t ext)
{
	return (cfg->ext & ext) == ext;
}

static bool is_guest(enum pmu_mode mode)
{
	return mode == PMU_MODE_VS || mode == PMU_MODE_VU;
}

/* 3, 1 or 0, as MPP has it. */
static uint64_t nominal(enum pmu_mode mode)
{
	if (mode == PMU_MODE_M)
		return 3;
	return mode == PMU_MODE_S || mode == PMU_MODE_VS;
}

static void set(uint64_t *reg, uint64_t bits, bool on)
{
	*reg = on ? *reg | bits : *reg & ~bits;
}

static uint64_t xlen(const struct pmu_hart_config *cfg, uint64_t value)
{
	return cfg->xlen == 32 ? (uint32_t)value : value;
}

static uint64_t handler(const struct pmu_hart_config *cfg, uint64_t tvec,
			const struct pmu_trap *t, unsigned cause)
{
	uint64_t base = tvec - tvec % 4;

	if (tvec % 4 == 1 && t->interrupt)
		base += 4 * cause;
	return xlen(cfg, base);
}

static uint64_t cause_of(const struct pmu_hart_config *cfg,
			 const struct pmu_trap *t, unsigned cause)
{
	return cause | (t->interrupt ? BIT(cfg->xlen - 1) : 0);
}

static uint64_t to_m(struct trap_state *s, const struct pmu_hart_config *cfg,
		     const struct pmu_trap *t)
{
	uint64_t *status = &s->csr[T_MSTATUS];

	s->csr[T_MEPC] = xlen(cfg, t->pc);
	s->csr[T_MCAUSE] = cause_of(cfg, t, t->cause);
	s->csr[T_MTVAL] = xlen(cfg, t->tval);
	set(status, MPIE, *status & MIE);
	set(status, MIE, false);
	*status = (*status & ~MPP) | nominal(s->mode) << MPP_AT;
	if (has(cfg, PMU_EXT_H)) {
		set(status, MPV, is_guest(s->mode));
		set(status, GVA, t->gva);
		s->csr[T_MTVAL2] = xlen(cfg, t->tval2);
		s->csr[T_MTINST] = xlen(cfg, t->tinst);
	}
	s->mode = PMU_MODE_M;
	return handler(cfg, s->csr[T_MTVEC], t, t->cause);
}

static void push_s(uint64_t *status, enum pmu_mode from)
{
	set(status, SPIE, *status & SIE);
	set(status, SIE, false);
	set(status, SPP, nominal(from) == 1);
}

static uint64_t to_hs(struct trap_state *s, const struct pmu_hart_config *cfg,
		      const struct pmu_trap *t)
{
	uint64_t *hstatus = &s->csr[T_HSTATUS];

	s->csr[T_SEPC] = xlen(cfg, t->pc);
	s->csr[T_SCAUSE] = cause_of(cfg, t, t->cause);
	s->csr[T_STVAL] = xlen(cfg, t->tval);
	push_s(&s->csr[T_MSTATUS], s->mode);
	if (has(cfg, PMU_EXT_H)) {
		set(hstatus, H_SPV, is_guest(s->mode));
		if (is_guest(s->mode))
			set(hstatus, H_SPVP, s->mode == PMU_MODE_VS);
		set(hstatus, H_GVA, t->gva);
		s->csr[T_HTVAL] = xlen(cfg, t->tval2);
		s->csr[T_HTINST] = xlen(cfg, t->tinst);
	}
	s->mode = PMU_MODE_S;
	return handler(cfg, s->csr[T_STVEC], t, t->cause);
}

static uint64_t to_vs(struct trap_state *s, const struct pmu_hart_config *cfg,
		      const struct pmu_trap *t)
{
	unsigned cause = t->cause;

	/* VSSI, VSTI, VSEI become SSI, STI, SEI; LCOFI stays (C175). */
	if (t->interrupt && t->given != PMU_MODE_VS &&
	    (cause == 2 || cause == 6 || cause == 10))
		cause--;
	s->csr[T_VSEPC] = xlen(cfg, t->pc);
	s->csr[T_VSCAUSE] = cause_of(cfg, t, cause);
	s->csr[T_VSTVAL] = xlen(cfg, t->tval);
	push_s(&s->csr[T_VSSTATUS], s->mode);
	s->mode = PMU_MODE_VS;
	return handler(cfg, s->csr[T_VSTVEC], t, cause);
}

uint64_t trap_enter(struct trap_state *s, const struct pmu_hart_config *cfg,
		    const struct pmu_trap *t)
{
	uint64_t m = s->csr[t->interrupt ? T_MIDELEG : T_MEDELEG];
	uint64_t h = s->csr[t->interrupt ? T_HIDELEG : T_HEDELEG];

	if (s->mode == PMU_MODE_M || !(m >> t->cause & 1))
		return to_m(s, cfg, t);
	if (is_guest(s->mode) && h >> t->cause & 1)
		return to_vs(s, cfg, t);
	return to_hs(s, cfg, t);
}

uint64_t trap_enter_as(struct trap_state *s, const struct pmu_hart_config *cfg,
		       const struct pmu_trap *t, enum pmu_mode level)
{
	struct pmu_trap as = *t;

	as.given = level;
	if (level == PMU_MODE_M)
		return to_m(s, cfg, &as);
	return level == PMU_MODE_VS ? to_vs(s, cfg, &as) : to_hs(s, cfg, &as);
}

/* The first of @order that is in @set, or -1. */
static int first(const int8_t *order, uint64_t set)
{
	for (; *order >= 0; order++)
		if (set >> *order & 1)
			return *order;
	return -1;
}

bool trap_open(const struct trap_state *s, enum pmu_mode level)
{
	if (level == PMU_MODE_M)
		return s->mode != PMU_MODE_M || s->csr[T_MSTATUS] & MIE;
	if (s->mode == PMU_MODE_M)
		return false;
	if (level == PMU_MODE_S)
		return s->mode != PMU_MODE_S || s->csr[T_MSTATUS] & SIE;
	return s->mode == PMU_MODE_VU ||
	       (s->mode == PMU_MODE_VS && s->csr[T_VSSTATUS] & SIE);
}

int trap_next_interrupt(const struct trap_state *s)
{
	static const int8_t m_order[] = { 11, 3, 7, 9, 1, 5, 13, -1 };
	static const int8_t hs_order[] = { 9, 1, 5, 12, 10, 2, 6, 13, -1 };
	static const int8_t vs_order[] = { 10, 2, 6, 13, -1 };
	uint64_t pending = s->csr[T_MIP] & s->csr[T_MIE];
	uint64_t m = s->csr[T_MIDELEG], h = s->csr[T_HIDELEG];
	int found = -1;

	if (trap_open(s, PMU_MODE_M))
		found = first(m_order, pending & ~m);
	if (found < 0 && trap_open(s, PMU_MODE_S))
		found = first(hs_order, pending & m & ~h);
	if (found < 0 && trap_open(s, PMU_MODE_VS))
		found = first(vs_order, pending & m & h);
	return found;
}

static enum pmu_mode mode_of(uint64_t privilege, bool guest)
{
	if (privilege == 3)
		return PMU_MODE_M;
	if (privilege == 1)
		return guest ? PMU_MODE_VS : PMU_MODE_S;
	return guest ? PMU_MODE_VU : PMU_MODE_U;
}

static void mret(struct trap_state *s, const struct pmu_hart_config *cfg,
		 struct trap_outcome *ret)
{
	uint64_t *status = &s->csr[T_MSTATUS];
	uint64_t mpp = (*status & MPP) >> MPP_AT;
	bool guest = has(cfg, PMU_EXT_H) && mpp != 3 && *status & MPV;

	s->mode = mode_of(mpp, guest);
	set(status, MIE, *status & MPIE);
	set(status, MPIE, true);
	set(status, MPP, !has(cfg, PMU_EXT_U));
	set(status, MPV, false);
	if (mpp != 3)
		set(status, MPRV, false);
	ret->pc = s->csr[T_MEPC];
}

static void pop_s(uint64_t *status)
{
	set(status, SIE, *status & SPIE);
	set(status, SPIE, true);
	set(status, SPP, false);
}

static void sret(struct trap_state *s, const struct pmu_hart_config *cfg,
		 struct trap_outcome *ret)
{
	uint64_t *status = &s->csr[T_MSTATUS], *hstatus = &s->csr[T_HSTATUS];
	bool guest = has(cfg, PMU_EXT_H) && *hstatus & H_SPV;

	if (s->mode == PMU_MODE_VS) {
		s->mode = mode_of(!!(s->csr[T_VSSTATUS] & SPP), true);
		pop_s(&s->csr[T_VSSTATUS]);
		ret->pc = s->csr[T_VSEPC];
	} else {
		s->mode = mode_of(!!(*status & SPP), guest);
		pop_s(status);
		set(hstatus, H_SPV, false);
		ret->pc = s->csr[T_SEPC];
	}
	set(status, MPRV, false);
}

enum {
	LEGAL,
	ILLEGAL = PMU_CAUSE_ILLEGAL,
	VIRTUAL = PMU_CAUSE_VIRTUAL,
};

/* An instruction of S-mode that @trap (mstatus) and @vtrap (hstatus) keep. */
static int supervisor(const struct trap_state *s,
		      const struct pmu_hart_config *cfg, uint64_t trap,
		      uint64_t vtrap)
{
	if (!has(cfg, PMU_EXT_S) || s->mode == PMU_MODE_U)
		return ILLEGAL;
	if (s->mode == PMU_MODE_VU)
		return VIRTUAL;
	if (s->mode == PMU_MODE_S && s->csr[T_MSTATUS] & trap)
		return ILLEGAL;
	if (s->mode == PMU_MODE_VS && s->csr[T_HSTATUS] & vtrap)
		return VIRTUAL;
	return LEGAL;
}

static int wfi(const struct trap_state *s, const struct pmu_hart_config *cfg)
{
	if (s->mode == PMU_MODE_M)
		return LEGAL;
	if (s->csr[T_MSTATUS] & TW)
		return ILLEGAL;
	if (s->mode == PMU_MODE_U)
		return has(cfg, PMU_EXT_S) ? ILLEGAL : LEGAL;
	if (s->mode == PMU_MODE_VU)
		return VIRTUAL;
	return s->mode == PMU_MODE_VS && s->csr[T_HSTATUS] & H_VTW ? VIRTUAL
								   : LEGAL;
}

static int hfence(const struct trap_state *s, const struct pmu_hart_config *cfg,
		  uint64_t trap)
{
	if (!has(cfg, PMU_EXT_H) || s->mode == PMU_MODE_U)
		return ILLEGAL;
	if (is_guest(s->mode))
		return VIRTUAL;
	return s->mode == PMU_MODE_S && s->csr[T_MSTATUS] & trap ? ILLEGAL
								 : LEGAL;
}

static int ecall(const struct trap_state *s)
{
	static const uint8_t causes[PMU_N_MODES] = {
		[PMU_MODE_U] = 8,   [PMU_MODE_VU] = 8, [PMU_MODE_S] = 9,
		[PMU_MODE_VS] = 10, [PMU_MODE_M] = 11,
	};

	return causes[s->mode];
}

void trap_execute(struct trap_state *s, const struct pmu_hart_config *cfg,
		  const struct pmu_exec_in *in, struct trap_outcome *ret)
{
	int cause = ILLEGAL;

	*ret = (struct trap_outcome){ .kind = PMU_EXEC_RETIRED,
				      .pc = xlen(cfg, in->pc + 4) };
	if (in->insn == 0x30200073) {
		cause = s->mode == PMU_MODE_M ? LEGAL : ILLEGAL;
		if (cause == LEGAL)
			mret(s, cfg, ret);
	} else if (in->insn == 0x10200073) {
		cause = supervisor(s, cfg, TSR, H_VTSR);
		if (cause == LEGAL)
			sret(s, cfg, ret);
	} else if (in->insn == 0x10500073) {
		cause = wfi(s, cfg);
		ret->kind = PMU_EXEC_WAIT;
	} else if (in->insn == 0x12000073) {
		cause = supervisor(s, cfg, TVM, H_VTVM);
	} else if (in->insn == 0x22000073) {
		cause = hfence(s, cfg, 0);
	} else if (in->insn == 0x62000073) {
		cause = hfence(s, cfg, TVM);
	} else if (in->insn == 0x00000073) {
		cause = ecall(s);
	}
	if (cause == LEGAL)
		return;
	ret->kind = PMU_EXEC_TRAP;
	ret->cause = (uint8_t)cause;
}
