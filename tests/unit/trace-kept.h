/* SPDX-License-Identifier: BSD-2-Clause */
/* A recorder whose sink keeps the bytes, and what they are as a trace. */
#ifndef TEST_TRACE_KEPT_H
#define TEST_TRACE_KEPT_H

#include <errno.h>
#include <string.h>

#include "control/trace.h"
#include "pmu/v1/traces.pb-c.h"
#include "unit.h"

static struct trace trace;
static uint8_t got[8 << 20];
static size_t n_got, room, n_asked;
static int failure;

/* Takes whole calls of at most @room bytes. */
static int sink(void *arg, const void *bytes, size_t len)
{
	n_asked++;
	if (failure)
		return failure;
	if (len > room)
		return -ENOBUFS;
	ck_assert_uint_le(n_got + len, sizeof(got));
	memcpy(got + n_got, bytes, len);
	n_got += len;
	return 0;
}

static void setup(void)
{
	trace_init(&trace, sink, NULL);
	n_got = n_asked = 0;
	room = SIZE_MAX;
	failure = 0;
}

static void teardown(void)
{
	trace_free(&trace);
}

static const struct record_at at = { .insn = 11,
				     .cycle = 22,
				     .pc = 33,
				     .hart = 3,
				     .mode = PMU_MODE_U,
				     .satp = 66 };

static Pmu__V1__Trace *decode(void)
{
	Pmu__V1__Trace *t;

	ck_assert_int_eq(trace_flush(&trace), 0);
	t = pmu__v1__trace__unpack(NULL, n_got, got);
	ck_assert_ptr_nonnull(t);
	return t;
}

#endif
