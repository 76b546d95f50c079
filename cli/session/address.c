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
#include "symbol-ranges.h"
#include "text/report.h"
#include "trace/function-name.h"

/* Is @plus the end of "operator+", "++" or "+="? */
static bool is_operator(const char *text, const char *plus)
{
	static const char word[] = "operator";
	const size_t len = sizeof(word) - 1;

	if (plus[1] && strcmp(plus, "+=") != 0)
		return false;
	if (plus > text && plus[-1] == '+')
		plus--;
	return plus >= text + len && !memcmp(plus - len, word, len);
}

/* A name does not begin as a number does. */
bool address_split(const char *text, char **ret_name, uint64_t *ret_offset)
{
	const char *plus = strrchr(text, '+');

	*ret_offset = 0;
	if (!*text || isdigit((unsigned char)*text) || *text == '-' ||
	    plus == text)
		return false;
	if (plus && is_operator(text, plus))
		plus = NULL;
	if (plus && !number_parse(plus + 1, ret_offset))
		return false;
	*ret_name = plus ? strndup(text, (size_t)(plus - text)) : strdup(text);
	return *ret_name != NULL;
}

/* Of the symbol, or of the one that is printed so. Returns an exit code. */
static int take_address(const Pmu__V1__FindSymbolResponse *r, const char *what,
			const char *name, uint64_t *ret)
{
	struct symbols_named *named;
	int code = EXIT_OK;
	size_t n = r->n_candidates;

	if (!n) {
		*ret = r->address;
		return EXIT_OK;
	}
	named = calloc(n, sizeof(*named));
	if (!named)
		return report_no_memory(name);
	for (size_t i = 0; i < n; i++)
		named[i] = (struct symbols_named){ r->candidates[i]->function,
						   r->candidates[i]->address };
	n = function_name_choose(named, n, name);
	if (n > 1) {
		code = function_name_refuse(named, n, what, name);
	} else if (!n) {
		report_error("%s: no file of the machine has the symbol '%s'",
			     what, name);
		code = EXIT_NOT_FOUND;
	} else {
		*ret = named[0].address;
	}
	free(named);
	return code;
}

int address_parse(struct pmud *s, const char *machine, const char *what,
		  const char *text, uint64_t *ret)
{
	Pmu__V1__FindSymbolRequest req = PMU__V1__FIND_SYMBOL_REQUEST__INIT;
	Pmu__V1__FindSymbolResponse *r = NULL;
	char part[FUNCTION_NAME_PART];
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
	function_name_part(req.name, part);
	req.part = part;
	code = PMUD_CALL(s, FindSymbol, &req, &r);
	if (!code)
		code = take_address(r, what, req.name, ret);
	if (!code)
		*ret += offset;
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
