/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One hart's privileged state: mode, CSRs, counters, totals. It is arithmetic:
 * time, progress and interrupt lines are arguments, and nothing here runs code,
 * reads a clock or remembers a pc (but for people, explain.h). Integer and
 * floating-point registers belong to the engine's side (struct hart_state in
 * the machine).
 *
 * The order of a step, for whoever drives a hart:
 *   1. pmu_hart_limits() says how far the hart may run to reach the next
 *      counter overflow exactly;
 *   2. the engine runs; pmu_hart_advance() adds what retired natively;
 *   3. an intercepted instruction goes through pmu_exec() (exec.h), a fault or
 *      exception through pmu_trap_*() (trap.h); both do their own counting;
 *   4. while it waits in WFI, pmu_hart_idle() adds what passes, or
 *      pmu_hart_halt() (tick.h) where its clock stands meanwhile;
 *   5. pmu_interrupt_next() (trap.h) is asked before the next instruction.
 */
#ifndef PMU_HART_H
#define PMU_HART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/event.h>
#include <pmu/isa.h>
#include <pmu/time.h>

#pragma GCC visibility push(default)

enum {
	/* of one machine: a set is a word, as the SBI's hart masks are */
	PMU_MAX_HARTS = 64,
	/* 0 cycle, 1 time (a hole), 2 instret, 3-31 */
	PMU_N_COUNTERS = 32
};

/* Address translation schemes offered (satp.MODE). Bare always is. */
enum {
	PMU_SV32 = 1u << 0,
	PMU_SV39 = 1u << 1,
	PMU_SV48 = 1u << 2,
	PMU_SV57 = 1u << 3
};

struct pmu_hart_config {
	uint32_t hartid;
	uint8_t xlen;	   /* 32 or 64 */
	uint8_t sv_modes;  /* PMU_SV..., as far as xlen allows */
	uint8_t asid_bits; /* 0-9 (xlen 32), 0-16 */
	uint64_t ext;	   /* PMU_EXT_... */
	uint32_t hpm_mask; /* bit n: mhpmcounter n exists, bits 3-31 */
	uint8_t hpm_width[PMU_N_COUNTERS]; /* bits, 1-64 */
	/* bit e: can count enum pmu_event e */
	uint64_t hpm_events[PMU_N_COUNTERS];
	uint64_t mvendorid, marchid, mimpid;
	uint8_t guest_irqs;  /* GEILEN: guest external interrupts, 0-31 or 63 */
	uint8_t pmp_entries; /* 0, 16 or 64, of pages of 4 KiB */
	uint32_t cpi;	     /* cycles of a retired instruction, >= 1 */
	uint32_t trap_cycles;	       /* cycles of a trap entry, >= 1 */
	uint64_t tick_hz[PMU_N_TICKS]; /* <= clock_hz; 0: it never ticks */
};

struct pmu_hart;

/*
 * The default hart for @xlen (32 or 64): PMU_EXT_DEFAULT, all address schemes,
 * hpm 3-31 of 64 bits that can count pmu_event_set(NULL), cpi 1, trap_cycles 1.
 * It has no PMP: with entries, S and U reach nothing before M-mode sets one.
 */
void pmu_hart_config_init(struct pmu_hart_config *cfg, unsigned xlen);

/*
 * Makes a hart in its reset state. @tb must outlive it.
 * Returns 0, -PMU_EINVAL (a field of @cfg out of range) or -PMU_ENOMEM.
 */
int pmu_hart_new(struct pmu_hart **ret, const struct pmu_hart_config *cfg,
		 const struct pmu_timebase *tb);
void pmu_hart_free(struct pmu_hart *h); /* NULL is fine */
/* Reset: M-mode, CSRs at reset values, counters 0; totals keep their values. */
void pmu_hart_reset(struct pmu_hart *h);

/*
 * The state of a hart: all that is not its configuration or its time base, of
 * which the offset is state, too, and the caller's. It is plain data without a
 * pointer, pmu_hart_state_size() bytes, to be taken by a hart of the same
 * configuration in a program with the same libpmu; what that hart does from
 * then on is what the one that gave it would do.
 */
size_t pmu_hart_state_size(void);
/* Fills pmu_hart_state_size() bytes at @ret_state. */
void pmu_hart_give(const struct pmu_hart *h, void *ret_state);
/*
 * Returns 0, or -PMU_EINVAL: @state is that of another configuration, nothing
 * has changed. Limits, interrupts and mappings are void then.
 */
int pmu_hart_take(struct pmu_hart *h, const void *state);

const struct pmu_hart_config *pmu_hart_config(const struct pmu_hart *h);
enum pmu_mode pmu_hart_mode(const struct pmu_hart *h);
/*
 * For whoever starts a hart in another mode than M (the firmware model). @mode
 * must exist on this hart. Limits, interrupts and mappings are void then.
 */
void pmu_hart_set_mode(struct pmu_hart *h, enum pmu_mode mode);

/* What retired, by enum pmu_event, first PMU_N_ENGINE_EVENTS only. */
struct pmu_progress {
	uint64_t n[PMU_N_ENGINE_EVENTS];
	uint64_t stalled; /* cycles waited in between; of limits: no meaning */
};

/* What @p takes, in cycles. */
uint64_t pmu_hart_cost(const struct pmu_hart *h, const struct pmu_progress *p);
/* The fewest instructions that take @cycles or more. */
uint64_t pmu_hart_insns_until(const struct pmu_hart *h, uint64_t cycles);
/*
 * Adds natively executed progress in the current mode; cycles follow
 * (pmu_hart_cost()). Counters that wrap are delivered (enum pmu_delivery),
 * with progress of no more than pmu_hart_limits() at the exact instruction.
 */
void pmu_hart_advance(struct pmu_hart *h, const struct pmu_progress *p);
/*
 * Adds clock cycles that passed while the hart waited in WFI, in the mode that
 * executed it. Overflows as pmu_hart_advance() does.
 */
void pmu_hart_idle(struct pmu_hart *h, uint64_t cycles);

/*
 * How far the hart may run in the current mode until the first overflow that
 * is delivered, per engine event; cycles are folded into instructions.
 * UINT64_MAX: no such overflow. 0 never occurs: it would have happened. Stalls
 * are to be limited by pmu_hart_idle_limit() beside it.
 */
void pmu_hart_limits(const struct pmu_hart *h, struct pmu_progress *ret);
/* Cycles until one of their counters, or of ticks, overflows or is sampled. */
uint64_t pmu_hart_idle_limit(const struct pmu_hart *h);

/* What this hart ever did; cycles: executed, stalled, trap entries, waited. */
uint64_t pmu_hart_cycles(const struct pmu_hart *h);
uint64_t pmu_hart_insns(const struct pmu_hart *h); /* retired */
uint64_t pmu_hart_traps(const struct pmu_hart *h); /* taken */
/* An event's total since the hart was made; no write or filter touches it. */
uint64_t pmu_hart_total(const struct pmu_hart *h, enum pmu_event event,
			enum pmu_mode mode);

#pragma GCC visibility pop

#endif
