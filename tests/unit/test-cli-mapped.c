/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of programs of a Linux guest: by process, by file, and by functions
 * of the files that --sysroot has. Arguments: symbol-places.elf, the same
 * without symbols, and these.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

#define HEAD(column) "EVENT  PERCENT SAMPLES " column "\n"

static const struct canned_row rows[] = {
	{ "report mapped --sort process",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("PROCESS") "cycles   87.50       7 sh 7\n"
			  "cycles   12.50       1 sh 9\n",
	  "",
	  "" },
	{ "report samples --sort process",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("PROCESS") "cycles  100.00       6 [unknown]\n"
			  "loads   100.00       1 [unknown]\n",
	  "",
	  "" },
	{ "report mapped --sort file",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("FILE") "cycles   37.50       3 /bin/prog\n"
		       "cycles   25.00       2 [unknown]\n"
		       "cycles   12.50       1 /bin/other\n"
		       "cycles   12.50       1 [S]\n"
		       "cycles   12.50       1 [no file]\n",
	  "",
	  "" },
	{ "report mapped --sort file --filter cycle>3000&&privilege==U -j",
	  { { 0 } },
	  EXIT_OK,
	  "{\n"
	  "  \"files\": [\n"
	  "    {\n"
	  "      \"event\": \"cycles\",\n"
	  "      \"percent\": 50.0,\n"
	  "      \"samples\": \"1\",\n"
	  "      \"file\": \"/bin/prog\"\n"
	  "    },\n"
	  "    {\n"
	  "      \"event\": \"cycles\",\n"
	  "      \"percent\": 50.0,\n"
	  "      \"samples\": \"1\",\n"
	  "      \"file\": \"[unknown]\"\n"
	  "    }\n"
	  "  ]\n"
	  "}\n",
	  "",
	  "" },
	{ "report mapped --sort function --filter cycle<1600",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("FUNCTION") "cycles   50.00       1 0x30004\n"
			   "cycles   50.00       1 0x30018\n",
	  "",
	  "" },
	{ "report mapped --sort pid",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --sort: 'pid' is not function, process or file\n",
	  "" },
	{ "report mapped --sysroot none",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: --sysroot: none: No such file or directory\n",
	  "" },
	{ "trace export mapped --format json --sysroot image",
	  { { 0 } },
	  EXIT_FAILED,
	  "",
	  "pmuctl: --sysroot: image: Not a directory\n",
	  "" },
};

static const struct canned_row control_rows[] = {
	{ "report control --sort file",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("FILE") "cycles  100.00       1 /bin/?[31mred?\n",
	  "",
	  "" },
	{ "trace export control --format json",
	  { { 0 } },
	  EXIT_OK,
	  "{\"event\":\"cycles\",\"sampler\":0,\"periods\":\"1\",\"summed\":"
	  "false,\"hart\":0,\"record\":\"0\",\"insn\":\"0\",\"cycle\":\"1000\","
	  "\"ns\":\"1000\",\"mode\":\"U\",\"pid\":7,\"tid\":7,\"comm\":\"sh\","
	  "\"pc\":\"0x30018\",\"nextPc\":\"0x30018\",\"object\":"
	  "\"/bin/?[31mred?\",\"objectOffset\":\"0x18\","
	  "\"function\":\"[unknown]\"}\n",
	  "",
	  "" },
	{ "report control --sysroot root",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("FUNCTION") "cycles  100.00       1 0x30018\n",
	  "pmuctl: /bin/?[31mred? is not below root: its functions are not "
	  "known\n",
	  "" },
};

/* A trace may be anybody's, and a terminal does what it is told. */
TEST_ROWS(a_files_name_has_no_controls, control_rows)
{
	canned_check(&control_rows[_i]);
}

TEST_ROWS(processes_and_files_have_their_samples, rows)
{
	canned_check(&rows[_i]);
}

/* Files of the host */

enum {
	BYTES = 65536 /* of the file in the guest */
};

static char elf[PATH_MAX], stripped[PATH_MAX], debug[PATH_MAX];

static void take_path(char ret[PATH_MAX], const char *path)
{
	if (!path || !realpath(path, ret))
		ret[0] = '\0';
}

