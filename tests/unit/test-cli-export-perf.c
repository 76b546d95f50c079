/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data, every byte of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "elf-image.h"
#include "file-reader.h"
#include "perf-reader.h"
#include "unit.h"

static void put_list(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_int_ge(fputs(text, f), 0);
	fclose(f);
}

#define ATTR(n)                                                                \
	"attr type 4 config " n " period 1 sample 0x101a7 read 0 flags "       \
	"0x840300"

#define SAMPLE_OF(id, ip, pid, more)                                           \
	("record 9 misc 2 id " id " ip " ip " pid " pid " tid " pid            \
	 " time " more "\n")
#define IN_USER " chain 0xfffffffffffffe00 "

/* An overflow has no callers: its chain is its own place. */
static const char *const samples_told[] = {
	ATTR("0") " id 1\n",
	ATTR("1") " id 2\n",
	ATTR("2") " id 3\n",
	"record 3 misc 0 pid 1 tid 1 'S' pid 1 tid 1 id 1\n",
	("record 3 misc 0 pid 2 tid 2 'U satp 0x8000000000000004' pid 2 tid 2 "
	 "id 1\n"),
	SAMPLE_OF("1", "0x80200040", "1",
		  "1000 cpu 0 period 1" IN_USER
		  "0x80200040 0x80200003 0x8020000b"),
	SAMPLE_OF("1", "0x80200044", "1",
		  "1500 cpu 1 period 3" IN_USER "0x80200044 0x80200003"),
	SAMPLE_OF("2", "0x10000", "2", "2250 cpu 0 period 1" IN_USER "0x10000"),
	SAMPLE_OF("3", "0xffffffff80000004", "1",
		  "2500 cpu 0 period 1" IN_USER "0xffffffff80000004"),
	SAMPLE_OF("1", "0x80200040", "1",
		  "4000 cpu 0 period 2" IN_USER
		  "0x80200040 0x80200003 0x8020000b"),
	"feature 3: 'pmud'\n",
	"feature 5: '" PMUD_VERSION "'\n",
	"feature 6: 'riscv64'\n",
	"feature 12: ",
	ATTR("0") " is 'cycles' id 1\n",
	ATTR("1") " is 'loads' id 2\n",
	ATTR("2") " is 'instructions' id 3\n",
};

/* What was told begins with these @n; returns what is behind. */
static const char *told(const char *at, const char *const *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(!strncmp(at, part[i], strlen(part[i])),
			      "%s where it should be %s", at, part[i]);
		at += strlen(part[i]);
	}
	return at;
}

TEST(perf_reads_samples)
{
	file_export("trace export samples --format perf --symbols map -o out",
		    "out");
	perf_read();
	ck_assert_str_eq(
		told(file.told, samples_told, ARRAY_SIZE(samples_told)), "");
}

TEST(perf_has_no_chains_where_none_were_asked_for)
{
	file_export("trace export samples --format perf --kind overflow -o out",
		    "out");
	perf_read();
	ck_assert_ptr_nonnull(strstr(file.told, "sample 0x10187"));
	ck_assert_ptr_null(strstr(file.told, "chain"));
}

/* Where callers are looked up in a kernel's list, the chain says so. */
TEST(a_chain_says_whose_addresses_it_has)
{
	put_list("texts", "0000000080200000 T _text\n");
	file_export("trace export samples --format perf --symbols texts -o out",
		    "out");
	perf_read();
	ck_assert_ptr_nonnull(strstr(file.told, " chain 0xffffffffffffff80 "
						"0x80200044 0x80200003\n"));
	ck_assert_ptr_nonnull(
		strstr(file.told, " chain 0xfffffffffffffe00 0x10000\n"));
}

TEST(perf_reads_a_trace_without_samples)
{
	file_export("trace export empty --format perf -o out", "out");
	perf_read();
	ck_assert_str_eq(file.told, "feature 3: 'pmud'\n"
				    "feature 5: '" PMUD_VERSION "'\n"
				    "feature 6: 'riscv32'\n"
				    "feature 12: ");
}

