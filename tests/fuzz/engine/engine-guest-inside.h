/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parts of the maker of guests share: where things lie in a guest, and
 * how they are written there.
 */
#ifndef TESTS_FUZZ_ENGINE_GUEST_INSIDE_H
#define TESTS_FUZZ_ENGINE_GUEST_INSIDE_H

#include "engine/asm.h"
#include "engine/program.h"
#include "engine-guest.h"

enum {
	PAGE = 4096,
	MAX_HARTS = 4,
	/* pages of the image */
	ENTRY_PAGE = 0,
	CODE_PAGE = 4,
	N_CODE = 6,
	PATCH_PAGE = 16, /* one of each hart; 16 pages, as PMP has them */
	DATA_PAGE = 32,
	N_DATA = 16,
	ROOT_PAGE = 64,
	WINDOW_TABLE, /* and root of the windows, where it is not the root */
	S_TABLE,      /* of 4 KiB pages in the window of S */
	U_TABLE,
	RAM_TABLE_ROOT,
	RAM_TABLE,
	VALUES_PAGE = 72,
	HART_PAGE = 80, /* and so many pages for each hart */
	HART_PAGES = 16,
	/* pages of the windows of S and U */
	AT_CODE = 0,
	AT_PATCH = 8,  /* one of each hart */
	AT_ALIAS = 16, /* the same pages, to be written */
	AT_DATA = 24,
	AT_UART = 40,
	AT_CLINT = 41,
	AT_VALUES = 42,
	AT_NOWHERE = 44,
	AT_END = 64,
	/* registers that keep their use, beside those of program.h */
	REG_VALUES = 21, /* the middle of the page of values */
	REG_TABLE = 22,	 /* S_TABLE or U_TABLE */
	REG_ROOT = 23,	 /* where the entries of superpages are */
};

/* Virtual addresses, for Sv32 and Sv39 alike. */
#define S_WINDOW  UINT64_C(0x40000000)
#define U_WINDOW  UINT64_C(0x40400000)
#define S_SUPER	  UINT64_C(0x40800000) /* data of all RAM, for S */
#define U_SUPER	  UINT64_C(0x40c00000) /* the same for U */
#define X_SUPER	  UINT64_C(0x41000000) /* code of all RAM */
#define ANY_SUPER UINT64_C(0x41400000) /* any of these, as the guest says */

struct making {
	struct engine_guest *g;
	struct rng rng;
	unsigned n_values;
	unsigned handling; /* ticks that a handler takes, about */
	bool illegal_to_s;
};

/* A place in the image where instructions are written. */
struct out_at {
	struct making *m;
	uint64_t at; /* offset in the image */
};

static inline uint32_t dice(struct making *m, uint32_t n)
{
	return rng_below(&m->rng, n);
}

static inline bool one_in(struct making *m, uint32_t n)
{
	return dice(m, n) == 0;
}

static inline unsigned word_size(const struct making *m)
{
	return m->g->xlen / 8;
}

static inline uint64_t page_at(const struct making *m, unsigned page)
{
	return m->g->base + (uint64_t)page * PAGE;
}

/* Loads and stores of a register's width. */
static inline uint32_t load_x(const struct making *m, unsigned rd, unsigned rs1,
			      int off)
{
	return m->g->xlen == 64 ? LD(rd, rs1, off) : LW(rd, rs1, off);
}

static inline uint32_t store_x(const struct making *m, unsigned rs2,
			       unsigned rs1, int off)
{
	return m->g->xlen == 64 ? SD(rs2, rs1, off) : SW(rs2, rs1, off);
}

/* One word of a register's width into the image. */
void put_word(struct making *m, uint64_t at, uint64_t value);
/* @value stands in the page of values from now on: where from REG_VALUES. */
int value_at(struct making *m, uint64_t value);

/* Whose handler. */
enum level {
	LEVEL_M,
	LEVEL_S
};
/* What a satp, an entry of a table, an event can be. */
uint64_t some_satp(struct making *m);
uint64_t some_entry(struct making *m, unsigned page, bool user);
uint64_t some_super(struct making *m);
uint64_t some_event(struct making *m);
/* A page of either window. */
uint64_t some_page(struct making *m);
uint64_t some_code(struct making *m);

/* Boot and handlers. */
void entry_make(struct making *m);
/* All that lies in pages of harts: what handlers go by. */
void places_make(struct making *m);
/* program_more of what only whole machines have. */
size_t privileged_make(const struct program_more *more, uint32_t *ret);

#endif
