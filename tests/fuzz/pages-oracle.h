/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A second model of address translation, for fuzz-pages.c: the manual's steps
 * one by one over a small memory. It shares nothing with libpmu but names.
 */
#ifndef TESTS_PAGES_ORACLE_H
#define TESTS_PAGES_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/translate.h>

#include "pages-pmp.h"

enum {
	PAGES_N = 32
};
#define PAGES_BASE UINT64_C(0x80000000)

struct pages_ram {
	uint8_t bytes[PAGES_N * 4096];
};

/* The CSRs that translation depends on, 64 bits wide; mstatus as on RV64. */
struct pages_csrs {
	unsigned xlen;
	bool svadu, svade;
	enum pmu_mode mode;
	uint64_t mstatus, satp, menvcfg;
	uint64_t hstatus, hgatp, henvcfg, vsstatus, vsatp;
	struct pages_pmp pmp;
};

struct pages_answer {
	bool ok;
	uint64_t paddr;
	struct pmu_fault fault;
};

/*
 * What @walk ends in; A and D are set in @ram. @frozen: they may not be, their
 * lack is a fault whatever the CSRs say.
 */
struct pages_answer pages_translate(const struct pages_csrs *csrs,
				    struct pages_ram *ram,
				    const struct pmu_walk *walk, bool frozen);
/* The mode that the access counts as. */
enum pmu_mode pages_mode(const struct pages_csrs *csrs,
			 const struct pmu_walk *walk);

#endif
