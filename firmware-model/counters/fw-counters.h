/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The logical counters of the PMU extension, behind its functions: which there
 * are, which one an event gets, what starting and stopping does, the snapshot
 * page. What the counters of a hart are made of stays in this folder.
 */
#ifndef FIRMWARE_COUNTERS_FW_COUNTERS_H
#define FIRMWARE_COUNTERS_FW_COUNTERS_H

#include "firmware.h"
#include "sbi/sbi-call.h"

enum {
	TIME_HOLE = 1 /* no counter has this id */
};

/*
 * The logical counters of all harts. Ids mean the same on all harts, for
 * clients ask one hart and use them on all: what a hart lacks of the others'
 * hardware counters is a hole there (C17). Returns 0 or -FW_ENOMEM.
 */
int counters_new(struct fw *fw);
void counters_free(struct fw *fw); /* NULL in it is fine */
/*
 * Who maps events: @dt, which is taken over, else the platform's hooks, else
 * each number is its own selector; nobody where a tree said nothing.
 */
void counters_set_source(struct fw *fw, struct fw_dt *dt);
/* cycle and instret run, the others wait for an event. */
/* What it remembers of @hart. */
struct fw_piece counters_state(const struct fw *fw, unsigned hart);
void counters_boot(const struct fw *fw, struct fw_hart *h);
/* Can any hart's counter be reached through the mapping (C192)? */
bool counters_usable(const struct fw *fw);

/* One more than the highest id (C7). */
unsigned ctr_count(const struct fw_hart *h);
/* The ids that are counters. */
uint64_t ctr_ids(const struct fw_hart *h);
/* Those of @set that have a mapping. */
uint64_t ctr_mapped(const struct fw_hart *h, uint64_t set);
/* Is counter @n (< ctr_count()) one of the firmware's? */
bool ctr_is_firmware(const struct fw_hart *h, unsigned n);
/* Was counter @n given an event: has it an owner? */
bool ctr_is_owned(const struct fw_hart *h, unsigned n);
uint64_t ctr_get(const struct fw_hart *h, unsigned n);

enum { /* config_flags */
	CFG_SKIP_MATCH = 1u << 0,
	CFG_CLEAR_VALUE = 1u << 1,
	CFG_AUTO_START = 1u << 2,
	CFG_INHIBIT_SHIFT = 3, /* VUINH VSINH UINH SINH MINH */
	CFG_INHIBIT = 0x1fu << CFG_INHIBIT_SHIFT,
	CFG_ALL = 0xff,
};

/* A config_matching, its set checked. */
struct ctr_request {
	unsigned base;	/* of the set, as the call named it */
	unsigned first; /* of its counters */
	uint64_t set;	/* of logical ids */
	uint64_t flags, event_idx, event_data;
};
/* Finds a counter and configures it: 0 with @ret_n set, or an error. */
int64_t ctr_config_matching(const struct fw *fw, struct fw_hart *h,
			    const struct ctr_request *req, uint64_t now,
			    unsigned *ret_n);

/*
 * Starts @n, with *@value first if that is not NULL. Returns 0 or
 * SBI_ERR_ALREADY_STARTED, which changes nothing.
 */
int64_t ctr_start(const struct fw *fw, struct fw_hart *h, unsigned n,
		  const uint64_t *value, uint64_t now);
/*
 * counter_start was refused for @n, which runs. Nothing changes by that, but
 * the reference has by then programmed its event anew, with the interrupt off:
 * OF is set (C52, C206).
 */
void ctr_started_already(const struct fw *fw, struct fw_hart *h, unsigned n);
/* Returns 0 or SBI_ERR_ALREADY_STOPPED, which changes nothing. */
int64_t ctr_stop(struct fw_hart *h, unsigned n);
/*
 * Hardware counters @set, claimed for event-based branches, run and are
 * nobody's here; taken back, they are stopped and have no event.
 */
void ctr_give_away(struct fw_hart *h, uint32_t set);
void ctr_take_back(const struct fw *fw, struct fw_hart *h, uint32_t set);
/* Takes the mapping of a stopped counter away; the value stays (C62, C63). */
void ctr_reset(const struct fw *fw, struct fw_hart *h, unsigned n);

/* PMU function 8. */
sbi_fn event_get_info;

/*
 * PMU function 7, and the page that it registers: 64 values and a bitmap of
 * overflown counters, indexed from the base of the call (C69).
 */
sbi_fn snapshot_set_shmem;
bool snapshot_available(const struct fw *fw);
/* Is there a page, and where was it the last time? */
bool snapshot_has_page(const struct fw_hart *h);
uint64_t snapshot_page(const struct fw_hart *h);
/* The value of entry @i. False: the page cannot be read. */
bool snapshot_load(const struct fw *fw, const struct fw_hart *h, unsigned i,
		   uint64_t *ret);
/*
 * Writes the entries of the counters in @set, and the bitmap of those among
 * them that have overflown. False: the page cannot be written.
 */
bool snapshot_save(const struct fw *fw, const struct fw_hart *h, unsigned base,
		   uint64_t set);

#endif
