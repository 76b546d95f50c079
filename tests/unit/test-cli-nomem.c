/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Command lines for which memory runs out at the n-th request of pmuctl's own:
 * that is said and the command has failed, or it did without.
 */
#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <pmuclient/machine.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "text/exit-codes.h"
#include "unit.h"

enum {
	EACH = 60 /* of a command's first requests, and of its last */
};

/* The linker sends these calls of the commands here (--wrap). */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
char *__wrap_strndup(const char *s, size_t n);
FILE *__real_open_memstream(char **ret, size_t *ret_len);
FILE *__wrap_open_memstream(char **ret, size_t *ret_len);
int __real_vasprintf(char **ret, const char *format, va_list ap);
int __wrap_vasprintf(char **ret, const char *format, va_list ap)
	__attribute__((format(printf, 2, 0)));
int __wrap_asprintf(char **ret, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int __real_pmuclient_control(struct pmuclient *c, const char *id,
			     enum pmuclient_action action, uint64_t value,
			     Pmu__V1__MachineInfo **ret);
int __wrap_pmuclient_control(struct pmuclient *c, const char *id,
			     enum pmuclient_action action, uint64_t value,
			     Pmu__V1__MachineInfo **ret);
int __real_pmuclient_pause(struct pmuclient *c, const char *id);
int __wrap_pmuclient_pause(struct pmuclient *c, const char *id);

static unsigned asked, fail_at = UINT32_MAX;

/* The one request, and only that. */
static bool fails(void)
{
	if (canned_inside || asked++ != fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n)
{
	return fails() ? NULL : __real_strndup(s, n);
}

FILE *__wrap_open_memstream(char **ret, size_t *ret_len)
{
	return fails() ? NULL : __real_open_memstream(ret, ret_len);
}

int __wrap_vasprintf(char **ret, const char *format, va_list ap)
{
	return fails() ? -1 : __real_vasprintf(ret, format, ap);
}

int __wrap_asprintf(char **ret, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = __wrap_vasprintf(ret, format, ap);
	va_end(ap);
	return n;
}

/* What the client allocates is its own tests' business. */
int __wrap_pmuclient_control(struct pmuclient *c, const char *id,
			     enum pmuclient_action action, uint64_t value,
			     Pmu__V1__MachineInfo **ret)
{
	int err;

	canned_inside++;
	err = __real_pmuclient_control(c, id, action, value, ret);
	canned_inside--;
	return err;
}

int __wrap_pmuclient_pause(struct pmuclient *c, const char *id)
{
	int err;

	canned_inside++;
	err = __real_pmuclient_pause(c, id);
	canned_inside--;
	return err;
}

#define EVENTS	 "EventService/ListEvents"
#define TOTALS	 "EventService/ReadTotals"
#define COUNTERS "EventService/ListCounters"
#define GET	 "MachineService/GetMachine"
#define LIST	 "MachineService/ListMachines"
#define SETTINGS "MachineService/ListSettings"
#define CREATE	 "MachineService/CreateMachine"
#define RECORDS	 "TraceService/StreamRecords"
#define SYMBOLS	 "MachineService/ListSymbols"
#define KERNEL	 "SymbolService/ReadKernelSymbols"
#define SAMPLE	 "TraceService/SampleEvents"
#define CATALOGUE                                                              \
	"{'events':[{'name':'cycles','alias':'SBI_PMU_HW_CPU_CYCLES','"        \
	"selector':1,'kind':1},{'name':'fw_set_timer','alias':'"               \
	"SBI_PMU_FW_SET_TIMER','selector':983045,'kind':2}]}"
#define COUNTED                                                                \
	"{'cycle':250,'clock_hz':1000,'totals':[{'hart':0,'event':'cycles','"  \
	"privilege':1,'value':10},{'hart':1,'event':'cycles','privilege':2,'"  \
	"value':200},{'hart':1,'event':'fw_set_timer','value':5}]}"
#define ONE_COUNTER                                                            \
	"{'counters':[{'hart':0,'index':0,'value':255,'event':'cycles','"      \
	"config':16}]}"
#define MACHINE "{'machine':{'id':'m1','state':2,'cycle':100}}"
#define MADE	"{'machine':{'id':'m1'}}"
#define SAMPLED                                                                \
	"{'batch':{'records':[{'cycle':150,'privilege':2,'pc':4100,'sample':{" \
	"'event':'cycles','period':100,'periods':1,'last_pc':4096}}]}}"
#define BEGUN                                                                  \
	"{'begun':{'session':4,'cycle':100,'header':{'version':1,'clock_hz':"  \
	"1000,'xlen':64,'samples_only':true}}}"
#define RUN                                                                    \
	{ CREATE, MADE }, { SETTINGS, "{}" }, { "load", "{}" },                \
		{ "MachineService/StartMachine", "{}" },                       \
		{ "MachineService/WriteConsole", "{}" },                       \
		{ "MachineService/ResumeMachine", "{}" },                      \
	{                                                                      \
		"MachineService/DeleteMachine", "{}"                           \
	}
#define WATCH	"MachineService/WatchMachine"
#define CONSOLE "MachineService/ReadConsole"
#define ENDED	"{'machine':{'id':'m1','state':5,'cause':1}}"

static const struct nomem_row {
	const char *line;
	struct canned calls[CANNED_MAX];
	const char *in; /* NULL: does not matter */
} rows[] = {
	{ "trace show samples --symbols map", { { 0 } } },
	{ "trace show samples --symbols map -j", { { 0 } } },
	{ "trace show samples --range 0x80200040-0x80200043 --symbols map",
	  { { 0 } } },
	{ "trace show samples --filter event==loads||function==main --symbols "
	  "map",
	  { { 0 } } },
	{ "trace summary samples --symbols map", { { 0 } } },
	{ "trace summary samples -j", { { 0 } } },
	{ "trace diff samples empty", { { 0 } } },
	{ "trace diff samples empty --symbols map --guest-symbols map",
	  { { 0 } } },
	{ "trace diff turns stays --sysroot .", { { 0 } } },
	{ "trace diff samples samples -j", { { 0 } } },
	{ "report samples --symbols map", { { 0 } } },
	{ "report samples --symbols map -j", { { 0 } } },
	{ "report samples --filter privilege==S&&hart==0", { { 0 } } },
	{ "report mapped --sysroot root --sort file", { { 0 } } },
	{ "report mapped --sort process", { { 0 } } },
	{ "diff samples empty --symbols map", { { 0 } } },
	{ "diff samples empty --symbols map -j", { { 0 } } },
	{ "annotate samples --symbols map", { { 0 } } },
	{ "annotate samples --symbols map -j", { { 0 } } },
	{ "trace export samples --format folded --symbols map", { { 0 } } },
	{ "trace export samples --format json --symbols map", { { 0 } } },
	{ "trace export samples --format chrome --symbols map", { { 0 } } },
	{ "trace export samples --format cpuprofile --symbols map", { { 0 } } },
	{ "trace export samples --format callgrind --symbols map", { { 0 } } },
	{ "trace export samples --format html --symbols map -o made",
	  { { 0 } } },
	{ "trace export samples --format pprof --symbols map -o made",
	  { { 0 } } },
	{ "trace export samples --format perf --symbols map -o made",
	  { { 0 } } },
	{ "trace export mapped --format perf --sysroot root -o made",
	  { { 0 } } },
	{ "trace export samples --format ctf --symbols map -o ctf", { { 0 } } },
	{ "stat -m m1", { { TOTALS, COUNTED }, { COUNTERS, ONE_COUNTER } } },
	{ "stat -m m1 -j", { { TOTALS, COUNTED }, { COUNTERS, ONE_COUNTER } } },
	{ "stat -m m1 -e cycles:u,{cycles,cycles}:s --per-hart --per-mode",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } } },
	{ "stat -m m1 -e cycles,fw_set_timer -j",
	  { { EVENTS, CATALOGUE }, { TOTALS, COUNTED } } },
	{ "top --batch -m m1 -n 1",
	  { { EVENTS, CATALOGUE },
	    { GET, MACHINE },
	    { SAMPLE, BEGUN },
	    { SAMPLE, SAMPLED } } },
	{ "top --batch -m m1 -n 1 -j",
	  { { EVENTS, CATALOGUE },
	    { GET, MACHINE },
	    { SAMPLE, BEGUN },
	    { SAMPLE, SAMPLED } } },
	{ "record -m m1 -e cycles -c 100 -o out --filter pc==0x1000",
	  { { EVENTS, CATALOGUE },
	    { GET, MACHINE },
	    { SAMPLE, BEGUN },
	    { SAMPLE, SAMPLED } } },
	{ "trace save out -m m1", { { RECORDS, "{'header':{'version':1}}" } } },
	{ "trace follow -m m1 --symbols map",
	  { { RECORDS, "{'header':{'version':1}}" } } },
	{ "trace follow -m m1 --symbols map -j", { { RECORDS, SAMPLED } } },
	{ "monitor -m m1 --symbols map -o out --filter function!=x&&hart==0",
	  { { GET, MACHINE }, { RECORDS, "{'header':{'version':1}}" } } },
	{ "monitor --filter event!=x -- run --batch image",
	  { RUN,
	    { "MachineService/ResumeMachine", "{'machine':{}}" },
	    { RECORDS, "{'header':{'version':1}}" },
	    { WATCH, ENDED } } },
	{ "machine kallsyms m1",
	  { { KERNEL, "{'symbols':[{'address':4096,'type':'T','name':'main'}],'"
		      "total':1}" } } },
	{ "list events", { { EVENTS, CATALOGUE } } },
	{ "machine list",
	  { { LIST, "{'machines':[{'id':'m1'}]}" }, { SETTINGS, "{}" } } },
	{ "machine show m1 -j", { { GET, MACHINE } } },
	{ "machine create --harts 2 --set seed=3",
	  { { CREATE, MADE }, { SETTINGS, "{}" } } },
	{ "run --batch --trace out --set seed=5 image",
	  { RUN, { RECORDS, "{'header':{'version':1}}" }, { WATCH, ENDED } } },
	{ "run --batch --stat image",
	  { RUN,
	    { WATCH, ENDED },
	    { TOTALS, COUNTED },
	    { COUNTERS, ONE_COUNTER } } },
	{ "run --batch --kernel image --initrd map --append quiet",
	  { RUN, { WATCH, ENDED } } },
	{ "run --batch --kernel image --initrd map --add map:/etc/new/map",
	  { RUN, { WATCH, ENDED } } },
	{ "run --batch --serial uart image", { RUN, { WATCH, ENDED } } },
	{ "stat -e cycles -- run --batch image",
	  { RUN,
	    { EVENTS, CATALOGUE },
	    { TOTALS, COUNTED },
	    { WATCH, ENDED } } },
	{ "run --replay inputs image",
	  { RUN,
	    { "MachineService/QueueInputs", "{}" },
	    { CONSOLE, "{'data':'ls -l'}" },
	    { WATCH, ENDED } } },
	{ "hart list -m m1",
	  { { "HartService/ListHarts", "{'harts':[{'status':1}]}" } } },
	{ "csr list -m m1",
	  { { "HartService/ListCsrs", "{'csrs':[{'name':'mstatus'}]}" } } },
	{ "mem read 0x80000000 4 -m m1",
	  { { "HartService/ReadMemory", "{'data':'ABCD'}" } } },
	{ "mem write 0x80000000 01020304 -m m1",
	  { { "HartService/WriteMemory", "{}" } } },
	{ "inject -m m1 -e cycles",
	  { { EVENTS, CATALOGUE },
	    { "EventService/InjectEvents",
	      "{'injection':{'event':'cycles','count':1}}" } } },
	{ "explain event cycles", { { EVENTS, CATALOGUE } } },
	{ "explain event cycles -j", { { EVENTS, CATALOGUE } } },
	{ "explain csr scountovf -j", { { 0 } } },
	{ "gdb --stdio --trace out image",
	  { RUN,
	    { GET, MACHINE },
	    { "HartService/ListHarts", "{'harts':[{'isa':'rv64i'}]}" },
	    { "HartService/ListCsrs", "{'csrs':[{'name':'mstatus'}]}" },
	    { "MachineService/SetBreakpoints", "{}" },
	    { "MachineService/PauseMachine", "{}" },
	    { RECORDS, "{'header':{'version':1}}" },
	    { WATCH, ENDED } },
	  "$qC#b4$vCont;c#a8" },
};

