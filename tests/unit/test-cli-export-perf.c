/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data, every byte of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "canned-answers.h"
#include "canned-samples.h"
#include "file-reader.h"
#include "unit.h"

/* perf.data, as tools/perf/Documentation/perf.data-file-format.txt has it */

static void attribute(void)
{
	file_tell("attr type %" PRIu64, file_number(4));
	ck_assert_uint_eq(file_number(4), 64);
	file_tell(" config %" PRIu64, file_number(8));
	file_tell(" period %" PRIu64, file_number(8));
	file_tell(" sample %#" PRIx64, file_number(8));
	file_tell(" read %" PRIu64, file_number(8));
	file_tell(" flags %#" PRIx64, file_number(8));
	ck_assert_uint_eq(file_number(8), 0);
	ck_assert_uint_eq(file_number(8), 0);
}

static void record(void)
{
	size_t begin = file.at, size;
	uint64_t type = file_number(4);

	file_tell("record %" PRIu64, type);
	file_tell(" misc %" PRIu64, file_number(2));
	size = file_number(2);
	if (type == 9) {
		file_tell(" id %" PRIu64, file_number(8));
		file_tell(" ip %#" PRIx64, file_number(8));
		file_tell(" pid %" PRIu64, file_number(4));
		file_tell(" tid %" PRIu64, file_number(4));
		file_tell(" time %" PRIu64, file_number(8));
		file_tell(" cpu %" PRIu64, file_number(8));
		file_tell(" period %" PRIu64 "\n", file_number(8));
		ck_assert_uint_eq(file.at - begin, size);
		return;
	}
	file_tell(" pid %" PRIu64, file_number(4));
	file_tell(" tid %" PRIu64, file_number(4));
	ck_assert_uint_eq(type, 3);
	file_tell(" '%s'", file_text(size - 16 - 32));
	file_tell(" pid %" PRIu64, file_number(4));
	file_tell(" tid %" PRIu64, file_number(4));
	ck_assert_uint_eq(file_number(8), 0);
	ck_assert_uint_eq(file_number(8), 0);
	file_tell(" id %" PRIu64 "\n", file_number(8));
	ck_assert_uint_eq(file.at - begin, size);
}

static void string_feature(void)
{
	file_tell("'%s'\n", file_text(file_number(4)));
}

static void descriptions(void)
{
	uint64_t n = file_number(4);

	ck_assert_uint_eq(file_number(4), 64);
	for (uint64_t i = 0; i < n; i++) {
		attribute();
		ck_assert_uint_eq(file_number(4), 1); /* ids */
		file_tell(" is '%s'", file_text(file_number(4)));
		file_tell(" id %" PRIu64 "\n", file_number(8));
	}
}

static void read_perf(void)
{
	uint64_t attrs, attrs_size, data, data_size, bits, features;

	ck_assert_mem_eq(file.bytes, "PERFILE2", 8);
	file.at = 8;
	ck_assert_uint_eq(file_number(8), 104);
	ck_assert_uint_eq(file_number(8), 80);
	attrs = file_number(8);
	attrs_size = file_number(8);
	data = file_number(8);
	data_size = file_number(8);
	ck_assert_uint_eq(file_number(8), 0); /* event types */
	ck_assert_uint_eq(file_number(8), 0);
	bits = file_number(8);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(file_number(8), 0);
	for (uint64_t i = 0; i < attrs_size / 80; i++) {
		file.at = attrs + 80 * i;
		attribute();
		file.at = file_number(8);
		file_tell(" id %" PRIu64 "\n", file_number(8));
	}
	for (file.at = data; file.at < data + data_size;)
		record();
	ck_assert_uint_eq(file.at, data + data_size);
	features = file.at;
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t size;

		if (!(bits >> bit & 1))
			continue;
		file.at = features;
		features += 16;
		file_tell("feature %u: ", bit);
		file.at = file_number(8);
		size = file.bytes[features - 8] +
		       256u * file.bytes[features - 7];
		size += file.at;
		if (bit == 12)
			descriptions();
		else
			string_feature();
		ck_assert_uint_eq(file.at, size);
	}
	ck_assert_uint_eq(file.at, file.len);
}

#define ATTR(n)                                                                \
	"attr type 4 config " n " period 1 sample 0x10187 read 0 flags "       \
	"0x40300"

TEST(perf_reads_samples)
{
	file_export("trace export samples --format perf --symbols map -o out",
		    "out");
	read_perf();
	ck_assert_str_eq(
		file.told,
		ATTR("0") " id 1\n" ATTR("1") " id 2\n" ATTR(
			"2") " id 3\n"
			     "record 3 misc 0 pid 1 tid 1 'S' pid 1 tid 1 id "
			     "1\n"
			     "record 3 misc 0 pid 2 tid 2 'U satp "
			     "0x8000000000000004' pid 2 tid 2 id 1\n"
			     "record 9 misc 2 id 1 ip 0x80200040 pid 1 tid 1 "
			     "time 1000 cpu 0 period 1\n"
			     "record 9 misc 2 id 1 ip 0x80200044 pid 1 tid 1 "
			     "time 1500 cpu 1 period 3\n"
			     "record 9 misc 2 id 2 ip 0x10000 pid 2 tid 2 time "
			     "2250 cpu 0 period 1\n"
			     "record 9 misc 2 id 3 ip 0xffffffff80000004 pid 1 "
			     "tid 1 time 2500 cpu 0 period 1\n"
			     "record 9 misc 2 id 1 ip 0x80200040 pid 1 tid 1 "
			     "time 4000 cpu 0 period 2\n"
			     "feature 3: 'pmud'\n"
			     "feature 5: '" PMUD_VERSION "'\n"
			     "feature 6: 'riscv64'\n"
			     "feature 12: " ATTR(
				     "0") " is 'cycles' id "
					  "1\n" ATTR("1") " is "
							  "'loads' id "
							  "2\n" ATTR(
								  "2") " is "
								       "'instr"
								       "uctions"
								       "' "
								       "id "
								       "3\n");
}

TEST(perf_reads_a_trace_without_samples)
{
	file_export("trace export empty --format perf -o out", "out");
	read_perf();
	ck_assert_str_eq(file.told, "feature 3: 'pmud'\n"
				    "feature 5: '" PMUD_VERSION "'\n"
				    "feature 6: 'riscv32'\n"
				    "feature 12: ");
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
