/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How an SBI extension is written: a table of functions, indexed by FID. The
 * dispatcher (sbi.c) decodes the registers, answers what is unknown or not
 * available, refuses unknown flag bits and joins the register pairs of RV32; a
 * handler sees arguments only.
 */
#ifndef FIRMWARE_SBI_SBI_CALL_H
#define FIRMWARE_SBI_SBI_CALL_H

#include <fw/fw.h>

#include "firmware.h"

struct sbi_call {
	unsigned hart; /* the caller */
	uint64_t now;
	uint8_t kind;		 /* the function's, see below */
	uint64_t arg[6];	 /* zero-extended; a pair is one argument */
	enum fw_outcome outcome; /* a handler that ends the hart sets FW_GONE */
	bool faulted; /* a legacy call's pointer faulted: take @fault */
	struct pmu_trap fault; /* pc is filled in by whoever takes it */
	struct fw_regs *regs;  /* NULL: an instrument calls */
	bool resumed; /* a handler has set all of @regs: no answer is written */
};

typedef struct sbi_ret sbi_fn(struct fw *fw, struct sbi_call *call);
typedef bool sbi_available_fn(const struct fw *fw);

struct sbi_func {
	const char *name; /* "PMU.counter_start" */
	sbi_fn *fn;
	uint32_t since; /* SBI version, as get_spec_version tells it */
	uint8_t wide;	/* 1 + number of the 64-bit argument, or 0 */
	uint8_t flags;	/* 1 + number of the flags argument, or 0 */
	bool strict;	/* unknown flags are refused in both profiles */
	uint64_t known; /* flags */
	uint8_t kind;	/* for a handler that serves several functions */
	sbi_available_fn *available; /* NULL: always */
};

#define SBI_V01 0x00000001
#define SBI_V02 0x00000002
#define SBI_V03 0x00000003
#define SBI_V2	0x02000000
#define SBI_V3	0x03000000

#define CALL(text, func, version)                                              \
	.name = (text), .fn = (func), .since = (version)
#define WIDE(n)		   .wide = (n) + 1
#define FLAGS(n, bits)	   .flags = (n) + 1, .known = (bits)
#define KIND(n)		   .kind = (n)
#define STRICT_NO_FLAGS(n) .flags = (n) + 1, .strict = true

struct sbi_ext {
	uint32_t eid;
	bool legacy; /* EIDs eid..eid+n-1, no FID, a0 only */
	unsigned n;
	const struct sbi_func *funcs;
	sbi_available_fn *available; /* NULL: always */
};

extern const struct sbi_ext sbi_ext_base, sbi_ext_time, sbi_ext_ipi,
	sbi_ext_rfence, sbi_ext_hsm, sbi_ext_srst, sbi_ext_dbcn, sbi_ext_susp,
	sbi_ext_fwft, sbi_ext_sse, sbi_ext_pmu, sbi_ext_legacy;

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
 * call->hart and call->now are set by the caller, the rest here.
 */
struct sbi_ret sbi_dispatch(struct fw *fw, struct sbi_call *call,
			    const uint64_t args[8], bool *ret_legacy);
/* Is there an extension @eid, as a register holds it (C2, C198)? */
bool sbi_probe(const struct fw *fw, const struct fw_hart *h, uint64_t eid);

/*
 * A physical address from two registers. False: out of the reach of this hart
 * in this profile (C74, C141).
 */
bool sbi_paddr(const struct fw *fw, const struct fw_hart *h,
	       const uint64_t lo_hi[2], uint64_t *ret);

/* The hart of id @id; false: there is none. */
bool sbi_hart_by_id(const struct fw *fw, uint64_t id, unsigned *ret_index);
/* The indexes of the harts that a mask and its base mean; -3 or 0. */
int64_t sbi_hart_set(const struct fw *fw, const struct sbi_call *call,
		     uint64_t mask, uint64_t base, uint64_t *ret_set);
/* All harts that can be reached, as base -1 means them. */
uint64_t sbi_hart_all(const struct fw *fw);

/* Can a hart begin at @pc: an instruction's address, in RAM? */
bool hsm_startable(const struct fw *fw, const struct fw_hart *h, uint64_t pc);
/*
 * Suspends the caller: it resumes behind the call, or where a1 says with a2 as
 * hart_suspend and system_suspend have them. SBI_ERR_FAILED unless it runs.
 */
struct sbi_ret hsm_suspend(struct fw *fw, struct sbi_call *call,
			   bool retentive);
/*
 * An interrupt of the firmware's own reaches @h. It waits in M-mode while it is
 * suspended, where nothing that S-mode enables or masks keeps that back (C203).
 */
void hsm_wake(struct fw_hart *h);

/* What legacy calls share with their replacements. */
void time_set(struct fw *fw, const struct sbi_call *call, uint64_t deadline);
void ipi_send(struct fw *fw, unsigned from, uint64_t targets);
/* An interrupt of firmware to firmware; opensbi counts it as an IPI (C92). */
void ipi_signal(struct fw *fw, unsigned from, unsigned to);
void rfence_send(struct fw *fw, unsigned from, uint64_t targets,
		 enum fw_fence_kind kind);
/* A request whose hart mask was refused: opensbi counts it as sent (C92). */
void rfence_failed(struct fw *fw, unsigned from, enum fw_fence_kind kind);

#endif