/* What a command has written to its file, or to one of its folder. */
struct made {
	char bytes[1 << 16];
	size_t len;
};

static struct {
	char out[CANNED_TEXT], err[CANNED_TEXT];
	struct made made;
	int code;
} plain;

static struct made made;

static void read_made(void)
{
	FILE *f = fopen("made", "rb");

	if (!f)
		f = fopen("ctf/stream", "rb");
	made.len = f ? fread(made.bytes, 1, sizeof(made.bytes), f) : 0;
	ck_assert_uint_lt(made.len, sizeof(made.bytes));
	if (f)
		fclose(f);
	unlink("made");
}

/* An export that fails leaves what it has. */
static void remove_files(const char *pattern)
{
	glob_t found = { 0 };

	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
	globfree(&found);
}

static void put_input(const char *text)
{
	FILE *in;

	if (!text)
		return;
	in = fopen("typed", "w");
	PREPARING(ck_assert_ptr_nonnull(in));
	fputs(text, in);
	fclose(in);
	PREPARING(ck_assert_ptr_nonnull(freopen("typed", "r", stdin)));
}

static int run(const struct nomem_row *row, unsigned at)
{
	int code;

	canned_begin(row->calls);
	put_input(row->in);
	asked = 0;
	fail_at = at;
	code = canned_run(row->line);
	fail_at = UINT32_MAX;
	read_made();
	remove_files("*.part-*");
	remove_files("ctf/*");
	rmdir("ctf");
	return code;
}

