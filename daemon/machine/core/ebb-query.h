/* SPDX-License-Identifier: BSD-2-Clause */
/* The sessions of event-based branches, for whoever looks on. */
#ifndef CORE_EBB_QUERY_H
#define CORE_EBB_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "ebb-session.h"

struct error;
struct machine;

/* The number that was given last. */
uint32_t machine_ebb_newest(const struct machine *m);
/* NULL: there is none of that number. */
const struct ebb_session *machine_ebb_session(const struct machine *m,
					      uint32_t number);
/* Says in @e that there is none. Always false. */
bool machine_ebb_none(uint32_t number, struct error *e);
/* What its counter @n has now. */
uint64_t machine_ebb_value(const struct machine *m, const struct ebb_session *s,
			   unsigned n);

#endif
