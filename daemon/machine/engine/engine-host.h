/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a running engine asks of its host, and the registers both speak of.
 * All of it is plain data; engine.h has the engine's side.
 */
#ifndef ENGINE_ENGINE_HOST_H
#define ENGINE_ENGINE_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/csr.h>
#include <pmu/translate.h>
#include <pmu/uarch.h>

/*
 * The registers of a hart: the state of record outside libpmu. Of RV32 pc and x
 * are zero-extended.
 */
struct hart_state {
	uint64_t pc;
	uint64_t x[32];
	uint64_t f[32];
	uint32_t fcsr;
	bool fp_on;    /* mstatus.FS is not Off */
	bool reserved; /* an LR reservation is held */
};

/* Register numbers for engine_get() and engine_set(). */
enum {
	ENGINE_X0 = 0,
	ENGINE_PC = 32,
	ENGINE_F0 = 33,
	ENGINE_FCSR = 65
};

enum engine_exit_kind {
	ENGINE_EXIT_INSN,  /* @insn is the host's: CSR, SYSTEM or illegal */
	ENGINE_EXIT_FAULT, /* @cause and @tval of a synchronous exception */
};

struct engine_exit {
	enum engine_exit_kind kind;
	uint8_t cause; /* FAULT: enum pmu_cause */
	uint8_t len;   /* INSN: 2 or 4 */
	/*
	 * The bits, 16-bit ones zero-extended. FAULT: of the load or store that
	 * raises it, 0 for a fetch or if it cannot be read any more.
	 */
	uint32_t insn;
	uint64_t pc;
	uint64_t tval; /* FAULT */
};

enum engine_next {
	ENGINE_RESUME, /* go on at ENGINE_PC, which the host has set */
	ENGINE_STOP,   /* leave engine_run() at ENGINE_PC */
};

/* A page translation. The host fills the second half. */
struct engine_walk {
	uint64_t vaddr;
	enum pmu_access access;
	bool executes; /* see struct pmu_walk */
	/* out */
	uint64_t paddr; /* of the page that holds vaddr */
	uint8_t perms;	/* PMU_PERM_..., never empty on success */
	bool device;	/* not RAM: accesses go to mmio() one by one */
	/* RAM: PMU_PERM_R, PMU_PERM_W: loads, stores go to accessed() */
	uint8_t watched;
	uint8_t cause; /* on failure: enum pmu_cause */
	/* as struct pmu_mapping has them; 0: 12 */
	uint8_t leaf_bits;
	bool by_sum;
};

/* One access to a device, at an exact instruction boundary. */
struct engine_mmio {
	uint64_t vaddr, paddr;
	uint8_t size; /* 1, 2, 4, 8 */
	bool write;
	uint64_t value; /* written, or the answer zero-extended */
};

/* What of an access to watched RAM lies in one page. */
struct engine_access {
	uint64_t vaddr, paddr;
	uint8_t size;
	bool load, store; /* both: atomic */
};

struct engine_host_ops {
	/*
	 * True, or false with walk->cause set. Asked once for the first access
	 * to a page that executes, then again for another kind of access that
	 * the answer does not allow; engine_flush_tlb() voids all answers,
	 * engine_fence_page() and engine_sum_cleared() some.
	 */
	bool (*translate)(void *host, struct engine_walk *walk);
	/*
	 * As walk->watched, by virtual address: for whoever looks on. May be
	 * asked any number of times, and no guest notices.
	 */
	uint8_t (*watched)(void *host, uint64_t vaddr);
	/*
	 * True, or false: the access raises an access fault. Called with
	 * budget->done complete up to the accessing instruction; the host may
	 * lower budget->limit (to done + 1: stop after this instruction).
	 */
	bool (*mmio)(void *host, struct engine_mmio *access);
	/*
	 * An access that is watched has happened, of whatever kind; called and
	 * allowed like mmio(). Plain aligned ones go to mmio() instead, unless
	 * they store into a page with code.
	 */
	void (*accessed)(void *host, const struct engine_access *access);
	/*
	 * While engine_feed() is on: an instruction that has something to look
	 * at has been executed, or, if it is not @over, fetched for an exit,
	 * which follows. True: the run ends behind it, as at a limit. The host
	 * may lower budget->limit of instructions, to whatever is left of it.
	 */
	bool (*executed)(void *host, const struct pmu_uarch_insn *insn,
			 bool over);
	/*
	 * Called with budget->done complete up to exit->pc. Reads of user
	 * counters come here too, legal or not. The host counts the
	 * intercepted instruction itself, may zero budget->done and set its
	 * limit and soft anew, and sets ENGINE_PC (unchanged, it points at
	 * exit->pc). Legal inside: engine_get, engine_get_args, engine_set,
	 * engine_ctx_load, engine_flush_tlb, engine_fence_i,
	 * engine_ram_written, engine_set_fp, engine_drop_reservation.
	 */
	enum engine_next (*on_exit)(void *host, const struct engine_exit *exit);
	/*
	 * NULL, or: may the access to a CSR, which would be an exit, be made as
	 * if it were one of the engine's? True: the host has made it, and
	 * @ret_old is what rd gets; the engine counts it with its block and
	 * goes on behind it. False: nothing has happened, and on_exit() comes.
	 * Not all of these are asked for. The host sets req->now; req->read is
	 * true, req->pc 0. Legal inside: engine_set_fp; budget->done is behind
	 * what was executed.
	 */
	bool (*quiet)(void *host, struct pmu_csr_req *req, uint64_t *ret_old);
};

#endif
