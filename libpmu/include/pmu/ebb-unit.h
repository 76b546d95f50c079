/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches (Xpmuebb, docs/EBB.md): an overflow of a claimed counter
 * goes to user code without a trap. Here is the unit by itself, plain state and
 * its four transitions, which serves whoever delivers branches; and the unit of
 * a hart, which its CSRs show.
 */
#ifndef PMU_EBB_UNIT_H
#define PMU_EBB_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/ebb-csr.h>
#include <pmu/hart.h>

#pragma GCC visibility push(default)

/* ebbcs: when a branch is taken, and that one was. */
#define PMU_EBBCS_GE (UINT64_C(1) << 0) /* branches are enabled */
#define PMU_EBBCS_PE (UINT64_C(1) << 1) /* so are those of the counters */
#define PMU_EBBCS_EO (UINT64_C(1) << 2) /* a branch was taken */
#define PMU_EBBCS    (PMU_EBBCS_GE | PMU_EBBCS_PE | PMU_EBBCS_EO)

/* ebbctl: what an overflow does. */
#define PMU_EBBCTL_AE (UINT64_C(1) << 0) /* the next one is an alert */
#define PMU_EBBCTL_AO (UINT64_C(1) << 1) /* an alert has occurred */
#define PMU_EBBCTL_FA (UINT64_C(1) << 2) /* an alert freezes */
#define PMU_EBBCTL_FC (UINT64_C(1) << 3) /* claimed counters are frozen */
#define PMU_EBBCTL                                                             \
	(PMU_EBBCTL_AE | PMU_EBBCTL_AO | PMU_EBBCTL_FA | PMU_EBBCTL_FC)

/* sebbcs: what S-mode says to it. */
#define PMU_SEBBCS_UE (UINT64_C(1) << 0) /* users have it */
#define PMU_SEBBCS_FZ (UINT64_C(1) << 1) /* claimed counters stand */

/* One unit. All of it is 0 in the beginning. */
struct pmu_ebb {
	uint64_t handler, back; /* ebbhr, ebbrr */
	uint64_t status;	/* ebbcs */
	uint64_t control;	/* ebbctl */
};

/* A claimed counter has overflowed. False: nothing comes of it (AE is 0). */
bool pmu_ebb_alert(struct pmu_ebb *u);
/* Is a branch to be taken, as far as the user is concerned? */
bool pmu_ebb_ready(const struct pmu_ebb *u);
/* Takes it, ahead of the instruction at @next. Returns the handler. */
uint64_t pmu_ebb_enter(struct pmu_ebb *u, uint64_t next);
/* Returns from it, with branches @enabled or not. Returns where to. */
uint64_t pmu_ebb_return(struct pmu_ebb *u, bool enabled);

/* That of @h; all 0 without Xpmuebb. */
struct pmu_ebb pmu_hart_ebb(const struct pmu_hart *h);
/*
 * Must the hart branch before the next instruction? An interrupt that is to be
 * taken there goes first.
 */
bool pmu_hart_branches(const struct pmu_hart *h);
/* The counters that its handler is shown by ebbovf: those of them with OF. */
uint32_t pmu_hart_branch_counters(const struct pmu_hart *h);
/*
 * Takes that branch ahead of the instruction at @next. Returns the pc of the
 * handler. The mode stays and nothing is counted; LR reservations are void.
 */
uint64_t pmu_hart_branch(struct pmu_hart *h, uint64_t next);

/* The counters that are claimed, and those that may be (mebben). */
uint32_t pmu_ebb_claimed(const struct pmu_hart *h);
uint32_t pmu_ebb_permitted(const struct pmu_hart *h);
/*
 * M-mode permits the claim of @set and makes it, as writes of mebben and
 * sebbclaim would. Returns 0, or -PMU_EINVAL and nothing has changed: one of
 * them is claimed already or held for somebody outside (PMU_DELIVER_HELD), or
 * there is no such counter, or no Xpmuebb.
 */
int pmu_ebb_claim(struct pmu_hart *h, uint32_t set);
/* Gives those of @set up that are claimed, and what permits it. */
void pmu_ebb_release(struct pmu_hart *h, uint32_t set);

#pragma GCC visibility pop

#endif
