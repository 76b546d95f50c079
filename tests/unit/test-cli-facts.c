/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmuctl knows by itself: numbers and fields of CSRs as the manuals have
 * them; how traces are told apart and counted.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pmu/csr-access.h>
#include <pmu/csr-name.h>

#include "canned-answers.h"
#include "cmd/explain-facts.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "trace/record-filter.h"
#include "trace/trace-diff.h"
#include "trace/trace-summary.h"
#include "wire/record-kinds.h"

/* CSRs */

static const struct csr_row {
	const char *name;
	uint16_t number;
	const char *fields; /* "HIGH:LOW NAME" of each */
} csr_rows[] = {
	{ "scounteren", 0x106, "31:3 HPM31-HPM3 2:2 IR 1:1 TM 0:0 CY" },
	{ "scountinhibit", 0x120, "31:3 HPM31-HPM3 2:2 IR 0:0 CY" },
	{ "sie", 0x104, "13:13 LCOFI" },
	{ "sip", 0x144, "13:13 LCOFIP" },
	{ "stimecmp", 0x14d, "" },
	{ "siselect", 0x150, "" },
	{ "sireg", 0x151, "" },
	{ "sireg2", 0x152, "" },
	{ "sireg4", 0x155, "" },
	{ "sireg5", 0x156, "" },
	{ "mideleg", 0x303, "13:13 LCOFI" },
	{ "mie", 0x304, "13:13 LCOFI" },
	{ "mcounteren", 0x306, "31:3 HPM31-HPM3 2:2 IR 1:1 TM 0:0 CY" },
	{ "menvcfg", 0x30a, "63:63 STCE 61:61 ADUE 60:60 CDE 0:0 FIOM" },
	{ "mstateen0", 0x30c, "60:60 CSRIND" },
	{ "mstateen3", 0x30f, "60:60 CSRIND" },
	{ "mcountinhibit", 0x320, "31:3 HPM31-HPM3 2:2 IR 0:0 CY" },
	{ "mcyclecfg", 0x321,
	  "62:62 MINH 61:61 SINH 60:60 UINH 59:59 VSINH 58:58 VUINH" },
	{ "minstretcfg", 0x322,
	  "62:62 MINH 61:61 SINH 60:60 UINH 59:59 VSINH 58:58 VUINH" },
	{ "mhpmevent3", 0x323,
	  "63:63 OF 62:62 MINH 61:61 SINH 60:60 UINH 59:59 VSINH "
	  "58:58 VUINH 55:0 event" },
	{ "mhpmevent31", 0x33f,
	  "63:63 OF 62:62 MINH 61:61 SINH 60:60 UINH 59:59 VSINH "
	  "58:58 VUINH 55:0 event" },
	{ "mip", 0x344, "13:13 LCOFIP" },
	{ "mcyclecfgh", 0x721, "" },
	{ "minstretcfgh", 0x722, "" },
	{ "mhpmevent3h", 0x723, "" },
	{ "mhpmevent31h", 0x73f, "" },
	{ "mcycle", 0xb00, "" },
	{ "minstret", 0xb02, "" },
	{ "mhpmcounter3", 0xb03, "" },
	{ "mhpmcounter31", 0xb1f, "" },
	{ "mcycleh", 0xb80, "" },
	{ "minstreth", 0xb82, "" },
	{ "mhpmcounter3h", 0xb83, "" },
	{ "mhpmcounter31h", 0xb9f, "" },
	{ "cycle", 0xc00, "" },
	{ "time", 0xc01, "" },
	{ "instret", 0xc02, "" },
	{ "hpmcounter3", 0xc03, "" },
	{ "hpmcounter31", 0xc1f, "" },
	{ "cycleh", 0xc80, "" },
	{ "timeh", 0xc81, "" },
	{ "instreth", 0xc82, "" },
	{ "hpmcounter3h", 0xc83, "" },
	{ "hpmcounter31h", 0xc9f, "" },
	{ "hcounteren", 0x606, "31:3 HPM31-HPM3 2:2 IR 1:1 TM 0:0 CY" },
	{ "scountovf", 0xda0, "31:3 OF31-OF3" },
	{ "sebbcs", 0x5c0, "1:1 FZ 0:0 UE" },
	{ "sebbown", 0x5c1, "31:3 HPM31-HPM3" },
	{ "sebbclaim", 0x5c2, "31:3 HPM31-HPM3" },
	{ "hebben", 0x6c0, "31:3 HPM31-HPM3" },
	{ "mebben", 0x7c0, "31:3 HPM31-HPM3" },
	{ "ebbhr", 0x800, "" },
	{ "ebbrr", 0x801, "" },
	{ "ebbcs", 0x802, "2:2 EO 1:1 PE 0:0 GE" },
	{ "ebbctl", 0x803, "3:3 FC 2:2 FA 1:1 AO 0:0 AE" },
	{ "ebbovf", 0x804, "31:3 HPM31-HPM3" },
	{ "ebbfrz", 0x805, "31:3 HPM31-HPM3" },
	{ "ebbown", 0x806, "31:3 HPM31-HPM3" },
	{ "ebbctr3", 0x823, "" },
	{ "ebbctr31", 0x83f, "" },
	{ "ebbctr3h", 0x8a3, "" },
	{ "ebbctr31h", 0x8bf, "" },
	{ "sstatus", 0x100, "8:8 SPP 5:5 SPIE 1:1 SIE" },
	{ "sieh", 0x114, "" },
	{ "sireg3", 0x153, "" },
	{ "siph", 0x154, "" },
	{ "sireg6", 0x157, "" },
	{ "stopei", 0x15c, "" },
	{ "stimecmph", 0x15d, "" },
	{ "vsstatus", 0x200, "8:8 SPP 5:5 SPIE 1:1 SIE" },
	{ "vsie", 0x204, "13:13 LCOFI" },
	{ "vsieh", 0x214, "" },
	{ "vsip", 0x244, "13:13 LCOFI" },
	{ "vstimecmp", 0x24d, "" },
	{ "vsiselect", 0x250, "" },
	{ "vsireg", 0x251, "" },
	{ "vsireg2", 0x252, "" },
	{ "vsireg3", 0x253, "" },
	{ "vsiph", 0x254, "" },
	{ "vsireg4", 0x255, "" },
	{ "vsireg5", 0x256, "" },
	{ "vsireg6", 0x257, "" },
	{ "vstopei", 0x25c, "" },
	{ "vstimecmph", 0x25d, "" },
	{ "mstatus", 0x300,
	  "12:11 MPP 8:8 SPP 7:7 MPIE 5:5 SPIE 3:3 MIE 1:1 SIE" },
	{ "mvien", 0x308, "13:13 LCOFI" },
	{ "mvip", 0x309, "13:13 LCOFI" },
	{ "midelegh", 0x313, "" },
	{ "mieh", 0x314, "" },
	{ "mvienh", 0x318, "" },
	{ "mviph", 0x319, "" },
	{ "miselect", 0x350, "" },
	{ "mireg", 0x351, "" },
	{ "mireg2", 0x352, "" },
	{ "mireg3", 0x353, "" },
	{ "miph", 0x354, "" },
	{ "mireg4", 0x355, "" },
	{ "mireg5", 0x356, "" },
	{ "mireg6", 0x357, "" },
	{ "hideleg", 0x603, "13:13 LCOFI" },
	{ "hie", 0x604, "12:12 SGEIE 10:10 VSEIE 6:6 VSTIE 2:2 VSSIE" },
	{ "hgeie", 0x607, "" },
	{ "hvien", 0x608, "13:13 LCOFI" },
	{ "hvictl", 0x609, "30:30 VTI 27:16 IID 9:9 DPR 8:8 IPRIOM 7:0 IPRIO" },
	{ "hidelegh", 0x613, "" },
	{ "hvienh", 0x618, "" },
	{ "hip", 0x644, "12:12 SGEIP 10:10 VSEIP 6:6 VSTIP 2:2 VSSIP" },
	{ "hvip", 0x645, "13:13 LCOFI 10:10 VSEIP 6:6 VSTIP 2:2 VSSIP" },
	{ "hviprio1", 0x646, "" },
	{ "hviprio2", 0x647, "" },
	{ "hviph", 0x655, "" },
	{ "hviprio1h", 0x656, "" },
	{ "hviprio2h", 0x657, "" },
	{ "stopi", 0xdb0, "27:16 IID 7:0 IPRIO" },
	{ "hgeip", 0xe12, "" },
	{ "vstopi", 0xeb0, "27:16 IID 7:0 IPRIO" },
	{ "mtopi", 0xfb0, "27:16 IID 7:0 IPRIO" },
	{ "menvcfgh", 0x31a, "" },
	{ "henvcfg", 0x60a, "63:63 STCE 61:61 ADUE 0:0 FIOM" },
	{ "henvcfgh", 0x61a, "" },
	{ "mstateen0h", 0x31c, "" },
	{ "mstateen3h", 0x31f, "" },
	{ "hstateen0", 0x60c, "60:60 CSRIND" },
	{ "hstateen3", 0x60f, "60:60 CSRIND" },
	{ "hstateen0h", 0x61c, "" },
	{ "hstateen3h", 0x61f, "" },
};

