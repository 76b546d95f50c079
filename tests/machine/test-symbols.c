/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ELF files say of addresses: the same from a path and from bytes, and of
 * hostile bytes nothing that harms. Arguments: ELF files with a function main.
 */
#include <stdint.h>
#include <string.h>

#include "symbols.h"
#include "unit.h"

static char **paths;
static int n_paths;

struct bytes {
	uint8_t *at;
	size_t n;
};

static struct bytes read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct bytes b = { malloc(16 << 20), 0 };

	ck_assert_ptr_nonnull(f);
	b.n = fread(b.at, 1, 16 << 20, f);
	fclose(f);
	return b;
}

static const char *text(const char *name)
{
	return name ? name : "nothing";
}

TEST_TIMES(a_path_and_bytes_say_the_same, n_paths)
{
	struct bytes b = read_file(paths[_i]);
	const char *why;
	struct symbols *file =
		symbols_open(&(struct symbols_file){ .path = paths[_i] }, &why);
	struct symbols *memory = symbols_open_memory(b.at, b.n, &why);
	uint64_t start = 0, same = 1;
	unsigned lines = 0;

	ck_assert(file && memory);
	ck_assert(symbols_address(file, "main", &start));
	ck_assert(symbols_address(memory, "main", &same));
	ck_assert_uint_eq(start, same);
	for (uint64_t pc = start - 512; pc < start + 512; pc += 2) {
		struct symbol x, y;

		symbols_find(file, pc, &x);
		symbols_find(memory, pc, &y);
		ck_assert_str_eq(text(x.function), text(y.function));
		ck_assert_uint_eq(x.offset, y.offset);
		ck_assert_str_eq(text(x.path), text(y.path));
		ck_assert_int_eq(x.line, y.line);
		lines += x.line > 0;
	}
	ck_assert_uint_gt(lines, 100);
	symbols_close(file);
	symbols_close(memory);
	free(b.at);
}

TEST_TIMES(names_and_places_belong_together, n_paths)
{
	static const char *const names[] = { "main", "_start", "sieve" };
	const char *why;
	struct symbols *s =
		symbols_open(&(struct symbols_file){ .path = paths[_i] }, &why);
	uint64_t at, size, end;
	struct symbol found;

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ck_assert(symbols_address(s, names[i], &at));
		symbols_find(s, at + 4, &found);
		ck_assert_str_eq(found.function, names[i]);
		ck_assert_uint_eq(found.offset, 4);
		ck_assert_str_eq(strrchr(found.path, '/') + 1, found.file);
	}
	symbols_find(s, at, &found);
	ck_assert_str_eq(found.function, "sieve");
	/* where another section ends, which has a name, too */
	ck_assert(symbols_address(s, "chase", &at));
	symbols_find(s, at, &found);
	ck_assert_str_eq(found.function, "chase");
	ck_assert_uint_eq(found.offset, 0);
	/* up to the next function, which has a section of its own */
	ck_assert(symbols_extent(s, "chase", &at, &size));
	ck_assert(symbols_address(s, "strings", &end));
	ck_assert_uint_eq(end - at, size);
	ck_assert(symbols_extent(s, "__stop_work_chase", &at, &size));
	ck_assert_uint_eq(size, 0);
	ck_assert(!symbols_address(s, "mai", &at));
	ck_assert(!symbols_address(s, "", &at));
	symbols_find(s, 0x1000, &found);
	ck_assert_ptr_null(found.function);
	ck_assert_ptr_null(found.file);
	symbols_close(s);
}

/* Whatever it answers, it answers. */
static void ask(const uint8_t *bytes, size_t n)
{
	const char *why = NULL;
	struct symbols *s = symbols_open_memory(bytes, n, &why);
	struct symbol found;
	uint64_t at;

	if (!s) {
		ck_assert_ptr_nonnull(why);
		return;
	}
	symbols_address(s, "sieve", &at);
	symbols_find(s, 0x80200c2a, &found);
	ck_assert(found.function || !found.offset);
	symbols_close(s);
}

TEST(a_file_that_is_cut_harms_nothing)
{
	struct bytes b = read_file(paths[0]);

	for (size_t n = 0; n < b.n; n += 1 + n / 16) {
		uint8_t *part = malloc(n + 1);

		memcpy(part, b.at, n);
		ask(part, n);
		free(part);
	}
	free(b.at);
}

TEST_TIMES(a_file_that_is_spoilt_harms_nothing, 20)
{
	struct bytes b = read_file(paths[0]);
	uint32_t seed = 12345 + (uint32_t)_i;
	uint8_t *copy = malloc(b.n);

	for (int round = 0; round < 20; round++) {
		memcpy(copy, b.at, b.n);
		for (int i = 0; i < 8; i++) {
			seed = seed * 1664525 + 1013904223;
			/* also where the headers are */
			copy[seed % (i % 2 ? b.n : 4096)] ^=
				(uint8_t)(seed >> 24);
		}
		ask(copy, b.n);
	}
	free(copy);
	free(b.at);
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("symbols", .begin = begin);