/* A file of @n segments that are executed, and one that is not. */
static void put_elf(const char *path, uint64_t at, unsigned n)
{
	struct elf_image img = {
		.xlen = 64,
		.n_segments = n + 1,
	};
	uint8_t *bytes;
	size_t size;
	FILE *f = fopen(path, "wb");

	for (unsigned i = 0; i <= n; i++)
		img.segments[i] =
			(struct elf_segment){ at + 0x1000 * i, at,
					      ELF_IMAGE_BYTES,
					      ELF_IMAGE_BYTES + 0x10, i == n };
	bytes = elf_image_make(&img, &size);
	ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
	fclose(f);
	free(bytes);
}

#define SPACE(n, name)                                                         \
	"record 3 misc 0 pid " n " tid " n " '" name "' pid " n " tid " n      \
	" id 1\n"
#define MAP(n, misc, at, bytes, from, name)                                    \
	"record 1 misc " misc " pid " n " tid " n " at " at " bytes " bytes    \
	" from " from " '" name "' pid " n " tid " n " id 1\n"
#define NOTES                                                                  \
	"pmuctl: guest has no symbols (it is stripped): functions are not "    \
	"known\n"                                                              \
	"pmuctl: guest has no debug information: source lines are not known\n"
#define SPACES SPACE("1", "S") SPACE("2", "U satp 0x8000000000000004")
#define USER   MAP("2", "2", "0x10000", "0x110", "0x200", "prog")
#define KERNEL                                                                 \
	MAP("1", "2", "0x80200000", "0x110", "0x200", "guest")                 \
	MAP("1", "2", "0x80201000", "0x110", "0x200", "guest")
#define LISTED                                                                 \
	"record 1 misc 1 pid 4294967295 tid 0 at 0xffffffff80000000 bytes "    \
	"0x7fffffff from 0xffffffff80000000 '[kernel.kallsyms]_text' pid 1 "   \
	"tid 1 id 1\n"

/* Options, what perf is told of spaces and maps, and how the first sample of
 * each space is marked: in the kernel where a list says of it. */
static const struct map_row {
	const char *options, *maps, *of_s;
} map_rows[] = {
	{ "--symbols guest",
	  SPACES KERNEL MAP("2", "2", "0x80200000", "0x110", "0x200", "guest")
		  MAP("2", "2", "0x80201000", "0x110", "0x200", "guest"),
	  "misc 2" },
	{ "--symbols guest --user-symbols prog", SPACES KERNEL USER, "misc 2" },
	{ "--user-symbols prog", SPACES USER, "misc 2" },
	{ "--user-symbols prog@any:0x7000",
	  SPACES MAP("2", "2", "0x17000", "0x110", "0x200", "prog"), "misc 2" },
	{ "--user-symbols prog@5 --user-symbols prog@0x8000000000000004",
	  SPACES USER, "misc 2" },
	{ "--symbols texts", SPACES LISTED, "misc 1" },
	{ "--symbols texts --user-symbols prog", SPACES LISTED USER, "misc 1" },
	{ "--symbols map", SPACES, "misc 2" },
};

TEST_ROWS(files_are_mapped_where_they_lie, map_rows)
{
	const struct map_row *row = &map_rows[_i];
	char line[200], *begin, *end;

	put_elf("guest", 0x80200000, 2);
	put_elf("prog", 0x10000, 1);
	put_list("texts", "0000000080200000 T main\n"
			  "ffffffff80000000 T _text\n"
			  "ffffffff80000000 T kernel\n");
	snprintf(line, sizeof(line),
		 "trace export samples --format perf %s -o out", row->options);
	file_export_noting(line, "out",
			   strstr(row->options, "--symbols guest") ? NOTES
								   : "");
	perf_read();
	begin = strstr(file.told, "record 3");
	ck_assert_ptr_nonnull(begin);
	end = strstr(begin, "record 9");
	ck_assert_ptr_nonnull(end);
	ck_assert(!strncmp(end + strlen("record 9 "), row->of_s,
			   strlen(row->of_s)));
	end = strstr(end, "record 9 misc 2 id 2"); /* a user's */
	ck_assert_ptr_nonnull(end);
	*strstr(begin, "record 9") = '\0';
	ck_assert_str_eq(begin, row->maps);
}

#define NAMED(pid, tid, name, time)                                            \
	("record 3 misc 0 pid " pid " tid " tid " '" name "' pid " pid         \
	 " tid " tid " time " time " id 1\n")
