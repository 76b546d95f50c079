/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of --symbols and its like say of a record's addresses. */
#ifndef CLI_TRACE_RECORD_SYMBOLS_H
#define CLI_TRACE_RECORD_SYMBOLS_H

#include "record-text.h"

/*
 * The file that the mode of @r is named by, behind those of users' programs;
 * NULL: there is none. A hypervisor and its guest may have the same addresses.
 */
struct symbols *record_symbols(const struct record_style *style,
			       const Pmu__V1__Record *r);
/* What the files say of @pc in the mode and address space of @r. */
void record_find_in_file(const struct record_style *style,
			 const Pmu__V1__Record *r, uint64_t pc,
			 struct symbol *ret);
/* The same, with the function's name as it is printed. */
void record_find(const struct record_style *style, const Pmu__V1__Record *r,
		 uint64_t pc, struct symbol *ret);
/* Of the instruction behind it, in the mode that it is executed in. */
void record_find_next(const struct record_style *style,
		      const Pmu__V1__Record *r, struct symbol *ret);

#endif