/* As if nothing had happened. */
static bool did_without(int code)
{
	return code == plain.code && !strcmp(canned_out(), plain.out) &&
	       !strcmp(canned_err(), plain.err) && made.len == plain.made.len &&
	       !memcmp(made.bytes, plain.made.bytes, made.len);
}

/* Of many requests those at both ends, and some between. */
static unsigned next(unsigned n, unsigned all)
{
	return n < EACH || n + EACH >= all ? n + 1 : n + 1 + all / EACH;
}

TEST_ROWS(a_command_without_memory_says_so, rows)
{
	const struct nomem_row *row = &rows[_i];
	unsigned all, said = 0;
	int code;

	plain.code = run(row, UINT32_MAX);
	all = asked;
	strcpy(plain.out, canned_out());
	strcpy(plain.err, canned_err());
	plain.made = made;
	for (unsigned n = 0; n < all; n = next(n, all)) {
		code = run(row, n);
		if (did_without(code))
			continue;
		said++;
		ck_assert_msg(code, "%s, call %u", row->line, n);
		ck_assert_msg(strstr(canned_err(), "memory"),
			      "%s, call %u: '%s'", row->line, n, canned_err());
		ck_assert_msg(!strstr(canned_err(), "pmuctl: out of memory"),
			      "%s, call %u: for what?", row->line, n);
	}
	ck_assert_uint_gt(said, 0);
}

/* JSON is made of memory that runs out here, too. */
static void setup(void)
{
	json_set_alloc_funcs(malloc, free);
	canned_samples_begin();
	PREPARING(ck_assert(!mkdir("root", 0755)));
}

SUITE("cli-nomem", .setup = setup, .teardown = canned_samples_end);