#define TAKEN(id, pc, pid, tid, time)                                          \
	("record 9 misc 2 id " id " ip " pc " pid " pid " tid " tid            \
	 " time " time " cpu 0 period 1\n")
#define NOBODY	"1073741829" /* beyond all numbers of processes */
#define LONGEST "0123456789abcdef0123456789abcde"

/* A command comes where it becomes a thread's; a file is in each process. */
static const char *const of_linux[] = {
	(SPACE(NOBODY, "S")),
	(MAP("7", "2", "0x10000", "0x110", "0x200", "prog")),
	(MAP("7", "2", "0x10000", "0x110", "0x200", "prog")),
	NAMED("0", "0", "swap", "1000"),
	TAKEN("1", "0x80200040", "0", "0", "1000"),
	NAMED("7", "7", "sh", "1500"),
	TAKEN("1", "0x10000", "7", "7", "1500"),
	TAKEN("1", "0x80200040", "7", "7", "1600"),
	NAMED("7", "7", "a;? b", "2000"),
	TAKEN("1", "0x10000", "7", "7", "2000"),
	NAMED("7", "8", "a;? b", "2500"),
	TAKEN("2", "0x10000", "7", "8", "2500"),
	TAKEN("1", "0x80200040", NOBODY, NOBODY, "3000"),
	NAMED("9", "9", LONGEST, "3500"),
	TAKEN("1", "0x80200040", "9", "9", "3500"),
	TAKEN("1", "0x80200040", "9", "9", "3600"),
	"feature",
};

TEST(perf_reads_processes_of_linux)
{
	put_elf("prog", 0x10000, 1);
	file_export("trace export processes --format perf --user-symbols prog "
		    "-o out",
		    "out");
	perf_read();
	told(strstr(file.told, "record"), of_linux, ARRAY_SIZE(of_linux));
}

TEST(perf_reads_spaces_in_place_of_processes)
{
	char *at;

	file_export("trace export processes --format perf --no-processes "
		    "-o out",
		    "out");
	perf_read();
	at = strstr(file.told, "record");
	*strstr(at, "feature") = '\0';
	ck_assert(!strncmp(at, SPACES, strlen(SPACES)));
	for (at += strlen(SPACES); *at; at = strchr(at, '\n') + 1)
		ck_assert_msg(!strncmp(at, "record 9", 8), "%s", at);
	ck_assert_ptr_nonnull(strstr(file.told, "ip 0x80200040 pid 1 tid 1 "));
	ck_assert_ptr_nonnull(strstr(file.told, "ip 0x10000 pid 2 tid 2 "));
}

#define MAPPED(at, bytes, from, name, time)                                    \
	("record 10 misc 2 pid 7 tid 7 at " at " bytes " bytes " from " from   \
	 " is 5/2 '" name "' pid 7 tid 7 time " time " id 1\n")

/* A mapping comes before the first sample in it, and after another was there.
 */
static const char *const of_files[] = {
	NAMED("7", "7", "sh", "1000"),
	MAPPED("0x30000", "0x1000", "0x1000", "guest:/bin/prog", "1000"),
	TAKEN("1", "0x30018", "7", "7", "1000"),
	TAKEN("1", "0x30004", "7", "7", "1500"),
	MAPPED("0x50000", "0x1000", "0", "//anon", "2000"),
	TAKEN("1", "0x50000", "7", "7", "2000"),
	NAMED("9", "9", "sh", "2500"),
	TAKEN("1", "0x30018", "9", "9", "2500"),
	MAPPED("0x30000", "0x2000", "0x2000", "guest:/bin/other", "3000"),
	TAKEN("1", "0x30018", "7", "7", "3000"),
	MAPPED("0x30000", "0x1000", "0x1000", "guest:/bin/prog", "3500"),
	TAKEN("1", "0x30018", "7", "7", "3500"),
	TAKEN("1", "0x31000", "7", "7", "4000"),
	"record 9 misc 2 id 1 ip 0x30018 pid 7 tid 0",
};

TEST(perf_reads_files_of_users_code)
{
	const char *at;

	file_export("trace export mapped --format perf -o out", "out");
	perf_read();
	at = strstr(file.told, "record");
	for (size_t i = 0; i < ARRAY_SIZE(of_files); i++) {
		at = strncmp(at, "record 3 misc 0 pid 7 tid 0", 27)
			     ? at
			     : strchr(at, '\n') + 1;
		ck_assert_msg(!strncmp(at, of_files[i], strlen(of_files[i])),
			      "%s where it should be %s", at, of_files[i]);
		at += strlen(of_files[i]);
	}
}

