/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/text/dt-file.c: a flattened tree is read as it is, anything else is what
 * dtc makes of it; what is wrong is said with the file's name.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/dt-file.h"
#include "text/exit-codes.h"
#include "unit.h"

#define MOST (16 << 20)

static const uint8_t magic[] = { 0xd0, 0x0d, 0xfe, 0xed };
static char path[] = "/tmp/test-dt-file-XXXXXX", said[512];
static int fd;

static void setup(void)
{
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
}

static void teardown(void)
{
	close(fd);
	unlink(path);
	memset(path + sizeof(path) - 7, 'X', 6);
}

static void put(const void *bytes, size_t len)
{
	ck_assert_int_eq(pwrite(fd, bytes, len, 0), (ssize_t)len);
}

/* Reads it; what is written to stderr is in @said. */
static int get(void **ret, size_t *ret_size)
{
	FILE *to = tmpfile();
	int was = dup(STDERR_FILENO), code;
	size_t n;

	ck_assert_ptr_nonnull(to);
	fflush(stderr);
	dup2(fileno(to), STDERR_FILENO);
	code = dt_file_read(path, ret, ret_size);
	fflush(stderr);
	dup2(was, STDERR_FILENO);
	close(was);
	rewind(to);
	n = fread(said, 1, sizeof(said) - 1, to);
	said[n] = '\0';
	fclose(to);
	return code;
}

static void says(const char *what)
{
	ck_assert_msg(strstr(said, path) && strstr(said, what), "%s", said);
}

static const struct size_row {
	size_t size;
	bool good;
} size_rows[] = {
	{ sizeof(magic), true }, { 5, true },	      { 40000, true },
	{ MOST, true },		 { MOST + 1, false },
};

TEST_ROWS(a_flattened_tree_is_read_whole, size_rows)
{
	const struct size_row *row = &size_rows[_i];
	void *got = NULL;
	size_t size = 0;

	put(magic, sizeof(magic));
	ck_assert_int_eq(ftruncate(fd, (off_t)row->size), 0);
	ck_assert_int_eq(get(&got, &size), row->good ? EXIT_OK : EXIT_FAILED);
	if (!row->good) {
		says("larger than 16 MiB");
		ck_assert_ptr_null(got);
		return;
	}
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(size, row->size);
	ck_assert_mem_eq(got, magic, sizeof(magic));
	for (size_t i = sizeof(magic); i < size; i++)
		if (((uint8_t *)got)[i])
			ck_abort_msg("byte %zu", i);
	free(got);
}

TEST(source_is_compiled)
{
	static const char source[] = "/dts-v1/;\n/ { model = \"x\"; };\n";
	uint8_t *got = NULL;
	size_t size = 0;

	put(source, strlen(source));
	ck_assert_int_eq(get((void **)&got, &size), EXIT_OK);
	ck_assert_str_eq(said, "");
	ck_assert_uint_gt(size, sizeof(magic));
	ck_assert_mem_eq(got, magic, sizeof(magic));
	/* its own length: nothing of it is missing */
	ck_assert_uint_eq(
		(size_t)(got[4] << 24 | got[5] << 16 | got[6] << 8 | got[7]),
		size);
	free(got);
}

/* Too short to be a tree, or of another beginning: dtc says more. */
static const struct no_row {
	const char *bytes;
	size_t len;
} no_rows[] = {
	{ "\xd0\x0d\xfe", 3 },
	{ "\xd0\x0d\xfe\xee", 4 },
	{ "/dts-v1/;\n/ {\n", 14 },
};

TEST_ROWS(what_is_no_tree_is_not_made_one, no_rows)
{
	void *got = NULL;
	size_t size;

	put(no_rows[_i].bytes, no_rows[_i].len);
	ck_assert_int_eq(get(&got, &size), EXIT_FAILED);
	ck_assert_ptr_null(got);
	says("dtc cannot make a device tree of it");
}

TEST_TIMES(without_dtc_there_is_no_source, 2)
{
	void *got = NULL;
	size_t size;

	put("/dts-v1/;", 9);
	ck_assert_int_eq(setenv("PATH", _i ? "/nowhere" : "", 1), 0);
	ck_assert_int_eq(get(&got, &size), EXIT_FAILED);
	says("source needs dtc, which is not installed");
	ck_assert_ptr_null(got);
}

SUITE("dt-file", .setup = setup, .teardown = teardown);
