/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One stage of a translation: S-mode's own, or one of the two that a guest's
 * addresses go through. What translate.c builds and walk.c walks.
 */
#ifndef LIBPMU_WALK_H
#define LIBPMU_WALK_H

#include <pmu/translate.h>

#include "hart-state.h"

/* A translation scheme: the numbers that tell them apart. */
struct scheme {
	uint8_t levels;
	uint8_t index_bits; /* of a page number's part, per level */
	uint8_t pte_size;
	uint8_t ppn_bits; /* of satp and of a PTE */
};

struct stage {
	const struct scheme *scheme; /* NULL: Bare */
	uint64_t root;		     /* address of the root table */
	/* The stage that its tables' addresses go through; NULL: none. */
	const struct stage *tables;
	bool guest; /* G-stage: wider addresses, faults of their own */
	bool user;  /* the access counts as U-mode's */
	bool sum, mxr;
	bool hardware_ad; /* A and D are set, not asked for by a fault */
};

/* One address on its way through a stage. */
struct query {
	uint64_t addr;
	enum pmu_access access; /* what it must allow */
	bool hlvx;		/* a load that needs X, not R */
	bool implicit;		/* for a table of the other stage */
};

/* One translation: what all its queries share. */
struct walk {
	const struct pmu_hart *h;
	const struct pmu_walk *in;
	const struct pmu_pte_ops *ops;
	struct pmu_fault *fault; /* set when a function below says false */
	bool gva;		 /* the address is a guest's */
};

/*
 * Takes @q through @s: @ret gets the address and what the stage allows. False:
 * a fault of the original access.
 */
bool walk_stage(const struct walk *w, const struct stage *s,
		const struct query *q, struct pmu_mapping *ret);

/* Sets @w's fault: the access fault of the original access. Returns false. */
bool walk_access_fault(const struct walk *w);

/* The scheme of a satp, vsatp or hgatp, and its root; NULL: Bare. */
const struct scheme *walk_scheme(const struct pmu_hart *h, uint64_t atp,
				 uint64_t *ret_root);

#endif
