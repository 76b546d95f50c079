/* SPDX-License-Identifier: BSD-2-Clause */
/* Which records a command line asks for, of a file or of a machine. */
#ifndef CLI_TRACE_RECORD_FILTER_H
#define CLI_TRACE_RECORD_FILTER_H

#include <stdbool.h>

#include "cmd/args.h"
#include "pmu/v1/traces.pb-c.h"
#include "wanted/wanted-records.h"
#include "wire/cleanup.h"

struct pmud;
struct record_expr;
struct record_style;

/* What it is made from. */
#define WITH_FILTER                                                            \
	(WITH(KIND) | WITH(HART) | WITH(COUNTER) | WITH(FIRST_CYCLE) |         \
	 WITH(LAST_CYCLE) | WITH(FUNCTION) | WITH(LINE) | WITH(RANGE) |        \
	 WITH(FILTER))

struct record_filter {
	Pmu__V1__RecordFilter message;		   /* for the daemon */
	uint32_t counter, harts[WANTED_HARTS_MAX]; /* that it points to */
	uint64_t first_cycle, last_cycle, limit;   /* 0: no bound */
	uint64_t first_record;			   /* its number */
	uint32_t met;	      /* kinds that were looked at, a bit each */
	struct wanted wanted; /* all but the number */
	Pmu__V1__AddressRange *ranges, **list; /* of the message */
	unsigned char *modes;		       /* that each of them is of */
	struct record_expr *expr; /* of --filter, or NULL: pmuctl's own part */
	const struct record_style *style; /* that it has names of */
};

/*
 * From --kind, --counter and so on. False after an error was said; to be fini
 * in any case, if it was zero before.
 */
bool record_filter_init(struct record_filter *f, const struct args *args);
/*
 * From --function, --line and --range; to be called once, with the names that
 * there are, or else those that the machine at @s has, which may be NULL.
 * @style must live as long. Returns an exit code.
 */
int record_filter_places(struct record_filter *f, struct pmud *s,
			 const struct args *args,
			 const struct record_style *style);
/*
 * Leaves out of the kinds that are asked for those that --filter has none of.
 * False: it has none of any.
 */
bool record_filter_narrow(struct record_filter *f);
/* Of what was init; harmless when it was done before. */
void record_filter_fini(struct record_filter *f);
CLEANUP_VALUE(record_filter, struct record_filter, record_filter_fini)
/* The @i-th name that --kind knows; NULL after the last. */
const char *record_kind_at(size_t i);
/* Does record @number match, apart from the limit? */
bool record_filter_match(struct record_filter *f, const Pmu__V1__Record *r,
			 uint64_t number);
/*
 * When all records of the file @path were asked about: notes which kinds were
 * asked for by name and are not there at all, and may be missing because nobody
 * had them recorded. Its header does not say what was.
 */
void record_filter_note_missing(struct record_filter *f,
				const Pmu__V1__Header *h, const char *path);
/*
 * The part of it that no daemon knows: --filter, and which modes a name's
 * addresses are of.
 */
bool record_filter_holds(const struct record_filter *f,
			 const Pmu__V1__Record *r);
/* How many a daemon may send at most; 0: all, as there is such a part. */
uint64_t record_filter_daemon_limit(const struct record_filter *f);

#endif
