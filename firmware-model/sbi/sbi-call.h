/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the folder sbi/ offers to the others: what a call is, what its arguments
 * mean, and in which state of HSM a hart is. How extensions are written is
 * sbi-extension.h's.
 */
#ifndef FIRMWARE_SBI_SBI_CALL_H
#define FIRMWARE_SBI_SBI_CALL_H

#include "firmware.h"

struct sbi_call {
	unsigned hart; /* the caller */
	uint64_t now;
	uint8_t kind;		 /* of struct sbi_func */
	uint64_t arg[6];	 /* zero-extended; a pair is one argument */
	enum fw_outcome outcome; /* a handler that ends the hart sets FW_GONE */
	bool faulted; /* a legacy call's pointer faulted: take @fault */
	struct pmu_trap fault; /* pc is filled in by whoever takes it */
	struct fw_regs *regs;  /* NULL: an instrument calls */
	bool resumed; /* a handler has set all of @regs: no answer is written */
};

/* call->arg is set by sbi_dispatch(), the fault by whoever sets @faulted. */
static inline void sbi_call_init(struct sbi_call *call, unsigned hart,
				 uint64_t now, struct fw_regs *regs)
{
	call->hart = hart;
	call->now = now;
	call->kind = 0;
	call->outcome = FW_DONE;
	call->faulted = false;
	call->regs = regs;
	call->resumed = false;
}

typedef struct sbi_ret sbi_fn(struct fw *fw, struct sbi_call *call);
typedef bool sbi_available_fn(const struct fw *fw);

static inline struct sbi_ret sbi_ok(uint64_t value)
{
	return (struct sbi_ret){ .error = SBI_SUCCESS, .value = value };
}

/* @error is what refused: 0, or from REFUSE() or sbi_refuse(). */
static inline struct sbi_ret sbi_err(int64_t error)
{
	return (struct sbi_ret){ .error = error };
}

/* What a legacy call leaves in a0, which may be any number. */
static inline struct sbi_ret sbi_legacy(int64_t a0)
{
	return (struct sbi_ret){ .error = a0 };
}

static inline struct fw_hart *sbi_caller(struct fw *fw,
					 const struct sbi_call *call)
{
	return &fw->hart[call->hart];
}

/* Bits that an argument of @h can have. */
static inline uint64_t sbi_xmask(const struct fw_hart *h)
{
	return fw_xlen(h) == 32 ? UINT32_MAX : UINT64_MAX;
}

/*
 * A call with registers @args, a0-a7. @ret_legacy: only a0 is written.
 * call->hart, now and regs are set by the caller, the rest is 0 before.
 */
struct sbi_ret sbi_dispatch(struct fw *fw, struct sbi_call *call,
			    const uint64_t args[8], bool *ret_legacy);

/*
 * A physical address from two registers. False: out of the reach of this hart
 * in this profile (C74, C141).
 */
static inline bool sbi_paddr(const struct fw *fw, const struct fw_hart *h,
			     const uint64_t lo_hi[2], uint64_t *ret)
{
	if (fw_xlen(h) != 32) {
		*ret = lo_hi[0];
		return lo_hi[1] == 0;
	}
	*ret = lo_hi[0] | lo_hi[1] << 32;
	/* 34 bits of physical address with Sv32, 32 for M-mode itself. */
	return lo_hi[1] < (fw->cfg.quirks.address_32_bits ? 1 : 4);
}

/* HSM states, by their SBI numbers. Pending ones are never seen here. */
enum hsm_state {
	HSM_STARTED = 0,
	HSM_STOPPED = 1,
	HSM_SUSPENDED = 4,
};

/* All harts STOPPED. Returns 0 or -FW_ENOMEM. */
int sbi_harts_new(struct fw *fw);
void sbi_harts_free(struct fw *fw); /* NULL in it is fine */
/* @h is STARTED, its features unlocked, nothing set or sent. */
/* What the extensions remember of @hart. */
struct fw_piece sbi_hart_state(const struct fw *fw, unsigned hart);
void sbi_hart_boot(struct fw_hart *h);
enum hsm_state hsm_state(const struct fw_hart *h);

/* The hart of id @id; false: there is none. */
bool sbi_hart_by_id(const struct fw *fw, uint64_t id, unsigned *ret_index);

#endif
