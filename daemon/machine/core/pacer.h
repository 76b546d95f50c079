/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who holds an idle machine to a time that is not its own. The core reads no
 * host clock: it tells when a stretch begins in which all harts wait, and asks
 * how far the clock may have come in it.
 */
#ifndef CORE_PACER_H
#define CORE_PACER_H

#include <stdint.h>

struct pacer {
	/* All harts wait from cycle @start on: its time passes from now on. */
	void (*begin)(struct pacer *p, uint64_t start);
	/* The cycle that this stretch has come to; it never goes back. */
	uint64_t (*reached)(struct pacer *p);
};

#endif
