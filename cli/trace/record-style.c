/* SPDX-License-Identifier: BSD-2-Clause */
/* The names that --symbols and --user-symbols give to a trace's addresses. */
#include "record-style.h"

#include "cmd/args.h"
#include "symbol-file.h"
#include "user-symbols.h"

int record_style_open(struct record_style *ret, const struct args *args,
		      const Pmu__V1__Header *header)
{
	int code;

	/* one that crashed before its trace began has an empty header */
	ret->xlen = header->xlen ? header->xlen : 64;
	code = user_symbols_open(&ret->users, &args->user_symbols, ret->xlen);
	return code ? code : symbol_file_open(&ret->symbols, args, header);
}

void record_style_close(struct record_style *style)
{
	symbols_close(style->symbols);
	user_symbols_close(style->users);
	style->symbols = NULL;
	style->users = NULL;
}
