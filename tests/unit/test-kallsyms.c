/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's tables of its symbols in memory: found wherever they lie, as they
 * are written by Linux 6.12 and by 7.0, and nothing found where anything of
 * them is not as it must be.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kallsyms.h"
#include "kallsyms-image.h"
#include "unit.h"

enum {
	BAIT_MAX = 1 << 18 /* digits of tokens that are looked at */
};

static void setup(void)
{
	k = (struct kernel){ 0 };
}

static void teardown(void)
{
	free(k.memory);
}

static const char *why;

static bool found(void)
{
	struct symbol_map *m =
		kallsyms_find(k.memory, KERNEL_SIZE, k.xlen, &why);
	bool ret = m != NULL;

	symbol_map_free(m);
	return ret;
}

/*
 * As scripts/kallsyms of 6.12 and of 7.0 writes them. With one symbol the
 * kernel has no end, so that from 7.0 on no list is in it.
 */
static const struct size_row {
	unsigned xlen, n;
	enum kernel_layout layout;
} size_rows[] = {
	{ 64, 1, LAYOUT_BASE },	   { 64, 8, LAYOUT_BASE },
	{ 64, 255, LAYOUT_BASE },  { 64, 256, LAYOUT_BASE },
	{ 64, 257, LAYOUT_BASE },  { 64, 512, LAYOUT_BASE },
	{ 64, 513, LAYOUT_BASE },  { 64, 5000, LAYOUT_BASE },
	{ 32, 1, LAYOUT_BASE },	   { 32, 256, LAYOUT_BASE },
	{ 32, 257, LAYOUT_BASE },  { 32, 769, LAYOUT_BASE },
	{ 32, 5000, LAYOUT_BASE }, { 64, 2, LAYOUT_PLACE },
	{ 64, 8, LAYOUT_PLACE },   { 64, 255, LAYOUT_PLACE },
	{ 64, 256, LAYOUT_PLACE }, { 64, 257, LAYOUT_PLACE },
	{ 64, 513, LAYOUT_PLACE }, { 64, 5000, LAYOUT_PLACE },
	{ 32, 2, LAYOUT_PLACE },   { 32, 257, LAYOUT_PLACE },
	{ 32, 769, LAYOUT_PLACE }, { 32, 5000, LAYOUT_PLACE },
	{ 32, 1, LAYOUT_VALUE },   { 32, 257, LAYOUT_VALUE },
	{ 32, 769, LAYOUT_VALUE }, { 32, 5000, LAYOUT_VALUE },
};

TEST_ROWS(all_names_are_found_at_their_addresses, size_rows)
{
	const struct size_row *row = &size_rows[_i];
	struct symbol_map *m;
	struct map_symbol s;
	char name[SYMBOL_MAP_MAX_NAME];

	k.layout = row->layout;
	kernel_make(row->xlen, row->n);
	m = kallsyms_find(k.memory, KERNEL_SIZE, row->xlen, &why);
	ck_assert_ptr_nonnull(m);
	ck_assert_uint_eq(symbol_map_count(m), row->n);
	for (unsigned i = 0; i < row->n; i++) {
		symbol_map_get(m, i, &s);
		kernel_name(i, name);
		ck_assert_str_eq(s.name, name);
		ck_assert_uint_eq(s.address, kernel_address(i));
		ck_assert_int_eq(s.type, i % 2 ? 't' : 'T');
	}
	symbol_map_free(m);
}

/* As many letters and tokens as there may be, and one more. */
TEST(tokens_and_names_have_limits)
{
	k.spare = 63;
	kernel_make(64, 10);
	ck_assert(found());
	k.spare = 64;
	kernel_make(64, 10);
	ck_assert(!found());
	k.spare = 0;
	k.longest = true;
	for (unsigned n = 255; n <= 257; n++) {
		kernel_make(64, n);
		ck_assert_msg(found(), "%u", n);
		kernel_make(32, n);
		ck_assert_msg(found(), "%u of 32 bits", n);
	}
}

