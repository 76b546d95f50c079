/* SPDX-License-Identifier: BSD-2-Clause */
/* Harts and their registers. */
#include <inttypes.h>

#include "command.h"
#include "session/pmud.h"
#include "show-answer.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/parse.h"
#include "pmu/v1/harts.pb-c.h"
#include "text/report.h"
#include "suggest.h"
#include "text/table.h"

enum {
	N_X = 32
};

static int print_harts(const void *answer)
{
	const Pmu__V1__ListHartsResponse *r = answer;
	static const struct column columns[] = {
		{ "HART", COLUMN_NUMBER }, { "STATUS", COLUMN_TEXT },
		{ "PRIV", COLUMN_TEXT },   { "PC", COLUMN_WIDE },
		{ "INSNS", COLUMN_WIDE },  { "CYCLES", COLUMN_WIDE },
		{ "ISA", COLUMN_LAST },
	};
	struct table *t = table_new("harts", columns, 7, false);
	char name[NAME_MAX_LEN];

	for (size_t i = 0; i < r->n_harts; i++) {
		const Pmu__V1__HartInfo *h = r->harts[i];

		table_row(t);
		table_cell(t, "%u", h->hart);
		table_cell(t, "%s",
			   name_enum(&pmu__v1__hart_status__descriptor,
				     (int)h->status, name));
		table_cell(t, "%s", name_privilege((int)h->privilege));
		table_cell(t, "%#" PRIx64, h->pc);
		table_cell(t, "%" PRIu64, h->insn);
		table_cell(t, "%" PRIu64, h->cycle);
		table_cell(t, "%s", h->isa);
	}
	return table_print(t, stdout);
}

static int hart_list(struct pmud *s, struct args *args)
{
	Pmu__V1__ListHartsRequest req = PMU__V1__LIST_HARTS_REQUEST__INIT;

	req.machine = (char *)args->machine;
	return SHOW_ANSWER(s, args, ListHarts, &req, print_harts);
}

static void print_register(unsigned number, uint64_t value)
{
	unsigned n = number < N_X ? number : number - REGISTER_F0;
	char name[16];

	snprintf(name, sizeof(name), "%c%u", number < N_X ? 'x' : 'f', n);
	printf("%-4s %-5s 0x%016" PRIx64 "%s", name, name_register(number),
	       value, n % 2 ? "\n" : "   ");
}

static int print_registers(const void *answer)
{
	const Pmu__V1__ReadRegistersResponse *r = answer;

	printf("pc         0x%016" PRIx64 "\n", r->pc);
	for (size_t i = 0; i < r->n_x && i < N_X; i++)
		print_register((unsigned)i, r->x[i]);
	for (size_t i = 0; i < r->n_f && i < N_X; i++)
		print_register(REGISTER_F0 + (unsigned)i, r->f[i]);
	printf("fcsr       0x%08x\n", r->fcsr);
	return EXIT_OK;
}

static int reg_list(struct pmud *s, struct args *args)
{
	Pmu__V1__ReadRegistersRequest req =
		PMU__V1__READ_REGISTERS_REQUEST__INIT;

	req.machine = (char *)args->machine;
	if (!parse_hart(args, &req.hart))
		return EXIT_USAGE;
	return SHOW_ANSWER(s, args, ReadRegisters, &req, print_registers);
}

static int reg_write(struct pmud *s, struct args *args)
{
	Pmu__V1__WriteRegisterRequest req =
		PMU__V1__WRITE_REGISTER_REQUEST__INIT;
	Pmu__V1__WriteRegisterResponse *r = NULL;
	int number = name_find_register(args->arg[0]), code;

	if (number < 0) {
		report_error("there is no register '%s'", args->arg[0]);
		suggest_word(NULL, args, CANDIDATES_REGISTER, args->arg[0]);
		return EXIT_NOT_FOUND;
	}
	req.machine = (char *)args->machine;
	req.number = (uint32_t)number;
	if (!parse_hart(args, &req.hart) ||
	    !parse_value("VALUE", args->arg[1], &req.value))
		return EXIT_USAGE;
	code = PMUD_CALL(s, WriteRegister, &req, &r);
	answer_free(r);
	return code;
}

#define WITH_HART (WITH(MACHINE) | WITH(HART))

const struct command hart_commands[] = {
	{ "hart list", NULL, "List the harts of a machine", WITH(MACHINE), 0, 0,
	  NEEDS_DAEMON, hart_list },
	{ 0 },
};

const struct command reg_commands[] = {
	{ "reg list", NULL, "Print the registers of a hart", WITH_HART, 0, 0,
	  NEEDS_DAEMON, reg_list },
	{ "reg write", "REGISTER VALUE", "Write a register of a paused machine",
	  WITH_HART, 2, 2, NEEDS_DAEMON, reg_write },
	{ 0 },
};
