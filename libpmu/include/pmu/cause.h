/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exceptions, their codes and their names: the one table, for harts and for
 * whoever prints traps. Those that no hart of ours raises are there, too.
 */
#ifndef PMU_CAUSE_H
#define PMU_CAUSE_H

#include <stddef.h>

/* clang-format off */
#define PMU_CAUSES(row)                                                        \
	row(FETCH_MISALIGNED, 0, "instruction address misaligned")             \
	row(FETCH_ACCESS, 1, "instruction access fault")                       \
	row(ILLEGAL, 2, "illegal instruction")                                 \
	row(BREAKPOINT, 3, "breakpoint")                                       \
	row(LOAD_MISALIGNED, 4, "load address misaligned")                     \
	row(LOAD_ACCESS, 5, "load access fault")                               \
	row(STORE_MISALIGNED, 6, "store address misaligned")                   \
	row(STORE_ACCESS, 7, "store access fault")                             \
	row(ECALL_U, 8, "ecall from U")                                        \
	row(ECALL_S, 9, "ecall from S")                                        \
	row(ECALL_VS, 10, "ecall from VS")                                     \
	row(ECALL_M, 11, "ecall from M")                                       \
	row(FETCH_PAGE, 12, "instruction page fault")                          \
	row(LOAD_PAGE, 13, "load page fault")                                  \
	row(STORE_PAGE, 15, "store page fault")                                \
	row(DOUBLE_TRAP, 16, "double trap")                                    \
	row(SOFTWARE_CHECK, 18, "software check")                              \
	row(HARDWARE_ERROR, 19, "hardware error")                              \
	row(FETCH_GUEST_PAGE, 20, "instruction guest-page fault")              \
	row(LOAD_GUEST_PAGE, 21, "load guest-page fault")                      \
	row(VIRTUAL, 22, "virtual instruction")                                \
	row(STORE_GUEST_PAGE, 23, "store guest-page fault")
/* clang-format on */

enum pmu_cause {
#define PMU_CAUSE_NUMBER(name, code, text) PMU_CAUSE_##name = (code),
	PMU_CAUSES(PMU_CAUSE_NUMBER)
#undef PMU_CAUSE_NUMBER
};

/* NULL: no exception has this code. */
static inline const char *pmu_cause_name(unsigned cause)
{
	switch (cause) {
#define PMU_CAUSE_NAME(name, code, text)                                       \
	case PMU_CAUSE_##name:                                                 \
		return text;
		PMU_CAUSES(PMU_CAUSE_NAME)
#undef PMU_CAUSE_NAME
	default:
		return NULL;
	}
}

#endif
