/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of the Sscounterenw test plan, one or more rows each. */
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES	   UINT64_MAX
#define BIT(n)	   (UINT64_C(1) << (n))
#define HPM(n)	   (HPMCOUNTER + (n))
#define OPEN(m, s) POKE(MCOUNTEREN, m), POKE(SCOUNTEREN, s)
#define TOGGLE(bit)                                                            \
	POKE(SCOUNTEREN, bit), PEEK(SCOUNTEREN, bit), POKE(SCOUNTEREN, 0),     \
		PEEK(SCOUNTEREN, 0)

static const struct script rows[] = {
	{ "scounteren.CY is writable",
	  RULE("SSCNTW-WR-01 sscounterenw_hpmcounter_scounteren"), 0,
	  .steps = { TOGGLE(1) } },
	{ "scounteren.TM is writable", RULE("SSCNTW-WR-02"), 0,
	  .steps = { TOGGLE(2) } },
	{ "scounteren.IR is writable", RULE("SSCNTW-WR-03"), 0,
	  .steps = { TOGGLE(4) } },
	{ "so are the bits of all programmable counters",
	  RULE("SSCNTW-WR-04 sscounterenw_hpmcounter_scounteren"), 0,
	  .steps = { TOGGLE(UINT64_C(0xfffffff8)), TOGGLE(BIT(3)),
		     TOGGLE(BIT(31)) } },
	{ "U reads cycle", RULE("SSCNTW-ACCESS-01"), 0,
	  .steps = { OPEN(1, 1), MODE(U), CSRR(CYCLE, 0) } },
	{ "U may not read cycle", RULE("SSCNTW-ACCESS-02"), 0,
	  .steps = { OPEN(1, 0), MODE(U), ILLEGAL_R(CYCLE) } },
	{ "U reads time", RULE("SSCNTW-ACCESS-03"), 0,
	  .steps = { OPEN(2, 2), MODE(U), NOW(1000), CSRR(TIME, 10) } },
	{ "U may not read time", RULE("SSCNTW-ACCESS-04"), 0,
	  .steps = { OPEN(2, 0), MODE(U), ILLEGAL_R(TIME) } },
	{ "U reads instret", RULE("SSCNTW-ACCESS-05"), 0,
	  .steps = { OPEN(4, 4), MODE(U), CSRR(INSTRET, 0) } },
	{ "U may not read instret", RULE("SSCNTW-ACCESS-06"), 0,
	  .steps = { OPEN(4, 0), MODE(U), ILLEGAL_R(INSTRET) } },
	{ "U reads hpmcounters", RULE("SSCNTW-ACCESS-07"), 0,
	  .steps = { OPEN(ONES, BIT(3) | BIT(31)), MODE(U), CSRR(HPM(3), 0),
		     CSRR(HPM(31), 0) } },
	{ "U may not read hpmcounters", RULE("SSCNTW-ACCESS-08"), 0,
	  .steps = { OPEN(ONES, ~(BIT(3) | BIT(31))), MODE(U),
		     ILLEGAL_R(HPM(3)), ILLEGAL_R(HPM(31)) } },
	{ "the bit of cycle acts at once", RULE("SSCNTW-TOGGLE-01"), 0,
	  .steps = { OPEN(1, 1), MODE(U), CSRR(CYCLE, 0), POKE(SCOUNTEREN, 0),
		     ILLEGAL_R(CYCLE), POKE(SCOUNTEREN, 1), CSRR(CYCLE, 1),
		     POKE(SCOUNTEREN, 0), ILLEGAL_R(CYCLE) } },
	{ "the bit of instret acts at once", RULE("SSCNTW-TOGGLE-02"), 0,
	  .steps = { OPEN(4, 4), MODE(U), CSRR(INSTRET, 0), POKE(SCOUNTEREN, 0),
		     ILLEGAL_R(INSTRET), POKE(SCOUNTEREN, 4), CSRR(INSTRET, 1),
		     POKE(SCOUNTEREN, 0), ILLEGAL_R(INSTRET) } },
	{ "the bit of hpmcounter3 acts at once", RULE("SSCNTW-TOGGLE-03"), 0,
	  .steps = { OPEN(8, 8), MODE(U), CSRR(HPM(3), 0), POKE(SCOUNTEREN, 0),
		     ILLEGAL_R(HPM(3)), POKE(SCOUNTEREN, 8), CSRR(HPM(3), 0),
		     POKE(SCOUNTEREN, 0), ILLEGAL_R(HPM(3)) } },
	{ "mcounteren keeps S from cycle", RULE("SSCNTW-HIER-01"), 0,
	  .steps = { OPEN(0, 1), MODE(S), ILLEGAL_R(CYCLE) } },
	{ "mcounteren opens cycle to S", RULE("SSCNTW-HIER-02"), 0,
	  .steps = { OPEN(1, 1), MODE(S), CSRR(CYCLE, 0) } },
	{ "mcounteren keeps S from an hpmcounter", RULE("SSCNTW-HIER-03"), 0,
	  .steps = { OPEN(~BIT(9), BIT(9)), MODE(S), ILLEGAL_R(HPM(9)) } },
	{ "mcounteren keeps U from cycle", RULE("SSCNTW-HIER-04"), 0,
	  .steps = { OPEN(0, 1), MODE(U), ILLEGAL_R(CYCLE) } },
};

TEST_ROWS(scounteren_is_as_the_plan_says, rows)
{
	script_run(&rows[_i]);
}

SUITE("plan-sscounterenw");