TEST_ROWS(a_csr_is_found_by_name_and_number, csr_rows)
{
	const struct csr_row *row = &csr_rows[_i];
	char number[8], fields[256] = "";
	const struct csr_info *info;
	uint16_t found = 0;
	size_t n = 0;

	info = csr_info_find(row->name, &found);
	ck_assert_ptr_nonnull(info);
	ck_assert_uint_eq(found, row->number);
	for (size_t i = 0; info->field[i].name; i++)
		n += (size_t)snprintf(fields + n, sizeof(fields) - n,
				      "%s%u:%u %s", i ? " " : "",
				      info->field[i].high, info->field[i].low,
				      info->field[i].name);
	ck_assert_str_eq(fields, row->fields);
	snprintf(number, sizeof(number), "0x%x", row->number);
	ck_assert_ptr_eq(csr_info_find(number, &found), info);
	ck_assert_uint_eq(found, row->number);
	ck_assert_str_eq(pmu_csr_number_name(found), row->name);
}

static const char *const no_csrs[] = {
	"",
	"mscratch",
	"mhpmevent",
	"mhpmevent2",
	"mhpmevent32",
	"mhpmevent3hh",
	"mhpmevent3x",
	"hpmcounter3H",
	"mstateen4",
	"mcycle0",
	"0x323x",
	"0x340",
	"0x1000",
	"0x807",
	"ebbctr2",
	"-1",
	"cycl",
	"cyclehh",
};

