/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of a hart's status and configuration registers, and the sets of
 * interrupts, as bits of the 64-bit words that struct pmu_hart keeps.
 */
#ifndef LIBPMU_FIELDS_H
#define LIBPMU_FIELDS_H

#include <stdint.h>

#include <pmu/csr-field.h>
#include <pmu/trap.h>

/* mstatus, in the RV64 layout */
#define MSTATUS_SIE  PMU_MSTATUS_SIE
#define MSTATUS_MIE  (UINT64_C(1) << 3)
#define MSTATUS_SPIE PMU_MSTATUS_SPIE
#define MSTATUS_MPIE (UINT64_C(1) << 7)
#define MSTATUS_SPP  PMU_MSTATUS_SPP
#define MSTATUS_MPP  PMU_MSTATUS_MPP
#define MSTATUS_FS   PMU_MSTATUS_FS
#define MSTATUS_MPRV (UINT64_C(1) << 17)
#define MSTATUS_SUM  (UINT64_C(1) << 18)
#define MSTATUS_MXR  (UINT64_C(1) << 19)
#define MSTATUS_TVM  (UINT64_C(1) << 20)
#define MSTATUS_TW   (UINT64_C(1) << 21)
#define MSTATUS_TSR  (UINT64_C(1) << 22)

/* what no write changes: by XLEN the place of SD, which sums up FS, and UXL */
#define MSTATUS_SD32  (UINT64_C(1) << 31)
#define MSTATUS_SD64  (UINT64_C(1) << 63)
#define MSTATUS_UXL64 (UINT64_C(2) << 32)

/* the same of the hypervisor extension; in mstatush on RV32 */
#define MSTATUS_GVA (UINT64_C(1) << 38)
#define MSTATUS_MPV (UINT64_C(1) << 39)

#define HSTATUS_GVA   (UINT64_C(1) << 6)
#define HSTATUS_SPV   PMU_HSTATUS_SPV
#define HSTATUS_SPVP  PMU_HSTATUS_SPVP
#define HSTATUS_HU    (UINT64_C(1) << 9)
#define HSTATUS_VGEIN (UINT64_C(0x3f) << 12)
#define HSTATUS_VTVM  (UINT64_C(1) << 20)
#define HSTATUS_VTW   (UINT64_C(1) << 21)
#define HSTATUS_VTSR  (UINT64_C(1) << 22)

#define MENVCFG_STCE PMU_MENVCFG_STCE
#define MENVCFG_ADUE PMU_MENVCFG_ADUE
#define MENVCFG_CDE  PMU_MENVCFG_CDE

#define STATEEN_SE	PMU_STATEEN_SE
#define STATEEN0_ENVCFG PMU_STATEEN0_ENVCFG
#define STATEEN0_CSRIND PMU_STATEEN0_CSRIND
#define STATEEN0_AIA	PMU_STATEEN0_AIA
#define STATEEN0_P1P13	PMU_STATEEN0_P1P13
#define STATEEN0_C	PMU_STATEEN0_C

/* Bits of mip, mie, mideleg */
#define IRQ_BIT(irq) (UINT64_C(1) << (irq))
#define IRQS_M                                                                 \
	(IRQ_BIT(PMU_IRQ_MSI) | IRQ_BIT(PMU_IRQ_MTI) | IRQ_BIT(PMU_IRQ_MEI))
#define IRQS_S                                                                 \
	(IRQ_BIT(PMU_IRQ_SSI) | IRQ_BIT(PMU_IRQ_STI) | IRQ_BIT(PMU_IRQ_SEI))
#define IRQS_VS                                                                \
	(IRQ_BIT(PMU_IRQ_VSSI) | IRQ_BIT(PMU_IRQ_VSTI) | IRQ_BIT(PMU_IRQ_VSEI))
#define IRQ_SGEI   IRQ_BIT(PMU_IRQ_SGEI)
#define IRQ_LCOFI  IRQ_BIT(PMU_IRQ_LCOFI)
/* Standard local interrupts: LCOFI, and 16-23, 32-47 that software can give. */
#define IRQS_LOCAL (IRQ_LCOFI | UINT64_C(0x0000ffff00ff0000))

#define HVICTL_IPRIO  UINT64_C(0xff)
#define HVICTL_IPRIOM (UINT64_C(1) << 8)
#define HVICTL_DPR    (UINT64_C(1) << 9)
#define HVICTL_IID    (UINT64_C(0x3f) << 16)
#define HVICTL_VTI    (UINT64_C(1) << 30)

#endif
