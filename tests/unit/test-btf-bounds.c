/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's description in which several structures are looked for at once,
 * and how far and how long that goes on.
 */
#include <string.h>
#include <sys/mman.h>

#include "btf-image.h"
#include "btf.h"
#include "unit.h"

SUITE("btf-bounds", .timeout = 60);

static uint8_t memory[2 * (BTF_HEADER + BTF_IMAGE_MAX + BTF_STRINGS_MAX)];
static struct btf_field found[3];

static void expect(unsigned i, uint32_t offset, uint32_t size)
{
	ck_assert_msg(found[i].offset == offset && found[i].size == size,
		      "%s: at %u, %u bytes", found[i].name, found[i].offset,
		      found[i].size);
}

/* Several structures */

/* "pid" of a task, and "name" and "size" of a file. */
static bool find_two(size_t size)
{
	found[0] = (struct btf_field){ "task", "pid" };
	found[1] = (struct btf_field){ "file", "name" };
	found[2] = (struct btf_field){ "file", "size" };
	return btf_find(memory, size, found, ARRAY_SIZE(found));
}

static void task_of(uint32_t pid_bit)
{
	btf_type("task", BTF_STRUCT, 1, 64);
	btf_member("pid", 1, pid_bit);
}

static void file_of(const char *second)
{
	btf_type("file", BTF_STRUCT, 2, 64);
	btf_member("name", 3, 64);
	btf_member(second, 1, 192);
}

TEST(structures_are_found_in_any_order)
{
	for (unsigned i = 0; i < 2; i++) {
		btf_basics();
		if (i)
			task_of(32);
		file_of("other"); /* the second of that name has both */
		file_of("size");
		if (!i)
			task_of(32);
		ck_assert(find_two(btf_finish(memory)));
		expect(0, 4, 4);
		expect(1, 8, 16);
		expect(2, 24, 4);
	}
}

TEST(one_description_has_all_of_them)
{
	size_t n;

	memset(memory, 0, sizeof(memory));
	btf_basics();
	task_of(32);
	n = btf_finish(memory);
	btf_basics();
	file_of("size");
	n += btf_finish(memory + n);
	ck_assert(!find_two(n));
	btf_basics();
	task_of(64);
	file_of("size");
	n += btf_finish(memory + n);
	ck_assert(find_two(n));
	expect(0, 8, 4);
}

/* Bounds */

enum {
	STEPS = 1 << 23, /* as many as a search may have */
	NUMBER = 16,	 /* bytes of a number's type */
};

/* @n types, each a number whose size is the type's number, before btf's. */
static uint8_t *make_many(size_t n, size_t *ret_size)
{
	size_t at = BTF_HEADER, types = n * NUMBER + btf.n_types;
	uint8_t *ret;

	*ret_size = at + types + btf.n_strings;
	ret = calloc(1, *ret_size);
	ck_assert(ret);
	btf_finish(memory);
	memcpy(ret, memory, at);
	btf_put(ret + 12, (uint32_t)types);
	btf_put(ret + 16, (uint32_t)types);
	for (uint32_t i = 1; i <= n; i++, at += NUMBER) {
		ret[at + 7] = BTF_INT;
		btf_put(ret + at + 8, i);
	}
	memcpy(ret + at, btf.types, btf.n_types);
	memcpy(ret + at + btf.n_types, btf.strings, btf.n_strings);
	return ret;
}

static const struct steps_row {
	const char *why;
	size_t first, n;
	bool found;
} steps_rows[] = {
	{ "one", 0, 1, true },
	{ "another", 2, 1, true },
	{ "as many as there are steps for", 0, 2, true },
	{ "one more", 0, 3, false },
};

TEST_ROWS(all_structures_share_the_steps, steps_rows)
{
	static const struct btf_field of[] = { { "a", "x" },
					       { "b", "x" },
					       { "c", "x" } };
	const struct steps_row *row = &steps_rows[_i];
	uint8_t *many;
	size_t size;

	btf_begin();
	for (unsigned i = 0; i < ARRAY_SIZE(of); i++) {
		btf_type(of[i].structure, BTF_STRUCT, 1, 8);
		btf_member("x", 1, 0);
	}
	many = make_many(STEPS / 5 * 2, &size);
	memcpy(found, of, sizeof(of));
	ck_assert_msg(btf_find(many, size, found + row->first, row->n) ==
			      row->found,
		      "%s", row->why);
	free(many);
}

