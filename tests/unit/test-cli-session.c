/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What commands share: images on their way to a machine, where it stands, a
 * run that is followed.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canned-answers.h"
#include "cmd/args.h"
#include "pmu/v1/traces.pb-c.h"
#include "session/follow.h"
#include "session/image.h"
#include "session/place.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "unit.h"

static struct args args;
static struct pmud *pmud;
static char dir[sizeof("/tmp/session-XXXXXX")];

static void put_file(const char *name, const char *bytes, size_t n)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	PREPARING(ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n));
	close(fd);
}

static void setup(void)
{
	strcpy(dir, "/tmp/session-XXXXXX");
	PREPARING(ck_assert_ptr_nonnull(mkdtemp(dir)));
	PREPARING(ck_assert(!chdir(dir)));
	put_file("image", "\177ELF\002", 5);
	put_file("image32", "\177ELF\001", 5);
	put_file("short", "\177EL", 3);
	put_file("empty", "", 0);
	put_file("tree", "\xd0\x0d\xfe\xed tree", 9);
	put_file("source", "/dts-v1/;", 9);
	put_file("cut", "\xd0\x0d\xfe", 3);
	args_init(&args);
	PREPARING(ck_assert_int_eq(pmud_open(&pmud, &args, false), EXIT_OK));
}

static void teardown(void)
{
	static const char *const names[] = { "image", "image32", "short",
					     "empty", "tree",	 "source",
					     "cut" };

	pmud_close(pmud);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(names[i]);
	PREPARING(ck_assert(!chdir("/")));
	rmdir(dir);
}

/* Images */

static const struct map_row {
	const char *path, *err;
	int code;
	bool rv32;
} map_rows[] = {
	{ "image", "", EXIT_OK, false },
	{ "image32", "", EXIT_OK, true },
	{ "short", "", EXIT_OK, false },
	{ "empty", "pmuctl: empty: the file is empty\n", EXIT_FAILED, false },
	{ ".", "pmuctl: .: not a regular file\n", EXIT_FAILED, false },
	{ "none", "pmuctl: none: No such file or directory\n", EXIT_NOT_FOUND,
	  false },
	{ "image/x", "pmuctl: image/x: Not a directory\n", EXIT_FAILED, false },
};

TEST_ROWS(a_file_is_mapped_or_it_is_said_why_not, map_rows)
{
	const struct map_row *row = &map_rows[_i];
	struct image_file f;
	int code;

	canned_capture();
	code = image_map(&f, row->path);
	canned_release();
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_int_eq(code, row->code);
	ck_assert_int_eq(image_is_rv32(row->path), row->rv32);
	if (!code)
		image_unmap(&f);
}

#define NOTED(what) "pmuctl: " what "\n"

enum {
	FLAT = PMU__V1__IMAGE_KIND__IMAGE_KIND_FLAT,
	REFUSED = 9 /* a status of gRPC: FAILED_PRECONDITION */
};

/* The header of a trace with one image. */
struct traced {
	bool is;
	const char *sha256;
	int kind;
	uint64_t address, entry;
};