TEST_ROWS(no_other_name_is_a_csr, no_csrs)
{
	uint16_t found = 7;

	ck_assert_ptr_null(csr_info_find(no_csrs[_i], &found));
	ck_assert_uint_eq(found, 7);
}

/* What `monitor --kind csr' shows can be asked about. */
TEST_WHERE(a_csr_that_a_trace_tells_is_explained, 0, 4096,
	   pmu_csr_class((unsigned)_i))
{
	const char *name = pmu_csr_number_name((uint16_t)_i);
	uint16_t found;

	ck_assert_msg(csr_info_find(name, &found), "%s", name);
	ck_assert_uint_eq(found, (unsigned)_i);
}

static void count_known(void *arg, const char *name)
{
	uint16_t number;

	ck_assert_ptr_nonnull(csr_info_find(name, &number));
	++*(unsigned *)arg;
}

/* 8 runs of 29, 4 of 4, and the other rows of the table above. */
TEST(each_csr_is_known_by_its_name)
{
	unsigned n = 0;

	csr_info_each(count_known, &n);
	ck_assert_uint_eq(n, 8 * 29 + 4 * 4 + ARRAY_SIZE(csr_rows) - 2 * 12);
}

static const struct csr_rules_row {
	const char *why, *csr, *rules;
} csr_rules_rows[] = {
	{ "their names say it", "mhpmcounter31",
	  "mhpmcounter_mandatory mhpmcounter_mhpmevent_rdonly0 mhpmcounter_num "
	  "mhpmcounter_sz mhpmcounter_warl" },
	{ "no rule of a longer name", "mcounteren",
	  "mcounteren_clr_ill_inst_exc mcounteren_enc_img "
	  "mcounteren_flds_mandatory_warl mcounteren_flds_rdonly0 "
	  "mcounteren_inc_inaccessible mcounteren_op mcounteren_presence "
	  "mcounteren_set_nxt_priv mcounteren_sz mcounteren_tm_clr "
	  "mcounteren_tm_set" },
	{ "halves have rules of their own", "mhpmevent5h",
	  "mhpmeventh_presence" },
	{ "or those of the register", "mcyclecfgh",
	  "mcyclecfg_op mcyclecfg_sz" },
	{ "or those of the register", "stimecmph", "aia_vti_stimecmp" },
	{ "else their titles, but no case of a test plan", "minstretcfg",
	  "C125" },
	{ "else their decisions", "ebbcs", "ebb_rearm ebb_switch" },
	{ "else there are none", "hgeie", "" },
};

