/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parts of the self test share: a host with a few pages of its own.
 */
#ifndef UNICORN_SELFTEST_H
#define UNICORN_SELFTEST_H

#include "adapter.h"

enum {
	SELFTEST_CODE = PAGE_SIZE,
	SELFTEST_DATA = 2 * PAGE_SIZE,
	SELFTEST_OTHER = SELFTEST_DATA + PAGE_SIZE, /* swapped with it */
	SELFTEST_NOWHERE = 0x100000, /* nothing is there, nor behind it */
	SELFTEST_WORDS = 4,
	SELFTEST_MOST = 64, /* instructions, of what ends by itself */
};

struct boot {
	struct engine *e;
	struct engine_exit exit; /* the last one */
	/* what the host says to it, NULL: ENGINE_STOP */
	enum engine_next (*answer)(struct boot *boot);
	struct pmu_csr_req access; /* the last one that was asked for */
	bool quiet;		   /* all of them may be made inside blocks */
	bool swapped;		   /* the two pages from SELFTEST_DATA on */
};

/* Its host is a struct boot. */
extern const struct engine_host_ops selftest_ops;
/* Puts SELFTEST_WORDS instructions at SELFTEST_CODE. */
void selftest_put(struct engine *e, const uint32_t *words);
/* engine_run() from where @ctx stands, for at most so many instructions. */
int selftest_execute(struct boot *boot, struct engine_ctx *ctx,
		     enum engine_regime regime, uint64_t insns);
/* The same from @state on. */
int selftest_go(struct boot *boot, struct engine_ctx *ctx,
		enum engine_regime regime, const struct hart_state *state);
/* Code that loads from the two pages of data, of which one has 1, one 2. */
void selftest_put_loads(struct engine *e);
/* Does it load these, in blocks or, with @steps, step by step? */
bool selftest_loads(struct boot *boot, struct engine_ctx *ctx,
		    enum engine_regime regime, bool steps,
		    const uint8_t words[2]);
/* Are exits inside generated code right, in all slots? NULL, or why not. */
const char *selftest_exits(struct boot *boot, struct engine_ctx *ctx);
/* The host's answer to an access to a CSR inside its block. */
bool selftest_answer_quiet(struct boot *boot, const struct pmu_csr_req *req,
			   uint64_t *ret_old);
/* Are these told as they are? */
bool selftest_quiet_rows(struct boot *boot, struct engine_ctx *ctx,
			 enum engine_regime regime);
/* Has each space a TLB of its own? NULL, or why not. */
const char *selftest_spaces(struct boot *boot, struct engine_ctx *ctx);
/* The same rows in whatever privilege is in use. */
const char *selftest_rows(struct boot *boot, struct engine_ctx *ctx);
bool selftest_exits_rows(struct boot *boot, struct engine_ctx *ctx,
			 enum engine_regime regime);
/* Is what TLBs are spared right in the space that is in use, too? */
bool selftest_tlb_rows(struct boot *boot, struct engine_ctx *ctx);
/* Decides on what TLBs are spared: sets engine.pages and engine.clean. */
void selftest_tlb(struct boot *boot, struct engine_ctx *ctx);

#endif
