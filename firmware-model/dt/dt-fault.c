/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What can be wrong with riscv,pmu nodes: a fact per row, with its rule and
 * with what the reference firmware does there without a word.
 */
#include "dt-reader.h"

#include <pmu/rule.h>

#define STOPS                                                                  \
	"drops this row, those behind it and what it reads later: the "        \
	"counters' table, then selectors, then raw events"
#define SAME "does the same"
#define KEEP "keeps the row"

#define DIGITS(n)     #n
#define NUMBER(limit) DIGITS(limit)
#define MAX_HARTS     NUMBER(FW_DT_MAX_HARTS)
#define MAX_NODES     NUMBER(FW_DT_MAX_NODES)

#define ERROR(text, rule, reference)                                           \
	{                                                                      \
		FW_DT_ERROR, false, text, rule, reference                      \
	}
#define WARN(text, rule, reference)                                            \
	{                                                                      \
		FW_DT_WARNING, false, text, rule, reference                    \
	}
#define NOTE(text, rule, reference)                                            \
	{                                                                      \
		FW_DT_NOTE, false, text, rule, reference                       \
	}
#define STOPPING(level, text, rule)                                            \
	{                                                                      \
		level, true, text, rule, STOPS                                 \
	}

struct fault_row {
	enum fw_dt_level level;
	bool stops; /* the reference reads no further */
	const char *text, *rule, *reference;
};

static const struct fault_row rows[DT_N_FAULTS] = {
	[DT_NO_NODE] = WARN("there is no riscv,pmu node: SBI offers no PMU",
			    RULE("C192"),
			    "offers the PMU extension, with the fixed and the "
			    "firmware counters"),
	[DT_NODES_MANY] = ERROR("more than " MAX_NODES " riscv,pmu nodes",
				RULE("C100"), "reads the first one only"),
	[DT_NODE_SECOND] = NOTE("not the first riscv,pmu node", RULE("C100"),
				"reads the first one only, for all harts"),
	[DT_NODE_DISABLED] = WARN("the node is disabled and is not read",
				  RULE("C192"), "reads it all the same"),
	[DT_NODE_EMPTY] = WARN("the node has no table", RULE("C192"),
			       "offers the PMU extension, with the fixed and "
			       "the firmware counters"),
	[DT_NODE_UNUSABLE] = WARN("no row of the node gives any event a "
				  "counter",
				  RULE("C192"),
				  "offers the PMU extension, with the fixed "
				  "and the firmware counters"),
	[DT_PROP_UNKNOWN] = WARN("not a property of this node", RULE("C105"),
				 "does not read it"),
	[DT_TABLE_EMPTY] = WARN("has no row", RULE("C103"), SAME),
	[DT_TABLE_TAIL] = WARN("the cells after the last row are dropped",
			       RULE("C103"), "drops them, too"),
	[DT_TABLE_LONG] = STOPPING(FW_DT_ERROR, "too many rows", RULE("C100")),
	[DT_NEEDS_RANGES] = ERROR("needs " DT_PROP_RANGES, RULE("C105"),
				  "reads it to no effect"),
	[DT_SELECT_RAW] = ERROR("a raw event has no place here", RULE("C101"),
				"keeps the row, which nothing looks up"),
	[DT_SELECT_UNKNOWN] =
		WARN("SBI defines no such event", RULE("C100"), KEEP),
	[DT_SELECT_REPEATED] = WARN("the event has an earlier row, which "
				    "stands",
				    RULE("C99"), "takes the earlier one, too"),
	[DT_SELECT_FILTERS] = WARN("bits 63-56 of the selector are not the "
				   "event's",
				   RULE("C40"),
				   "clears them where the hart has Sscofpmf, "
				   "else writes them"),
	[DT_SELECT_LOST] =
		WARN("no row of " DT_PROP_RANGES " has this event",
		     RULE("C105"), "answers that the event is not supported"),
	[DT_RANGE_ORDER] = STOPPING(
		FW_DT_ERROR, "the first event is above the last", RULE("C101")),
	[DT_RANGE_RAW] = STOPPING(FW_DT_ERROR, "a raw event has no place here",
				  RULE("C101")),
	[DT_RANGE_OVERLAP] = STOPPING(
		FW_DT_ERROR, "the events overlap those of an earlier row",
		RULE("C101")),
	[DT_RANGE_FIXED] = STOPPING(
		FW_DT_WARNING,
		"counters 0-2 count cycles and instructions only", RULE("C27")),
	[DT_RANGE_ZERO] = WARN("event 0 is no event", RULE("C20"),
			       "says of event 0 that it can be counted"),
	[DT_RANGE_UNKNOWN] =
		WARN("SBI defines no event of this row", RULE("C100"), KEEP),
	[DT_RANGE_NONE] = WARN("no counter of this row can count its events",
			       RULE("C102"), KEEP),
	[DT_RANGE_FIXED_ONLY] =
		NOTE("a fixed counter alone, on a hart with Sscofpmf that has "
		     "no Smcntrpmf",
		     RULE("C102"), "answers that the event is not supported"),
	[DT_RAW_REPEATED] = STOPPING(FW_DT_ERROR,
				     "select and mask are those of an earlier "
				     "row",
				     RULE("C101")),
	[DT_RAW_FIXED] = STOPPING(
		FW_DT_WARNING, "counters 0-2 count no raw event", RULE("C27")),
	[DT_RAW_ALL] = STOPPING(FW_DT_NOTE,
				"select and mask are 0: matches every raw "
				"event, behind a table of events",
				RULE("C42")),
	[DT_RAW_OUTSIDE] = WARN("select has bits outside its mask, nothing "
				"matches",
				RULE("C42"), KEEP),
	[DT_RAW_NONE] = WARN("no counter of this row can count raw events",
			     RULE("C102"), KEEP),
	[DT_RAW_SHARED] =
		NOTE("an event may match an earlier row, too", RULE("C42"),
		     "takes the last row that matches, and from it "
		     "the wrong counter"),
	[DT_HARTS_MANY] =
		WARN("more than " MAX_HARTS " harts, the rest is not read",
		     RULE("C104"), "does not read it"),
	[DT_HART_FOREIGN] = WARN("not a hart's interrupt controller, the rest "
				 "is not read",
				 RULE("C104"), "does not read it"),
	[DT_HART_LINE] = WARN("an overflow interrupt is the hart's 13",
			      RULE("C104"), "does not read it"),
	[DT_HART_TWICE] =
		ERROR("an earlier node is for this hart", RULE("C100"),
		      "takes the first node, for all harts"),
	[DT_HART_UNNAMED] =
		WARN("no riscv,pmu node is for this hart", RULE("C192"),
		     "takes the first node, for all harts"),
	[DT_REST_TWICE] =
		ERROR("names no hart, as an earlier node", RULE("C100"),
		      "takes the first node, for all harts"),
};

bool dt_report(struct dt_reader *r, enum dt_fault fault, const char *prop,
	       unsigned row)
{
	const struct fault_row *d = &rows[fault];
	struct fw_dt_fault f = {
		.level = d->level,
		.path = r->path,
		.property = prop,
		.row = row,
		.text = d->text,
		.rule = d->rule,
		.reference = d->reference,
	};

	if (r->src->fault)
		r->src->fault(r->src->arg, &f);
	if (r->src->quirks.dt_lenient) {
		r->stop = r->stop || d->stops;
		return d->stops;
	}
	r->errors += d->level == FW_DT_ERROR;
	return d->level == FW_DT_ERROR;
}
