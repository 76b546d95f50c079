/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every CSR of a hart: one row each, or one per run. A number
 * without a row does not exist. Rows are in the order of numbers.
 */
#include "csr-row.h"

#include <stddef.h>

#include <pmu/rule.h>

#define ONE(name) ((const char *const[]){ name })
/* clang-format off */
#define TEN(p, t, s)                                                           \
	p t "0" s, p t "1" s, p t "2" s, p t "3" s, p t "4" s, p t "5" s,      \
	p t "6" s, p t "7" s, p t "8" s, p t "9" s
#define HPM(p, s)                                                              \
	((const char *const[]){ p "3" s, p "4" s, p "5" s, p "6" s, p "7" s,   \
	 p "8" s, p "9" s, TEN(p, "1", s), TEN(p, "2", s), p "30" s, p "31" s })
#define PMPCFG                                                                 \
	((const char *const[]){ TEN("pmpcfg", "", ""), "pmpcfg10", "pmpcfg11", \
	 "pmpcfg12", "pmpcfg13", "pmpcfg14", "pmpcfg15" })
#define PMPADDR                                                                \
	((const char *const[]){ TEN("pmpaddr", "", ""),                        \
	 TEN("pmpaddr", "1", ""), TEN("pmpaddr", "2", ""),                     \
	 TEN("pmpaddr", "3", ""), TEN("pmpaddr", "4", ""),                     \
	 TEN("pmpaddr", "5", ""), "pmpaddr60", "pmpaddr61", "pmpaddr62",       \
	 "pmpaddr63" })
#define TRIGGER                                                                \
	((const char *const[]){ "tselect", "tdata1", "tdata2", "tdata3" })

#define ALIAS1(p) ((const char *const[]){ p, p "2", p "3" })
#define ALIAS4(p) ((const char *const[]){ p "4", p "5", p "6" })
#define STATEEN(p, s)                                                          \
	((const char *const[]){ p "0" s, p "1" s, p "2" s, p "3" s })

#define AT(field) offsetof(struct pmu_hart, field)
#define ALL UINT64_MAX
#define S PMU_EXT_S
#define U PMU_EXT_U
#define F PMU_EXT_F
#define CNTR PMU_EXT_ZICNTR
#define HPMC PMU_EXT_ZIHPM
#define OVF PMU_EXT_SSCOFPMF
#define CFG PMU_EXT_SMCNTRPMF
#define STC PMU_EXT_SSTC
#define H PMU_EXT_H
#define TVEC ~UINT64_C(2)
#define MIND PMU_EXT_SMCSRIND
#define SIND PMU_EXT_SSCSRIND
#define DELEG PMU_EXT_SMCDELEG
#define STATE PMU_EXT_SMSTATEEN
#define MAIA PMU_EXT_SMAIA
#define SAIA PMU_EXT_SSAIA
#define SELECT UINT64_C(0xfff)