static const struct load_row {
	const char *path, *dtb;
	uint64_t flat, entry;
	struct traced traced;
	struct canned calls[3];
	int code;
	const char *err, *asked;
} load_rows[] = {
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .calls = { { "load",
		       "{'parts':[{'what':'segment 0 of image 1'}]}" } },
	  .err = "",
	  .asked = "load m1 kind 0 at 0 entry 0: 5\n" },
	/* what the machine notes of an image */
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .calls = { { "load", "{'notes':['one','two']}" } },
	  .err = NOTED("image: one") NOTED("image: two"),
	  .asked = "load m1 kind 0 at 0 entry 0: 5\n" },
	/* a flat one says what lies where */
	{ .path = "image",
	  .flat = 0x1000,
	  .entry = ARGS_UNSET,
	  .calls = { { "load", "{'entry':4096,'parts':[{'what':'image 1',"
			       "'address':4096,'bytes':5}]}" } },
	  .err = NOTED("image 1: 0x1000-0x1004")
		  NOTED("execution begins at 0x1000, in image 1"),
	  .asked = "load m1 kind 2 at 0x1000 entry 0: 5\n" },
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = 0x1005,
	  .calls = { { "load", "{'entry':4101,'parts':[{'what':'image 1',"
			       "'address':4096,'bytes':5}]}" } },
	  .err = NOTED("image 1: 0x1000-0x1004")
		  NOTED("execution begins at 0x1005, in nowhere"),
	  .asked = "load m1 kind 0 at 0 entry 0x1005: 5\n" },
	/* several images do, too */
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .calls = { { "load",
		       "{'entry':16,'parts':["
		       "{'what':'image 1','address':4096,'bytes':5},"
		       "{'what':'image 2','address':16,'bytes':16}]}" } },
	  .err = NOTED("image 1: 0x1000-0x1004") NOTED("image 2: 0x10-0x1f")
		  NOTED("execution begins at 0x10, in image 2"),
	  .asked = "load m1 kind 0 at 0 entry 0: 5\n" },
	/* a static PIE does not say where it lies */
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .calls = { { "load", "{'entry':4112,'bias':4096,'parts':["
			       "{'what':'segment 1 of image 1','address':4096,"
			       "'bytes':32}]}" } },
	  .err = NOTED("image is position independent: 0x1000 is added to its "
		       "addresses") NOTED("segment 1 of image 1: "
					  "0x1000-0x101f")
		  NOTED("execution begins at 0x1010, in segment 1 of image 1"),
	  .asked = "load m1 kind 0 at 0 entry 0: 5\n" },
	/* the tree goes after the image, and is loaded nowhere in particular */
	{ .path = "image",
	  .dtb = "tree",
	  .flat = 0x1000,
	  .entry = 0x1004,
	  .calls = { { "load", "{}" },
		     { "load", "{'parts':[{'what':'the tree'}]}" } },
	  .err = "",
	  .asked = "load m1 kind 2 at 0x1000 entry 0x1004: 5\n"
		   "load m1 kind 3 at 0 entry 0: 9\n" },
	{ .dtb = "source",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .code = EXIT_USAGE,
	  .err = NOTED("source: not a flattened device tree; `dtc -O dtb' "
		       "makes one of source"),
	  .asked = "" },
	{ .dtb = "cut",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .code = EXIT_USAGE,
	  .err = NOTED("cut: not a flattened device tree; `dtc -O dtb' makes "
		       "one of source"),
	  .asked = "" },
	{ .path = "none",
	  .dtb = "tree",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .code = EXIT_NOT_FOUND,
	  .err = NOTED("none: No such file or directory"),
	  .asked = "" },
	{ .path = "image",
	  .dtb = "tree",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .calls = { { "load", NULL, REFUSED } },
	  .code = EXIT_FAILED,
	  .err = NOTED("refused") NOTED("image was not loaded"),
	  .asked = "load m1 kind 0 at 0 entry 0: 5\n" },
	/* a replay loads as the traced run did, unless it is told otherwise */
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .traced = { true, "ab", FLAT, 0x2000, 0x2004 },
	  .calls = { { "load", "{'sha256':'ab'}" } },
	  .err = "",
	  .asked = "load m1 kind 2 at 0x2000 entry 0x2004: 5\n" },
	{ .path = "image",
	  .flat = 0x1000,
	  .entry = 0x1002,
	  .traced = { true, "ab", FLAT, 0x2000, 0x2004 },
	  .calls = { { "load", "{'sha256':'ab'}" } },
	  .err = "",
	  .asked = "load m1 kind 2 at 0x1000 entry 0x1002: 5\n" },
	{ .path = "image",
	  .flat = ARGS_UNSET,
	  .entry = ARGS_UNSET,
	  .traced = { true, "ab", 1, 0x2000, 0 },
	  .calls = { { "load", "{'sha256':'cd'}" } },
	  .err = NOTED("image is not an image of the traced run (sha256 cd): "
		       "this run may be another"),
	  .asked = "load m1 kind 0 at 0 entry 0: 5\n" },
};

TEST_ROWS(an_image_is_loaded_as_it_is_said, load_rows)
{
	const struct load_row *row = &load_rows[_i];
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	Pmu__V1__ImageInfo info = PMU__V1__IMAGE_INFO__INIT, *list = &info;
	int code;

	info.sha256 = (char *)row->traced.sha256;
	info.kind = (Pmu__V1__ImageKind)row->traced.kind;
	info.address = row->traced.address;
	info.entry = row->traced.entry;
	header.images = &list;
	header.n_images = 1;
	args.flat = row->flat;
	args.entry = row->entry;
	args.dtb = row->dtb;
	canned_begin(row->calls);
	canned_capture();
	code = image_load(pmud, "m1", &args, row->path,
			  row->traced.is ? &header : NULL);
	canned_release();
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_str_eq(canned_asked(), row->asked);
	ck_assert_int_eq(code, row->code);
}

