/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The texts of the host errors. error.h has the list; when an error is
 * returned is up to the functions that return it.
 */
#include <pmu/error.h>

#include <stddef.h>

static const char *const texts[] = { [PMU_OK] = "success",
#define X(id, text) [PMU_##id] = (text),
				     PMU_ERRORS(X)
#undef X
};

const char *pmu_strerror(int err)
{
	/* Unsigned, so that INT_MIN has a magnitude too. */
	unsigned n = err < 0 ? 0u - (unsigned)err : (unsigned)err;

	if (n >= sizeof(texts) / sizeof(texts[0]))
		return "unknown error";
	return texts[n];
}