/* Some are where one of a thousand is, or beside it. */
static const uint32_t numbers[] = { 1,	    2,	    1022,   1023,   1024,
				    1025,   2047,   2048,   2049,   260000,
				    261119, 261120, 261121, 262143, 262144,
				    262145, 263168, 263169, 300000 };

enum {
	N_NUMBERS = ARRAY_SIZE(numbers),
	ROUNDS = 4, /* so many would be too many steps, each from the first */
};

TEST(each_of_many_types_is_found_by_its_number)
{
	struct btf_field f[ROUNDS * N_NUMBERS];
	char names[N_NUMBERS][2] = { 0 };
	uint8_t *many;
	size_t size;

	btf_begin();
	btf_type("a", BTF_STRUCT, N_NUMBERS, 8);
	for (unsigned i = 0; i < N_NUMBERS; i++) {
		names[i][0] = (char)('a' + i);
		btf_member(names[i], numbers[i], 8 * i);
	}
	many = make_many(300000, &size);
	for (unsigned i = 0; i < ARRAY_SIZE(f); i++)
		/* up and down, the last first */
		f[i] = (struct btf_field){
			"a", names[(N_NUMBERS - 1) * (i + 1) % N_NUMBERS]
		};
	ck_assert(btf_find(many, size, f, ARRAY_SIZE(f)));
	for (unsigned i = 0; i < ARRAY_SIZE(f); i++)
		ck_assert_uint_eq(f[i].size, numbers[*f[i].name - 'a']);
	free(many);
}

/* In the second a type more is in front. */
TEST(each_description_has_its_own_types)
{
	uint8_t *many[2], *both;
	size_t size[2];

	for (unsigned i = 0; i < 2; i++) {
		btf_begin();
		btf_type("a", BTF_STRUCT, 2, 8);
		btf_member("x", 2000, 0);
		btf_member(i ? "y" : "z", 2000, 0);
		many[i] = make_many(3000, &size[i]);
	}
	/* four of 12 bytes where three of 16 were */
	memset(many[1] + BTF_HEADER, 0, 48);
	for (unsigned i = 0; i < 4; i++)
		many[1][BTF_HEADER + 12 * i + 7] = BTF_FWD;
	both = calloc(1, size[0] + size[1] + 3);
	memcpy(both, many[0], size[0]);
	size[0] += -size[0] % 4;
	memcpy(both + size[0], many[1], size[1]);
	found[0] = (struct btf_field){ "a", "x" };
	found[1] = (struct btf_field){ "a", "y" };
	ck_assert(btf_find(both, size[0] + size[1], found, 2));
	expect(0, 0, 1999);
	free(many[0]);
	free(many[1]);
	free(both);
}

TEST(what_lies_beyond_its_reach_is_not_found)
{
	size_t size = BTF_REACH + sizeof(memory), n;
	uint8_t *large =
		mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert(large != MAP_FAILED);
	btf_basics();
	task_of(32);
	n = btf_finish(memory);
	n += -n % 4;
	found[0] = (struct btf_field){ "task", "pid" };
	memcpy(large + BTF_REACH - n, memory, n);
	ck_assert(btf_find(large, size, found, 1));
	memset(large + BTF_REACH - n, 0, n);
	memcpy(large + BTF_REACH - n + 4, memory, n);
	ck_assert(!btf_find(large, size, found, 1));
	munmap(large, size);
}

/* Without a bound it would take minutes. */
TEST(work_is_bounded)
{
	enum {
		BYTES = 32 << 20
	};
	uint8_t *many = calloc(1, BYTES);

	found[0] = (struct btf_field){ "task", "pid" };
	/* types that say nothing, once more for every header */
	for (size_t i = BYTES / 2; i < BYTES; i += 4)
		btf_put(many + i, 0x0100eb9f);
	for (size_t i = 0; i + 24 <= BYTES / 2; i += 24) {
		btf_put(many + i, 0x0001eb9f);
		btf_put(many + i + 4, BYTES / 2);
		btf_put(many + i + 12, BYTES / 4);
	}
	ck_assert(!btf_find(many, BYTES, found, 1));
	free(many);
}
