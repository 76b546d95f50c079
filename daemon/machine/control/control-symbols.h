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
/*
 * The same of a hypervisor's guest's on @hart, whose kernel may have the
 * addresses of another. Empty while another mode runs: what is there then is
 * not known.
 */
Pmu__V1__Place *control_guests_place(struct control *c, unsigned hart,
				     uint64_t address);
/* The same of a user's of Linux: of @p, or NULL: nobody knows whose. */
Pmu__V1__Place *control_users_place(struct control *c,
				    const Pmu__V1__Process *p,
				    uint64_t address);

#endif
