/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rig: a small host for an engine. It maps RAM, translates by a table of
 * pages (with accessed and dirty bits like a hardware walker's), writes down
 * exits and device accesses, and resumes or stops as the test's script says.
 */
#ifndef TESTS_ENGINE_RIG_H
#define TESTS_ENGINE_RIG_H

#include "engine/engine.h"
#include "engine/unicorn/fast/fast.h"

enum {
	RIG_PAGES = 64,
	RIG_PAGE = 4096,
	RIG_EXITS = 64,
	RIG_CTXS = 2,
	/* pages that can be the first and last of the address space as well */
	RIG_FIRST = RIG_PAGES - 2,
	RIG_LAST = RIG_PAGES - 1,
};

/* Guest addresses: pages 0 to RIG_PAGES - 1 of this window, mapped 1:1. */
#define RIG_BASE     UINT64_C(0x10000000)
#define RIG_AT(page) (RIG_BASE + (uint64_t)(page)*RIG_PAGE)
#define RIG_RAM	     UINT64_C(0x80000000) /* where the RAM is */
#define RIG_DEVICE   UINT64_C(0x02000000) /* physical */

struct rig_mode {
	const char *name;
	uint8_t engines;
	bool step_only;
	uint8_t mode; /* enum engine_mode */
};

extern const struct rig_mode rig_modes[];
enum {
	RIG_MODES = 4
};

/* One page of the window. */
struct rig_page {
	uint32_t user; /* added to @to in the user regime, */
	uint32_t room; /* and this for each of rig.room */
	uint32_t to;   /* page of RAM */
	uint8_t perms; /* 0: not mapped */
	bool device;
	uint8_t watched; /* PMU_PERM_R, PMU_PERM_W */
	uint8_t leaf_bits;
	bool by_sum;
	bool accessed, dirty;
};

/* An access to watched RAM, and the instructions done when it was told. */
struct rig_stored {
	uint64_t paddr, size, insns, vaddr;
	uint64_t loads, stores; /* that were counted before it */
};

struct rig {
	struct engine *e;
	struct engine_ctx *ctx[RIG_CTXS];
	unsigned cur; /* the context that runs */
	enum engine_regime regime;
	const char *name;
	uint8_t xlen;
	uint8_t *ram;
	struct rig_page page[RIG_PAGES];
	uint8_t room; /* below 3: each has spaces of its own */
	bool split;   /* fetches get X only, data the rest */
	bool edges;   /* RIG_FIRST and RIG_LAST are there as well */
	struct engine_budget budget;
	/* what happened */
	struct engine_exit exit[RIG_EXITS];
	uint64_t exit_done[RIG_EXITS];
	unsigned n_exits;
	struct engine_mmio mmio[RIG_EXITS];
	uint64_t mmio_done[RIG_EXITS];
	unsigned n_mmio;
	struct rig_stored stored[RIG_EXITS], loaded[RIG_EXITS];
	unsigned n_stored, n_loaded;	       /* what does both is stored */
	struct pmu_uarch_insn told[RIG_EXITS]; /* while engine_feed() is on */
	bool told_over[RIG_EXITS];
	unsigned n_told;
	/* the script */
	uint64_t mmio_answer;
	bool mmio_refuses;
	enum engine_next (*script)(struct rig *r,
				   const struct engine_exit *exit);
	bool (*on_told)(struct rig *r);
	bool (*quiet)(struct rig *r, const struct pmu_csr_req *req,
		      uint64_t *ret_old);
	unsigned n_quiet; /* that it has executed */
};

/* An engine in @mode with zeroed RAM, all pages mapped RWX, limits open. */
struct rig *rig_new(const struct rig_mode *mode, uint8_t xlen);
/* Of two engines, with all of fast/ that @mode has, but what is spoilt. */
struct engine_config rig_config(enum engine_mode mode, enum fast_spoil spoil,
				uint8_t xlen);
struct rig *rig_new_config(const struct engine_config *cfg);
void rig_free(struct rig *r);
/*
 * Is this what all pieces of fast/ are made for, a static Unicorn 2.1.1 on
 * x86-64? By the build, not by what the pieces say of themselves.
 */
bool rig_is_made_for(void);
/*
 * One rig for each mode and XLEN, for tests that loop: @n runs over XLEN 32 and
 * 64 and rig_modes. rig_pick() resets it.
 */
enum {
	RIG_KINDS = 2 * RIG_MODES
};
void rigs_open(void);
void rigs_close(void);
struct rig *rig_pick(unsigned n);
/* For messages. */
const char *rig_name(const struct rig *r);
/* Everything but the engine itself as after rig_new(). */
void rig_reset(struct rig *r);

/* Puts words at a page of RAM and tells the engine. */
void rig_code(struct rig *r, unsigned page, const uint32_t *words, size_t n);
uint32_t rig_word(const struct rig *r, unsigned page, unsigned off);
/* Opens all limits and zeroes what is done. */
void rig_open(struct rig *r);
/* That of rig.regime and rig.room, from now on; also in an exit. */
void rig_enter_space(struct rig *r);
/* Runs the current context from @pc (or on, with UINT64_MAX). */
int rig_run(struct rig *r, uint64_t pc);
uint64_t rig_x(struct rig *r, unsigned n);
void rig_set_x(struct rig *r, unsigned n, uint64_t value);
uint64_t rig_pc(struct rig *r);
/* For scripts: the instruction retires, its rd gets @value. */
void rig_retire(struct rig *r, const struct engine_exit *exit, uint64_t value);
/* Skips the instruction without retiring it. */
void rig_skip(struct rig *r, const struct engine_exit *exit);

#endif
