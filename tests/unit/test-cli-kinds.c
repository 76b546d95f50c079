/* SPDX-License-Identifier: BSD-2-Clause */
/* Kinds of records that are asked for and that a trace has none of. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canned-answers.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "unit.h"

static char dir[sizeof("/tmp/kinds-XXXXXX")];

/* Overflows and traps, and a stop; without the stop; samples, but none. */
static void setup(void)
{
	char path[64];

	PREPARING(ck_assert(mkdtemp(strcpy(dir, "/tmp/kinds-XXXXXX"))));
	PREPARING(ck_assert(!chdir(dir)));
	PREPARING(build_trace(path, 1, 4));
	rename(path, "four");
	PREPARING(build_trace(path, 1, 4));
	PREPARING(ck_assert(!truncate(path, 60)));
	rename(path, "cut");
	canned_trace("sampled", "{'version':1,'samples_only':true}",
		     (const char *const[]){ NULL });
}

static void teardown(void)
{
	unlink("four");
	unlink("cut");
	unlink("sampled");
	PREPARING(ck_assert(!chdir("/")));
	rmdir(dir);
}

#define RAISED "overflow counter 3 instructions last 0x801ffffc raised\n"
#define CUT                                                                    \
	"pmuctl: cut: the end of the trace is missing: it ends at byte 48 "    \
	"with a part of a record\n"

static const struct canned_row rows[] = {
	{ "trace show four --kind sbi,overflow,csr,delivery,hart --hart 0 "
	  "--counter 4 --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: four has no records of kind sbi,csr,delivery, which are "
	  "stored where --record sbi,csr,delivery was given\n",
	  "" },
	{ "trace show four --kind trap,hart --last-cycle 5 --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "",
	  "" },
	{ "trace show four --kind sbi --json",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: four has no records of kind sbi, which are stored where "
	  "--record sbi was given\n",
	  "" },
	{ "trace show four --kind sbi,overflow --limit 1 --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "           0    0    S 0x0000000080200000 " RAISED,
	  "",
	  "" },
	{ "trace show cut --kind sbi --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  CUT "pmuctl: cut has no records of kind sbi, which are stored where "
	      "--record sbi was given\n",
	  "" },
	{ "trace show sampled --kind sample,trap,hart --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: sampled has samples alone, and so no records of kind trap,"
	  "hart\n",
	  "" },
	{ "trace show sampled --kind sample --no-headings",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: sampled has no samples\n",
	  "" },
	{ "trace summary four --kind csr --json",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"kinds\": [],\n"
	  "  \"overflows\": []\n"
	  "}\n",
	  "pmuctl: four has no records of kind csr, which are stored where "
	  "--record csr was given\n",
	  "" },
	{ "trace export four --kind sbi --format folded",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: four has no records of kind sbi, which are stored where "
	  "--record sbi was given\n",
	  "" },
	{ "trace export four --kind sbi,overflow --limit 2 --format folded",
	  { { 0 } },
	  EXIT_OK,
	  "instructions;S;[unknown] 2\n",
	  "",
	  "" },
};

TEST_ROWS(what_may_not_have_been_recorded_is_noted, rows)
{
	canned_check(&rows[_i]);
}

SUITE("cli-kinds", .setup = setup, .teardown = teardown);
