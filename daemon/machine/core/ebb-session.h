/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches to programs outside: which session has which counters of
 * which hart, which overflows it is still to be told of, and whose turn that
 * is. Nothing here changes a counter: machine-ebb.c does.
 */
#ifndef CORE_EBB_SESSION_H
#define CORE_EBB_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "state-bytes.h"

enum {
	EBB_MAX_SESSIONS = 32 /* of a machine */
};

/* What a client does; the machine keeps it as an input. */
enum ebb_what {
	EBB_UNKNOWN, /* as read from a message; refused */
	EBB_OPEN,
	EBB_ADD,     /* a counter, its event and period */
	EBB_ENABLE,  /* claims all counters or none */
	EBB_DISABLE, /* gives them back */
	EBB_UNMASK,
	EBB_MASK,
	EBB_REARM,  /* a counter: its next period, OF cleared */
	EBB_RETURN, /* of the handler */
	EBB_CLOSE,
	EBB_DEATH, /* closed since the client is gone */
	EBB_N_WHATS,
};

struct ebb_act {
	enum ebb_what what;
	uint32_t session;      /* OPEN: 0, or the number that it must get */
	uint32_t counter;      /* ADD, REARM */
	uint64_t event;	       /* ADD: as mhpmevent has it, without OF */
	uint64_t period;       /* ADD, REARM: events until it overflows */
	bool freezes, reloads; /* OPEN */
	bool masked;	       /* RETURN: stays so */
	bool replayed;	       /* of a queued input: nobody waits for it */
};

/* What a counter is to count, and what it was before. */
struct ebb_claim {
	uint64_t event, period;
	uint64_t event_before, value_before;
	bool inhibited_before;
	uint64_t alerted; /* cycle of its overflow in alerts */
};

struct ebb_session {
	uint32_t number; /* from 1, in the order in which they were opened */
	uint32_t hart;
	bool replayed, freezes, reloads;
	bool scheduled; /* it has its counters */
	bool unmasked;
	bool inside;	   /* the handler runs */
	uint32_t counters; /* bits */
	uint32_t alerts;   /* of those: overflowed, not delivered yet */
	struct ebb_claim claim[PMU_N_COUNTERS];
};

/* That it is told of its counters that have overflowed. */
struct ebb_told {
	uint32_t session;
	uint32_t counters; /* bits */
	uint64_t cycle;	   /* of the first of those overflows */
};

struct ebb;

struct ebb *ebb_new(void); /* NULL without memory */
void ebb_free(struct ebb *ebb);

/* The number that the next session gets; 0: there is no room for one. */
uint32_t ebb_next_number(const struct ebb *ebb);
uint32_t ebb_newest(const struct ebb *ebb); /* number given; 0: none */
/* Opens that session, with nothing in it but its number. */
struct ebb_session *ebb_open(struct ebb *ebb);
struct ebb_session *ebb_find(struct ebb *ebb, uint32_t number); /* or NULL */
/* Who has counter @n of @hart; NULL: nobody. */
struct ebb_session *ebb_owner(struct ebb *ebb, unsigned hart, unsigned n);
/* The next one after number @after, NULL: none. */
struct ebb_session *ebb_after(struct ebb *ebb, uint32_t after);
/* Forgets a session; it holds the machine no more. */
void ebb_close(struct ebb *ebb, struct ebb_session *s);

/*
 * Counter @n of @hart overflowed at @cycle. The number of the session that is
 * to be told, 0: it is nobody's.
 */
uint32_t ebb_alert(struct ebb *ebb, unsigned hart, unsigned n, uint64_t cycle);
/* The cycle of the first of the alerts of @s, which has some. */
uint64_t ebb_first_alert(const struct ebb_session *s);
/*
 * Who is to be told next: the first session that can be, by number; NULL:
 * nobody, or one that freezes has not returned yet.
 */
struct ebb_session *ebb_due(struct ebb *ebb);
/* The session whose handler holds the machine, or NULL. */
const struct ebb_session *ebb_holder(const struct ebb *ebb);
void ebb_hold(struct ebb *ebb, const struct ebb_session *s); /* NULL: nobody */

/* All of it (state-bytes.h). */
void ebb_give(const struct ebb *ebb, struct state *to);
void ebb_take(struct ebb *ebb, struct state *from);

#endif
