/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's tables of its symbols in memory: nothing is found where anything
 * of them is not as it must be, and what is lacking is said.
 */
#include <string.h>

#include "kallsyms.h"
#include "kallsyms-image.h"
#include "unit.h"

static const char *why;

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
	struct symbol_map *m =
		kallsyms_find(k.memory, KERNEL_SIZE, k.xlen, &why);
	bool ret = m != NULL;

	symbol_map_free(m);
	return ret;
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

static void first_above_base(void)
{
	k.memory[k.offsets] = k.memory[k.offsets + 4] = 1;
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

static void values_descend(void)
{
	k.memory[k.offsets + 4 * 100 + 3] = 0x81;
}

/* What the first symbol's word says. */
static void first_is(uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		k.memory[k.offsets + i] = (uint8_t)(word >> 8 * i);
}

static void first_before_memory(void)
{
	first_is(-(uint32_t)k.offsets - 1);
}

static void first_behind_tables(void)
{
	first_is(8);
}

/* All heads of lists anew, each of which points to what is so far from it. */
static void heads(size_t n, size_t away)
{
	size_t from = KERNEL_HEADS_AT;

	memset(k.memory + from, 0, 16 * KERNEL_HEADS);
	for (size_t at = from; at < from + 16 * n; at += 16)
		kernel_head(at, at + away);
}

static void heads_too_few(void)
{
	heads(KERNEL_HEADS - 1, 0);
}

static void heads_disagree(void)
{
	kernel_head(KERNEL_HEADS_AT + 16, KERNEL_HEADS_AT + 16 + 4096);
}

/* As those of nothing are that happen to be where a page begins. */
static void heads_low(void)
{
	heads(KERNEL_HEADS, (size_t)-kernel_address(0));
}

static void heads_full(void)
{
	for (size_t i = 0; i < KERNEL_HEADS; i++)
		k.memory[KERNEL_HEADS_AT + 16 * i] += 64;
}

static void heads_askew(void)
{
	heads(KERNEL_HEADS, 64);
}

static void heads_outside(void)
{
	size_t behind = (size_t)(kernel_address(k.n - 1) - kernel_address(0));

	heads(0, 0);
	for (size_t i = 0; i < KERNEL_HEADS; i++)
		kernel_head(behind + 16 * i, behind + 16 * i);
}

/* So that the last symbol would be at 0. */
static void heads_too_high(void)
{
	size_t last = (size_t)(kernel_address(k.n - 1) - kernel_address(0));

	heads(KERNEL_HEADS, (size_t)-kernel_address(0) - last / 4096 * 4096);
}

/* What of the reason is looked for. */
#define NONE	"no Linux kernel's table"
#define NEITHER "neither as Linux 6.12 nor as Linux 7.0"
#define NOWHERE "nothing there tells at which address it runs"

static const struct spoil_row {
	const char *why;
	void (*spoil)(void);
	enum kernel_layout layout;
	unsigned xlen; /* or 0: 64 */
	const char *lacks;
} spoil_rows[] = {
	{ "another number of names", no_number, LAYOUT_BASE, 0, NONE },
	{ "more names than there may be", too_many, LAYOUT_BASE, 0, NONE },
	{ "a name that is too long", name_too_long, LAYOUT_BASE, 0, NONE },
	{ "a name of no length", name_of_nothing, LAYOUT_BASE, 0, NONE },
	{ "a marker beside its name", marker_off, LAYOUT_BASE, 0, NONE },
	{ "markers that descend", markers_descend, LAYOUT_BASE, 0, NONE },
	{ "markers that do not begin at 0", no_first_marker, LAYOUT_BASE, 0,
	  NONE },
	{ "a token too many", token_cut, LAYOUT_BASE, 0, NONE },
	{ "an index beside its token", index_off, LAYOUT_BASE, 0, NONE },
	{ "the first one, too", first_index_off, LAYOUT_BASE, 0, NONE },
	{ "and the last", last_index_off, LAYOUT_BASE, 0, NONE },
	{ "names that are not aligned", names_moved, LAYOUT_BASE, 0, NONE },
	{ "addresses that descend", offsets_descend, LAYOUT_BASE, 0, NEITHER },
	{ "no base", no_base, LAYOUT_BASE, 0, NEITHER },
	{ "addresses beyond the end", base_too_high, LAYOUT_BASE, 0, NEITHER },
	{ "addresses that do not begin at their base", first_above_base,
	  LAYOUT_BASE, 0, NEITHER },
	{ "a name of no letters", name_unprintable, LAYOUT_BASE, 0, NONE },
	{ "a blank in a name", name_blank, LAYOUT_BASE, 0, NONE },
	{ "what is not printed in a name", name_deleted, LAYOUT_BASE, 0, NONE },
	{ "addresses that descend, of 7.0", offsets_descend, LAYOUT_PLACE, 0,
	  NEITHER },
	{ "and of 32 bits", values_descend, LAYOUT_PLACE, 32, NEITHER },
	{ "and that are none of a place", values_descend, LAYOUT_VALUE, 32,
	  NEITHER },
	{ "a first one before the memory", first_before_memory, LAYOUT_PLACE, 0,
	  NEITHER },
	{ "a first one behind the tables", first_behind_tables, LAYOUT_PLACE, 0,
	  NEITHER },
	{ "one in the lower half", first_behind_tables, LAYOUT_VALUE, 32,
	  NEITHER },
	{ "lists too few to tell where they are", heads_too_few, LAYOUT_PLACE,
	  0, NOWHERE },
	{ "lists that tell of two places", heads_disagree, LAYOUT_PLACE, 0,
	  NOWHERE },
	{ "lists that say that they are where they lie", heads_low,
	  LAYOUT_PLACE, 0, NOWHERE },
	{ "and of 32 bits", heads_low, LAYOUT_PLACE, 32, NOWHERE },
	{ "lists that are not empty", heads_full, LAYOUT_PLACE, 0, NOWHERE },
	{ "lists not a number of pages away", heads_askew, LAYOUT_PLACE, 0,
	  NOWHERE },
	{ "lists that are no part of the kernel", heads_outside, LAYOUT_PLACE,
	  0, NOWHERE },
	{ "addresses beyond the end, of 7.0", heads_too_high, LAYOUT_PLACE, 0,
	  NOWHERE },
	{ "and of 32 bits", heads_too_high, LAYOUT_PLACE, 32, NOWHERE },
};

TEST_ROWS(what_does_not_agree_is_not_found, spoil_rows)
{
	const struct spoil_row *row = &spoil_rows[_i];

	k.layout = row->layout;
	kernel_make(row->xlen ? row->xlen : 64, 1000);
	ck_assert(found());
	row->spoil();
	ck_assert_msg(!found(), "%s", row->why);
	ck_assert_msg(strstr(why, row->lacks), "%s: %s", row->why, why);
}

TEST(only_32_bits_have_addresses_themselves)
{
	k.layout = LAYOUT_VALUE;
	kernel_make(32, 10);
	ck_assert(found());
	kernel_make(64, 10);
	ck_assert(!found());
	ck_assert_msg(strstr(why, NEITHER), "%s", why);
}

/* Whoever points elsewhere, as the lists of another kernel, is outvoted. */
TEST(most_lists_tell_where_the_kernel_is)
{
	k.layout = LAYOUT_PLACE;
	kernel_make(64, 10);
	for (size_t i = 0; i < KERNEL_HEADS; i++) {
		kernel_head(0x200 + 16 * i, 0x200 + 16 * i);
		kernel_head(0x100 + 16 * i, 0x100 + 16 * i + 4096);
	}
	ck_assert(found());
	kernel_head(0x300, 0x300 + 4096);
	ck_assert(!found());
}

SUITE("kallsyms-damaged", .setup = setup, .teardown = teardown, .timeout = 60);
