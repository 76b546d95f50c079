/* SPDX-License-Identifier: BSD-2-Clause */
/* Which mapping an address is in, by what records said before. */
#include <stdio.h>
#include <string.h>

#include "cmd/args.h"
#include "text/exit-codes.h"
#include "trace/guest-files.h"
#include "unit.h"

enum {
	STEPS = 6,
	MANY = 3000,
	FORGOTTEN = 16384 /* records after which what was not told is */
};

static struct guest_files *files;

static void begin(bool live)
{
	static struct args args;

	args_init(&args);
	PREPARING(ck_assert_int_eq(guest_files_open(&files, &args, live),
				   EXIT_OK));
}

static void setup(void)
{
	begin(false);
}

static void teardown(void)
{
	guest_files_close(files);
}

/* A record of @pid's own code, in which @m is told unless it is NULL. */
static void learn(uint32_t pid, Pmu__V1__Mapping *m)
{
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	process.pid = pid;
	process.n_mappings = m != NULL;
	process.mappings = &m;
	r.process = &process;
	r.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_U;
	if (!guest_files_learn(files, &r))
		ck_abort_msg("no memory");
}

static size_t find(uint32_t pid, uint64_t pc)
{
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	process.pid = pid;
	r.process = &process;
	r.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_U;
	return guest_files_find(files, &r, pc);
}

struct step {
	uint32_t pid;
	uint64_t start, end, offset;
	const char *file; /* NULL ends them */
	uint64_t bytes;
};

static void tell(const struct step *s)
{
	Pmu__V1__Mapping m = PMU__V1__MAPPING__INIT;

	m.start = s->start;
	m.end = s->end;
	m.offset = s->offset;
	m.file = (char *)s->file;
	m.file_bytes = s->bytes;
	learn(s->pid, &m);
}

#define NONE GUEST_FILES_NONE

static const struct there_row {
	const char *why;
	struct step steps[STEPS];
	uint32_t pid;
	uint64_t pc;
	size_t want, count;
} there_rows[] = {
	{ "nothing", { { 0 } }, 7, 0x1000, NONE, 0 },
	{ "its first address", { { 7, 16, 32, 0, "a", 0 } }, 7, 16, 0, 1 },
	{ "its last", { { 7, 16, 32, 0, "a", 0 } }, 7, 31, 0, 1 },
	{ "before it", { { 7, 16, 32, 0, "a", 0 } }, 7, 15, NONE, 1 },
	{ "behind it", { { 7, 16, 32, 0, "a", 0 } }, 7, 32, NONE, 1 },
	{ "the last address of all",
	  { { 7, 16, UINT64_MAX, 0, "a", 0 } },
	  7,
	  UINT64_MAX,
	  NONE,
	  1 },
	{ "of another process", { { 7, 16, 32, 0, "a", 0 } }, 8, 16, NONE, 1 },
	{ "told again",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 16, 32, 0, "a", 0 } },
	  7,
	  16,
	  0,
	  1 },
	{ "one beside the other",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 32, 48, 0, "a", 0 } },
	  7,
	  31,
	  0,
	  2 },
	{ "another file",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 16, 32, 0, "b", 0 } },
	  7,
	  16,
	  1,
	  2 },
	{ "another file of that name",
	  { { 7, 16, 32, 0, "a", 5 }, { 7, 16, 32, 0, "a", 6 } },
	  7,
	  16,
	  1,
	  2 },
	{ "another part of it",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 16, 32, 4, "a", 0 } },
	  7,
	  16,
	  1,
	  2 },
	{ "the first again",
	  { { 7, 16, 32, 0, "a", 0 },
	    { 7, 16, 32, 0, "b", 0 },
	    { 7, 16, 32, 0, "a", 0 } },
	  7,
	  16,
	  0,
	  2 },
	{ "the end of one, and it is gone",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 31, 40, 0, "b", 0 } },
	  7,
	  16,
	  NONE,
	  2 },
	{ "the begin of one, and it is gone",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 8, 17, 0, "b", 0 } },
	  7,
	  31,
	  NONE,
	  2 },
	{ "all between, and all are gone",
	  { { 7, 16, 32, 0, "a", 0 },
	    { 7, 32, 48, 0, "b", 0 },
	    { 7, 48, 64, 0, "c", 0 },
	    { 7, 31, 49, 0, "d", 0 } },
	  7,
	  60,
	  NONE,
	  4 },
	{ "and in their place is the new one",
	  { { 7, 16, 32, 0, "a", 0 },
	    { 7, 32, 48, 0, "b", 0 },
	    { 7, 48, 64, 0, "c", 0 },
	    { 7, 31, 49, 0, "d", 0 } },
	  7,
	  32,
	  3,
	  4 },
	{ "of another process none is gone",
	  { { 7, 16, 32, 0, "a", 0 }, { 8, 16, 32, 0, "b", 0 } },
	  7,
	  16,
	  0,
	  2 },
	{ "no address is in it",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 16, 16, 0, "b", 0 } },
	  7,
	  16,
	  0,
	  1 },
	{ "it ends before it begins",
	  { { 7, 16, 32, 0, "a", 0 }, { 7, 32, 16, 0, "b", 0 } },
	  7,
	  16,
	  0,
	  1 },
};

