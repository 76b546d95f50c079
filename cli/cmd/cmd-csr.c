/* SPDX-License-Identifier: BSD-2-Clause */
/* CSRs of a hart, by name or number. */
#include <inttypes.h>

#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/json.h"
#include "number.h"
#include "text/parse.h"
#include "text/plain-text.h"
#include "pmu/v1/harts.pb-c.h"
#include "show-answer.h"
#include "suggest.h"
#include "text/table.h"

enum {
	CSR_NUMBERS = 1 << 12
};

static int print_csr(const Pmu__V1__Csr *csr, const struct args *args)
{
	if (args->json)
		return json_print(stdout, &csr->base);
	plain_printf(stdout, "%s %#" PRIx64 "\n", csr->name, csr->value);
	return EXIT_OK;
}

/* Is the word a number that a CSR can have? Otherwise it is a name. */
static bool csr_number(const char *word, uint32_t *ret)
{
	uint64_t number;

	if (!number_parse(word, &number) || number >= CSR_NUMBERS)
		return false;
	*ret = (uint32_t)number;
	return true;
}

static int csr_read(struct pmud *s, struct args *args)
{
	Pmu__V1__ReadCsrRequest req = PMU__V1__READ_CSR_REQUEST__INIT;
	Pmu__V1__ReadCsrResponse *r = NULL;
	int code;

	req.machine = (char *)args->machine;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	req.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NUMBER;
	if (!csr_number(args->arg[0], &req.number)) {
		req.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NAME;
		req.name = args->arg[0];
	}
	code = PMUD_CALL(s, ReadCsr, &req, &r);
	if (!code)
		code = print_csr(r->csr, args);
	else
		suggest_word(s, args, CANDIDATES_CSR, args->arg[0]);
	answer_free(r);
	return code;
}

static int csr_write(struct pmud *s, struct args *args)
{
	Pmu__V1__WriteCsrRequest req = PMU__V1__WRITE_CSR_REQUEST__INIT;
	Pmu__V1__WriteCsrResponse *r = NULL;
	int code;

	req.machine = (char *)args->machine;
	if (!parse_hart(args, &req.hart) ||
	    !parse_value("VALUE", args->arg[1], &req.value))
		return EXIT_USAGE;
	req.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	if (!csr_number(args->arg[0], &req.number)) {
		req.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NAME;
		req.name = args->arg[0];
	}
	code = PMUD_CALL(s, WriteCsr, &req, &r);
	if (!code)
		code = print_csr(r->csr, args);
	else
		suggest_word(s, args, CANDIDATES_CSR, args->arg[0]);
	answer_free(r);
	return code;
}

static int print_csrs(const void *answer)
{
	const Pmu__V1__ListCsrsResponse *r = answer;
	static const struct column columns[] = {
		{ "NUMBER", COLUMN_WIDE },
		{ "CSR", COLUMN_TEXT },
		{ "VALUE", COLUMN_WIDE },
		{ "RULE", COLUMN_LAST },
	};
	struct table *t = table_new("csrs", columns, 4, false);

	for (size_t i = 0; i < r->n_csrs; i++) {
		const Pmu__V1__Csr *c = r->csrs[i];

		table_row(t);
		table_cell(t, "0x%03x", c->number);
		table_cell(t, "%s", c->name);
		table_cell(t, "%#" PRIx64, c->value);
		table_cell(t, "%s", c->rule);
	}
	return table_print(t, stdout);
}

int csr_list(struct pmud *s, struct args *args)
{
	Pmu__V1__ListCsrsRequest req = PMU__V1__LIST_CSRS_REQUEST__INIT;

	req.machine = (char *)args->machine;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	return SHOW_ANSWER(s, args, ListCsrs, &req, print_csrs);
}

#define WITH_HART (WITH(MACHINE) | WITH(HART))

const struct command csr_commands[] = {
	{ "csr read", "CSR|NUMBER", "Read a CSR as M-mode would", WITH_HART, 1,
	  1, NEEDS_DAEMON, csr_read },
	{ "csr write", "CSR|NUMBER VALUE", "Write a CSR of a paused machine",
	  WITH_HART, 2, 2, NEEDS_DAEMON, csr_write },
	{ "csr list", NULL, "List the CSRs of a hart and their values",
	  WITH_HART, 0, 0, NEEDS_DAEMON, csr_list },
	{ 0 },
};