TEST(symbols_are_loaded_as_such)
{
	static const struct canned calls[] = { { "load", "{}", 0 }, { 0 } };

	canned_begin(calls);
	ck_assert_int_eq(image_send_symbols(pmud, "m1", "image"), EXIT_OK);
	ck_assert_str_eq(canned_asked(), "load m1 kind 4 at 0 entry 0: 5\n");
}

/* Where a machine stands */

#define HARTS "HartService/ListHarts"
#define NAMES "SymbolService/DescribeAddresses"
#define BYTES "HartService/ReadMemory"
#define HART  "{'harts':[{},{'hart':1,'privilege':2,'pc':4096,'isa':'rv64i'}]}"

static const struct place_row {
	unsigned hart;
	struct canned calls[5];
	const char *out;
} place_rows[] = {
	{ 1,
	  { { HARTS, HART },
	    { NAMES, "{'places':[{'function':'main','offset':16,"
		     "'file':'/src/dir/main.c','line':7}]}" },
	    { BYTES, "{'data':'x:1300'}" },
	    { BYTES, "{'data':'x:0000'}" } },
	  "hart 1 S 0x1000 main+0x10 main.c:7: nop\n" },
	{ 1,
	  { { HARTS, HART },
	    { NAMES, "{'places':[{'file':'main.c','line':8}]}" },
	    { BYTES, "{'data':'x:0100'}" } },
	  "hart 1 S 0x1000 main.c:8: nop\n" },
	/* what is not known is left out */
	{ 1,
	  { { HARTS, HART },
	    { NAMES, "{'places':[{'function':'_start'}]}" },
	    { BYTES, NULL, REFUSED } },
	  "hart 1 S 0x1000 _start+0x0\n" },
	{ 1,
	  { { HARTS, HART },
	    { NAMES, NULL, REFUSED },
	    { BYTES, "{'data':'x:1300'}" },
	    { BYTES, NULL, REFUSED } },
	  "hart 1 S 0x1000\n" },
	{ 1,
	  { { HARTS, HART }, { NAMES, "{}" }, { BYTES, "{'data':'x:13'}" } },
	  "hart 1 S 0x1000\n" },
	/* whose code it is */
	{ 1,
	  { { HARTS, HART },
	    { NAMES, "{'places':[{}],'process':{'pid':7,'tid':8,'comm':'sh',"
		     "'mappings':[{'start':4096,'end':8192,'file':'/bin/sh'},"
		     "{'start':8192,'end':9000,'file':'/other'}]}}" },
	    { BYTES, NULL, REFUSED } },
	  "hart 1 S 0x1000 in /bin/sh of sh 7/8\n" },
	{ 1,
	  { { HARTS, HART },
	    { NAMES, "{'places':[{'function':'idle'}],'process':{'comm':"
		     "'swapper','mappings':[{'start':4096,'end':8192}]}}" },
	    { BYTES, NULL, REFUSED } },
	  "hart 1 S 0x1000 idle+0x0 of swapper 0/0\n" },
	{ 2, { { HARTS, HART } }, "" },
	{ 0, { { HARTS, NULL, REFUSED } }, "" },
};

TEST_ROWS(a_place_is_a_line, place_rows)
{
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;

	m.id = (char *)"m1";
	m.state = PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED;
	m.hart = place_rows[_i].hart;
	canned_begin(place_rows[_i].calls);
	canned_capture();
	place_print(pmud, &m, NULL, stdout);
	canned_release();
	ck_assert_str_eq(canned_out(), place_rows[_i].out);
	ck_assert_str_eq(canned_err(), "");
}

/* Half by half, as the hart sees it. */
TEST(an_instruction_is_read_where_it_is)
{
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;

	m.id = (char *)"m1";
	m.state = PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED;
	m.hart = 1;
	canned_begin(place_rows[0].calls);
	canned_capture();
	place_print(pmud, &m, NULL, stdout);
	canned_release();
	ck_assert_str_eq(
		canned_asked(),
		HARTS " {'machine':'m1'}\n" NAMES
		      " {'machine':'m1','addresses':['4096'],'hart':1}\n" BYTES
		      " {'machine':'m1','hart':1,'address':'4096',"
		      "'size':2,'virtual':true}\n" BYTES
		      " {'machine':'m1','hart':1,'address':'4098',"
		      "'size':2,'virtual':true}\n");
}

