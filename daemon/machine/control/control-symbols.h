/* SPDX-License-Identifier: BSD-2-Clause */
/* What the machine's files say of addresses. */
#ifndef CONTROL_CONTROL_SYMBOLS_H
#define CONTROL_CONTROL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/v1/symbols.pb-c.h"

struct control;
struct error;
struct machine_space;

/* What is at @address, by the first file that knows a function there. */
Pmu__V1__Place *control_place(struct control *c, uint64_t address);
/*
 * The same of a user's, @of whose space nobody says what is there: by the file
 * whose code it is. Empty where that is none, or several that disagree.
 */
Pmu__V1__Place *control_code_place(struct control *c,
				   const struct machine_space *of,
				   uint64_t address);
/* The same of a user's of Linux: of @p, or NULL: nobody knows whose. */
Pmu__V1__Place *control_users_place(struct control *c,
				    const Pmu__V1__Process *p,
				    uint64_t address);

#endif
