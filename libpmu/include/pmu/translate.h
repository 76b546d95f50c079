/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address translation: Bare, Sv32, Sv39, Sv48, Sv57, with the hart's current
 * mode, satp, SUM, MXR, MPRV, and A/D by hardware or by page fault. In VS and
 * VU two stages: vsatp, then hgatp (Sv32x4 and so on) for guest physical
 * addresses, those of the first stage's tables included.
 */
#ifndef PMU_TRANSLATE_H
#define PMU_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/trap.h>

#pragma GCC visibility push(default)

enum pmu_access {
	PMU_ACCESS_FETCH,
	PMU_ACCESS_LOAD,
	PMU_ACCESS_STORE
};
enum {
	PMU_PERM_R = 1,
	PMU_PERM_W = 2,
	PMU_PERM_X = 4
};

/* Physical memory as the walker reaches it. Sizes are 4 (Sv32) or 8 bytes. */
struct pmu_pte_ops {
	/* False: no RAM there, the walk ends in an access fault. */
	bool (*read)(void *mem, uint64_t paddr, unsigned size, uint64_t *ret);
	bool (*write)(void *mem, uint64_t paddr, unsigned size, uint64_t value);
	void *mem;
};

struct pmu_walk {
	uint64_t vaddr;
	enum pmu_access access;
	/*
	 * True for an access that executes; false for a translation made ahead
	 * of execution (a fetch of the next page), which sets no A bit and
	 * reports what it would need by failing as if it were executed.
	 */
	bool executes;
	/* HLV, HSV: as VS or VU (hstatus.SPVP), whatever the hart's mode. */
	bool hypervisor;
	bool hlvx; /* HLVX: a load that needs X, not R */
	/* As S, whatever the hart's mode: an instrument's look at a kernel. */
	bool supervisor;
	/*
	 * Not 0: as U with this in satp, as VU with it in vsatp if @guest,
	 * whatever the hart has: an instrument's look at a user that ran.
	 */
	uint64_t space;
	bool guest;
};

/* The exception of an access that fails. */
struct pmu_fault {
	uint8_t cause; /* page, guest-page or access fault of the access */
	bool gva;      /* the address is a guest virtual address */
	/* Guest-page fault: the guest physical address that failed, else 0. */
	uint64_t gpa;
	/* The pseudoinstruction of a fault at a VS-stage table, else 0. */
	uint64_t tinst;
};

struct pmu_mapping {
	uint64_t paddr;
	/*
	 * Permissions that may be cached for the page under the present mode,
	 * SUM, MXR and MPRV: what all stages allow. W only once D is set; X
	 * never together with R or W while MPRV gives data another mode than
	 * fetches. Those of a hypervisor's walk hold for HLV and HSV only,
	 * those of a supervisor's for that walk.
	 */
	uint8_t perms;
	/*
	 * The bytes, as a power of two, that the entry maps which an
	 * SFENCE.VMA would be for: 12 for a page, more for a superpage.
	 */
	uint8_t leaf_bits;
	/* A user's page, which is S's or VS's while SUM is set: PMU_FX_SUM. */
	bool by_sum;
};

/*
 * The mode whose rules loads and stores follow: the hart's, or with MPRV that
 * of MPP and MPV. Mappings hold for one pair of modes, this and the hart's own.
 * PMU_FX effects tell when an instruction changes it; a trap entry in M-mode
 * may too.
 */
enum pmu_mode pmu_data_mode(const struct pmu_hart *h);

/*
 * Translates one address. Returns true with @ret set, or false with @ret_fault
 * set.
 */
bool pmu_translate(const struct pmu_hart *h, const struct pmu_walk *walk,
		   const struct pmu_pte_ops *ops, struct pmu_mapping *ret,
		   struct pmu_fault *ret_fault);

#pragma GCC visibility pop

#endif