/* Each test has a folder of its own. */
static void arguments(int argc, char **argv)
{
	take_path(elf, argv[1]);
	if (argc < 4)
		return;
	take_path(stripped, argv[2]);
	take_path(debug, argv[3]);
}

/* @source, whose function outer() is called @name there, which is as long. */
static void put_copy(const char *source, const char *path, off_t bytes,
		     const char name[5])
{
	static char all[BYTES];
	FILE *from = fopen(source, "rb"), *to = fopen(path, "wb");
	size_t size = from ? fread(all, 1, sizeof(all), from) : 0;

	PREPARING(ck_assert(size && size < sizeof(all) && to));
	for (size_t i = 0; i + 7 <= size; i++)
		if (!memcmp(all + i, "\0outer", 7))
			memcpy(all + i + 1, name, 5);
	fwrite(all, 1, size, to);
	fclose(from);
	PREPARING(ck_assert(!fclose(to) && !truncate(path, bytes)));
}

static void put_named(const char *path, off_t bytes, const char name[5])
{
	put_copy(elf, path, bytes, name);
}

/* The program, and so many bytes at all. */
static void put_program(const char *path, off_t bytes)
{
	put_named(path, bytes, "outer");
}

static void setup(void)
{
	canned_samples_begin();
	PREPARING(ck_assert(!mkdir("root", 0755) && !mkdir("root/bin", 0755)));
}

/* Of the first two samples: where they are. */
static void check(const char *why, const char *options, const char *first,
		  const char *second, const char *notes)
{
	char line[200], out[200];
	struct canned_row row = {
		.line = line, .out = out, .err = notes, .asked = ""
	};

	snprintf(line, sizeof(line), "report mapped --filter cycle<1600 %s",
		 options);
	snprintf(out, sizeof(out),
		 HEAD("FUNCTION") "cycles   50.00       1 %s\n"
				  "cycles   50.00       1 %s\n",
		 first, second);
	printf("# %s\n", why);
	canned_check(&row);
}

TEST(functions_are_those_of_the_file_that_ran)
{
	put_program("root/bin/prog", BYTES);
	check("below a folder", "--sysroot root", "outer", "start", "");
	check("with an end of its own", "--sysroot root/", "outer", "start",
	      "");
	check("--symbols is asked behind it", "--sysroot root --symbols map",
	      "outer", "start", "");
}

static const struct canned_row turn_rows[] = {
	{ "report turns --sysroot root",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("FUNCTION") "cycles   66.67       2 outer\n"
			   "cycles   33.33       1 other\n",
	  "",
	  "" },
	{ "trace export turns --format folded --sysroot root",
	  { { 0 } },
	  EXIT_OK,
	  "cycles;U sh 7;outer 2\n"
	  "cycles;U sh 7;other 1\n",
	  "",
	  "" },
	{ "trace export turns --format folded --sysroot root --no-processes",
	  { { 0 } },
	  EXIT_OK,
	  "cycles;U;outer 2\n"
	  "cycles;U;other 1\n",
	  "",
	  "" },
};

#define HEADER "{'header':{'version':1,'clock_hz':1000000000,'xlen':64}}"
#define TOLD                                                                   \
	"{'cycle':1000,'privilege':3,'pc':196632,'process':{'pid':7,'tid':7,"  \
	"'comm':'sh','mappings':[{'start':196608,'end':200704,'offset':4096,"  \
	"'file':'/bin/other','file_bytes':65536}]},'sample':{'event':'cycles'" \
	",'periods':1,'last_pc':196632}},{'cycle':1100,'privilege':3,'pc':"    \
	"196632,'process':{'pid':7,'tid':7,'comm':'sh'},'sample':{'event':"    \
	"'cycles','periods':1,'last_pc':196632}}"

#define ASKED(stops, samples)                                                  \
	"{'machine':'m1','filter':{'overflows':false,'traps':false,'sbiCalls'" \
	":false,'console':false,'inputs':false,'hartChanges':false,'stops':"   \
	"" stops ",'harts':[],'counters':[],'resets':false,'absences':false,"  \
	"'ebbDeliveries':false,'ebbSession':0,'samples':" samples              \
	",'addresses':[],'deliveries':false,'csrAccesses':false},"
