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
	TYPE = 12,	 /* bytes */
};

/*
 * @n types, the first a pointer and the others such that say nothing, and then
 * the structures @names of one member, "p", of the type @type.
 */
static uint8_t *make_many(size_t n, const char *names, uint32_t type,
			  size_t *ret_size)
{
	size_t at = BTF_HEADER;
	uint8_t *ret;

	btf_begin();
	for (const char *c = names; *c; c++) {
		btf_type((char[]){ *c, '\0' }, BTF_STRUCT, 1, 8);
		btf_member("p", type, 0);
	}
	*ret_size = at + n * TYPE + btf.n_types + btf.n_strings;
	ret = calloc(1, *ret_size);
	ck_assert(ret);
	btf_finish(memory);
	memcpy(ret, memory, at);
	btf_put(ret + 12, (uint32_t)(n * TYPE + btf.n_types));
	btf_put(ret + 16, (uint32_t)(n * TYPE + btf.n_types));
	for (size_t i = 0; i < n; i++, at += TYPE)
		ret[at + 7] = i ? BTF_FWD : BTF_PTR;
	memcpy(ret + at, btf.types, btf.n_types);
	memcpy(ret + at + btf.n_types, btf.strings, btf.n_strings);
	return ret;
}

static const struct steps_row {
	const char *why, *names;
	bool found;
} steps_rows[] = {
	{ "one", "a", true },
	{ "another", "c", true },
	{ "as many as there are steps for", "ab", true },
	{ "one more", "abc", false },
};

TEST_ROWS(all_structures_share_the_steps, steps_rows)
{
	static const struct btf_field of[] = { { "a", "p" },
					       { "b", "p" },
					       { "c", "p" } };
	const struct steps_row *row = &steps_rows[_i];
	size_t size, n = strlen(row->names);
	uint8_t *many = make_many(STEPS / 5 * 2, "abc", 1, &size);

	memcpy(found, of + (*row->names - 'a'), n * sizeof(*of));
	ck_assert_msg(btf_find(many, size, found, n) == row->found, "%s",
		      row->why);
	free(many);
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
