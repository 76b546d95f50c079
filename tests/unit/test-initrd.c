/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Initrds out of files, and what of gzip becomes a kernel: archives as Linux
 * reads them, byte for byte, and what cannot be is told.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

#include "captured.h"
#include "cmd/args.h"
#include "session/cpio.h"
#include "session/gzip.h"
#include "session/image.h"
#include "session/initrd.h"
#include "text/exit-codes.h"

static struct args args;
static struct image_file got;
static char dir[] = "/tmp/pmud-initrd-XXXXXX", path[3][64];

/* A file in @dir, for --add or --initrd. */
static const char *file(int i, const char *bytes, size_t n, mode_t mode)
{
	FILE *f;

	snprintf(path[i], sizeof(path[i]), "%s/%d", dir, i);
	f = fopen(path[i], "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(chmod(path[i], mode), 0);
	return path[i];
}

static void setup(void)
{
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	args_init(&args);
	got = (struct image_file){ 0 };
}

static void teardown(void)
{
	for (int i = 0; i < 3; i++)
		if (path[i][0])
			unlink(path[i]);
	rmdir(dir);
	if (got.bytes)
		image_unmap(&got);
}

static const char *add(const char *file, const char *to)
{
	static char item[4][256];

	snprintf(item[args.add.n], sizeof(item[0]), "%s:%s", file, to);
	args.add.item[args.add.n] = item[args.add.n];
	return item[args.add.n++];
}

/* The fields of a header that differ, and its name. */
#define HEADER(ino, mode, links, size, name_size)                              \
	"070701" ino mode "00000000"                                           \
	"00000000" links "00000000" size "00000000"                            \
	"00000000"                                                             \
	"00000000"                                                             \
	"00000000" name_size "00000000"
#define END(ino, pad)                                                          \
	HEADER(ino, "00000000", "00000001", "00000000", "0000000b")            \
	"TRAILER!!!\0" pad

/* clang-format off */
static const char archive[] =
	HEADER("00000001", "000041ed", "00000002", "00000000", "00000004")
	"usr\0\0\0"
	HEADER("00000002", "000041ed", "00000002", "00000000", "00000008")
	"usr/bin\0\0\0"
	HEADER("00000003", "000089e8", "00000001", "00000005", "0000000a")
	"usr/bin/x\0" "hello\0\0\0"
	HEADER("00000004", "00008180", "00000001", "00000000", "0000000a")
	"usr/bin/y\0"
	END("00000005", "\0\0\0");
/* clang-format on */

TEST(a_file_comes_with_its_directories_and_mode)
{
	add(file(0, "hello", 5, 04750), "/usr/bin/x");
	add(file(1, "", 0, 0600), "usr/bin/y");
	ck_assert_int_eq(initrd_make(&args, &got), EXIT_OK);
	ck_assert_uint_eq(got.len, sizeof(archive) - 1);
	ck_assert_mem_eq(got.bytes, archive, got.len);
}

TEST(an_archive_follows_the_initrd_at_a_multiple_of_4)
{
	args.initrd = file(0, "\x1f\x8bxyz", 5, 0644);
	add(file(1, "a", 1, 0644), "a");
	ck_assert_int_eq(initrd_make(&args, &got), EXIT_OK);
	ck_assert_mem_eq(got.bytes,
			 "\x1f\x8bxyz\0\0\0"
			 "070701",
			 14);
	ck_assert_uint_eq(got.len % 4, 0);
}

TEST(an_initrd_alone_is_as_it_is)
{
	args.initrd = file(0, "12345", 5, 0644);
	ck_assert(initrd_wanted(&args));
	ck_assert_int_eq(initrd_make(&args, &got), EXIT_OK);
	ck_assert_uint_eq(got.len, 5);
	ck_assert_mem_eq(got.bytes, "12345", 5);
}

TEST(without_options_there_is_none)
{
	ck_assert(!initrd_wanted(&args));
}

static const struct path_row {
	const char *path;
	bool good;
} path_rows[] = {
	{ "init", true },     { "/init", true },    { "/etc/rc.d/S1", true },
	{ "/a/.../b", true }, { ".profile", true }, { "/a/..b", true },
	{ "", false },	      { "/", false },	    { "/dir/", false },
	{ "//init", false },  { "/a//b", false },   { ".", false },
	{ "/a/./b", false },  { "..", false },	    { "/a/../b", false },
	{ "a/..", false },
};

TEST_ROWS(a_path_of_an_archive_leads_down, path_rows)
{
	ck_assert_int_eq(cpio_path_is_good(path_rows[_i].path),
			 path_rows[_i].good);
}

TEST(a_path_of_an_archive_has_an_end)
{
	char text[CPIO_MAX_PATH + 2];

	memset(text, 'x', sizeof(text));
	text[CPIO_MAX_PATH] = '\0';
	ck_assert(cpio_path_is_good(text));
	text[CPIO_MAX_PATH] = 'x';
	text[CPIO_MAX_PATH + 1] = '\0';
	ck_assert(!cpio_path_is_good(text));
}

static const struct item_row {
	const char *item;
	int code;
	const char *why;
} item_rows[] = {
	{ "init", EXIT_USAGE, "'init' is not FILE:PATH" },
	{ ":init", EXIT_USAGE, "':init' is not FILE:PATH" },
	{ "init:", EXIT_USAGE, "'init:' is not FILE:PATH" },
	{ "x:/etc/", EXIT_USAGE, "'x:/etc/' is not FILE:PATH" },
	{ "/nonexistent:x", EXIT_NOT_FOUND, "/nonexistent: No such file" },
	{ "/nonexistent:x:y", EXIT_NOT_FOUND, "/nonexistent:x: No such file" },
	{ "/tmp:x", EXIT_FAILED, "/tmp: not a regular file" },
};

TEST_ROWS(what_cannot_be_added_is_told, item_rows)
{
	const struct item_row *row = &item_rows[_i];

	args.add.item[args.add.n++] = row->item;
	capture();
	ck_assert_int_eq(initrd_make(&args, &got), row->code);
	ck_assert_msg(strstr(capture_end(), row->why), "%s", captured);
}

/* All of them together, what pads the first one included. */
static const struct {
	off_t size;
	enum {
		BEHIND_INITRD,
		IS_INITRD,
		BEHIND_FILE
	} how; /* of 5 bytes */
} large_rows[] = {
	{ (off_t)INITRD_MAX - 8, BEHIND_INITRD },
	{ (off_t)INITRD_MAX - 3, IS_INITRD },
	{ (off_t)INITRD_MAX - 4, BEHIND_FILE },
};

TEST_ROWS(files_that_are_too_large_together_are_told, large_rows)
{
	const char *large = file(0, "", 1, 0600);

	ck_assert_int_eq(truncate(large, large_rows[_i].size), 0);
	if (large_rows[_i].how == IS_INITRD)
		args.initrd = large;
	else if (large_rows[_i].how == BEHIND_INITRD)
		args.initrd = file(1, "12345", 5, 0600);
	else
		add(file(1, "12345", 5, 0600), "z");
	if (large_rows[_i].how != IS_INITRD)
		add(large, "x");
	add(file(2, "12345", 5, 0600), "y");
	capture();
	ck_assert_int_eq(initrd_make(&args, &got), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(capture_end(), large));
}

/* gzip */

static uint8_t packed[8192];

/* @len bytes of 'k', compressed. */
static size_t pack(size_t len)
{
	uint8_t *plain = malloc(len);
	z_stream z = { .next_out = packed, .avail_out = sizeof(packed) };

	ck_assert_ptr_nonnull(plain);
	memset(plain, 'k', len);
	z.next_in = plain;
	z.avail_in = (uInt)len;
	ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 9,
				      Z_DEFAULT_STRATEGY),
			 Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	free(plain);
	return z.total_out;
}

