/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel's description of its structures in memory: fields are found where it
 * says, and nothing is found, in bounded time, where it is cut or lies.
 */
#include <string.h>

#include "btf-image.h"
#include "btf.h"
#include "unit.h"

SUITE("btf", .timeout = 60);

enum {
	AT = 0x44, /* where it begins in the memory */
	SIZE = AT + BTF_HEADER + BTF_IMAGE_MAX + BTF_STRINGS_MAX,
};

static uint8_t memory[SIZE];
static struct btf_field found[3];

static bool find_at(const uint8_t *at, size_t size)
{
	found[0] = (struct btf_field){ "task", "pid" };
	found[1] = (struct btf_field){ "task", "tgid" };
	found[2] = (struct btf_field){ "task", "comm" };
	return btf_find(at, size, found, ARRAY_SIZE(found));
}

static bool find_in(size_t size)
{
	return find_at(memory, size);
}

static size_t finish(void)
{
	return AT + btf_finish(memory + AT);
}

static bool find(void)
{
	finish();
	return find_in(sizeof(memory));
}

static void expect(unsigned i, uint32_t offset, uint32_t size)
{
	ck_assert_msg(found[i].offset == offset && found[i].size == size,
		      "%s: at %u, %u bytes", found[i].name, found[i].offset,
		      found[i].size);
}

/* As a kernel has it, with a type of every kind before it. */
static void plain(void)
{
	btf_basics();
	btf_type("", BTF_PTR, 0, 5); /* 4 */
	btf_type("other", BTF_STRUCT, 1, 4);
	btf_member("pid", 1, 0);
	btf_type("some", BTF_UNION, 1, 4);
	btf_member("pid", 1, 0);
	btf_type("colour", BTF_ENUM, 1, 4);
	btf_add(0), btf_add(0);
	btf_type("fwd", BTF_FWD, 0, 0);
	btf_type("pid_t", BTF_TYPEDEF, 0, 10); /* 9 */
	btf_type("", BTF_VOLATILE, 0, 11);
	btf_type("", BTF_CONST, 0, 12);
	btf_type("", BTF_RESTRICT, 0, 13);
	btf_type("tag", BTF_TYPE_TAG, 0, 1);
	btf_type("f", BTF_FUNC, 0, 15);
	btf_type("", BTF_PROTO, 1, 1);
	btf_add(0), btf_add(1);
	btf_type("v", BTF_VAR, 0, 1);
	btf_add(0);
	btf_type(".data", BTF_DATASEC, 1, 4);
	btf_three(16, 0, 4);
	btf_type("float", BTF_FLOAT, 0, 4);
	btf_type("note", BTF_DECL_TAG, 0, 5);
	btf_add(0);
	btf_type("wide", BTF_ENUM64, 1, 8);
	btf_three(0, 0, 0);
	btf_type("task", BTF_TYPEDEF, 0, 22); /* a name is no structure */
	btf_type("task", BTF_STRUCT, 4, 64);  /* 22 */
	btf_member("state", 1, 0);
	btf_member("pid", 9, 32);
	btf_member("tgid", 1, 64);
	btf_member("comm", 3, 96);
}

TEST(fields_are_found_behind_types_of_every_kind)
{
	plain();
	ck_assert(find());
	expect(0, 4, 4);
	expect(1, 8, 4);
	expect(2, 12, 16);
}

static void members(uint32_t comm_type)
{
	btf_member("pid", 1, 0);
	btf_member("tgid", 1, 32);
	btf_member("comm", comm_type, 64);
}

TEST(a_pointer_is_told_by_its_size)
{
	btf_basics();
	btf_type("task", BTF_STRUCT, 3, 64);
	members(5);
	btf_type("p", BTF_TYPEDEF, 0, 6);
	btf_type("", BTF_PTR, 0, 0);
	ck_assert(find());
	expect(2, 8, 0);
}

TEST(so_is_an_array_of_pointers)
{
	btf_basics();
	btf_type("task", BTF_STRUCT, 3, 64);
	members(5);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(6, 1, 16);
	btf_type("", BTF_PTR, 0, 2);
	ck_assert(find());
	expect(2, 8, 0);
}

/* "path.inner.comm" in place of "comm". */
static bool find_path(void)
{
	finish();
	found[0] = (struct btf_field){ "task", "pid" };
	found[1] = (struct btf_field){ "task", "path.tgid" };
	found[2] = (struct btf_field){ "task", "path.inner.comm" };
	return btf_find(memory, sizeof(memory), found, ARRAY_SIZE(found));
}