/* Of as many tokens as a name may have, so many stand for more than a letter.
 */
static const struct letters_row {
	size_t spare;	 /* the letters of one */
	unsigned tokens; /* the first ones behind the type */
	bool found;
} letters_rows[] = {
	{ 1, 500, true },  { 2, 1, true },   { 2, 2, false },
	{ 2, 500, false }, { 63, 1, false }, { 63, 500, false },
};

TEST_ROWS(a_name_has_so_many_letters, letters_rows)
{
	const struct letters_row *row = &letters_rows[_i];

	k.longest = true;
	k.spare = row->spare;
	kernel_make(64, 1);
	memset(k.memory + k.names + 3, KERNEL_SPARE, row->tokens);
	ck_assert(found() == row->found);
}

TEST(digits_that_are_no_tokens_are_passed_by)
{
	kernel_make(64, 600);
	for (unsigned i = 0; i < 20; i++)
		for (unsigned c = '0'; c <= '9'; c++)
			k.memory[0x100 + 32 * i + 2 * (c - '0')] = (uint8_t)c;
	ck_assert(found());
}

TEST(another_width_finds_nothing)
{
	kernel_make(64, 600);
	k.xlen = 32;
	ck_assert(!found());
	kernel_make(32, 600);
	k.xlen = 64;
	ck_assert(!found());
}

/* How many names in so much memory. */
static size_t found_in(size_t size)
{
	struct symbol_map *m = kallsyms_find(k.memory, size, k.xlen, &why);
	size_t n = m ? symbol_map_count(m) : 0;

	symbol_map_free(m);
	return n;
}

/* As of any list, whichever the build has put first. */
TEST(of_two_names_of_one_address_the_global_is_told)
{
	struct symbol_map *m;
	struct map_symbol s;
	char name[SYMBOL_MAP_MAX_NAME];

	kernel_make(64, 10);
	k.memory[k.names + 1] = 't';
	k.memory[k.names + 1 + k.memory[k.names] + 1] = 'T';
	m = kallsyms_find(k.memory, KERNEL_SIZE, 64, &why);
	ck_assert_ptr_nonnull(m);
	ck_assert(symbol_map_find(m, kernel_address(0), &s));
	kernel_name(1, name);
	ck_assert_str_eq(s.name, name);
	symbol_map_free(m);
}

/* Memory may end anywhere, and nothing is read behind it. */
TEST_RANGE(tables_may_be_cut_anywhere, LAYOUT_BASE, LAYOUT_PLACE + 1)
{
	size_t end;

	k.layout = (enum kernel_layout)_i;
	kernel_make(64, 300);
	end = k.at;
	for (size_t n = KERNEL_AT; n < end; n += n < k.tokens ? 97 : 1) {
		uint8_t *cut = malloc(n);
		struct symbol_map *m;

		memcpy(cut, k.memory, n);
		m = kallsyms_find(cut, n, 64, &why);
		ck_assert_ptr_null(m);
		free(cut);
	}
	ck_assert(found());
	ck_assert_uint_eq(found_in(end), 300);
}

/* Every byte of the tables changed once: found or not, and no harm. */
TEST_TIMES(any_byte_may_be_any_other, 32)
{
	k.layout = _i < 16 ? LAYOUT_BASE : LAYOUT_PLACE;
	kernel_make(64, 40);
	for (size_t at = KERNEL_AT + (size_t)(_i % 16); at < k.at; at += 16) {
		uint8_t old = k.memory[at];
		struct symbol_map *m;

		k.memory[at] = (uint8_t)(old ^ (1u << at % 8));
		m = kallsyms_find(k.memory, k.at, 64, &why);
		if (m)
			ck_assert_uint_le(symbol_map_count(m), 40);
		symbol_map_free(m);
		k.memory[at] = old;
	}
	ck_assert(found());
}

