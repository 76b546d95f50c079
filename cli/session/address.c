/* SPDX-License-Identifier: BSD-2-Clause */
/* Which words are names is decided here; where they are, the machine knows. */
#include "address.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pmud.h"
#include "text/exit-codes.h"
#include "number.h"
#include "pmu/v1/symbols.pb-c.h"
#include "text/report.h"

/* A name does not begin as a number does. */
bool address_split(const char *text, char **ret_name, uint64_t *ret_offset)
{
	const char *plus = strrchr(text, '+');

	*ret_offset = 0;
	if (!*text || isdigit((unsigned char)*text) || *text == '-' ||
	    plus == text)
		return false;
	if (plus && !number_parse(plus + 1, ret_offset))
		return false;
	*ret_name = plus ? strndup(text, (size_t)(plus - text)) : strdup(text);
	return *ret_name != NULL;
}

int address_parse(struct pmud *s, const char *machine, const char *what,
		  const char *text, uint64_t *ret)
{
	Pmu__V1__FindSymbolRequest req = PMU__V1__FIND_SYMBOL_REQUEST__INIT;
	Pmu__V1__FindSymbolResponse *r = NULL;
	uint64_t offset;
	int code;

	if (number_parse(text, ret))
		return EXIT_OK;
	if (!address_split(text, &req.name, &offset)) {
		report_error("%s: '%s' is not a number, NAME or "
			     "NAME+OFFSET",
			     what, text);
		return EXIT_USAGE;
	}
	req.machine = (char *)machine;
	code = PMUD_CALL(s, FindSymbol, &req, &r);
	if (!code)
		*ret = r->address + offset;
	answer_free(r);
	free(req.name);
	return code;
}

int address_parse_pc(struct pmud *s, const char *machine, const char *what,
		     const char *text, uint64_t *ret)
{
	uint64_t pc;
	int code = address_parse(s, machine, what, text, &pc);

	if (code)
		return code;
	if (pc & 1) {
		report_error("%s: 0x%" PRIx64
			     " is odd: no instruction is there",
			     what, pc);
		return EXIT_USAGE;
	}
	*ret = pc;
	return EXIT_OK;
}