static void paths(unsigned kind)
{
	btf_basics();
	btf_type("task", BTF_STRUCT, 3, 64);
	btf_member("pathology", 1, 0);
	btf_member("pid", 1, 32);
	btf_member("path", 5, 64);
	btf_type("", kind, 2, 32); /* 5 */
	btf_member("tgid", 1, 32);
	btf_member("", 6, 64);
	btf_type("", BTF_STRUCT, 2, 24);
	btf_member("comm", 3, 0);
	btf_member("inner", 7, 128);
	btf_type("inner", BTF_STRUCT, 1, 16);
	btf_member("comm", 3, 32);
}

TEST(a_dot_leads_into_a_structure)
{
	paths(BTF_STRUCT);
	ck_assert(find_path());
	expect(0, 4, 4);
	expect(1, 12, 4);
	expect(2, 36, 16);
	paths(BTF_UNION);
	ck_assert(find_path());
	expect(1, 12, 4);
}

TEST(a_dot_leads_into_nothing_else)
{
	btf_basics();
	btf_type("task", BTF_STRUCT, 3, 64);
	btf_member("pid", 1, 0);
	btf_member("path", 5, 32);
	btf_member("path.tgid", 1, 64);
	btf_type("", BTF_PTR, 0, 6); /* it is not here */
	btf_type("path", BTF_STRUCT, 1, 64);
	btf_member("tgid", 1, 0);
	ck_assert(!find_path());
}

TEST(members_without_a_name_are_looked_into)
{
	btf_basics();
	btf_type("task", BTF_STRUCT, 3, 64);
	btf_member("a", 5, 0); /* it has a name, so not this one */
	btf_member("", 6, 64);
	btf_member("comm", 3, 256);
	btf_type("", BTF_STRUCT, 1, 8);
	btf_member("pid", 1, 32);
	btf_type("", BTF_STRUCT, 2, 16);
	btf_member("", 7, 64);
	btf_member("b", 1, 0);
	btf_type("", BTF_UNION, 2, 8);
	btf_member("pid", 1, 0);
	btf_member("tgid", 1, 0);
	ck_assert(find());
	expect(0, 16, 4);
	expect(1, 16, 4);
	expect(2, 32, 16);
}

TEST(bitfields_are_passed_by)
{
	btf_basics();
	btf_type("task", BTF_STRUCT | BTF_BITFIELDS, 5, 64);
	btf_member("pid", 1, 4u << 24 | 8);
	btf_member("pid", 1, 64);
	btf_member("tgid", 1, 3);
	btf_member("tgid", 1, 96);
	btf_member("comm", 3, 128);
	ck_assert(find());
	expect(0, 8, 4);
	expect(1, 12, 4);
	expect(2, 16, 16);
}

/* Each in place of the structure that is looked for. */
static void lacks_one(void)
{
	btf_type("task", BTF_STRUCT, 2, 64);
	btf_member("pid", 1, 0);
	btf_member("comm", 3, 64);
}

static void of_members(unsigned kind, uint32_t comm_type)
{
	btf_type("task", kind, 3, 64);
	members(comm_type);
}

static void other_name(void)
{
	btf_type("tasks", BTF_STRUCT, 3, 64);
	members(3);
}

static void is_a_union(void)
{
	of_members(BTF_UNION, 3);
}

static void no_such_type(void)
{
	of_members(BTF_STRUCT, 5);
}

static void no_type(void)
{
	of_members(BTF_STRUCT, 0);
}

static void far_type(void)
{
	of_members(BTF_STRUCT, UINT32_MAX);
}

static void array_of_arrays(void)
{
	of_members(BTF_STRUCT, 5);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(3, 1, 16);
}

static void array_of_itself(void)
{
	of_members(BTF_STRUCT, 5);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(5, 1, 16);
}

static void array_too_large(void)
{
	of_members(BTF_STRUCT, 5);
	btf_type("", BTF_ARRAY, 0, 0);
	btf_three(1, 1, 1u << 30);
}

static void name_of_itself(void)
{
	of_members(BTF_STRUCT, 5);
	btf_type("t", BTF_TYPEDEF, 0, 5);
}

static void names_in_a_circle(void)
{
	of_members(BTF_STRUCT, 5);
	btf_type("", BTF_CONST, 0, 6);
	btf_type("", BTF_VOLATILE, 0, 5);
}

static void inside_itself(void)
{
	btf_type("task", BTF_STRUCT, 4, 64);
	btf_member("", 4, 0);
	btf_member("", 4, 0);
	btf_member("", 4, 0);
	btf_member("pid", 1, 0);
}

static void kind_unknown(void)
{
	btf_type("x", 20, 0, 0);
	other_name();
}

static void kind_void(void)
{
	btf_type("x", 0, 0, 0);
	of_members(BTF_STRUCT, 3);
}

static void kind_beyond(void)
{
	btf_type("x", 31, 0, 0);
	of_members(BTF_STRUCT, 3);
}