/* A guest that fills its memory with what looks like tables costs little. */
TEST(what_is_made_to_be_long_ends)
{
	kernel_make(64, 1000);
	k.memory[k.num_syms]++; /* is none of it */
	for (size_t at = k.at + 64; at + k.at < KERNEL_SIZE;
	     at += k.at - KERNEL_AT)
		memcpy(k.memory + (at & ~(size_t)7), k.memory + KERNEL_AT,
		       k.at - KERNEL_AT);
	for (size_t at = 0; at + 8 < KERNEL_AT; at += 8)
		k.memory[at] = (uint8_t)(at >> 3);
	ck_assert(!found());
}

/*
 * What costs the most of the least memory are the digits of the tokens, which
 * are cheap to write: behind so many of them even a kernel is not found.
 */
static const struct bait_row {
	size_t baits;
	enum kernel_layout layout;
	bool found;
} bait_rows[] = {
	{ 1000, LAYOUT_BASE, true },
	/* one more is the kernel's, one its names' */
	{ BAIT_MAX - 2, LAYOUT_BASE, true },
	{ BAIT_MAX - 1, LAYOUT_BASE, false },
	{ BAIT_MAX + 1000, LAYOUT_BASE, false },
	/* and from 7.0 on some its lists', which are all of it but the tables
	 */
	{ BAIT_MAX - 16, LAYOUT_PLACE, true },
	{ BAIT_MAX - 2, LAYOUT_PLACE, false },
};

TEST_ROWS(the_search_is_given_up_after_so_much_work, bait_rows)
{
	static const char bait[] = "0\0001\0002\0003\0004\0005\0006\0007\0"
				   "8\0009";
	const struct bait_row *row = &bait_rows[_i];
	size_t at = row->baits * sizeof(bait);
	struct symbol_map *m;
	uint8_t *memory;

	k.layout = row->layout;
	kernel_make(64, 10);
	at += -at % 4096;
	memory = calloc(1, at + k.at);
	ck_assert_ptr_nonnull(memory);
	for (size_t i = 0; i < row->baits; i++)
		memcpy(memory + i * sizeof(bait), bait, sizeof(bait));
	memcpy(memory + at, k.memory, k.at);
	m = kallsyms_find(memory, at + k.at, 64, &why);
	ck_assert_msg(!m == !row->found, "behind %zu", row->baits);
	symbol_map_free(m);
	free(memory);
}

/* More names are told of than there are, up to what the marker allows. */
TEST(no_name_is_looked_for_behind_the_markers)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size;
	size_t room = KERNEL_SIZE - KERNEL_SIZE % page;
	uint8_t *all = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *memory;

	ck_assert_ptr_ne(all, MAP_FAILED);
	ck_assert_int_eq(mprotect(all + room, page, PROT_NONE), 0);
	kernel_make(64, 10);
	size = k.at - KERNEL_AT;
	memory = all + room - size;
	memcpy(memory, k.memory + KERNEL_AT, size);
	ck_assert_uint_eq(memory[k.num_syms - KERNEL_AT], 10);
	memory[k.num_syms - KERNEL_AT] = 255;
	ck_assert_ptr_null(kallsyms_find(memory, size, 64, &why));
	munmap(all, room + page);
}

/* The index says that the first token is before the memory. */
TEST(nothing_is_read_before_the_memory)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *all = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *memory = all + page;

	ck_assert_ptr_ne(all, MAP_FAILED);
	ck_assert_int_eq(mprotect(all, page, PROT_NONE), 0);
	for (unsigned c = '0'; c <= '9'; c++)
		memory[2 * (c - '0')] = (uint8_t)c;
	/* the tokens behind the digits stand for nothing; then their index */
	memory[224 + 2 * '0' + 1] = 1;
	ck_assert_ptr_null(kallsyms_find(memory, page, 64, &why));
	munmap(all, 2 * page);
}

SUITE("kallsyms", .setup = setup, .teardown = teardown, .timeout = 60);
