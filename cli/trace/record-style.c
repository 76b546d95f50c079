/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that --symbols and its like, and --sysroot, give to a trace's
 * addresses.
 */
#include "record-style.h"

#include <inttypes.h>

#include "cmd/args.h"
#include "guest-files.h"
#include "session/kernel-symbols.h"
#include "symbol-file.h"
#include "symbol-map.h"
#include "text/exit-codes.h"
#include "text/report.h"
#include "user-symbols.h"

/* Those of the machine's kernel. Returns an exit code. */
static int open_kernel(struct pmud *s, const struct args *args,
		       struct symbols **ret)
{
	struct symbol_map *map;
	int code = kernel_symbols_read(s, args->machine, &map);

	if (code)
		return code;
	*ret = symbols_open_map(map);
	if (*ret)
		return EXIT_OK;
	symbol_map_free(map);
	return report_no_memory("symbols of the kernel");
}

/* What is asked of a hart that never was would look like one that did nothing.
 */
static int check_hart(const struct args *args, const Pmu__V1__Header *header)
{
	uint32_t harts = header->config ? header->config->harts : 0;

	if (!args_has(args, OPTION_HART) || !harts || args->hart < harts)
		return EXIT_OK;
	report_error("--hart: there is no hart %" PRIu64
		     ", the trace is of %" PRIu32,
		     args->hart, harts);
	return EXIT_NOT_FOUND;
}

int record_style_open(struct record_style *ret, struct pmud *s,
		      const struct args *args, const Pmu__V1__Header *header)
{
	int code;

	/* one that crashed before its trace began has an empty header */
	ret->xlen = header->xlen ? header->xlen : 64;
	code = check_hart(args, header);
	if (!code)
		code = user_symbols_open(&ret->users, &args->user_symbols,
					 ret->xlen);
	if (!code)
		code = symbol_file_open_guests(&ret->guests, args, header);
	if (code)
		return code;
	code = guest_files_open(&ret->files, args, s != NULL);
	if (code)
		return code;
	if (s && kernel_symbols_are_meant(args->symbols))
		return open_kernel(s, args, &ret->symbols);
	return symbol_file_open(&ret->symbols, args, header);
}

bool record_style_learn(const struct record_style *style,
			const Pmu__V1__Record *r)
{
	if (guest_files_learn(style->files, r))
		return true;
	report_no_memory("files of the guest");
	return false;
}

void record_style_close(struct record_style *style)
{
	symbols_close(style->symbols);
	symbols_close(style->guests);
	user_symbols_close(style->users);
	guest_files_close(style->files);
	style->files = NULL;
	style->symbols = NULL;
	style->guests = NULL;
	style->users = NULL;
}
