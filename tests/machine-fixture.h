/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine in a test program, without processes: settings as text, an image,
 * a run to its end or to a stop, and its trace in memory.
 */
#ifndef TESTS_MACHINE_FIXTURE_H
#define TESTS_MACHINE_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "control/trace.h"
#include "core/machine.h"
#include "pmu/v1/traces.pb-c.h"

struct fixture_config {
	unsigned harts; /* 0: 1 */
	bool m_mode;
	const char *settings; /* "quantum=100 sstc=on", may be NULL */
	const void *image;    /* NULL: four bytes that do not matter */
	size_t image_size;
	uint64_t address; /* of a flat image; 0: it is ELF */
	bool traps, sbi_calls, csr_accesses, deliveries, sbi_memory;
	const Pmu__V1__Trace *replay; /* inputs to feed, or NULL */
	struct pacer *pacer;	      /* of idle time, or NULL */
};

struct fixture {
	struct machine *m;
	struct trace trace;
	struct buf bytes; /* the trace so far */
	uint64_t room;	  /* bytes that the sink still takes */
};

/* All others are as they are by default. */
void fixture_settings(struct settings *s, const char *text);
/* Makes and loads a machine, ready for fixture_start(). Aborts on failure. */
void fixture_init(struct fixture *f, const struct fixture_config *cfg);
void fixture_start(struct fixture *f);
void fixture_fini(struct fixture *f);
/* Runs in slices of @soft while it is RUNNING, at most @slices of them. */
void fixture_run(struct fixture *f, uint64_t soft, unsigned slices);
/* Init, start and run to the end of it. */
void fixture_play(struct fixture *f, const struct fixture_config *cfg,
		  uint64_t soft);
/*
 * Its machine is another one from now on, that took its state; on another
 * engine. Nothing of the first is left.
 */
void fixture_move(struct fixture *f);
enum machine_state fixture_state(struct fixture *f);
struct machine_status fixture_status(struct fixture *f);
/* The trace so far, to be freed with fixture_free_trace(). */
Pmu__V1__Trace *fixture_trace(struct fixture *f);
void fixture_free_trace(Pmu__V1__Trace *t);
/* The traces of two runs are the same bytes. */
bool fixture_same(const struct fixture *a, const struct fixture *b);
/* The n-th record of a kind, NULL: there is none. */
const Pmu__V1__Record *fixture_record(const Pmu__V1__Trace *t,
				      Pmu__V1__Record__KindCase kind,
				      unsigned n);

#endif