static void too_many_members(void)
{
	btf_type("task", BTF_STRUCT, 4, 64);
	members(3);
}

static const struct lie_row {
	const char *why;
	void (*put)(void);
} lie_rows[] = {
	{ "a field is not there", lacks_one },
	{ "another structure has them", other_name },
	{ "a union has them", is_a_union },
	{ "a type that does not exist", no_such_type },
	{ "void", no_type },
	{ "a type far beyond", far_type },
	{ "an array of arrays", array_of_arrays },
	{ "an array of itself", array_of_itself },
	{ "more bytes than there can be", array_too_large },
	{ "a name for itself", name_of_itself },
	{ "names in a circle", names_in_a_circle },
	{ "a structure inside itself", inside_itself },
	{ "a kind that nobody knows", kind_unknown },
	{ "a kind that is none", kind_void },
	{ "the last kind there could be", kind_beyond },
	{ "a member more than there is", too_many_members },
};

TEST_ROWS(nothing_is_found_of_what_cannot_be, lie_rows)
{
	btf_basics();
	lie_rows[_i].put();
	ck_assert_msg(!find(), "%s", lie_rows[_i].why);
}

TEST(a_cut_at_every_byte_finds_nothing)
{
	size_t all;

	plain();
	all = finish();
	ck_assert(find_in(all));
	for (size_t n = 0; n < all; n++) {
		/* of its own size, for tools that see accesses beyond */
		uint8_t *copy = malloc(n ? n : 1);

		memcpy(copy, memory, n);
		ck_assert_msg(!find_at(copy, n), "%zu", n);
		free(copy);
	}
}

/* Strings first, which end where the header says; @n bytes of types behind. */
static bool find_cut(size_t strings_len, size_t n)
{
	size_t all = 24 + btf.n_strings + n;
	uint8_t *copy = malloc(all);
	bool ret;

	memcpy(copy, memory + AT, 24);
	btf_put(copy + 8, (uint32_t)btf.n_strings);
	btf_put(copy + 12, (uint32_t)n);
	btf_put(copy + 16, 0);
	btf_put(copy + 20, (uint32_t)strings_len);
	memcpy(copy + 24, btf.strings, btf.n_strings);
	memcpy(copy + 24 + btf.n_strings, btf.types, n);
	ret = find_at(copy, all);
	free(copy);
	return ret;
}

TEST(types_and_strings_end_where_the_header_says)
{
	plain();
	finish();
	ck_assert(find_cut(btf.n_strings, btf.n_types));
	ck_assert(!find_cut(btf.n_strings - 1,
			    btf.n_types)); /* "comm" is the last */
	for (size_t n = 0; n < btf.n_types; n++)
		ck_assert_msg(!find_cut(btf.n_strings, n), "%zu", n);
}

static const struct header_row {
	const char *why;
	unsigned at;
	uint32_t value;
} header_rows[] = {
	{ "another magic", 0, 0x0001eb9e },
	{ "another version", 0, 0x0002eb9f },
	{ "flags", 0, 0x0101eb9f },
	{ "a header beyond the memory", 4, SIZE },
	{ "a header as long as can be", 4, UINT32_MAX },
	{ "types beyond the memory", 8, SIZE },
	{ "types as far as can be", 8, UINT32_MAX },
	{ "more types than memory", 12, SIZE },
	{ "as many types as can be", 12, UINT32_MAX },
	{ "strings beyond the memory", 16, SIZE },
	{ "strings as far as can be", 16, UINT32_MAX },
	{ "more strings than memory", 20, SIZE },
	{ "as many strings as can be", 20, UINT32_MAX },
	{ "no types", 12, 0 },
	{ "no strings", 20, 0 },
};

TEST_ROWS(a_header_that_is_wrong_finds_nothing, header_rows)
{
	const struct header_row *row = &header_rows[_i];

	plain();
	finish();
	ck_assert(find_in(sizeof(memory)));
	btf_put(memory + AT + row->at, row->value);
	ck_assert_msg(!find_in(sizeof(memory)), "%s", row->why);
}

TEST(a_longer_header_is_read_as_far_as_it_is_known)
{
	plain();
	finish();
	memmove(memory + AT + 32, memory + AT + 24,
		btf.n_types + btf.n_strings);
	btf_put(memory + AT + 4, 32);
	ck_assert(find_in(sizeof(memory)));
	expect(2, 12, 16);
}

TEST(the_first_one_that_has_all_counts)
{
	plain();
	finish();
	/* a header of a module's, in front of it: no types */
	btf_put(memory, 0x0001eb9f);
	btf_put(memory + 4, 24);
	ck_assert(find_in(sizeof(memory)));
	expect(0, 4, 4);
}