TEST_ROWS(an_address_is_in_what_was_told_last, there_rows)
{
	const struct there_row *row = &there_rows[_i];
	size_t got;

	for (size_t i = 0; i < STEPS && row->steps[i].file; i++)
		tell(&row->steps[i]);
	got = find(row->pid, row->pc);
	ck_assert_msg(got == row->want, "%s: %zu", row->why, got);
	ck_assert_uint_eq(guest_files_count(files), row->count);
}

/* One behind the other where there is one, and then all side by side. */
TEST(each_of_many_is_found)
{
	for (uint64_t i = 0; i < MANY; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", (unsigned)i);
		tell(&(struct step){ 7, 16, 32, i, "a", 0 });
		ck_assert_uint_eq(find(7, 16), 2 * i);
		tell(&(struct step){ 9, i * 16, i * 16 + 16, 0, name, i });
	}
	for (uint64_t i = 0; i < MANY; i++) {
		size_t at = find(9, i * 16);

		ck_assert_uint_eq(at, 2 * i + 1);
		ck_assert_uint_eq(guest_files_get(files, at)->bytes, i);
	}
}

TEST(what_is_known_keeps_its_number)
{
	const struct step a = { 7, 16, 32, 0, "a", 0 };
	const struct step b = { 7, 16, 32, 0, "b", 0 };

	tell(&a);
	tell(&b);
	guest_files_again(files);
	ck_assert_uint_eq(find(7, 16), NONE);
	tell(&b);
	ck_assert_uint_eq(find(7, 16), 1);
	tell(&a);
	ck_assert_uint_eq(find(7, 16), 0);
	ck_assert_uint_eq(guest_files_count(files), 2);
	ck_assert_str_eq(guest_files_get(files, 0)->file, "a");
	ck_assert_str_eq(guest_files_get(files, 1)->file, "b");
}

/* Each half of them tells one, and the kernel's do not count. */
static void go_on(const struct step *told)
{
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.process = &process;
	r.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_S;
	for (unsigned i = 0; i < FORGOTTEN; i++) {
		(void)guest_files_learn(files, &r); /* asks for nothing */
		if (told && i % (FORGOTTEN / 2) == 5)
			tell(told);
		else
			learn(7, NULL);
	}
}

static const struct step first = { 7, 16, 32, 0, "a", 0 };
static const struct step second = { 7, 32, 48, 0, "b", 0 };
static const struct step third = { 7, 48, 64, 0, "b", 0 };

/* As pmud-machine tells all that are met again and again. */
TEST(of_a_machine_what_is_told_no_more_is_forgotten)
{
	guest_files_close(files);
	begin(true);
	tell(&first);
	tell(&second);
	tell(&third);
	go_on(&third);
	ck_assert_uint_eq(find(7, 16), 0);
	ck_assert_uint_eq(find(7, 48), 2);
	go_on(&third);
	ck_assert_uint_eq(find(7, 16), NONE);
	ck_assert_uint_eq(find(7, 32), NONE);
	ck_assert_uint_eq(find(7, 48), 0);
	ck_assert_uint_eq(guest_files_count(files), 1);
	ck_assert_str_eq(guest_files_get(files, 0)->file, "b");
	tell(&second);
	tell(&first);
	ck_assert_uint_eq(find(7, 32), 1);
	ck_assert_uint_eq(find(7, 16), 2);
	ck_assert_uint_eq(find(7, 48), 0);
}

TEST(what_another_has_taken_the_place_of_is_forgotten)
{
	const struct step other = { 7, 16, 32, 0, "b", 0 };

	guest_files_close(files);
	begin(true);
	tell(&first);
	tell(&other);
	go_on(&other);
	go_on(&other);
	ck_assert_uint_eq(guest_files_count(files), 1);
	ck_assert_uint_eq(find(7, 16), 0);
	ck_assert_str_eq(guest_files_get(files, 0)->file, "b");
}

TEST(of_a_trace_nothing_is_forgotten)
{
	tell(&first);
	tell(&second);
	go_on(&second);
	go_on(&second);
	ck_assert_uint_eq(find(7, 16), 0);
	ck_assert_uint_eq(find(7, 32), 1);
}

SUITE("guest-files", .setup = setup, .teardown = teardown);
