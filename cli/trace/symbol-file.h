/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of --symbols, and whether it is one of those that were traced. */
#ifndef CLI_TRACE_SYMBOL_FILE_H
#define CLI_TRACE_SYMBOL_FILE_H

#include <stdbool.h>

#include "pmu/v1/traces.pb-c.h"
#include "symbols.h"

struct args;

/*
 * Opens --symbols; *@ret is NULL without it. Notes what the file lacks. A file
 * that is no image of @header is refused without --force, for its names would
 * be wrong; NULL, or a header without images, refuses none. Returns an exit
 * code after an error was said.
 */
int symbol_file_open(struct symbols **ret, const struct args *args,
		     const Pmu__V1__Header *header);
/*
 * Likewise of --guest-symbols; it need not be an image of @header, for a
 * hypervisor may have got it elsewhere.
 */
int symbol_file_open_guests(struct symbols **ret, const struct args *args,
			    const Pmu__V1__Header *header);
/* Has @header the file of --symbols as an image? Says nothing. */
bool symbol_file_is_of(const struct args *args, const Pmu__V1__Header *header);

#endif
