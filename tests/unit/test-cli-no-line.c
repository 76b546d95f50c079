/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that belongs to no line, which DWARF calls line 0, is told by its file
 * alone, wherever lines are told. Argument: symbol-places.elf.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "no-line.h"
#include "session/place.h"
#include "text/exit-codes.h"

static char elf[PATH_MAX];

static void arguments(int argc, char **argv)
{
	if (!realpath(argv[1], elf)) /* each test has a folder of its own */
		elf[0] = '\0';
}

static const char *const records[] = {
	"{'cycle':10,'insn':9,'privilege':2,'pc':131084,'sample':{'event':"
	"'cycles','period':100,'periods':1,'last_pc':131080}}",
	"{'cycle':20,'stop':{'cause':1}}",
	NULL,
};

static void setup(void)
{
	canned_samples_begin();
	canned_trace("t", "{'version':1,'xlen':64}", records);
	no_line_file(elf, "e");
}

static const struct told_row {
	const char *line, *told, *never;
} told_rows[] = {
	{ "script t --symbols e", " last+0 ", "first.c:0" },
	{ "script t --symbols e", " first.c:? ", "first.c:0" },
	{ "script t -j --symbols e", "\"file\":\"first.c\"", "\"line\"" },
	{ "annotate t --symbols e", " first.c:?\n", "first.c:0" },
	{ "annotate t -j --symbols e", "\"source\": \"/src/first.c\"",
	  "\"line\"" },
	{ "trace export t --format json --symbols e",
	  "\"file\":\"/src/first.c\"", "\"line\"" },
	{ "trace export t --format chrome --symbols e",
	  "\"file\":\"/src/first.c\"", "\"line\"" },
	{ "trace export t --format html --symbols e", "/src/first.c:?<",
	  "first.c:0" },
	{ "trace export t --format callgrind --symbols e", "\n0x20008 0 1\n",
	  "first.c:" },
	{ "trace export t --format cpuprofile --symbols e",
	  "\"lineNumber\":-1}", "\"line\":" },
};

TEST_ROWS(code_of_no_line_has_its_file_alone, told_rows)
{
	const struct told_row *row = &told_rows[_i];

	ck_assert_int_eq(canned_run(row->line), EXIT_OK);
	ck_assert_msg(strstr(canned_out(), row->told) != NULL, "%s: %s%s",
		      row->line, canned_out(), canned_err());
	ck_assert_msg(!strstr(canned_out(), row->never), "%s: %s", row->line,
		      canned_out());
}

TEST(so_it_is_of_a_place_that_the_daemon_tells)
{
	Pmu__V1__Place p = PMU__V1__PLACE__INIT;
	char text[PLACE_TEXT];

	p.function = (char *)"work";
	p.offset = 4;
	p.file = (char *)"/src/work.c";
	ck_assert_str_eq(place_name(&p, text), "work+0x4 work.c:?");
	p.line = 38;
	ck_assert_str_eq(place_name(&p, text), "work+0x4 work.c:38");
}

SUITE("cli-no-line", .begin = arguments, .setup = setup,
      .teardown = canned_samples_end);
