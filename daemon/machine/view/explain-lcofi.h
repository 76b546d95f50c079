/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the overflow interrupt is on its way, in a sentence. */
#ifndef VIEW_EXPLAIN_LCOFI_H
#define VIEW_EXPLAIN_LCOFI_H

#include <stdbool.h>

#include <pmu/explain.h>

#include "explain-sentences.h"

/*
 * Writes to @ret whether it is pending, who it goes to and why, and what keeps
 * it back. @firmware: M-mode is the firmware model.
 */
void explain_lcofi(const struct pmu_why_lcofi *why, bool firmware,
		   char ret[EXPLAIN_TEXT]);

#endif
