/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How an SBI extension is written: a table of functions, indexed by FID. The
 * dispatcher (sbi.c) decodes the registers, answers what is unknown or not
 * available, refuses unknown flag bits and joins the register pairs of RV32; a
 * handler sees arguments only. And what extensions do for each other.
 */
#ifndef FIRMWARE_SBI_SBI_EXTENSION_H
#define FIRMWARE_SBI_SBI_EXTENSION_H

#include <fw/sbi-name.h>

#include "sbi-call.h"
#include "sbi-hart.h"

/* Flags that a version of SBI added. */
struct sbi_flags {
	uint64_t bits;
	uint32_t since;
};
enum {
	SBI_FLAG_VERSIONS = 2, /* that added flags to one function */
};

struct sbi_func {
	sbi_fn *fn;
	uint32_t since; /* SBI version, as get_spec_version tells it */
	uint8_t wide;	/* 1 + number of the 64-bit argument, or 0 */
	uint8_t flags;	/* 1 + number of the flags argument, or 0 */
	bool strict;	/* unknown flags are refused in both profiles */
	struct sbi_flags known[SBI_FLAG_VERSIONS];
	uint8_t kind; /* for a handler that serves several functions */
	sbi_available_fn *available; /* NULL: always */
};

#define SBI_V01 0x00000001
#define SBI_V02 0x00000002
#define SBI_V03 0x00000003
#define SBI_V2	FW_SBI_2_0
#define SBI_V3	FW_SBI_3_0

#define CALL(func, version) .fn = (func), .since = (version)
#define WIDE(n)		    .wide = (n) + 1
#define FLAGS(n, ...)	    .flags = (n) + 1, .known = { __VA_ARGS__ }
#define KIND(n)		    .kind = (n)
#define STRICT_NO_FLAGS(n)  .flags = (n) + 1, .strict = true

struct sbi_ext {
	uint32_t eid;
	bool legacy; /* EIDs eid..eid+n-1, no FID, a0 only */
	unsigned n;
	const struct sbi_func *funcs;
	sbi_available_fn *available; /* NULL: always */
};

extern const struct sbi_ext sbi_ext_base, sbi_ext_time, sbi_ext_ipi,
	sbi_ext_rfence, sbi_ext_hsm, sbi_ext_srst, sbi_ext_dbcn, sbi_ext_susp,
	sbi_ext_fwft, sbi_ext_sse, sbi_ext_pmu, sbi_ext_ebb, sbi_ext_legacy;

/* Is there an extension @eid, as a register holds it (C2, C198)? */
bool sbi_probe(const struct fw *fw, const struct fw_hart *h, uint64_t eid);

/* sbi-dbcn.c: writes one byte, that of the first argument. */
sbi_fn sbi_console_byte;

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
/* The interrupt has been handled before anything else happens. */
void ipi_handled(struct fw_hart *h);
void rfence_send(struct fw *fw, unsigned from, uint64_t targets,
		 enum fw_fence_kind kind);
/* Counts one whose hart mask is refused (C92). */
void rfence_refused(struct fw *fw, unsigned from, enum fw_fence_kind kind);

#endif
