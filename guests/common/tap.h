/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results of a conformance guest as TAP, and the table that most of them are:
 * steps, done in order, each with the answer that either profile wants. A
 * result has its rules before it and its answer behind it, so that
 * implementations can be compared by value:
 *
 *	# shows C14
 *	ok 7 - info: an id beyond the last
 *	# = -3 0x0
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdint.h>

/* The rules that a result shows; the lint checks the names. */
#define RULE(names) "" names

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What an operation says: an SBI answer, or a trap's cause and a value. */
struct answer {
	long error;
	uint64_t value;
};

struct want {
	long error;
	uint64_t value;
	bool any; /* value: it means nothing here */
};

#define OK                                                                     \
	{                                                                      \
		0, 0, true                                                     \
	}
#define ERR(e)                                                                 \
	{                                                                      \
		(e), 0, true                                                   \
	}
#define VAL(v)                                                                 \
	{                                                                      \
		0, (v), false                                                  \
	}

/* The profiles' wants: as the specification, as the reference. */
#define BOTH(w)                                                                \
	{                                                                      \
		w, w                                                           \
	}
#define DIFF(spec, opensbi)                                                    \
	{                                                                      \
		spec, opensbi                                                  \
	}

enum profile {
	SPEC,
	OPENSBI
};

typedef struct answer op_fn(const uint64_t *a);

struct step {
	const char *why; /* true when it passes; NULL: only to be done */
	const char *rules;
	op_fn *op;
	uint64_t a[10];
	struct want want[2];
};

/* A row that claims something, and one that is only to be done. */
#define CLAIM(why, rules, want, fn, ...)                                       \
	{                                                                      \
		why, rules, fn, { __VA_ARGS__ }, want                          \
	}
#define DO(fn, ...)                                                            \
	{                                                                      \
		.op = fn, .a = { __VA_ARGS__ }                                 \
	}

/* Does the steps of a chapter; a name is "chapter: why" and unique. */
void tap_steps(const char *chapter, const struct step *steps, unsigned n);
#define TAP_STEPS(chapter, steps) tap_steps(chapter, steps, N_OF(steps))
/* What will not be tried, nor the steps before it; call it first. */
void tap_leave_out(unsigned number);
/* Says of the claims of a chapter that they are not tried here. */
void tap_skip(const char *chapter, const struct step *steps, unsigned n);
#define TAP_SKIP(chapter, steps) tap_skip(chapter, steps, N_OF(steps))

/*
 * What @v stands for: numbers in tables may be names of others. The guest that
 * has such tables defines it.
 */
uint64_t tap_number(uint64_t v);

/* Which of the wants is wanted, and whether a claim was not met so far. */
extern enum profile tap_profile;
extern unsigned tap_failed;

/* The plan; call it last. */
void tap_done(void);

#endif