static void name_rule(void *arg, const struct rule_info *r)
{
	char *names = arg;

	if (*names)
		strcat(names, " ");
	strcat(names, r->name);
}

TEST_ROWS(rules_are_found_by_the_name_of_a_csr, csr_rules_rows)
{
	const struct csr_rules_row *row = &csr_rules_rows[_i];
	char names[1024] = "";
	unsigned n = csr_rules_each(row->csr, name_rule, names);

	ck_assert_msg(strcmp(names, row->rules) == 0, "%s: %s", row->why,
		      names);
	ck_assert_uint_eq(n > 0, *names != '\0');
}

static void count_rule(void *arg, const struct rule_info *r)
{
	ck_assert_ptr_nonnull(r->section);
	++*(unsigned *)arg;
}

static void expect_few(void *arg, const char *csr)
{
	unsigned n = 0;

	ck_assert_uint_eq(csr_rules_each(csr, count_rule, &n), n);
	ck_assert_msg(n <= 11, "%s: %u", csr, n);
	if (!n)
		strcat(strcat(arg, " "), csr);
}

TEST(a_csr_has_few_rules)
{
	char without[1024] = "";

	csr_info_each(expect_few, without);
	ck_assert_str_eq(without, " hgeip hgeie");
}

/* Traces */

TEST(all_that_headers_tell_is_compared)
{
	Pmu__V1__Header a = PMU__V1__HEADER__INIT, b = a;
	Pmu__V1__MachineConfig x = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__ImageInfo image = PMU__V1__IMAGE_INFO__INIT;
	Pmu__V1__ImageInfo *images[] = { &image };

	x.memory_bytes = 4096;
	a.config = &x;
	a.clock_hz = 100;
	b.time_hz = 10;
	a.xlen = 64;
	b.xlen = 32;
	b.images = images;
	b.n_images = 1;
	canned_capture();
	trace_diff_headers(stdout, &a, &b);
	trace_diff_headers(stdout, &b, &b);
	canned_release();
	ck_assert_str_eq(canned_out(), "memory: 4096 and 0\n"
				       "images: 0 and 1\n"
				       "clock Hz: 100 and 0\n"
				       "time Hz: 0 and 10\n"
				       "xlen: 64 and 32\n");
}

/* By hart, counter and event; then the busiest first, then by address. */
TEST(a_summary_is_in_order)
{
	static const struct {
		uint32_t hart, counter;
		const char *event;
		uint64_t cycle;
		unsigned n;
	} hits[] = {
		{ 1, 3, "loads", 4, 1 },    { 0, 4, "loads", 4, 2 },
		{ 0, 3, "stores", 4, 5 },   { 0, 3, "loads", 12, 1 },
		{ 0, 3, "loads", 8, 1 },    { 0, 3, "loads", 16, 2 },
		{ 1, 3, "loads", 8, 3 },    { 0, 3, "", 4, 1 },
		{ 0, 4, "loads", 0x20, 1 },
	};
	struct trace_summary *s = trace_summary_new(NULL);
	struct built_record b;

	for (size_t i = 0; i < ARRAY_SIZE(hits); i++) {
		for (unsigned n = 0; n < hits[i].n; n++) {
			build_overflow(&b, hits[i].cycle, hits[i].counter);
			b.record.hart = hits[i].hart;
			b.overflow.event = (char *)hits[i].event;
			ck_assert(trace_summary_add(s, &b.record));
		}
	}
	canned_capture();
	ck_assert_int_eq(trace_summary_print(s, stdout, false), EXIT_OK);
	canned_release();
	trace_summary_free(s);
	ck_assert_str_eq(canned_out(),
			 "KIND     RECORDS\n"
			 "overflow      17\n"
			 "\n"
			 "HART COUNTER EVENT  FUNCTION   OVERFLOWS PERCENT\n"
			 "   0       3 -      0x80200000         1   100.0\n"
			 "   0       3 loads  0x8020000c         2    50.0\n"
			 "   0       3 loads  0x80200004         1    25.0\n"
			 "   0       3 loads  0x80200008         1    25.0\n"
			 "   0       3 stores 0x80200000         5   100.0\n"
			 "   0       4 loads  0x80200000         2    66.7\n"
			 "   0       4 loads  0x8020001c         1    33.3\n"
			 "   1       3 loads  0x80200004         3    75.0\n"
			 "   1       3 loads  0x80200000         1    25.0\n");
}

