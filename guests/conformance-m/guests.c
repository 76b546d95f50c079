/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VS and VU with the hypervisor extension: the enables, the filters, and which
 * refusal is illegal and which virtual (conformance K, M, N).
 */
#include "bench.h"

#define READ(csr) 0, CSRR(A0, csr)
#define GAP(csr)  0, CSRR(A1, csr), NOP, NOP, NOP, CSRR(A0, csr), SUB(A0, A0, A1)
#define ENABLE(m, h, s)                                                        \
	FRESH, DO(wr, MCOUNTEREN, m), DO(wr, HCOUNTEREN, h),                   \
		DO(wr, SCOUNTEREN, s)

static const struct step enables[] = {
	ENABLE(0, ALL, ALL),
	CLAIM("m 0 h 1: VS reading cycle is illegal", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_vs, READ(CYCLE)),
	CLAIM("m 0 h 1: VU reading cycle is illegal", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_vu, READ(CYCLE)),
	ENABLE(1, 0, ALL),
	CLAIM("m 1 h 0: VS reading cycle is virtual", RULE("C115"),
	      BOTH(ERR(VIRTUAL)), in_vs, READ(CYCLE)),
	CLAIM("m 1 h 0: VU reading cycle is virtual", RULE("C115"),
	      BOTH(ERR(VIRTUAL)), in_vu, READ(CYCLE)),
	CLAIM("m 1 h 0: S reads cycle", RULE("C115 hcounteren_op"), BOTH(OK),
	      in_s, READ(CYCLE)),
	CLAIM("m 1 h 0: U reads cycle", RULE("C115 hcounteren_op"), BOTH(OK),
	      in_u, READ(CYCLE)),
	ENABLE(1, 1, 0),
	CLAIM("m 1 h 1: VS reads cycle", RULE("C115"), BOTH(OK), in_vs,
	      READ(CYCLE)),
	CLAIM("m 1 h 1 s 0: VU reading cycle is virtual",
	      RULE("C115 H_scsrs_nomatch"), BOTH(ERR(VIRTUAL)), in_vu,
	      READ(CYCLE)),
	ENABLE(1, 1, 1),
	CLAIM("m 1 h 1 s 1: VU reads cycle", RULE("C115"), BOTH(OK), in_vu,
	      READ(CYCLE)),
	ENABLE(ALL, 0, 0),
	CLAIM("upper halves in VS: illegal on RV64", RULE("C115 C139"),
	      BOTH(BY_XLEN(ERR(ILLEGAL), ERR(VIRTUAL))), in_vs, READ(CYCLEH)),
	CLAIM("a write to cycle in VS is illegal", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_vs, 0, CSRRW(0, CYCLE, A0)),
	CLAIM("mcycle in VS is illegal", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_vs, READ(MCYCLE)),
	CLAIM("hcounteren in VS is virtual", RULE("C115"), BOTH(ERR(VIRTUAL)),
	      in_vs, READ(HCOUNTEREN)),
	FRESH,
};

static const struct step overflows[] = {
	ENABLE(0x38, 0x18, 0),
	DO(set_event, 3, OF),
	DO(set_event, 5, OF),
	DO(set_event, 6, OF),
	CLAIM("scountovf in S", RULE("C112"), BOTH(VAL(0x28)), in_s,
	      READ(SCOUNTOVF)),
	CLAIM("scountovf in VS: what hcounteren lets it see, too",
	      RULE("C112 scountovf_vsmode_read_access"), BOTH(VAL(8)), in_vs,
	      READ(SCOUNTOVF)),
	CLAIM("scountovf in VU is virtual", RULE("C112"), BOTH(ERR(VIRTUAL)),
	      in_vu, READ(SCOUNTOVF)),
	CLAIM("a write to scountovf in VS is illegal", RULE("C112"),
	      BOTH(ERR(ILLEGAL)), in_vs, 0, CSRRW(0, SCOUNTOVF, A0)),
	FRESH,
	CLAIM("wfi in VU is virtual", RULE("C165"), BOTH(ERR(VIRTUAL)), in_vu,
	      0, WFI),
	DO(wr, HSTATUS, 1 << 21),
	CLAIM("wfi in VS with VTW is virtual", RULE("C165"), BOTH(ERR(VIRTUAL)),
	      in_vs, 0, WFI),
	DO(wr, HSTATUS, 0),
	DO(wr, BY_XLEN(HTIMEDELTA, HTIMEDELTAH), 1ull << BY_XLEN(62, 30)),
	CLAIM("time in VS has htimedelta on it", RULE("C164"), BOTH(VAL(1)),
	      in_vs, 0, CSRR(A0, BY_XLEN(TIME, TIMEH)),
	      BY_XLEN(0x03e55513, 0x01e55513) /* srli a0, a0, 62 or 30 */),
	CLAIM("time in S has not", RULE("C164"), BOTH(VAL(0)), in_s, 0,
	      CSRR(A0, BY_XLEN(TIME, TIMEH)), BY_XLEN(0x03e55513, 0x01e55513)),
	DO(wr, BY_XLEN(HTIMEDELTA, HTIMEDELTAH), 0),
	FRESH,
};

