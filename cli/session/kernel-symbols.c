/* SPDX-License-Identifier: BSD-2-Clause */
/* They come in pieces; the first makes the machine search its memory. */
#include "kernel-symbols.h"

#include <string.h>

#include "pmud.h"
#include "pmu/v1/symbols.pb-c.h"
#include "symbol-map.h"
#include "text/exit-codes.h"
#include "text/report.h"

bool kernel_symbols_are_meant(const char *symbols)
{
	return symbols && !strcmp(symbols, KERNEL_SYMBOLS);
}

/* False: one more than there may be, or than there is memory for. */
static bool add(struct symbol_map *map,
		const Pmu__V1__ReadKernelSymbolsResponse *r)
{
	for (size_t i = 0; i < r->n_symbols; i++) {
		const Pmu__V1__KernelSymbol *one = r->symbols[i];

		if (!symbol_map_add(map, one->address, one->type[0], one->name,
				    strlen(one->name)))
			return false;
	}
	return true;
}

/* The piece from @first on; *@ret_more: is there another? */
static int read_piece(struct pmud *s, Pmu__V1__ReadKernelSymbolsRequest *req,
		      struct symbol_map *map, bool *ret_more)
{
	Pmu__V1__ReadKernelSymbolsResponse *r = NULL;
	int code = PMUD_CALL(s, ReadKernelSymbols, req, &r);

	if (code)
		return code;
	if (!add(map, r)) {
		report_error("the kernel's symbols are more than there is "
			     "memory for");
		code = EXIT_FAILED;
	}
	req->first += (uint32_t)r->n_symbols;
	*ret_more = r->n_symbols && req->first < r->total;
	answer_free(r);
	return code;
}

int kernel_symbols_read(struct pmud *s, const char *machine,
			struct symbol_map **ret)
{
	Pmu__V1__ReadKernelSymbolsRequest req =
		PMU__V1__READ_KERNEL_SYMBOLS_REQUEST__INIT;
	struct symbol_map *map = symbol_map_new();
	bool more = true;
	int code = EXIT_OK;

	if (!map)
		return report_no_memory("symbols of the kernel");
	req.machine = (char *)machine;
	while (more && !code)
		code = read_piece(s, &req, map, &more);
	if (code) {
		symbol_map_free(map);
		return code;
	}
	symbol_map_finish(map);
	*ret = map;
	return EXIT_OK;
}