TEST(kinds_have_names_up_to_the_last)
{
	ck_assert_str_eq(record_kind_at(0), "overflow");
	ck_assert_str_eq(record_kind_at(RECORD_N_KINDS - 1), "stop");
	ck_assert_ptr_null(record_kind_at(RECORD_N_KINDS));
}

static const struct limit_row {
	const char *kind;
	uint64_t counter;
	const char *err;
} limit_rows[] = {
	{ NULL, 2,
	  "pmuctl: --counter: must be one of 3 to 31, which can overflow, not "
	  "2\n" },
	{ NULL, 3, "" },
	{ NULL, 31, "" },
	{ NULL, 32,
	  "pmuctl: --counter: must be one of 3 to 31, which can overflow, not "
	  "32\n" },
	{ NULL, UINT64_C(1) << 32 | 3,
	  "pmuctl: --counter: must be one of 3 to 31, which can overflow, not "
	  "4294967299\n" },
	{ "overflow,trap,sbi,console,input,hart,stop", 3, "" },
	{ "stop,overflo,trap", 3,
	  "pmuctl: --kind: there is no kind 'overflo', but overflow, "
	  "sample, trap, sbi, csr, delivery, console, input, hart, ebb, reset, "
	  "absent "
	  "and stop\n" },
};

TEST_ROWS(a_filter_says_what_is_wrong, limit_rows)
{
	const struct limit_row *row = &limit_rows[_i];
	struct record_filter f;
	struct args args;
	bool good;

	args_init(&args);
	args.kind = row->kind;
	args.counter = row->counter;
	canned_capture();
	good = record_filter_init(&f, &args);
	canned_release();
	ck_assert_str_eq(canned_err(), row->err);
	ck_assert_int_eq(good, !*row->err);
	if (good)
		ck_assert_uint_eq(f.message.counters[0], row->counter);
}

/* What no line shows: an address space, and the time of an overflow. */
TEST(a_difference_that_no_line_shows_is_named)
{
	static const char header[] =
		"{'version':1,'xlen':64,'clock_hz':1000000000}";
#define USERS(more, satp)                                                      \
	"{'hart':0,'cycle':7,'pc':16,'overflow':{'counter':3,'event':'loads'"  \
	"" more "},'satp':" satp "}"
	static const char *const a[] = { USERS("", "5"), NULL };
	static const char *const b[] = { USERS(",'time':9", "4294967296"),
					 NULL };

	char dir[] = "/tmp/facts-XXXXXX";

	PREPARING(ck_assert(mkdtemp(dir) && !chdir(dir)));
	canned_trace("one", header, a);
	canned_trace("other", header, b);
	canned_begin(NULL);
	ck_assert_int_eq(canned_run("trace diff one other"), EXIT_FAILED);
	ck_assert_str_eq(
		canned_out(),
		"record 0 is the first that differs:\n"
		"one:            7    0    - 0x0000000000000010 overflow "
		"counter 3 loads last 0\n"
		"other:            7    0    - 0x0000000000000010 overflow "
		"counter 3 loads last 0\n"
		"overflow.time: \"0\" and \"9\"\n"
		"satp: \"5\" and \"4294967296\"\n");
	unlink("one");
	unlink("other");
	PREPARING(ck_assert(!chdir("/")));
	rmdir(dir);
}

SUITE("cli-facts");
