/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names in hostile ELF files: those that do not end, at the very end of what
 * may be read.
 */
#include <string.h>
#include <sys/mman.h>

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

SUITE("symbol-names", .fork = true, .teardown = teardown);
