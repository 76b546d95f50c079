/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of long runs of CSRs, for CSR_RUN(). */
#ifndef LIBPMU_CSR_NAMES_H
#define LIBPMU_CSR_NAMES_H

/* clang-format off */
/* Ten: a digit between @p with @t and @s. */
#define CSR_TEN_NAMES(p, t, s)                                                 \
	p t "0" s, p t "1" s, p t "2" s, p t "3" s, p t "4" s, p t "5" s,      \
	p t "6" s, p t "7" s, p t "8" s, p t "9" s
/* 3 to 31, between @p and @s: of programmable counters. */
#define CSR_HPM_NAMES(p, s)                                                    \
	((const char *const[]){ p "3" s, p "4" s, p "5" s, p "6" s, p "7" s,   \
	 p "8" s, p "9" s, CSR_TEN_NAMES(p, "1", s),                           \
	 CSR_TEN_NAMES(p, "2", s), p "30" s, p "31" s })
/* clang-format on */

#endif