TEST(a_machine_that_runs_stands_nowhere)
{
	Pmu__V1__MachineInfo m = PMU__V1__MACHINE_INFO__INIT;

	m.state = PMU__V1__MACHINE_STATE__MACHINE_STATE_RUNNING;
	canned_begin(NULL);
	canned_capture();
	place_print(pmud, &m, NULL, stdout);
	canned_release();
	ck_assert_str_eq(canned_out(), "");
	ck_assert_str_eq(canned_asked(), "");
}

/* A run that is followed */

#define WATCH	"MachineService/WatchMachine"
#define CONSOLE "MachineService/ReadConsole"
#define RECORDS "TraceService/StreamRecords"
#define INPUT	"MachineService/WriteConsole"
#define ENDED	"{'machine':{'state':5,'cause':1,'exit_code':7}}"

static const struct follow_row {
	struct canned calls[8];
	enum follow_end end;
	int code;
	const char *out, *err;
} follow_rows[] = {
	{ { { INPUT, "{}" },
	    { CONSOLE, "{'data':'hello '}" },
	    { CONSOLE, "{'data':'world'}" },
	    { WATCH, ENDED } },
	  FOLLOW_ENDED,
	  7,
	  "hello world",
	  "" },
	/* it stands still, which is told once for each reason, and goes on */
	{ { { INPUT, "{}" },
	    { WATCH, "{'machine':{'state':2,'held':'no room'}}" },
	    { WATCH, "{'machine':{'state':2,'held':'no room'}}" },
	    { WATCH, "{'machine':{'state':2,'held':'no turn'}}" },
	    { WATCH, "{'machine':{'state':2}}" },
	    { WATCH, ENDED } },
	  FOLLOW_ENDED,
	  7,
	  "",
	  NOTED("the machine stands still: no room")
		  NOTED("the machine stands still: no turn")
			  NOTED("the machine goes on") },
	/* each note once, but for the one that the end tells */
	{ { { INPUT, "{}" },
	    { WATCH, "{'machine':{'state':2,'notes':['one']}}" },
	    { WATCH, "{'machine':{'state':2,'notes':['one','two']}}" },
	    { WATCH, "{'machine':{'state':5,'cause':15,'exit_code':125,"
		     "'detail':'three','notes':['one','two','three']}}" } },
	  FOLLOW_ENDED,
	  125,
	  "",
	  NOTED("one") NOTED("two") NOTED("the run ended: trap-loop: three") },
	{ { { INPUT, "{}" }, { WATCH, "{'machine':{'state':2}}" } },
	  FOLLOW_CUT,
	  EXIT_FAILED,
	  "",
	  NOTED("machine m1 was deleted") },
	{ { { INPUT, "{}" }, { WATCH, NULL, REFUSED } },
	  FOLLOW_CUT,
	  EXIT_FAILED,
	  "",
	  NOTED("refused") },
	{ { { INPUT, "{}" },
	    { WATCH, "{'machine':{'id':'m1','state':6,'detail':'signal 9',"
		     "'exit_code':126}}" } },
	  FOLLOW_CUT,
	  126,
	  "",
	  NOTED("machine m1: signal 9") },
	/* records that are lost make no whole trace */
	{ { { INPUT, "{}" },
	    { RECORDS, "{'header':{}}" },
	    { RECORDS, "{'lost':12}" },
	    { WATCH, ENDED } },
	  FOLLOW_CUT,
	  EXIT_FAILED,
	  "",
	  NOTED("run.trace: 12 records are lost") },
	{ { { INPUT, "{}" },
	    { RECORDS, "{'header':{}}" },
	    { RECORDS, "{'batch':{'records':[{'stop':{}},{'stop':{}}]}}" },
	    { WATCH, ENDED } },
	  FOLLOW_ENDED,
	  7,
	  "",
	  "" },
};

TEST_ROWS(a_run_is_followed_to_its_end, follow_rows)
{
	const struct follow_row *row = &follow_rows[_i];
	struct follow_config cfg = { .pmud = pmud,
				     .machine = "m1",
				     .trace_path = "run.trace" };
	enum follow_end end = FOLLOW_LEFT;
	struct follow *f;
	int code;

	cfg.trace = tmpfile();
	canned_begin(row->calls);
	ck_assert_int_eq(follow_open(&f, &cfg), EXIT_OK);
	canned_capture();
	code = follow_run(f, &end);
	canned_release();
	follow_close(f);
	ck_assert_int_eq(ftell(cfg.trace) > 0, _i >= 6);
	fclose(cfg.trace);
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_str_eq(canned_out(), row->out);
	ck_assert_int_eq(code, row->code);
	ck_assert_int_eq(end, row->end);
}

SUITE("cli-session", .setup = setup, .teardown = teardown);
