/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's tables of its symbols in memory: found wherever they lie, as they
 * are written by Linux 6.12, and nothing found where anything of them is not
 * as it must be.
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

static bool found(void)
{
	struct symbol_map *m = kallsyms_find(k.memory, KERNEL_SIZE, k.xlen);
	bool ret = m != NULL;

	symbol_map_free(m);
	return ret;
}

static const struct size_row {
	unsigned xlen, n;
} size_rows[] = {
	{ 64, 1 },   { 64, 8 },	  { 64, 255 },	{ 64, 256 }, { 64, 257 },
	{ 64, 512 }, { 64, 513 }, { 64, 5000 }, { 32, 1 },   { 32, 256 },
	{ 32, 257 }, { 32, 769 }, { 32, 5000 },
};

TEST_ROWS(all_names_are_found_at_their_addresses, size_rows)
{
	const struct size_row *row = &size_rows[_i];
	struct symbol_map *m;
	struct map_symbol s;
	char name[SYMBOL_MAP_MAX_NAME];

	kernel_make(row->xlen, row->n);
	m = kallsyms_find(k.memory, KERNEL_SIZE, row->xlen);
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

static void no_number(void)
{
	k.memory[k.num_syms]++;
}

static void too_many(void)
{
	k.memory[k.num_syms + 3] = 0xff;
}

static void name_too_long(void)
{
	k.memory[k.names] += 1;
}

static void name_of_nothing(void)
{
	k.memory[k.names] = 0;
}

static void marker_off(void)
{
	k.memory[k.markers + 4]++;
}

static void markers_descend(void)
{
	k.memory[k.markers + 11] = 0xff;
}

static void no_first_marker(void)
{
	k.memory[k.markers] = 1;
}

static void token_cut(void)
{
	k.memory[k.tokens + 61] = 0;
}

static void index_off(void)
{
	k.memory[k.index + 2 * 200]++;
}

static void last_index_off(void)
{
	k.memory[k.index + 2 * 255]++;
}

static void first_index_off(void)
{
	k.memory[k.index]++;
}

static void names_moved(void)
{
	memmove(k.memory + k.num_syms + 4, k.memory + k.num_syms,
		k.markers - k.num_syms - 4);
}

static void offsets_descend(void)
{
	k.memory[k.offsets + 4 * 100 + 3] = 0x7f;
}

static void no_base(void)
{
	memset(k.memory + k.base, 0, 8);
}

static void base_too_high(void)
{
	memset(k.memory + k.base, 0xff, 8);
}

/* A token of the first name becomes one that stands for no letter. */
static void name_unprintable(void)
{
	k.memory[k.names + 2] = 0x90;
	for (unsigned i = 3; i < 17; i++)
		k.memory[k.names + i] = 0x90;
	k.memory[k.names + 1] = 0x90;
}

/* What the token of all names' first letter stands for. */
static void name_begins(uint8_t letter)
{
	size_t at = k.index + 2 * 'T';

	k.memory[k.tokens + k.memory[at] + 256u * k.memory[at + 1]] = letter;
}

static void name_blank(void)
{
	name_begins(' ');
}

static void name_deleted(void)
{
	name_begins(0x7f);
}

static const struct spoil_row {
	const char *why;
	void (*spoil)(void);
} spoil_rows[] = {
	{ "another number of names", no_number },
	{ "more names than there may be", too_many },
	{ "a name that is too long", name_too_long },
	{ "a name of no length", name_of_nothing },
	{ "a marker beside its name", marker_off },
	{ "markers that descend", markers_descend },
	{ "markers that do not begin at 0", no_first_marker },
	{ "a token too many", token_cut },
	{ "an index beside its token", index_off },
	{ "the first one, too", first_index_off },
	{ "and the last", last_index_off },
	{ "names that are not aligned", names_moved },
	{ "addresses that descend", offsets_descend },
	{ "no base", no_base },
	{ "addresses beyond the end", base_too_high },
	{ "a name of no letters", name_unprintable },
	{ "a blank in a name", name_blank },
	{ "what is not printed in a name", name_deleted },
};

TEST_ROWS(what_does_not_agree_is_not_found, spoil_rows)
{
	const struct spoil_row *row = &spoil_rows[_i];

	kernel_make(64, 1000);
	ck_assert(found());
	row->spoil();
	ck_assert_msg(!found(), "%s", row->why);
}

/* How many names in so much memory. */
static size_t found_in(size_t size)
{
	struct symbol_map *m = kallsyms_find(k.memory, size, k.xlen);
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
	m = kallsyms_find(k.memory, KERNEL_SIZE, 64);
	ck_assert_ptr_nonnull(m);
	ck_assert(symbol_map_find(m, kernel_address(0), &s));
	kernel_name(1, name);
	ck_assert_str_eq(s.name, name);
	symbol_map_free(m);
}

/* Memory may end anywhere, and nothing is read behind it. */
TEST(tables_may_be_cut_anywhere)
{
	size_t end;

	kernel_make(64, 300);
	end = k.at;
	for (size_t n = KERNEL_AT; n < end; n += n < k.tokens ? 97 : 1) {
		uint8_t *cut = malloc(n);
		struct symbol_map *m;

		memcpy(cut, k.memory, n);
		m = kallsyms_find(cut, n, 64);
		ck_assert_ptr_null(m);
		free(cut);
	}
	ck_assert(found());
	ck_assert_uint_eq(found_in(end), 300);
}

/* Every byte of the tables changed once: found or not, and no harm. */
TEST_TIMES(any_byte_may_be_any_other, 16)
{
	kernel_make(64, 40);
	for (size_t at = KERNEL_AT + (size_t)_i; at < k.at; at += 16) {
		uint8_t old = k.memory[at];
		struct symbol_map *m;

		k.memory[at] = (uint8_t)(old ^ (1u << at % 8));
		m = kallsyms_find(k.memory + KERNEL_AT, k.at - KERNEL_AT, 64);
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
	no_number();
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
	bool found;
} bait_rows[] = {
	{ 1000, true },
	{ BAIT_MAX - 2, true }, /* one more is the kernel's, one its names' */
	{ BAIT_MAX - 1, false },
	{ BAIT_MAX + 1000, false },
};

TEST_ROWS(the_search_is_given_up_after_so_much_work, bait_rows)
{
	static const char bait[] = "0\0001\0002\0003\0004\0005\0006\0007\0"
				   "8\0009";
	const struct bait_row *row = &bait_rows[_i];
	size_t at = row->baits * sizeof(bait), size;
	struct symbol_map *m;
	uint8_t *memory;

	kernel_make(64, 10);
	size = k.at - KERNEL_AT;
	at += -at % 8;
	memory = calloc(1, at + size);
	ck_assert_ptr_nonnull(memory);
	for (size_t i = 0; i < row->baits; i++)
		memcpy(memory + i * sizeof(bait), bait, sizeof(bait));
	memcpy(memory + at, k.memory + KERNEL_AT, size);
	m = kallsyms_find(memory, at + size, 64);
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
	ck_assert_ptr_null(kallsyms_find(memory, size, 64));
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
	ck_assert_ptr_null(kallsyms_find(memory, page, 64));
	munmap(all, 2 * page);
}

SUITE("kallsyms", .setup = setup, .teardown = teardown, .timeout = 60);