#define ASKS_HEADER                                                            \
	"TraceService/StreamRecords " ASKED(                                   \
		"true", "false") "'drop':true,'fromStart':false}\n"

#define AT(cycle, function)                                                    \
	"        " cycle "    0    U 0x0000000000030018 " function             \
	"+0                first.c:30         sample cycles period 0 process " \
	"7/7 \"sh\"\n"

static const struct canned_row named_rows[] = {
	{ "script turns --sysroot root",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 FUNCTION          "
	  "     "
	  "SOURCE             WHAT\n" AT("1000", "outer") AT("1100", "other")
		  AT("1200", "outer"),
	  "",
	  "" },
	{ "trace show turns --sysroot root --first-cycle 1200 --kind "
	  "sample",
	  { { 0 } },
	  EXIT_OK,
	  "       CYCLE HART PRIV PC                 FUNCTION          "
	  "     "
	  "SOURCE             WHAT\n" AT("1200", "outer"),
	  "",
	  "" },
	{ "trace summary flows --sysroot root",
	  { { 0 } },
	  EXIT_OK,
	  "KIND     RECORDS\n"
	  "overflow       1\n"
	  "stop           1\n"
	  "\n"
	  "HART COUNTER EVENT  FUNCTION OVERFLOWS PERCENT\n"
	  "   0       3 cycles outer            1   100.0\n",
	  "",
	  "" },
	{ "script -m m1 --sysroot root --no-headings",
	  { { "TraceService/StreamRecords", HEADER },
	    { "TraceService/QueryRecords", "{'records':[" TOLD "]}" } },
	  EXIT_OK,
	  AT("1000", "other") AT("1100", "other"),
	  "",
	  ASKS_HEADER "TraceService/QueryRecords " ASKED(
		  "false", "true") "'firstCycle':'0','lastCycle':'0','limit':'"
				   "0','firstRecord':'0'}\n" },
	{ "trace follow -m m1 --sysroot root --no-headings",
	  { { "TraceService/StreamRecords", HEADER },
	    { "TraceService/StreamRecords",
	      "{'batch':{'records':[" TOLD "]}}" } },
	  EXIT_OK,
	  AT("1000", "other") AT("1100", "other"),
	  "",
	  ASKS_HEADER "TraceService/StreamRecords " ASKED(
		  "false", "false") "'drop':false,'fromStart':false}\n" },
	{ "trace diff turns stays --sysroot root",
	  { { 0 } },
	  EXIT_FAILED,
	  "record 2 is the first that differs:\n"
	  "turns: " AT("1200", "outer") "stays: " AT("1200", "other"),
	  "",
	  "" },
	{ "report turns --sysroot root --filter function==other",
	  { { 0 } },
	  EXIT_OK,
	  HEAD("FUNCTION") "cycles  100.00       1 other\n",
	  "",
	  "" },
	{ "report turns --filter function==other",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: --filter: functions have names only by --symbols, "
	  "--guest-symbols or --user-symbols, or --sysroot\n",
	  "" },
	{ "trace unwind turns out --sysroot root",
	  { { 0 } },
	  EXIT_OK,
	  "",
	  "pmuctl: no sample has a copy of the stack (record "
	  "--stack)\n",
	  "" },
	{ "trace unwind turns out",
	  { { 0 } },
	  EXIT_USAGE,
	  "",
	  "pmuctl: trace unwind needs --symbols, --guest-symbols, "
	  "--user-symbols or --sysroot: "
	  "the tables are in the files that ran\n",
	  "" },
};

TEST_ROWS(all_that_names_functions_takes_a_root, named_rows)
{
	put_program("root/bin/prog", BYTES);
	put_named("root/bin/other", BYTES, "other");
	canned_check(&named_rows[_i]);
}

/* As a library comes where another was, with a function where it had one. */
TEST_ROWS(a_function_is_of_the_file_that_was_there, turn_rows)
{
	put_program("root/bin/prog", BYTES);
	put_named("root/bin/other", BYTES, "other");
	canned_check(&turn_rows[_i]);
}

