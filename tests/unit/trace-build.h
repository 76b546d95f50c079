/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small traces for the tests of the command line: records by kind, written to
 * temporary files by the writer that is under test elsewhere.
 */
#ifndef TESTS_TRACE_BUILD_H
#define TESTS_TRACE_BUILD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/trace-file.h"
#include "unit.h"
#include "wire/record.h"

struct built_record {
	Pmu__V1__Record record;
	Pmu__V1__Overflow overflow;
	Pmu__V1__Trap trap;
	Pmu__V1__Stop stop;
};

static inline Pmu__V1__Record *build_base(struct built_record *b,
					  uint64_t cycle)
{
	pmu__v1__record__init(&b->record);
	b->record.cycle = b->record.insn = cycle;
	b->record.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_S;
	b->record.pc = 0x80200000 + cycle;
	return &b->record;
}

static inline Pmu__V1__Record *build_overflow(struct built_record *b,
					      uint64_t cycle, uint32_t counter)
{
	pmu__v1__overflow__init(&b->overflow);
	b->overflow.counter = counter;
	b->overflow.event = (char *)"instructions";
	b->overflow.raised = true;
	b->overflow.last_pc = 0x80200000 + cycle - 4;
	b->overflow.pending = UINT32_C(1) << counter;
	build_base(b, cycle);
	b->record.kind_case = PMU__V1__RECORD__KIND_OVERFLOW;
	b->record.overflow = &b->overflow;
	return &b->record;
}

static inline Pmu__V1__Record *build_trap(struct built_record *b,
					  uint64_t cycle)
{
	pmu__v1__trap__init(&b->trap);
	b->trap.cause = 13;
	b->trap.tval = 0x1000;
	b->trap.target = PMU__V1__PRIVILEGE__PRIVILEGE_S;
	b->trap.handler = 0x80200100;
	build_base(b, cycle);
	b->record.kind_case = PMU__V1__RECORD__KIND_TRAP;
	b->record.trap = &b->trap;
	return &b->record;
}

static inline Pmu__V1__Record *build_stop(struct built_record *b,
					  uint64_t cycle)
{
	pmu__v1__stop__init(&b->stop);
	b->stop.cause = PMU__V1__STOP_CAUSE__STOP_CAUSE_SHUTDOWN;
	build_base(b, cycle);
	b->record.kind_case = PMU__V1__RECORD__KIND_STOP;
	b->record.stop = &b->stop;
	return &b->record;
}

/* A file with a header, open for more; @path has room for its name. */
static inline FILE *build_file(char path[64], uint32_t harts)
{
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	const char *tmp = getenv("TMPDIR");
	FILE *out;
	int fd;

	snprintf(path, 64, "%s/trace-XXXXXX", tmp ? tmp : P_tmpdir);
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	out = fdopen(fd, "wb");
	ck_assert_ptr_nonnull(out);
	config.harts = harts;
	header.version = RECORD_TRACE_VERSION;
	header.config = &config;
	header.xlen = 64;
	ck_assert(trace_write_header(out, &header));
	return out;
}

/* A whole file: overflow, trap, overflow, ..., @n of them, then a stop. */
static inline void build_trace(char path[64], uint32_t harts, unsigned n)
{
	FILE *out = build_file(path, harts);
	struct built_record b;

	for (unsigned i = 0; i < n; i++)
		ck_assert(trace_write_record(
			out, i % 2 ? build_trap(&b, 10 * i)
				   : build_overflow(&b, 10 * i, 3)));
	ck_assert(trace_write_record(out, build_stop(&b, 10 * n)));
	ck_assert_int_eq(fclose(out), 0);
}

#endif
