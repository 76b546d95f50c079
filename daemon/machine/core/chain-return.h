/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way out of a function: its code from some place on, followed to a return
 * without running it, says where the return address and the caller's registers
 * are at that place.
 */
#ifndef CORE_CHAIN_RETURN_H
#define CORE_CHAIN_RETURN_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/event.h>

struct board;
struct pmu_insn_effect;
struct pmu_hart;

enum {
	CHAIN_REGISTERS = 32, /* x0-x31 */
	/* looked at for all callers of one sample, which is one step of a
	 * machine */
	CHAIN_MAX_INSNS = 16384,
	/* what functions keep, a bit each: x0, sp, gp, tp, s0-s11 */
	CHAIN_KEPT = 0x0ffc031d,
};

/* Whose memory. */
struct chain_reader {
	struct board *board;
	const struct pmu_hart *hart;
	enum pmu_mode mode; /* which the hart is in */
	unsigned size;	    /* bytes of a register */
	unsigned insns;	    /* that were looked at */
	/* the page of code that was found last */
	bool has_page;
	uint64_t page, page_at;
};

struct chain_regs {
	uint64_t x[CHAIN_REGISTERS];
	uint32_t known; /* a bit for each of them */
	/* where a return from a trap would go, and with which status */
	uint64_t epc, status;
	bool epc_known, status_known;
	/* where a routine that was called with t0 goes back to, 0: none was */
	uint64_t through;
};

enum chain_way {
	CHAIN_WAY_NONE,	   /* no return was found */
	CHAIN_WAY_UNCLEAR, /* one was, and not where it goes, or may be */
	CHAIN_WAY_BAD,	   /* to what no call went out from */
	CHAIN_WAY_BOTTOM,  /* to 0, or to another mode */
	CHAIN_WAY_TRAP,	   /* to an instruction that was interrupted */
	CHAIN_WAY_CALLER,
};

/* As wide as a register is. */
static inline uint64_t chain_narrow(const struct chain_reader *r,
				    uint64_t value)
{
	return r->size == 4 ? (uint32_t)value : value;
}

/* chain-reader.c */
/* The word at @vaddr, which is aligned. */
bool chain_load(const struct chain_reader *r, uint64_t vaddr, uint64_t *ret);
/* The instruction at @vaddr. False: nothing could be executed there. */
bool chain_effect(struct chain_reader *r, uint64_t vaddr,
		  struct pmu_insn_effect *ret);
/* Could it be a return address in @link, for a call is before it? */
bool chain_follows_call(struct chain_reader *r, uint64_t vaddr, unsigned link);
/* chain-return.c */
/*
 * From @pc with @regs on: where the return goes into @ret_pc, and what is in
 * registers then into @regs, if it is CALLER or TRAP.
 */
enum chain_way chain_return(struct chain_reader *r, uint64_t pc,
			    struct chain_regs *regs, uint64_t *ret_pc);

#endif
