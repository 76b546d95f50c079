/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware of a machine: what its folders share. What they remember is
 * theirs alone, behind the pointers; what hardware remembers (whether a
 * hardware counter runs, its event and OF) is read from libpmu each time, since
 * others may change it (C136).
 */
#ifndef FIRMWARE_FIRMWARE_H
#define FIRMWARE_FIRMWARE_H

#include <fw/fw.h>

struct counters;
struct ctr_hart;
struct sbi_hart;
struct sse;
struct sse_hart;

struct fw_hart {
	struct pmu_hart *pmu;
	struct sbi_hart *sbi;	  /* sbi/: HSM, FWFT, timer, IPIs */
	struct ctr_hart *logical; /* counters/ */
	struct sse_hart *sse;	  /* sse/ */
};

/* A piece of what a folder remembers: plain values, no pointer among them. */
struct fw_piece {
	void *at;
	size_t size;
};

struct fw {
	struct fw_config cfg;
	struct fw_machine machine;
	struct fw_refusal refusal, *why; /* of the last call; where it is */
	char warnings[4096];		 /* of the device tree */
	struct counters *counters;
	struct sse *sse;
	unsigned n_harts;
	struct fw_hart hart[];
};

/* Remembers why a call is refused. Returns @error. */
static inline int64_t sbi_refuse(const struct fw *fw, int64_t error,
				 struct fw_refusal why)
{
	*fw->why = why;
	return error;
}
/*
 * This and sbi_refuse() are the only ways to an error, so that each has a
 * reason: REFUSE(fw, INVALID_PARAM, "there is no hart %d", id).
 */
#define REFUSE(fw, error, ...)                                                 \
	sbi_refuse(fw, SBI_ERR_##error, (struct fw_refusal){ __VA_ARGS__ })

static inline unsigned fw_xlen(const struct fw_hart *h)
{
	return pmu_hart_config(h->pmu)->xlen;
}

static inline bool fw_has(const struct fw_hart *h, uint64_t ext)
{
	return (pmu_hart_config(h->pmu)->ext & ext) == ext;
}

static inline uint32_t fw_hartid(const struct fw_hart *h)
{
	return pmu_hart_config(h->pmu)->hartid;
}

#endif