static const struct step filters[] = {
	FRESH,
	DO(wr, SCOUNTEREN, ALL),
	CLAIM("instret in VS", RULE("C118"), BOTH(VAL(4)), in_vs, GAP(INSTRET)),
	DO(set_event, 3, VSINH | INSNS),
	CLAIM("VSINH: not in VS", RULE("C106 C137"), BOTH(VAL(0)), in_vs,
	      GAP(HPMCOUNTER3)),
	CLAIM("VSINH: in VU", RULE("C106 C137"), BOTH(VAL(4)), in_vu,
	      GAP(HPMCOUNTER3)),
	CLAIM("VSINH: in S", RULE("C106 C137"), BOTH(VAL(4)), in_s,
	      GAP(HPMCOUNTER3)),
	DO(set_event, 3, VUINH | INSNS),
	CLAIM("VUINH: not in VU", RULE("C106 C137"), BOTH(VAL(0)), in_vu,
	      GAP(HPMCOUNTER3)),
	CLAIM("VUINH: in U", RULE("C106 C137"), BOTH(VAL(4)), in_u,
	      GAP(HPMCOUNTER3)),
	DO(set_event, 3, SINH | UINH | INSNS),
	CLAIM("SINH and UINH: in VS", RULE("C137"), BOTH(VAL(4)), in_vs,
	      GAP(HPMCOUNTER3)),
	CLAIM("SINH and UINH: in VU", RULE("C137"), BOTH(VAL(4)), in_vu,
	      GAP(HPMCOUNTER3)),
	CLAIM("SINH and UINH: not in S", RULE("C137"), BOTH(VAL(0)), in_s,
	      GAP(HPMCOUNTER3)),
	DO(set_event, 3, MINH | SINH | UINH | VUINH | INSNS),
	DO(set_counter, 3, -1ull),
	CLAIM("an overflow in VS", RULE("C107"), BOTH(OK), in_vs, 0, NOP),
	CLAIM("sets OF", RULE("C107"),
	      BOTH(VAL(OF | MINH | SINH | UINH | VUINH | INSNS)), event, 3),
	FRESH,
};

/* With delegation S-mode's view is the hypervisor's to give. */
static const struct step delegated[] = {
	FRESH,
	CLAIM("CDE 0: scountinhibit in VS is illegal", RULE("C132"),
	      BOTH(ERR(ILLEGAL)), in_vs, READ(SCOUNTINHIBIT)),
	CLAIM("CDE 0: sireg of counter 3 in VS is illegal", RULE("C133"),
	      BOTH(ERR(ILLEGAL)), in_vs, 0x43, CSRRW(0, SISELECT, A0),
	      CSRR(A0, SIREG)),
	DO(set_cde, 1),
	CLAIM("CDE 1: scountinhibit in VS is virtual", RULE("C132"),
	      BOTH(ERR(VIRTUAL)), in_vs, READ(SCOUNTINHIBIT)),
	CLAIM("CDE 1: scountinhibit in VU is virtual", RULE("C132"),
	      BOTH(ERR(VIRTUAL)), in_vu, READ(SCOUNTINHIBIT)),
	CLAIM("CDE 1: scountovf in VS is virtual",
	      RULE("C112 C134 ssccfg_virtual_scountovf_vs_vu"),
	      BOTH(ERR(VIRTUAL)), in_vs, READ(SCOUNTOVF)),
	CLAIM("CDE 1: a write to scountovf in VS is illegal", RULE("C112 C134"),
	      BOTH(ERR(ILLEGAL)), in_vs, 0, CSRRW(0, SCOUNTOVF, A0)),
	CLAIM("CDE 1: sireg of counter 3 in VS is virtual", RULE("C133"),
	      BOTH(ERR(VIRTUAL)), in_vs, 0x43, CSRRW(0, SISELECT, A0),
	      CSRR(A0, SIREG)),
	CLAIM("CDE 1: sireg3 of counter 3 in VS is virtual", RULE("C133"),
	      BOTH(ERR(VIRTUAL)), in_vs, 0x43, CSRRW(0, SISELECT, A0),
	      CSRR(A0, SIREG3)),
	CLAIM("siselect in VS is vsiselect", RULE("C169"), BOTH(VAL(0x43)), rd,
	      VSISELECT),
	CLAIM("CDE 1: vsireg of counter 3 in S is illegal", RULE("C133"),
	      BOTH(ERR(ILLEGAL)), in_s, READ(VSIREG)),
	CLAIM("vsiselect in VS is virtual", RULE("C133"), BOTH(ERR(VIRTUAL)),
	      in_vs, READ(VSISELECT)),
	CLAIM("siselect in VU is virtual", RULE("C133"), BOTH(ERR(VIRTUAL)),
	      in_vu, READ(SISELECT)),
	FRESH,
};

static const struct step states[] = {
	DO(wr, HSTATE, 0),
	CLAIM("hstateen0 off: siselect in VS is virtual", RULE("C133 C171"),
	      BOTH(ERR(VIRTUAL)), in_vs, READ(SISELECT)),
	CLAIM("hstateen0 off: sireg in VS is virtual, CDE 0 or not",
	      RULE("C133"), BOTH(ERR(VIRTUAL)), in_vs, READ(SIREG)),
	CLAIM("hstateen0 off: S has siselect", RULE("C171"), BOTH(OK), in_s,
	      READ(SISELECT)),
	DO(wr, MSTATE, 0),
	CLAIM("mstateen0 off: siselect in VS is illegal", RULE("C133"),
	      BOTH(ERR(ILLEGAL)), in_vs, READ(SISELECT)),
	CLAIM("mstateen0 off: siselect in VU is illegal", RULE("C133"),
	      BOTH(ERR(ILLEGAL)), in_vu, READ(SISELECT)),
	DO(wr, MSTATE, SELECTOR),
	DO(wr, HSTATE, SELECTOR),
};

void chapter_guests(void)
{
	TAP_STEPS("guests", enables);
	TAP_STEPS("guests", overflows);
	TAP_STEPS("guests", filters);
	if (known.delegation && known.stateen)
		TAP_STEPS("guests", states);
	if (known.delegation)
		TAP_STEPS("guests", delegated);
}
