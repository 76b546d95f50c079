/* SPDX-License-Identifier: BSD-2-Clause */
/* The callers of a sample, out of its registers and its copy of the stack. */
#ifndef CLI_TRACE_UNWIND_SAMPLE_H
#define CLI_TRACE_UNWIND_SAMPLE_H

#include <stdbool.h>

#include "record-text.h"

enum {
	UNWIND_MAX_CALLERS = 127
};

struct unwind_callers {
	uint64_t pc[UNWIND_MAX_CALLERS];
	size_t n;
	Pmu__V1__ChainEnd end;
};

/*
 * By the files of @style. False: @r is no sample, or was recorded without a
 * stack, and @ret is untouched.
 */
bool unwind_sample(const struct record_style *style, const Pmu__V1__Record *r,
		   struct unwind_callers *ret);

#endif
