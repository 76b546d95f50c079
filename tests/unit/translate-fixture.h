/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of translate.c share: a hart with a scheme switched on, page
 * tables in a small memory, and asking for one translation.
 */
#ifndef TESTS_TRANSLATE_FIXTURE_H
#define TESTS_TRANSLATE_FIXTURE_H

#include "unit.h"

#include "hart-state.h"
#include <pmu/rule.h>
#include <pmu/translate.h>

#define FETCH PMU_ACCESS_FETCH
#define LOAD  PMU_ACCESS_LOAD
#define STORE PMU_ACCESS_STORE
#define M     PMU_MODE_M
#define S     PMU_MODE_S
#define U     PMU_MODE_U

enum {
	V = 1,
	R = 2,
	W = 4,
	X = 8,
	USER = 16,
	G = 32,
	A = 64,
	D = 128
};
enum {
	PERM_RWX = PMU_PERM_R | PMU_PERM_W | PMU_PERM_X
};

/* Physical memory: words at addresses, all else is 0, or not there. */
struct memory {
	struct {
		uint64_t paddr, value;
	} word[16];
	unsigned n;
	unsigned size;	 /* of every access */
	uint64_t absent; /* no RAM from here on */
	bool read_only;
	unsigned writes;
};

void put(struct memory *m, uint64_t paddr, uint64_t value);

struct scheme {
	const char *name;
	unsigned xlen, mode, levels, index_bits, size, ppn_bits;
};
enum {
	N_SCHEMES = 4
};
extern const struct scheme schemes[N_SCHEMES];
#define SV32 (&schemes[0])
#define SV39 (&schemes[1])
#define SV48 (&schemes[2])
#define SV57 (&schemes[3])

/* The root table's page, the first page number of the tables below. */
enum {
	ROOT = 0x80000,
	NEXT = 0x80001
};

struct fixture {
	const struct scheme *scheme;
	struct pmu_hart *h;
	struct memory mem;
	struct pmu_pte_ops ops;
};

void fixture_init(struct fixture *f, const struct scheme *s, uint64_t ext);

void fixture_fini(struct fixture *f);

unsigned shift_of(const struct scheme *s, unsigned level);

/*
 * Tables for @vaddr down to @level, whose entry is @pte. Returns the entry's
 * place, for looking at it afterwards.
 */
uint64_t *map(struct fixture *f, uint64_t vaddr, unsigned level, uint64_t pte);

/* By access: the causes. */
extern const uint8_t page_faults[3], access_faults[3];

struct answer {
	bool ok;
	uint8_t cause, perms, leaf_bits;
	bool by_sum;
	uint64_t paddr;
};

struct answer ask_for(struct fixture *f, enum pmu_access access, uint64_t vaddr,
		      bool executes);

struct answer ask(struct fixture *f, enum pmu_access access, uint64_t vaddr);

/* Both stages of a guest: tables of G-stage, and what they lead to. */
#define VS PMU_MODE_VS
#define VU PMU_MODE_VU

enum {
	GROOT = 0x90000,  /* page of G-stage's root table */
	GNEXT = 0x90004,  /* its other tables */
	FRAME = 0x40123,  /* guest page that the address leads to */
	SPA = 0xa0055,	  /* and the page behind it */
	VADDR = 0x201abc, /* what is asked for */
	LEAF = V | R | W | X | A | D,
	GLEAF = LEAF | USER,
};
#define PPN(n) ((uint64_t)(n) << 10)
#define GPA    (((uint64_t)FRAME << 12) + 0xabc)

struct guest {
	struct fixture f;
	uint64_t *vs_leaf, *g_leaf, *g_tables;
	uint64_t next; /* page of the next table of G-stage */
};

/*
 * A hart in VS: VADDR leads to guest page FRAME and that to SPA; VS-stage's
 * tables are where their guest physical addresses say.
 */
void guest_init(struct guest *g, const struct scheme *s, uint64_t ext);
void guest_fini(struct guest *g);
/* G-stage's tables for @gpa down to @level; those that exist are shared. */
uint64_t *map_guest(struct guest *g, uint64_t gpa, unsigned level,
		    uint64_t pte);

struct guest_answer {
	bool ok;
	struct pmu_mapping map;
	struct pmu_fault fault;
};

struct guest_answer ask_guest(struct guest *g, const struct pmu_walk *walk);
struct guest_answer ask_plain(struct guest *g, enum pmu_access access,
			      uint64_t vaddr);

#endif
