/* SPDX-License-Identifier: BSD-2-Clause */
/* As tools/perf/Documentation/perf.data-file-format.txt has it. */
#include "perf-reader.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "file-reader.h"
#include "unit.h"

static bool chains; /* do samples have them? */

static void attribute(void)
{
	uint64_t sample;

	file_tell("attr type %" PRIu64, file_number(4));
	ck_assert_uint_eq(file_number(4), 64);
	file_tell(" config %" PRIu64, file_number(8));
	file_tell(" period %" PRIu64, file_number(8));
	sample = file_number(8);
	chains = sample & 1 << 5;
	file_tell(" sample %#" PRIx64, sample);
	file_tell(" read %" PRIu64, file_number(8));
	file_tell(" flags %#" PRIx64, file_number(8));
	ck_assert_uint_eq(file_number(8), 0);
	ck_assert_uint_eq(file_number(8), 0);
}

static void chain(void)
{
	file_tell(" chain");
	for (uint64_t n = file_number(8); n--;)
		file_tell(" %#" PRIx64, file_number(8));
}

static void record(void)
{
	size_t begin = file.at, size;
	const char *name, *slash;
	uint64_t type = file_number(4), time;

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
		file_tell(" period %" PRIu64, file_number(8));
		if (chains)
			chain();
		file_tell("\n");
		ck_assert_uint_eq(file.at - begin, size);
		return;
	}
	file_tell(" pid %" PRIu64, file_number(4));
	file_tell(" tid %" PRIu64, file_number(4));
	ck_assert(type == 1 || type == 3 || type == 10);
	if (type != 3) {
		file_tell(" at %#" PRIx64, file_number(8));
		file_tell(" bytes %#" PRIx64, file_number(8));
		file_tell(" from %#" PRIx64, file_number(8));
	}
	if (type == 10) {
		for (unsigned i = 0; i < 3; i++)
			ck_assert_uint_eq(file_number(8), 0);
		file_tell(" is %" PRIu64, file_number(4));
		file_tell("/%" PRIu64, file_number(4));
	}
	/* only its last part: the folder is the test's */
	name = file_text(begin + size - 32 - file.at);
	slash = *name == '/' && name[1] != '/' ? strrchr(name, '/') : NULL;
	file_tell(" '%s'", slash ? slash + 1 : name);
	file_tell(" pid %" PRIu64, file_number(4));
	file_tell(" tid %" PRIu64, file_number(4));
	time = file_number(8);
	if (time)
		file_tell(" time %" PRIu64, time);
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

void perf_read(void)
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
