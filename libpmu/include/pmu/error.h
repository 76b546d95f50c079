/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host errors of libpmu: one closed list, returned as -PMU_E... and passed
 * up unchanged. What a guest does wrong is never one of these; it is an
 * architectural outcome (enum pmu_csr_result, struct pmu_trap).
 */
#ifndef PMU_ERROR_H
#define PMU_ERROR_H

#pragma GCC visibility push(default)

#define PMU_ERRORS(X)                                                          \
	X(EINVAL, "argument out of range")                                     \
	X(ENOMEM, "out of memory")                                             \
	X(ESTATE, "call not allowed in this state")                            \
	X(EBUG, "libpmu broke its own rule, please report")

enum pmu_err {
	PMU_OK,
#define X(id, text) PMU_##id,
	PMU_ERRORS(X)
#undef X
};

/*
 * The text of an error. @err: 0 or a value of enum pmu_err, of either sign.
 * Returns a constant string, "unknown error" for a number not in the list.
 */
const char *pmu_strerror(int err);

#pragma GCC visibility pop

#endif
