/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the PMU functions must answer and do, written a second time from the
 * conformance list: one table of counter states and operations, and the few
 * rules that apply it to sets. It shares no code with the firmware model.
 */
#ifndef TESTS_SBI_ORACLE_H
#define TESTS_SBI_ORACLE_H

#include "fw-fixture.h"

enum o_kind {
	K_NONE, /* time and counters that are not there */
	K_HPM,
	K_FIXED,
	K_FW,
	N_KINDS
};
enum o_state {
	S_FREE,
	S_STOPPED,
	S_RUNNING,
	S_WILD,	      /* counts, but not for the firmware (C136) */
	S_LOOSE_STOP, /* fixed, without owner */
	S_LOOSE_RUN,
	N_STATES
};
enum o_op {
	O_MATCH,       /* config_matching of its own event */
	O_SKIP_SAME,   /* SKIP_MATCH with event and filters that it has */
	O_SKIP_OTHER,  /* with another event that it can count */
	O_SKIP_FILTER, /* with other filters */
	O_SKIP_NEVER,  /* with an event that it cannot count */
	O_SKIP_WRONG,  /* hardware's with firmware's or the reverse */
	O_START,
	O_STOP,
	O_RESET, /* stop with that flag */
	O_READ,
	N_OPS
};

struct o_cell {
	bool possible; /* is there such a counter in such a state? */
	int error;
	enum o_state next;
};
struct o_cell oracle_cell(enum fw_profile profile, enum o_kind kind,
			  enum o_state state, enum o_op op);

/* Events that calls name, and what the lists say of each. */
struct o_event {
	const char *why;
	uint64_t idx, data;
	int error[2]; /* by profile, whatever the counters; 0 */
	bool fw;
	uint64_t select; /* hardware: 0 when nothing can count it */
	int info[2];	 /* of event_get_info: 0, 1 or its error */
};
extern const struct o_event o_events[];
extern const unsigned n_o_events;

struct o_counter {
	enum o_kind kind;
	enum o_state state;
	uint64_t idx, data, filters; /* while it has an event */
	uint64_t value, reg;	     /* reg: mhpmevent without OF */
	bool of, hw_of;		     /* hw_of: by an overflow */
};

struct o_hart {
	unsigned n; /* of counters */
	struct o_counter c[64];
	uint32_t lcofi; /* pending: the counters that it is for */
	bool page_on;
	uint64_t page; /* offset in RAM */
};

struct oracle {
	enum fw_profile profile;
	bool opensbi;
	unsigned xlen;
	bool ovf, filters; /* Sscofpmf, Smcntrpmf */
	struct o_hart hart[4];
	uint8_t ram[RAM_SIZE]; /* as it must be */
};

void oracle_init(struct oracle *o, const struct opts *opts);
struct sbi_ret oracle_call(struct oracle *o, unsigned hart, unsigned fid,
			   const uint64_t args[6]);
/* Event @idx of the firmware happened on @hart. */
void oracle_fw_event(struct oracle *o, unsigned hart, uint64_t idx);
/* @n instructions retired in @mode. */
void oracle_run(struct oracle *o, unsigned hart, enum pmu_mode mode,
		uint64_t n);
/* Somebody else started or stopped hardware counter @n. */
void oracle_inhibit(struct oracle *o, unsigned hart, unsigned n, bool stop);
/* Fails the test where @b is not as it must be. */
void oracle_compare(const struct oracle *o, const struct bench *b);

#endif
