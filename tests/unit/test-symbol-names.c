/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names in hostile ELF files: those that do not end, at the very end of what
 * may be read, and those that take long to be told from another.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf-head.h"
#include "symbol-ranges.h"
#include "symbols.h"
#include "unit.h"

enum {
	PAGE = 4096,
	CODE = 0x10000,
	TABLE = 16 /* bytes of names */
};

struct unended {
	struct elf_head head;
	Elf64_Sym sym[4];
	uint8_t code[ELF_CODE_BYTES];
	char names[TABLE];
};

static struct symbols *s;

static void teardown(void)
{
	symbols_close(s);
	s = NULL;
}

/* The bytes behind it cannot be read. */
static void open_at_the_end(const struct unended *file)
{
	uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *why;

	PREPARING(ck_assert_ptr_ne(pages, MAP_FAILED));
	PREPARING(ck_assert_int_eq(mprotect(pages + PAGE, PAGE, PROT_NONE), 0));
	memcpy(pages + PAGE - sizeof(*file), file, sizeof(*file));
	s = symbols_open_memory(pages + PAGE - sizeof(*file), sizeof(*file),
				&why);
	PREPARING(ck_assert_msg(s != NULL, "%s", why));
}

/* Of three functions the first has a name that ends. */
static void open_unended(void)
{
	static const struct elf_parts at = {
		.code = offsetof(struct unended, code),
		.symbols = offsetof(struct unended, sym),
		.n_symbols = 4,
		.names = offsetof(struct unended, names),
		.name_bytes = TABLE,
	};
	struct unended file = { .head = elf_head_of(CODE, &at) };

	memset(file.names, 'f', TABLE);
	memcpy(file.names, "\0g", 3);
	file.sym[1] = elf_function(1, CODE);
	file.sym[2] = elf_function(3, CODE + 4);
	file.sym[3] = elf_function(TABLE - 1, CODE + 6);
	for (size_t i = 1; i < 4; i++)
		file.sym[i].st_size = i == 1 ? 4 : 2;
	open_at_the_end(&file);
}

static const struct unended_row {
	const char *name; /* NULL: no file knows */
	uint64_t at;
} unended_rows[] = {
	{ "g", CODE },
	{ "g", CODE + 2 },
	{ NULL, CODE + 4 },
	{ NULL, CODE + 6 },
};

TEST_ROWS(a_name_that_does_not_end_is_none, unended_rows)
{
	const struct unended_row *row = &unended_rows[_i];
	struct symbol got;

	open_unended();
	symbols_find(s, row->at, &got);
	ck_assert_msg((got.function != NULL) == (row->name != NULL), "%#jx: %s",
		      (uintmax_t)row->at, got.function ? "named" : "not");
	ck_assert(!row->name || !strcmp(got.function, row->name));
}

static bool any(void *arg, const char *name)
{
	*(size_t *)arg += strlen(name);
	return true;
}

TEST(nor_is_it_found)
{
	struct symbols_named named[4];
	uint64_t at, size;
	size_t len = 0;

	open_unended();
	ck_assert(symbols_extent(s, "g", &at, &size));
	ck_assert_uint_eq(at, CODE);
	ck_assert(!symbols_extent(s, "fffffffffffff", &at, &size));
	ck_assert(!symbols_extent(s, "f", &at, &size));
	ck_assert_uint_eq(symbols_named(s, any, &len, named, 4), 1);
	ck_assert_uint_eq(len, 1);
}

/* Many symbols with one long name, and one with another that begins so. */

enum {
	SHARED_BYTES = 1 << 16, /* of the file: eight times that may be alike */
	SHARED = 128,		/* names so long are that */
	LEN = 4096,
	LOOK_MAX = 2 * SHARED
};

struct shared {
	struct elf_head head;
	Elf64_Sym sym[1 + LOOK_MAX + 1];
	uint8_t code[ELF_CODE_BYTES];
	char names[2 * (LEN + 2)];
	char rest[SHARED_BYTES - sizeof(struct elf_head) -
		  (2 + LOOK_MAX) * sizeof(Elf64_Sym) - ELF_CODE_BYTES -
		  (size_t)2 * (LEN + 2)];
};

/* @n of the first before that of the second, which is @wanted. */
static const struct shared *shared_file(size_t n, char wanted[LEN + 2])
{
	static struct shared file;
	const struct elf_parts at = {
		.code = offsetof(struct shared, code),
		.symbols = offsetof(struct shared, sym),
		.n_symbols = 1 + n + 1,
		.names = offsetof(struct shared, names),
		.name_bytes = sizeof(file.names),
	};

	memset(wanted, 'a', LEN);
	memcpy(wanted + LEN, "b", 2);
	file = (struct shared){ .head = elf_head_of(CODE, &at) };
	memset(file.names + 1, 'a', LEN);
	memcpy(file.names + LEN + 2, wanted, LEN + 2);
	for (size_t i = 1; i <= n; i++)
		file.sym[i] = elf_function(1, CODE);
	file.sym[n + 1] = elf_function(LEN + 2, CODE + 4);
	return &file;
}

static const struct look_row {
	const char *why;
	size_t n; /* that are alike so far */
	bool sent, found;
} look_rows[] = {
	{ "one of few", 2, true, true },
	{ "less than eight times the file is alike", SHARED - 1, true, true },
	{ "eight times", SHARED, true, false },
	{ "more", LOOK_MAX, true, false },
	{ "in a file of the user's own", LOOK_MAX, false, true },
};

TEST_ROWS(a_name_is_looked_for_so_long, look_rows)
{
	const struct look_row *row = &look_rows[_i];
	char path[] = "/tmp/test-symbol-names-XXXXXX";
	const struct symbols_file own = { .path = path };
	char wanted[LEN + 2];
	const struct shared *file = shared_file(row->n, wanted);
	int fd = mkstemp(path);
	uint64_t at = 0, size;
	const char *why;

	PREPARING(ck_assert_int_eq(write(fd, file, sizeof(*file)),
				   (ssize_t)sizeof(*file)));
	close(fd);
	s = row->sent ? symbols_open_memory(file, sizeof(*file), &why)
		      : symbols_open(&own, &why);
	unlink(path);
	PREPARING(ck_assert_msg(s != NULL, "%s", why));
	ck_assert_msg(symbols_extent(s, wanted, &at, &size) == row->found, "%s",
		      row->why);
	ck_assert_uint_eq(at, row->found ? CODE + 4 : 0);
}

SUITE("symbol-names", .fork = true, .teardown = teardown);
