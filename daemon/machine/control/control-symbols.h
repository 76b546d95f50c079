/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's files of symbols, and what they say of addresses. */
#ifndef CONTROL_CONTROL_SYMBOLS_H
#define CONTROL_CONTROL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/v1/symbols.pb-c.h"

struct control;
struct error;
struct machine_space;

/*
 * Takes over @bytes, of malloc(), as a file to ask. Of a
 * position-independent one @bias is added to all addresses. False: @e says why,
 * and the bytes are the caller's still.
 */
bool control_symbols_add(struct control *c, uint8_t *bytes, size_t size,
			 uint64_t bias, struct error *e);
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
struct symbol_files *symbol_files_new(void); /* NULL without memory */
void symbol_files_free(struct symbol_files *files);

#endif
