/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a counter has its value and whether it counts now, in sentences. In
 * any state after the start.
 */
#ifndef VIEW_EXPLAIN_SENTENCES_H
#define VIEW_EXPLAIN_SENTENCES_H

#include <stdbool.h>

#include <pmu/explain.h>

#include "core/machine-error.h"
#include "core/machine.h"

enum {
	EXPLAIN_FACTS = 32,
	EXPLAIN_TEXT = 224,
};

struct explain_fact {
	const char *topic; /* a word: "inhibit" */
	const char *rule;  /* as RULE() takes it, or NULL */
	bool hinders;	   /* for this alone it would not count now */
	bool has_pc;	   /* it names code of the guest's, @by whom */
	struct pmu_origin by;
	char text[EXPLAIN_TEXT];
};

struct explain {
	bool counts; /* the next event of its kind in the hart's mode */
	char summary[EXPLAIN_TEXT];
	struct explain_fact fact[EXPLAIN_FACTS];
	unsigned n;
};

/*
 * @index: a logical counter of @hart, as inspect_counter() has them. False:
 * there is no such hart, no such number, or the machine has not started. A
 * number that has no counter is explained, too.
 */
bool explain_counter(const struct machine *m, unsigned hart, unsigned index,
		     struct explain *ret, struct error *e);

#endif
