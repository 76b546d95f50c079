/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's settings, `pmuctl run --set KEY=VALUE`: one table with key,
 * help, type, range and default. pmud lists it and sizes machines by it,
 * pmud-machine checks settings, builds machines and writes traces with it.
 *
 * Settings act in their order, a later one wins. KEY means the machine or all
 * its harts; hartN.KEY and hartN-M.KEY only those harts, where KEY is a hart's.
 */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "settings-choices.h"
#include "settings-parts.h"

enum {
	SETTINGS_TEXT = 4096, /* bytes of a value, its end included */
	SETTINGS_ERROR = 512, /* bytes of an error text */
	SETTINGS_HARTS = PMU_MAX_HARTS,
	SETTINGS_MOST = 4096,	     /* given of one machine: 64 of each hart */
	SETTINGS_MAX_EXPLAIN = 1024, /* uarch-explain */
};

#define SETTINGS_HPM_ALL 0xfffffff8u /* mhpmcounter3-31 */

/* What each hart has of its own, parsed. */
struct settings_hart {
	uint64_t ext;	       /* PMU_EXT_... */
	uint32_t isa_xlen;     /* as its ISA string states, 0: none given */
	uint32_t hpm_counters; /* SETTINGS_HPM_ALL: all it can have */
	uint32_t hpm_events[PMU_N_EVENTS]; /* the counters that can count it */
	uint8_t hpm_width[PMU_N_COUNTERS];
	uint64_t sv, asid_bits, mvendorid, marchid, mimpid;
	uint64_t pmp; /* SETTINGS_PMP_... */
};

/* Every setting, parsed. */
struct settings {
	uint64_t xlen, clock_hz, time_hz, tick_hz[PMU_N_TICKS];
	uint64_t cpi, trap_cycles, quantum, wfi_cycles;
	uint64_t yield, sum_pages;  /* 1: ends turns; 1: SUM voids its pages */
	uint64_t reboot, trap_loop; /* 1: goes on; 1: ends the run */
	uint64_t board;		    /* SETTINGS_BOARD_... */
	uint64_t serial, rtc_base;  /* seconds */
	struct settings_seed rng_seed;
	uint64_t fp_minmax; /* SETTINGS_MINMAX_... */
	uint64_t uarch;	    /* of pmu_uarch_preset() */
	struct settings_part l1i, l1d, ll, itlb, dtlb, stlb, predictor;
	struct settings_part prefetch, stalls;
	uint64_t timing;      /* SETTINGS_TIMING_... */
	uint64_t uarch_watch; /* 1: observers' instances from the start */
	uint64_t profile, sbi, snapshot, sse, fw_counters;
	uint64_t max_insns, max_cycles, uarch_explain;
	uint64_t engine, engines, step_only, code_buffer, host_slice;
	uint64_t pace;	/* SETTINGS_PACE_... */
	uint64_t named; /* bit n: some key said hart n */
	bool xlen_given;
	struct settings_hart hart[SETTINGS_HARTS];
};

enum settings_type {
	SETTINGS_NUMBER,   /* a count of <number.h>: k, M, G, T for 1000s */
	SETTINGS_HEX,	   /* the same, shown in hexadecimal */
	SETTINGS_SIZE,	   /* a size of <number.h>: 64M and 64MiB are one */
	SETTINGS_SWITCH,   /* on, off */
	SETTINGS_CHOICE,   /* one of the words in @values */
	SETTINGS_EXT,	   /* on, off: the extension @ext */
	SETTINGS_ISA,	   /* an ISA string: all extensions at once */
	SETTINGS_COUNTERS, /* a bitmap in hexadecimal, or a list: 3-6,9 */
	SETTINGS_WIDTHS,   /* bits of all counters, or a list: 3-6:40,9:32 */
	SETTINGS_EVENTS,   /* events, or with their counters: cycles:3-6+9 */
	SETTINGS_SEED,	   /* bytes in hexadecimal, or one of the words */
	SETTINGS_PART,	   /* of a core's models, or "preset", "none" */
};

struct settings_row {
	const char *key;
	const char *help;
	enum settings_type type;
	uint64_t min, max;
	const char *initial; /* default value; ISA: see settings_initial() */
	const char *values;  /* CHOICE: words separated by '|' */
	/*
	 * What machines were before there was this setting, which is what the
	 * header of a trace without it means; NULL: every header has it.
	 */
	const char *before;
	bool host_only; /* cannot change what the guest sees */
	bool per_hart;	/* hartN.KEY is accepted */
	size_t offset;	/* in struct settings, or struct settings_hart */
	uint64_t ext;	/* EXT: one of PMU_EXT_... */
	size_t part;	/* PART: where in struct pmu_uarch_config */
	enum settings_part_kind part_kind;
};

/* How many rows there are, and row @i of them. */
size_t settings_count(void);
void settings_row(size_t i, struct settings_row *ret);
/* What a row accepts, for people: "1 to 64". Returns @buf. */
const char *settings_values(const struct settings_row *row, char *buf,
			    size_t size);

/* A row's default as users write it: a constant, or @buf (ISA_TEXT bytes). */
const char *settings_initial(const struct settings_row *row, char *buf);
/* All defaults. */
void settings_init(struct settings *s);
/* What the header of a trace that says nothing means: the rows' `before`. */
void settings_init_recorded(struct settings *s);
/*
 * Sets one. False: @s is unchanged and @ret_error (SETTINGS_ERROR bytes) names
 * key, value and what is accepted.
 */
bool settings_set(struct settings *s, const char *key, const char *value,
		  char *ret_error);
/* Whether @key is one, of all harts or of some, whatever its value. */
bool settings_known(const char *key);
/*
 * What depends on several of them, for a machine of @n_harts: time-hz <=
 * clock-hz, an extension and what it needs, sv and xlen, ...
 */
bool settings_check(const struct settings *s, unsigned n_harts,
		    char *ret_error);
/* A row's value, of @hart's if it has one: as settings_set() takes it, in @buf,
 * which has SETTINGS_TEXT bytes. */
const char *settings_get(const struct settings *s,
			 const struct settings_row *row, unsigned hart,
			 char *buf);
/*
 * The seed that the guest is given; returns how many bytes @ret then points to,
 * 0 if none, or while a random one is to be drawn.
 */
size_t settings_seed(const struct settings *s, const uint8_t **ret);
/*
 * Calls @pair for each key and value that together make a machine of @n_harts
 * what @s says, in the order in which settings_set() takes them. A hart's row
 * comes once for all and then for the harts that differ from hart 0. Left out
 * are host_only rows, extensions that the ISA string states, and rows that are
 * for all harts what they were before there was such a setting.
 */
void settings_each(const struct settings *s, unsigned n_harts,
		   void (*pair)(void *arg, const char *key, const char *value),
		   void *arg);

#endif
