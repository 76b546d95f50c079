/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps and interrupts: where a trap goes, what entering one does to the hart,
 * which interrupt is next. A trap that targets M-mode may be handled by a
 * firmware model instead of guest code: the driver looks at pmu_trap_target()
 * first and then either enters the trap or only accounts for it.
 */
#ifndef PMU_TRAP_H
#define PMU_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/cause.h>
#include <pmu/hart.h>

#pragma GCC visibility push(default)

enum pmu_irq {
	PMU_IRQ_SSI = 1,
	PMU_IRQ_VSSI = 2,
	PMU_IRQ_MSI = 3,
	PMU_IRQ_STI = 5,
	PMU_IRQ_VSTI = 6,
	PMU_IRQ_MTI = 7,
	PMU_IRQ_SEI = 9,
	PMU_IRQ_VSEI = 10,
	PMU_IRQ_MEI = 11,
	PMU_IRQ_SGEI = 12,
	PMU_IRQ_LCOFI = 13,
};

struct pmu_trap {
	bool interrupt;
	uint8_t cause; /* enum pmu_cause or enum pmu_irq; below 64 */
	uint64_t pc;   /* goes to xepc: where an instruction starts */
	uint64_t tval;
	/*
	 * With the H extension. @tval2: the guest physical address >> 2 of a
	 * guest-page fault, else 0. @tinst: the transformed or pseudo
	 * instruction, 0 allowed. @gva: @tval is a guest virtual address.
	 */
	uint64_t tval2, tinst;
	bool gva;
	/*
	 * PMU_MODE_S, PMU_MODE_VS: an interrupt that software gives to that
	 * mode (mvien, hvien, hvictl), whatever is delegated; @cause is the
	 * number by which that mode knows it. Else PMU_MODE_M.
	 */
	enum pmu_mode given;
};

/* The ecall cause of the current mode. */
uint8_t pmu_ecall_cause(const struct pmu_hart *h);
/*
 * The mode that takes @trap: M, S or VS, by medeleg, hedeleg or mideleg,
 * hideleg, and the current mode.
 */
enum pmu_mode pmu_trap_target(const struct pmu_hart *h,
			      const struct pmu_trap *trap);
/*
 * Takes @trap: accounts for it (pmu_trap_account), changes mode to its target,
 * sets xepc, xcause, xtval, xstatus and what H adds to them. VS-mode sees the
 * interrupts of its level as SSI, STI and SEI. Returns the pc of the handler.
 * Afterwards limits and interrupts must be asked for again, with H pmu_fp_on()
 * (exec.h) too, and mappings hold only while pmu_data_mode() (translate.h) has
 * stayed what it was.
 */
uint64_t pmu_trap_enter(struct pmu_hart *h, const struct pmu_trap *trap);
/*
 * Only the cost and the event of a trap, in the current mode: trap_cycles and
 * one exception or interrupt. For traps that a firmware model handles.
 */
void pmu_trap_account(struct pmu_hart *h, const struct pmu_trap *trap);
/* What @n entries take, in cycles; UINT64_MAX: so many or more. */
uint64_t pmu_trap_cost(const struct pmu_hart *h, uint64_t n);
/*
 * Delivers @trap below M-mode whatever medeleg says, at no cost: how M-mode
 * firmware hands an exception on, a guest's by hedeleg to the guest. Returns
 * the pc of the handler.
 */
uint64_t pmu_trap_redirect(struct pmu_hart *h, const struct pmu_trap *trap);

/* Sets a bit of mip that a device drives: MSI, MTI, MEI, SEI. */
void pmu_irq_set(struct pmu_hart *h, enum pmu_irq irq, bool level);
/* Sets or clears a bit of mip that software owns: SSI, STI, SEI, LCOFI. */
void pmu_irq_soft(struct pmu_hart *h, enum pmu_irq irq, bool level);
/*
 * Sets a bit of hgeip, 1 to guest_irqs of the configuration: a guest external
 * interrupt, driven by an interrupt controller.
 */
void pmu_irq_guest(struct pmu_hart *h, unsigned n, bool level);
/*
 * The counters whose overflows the request for LCOFI is for: those since it was
 * last delivered or LCOFIP was 0. None: software has set the bit, or has not
 * cleared it since the last one.
 */
uint32_t pmu_lcofi_counters(const struct pmu_hart *h);
/* Is LCOFIP set by an overflow of counter @n, too, delivered or not? */
bool pmu_lcofi_asked(const struct pmu_hart *h, unsigned n);
/* It is no longer for @counters; LCOFIP is cleared where it is for no other. */
void pmu_lcofi_withdraw(struct pmu_hart *h, uint32_t counters);
/* Those for which @trap is about to be taken; none if it is no LCOFI of mip. */
uint32_t pmu_trap_overflows(const struct pmu_hart *h,
			    const struct pmu_trap *trap);
/*
 * A firmware has made a software event of it. That LCOFI was taken says
 * pmu_trap_enter().
 */
void pmu_lcofi_delivered(struct pmu_hart *h);
/* mip as M-mode reads it at clock @now (Sstc's STIP follows time). */
uint64_t pmu_irq_pending(const struct pmu_hart *h, uint64_t now);
/*
 * The interrupt to take before the next instruction. Returns false when there
 * is none; else @ret gets interrupt and cause (pc and tval 0).
 */
bool pmu_interrupt_next(const struct pmu_hart *h, uint64_t now,
			struct pmu_trap *ret);
/* Would WFI end at @now: any locally enabled interrupt pending (C165)? */
bool pmu_hart_wakes(const struct pmu_hart *h, uint64_t now);
/* `time` at which Sstc's STIP rises; UINT64_MAX without Sstc. */
uint64_t pmu_stimecmp(const struct pmu_hart *h);
/*
 * The first clock cycle after @now at which Sstc makes STIP or, with the H
 * extension, VSTIP rise; UINT64_MAX if none does. A level that stands already
 * falls where time wraps to 0, and rises again behind that.
 */
uint64_t pmu_timer_next(const struct pmu_hart *h, uint64_t now);

#pragma GCC visibility pop

#endif
