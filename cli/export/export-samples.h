/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all formats are written from: the records of a trace one after the
 * other, and of each overflow of a counter and each sample of an observer, both
 * being samples here, what is known of it. Events,
 * address spaces, functions and places have numbers; their tables hold those
 * that came so far, so that memory does not grow with the trace.
 */
#ifndef CLI_EXPORT_EXPORT_SAMPLES_H
#define CLI_EXPORT_EXPORT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export-index.h"
#include "export-space.h"
#include "pmu/v1/traces.pb-c.h"
#include "symbols.h"

struct args;
struct guest_mapping;
struct symbols_at;
struct export_samples;

#define EXPORT_UNKNOWN "[unknown]"

enum {
	EXPORT_EVENTS_MAX = 4096, /* names of events in one trace */
	/* the setting clock-hz of a trace that was cut before it began */
	EXPORT_HZ = 1000000000,
};

/* A function in an address space, or all there of which no name is known. */
struct export_function {
	const char *name; /* or EXPORT_UNKNOWN */
	const char *path; /* of its source, or NULL */
	int line;	  /* where it begins there; 0: unknown */
	uint64_t start;	  /* its first address, if the name is known */
	size_t space;
	bool known;
};

/* An address in an address space. */
struct export_place {
	uint64_t pc;
	size_t function;
	const char *path; /* of its line, or NULL */
	int line;
	size_t mapping; /* that it is in; EXPORT_NONE: none is known */
};

/* Numbers are those of the tables. */
struct export_sample {
	size_t event, place;
	uint64_t weight; /* how many it stands for */
	bool summed;	 /* of a whole run: it has no time */
	bool exact;	 /* all there are, none between is left out */
	const struct export_space *space;
	const struct export_function *function;
	const struct export_place *at;
};

struct export_item {
	const Pmu__V1__Record *record; /* until the next */
	uint64_t index;		       /* in the trace, from 0 */
	uint64_t ns;		       /* of the record's cycle */
	bool is_sample;
	struct export_sample sample; /* pointers are good until the next */
};

/* Opens args->arg[0] and the symbols. Returns an exit code. */
int export_samples_open(struct export_samples **ret, const struct args *args);
void export_samples_close(struct export_samples *x); /* NULL is fine */

/* The next record that is wanted: 1, 0 at the end, -1: an error was said. */
int export_next(struct export_samples *x, struct export_item *ret);
/* The same, passing by what is no sample. */
int export_next_sample(struct export_samples *x, struct export_item *ret);
/*
 * The number of the place @pc in the mode and address space of @r, which is new
 * if it was not met; pointers of samples are good no more. EXPORT_NONE: out of
 * memory.
 */
size_t export_place_at(struct export_samples *x, const Pmu__V1__Record *r,
		       uint64_t pc);
/* Sets the pointers of a sample, by its place. */
void export_point(const struct export_samples *x, struct export_sample *s);
/* The machine's clock in nanoseconds. */
uint64_t export_ns(const struct export_samples *x, uint64_t cycle);
/* At last, if all was read: which kinds that are wanted it has none of. */
void export_note_missing(struct export_samples *x);
/* From the first on again; numbers stay. Returns an exit code. */
int export_again(struct export_samples *x);
/* Names the trace. Returns EXIT_FAILED. */
int export_no_memory(const struct export_samples *x);
/* The same, of a trace that is another when it is read again. */
int export_changed(const struct export_samples *x);

uint64_t export_hz(const struct export_samples *x); /* of the cycles */
unsigned export_xlen(const struct export_samples *x);

/* The @i-th file of symbols, for @s. False: there are no more. */
bool export_file(const struct export_samples *x, const struct export_space *s,
		 size_t i, struct symbols_at *ret);
/* What processes of Linux have mapped, by the records so far. */
size_t export_mappings(const struct export_samples *x);
const struct guest_mapping *export_mapping(const struct export_samples *x,
					   size_t i);
/* Its file on the host, by --sysroot, or NULL. */
const char *export_mapping_path(const struct export_samples *x, size_t i);
/* The address of a name of --symbols. False: there is none. */
bool export_address(const struct export_samples *x, const char *name,
		    uint64_t *ret);

size_t export_events(const struct export_samples *x); /* how many so far */
/*
 * As it is told, when all were read: overflows have the name of their event,
 * samples too, unless there are overflows of that name.
 */
const char *export_event_name(const struct export_samples *x, size_t i);
/* The name that its records have. */
const char *export_event_recorded(const struct export_samples *x, size_t i);
/* How many of it so far, by their weight. */
uint64_t export_event_samples(const struct export_samples *x, size_t i);
size_t export_spaces(const struct export_samples *x);
const struct export_space *export_space(const struct export_samples *x,
					size_t i);
size_t export_functions(const struct export_samples *x);
const struct export_function *export_function(const struct export_samples *x,
					      size_t i);
size_t export_places(const struct export_samples *x);
const struct export_place *export_place(const struct export_samples *x,
					size_t i);

#endif