static int expand(size_t len)
{
	uint8_t *bytes = malloc(len);

	memcpy(bytes, packed, len);
	got = (struct image_file){ bytes, len, .heap = true };
	return gzip_expand(&got, "Image.gz");
}

TEST(a_compressed_kernel_is_decompressed)
{
	ck_assert_int_eq(expand(pack(100000)), EXIT_OK);
	ck_assert_uint_eq(got.len, 100000);
	ck_assert_int_eq(((const char *)got.bytes)[99999], 'k');
}

TEST(what_is_not_of_gzip_stays)
{
	memcpy(packed, "MZ\0\0", 4);
	ck_assert_int_eq(expand(4), EXIT_OK);
	ck_assert_uint_eq(got.len, 4);
}

TEST_RANGE(a_cut_off_file_is_told, 2, 40)
{
	size_t len = pack(5000);

	ck_assert_uint_gt(len, (size_t)_i);
	capture();
	ck_assert_int_eq(
		expand((size_t)_i < 20 ? (size_t)_i : len - (size_t)_i + 19),
		EXIT_FAILED);
	ck_assert_str_eq(capture_end(), "pmuctl: Image.gz: the gzip file is "
					"cut off or damaged\n");
}

TEST(a_wrong_checksum_is_told)
{
	size_t len = pack(5000);

	packed[len - 8] ^= 1;
	capture();
	ck_assert_int_eq(expand(len), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(capture_end(), "damaged"));
	/* it is as it was */
	ck_assert_uint_eq(got.len, len);
	ck_assert_mem_eq(got.bytes, packed, len);
}

SUITE("initrd", .setup = setup, .teardown = teardown);