TEST(perf_reads_the_hosts_file_if_it_is_that_one)
{
	char *at;

	ck_assert(!mkdir("root", 0755) && !mkdir("root/bin", 0755));
	put_elf("root/bin/other", 0x30200, 1);
	file_export_noting("trace export mapped --format perf --sysroot root "
			   "-o out",
			   "out",
			   "pmuctl: /bin/prog is not below root: its functions "
			   "are not known\n");
	perf_read();
	at = strstr(file.told, "from 0x2000 is 5/2 'other'");
	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_nonnull(strstr(file.told, "'guest:/bin/prog'"));
}

/* A caller in another file, and the same again. */
static const char *const called[] = {
#define CALLED(cycle, mappings)                                                \
	("{'cycle':" cycle ",'privilege':3,'pc':196632,'process':{'pid':7,"    \
	 "'tid':7,'comm':'sh','mappings':[" mappings "]},'sample':{'event':"   \
	 "'cycles','periods':1,'last_pc':196632,'callers':[327684],"           \
	 "'chain_end':1}}")
	CALLED("1000", "{'start':196608,'end':200704,'file':'/bin/prog'},"
		       "{'start':327680,'end':331776,'file':'/lib/libc'}"),
	CALLED("1500", ""),
	"{'cycle':4100,'stop':{'cause':1}}",
	NULL,
};

static const char *const of_callers[] = {
	NAMED("7", "7", "sh", "1000"),
	MAPPED("0x30000", "0x1000", "0", "guest:/bin/prog", "1000"),
	MAPPED("0x50000", "0x1000", "0", "guest:/lib/libc", "1000"),
	SAMPLE_OF("1", "0x30018", "7",
		  "1000 cpu 0 period 1" IN_USER "0x30018 0x50003"),
	SAMPLE_OF("1", "0x30018", "7",
		  "1500 cpu 0 period 1" IN_USER "0x30018 0x50003"),
	"feature",
};

TEST(perf_is_told_of_a_callers_file_before_the_sample)
{
	canned_trace("called", "{'version':1,'xlen':64}", called);
	file_export("trace export called --format perf -o out", "out");
	perf_read();
	told(strstr(file.told, "record"), of_callers, ARRAY_SIZE(of_callers));
}

TEST(a_part_of_a_trace_has_its_mappings)
{
	file_export("trace export mapped --format perf --first-cycle 1500 "
		    "--last-cycle 1600 -o out",
		    "out");
	perf_read();
	ck_assert_ptr_nonnull(strstr(file.told, "'guest:/bin/prog' pid 7 tid 7 "
						"time 1500"));
	ck_assert_ptr_null(strstr(file.told, "anon"));
}

/* A round ends behind each 4096 samples, and is in the size. */
TEST(perf_is_told_of_rounds)
{
	static const char sample[] =
		"{'cycle':5,'privilege':2,'pc':8,'sample':{'event':'cycles',"
		"'period':1,'periods':1,'last_pc':4}}";
	const char *many[4097 + 1] = { NULL };
	size_t rounds = 0;

	for (size_t i = 0; i < 4097; i++)
		many[i] = sample;
	canned_trace("many", "{'version':1,'xlen':64}", many);
	canned_run("trace export many --format perf -o out");
	{
		FILE *f = fopen("out", "rb");
		uint8_t *all = malloc(300000);
		size_t n = fread(all, 1, 300000, f), i;
		uint64_t data = all[40] + 256u * all[41], size = 0;

		fclose(f);
		memcpy(&size, all + 48, 8);
		for (i = data; i < data + size;) {
			ck_assert_uint_lt(i, n);
			rounds += all[i] == 68;
			ck_assert(all[i] != 68 || i == data + 56 + 4096 * 56);
			i += all[i + 6];
		}
		ck_assert_uint_eq(i, data + size);
		free(all);
	}
	ck_assert_uint_eq(rounds, 1);
}

SUITE("cli-export-perf", .setup = canned_samples_begin,
      .teardown = canned_samples_end);
