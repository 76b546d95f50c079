/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of the firmware model share: a machine made of real harts of
 * libpmu, a small RAM and a log of what the firmware asked of its host.
 */
#ifndef TESTS_FW_FIXTURE_H
#define TESTS_FW_FIXTURE_H

#include "unit.h"

#include <string.h>

#include <fw/fw.h>
#include <pmu/counter.h>
#include <pmu/csr.h>
#include <pmu/rule.h>

enum {
	BASE_EID = 0x10,
	TIME_EID = 0x54494d45,
	IPI_EID = 0x735049,
	RFENCE_EID = 0x52464e43,
	HSM_EID = 0x48534d,
	SRST_EID = 0x53525354,
	DBCN_EID = 0x4442434e,
	SUSP_EID = 0x53555350,
	FWFT_EID = 0x46574654,
	SSE_EID = 0x535345,
	PMU_EID = 0x504d55,
	EBB_EID = 0x08454242,
};
enum { /* functions of PMU */
	NUM,
	INFO,
	CFG,
	START,
	STOP,
	READ,
	READ_HI,
	SHMEM,
	EVENTS,
	N_PMU_FIDS,
};
enum {
	SKIP = 1,
	CLEAR = 2,
	AUTO = 4,
	VUINH = 8,
	VSINH = 0x10,
	UINH = 0x20,
	SINH = 0x40,
	MINH = 0x80
};
enum {
	INIT = 1,
	INIT_SNAP = 2,
	RESET = 1,
	SNAP = 2
};
enum {
	FW_TIMER = 0xf0005
};

#define RAM_BASE UINT64_C(0x80000000)
enum {
	RAM_SIZE = 0x10000,
	MAX_FENCES = 16
};

struct opts {
	enum fw_profile profile;
	const struct fw_quirks *quirks; /* NULL: @profile's */
	unsigned xlen;			/* 0: 64 */
	unsigned n_harts;		/* 0: 1 */
	uint32_t first_hartid;		/* the others' follow */
	uint64_t with, without;		/* extensions */
	unsigned plain_hart;		/* this one is without @with; 0: none */
	bool plain_first;		/* hart 0 is, the others are not */
	uint32_t hpm_mask;		/* 0: all */
	uint32_t hpm_masks[4];		/* of single harts, 0: @hpm_mask */
	bool no_hpm;			/* no programmable counter */
	uint8_t pmp_entries, width; /* of the programmable counters, 0: 64 */
	unsigned fw_counters;	    /* 0: 16 */
	bool no_snapshot, auto_snapshot, no_sse;
	uint32_t version; /* 0: 3.0 */
	const void *dtb;
	size_t dtb_size;      /* 0: what the tree says */
	bool tree_may_be_bad; /* then there is no firmware */
	const struct fw_platform_ops *platform;
};

struct bench {
	struct pmu_timebase tb; /* 10 cycles are a tick */
	struct pmu_hart *harts[PMU_MAX_HARTS];
	struct fw *fw;
	uint64_t now, ipis_sent;      /* the last: a mask of harts */
	uint64_t ram_base, ram_bytes; /* 0, or more than @ram: it repeats */
	uint8_t ram[RAM_SIZE];
	char out[256];	/* the console's, 0-terminated */
	const char *in; /* what is left to read */
	unsigned out_len, timer_changes, n_fences, starts, stops, suspends,
		resets, mistakes;
	struct {
		unsigned hart;
		enum fw_fence_kind kind;
	} fences[MAX_FENCES];
	unsigned hart; /* of the last start, stop, suspend */
	bool retentive;
	uint64_t pc, opaque;
	struct fw_reset reset;
};

void bench_init(struct bench *b, const struct opts *o);
void bench_fini(struct bench *b);
const struct fw_host_ops *bench_ops(void);

/* A call of @hart with a0-a5; the test fails when it does not return. */
struct sbi_ret bench_call(struct bench *b, unsigned hart, uint32_t eid,
			  uint32_t fid, const uint64_t args[6]);
void bench_reasoned(const struct bench *b, uint32_t eid, int64_t error);
#define CALL(b, eid, fid, ...)                                                 \
	bench_call(b, 0, eid, fid, (const uint64_t[6]){ __VA_ARGS__ })
#define PMU(b, fid, ...)     CALL(b, PMU_EID, fid, __VA_ARGS__)
#define PMU_ERR(b, fid, ...) ((int)PMU(b, fid, __VA_ARGS__).error)

uint64_t bench_csr(const struct bench *b, unsigned hart, uint16_t num);
void bench_poke(const struct bench *b, unsigned hart, uint16_t num,
		uint64_t value);
/* @n instructions retire in the hart's mode. */
void bench_run(struct bench *b, unsigned hart, uint64_t n);
/* The value of logical counter @n of hart 0. */
uint64_t bench_value(const struct bench *b, unsigned n);
/* Counter @n of hart 0, which counts instructions, overflows at once. */
void bench_overflow(struct bench *b, unsigned n);
/* Bit @n of hart 0's scountovf. */
bool bench_shows_of(const struct bench *b, unsigned n);
void bench_store(struct bench *b, unsigned offset, uint64_t value,
		 unsigned bytes);
uint64_t bench_load(const struct bench *b, unsigned offset, unsigned bytes);

/* An ecall or other trap of @hart, taken by the firmware. */
struct bench_trap {
	struct pmu_trap trap;
	uint32_t insn;
	uint64_t x[32];
};
enum fw_outcome bench_trap(struct bench *b, unsigned hart, struct bench_trap *t,
			   struct fw_regs *ret);

#endif