TEST(addresses_count_from_the_files_beginning)
{
	static const struct canned_row row = {
		"report mapped --sysroot root",
		{ { 0 } },
		EXIT_OK,
		HEAD("FUNCTION") "cycles   37.50       3 0x30018\n"
				 "cycles   25.00       2 outer\n"
				 "cycles   12.50       1 0x31000\n"
				 "cycles   12.50       1 0x50000\n"
				 "cycles   12.50       1 start\n",
		"",
		""
	};

	/* what is mapped of /bin/other there is behind its code */
	put_program("root/bin/prog", BYTES);
	put_program("root/bin/other", BYTES);
	canned_check(&row);
}

/* As a distribution's packages have them. */
TEST(debug_information_is_below_the_root_too)
{
	put_copy(stripped, "root/bin/prog", BYTES, "outer");
	check("none", "--sysroot root", "0x30004", "0x30018", "");
	ck_assert(!mkdir("root/usr", 0755) && !mkdir("root/usr/lib", 0755) &&
		  !mkdir("root/usr/lib/debug", 0755) &&
		  !mkdir("root/usr/lib/debug/.build-id", 0755) &&
		  !mkdir("root/usr/lib/debug/.build-id/12", 0755));
	put_copy(debug, "root/usr/lib/debug/.build-id/12/34abcd.debug", BYTES,
		 "outer");
	check("below the root", "--sysroot root", "outer", "start", "");
}

TEST(instructions_are_those_of_the_file)
{
	put_program("root/bin/prog", BYTES);
	ck_assert_int_eq(canned_run("annotate mapped --sysroot root --filter "
				    "cycle<1100"),
			 EXIT_OK);
	ck_assert_msg(strstr(canned_out(), "cycles: outer, 1 of 1 samples "
					   "(100.00%), "),
		      "%s", canned_out());
}

static void no_file(void)
{
	ck_assert(!mkdir("root/bin/prog", 0755));
}

static void no_program(void)
{
	FILE *f = fopen("root/bin/prog", "w");

	ck_assert(f && !ftruncate(fileno(f), BYTES));
	fclose(f);
}

static void longer(void)
{
	put_program("root/bin/prog", BYTES + 1);
}

static void leads_out(void)
{
	put_program("prog", BYTES);
	ck_assert(!symlink("../../prog", "root/bin/prog"));
}

static void leads_beside(void)
{
	ck_assert(!mkdir("root2", 0755));
	put_program("root2/prog", BYTES);
	ck_assert(!symlink("../../root2/prog", "root/bin/prog"));
}

static void leads_nowhere(void)
{
	ck_assert(!symlink("nowhere", "root/bin/prog"));
}

static void leads_to_itself(void)
{
	ck_assert(!symlink("prog", "root/bin/prog"));
}

#define NOT_BELOW                                                              \
	"pmuctl: /bin/prog is not below root: its functions are not known\n"

static const struct other_row {
	const char *why, *note; /* the note without the folder's path */
	void (*put)(void);
} other_rows[] = {
	{ "a folder", "is no file: its functions are not known\n", no_file },
	{ "no program", "/root/bin/prog: ", no_program },
	{ "another size",
	  "is not the file that ran: it has 65537 bytes, that one had 65536: "
	  "its "
	  "functions are not known; --force takes it\n",
	  longer },
	{ "a link that leads out", NOT_BELOW, leads_out },
	{ "a link that leads beside it", NOT_BELOW, leads_beside },
	{ "a link that leads nowhere", NOT_BELOW, leads_nowhere },
	{ "a link that leads to itself",
	  "pmuctl: /bin/prog below root: Too many levels of symbolic links: "
	  "its functions are not known\n",
	  leads_to_itself },
};

TEST_ROWS(other_files_name_nothing, other_rows)
{
	const struct other_row *row = &other_rows[_i];
	const char *at;

	row->put();
	ck_assert_int_eq(canned_run("report mapped --sysroot root"), EXIT_OK);
	ck_assert_msg(!strstr(canned_out(), "outer"), "%s", row->why);
	/* said once, of each file */
	at = strstr(canned_err(), row->note);
	ck_assert_msg(at, "%s: %s", row->why, canned_err());
	ck_assert(!strstr(at + 1, row->note));
}

TEST(with_force_a_file_of_another_size_is_taken)
{
	longer();
	check("longer", "--sysroot root --force", "outer", "start", "");
}

SUITE("cli-mapped", .begin = arguments, .setup = setup,
      .teardown = canned_samples_end);
