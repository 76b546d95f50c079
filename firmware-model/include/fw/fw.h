/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The M-mode firmware as a model: SBI calls, the traps that firmware handles
 * or hands on, counters and firmware events, per machine. It is pure: what it
 * needs of the machine comes through struct fw_host_ops, time and the harts'
 * state as arguments. A guest's mistake is an SBI error, never a host error.
 */
#ifndef FW_FW_H
#define FW_FW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fw/logical-counter.h>
#include <fw/pmu-node.h>
#include <fw/host.h>
#include <fw/quirk.h>
#include <fw/sbi.h>
#include <fw/sse.h>
#include <pmu/hart.h>
#include <pmu/trap.h>

enum fw_snapshot {
	FW_SNAPSHOT_AUTO, /* as the quirks have it (C77) */
	FW_SNAPSHOT_ON,
	FW_SNAPSHOT_OFF
};

/* As get_spec_version tells them. */
#define FW_SBI_1_0 UINT32_C(0x01000000)
#define FW_SBI_2_0 UINT32_C(0x02000000)
#define FW_SBI_3_0 UINT32_C(0x03000000)

struct fw_config {
	struct fw_quirks quirks;   /* fw_profile_quirks(), or some of them */
	uint32_t spec_version;	   /* FW_SBI_3_0 */
	enum fw_snapshot snapshot; /* is PMU function 7 offered? */
	bool sse;		   /* offer supervisor software events */
	unsigned fw_counters;	   /* firmware counters per hart, <= 32 */
	const void *dtb; /* riscv,pmu is read from it; NULL: platform */
	size_t dtb_size; /* bytes at @dtb, 0: its own totalsize */
	const struct fw_platform_ops *platform; /* NULL: identity mapping */
};

/*
 * The machine it runs on. Harts, time base and @ops must outlive the firmware;
 * the struct and the array of harts need not.
 */
struct fw_machine {
	struct pmu_hart *const *harts; /* indexes are the positions */
	unsigned n_harts;	       /* 1 - PMU_MAX_HARTS */
	const struct pmu_timebase *timebase;
	const struct fw_host_ops *ops;
	void *host; /* first argument of @ops */
};

struct fw;

/*
 * Makes the firmware, all harts STOPPED. Nothing of @cfg is needed afterwards
 * but @cfg->platform. A hart's node is found by its hartid (pmu-node.h).
 * @ret_error (may be NULL) gets a text that says what was
 * wrong and where, to be freed with free(); NULL when there is no memory.
 * Returns 0, -FW_EINVAL, -FW_ENOMEM or -FW_EDT.
 */
int fw_new(struct fw **ret, const struct fw_config *cfg,
	   const struct fw_machine *machine, char **ret_error);
void fw_free(struct fw *fw); /* NULL is fine */

/*
 * What the firmware remembers of its machine between two calls, as plain data
 * without a pointer, fw_state_size() bytes. To be taken by a firmware that was
 * made with the same configuration, on harts that take the state of those of
 * the first (pmu_hart_take()); it goes on as the one that gave it would.
 */
size_t fw_state_size(const struct fw *fw);
void fw_give(const struct fw *fw, void *ret_state);
/* Returns 0, or -FW_EINVAL: @state is of other harts, nothing has changed. */
int fw_take(struct fw *fw, const void *state);

/*
 * Brings @hart's CSRs to what the firmware leaves for S-mode (C121) and its
 * counters to no mapping; the hart is STARTED. For the harts that the machine
 * starts by itself, after pmu_hart_reset(); the others wait for HSM.
 */
void fw_hart_boot(struct fw *fw, unsigned hart);
/*
 * Must a suspended hart resume for an interrupt of the firmware's own: an IPI,
 * a remote fence, the time of its set_timer? S-mode cannot mask those. True
 * until fw_hart_resumed().
 */
bool fw_hart_woken(const struct fw *fw, unsigned hart);
/* A suspended hart woke (see hart_suspend in struct fw_host_ops). */
void fw_hart_resumed(struct fw *fw, unsigned hart);

struct fw_delivered {	/* a software event: S-mode goes on in its handler */
	bool delivered; /* else there is none */
	uint32_t id;
	uint32_t counters;  /* LCOFI had been requested for (pmu/trap.h) */
	enum pmu_mode mode; /* that it interrupted */
	uint64_t pc;	    /* at which */
};

struct fw_regs {     /* what a handled trap writes */
	uint64_t pc; /* where to go on */
	uint8_t n;   /* registers in @reg */
	struct {
		uint8_t x;
		uint64_t value; /* sign-extended to 64 bits on RV32 */
	} reg[4];
	struct fw_delivered event;
};

/*
 * A trap that targets M-mode, already accounted (pmu_trap_account). @args gets
 * the hart's registers of arguments, a0 to a7, as they were before it, the only
 * ones that are asked for; above bit 31 anything on RV32. They stay where they
 * are while the trap is handled.
 * @insn: the instruction's bits for an illegal instruction, else 0.
 */
struct fw_trap {
	const struct pmu_trap *trap;
	uint32_t insn;
	uint64_t now;
	const uint64_t *(*args)(void *regs);
	void *regs;
};

/*
 * Handles @t on @hart. @ret is set with FW_DONE only. Mode, interrupts, timers
 * and counters of any hart may have changed: whoever caches what follows from
 * them asks again.
 */
enum fw_outcome fw_trap(struct fw *fw, unsigned hart, const struct fw_trap *t,
			struct fw_regs *ret);

/*
 * @hart takes interrupt @trap in its own code, S-mode's or a guest's of it: for
 * the events that count those. Nothing else follows from it.
 */
void fw_interrupt_taken(struct fw *fw, unsigned hart,
			const struct pmu_trap *trap);

/* The clock cycle of @hart's next timer expiry, UINT64_MAX if none. */
uint64_t fw_timer_next(const struct fw *fw, unsigned hart);
/* Clock has reached @now: raises STIP of every hart whose timer is due. */
void fw_timer_run(struct fw *fw, uint64_t now);

#endif