const struct csr_desc csr_table[] = {
	/* floating point */
	{ 0x001, 0x001, CSR_ENGINE, F, 0, ONE("fflags"),
	  csr_fs_on, NULL, NULL, 0, RULE("mstatus_fs_op") },
	{ 0x002, 0x002, CSR_ENGINE, F, 0, ONE("frm"),
	  csr_fs_on, NULL, NULL, 0, RULE("mstatus_fs_op") },
	{ 0x003, 0x003, CSR_ENGINE, F, 0, ONE("fcsr"),
	  csr_fs_on, NULL, NULL, 0, RULE("mstatus_fs_op") },

	/* supervisor */
	{ 0x100, 0x100, CSR_WHOLE, S, 0, ONE("sstatus"),
	  NULL, csr_rd_sstatus, csr_wr_sstatus, ALL, RULE("sstatus") },
	{ 0x104, 0x104, CSR_WHOLE, S, 0, ONE("sie"),
	  NULL, csr_rd_sie, csr_wr_sie, ALL, RULE("sip_sie") },
	{ 0x105, 0x105, CSR_WHOLE, S, AT(stvec), ONE("stvec"),
	  NULL, csr_rd_reg, csr_wr_reg, ~UINT64_C(2), RULE("stvec_op") },
	{ 0x106, 0x106, CSR_WHOLE, S, AT(scounteren), ONE("scounteren"),
	  NULL, csr_rd_reg32, csr_wr_counteren, UINT32_MAX,
	  RULE("scounteren_op") },
	{ 0x10a, 0x10a, CSR_WHOLE, S, AT(senvcfg), ONE("senvcfg"),
	  csr_envcfg_allowed, csr_rd_reg, csr_wr_reg, 1, RULE("senvcfg") },
	{ 0x10c, 0x10f, CSR_WHOLE, S | STATE, 0, STATEEN("sstateen", ""),
	  csr_stateen_allowed, csr_rd_zero, NULL, 0,
	  RULE("sstateen_rv64_csrs") },
	{ 0x120, 0x120, CSR_WHOLE, DELEG, 0, ONE("scountinhibit"),
	  csr_scountinhibit_allowed, csr_rd_scountinhibit,
	  csr_wr_scountinhibit, UINT32_MAX,
	  RULE("ssccfg_scountinhibit_exists") },
	{ 0x140, 0x140, CSR_WHOLE, S, AT(sscratch), ONE("sscratch"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("sscratch") },
	{ 0x141, 0x141, CSR_WHOLE, S, AT(sepc), ONE("sepc"),
	  NULL, csr_rd_reg, csr_wr_epc, ALL, RULE("sepc") },
	{ 0x142, 0x142, CSR_WHOLE, S, AT(scause), ONE("scause"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("scause") },
	{ 0x143, 0x143, CSR_WHOLE, S, AT(stval), ONE("stval"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("stval") },
	{ 0x144, 0x144, CSR_WHOLE, S, 0, ONE("sip"),
	  NULL, csr_rd_sip, csr_wr_sip, ALL, RULE("sip_sie") },
	{ 0x14d, 0x14d, CSR_LOW, STC, AT(stimecmp), ONE("stimecmp"),
	  csr_stimecmp_enabled, csr_rd_reg, csr_wr_stimecmp, ALL,
	  RULE("stimecmp_stimecmph_sz_acc") },
	{ 0x150, 0x150, CSR_WHOLE, SIND, AT(siselect), ONE("siselect"),
	  csr_siselect_allowed, csr_rd_reg, csr_wr_reg, SELECT,
	  RULE("siselect_min_range") },
	{ 0x151, 0x153, CSR_INDIRECT, SIND, 1, ALIAS1("sireg"),
	  csr_sireg_allowed, NULL, NULL, 0,
	  RULE("sireg_access_on_legal_siselect") },
	{ 0x155, 0x157, CSR_INDIRECT, SIND, 4, ALIAS4("sireg"),
	  csr_sireg_allowed, NULL, NULL, 0,
	  RULE("sireg_access_on_legal_siselect") },
	{ 0x15d, 0x15d, CSR_HIGH, STC, AT(stimecmp), ONE("stimecmph"),
	  csr_stimecmp_enabled, csr_rd_reg, csr_wr_stimecmp, ALL,
	  RULE("stimecmp_stimecmph_sz_acc") },
	{ 0x180, 0x180, CSR_WHOLE, S, AT(satp), ONE("satp"),
	  csr_satp_allowed, csr_rd_reg, csr_wr_satp, ALL, RULE("satp") },

	/* virtual supervisor: what V = 1 means by the numbers 0x100 lower */
	{ 0x200, 0x200, CSR_WHOLE, H, 0, ONE("vsstatus"),
	  NULL, csr_rd_vsstatus, csr_wr_vsstatus, ALL,
	  RULE("vsstatus_sz_acc_op") },
	{ 0x204, 0x204, CSR_WHOLE, H, 0, ONE("vsie"),
	  NULL, csr_rd_vsie, csr_wr_vsie, ALL, RULE("vsip_vsie_sz_acc_op") },
	{ 0x205, 0x205, CSR_WHOLE, H, AT(vstvec), ONE("vstvec"),
	  NULL, csr_rd_reg, csr_wr_reg, TVEC, RULE("vstvec_sz_acc_op") },
	{ 0x240, 0x240, CSR_WHOLE, H, AT(vsscratch), ONE("vsscratch"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("vsscratch_sz_acc_op") },
	{ 0x241, 0x241, CSR_WHOLE, H, AT(vsepc), ONE("vsepc"),
	  NULL, csr_rd_reg, csr_wr_epc, ALL, RULE("vspec_sz_acc_op") },
	{ 0x242, 0x242, CSR_WHOLE, H, AT(vscause), ONE("vscause"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("vscause_sz_acc_op") },
	{ 0x243, 0x243, CSR_WHOLE, H, AT(vstval), ONE("vstval"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("vstval_sz_acc_op") },
	{ 0x244, 0x244, CSR_WHOLE, H, 0, ONE("vsip"),
	  NULL, csr_rd_vsip, csr_wr_vsip, ALL, RULE("vsip_vsie_sz_acc_op") },
	{ 0x24d, 0x24d, CSR_LOW, H | STC, AT(vstimecmp), ONE("vstimecmp"),
	  csr_stimecmp_enabled, csr_rd_reg, csr_wr_stimecmp, ALL,
	  RULE("vstimecmp_acc") },
	{ 0x250, 0x250, CSR_WHOLE, SIND | H, AT(vsiselect), ONE("vsiselect"),
	  csr_siselect_allowed, csr_rd_reg, csr_wr_reg, SELECT,
	  RULE("vsiselect_min_range") },
	{ 0x251, 0x253, CSR_INDIRECT, SIND | H, 1, ALIAS1("vsireg"),
	  csr_vsireg_allowed, NULL, NULL, 0,
	  RULE("vsireg_access_on_legal_vsiselect") },
	{ 0x255, 0x257, CSR_INDIRECT, SIND | H, 4, ALIAS4("vsireg"),
	  csr_vsireg_allowed, NULL, NULL, 0,
	  RULE("vsireg_access_on_legal_vsiselect") },
	{ 0x25d, 0x25d, CSR_HIGH, H | STC, AT(vstimecmp), ONE("vstimecmph"),
	  csr_stimecmp_enabled, csr_rd_reg, csr_wr_stimecmp, ALL,
	  RULE("vstimecmp_acc") },
	{ 0x280, 0x280, CSR_WHOLE, H, AT(vsatp), ONE("vsatp"),
	  csr_vsatp_allowed, csr_rd_reg, csr_wr_satp, ALL,
	  RULE("vsatp_sz_acc_op") },

	/* machine: trap set-up, environment */
	{ 0x300, 0x300, CSR_LOW, 0, 0, ONE("mstatus"),
	  NULL, csr_rd_mstatus, csr_wr_mstatus, ALL, RULE("mstatus_sz_acc") },
	{ 0x301, 0x301, CSR_WHOLE, 0, 0, ONE("misa"),
	  NULL, csr_rd_misa, NULL, 0, RULE("misa_sz") },
	{ 0x302, 0x302, CSR_LOW, S, AT(medeleg), ONE("medeleg"),
	  NULL, csr_rd_reg, csr_wr_medeleg, ALL, RULE("medeleg_sz_acc") },
	{ 0x303, 0x303, CSR_WHOLE, S, AT(mideleg), ONE("mideleg"),
	  NULL, csr_rd_reg, csr_wr_mideleg, ALL, RULE("mideleg_sz_acc") },
	{ 0x304, 0x304, CSR_WHOLE, 0, AT(mie), ONE("mie"),
	  NULL, csr_rd_reg, csr_wr_mie, ALL, RULE("mie_sz_acc") },
	{ 0x305, 0x305, CSR_WHOLE, 0, AT(mtvec), ONE("mtvec"),
	  NULL, csr_rd_reg, csr_wr_reg, ~UINT64_C(2),
	  RULE("mtvec_sz_warl_acc") },
	{ 0x306, 0x306, CSR_WHOLE, U, AT(mcounteren), ONE("mcounteren"),
	  NULL, csr_rd_reg32, csr_wr_counteren, UINT32_MAX,
	  RULE("mcounteren_op") },
	{ 0x308, 0x308, CSR_LOW, MAIA, AT(mvien), ONE("mvien"),
	  NULL, csr_rd_reg, csr_wr_mvien, ALL,
	  RULE("ssccfg_lcofi_mvip_mvien") },
	{ 0x309, 0x309, CSR_LOW, MAIA, 0, ONE("mvip"),
	  NULL, csr_rd_mvip, csr_wr_mvip, ALL,
	  RULE("ssccfg_lcofi_mvip_mvien") },
	{ 0x30a, 0x30a, CSR_LOW, U, AT(menvcfg), ONE("menvcfg"),
	  NULL, csr_rd_reg, csr_wr_menvcfg, ALL, RULE("menvcfg_op") },
	{ 0x30c, 0x30f, CSR_LOW, STATE, 0, STATEEN("mstateen", ""),
	  csr_stateen_allowed, csr_rd_mstateen, csr_wr_mstateen, ALL,
	  RULE("mstateen_rv64_csrs") },
	{ 0x310, 0x310, CSR_HIGH, 0, 0, ONE("mstatush"),
	  NULL, csr_rd_mstatus, csr_wr_mstatus, ALL, RULE("mstatush_sz_acc") },
	{ 0x312, 0x312, CSR_HIGH, S, AT(medeleg), ONE("medelegh"),
	  NULL, csr_rd_reg, csr_wr_medeleg, ALL,
	  RULE("medelegh_sz_acc_enc_xlen32") },
	{ 0x318, 0x318, CSR_HIGH, MAIA, AT(mvien), ONE("mvienh"),
	  NULL, csr_rd_reg, csr_wr_mvien, ALL,
	  RULE("ssccfg_lcofi_mvip_mvien") },
	{ 0x319, 0x319, CSR_HIGH, MAIA, 0, ONE("mviph"),
	  NULL, csr_rd_mvip, csr_wr_mvip, ALL,
	  RULE("ssccfg_lcofi_mvip_mvien") },
	{ 0x31a, 0x31a, CSR_HIGH, U, AT(menvcfg), ONE("menvcfgh"),
	  NULL, csr_rd_reg, csr_wr_menvcfg, ALL, RULE("menvcfgh_sz_acc_op") },

	{ 0x31c, 0x31f, CSR_HIGH, STATE, 0, STATEEN("mstateen", "h"),
	  csr_stateen_allowed, csr_rd_mstateen, csr_wr_mstateen, ALL,
	  RULE("stateen_rv32_upper_bits_csrs") },

	/* machine: counter set-up */
	{ 0x320, 0x320, CSR_WHOLE, 0, 0, ONE("mcountinhibit"),
	  NULL, csr_rd_inhibit, csr_wr_inhibit, UINT32_MAX,
	  RULE("mcountinhibit_op2") },
	{ 0x321, 0x321, CSR_LOW, CFG, 0, ONE("mcyclecfg"),
	  NULL, csr_rd_event, csr_wr_event, ALL, RULE("mcyclecfg_op") },
	{ 0x322, 0x322, CSR_LOW, CFG, 2, ONE("minstretcfg"),
	  NULL, csr_rd_event, csr_wr_event, ALL, RULE("mcyclecfg_op") },
	{ 0x323, 0x33f, CSR_LOW, 0, 3, HPM("mhpmevent", ""),
	  NULL, csr_rd_event, csr_wr_event, ALL, RULE("mhpmevent_sz_warl_op") },

	/* machine: trap handling */
	{ 0x340, 0x340, CSR_WHOLE, 0, AT(mscratch), ONE("mscratch"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("mscratch_sz_acc") },
	{ 0x341, 0x341, CSR_WHOLE, 0, AT(mepc), ONE("mepc"),
	  NULL, csr_rd_reg, csr_wr_epc, ALL, RULE("mepc_sz_acc") },
	{ 0x342, 0x342, CSR_WHOLE, 0, AT(mcause), ONE("mcause"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("mcause_sz_acc") },
	{ 0x343, 0x343, CSR_WHOLE, 0, AT(mtval), ONE("mtval"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("mtval_sz_acc") },
	{ 0x344, 0x344, CSR_WHOLE, 0, 0, ONE("mip"),
	  NULL, csr_rd_mip, csr_wr_mip, ALL, RULE("mip_sz_acc") },

	{ 0x34a, 0x34a, CSR_WHOLE, H, AT(mtinst), ONE("mtinst"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("mtinst_sz_acc_op") },
	{ 0x34b, 0x34b, CSR_WHOLE, H, AT(mtval2), ONE("mtval2"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("mtval2_sz_acc_op") },

	/* machine: behind miselect */
	{ 0x350, 0x350, CSR_WHOLE, MIND, AT(miselect), ONE("miselect"),
	  NULL, csr_rd_reg, csr_wr_reg, SELECT, RULE("miselect_op") },
	{ 0x351, 0x353, CSR_INDIRECT, MIND, 1, ALIAS1("mireg"),
	  csr_mireg_allowed, NULL, NULL, 0,
	  RULE("mireg_access_on_legal_miselect") },
	{ 0x355, 0x357, CSR_INDIRECT, MIND, 4, ALIAS4("mireg"),
	  csr_mireg_allowed, NULL, NULL, 0,
	  RULE("mireg_access_on_legal_miselect") },

	/* physical memory protection without entries */
	{ 0x3a0, 0x3af, CSR_EVEN, 0, 0, PMPCFG,
	  NULL, csr_rd_zero, NULL, 0, RULE("pmp_entry_count") },
	{ 0x3b0, 0x3ef, CSR_WHOLE, 0, 0, PMPADDR,
	  NULL, csr_rd_zero, NULL, 0, RULE("pmp_entry_count") },

	/* hypervisor */
	{ 0x600, 0x600, CSR_WHOLE, H, 0, ONE("hstatus"),
	  NULL, csr_rd_hstatus, csr_wr_hstatus, ALL,
	  RULE("hstatus_sz_acc_op") },
	{ 0x602, 0x602, CSR_LOW, H, AT(hedeleg), ONE("hedeleg"),
	  NULL, csr_rd_reg, csr_wr_hedeleg, ALL, RULE("hedeleg_sz_acc") },
	{ 0x603, 0x603, CSR_WHOLE, H, 0, ONE("hideleg"),
	  NULL, csr_rd_hideleg, csr_wr_hideleg, ALL, RULE("hideleg_sz_acc") },
	{ 0x604, 0x604, CSR_WHOLE, H, 0, ONE("hie"),
	  NULL, csr_rd_hie, csr_wr_hie, ALL, RULE("hip_hie_sz_acc") },
	{ 0x605, 0x605, CSR_LOW, H, AT(htimedelta), ONE("htimedelta"),
	  NULL, csr_rd_reg, csr_wr_htimedelta, ALL,
	  RULE("htimedelta_sz_acc_op") },
	{ 0x606, 0x606, CSR_WHOLE, H, AT(hcounteren), ONE("hcounteren"),
	  NULL, csr_rd_reg32, csr_wr_counteren, UINT32_MAX,
	  RULE("hcounteren_op") },
	{ 0x607, 0x607, CSR_WHOLE, H, AT(hgeie), ONE("hgeie"),
	  NULL, csr_rd_reg, csr_wr_hgeie, ALL, RULE("hgeie_sz_acc_op") },
	{ 0x608, 0x608, CSR_LOW, SAIA, AT(hvien), ONE("hvien"),
	  csr_aia_allowed, csr_rd_reg, csr_wr_hvien, ALL,
	  RULE("ssccfg_lcofi_hvip_hvien") },
	{ 0x60a, 0x60a, CSR_LOW, H, 0, ONE("henvcfg"),
	  csr_envcfg_allowed, csr_rd_henvcfg, csr_wr_henvcfg, ALL,
	  RULE("henvcfg_sz_acc_op") },
	{ 0x60c, 0x60f, CSR_LOW, STATE | H, 0, STATEEN("hstateen", ""),
	  csr_stateen_allowed, csr_rd_hstateen, csr_wr_hstateen, ALL,
	  RULE("hstateen_rv64_csrs") },
	{ 0x612, 0x612, CSR_HIGH, H, AT(hedeleg), ONE("hedelegh"),
	  csr_hedelegh_allowed, csr_rd_reg, csr_wr_hedeleg, ALL, RULE("hedelegh_sz_acc_op") },
	{ 0x615, 0x615, CSR_HIGH, H, AT(htimedelta), ONE("htimedeltah"),
	  NULL, csr_rd_reg, csr_wr_htimedelta, ALL,
	  RULE("htimedeltah_sz_acc_op") },
	{ 0x618, 0x618, CSR_HIGH, SAIA, AT(hvien), ONE("hvienh"),
	  csr_aia_allowed, csr_rd_reg, csr_wr_hvien, ALL,
	  RULE("ssccfg_lcofi_hvip_hvien") },
	{ 0x61a, 0x61a, CSR_HIGH, H, 0, ONE("henvcfgh"),
	  csr_envcfg_allowed, csr_rd_henvcfg, csr_wr_henvcfg, ALL,
	  RULE("henvcfgh_sz_acc_op") },
	{ 0x61c, 0x61f, CSR_HIGH, STATE | H, 0, STATEEN("hstateen", "h"),
	  csr_stateen_allowed, csr_rd_hstateen, csr_wr_hstateen, ALL,
	  RULE("stateen_rv32_upper_bits_csrs") },
	{ 0x643, 0x643, CSR_WHOLE, H, AT(htval), ONE("htval"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("htval_sz_acc_op") },
	{ 0x644, 0x644, CSR_WHOLE, H, 0, ONE("hip"),
	  NULL, csr_rd_hip, csr_wr_hip, ALL, RULE("hip_hie_sz_acc") },
	{ 0x645, 0x645, CSR_LOW, H, AT(hvip), ONE("hvip"),
	  NULL, csr_rd_reg, csr_wr_hvip, ALL, RULE("hvip_sz_op") },
	{ 0x64a, 0x64a, CSR_WHOLE, H, AT(htinst), ONE("htinst"),
	  NULL, csr_rd_reg, csr_wr_reg, ALL, RULE("htinst_sz_acc_op") },
	{ 0x655, 0x655, CSR_HIGH, SAIA, AT(hvip), ONE("hviph"),
	  csr_aia_allowed, csr_rd_reg, csr_wr_hvip, ALL,
	  RULE("ssccfg_lcofi_hvip_hvien") },
	{ 0x680, 0x680, CSR_WHOLE, H, AT(hgatp), ONE("hgatp"),
	  csr_satp_allowed, csr_rd_reg, csr_wr_hgatp, ALL,
	  RULE("hgatp_sz_acc_op") },

	/* upper halves of counter set-up */
	{ 0x721, 0x721, CSR_HIGH, CFG, 0, ONE("mcyclecfgh"),
	  NULL, csr_rd_event, csr_wr_event, ALL, RULE("rv32_high_access") },
	{ 0x722, 0x722, CSR_HIGH, CFG, 2, ONE("minstretcfgh"),
	  NULL, csr_rd_event, csr_wr_event, ALL, RULE("rv32_high_access") },
	{ 0x723, 0x73f, CSR_HIGH, OVF, 3, HPM("mhpmevent", "h"),
	  NULL, csr_rd_event, csr_wr_event, ALL, RULE("mhpmeventh_presence") },

	/* triggers: none, so the first one selected has type 0 */
	{ 0x7a0, 0x7a3, CSR_WHOLE, 0, 0, TRIGGER,
	  NULL, csr_rd_zero, NULL, 0, NULL },

	/* machine: counters */
	{ 0xb00, 0xb00, CSR_LOW, 0, 0, ONE("mcycle"),
	  NULL, csr_rd_counter, csr_wr_counter, ALL, RULE("mcycle_op") },
	{ 0xb02, 0xb02, CSR_LOW, 0, 2, ONE("minstret"),
	  NULL, csr_rd_counter, csr_wr_counter, ALL, RULE("minstret_op") },
	{ 0xb03, 0xb1f, CSR_LOW, 0, 3, HPM("mhpmcounter", ""),
	  NULL, csr_rd_counter, csr_wr_counter, ALL, RULE("mhpmcounter_warl") },
	{ 0xb80, 0xb80, CSR_HIGH, 0, 0, ONE("mcycleh"),
	  NULL, csr_rd_counter, csr_wr_counter, ALL,
	  RULE("mcycleh_minstreth_mhpmh_op") },
	{ 0xb82, 0xb82, CSR_HIGH, 0, 2, ONE("minstreth"),
	  NULL, csr_rd_counter, csr_wr_counter, ALL,
	  RULE("mcycleh_minstreth_mhpmh_op") },
	{ 0xb83, 0xb9f, CSR_HIGH, 0, 3, HPM("mhpmcounter", "h"),
	  NULL, csr_rd_counter, csr_wr_counter, ALL,
	  RULE("mcycleh_minstreth_mhpmh_op") },

	/* user counters */
	{ 0xc00, 0xc00, CSR_LOW, CNTR, 0, ONE("cycle"),
	  csr_counter_enabled, csr_rd_counter, NULL, 0,
	  RULE("cycle_instret_hpmcounter_op_rdonly") },
	{ 0xc01, 0xc01, CSR_LOW, CNTR, 1, ONE("time"),
	  csr_counter_enabled, csr_rd_time, NULL, 0, RULE("time_op_rdonly") },
	{ 0xc02, 0xc02, CSR_LOW, CNTR, 2, ONE("instret"),
	  csr_counter_enabled, csr_rd_counter, NULL, 0,
	  RULE("cycle_instret_hpmcounter_op_rdonly") },
	{ 0xc03, 0xc1f, CSR_LOW, HPMC, 3, HPM("hpmcounter", ""),
	  csr_counter_enabled, csr_rd_counter, NULL, 0,
	  RULE("cycle_instret_hpmcounter_op_rdonly") },
	{ 0xc80, 0xc80, CSR_HIGH, CNTR, 0, ONE("cycleh"),
	  csr_counter_enabled, csr_rd_counter, NULL, 0,
	  RULE("cycleh_instreth_hpmcounternh_op_rdonly") },
	{ 0xc81, 0xc81, CSR_HIGH, CNTR, 1, ONE("timeh"),
	  csr_counter_enabled, csr_rd_time, NULL, 0, RULE("timeh_op_rdonly") },
	{ 0xc82, 0xc82, CSR_HIGH, CNTR, 2, ONE("instreth"),
	  csr_counter_enabled, csr_rd_counter, NULL, 0,
	  RULE("cycleh_instreth_hpmcounternh_op_rdonly") },
	{ 0xc83, 0xc9f, CSR_HIGH, HPMC, 3, HPM("hpmcounter", "h"),
	  csr_counter_enabled, csr_rd_counter, NULL, 0,
	  RULE("cycleh_instreth_hpmcounternh_op_rdonly") },
	{ 0xda0, 0xda0, CSR_WHOLE, S | OVF, 0, ONE("scountovf"),
	  csr_scountovf_allowed, csr_rd_scountovf, NULL, 0, RULE("scountovf_op") },

	{ 0xe12, 0xe12, CSR_WHOLE, H, AT(hgeip), ONE("hgeip"),
	  NULL, csr_rd_reg, NULL, 0, RULE("hgeip_sz_acc_op") },

	/* identity */
	{ 0xf11, 0xf11, CSR_WHOLE, 0, AT(cfg.mvendorid), ONE("mvendorid"),
	  NULL, csr_rd_reg, NULL, 0, RULE("mvendorid_sz_acc_op") },
	{ 0xf12, 0xf12, CSR_WHOLE, 0, AT(cfg.marchid), ONE("marchid"),
	  NULL, csr_rd_reg, NULL, 0, RULE("marchid_sz_acc_op") },
	{ 0xf13, 0xf13, CSR_WHOLE, 0, AT(cfg.mimpid), ONE("mimpid"),
	  NULL, csr_rd_reg, NULL, 0, RULE("mimpid_op") },
	{ 0xf14, 0xf14, CSR_WHOLE, 0, AT(cfg.hartid), ONE("mhartid"),
	  NULL, csr_rd_reg32, NULL, 0, RULE("mhartid_sz_acc_op") },
	{ 0xf15, 0xf15, CSR_WHOLE, 0, 0, ONE("mconfigptr"),
	  NULL, csr_rd_zero, NULL, 0, RULE("mconfigptr_sz_acc") },
};
/* clang-format on */

const unsigned csr_table_len = sizeof(csr_table) / sizeof(csr_table[0]);
_Static_assert(sizeof(csr_table) / sizeof(csr_table[0]) < UINT8_MAX,
	       "csr_row of struct pmu_hart holds a row and one more");
